"""Drawn photographs of printed squares with exact corners: light is added up in linear units on a fine grid, blurred,
encoded.

Used by the marker and tag tests and by the evaluation script. Everything follows from the seed.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Camera, TableView
from calibration.dictionaries import marker_dictionary

Array = npt.NDArray[np.float64]
INK, PAPER = 0.035, 0.82


@dataclass(frozen=True)
class Square:
    """A printed square: black side ``size_in``, white paper ``quiet_in`` round it; ``figures`` are dark upright blobs
    (x, y, radius) in tag units (0 to 1 across the black square) that hide a part of it."""

    dictionary: str
    id: int
    size_in: float
    center: tuple[float, float]
    z: float = 0.0
    rotation_deg: float = 0.0
    quiet_in: float = 0.1
    mirrored: bool = False
    inverted: bool = False
    figures: tuple[tuple[float, float, float], ...] = ()

    @property
    def corners(self) -> Array:
        """(4, 3) table inches, the printed top left first, then clockwise as printed."""
        return self.places(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))

    def places(self, units: Array) -> Array:
        """Table points (n, 3) of places (n, 2) in tag units, (0, 0) its top left, y down."""
        a = np.radians(self.rotation_deg)
        right, down = np.array([np.cos(a), -np.sin(a)]), np.array([-np.sin(a), -np.cos(a)])
        xy = np.array(self.center) + self.size_in * ((units[:, :1] - 0.5) * right + (units[:, 1:] - 0.5) * down)
        return np.column_stack([xy, np.full(len(xy), self.z)])

    def units(self, points: Array) -> Array:
        """Tag units (n, 2) of table points (n, 2)."""
        a = np.radians(self.rotation_deg)
        right, down = np.array([np.cos(a), -np.sin(a)]), np.array([-np.sin(a), -np.cos(a)])
        offset = (points - np.array(self.center)) / self.size_in
        return np.column_stack([offset @ right, offset @ down]) + 0.5

    def reflectance(self, units: Array) -> Array:
        """Reflectance (n,) at places in tag units; NaN beyond the paper."""
        dictionary = marker_dictionary(self.dictionary)
        cells = dictionary.markerSize + 2
        pattern = cv2.aruco.generateImageMarker(dictionary, self.id, cells) > 127
        if self.mirrored:
            pattern = pattern[:, ::-1]
        index = np.floor(units * cells).astype(int)
        inside = ((index >= 0) & (index < cells)).all(axis=1)
        white = np.ones(len(units), dtype=bool)
        white[inside] = pattern[index[inside, 1], index[inside, 0]]
        value = np.where(white != self.inverted, PAPER, INK)
        margin = self.quiet_in / self.size_in
        on_paper = ((units >= -margin) & (units <= 1 + margin)).all(axis=1)
        for x, y, radius in self.figures:
            value = np.where(np.hypot(units[:, 0] - x, units[:, 1] - y) < radius, 0.06, value)
        return np.where(on_paper, value, np.nan)


@dataclass(frozen=True)
class Scene:
    """A picture to draw. ``shadow`` is a half plane a x + b y < c in table inches whose light falls to
    ``shadow_light``; ``glare`` (x, y, radius, added light); ``exposure`` multiplies all; ``mat`` grass, sand or
    cloth."""

    view: TableView
    squares: tuple[Square, ...]
    mat: str = "grass"
    blur_px: float = 0.7
    noise: float = 0.006
    jpeg_quality: int = 90
    exposure: float = 1.0
    shadow: tuple[float, float, float] | None = None
    shadow_light: float = 0.25
    glare: tuple[float, float, float, float] | None = None
    seed: int = 0
    base_in: tuple[float, float] | None = (1.25, 1.0)
    bases: bool = field(default=True)


def camera_over(
    width: int,
    height: int,
    *,
    target: tuple[float, float],
    distance_in: float,
    elevation_deg: float,
    azimuth_deg: float = 0.0,
    roll_deg: float = 0.0,
    focal_widths: float = 0.75,
    dist: tuple[float, ...] = (0.05, -0.07, 0.0004, -0.0003, 0.0),
) -> TableView:
    """A view that looks at a table point from ``distance_in`` at an elevation over the table (90: from above)."""
    e, a, r = np.radians([elevation_deg, azimuth_deg, roll_deg])
    eye = np.array([*target, 0.0]) + distance_in * np.array([np.cos(e) * np.sin(a), -np.cos(e) * np.cos(a), np.sin(e)])
    forward = np.array([*target, 0.0]) - eye
    forward /= np.linalg.norm(forward)
    right = np.array([np.cos(a), np.sin(a), 0.0])
    down = np.cross(forward, right)
    R = np.stack([right, down, forward])
    turn = np.array([[np.cos(r), -np.sin(r), 0.0], [np.sin(r), np.cos(r), 0.0], [0.0, 0.0, 1.0]])
    R = turn @ R
    f = focal_widths * max(width, height)
    K = np.array([[f, 0.0, (width - 1) / 2 + 7.3], [0.0, f, (height - 1) / 2 - 5.1], [0.0, 0.0, 1.0]])
    return TableView(Camera(K, np.array(dist), (width, height)), R, -R @ eye)


def draw(scene: Scene) -> npt.NDArray[np.uint8]:
    """The grey photograph (h, w) uint8."""
    rng = np.random.default_rng(scene.seed)
    width, height = scene.view.camera.size
    light = _mat(scene, rng)
    for square in sorted(scene.squares, key=lambda s: s.z):
        _add(light, scene, square, rng)
    light *= scene.exposure
    if scene.blur_px > 0:
        light = cv2.GaussianBlur(light, (0, 0), scene.blur_px, borderType=cv2.BORDER_REPLICATE)
    light = light + rng.normal(size=(height, width)) * scene.noise * np.sqrt(np.maximum(light, 0.0) + 0.05)
    light = np.clip(light, 0.0, 1.0)
    encoded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    gray = np.clip(np.rint(encoded * 255), 0, 255).astype(np.uint8)
    if scene.jpeg_quality < 100:
        _, packed = cv2.imencode(".jpg", gray, [cv2.IMWRITE_JPEG_QUALITY, scene.jpeg_quality])
        gray = cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE)
    return np.asarray(gray, dtype=np.uint8)


def true_corners(scene: Scene, square: Square) -> Array:
    """Exact corners (4, 2) in the picture, the printed top left first, then clockwise as printed."""
    return scene.view.pixel_from_table(square.corners)


def _illumination(scene: Scene, points: Array) -> tuple[Array, Array]:
    """Factor and added light at table points (n, 2)."""
    factor, added = np.ones(len(points)), np.zeros(len(points))
    if scene.shadow is not None:
        a, b, c = scene.shadow
        depth = (c - points @ np.array([a, b])) / np.hypot(a, b)
        factor = 1 - (1 - scene.shadow_light) * np.clip(depth / 0.1 + 0.5, 0, 1)
    if scene.glare is not None:
        x, y, radius, strength = scene.glare
        added = strength * np.exp(-((points - (x, y)) ** 2).sum(axis=1) / (2 * radius**2))
    return factor, added


def _mat(scene: Scene, rng: np.random.Generator, step: int = 2) -> npt.NDArray[np.float64]:
    width, height = scene.view.camera.size
    u, v = np.meshgrid(np.arange(0, width, step, dtype=float), np.arange(0, height, step, dtype=float))
    points = scene.view.point_from_pixel(np.column_stack([u.ravel(), v.ravel()]), 0.0)
    mean, contrast, size = {"grass": (0.10, 0.9, 0.05), "sand": (0.45, 0.25, 0.1), "cloth": (0.03, 0.3, 0.02)}[
        scene.mat
    ]
    total = np.zeros(len(points))
    for octave in range(4):
        texture = rng.normal(size=(256, 256)).astype(np.float32)
        at = (points / (size * 2**octave)).astype(np.float32) % 256
        total += cv2.remap(
            texture, at[:, 0].reshape(u.shape), at[:, 1].reshape(u.shape), cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
        ).ravel() / (1 + 0.4 * octave)
    value = mean * np.exp(contrast * 0.5 * total)
    factor, added = _illumination(scene, points)
    coarse = (np.clip(value, 0.005, 0.9) * factor + added).reshape(u.shape).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.float64)


def _points_within(view: TableView, box: tuple[int, int, int, int], z: float, fine: int) -> Array:
    """Table points (n, 2) of fine x fine samples of every pixel of a box (left, top, right, bottom), at height ``z``.

    Exact at the pixels' corners and straight between them, which is within 0.001 of a pixel.
    """
    x0, y0, x1, y1 = box
    grid = np.stack(np.meshgrid(np.arange(x0, x1 + 1) - 0.5, np.arange(y0, y1 + 1) - 0.5), axis=-1)
    corners = view.point_from_pixel(grid.reshape(-1, 2), z).reshape(grid.shape)
    share = (np.arange(fine) + 0.5) / fine
    down = corners[:-1, None] + share[:, None, None] * np.diff(corners, axis=0)[:, None]
    across = down[:, :, :-1, None] + share[:, None] * np.diff(down, axis=2)[:, :, :, None]
    return np.asarray(across.reshape(-1, 2), dtype=np.float64)


def _add(light: Array, scene: Scene, square: Square, rng: np.random.Generator, fine: int = 5) -> None:
    """Lay one square (and the base under it) into the light picture, averaged over fine x fine samples per pixel."""
    height, width = light.shape
    reach = square.size_in / 2 + square.quiet_in
    if scene.base_in is not None and scene.bases and square.z > 0:
        reach = max(reach, max(scene.base_in) / 2)
    rim = np.array([[x, y] for x in (-1, 1) for y in (-1, 1)]) * reach * 1.5 + np.array(square.center)
    box = scene.view.pixel_from_table(np.column_stack([rim, np.full(4, square.z)]))
    x0, y0 = np.maximum(np.floor(box.min(axis=0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(box.max(axis=0)).astype(int) + 1, (width, height))
    if x1 <= x0 or y1 <= y0:
        return
    points = _points_within(scene.view, (x0, y0, x1, y1), square.z, fine)
    units = square.units(points)
    value = square.reflectance(units)
    if scene.base_in is not None and scene.bases and square.z > 0:
        half = np.array(scene.base_in) / 2 / square.size_in
        under = np.isnan(value) & (np.abs(units - 0.5) <= half).all(axis=1)
        value = np.where(under, 0.12 * np.exp(0.3 * rng.normal(size=len(value))), value)
    factor, added = _illumination(scene, points)
    seen = ~np.isnan(value)
    lit = np.where(seen, np.nan_to_num(value) * factor + added, 0.0)
    fold = lambda a: a.reshape(y1 - y0, fine, x1 - x0, fine).mean(axis=(1, 3))  # noqa: E731
    share = fold(seen.astype(float))
    light[y0:y1, x0:x1] = light[y0:y1, x0:x1] * (1 - share) + fold(lit)
