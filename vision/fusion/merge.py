"""Bases of several photos of one table merged into one set: which are the same, their places, their doubts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import shapely
from scipy.optimize import linear_sum_assignment

from calibration import TableView
from vision.bases.placed import PlacedBase
from vision.bases.selection import footprint
from vision.fusion.base_fusion import Cross, FuseConfig, SightOfBase, fuse, turn_period
from vision.model.expected import Expected
from vision.model.heights import HeightConfig, surface_prior

Array = npt.NDArray[np.float64]

_MOST_LOOKS = 1000  # a photo has fewer groups of look-alikes


@dataclass(frozen=True)
class MergeConfig:
    """Two sights are one base within ``gate_sigma`` of each other (``floor_in``: nearer than that counts as equal), and
    nearer than ``reach`` of its smaller side. ``rise_sigma``: the cost of assuming that it is higher than in either
    photo.

    A photo can show a base that is ``inside_in`` inside its picture at ``least_ppi`` pixels an inch or more, unless it
    is behind other bases' figures, ``figure_in`` high, or terrain of ``tall`` kinds, ``tall_in`` high or as stated. It
    finds a base visible to the share ``clear_share`` with the chance ``recall`` (``recall_bases``: as certain as that
    many bases make it; the others that it shows and misses count with them), never one visible to ``least_share`` or
    less, and in proportion between these. A base without a tag that is real with less than ``least_chance``, after all
    photos that do not show it, is dropped. ``lonely_chance``: a photo that would have found it so surely is named.
    ``moved_confidence``: factor on the confidence of a base that was moved. ``most_told``: bases named in sentences of
    their own."""

    gate_sigma: float = 4.0
    floor_in: float = 0.03
    reach: float = 0.6
    rise_sigma: float = 1.5
    inside_in: float = 0.5
    least_ppi: float = 14.0
    figure_in: float = 1.3
    tall: tuple[str, ...] = ("woods", "town", "ruin")
    tall_in: float = 1.5
    recall: float = 0.9
    recall_bases: float = 10.0
    clear_share: float = 0.8
    least_share: float = 0.3
    least_chance: float = 0.1
    lonely_chance: float = 0.5
    moved_confidence: float = 0.6
    most_told: int = 4
    fuse: FuseConfig = field(default_factory=FuseConfig)
    heights: HeightConfig = field(default_factory=HeightConfig)


@dataclass(frozen=True, eq=False)
class PhotoBases:
    """The bases of one photo, called ``name``, with its camera."""

    name: str
    view: TableView
    placed: tuple[PlacedBase, ...]


@dataclass(frozen=True, eq=False)
class MergedBases:
    """Bases of all photos, ``confidence_factor`` (n,) how much of its confidence each keeps, and sentences on what did
    not fit."""

    placed: tuple[PlacedBase, ...]
    confidence_factor: tuple[float, ...]
    warnings: tuple[str, ...]


def merge_bases(
    photos: Sequence[PhotoBases], cross: Cross, expected: Expected, config: MergeConfig | None = None
) -> MergedBases:
    """The bases of several photos as one set, each once.

    ``cross`` gives the covariance of two photos' camera parameters. Bases are the same by their tag, else by side,
    shape, place and direction within the errors of measurement. A photo that would have found a base and did not
    lowers its chance, the more the surer it would have been; an unlikely base is dropped and reported, and so is one
    that was moved between photos.
    """
    config = config or MergeConfig()
    groups = _groups(photos, config)
    fused, moved = [], []
    for group in groups:
        where = group[0].base.center
        prior = surface_prior(float(where[0]), float(where[1]), expected.terrain, config.heights)
        one = fuse(group, cross, prior, config.fuse)
        fused.append(one.base)
        moved.append(one.moved_in)
    placed = _assign_units(groups, fused, expected)
    warnings = _displacement_notes(placed, groups, moved, photos, expected, config)
    finds = _finds(groups, placed, photos, expected, config)
    keep: list[int] = []
    factors: list[float] = []
    lonely: list[tuple[int, str, str]] = []
    gone: list[tuple[int, str, str]] = []
    for k, group in enumerate(groups):
        have = {sight.photo for sight in group}
        against = [number for number in range(len(photos)) if number not in have]
        before = _odds(group)
        after = before * float(np.prod([1.0 - finds[k, number] for number in against]))
        surest = max(against, key=lambda number: finds[k, number], default=None)
        told = surest is not None and finds[k, surest] >= config.lonely_chance and not moved[k]
        names = (k, photos[group[0].photo].name, "" if surest is None else photos[surest].name)
        if told and placed[k].tag_id is None and after < config.least_chance * (1.0 + after):
            gone.append(names)
            continue
        keep.append(k)
        if moved[k]:
            factors.append(config.moved_confidence)
            continue
        factors.append(after * (1.0 + before) / (before * (1.0 + after)))
        if told:
            lonely.append(names)
    warnings += _unseen(lonely, placed, expected, config) + _left_out_notes(gone, placed, expected, config)
    return MergedBases(tuple(placed[k] for k in keep), tuple(factors), tuple(warnings))


def _odds(group: Sequence[SightOfBase]) -> float:
    """The odds that a base is real by its sights alone: a tag is read wrongly once in a hundred times, an outline is
    as sure as it is complete."""
    chances = [s.base.support for s in group]
    return float(np.prod([max(chance, 0.5) / (1.0 - chance) for chance in chances]))


def _finds(
    groups: Sequence[Sequence[SightOfBase]],
    placed: Sequence[PlacedBase],
    photos: Sequence[PhotoBases],
    expected: Expected,
    config: MergeConfig,
) -> Array:
    """The chance (bases, photos) that a photo finds a base if it is real: by how much of it can be seen there, and by
    the share of the other photos' bases that the photo found."""
    have = np.zeros((len(groups), len(photos)), dtype=bool)
    for k, group in enumerate(groups):
        have[k, [sight.photo for sight in group]] = True
    areas = np.array([footprint(b.shape, float(b.center[0]), float(b.center[1]), b.facing) for b in placed])
    share = np.ones(have.shape)
    for k, number in zip(*np.nonzero(~have), strict=True):
        share[k, number] = _visible_share(int(k), placed, areas, photos[number].view, expected, config)
    ramp = np.clip((share - config.least_share) / (config.clear_share - config.least_share), 0.0, 1.0)
    # A base that two photos show is surely there: a third photo without it has missed it.
    sure = np.broadcast_to(have.sum(axis=1)[:, None] >= 2, have.shape)
    seen, possible = (ramp * have * sure).sum(axis=0), (ramp * sure).sum(axis=0)
    recall = (config.recall * config.recall_bases + seen) / (config.recall_bases + possible)
    return np.asarray(ramp * recall)


