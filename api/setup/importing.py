"""Maps and rosters of other programs, read in a process that is bounded and may die without harm."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from api.errors import BusyError, UnusableError
from api.processes.sandbox import Bounds, EndedError, RefusalError, Sandbox
from api.schemas.importing import ImportOut, ImportWish
from tabletop.errors import TabletopError

BOUNDS = Bounds(memory_bytes=1_500_000_000, cpu_s=20, wall_s=40.0, at_once=2)


def make_importer() -> Sandbox:
    """What reads such files; any thread may call."""
    return Sandbox(import_job, BOUNDS)


def import_job(content: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What the process does: the table file's text and notes; raises RefusalError with what can't be used."""
    from tabletop.imports.together import Wishes, import_files

    try:
        wishes = Wishes(asked["grid_in"], bases=(asked["base"],) if asked["base"] else ())
        made = import_files({asked["name"]: content}, wishes)
    except TabletopError as error:
        raise RefusalError(error.problem) from error
    return {"toml": made.toml, "notes": list(made.notes)}


def import_wish(importer: Sandbox, wish: ImportWish) -> ImportOut:
    """The table file of what was brought; raises UnusableError with the sentence that says why not, BusyError."""
    name = PurePath(wish.name.replace("\\", "/")).name
    try:
        found = importer.look(wish.content, {"name": name, "base": wish.base.strip(), "grid_in": wish.grid_in})
    except RefusalError as error:
        raise UnusableError(str(error)) from error
    except EndedError as error:
        if error.why == "busy":
            raise BusyError("Other files are being read just now: bring yours again in a moment.") from error
        raise UnusableError(f"{name} takes too long or too much room to read: export a smaller one.") from error
    return ImportOut(table_name=f"{PurePath(name).stem}.table.toml", table_file=found["toml"], notes=found["notes"])
