"""What the last photo of a table teaches once its players have settled it: only what is certain is told as certain."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

from api.tables.state import TableState
from tabletop.identity.observation_rows import Observation, TerrainRow
from tabletop.tables.model import TableFile

_UNSURE = 0.5


@dataclass(frozen=True)
class SettledPhoto:
    """A photo (``sha256``) of a ``table`` whose ``observation`` has all that players said of it."""

    sha256: str
    table: TableFile
    observation: Observation

    @cached_property
    def said(self) -> str:
        """A hash of what it says: the same as long as there is nothing else to be learnt from it."""
        told = {key: self.observation.get(key) for key in ("photos", "bases", "terrain", "dice")}
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def settled_photo(state: TableState, file: TableFile) -> SettledPhoto | None:
    """What the photo of a table, begun with a table file, teaches; ``None`` where there is none, where it leaves a
    question open, and where no camera is known of it.

    Terrain counts as certain where players confirmed or drew it at this table. The file's own pieces do not as long as
    nobody changed them, since nobody has said that they lie just so, nor does any on a board, whose terrain is that of
    its cells.
    """
    if state.photo is None or state.read.get("questions"):
        return None
    seen = state.observation()
    if len(seen.get("photos", ())) != 1:
        return None
    changed = {piece.id for piece in state.table.terrain if piece not in file.terrain}
    unsaid = {piece.id for piece in file.terrain} - changed
    on_board = state.table.overlay is not None
    terrain = [_unsure(row) if on_board or row["id"] in unsaid else row for row in seen["terrain"]]
    told = cast(Observation, {**seen, "terrain": terrain})
    return SettledPhoto(state.photo["sha256"], replace(state.table, terrain=()), told)


def _unsure(row: TerrainRow) -> TerrainRow:
    """The same piece, told as one that nobody has confirmed."""
    told = {key: value for key, value in row.items() if key != "evidence"}
    return cast(TerrainRow, {**told, "confidence": min(row["confidence"], _UNSURE)})
