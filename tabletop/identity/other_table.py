"""Whether a photo seems to show a different table than the known one, from all cues together.

A cue is in log odds: above 0 it is evidence for the same table, below 0 for another. For units it compares the distance
from their known places to bases that may be theirs with the distance expected by chance; for drawn terrain it is
whether the photo shows it; for names whether the units that were read are known. No cue decides alone: when all units
have moved, the terrain is still there, and when a photo can't show the terrain, the units are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import shapely

from tabletop.identity.table_snapshot import BaseSighting, Sighting
from tabletop.tables.scene import Terrain
from tabletop.words import and_list

Array = npt.NDArray[np.float64]
Reach = Callable[[BaseSighting], float]
"""How far the unit of a base may have moved, in inches; infinite without a rule."""

_AT_EDGE_IN = 1.0  # how far from a deployment zone a base's middle still counts as in it


def _anywhere(_base: BaseSighting) -> float:
    return math.inf


def _straight(way: Array) -> float:
    return float(np.linalg.norm(way))


@dataclass(frozen=True)
class OtherTableConfig:
    """``odds``: another table is reported if the cues add up to this or less, with at least ``cues`` of them below
    ``speaks``; ``most``: the strongest evidence that one cue may give against the table.

    For a unit on its own table, ``stayed`` is the chance that it is within about ``stayed_in`` of its place and
    ``moved`` that it is about ``moved_in`` away; otherwise it may be anywhere, or is not found, which on another table
    has the chance ``lost``. If rules limit movement, turns in which every unit moved are considered too: then a unit is
    anywhere within its movement, except with the chance ``astray``; units without a read name are treated so only if
    most names were read, or with ``nameless``. ``norm`` measures a displacement (2,), and ``disc`` is the area within 1
    of a place. ``unit_odds``: the least and the greatest evidence from one unit. ``near_in``: the distance that
    sentences call near its place. ``zone``: the chance that a base is where units may be deployed.

    ``missing`` and ``there``: the shares of a piece of terrain in the photo, from 0 to 1, at which the piece counts as
    missing and as there, with ``missing_odds`` and ``there_odds``; ``stranger``: the log odds of a unit that is not in
    the game."""

    odds: float = -2.5
    cues: int = 2
    speaks: float = -0.4
    most: float = -5.0
    stayed: float = 0.5
    stayed_in: float = 0.5
    moved: float = 0.35
    moved_in: float = 5.0
    astray: float = 0.15
    lost: float = 0.5
    nameless: bool = False
    norm: Callable[[Array], float] = field(default=_straight)
    disc: float = math.pi
    unit_odds: tuple[float, float] = (-1.5, 2.0)
    near_in: float = 3.0
    zone: float = 0.9
    missing: float = 0.1
    there: float = 0.5
    missing_odds: float = -1.1
    there_odds: float = 2.0
    stranger: float = -0.5


@dataclass(frozen=True)
class Cue:
    """One kind of evidence: its log ``odds`` and its text if it is evidence for another table."""

    odds: float
    says: str


def seems_other_table(
    before: Sighting,
    after: Sighting,
    elsewhere: Sequence[BaseSighting] = (),
    reach_in: Reach | None = None,
    config: OtherTableConfig | None = None,
) -> str:
    """The evidence in words that ``after`` shows another table than ``before``; empty if it may be the same.

    ``elsewhere``: a sample base of each unit that may come from off the table; ``reach_in``: how far a unit may have
    moved in the meantime.
    """
    chosen = config or OtherTableConfig()
    found = cues(before, after, elsewhere, reach_in, chosen)
    against = [cue for cue in found if cue.odds <= chosen.speaks]
    if len(against) < chosen.cues or sum(cue.odds for cue in found) > chosen.odds:
        return ""
    return and_list([cue.says for cue in against])


def cues(
    before: Sighting,
    after: Sighting,
    elsewhere: Sequence[BaseSighting] = (),
    reach_in: Reach | None = None,
    config: OtherTableConfig | None = None,
) -> tuple[Cue, ...]:
    """The cues that two sightings allow."""
    chosen = config or OtherTableConfig()
    zoned = before.may_stand
    units = _zones(before, after, elsewhere, chosen) if zoned else _units(before, after, reach_in or _anywhere, chosen)
    found = (units, _terrain(before, after, chosen), _names(before, after, elsewhere, chosen))
    return tuple(cue for cue in found if cue is not None)


def _units(before: Sighting, after: Sighting, reach_in: Reach, config: OtherTableConfig) -> Cue | None:
    """Whether units' bases, or bases that may be theirs, are near the units' former places; of the assumptions that
    some moved and that all moved, the one with more evidence for the same table counts."""
    area = before.width * before.depth
    some, all_moved, near = [], [], 0
    read = len(set(before.units) & set(after.units))
    nameless = config.nameless or 2 * read >= len(before.units)
    for unit in before.units:
        old = [piece for piece in map(before.pieces.__getitem__, before.rows(unit)) if after.shows([piece.center])[0]]
        if not old:
            continue
        far, chances = _nearest(old, unit, after, config)
        near += far <= config.near_in
        stayed, moved = _Moved(config.stayed, config.stayed_in), _Moved(config.moved, config.moved_in)
        some.append(_unit_odds(far, chances, area, (stayed, moved), config))
        reach = reach_in(old[0])
        if (chances == 1 or nameless) and math.isfinite(reach):
            anywhere = _Moved(1.0 - config.astray, reach, config.disc / min(config.disc * reach**2, area))
            all_moved.append(_unit_odds(far, chances, area, (anywhere,), config))
        else:
            all_moved.append(some[-1])
    if not some:
        return None
    return Cue(
        max(sum(some), sum(all_moved), config.most),
        _few(near, len(some), "unit", "was found near its place"),
    )


def _nearest(old: Sequence[BaseSighting], unit: str, after: Sighting, config: OtherTableConfig) -> tuple[float, int]:
    """The distance to the nearest base that may be a unit's, and the number of bases that chance may bring there;
    infinite if none fits. If bases were read as the unit's own, only those count."""
    own = [piece for piece in after.pieces if piece.unit == unit]
    pairs = [
        config.norm(one.center - other.center)
        for other in (own or [piece for piece in after.pieces if piece.unit is None])
        for one in old
        if one.fits(other)
    ]
    return min(pairs, default=math.inf), 1 if own else len(pairs)


