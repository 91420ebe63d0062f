"""How units stand: broken formations, wrong facings, prohibited terrain, and who is threatened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt
import shapely

from geometry import Bases
from geometry.areas import overlap_margin
from geometry.formation import ahead_margin, facing_difference, facing_within, gaps_form_chain
from geometry.ranges import ranges_between
from geometry.shapes import half_diagonal, outline_sigma
from geometry.tolerance import NO, OPEN, TOLERANCE, YES, judge, judge_one
from tabletop.referee.report_rows import FormationRow, ThreatRow
from tabletop.rulesets.one_hour_ww2.situation import Situation, kind_of
from tabletop.tables.scene import Terrain, Unit

Array = npt.NDArray[np.float64]

UNITS_PLACE = "[Game Conventions, Units]"
FRONT_STEP_IN = 0.1
"""How far apart the points of a front edge are whose depth in a wood is measured."""
TERRAIN_PLACE = "[Movement, Terrain]"


@dataclass(frozen=True)
class Finding:
    """One thing about how a unit stands: a ``fault``, a ``doubt`` at 95 %, or a ``note``.

    ``code`` is ``gaps``, ``ahead``, ``facing``, ``ground``, or ``other``; ``base`` the row that it concerns (``None``:
    the unit) and ``feature`` the terrain. ``numbers`` are what was measured, in inches and degrees; ``excess`` is how
    far that lies beyond what is allowed, in the same unit.
    """

    level: Literal["fault", "doubt", "note"]
    code: str
    text: str
    place: str = ""
    base: int | None = None
    feature: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    excess: float = 0.0

    def __str__(self) -> str:
        return f"{self.text} {self.place}" if self.place else self.text


def formation(situation: Situation) -> list[FormationRow]:
    """Faults of every live unit, what is in doubt at 95 % (``doubts``) and what to know besides (``notes``)."""
    return [
        {
            "unit": unit.id,
            "faults": [str(f) for f in found if f.level == "fault"],
            "doubts": [str(f) for f in found if f.level == "doubt"],
            "notes": [str(f) for f in found if f.level == "note"],
        }
        for unit, found in zip(situation.units, findings(situation), strict=True)
    ]


def findings(situation: Situation) -> list[tuple[Finding, ...]]:
    """What there is to say about how each live unit stands, unit by unit."""
    spacing, ground = _spacing(situation), _ground(situation)
    return [(*_marks(unit), *spacing[row], *ground[row]) for row, unit in enumerate(situation.units)]


def _widest(gap: Array) -> float:
    """The widest gap in the closest chain through all bases, from gaps (n, n)."""
    reached, widest = np.arange(len(gap)) < 1, 0.0
    while not reached.all():
        across = np.where(reached[:, None] & ~reached[None, :], gap, np.inf)
        nearest = int(across.argmin())
        widest = max(widest, float(across.flat[nearest]))
        reached[nearest % len(gap)] = True
    return widest


def _marks(unit: Unit) -> Iterator[Finding]:
    """What there is to say about a unit wherever it stands."""
    if unit.missing_bases:
        yield Finding("note", "other", f"{len(unit.bases)} of {unit.expected_bases} bases are in the scene.")
    if unit.dug_in and kind_of(unit).struck_as == "tank":
        words = "It is marked dug in and judged so, though no tank may dig in."
        yield Finding("note", "other", words, "[Rally & Ready Step, Dug-in]")
    if unit.ready and kind_of(unit).fires_as == "mortar":
        words = "It is marked Ready and judged so, though no mortar may be."
        yield Finding("note", "other", words, "[Rally & Ready Step, Ready]")
    if unit.unique is None:
        words = "Which of its bases is the unique one is not known, so only the gaps are judged."
        yield Finding("doubt", "other", words, UNITS_PLACE)


def _spacing(situation: Situation) -> list[list[Finding]]:
    """How the bases of each unit stand to each other, unit by unit; all units in one measurement."""
    said: list[list[Finding]] = [[] for _ in situation.units]
    for row, chain, gap in _broken_chains(situation):
        said[row] += _apart(situation.units[row], chain, gap)
    rows = [
        r for u, r in zip(situation.units, situation.rows, strict=True) if u.unique is not None and len(u.bases) > 1
    ]
    if not rows:
        return said
    every = np.concatenate([np.arange(r.start, r.stop) for r in rows])
    bases, owner = situation.bases[every], situation.owner[every]
    starts = np.array([r.start for r in situation.rows])
    number = every - starts[owner]
    own = np.array([u.unique or 0 for u in situation.units])[owner]
    unique = np.searchsorted(every, starts[owner] + own)
    margin, sigma = ahead_margin(bases, unique)
    turn, turn_sigma = facing_difference(bases, unique)
    slack = _level_slack_in(situation, bases, turn)
    level = judge(slack - margin, sigma)
    same = facing_within(bases, unique, situation.rules.facing_deg)
    same[bases.is_round & np.isinf(turn_sigma)] = YES
    for n in np.flatnonzero((number != own) & (np.minimum(level, same) < YES)).tolist():
        i = int(number[n])
        said[owner[n]] += _ahead(i, level[n], float(margin[n]), float(slack[n]))
        said[owner[n]] += _facing_findings(i, same[n], float(turn[n]), situation.rules.facing_deg)
    return said


def _broken_chains(situation: Situation) -> Iterator[tuple[int, np.int8, Array]]:
    """Units whose bases do not surely form one chain of allowed gaps: row, answer, and the gaps (n, n) in inches.

    All units with as many bases are measured at once.
    """
    counts = np.array([len(u.bases) for u in situation.units], dtype=np.intp)
    starts = np.array([r.start for r in situation.rows], dtype=np.intp)
    allowed = np.array([kind_of(u).gap_in for u in situation.units])
    for count in np.unique(counts[counts > 1]).tolist():
        units = np.flatnonzero(counts == count)
        i, j = np.triu_indices(count, 1)
        rows = [(starts[units, None] + end).ravel() for end in (i, j)]
        ranges = ranges_between(situation.bases[rows[0]], situation.bases[rows[1]])
        gap, near = np.zeros((len(units), count, count)), np.full((len(units), count, count), YES, dtype=np.int8)
        gap[:, i, j] = gap[:, j, i] = ranges.value.reshape(len(units), -1)
        answers = judge(np.repeat(allowed[units], len(i)) - ranges.value, ranges.sigma)
        near[:, i, j] = near[:, j, i] = answers.reshape(len(units), -1)
        chain = gaps_form_chain(near)
        for n in np.flatnonzero(chain < YES).tolist():
            yield int(units[n]), chain[n], gap[n]


def _apart(unit: Unit, chain: np.int8, gap: Array) -> Iterator[Finding]:
    """What there is to say about a unit whose bases do not surely form one chain."""
    allowed, widest = kind_of(unit).gap_in, _widest(gap)
    numbers, over = {"gap_in": widest, "allowed_in": allowed}, widest - allowed
    if chain == NO and not unit.missing_bases:
        words = f"Its bases stand more than {allowed:g}″ apart."
        yield Finding("fault", "gaps", words, UNITS_PLACE, numbers=numbers, excess=over)
    else:
        words = f"Whether its bases are at most {allowed:g}″ apart is too close to call."
        yield Finding("doubt", "gaps", words, UNITS_PLACE, numbers=numbers, excess=over)


def _ahead(i: int, level: np.int8, margin_in: float, slack_in: float) -> Iterator[Finding]:
    """Whether a base stands ahead of the unique one."""
    number, numbers, over = f"Base {i + 1}", {"ahead_in": margin_in}, margin_in - slack_in
    if level == NO:
        words = f"{number} stands {margin_in:.2f}″ ahead of the unique base's front."
        yield Finding("fault", "ahead", words, UNITS_PLACE, i, "", numbers, over)
    elif level == OPEN:
        words = f"Whether {number.lower()} stands ahead of the unique one is too close to call."
        yield Finding("doubt", "ahead", words, UNITS_PLACE, i, "", numbers, over)


def _facing_findings(i: int, same: np.int8, turn_deg: float, allowed_deg: float) -> Iterator[Finding]:
    """Whether a base faces as the unique one does."""
    number, numbers = f"Base {i + 1}", {"turn_deg": turn_deg, "allowed_deg": allowed_deg}
    if same == NO:
        words = f"{number} faces {turn_deg:.0f}° away from the unique base."
        yield Finding("fault", "facing", words, UNITS_PLACE, i, "", numbers, turn_deg - allowed_deg)
    elif same == OPEN:
        words = f"Whether {number.lower()} faces as the unique base does is too close to call."
        yield Finding("doubt", "facing", words, UNITS_PLACE, i, "", numbers, turn_deg - allowed_deg)


def _level_slack_in(situation: Situation, bases: Bases, turn_deg: Array) -> Array:
    """How far bases (n,) counted level may reach ahead: the hand's slack, and what their own allowed turn adds."""
    angle = np.radians(np.minimum(turn_deg, situation.rules.facing_deg))
    aside, ahead = bases.width / 2 * np.sin(angle), bases.depth / 2
    oval = np.maximum(np.hypot(aside, ahead * np.cos(angle)) - ahead, 0.0)
    turned = np.where(bases.is_oval, oval, np.where(bases.is_round, 0.0, aside))
    return turned + situation.rules.level_in


