"""One-Hour WWII in the after-action report, in words: names, places, and sentences for every kind of event.

Every word and number comes from an event, the state round it, or exact odds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import singledispatch
from types import MappingProxyType
from typing import Any

import shapely

from geometry.areas import inside
from geometry.tolerance import YES
from tabletop.aar.teller import Told
from tabletop.aar.words import INCH, MINUS, count, decimal, inches, joined, number, opened
from tabletop.game.core import REFEREE
from tabletop.game.errors import EventError
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.chances import BONUS_IN, PENALTY_IN, movement
from tabletop.rulesets.one_hour_ww2.data import KINDS, HouseRules
from tabletop.rulesets.one_hour_ww2.setup import Setup, Standing, UnitSetup, Victory, bases_of
from tabletop.rulesets.one_hour_ww2.state import State

KIND_WORDS: Mapping[str, str] = MappingProxyType(
    {"infantry": "infantry", "mortar": "mortar", "atg": "ATG", "tank": "tank", "mortar-tank": "close-support tank"}
)
_MANY: Mapping[str, str] = MappingProxyType(
    {
        "infantry": "infantry",
        "mortar": "mortars",
        "atg": "ATGs",
        "tank": "tanks",
        "mortar-tank": "close-support tanks",
    }
)
DICE_WORDS: Mapping[str, str] = MappingProxyType(
    {"d5": "average dice (2, 3, 3, 4, 4, 5)", "d6": "ordinary dice (1 to 6)"}
)
_USUAL = HouseRules()
_THREATENED = ("threatened -", "threatened:")
"""How a roll's ``because`` begins where a threat counted (and not where it was left open)."""


def mean_total_in(state: State, event: ev.MoveRolled) -> float:
    """The mean of the total that the same dice give, with what changed it (Movement Actions)."""
    unit = state.unit(event.unit)
    if unit is None:
        raise EventError(f'there is no unit "{event.unit}" on the table.')
    calm = max(0, sum(event.roll) + BONUS_IN - PENALTY_IN * unit.dug_in)
    threatened = event.total_in != calm or any(word.startswith(_THREATENED) for word in event.because)
    odds = movement(KINDS[unit.kind], dice=state.setup.dice, dug_in=unit.dug_in, threatened=threatened)
    return float(sum(total * chance for total, chance in odds.items()))


# --- names and facts -----------------------------------------------------------------------------------------------


def planned(state: State, unit_id: str) -> UnitSetup:
    plan = state.setup.unit(unit_id)
    if plan is None:
        raise EventError(f'there is no unit "{unit_id}" in this game.')
    return plan


_HOUSE_RULES: Mapping[str, str] = MappingProxyType(
    {
        "destroyed_at": "units are destroyed at {} hits",
        "close_in": "close range is {}",
        "concealed_in": "concealed Ready units are seen at {}",
        "area_sight_in": "sight that touches area terrain reaches {}",
        "threat_in": "units are threatened within {}",
        "facing_deg": "facings may differ by {} degrees",
        "level_in": "bases may stand {} ahead of the unique one",
        "wood_edge_in": "the edge of woods is {} deep",
    }
)


def house_rules_words(rules: HouseRules) -> tuple[str, ...]:
    """The house rules that differ from the usual ones, in a sentence; none where none do.

    >>> house_rules_words(HouseRules(close_in=2.0, close_mortars_fire=False))
    ('House rules: close range is 2″; mortars do not fire within close range.',)
    """
    told = []
    for name, words in _HOUSE_RULES.items():
        value = getattr(rules, name)
        if value != getattr(_USUAL, name):
            told.append(words.format(inches(value) if name.endswith("_in") else f"{value:g}"))
    if rules.long_range != _USUAL.long_range:
        told.append("long range takes 2 off the die" if rules.long_range == "minus two" else "long range halves")
    if rules.close_mortars_fire != _USUAL.close_mortars_fire:
        told.append("mortars do not fire within close range")
    return (f"House rules: {'; '.join(told)}.",) if told else ()


def side_of(state: State, unit_id: str) -> str:
    return planned(state, unit_id).side


def called(state: State, unit_id: str, *, side: bool = False) -> str:
    """A unit in a sentence: its kind and id, or its own name with the id; ``side``: always with kind and side."""
    plan = planned(state, unit_id)
    kind = KIND_WORDS.get(plan.kind, plan.kind)
    if side:
        title = state.setup.side_title(plan.side)
        return f"{plan.name} ({plan.id}, {kind}, {title})" if plan.name else f"{kind} {plan.id} ({title})"
    return f"{plan.name} ({plan.id})" if plan.name else f"{kind} {plan.id}"


def force_words(setup: Setup, side: str) -> str:
    kinds = [unit.kind for unit in setup.units if unit.side == side]
    order = sorted(dict.fromkeys(kinds), key=list(KIND_WORDS).index)
    return joined([count(kinds.count(kind), KIND_WORDS[kind], _MANY[kind]) for kind in order]) or "no units"


