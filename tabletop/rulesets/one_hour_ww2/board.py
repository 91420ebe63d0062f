"""A game of One-Hour WWII at one moment, as text for a terminal of 80 columns: who stands where, and in what state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.rulesets.one_hour_ww2.checks import STEP_NAMES
from tabletop.rulesets.one_hour_ww2.setup import UnitSetup
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.scene import Unit

_COLUMNS = ("hits", "place", "facing", "markers")


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
        held = [f"{titles[name]}: {state.setup.side_title(side) if side else 'nobody'}" for name, side in state.holders]
        sections.append(f"Objectives: {', '.join(held)}.")
    return "\n\n".join(sections)


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


def title(state: State, actor: str) -> str:
    """How people call whoever did something: a side by its title."""
    return state.setup.side_title(actor) if actor in state.setup.sides else actor.capitalize()


def next_words(state: State) -> str:
    """What has to be done before anything else, in a line; empty where the side is free to choose."""
    if state.pending is not None:
        unit = state.pending.unit
        return (
            f'{unit} has {state.pending.total_in}" and is to be put down: '
            f'"place {unit} at X,Y facing DEGREES" or "stay {unit}".'
        )
    if state.step == "deploy":
        left = ", ".join(state.undeployed)
        return f"Still to be deployed: {left}." if left else 'All units are on the table: "begin" starts turn 1.'
    return ""


def _forces(state: State) -> Iterator[str]:
    setup = state.setup
    names = {plan.id: _name(plan) for plan in setup.units}
    rows = {unit.id: _row(unit) for unit in state.units}
    tables = []
    for side, role in zip(setup.sides, ("attacker", "defender"), strict=True):
        own = [plan.id for plan in setup.units if plan.side == side and plan.id not in state.gone]
        title = setup.side_title(side)
        head = title if title.casefold() == side.casefold() else f"{title}, {side}"
        table = [(f"{head} ({role})", *_COLUMNS)]
        tables.append(table + [(f"  {names[u]}", *rows.get(u, ("", "to be deployed", "", ""))) for u in own])
    widths = [max(len(row[i]) for table in tables for row in table) for i in range(len(_COLUMNS) + 1)]
    for table in tables:
        yield "\n".join(_aligned(row, widths) for row in table)


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


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
