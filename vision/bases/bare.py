"""Bases without painted rims, as the ``bases`` net shows them: fitted one by one where no other base was found.

For every place of the map the net gives how surely it belongs to a base's top, to its outline, to its middle. A known
shape is placed where its outline is on outline and its inside on top, moved until it fits best. No rim shows
which side a bare base belongs to: the side stays open unless only one side has the shape.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration import TableView
from vision.bases.bare_choice import ChoiceConfig, choose_bases
from vision.bases.bare_shapes import (
    Box,
    Laid,
    Odds,
    Rough,
    ShapesConfig,
    most_worth,
    near,
    odds_of,
    outline_points,
    proposals,
    read,
    refine_poses,
    score,
    without,
)
from vision.bases.outline import OutlineFit
from vision.bases.presence import PresenceConfig, pixels_of, presence
from vision.bases.selection import Found, footprint
from vision.imaging.nets import BASES_PPI, net, plan_input
from vision.imaging.rectify import MapScale, rectified_map, visible_mask
from vision.imaging.rims import Array, Float32, Image
from vision.model.expected import BaseShape, Expected, Rival
from vision.terrain.ground_sight import lean_planes


@dataclass(frozen=True)
class BareConfig:
    """``map_ppi``: pixels per inch of the net's input, fewer where the map would pass ``map_megapixels``;
    ``margin_in``: how far the map reaches past the table; ``known_inset_in``: width of a base's rim that is left to its
    neighbours; ``looks``: how often unexplained places are searched again; ``passes``: how often neighbours are
    moved against each other; ``room_in``: how far round a base is searched; ``least_share``: a base must explain this
    share of the most that its shape can, ``painted_share`` the same on a table of painted rims, ``denied`` for a base
    with paint of an unstated colour, ``denied_stated`` with paint of a stated one (on drawn
    tables true ones reached 0.06 and more, a false one -0.75);
    ``nats_per_in2``: the value of a
    square inch of log odds, as neighbouring places are seen alike; ``rival``: least chance of another shape that is
    reported; by its shortfall of ``sound_share`` a base may be of any other shape, within the chances ``mistaken``
    (on drawn tables one in ten is at a share of 0.85, one in four at 0.75); ``spread_in``, ``spread_step_in``,
    ``spread_deg``: places round a base that are compared for its
    spread; ``sigma_in``, ``sigma_deg``: spread of a fit without rivals."""

    map_ppi: float = BASES_PPI
    map_megapixels: float = 0.55
    margin_in: float = 0.5
    known_inset_in: float = 0.06
    looks: int = 2
    passes: int = 2
    room_in: float = 0.6
    least_share: float = 0.25
    painted_share: float = 0.8
    denied: float = 0.0
    denied_stated: float = -0.35
    nats_per_in2: float = 1.0
    rival: float = 0.06
    sound_share: float = 0.95
    mistaken: tuple[float, float] = (0.02, 0.3)
    spread_in: float = 0.5
    spread_step_in: float = 0.1
    spread_deg: tuple[float, ...] = (-8.0, -4.0, -2.0, 0.0, 2.0, 4.0, 8.0)
    sigma_in: float = 0.04
    sigma_deg: float = 1.5
    shapes: ShapesConfig = field(default_factory=ShapesConfig)
    choice: ChoiceConfig = field(default_factory=ChoiceConfig)
    presence: PresenceConfig = field(default_factory=PresenceConfig)


@dataclass(frozen=True, eq=False)
class BaseMaps:
    """The net's shares (rows, columns), 0 to 1: tops of bases, their outlines, their middles; the plane is at height
    ``z`` inches. ``view``: the photo's camera; without one the map counts as a photo from straight above."""

    top: Float32
    edge: Float32
    middle: Float32
    scale: MapScale
    z: float
    view: TableView | None = None


def map_scale(size_in: tuple[float, float], config: BareConfig | None = None) -> MapScale:
    """The scale and place of the net's input map for a table of ``size_in`` (width, depth)."""
    config = config or BareConfig()
    area = (size_in[0] + 2 * config.margin_in) * (size_in[1] + 2 * config.margin_in)
    ppi = min(config.map_ppi, float(np.sqrt(config.map_megapixels * 1e6 / area)))
    return MapScale(*size_in, px_per_inch=ppi, margin_in=config.margin_in)


