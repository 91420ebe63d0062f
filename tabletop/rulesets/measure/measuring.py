"""A measured game's distances, sights and arcs, and the rings that are drawn round a unit. Nothing is hidden."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from geometry.shapes import largest_variance, polygons_of
from geometry.tolerance import NO, OPEN, YES, judge_one
from tabletop.measuring.apart import Body, Gap, gap_between
from tabletop.measuring.asking import MeasureEnd, no_such
from tabletop.measuring.data import (
    Area,
    Measurement,
    Overlays,
    Range,
    Reason,
    Ring,
    SightLine,
    Verdict,
    length_words,
)
from tabletop.measuring.errors import MeasureError
from tabletop.measuring.outlines import ahead_of, outlines_of, within
from tabletop.open_table.things import Thing, bases_thing, length_of, point_or_ground
from tabletop.rulesets.measure.action_fields import point_of
from tabletop.rulesets.measure.data import RINGS_IN
from tabletop.rulesets.measure.sights import clearance
from tabletop.rulesets.measure.state import State
from tabletop.tables.scene import Unit
from tabletop.words import and_list

_VERDICTS: dict[int, Verdict] = {int(YES): "clear", int(OPEN): "too-close", int(NO): "blocked"}


# --- distances -------------------------------------------------------------------------------------------------------


def thing_of(state: State, asked: MeasureEnd) -> Thing:
    """What is asked for; raises MeasureError where it is not there."""
    if asked.kind == "unit":
        unit = _on_table(state, asked.name)
        return bases_thing(unit.bases, unit.id)
    if asked.kind == "piece":
        if asked.name not in state.pieces:
            raise no_such("base on the table", asked.name, state.pieces)
        of, row = state.pieces[asked.name]
        return bases_thing(state.bases(of)[[row]], of, asked.name, f", a base of {of}")
    return point_or_ground(asked, (state.setup.width, state.setup.depth), state.scene.terrain)


def thing_named(state: State, thing: str) -> MeasureEnd:
    """What the word of an action asks for."""
    at = point_of(thing)
    if at is not None:
        return MeasureEnd("point", at=at)
    return MeasureEnd("piece" if thing in state.pieces else "unit" if thing in state.by_id else "ground", thing)


def gap(state: State, first: str, second: str) -> Gap:
    """How far two things are apart, edge to edge; they are there."""
    return gap_between(
        thing_of(state, thing_named(state, first)).body, thing_of(state, thing_named(state, second)).body
    )


def _on_table(state: State, name: str) -> Unit:
    if name not in state.by_id:
        raise no_such("unit", name, state.by_id)
    if name not in state.on_table:
        raise MeasureError(f"{name} is not on the table: place it first.")
    return state.on_table[name]


def between(
    state: State, first: MeasureEnd, second: MeasureEnd, viewer: str | None, table: tuple[float, float] | None = None
) -> Measurement:
    """The distance of two things on the game's own table, and what lies between two units; raises MeasureError."""
    a, b = thing_of(state, first), thing_of(state, second)
    plain = length_of(gap_between(a.body, b.body), f"{a.name} and {b.name}")
    sights: tuple[SightLine, ...] = ()
    if a.unit and b.unit and a.unit != b.unit:
        sights = (sight_of(state, a.unit, b.unit),)
    told = [plain.says, *(sight.says for sight in sights)]
    reasons = sights[0].reasons if sights else ()
    return Measurement(a.end, b.end, plain, None, sights, reasons, " ".join(told))


# --- sights and arcs -------------------------------------------------------------------------------------------------


def sight_words(first: str, second: str, answer: int, between: tuple[str, ...]) -> str:
    """What lies between two units, in a sentence."""
    if answer == YES:
        return f"Nothing lies between {first} and {second}."
    verb = "lies" if len(between) == 1 else "lie"
    if answer == NO:
        return f"{and_list(between)} {verb} between {first} and {second}."
    return f"Whether {and_list(between)} {verb} between {first} and {second} is too close to call."


def sight_of(state: State, first: str, second: str) -> SightLine:
    """The line between two units on the table, and what lies across it."""
    found = clearance(state, first, second)
    apart = gap_between(Body(bases=state.bases(first)), Body(bases=state.bases(second)))
    names = tuple(one.id for one in found.between)
    words = sight_words(first, second, found.answer, names)
    return SightLine(
        from_=first,
        to=second,
        verdict=_VERDICTS[found.answer],
        points=found.line,
        range=Range(apart.value, apart.sigma, "in", None),
        says=f"{words[:-1]} ({length_words(apart.value, apart.sigma)} apart).",
        reasons=(Reason(words),),
        blocked_by=names,
        blocked_at=tuple(one.at for one in found.between),
    )


@dataclass(frozen=True)
class ArcFinding:
    """How far a unit's bearing is off another's facing, in degrees, and whether that is within half of an arc."""

    off_deg: float
    answer: int


def arc(state: State, first: str, second: str, width_deg: int) -> ArcFinding:
    """Whether the centre of the nearest base of one unit lies in another's front arc.

    The arc opens from the centre of the looker's first base, half of it to either side of its facing; its edge counts
    as inside. The facing is known.
    """
    looker, target = state.bases(first), state.bases(second)
    away = target.center - looker.center[0]
    near = int(np.argmin(np.hypot(away[:, 0], away[:, 1])))
    dx, dy = away[near].tolist()
    far = math.hypot(dx, dy)
    bearing = math.degrees(math.atan2(dx, dy))
    off = abs((bearing - float(looker.facing[0]) + 180.0) % 360.0 - 180.0)
    spread = math.sqrt(float(largest_variance(looker.covariance)[0] + largest_variance(target.covariance)[near]))
    sideways = math.degrees(math.atan2(spread, far)) if far > 0 else 180.0 if spread else 0.0
    return ArcFinding(off, int(judge_one(width_deg / 2 - off, math.hypot(sideways, float(looker.facing_sigma[0])))))


# --- what is drawn of a unit -----------------------------------------------------------------------------------------


def overlays(state: State, unit: str, viewer: str | None) -> Overlays:
    """Rings round a unit, its front, and what lies between it and the units of other sides; raises MeasureError."""
    there = _on_table(state, unit)
    table = shapely.box(0.0, 0.0, state.setup.width, state.setup.depth)
    sights = tuple(_sights(state, there))
    free = [sight.to for sight in sights if sight.verdict == "clear"]
    return Overlays(
        unit=unit,
        side=there.side,
        says=f"Nothing lies between {unit} and {and_list(free)}."
        if free
        else f"{unit} has no free line to another unit.",
        ranges=tuple(
            Ring(
                f"{inches:g}″", inches, "in", within(polygons_of(there.bases), inches, table), f"{inches:g}″ of {unit}."
            )
            for inches in RINGS_IN
        ),
        front=_front(there, table),
        sights=sights,
    )


def _front(unit: Unit, table: shapely.Geometry) -> Area | None:
    bases = unit.bases
    if not math.isfinite(float(bases.facing_sigma[0])):
        return None
    ahead = ahead_of(bases.center[0], bases.right[0], bases.forward[0], float(bases.depth[0]) / 2, table)
    return Area(outlines_of(ahead), f"Ahead of the front edge of {unit.id}.")


def _sights(state: State, unit: Unit) -> Iterator[SightLine]:
    for other in state.on_table.values():
        if other.side != unit.side:
            yield sight_of(state, unit.id, other.id)
