"""How units stand: broken formations, wrong facings, prohibited terrain, and who is threatened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import shapely

from geometry.areas import inside_margin, overlap_margin, standing_sigma
from geometry.formation import ahead_margin, facing_difference, facing_within, linked_by
from geometry.ranges import ranges_between
from geometry.shapes import half_diagonal, outline_sigma
from geometry.tolerance import NO, OPEN, TOLERANCE, YES, judge, judge_one
from tabletop.rulesets.one_hour_ww2.situation import Situation, kind_of
from tabletop.scene import Terrain, Unit

UNITS_PLACE = "[Game Conventions, Units]"
TERRAIN_PLACE = "[Movement, Terrain]"
_LEVELS = ("fault", "doubt", "note")


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


def formation(situation: Situation) -> list[dict[str, Any]]:
    """Faults of every live unit, what is in doubt at 95 % (``doubts``) and what to know besides (``notes``)."""
    return [
        {"unit": unit.id, **{f"{level}s": [str(f) for f in found if f.level == level] for level in _LEVELS}}
        for unit, found in zip(situation.units, findings(situation), strict=True)
    ]


def findings(situation: Situation) -> list[tuple[Finding, ...]]:
    """What there is to say about how each live unit stands, unit by unit."""
    return [tuple(_of_unit(situation, row, *chain)) for row, chain in enumerate(_chains(situation))]


def _chains(situation: Situation) -> list[tuple[np.int8, float]]:
    """Whether each unit's bases form one chain of allowed gaps, and the widest gap in the closest chain, in inches.

    All units in one measurement.
    """
    pairs = [np.triu_indices(len(u.bases), 1) for u in situation.units]
    first, second = (
        np.concatenate(
            [np.zeros(0, dtype=np.intp), *(p[end] + r.start for p, r in zip(pairs, situation.rows, strict=True))]
        )
        for end in (0, 1)
    )
    found = ranges_between(situation.bases[first], situation.bases[second])
    chains, done = [], 0
    for unit, (i, j) in zip(situation.units, pairs, strict=True):
        part = slice(done, done + len(i))
        done += len(i)
        near = np.full((len(unit.bases),) * 2, YES, dtype=np.int8)
        near[i, j] = near[j, i] = judge(kind_of(unit).gap_in - found.value[part], found.sigma[part])
        gap = np.zeros(near.shape)
        gap[i, j] = gap[j, i] = found.value[part]
        chains.append((linked_by(near), _widest(gap)))
    return chains


def _widest(gap: npt.NDArray[np.float64]) -> float:
    """The widest gap in the closest chain through all bases, from gaps (n, n)."""
    reached, widest = np.arange(len(gap)) < 1, 0.0
    while not reached.all():
        across = np.where(reached[:, None] & ~reached[None, :], gap, np.inf)
        nearest = int(across.argmin())
        widest = max(widest, float(across.flat[nearest]))
        reached[nearest % len(gap)] = True
    return widest


def _of_unit(situation: Situation, row: int, chain: np.int8, widest_in: float) -> Iterator[Finding]:
    unit = situation.units[row]
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
    if len(unit.bases) > 1:
        yield from _spacing(situation, unit, chain, widest_in)
    for feature in situation.scene.terrain:
        yield from _ground(situation, row, feature)


def _spacing(situation: Situation, unit: Unit, chain: np.int8, widest_in: float) -> Iterator[Finding]:
    gap = kind_of(unit).gap_in
    numbers, over = {"gap_in": widest_in, "allowed_in": gap}, widest_in - gap
    if chain == NO and not unit.missing_bases:
        words = f'Its bases stand more than {gap:g}" apart.'
        yield Finding("fault", "gaps", words, UNITS_PLACE, numbers=numbers, excess=over)
    elif chain < YES:
        words = f'Whether its bases are at most {gap:g}" apart is too close to call.'
        yield Finding("doubt", "gaps", words, UNITS_PLACE, numbers=numbers, excess=over)
    if unit.unique is None:
        return
    margin, sigma = ahead_margin(unit.bases, unit.unique)
    turn, turn_sigma = facing_difference(unit.bases, unit.unique)
    allowed = situation.rules.facing_deg
    same = facing_within(unit.bases, unit.unique, allowed)
    for i in range(len(unit.bases)):
        if i == unit.unique:
            continue
        number = f"Base {i + 1}"
        slack = _level_slack_in(situation, unit, i)
        level = judge_one(slack - float(margin[i]), float(sigma[i]))
        numbers, over = {"ahead_in": float(margin[i])}, float(margin[i]) - slack
        if level == NO:
            words = f"{number} stands {margin[i]:.2f}\" ahead of the unique base's front."
            yield Finding("fault", "ahead", words, UNITS_PLACE, i, "", numbers, over)
        elif level == OPEN:
            words = f"Whether {number.lower()} stands ahead of the unique one is too close to call."
            yield Finding("doubt", "ahead", words, UNITS_PLACE, i, "", numbers, over)
        numbers, over = {"turn_deg": float(turn[i]), "allowed_deg": allowed}, float(turn[i]) - allowed
        if same[i] == NO:
            words = f"{number} faces {turn[i]:.0f}° away from the unique base."
            yield Finding("fault", "facing", words, UNITS_PLACE, i, "", numbers, over)
        elif same[i] == OPEN and not (unit.bases.is_round[i] and np.isinf(turn_sigma[i])):
            words = f"Whether {number.lower()} faces as the unique base does is too close to call."
            yield Finding("doubt", "facing", words, UNITS_PLACE, i, "", numbers, over)


def _level_slack_in(situation: Situation, unit: Unit, i: int) -> float:
    """How far a base counted level may reach ahead: the hand's slack, and what its own allowed turn adds to it."""
    turn = np.radians(situation.rules.facing_deg)
    slack = situation.rules.level_in
    if unit.bases.is_round[i]:
        return slack
    angle = abs((unit.bases.facing[i] - unit.bases.facing[unit.unique or 0] + 180.0) % 360.0 - 180.0)
    return float(unit.bases.width[i] / 2 * np.sin(min(turn, np.radians(angle)))) + slack


