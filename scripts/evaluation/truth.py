"""What is so on a photographed table: the truth file's bases, terrain, dice and camera."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from tabletop.errors import UsageError
from tabletop.tables.photo_camera import PhotoCamera

Array = npt.NDArray[np.float64]

READABLE_PX = 20.0
"""Shortest printed side of a tag in the picture, below which it need not be read."""
READABLE_VISIBLE = 0.97
"""Share of a tag that must be in sight before it need be read."""

_OTHER_NAMES = {"cornfield": "field"}


@dataclass(frozen=True)
class TrueBase:
    """A base at its true place: centre, ``z`` of the surface under it (inches), facing in degrees, visible share."""

    unit: str
    side: str
    kind: str
    shape: str
    width: float
    depth: float
    height: float
    center: tuple[float, float]
    z: float
    facing: float | None
    tag: int | None
    readable: bool
    unique: bool
    visible: float


@dataclass(frozen=True, eq=False)
class TruePiece:
    """A piece of terrain: kind, outline in table inches, height of its surface; of a hill in levels its ``top``."""

    kind: str
    shape: BaseGeometry
    height: float
    top: BaseGeometry | None = None


@dataclass(frozen=True)
class TrueDie:
    """A die: its middle on the table and its number."""

    center: tuple[float, float]
    value: int


@dataclass(frozen=True, eq=False)
class Truth:
    """A table as it was photographed. ``cotton`` are balls with the unit beside them; ``raw`` is the file."""

    width: float
    depth: float
    camera: PhotoCamera
    bases: tuple[TrueBase, ...]
    terrain: tuple[TruePiece, ...]
    dice: tuple[TrueDie, ...]
    cotton: tuple[tuple[tuple[float, float], str | None], ...]
    raw: Mapping[str, Any]

    @property
    def table(self) -> Polygon:
        """The table's outline."""
        return Polygon([(0, 0), (self.width, 0), (self.width, self.depth), (0, self.depth)])

    def kinds_at(self, at: tuple[float, float]) -> tuple[str, ...]:
        """The kinds of terrain at a place on the table."""
        return tuple(sorted({piece.kind for piece in self.terrain if piece.shape.covers(Point(at))}))


def read_truth(path: Path) -> Truth:
    """The truth of a file; raises UsageError for any other file."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return truth_from(raw)
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise UsageError(f"{path.name} is not the truth of a photographed table: {what}.") from error


def truth_from(raw: Mapping[str, Any]) -> Truth:
    """The truth in a parsed file; raises KeyError, TypeError or ValueError where something is amiss in it."""
    camera = raw["camera"]
    lens = PhotoCamera.of({**camera, **raw["image"], "dist": camera["distortion"]})
    return Truth(
        float(raw["table"]["width"]),
        float(raw["table"]["depth"]),
        lens,
        tuple(_base(lens, unit, base) for unit in raw["units"] for base in unit["bases"]),
        tuple(_piece(item) for item in raw.get("terrain", [])),
        tuple(TrueDie(_center(die), int(die["value"])) for die in raw.get("dice", [])),
        tuple((_center(c), c.get("unit")) for c in raw.get("clutter", []) if c["kind"] == "cotton"),
        raw,
    )


def _base(camera: PhotoCamera, unit: Mapping[str, Any], base: Mapping[str, Any]) -> TrueBase:
    width = base["diameter"] if "diameter" in base else base.get("width", 0.0)
    facing = base.get("facing_deg")
    return TrueBase(
        unit=unit["id"],
        side=unit["side"],
        kind=unit["kind"],
        shape=base["shape"],
        width=float(width),
        depth=float(base.get("depth", width)),
        height=float(base.get("thickness", 0.0)),
        center=_center(base),
        z=float(base.get("z", 0.0)),
        facing=None if facing is None else float(facing),
        tag=base.get("tag_id"),
        readable=_readable(camera, base.get("tag")),
        unique=bool(base.get("unique", False)),
        visible=float(base.get("visible_fraction", 1.0)),
    )


def _readable(camera: PhotoCamera, tag: object) -> bool:
    if not isinstance(tag, Mapping) or tag.get("visible_fraction", 1.0) < READABLE_VISIBLE:
        return False
    quad = camera.project(tag["corners"])
    return bool(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).min() >= READABLE_PX)


def _center(item: Mapping[str, Any]) -> tuple[float, float]:
    x, y = next((item[key] for key in ("centre", "at") if key in item), None) or item["center"]
    return float(x), float(y)


def _piece(item: Mapping[str, Any]) -> TruePiece:
    kind = _OTHER_NAMES.get(item["kind"], item["kind"])
    levels = item.get("levels") or []
    top = item.get("hill_top") or (levels[-1]["polygon"] if len(levels) > 1 else None)
    own = Polygon(top).buffer(0) if kind == "hill" and top else None
    return TruePiece(kind, outline(item), float(item.get("height", 0.0)), own)


def outline(item: Mapping[str, Any]) -> BaseGeometry:
    """The outline of a piece of terrain: its polygon, else its centreline in its width."""
    polygon = item.get("polygon")
    if polygon and len(polygon) >= 3:
        return Polygon(polygon).buffer(0)
    return LineString(item["centreline"]).buffer(item["width"] / 2, cap_style="flat").buffer(0)


def by_kind(pieces: Sequence[tuple[str, BaseGeometry]]) -> dict[str, BaseGeometry]:
    """The union of the outlines of each kind."""
    kinds = dict.fromkeys(kind for kind, _ in pieces)
    return {kind: unary_union([shape for other, shape in pieces if other == kind]) for kind in kinds}