def _displacement_notes(
    placed: Sequence[PlacedBase],
    groups: Sequence[Sequence[SightOfBase]],
    moved: Sequence[float],
    photos: Sequence[PhotoBases],
    expected: Expected,
    config: MergeConfig,
) -> list[str]:
    """Sentences on bases that photos show in different places."""
    rows = [k for k, far in enumerate(moved) if far]
    out = []
    for k in rows[: config.most_told]:
        first, second = _farthest(groups[k])
        out.append(
            f"{_who(placed[k], expected)} is {moved[k]:.1f} in apart in {photos[first].name} and "
            f"{photos[second].name}: it was moved between the photos. Retake both."
        )
    if len(rows) > config.most_told:
        more = len(rows) - config.most_told
        out.append(f"{more} more bases were moved between the photos: take all photos of one moment.")
    return out


def _farthest(group: Sequence[SightOfBase]) -> tuple[int, int]:
    """The two photos with the sights farthest apart."""
    pairs = [(a, b) for k, b in enumerate(group) for a in group[:k]]
    a, b = max(pairs, key=lambda p: float(np.hypot(*(p[0].base.center - p[1].base.center))))
    return a.photo, b.photo


def _groups(photos: Sequence[PhotoBases], config: MergeConfig) -> list[list[SightOfBase]]:
    """Sights that are of one base, photo by photo: each photo's bases are given to those of the photos before it."""
    groups: list[list[SightOfBase]] = []
    for number, photo in enumerate(photos):
        new = [SightOfBase(number, photo.view, _of_photo(base, number)) for base in photo.placed]
        cost = np.array([_cost(group, sight, config) for group in groups for sight in new])
        cost = cost.reshape(len(groups), len(new))
        most = config.gate_sigma**2
        rows, columns = linear_sum_assignment(np.minimum(cost, most + 1.0))
        taken = {int(c): int(r) for r, c in zip(rows, columns, strict=True) if cost[r, c] <= most}
        for k, sight in enumerate(new):
            if k in taken:
                groups[taken[k]].append(sight)
            else:
                groups.append([sight])
    return groups


