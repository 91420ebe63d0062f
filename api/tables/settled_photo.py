"""What the last photo of a table teaches once its players have settled it: only certain facts are marked as certain."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

from api.tables.state import TableState, terrain_piece
from tabletop.identity.observation_rows import Observation, TerrainRow
from tabletop.tables.folded_lists import unfolded
from tabletop.tables.model import TableFile

_UNSURE = 0.5


@dataclass(frozen=True)
class SettledPhoto:
    """A photo (``sha256``) of a ``table`` and its ``observation`` with all of the players' answers."""

    sha256: str
    table: TableFile
    observation: Observation

    @cached_property
    def said(self) -> str:
        """A hash of its contents: unchanged as long as it can teach nothing new."""
        told = {key: self.observation.get(key) for key in ("photos", "bases", "terrain", "dice")}
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def settled_photo(state: TableState, before: TableState) -> SettledPhoto | None:
    """What the last photo of a table teaches; ``None`` where there is none, where it leaves a question open, and where
    no camera is known of it.

    Terrain counts as certain where players answered what it is in this photo, or drew it on the map since the photo
    before: ``before`` is the table as it was then. What a table file or an earlier photo says may have been moved
    since, and objects on a board have the shape of its cells.
    """
    if state.photo is None or state.read.get("questions"):
        return None
    seen = unfolded(state.observation())
    if len(seen.get("photos", ())) != 1:
        return None
    settled = state.read.get("settled", ())
    said = {row["about"] for row in settled if row.get("ask") == "kind" and row.get("by") == "player"}
    if state is not before:
        said |= {piece.id for piece in state.table.terrain if piece not in before.table.terrain}
        known = before.table.terrain
        drawn = [row for name, row in state.drawn.items() if row is not None and row != before.drawn.get(name)]
        # one drawn on a photo is not exact, and one of the table file was not drawn
        said |= {row["id"] for row in drawn if not row["sigma"] and terrain_piece(row) not in known}
    if state.table.overlay is not None:
        said = set()
    terrain = [row if row["id"] in said else _unsure(row) for row in seen["terrain"]]
    told = cast(Observation, {**seen, "terrain": terrain})
    return SettledPhoto(state.photo["sha256"], replace(state.table, terrain=()), told)


def _unsure(row: TerrainRow) -> TerrainRow:
    """The same piece, marked as not confirmed."""
    told = {key: value for key, value in row.items() if key != "evidence"}
    return cast(TerrainRow, {**told, "confidence": min(row["confidence"], _UNSURE)})
