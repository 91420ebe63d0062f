"""The camera of a photographed table: projects table points into its picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tabletop.errors import SceneError

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PhotoCamera:
    """The camera that took a picture: ``K`` (3, 3), OpenCV's k1 k2 p1 p2 k3, ``R`` (3, 3) and ``t`` (3,) inches;
    ``size`` is the upright picture's width and height in pixels."""

    K: Array
    distortion: Array
    R: Array
    t: Array
    size: tuple[int, int]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> PhotoCamera:
        """The camera in an observation's row of a photo; raises KeyError, TypeError or ValueError without one."""
        return cls(
            np.array(row["K"], dtype=np.float64).reshape(3, 3),
            np.array([*row["dist"], *[0.0] * 5][:5], dtype=np.float64),
            np.array(row["R"], dtype=np.float64).reshape(3, 3),
            np.array(row["t"], dtype=np.float64).reshape(3),
            (int(row["width"]), int(row["height"])),
        )

    def project(self, points: npt.ArrayLike) -> Array:
        """Table points (n, 3) in inches to pixels (n, 2) of the upright picture.

        >>> above = np.array([0.0, 0.0, 10.0])
        >>> camera = PhotoCamera(np.diag([100.0, 100.0, 1.0]), np.zeros(5), np.eye(3), above, (640, 480))
        >>> camera.project([[1.0, 2.0, 0.0]]).tolist()
        [[10.0, 20.0]]
        """
        p = np.asarray(points, dtype=np.float64).reshape(-1, 3) @ self.R.T + self.t
        x, y = p[:, 0] / p[:, 2], p[:, 1] / p[:, 2]
        k1, k2, p1, p2, k3 = self.distortion
        square = x * x + y * y
        radial = 1 + square * (k1 + square * (k2 + square * k3))
        u = x * radial + 2 * p1 * x * y + p2 * (square + 2 * x * x)
        v = y * radial + p1 * (square + 2 * y * y) + 2 * p2 * x * y
        return np.stack([self.K[0, 0] * u + self.K[0, 2], self.K[1, 1] * v + self.K[1, 2]], axis=1)

    @property
    def eye(self) -> Array:
        """The position of the camera (3,), table inches."""
        return np.asarray(-self.R.T @ self.t)

    def in_picture(self, points: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether table points (n, 3) are in the picture (n,)."""
        p = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        ahead = (p @ self.R.T + self.t)[:, 2] > 0
        found = np.zeros(len(p), dtype=bool)
        pixels = self.project(p[ahead])
        found[ahead] = ((pixels >= -0.5) & (pixels < np.array(self.size) - 0.5)).all(axis=1)
        return found

    def distance_in(self, point: npt.ArrayLike) -> float:
        """The distance of a table point (3,) from the camera."""
        return float(np.linalg.norm(np.asarray(point, dtype=np.float64) - self.eye))

    def pixels_per_inch(self, point: npt.ArrayLike) -> float:
        """The pixels of an inch on the table at a point (3,): the root of the area of a square inch."""
        steps = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]])
        a, b, c = self.project(np.asarray(point, dtype=np.float64) + steps)
        across, along = (b - a) / 0.1, (c - a) / 0.1
        return math.sqrt(abs(float(across[0] * along[1] - across[1] * along[0])))


def cameras_of(observation: Mapping[str, Any]) -> tuple[PhotoCamera, ...]:
    """The cameras of an observation's photos, none for a scene; raises SceneError for a photo without a camera."""
    try:
        return tuple(PhotoCamera.of(row) for row in observation.get("photos") or ())
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise SceneError(
            "The observation has a photo without its camera (K, dist, R and t): observe the photo again."
        ) from error


def shown_places(cameras: Sequence[PhotoCamera], places: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Whether places (n, 2) on the table are in the picture of one of the cameras (n,); all are without any camera."""
    flat = np.asarray(places, dtype=np.float64).reshape(-1, 2)
    points = np.column_stack([flat, np.zeros(len(flat))])
    return np.any([camera.in_picture(points) for camera in cameras] or [np.ones(len(flat), bool)], axis=0)
