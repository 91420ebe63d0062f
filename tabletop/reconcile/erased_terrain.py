"""Terrain in a photo that players erased, or drew themselves: the photo neither proposes it nor asks about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import shapely

from tabletop.changes.terrain import is_rival
from tabletop.game.core import Game
from tabletop.identity.observation_rows import Observation, TerrainRow
from tabletop.identity.question import ids_asked
from tabletop.reconcile.ground_before import terrain_row
from tabletop.tables.folded_lists import FOLDED, unfolded
from tabletop.tables.model import SeenTerrain

_ERASED = "terrain-erased"  # the event of every ruleset on an open table
_SAME_SHARE = 0.5
"""Two outlines of a kind with at least this share of their common area in both are one piece; with less it has changed.
A piece of a photo counts as drawn if a drawn one covers this share of it."""
Piece = tuple[str, shapely.Geometry]


def erased_terrain(game: Game) -> tuple[Piece, ...]:
    """The kinds and outlines of the terrain that was erased in a game and not added again since."""
    if all(record.kind != _ERASED for record in game.records):
        return ()
    found = [
        (piece.kind, _area(piece.polygon))
        for record, before, _, taken_back in game.history()
        if record.kind == _ERASED and not taken_back
        for piece in before.scene.terrain
        if piece.id == record.body["terrain"]
    ]
    known = [(piece.kind, _area(piece.polygon)) for piece in game.state.scene.terrain]
    return tuple(piece for piece in found if not _is_among(piece, known))


def without_erased(observed: Observation, erased: Sequence[Piece]) -> Observation:
    """An observation without the terrain that was erased, and without the questions about it."""
    rows = unfolded(observed).get("terrain", ())
    gone = {row["id"] for row in rows if erased and _is_among(_piece(row), erased)}
    return _without(observed, gone)


def with_drawn(observed: Observation, drawn: Sequence[SeenTerrain]) -> Observation:
    """An observation with terrain that players have ``drawn`` instead of the photo's version, and without the
    questions about that: a player knows better than a reading. A piece that may be on a drawn one, as woods on a hill,
    stays, and so does how much of a drawn piece the photo shows."""
    if not drawn:
        return observed
    pieces = [(one.piece.kind, _area(one.piece.polygon)) for one in drawn]

    def is_drawn(row: TerrainRow) -> bool:
        same = [outline for kind, outline in pieces if is_rival(kind, row["kind"])]
        area = _area(row["polygon"])
        return bool(area.intersection(shapely.union_all(same)).area >= _SAME_SHARE * area.area)

    shown = {row["id"]: row["shown"] for row in observed.get("terrain", ()) if "shown" in row}
    rows = [terrain_row(one.piece, one.sigma_in) for one in drawn]
    rows = [{**row, "shown": shown[row["id"]]} if row["id"] in shown else row for row in rows]
    gone = {row["id"] for row in unfolded(observed).get("terrain", ()) if is_drawn(row)}
    rest = _without(observed, gone | {row["id"] for row in rows})
    return {**rest, "terrain": [*rows, *rest.get("terrain", ())]}


def _without(observed: Observation, gone: set[str]) -> Observation:
    if not gone:
        return observed
    found = dict(observed)
    for folded, shown in FOLDED.items():
        for key in {folded, shown} & found.keys():
            left = _not_erased if shown == "terrain" else _asked_still
            found[key] = [row for row in found[key] if left(row, gone)]
    return found


def _not_erased(row: Mapping[str, Any], gone: Collection[str]) -> bool:
    return row["id"] not in gone


def _asked_still(question: Mapping[str, Any], gone: Collection[str]) -> bool:
    return question["ask"] == "turn" or ids_asked(question).isdisjoint(gone)


def _piece(row: TerrainRow) -> Piece:
    return row["kind"], _area(row["polygon"])


def _is_among(piece: Piece, others: Sequence[Piece]) -> bool:
    kind, area = piece
    return any(
        kind == other and area.intersection(outline).area >= _SAME_SHARE * area.union(outline).area
        for other, outline in others
    )


def _area(polygon: object) -> shapely.Geometry:
    return shapely.make_valid(shapely.Polygon(polygon))
