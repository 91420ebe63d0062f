"""``tabletop export``: a table or a game for other programs, as GeoJSON and as a map for virtual tabletops."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.cli import game_input
from tabletop.cli.game import Data, GameName
from tabletop.cli.output import Quiet, check_file, progress, tell
from tabletop.errors import UsageError
from tabletop.files import json_bytes, write_files

if TYPE_CHECKING:
    from tabletop.exports.parts import Plan
    from tabletop.exports.uvtt import Map


def export(
    source: Annotated[
        Path | None,
        typer.Argument(
            metavar="[SOURCE]",
            help="A scene, an observation or a position (JSON), or a game's log (JSON Lines). "
            "[default: the game that was played last]",
        ),
    ] = None,
    geojson: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write all features in table inches, as GeoJSON.")
    ] = None,
    uvtt: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a Universal VTT map (.uvtt or .dd2vtt) with its picture.")
    ] = None,
    table: Annotated[
        Path | None, typer.Option(help="The table file (TOML): its roster, or the place of a board's hexes.")
    ] = None,
    photo_map: Annotated[
        Path | None,
        typer.Option(metavar="MAP.png", help="Use this picture of the whole table from straight above for the map."),
    ] = None,
    grid: Annotated[float, typer.Option(metavar="INCHES", help="The side of the map's squares.")] = 1.0,
    pieces: Annotated[
        bool, typer.Option("--pieces/--ground", help="Draw the pieces too, or the ground alone for movable tokens.")
    ] = True,
    game: GameName = None,
    data: Data = None,
    quiet: Quiet = False,
) -> None:
    """Write a table for other programs: features in inches (GeoJSON), a map for virtual tabletops (Universal VTT).

    Hidden information of a game is never written.
    """
    if geojson is None and uvtt is None:
        raise UsageError("Say what is written: --geojson FILE, --uvtt FILE, or both.")
    if source is not None and (game is not None or data is not None):
        raise UsageError(f"Either the file {source} or a game of the store, not both: name a game with --game.")
    if photo_map is not None and uvtt is None:
        raise UsageError("--photo-map is the picture of a map: say --uvtt FILE too.")
    for target in (geojson, uvtt):
        check_file(target, "An export")
    if geojson is not None and uvtt is not None and geojson.resolve() == uvtt.resolve():
        raise UsageError(f"{geojson} can't be both the GeoJSON and the map: name two files.")
    from tabletop.exports.geojson import feature_collection
    from tabletop.exports.uvtt import universal_vtt

    files: dict[Path, bytes] = {}
    told: list[str] = []
    with progress(quiet) as step:
        step("reading")
        plan = _plan(source, table, game, data)
        if geojson is not None:
            files[geojson] = json_bytes(feature_collection(plan))
            where = "the table's own inches" if plan.on_table else "inches of the board's own picture"
            marked = f" {_possible(plan.possible)} marked as possible." if plan.possible else ""
            told.append(f"{geojson}: {len(plan.features)} features in {where}.{marked}")
        if uvtt is not None:
            step("drawing")
            photo = None if photo_map is None else game_input.read(photo_map)
            made = universal_vtt(plan, grid_in=grid, pieces=pieces, photo=photo)
            files[uvtt] = json_bytes(made.data)
            left_out = f" {_possible(plan.possible)} left out: the photo is not certain." if plan.possible else ""
            told.append(f"{uvtt}: {_in_words(made, len(files[uvtt]))}{left_out}")
    write_files(files)
    tell("\n".join(told), json_target=None, quiet=quiet)


def _plan(source: Path | None, table: Path | None, game: str | None, data: Path | None) -> Plan:
    from tabletop.cli.rulings import json_of
    from tabletop.exports.plans import plan_of_file, plan_of_game
    from tabletop.game.jsonl import game_from_log, read_log
    from tabletop.tables.tablefile import load_table

    roster = None if table is None else load_table(table)
    if source is None:
        with game_input.open_game(data, game) as found:
            return plan_of_game(found.game.ruleset.name, found.game.state, table=roster)
    content = game_input.read(source)
    if source.suffix.casefold() == ".jsonl" or b'"tabletop_log"' in content.partition(b"\n")[0]:
        playing = game_from_log(read_log(content, game_input.named(source)))
        return plan_of_game(playing.ruleset.name, playing.state, table=roster)
    return plan_of_file(json_of(content, source), title=game_input.named(source), table=roster)


def _possible(count: int) -> str:
    return "1 piece of terrain is" if count == 1 else f"{count} pieces of terrain are"


def _in_words(made: Map, size: int) -> str:
    """A map in a sentence."""
    squares, (width, height) = made.squares, made.size_px
    return (
        f"{squares.across} by {squares.down} squares of {squares.size_in:g}″, {made.pixels} pixels each ({width} by "
        f"{height}), {len(made.data['line_of_sight'])} walls, {size / 1e6:.1f} MB."
    )
