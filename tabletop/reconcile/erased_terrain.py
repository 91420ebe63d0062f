"""Terrain that players erased, or drew anew, and that a photo still shows: it is neither proposed nor asked about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import shapely

from tabletop.game.core import Game
from tabletop.identity.observation_rows import Observation, TerrainRow
from tabletop.identity.question import ids_asked
from tabletop.tables.folded_lists import FOLDED, unfolded

_ERASED, _DRAWN = "terrain-erased", "terrain-drawn"  # the events of every ruleset on an open table
_SAME_SHARE = 0.5
"""Two outlines of a kind with at least so much of their common area in both are one piece; with less it has changed.
What a photo shows is what a hand has drawn where so much of it is under that."""
Piece = tuple[str, shapely.Geometry]


def erased_terrain(game: Game) -> tuple[Piece, ...]:
    """The kinds and outlines of the terrain that was erased in a game and has not been laid again since."""
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


def drawn_since(game: Game, seq: int) -> shapely.Geometry:
    """The ground of the terrain that hands have drawn in a game after its event ``seq`` and that is on the table."""
    drawn = [r.body["piece"] for r in game.records[seq:] if r.kind == _DRAWN and not r.photo]
    if not drawn:
        return shapely.Polygon()
    there = {piece.id: piece.polygon for piece in game.state.scene.terrain}
    kept = [piece["polygon"] for piece in drawn if _corners(there.get(piece["id"], ())) == _corners(piece["polygon"])]
    return shapely.union_all([_area(polygon) for polygon in kept])


def without_drawn_over(observed: Observation, drawn: shapely.Geometry) -> Observation:
    """An observation without the terrain that players have drawn themselves since, of whatever kind, and without the
    questions about it: who draws on a photo knows better than its reading."""
    if drawn.is_empty:
        return observed
    areas = {row["id"]: _area(row["polygon"]) for row in unfolded(observed).get("terrain", ())}
    same = {name for name, area in areas.items() if area.intersection(drawn).area >= _SAME_SHARE * area.area}
    return _without(observed, same)


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


def _corners(polygon: object) -> list[list[float]]:
    return [[float(x), float(y)] for x, y in polygon]  # type: ignore[attr-defined]


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


__all__ = ["drawn_since", "erased_terrain", "without_drawn_over", "without_erased"]
