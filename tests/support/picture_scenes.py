"""A camera over a table and pictures of painted planes, made by casting a ray through every pixel."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from calibration import Camera, TableView

Array = npt.NDArray[np.float64]


def view_over(
    eye: tuple[float, float, float] = (14.0, -16.0, 34.0),
    target: tuple[float, float, float] = (18.0, 15.0, 0.0),
    *,
    size: tuple[int, int] = (900, 680),
    focal_px: float = 640.0,
    dist: tuple[float, ...] = (0.08, -0.09, 0.0007, -0.0005, 0.0),
) -> TableView:
    """A camera at ``eye`` looking at ``target``, upright."""
    ahead = np.subtract(target, eye)
    ahead = ahead / np.linalg.norm(ahead)
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right = right / np.linalg.norm(right)
    down = np.cross(ahead, right)
    R = np.stack([right, down, ahead])
    w, h = size
    K = np.array([[focal_px, 0, w / 2 + 6.3], [0, focal_px, h / 2 - 4.1], [0, 0, 1]])
    return TableView(Camera(K, np.array(dist), size), R, -R @ np.array(eye))


def photo_of(view: TableView, paint: Callable[[Array, Array], Array], z: float = 0.0) -> npt.NDArray[np.uint8]:
    """The picture (height, width, 3) of the plane at height z, painted by ``paint(x, y)`` in 0..255."""
    w, h = view.camera.size
    columns, rows = np.meshgrid(np.arange(w), np.arange(h))
    points = view.point_from_pixel(np.stack([columns.ravel(), rows.ravel()], axis=1), z)
    values = paint(points[:, 0], points[:, 1]).reshape(h, w)
    return np.repeat(np.clip(values + 0.5, 0, 255).astype(np.uint8)[..., None], 3, axis=2)