def base_maps(image: Image, view: TableView, expected: Expected, config: BareConfig | None = None) -> BaseMaps:
    """The net's output for the whole table; ``image`` is the upright BGR photo of ``view``."""
    config = config or BareConfig()
    z = float(np.median([u.shape.height for u in expected.units])) if expected.units else 0.0
    scale = map_scale((expected.width, expected.depth), config)
    plan = rectified_map(
        image, view, (scale.width_in, scale.depth_in), px_per_inch=scale.px_per_inch, z=z, margin_in=scale.margin_in
    )
    shown = visible_mask(view, scale, z)
    share = net("bases")(plan_input(plan, lean_planes(view, scale), shown))
    top, edge, middle = (np.ascontiguousarray(plane * shown) for plane in share)
    return BaseMaps(top, edge, middle, scale, z, view)


def find_bare(
    maps: BaseMaps,
    expected: Expected,
    known: list[Found],
    config: BareConfig | None = None,
    *,
    painted: bool = False,
) -> list[Found]:
    """Bases that ``known`` ones do not cover, at most as many of each shape as the roster still lacks.

    ``painted``: every side's rims are painted and were tested, so that the remaining bases must be seen more clearly.
    Their ``side`` is "" if more than one side has that shape; other shapes of the roster that explain nearly as much
    are in ``rivals``; their surface is taken to be the table (z = 0). Bases that are probably not there are left out.
    """
    config = config or BareConfig()
    wanted = _missing_by_shape(expected, known)
    shapes = tuple(wanted)
    if not shapes:
        return []
    taken_up = [np.asarray(b.footprint.buffer(-config.known_inset_in).exterior.coords) for b in known]
    odds = without(odds_of(maps.top, maps.edge, maps.middle, maps.scale, config.shapes), taken_up, config.shapes)
    full = [most_worth(shape, maps.scale.px_per_inch, config.shapes) for shape in shapes]
    taken: list[Laid] = []
    searched: dict[Box, tuple[Odds, list[Rough]]] = {}
    for _ in range(config.looks):
        free = without(odds, [_ring(one, shapes) for one in taken], config.shapes)
        left = [n - sum(one.shape == k for one in taken) for k, n in enumerate(wanted.values())]
        laid = [one for one in proposals(free, shapes, config.shapes, searched) if _on_table(one.pose, expected)]
        more = choose_bases(laid, shapes, full, left, config.choice)
        if not more:
            break
        taken = _together(odds, shapes, taken + [laid[k] for k in more], config)
    found = []
    for k, one in enumerate(taken):
        here = _alone(odds, shapes, taken, k, config)
        shape = shapes[one.shape]
        share = score(here, shape, one.pose[None])[0] / full[one.shape]
        if share < (config.painted_share if painted else config.least_share):
            continue
        left = [n - sum(other.shape == i for other in taken) for i, n in enumerate(wanted.values())]
        open_shapes = [i for i in range(len(shapes)) if i == one.shape or left[i] > 0]
        mistaken = float(np.clip(config.sound_share - share, *config.mistaken))
        base = _likeliest_base(here, maps, one, shapes, open_shapes, mistaken, expected, config)
        if base.presence is None or base.presence >= config.presence.least:
            found.append(base)
    return found


def share_shown(maps: BaseMaps, base: Found, config: BareConfig | None = None) -> float:
    """The share of the most that a base could explain that the net shows at its place; below 0: the net sees none."""
    config = config or BareConfig()
    planes = Odds(maps.top, maps.edge, maps.middle, maps.scale)
    cut = near(planes, base.fit.x, base.fit.y, float(np.hypot(base.shape.width, base.shape.depth)))
    here = odds_of(cut.top, cut.edge, cut.middle, maps.scale, config.shapes, cut.origin)
    pose = np.array([[base.fit.x, base.fit.y, np.radians(base.fit.facing)]])
    return float(score(here, base.shape, pose)[0]) / most_worth(base.shape, maps.scale.px_per_inch, config.shapes)


