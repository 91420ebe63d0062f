"""What happened in a game of One-Hour WWII, in plain sentences: for the command line, the log, the phone and the
after-action report."""

from __future__ import annotations

import re
from collections.abc import Sequence

import shapely

from geometry.areas import inside
from geometry.tolerance import YES
from tabletop.game.errors import EventError
from tabletop.open_table.landmarks import bearing_words
from tabletop.open_table.setup import bases_of, standings_of
from tabletop.open_table.terrain import terrain_text
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.chances import sum_words
from tabletop.rulesets.one_hour_ww2.checks import STEP_NAMES
from tabletop.rulesets.one_hour_ww2.data import KIND_WORDS, ranges
from tabletop.rulesets.one_hour_ww2.setup import Setup, Standing
from tabletop.rulesets.one_hour_ww2.state import State, Unit, apply
from tabletop.small_games.words import destroyed_news, hits_news
from tabletop.words import (
    and_list,
    capital,
    count,
    decimal,
    inch_signs,
    inches,
    number,
    settled_text,
    the,
    typeset,
    with_full_stop,
)

_STAYED_IN = 0.05
"""A way shorter than this, which would be written as 0, is none."""


def event_text(state: State | None, event: ev.Event) -> str:
    """What happened, in one or two sentences; ``state`` is the one before it (``None``: before the first event).

    Raises EventError for an event that the state cannot have, as of a unit that the game lacks.
    """
    if isinstance(event, ev.Started):
        return f"{event.setup.title} was laid out."
    if state is None:
        raise EventError("the first event of a game must lay it out (started).")
    return f"{_text(state, event)}{settled_text(getattr(event, 'overruled', ()))}"


def news(event: ev.Event) -> str:
    """The result of a shot in a few words; empty for other events."""
    match event:
        case ev.Fired():
            return hits_news(event.target, event.hits, event.unit)
        case ev.Destroyed():
            return destroyed_news(event.unit, event.by)
    return ""


def _text(state: State, event: ev.Event) -> str:
    match event:
        case ev.Started():
            return f"{event.setup.title} was laid out."
        case ev.Deployed():
            verb = "deployed" if state.unit(event.unit) is None else "deployed anew"
            who = capital(unit_name(state, event.unit, side=True))
            return f"{who} {verb} at {place_text(state, event.unit, event.at)}{condition_text(event)}."
        case ev.Begun():
            return "The first turn began."
        case ev.Fired():
            return _shot_text(state, event)
        case ev.Destroyed():
            who = unit_name(state, event.unit, side=True)
            if event.by is None:
                return f"Removed as destroyed: {who}."
            return f"{capital(unit_name(state, event.by))} destroyed {who}."
        case ev.MoveRolled():
            who = capital(unit_name(state, event.unit))
            because = f" ({and_list([_modifier(text) for text in event.because])})" if event.because else ""
            if not event.roll:
                return f"{who} may move {inches(event.total_in)}{because}."
            total = sum_words(event.roll, event.total_in - event.short_in)
            if total:
                return f"{who} rolled to move: {total}{because}."
            rolled = and_list([str(face) for face in event.roll])
            return f"{who} rolled {rolled} to move: {inches(event.total_in)}{because}."
        case ev.Moved():
            return _move_text(state, event)
        case ev.Exited():
            way = next((e.title or e.id for e in state.setup.exits if e.id == event.exit), event.exit)
            who = capital(unit_name(state, event.unit, side=True))
            return f"{who} left the table by {way} after {_length(event.length_in, event)}."
        case ev.Rallied():
            unit = apply(state, event).required_unit(event.unit)
            who = capital(unit_name(state, event.unit))
            took = f"a {event.roll} took {count(event.removed, 'hit')} off, {number(event.expected)} expected"
            return f"{who} rallied: {took}. It has {hits_text(unit.hits, unit.permanent)}."
        case ev.MadeReady():
            return f"{capital(unit_name(state, event.unit))} became Ready."
        case ev.DugIn():
            return f"{capital(unit_name(state, event.unit))} dug in."
        case ev.StepEnded():
            step = STEP_NAMES[event.step].removeprefix("the ")
            return f"Turn {event.turn}, {state.setup.side_title(event.side)}: {step}."
        case ev.Held():
            return _holder_text(state, event)
        case ev.Ended():
            result = f"{state.setup.side_title(event.winner)} won" if event.winner else "A draw"
            return f"{result}: {with_full_stop(event.reason)}"
        case ev.Corrected():
            return _correction_text(state, event)
        case ev.TerrainDrawn() | ev.TerrainErased():
            return terrain_text(event)


# --- names, places, figures ----------------------------------------------------------------------------------------


def unit_name(state: State, unit_id: str, *, side: bool = False) -> str:
    """A unit in a sentence: its kind and id, or its own name with the id; ``side``: always with kind and side."""
    plan = state.setup.required_unit(unit_id)
    kind = KIND_WORDS.get(plan.kind, plan.kind)
    if side:
        title = state.setup.side_title(plan.side)
        return f"{plan.name} ({plan.id}, {kind}, {title})" if plan.name else f"{kind} {plan.id} ({title})"
    return f"{plan.name} ({plan.id})" if plan.name else f"{kind} {plan.id}"


def objective_title(setup: Setup, name: str) -> str:
    """How people call an objective."""
    return next((o.title or o.id for o in setup.objectives if o.id == name), name)


