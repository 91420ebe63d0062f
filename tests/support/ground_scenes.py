"""Ground maps drawn from known outlines, as a net would give them: blurred, with holes and noise."""

import cv2
import numpy as np
import shapely
from scipy.interpolate import CubicSpline

from calibration import TableView
from vision.imaging.rectify import MapScale
from vision.terrain.pieces import KINDS, GroundMaps

PX = 8.0


def blob(x: float, y: float, radius: float, seed: int = 0, squash: float = 0.8, lumps: float = 0.12) -> shapely.Polygon:
    """A smooth lumpy blob about a place."""
    random = np.random.default_rng(seed)
    turn = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    r = np.full_like(turn, radius)
    for k in (2, 3, 4):
        r += radius * lumps / k * random.normal() * np.cos(k * turn + random.uniform(0, 6.28))
    lean = random.uniform(0, 3.14)
    p = np.stack([r * np.cos(turn), squash * r * np.sin(turn)], axis=1)
    c, s = np.cos(lean), np.sin(lean)
    return shapely.Polygon(p @ np.array([[c, s], [-s, c]]) + [x, y])


def box(x: float, y: float, width: float, depth: float, turn_deg: float) -> shapely.Polygon:
    t = np.radians(turn_deg)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, depth / 2]
    return shapely.Polygon(corners @ np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]) + [x, y])


def way(points: list[tuple[float, float]], width: float) -> shapely.Polygon:
    """A smooth ribbon through places, ends cut straight."""
    p = np.array(points, float)
    at = np.arange(len(p))
    fine = CubicSpline(at, p)(np.linspace(0, len(p) - 1, 160))
    return shapely.LineString(fine).buffer(width / 2, cap_style="flat")


def filled(shape: shapely.Geometry, scale: MapScale) -> np.ndarray:
    """Share of each map pixel inside a shape, from a finer grid of about 60 pixels per inch."""
    columns, rows = scale.size
    finer = max(1, round(60 / scale.px_per_inch))
    fine = np.zeros((rows * finer, columns * finer), np.uint8)
    for part in shapely.get_parts(shape):
        ring = (scale.pixel_from_table(shapely.get_coordinates(part.exterior)) + 0.5) * finer - 0.5
        cv2.fillPoly(fine, [np.round(ring * 16).astype(np.int32)], 255, shift=4)
    return cv2.resize(fine, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def maps_of(
    shapes: list[tuple[str, shapely.Polygon]],
    size: tuple[float, float] = (36.0, 36.0),
    *,
    blur_in: float = 0.2,
    noise: float = 0.0,
    peak: float = 0.95,
    holes: list[shapely.Polygon] | None = None,
    seed: int = 0,
) -> GroundMaps:
    """Maps of shapes by kind ("hill top" for the last plane); ``holes`` are places where every share is low."""
    scale = MapScale(*size, px_per_inch=PX)
    columns, rows = scale.size
    share = np.zeros((len(KINDS) + 1, rows, columns), np.float32)
    for kind, shape in shapes:
        k = len(KINDS) if kind == "hill top" else KINDS.index(kind)
        share[k] = np.maximum(share[k], filled(shape, scale))
    for hole in holes or []:
        share *= 1 - 0.95 * filled(hole, scale)
    random = np.random.default_rng(seed)
    for plane in share:
        framed = cv2.copyMakeBorder(plane, 32, 32, 32, 32, cv2.BORDER_REPLICATE)
        plane[:] = peak * cv2.GaussianBlur(framed, (0, 0), blur_in * PX)[32:-32, 32:-32] + 0.02
        if noise:
            plane += cv2.GaussianBlur(random.normal(0, noise, plane.shape), (0, 0), 1.0).astype(np.float32) * 3
    return GroundMaps(np.clip(share, 0, 1), scale, np.zeros((rows, columns), bool))


FLOCK = (60, 118, 96)  # blue, green, red
FELT = (38, 70, 44)
PAVING = (120, 122, 124)
EARTH = (88, 136, 172)
WATER = (140, 96, 46)


def painted(
    patches: list[tuple[tuple[int, int, int], float, shapely.Geometry]],
    size: tuple[float, float] = (24.0, 24.0),
    ppi: float = 10.0,
    *,
    mat: tuple[int, int, int] = FLOCK,
    grain: float = 0.16,
    shadow: shapely.Polygon | None = None,
    light: tuple[float, float, float] = (1.0, 1.0, 1.0),
    noise: float = 1.5,
    seed: int = 0,
) -> np.ndarray:
    """A table from above (rows, columns, 3): flock with ``patches`` (colour, grain, shape) on it, one over the other.

    The grain is that of the same mat for every ``seed``, which is the camera's noise alone; ``shadow`` is soft.
    """
    scale = MapScale(*size, px_per_inch=ppi)
    columns, rows = scale.size
    flock, patchy = np.random.default_rng(99), np.random.default_rng(98)
    fine = cv2.GaussianBlur(flock.normal(0, 1, (rows, columns)).astype(np.float32), (0, 0), 0.7)
    fine /= fine.std()
    coarse = patchy.normal(0, 1, (max(2, rows // 10), max(2, columns // 10))).astype(np.float32)
    slow = cv2.resize(cv2.GaussianBlur(coarse, (0, 0), 0.2 * ppi), (columns, rows), interpolation=cv2.INTER_CUBIC)
    picture = np.array(mat, np.float32) * (2 ** (grain * fine + 0.08 * slow / slow.std()))[..., None]
    for number, (colour, its_grain, shape) in enumerate(patches):
        other = np.random.default_rng(number + 5).normal(0, 1, (rows, columns)).astype(np.float32)
        own = np.array(colour, np.float32) * (2 ** (its_grain * cv2.GaussianBlur(other, (0, 0), 0.7)))[..., None]
        inside = filled(shape, scale)[..., None]
        picture = picture * (1 - inside) + own * inside
    if shadow is not None:
        dark = cv2.GaussianBlur(filled(shadow, scale), (0, 0), 0.3 * ppi)
        picture = picture * (1 - 0.45 * dark[..., None])
    picture = picture * np.array(light, np.float32)
    camera = np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.clip(picture + camera, 0, 255).astype(np.uint8)


def trees(where: shapely.Polygon, count: int, seed: int) -> list[tuple[tuple[int, int, int], float, shapely.Polygon]]:
    """Round tree tops within a wood, of two greens and a brown."""
    random = np.random.default_rng(seed)
    left, low, right, high = where.buffer(-0.7).bounds
    out: list[tuple[tuple[int, int, int], float, shapely.Polygon]] = []
    while len(out) < count:
        x, y = random.uniform(left, right), random.uniform(low, high)
        top = shapely.Point(x, y).buffer(random.uniform(0.35, 0.6))
        if where.contains(top):
            out.append((((30, 110, 70), (40, 150, 130), (40, 110, 140))[len(out) % 3], 0.3, top))
    return out


def photographed(view: TableView, size: tuple[float, float], plan: np.ndarray) -> np.ndarray:
    """The photo of ``view`` in which a picture of the table from above is on the table."""
    width, height = view.camera.size
    columns, rows = np.meshgrid(np.arange(float(width)), np.arange(float(height)))
    ground = view.point_from_pixel(np.column_stack([columns.ravel(), rows.ravel()]), 0.0)
    at = MapScale(*size, px_per_inch=plan.shape[1] / size[0]).pixel_from_table(ground).astype(np.float32)
    return cv2.remap(plan, at.reshape(height, width, 2), None, cv2.INTER_LINEAR, borderValue=(90, 90, 90))