def _of_photo(base: PlacedBase, number: int) -> PlacedBase:
    """The base with a number of look-alikes that no other photo uses."""
    return base if base.alike is None else replace(base, alike=base.alike + _MOST_LOOKS * number)


def _cost(group: Sequence[SightOfBase], sight: SightOfBase, config: MergeConfig) -> float:
    """The cost of taking a sight for the base of a group, in squared sigma; infinite if impossible."""
    tags = {s.base.tag_id for s in group if s.base.tag_id is not None}
    if sight.base.tag_id is not None and tags:
        return -1e3 if tags == {sight.base.tag_id} else np.inf
    return min(_pair_cost(other, sight, config) for other in group)


def _pair_cost(a: SightOfBase, b: SightOfBase, config: MergeConfig) -> float:
    one, other = a.base, b.base
    if one.shape != other.shape or (one.side is not None and other.side is not None and one.side != other.side):
        return np.inf
    spread = a.view.covariance, b.view.covariance
    own = a.own(config.fuse) + b.own(config.fuse) + config.floor_in**2 * np.eye(2)
    own = own + a.by_view() @ spread[0] @ a.by_view().T + b.by_view() @ spread[1] @ b.by_view().T
    weight = np.linalg.inv(own)
    base_off, slide = b.at_zero - a.at_zero, b.slide - a.slide
    steepness = float(slide @ weight @ slide)
    crossing = -float(slide @ weight @ base_off) / max(steepness, 1e-9)
    crossing = float(np.clip(crossing, config.fuse.lowest_in, config.fuse.highest_in))
    reach = config.reach * min(one.shape.width, one.shape.depth)
    best = np.inf
    for z in (one.z, other.z, crossing):
        off = base_off + z * slide
        if float(np.hypot(*off)) > reach:
            continue
        rise = [(z - s.base.z) / max(s.base.z_sigma, 0.02) for s in (a, b)]
        lift = min(config.rise_sigma**2, float(np.min(np.square(rise))) / 2)
        best = min(best, float(off @ weight @ off) + lift)
    return best + _turn_cost(one, other)


def _turn_cost(one: PlacedBase, other: PlacedBase) -> float:
    """The cost of two directions, as far as the outline shows them."""
    period = turn_period(one.shape)
    if not period:
        return 0.0
    off = np.radians((one.facing - other.facing + period / 2) % period - period / 2)
    variance = float(one.covariance[2, 2] + other.covariance[2, 2]) + np.radians(2.0) ** 2
    return float(min(off**2 / variance, 9.0))


def _assign_units(
    groups: Sequence[Sequence[SightOfBase]], fused: Sequence[PlacedBase], expected: Expected
) -> list[PlacedBase]:
    """The fused bases with the unit that their photos agree on; none where they don't or where a unit would have too
    many."""
    out = []
    votes = []
    for group, base in zip(groups, fused, strict=True):
        side = next((s.base.side for s in group if s.base.side is not None), None)
        if base.tag_id is not None:
            out.append(replace(base, side=side))
            votes.append(len(group) + 1e3)
            continue
        units = {s.base.unit for s in group if s.base.unit is not None}
        unit = units.pop() if len(units) == 1 else None
        uniques = {s.base.unique for s in group if s.base.unique is not None and s.base.unit == unit}
        unique = uniques.pop() if len(uniques) == 1 and unit is not None else None
        out.append(replace(base, side=side, unit=unit, unique=unique))
        votes.append(sum(s.base.unit == unit for s in group) + base.coverage)
    for row, unit_ in enumerate(expected.units):
        mine = sorted((k for k, base in enumerate(out) if base.unit == row), key=lambda k: -votes[k])
        if len(mine) > unit_.bases:
            for k in mine:
                if out[k].tag_id is None:
                    out[k] = replace(out[k], unit=None, unique=None)
        lead = [k for k in mine if out[k].unique and out[k].tag_id is not None]
        claims = [k for k in mine if out[k].unique and k not in lead]
        if lead or len(claims) > 1:
            for k in claims:
                out[k] = replace(out[k], unique=False if lead else None)
    return out


