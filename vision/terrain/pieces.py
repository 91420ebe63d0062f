"""Terrain pieces from maps of evidence, with outlines as a person would draw them.

A net (or a player's tap, or a comparison with the bare table) gives a share for each kind at each place;
:func:`terrain_from` turns the shares into woods, towns, hills, roads, rivers, bridges, fields and marsh.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from vision.imaging.rectify import MapScale
from vision.model.errors import VisionError
from vision.model.expected import ExpectedTerrain
from vision.terrain.bridges import BridgeConfig, crossings, mistaken_at_bridges
from vision.terrain.relabel_ribbons import Change, CourseConfig, drop_stray_ways, mistaken
from vision.terrain.ribbons import Ribbon, RibbonConfig, ribbons
from vision.terrain.spreads import blur_along
from vision.terrain.tracing import (
    Float32,
    Mask,
    Sheet,
    TraceConfig,
    close_mask,
    components,
    iou,
    largest,
    on_table,
    open_mask,
    outward,
    rectangle,
    ring_of,
    tidy,
    without_holes,
)

KINDS = ("woods", "town", "hill", "road", "river", "bridge", "field", "marsh")
DRAWN_KINDS = ("wall", "rock", "crater", "ruin")  # players draw these: no net reads them
RIBBON_KINDS = ("road", "river")
RIVAL_KINDS = ("woods", "town", "field", "marsh")  # a place is one of these at most
TALL_KINDS = ("woods", "town")  # trees and houses hide their far edge


class TerrainError(VisionError):
    """Terrain that cannot be read or grown as asked; one sentence with the next step."""


@dataclass(frozen=True, eq=False)
class GroundMaps:
    """Shares from 0 to 1 for the table seen from above: ``share`` (9, rows, columns), a plane for each of ``KINDS`` in
    that order and one for the hill tops; kinds may overlap. ``hidden`` (rows, columns): outside the photo or the table;
    ``glare`` (rows, columns): how much of the ground a reflection hides, 0 to 1; ``None``: nothing anywhere.
    ``picture`` (rows, columns, 3): the table in the photo's own colours, BGR, and ``looks`` (n, 9, rows, columns): the
    shares by single looks at it, both for the chances of pieces; ``None``: not available.
    ``net`` and ``likeness``: where ``share`` joins what the net says and likeness to settled tables, the shares
    of each alone.
    """

    share: Float32
    scale: MapScale
    hidden: Mask
    glare: Float32 | None = None
    picture: npt.NDArray[np.uint8] | None = None
    looks: Float32 | None = None
    net: Float32 | None = None
    likeness: Float32 | None = None

    def __post_init__(self) -> None:
        columns, rows = self.scale.size
        want = (len(KINDS) + 1, rows, columns)
        glare = want[1:] if self.glare is None else self.glare.shape
        if self.share.shape != want or self.hidden.shape != want[1:] or glare != want[1:]:
            raise ValueError(
                f"Ground maps of {self.scale.width_in} x {self.scale.depth_in} inches need share {want}, hidden and "
                f"glare {want[1:]}, not {self.share.shape}, {self.hidden.shape} and {glare}."
            )

    @property
    def clear(self) -> Float32:
        """How plainly (rows, columns) each place is seen: 1 in the open, 0 where it is hidden, less in glare."""
        seen = (~self.hidden).astype(np.float32)
        return seen if self.glare is None else np.asarray(seen * (1 - self.glare), np.float32)

    def plane(self, kind: str) -> Float32:
        """The share (rows, columns) of one of ``KINDS``, or of "hill top"."""
        return self.share[len(KINDS) if kind == "hill top" else KINDS.index(kind)]


@dataclass(frozen=True)
class TerrainConfig:
    """Inches and shares. A piece is where the share passes one half (after ``blur_in``), somewhere reaches ``strong``
    over ``strong_sqin``, and covers ``least_sqin`` (``least_bridge_sqin``, ``least_top_sqin``) or more. ``gap_in``:
    gaps narrower than twice this are closed; ``cover_gap_in``: the same for covered or hidden gaps; ``whisker_in``:
    parts thinner than twice this are cut off areas; ``hidden_in``: how far shares are extended into what the photo does
    not show; ``same_place``: share of a piece under another of a rival kind above which they are one piece;
    ``least_open``, ``open_sqin``: how much of a piece must be clear of what covers the table;
    ``sigma_floor_in``: least boundary sigma; ``band_in``: ids go from far to near in bands of this depth."""

    blur_in: float = 0.08
    strong: float = 0.7
    strong_sqin: float = 0.25
    least_sqin: float = 1.5
    least_bridge_sqin: float = 0.5
    least_top_sqin: float = 0.75
    gap_in: float = 0.3
    cover_gap_in: float = 2.0
    whisker_in: float = 0.3
    hidden_in: float = 1.5
    same_place: float = 0.5
    least_open: float = 0.35
    open_sqin: float = 1.0
    sigma_floor_in: float = 0.05
    band_in: float = 3.0
    trace: TraceConfig = field(default_factory=TraceConfig)
    ribbon: RibbonConfig = field(default_factory=RibbonConfig)
    course: CourseConfig = field(default_factory=CourseConfig)
    bridge: BridgeConfig = field(default_factory=BridgeConfig)


def terrain_from(
    maps: GroundMaps,
    config: TerrainConfig | None = None,
    *,
    covered: Mask | None = None,
    hill_heights: float | tuple[float, ...] = 0.0,
) -> tuple[ExpectedTerrain, ...]:
    """The terrain pieces that the maps show, with ids t1, t2, ... from far to near and left to right.

    ``covered`` (rows, columns) marks where bases and figures are: shares there are ignored, gaps are bridged.
    ``hill_heights``: inches, one for all hills or one for each in the order of their ids.
    """
    config = config or TerrainConfig()
    planes = planes_of(maps, config)
    unseen = _padded_mask(maps.hidden if covered is None else maps.hidden | covered, planes["woods"].pad)
    ways = {kind: _ribbons_of(kind, planes, unseen, config) for kind in RIBBON_KINDS}
    pad = planes["woods"].pad
    plain = planes["woods"].like(np.pad(maps.clear, pad, mode="edge") * ~unseen)
    decks = _decks(planes["bridge"], config)
    under = mistaken_at_bridges(ways, decks, planes["road"], planes["river"], plain, config.bridge)
    if under:
        planes = _apply_changes(planes, under)
        ways = {kind: _ribbons_of(kind, planes, unseen, config) for kind in RIBBON_KINDS}
    changes = mistaken(ways, (maps.scale.width_in, maps.scale.depth_in), config.course)
    if changes:
        planes = _apply_changes(planes, changes)
        ways = {kind: _ribbons_of(kind, planes, unseen, config) for kind in RIBBON_KINDS}
    hiding = np.max([planes[k].values for k in ("town", "woods", "bridge")], axis=0)
    hiding = planes["woods"].like(np.where(_padded_mask(maps.hidden, planes["woods"].pad), 1.0, hiding))
    ways = drop_stray_ways(ways, (maps.scale.width_in, maps.scale.depth_in), hiding, config.course)
    found = [_Piece(kind, ribbon.polygon) for kind, several in ways.items() for ribbon in several]
    found += _bridge_pieces(ways["road"], ways["river"], planes, config)
    found += _area_pieces(planes, unseen, config)
    if covered is not None:
        lies = planes["woods"].like(_padded_mask(covered, planes["woods"].pad))
        found = [p for p in found if p.kind == "bridge" or _in_the_open(p.polygon, lies, config)]
    return _number_pieces(found, maps.scale, planes, config, hill_heights)


def pieces_of(
    kind: str, share: Float32, scale: MapScale, config: TerrainConfig | None = None, *, hidden: Mask | None = None
) -> tuple[ExpectedTerrain, ...]:
    """The pieces of one kind alone, from its own map of shares (rows, columns)."""
    rows, columns = share.shape
    planes = np.zeros((len(KINDS) + 1, rows, columns), np.float32)
    planes[KINDS.index(kind)] = share
    return terrain_from(
        GroundMaps(planes, scale, np.zeros((rows, columns), bool) if hidden is None else hidden), config
    )


# --- the planes ------------------------------------------------------------------------------------------------------


def planes_of(maps: GroundMaps, config: TerrainConfig) -> dict[str, Sheet]:
    """Every plane smoothed a little, carried on into hidden places and over the map's edge."""
    return dict(_planes_of(maps, config))


