"""Small things drawn on the table of ``tests.support.table_scenes``: dice, cotton, cards and rulers."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from tests.support.table_scenes import FRAME, DrawnBase, Sheet, looking_at, tag_corners
from vision.imaging.photo import Photo

Array = npt.NDArray[np.float64]
Rgb = tuple[int, int, int]

GRASS: Rgb = (96, 108, 60)
SAND: Rgb = (206, 178, 126)
OPPOSITE = {1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1}
SIDES = {1: (2, 3), 2: (6, 3), 3: (1, 2), 4: (5, 1), 5: (1, 3), 6: (5, 4)}
PIPS = {
    1: [(0, 0)],
    2: [(-1, 1), (1, -1)],
    3: [(-1, 1), (0, 0), (1, -1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@dataclass(frozen=True)
class DrawnDie:
    """A die as drawn: its upper face shows ``value``, ``turn_deg`` clockwise, on a surface at ``z``."""

    x: float
    y: float
    value: int
    turn_deg: float = 20.0
    side: float = 0.55
    color: Rgb = (190, 30, 34)
    pip: Rgb = (240, 240, 240)
    z: float = 0.0


@dataclass(frozen=True)
class DrawnCotton:
    """A cotton ball as drawn: lumps of ``size`` in all, its edge in tufts."""

    x: float
    y: float
    size: float = 1.0
    z: float = 0.0


def close_view(elevation_deg: float = 60.0, azimuth_deg: float = -90.0) -> TableView:
    """The table from near enough that an inch is about 60 pixels."""
    return looking_at(2200, 1800, focal=1800.0, distance_in=29.0, elevation_deg=elevation_deg, azimuth_deg=azimuth_deg)


def draw_die(sheet: Sheet, die: DrawnDie) -> None:
    """The three faces that the camera sees, each with its pips, the sides in shade."""
    a = np.radians(die.turn_deg)
    right, ahead = np.array([np.cos(a), -np.sin(a), 0.0]), np.array([np.sin(a), np.cos(a), 0.0])
    up, half = np.array([0.0, 0.0, 1.0]), die.side / 2
    middle = np.array([die.x, die.y, die.z + half])
    one, other = SIDES[die.value]
    faces = [(right, ahead, up, one), (-right, ahead, up, OPPOSITE[one])]
    faces += [(ahead, right, up, other), (-ahead, right, up, OPPOSITE[other]), (up, right, ahead, die.value)]
    for normal, across, along, value in faces:
        centre = middle + half * normal
        if normal @ (sheet.view.eye - centre) <= 0:
            continue
        light = 1.0 if normal[2] > 0.5 else 0.62 + 0.2 * float(normal[0])
        shade = tuple(int(c * light) for c in die.color)
        corners = [centre + half * (i * across + j * along) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        sheet.polygon(corners, shade)  # type: ignore[arg-type]
        pip = tuple(int(c * light) for c in die.pip)
        turn = np.linspace(0, 2 * np.pi, 25)[:-1, None]
        for i, j in PIPS[value]:
            at = centre + 0.25 * die.side * (i * across + j * along)
            sheet.polygon(at + 0.1 * die.side * (np.cos(turn) * across + np.sin(turn) * along), pip)  # type: ignore[arg-type]


def draw_cotton(sheet: Sheet, ball: DrawnCotton) -> None:
    """Overlapping lumps, darker below, with loose tufts round them."""
    rng = np.random.default_rng(round(1000 * ball.x + ball.y))
    turn = np.linspace(0, 2 * np.pi, 17)[:-1]
    circle = np.column_stack([np.cos(turn), np.sin(turn)])

    def blob(x: float, y: float, radius: float, light: int, z: float) -> None:
        points = np.column_stack([np.array([x, y]) + radius * circle, np.full(len(circle), z)])
        sheet.polygon(points, (light, light, light + 2))

    r = ball.size / 2
    for _ in range(260):
        angle, away = rng.uniform(0, 2 * np.pi), r * rng.normal(0.9, 0.09)
        x, y = ball.x + away * np.cos(angle), ball.y + away * np.sin(angle)
        blob(x, y, 0.025 * rng.uniform(0.5, 1.5), int(rng.uniform(180, 225)), ball.z + 0.2)
    for k in range(7):
        angle = k * 0.9 + rng.uniform(0, 0.5)
        x, y = ball.x + 0.45 * r * np.cos(angle), ball.y + 0.45 * r * np.sin(angle)
        blob(x, y, 0.45 * r * rng.uniform(0.85, 1.05), 200 + 4 * k, ball.z + 0.25)
    blob(ball.x, ball.y + 0.1 * r, 0.5 * r, 234, ball.z + 0.35)


def draw_ruler(sheet: Sheet, x: float, y: float, length: float = 8.0, color: Rgb = (228, 206, 40)) -> None:
    """A ruler along x with black ticks."""
    flat = lambda *p: [[a, b, 0.03] for a, b in p]  # noqa: E731
    sheet.polygon(flat((x, y), (x + length, y), (x + length, y + 0.7), (x, y + 0.7)), color)
    for k in range(int(4 * length)):
        at, tall = x + k / 4, 0.35 if k % 4 == 0 else 0.18
        sheet.polygon(flat((at, y), (at + 0.04, y), (at + 0.04, y + tall), (at, y + tall)), (25, 25, 25))


def draw_card(sheet: Sheet, x: float, y: float, width: float, depth: float, turn_deg: float, color: Rgb) -> None:
    a = np.radians(turn_deg)
    right, ahead = np.array([np.cos(a), -np.sin(a)]), np.array([np.sin(a), np.cos(a)])
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    corners = [np.array([x, y]) + i * width / 2 * right + j * depth / 2 * ahead for i, j in signs]
    sheet.polygon([[*c, 0.02] for c in corners], color)


def table_sheet(view: TableView, mat: Rgb = GRASS, seed: int = 3, grain: float = 12.0) -> Sheet:
    sheet = Sheet(view, mat=mat, seed=seed, grain=grain)
    for marker in FRAME.markers:
        sheet.marker(FRAME.dictionary, marker.id, FRAME.corners(marker.id))
    return sheet


def draw_tag(
    sheet: Sheet, dictionary: str, tag: int, x: float, y: float, turn_deg: float, z: float, size: float
) -> None:
    """A printed tag lying at height ``z``."""
    flat = tag_corners(DrawnBase(x, y, turn_deg), size)
    sheet.marker(dictionary, tag, np.column_stack([flat, np.full(4, z)]), 0.13)


def photo_of(sheet: Sheet, jpeg_quality: int = 92) -> Photo:
    """The finished picture as a photo that went through JPEG."""
    _, packed = cv2.imencode(".jpg", sheet.picture(), [cv2.IMWRITE_JPEG_QUALITY, jpeg_quality])
    return Photo(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), "drawn.jpg", "0" * 64)
