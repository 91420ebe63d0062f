"""From light to a picture's levels: white balance, exposure, uneven light, tone curve, blur, noise, JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.drawn.layers import Float32
from vision.drawn.noise import value_noise

Image = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Development:
    """How a phone turns light into levels. ``balance``: BGR gains; ``exposure``: the level that bright mat reaches;
    ``uneven``: by how much light falls off over the picture; ``contrast``: of the tone curve (1 none);
    ``saturation``; ``blur_px``; ``noise``: sigma of levels 0 to 1 in mid tones; ``veil``: stray light."""

    balance: tuple[float, float, float]
    exposure: float
    uneven: float
    contrast: float
    saturation: float
    blur_px: float
    noise: float
    veil: float


def random_development(rng: np.random.Generator) -> Development:
    """A phone and a room at random."""
    warm = float(rng.normal(0, 0.10))
    tint = float(rng.normal(0, 0.03))
    return Development(
        (float(np.exp(-warm)), float(np.exp(tint)), float(np.exp(warm))),
        float(rng.uniform(0.35, 0.95)),
        float(abs(rng.normal(0, 0.35))),
        float(rng.uniform(0.85, 1.25)),
        float(np.clip(rng.normal(0.95, 0.15), 0.5, 1.3)),
        float(abs(rng.normal(0, 0.5))),
        float(abs(rng.normal(0, 0.012))),
        float(max(0.0, rng.normal(0, 0.02))),
    )


def develop(linear: Float32, how: Development, rng: np.random.Generator) -> Image:
    """Levels (r, c, 3) of linear light (r, c, 3), BGR."""
    shape = (linear.shape[0], linear.shape[1])
    out = linear * np.array(how.balance, np.float32)
    if how.uneven > 0.02:
        tilt = value_noise(rng, shape, max(shape) * float(rng.uniform(0.5, 1.2)))
        out = out * np.exp2(np.float32(how.uneven) * np.clip(tilt, -2, 2))[..., None]
    bright = float(np.percentile(out.mean(axis=2)[::4, ::4], 97)) + 1e-6
    out = out * np.float32(how.exposure / bright) + np.float32(how.veil)
    if how.blur_px > 0.25:
        out = cv2.GaussianBlur(out, (0, 0), how.blur_px)
    gray = out.mean(axis=2, keepdims=True)
    out = np.clip(gray + np.float32(how.saturation) * (out - gray), 0, None)
    # A shoulder that keeps highlights, then the display's gamma and a curve about middle grey.
    out = np.where(out > 0.8, 0.8 + 0.2 * (1 - np.exp(-(out - 0.8) / 0.2)), out)
    level = np.power(np.clip(out, 0, 1), np.float32(1 / 2.2))
    level = 0.46 + np.float32(how.contrast) * (level - 0.46)
    if how.noise > 0.001:
        grain = rng.standard_normal(linear.shape, dtype=np.float32)
        level = level + np.float32(how.noise) * grain
    return np.asarray(np.clip(level * 255 + 0.5, 0, 255), dtype=np.uint8)


def through_jpeg(image: Image, quality: int) -> Image:
    """The picture after JPEG compression at ``quality`` (1 to 100)."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    back = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return np.asarray(back, dtype=np.uint8)
