"""The camera: pinhole with OpenCV's five distortion terms, and its place over the table.

Conventions, written once: x_cam = R x_table + t, inches; pixel (0, 0) is the centre of the upright picture's
top-left pixel. The camera's parameter vector is (fx, fy, cx, cy, k1, k2, p1, p2, k3); a view's is that followed by a
rotation vector w and t, where the rotation is exp([w]x) R (a small turn on the camera's side).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.errors import CameraFileError
from calibration.projection import cross_matrices, project, project_with_jacobian

Array = npt.NDArray[np.float64]

TYPED = "Usage: `tabletop calibrate`."
CAMERA_PARAMETERS = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")


@dataclass(frozen=True, eq=False)
class Camera:
    """A camera: ``K`` (3, 3), ``dist`` (5,) k1 k2 p1 p2 k3, ``size`` (width, height) in pixels of the upright picture,
    ``covariance`` (9, 9) of (fx, fy, cx, cy, k1, k2, p1, p2, k3), ``rms_px`` of the solve that made it, ``source`` in
    a word.
    """

    K: Array
    dist: Array
    size: tuple[int, int]
    covariance: Array = field(default_factory=lambda: np.zeros((9, 9)))
    rms_px: float = 0.0
    source: str = "given"

    def __post_init__(self) -> None:
        for name, shape in (("K", (3, 3)), ("dist", (5,)), ("covariance", (9, 9))):
            array = np.asarray(getattr(self, name), dtype=np.float64)
            if array.shape != shape:
                raise ValueError(f"Camera.{name} has shape {array.shape}, expected {shape}.")
            object.__setattr__(self, name, array)

    @property
    def parameters(self) -> Array:
        """(fx, fy, cx, cy, k1, k2, p1, p2, k3)."""
        return np.array([self.K[0, 0], self.K[1, 1], self.K[0, 2], self.K[1, 2], *self.dist])

    @classmethod
    def from_parameters(cls, parameters: npt.ArrayLike, size: tuple[int, int], **more: Any) -> Camera:
        """The camera of a parameter vector (9,)."""
        p = np.asarray(parameters, dtype=np.float64)
        K = np.array([[p[0], 0.0, p[2]], [0.0, p[1], p[3]], [0.0, 0.0, 1.0]])
        return cls(K=K, dist=p[4:9], size=size, **more)

    def undistort(self, pixels: npt.ArrayLike) -> Array:
        """Undistorted ray coordinates (n, 2) at depth 1 of pixels (n, 2)."""
        points = np.asarray(pixels, dtype=np.float64).reshape(-1, 1, 2)
        if not len(points):
            return np.zeros((0, 2))
        criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-12)
        rays = cv2.undistortPointsIter(points, self.K, self.dist, np.eye(3), np.eye(3), criteria)
        return np.asarray(rays, dtype=np.float64).reshape(-1, 2)

    def scaled_to(self, size: tuple[int, int]) -> Camera:
        """The same camera for a copy of the picture at another pixel count (same shape of picture)."""
        s = size[0] / self.size[0]
        if abs(size[1] / self.size[1] - s) > 0.01 * s:
            raise CameraFileError(
                f"This camera was calibrated on pictures of {self.size[0]} x {self.size[1]}; this one is {size[0]} x "
                f"{size[1]}, another shape. Calibrate again with pictures taken in the same camera mode."
            )
        scale = np.array([s, s, s, s, 1, 1, 1, 1, 1])
        p = self.parameters * scale
        p[2:4] += (s - 1) / 2
        return Camera.from_parameters(
            p, size, covariance=self.covariance * np.outer(scale, scale), rms_px=self.rms_px * s, source=self.source
        )

    def rotate_quarters(self, turns: int) -> Camera:
        """The same camera with the picture turned clockwise by ``turns`` quarter turns."""
        camera = self
        for _ in range(turns % 4):
            camera = camera._rotate_clockwise()
        return camera

    def _rotate_clockwise(self) -> Camera:
        # pixel (u, v) goes to (height - 1 - v, u), so the ray (x, y) to (-y, x)
        width, height = self.size
        T = np.zeros((9, 9))
        T[[0, 1, 3, 4, 5, 6, 8], [1, 0, 2, 4, 5, 7, 8]] = 1.0
        T[2, 3] = T[7, 6] = -1.0
        p = T @ self.parameters
        p[2] += height - 1
        return Camera.from_parameters(
            p, (height, width), covariance=T @ self.covariance @ T.T, rms_px=self.rms_px, source=self.source
        )

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready mapping."""
        return {
            "version": 1,
            "width": self.size[0],
            "height": self.size[1],
            "K": self.K.tolist(),
            "dist": self.dist.tolist(),
            "parameters": list(CAMERA_PARAMETERS),
            "covariance": self.covariance.tolist(),
            "rms_px": self.rms_px,
            "source": self.source,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Camera:
        """The camera of ``to_json``; raises CameraFileError."""
        try:
            camera = cls(
                K=np.array(data["K"], dtype=np.float64),
                dist=np.array(data["dist"], dtype=np.float64),
                size=(int(data["width"]), int(data["height"])),
                covariance=np.array(data["covariance"], dtype=np.float64),
                rms_px=float(data["rms_px"]),
                source=str(data["source"]),
            )
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            fault = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise CameraFileError(
                f"The camera file can't be used ({fault}): calibrate the camera again.", TYPED
            ) from error
        unfit = camera._fault()
        if unfit:
            raise CameraFileError(f"The camera file can't be used ({unfit}): calibrate the camera again.", TYPED)
        return camera

    def _fault(self) -> str | None:
        """The reason why these numbers are not a camera, if any."""
        if min(self.size) <= 0:
            return f"a picture of {self.size[0]} x {self.size[1]}"
        if not all(np.all(np.isfinite(a)) for a in (self.K, self.dist, self.covariance)):
            return "a number is missing"
        if min(self.K[0, 0], self.K[1, 1]) <= 0:
            return f"a focal length of {min(self.K[0, 0], self.K[1, 1]):.0f} px"
        if np.any(np.diag(self.covariance) < 0) or not np.allclose(self.covariance, self.covariance.T, rtol=1e-6):
            return "the covariance is not valid"
        return None

    def save(self, path: Path) -> None:
        """Write as JSON."""
        path.write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Camera:
        """Read a file written by ``save``; raises CameraFileError."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise CameraFileError(f"There is no camera file {path}: check its name.") from error
        except (OSError, ValueError, RecursionError) as error:
            raise CameraFileError(f"{path} is not a camera file: calibrate the camera first.", TYPED) from error
        if not isinstance(data, dict):
            raise CameraFileError(f"{path} is not a camera file: calibrate the camera first.", TYPED)
        return cls.from_json(data)


@dataclass(frozen=True, eq=False)
class TableView:
    """A camera over a table: ``R`` (3, 3), ``t`` (3,) inches, ``covariance`` (15, 15) of the joint solution
    (9 camera parameters, rotation vector, t), reprojection ``rms_px``, the frame ``markers_seen`` and used,
    ``corner_sigma_px`` the corner noise read off the residuals, ``warnings`` notes on the solution for a person.
    ``turns``: quarters by which the table may be turned otherwise (:func:`calibration.ways_round.turned_view`), since
    its near edge is not known. ``points``: how many points of the table's surface it was solved by, if it was.
    """

    camera: Camera
    R: Array
    t: Array
    covariance: Array = field(default_factory=lambda: np.zeros((15, 15)))
    rms_px: float = 0.0
    markers_seen: tuple[int, ...] = ()
    corner_sigma_px: float = 0.0
    warnings: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    points: int = 0

    @property
    def eye(self) -> Array:
        """The camera's place in table inches (3,)."""
        return -self.R.T @ self.t

    def pixel_from_table(self, points: npt.ArrayLike) -> Array:
        """Pixels (n, 2) of table points (n, 3) in inches."""
        p = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        if not len(p):
            return np.zeros((0, 2))
        return project(p @ self.R.T + self.t, self.camera.parameters)

    def pixel_jacobian(self, points: npt.ArrayLike) -> tuple[Array, Array]:
        """Derivatives of the pixels of table points (n, 3): by the point (n, 2, 3) in pixels per inch, and by the
        view's 15 parameters (n, 2, 15), in the order of ``covariance``. Rows are pixel u, pixel v."""
        p = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        turned = p @ self.R.T
        _, by_camera_point, by_camera = project_with_jacobian(turned + self.t, self.camera.parameters)
        by_turn = by_camera_point @ -cross_matrices(turned)
        return by_camera_point @ self.R, np.concatenate([by_camera, by_turn, by_camera_point], axis=2)

    def point_from_pixel(self, pixels: npt.ArrayLike, z: npt.ArrayLike) -> Array:
        """Table points (n, 2) in inches where the rays of pixels (n, 2) meet the plane of height z, a number or (n,);
        NaN where a ray does not come down to that plane."""
        rays = self.camera.undistort(pixels)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self.R
        eye = self.eye
        drop = np.broadcast_to(np.asarray(z, dtype=np.float64), (len(rays),)) - eye[2]
        with np.errstate(divide="ignore", invalid="ignore"):
            depth = drop / directions[:, 2]
        depth = np.where(depth > 0, depth, np.nan)
        return eye[:2] + depth[:, None] * directions[:, :2]

    def table_from_pixel(
        self,
        pixels: npt.ArrayLike,
        z: npt.ArrayLike,
        *,
        pixel_sigma_px: npt.ArrayLike = 0.0,
        z_sigma_in: npt.ArrayLike = 0.0,
    ) -> tuple[Array, Array]:
        """Table points (n, 2) of pixels (n, 2) at height z (a number or (n,)), and their covariances (n, 2, 2) in
        square inches: from the view's own covariance, the pixels' noise (a number, (n,), or covariances (n, 2, 2)) and
        the height's. NaN where a ray does not come down to the plane. By implicit differentiation of the projection.
        """
        seen = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        n = len(seen)
        heights = np.broadcast_to(np.asarray(z, dtype=np.float64), (n,))
        xy = self.point_from_pixel(seen, heights)
        covariance = np.full((n, 2, 2), np.nan)
        good = np.all(np.isfinite(xy), axis=1)
        if not good.any():
            return xy, covariance
        by_point, by_view = self.pixel_jacobian(np.column_stack([xy, heights])[good])
        noise = np.asarray(pixel_sigma_px, dtype=np.float64)
        if noise.ndim < 3:
            noise = np.broadcast_to(noise, (n,))[:, None, None] ** 2 * np.eye(2)
        z_variance = np.broadcast_to(np.asarray(z_sigma_in, dtype=np.float64), (n,))[good, None, None] ** 2
        by_z = by_point[:, :, 2:]
        spread = by_view @ self.covariance @ by_view.transpose(0, 2, 1) + noise[good]
        spread = spread + by_z @ by_z.transpose(0, 2, 1) * z_variance
        inches_per_pixel = np.linalg.inv(by_point[:, :, :2])
        covariance[good] = inches_per_pixel @ spread @ inches_per_pixel.transpose(0, 2, 1)
        return xy, covariance

    def elevation_deg(self, point: npt.ArrayLike) -> float:
        """Angle of the line of sight above the table at a point (2,) or (3,) in inches: 90 is straight above."""
        p = np.zeros(3)
        given = np.asarray(point, dtype=np.float64).reshape(-1)
        p[: len(given)] = given
        d = self.eye - p
        return float(np.degrees(np.arctan2(d[2], np.hypot(d[0], d[1]))))
