"""Views and observations of the small drawn table, for tests of trust and advice."""

import numpy as np

from calibration import TableView
from calibration.markers import Markers
from calibration.table import solve_table
from geometry import Bases
from tests.support.table_scenes import FRAME, looking_at
from vision import BaseLabel, Observation, PhotoView

TABLE = (18.0, 18.0)
FOCAL_35MM = 1250 / 2000 * float(np.hypot(36.0, 24.0))


def solved(elevation_deg: float = 50.0, azimuth_deg: float = -90.0, distance_in: float = 28.0) -> TableView:
    """A view as a photo would be solved, its markers seen without error."""
    view = looking_at(elevation_deg=elevation_deg, azimuth_deg=azimuth_deg, distance_in=distance_in)
    return solve_table(markers_of(view), FRAME, view.camera.size, focal_35mm=FOCAL_35MM)


def markers_of(view: TableView, **moved: tuple[float, float]) -> Markers:
    """The frame markers as a view shows them, some moved: ``m2=(0.3, 0.0)`` inches."""
    corners = []
    for marker in FRAME.ids:
        shift = np.array([*moved.get(f"m{marker}", (0.0, 0.0)), 0.0])
        corners.append(view.pixel_from_table(FRAME.corners(marker) + shift))
    n = len(corners)
    return Markers(np.array(FRAME.ids), np.array(corners), np.full(n, 0.15), np.ones(n), np.zeros(n, np.int64))


def observed(view: TableView, sigma: float, n: int = 6) -> Observation:
    """Nameless red bases along the table's diagonal, each as sure as ``sigma`` inches."""
    places = np.column_stack([np.linspace(3, 15, n), np.linspace(4, 14, n)])
    labels = tuple(BaseLabel(f"base{k}", None, None, "red", None, None, 0.0, 0.9, "outline") for k in range(n))
    bases = Bases.of(places, 20.0, np.full(n, 2.0), np.full(n, 1.25), sigma=sigma)
    return Observation(TABLE, (PhotoView("a.jpg", *view.camera.size, view),), bases, labels)