def _ground(situation: Situation) -> list[list[Finding]]:
    """Prohibited ground under the bases of each unit, and bases that straddle the edge of a feature (ruling 13)."""
    said: list[list[Finding]] = [[] for _ in situation.units]
    features = [t for t in situation.scene.terrain if t.kind not in ("road", "bridge", "field")]
    rows = [situation.near_terrain[t.id] for t in features]
    if not sum(map(len, rows)):
        return said
    of = np.repeat(np.arange(len(features)), [len(r) for r in rows])
    base, depth = np.concatenate(rows), np.concatenate([situation.depths[t.id] for t in features])
    shapes = np.array([situation.shapes[t.id] for t in features], dtype=object)
    bases = situation.bases[base]
    sigma = np.hypot(outline_sigma(bases), np.array([t.sigma for t in features])[of])
    reach = overlap_margin(bases, shapes[of])
    touches = judge(reach - 2 * TOLERANCE.length_in, sigma)
    for n in np.flatnonzero(touches > NO).tolist():
        row = int(situation.owner[base[n]])
        i = int(base[n]) - situation.rows[row].start
        stand = _Stand(features[of[n]], touches[n], float(reach[n]), float(depth[n]), float(sigma[n]))
        said[row] += _under(situation, row, i, stand)
    return said