def victory_words(setup: Setup, victory: Victory) -> str:
    who = setup.side_title(victory.side)
    match victory.kind:
        case "exit":
            way = next((e.title or e.id for e in setup.exits if e.id == victory.exit), victory.exit)
            when = f", by the end of turn {victory.by_turn}" if victory.by_turn else ""
            return f"Aim of {who}: {count(victory.units, 'unit')} off the table by {way}{when}."
        case "hold":
            names = [
                objective_title(setup, name) for name in victory.objectives or tuple(o.id for o in setup.objectives)
            ]
            some = 0 < victory.count < len(names)
            what = f"{victory.count} of {len(names)} ({', '.join(names)})" if some else joined(names)
            when = "at the end of any turn" if victory.at_once else "at the end of the last turn"
            return f"Aim of {who}: to hold {what} {when}."
        case "destroy":
            return f"Aim of {who}: {count(victory.units, 'enemy unit')} destroyed."


def objective_title(setup: Setup, name: str) -> str:
    return next((o.title or o.id for o in setup.objectives if o.id == name), name)


def _place(state: State, unit_id: str, at: Sequence[Standing]) -> str:
    """Where a unit's unique base stands, with the terrain that the unit is in by the rules (ruling 13).

    Where its unique base's centre is in terrain and the unit does not count as in it, its edge is named. On roads and
    bridges the centre alone counts.
    """
    plan = planned(state, unit_id)
    base, bases = at[plan.unique], bases_of(plan.bases, tuple(at))
    point = shapely.Point(base.x, base.y)
    words = {"hill": "on a hill", "road": "on a road", "bridge": "on a bridge", "woods": "in woods"}
    where = []
    for feature in state.setup.features:
        shape = shapely.Polygon(feature.polygon)
        centred = shape.contains(point)
        if feature.kind in ("road", "bridge"):
            where += [words[feature.kind]] if centred else []
        elif (inside(bases, shape, feature.sigma) == YES).sum() >= min(2, len(bases)):
            where.append(words.get(feature.kind, f"in a {feature.kind}"))
        elif centred:
            where.append(f"at the edge of {'woods' if feature.kind == 'woods' else f'a {feature.kind}'}")
    return f"({decimal(base.x)}, {decimal(base.y)}){''.join(f', {part}' for part in dict.fromkeys(where))}"


def _hits_now(hits: int, permanent: int) -> str:
    return f"{count(hits, 'hit')}, {permanent} of them permanent" if permanent else count(hits, "hit")


def held_words(told: Told, event: ev.Held) -> str:
    setup = told.before.setup
    title = objective_title(setup, event.objective)
    was = dict(told.before.holders).get(event.objective)
    if event.side is None:
        return f"{opened(title)} was no longer held by " + (f"{setup.side_title(was)}." if was else "anybody.")
    how = f" from {setup.side_title(was)}" if was else ", which nobody had held"
    return f"{setup.side_title(event.side)} took {title}{how}."


# --- a sentence for every event ------------------------------------------------------------------------------------


@singledispatch
def said(event: Any, told: Told) -> tuple[str, ...]:
    raise EventError(f"{type(event).__name__} is no event of One-Hour WWII.")


@said.register
def _(event: ev.Started, told: Told) -> tuple[str, ...]:
    state = told.after
    return tuple(
        f"{opened(called(state, unit.id, side=True))} began at {_place(state, unit.id, planned(state, unit.id).at)}"
        f"{_with(unit.dug_in, unit.ready, unit.hits, unit.permanent)}."
        for unit in state.units
    )


def _with(dug_in: bool, ready: bool, hits: int = 0, permanent: int = 0) -> str:
    marks = [word for word, has in (("dug in", dug_in), ("ready", ready)) if has]
    marks += [f"with {_hits_now(hits, permanent)}"] if hits else []
    return f", {joined(marks)}" if marks else ""


@said.register
def _(event: ev.Deployed, told: Told) -> tuple[str, ...]:
    again = told.before.unit(event.unit) is not None
    verb = "deployed anew at" if again else "deployed at"
    place = _place(told.before, event.unit, event.at)
    who = opened(called(told.before, event.unit, side=True))
    return (f"{who} {verb} {place}{_with(event.dug_in, event.ready)}.",)


@said.register
def _(event: ev.Begun, told: Told) -> tuple[str, ...]:
    return ("Deployment ended.",)


@said.register
def _(event: ev.Fired, told: Told) -> tuple[str, ...]:
    before, after = told.before, told.after
    target = after.unit(event.target)
    who = called(before, event.unit)
    reaction = ", Ready," if event.reaction else ""
    step = f" in the step of {before.setup.side_title(before.side)}" if event.reaction else ""
    spotter = f", with {called(before, event.observer)} observing," if event.observer else ""
    counted = [_modifier(text) for text in event.modifiers if "±0" not in text]
    because = f" ({', '.join(counted)})" if counted else ""
    return (
        f"{opened(who)}{reaction} fired{step}{spotter} at {called(before, event.target)} at {inches(event.range_in)}"
        f"{_band(event.band)}: a {event.roll}{because} made {count(event.hits, 'hit')},"
        f" {number(event.expected)} expected.",
        f"{event.target} {'now has' if event.hits else 'still has'} {_hits_now(target.hits, target.permanent)}.",
    )