def place_text(state: State, unit_id: str, at: Sequence[Standing]) -> str:
    """Where a unit's unique base stands, with the terrain that the unit is in by the rules (ruling 13), or where it is
    from what is near.

    Where its unique base's centre is in terrain and the unit does not count as in it, its edge is named. On roads and
    bridges the centre alone counts.
    """
    plan = state.setup.required_unit(unit_id)
    base, bases = at[plan.unique], bases_of(plan.bases, tuple(at))
    point = shapely.Point(base.x, base.y)
    landmarks, where = state.setup.landmarks, []
    for feature, landmark in zip(state.setup.features, landmarks, strict=True):
        centred = landmark.outline.contains(point)
        there = f"{'on' if feature.kind in ('hill', 'road', 'bridge') else 'in'} {landmark.name}"
        if feature.kind in ("road", "bridge"):
            where += [there] if centred else []
        elif (inside(bases, landmark.outline, feature.sigma) == YES).sum() >= min(2, len(bases)):
            where.append(there)
        elif centred:
            where.append(f"at the edge of {landmark.name}")
    found = list(dict.fromkeys(where)) or [bearing_words(base.x, base.y, landmarks)]
    return ", ".join((_point(base), *(part for part in found if part)))


def hits_text(hits: int, permanent: int) -> str:
    """A unit's hits.

    >>> hits_text(1, 0), hits_text(11, 5)
    ('1 hit', '11 hits, 5 of them permanent')
    """
    return f"{count(hits, 'hit')}, {permanent} of them permanent" if permanent else count(hits, "hit")


def _point(base: Standing) -> str:
    return f"({decimal(base.x)}, {decimal(base.y)})"


def condition_text(unit: Unit | ev.Deployed) -> str:
    """A unit's markers and hits, to follow its place; empty where it has none."""
    marks = [word for word, has in (("dug in", unit.dug_in), ("Ready", unit.ready)) if has]
    if isinstance(unit, Unit) and unit.hits:
        marks.append(f"with {hits_text(unit.hits, unit.permanent)}")
    return f", {and_list(marks)}" if marks else ""


def _modifier(text: str) -> str:
    """A modifier as the log has it, with printed names and signs."""
    return typeset(inch_signs(re.sub(r"\batg\b", "ATG", text)))


def _length(length_in: float, event: ev.Moved | ev.Exited) -> str:
    return f"{inches(length_in, [event.allowed_in])} of {inches(event.allowed_in)}{' by road' if event.by_road else ''}"


# --- events that take more than a line -----------------------------------------------------------------------------


def _shot_text(state: State, event: ev.Fired) -> str:
    ready = ", Ready, fired in the enemy’s step" if event.reaction else " fired"
    observer = f" with {unit_name(state, event.observer)} observing" if event.observer else ""
    band = f" ({event.band} range)" if event.band in ("close", "long") else ""
    modifiers = [_modifier(text) for text in event.modifiers if "±0" not in text]
    because = f" ({', '.join(modifiers)})" if modifiers else ""
    target = apply(state, event).required_unit(event.target)
    limits = [limit for _, limit in ranges(state.setup.required_unit(event.unit).kind, state.setup.rules)]
    return (
        f"{capital(unit_name(state, event.unit))}{ready} at {unit_name(state, event.target)}"
        f" at {inches(event.range_in, limits)}{band}{observer}: a {event.roll}{because} made"
        f" {count(event.hits, 'hit')}, {number(event.expected)} expected."
        f" {event.target} {'now' if event.hits else 'still'} has {hits_text(target.hits, target.permanent)}."
    )


def _move_text(state: State, event: ev.Moved) -> str:
    to = place_text(state, event.unit, event.at)
    if not event.lengths_in:
        return f"{event.unit} was put by hand at {to}; its way was not measured."
    farthest = max(event.lengths_in)
    if farthest < _STAYED_IN:
        return f"{event.unit} stayed at {to}."
    start = standings_of(state.required_unit(event.unit).bases)[state.setup.required_unit(event.unit).unique]
    return f"{event.unit} moved {_length(farthest, event)}, from {_point(start)} to {to}."


def _holder_text(state: State, event: ev.Held) -> str:
    title = objective_title(state.setup, event.objective)
    before = dict(state.holders).get(event.objective)
    if event.side is None:
        return f"{capital(title)} was no longer held by {the(state.setup.side_title(before)) if before else 'anybody'}."
    how = f" from {the(state.setup.side_title(before))}" if before else ", which nobody had held"
    return f"{capital(the(state.setup.side_title(event.side)))} took {title}{how}."


def _correction_text(state: State, event: ev.Corrected) -> str:
    why = f" ({event.reason.rstrip('.')})" if event.reason else ""
    title = f"Correction of {unit_name(state, event.unit)}{why}"
    if event.off:
        return f"{title}: taken off the table."
    unit = state.unit(event.unit)
    changes = []
    if event.hits is not None:
        changes.append(f"{count(event.hits, 'hit')}{f' instead of {unit.hits}' if unit else ''}")
    if event.permanent is not None:
        changes.append(f"{event.permanent} permanent{f' instead of {unit.permanent}' if unit else ''}")
    marks = (("dug in", event.dug_in), ("Ready", event.ready), ("moved", event.moved), ("fired", event.fired))
    changes += [name if has else f"not {name}" for name, has in marks if has is not None]
    if event.at:
        left = any(name == event.unit for name, _, _ in state.off)
        verb = "put at" if unit else "put back on the table at" if left else "put on the table at"
        changes.append(f"{verb} {place_text(state, event.unit, event.at)}")
    return f"{title}: {and_list(changes) or 'nothing changed'}."
