"""``tabletop danger``: what the enemy may do to a platoon here or there, and where mortar bombs may fall."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.cli import game_input
from tabletop.cli.game import Data, GameName
from tabletop.cli.game_answers import give
from tabletop.cli.output import JsonOut, Quiet, check_drawing, check_target, tell, write_files
from tabletop.errors import UsageError

if TYPE_CHECKING:
    from tabletop.game import Game
    from tabletop.rulesets.combined_arms.danger import Danger
    from tabletop.rulesets.combined_arms.state import State


def danger(
    unit: Annotated[str | None, typer.Argument(metavar="[PLATOON]", help="The platoon that is asked about.")] = None,
    at: Annotated[
        str | None, typer.Option(metavar="HEX", help="If it ends in this hex. [default: where it is, and its moves]")
    ] = None,
    facing: Annotated[
        int | None, typer.Option(metavar="CORNER", min=0, max=5, help="If armour faces this corner there.")
    ] = None,
    call: Annotated[
        str | None, typer.Option("--call", metavar="HEX", help="Tell where mortars called down on a hex may fall.")
    ] = None,
    position: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Ask about a position (JSON) instead of a game.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw every hex's danger on the board: a .svg or a .png file.")
    ] = None,
    game: GameName = None,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Tell what the enemy may do to a platoon of Combined Arms: the worst case, the expected one, counter by counter.

    Nothing is done in the game, and nothing hidden is told: it reckons with what everybody may know. Spent counters
    recover instead of firing and count nothing.
    """
    target, drawn = check_target(json_out), check_drawing(picture)
    if (unit is None) == (call is None):
        raise UsageError(
            "Name a platoon, as in `tabletop danger A2`, or a mortar target: `tabletop danger --call 6-4`."
        )
    if drawn is not None and unit is None:
        raise UsageError("A picture shows the dangers to a platoon: name one, or leave --picture out.")
    state, name = _state(position, data, game)
    if call is not None:
        answer, text = _patterns(state, call)
    else:
        answer, text = _dangers(state, str(unit), at, facing)
    if drawn is not None:
        write_files({drawn: _picture(state, str(unit).upper(), drawn.suffix.casefold())})
        text += f"\n\nDrawn in {drawn}."
    give({**({"game": name} if name else {}), **answer}, json_out, target)
    tell(text, json_target=json_out, quiet=quiet)


def _state(position: Path | None, data: Path | None, game: str | None) -> tuple[State, str]:
    """The state that is asked about, and its game's name (empty: a position from a file)."""
    from tabletop.cli.rulings import read_json
    from tabletop.rulesets.combined_arms.data import NAME
    from tabletop.rulesets.combined_arms.position import state_from_position

    if position is not None:
        if game is not None or data is not None:
            raise UsageError(f"Either the position {position} or a game of the store, not both.")
        return state_from_position(read_json(position)), ""
    with game_input.opened(data, game) as found:
        playing: Game = found.game
        if playing.ruleset.name != NAME:
            raise UsageError(
                f'"{found.name}" is a game of {playing.ruleset.name}; dangers by hex are told in {NAME}. '
                "For a unit on the open table: tabletop reach UNIT."
            )
        state: State = playing.state
        return state, found.name


def _dangers(state: State, said: str, at: str | None, facing: int | None) -> tuple[dict[str, Any], str]:
    from tabletop.rulesets.combined_arms.board import NUMBER, OFF
    from tabletop.rulesets.combined_arms.danger import danger as danger_of
    from tabletop.rulesets.combined_arms.danger import danger_json, sentences
    from tabletop.rulesets.combined_arms.data import PLATOONS
    from tabletop.rulesets.combined_arms.words import hex_name

    unit = game_input.known(said.upper(), PLATOONS, "platoon") or ""
    platoon = state.by_id[unit]
    if platoon.is_infantry and facing is not None:
        raise UsageError(f"{unit} is infantry, which has no facing: leave --facing out.")
    if at is not None:
        found = danger_of(state, unit, NUMBER[hex_name(at)], facing)
        return danger_json(state, found), "\n".join([_headline(found), *sentences(state, found)])
    if platoon.fate not in ("waiting", "board"):
        raise UsageError(f"{unit} is gone ({platoon.fate}): ask about a platoon that is in the game.")
    rows: list[Danger] = []
    lines: list[str] = []
    if platoon.at != OFF:
        here = danger_of(state, unit, platoon.at, platoon.facing if facing is None else facing)
        rows.append(here)
        lines += [_headline(here), *sentences(state, here)]
    moves = _moves(state, unit)
    if moves:
        lines += ["", "After its moves:"] if lines else ["After its moves:"]
        lines += [f"  {_row(each)}" for each in moves]
    found_json = {"platoon": unit, "dangers": [danger_json(state, each) for each in (*rows, *moves)]}
    return found_json, "\n".join(lines) or f"{unit} can't move now."


def _moves(state: State, unit: str) -> list[Danger]:
    """The danger at the end of every move of a platoon, the safest first; armour faces where it is safest."""
    from tabletop.rulesets.combined_arms.danger import danger as danger_of
    from tabletop.rulesets.combined_arms.moving import ways

    found: dict[int, Danger] = {}
    for way in ways(state, state.by_id[unit]):
        if way.leaves:
            continue
        last = way.hexes[-1]
        every = [danger_of(state, unit, last, f) for f in way.facings] or [danger_of(state, unit, last)]
        for each in every:
            if last not in found or (each.worst, each.expected) < (found[last].worst, found[last].expected):
                found[last] = each
    return sorted(found.values(), key=lambda each: (each.worst, each.expected, each.at))


def _headline(found: Danger) -> str:
    from tabletop.rulesets.combined_arms.board import NAMES

    facing = "" if found.facing is None else f", facing corner {found.facing}"
    return f"{found.unit} in {NAMES[found.at]}{facing}: {_figures(found)}."


def _row(found: Danger) -> str:
    from tabletop.rulesets.combined_arms.board import NAMES

    facing = "" if found.facing is None else f" facing {found.facing}"
    return f"{NAMES[found.at]:5}{facing:9} {_figures(found)}"


def _figures(found: Danger) -> str:
    from tabletop.game.words import percent

    losses = "" if found.facing is not None else f", {float(found.losses):.2f} losses on average"
    what = "pinned" if found.facing is None else "broken"
    return f"{what} {percent(found.worst)} at worst, {percent(found.expected)} expected{losses}"


def _patterns(state: State, said: str) -> tuple[dict[str, Any], str]:
    from tabletop.rulesets.combined_arms.danger import pattern_words, patterns_json
    from tabletop.rulesets.combined_arms.words import hex_name

    target = hex_name(said)
    found = patterns_json(state, target)
    against = [f"- {v['text']}" for v in found["against"]]
    told = [f"Mortars called down on {target} scatter by a die:", *(f"  {row}" for row in pattern_words(state, target))]
    told += [f"{name} is hit with {chance:.0%}.".replace("%", " %") for name, chance in found["hit"].items()]
    return found, "\n".join([*told, *(["They can't be called now:", *against] if against else [])])


def _picture(state: State, unit: str, suffix: str) -> bytes:
    from tabletop.aar.drawn import sheet_bytes
    from tabletop.rulesets.combined_arms.danger import dangers
    from tabletop.rulesets.combined_arms.picture import board_sheet

    shades = {n: float(found.worst) for n, found in dangers(state, unit).items()}
    sheet = board_sheet(state, title=f"Danger to {unit}, at worst", danger=shades)
    return sheet_bytes(sheet, suffix, title=f"Danger to {unit} by hex, at worst")
