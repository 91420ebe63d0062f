"""Help for naming the corners of a table in a photo: its straight lines, and a first guess."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.imaging.photo import Photo
from vision.table_pose.open_sides import OpenSidesConfig, open_rectangles
from vision.table_pose.table_edges import TableEdgesConfig, likeliest_rectangle, small_lab
from vision.table_pose.table_lines import LinesConfig, TableLines, candidate_lines

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class NamingConfig:
    """Lines are shown to ``beyond`` of the picture's size outside it. The first guess is the most likely rectangle of
    the table's shape by thresholds far below those of ``find_table_corners``: a person looks at it. Three
    ``open_sides`` give the guess where they are better seen than the four of that rectangle."""

    beyond: float = 0.6
    open_sides: OpenSidesConfig = field(default_factory=OpenSidesConfig)
    edges: TableEdgesConfig = field(
        default_factory=lambda: TableEdgesConfig(
            least_area=0.2,
            outside=0.3,
            worst_shape=6.0,
            least_support=0.25,
            most_back=0.5,
            most_bare_ends=4,
            least_difference=0.0,
            most_unlike=1.0,
            most_compared=1,
            lines=LinesConfig(most_lines=30),
        )
    )


@dataclass(frozen=True, eq=False)
class NamingAid:
    """Straight ``lines`` (n, 2, 2) by two points each, and the corners ``guess`` (4, 2) of the most likely rectangle,
    near-left, near-right, far-right, far-left, where there is one; in pixels."""

    lines: Array
    guess: Array | None


def naming_aid(photo: Photo, table_in: tuple[float, float], config: NamingConfig | None = None) -> NamingAid:
    """The lines of a photo, or of a small copy of it, and where a table of ``table_in`` may be in it."""
    config = config or NamingConfig()
    scale = config.edges.coarse_px / max(photo.size)
    lab = small_lab(photo, config.edges.coarse_px)
    lines = TableLines(lab, candidate_lines(lab, config.edges.lines), config.edges.lines)
    size = np.array(lines.size)
    low, high = -config.beyond * size, (1 + config.beyond) * size
    shown = [ends for line in lines.lines if (ends := _clipped(line, low, high)) is not None]
    guess = _guess(photo, lines, table_in, config)
    return NamingAid(
        (np.array(shown).reshape(-1, 2, 2) + 0.5) / scale - 0.5,
        None if guess is None else (guess + 0.5) / scale - 0.5,
    )


def _guess(photo: Photo, lines: TableLines, table_in: tuple[float, float], config: NamingConfig) -> Array | None:
    """The corners (4, 2) of the most likely table in the small copy, near-left first: by four lines, or by three
    that are better seen, the table's near side being out of view."""
    whole = likeliest_rectangle(photo, lines, table_in, config.edges)
    partly = open_rectangles(lines, table_in, photo.focal_35mm, config.open_sides)
    if partly and (whole is None or partly[0].score > whole[1]):
        corners = partly[0].corners
        return _from_near_left(np.roll(corners, -1, axis=0), square=False) if partly[0].turned else corners
    return None if whole is None else _from_near_left(whole[0], square=table_in[0] == table_in[1])


def _from_near_left(quad: Array, *, square: bool) -> Array:
    """Corners in the order in which the first side is as wide as the table and near: the lower one in the picture."""
    turns = range(4) if square else (0, 2)
    best = max(turns, key=lambda k: float(np.roll(quad, -k, axis=0)[:2, 1].sum()))
    return np.roll(quad, -best, axis=0)


def _clipped(line: Array, low: Array, high: Array) -> Array | None:
    """The two points (2, 2) of a line (3,) where it leaves a box; ``None`` where it misses it."""
    ends = []
    for axis in (0, 1):
        other = 1 - axis
        if abs(line[other]) < 1e-9:
            continue
        for edge in (low[axis], high[axis]):
            at = np.zeros(2)
            at[axis], at[other] = edge, -(line[2] + line[axis] * edge) / line[other]
            if low[other] - 1e-6 <= at[other] <= high[other] + 1e-6:
                ends.append(at)
    if len(ends) < 2:
        return None
    far = max(ends, key=lambda at: float(np.linalg.norm(at - ends[0])))
    return np.array([ends[0], far])
