"""``tabletop doctor``: check a table file, the printed sheets and the camera."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tabletop.cli.exits import REFUSED
from tabletop.cli.output import Quiet, progress, tell
from tabletop.cli.photos import CameraFile, Table


def doctor(
    table: Table,
    photo: Annotated[Path | None, typer.Argument(metavar="[PHOTO]", help="A photo of the table.")] = None,
    camera: CameraFile = None,
    quiet: Quiet = False,
) -> None:
    """Check a table file and, on a photo of the table, the printed sheets and the camera; exits with 1 if something
    needs fixing."""
    from tabletop.equipment.checkup import check_photo, check_table
    from tabletop.referee.judging import load_for_photo, open_photo

    roster = load_for_photo(table)
    findings = list(check_table(roster))
    if photo is not None:
        with progress(quiet) as step:
            step("looking at the photo")
            findings += check_photo(open_photo(photo), roster, camera)
    lines = []
    for finding in findings:
        lines.append(f"{'!' if finding.advice else '-'} {finding.what}")
        if finding.advice:
            lines.append(f"  {finding.advice}")
    mend = sum(bool(finding.advice) for finding in findings)
    lines.append("All is well." if not mend else f"{mend} to mend." if mend > 1 else "One thing to mend.")
    tell("\n".join(lines), json_target=None, quiet=quiet)
    if mend:
        raise typer.Exit(REFUSED)
