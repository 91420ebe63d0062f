"""``tabletop diff`` and ``tabletop see``: what changed between two photos, and what that means in a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.cli.diff_text import changes_in_words, changes_json, proposals_in_words
from tabletop.cli.game import Data, GameName
from tabletop.cli.output import JsonOut, Quiet, check_target, progress, tell, write_files
from tabletop.cli.photos import CameraFile
from tabletop.cli.rulings import Dice, read_json
from tabletop.errors import SceneError, UsageError

if TYPE_CHECKING:
    from tabletop.changes import Changes
    from tabletop.game import Game
    from tabletop.proposals import Lifted, Proposal, Seeing
    from tabletop.sightings import Marker, Sighting
    from tabletop.tablefile import TableFile

PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".heic", ".heif", ".webp", ".tif", ".tiff", ".bmp")

SightingFile = Annotated[Path, typer.Argument(help="An observation or a scene (JSON), or a photo with --table.")]
TableOption = Annotated[
    Path | None, typer.Option(help="The table file (TOML): its roster, and what photos are read with.")
]


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
    picture: Annotated[Path | None, typer.Option(help="Draw a map of what moved (SVG).")] = None,
    quiet: Quiet = False,
) -> None:
    """Tell what changed between two photos of a table: who moved how far, whether that can be, who came and went.

    Every unit is taken to have moved at most once between the two. What is not sure is said first.
    """
    from tabletop.changes import changes_between
    from tabletop.referee import json_bytes
    from tabletop.sightings import check_same_table, samples
    from tabletop.tablefile import load_table

    target, drawing = check_target(json_out), check_target(picture)
    if drawing and drawing.suffix.lower() != ".svg":
        raise UsageError(f"--picture {drawing.name}: the map is drawn as SVG, so its name ends in .svg.")
    roster = load_table(table) if table else None
    with progress(quiet) as step:
        first, second = (_look(path, table, camera, step)[0] for path in (before, after))
        check_same_table(first, second)
        judging = _judging(rules, roster, first, second)
        limits = judging.limits(_checked(dice)) if judging else None
        changes = changes_between(first, second, limits, elsewhere=samples(roster, first) if roster else ())
        rulings = judging.judge(changes, _checked(dice)) if judging else {}
    result = changes_json(changes, rulings)
    files = {target: json_bytes(result)} if target else {}
    if drawing:
        from tabletop.cli.diff_map import changes_svg

        files[drawing] = changes_svg(changes, rulings).encode()
    write_files(files)
    if json_out == "-":
        typer.echo(json_bytes(result), nl=False)
    tell(changes_in_words(changes, rulings), json_target=json_out, quiet=quiet)


def see(
    seen: SightingFile,
    table: TableOption = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Carry out what is certain and legal, and ask about the rest.")
    ] = False,
    measured: Annotated[
        bool, typer.Option("--measured", help="With --accept: you measured what was too close to call, and it holds.")
    ] = False,
    overrule: Annotated[
        bool, typer.Option("--overrule", help="With --accept: the referee lets what is seen stand all the same.")
    ] = False,
    camera: CameraFile = None,
    game: GameName = None,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Compare a photo with a game: what has happened since, what is illegal and why, and what has to be asked."""
    from tabletop.cli import game_input
    from tabletop.proposals import seeing
    from tabletop.referee import json_bytes

    target = check_target(json_out)
    if (measured or overrule) and not accept:
        raise UsageError(f"{'--measured' if measured else '--overrule'} belongs to --accept.")
    with progress(quiet) as step:
        sighting, shown, observed = _look(seen, table, camera, step)
    with game_input.opened(data, game) as found:
        trial = found.game.trial()
        judging, start, before = seeing(trial.ruleset.name), trial.seq, trial.state
        laid = _markers_before(trial, observed)
        lifted: Sequence[Lifted] = ()
        if accept:
            lifted = accept_certain(trial, judging, sighting, shown, laid, measured=measured, overrule=overrule)
            if trial.seq > start and observed is not None:
                trial.saw(observed, photo=shown)
        records = trial.records[start:]
        if records:
            found.store.append(found.name, records)
    changes, proposals = _proposed(trial, judging, sighting, laid)
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
    if target:
        write_files({target: json_bytes(result)})
    if json_out == "-":
        typer.echo(json_bytes(result), nl=False)
    told = proposals_in_words(trial, before, records, changes, proposals, lifted)
    tell(told, json_target=json_out, quiet=quiet)