def _modifier(text: str) -> str:
    """A modifier as the rules have it, with a report's names and signs."""
    return re.sub(r"\batg\b", "ATG", text).replace(" -", f" {MINUS}").replace('"', INCH)


def _band(band: str) -> str:
    return f" ({band} range)" if band in ("close", "long") else ""


@said.register
def _(event: ev.Destroyed, told: Told) -> tuple[str, ...]:
    if event.by is None:
        return (f"The referee took {called(told.before, event.unit)} off as destroyed.",)
    return (f"That destroyed {called(told.before, event.unit, side=True)}.",)


@said.register
def _(event: ev.MoveRolled, told: Told) -> tuple[str, ...]:
    who = opened(called(told.before, event.unit))
    because = [_modifier(text) for text in event.because]
    if not event.roll:
        return (f"{who} had {inches(event.total_in)} to move{f' ({joined(because)})' if because else ''}.",)
    facts = "; ".join([*because, f"{inches(mean_total_in(told.before, event))} expected"])
    return (f"{who} rolled {joined([str(face) for face in event.roll])} to move: {inches(event.total_in)} ({facts}).",)


@said.register
def _(event: ev.Moved, told: Told) -> tuple[str, ...]:
    place = _place(told.before, event.unit, event.at)
    road = " by road" if event.by_road else ""
    if not event.lengths_in:
        return (f"{event.unit} was put at {place} by hand; its way was not measured.",)
    farthest = max(event.lengths_in)
    if farthest < 0.05:
        return (f"{event.unit} stayed where it stood, at {place}.",)
    return (f"{event.unit} moved {inches(farthest)} of {inches(event.allowed_in)}{road}, to {place}.",)


@said.register
def _(event: ev.Exited, told: Told) -> tuple[str, ...]:
    way = next((e.title or e.id for e in told.before.setup.exits if e.id == event.exit), event.exit)
    road = " by road" if event.by_road else ""
    return (
        f"{opened(called(told.before, event.unit, side=True))} left the table by {way} after"
        f" {inches(event.length_in)} of {inches(event.allowed_in)}{road}.",
    )


@said.register
def _(event: ev.Rallied, told: Told) -> tuple[str, ...]:
    unit = told.after.unit(event.unit)
    return (
        f"{opened(called(told.before, event.unit))} rallied: a {event.roll} took"
        f" {count(event.removed, 'hit')} off, {number(event.expected)} expected."
        f" It has {_hits_now(unit.hits, unit.permanent)}.",
    )


@said.register
def _(event: ev.MadeReady, told: Told) -> tuple[str, ...]:
    return (f"{opened(called(told.before, event.unit))} made ready.",)


@said.register
def _(event: ev.DugIn, told: Told) -> tuple[str, ...]:
    return (f"{opened(called(told.before, event.unit))} dug in.",)


@said.register
def _(event: ev.StepEnded, told: Told) -> tuple[str, ...]:
    return ()


@said.register
def _(event: ev.Held, told: Told) -> tuple[str, ...]:
    return (held_words(told, event),)


@said.register
def _(event: ev.Ended, told: Told) -> tuple[str, ...]:
    result = "in a draw" if event.winner is None else f"and {told.before.setup.side_title(event.winner)} won"
    return (f"The game ended {result}: {_closed(event.reason)}",)


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


@said.register
def _(event: ev.Corrected, told: Told) -> tuple[str, ...]:
    before = told.before
    who = "The referee" if told.record.actor == REFEREE else before.setup.side_title(told.record.actor)
    why = f" ({event.reason.rstrip('.')})" if event.reason else ""
    unit = before.unit(event.unit)
    name = called(before, event.unit)
    if event.off:
        return (f"{who} took {name} off the table{why}.",)
    set_right = [*_figures(event, unit), *_markers(event)]
    if event.at:
        verb = "put at" if unit is not None else "put back on the table at"
        set_right.append(f"{verb} {_place(before, event.unit, event.at)}")
    return (f"{who} set {name} right{why}: {joined(set_right) or 'nothing changed'}.",)


def _figures(event: ev.Corrected, unit: Any) -> list[str]:
    rows = (("hits", event.hits), ("permanent", event.permanent))
    words: Mapping[str, Callable[[int], str]] = {
        "hits": lambda value: count(value, "hit"),
        "permanent": lambda value: f"{value} permanent",
    }
    found = []
    for name, value in rows:
        if value is not None:
            was = f" instead of {getattr(unit, name)}" if unit is not None else ""
            found.append(f"{words[name](value)}{was}")
    return found


def _markers(event: ev.Corrected) -> list[str]:
    rows = (("dug in", event.dug_in), ("ready", event.ready), ("moved", event.moved), ("fired", event.fired))
    return [name if has else f"not {name}" for name, has in rows if has is not None]
