"""``tabletop report``: every shot of a scene judged, or a board game's position."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.cli.output import JsonOut, Quiet, Unit, check_target, give, tell
from tabletop.errors import SceneError
from tabletop.files import PHOTO_SUFFIXES

if TYPE_CHECKING:
    from tabletop.referee.report_rows import FireRow, LineOfFireRow, PayoffRow, PositionReport, Report, ShotRow

Dice = Annotated[str | None, typer.Option(help="Dice of the game: d5 (average dice) or d6. [default: the rules' own]")]


def report(
    scene: Annotated[
        Path, typer.Argument(help="A scene, an observation, or a board game's position (JSON).", metavar="FILE")
    ],
    rules: Annotated[str | None, typer.Option(help="The ruleset. [default: the file's own, else one-hour-ww2]")] = None,
    dice: Dice = None,
    table: Annotated[
        Path | None,
        typer.Option(help="The table file, with the number of bases of each unit."),
    ] = None,
    unit: Unit = "in",
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Judge every shot of a scene, an observation or a position: range, sight, modifiers, odds and reasons."""
    from tabletop.referee.reports import report_on_file
    from tabletop.tables.tablefile import load_table

    target = check_target(json_out)
    roster = load_table(table) if table else None
    result = report_on_file(read_json(scene), rules, dice, roster)
    give(result, json_out, target)
    tell(in_words(result), json_target=json_out, quiet=quiet, unit=unit)


def in_words(result: Report | PositionReport) -> str:
    """A report as text, for a scene or a position."""
    return shots_in_words(result) if "shots" in result else position_in_words(result)


def read_json(path: Path) -> Any:
    """The JSON of a file, or of standard input for ``-``; raises SceneError for anything else."""
    if path.is_dir():
        raise SceneError(f"{path} is a folder: name a scene or an observation in it.")
    piped = str(path) == "-"
    if not (piped or path.is_file()):
        raise SceneError(f"There is no file {path}: name a scene or an observation (JSON).")
    return json_of(sys.stdin.buffer.read() if piped else path.read_bytes(), path)


def json_of(source: bytes, path: Path) -> Any:
    """The JSON of a file's bytes; raises SceneError for other data, or an observation with broken lists."""
    from tabletop.identity.question import check_lists
    from tabletop.reading.json_fields import parse_json

    name = "standard input" if str(path) == "-" else path.name
    if path.suffix.casefold() in PHOTO_SUFFIXES:
        raise SceneError(
            f"{name} is a photo: `tabletop observe` makes an observation (JSON) of it, which is read here."
        )
    if path.suffix.casefold() == ".toml":
        raise SceneError(f"{name} is a table file: name a scene or an observation (JSON) here.")
    if not source.strip():
        raise SceneError(f"{name} is empty: a scene or an observation (JSON) belongs there.")
    data = parse_json(source, name)
    if isinstance(data, dict) and "bases" in data:
        check_lists(data)
    return data


def shots_in_words(report: Report) -> str:
    """A report as text, shots too close to call first, one line for each possible shot."""
    groups = (("too-close", "Too close to call"), ("yes", "May fire"))
    lines = []
    for verdict, heading in groups:
        shots = [shot for shot in report["shots"] if shot["verdict"] == verdict]
        if shots:
            lines.append(f"{heading}:")
            lines += [f"  {_shot_line(shot)}" for shot in shots]
    lines.append(verdict_counts(report))
    for entry in report.get("formation", []):
        lines += [f"{entry['unit']}: {fault}" for fault in entry["faults"]]
    return "\n".join(lines)


def position_in_words(report: PositionReport) -> str:
    """A report on a position as text: lines of fire, effects of fire, best first, and the defenders' payoffs."""
    sections = [
        _section(f"Lines of fire ({len(report['lines'])}):", map(_line_row, report["lines"])),
        _section("Fire, each platoon alone, best odds first:", map(_fire_row, sorted(report["fire"], key=_by_odds))),
        _section(
            "Defenders' payoffs, as if real and fresh:", map(_payoff_row, sorted(report["payoffs"], key=_by_payoff))
        ),
    ]
    return "\n\n".join(section for section in sections if section) or "No unit is within range of another."


def _section(heading: str, rows: Iterable[str]) -> str:
    lines = [f"  {row}" for row in rows]
    return "\n".join([heading, *lines]) if lines else ""


def _line_row(line: LineOfFireRow) -> str:
    own = "" if line["own_fire"] == line["terrain"] else f"; for own fire {line['own_fire']}"
    return f"{line['from']} to {line['to']}, range {line['range']}: {line['terrain']}{own}"


def _by_odds(row: FireRow) -> tuple[float, float]:
    return -row["broken"], -row["spent"]


def _by_payoff(row: PayoffRow) -> int:
    return -row["payoff"]


def _fire_row(row: FireRow) -> str:
    guns = f", guns broken {row['guns_broken']:.0%}" if row.get("guns_broken") else ""
    odds = f"spent {row['spent']:.0%}, broken {row['broken']:.0%}{guns}".replace("%", " %")
    return f"{row['platoon']} on {row['target']} ({row['modifier']:+d}): {odds}"


def _payoff_row(row: PayoffRow) -> str:
    return f"{row['enemy']} on {' + '.join(row['hexes'])}: {row['payoff']}"


def verdict_counts(report: Report) -> str:
    """The counts of a report's verdicts, in a line."""
    verdicts = [shot["verdict"] for shot in report["shots"]]
    yes, close, no = (verdicts.count(word) for word in ("yes", "too-close", "no"))
    return f"{len(verdicts)} shots judged: {yes} yes, {close} too close to call, {no} no."


def _shot_line(shot: ShotRow) -> str:
    reach, hits = shot.get("range") or {}, shot.get("expected_hits")
    line = f"{shot['firer']} at {shot['target']}"
    if reach.get("value") is not None:
        line += f", {reach['value']:.2f}″"
        line += f" ± {1.96 * reach['sigma']:.2f}" if reach.get("sigma") else ""
        line += f" ({reach['band']})" if reach.get("band") else ""
    return line + (f": {hits:.1f} hits expected" if hits is not None else "")