@lru_cache(maxsize=1)  # a table is traced before its bases are known and again after
def _planes_of(maps: GroundMaps, config: TerrainConfig) -> dict[str, Sheet]:
    px = maps.scale.px_per_inch
    pad = int(np.ceil(1.5 * px))
    blind = bool(maps.hidden.all())
    carried = _carried_on(maps.hidden, config.hidden_in * px) if maps.hidden.any() and not blind else None
    out = {}
    for kind in (*KINDS, "hill top"):
        plane = np.clip(np.nan_to_num(np.asarray(maps.plane(kind), np.float32)), 0.0, 1.0)
        if carried is not None:
            nearest, beyond = carried
            plane[maps.hidden] = np.where(beyond, np.float32(0.0), plane[nearest])
        elif blind:
            plane = np.zeros_like(plane)
        plane = cv2.copyMakeBorder(plane, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
        plane = cv2.GaussianBlur(plane, (0, 0), max(config.blur_in * px, 0.3))
        out[kind] = Sheet(np.asarray(plane, np.float32), maps.scale, pad)
    return out


def _carried_on(hidden: Mask, reach_px: float) -> tuple[tuple[npt.NDArray[np.intp], ...], Mask]:
    """The rows and columns of the seen place nearest to each hidden one (n,), and whether it is out of reach."""
    from scipy.ndimage import distance_transform_edt  # not needed when the table file draws the terrain

    away, nearest = distance_transform_edt(hidden, return_indices=True)
    return tuple(at[hidden] for at in nearest), away[hidden] > reach_px


def _padded_mask(mask: Mask, pad: int) -> Mask:
    return np.pad(mask, pad, mode="edge")


def _polygon_mask(polygon: shapely.Geometry, sheet: Sheet) -> Mask:
    """The sheet's pixels inside polygons of table inches."""
    out = np.zeros(sheet.values.shape, np.uint8)
    for part in shapely.get_parts(polygon):
        ring = sheet.pixels(shapely.get_coordinates(part.exterior))
        if len(ring):
            cv2.fillPoly(out, [np.round(ring * 16).astype(np.int32)], 1, shift=4)
    return np.asarray(out > 0)


def mask_of(shape: shapely.Geometry, scale: MapScale) -> Mask:
    """The map's pixels (rows, columns) inside polygons of table inches, holes filled: the area under bases, figures."""
    columns, rows = scale.size
    return _polygon_mask(shape, Sheet(np.zeros((rows, columns), np.float32), scale))


# --- pieces ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Piece:
    kind: str
    polygon: shapely.Polygon
    rival: float = 0.0
    """Share of the most likely other kind that claims the place."""
    sure: float | None = None
    """How surely it is there, where that is known otherwise than from its own plane."""


def _apply_changes(planes: dict[str, Sheet], changes: list[Change]) -> dict[str, Sheet]:
    """The planes with stretches of ways given to another kind."""
    out = dict(planes)
    for change in changes:
        within = _polygon_mask(change.stretch.buffer(0.4), planes[change.looked])
        of, to = out[change.looked], out[change.kind]
        out[change.kind] = to.like(np.where(within, np.maximum(to.values, of.values), to.values))
        out[change.looked] = of.like(np.where(within, 0.0, of.values))
    return out


def _ribbons_of(kind: str, planes: dict[str, Sheet], unseen: Mask, config: TerrainConfig) -> list[Ribbon]:
    sheet = planes[kind]
    strong = sheet.values > config.strong
    if np.sum(strong) < config.strong_sqin * sheet.scale.px_per_inch**2:
        return []
    blind = unseen | (planes["bridge"].values > 0.5)
    over = ("town", "woods", *(["river"] if kind == "road" else []))  # a road continues beyond a ford or a lost bridge
    under = blind | np.any([planes[k].values > 0.5 for k in over], axis=0)
    found = ribbons(sheet, config.ribbon, unseen=blind, under=under)
    least = config.strong_sqin * sheet.scale.px_per_inch**2
    return [r for r in found if np.sum(strong & _polygon_mask(r.polygon, sheet)) >= least]


def _bridge_pieces(
    roads: list[Ribbon], rivers: list[Ribbon], planes: dict[str, Sheet], config: TerrainConfig
) -> list[_Piece]:
    """Bridges that the net sees, and those implied by a road that crosses a river."""
    out = [_Piece("bridge", deck) for deck in _decks(planes["bridge"], config)]
    told = crossings(roads, rivers, planes["road"], planes["river"], config.bridge)
    seen = shapely.union_all([piece.polygon for piece in out])
    return out + [_Piece("bridge", c.deck, sure=c.sure) for c in told if not c.deck.intersects(seen)]


def _decks(sheet: Sheet, config: TerrainConfig) -> list[shapely.Polygon]:
    """The bridges that the net sees, as rectangles."""
    masks = _solid(sheet, config, config.least_bridge_sqin, whisker_in=0.15)
    rings = [ring_of(_only(sheet.values, mask, sheet.scale.px_per_inch)) for mask in masks]
    return [rectangle(sheet.table(ring)) for ring in rings if ring is not None]


def _solid(
    sheet: Sheet, config: TerrainConfig, least_sqin: float, *, whisker_in: float, bridging: Mask | None = None
) -> list[Mask]:
    """Masks of the parts that are large and strong enough: small gaps closed, wide ones where ``bridging`` allows,
    holes filled, whiskers cut."""
    px = sheet.scale.px_per_inch
    mask = sheet.values > 0.5
    if not mask.any():
        return []
    mask = close_mask(mask, config.gap_in * px)
    if bridging is not None and bridging.any():
        mask |= close_mask(mask, config.cover_gap_in * px) & bridging
    mask = open_mask(without_holes(mask), whisker_in * px)
    strong = sheet.values > config.strong
    return [
        part
        for part in components(mask)
        if part.sum() >= least_sqin * px * px and (strong & part).sum() >= min(config.strong_sqin, least_sqin) * px * px
    ]


def _only(values: Float32, mask: Mask, px_per_inch: float) -> Float32:
    """Values that exceed one half exactly inside ``mask``, unchanged wherever they agree with it."""
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), max(0.12 * px_per_inch, 0.6))
    agree = (values > 0.5) == mask
    near = cv2.dilate((~agree).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return np.where(near, soft, values).astype(np.float32)


def _area_pieces(planes: dict[str, Sheet], bridging: Mask, config: TerrainConfig) -> list[_Piece]:
    sheets = {kind: planes[kind] for kind in RIVAL_KINDS}
    claims = _settle_rivals(sheets, bridging, config)
    claims += [
        ("hill", m, 0.0)
        for m in _solid(planes["hill"], config, config.least_sqin, whisker_in=config.whisker_in, bridging=bridging)
    ]
    drawn = [
        (
            kind,
            _outline(planes[kind], np.packbits(mask).tobytes(), config.trace, may_be_straight=kind == "field"),
            rival,
        )
        for kind, mask, rival in claims
    ]
    return [_Piece(kind, polygon, rival) for kind, polygon, rival in drawn if polygon is not None]


@lru_cache(maxsize=64)  # once the bases of a table are known, most parts are the same as before
def _outline(sheet: Sheet, bits: bytes, config: TraceConfig, *, may_be_straight: bool) -> shapely.Polygon | None:
    """The outline of a part of a sheet, with its pixels packed into ``bits``; a rectangle where it is nearly one."""
    mask = np.unpackbits(np.frombuffer(bits, np.uint8), count=sheet.values.size).reshape(sheet.values.shape) > 0
    ring = ring_of(_only(sheet.values, mask, sheet.scale.px_per_inch))
    if ring is None:
        return None
    points = sheet.table(ring)
    polygon = tidy(points, config)
    if may_be_straight and polygon is not None:
        straight = rectangle(points)
        if iou(straight, shapely.make_valid(shapely.Polygon(points))) > config.rectangle_iou:
            return straight
    return polygon


def _settle_rivals(sheets: dict[str, Sheet], bridging: Mask, config: TerrainConfig) -> list[tuple[str, Mask, float]]:
    """Masks of the rival kinds of which no two claim the same place, each with the share of the one that lost there."""
    claims = [
        (kind, mask)
        for kind, sheet in sheets.items()
        for mask in _solid(sheet, config, config.least_sqin, whisker_in=config.whisker_in, bridging=bridging)
    ]
    weight = lambda kind, mask: float(sheets[kind].values[mask].sum())  # noqa: E731
    claims.sort(key=lambda c: -weight(*c))
    px = next(iter(sheets.values())).scale.px_per_inch
    kept: list[tuple[str, Mask]] = []
    for kind, mask in claims:
        for k, (other, taken) in enumerate(kept):
            if other == kind or not (mask & taken).any():
                continue
            both = mask & taken
            if both.sum() > config.same_place * mask.sum():
                kept[k] = (other, taken | (mask & (sheets[other].values > 0.3)))
                mask = np.zeros_like(mask)
                break
            theirs = sheets[other].values >= sheets[kind].values
            kept[k] = (other, open_mask(taken & ~(both & ~theirs), config.whisker_in * px))
            mask = open_mask(mask & ~(both & theirs), config.whisker_in * px)
        parts = components(mask) if mask.any() else []
        kept += [(kind, part) for part in parts if part.sum() >= config.least_sqin * px * px]
    return [
        (kind, mask, max(float(s.values[mask].mean()) for other, s in sheets.items() if other != kind))
        for kind, mask in kept
        if mask.any()
    ]


def _in_the_open(polygon: shapely.Polygon, covered: Sheet, config: TerrainConfig) -> bool:
    """Whether enough of a piece is uncovered for it to be ground rather than the bases and figures on it."""
    inside = _polygon_mask(polygon, covered)
    seen = inside & (covered.values < 0.5)
    return bool(seen.sum() >= max(config.least_open * inside.sum(), config.open_sqin * covered.scale.px_per_inch**2))


# --- the values of a piece -------------------------------------------------------------------------------------------


def edge_sigma(sheet: Sheet, polygon: shapely.Polygon, floor_in: float = TerrainConfig.sigma_floor_in) -> float:
    """One standard deviation of the blur of a piece's edge in inches: the median along the outline, the table's own
    edge left out."""
    points, out = outward(polygon, 0.25)
    scale = sheet.scale
    inner = np.all((points > 0.15) & (points < np.array([scale.width_in, scale.depth_in]) - 0.15), axis=1)
    if not inner.any():
        return floor_in
    blur = blur_along(sheet, points[inner], out[inner], polygon.area / polygon.length)
    return max(floor_in, float(np.median(blur)))


def _number_pieces(
    pieces: list[_Piece],
    scale: MapScale,
    planes: dict[str, Sheet],
    config: TerrainConfig,
    hill_heights: float | tuple[float, ...],
) -> tuple[ExpectedTerrain, ...]:
    tops = _tops(planes["hill top"], config) if any(p.kind == "hill" for p in pieces) else []
    rows = []
    for piece in pieces:
        ring = on_table(piece.polygon, scale)
        if ring is None:
            continue
        shape = shapely.Polygon(ring)
        mean = _share_within(shape, planes[piece.kind]) if piece.sure is None else piece.sure
        floor = config.sigma_floor_in if piece.sure is None else config.bridge.sigma_in
        item = ExpectedTerrain(
            id="",
            kind=piece.kind,
            polygon=ring,
            hill_top=_top_of(shape, tops, scale) if piece.kind == "hill" else None,
            confidence=round(min(1.0, mean * mean / max(mean + piece.rival, 1e-6)), 4),
            sigma_in=round(edge_sigma(planes[piece.kind], shape, floor), 4),
        )
        rows.append((shape.centroid, item))
    rows.sort(key=lambda r: (-np.floor(r[0].y / config.band_in), r[0].x, r[0].y))
    heights = iter(hill_heights) if isinstance(hill_heights, tuple) else None
    out = []
    for number, (_, item) in enumerate(rows, 1):
        height = 0.0
        if item.kind == "hill":
            height = float(next(heights, 0.0)) if heights is not None else float(hill_heights)  # type: ignore[arg-type]
        out.append(replace(item, id=f"t{number}", height=height))
    return tuple(out)


def _share_within(shape: shapely.Polygon, sheet: Sheet) -> float:
    """The mean share of a piece away from its edge, where every share is about one half."""
    for core in (shape.buffer(-min(0.5, 0.6 * shape.area / shape.length)), shape):
        inside = _polygon_mask(core, sheet)
        if inside.any():
            return float(sheet.values[inside].mean())
    return float(sheet.at(shape.representative_point().coords[0]))


def _tops(sheet: Sheet, config: TerrainConfig) -> list[shapely.Polygon]:
    px = sheet.scale.px_per_inch
    out = []
    for mask in _solid(sheet, config, config.least_top_sqin, whisker_in=0.15):
        ring = ring_of(_only(sheet.values, mask, px))
        polygon = None if ring is None else tidy(sheet.table(ring), config.trace)
        if polygon is not None:
            out.append(polygon)
    return out


def _top_of(
    hill: shapely.Polygon, tops: list[shapely.Polygon], scale: MapScale
) -> tuple[tuple[float, float], ...] | None:
    """The largest top that is mostly within the hill, cut to it."""
    inside = [
        p for top in tops if top.intersection(hill).area > 0.5 * top.area and (p := largest(top.intersection(hill)))
    ]
    return on_table(max(inside, key=lambda p: p.area), scale) if inside else None
