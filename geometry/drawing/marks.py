"""Marks to draw over a table: paths and labels in table inches, for photo, map and SVG alike.

A mark is independent of rules and pixels. Sizes of lines and letters are in points of 1/1600 of the picture's longer
side, so that one list of marks looks alike on a 12-megapixel photo and on a phone's screen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

POINTS_PER_SIDE = 1600.0


@dataclass(frozen=True)
class Style:
    """``color`` and ``fill`` as ``#rrggbb``; ``width_pt`` of the line (0: no line); ``casing`` puts a white and a black
    band round it so that it can be read on any ground, ``calm`` the white one alone; ``pattern`` names a terrain kind
    that gives the hatching of the shape when the picture is drawn on paper."""

    color: str = "#ffffff"
    width_pt: float = 2.0
    dashed: bool = False
    casing: bool = True
    fill: str | None = None
    fill_opacity: float = 0.25
    pattern: str | None = None
    calm: bool = False

    def with_(self, **changes: object) -> Style:
        """The same style with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Path:
    """A line or outline through ``points`` (n, 2) inches at height ``z``. ``keep_clear``: labels stay off it.
    ``layer`` and ``title`` name it in an SVG."""

    points: Array
    style: Style = Style()
    closed: bool = False
    z: float = 0.0
    keep_clear: bool = False
    layer: str = "marks"
    title: str | None = None

    def __post_init__(self) -> None:
        points = np.asarray(self.points, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
            raise ValueError(f"Path.points has shape {points.shape}, expected (n, 2) with n of 2 or more.")
        object.__setattr__(self, "points", points)


@dataclass(frozen=True)
class Label:
    """Words at ``at`` inches. ``reach_in`` > 0 puts them beside a thing of that radius, where there is room, with a
    thin ``leader``; 0 puts them on the place itself. ``solid``: light letters on ``color``, else the other way round.
    ``optional`` labels are left out where there is no room. ``prefer_deg``: the direction, clockwise from +y, tried
    first. ``plain`` labels have no box."""

    at: tuple[float, float]
    text: str
    color: str = "#202020"
    size_pt: float = 20.0
    z: float = 0.0
    reach_in: float = 0.0
    solid: bool = True
    optional: bool = False
    plain: bool = False
    leader: bool = True
    prefer_deg: float = 180.0
    layer: str = "names"


Mark = Path | Label


@dataclass(frozen=True, eq=False)
class Marks:
    """A drawing: marks in the order in which they are drawn."""

    marks: tuple[Mark, ...] = field(default_factory=tuple)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths, in order."""
        return tuple(m for m in self.marks if isinstance(m, Path))

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels, in order; earlier ones get the better places."""
        return tuple(m for m in self.marks if isinstance(m, Label))

    def __add__(self, more: Marks | Iterable[Mark]) -> Marks:
        return Marks((*self.marks, *(more.marks if isinstance(more, Marks) else more)))


NO_MARKS = Marks()


def line(
    start: npt.ArrayLike, end: npt.ArrayLike, style: Style = Style(), *, z: float = 0.0, layer: str = "marks"
) -> Path:
    """A straight line between two table points."""
    return Path(np.array([start, end], dtype=np.float64), style, z=z, layer=layer)


def polygon(
    points: npt.ArrayLike,
    style: Style = Style(),
    *,
    z: float = 0.0,
    keep_clear: bool = False,
    layer: str = "marks",
    title: str | None = None,
) -> Path:
    """A closed outline; a repeated last point is dropped."""
    ring = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    if len(ring) > 2 and np.array_equal(ring[0], ring[-1]):
        ring = ring[:-1]
    return Path(ring, style, closed=True, z=z, keep_clear=keep_clear, layer=layer, title=title)


def circle(
    center: npt.ArrayLike, radius_in: float, style: Style = Style(), *, z: float = 0.0, layer: str = "marks"
) -> Path:
    """A circle, drawn as a polygon too fine to see (for pictures only: verdicts use centre and radius)."""
    angle = np.linspace(0.0, 2 * np.pi, 96, endpoint=False)
    ring = np.asarray(center, dtype=np.float64) + radius_in * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return Path(ring, style, closed=True, z=z, layer=layer)


def ellipse(
    center: npt.ArrayLike, covariance: npt.ArrayLike, style: Style = Style(), *, z: float = 0.0, layer: str = "marks"
) -> Path:
    """The set of points c + S u with |u| = 1 and S S = ``covariance`` (2, 2) in square inches.

    Scaled by 5.991 (chi-square, two degrees of freedom), a position's covariance gives its 95 % ellipse.
    """
    values, vectors = np.linalg.eigh(np.asarray(covariance, dtype=np.float64))
    root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    angle = np.linspace(0.0, 2 * np.pi, 48, endpoint=False)
    ring = np.asarray(center, dtype=np.float64) + np.stack([np.cos(angle), np.sin(angle)], axis=1) @ root
    return Path(ring, style, closed=True, z=z, layer=layer)


def subdivide_line(points: Array, closed: bool, step_in: float) -> Array:
    """The same line with no piece longer than ``step_in``; a closed one returns to its first point.

    >>> subdivide_line(np.array([[0.0, 0.0], [1.0, 0.0]]), False, 0.5).tolist()
    [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0]]
    """
    ring = np.vstack([points, points[:1]]) if closed else points
    parts = []
    for a, b in pairwise(ring):
        n = max(1, int(np.ceil(np.linalg.norm(b - a) / step_in)))
        parts.append(a + (b - a) * (np.arange(n) / n)[:, None])
    return np.vstack([*parts, ring[-1:]])
