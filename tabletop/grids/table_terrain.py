"""The terrain on a table, from a photo or a scene: its pieces, and the lines of roads and rivers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.grids.cells import Array
from tabletop.grids.middle_lines import middle_lines
from tabletop.tables.model import DRAWN_KINDS
from tabletop.tables.photo_camera import PhotoCamera, cameras_of, shown_places
from tabletop.tables.scene import SURE_TERRAIN
from tabletop.words import and_list

ROADS = ("road", "bridge")
RIVERS = ("river",)
CELL_PIECES: Mapping[str, tuple[str, ...]] = {
    "woods": ("woods",),
    "wooded crest": ("hill", "woods"),
    "hill": ("hill",),
    "crest": ("hill",),
    "mountain": ("hill",),
    "town": ("town",),
    "city": ("town",),
    "farm": ("town",),
    "marsh": ("marsh",),
    "poor going": ("marsh",),
    "field": ("field",),
    "bridge": ("bridge",),
}
"""The kinds of pieces on the table for each kind of cell."""
SURE_KIND = SURE_TERRAIN
"""The confidence at which a piece's kind is accepted; a less certain one leaves its cells open until confirmed."""


@dataclass(frozen=True, eq=False)
class TerrainPiece:
    """A piece of terrain on the table: kind, outline in inches, one sigma of its edge, the confidence in its kind."""

    id: str
    kind: str
    shape: BaseGeometry
    sigma_in: float = 0.0
    confidence: float = 1.0

    @property
    def chance(self) -> float:
        """The chance that it is there and of its kind, as used by the reading: 1 from :data:`SURE_KIND` on."""
        return 1.0 if self.confidence >= SURE_KIND else max(0.0, self.confidence)

    @property
    def is_open(self) -> bool:
        """Whether its kind needs confirmation."""
        return self.chance < 1.0

    @property
    def is_exact(self) -> bool:
        """Whether its kind and its edge are exact because players measured it."""
        return not self.is_open and self.sigma_in <= 0


@dataclass(frozen=True, eq=False)
class TableTerrain:
    """All pieces on a table, with the middle lines of its roads and of its rivers; ``cameras`` belong to the photos of
    the pieces, none without photos."""

    pieces: tuple[TerrainPiece, ...] = ()
    cameras: tuple[PhotoCamera, ...] = ()

    @cached_property
    def eyes(self) -> Array:
        """The positions of the cameras (m, 3), in table inches."""
        eyes = [camera.eye for camera in self.cameras]
        return np.array([eye for eye in eyes if eye[2] > 0], dtype=np.float64).reshape(-1, 3)

    def is_known_at(self, places: Array) -> npt.NDArray[np.bool_]:
        """Whether the ground at places (..., 2) is known: a photo shows it, or the players drew its outlines."""
        if self.pieces and all(piece.is_exact for piece in self.pieces):
            return np.ones(places.shape[:-1], dtype=bool)
        return shown_places(self.cameras, places).reshape(places.shape[:-1])

    def of(self, *kinds: str) -> tuple[TerrainPiece, ...]:
        """The pieces of some kinds."""
        return tuple(piece for piece in self.pieces if piece.kind in kinds)

    def without(self, piece_id: str) -> TableTerrain:
        """The same table without one piece."""
        return self.with_pieces(piece for piece in self.pieces if piece.id != piece_id)

    def with_pieces(self, pieces: Iterable[TerrainPiece]) -> TableTerrain:
        """The same table with other pieces."""
        return TableTerrain(tuple(pieces), self.cameras)

    @cached_property
    def roads(self) -> BaseGeometry:
        """The middle lines of the roads, bridges among them."""
        return middle_lines([piece.shape for piece in self.of(*ROADS)])

    @cached_property
    def rivers(self) -> BaseGeometry:
        """The middle lines of the rivers."""
        return middle_lines([piece.shape for piece in self.of(*RIVERS)])


def note_on_unused_kinds(terrain: TableTerrain) -> tuple[str, ...]:
    """A sentence on pieces of kinds that no board uses; empty without such pieces.

    >>> note_on_unused_kinds(TableTerrain((TerrainPiece("t1", "wall", shapely.box(0, 0, 4, 1)),)))
    ('This game does not use walls: their cells stay what they are without them.',)
    """
    unused = [f"{kind}s" for kind in DRAWN_KINDS if terrain.of(kind)]
    if not unused:
        return ()
    return (f"This game does not use {and_list(unused)}: their cells stay what they are without them.",)


def terrain_of(observation: Mapping[str, Any]) -> TableTerrain:
    """The terrain of an observation or a scene (its mapping, checked before), and the positions of its cameras; raises
    SceneError for a photo without a camera."""
    return TableTerrain(terrain_pieces(observation.get("terrain") or ()), cameras_of(observation))


def terrain_pieces(rows: Sequence[Mapping[str, Any]]) -> tuple[TerrainPiece, ...]:
    """The pieces of an observation's or a scene's terrain, checked before; pieces without area are left out."""
    found = []
    for place, raw in enumerate(rows, 1):
        shape = shapely.make_valid(shapely.Polygon(raw["polygon"]))
        if shape.area > 0:
            sigma, sure = raw.get("sigma"), raw.get("confidence")
            found.append(
                TerrainPiece(
                    str(raw.get("id", f"t{place}")),
                    str(raw["kind"]),
                    shape,
                    float(sigma or 0.0),
                    1.0 if sure is None else float(sure),
                )
            )
    return tuple(found)
