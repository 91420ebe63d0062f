"""Maps and rosters of other programs, read by the processes that do heavy work."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from pathlib import PurePath

from api.processes.work_queue import WorkQueue
from api.schemas.importing import ImportOut, ImportWish
from api.services.heavy_work import need
from tabletop.errors import UsageError


def import_wish(work: WorkQueue, wish: ImportWish) -> ImportOut:
    """The table file of an import; raises as :func:`write_import`, and as :func:`need` in a heavy route."""
    name = PurePath(wish.name.replace("\\", "/")).name
    key = ("import", hashlib.sha256(wish.content.encode()).hexdigest(), name, wish.base, wish.grid_in)
    found = json.loads(need(work, key, write_import, wish.content, name, wish.base.strip(), wish.grid_in))
    return ImportOut(table_name=f"{PurePath(name).stem}.table.toml", table_file=found["toml"], notes=found["notes"])


def write_import(content: str, name: str, base: str, grid_in: float | None) -> bytes:
    """The table file's text and notes as JSON; raises TabletopError for unusable content."""
    from tabletop.imports.together import Wishes, import_files

    try:
        data = base64.b64decode(content, validate=True)
    except binascii.Error as error:
        raise UsageError(f"{name} arrived damaged: send it again.") from error
    made = import_files({name: data}, Wishes(grid_in, bases=(base,) if base else ()))
    return json.dumps({"toml": made.toml, "notes": list(made.notes)}).encode()
