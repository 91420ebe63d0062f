"""How sure it is that a base is there: by its outline and by how many pixels show it."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from calibration import Camera, TableView
from vision.bases.presence import PresenceConfig, pixels_of, presence
from vision.bases.selection import footprint
from vision.model.expected import BaseShape


def view_from(elevation_deg: float, far_in: float = 60.0) -> TableView:
    """A camera that looks at (18, 18) from so high, standing at the near side."""
    up = np.radians(elevation_deg)
    eye = np.array([18.0, 18.0 - far_in * np.cos(up), far_in * np.sin(up)])
    ahead = np.array([0.0, np.cos(up), -np.sin(up)])
    right = np.array([1.0, 0.0, 0.0])
    turned = np.stack([right, np.cross(ahead, right), ahead])
    camera = Camera(np.array([[2000.0, 0, 1000], [0, 2000.0, 750], [0, 0, 1]]), np.zeros(5), (2000, 1500))
    return TableView(camera, turned, -turned @ eye)


@pytest.mark.parametrize("shape", [BaseShape(2.0, 1.25, 0.12), BaseShape(1.0, 1.0, 0.12, is_round=True)])
@given(elevation=st.floats(15, 85), x=st.floats(8, 28), y=st.floats(8, 28), z=st.floats(0, 1))
def test_pixels_are_those_of_the_outline_in_the_photo(
    shape: BaseShape, elevation: float, x: float, y: float, z: float
) -> None:
    view = view_from(elevation)
    ring = np.asarray(footprint(shape, x, y, 20.0).exterior.coords)[:-1]
    shown = view.pixel_from_table(np.column_stack([ring, np.full(len(ring), z)]))
    assert pixels_of(view, shape, x, y, z) == pytest.approx(shapely.Polygon(shown).area, rel=0.12)


def test_an_outline_that_is_hardly_shown_is_likelier_none() -> None:
    least = PresenceConfig().least
    assert presence(0.3, 200.0) < least < presence(0.8, 200.0)
