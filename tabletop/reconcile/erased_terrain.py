"""Terrain in a photo that players erased, or drew themselves: the photo neither proposes it nor asks about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import shapely

from tabletop.changes.terrain import is_rival
from tabletop.game.core import Game
from tabletop.identity.observation_rows import Observation, TerrainRow
from tabletop.identity.question import ids_asked
from tabletop.tables.folded_lists import FOLDED, unfolded

_ERASED, _DRAWN = "terrain-erased", "terrain-drawn"  # the events of every ruleset on an open table
_SAME_SHARE = 0.5
"""Two outlines of a kind with at least so much of their common area in both are one piece; with less it has changed.
A piece of a photo counts as drawn where a drawn one covers so much of it."""
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


def drawn_on_photos(game: Game) -> tuple[Mapping[str, Any], ...]:
    """The pieces of terrain (bodies of their events) that players have drawn on photos and that are on the table as
    drawn: pieces with a spread that no photo proposed."""
    drawn = [r.body["piece"] for r in game.records if r.kind == _DRAWN and not r.photo and r.body["piece"].get("sigma")]
    if not drawn:
        return ()
    there = {piece.id: _corners(piece.polygon) for piece in game.state.scene.terrain}
    return tuple(piece for piece in drawn if there.get(piece["id"]) == _corners(piece["polygon"]))


def without_drawn_over(observed: Observation, drawn: Sequence[Mapping[str, Any]]) -> Observation:
    """An observation without its own version of terrain that players have ``drawn`` on a photo, and without the
    questions about it: a player knows better than a reading. A piece that may be on a drawn one, as woods on a hill,
    stays."""

    def is_drawn(row: TerrainRow) -> bool:
        same = [_area(piece["polygon"]) for piece in drawn if is_rival(piece["kind"], row["kind"])]
        area = _area(row["polygon"])
        return bool(area.intersection(shapely.union_all(same)).area >= _SAME_SHARE * area.area)

    return _without(observed, {row["id"] for row in unfolded(observed).get("terrain", ()) if drawn and is_drawn(row)})


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


__all__ = ["drawn_on_photos", "erased_terrain", "without_drawn_over", "without_erased"]
