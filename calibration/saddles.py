"""Where four squares of a checkerboard meet, to a few hundredths of a pixel.

Around each corner the picture is fitted with two blurred straight edges that cross: grey = mean + tilt + contrast *
erf(d1 / b) * erf(d2 / b), with d1 and d2 the distances to the edges. Unlike a gradient search the fit is not moved by
blur, by the edges' angle or by the markers in the white squares: those are left out, symmetrically about the corner.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import erf

Array = npt.NDArray[np.float64]
Gray = npt.NDArray[np.uint8]

_UNKNOWNS = 9  # x, y, angle 1, angle 2, log blur, mean, contrast, tilt x, tilt y


@dataclass(frozen=True)
class SaddleConfig:
    """``most_radius_px`` and ``most_radius_squares`` bound the window; ``start_blur_px`` is the first guess;
    ``most_shift_squares`` how far a corner may be from where it was expected (at least ``shift_floor_px``);
    ``least_contrast`` grey levels between black and white; ``most_residual_share`` of half the contrast that the fit
    may leave; ``most_blur_squares`` the blur beyond which the markers next to the corner run into it;
    ``least_turn_deg`` angle between the two edges; ``pixel_correlation`` by how much
    neighbouring pixels' noise goes together; ``settled_px`` the step at which the fit ends.
    """

    most_radius_px: float = 18.0
    most_radius_squares: float = 0.42
    least_radius_px: float = 3.0
    start_blur_px: float = 1.2
    marker_clearance_px: float = 1.0
    most_shift_squares: float = 0.2
    shift_floor_px: float = 3.0
    least_contrast: float = 16.0
    most_residual_share: float = 0.3
    most_blur_squares: float = 0.25
    least_turn_deg: float = 12.0
    pixel_correlation: float = 2.0
    settled_px: float = 1e-3
    steps: int = 12


@dataclass(frozen=True, eq=False)
class Saddles:
    """Refined corners: ``pixels`` (n, 2), ``sigma_px`` (n,) of a coordinate, ``blur_px`` (n,), ``good`` (n,) mask."""

    pixels: Array
    sigma_px: Array
    blur_px: Array
    good: npt.NDArray[np.bool_]


def refine_saddles(
    gray: Gray,
    expected: Array,
    along: Array,
    down: Array,
    white: npt.NDArray[np.bool_],
    clear: float,
    config: SaddleConfig | None = None,
) -> Saddles:
    """Refine corners expected at pixels (n, 2), where one square spans ``along`` (n, 2) and ``down`` (n, 2) pixels.

    ``white`` (n,): whether the square to the lower right (+along, +down) is white. ``clear``: how far, in squares, the
    white squares are empty from their edges inwards (1 without markers).
    """
    config = config or SaddleConfig()
    n = len(expected)
    if not n:
        return Saddles(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros(0, dtype=bool))
    axes = np.stack([along, down], axis=2)  # (n, 2, 2): squares to pixels
    to_squares = np.asarray(np.linalg.inv(axes), dtype=np.float64)
    shortest = np.abs(np.linalg.det(axes)) / np.maximum(np.linalg.norm(along, axis=1), np.linalg.norm(down, axis=1))
    radius = np.clip(config.most_radius_squares * shortest, config.least_radius_px, config.most_radius_px)
    pixels, grey, inside = _windows(gray, expected, radius)
    sign = np.where(white, 1.0, -1.0)

    state = _start(expected, along, down, sign, grey, inside, config)
    damping = np.full(n, 1e-3)
    weights = _weights(pixels, state, to_squares, radius, sign, clear, inside, config)
    residual, jacobian = _model(pixels, grey, state)
    cost = np.einsum("ni,ni,ni->n", weights, residual, residual)
    for _ in range(config.steps):
        weighted = (jacobian * weights[:, :, None]).transpose(0, 2, 1)
        normal, gradient = weighted @ jacobian, (weighted @ residual[:, :, None])[:, :, 0]
        scale = np.einsum("npp->np", normal) + 1e-9
        step = np.linalg.solve(
            normal + (damping[:, None] * scale)[:, :, None] * np.eye(_UNKNOWNS), -gradient[..., None]
        )
        trial = state + np.clip(step[..., 0], -_largest_step(shortest), _largest_step(shortest))
        new_residual, new_jacobian = _model(pixels, grey, trial)
        new_cost = np.einsum("ni,ni,ni->n", weights, new_residual, new_residual)
        better, before = new_cost < cost, state
        state = np.where(better[:, None], trial, state)
        residual = np.where(better[:, None], new_residual, residual)
        jacobian = np.where(better[:, None, None], new_jacobian, jacobian)
        damping = np.where(better, damping * 0.2, damping * 10)
        move = np.abs(trial[:, :2] - before[:, :2]).max(axis=1)
        if np.all((better & (move < config.settled_px)) | (damping > 1.0)):
            break
        weights = _weights(pixels, state, to_squares, radius, sign, clear, inside, config)
        cost = np.einsum("ni,ni,ni->n", weights, residual, residual)

    count = weights.sum(axis=1)
    variance = cost / np.maximum(count - _UNKNOWNS, 1)
    normal = (jacobian * weights[:, :, None]).transpose(0, 2, 1) @ jacobian + 1e-9 * np.eye(_UNKNOWNS)
    spread = np.linalg.inv(normal)[:, :2, :2] * variance[:, None, None]
    sigma = np.sqrt(np.maximum(np.einsum("nii->n", spread) / 2, 0.0)) * config.pixel_correlation
    blur = np.exp(state[:, 4])
    contrast = 2 * state[:, 6] * sign
    shift = np.linalg.norm(state[:, :2] - expected, axis=1)
    turn = np.abs(np.sin(state[:, 2] - state[:, 3]))
    good = (
        (count > 2 * _UNKNOWNS)
        & (contrast >= config.least_contrast)
        & (np.sqrt(variance) <= config.most_residual_share * contrast / 2)
        & (shift <= np.maximum(config.most_shift_squares * shortest, config.shift_floor_px))
        & (blur <= np.maximum(config.most_blur_squares * shortest, 1.0))
        & (turn >= np.sin(np.radians(config.least_turn_deg)))
        & np.isfinite(sigma)
    )
    return Saddles(state[:, :2], sigma, blur, good)


def _largest_step(shortest: Array) -> Array:
    place = 0.1 * shortest + 0.5
    n = len(shortest)
    return np.column_stack([place, place, *np.full((3, n), 0.3), *np.full((2, n), 128.0), *np.full((2, n), 10.0)])


def _windows(gray: Gray, expected: Array, radius: Array) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
    """Pixel places (n, m, 2) of square windows, their grey levels (n, m), whether they are in the picture (n, m)."""
    reach = int(np.ceil(radius.max())) + 2
    offsets = np.stack(np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1)), axis=-1).reshape(-1, 2)
    places = np.rint(expected).astype(np.int64)[:, None] + offsets
    h, w = gray.shape
    inside = (places[..., 0] >= 0) & (places[..., 0] < w) & (places[..., 1] >= 0) & (places[..., 1] < h)
    grey = gray[np.clip(places[..., 1], 0, h - 1), np.clip(places[..., 0], 0, w - 1)].astype(np.float64)
    return places.astype(np.float64), grey, inside


def _start(
    expected: Array,
    along: Array,
    down: Array,
    sign: Array,
    grey: Array,
    inside: npt.NDArray[np.bool_],
    config: SaddleConfig,
) -> Array:
    dark = np.array([np.percentile(g[i], 15) if i.any() else 0.0 for g, i in zip(grey, inside, strict=True)])
    light = np.array([np.percentile(g[i], 85) if i.any() else 0.0 for g, i in zip(grey, inside, strict=True)])
    state = np.zeros((len(expected), _UNKNOWNS))
    state[:, :2] = expected
    state[:, 2] = np.arctan2(down[:, 1], down[:, 0]) - np.pi / 2  # normal of the edge that runs down, towards +along
    state[:, 3] = np.arctan2(along[:, 1], along[:, 0]) + np.pi / 2  # normal of the edge that runs along, towards +down
    state[:, 4] = np.log(config.start_blur_px)
    state[:, 5] = (dark + light) / 2
    state[:, 6] = sign * np.maximum(light - dark, config.least_contrast) / 2
    return state


def _model(pixels: Array, grey: Array, state: Array) -> tuple[Array, Array]:
    """Residuals (n, m) model minus picture, and their derivatives (n, m, 9)."""
    x, y = pixels[..., 0] - state[:, None, 0], pixels[..., 1] - state[:, None, 1]
    blur = np.exp(np.clip(state[:, None, 4], -2.0, 4.0))
    mean, contrast = state[:, None, 5], state[:, None, 6]
    edges, slopes, crosses, normals = [], [], [], []
    for column in (2, 3):
        c, s = np.cos(state[:, None, column]), np.sin(state[:, None, column])
        distance = (c * x + s * y) / blur
        edges.append(erf(distance))
        slopes.append(2 / np.sqrt(np.pi) * np.exp(-np.minimum(distance**2, 50.0)) / blur)
        crosses.append((-s * x + c * y, distance * blur))
        normals.append((c, s))
    (e1, e2), (g1, g2) = edges, slopes
    residual = mean + state[:, None, 7] * x + state[:, None, 8] * y + contrast * e1 * e2 - grey
    jacobian = np.empty((*grey.shape, _UNKNOWNS))
    across1, across2 = contrast * g1 * e2, contrast * e1 * g2
    for k in (0, 1):
        jacobian[..., k] = -across1 * normals[0][k] - across2 * normals[1][k] - state[:, None, 7 + k]
    jacobian[..., 2] = across1 * crosses[0][0]
    jacobian[..., 3] = across2 * crosses[1][0]
    jacobian[..., 4] = -across1 * crosses[0][1] - across2 * crosses[1][1]
    jacobian[..., 5] = 1.0
    jacobian[..., 6] = e1 * e2
    jacobian[..., 7] = x
    jacobian[..., 8] = y
    return residual, jacobian


def _weights(
    pixels: Array,
    state: Array,
    to_squares: Array,
    radius: Array,
    sign: Array,
    clear: float,
    inside: npt.NDArray[np.bool_],
    config: SaddleConfig,
) -> Array:
    """1 for pixels (n, m) of the window round the corner, 0 beyond it and on markers; symmetric about it."""
    x, y = pixels[..., 0] - state[:, None, 0], pixels[..., 1] - state[:, None, 1]
    along, down = (to_squares[:, k, 0, None] * x + to_squares[:, k, 1, None] * y for k in (0, 1))
    in_white = along * down * sign[:, None] > 0
    np.abs(along, out=along)
    np.abs(down, out=down)
    pixels_per_square = 1 / np.linalg.norm(to_squares, axis=2).max(axis=1)
    margin = np.maximum(clear - config.marker_clearance_px / pixels_per_square, 0.25 * clear)
    edge = np.clip(radius[:, None] + 0.5 - np.sqrt(x**2 + y**2), 0.0, 1.0)
    in_marker = in_white & (np.minimum(along, down) > margin[:, None])
    return edge * (inside & ~in_marker & (np.maximum(along, down) < 0.6))
