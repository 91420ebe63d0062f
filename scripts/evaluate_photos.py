"""How well photos are read, against exact truth: ``python scripts/evaluate_photos.py PHOTOS``."""

from __future__ import annotations

import glob
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from calibration import Camera
from calibration.boards import Board
from calibration.charuco import BoardPicture
from calibration.charuco import calibrate as solve
from evaluation.bars import bars
from evaluation.cases import Case, find_cases
from evaluation.data import evaluation_json
from evaluation.figures import figures
from evaluation.light import Light
from evaluation.markdown import document
from evaluation.pictures import picture_names, worst_pictures
from evaluation.results import PhotoResult, Run
from evaluation.results import evaluate as run_all
from evaluation.worst import SORTS, Worst, worst_errors
from tabletop.cli.app import refusals, sentence
from tabletop.cli.exits import UNUSABLE
from tabletop.cli.output import JsonOut, Quiet, Step, check_target, progress, tell
from tabletop.errors import UsageError
from tabletop.files import check_folder, json_bytes, write_files, write_folder
from tabletop.referee.judging import load_camera, open_photo

LONGEST_S = 600
"""Seconds after which a photo counts as refused."""


def evaluate(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER_OR_PHOTO", help="Photos, or a folder of them: NAME.jpg, NAME.table.toml, NAME.json (truth)."
        ),
    ],
    camera: Annotated[
        Path | None, typer.Option(help="The camera's calibration, made by `tabletop calibrate`, for all photos.")
    ] = None,
    calibration: Annotated[
        str | None,
        typer.Option(help="Board pictures of one phone, a pattern such as 'calib-*.jpg' beside the first photo."),
    ] = None,
    board: Annotated[str | None, typer.Option(help="The board of these, as for `tabletop calibrate`.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the tables as Markdown into this file.")] = None,
    worst: Annotated[Path | None, typer.Option(help="Write pictures of the worst cases into this folder.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Photos observed at a time; more than one spoils the times.")] = 1,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Score photos against their exact truth: what is found, how exactly, how honestly, and the worst cases."""
    targets = check_target(out), check_target(json_out)
    if (calibration is None) != (board is None):
        raise UsageError("A calibration needs both --calibration (the pictures) and --board (what is on them).")
    if camera is not None and calibration is not None:
        raise UsageError("Either --camera or --calibration with --board, not both.")

    cases = find_cases(photos)
    load_camera(camera)
    if worst is not None:
        check_folder(worst)
    with progress(quiet) as step:
        results = run_all(cases, observed_with(camera), jobs=jobs, progress=step)
        sections = [_first_section(results, camera)]
        if calibration is not None and board is not None:
            sections.append(_with_calibration(results, cases[0].photo.parent, calibration, board, jobs, step))
        step("looking for the worst cases")
        errors = worst_errors(results)
        links = [] if worst is None else _links(worst, out, picture_names(errors))
        text = document(sections, errors, links)
        data = json_bytes(evaluation_json(sections, errors, links))
        if worst is not None:
            _write_pictures(worst, errors)
        write_files({t: content for t, content in zip(targets, (text.encode(), data), strict=True) if t})
    if json_out == "-":
        typer.echo(data, nl=False)
    told = text if out is None else f"{in_short(sections[0])} Read {out}"
    tell(told, json_target=json_out, quiet=quiet)


def in_short(section: Section) -> str:
    """One line: photos, refusals, demands met."""

    found = figures(section[2])
    told = [bar.met for bar in bars(found, section[2]) if bar.met is not None]
    refused = f"{found.refused} of them refused" if found.refused else "none refused"
    photos = "1 photo" if found.photos == 1 else f"{found.photos} photos"
    return f"{photos}, {refused}; {sum(told)} of {len(told)} demands met."


Section = tuple[str, str, Sequence[PhotoResult]]


def _first_section(results: Sequence[PhotoResult], camera: Path | None) -> Section:
    if camera is None:
        return "Without a stored calibration", "", results
    return f"With the calibration {camera.name}", "", results


def _with_calibration(
    results: Sequence[PhotoResult], folder: Path, pattern: str, board: str, jobs: int, step: Step
) -> Section:
    """The photos of the phone that took the board pictures, once more with its calibration."""

    solved = calibrate(folder, pattern, board, step)
    same = [r.case for r in results if r.model == solved.model]
    if not same:
        raise UsageError(f"None of the photos was taken by the phone of {pattern} ({solved.model or 'not named'}).")
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "camera.json"
        solved.camera.save(file)
        again = run_all(same, observed_with(file), jobs=jobs, progress=step)
    return f"With a calibration from {pattern}", solved.note, again


@dataclass(frozen=True, eq=False)
class SolvedCamera:
    """A calibration from board pictures, the phone's model and a sentence about it."""

    camera: Camera
    model: str | None
    note: str