def not_denied(painted: Sequence[Found], maps: BaseMaps, stated: Collection[str], config: BareConfig) -> list[Found]:
    """Painted bases that the net does not deny; it has more say if the rims' colour of their side is not ``stated``."""
    least = [config.denied_stated if base.side in stated else config.denied for base in painted]
    return [base for base, low in zip(painted, least, strict=True) if share_shown(maps, base, config) > low]


def _missing_by_shape(expected: Expected, known: list[Found]) -> dict[BaseShape, int]:
    """How many bases of each shape the roster has beyond the known ones."""
    count = expected.shape_counts
    for base in known:
        count[base.shape] = count.get(base.shape, 0) - 1
    return {shape: n for shape, n in count.items() if n > 0}


def _on_table(pose: Array, expected: Expected) -> bool:
    return bool(0 <= pose[0] <= expected.width and 0 <= pose[1] <= expected.depth)


def _ring(laid: Laid, shapes: tuple[BaseShape, ...], inset_in: float = 0.0) -> Array:
    """The outline (n, 2) of a fitted shape, smaller by ``inset_in``."""
    shape = shapes[laid.shape]
    area = footprint(shape, laid.pose[0], laid.pose[1], float(np.degrees(laid.pose[2])))
    return np.asarray((area.buffer(-inset_in) if inset_in else area).exterior.coords)


def _alone(odds: Odds, shapes: tuple[BaseShape, ...], taken: list[Laid], k: int, config: BareConfig) -> Odds:
    """The odds round one fitted shape, without the parts that the others explain."""
    shape, at = shapes[taken[k].shape], taken[k].pose
    reach = float(np.hypot(shape.width, shape.depth)) / 2 + config.room_in
    farthest = reach + max(float(np.hypot(s.width, s.depth)) for s in shapes) / 2
    others = [o for i, o in enumerate(taken) if i != k and np.hypot(*(o.pose[:2] - at[:2])) < farthest]
    rings = [_ring(o, shapes, config.known_inset_in) for o in others]
    return without(near(odds, float(at[0]), float(at[1]), reach), rings, config.shapes)


def _together(odds: Odds, shapes: tuple[BaseShape, ...], taken: list[Laid], config: BareConfig) -> list[Laid]:
    """Each fitted shape moved to where it explains most of the rest."""
    out = list(taken)
    for _ in range(config.passes):
        for k, one in enumerate(out):
            here = _alone(odds, shapes, out, k, config)
            pose, value = refine_poses(here, shapes[one.shape], one.pose[None], config.shapes)
            out[k] = Laid(one.shape, pose[0], float(value[0]))
    return out


def _likeliest_base(
    here: Odds,
    maps: BaseMaps,
    one: Laid,
    shapes: tuple[BaseShape, ...],
    open_shapes: list[int],
    mistaken: float,
    expected: Expected,
    config: BareConfig,
) -> Found:
    """The base, of the shape that explains most, with the other shapes that may be."""
    tries: list[tuple[float, Array, int]] = []
    quarter = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, np.pi / 2]])
    for index in open_shapes:
        start = one.pose[None] if shapes[index].is_round else one.pose + quarter
        pose, value = refine_poses(here, shapes[index], start, config.shapes)
        best = int(np.argmax(value))
        tries.append((float(value[best]), pose[best], index))
    tries.sort(key=lambda t: -t[0])
    weight = np.exp(config.nats_per_in2 * (np.array([t[0] for t in tries]) - tries[0][0]))
    _, pose, index = tries[0]
    chance = np.full(len(shapes), mistaken / max(1, len(shapes) - 1))
    chance[index] = 0.0
    chance[[t[2] for t in tries]] += (1.0 - mistaken) * weight / weight.sum()
    shape = shapes[index]
    laid = {t[2]: t[1] for t in tries}
    order = [int(k) for k in np.argsort(-chance, kind="stable") if k != index and chance[k] > config.rival]
    rivals = tuple(_rival(shapes[k], float(chance[k]), laid.get(k, pose)) for k in order)
    possible = {shape, *(rival.shape for rival in rivals)}
    sides = {u.side for u in expected.units if u.has_any(possible)}
    fit = _as_fit(here, maps, shape, pose, config)
    fit.covariance[:2, :2] += spread_of_shapes(shape, pose, rivals)
    there = presence(_shown_outline(maps, shape, pose), _pixels(maps, shape, pose), config.presence)
    return Found(fit, shape, sides.pop() if len(sides) == 1 else "", rivals, there)


