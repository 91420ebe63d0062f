"""The terrain settled in an observation, carried over to the next photo of the same table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from tabletop.identity.observation_rows import Observation, TerrainRow
from tabletop.identity.question import way_round_asked
from tabletop.reading import json_fields as read
from tabletop.tables.folded_lists import unfolded
from tabletop.tables.model import Point, SeenGround, SeenTerrain, TableFile, Terrain
from tabletop.tables.scene import scene_from_json

NOTHING = "nothing"


def with_ground(table: TableFile, previous: object, name: str = "the previous observation") -> TableFile:
    """A table file with the terrain from an observation (contract, section 3) of the same table.

    If the file draws terrain itself, or its size differs from the observation's, it is returned unchanged. Raises
    SceneError for an unreadable observation.
    """
    if table.terrain:
        return table
    scene_from_json(previous)  # rejects other data with one sentence
    told = read.mapping(previous, name)
    size = told["table"]
    if (size["width"], size["depth"]) != (table.width_in, table.depth_in):
        return table
    return replace(table, ground=ground_of(told, name))


def ground_of(observation: Observation, name: str = "the observation", drawn: Collection[str] = ()) -> SeenGround:
    """The terrain of an observation with what is known of each piece, pieces that players have ``drawn`` (by their ids)
    apart, and where players said that there is none.

    A piece of confidence 1 without evidence is a player's: drawn, confirmed or answered. Observations that say nothing
    of evidence count as one photo that plainly showed all pieces; one that leaves open which edge of the table is the
    near one has drawn pieces alone. Raises SceneError for invalid evidence.
    """
    pieces = [_seen_terrain(row, name) for row in unfolded(observation).get("terrain", ())]
    laid = tuple(one for one in pieces if one.piece.id in drawn)
    if way_round_asked(observation):
        return SeenGround(drawn=laid)
    seen = tuple(one for one in pieces if one.piece.id not in drawn)
    bare, unseen = (
        tuple(_outline(read.need(row, "polygon", where), where) for row in observation.get(key, ()))
        for key in ("bare", "unseen")
        for where in [f"{name}: {key}"]
    )
    return SeenGround(seen, bare, unseen, laid)


def _seen_terrain(row: Mapping[str, Any], name: str) -> SeenTerrain:
    where = f'{name}: terrain "{row["id"]}"'
    height, top = row.get("height") or 0.0, row.get("hill_top")
    piece = Terrain(
        row["id"],
        row["kind"],
        _outline(row["polygon"], where),
        float(height),
        _outline(top, f"{where}: hill_top") if top else None,
    )
    confidence = read.not_negative(row.get("confidence", 1.0), f"{where}: confidence")
    sigma = read.not_negative(row.get("sigma") or 0.0, f"{where}: sigma")
    if "evidence" not in row:
        stated = confidence >= 1.0
        return SeenTerrain(piece, confidence, sigma, chances=_plain_chances(piece.kind, confidence), stated=stated)
    told = read.mapping(row["evidence"], f"{where}: evidence")
    chances = read.mapping(read.need(told, "chances", where), f"{where}: chances")
    return SeenTerrain(
        piece,
        min(confidence, 0.9999) if not told.get("stated") else confidence,
        sigma,
        read.count(read.need(told, "photos", where), f"{where}: photos"),
        read.not_negative(read.need(told, "weight", where), f"{where}: weight"),
        tuple((str(kind), read.not_negative(chance, f"{where}: chances")) for kind, chance in chances.items()),
        read.flag(told.get("stated", False), f"{where}: stated"),
    )


def terrain_row(piece: Terrain, sigma_in: float = 0.0) -> TerrainRow:
    """A piece of terrain that players stated, as an observation repeats it (contract, section 3)."""
    row: TerrainRow = {
        "id": piece.id,
        "kind": piece.kind,
        "polygon": [list(point) for point in piece.polygon],
        "height": piece.height_in,
        "confidence": 1.0,
        "sigma": sigma_in,
    }
    if piece.hill_top:
        row["hill_top"] = [list(point) for point in piece.hill_top]
    return row


def _plain_chances(kind: str, confidence: float) -> tuple[tuple[str, float], ...]:
    sure = min(confidence, 1.0)
    return ((kind, sure), (NOTHING, 1.0 - sure))


def _outline(ring: object, where: str) -> tuple[Point, ...]:
    return tuple(read.point(point, where) for point in read.sequence(ring, where))
