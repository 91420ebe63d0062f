"""``tabletop danger``: the enemy's threat to a platoon at each place, and where mortar bombs may fall."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.cli import game_input
from tabletop.cli.completing import complete_unit
from tabletop.cli.game import Data, GameName
from tabletop.cli.output import JsonOut, Quiet, check_drawing, check_target, give, tell
from tabletop.errors import UsageError
from tabletop.files import write_files

if TYPE_CHECKING:
    from tabletop.game import Game


def danger(
    unit: Annotated[
        str | None,
        typer.Argument(metavar="[PLATOON]", help="The platoon in question.", autocompletion=complete_unit),
    ] = None,
    at: Annotated[
        str | None, typer.Option(metavar="HEX", help="If it ends in this hex. [default: where it is, and its moves]")
    ] = None,
    facing: Annotated[
        int | None, typer.Option(metavar="CORNER", min=0, max=5, help="If armour faces this corner there.")
    ] = None,
    call: Annotated[
        str | None, typer.Option("--call", metavar="HEX", help="Show where mortars called down on a hex may fall.")
    ] = None,
    position: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Use a position (JSON) instead of a game.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw every hex's danger on the board: a .svg or a .png file.")
    ] = None,
    game: GameName = None,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Show the enemy's threat to a platoon of Combined Arms: the worst case, the expected one, counter by counter.

    Nothing is done in the game, and nothing hidden is shown: only public information is used. Spent counters recover
    instead of firing and count nothing.
    """
    target, drawn = check_target(json_out), check_drawing(picture)
    if (unit is None) == (call is None):
        raise UsageError(
            "Name a platoon, as in `tabletop danger A2`, or a mortar target: `tabletop danger --call 6-4`."
        )
    if drawn is not None and unit is None:
        raise UsageError("A picture shows the dangers to a platoon: name one, or leave --picture out.")
    state, name, module = _state(position, data, game)
    if call is not None:
        answer, text = module.mortar_patterns(state, call)
    else:
        answer, text = module.unit_danger(state, str(unit), at, facing)
    if drawn is not None:
        from geometry.drawing.files import sheet_bytes

        title = f"Danger to {str(unit).upper()} by hex, at worst"
        write_files({drawn: sheet_bytes(module.danger_map(state, str(unit)), drawn.suffix.casefold(), title=title)})
        text += f"\n\nDrawn in {drawn}."
    give({**({"game": name} if name else {}), **answer}, json_out, target)
    tell(text, json_target=json_out, quiet=quiet)


def _state(position: Path | None, data: Path | None, game: str | None) -> tuple[Any, str, Any]:
    """The module that computes dangers, the state in question, and its game's name (empty: a position from a file)."""
    from tabletop.cli.rulings import read_json
    from tabletop.game.parts import part, with_part

    telling = with_part("danger")
    if position is not None:
        if game is not None or data is not None:
            raise UsageError(f"Either the position {position} or a game of the store, not both.")
        module = part(next(iter(telling)), "danger")
        return module.state_from_position(read_json(position)), "", module
    with game_input.open_game(data, game) as found:
        playing: Game = found.game
        rules = playing.ruleset.name
        if rules not in telling:
            raise UsageError(f'"{found.name}" is a game of {rules}; `tabletop danger` supports {", ".join(telling)}.')
        return playing.state, found.name, part(rules, "danger")
