"""``tabletop reach``: how far a unit may get, and what it may hope for there, before its dice and after them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.cli import game_input
from tabletop.cli.completing import complete_unit
from tabletop.cli.game import Data, GameName
from tabletop.cli.output import JsonOut, Quiet, check_drawing, check_target, give, tell
from tabletop.errors import UsageError
from tabletop.game.parts import parts_of

if TYPE_CHECKING:
    from tabletop.game import Game


def reach(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="UNIT [to X,Y ...]", help="The unit, and places that it might go to.", autocompletion=complete_unit
        ),
    ],
    total: Annotated[
        int | None, typer.Option(metavar="INCHES", help="Ask as if this were rolled, all that changes it counted in.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw it on the table's map: a .svg or a .png file.")
    ] = None,
    game: GameName = None,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Tell how far a unit may move, and its chances: enemies in range and in sight, cover, places.

    Any unit of either side may be asked about at any time; nothing is done in the game. Before its dice are rolled you
    get the odds, afterwards yes or no, with the inches to spare. Places are for the centre of its unique base.
    """
    target, drawn = check_target(json_out), check_drawing(picture)
    said = _words(words)
    with game_input.open_game(data, game) as opened:
        name, playing = opened.name, opened.game
    unit, places = _module(playing, "_words").parse(playing.state, said)
    found = _module(playing).prospects(playing.state, unit, places, total)
    files: dict[Path, bytes] = {}
    if drawn is not None:
        files[drawn] = _picture(playing, found, drawn.suffix.casefold())
    give({"game": name, **found.to_json()}, json_out, target, files)
    text = _module(playing, "_words").in_words(found)
    tell(f"{text}\n\nDrawn in {drawn}." if drawn is not None else text, json_target=json_out, quiet=quiet)


def _words(words: list[str]) -> str:
    """The words as one; raises UsageError for what was meant as an option."""
    unknown = [word for word in words if word.startswith("-") and not word[1:2].isdigit() and word[1:2] != "."]
    if unknown:
        raise UsageError(f"There is no option {unknown[0]}: see tabletop reach --help.")
    return " ".join(words)


def _module(game: Game, part: str = "") -> Any:
    """The module that answers by the game's rules; ``_words`` reads and tells it, ``_map`` draws it."""
    from importlib import import_module

    prospects = parts_of(game.ruleset.name).prospects
    if not prospects:
        raise UsageError(
            f"`tabletop reach` doesn't support {game.ruleset.name}: tabletop state UNIT lists a unit's moves."
        )
    return import_module(prospects + part)


def _picture(game: Game, found: Any, suffix: str) -> bytes:
    from geometry.drawing.files import sheet_bytes

    map_of = _module(game, "_map")
    sheet = map_of.picture(game.state, found)
    return sheet_bytes(sheet, suffix, title=map_of.title(found), description=map_of.description(found))