def accept_certain(
    game: Game,
    judging: Seeing,
    seen: Sighting,
    photo: str,
    laid: Sequence[Marker] | None = None,
    *,
    measured: bool = False,
    overrule: bool = False,
) -> tuple[Lifted, ...]:
    """Carry out, one after another, everything that a sighting makes certain and the rules (or the referee) allow.

    Only objections that were there from the start are lifted: one that comes up on the way leaves its action undone, to
    be shown first. ``laid`` are the markers of the photo before. Returns all that was lifted. Of a photo that is out of
    step with the game nothing is carried out, unless the referee overrules.
    """
    done: set[str] = set()
    lifted: list[Lifted] = []
    known: set[tuple[str | None, str]] | None = None
    while True:
        changes, proposals = _proposed(game, judging, seen, laid)
        if not (changes.sync.in_step or overrule):
            return tuple(lifted)
        if known is None:
            known = {(p.unit, str(v)) for p in proposals for v in p.violations}
        ready = [
            p
            for p in proposals
            if p.words not in done
            and p.certain_enough(measured=measured, overrule=overrule)
            and all((p.unit, str(v)) in known for v in p.violations)
        ]
        if not ready:
            return tuple(lifted)
        first = ready[0]
        records = game.push(
            first.action,
            photo=photo,
            measured=measured or bool(first.settled),
            overrule=overrule and bool(first.violations),
        )
        done.add(first.words)
        lifted += _lifted(first, records[0].seq, measured=measured)


def _lifted(proposal: Proposal, seq: int, *, measured: bool) -> Iterator[Lifted]:
    from tabletop.proposals import Lifted

    for violation in proposal.violations:
        yield Lifted(seq, "players" if measured and violation.answer == "too-close" else "referee", violation)
    for violation in proposal.settled:
        yield Lifted(seq, "photo", violation)


def _proposed(
    game: Game, judging: Seeing, seen: Sighting, laid: Sequence[Marker] | None
) -> tuple[Changes, Sequence[Proposal]]:
    from tabletop.changes import changes_between

    state = game.state
    limits = judging.limits(state.setup.dice)
    known = replace(judging.sighting(state), markers=None if laid is None else tuple(laid))
    changes = changes_between(known, seen, limits, elsewhere=judging.elsewhere(state))
    return changes, judging.propose(state, changes)


def _markers_before(game: Game, observed: dict[str, Any] | None) -> tuple[Marker, ...] | None:
    """The markers of the photo that the game kept last, before this one; ``None`` where it kept none.

    A photo that is looked at again is compared as it was the first time, unless the game began with it.
    """
    from tabletop.game.records import SEEN
    from tabletop.sightings import markers_from_json

    kept = [record for record in game.records if record.kind == SEEN]
    others = [record for record in kept if record.body["observation"] != observed]
    began_with = [record for record in kept[:1] if not any(r.action for r in game.records[: record.seq - 1])]
    last = (others or began_with)[-1:]
    markers = last[0].body["observation"].get("markers") if last else None
    return None if markers is None else markers_from_json(markers, "the photo before")


# --- what is compared ------------------------------------------------------------------------------------------------


def _look(
    path: Path, table: Path | None, camera: Path | None, step: Callable[[str], None]
) -> tuple[Sighting, str, dict[str, Any] | None]:
    """A sighting from a JSON file or a photo, the photo's SHA-256 (empty for a file), and the observation."""
    import hashlib

    from tabletop.sightings import sighting_from_json

    if path.suffix.lower() not in PHOTO_SUFFIXES:
        if path.suffix.lower() == ".toml":
            raise SceneError(
                f"{path.name} is a table file: give it as --table, and two observations or photos besides."
            )
        data = read_json(path)
        observed = data if isinstance(data, dict) and "bases" in data else None
        return sighting_from_json(data, path.name), "", observed
    if table is None:
        raise UsageError(f"{path.name} is a photo, which is read with its table file: add --table my.table.toml.")
    from tabletop import referee as work

    photo, options = work.open_photo(path), work.PhotoOptions(camera)
    observed = work.observe(photo, work.load_for_photo(table), options, progress=step).to_json()
    return sighting_from_json(observed, path.name), hashlib.sha256(path.read_bytes()).hexdigest(), observed


def _judging(rules: str | None, roster: TableFile | None, *sightings: Sighting) -> Seeing | None:
    """The ruleset that judges; ``None`` where nobody named one and none fits what stands there."""
    from tabletop.proposals import KNOWN, seeing
    from tabletop.reports import DEFAULT_RULES, kinds

    named = next((s.rules for s in sightings if s.rules), None) or (roster.rules if roster else None)
    if rules is not None:
        return seeing(rules)
    if named is not None:
        return seeing(named) if named in KNOWN else None
    there = {p.kind for s in sightings for p in s.pieces if p.kind}
    return seeing(DEFAULT_RULES) if there <= set(kinds(DEFAULT_RULES)) else None


def _checked(dice: str | None) -> str | None:
    from tabletop.reports import DEFAULT_RULES, checked_dice

    return None if dice is None else checked_dice(DEFAULT_RULES, dice)
