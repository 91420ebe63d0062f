"""``tabletop diff`` and ``tabletop see``: changes between two photos, and their meaning in a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.cli.diff_text import changes_in_words, changes_json, proposals_in_words
from tabletop.cli.game import As, Data, GameName
from tabletop.cli.output import JsonOut, Quiet, Unit, check_file, check_target, give, progress, tell
from tabletop.cli.overlay_source import is_photo
from tabletop.cli.photos import (
    CameraFile,
    Corners,
    KnownThings,
    References,
    Size,
    TableOrSize,
    named_corners,
    table_given,
)
from tabletop.cli.rulings import Dice, read_json
from tabletop.errors import SceneError, UsageError
from tabletop.tables.folded_lists import unfolded
from tabletop.words import count

if TYPE_CHECKING:
    from calibration.named_corners import NamedCorners
    from tabletop.changes.proposals import Seeing
    from tabletop.identity.table_snapshot import Sighting
    from tabletop.reconcile.comparison import PhotoComparison
    from tabletop.tables.model import TableFile

SightingFile = Annotated[Path, typer.Argument(help="An observation or a scene (JSON), or a photo with --table.")]
TableOption = Annotated[Path | None, typer.Option(help="The table file (TOML): its roster, also for reading photos.")]


def diff(
    before: Annotated[Path, typer.Argument(metavar="OBS1", help="The earlier observation (JSON), or photo.")],
    after: Annotated[Path, typer.Argument(metavar="OBS2", help="The later observation (JSON), or photo.")],
    table: TableOption = None,
    rules: Annotated[
        str | None,
        typer.Option(
            help="The ruleset that judges moves. [default: the observations' or the table's, else one-hour-ww2]"
        ),
    ] = None,
    dice: Dice = None,
    camera: CameraFile = None,
    json_out: JsonOut = None,
    picture: Annotated[Path | None, typer.Option(help="Draw a map of the moves (SVG).")] = None,
    quiet: Quiet = False,
) -> None:
    """Show the changes between two photos of a table: who moved how far, whether that is possible, who came and went.

    Every unit is assumed to have moved at most once between the two. Uncertain changes come first.
    """
    from tabletop.changes.detection import changes_between
    from tabletop.identity.table_snapshot import check_same_table, samples
    from tabletop.tables.tablefile import load_table

    target, drawing = check_target(json_out), check_file(picture)
    if drawing and drawing.suffix.lower() != ".svg":
        raise UsageError(f"--picture {drawing.name}: the map is drawn as SVG, so its name ends in .svg.")
    roster = load_table(table) if table else None
    with progress(quiet) as step:
        first = _look(before, roster, camera, step)
        second = _look(after, roster, camera, step, first)
        check_same_table(first, second)
        judging = _judging_rules(rules, roster, first, second)
        limits = judging.limits(_check_dice(dice)) if judging else None
        changes = changes_between(first, second, limits, elsewhere=samples(roster, first) if roster else ())
        rulings = judging.judge(changes, _check_dice(dice)) if judging else {}
    result = changes_json(changes, rulings)
    files = {}
    if drawing:
        from tabletop.cli.diff_map import changes_svg

        files[drawing] = changes_svg(changes, rulings).encode()
    give(result, json_out, target, files)
    tell(changes_in_words(changes, rulings), json_target=json_out, quiet=quiet)


def see(
    seen: SightingFile,
    table: TableOrSize = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Carry out certain and legal changes, and ask about the rest.")
    ] = False,
    measured: Annotated[
        bool, typer.Option("--measured", help="With --accept: you measured close calls, and they are legal.")
    ] = False,
    overrule: Annotated[
        bool, typer.Option("--overrule", help="With --accept: the referee overrules the rules.")
    ] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Use the photo although it seems to show a different table.")
    ] = False,
    camera: CameraFile = None,
    corners: Corners = None,
    size: Size = None,
    collection: KnownThings = None,
    references: References = None,
    unit: Unit = "in",
    as_: As = None,
    game: GameName = None,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Compare a photo with a game: events since then, illegal ones with reasons, and open questions."""
    from tabletop.cli import game_input
    from tabletop.cli.game_view import CommandView
    from tabletop.reconcile.comparison import Accepted, board_on, compare, look
    from tabletop.reconcile.comparison import accept as carry_out
    from tabletop.reconcile.drawn_terrain import table_for_photo

    target = check_target(json_out)
    if (measured or overrule) and not accept:
        raise UsageError(f"{'--measured' if measured else '--overrule'} belongs to --accept.")
    named = named_corners(corners, size)
    if named is not None and not is_photo(seen):
        raise UsageError(f"--corners are those of a photo, and {seen.name} is another file: leave them out.")
    roster = None if table is None else table_given(table, named)
    if (named is not None or references is not None) and roster is None:
        with game_input.open_game(data, game) as found:
            roster = table_for_photo(found.game)
    with progress(quiet) as step:
        data_seen, shown = _read(seen, roster, camera, step, collection, named, references)
    with game_input.open_game(data, game) as found:
        trial = found.game.trial()
        board, viewer = board_on(trial, None if roster is None else roster.overlay), CommandView.of(trial, as_).side
        before = trial.state
        looked = look(trial, data_seen, name=seen.name, photo=shown, board=board, viewer=viewer, same_table=anyway)
        done = carry_out(trial, looked, measured=measured, overrule=overrule) if accept else Accepted()
        if done.records:
            found.store.append(found.name, done.records)
    looked = compare(trial, looked.sight, looked.observed, photo=shown, ways=looked.ways)
    records, lifted, changes, proposals = done.records, done.lifted, looked.found, looked.proposals
    result = {
        "version": 1,
        "game": found.name,
        "done": [
            {
                "seq": r.seq,
                "kind": r.kind,
                "action": r.action,
                "lifted": [one.to_json() for one in lifted if one.seq == r.seq],
            }
            for r in records
        ],
        "proposals": [proposal.to_json() for proposal in proposals],
        **{key: value for key, value in changes.to_json().items() if key not in ("version", "units")},
    }
    give(result, json_out, target)
    told = (
        f"{changes.sync.says} --anyway uses it."
        if looked.seems_another_table
        else proposals_in_words(trial, before, records, changes, proposals, lifted)
    )
    placed = [] if named is None else data_seen["warnings"]
    more = _asked_in_words(data_seen, looked, seen)
    tell("\n".join([*placed, told, *more]), json_target=json_out, quiet=quiet, unit=unit)


