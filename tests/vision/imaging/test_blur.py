"""Wide blurs in little time say the same as wide blurs in much."""

import cv2
import numpy as np
import pytest

from vision.imaging.blur import wide_blur


@pytest.mark.parametrize("sigma", [3.0, 25.0, 42.0, 84.0])
@pytest.mark.parametrize("shape", [(336, 336, 3), (301, 517)])
def test_a_wide_blur_is_that_of_every_pixel(sigma: float, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(5)
    coarse = rng.uniform(0.0, 100.0, (14, 11, *shape[2:])).astype(np.float32)
    picture = cv2.resize(coarse, shape[1::-1]) + rng.normal(0.0, 5.0, shape).astype(np.float32)
    whole = cv2.GaussianBlur(picture, (0, 0), sigma, borderType=cv2.BORDER_REFLECT)
    off = np.abs(wide_blur(picture, sigma) - whole)
    assert off.max() < 0.5 and off.mean() < 0.1