@dataclass(frozen=True, eq=False)
class _Stand:
    """A base in or on the edge of a feature: how surely, how far it reaches in and how deep it lies inside, inches."""

    feature: Terrain
    touches: np.int8
    reach_in: float
    depth_in: float
    sigma_in: float


def _under(situation: Situation, row: int, i: int, stand: _Stand) -> Iterator[Finding]:
    """What there is to say about one base of a unit in one feature."""
    unit, feature, answer, excess = situation.units[row], stand.feature, stand.touches, stand.reach_in
    number, struck_as = f"base {i + 1}", kind_of(unit).struck_as
    what = f'the {feature.kind} "{feature.id}"'
    if feature.kind in ("woods", "town", "hill") and stand.depth_in < -TOLERANCE.length_in and answer == YES:
        yield Finding("note", "other", f"{number.capitalize()} straddles the edge of {what}.", "[Ruling 13]")
    wrong = prohibits(feature.kind, struck_as)
    if wrong and struck_as == "atg" and feature.kind == "woods":
        excess, how = _past_edge(situation, unit, i, stand)
        answer = min(answer, judge_one(excess - 2 * TOLERANCE.length_in, stand.sigma_in))
        wrong = f"{how} {what}, whose edge alone an ATG may enter"
    elif wrong:
        wrong = f"{wrong} {what}"
    if not wrong or answer == NO or _on_road(situation, unit, i):
        return
    level: Literal["fault", "doubt"] = "fault" if answer == YES else "doubt"
    sure = f"{number.capitalize()} {wrong}."
    words = sure if answer == YES else f"Whether {number} {wrong} is too close to call."
    yield Finding(level, "ground", words, TERRAIN_PLACE, i, feature.id, {"inside_in": excess}, excess)


