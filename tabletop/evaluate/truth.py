"""What is so on a photographed table: the truth file's bases, terrain, dice and camera."""

from __future__ import annotations

import json
import math
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

Array = npt.NDArray[np.float64]

READABLE_PX = 20.0
"""Shortest printed side of a tag in the picture, below which it need not be read."""
READABLE_VISIBLE = 0.97
"""Share of a tag that must be in sight before it need be read."""

_OTHER_NAMES = {"cornfield": "field"}


@dataclass(frozen=True)
class TrueBase:
    """A base as it stands: centre and ``z`` of the surface under it in inches, facing in degrees, share in sight."""

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
    """A die: its middle on the table and what it shows."""

    center: tuple[float, float]
    value: int


@dataclass(frozen=True, eq=False)
class TrueCamera:
    """The camera that took the picture: ``K`` (3, 3), OpenCV's k1 k2 p1 p2 k3, ``R`` (3, 3) and ``t`` (3,) inches;
    ``size`` is the upright picture's width and height in pixels."""

    K: Array
    distortion: Array
    R: Array
    t: Array
    size: tuple[int, int]

    def project(self, points: npt.ArrayLike) -> Array:
        """Table points (n, 3) in inches to pixels (n, 2) of the upright picture.

        >>> above = np.array([0.0, 0.0, 10.0])
        >>> camera = TrueCamera(np.diag([100.0, 100.0, 1.0]), np.zeros(5), np.eye(3), above, (640, 480))
        >>> camera.project([[1.0, 2.0, 0.0]]).tolist()
        [[10.0, 20.0]]
        """
        p = np.asarray(points, dtype=np.float64).reshape(-1, 3) @ self.R.T + self.t
        x, y = p[:, 0] / p[:, 2], p[:, 1] / p[:, 2]
        k1, k2, p1, p2, k3 = self.distortion
        square = x * x + y * y
        radial = 1 + square * (k1 + square * (k2 + square * k3))
        u = x * radial + 2 * p1 * x * y + p2 * (square + 2 * x * x)
        v = y * radial + p1 * (square + 2 * y * y) + 2 * p2 * x * y
        return np.stack([self.K[0, 0] * u + self.K[0, 2], self.K[1, 1] * v + self.K[1, 2]], axis=1)

    @property
    def eye(self) -> Array:
        """Where the camera is (3,), table inches."""
        return np.asarray(-self.R.T @ self.t)

    def in_picture(self, point: npt.ArrayLike) -> bool:
        """Whether a table point (3,) is in the picture."""
        x, y = self.project(point)[0]
        return bool(-0.5 <= x < self.size[0] - 0.5 and -0.5 <= y < self.size[1] - 0.5)

    def distance_in(self, point: npt.ArrayLike) -> float:
        """How far a table point (3,) is from the camera."""
        return float(np.linalg.norm(np.asarray(point, dtype=np.float64) - self.eye))

    def pixels_per_inch(self, point: npt.ArrayLike) -> float:
        """Pixels that an inch on the table takes at a point (3,): the root of the area of a square inch."""
        steps = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]])
        a, b, c = self.project(np.asarray(point, dtype=np.float64) + steps)
        across, along = (b - a) / 0.1, (c - a) / 0.1
        return math.sqrt(abs(float(across[0] * along[1] - across[1] * along[0])))


@dataclass(frozen=True, eq=False)
class Truth:
    """A table as it was photographed. ``cotton`` are balls with the unit that they lie beside; ``raw`` is the file."""

    width: float
    depth: float
    camera: TrueCamera
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
    """The truth of a file; raises UsageError where it is none."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return truth_from(raw)
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise UsageError(f"{path.name} is no truth of a photographed table: {what}.") from error


def truth_from(raw: Mapping[str, Any]) -> Truth:
    """The truth in a parsed file; raises KeyError, TypeError or ValueError where something is amiss in it."""
    camera = raw["camera"]
    lens = TrueCamera(
        np.array(camera["K"], dtype=np.float64).reshape(3, 3),
        np.array([*camera["distortion"], *[0.0] * 5][:5], dtype=np.float64),
        np.array(camera["R"], dtype=np.float64).reshape(3, 3),
        np.array(camera["t"], dtype=np.float64).reshape(3),
        (int(raw["image"]["width"]), int(raw["image"]["height"])),
    )
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


def _base(camera: TrueCamera, unit: Mapping[str, Any], base: Mapping[str, Any]) -> TrueBase:
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


def _readable(camera: TrueCamera, tag: object) -> bool:
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
