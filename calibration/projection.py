"""The pinhole with five distortion terms and its derivatives, for many points at once.

Rows of every Jacobian are pixel u, pixel v. Camera parameters are (fx, fy, cx, cy, k1, k2, p1, p2, k3), the order of
``calibration.camera``; the model is OpenCV's (Brown 1966; Conrady 1919).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def project(points_cam: Array, parameters: Array) -> Array:
    """Pixels (n, 2) of camera-frame points (n, 3) in front of the camera."""
    fx, fy, cx, cy, k1, k2, p1, p2, k3 = parameters
    x, y = points_cam[:, 0] / points_cam[:, 2], points_cam[:, 1] / points_cam[:, 2]
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    u = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    v = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    return np.stack([fx * u + cx, fy * v + cy], axis=1)


def project_with_jacobian(points_cam: Array, parameters: Array) -> tuple[Array, Array, Array]:
    """Pixels (n, 2), their derivatives by the camera-frame point (n, 2, 3) and by the camera parameters (n, 2, 9)."""
    fx, fy, cx, cy, k1, k2, p1, p2, k3 = parameters
    inverse_depth = 1 / points_cam[:, 2]
    x, y = points_cam[:, 0] * inverse_depth, points_cam[:, 1] * inverse_depth
    xx, yy, xy = x * x, y * y, x * y
    r2 = xx + yy
    r4, r6 = r2 * r2, r2 * r2 * r2
    radial = 1 + k1 * r2 + k2 * r4 + k3 * r6
    slope = 2 * (k1 + 2 * k2 * r2 + 3 * k3 * r4)  # d radial / d(r2) * 2

    u = x * radial + 2 * p1 * xy + p2 * (r2 + 2 * xx)
    v = y * radial + p1 * (r2 + 2 * yy) + 2 * p2 * xy
    pixels = np.stack([fx * u + cx, fy * v + cy], axis=1)

    u_x = radial + slope * xx + 2 * p1 * y + 6 * p2 * x
    u_y = slope * xy + 2 * p1 * x + 2 * p2 * y
    v_y = radial + slope * yy + 6 * p1 * y + 2 * p2 * x
    n = len(points_cam)
    by_point = np.empty((n, 2, 3))
    by_point[:, 0, 0] = fx * u_x * inverse_depth
    by_point[:, 0, 1] = fx * u_y * inverse_depth
    by_point[:, 1, 0] = fy * u_y * inverse_depth
    by_point[:, 1, 1] = fy * v_y * inverse_depth
    by_point[:, :, 2] = -(by_point[:, :, 0] * x[:, None] + by_point[:, :, 1] * y[:, None])

    by_camera = np.zeros((n, 2, 9))
    by_camera[:, 0, 0] = u
    by_camera[:, 1, 1] = v
    by_camera[:, 0, 2] = by_camera[:, 1, 3] = 1
    for column, power in ((4, r2), (5, r4), (8, r6)):
        by_camera[:, 0, column] = fx * x * power
        by_camera[:, 1, column] = fy * y * power
    by_camera[:, 0, 6] = fx * 2 * xy
    by_camera[:, 1, 6] = fy * (r2 + 2 * yy)
    by_camera[:, 0, 7] = fx * (r2 + 2 * xx)
    by_camera[:, 1, 7] = fy * 2 * xy
    return pixels, by_point, by_camera


def turn(w: Array) -> Array:
    """The rotation matrix exp([w]x) of a rotation vector (3,) in radians."""
    angle = float(np.sqrt(w @ w))
    W = cross_matrix(w)
    if angle < 1e-8:
        return np.eye(3) + W + W @ W / 2
    return np.eye(3) + np.sin(angle) / angle * W + (1 - np.cos(angle)) / angle**2 * (W @ W)


def turn_jacobian(w: Array) -> Array:
    """L (3, 3) with exp([w + dw]x) = exp([L dw]x) exp([w]x) to first order (the left Jacobian of SO(3))."""
    angle = float(np.sqrt(w @ w))
    W = cross_matrix(w)
    if angle < 1e-5:
        return np.eye(3) + W / 2 + W @ W / 6
    return np.eye(3) + (1 - np.cos(angle)) / angle**2 * W + (angle - np.sin(angle)) / angle**3 * (W @ W)


def cross_matrix(v: Array) -> Array:
    """[v]x (3, 3), with [v]x a = v x a."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def cross_matrices(vectors: Array) -> Array:
    """[v]x (n, 3, 3) of vectors (n, 3)."""
    out = np.zeros((len(vectors), 3, 3))
    out[:, 0, 1], out[:, 0, 2] = -vectors[:, 2], vectors[:, 1]
    out[:, 1, 0], out[:, 1, 2] = vectors[:, 2], -vectors[:, 0]
    out[:, 2, 0], out[:, 2, 1] = -vectors[:, 1], vectors[:, 0]
    return out