def _past_edge(situation: Situation, unit: Unit, base: int, stand: _Stand) -> tuple[float, str]:
    """How far, in inches, an ATG's base is past the edge of a wood, and what it does there, in words (ruling 18)."""
    rules = situation.rules
    if not rules.wood_edge_front:
        return stand.depth_in - rules.wood_edge_in, f"stands more than {rules.wood_edge_in:g}″ inside"
    front = shapely.get_coordinates(shapely.segmentize(front_edges(unit.bases)[base], FRONT_STEP_IN))
    wood, points = situation.shapes[stand.feature.id], shapely.points(front)
    inside = shapely.covers(wood, points)
    away = shapely.distance(shapely.boundary(wood), points)
    return float(np.where(inside, away, -away).max()), "has its front edge inside"


def front_edges(bases: Bases) -> npt.NDArray[np.object_]:
    """The front edge of each base (n,) as a line; the front of a round one or an oval is its foremost point, twice."""
    foremost = bases.center + bases.forward * bases.depth[:, None] / 2
    pointed = bases.is_smooth[:, None, None]
    ends = np.where(pointed, foremost[:, None, :], bases.corners[:, :2])
    found: npt.NDArray[np.object_] = np.asarray(shapely.linestrings(ends))
    return found


def prohibits(kind: str, unit_kind: str) -> str:
    """Why a base may not stand in a feature of that kind; empty where it may."""
    if kind == "marsh":
        return "stands in impassable ground,"
    if kind == "river":
        return "stands, with neither bridge nor ford, in"
    if kind == "town" and unit_kind != "infantry":
        return "stands in a built-up area that only infantry may end in,"
    if kind == "woods" and unit_kind != "infantry":
        return "stands in trees that only infantry may enter,"
    return ""


def _on_road(situation: Situation, unit: Unit, base: int) -> bool:
    """Whether a road or a bridge lifts the prohibition: the base's centre is on it (Movement, Terrain, Roads)."""
    centre = shapely.points(unit.bases.center[base])
    ways = situation.terrain("road", "bridge")
    return any(shapely.intersects(situation.shapes[t.id], centre) for t in ways)


def threats(situation: Situation) -> tuple[list[ThreatRow], list[ThreatRow]]:
    """Units with an enemy base within 2 inches of any of theirs, by whom; and those for whom it is too close to call.

    Movement, Threatened units; the limit itself counts as within. Bases whose unit is not known threaten as "unknown"
    where their side is known to be another.
    """
    surely: dict[str, dict[str, np.int8]] = {u.id: {} for u in situation.units}
    bases, limit = situation.bases, situation.rules.threat_in
    owner = situation.owner
    side = np.array([u.side for u in situation.units], dtype=object)
    loose = situation.scene.unassigned
    others = type(bases).concat([bases, loose.bases])
    other_side = np.array([*(side[o] for o in owner), *loose.sides], dtype=object)
    known = np.array([s is not None for s in other_side], dtype=bool)
    reach = half_diagonal(bases)[:, None] + half_diagonal(others)[None, :]
    spread = 3 * (outline_sigma(bases)[:, None] + outline_sigma(others)[None, :])
    apart = np.linalg.norm(bases.center[:, None] - others.center[None], axis=2)
    enemy = (side[owner][:, None] != other_side[None, :]) & known[None, :]
    first, second = np.nonzero((apart <= limit + reach + spread + TOLERANCE.length_in) & enemy)
    found = ranges_between(bases[first], others[second])
    answers = judge(limit - found.value, found.sigma)
    for a, b, answer in zip(first, second, answers, strict=True):
        if answer == NO:
            continue
        name = situation.units[owner[b]].id if b < len(bases) else f"unknown ({loose.ids[b - len(bases)]})"
        own = surely[situation.units[owner[a]].id]
        own[name] = max(own.get(name, NO), answer)
    out: list[list[ThreatRow]] = []
    for level in (YES, OPEN):
        rows = [(u, sorted(name for name, a in by.items() if a == level)) for u, by in surely.items()]
        out.append([{"unit": u, "by": by} for u, by in rows if by])
    return out[0], out[1]
