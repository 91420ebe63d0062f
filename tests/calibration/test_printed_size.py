"""How large printed markers are, measured by the ways between them."""

import numpy as np
import numpy.typing as npt
import pytest

from calibration import FrameLayout, FrameMarker
from calibration.printed_size import printed_sizes


def test_the_size_of_markers_is_measured_between_them() -> None:
    centres = ((2.0, 2.0), (30.0, 2.0), (30.0, 20.0), (2.0, 20.0))
    layout = FrameLayout("DICT_4X4_50", 3.0, tuple(FrameMarker(n, at) for n, at in enumerate(centres)))
    plane = np.array([[40.0, 9.0, 100.0], [-2.0, -25.0, 900.0], [1e-3, 9e-3, 1.0]])

    def sizes_of(*sizes: float) -> npt.NDArray[np.float64] | None:
        corners = []
        for n, size in enumerate(sizes):
            middle = np.array(centres[n])
            flat = middle + (layout.corners(n)[:, :2] - middle) * size
            corner = np.column_stack([flat, np.ones(4)]) @ plane.T
            corners.append(corner[:, :2] / corner[:, 2:])
        return printed_sizes(range(len(sizes)), np.array(corners), layout)

    assert sizes_of(*(0.97,) * 4) == pytest.approx([2.91] * 4)
    assert sizes_of(1.0, 1.0, 0.9, 1.0) == pytest.approx([3.0, 3.0, 2.7, 3.0])
    assert sizes_of(*(1.0,) * 3) is None
