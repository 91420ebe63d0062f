"""A game of One-Hour WWII at one moment, as text for a terminal of 80 columns: who stands where, and in what state."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

import shapely

from geometry.areas import inside_margin, overlap_margin
from geometry.shapes import polygons_of
from geometry.tolerance import NO, TOLERANCE, YES
from tabletop.rulesets.one_hour_ww2.checks import STEP_NAMES
from tabletop.rulesets.one_hour_ww2.event_text import news as news
from tabletop.rulesets.one_hour_ww2.setup import UnitSetup
from tabletop.rulesets.one_hour_ww2.short_forms import GAP_IN
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.small_games.words import title as title
from tabletop.tables.scene import Unit
from tabletop.words import aligned_tables, capital, with_verb

_COLUMNS = ("hits", "place", "facing", "markers")
_WIDTH = 80
_STANDS_IN = ("hill", "woods", "town", "field")
_SLIP_IN = 0.05
_EDGE = "across the edge of {}, so not counted in it"


def in_words(state: State) -> str:
    """The whole state: whose step it is, both forces, who is off the table and why, who holds the objectives.

    Hits are told as ``11 (5)`` where 5 of the 11 are permanent; a place is that of the unique base's centre in inches.
    """
    sections = [headline(state), *_forces(state)]
    off = [f"{unit} {_left(why, turn)}" for unit, why, turn in state.off]
    if off:
        sections.append(f"Off the table: {', '.join(off)}.")
    if state.holders:
        titles = {o.id: o.title for o in state.setup.objectives}
        held = [f"{titles[name]}: {state.setup.side_title(side) if side else 'no one'}" for name, side in state.holders]
        sections.append(f"Objectives: {', '.join(held)}.")
    together: dict[str, list[str]] = {}
    for unit_id, words in grounds(state):
        together.setdefault(words, []).append(unit_id)
    if together:
        told = "; ".join(f"{', '.join(units)} {words}" for words, units in together.items())
        sections.append(textwrap.fill(f"On terrain: {told}.", _WIDTH, subsequent_indent="  "))
    if state.step == "deploy" and state.undeployed:
        sections.append("\n".join(_room(state)))
    return "\n\n".join(sections)


def of_unit(state: State, unit_id: str) -> str:
    """One unit in a line: hits, place, markers, and the terrain that it is in or stands across the edge of."""
    plan, unit = state.setup.unit(unit_id), state.unit(unit_id)
    if plan is None or unit is None:
        gone = [_left(why, turn) for name, why, turn in state.off if name == unit_id]
        return f"{unit_id if plan is None else _name(plan)}: {gone[0].strip('()') if gone else 'to be deployed'}."
    _, place, facing, marks = _row(unit)
    hits = f"{unit.hits} hit{'' if unit.hits == 1 else 's'}"
    hits += f", {unit.permanent} permanent" if unit.permanent else ""
    parts = [
        hits,
        f"at {place} facing {facing}",
        *([marks] if marks else []),
    ]
    parts += [words for name, words in grounds(state) if name == unit_id]
    return f"{_name(plan)}: {'; '.join(parts)}."


def remarks(state: State, unit_ids: Iterable[str]) -> tuple[str, ...]:
    """What players may miss about units that were just put down, whoever let it happen.

    A base across an edge keeps a unit out of terrain; a slip in a number puts one off the table or onto another.
    """
    wanted = dict.fromkeys(unit_ids)
    edge = _EDGE.partition("{")[0]
    told = [f"{name} stands {words}." for name, words in grounds(state) if name in wanted and edge in words]
    table = shapely.box(0, 0, state.setup.width, state.setup.depth)
    shapes = {unit.id: shapely.union_all(polygons_of(unit.bases)) for unit in state.units}
    for unit in (unit for unit in state.units if unit.id in wanted):
        if (inside_margin(unit.bases, table) < -_SLIP_IN).any():
            told.append(f"{unit.id} stands off the table: undo, or correct its place.")
        shape = shapely.buffer(shapes[unit.id], -_SLIP_IN)
        over = [name for name, other in shapes.items() if name != unit.id and shapely.intersects(shape, other)]
        told += [f"{unit.id} stands on {', '.join(over)}: undo, or correct its place."] if over else []
    return tuple(told)


def brief(state: State, words: str) -> str:
    """An action with the places of all bases told as the place of the unique one, as people say it.

    Words that place no bases stay as they are.
    """
    said = words.split()
    if "bases" not in said[:3]:
        return words
    first = said.index("bases")
    last = next((i for i, word in enumerate(said[first + 1 :], first + 1) if word.count(",") < 2), len(said))
    plan = state.setup.unit(said[1])
    row = min(plan.unique if plan is not None else 0, last - first - 2)
    x, y, facing = said[first + 1 + row].split(",")[:3]
    turn = facing if facing == "unknown" else f"{float(facing):.0f}"
    place = f"at {round(float(x), 1):g},{round(float(y), 1):g} facing {turn}"
    return " ".join([*said[:first], place, *said[last:]])


def grounds(state: State) -> Iterator[tuple[str, str]]:
    """Every unit on the table that is in, on or across the edge of terrain, with words for it."""
    situation = state.situation
    for row, unit in enumerate(situation.units):
        told = []
        for feature in situation.terrain(*_STANDS_IN):
            within = situation.within(row, feature)
            where = "on" if feature.kind == "hill" else "in"
            if feature.kind == "hill" and situation.on_top(row, feature) == YES:
                told.append(f"on top of {feature.id}")
            elif within > NO:
                told.append(f"{where} {feature.id}" if within == YES else f"perhaps {where} {feature.id} (too close)")
            elif (overlap_margin(unit.bases, shapely.polygons(feature.polygon)) > 2 * TOLERANCE.length_in).any():
                told.append(_EDGE.format(feature.id))
        if told:
            yield unit.id, " and ".join(told)


def _room(state: State) -> Iterator[str]:
    """Where units may be set up, and how much room those still to come take in a line abreast."""
    setup = state.setup
    for zone in setup.zones:
        xs, ys = zip(*zone.polygon, strict=True)
        bounds = f"x {min(xs):g} to {max(xs):g}, y {min(ys):g} to {max(ys):g}"
        only = f" ({', '.join(zone.units)})" if zone.units else ""
        sets_up = with_verb(setup.side_title(zone.side), "sets up", "set up")
        yield f"{capital(sets_up)} within {bounds}{only}."
    wide: dict[str, list[str]] = {}
    for plan in (plan for plan in setup.units if plan.id in state.undeployed):
        broad = sum(base.width for base in plan.bases) + GAP_IN * (len(plan.bases) - 1)
        wide.setdefault(f"{broad:g}″ by {max(base.depth for base in plan.bases):g}″", []).append(plan.id)
    rows = "; ".join(f"{', '.join(units)} {size}" for size, units in wide.items())
    yield textwrap.fill(f"Room that a line abreast takes: {rows}.", _WIDTH, subsequent_indent="  ")


def units(state: State) -> tuple[str, ...]:
    """The names of all units of the game, on the table or not."""
    return tuple(plan.id for plan in state.setup.units)


def headline(state: State) -> str:
    """Whose step it is, in a line."""
    setup = state.setup
    if state.result is not None:
        won = f"{setup.side_title(state.result.winner)} won" if state.result.winner else "a draw"
        return f"{setup.title}, turn {state.turn}. {won[:1].upper()}{won[1:]}: {state.result.reason}"
    if state.step == "deploy":
        return f"{setup.title}: deployment."
    of = f" of {setup.turns}" if setup.turns else ""
    step = STEP_NAMES[state.step].removeprefix("the ")
    return f"{setup.title}, turn {state.turn}{of}. {setup.side_title(state.side)}: {step}."


def next_words(state: State) -> str:
    """What has to be done before anything else, in a line; empty where the side is free to choose."""
    if state.pending is not None:
        return f"{state.pending.unit} has {state.pending.total_in}″ and is to be put down, or stays where it is."
    if state.step == "deploy":
        left = ", ".join(state.undeployed)
        return f"Still to be deployed: {left}." if left else "All units are on the table: turn 1 may begin."
    return ""


def next_forms(state: State) -> tuple[str, ...]:
    """How that is typed."""
    if state.pending is not None:
        unit = state.pending.unit
        return f"place {unit} at X,Y facing DEGREES", f"stay {unit}"
    return ("begin",) if state.step == "deploy" and not state.undeployed else ()


def _forces(state: State) -> Iterator[str]:
    setup = state.setup
    names = {plan.id: _name(plan) for plan in setup.units}
    rows = {unit.id: _row(unit) for unit in state.units}
    tables = []
    for side, role in zip(setup.sides, ("attacker", "defender"), strict=True):
        own = [plan.id for plan in setup.units if plan.side == side and plan.id not in state.why_off]
        title = setup.side_title(side)
        head = title if title.casefold() == side.casefold() else f"{title}, {side}"
        table = [(f"{head} ({role})", *_COLUMNS)]
        tables.append(table + [(f"  {names[u]}", *rows.get(u, ("", "to be deployed", "", ""))) for u in own])
    return aligned_tables(tables)


def _row(unit: Unit) -> tuple[str, str, str, str]:
    row = unit.unique if unit.unique is not None else 0
    x, y = unit.bases.center[row]
    hits = f"{unit.hits} ({unit.permanent})" if unit.permanent else str(unit.hits)
    facing = float(unit.bases.facing[row])
    marks = (("dug in", unit.dug_in), ("Ready", unit.ready), ("moved", unit.moved), ("fired", unit.fired))
    return hits, f"{x:.1f}, {y:.1f}", f"{facing:.0f}", ", ".join(word for word, on in marks if on)


def _name(plan: UnitSetup) -> str:
    return f"{plan.id} {plan.kind}" + (f" ({plan.name})" if plan.name and plan.name != plan.id else "")


def _left(why: str, turn: int) -> str:
    words = {"destroyed": "destroyed", "exited": "left by its exit", "removed": "taken off"}
    return f"({words[why]} in turn {turn})"