def _ground(situation: Situation, row: int, feature: Terrain) -> Iterator[Finding]:
    """Prohibited ground under a unit's bases, and bases that straddle the edge of a feature (ruling 13)."""
    unit, rows, near = situation.units[row], situation.rows[row], situation.near_terrain[feature.id]
    first, last = near.searchsorted((rows.start, rows.stop))
    if first == last or feature.kind in ("road", "bridge", "field"):
        return
    close = near[first:last] - rows.start
    shape, struck_as = shapely.polygons(feature.polygon), kind_of(unit).struck_as
    sigma, reach, depth = (np.zeros(len(unit.bases)) for _ in range(3))
    sigma[close] = standing_sigma(unit.bases[close], feature.sigma)
    reach[close] = overlap_margin(unit.bases[close], shape)
    touches = np.full(len(unit.bases), NO, dtype=np.int8)
    touches[close] = judge(reach[close] - 2 * TOLERANCE.length_in, sigma[close])
    depth[close] = inside_margin(unit.bases[close], shape)
    for i in np.flatnonzero(touches > NO):
        number, answer, excess = f"base {i + 1}", touches[i], float(reach[i])
        what = f'the {feature.kind} "{feature.id}"'
        if feature.kind in ("woods", "town", "hill") and depth[i] < -TOLERANCE.length_in and answer == YES:
            yield Finding("note", "other", f"{number.capitalize()} straddles the edge of {what}.", "[Ruling 13]")
        wrong = prohibits(feature.kind, struck_as)
        if wrong and struck_as == "atg" and feature.kind == "woods":
            edge = situation.rules.wood_edge_in
            answer = min(answer, np.int8(judge(depth[i] - edge - 2 * TOLERANCE.length_in, sigma[i])))
            excess = float(depth[i]) - edge
            wrong = f'stands more than {edge:g}" inside {what}, whose edge alone an ATG may enter'
        elif wrong:
            wrong = f"{wrong} {what}"
        if not wrong or answer == NO or _carried(situation, unit, int(i)):
            continue
        level: Literal["fault", "doubt"] = "fault" if answer == YES else "doubt"
        sure = f"{number.capitalize()} {wrong}."
        words = sure if answer == YES else f"Whether {number} {wrong} is too close to call."
        yield Finding(level, "ground", words, TERRAIN_PLACE, int(i), feature.id, {"inside_in": excess}, excess)


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


def _carried(situation: Situation, unit: Unit, base: int) -> bool:
    """Whether a road or a bridge lifts the prohibition: the base's centre is on it (Movement, Terrain, Roads)."""
    centre = shapely.points(unit.bases.center[base])
    ways = situation.terrain("road", "bridge")
    return any(shapely.intersects(shapely.polygons(t.polygon), centre) for t in ways)


def threats(situation: Situation) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Units with an enemy base within 2 inches of any of theirs, by whom; and those for whom it is too close to call.

    Movement, Threatened units; the limit itself counts as within. Bases whose unit is not known threaten as "unknown"
    where their side is known to be another.
    """
    surely: dict[str, dict[str, np.int8]] = {u.id: {} for u in situation.units}
    bases, limit = situation.bases, situation.rules.threat_in
    owner = np.repeat(np.arange(len(situation.units)), [len(u.bases) for u in situation.units])
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
    out: list[list[dict[str, Any]]] = []
    for level in (YES, OPEN):
        rows = [(u, sorted(name for name, a in by.items() if a == level)) for u, by in surely.items()]
        out.append([{"unit": u, "by": by} for u, by in rows if by])
    return out[0], out[1]
