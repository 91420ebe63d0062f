"""How units stand: broken formations, wrong facings, prohibited terrain, and who is threatened."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from geometry.areas import inside_margin, overlap_margin, standing_sigma
from geometry.formation import ahead_margin, facing_difference, facing_within, linked_by
from geometry.ranges import ranges_between
from geometry.shapes import half_diagonal, outline_sigma
from geometry.tolerance import NO, OPEN, TOLERANCE, YES, judge, judge_one
from tabletop.rulesets.one_hour_ww2.situation import Situation, kind_of
from tabletop.scene import Terrain, Unit

_UNITS_PLACE = "[Game Conventions, Units]"
_TERRAIN_PLACE = "[Movement, Terrain]"


def formation(situation: Situation) -> list[dict[str, Any]]:
    """Faults of every live unit, what is in doubt at 95 % (``doubts``) and what to know besides (``notes``)."""
    chains = _chains(situation)
    return [_unit_formation(situation, row, chains[row]) for row in range(len(situation.units))]


def _chains(situation: Situation) -> list[np.int8]:
    """Whether each unit's bases form one chain of allowed gaps; all units in one measurement."""
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
        chains.append(linked_by(near))
    return chains


def _unit_formation(situation: Situation, row: int, chain: np.int8) -> dict[str, Any]:
    unit = situation.units[row]
    faults: list[str] = []
    doubts: list[str] = []
    notes: list[str] = []
    if unit.missing_bases:
        notes.append(f"{len(unit.bases)} of {unit.expected_bases} bases are in the scene.")
    if unit.dug_in and kind_of(unit).struck_as == "tank":
        notes.append("It is marked dug in and judged so, though no tank may dig in. [Rally & Ready Step, Dug-in]")
    if unit.ready and kind_of(unit).fires_as == "mortar":
        notes.append("It is marked Ready and judged so, though no mortar may be. [Rally & Ready Step, Ready]")
    if unit.unique is None:
        doubts.append(f"Which of its bases is the unique one is not known, so only the gaps are judged. {_UNITS_PLACE}")
    if len(unit.bases) > 1:
        _spacing(situation, unit, chain, faults, doubts)
    for feature in situation.scene.terrain:
        _ground(situation, row, feature, faults, doubts, notes)
    return {"unit": unit.id, "faults": faults, "doubts": doubts, "notes": notes}


def _spacing(situation: Situation, unit: Unit, chain: np.int8, faults: list[str], doubts: list[str]) -> None:
    gap = kind_of(unit).gap_in
    if chain == NO and not unit.missing_bases:
        faults.append(f'Its bases stand more than {gap:g}" apart. {_UNITS_PLACE}')
    elif chain < YES:
        doubts.append(f'Whether its bases are at most {gap:g}" apart is too close to call. {_UNITS_PLACE}')
    if unit.unique is None:
        return
    margin, sigma = ahead_margin(unit.bases, unit.unique)
    turn, turn_sigma = facing_difference(unit.bases, unit.unique)
    same = facing_within(unit.bases, unit.unique, situation.rules.facing_deg)
    for i in range(len(unit.bases)):
        if i == unit.unique:
            continue
        number = f"Base {i + 1}"
        level = judge_one(_level_slack_in(situation, unit, i) - float(margin[i]), float(sigma[i]))
        if level == NO:
            faults.append(f"{number} stands {margin[i]:.2f}\" ahead of the unique base's front. {_UNITS_PLACE}")
        elif level == OPEN:
            doubts.append(
                f"Whether {number.lower()} stands ahead of the unique one is too close to call. {_UNITS_PLACE}"
            )
        if same[i] == NO:
            faults.append(f"{number} faces {turn[i]:.0f}° away from the unique base. {_UNITS_PLACE}")
        elif same[i] == OPEN and not (unit.bases.is_round[i] and np.isinf(turn_sigma[i])):
            doubts.append(
                f"Whether {number.lower()} faces as the unique base does is too close to call. {_UNITS_PLACE}"
            )


def _level_slack_in(situation: Situation, unit: Unit, i: int) -> float:
    """How far a base counted level may reach ahead: the hand's slack, and what its own allowed turn adds to it."""
    turn = np.radians(situation.rules.facing_deg)
    slack = situation.rules.level_in
    if unit.bases.is_round[i]:
        return slack
    angle = abs((unit.bases.facing[i] - unit.bases.facing[unit.unique or 0] + 180.0) % 360.0 - 180.0)
    return float(unit.bases.width[i] / 2 * np.sin(min(turn, np.radians(angle)))) + slack


def _ground(
    situation: Situation, row: int, feature: Terrain, faults: list[str], doubts: list[str], notes: list[str]
) -> None:
    """Prohibited ground under a unit's bases, and bases that straddle the edge of a feature (ruling 13)."""
    unit, rows, near = situation.units[row], situation.rows[row], situation.near_terrain[feature.id]
    first, last = near.searchsorted((rows.start, rows.stop))
    if first == last or feature.kind in ("road", "bridge", "field"):
        return
    close = near[first:last] - rows.start
    shape, fires_as = shapely.polygons(feature.polygon), kind_of(unit).struck_as
    sigma, depth = np.zeros(len(unit.bases)), np.zeros(len(unit.bases))
    sigma[close] = standing_sigma(unit.bases[close], feature.sigma)
    touches = np.full(len(unit.bases), NO, dtype=np.int8)
    touches[close] = judge(overlap_margin(unit.bases[close], shape) - 2 * TOLERANCE.length_in, sigma[close])
    depth[close] = inside_margin(unit.bases[close], shape)
    for i in np.flatnonzero(touches > NO):
        number, answer = f"base {i + 1}", touches[i]
        what = f'the {feature.kind} "{feature.id}"'
        if feature.kind in ("woods", "town", "hill") and depth[i] < -TOLERANCE.length_in and answer == YES:
            notes.append(f"{number.capitalize()} straddles the edge of {what}. [Ruling 13]")
        wrong = _prohibits(feature.kind, fires_as)
        if wrong and fires_as == "atg" and feature.kind == "woods":
            edge = situation.rules.wood_edge_in
            answer = min(answer, np.int8(judge(depth[i] - edge - 2 * TOLERANCE.length_in, sigma[i])))
            wrong = f'stands more than {edge:g}" inside {what}, whose edge alone an ATG may enter'
        elif wrong:
            wrong = f"{wrong} {what}"
        if not wrong or answer == NO or _carried(situation, unit, int(i)):
            continue
        if answer == YES:
            faults.append(f"{number.capitalize()} {wrong}. {_TERRAIN_PLACE}")
        else:
            doubts.append(f"Whether {number} {wrong} is too close to call. {_TERRAIN_PLACE}")


def _prohibits(kind: str, unit_kind: str) -> str:
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
