"""Which way round a table is in photos that know it by its edges: all turned to agree on the tags that they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from calibration._joint_setup import Sight, TiePrior
from calibration.camera import TableView
from calibration.projection import cross_matrices

Array = npt.NDArray[np.float64]

_CLEARLY = 0.5  # the way round that is chosen leaves the tags at most this share as far apart as any other does


def turned_view(view: TableView, table_in: tuple[float, float], quarters: int) -> TableView:
    """The same camera over a table of ``table_in`` (width, depth), its near edge the one that many places further
    round anticlockwise; ValueError for an odd number of quarters of a table that is not square."""
    quarters %= 4
    if quarters % 2 and table_in[0] != table_in[1]:
        raise ValueError(f"A table of {table_in[0]:g} x {table_in[1]:g} inches can't be turned by a quarter.")
    c, s = np.round([np.cos(quarters * np.pi / 2), np.sin(quarters * np.pi / 2)])
    around = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    middle = np.array([table_in[0] / 2, table_in[1] / 2, 0.0])
    moved = moved_view(view, middle - around @ middle)
    return replace(moved, R=view.R @ around)


def moved_view(view: TableView, origin: npt.ArrayLike) -> TableView:
    """The same camera over a table with places that count from ``origin`` (3,), a place of the view's table."""
    moved = view.R @ np.asarray(origin, dtype=np.float64)
    step = np.eye(15)
    step[12:15, 9:12] = -cross_matrices(moved[None])[0]
    return replace(view, t=view.t + moved, covariance=step @ view.covariance @ step.T)


def way_round(
    sight: Sight, others: Sequence[Sight], ties: Mapping[int, TiePrior], table_in: tuple[float, float]
) -> int | None:
    """By how many quarters a photo's view must be turned to put the tags that it shares where ``others`` have them;
    ``None`` where it shares none, or no way round is clearly the best."""
    places = [_places(other, other.view, ties) for other in others]
    step = 1 if table_in[0] == table_in[1] else 2
    off = {}
    for quarters in range(0, 4, step):
        mine = _places(sight, turned_view(sight.view, table_in, quarters), ties)
        apart = [np.abs(mine[i] - place[i]).max() for place in places for i in mine.keys() & place.keys()]
        off[quarters] = float(np.median(apart)) if apart else np.inf
    best = min(off, key=lambda quarters: off[quarters])
    rest = min(value for quarters, value in off.items() if quarters != best)
    return best if off[best] < _CLEARLY * rest else None


def _places(sight: Sight, view: TableView, ties: Mapping[int, TiePrior]) -> dict[int, Array]:
    """Corners (4, 2) in table inches of the tags in a photo, on bases at the table's height."""
    rows = [k for k, tie_id in enumerate(sight.ties.ids) if tie_id in ties]
    places = {
        sight.ties.ids[k]: view.point_from_pixel(sight.ties.pixels[k], ties[sight.ties.ids[k]].height_in) for k in rows
    }
    return {tie_id: place for tie_id, place in places.items() if np.all(np.isfinite(place))}