def _visible_share(
    k: int,
    placed: Sequence[PlacedBase],
    areas: npt.NDArray[np.object_],
    view: TableView,
    expected: Expected,
    config: MergeConfig,
) -> float:
    """The share of a base that a photo can show: nothing where it is too far or not in the picture, less where other
    bases' figures or tall terrain stand between."""
    base = placed[k]
    if not in_picture(view, base.center, base.z + base.shape.height, config.inside_in + 0.5 * base.shape.width):
        return 0.0
    if _pixels_per_inch(view, base.center, base.z) < config.least_ppi:
        return 0.0
    angle = np.radians(base.facing)
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    steps = np.array([-0.45, -0.15, 0.15, 0.45])
    grid = np.stack(np.meshgrid(steps * base.shape.width, steps * base.shape.depth), axis=-1).reshape(-1, 2)
    spots = base.center + grid @ turned
    others = np.arange(len(placed)) != k
    if np.any(shapely.intersects(areas, areas[k]) & others):
        return 0.0  # the same spot under two readings: neither is a witness against the other
    towards = (view.eye[:2] - spots) / float(view.eye[2] - base.z)

    def shadows(height: float) -> npt.NDArray[np.object_]:
        return np.asarray(shapely.linestrings(np.stack([spots, spots + towards * height], axis=1)))

    hidden = np.any(shapely.intersects(areas[others][:, None], shadows(config.figure_in)), axis=0)
    for piece in expected.terrain:
        if piece.kind in config.tall:
            hidden |= shapely.intersects(piece.shape, shadows(max(config.tall_in, piece.height)))
    return float(1.0 - hidden.mean())


def in_picture(view: TableView, place: Array, z: float, margin_in: float = 0.0) -> bool:
    """Whether a photo's picture holds a place (2,) at height ``z`` with ``margin_in`` round it."""
    round_ = np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]) * margin_in + place
    points = np.column_stack([round_, np.full(5, z)])
    if np.any((points @ view.R.T + view.t)[:, 2] <= 0):
        return False
    pixels = view.pixel_from_table(points)
    return bool(np.all((pixels > 0) & (pixels < np.array(view.camera.size) - 1)))


def _pixels_per_inch(view: TableView, place: Array, z: float) -> float:
    """The coarser of the scales along x and y at a place."""
    points = np.array([[*place, z], [place[0] + 0.1, place[1], z], [place[0], place[1] + 0.1, z]])
    pixels = view.pixel_from_table(points)
    return float(np.linalg.svd((pixels[1:] - pixels[0]) / 0.1, compute_uv=False)[-1])


def _who(base: PlacedBase, expected: Expected) -> str:
    """A base in words."""
    if base.unit is not None:
        tag = f" (tag {base.tag_id})" if base.tag_id is not None else ""
        return f"A base of {expected.units[base.unit].id}{tag}"
    side = f"{base.side} " if base.side else ""
    return f"The {side}base at ({base.center[0]:.1f}, {base.center[1]:.1f})"


def _who_where(base: PlacedBase, expected: Expected) -> str:
    where = "" if base.unit is None else f" at ({base.center[0]:.1f}, {base.center[1]:.1f})"
    return f"{_who(base, expected)}{where}"


def _unseen(
    lonely: Sequence[tuple[int, str, str]], placed: Sequence[PlacedBase], expected: Expected, config: MergeConfig
) -> list[str]:
    """Sentences on bases that one photo shows and another should."""
    out = []
    for k, shown, missed in lonely[: config.most_told]:
        base = placed[k]
        out.append(
            f"{_who_where(base, expected)} is seen in {shown} but not in {missed}, which should show it: if a hand "
            "moved it in between, retake both."
        )
    more = len(lonely) - config.most_told
    if more > 0:
        out.append(f"{more} more bases are seen in one photo only though another should show them: check them.")
    return out


def _left_out_notes(
    rows: Sequence[tuple[int, str, str]], placed: Sequence[PlacedBase], expected: Expected, config: MergeConfig
) -> list[str]:
    """Sentences on bases that were left out because photos that would have found them do not show them."""
    out = []
    for k, shown, missed in rows[: config.most_told]:
        base = placed[k]
        out.append(
            f"{_who_where(base, expected)}, seen in {shown} alone, was left out: {missed} would show it and does not. "
            "Add it by hand if it is there."
        )
    if len(rows) > config.most_told:
        out.append(f"{len(rows) - config.most_told} more were left out that only one photo seems to show.")
    return out
