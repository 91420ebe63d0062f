"""Drawn photographs of a table with painted bases: polygons through a real camera model, three times oversampled.

Everything follows from the arguments and the seed; the truth is what was drawn.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Camera, FrameLayout, FrameMarker, TableView
from calibration.dictionaries import marker_dictionary
from vision import BaseShape, Expected, ExpectedUnit

Array = npt.NDArray[np.float64]
OVER = 3
RED, BLUE = (138, 34, 38), (50, 80, 136)  # paint, red-green-blue


@dataclass(frozen=True)
class DrawnBase:
    """A base as drawn: ``rim`` paint (red, green, blue) ``rim_in`` wide, its surface at ``z``, a tag where given."""

    x: float
    y: float
    facing: float
    shape: BaseShape = field(default_factory=lambda: BaseShape(2.0, 1.25, 0.12))
    rim: tuple[int, int, int] = RED
    rim_in: float = 0.07
    z: float = 0.0
    tag: int | None = None


def looking_at(
    width_px: int = 1600,
    height_px: int = 1200,
    *,
    focal: float = 1250.0,
    target: tuple[float, float] = (9.0, 9.0),
    distance_in: float = 26.0,
    elevation_deg: float = 55.0,
    azimuth_deg: float = -90.0,
    dist: tuple[float, ...] = (0.05, -0.07, 0.0, 0.0, 0.0),
) -> TableView:
    """A camera over the table that looks at ``target`` from ``distance_in`` away."""
    e, a = np.radians(elevation_deg), np.radians(azimuth_deg)
    eye = np.array([*target, 0.0]) + distance_in * np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    forward = np.array([*target, 0.0]) - eye
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    R = np.stack([right, np.cross(forward, right), forward])
    K = np.array([[focal, 0.0, (width_px - 1) / 2], [0.0, focal, (height_px - 1) / 2], [0.0, 0.0, 1.0]])
    return TableView(Camera(K, np.array(dist), (width_px, height_px)), R, -R @ eye)


class Sheet:
    """A picture being drawn, oversampled."""

    def __init__(
        self, view: TableView, mat: tuple[int, int, int] = (96, 108, 60), seed: int = 0, grain: float = 12.0
    ) -> None:
        self.view = view
        w, h = view.camera.size
        rng = np.random.default_rng(seed)
        coarse = rng.normal(0.0, grain, (h // 2, w // 2, 1)) + rng.normal(0.0, grain / 3, (h // 2, w // 2, 3))
        self.big = np.empty((h * OVER, w * OVER, 3), np.uint8)
        for channel, paint in enumerate(mat[::-1]):  # one at a time: a large sheet would take a gigabyte
            part = np.ascontiguousarray(coarse[..., channel], np.float32)
            texture = cv2.resize(part, (w * OVER, h * OVER), interpolation=cv2.INTER_LINEAR)
            texture += np.float32(paint)
            self.big[..., channel] = np.clip(texture, 0, 255, out=texture)
        self.rng = rng

    def polygon(self, points: npt.ArrayLike, rgb: tuple[int, int, int]) -> None:
        p = np.asarray(points, dtype=np.float64)
        parts = [p[k] + (p[(k + 1) % len(p)] - p[k]) * np.linspace(0, 1, 6)[:-1, None] for k in range(len(p))]
        pixels = self.view.pixel_from_table(np.concatenate(parts))
        at = np.round(((pixels + 0.5) * OVER - 0.5) * 16).astype(np.int32)
        cv2.fillPoly(self.big, [at], tuple(int(v) for v in rgb[::-1]), lineType=cv2.LINE_8, shift=4)

    def marker(self, dictionary: str, marker_id: int, corners: Array, quiet: float = 0.17) -> None:
        """A printed marker on white paper, ``corners`` (4, 3) of its black square."""
        middle = corners.mean(axis=0)
        self.polygon(middle + (corners - middle) * (1 + 2 * quiet), (236, 236, 236))
        book = marker_dictionary(dictionary)
        cells = book.markerSize + 2
        bits = cv2.aruco.generateImageMarker(book, marker_id, cells) > 127
        self.polygon(corners, (20, 20, 20))
        right, down = (corners[1] - corners[0]) / cells, (corners[3] - corners[0]) / cells
        for r, c in zip(*np.nonzero(bits), strict=True):
            at = corners[0] + c * right + r * down
            self.polygon([at, at + right, at + right + down, at + down], (236, 236, 236))

    def base(self, base: DrawnBase, flock: tuple[int, int, int] = (120, 112, 64)) -> None:
        """A base: its side faces and rim in paint, its top in flock."""
        top, bottom = base.z + base.shape.height, base.z
        outer = outline(base, 0.0)
        paint = np.array(base.rim)
        towards = self.view.eye[:2] - np.array([base.x, base.y])
        for k in range(len(outer)):
            a, b = outer[k], outer[(k + 1) % len(outer)]
            if (a + b) @ towards / 2 > np.array([base.x, base.y]) @ towards:
                shade = tuple(int(v) for v in paint * 0.75)
                self.polygon([[*a, bottom], [*b, bottom], [*b, top], [*a, top]], shade)  # type: ignore[arg-type]
        self.polygon(np.column_stack([outer, np.full(len(outer), top)]), base.rim)
        inner = outline(base, base.rim_in)
        self.polygon(np.column_stack([inner, np.full(len(inner), top)]), flock)

    def picture(self, blur_px: float = 0.6, noise: float = 2.0) -> npt.NDArray[np.uint8]:
        """The finished picture (h, w, 3), BGR."""
        w, h = self.view.camera.size
        image = cv2.resize(self.big, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
        image = cv2.GaussianBlur(image, (0, 0), blur_px) + self.rng.normal(0.0, noise, image.shape)
        return np.clip(image, 0, 255).astype(np.uint8)


def outline(base: DrawnBase, inset: float) -> Array:
    """Outline points (n, 2) in table inches, ``inset`` inside the base's edge."""
    a = np.radians(base.facing)
    forward, right = np.array([np.sin(a), np.cos(a)]), np.array([np.cos(a), -np.sin(a)])
    w, d = base.shape.width / 2 - inset, base.shape.depth / 2 - inset
    if base.shape.is_round or base.shape.is_oval:
        turn = np.linspace(0, 2 * np.pi, 49)[:-1]
        local = np.column_stack([w * np.cos(turn), d * np.sin(turn)])
    else:
        local = np.array([[-w, d], [w, d], [w, -d], [-w, -d]])
    return np.array([base.x, base.y]) + local[:, :1] * right + local[:, 1:] * forward


