"""``tabletop report``: every shot of a scene judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from tabletop.cli.output import JsonOut, Quiet, check_target, tell, write_files
from tabletop.errors import SceneError

Dice = Annotated[str | None, typer.Option(help="Dice of the game: d5 (average dice) or d6. [default: the rules' own]")]


def report(
    scene: Annotated[Path, typer.Argument(help="A scene or an observation (JSON).")],
    rules: Annotated[
        str | None, typer.Option(help="The ruleset. [default: the scene's own, else one-hour-ww2]")
    ] = None,
    dice: Dice = None,
    table: Annotated[
        Path | None,
        typer.Option(help="The table file, whose roster tells how many bases an observed unit should have."),
    ] = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Judge every shot of a scene or an observation: range, sight, arcs, modifiers, odds and reasons."""
    from tabletop.referee import json_bytes
    from tabletop.reports import DEFAULT_RULES, report_on
    from tabletop.scene import scene_from_json
    from tabletop.tablefile import load_table

    target = check_target(json_out)
    roster = load_table(table) if table else None
    counts = {unit.id: unit.bases for unit in roster.units} if roster else None
    position = scene_from_json(read_json(scene), roster=counts)
    chosen = rules or position.rules or (roster.rules if roster else None) or DEFAULT_RULES
    result = report_on(position, chosen, dice)
    if target:
        write_files({target: json_bytes(result)})
    if json_out == "-":
        typer.echo(json_bytes(result), nl=False)
    tell(shots_in_words(result), json_target=json_out, quiet=quiet)


def read_json(path: Path) -> Any:
    """The JSON of a file; raises SceneError where it is none."""
    if path.is_dir():
        raise SceneError(f"{path} is a folder: name a scene or an observation in it.")
    if not path.is_file():
        raise SceneError(f"There is no file {path}: name a scene or an observation (JSON).")
    try:
        return json.loads(path.read_bytes(), object_pairs_hook=_once_each)
    except json.JSONDecodeError as error:
        raise SceneError(
            f"{path.name}, line {error.lineno}: this is not valid JSON ({error.msg}, column {error.colno})."
        ) from error
    except UnicodeDecodeError as error:
        raise SceneError(f"{path.name} is not JSON: it is not even text.") from error
    except RecursionError as error:
        raise SceneError(f"{path.name} nests lists too deeply to be a scene.") from error


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    from tabletop._fields import doubled

    twice = doubled(pairs)
    if twice is not None:
        raise SceneError(f'"{twice}" stands twice in the same braces of the file; keep one of the two.')
    return dict(pairs)


def shots_in_words(report: dict[str, Any]) -> str:
    """A report as text, what is too close to call first, one line for each shot that may be fired."""
    groups = (("too-close", "Too close to call"), ("yes", "May fire"))
    lines = []
    for verdict, heading in groups:
        shots = [shot for shot in report["shots"] if shot["verdict"] == verdict]
        if shots:
            lines.append(f"{heading}:")
            lines += [f"  {_shot_line(shot)}" for shot in shots]
    lines.append(counted(report))
    for entry in report.get("formation", []):
        lines += [f"{entry['unit']}: {fault}" for fault in entry["faults"]]
    return "\n".join(lines)


def counted(report: dict[str, Any]) -> str:
    """How the shots of a report were judged, in a line."""
    verdicts = [shot["verdict"] for shot in report["shots"]]
    yes, close, no = (verdicts.count(word) for word in ("yes", "too-close", "no"))
    return f"{len(verdicts)} shots judged: {yes} yes, {close} too close to call, {no} no."


def _shot_line(shot: dict[str, Any]) -> str:
    reach, hits = shot.get("range") or {}, shot.get("expected_hits")
    line = f"{shot['firer']} at {shot['target']}"
    if reach.get("value") is not None:
        line += f', {reach["value"]:.2f}"'
        line += f" ± {1.96 * reach['sigma']:.2f}" if reach.get("sigma") else ""
        line += f" ({reach['band']})" if reach.get("band") else ""
    return line + (f": {hits:.1f} hits expected" if hits is not None else "")