@dataclass(frozen=True)
class _Moved:
    """A possible movement of a unit, with its ``chance``: about ``scale_in`` in any direction, or anywhere within
    ``scale_in`` with equal chance, ``evenly`` being the share within an inch."""

    chance: float
    scale_in: float
    evenly: float = 0.0

    def density(self, far: float) -> float:
        """The probability density of that distance, per inch."""
        if self.evenly:
            return 2 * far * self.evenly if far <= self.scale_in else 0.0
        return far / self.scale_in**2 * self.beyond(far)

    def beyond(self, far: float) -> float:
        """The chance that it is farther away."""
        if self.evenly:
            return max(1.0 - far**2 * self.evenly, 0.0) if far <= self.scale_in else 0.0
        return math.exp(-((far / self.scale_in) ** 2) / 2)


def _unit_odds(far: float, chances: int, area: float, ways: Sequence[_Moved], config: OtherTableConfig) -> float:
    """The log odds of the nearest base at that distance, with ``chances`` bases that chance might bring as near."""
    lost = 1.0 - sum(way.chance for way in ways)
    if not math.isfinite(far):
        return max(math.log(lost / config.lost), config.unit_odds[0])
    far = max(far, 0.02)
    free = max(1.0 - config.disc * far**2 / area, 1e-6)

    def by_chance(n: int) -> float:
        return n * 2 * config.disc * far / area * free ** max(n - 1, 0)

    same = lost * by_chance(chances)
    for way in ways:
        own, other = way.density(far) * free ** (chances - 1), by_chance(chances - 1) * way.beyond(far)
        same += way.chance * (own + other)
    return float(np.clip(math.log(max(same, 1e-12) / max(by_chance(chances), 1e-12)), *config.unit_odds))


def _zones(
    before: Sighting, after: Sighting, elsewhere: Sequence[BaseSighting], config: OtherTableConfig
) -> Cue | None:
    """Whether bases are where units of their make may be deployed. Bases of one unit come together, so each counts for
    a third."""
    said, inside = [], 0
    for is_in, by_chance in bases_in_zones(before, after, elsewhere):
        inside += is_in
        odds = config.zone / by_chance if is_in else (1 - config.zone) / (1 - by_chance)
        said.append(math.log(odds) / 3)
    if not said:
        return None
    return Cue(
        max(sum(said), config.most),
        _few(inside, len(said), "base", "is where it may be deployed"),
    )


