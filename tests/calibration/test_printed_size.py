"""How large printed markers are, measured by the ways between them."""

from __future__ import annotations

import numpy as np
import pytest

from calibration import FrameLayout, FrameMarker
from calibration.markers import Markers
from calibration.printed_size import printed_sizes


def test_the_size_of_markers_is_measured_between_them() -> None:
    centres = ((2.0, 2.0), (30.0, 2.0), (30.0, 20.0), (2.0, 20.0))
    layout = FrameLayout("DICT_4X4_50", 3.0, tuple(FrameMarker(n, at) for n, at in enumerate(centres)))
    plane = np.array([[40.0, 9.0, 100.0], [-2.0, -25.0, 900.0], [1e-3, 9e-3, 1.0]])

    def seen(sizes: tuple[float, ...]) -> Markers:
        corners = []
        for n, size in enumerate(sizes):
            middle = np.array(centres[n])
            flat = middle + (layout.corners(n)[:, :2] - middle) * size
            corner = np.column_stack([flat, np.ones(4)]) @ plane.T
            corners.append(corner[:, :2] / corner[:, 2:])
        count = len(sizes)
        none = np.zeros(count)
        return Markers(np.arange(count), np.array(corners), none, none, none)

    assert printed_sizes(seen((0.97,) * 4), layout) == pytest.approx([2.91] * 4)
    assert printed_sizes(seen((1.0, 1.0, 0.9, 1.0)), layout) == pytest.approx([3.0, 3.0, 2.7, 3.0])
    assert printed_sizes(seen((1.0,) * 3), layout) is None
