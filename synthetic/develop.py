"""From light to a picture's levels: white balance, exposure, uneven light, tone curve, blur, noise, JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from synthetic.layers import Float32
from synthetic.noise import value_noise

Image = npt.NDArray[np.uint8]

_STRIP = 256  # rows worked on at a time


@dataclass(frozen=True)
class Development:
    """How a phone turns light into levels. ``balance``: BGR gains; ``exposure``: the level that bright mat reaches;
    ``uneven``: by how much light falls off over the picture; ``contrast``: of the tone curve (1 none);
    ``saturation``; ``blur_px``; ``noise``: sigma of levels 0 to 1 in mid tones; ``veil``: stray light; ``shake_px``,
    ``shake_rad``: how far and which way the phone moved during the exposure."""

    balance: tuple[float, float, float]
    exposure: float
    uneven: float
    contrast: float
    saturation: float
    blur_px: float
    noise: float
    veil: float
    shake_px: float = 0.0
    shake_rad: float = 0.0


def random_development(rng: np.random.Generator) -> Development:
    """A phone and a room at random."""
    warm = float(rng.normal(0, 0.10))
    tint = float(rng.normal(0, 0.03))
    return Development(
        (float(np.exp(-warm)), float(np.exp(tint)), float(np.exp(warm))),
        float(rng.uniform(0.35, 0.95)),
        float(abs(rng.normal(0, 0.35))),
        float(rng.uniform(0.85, 1.25)),
        float(np.clip(rng.normal(0.9, 0.13), 0.5, 1.15)),
        float(abs(rng.normal(0, 0.5))),
        float(abs(rng.normal(0, 0.012))),
        float(max(0.0, rng.normal(0, 0.02))),
    )


def develop(linear: Float32, how: Development, rng: np.random.Generator) -> Image:
    """Levels (r, c, 3) of linear light (r, c, 3), BGR."""
    rows, columns = linear.shape[:2]
    tilt = _unevenness(rng, (rows, columns), how.uneven)
    few = linear[::4, ::4] * np.array(how.balance, np.float32)
    few *= np.asarray(cv2.resize(tilt, (few.shape[1], few.shape[0])), np.float32)[..., None]
    bright = float(np.percentile(few.mean(axis=2), 97)) + 1e-6
    # White balance, exposure and saturation in one step: all of them are linear, and so is blur.
    saturate = how.saturation * np.eye(3) + (1 - how.saturation) / 3 * np.ones((3, 3))
    mix = saturate @ np.diag(how.balance) * (how.exposure / bright)
    kernel = _shaken(how.shake_px, how.shake_rad)
    halo = 2 + int(np.ceil(4 * how.blur_px + how.shake_px))
    out = np.empty((rows, columns, 3), np.uint8)
    for a in range(0, rows, _STRIP):
        b = min(rows, a + _STRIP)
        c, d = max(0, a - halo), min(rows, b + halo)
        part = np.asarray(cv2.transform(linear[c:d], mix), np.float32)
        if how.uneven > 0.02:
            part *= _strip_of(tilt, (rows, columns), c, d)[..., None]
        if how.blur_px > 0.25:
            part = np.asarray(cv2.GaussianBlur(part, (0, 0), how.blur_px), np.float32)
        if kernel is not None:
            part = np.asarray(cv2.filter2D(part, -1, kernel), np.float32)
        part = part[a - c : b - c] + np.float32(how.veil)
        np.maximum(part, 0.0, out=part)
        # A shoulder that keeps highlights, then the display's gamma and a curve about middle grey.
        glowing = part > 0.8
        part[glowing] = 1 - 0.2 * np.exp(4 - 5 * part[glowing])
        level = np.asarray(cv2.pow(part, 1 / 2.2), np.float32)
        level *= np.float32(255 * how.contrast)
        level += np.float32(255 * 0.46 * (1 - how.contrast) + 0.5)
        if how.noise > 0.001:
            grain = rng.standard_normal(level.shape, dtype=np.float32)
            grain *= np.float32(255 * how.noise)
            level += grain
        np.clip(level, 0, 255, out=level)
        out[a:b] = level
    return out


def _unevenness(rng: np.random.Generator, shape: tuple[int, int], stops: float) -> Float32:
    """How light falls off over a picture of a shape, as a small plane of factors."""
    small = (max(4, -(-shape[0] // 16)), max(4, -(-shape[1] // 16)))
    if stops <= 0.02:
        return np.ones(small, np.float32)
    tilt = value_noise(rng, small, max(small) * float(rng.uniform(0.5, 1.2)))
    return np.asarray(np.exp2(np.float32(stops) * np.clip(tilt, -2, 2)), np.float32)


def _strip_of(small: Float32, shape: tuple[int, int], start: int, stop: int) -> Float32:
    """Rows ``start`` to ``stop`` of a small plane enlarged to a shape."""
    down, across = small.shape[0] / shape[0], small.shape[1] / shape[1]
    rows = np.clip((np.arange(start, stop) + 0.5) * down - 0.5, 0, small.shape[0] - 1)
    upper = np.minimum(rows.astype(int), small.shape[0] - 2)
    share = (rows - upper)[:, None]
    lines = small[upper] * (1 - share) + small[upper + 1] * share
    columns = np.clip((np.arange(shape[1]) + 0.5) * across - 0.5, 0, small.shape[1] - 1)
    left = np.minimum(columns.astype(int), small.shape[1] - 2)
    part = columns - left
    return np.asarray(lines[:, left] * (1 - part) + lines[:, left + 1] * part, np.float32)


def _shaken(length_px: float, turn_rad: float) -> Float32 | None:
    """The trace (n, n) of a point while the phone moves by ``length_px``."""
    if length_px < 0.5:
        return None
    half, fine = int(np.ceil(length_px / 2)) + 1, 8
    size = (2 * half + 1) * fine
    places = np.linspace(-0.5, 0.5, 16 * half * fine) * length_px * fine
    trace = np.zeros((size, size), np.float32)
    middle = (size - 1) / 2
    r = np.rint(middle - places * np.sin(turn_rad)).astype(int)
    c = np.rint(middle + places * np.cos(turn_rad)).astype(int)
    np.add.at(trace, (r, c), 1.0)
    trace = cv2.GaussianBlur(trace, (0, 0), fine / 2)
    kernel = np.asarray(cv2.resize(trace, (2 * half + 1,) * 2, interpolation=cv2.INTER_AREA), np.float32)
    return kernel / kernel.sum()


def jpeg(image: Image, quality: int) -> bytes:
    """The picture as a JPEG file of ``quality`` (1 to 100)."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return data.tobytes()


def through_jpeg(image: Image, quality: int) -> Image:
    """The picture after JPEG compression at ``quality`` (1 to 100)."""
    return open_jpeg(jpeg(image, quality))


def open_jpeg(data: bytes) -> Image:
    """The picture (r, c, 3) in a JPEG file, as it is stored."""
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)