FRAME = FrameLayout(
    "DICT_APRILTAG_36h11",
    2.0,
    tuple(FrameMarker(k, xy) for k, xy in enumerate(((1.0, 1.0), (17.0, 1.0), (17.0, 17.0), (1.0, 17.0)))),
)


def expected_for(units: tuple[ExpectedUnit, ...], *, tags: str | None = None, tag_size_in: float = 0.7) -> Expected:
    """An 18″ x 18″ table with four frame markers, red and blue rims and the given roster."""
    return Expected(18.0, 18.0, FRAME, units, tags, tag_size_in if tags else 0.0, (("red", RED), ("blue", BLUE)))


def draw_table(
    view: TableView, bases: list[DrawnBase], *, tags: str | None = None, seed: int = 0
) -> npt.NDArray[np.uint8]:
    """A picture of that table with bases on it, farthest first."""
    sheet = Sheet(view, seed=seed)
    for marker in FRAME.markers:
        sheet.marker(FRAME.dictionary, marker.id, FRAME.corners(marker.id))
    eye = view.eye
    for base in sorted(bases, key=lambda b: -np.hypot(b.x - eye[0], b.y - eye[1])):
        sheet.base(base)
        if base.tag is not None and tags is not None:
            flat = tag_corners(base, 0.7)
            sheet.marker(tags, base.tag, np.column_stack([flat, np.full(4, base.z + base.shape.height + 0.01)]), 0.13)
    return sheet.picture()


def tag_corners(base: DrawnBase, size_in: float) -> Array:
    """Corners (4, 2) of a tag in the middle of a base, its top edge towards the base's front."""
    a = np.radians(base.facing)
    forward, right = np.array([np.sin(a), np.cos(a)]), np.array([np.cos(a), -np.sin(a)])
    signs = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * size_in / 2
    return np.array([base.x, base.y]) + signs[:, :1] * right + signs[:, 1:] * forward