def _rival(shape: BaseShape, chance: float, pose: Array) -> Rival:
    return Rival(shape, chance, (float(pose[0]), float(pose[1])), float(np.degrees(pose[2]) % 360.0))


def spread_of_shapes(shape: BaseShape, pose: Array, rivals: Sequence[Rival]) -> Array:
    """The covariance (2, 2) added to a place because the base may be of another shape: then it is where that shape
    was fitted, and the part taken for the whole may be anywhere within it (or the other way round)."""
    out = np.zeros((2, 2))
    own = _half_sides(shape, float(pose[2]))
    for rival in rivals:
        off = np.array(rival.center) - pose[:2]
        room = _half_sides(rival.shape, float(np.radians(rival.facing))) - own
        out += rival.chance * (np.outer(off, off) + room @ room.T / 3.0)
    return out


def _half_sides(shape: BaseShape, angle: float) -> Array:
    """Half the width and half the depth of a shape that faces ``angle``, as a tensor (2, 2) on the table."""
    if shape.is_round:
        return shape.width / 2 * np.eye(2)
    axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(axes.T @ np.diag([shape.width / 2, shape.depth / 2]) @ axes)


def _as_fit(here: Odds, maps: BaseMaps, shape: BaseShape, pose: Array, config: BareConfig) -> OutlineFit:
    """The fit, its spread from how much less is explained beside it."""
    steps = np.arange(-config.spread_in, config.spread_in + 1e-9, config.spread_step_in)
    turns = [0.0] if shape.is_round else np.radians(config.spread_deg)
    moves = np.stack(np.meshgrid(steps, steps, turns, indexing="ij"), axis=-1).reshape(-1, 3)
    value = score(here, shape, pose + moves)
    mass = np.exp(config.nats_per_in2 * (value - value.max()))
    mass /= mass.sum()
    off = moves - mass @ moves
    covariance = np.einsum("i,ij,ik->jk", mass, off, off) + np.diag(
        [config.sigma_in**2, config.sigma_in**2, np.radians(config.sigma_deg) ** 2]
    )
    if shape.is_round:
        covariance[2, 2] = np.pi**2
    cover, sides = _support(maps, shape, pose)
    facing = float(np.degrees(pose[2]) % 360.0)
    return OutlineFit(float(pose[0]), float(pose[1]), facing, 0.0, covariance, sides, cover, 0.0, 0.0, 0)


def _support(maps: BaseMaps, shape: BaseShape, pose: Array) -> tuple[float, tuple[float, float, float, float]]:
    """Share of the outline that is seen, and of each of its sides."""
    side = outline_points(shape)[1]
    seen = _outline_shares(maps, shape, pose) > 0.25
    sides = [float(seen[side == k].mean()) for k in range(4)]
    return float(seen.mean()), (sides[0], sides[1], sides[2], sides[3])


def _outline_shares(maps: BaseMaps, shape: BaseShape, pose: Array) -> Array:
    plane = Odds(maps.top, maps.edge, maps.middle, maps.scale)
    return read(maps.edge, plane, pose[None], outline_points(shape)[0])[0]


def _shown_outline(maps: BaseMaps, shape: BaseShape, pose: Array) -> float:
    return float(_outline_shares(maps, shape, pose).mean())


def _pixels(maps: BaseMaps, shape: BaseShape, pose: Array) -> float:
    if maps.view is None:
        return shape.width * shape.depth * maps.scale.px_per_inch**2
    return pixels_of(maps.view, shape, float(pose[0]), float(pose[1]), maps.z)