def _asked_in_words(data: Any, looked: PhotoComparison, seen: Path) -> list[str]:
    """The number of a photo's own questions that a comparison leaves open, and the command that lists them."""
    own = {question["id"] for question in unfolded(data).get("questions", ())}
    n = sum(question["id"] in own for question in (*looked.questions, *looked.further))
    write, file = ("`tabletop observe --json FILE` and ", "FILE") if is_photo(seen) else ("", seen)
    lists = f"{write}`tabletop settle {file} --all` list{'' if write else 's'} {'it' if n == 1 else 'them'}"
    return [f"{count(n, 'question')} of the photo {'is' if n == 1 else 'are'} open: {lists}."] if n else []


# --- inputs ----------------------------------------------------------------------------------------------------------


def _look(
    path: Path,
    roster: TableFile | None,
    camera: Path | None,
    step: Callable[[str], None],
    known: Sighting | None = None,
) -> Sighting:
    """A sighting from a JSON file or a photo; if it leaves open which edge of the table is the near one, it is turned
    to match the ``known`` units from before."""
    from tabletop.identity.table_snapshot import sighting_from_json
    from tabletop.reconcile.way_round import turned_by_units

    data = _read(path, roster, camera, step)[0]
    asks = known is not None and isinstance(data, dict) and "bases" in data
    return sighting_from_json(turned_by_units(data, known) if known is not None and asks else data, path.name)


def _read(
    path: Path,
    roster: TableFile | None,
    camera: Path | None,
    step: Callable[[str], None],
    collection: Path | None = None,
    named: NamedCorners | None = None,
    references: Path | None = None,
) -> tuple[Any, str]:
    """The contents of a JSON file or a photo, and the photo's SHA-256 (empty for a file)."""
    if not is_photo(path):
        if path.suffix.lower() == ".toml":
            raise SceneError(
                f"{path.name} is a table file: give it as --table, and two observations or photos besides."
            )
        return read_json(path), ""
    if roster is None:
        raise UsageError(f"{path.name} is a photo, which is read with its table file: add --table my.table.toml.")
    from tabletop.referee import judging as work

    work.check_for_photo(roster)
    options = work.PhotoOptions(camera, named, collection=collection, references=references)
    observed = work.observe_photos([path], roster, options, progress=step)
    work.keep_photo(observed, roster, options)
    return observed.observation.to_json(), observed.photo.sha256


def _judging_rules(rules: str | None, roster: TableFile | None, *sightings: Sighting) -> Seeing | None:
    """The ruleset that judges; ``None`` if none was named and none fits the units."""
    from tabletop.changes.proposals import KNOWN, seeing_of
    from tabletop.game.parts import DEFAULT_RULES
    from tabletop.referee.reports import kinds

    named = next((s.rules for s in sightings if s.rules), None) or (roster.rules if roster else None)
    if rules is not None:
        return seeing_of(rules)
    if named is not None:
        return seeing_of(named) if named in KNOWN else None
    there = {p.kind for s in sightings for p in s.pieces if p.kind}
    return seeing_of(DEFAULT_RULES) if there <= set(kinds(DEFAULT_RULES)) else None


def _check_dice(dice: str | None) -> str | None:
    from tabletop.game.parts import DEFAULT_RULES
    from tabletop.referee.reports import dice_to_use

    return None if dice is None else dice_to_use(DEFAULT_RULES, dice)
