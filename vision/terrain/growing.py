"""Growing terrain from a tap: "this is a wood" at one place, and the piece is outlined to its edge.

The mat is the colour and texture that most of the table has; a piece is the area around the tap that differs from it.
The necessary difference is not known in advance, so several outlines are made (by distance from the mat, and by
GrabCut's colour models from there) and the most compact ones are trusted. Roads and rivers are followed by the tapped
colour instead.
Source of the colour models: Rother, Kolmogorov and Blake, "GrabCut" (2004).
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from calibration import TableView
from vision.imaging.rectify import MapScale, rectified_map, visible_mask
from vision.model.expected import ExpectedTerrain
from vision.terrain.edge_refinement import SharpenConfig, sharpen_on
from vision.terrain.pieces import KINDS, RIBBON_KINDS, TerrainError
from vision.terrain.ribbons import Ribbon, ribbons
from vision.terrain.tapped_ground import GrowConfig, TappedGround, differs, like, pad_share
from vision.terrain.tracing import (
    Array,
    Mask,
    close_mask,
    disk,
    iou,
    on_table,
    open_mask,
    rectangle,
    resample_line,
    ring_of,
    tidy,
    without_holes,
)

Pixels = npt.NDArray[np.uint8]
Point = tuple[float, float]


def grow(
    image: Pixels,
    view: TableView,
    table_size_in: tuple[float, float],
    kind: str,
    tap: Point,
    config: GrowConfig | None = None,
) -> ExpectedTerrain:
    """The piece of ``kind`` that is under a ``tap`` (table inches) in a photo, grown to its edge.

    Raises TerrainError where the tap is off the table or the photo,
    where nothing there differs from the mat, or where no edge is clear.
    """
    config = config or GrowConfig()
    scale = MapScale(*table_size_in, px_per_inch=config.px_per_inch)
    ppi = config.px_per_inch
    ground = rectified_map(image, view, table_size_in, px_per_inch=ppi)
    shown = visible_mask(view, scale)
    return grow_on(ground, scale, kind, tap, config, hidden=~shown, eye=view.eye)


def grow_on(
    ground: Pixels,
    scale: MapScale,
    kind: str,
    tap: Point,
    config: GrowConfig | None = None,
    *,
    hidden: Mask | None = None,
    eye: Array | None = None,
) -> ExpectedTerrain:
    """The same as :func:`grow` on the table seen from above (rows, columns, 3), blue-green-red; ``eye`` is the camera's
    place in table inches (3,), ``None`` for a picture from straight above."""
    config = config or GrowConfig()
    if kind not in KINDS:
        raise TerrainError(f'There is no terrain of kind "{kind}": use one of {", ".join(KINDS)}.')
    unseen = np.zeros(ground.shape[:2], bool) if hidden is None else hidden
    seen = TappedGround(ground, scale, unseen, _tap_pixel(tap, scale, unseen), config)
    here = float(seen.contrast[seen.about(config.tap_in)].max())
    if kind != "hill" and here < config.least_contrast:  # a hill's top is often of the mat's own stuff
        raise TerrainError(
            f"Nothing at ({tap[0]:g}, {tap[1]:g}) differs from the mat: tap another place of the {kind} "
            "or draw it by hand."
        )
    piece = _follow_ribbon(seen, kind) if kind in RIBBON_KINDS else _spread(seen, kind)
    rough = replace(piece, sigma_in=max(piece.sigma_in, config.rough_sigma_in))
    (sharp,) = sharpen_on(ground, scale, [rough], SharpenConfig(px_per_inch=scale.px_per_inch), eye=eye)
    return replace(sharp, sigma_in=max(sharp.sigma_in, config.sigma_in))


def _tap_pixel(tap: Point, scale: MapScale, hidden: Mask) -> tuple[int, int]:
    x, y = tap
    if not (0 <= x <= scale.width_in and 0 <= y <= scale.depth_in):
        raise TerrainError(
            f"The tap at ({x:g}, {y:g}) lies off the table, which is {scale.width_in:g} x {scale.depth_in:g} "
            "inches: tap a place on it."
        )
    column, row = (int(v) for v in np.clip(np.round(scale.pixel_from_table([tap])[0]), 0, np.array(scale.size) - 1))
    if hidden[row, column]:
        raise TerrainError(f"The photo does not show ({x:g}, {y:g}): tap a place that it shows.")
    return column, row


# --- areas -----------------------------------------------------------------------------------------------------------


def _spread(seen: TappedGround, kind: str) -> ExpectedTerrain:
    """The most believable of several outlines about the tap."""
    if kind == "bridge":
        tries = _by_tapped_colour(seen)
    elif kind == "hill":
        tries = _by_slopes(seen)
    else:
        tries = [t for contrast in seen.config.contrasts for t in _outlines(seen, contrast, kind)]
    tries = [t for t in tries if seen.config.least_sqin <= t.area <= seen.config.most_sqin]
    best = max((compactness(t) for t in tries), default=0.0)
    if best < {"bridge": 0.4, "hill": seen.config.least_compact_hill}.get(kind, seen.config.least_compact):
        x, y = seen.scale.table_from_pixel([seen.tap])[0]
        raise TerrainError(
            f"No edge of the {kind} at ({x:.1f}, {y:.1f}) stands out from the mat and the surroundings: "
            "tap it once more elsewhere, or draw it by hand."
        )
    good = sorted((t for t in tries if compactness(t) >= best - seen.config.compact_slack), key=lambda t: t.area)
    chosen = good[len(good) // 2] if kind != "hill" else max(good, key=compactness)
    agree = float(np.median([iou(chosen, t) for t in tries]))
    ring = on_table(chosen, seen.scale)
    if ring is None:
        raise TerrainError(f"The {kind} that was tapped lies off the table: tap a place on it.")
    doubt = (1 - agree) * chosen.area / chosen.length
    return ExpectedTerrain(
        id=kind,
        kind=kind,
        polygon=ring,
        confidence=round((0.2 if kind == "hill" else 0.45) + 0.5 * agree, 4),
        sigma_in=round(max(seen.config.sigma_in, doubt), 4),
    )


def compactness(polygon: shapely.Polygon) -> float:
    """1 for a circle, less the more frayed or drawn out: 4 pi area / length squared."""
    return float(4 * np.pi * polygon.area / max(polygon.length, 1e-9) ** 2)


def _outlines(seen: TappedGround, contrast: float, kind: str) -> list[shapely.Polygon]:
    core = _core(seen, contrast, kind)
    if not core.any():
        return []
    first = _outline_mask(seen, core, kind)
    second = _outline_mask(seen, _by_colours(seen, core), kind)
    out = [first] if first is not None else []
    if second is not None and (first is None or second.area > 0.7 * first.area):
        out.append(second)
    return out


def _by_tapped_colour(seen: TappedGround) -> list[shapely.Polygon]:
    """Rectangles of the tapped colour, one for each required likeness."""
    sheet = like(seen, [seen.tapped])
    share = sheet.values[sheet.pad : -sheet.pad, sheet.pad : -sheet.pad]
    out = []
    for level in (0.35, 0.5, 0.65):
        part = seen.part(
            open_mask(without_holes(close_mask(share > level, 0.3 * seen.ppi)), 0.4 * seen.ppi), seen.config.tap_in
        )
        polygon = _outline_mask(seen, part, "bridge")
        if polygon is not None:
            out.append(polygon)
    return out


def _by_slopes(seen: TappedGround) -> list[shapely.Polygon]:
    """Outlines round slopes about the tap that look a little other than the mat, with all that they enclose."""
    ppi, config = seen.ppi, seen.config
    soft = cv2.GaussianBlur(seen.contrast, (0, 0), 0.15 * ppi)
    reach = seen.about(config.hill_reach_in)
    out = []
    for contrast in config.hill_contrasts:
        for gap_in in (0.5, 1.0):
            mask = without_holes(close_mask((soft > contrast) & reach, gap_in * ppi))
            part = seen.part(open_mask(mask, 1.2 * ppi), 2 * config.near_in)
            polygon = _outline_mask(seen, part, "hill") if part.any() else None
            if polygon is not None and polygon.area >= config.least_hill_sqin:
                out.append(polygon)
    return out


def _core(seen: TappedGround, contrast: float, kind: str) -> Mask:
    """The area about the tap that differs from the mat, without roads and bases that only touch it."""
    ppi, config = seen.ppi, seen.config
    mask = without_holes(close_mask(seen.contrast > contrast, 0.3 * ppi))
    part = seen.part(open_mask(mask, 0.3 * ppi), config.near_in)
    if not part.any():
        return part
    depth = cv2.distanceTransform(np.pad(part, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    inner = float(depth[seen.about(2.5)].max())
    radius = min(config.round_in * ppi, config.round_share * inner)
    core = seen.part(open_mask(part, radius), 2 * config.near_in)
    if kind != "field":
        return core
    corners = cv2.dilate(core.astype(np.uint8), disk(0.45 * radius)) > 0  # as far as the rounding took them
    return np.asarray(core | (corners & part))


def _by_colours(seen: TappedGround, core: Mask) -> Mask:
    """The core again, by colour models of its inside and its surroundings."""
    ppi, config = seen.ppi, seen.config
    rows, columns = np.flatnonzero(core.any(axis=1)), np.flatnonzero(core.any(axis=0))
    margin = round(2.0 * ppi)
    window = (
        slice(max(0, rows[0] - margin), rows[-1] + margin + 1),
        slice(max(0, columns[0] - margin), columns[-1] + margin + 1),
    )
    mean, spread = seen.mat
    scaled = (seen.features[..., :3] - mean[:3]) / np.sqrt(np.diag(spread))[:3] * 8 + 128
    picture = np.ascontiguousarray(np.clip(scaled[window], 0, 255).astype(np.uint8))
    marks = np.where(core, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    marks[seen.contrast < 0.85 * config.least_contrast] = cv2.GC_BGD
    marks[seen.about(config.tap_in)] = cv2.GC_FGD
    part = np.ascontiguousarray(marks[window])
    if not (part % 2 == 0).any():
        return core
    cv2.setRNGSeed(1)
    cv2.grabCut(picture, part, None, np.zeros((1, 65)), np.zeros((1, 65)), 3, cv2.GC_INIT_WITH_MASK)
    out = np.zeros_like(core)
    out[window] = part % 2 == 1
    grown = seen.part(open_mask(without_holes(close_mask(out, 0.4 * ppi)), 0.6 * ppi), 2 * config.near_in)
    return grown if grown.any() else core


def _outline_mask(seen: TappedGround, mask: Mask, kind: str) -> shapely.Polygon | None:
    ring = ring_of(cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 0.15 * seen.ppi))
    if ring is None:
        return None
    points = seen.scale.table_from_pixel(ring)
    if kind in ("bridge", "field"):
        straight = rectangle(points)
        fits = iou(straight, shapely.make_valid(shapely.Polygon(points))) > seen.config.trace.rectangle_iou
        if kind == "bridge" or fits:
            return straight
    return tidy(points, seen.config.trace)


# --- roads and rivers ------------------------------------------------------------------------------------------------


def _follow_ribbon(seen: TappedGround, kind: str) -> ExpectedTerrain:
    """The ribbon through the tap: found by the tapped colours, then by the colours along its course, last by
    where the mat begins beside it."""
    config = seen.config
    colours = [seen.tapped]
    found: Ribbon | None = None
    sheet = like(seen, colours)
    for _ in range(config.rounds):
        through = _through(seen, ribbons(sheet, config.ribbon))
        if through is None:
            break
        if found is None or _length(through) > _length(found):
            found = through
        inside = _band(seen, through, -0.2) & (seen.contrast > config.least_contrast)
        sheet = like(seen, [*colours, inside])
    if found is not None:
        usual = float(np.median(seen.contrast[_band(seen, found, 0.0)]))
        beside = pad_share(seen, np.where(_band(seen, found, 1.0), differs(seen, usual / 2), np.float32(0)))
        wider = _through(seen, ribbons(beside, config.ribbon))
        if wider is not None and _length(wider) > 0.8 * _length(found) and _wide(wider) > 1.3 * _wide(found):
            found, sheet = wider, beside
    ring = None if found is None else on_table(found.polygon, seen.scale)
    if found is None or ring is None:
        x, y = seen.scale.table_from_pixel([seen.tap])[0]
        raise TerrainError(
            f"No {kind} can be followed from ({x:.1f}, {y:.1f}): tap the middle of a stretch with nothing on "
            "it, or draw it by hand."
        )
    along = sheet.at(resample_line(found.centreline, 0.25, is_ring=False))
    return ExpectedTerrain(
        id=kind,
        kind=kind,
        polygon=ring,
        confidence=round(float(0.5 + 0.45 * np.mean(along > 0.5)), 4),
        sigma_in=config.sigma_in,
    )


def _wide(ribbon: Ribbon) -> float:
    return float(np.median(ribbon.width_in))


def _band(seen: TappedGround, ribbon: Ribbon, more_widths: float) -> Mask:
    """The map's pixels on a ribbon, made wider on either side by a share of its width."""
    out = np.zeros(seen.contrast.shape, np.uint8)
    for part in shapely.get_parts(ribbon.polygon.buffer(more_widths * _wide(ribbon))):
        ring = seen.scale.pixel_from_table(shapely.get_coordinates(part.exterior))
        if len(ring):
            cv2.fillPoly(out, [np.round(ring).astype(np.int32)], 1)
    return np.asarray(out > 0)


def _length(ribbon: Ribbon) -> float:
    return float(shapely.length(shapely.LineString(ribbon.centreline)))


def _through(seen: TappedGround, found: list[Ribbon]) -> Ribbon | None:
    """The ribbon at the tap; of several the one with the nearest middle."""
    tap = shapely.Point(*seen.scale.table_from_pixel([seen.tap])[0])
    near = [r for r in found if shapely.distance(r.polygon, tap) < seen.config.tap_in]
    return min(near, key=lambda r: float(shapely.distance(shapely.LineString(r.centreline), tap)), default=None)


__all__ = ["GrowConfig", "compactness", "grow", "grow_on"]