def bases_in_zones(
    before: Sighting, after: Sighting, elsewhere: Sequence[BaseSighting] = ()
) -> Iterator[tuple[bool, float]]:
    """For each base that units with deployment zones may own, whether it is in one of those zones, and the probability
    of that for a base at a random place."""
    makes = [piece for piece in (*before.pieces, *elsewhere) if piece.unit is not None]
    for piece in after.pieces:
        own = {str(make.unit) for make in makes if make.fits(piece)}
        if not own or not own <= before.may_stand.keys():
            continue  # its make is unknown, or may be deployed anywhere
        zone = shapely.union_all([before.may_stand[unit] for unit in own])
        by_chance = min(max(zone.area / (before.width * before.depth), 0.02), 0.98)
        yield bool(zone.buffer(_AT_EDGE_IN).contains(shapely.Point(piece.center))), by_chance


def _terrain(before: Sighting, after: Sighting, config: OtherTableConfig) -> Cue | None:
    """Whether the photo shows the terrain that is known."""
    shown = list(_shown_shares(before, after))
    if not shown:
        return None
    levels = (config.missing, (config.missing + config.there) / 2, config.there)
    odds, gone = 0.0, 0
    for share, by_chance in shown:
        there = min(config.there_odds, -math.log(max(by_chance, 1e-6)))
        odds += float(np.interp(share, levels, (config.missing_odds, 0.0, there)))
        gone += share < levels[1]
    verb = "is" if gone == 1 else "are"
    of = f"{gone} of {len(shown)} pieces of terrain" if len(shown) > 1 else "the terrain"
    return Cue(max(odds, config.most), f"{of} {verb} missing")


def _shown_shares(before: Sighting, after: Sighting) -> Iterator[tuple[float, float]]:
    """How much of each known piece the photo shows, from 0 to 1: as stated of drawn terrain, else by outlines; and how
    much it shows of that kind where none is known, so that chance may have brought it. A piece that was drawn after
    the photo counts for nothing."""
    known = {piece.id for piece in before.terrain}
    stated = [piece.shown for piece in after.terrain if piece.shown is not None and piece.id in known]
    if stated:
        yield from ((share, 0.0) for share in stated)
        return
    read = [piece for piece in after.terrain if piece.chances]
    if not read:
        return
    drawn = {piece.id for piece in after.terrain if not piece.chances}
    whole = shapely.box(0.0, 0.0, before.width, before.depth)
    for kind in dict.fromkeys(piece.kind for piece in before.terrain):
        shown = shapely.union_all([_area(piece) for piece in read if piece.kind == kind])
        areas = [_area(piece) for piece in before.terrain if piece.kind == kind and piece.id not in drawn]
        free = whole.difference(shapely.union_all(areas))
        by_chance = free.intersection(shown).area / max(free.area, 1e-6)
        for area in areas:
            middle = area.representative_point()
            if area.area > 0 and after.shows([(middle.x, middle.y)])[0]:
                yield area.intersection(shown).area / area.area, by_chance


def _area(piece: Terrain) -> shapely.Geometry:
    return shapely.make_valid(shapely.Polygon(piece.polygon))


def _names(
    before: Sighting, after: Sighting, elsewhere: Sequence[BaseSighting], config: OtherTableConfig
) -> Cue | None:
    """Whether the units that were read are known."""
    known = {*before.units, *before.may_stand, *(piece.unit for piece in elsewhere)}
    strange = [unit for unit in after.units if unit not in known]
    if not after.units:
        return None
    verb = "is" if len(strange) == 1 else "are"
    says = f"{len(strange)} of the {len(after.units)} units {verb} not in the game"
    return Cue(max(len(strange) * config.stranger, config.most), says)


def _few(found: int, of: int, what: str, how: str) -> str:
    """A sentence part on the few that were found; ``how`` describes a single one.

    >>> _few(0, 12, "unit", "was found near its place")
    'none of the 12 units was found near its place'
    """
    if of == 1:
        return f"{'the' if found else 'not even the one'} {what} {how}"
    if found > 1:
        for one, many in (("was ", "were "), ("is ", "are "), (" it ", " they "), ("its place", "their places")):
            how = how.replace(one, many)
    return f"{f'only {found}' if found else 'none'} of the {of} {what}s {how}"
