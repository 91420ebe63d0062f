"""Cotton balls on the table, the markers of units that have fired.

Cotton is as white as the paper of the frame markers, about an inch wide, has no straight edges and nothing dark on it,
and fades into the ground over its fluff. Paper, tags and white dice have straight sides, sharp edges or print; bright
sand and roads have their own colour.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.rims import Array, Float32
from vision.small_objects.beside_units import FLOOR_LEVEL, TablePlan, colors_of


@dataclass(frozen=True)
class CottonConfig:
    """Lengths in inches, colours in stops. ``darker``, ``tinted``: how far cotton may be from the frame markers' paper;
    ``thin_in``: arms thinner than this are cut off; ``narrowest_in``, ``widest_in``: of a ball; ``longest``: its length
    over its width; ``solid``: least share of its hull that is white; ``boxy``: greatest share of the least rectangle
    round it; ``shadow``: how much darker its darkest part may be than its middle; ``contrast``: least difference from
    the ground; ``edge_in``: half the strip over which its edge fades, ``soft``: the part of the contrast that is lost
    on the inner half of that strip where the edge is fluff; ``shaded``: lightest over darkest part of a ball;
    ``least``: of the confidence."""

    darker: float = 0.8
    tinted: float = 0.22
    thin_in: float = 0.22
    narrowest_in: float = 0.4
    widest_in: float = 1.9
    longest: float = 2.2
    solid: float = 0.9
    boxy: float = 0.89
    shadow: float = 0.6
    contrast: float = 0.4
    patch_ppi: float = 48.0
    edge_in: float = 0.06
    soft: float = 0.12
    shaded: float = 0.2
    least: float = 0.6


@dataclass(frozen=True, eq=False)
class Cotton:
    """Cotton balls of one photo: ``center`` (n, 2) inches, ``width_in`` (n,), ``confidence`` (n,) 0 to 1."""

    center: Array
    width_in: Array
    confidence: Array

    def __post_init__(self) -> None:
        n = len(self.center)
        for name, shape in {"center": (n, 2), "width_in": (n,), "confidence": (n,)}.items():
            array = np.asarray(getattr(self, name), dtype=np.float64)
            if array.shape != shape:
                raise ValueError(f"Cotton.{name} has shape {array.shape}, expected {shape}.")
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.width_in)

    @classmethod
    def empty(cls) -> Cotton:
        """No cotton."""
        return cls(np.zeros((0, 2)), np.zeros(0), np.zeros(0))


def find_cotton(plan: TablePlan, config: CottonConfig | None = None) -> Cotton:
    """White cotton balls on the table or on a base, each with the confidence that it is one.

    Cotton in deep shadow, on white ground or behind something else is not found.
    """
    config = config or CottonConfig()
    paper = _chroma_and_lightness(paper_of(plan))
    below = np.array([config.tinted, config.tinted, config.darker])
    above = np.array([config.tinted, config.tinted, np.inf])
    white = cv2.inRange(plan.colors, paper - below, paper + above)
    white[plan.printed_mask] = 0
    width = plan.odd(config.thin_in)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    mask = np.asarray(cv2.morphologyEx(white, cv2.MORPH_OPEN, kernel), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = [ball for contour in contours if (ball := _ball(plan, contour, paper, config)) is not None]
    if not found:
        return Cotton.empty()
    center, size, confidence = zip(*found, strict=True)
    return Cotton(np.array(center), np.array(size), np.array(confidence))


def _ball(
    plan: TablePlan, contour: npt.NDArray[np.int32], paper: Float32, config: CottonConfig
) -> tuple[Array, float, float] | None:
    """Middle, width and confidence of the cotton ball with this outline on the map, None if it is not one."""
    ppi = plan.scale.px_per_inch
    hull = cv2.convexHull(contour)
    _, sides, _ = cv2.minAreaRect(contour)
    narrow, long = (side + 1.0 for side in sorted(sides))
    shaped = config.narrowest_in * ppi <= narrow and long <= min(config.longest * narrow, config.widest_in * ppi)
    area = cv2.contourArea(hull)
    if not shaped or cv2.contourArea(contour) < config.solid * area:
        return None
    boxed = area / max((narrow - 1.0) * (long - 1.0), 1.0)
    rows, columns = plan.map.shape[:2]
    left, top, width, height = cv2.boundingRect(contour)
    if boxed > config.boxy or left <= 0 or top <= 0 or left + width >= columns or top + height >= rows:
        return None
    moments = cv2.moments(contour)
    middle = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
    place = plan.scale.table_from_pixel(middle[None])[0]
    light, inward = _lightness_round(plan, place, (contour.reshape(-1, 2) - middle) / ppi, paper, config)
    strip = lambda low, high: light[(inward > low) & (inward <= high)]  # noqa: E731
    deep, edge = strip(config.edge_in, 9.0), config.edge_in
    if len(deep) < 30:
        return None
    inner = float(np.median(deep))
    outer = float(np.median(strip(-3.5 * edge, -2.0 * edge)))
    darkest, lightest = np.percentile(deep, [2, 98])
    if inner - outer < config.contrast or inner - darkest > config.shadow:
        return None
    lost = (inner - float(np.median(strip(0.0, 0.7 * edge)))) / (inner - outer)
    parts = (
        float(np.clip(lost / config.soft, 0.0, 1.0)),
        float(np.clip((lightest - darkest) / config.shaded, 0.0, 1.0)),
        float(np.clip((config.boxy - boxed) / 0.06, 0.0, 1.0)),
    )
    confidence = 0.3 + 0.65 * float(np.dot(parts, (0.5, 0.25, 0.25)))
    if confidence < config.least:
        return None
    size = float(np.sqrt(4 * area / np.pi)) / ppi
    z = plan.surface(float(place[0]), float(place[1])) + 0.3 * narrow / ppi
    return plan.at_height(place[None], z)[0], size, confidence


def _lightness_round(
    plan: TablePlan, place: Array, outline: Array, paper: Float32, config: CottonConfig
) -> tuple[Array, Array]:
    """Lightness against paper, without tinted parts, of the photo round a place of the map's plane, and how far inside
    the outline (k, 2), inches off the place with y down, each pixel is."""
    ppi = config.patch_ppi
    patch = plan.patch(place, plan.z, config.widest_in / 2 + 0.4, ppi)
    off = colors_of(patch) - paper
    light = off[..., 2] - 1.5 * np.maximum(np.abs(off[..., :2]).max(axis=-1) - 0.1, 0.0)
    inside = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.rint(outline * ppi + (len(patch) - 1) / 2).astype(np.int32)], 1)
    inward = cv2.distanceTransform(inside, cv2.DIST_L2, 3) - cv2.distanceTransform(1 - inside, cv2.DIST_L2, 3)
    return light, inward / ppi


def _chroma_and_lightness(levels: Array) -> Float32:
    """The colour, as in :func:`vision.small_objects.beside_units.colors_of`, of log2 levels (3,) of blue, green and
    red."""
    return np.array([levels[2] - levels[1], levels[0] - levels[1], levels.mean()], np.float32)


def paper_of(plan: TablePlan) -> Array:
    """Log2 levels (3,) of blue, green and red of white paper in this light, read off the frame markers' margins."""
    reads = []
    frame = plan.expected.frame
    rows, columns = plan.image.shape[:2]
    along = np.linspace(0.0, 1.0, 25)[:, None]
    for marker in plan.view.markers_seen:
        corners = frame.corners(marker)
        middle = corners.mean(axis=0)
        ring = np.concatenate([corners[k] * (1 - along) + corners[(k + 1) % 4] * along for k in range(4)])
        pixel = np.rint(plan.view.pixel_from_table(middle + (ring - middle) * 1.1)).astype(int)
        inside = (pixel >= 0).all(axis=1) & (pixel[:, 0] < columns) & (pixel[:, 1] < rows)
        if inside.sum() >= 20:
            reads.append(np.median(plan.image[pixel[inside, 1], pixel[inside, 0]], axis=0))
    white = np.median(reads, axis=0) if reads else np.full(3, 235.0)
    return np.asarray(np.log2(np.maximum(white, 60.0) + FLOOR_LEVEL))