def calibrate(folder: Path, pattern: str, board: str, step: Step) -> SolvedCamera:
    """Calibrate from the board pictures of a folder. Raises UsageError where the pattern names none."""

    paths = sorted(map(Path, glob.glob(str(Path(glob.escape(str(folder))) / pattern))))
    if not paths:
        raise UsageError(
            f"{folder} holds no picture like {pattern}: --calibration names board pictures beside a photo."
        )
    models: list[str | None] = []

    def pictures() -> Iterator[BoardPicture]:
        for path in paths:
            step(f"looking for the board in {path.name}")
            photo = open_photo(path)
            models.append(photo.model)
            yield BoardPicture(path.name, photo.gray, photo.orientation)

    camera = solve(pictures(), Board.read(board)).camera
    sigma = np.sqrt(np.diag(camera.covariance))
    note = (
        f"{len(paths)} board pictures: f {camera.K[0, 0]:.1f} ± {sigma[0]:.1f} pixels at {camera.size[0]} x "
        f"{camera.size[1]}, centre ({camera.K[0, 2]:.1f}, {camera.K[1, 2]:.1f}), residual {camera.rms_px:.2f} pixels."
    )
    return SolvedCamera(camera, models[0], note)


def observed_with(camera: Path | None) -> Callable[[Case], Run]:
    """How to observe a photo in a separate process, with a stored calibration or without."""

    def observe(case: Case) -> Run:
        wanted = [sys.executable, "-m", "evaluation.observed_photo", case.photo, case.table, case.truth]
        if camera is not None:
            wanted.append(camera)
        here = Path(__file__).resolve().parent
        paths = os.pathsep.join(filter(None, (str(here), str(here.parent), os.environ.get("PYTHONPATH"))))
        try:
            done = subprocess.run(
                list(map(str, wanted)), capture_output=True, check=False, timeout=LONGEST_S,
                env={**os.environ, "PYTHONPATH": paths},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return _failed_run(f"The observation took longer than {LONGEST_S} s and was ended.")
        if done.returncode != 0:
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
            return _failed_run(f"The program failed (exit status {done.returncode}): {last[0]}")
        return _run(json.loads(done.stdout))

    return observe


def _failed_run(sentence: str) -> Run:

    return Run(None, sentence)


def _run(told: dict[str, Any]) -> Run:

    light = told.pop("light", None)
    return Run(**told, light=None if light is None else Light(**light))


def _links(worst: Path, out: Path | None, names: Sequence[str]) -> list[str]:
    """The pictures' paths as seen from the Markdown."""
    folder = os.path.relpath(worst.resolve(), (out.parent if out else Path()).resolve())
    return [(Path(folder) / name).as_posix() for name in names]


def _write_pictures(folder: Path, errors: Sequence[Worst]) -> None:
    """Write the pictures and delete those of earlier evaluations."""

    pictures = worst_pictures(errors)
    write_folder(folder, pictures)
    for sort in SORTS:
        for path in folder.glob(f"{sort}-[0-9]*.jpg"):
            if path.name not in pictures:
                path.unlink()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; what can't be used is one sentence on standard error and exit status 2."""
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
    app.command()(evaluate)
    try:
        app(arguments, prog_name="evaluate_photos.py")
    except refusals() as error:
        typer.echo(sentence(error), err=True)
        sys.exit(UNUSABLE)


if __name__ == "__main__":
    main()
