"""A measured game at one moment, as text for a terminal of 80 columns."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator

import numpy as np

from geometry.tolerance import TOLERANCE
from tabletop.open_table.words import brief as brief
from tabletop.rulesets.measure.event_text import place_words, unit_title
from tabletop.rulesets.measure.seats import PLAYERS
from tabletop.rulesets.measure.setup import UnitSetup
from tabletop.rulesets.measure.state import State
from tabletop.words import count

_WIDTH = 80


def in_words(state: State) -> str:
    """The whole state: the turn, every side's units with their places and markers, the terrain."""
    sections = [headline(state)]
    for side in state.setup.sides:
        own = [of_unit(state, unit.id) for unit in state.units if unit.side == side]
        title = state.setup.side_title(side)
        sections.append("\n".join([f"{title}:", *(f"  {line}" for line in own)]) if own else f"{title}: no units.")
    if state.terrain:
        pieces = ", ".join(_terrain(state))
        sections.append(textwrap.fill(f"Terrain: {pieces}.", _WIDTH, subsequent_indent="  "))
    return "\n\n".join(sections)


def _terrain(state: State) -> Iterator[str]:
    for piece in state.terrain:
        kind = "" if piece.id.startswith(piece.kind) else f" ({piece.kind})"
        yield f"{piece.id}{kind}" + (f" {piece.height:g}″ high" if piece.height else "")


def of_unit(state: State, unit_id: str) -> str:
    """One unit in a line: its name, kind, place and markers."""
    unit = state.by_id.get(unit_id)
    if unit is None:
        return f"{unit_id}: not in this game."
    parts = [unit.kind, place_words(unit.at) + _spread_words(state, unit_id), *marks_of(unit)]
    return f"{unit_title(state, unit_id)}: {'; '.join(parts)}."


def _spread_words(state: State, unit_id: str) -> str:
    """How far off its least sure base may be in 95 of 100 cases; empty where that is too little to be seen."""
    if unit_id not in state.on_table:
        return ""
    variance = float(np.linalg.eigvalsh(state.bases(unit_id).covariance).max())
    spread = TOLERANCE.sureness * math.sqrt(max(0.0, variance))
    return f" ± {spread:.1f}″" if spread >= 0.05 else ""


def marks_of(unit: UnitSetup) -> tuple[str, ...]:
    """A unit's markers, a few words each."""
    return tuple(f"{number} {marker}" for marker, number in unit.marks)


def headline(state: State) -> str:
    """The table and the turn, in a line."""
    if state.result is None:
        return f"{state.setup.title}, turn {state.turn}."
    won = f"{state.setup.side_title(state.result.winner)} won" if state.result.winner else "ended"
    return f"{state.setup.title}, turn {state.turn}: {won}. {state.result.reason}"


def next_words(state: State) -> str:
    """What the players may want to do first; empty once something stands on the table."""
    if state.result is not None or state.on_table:
        return ""
    if not state.units:
        return "No units yet: add a unit."
    return f"{count(len(state.units), 'unit')} not on the table yet: a photo places them, or place them by hand."


def next_forms(state: State) -> tuple[str, ...]:
    """How that is typed."""
    if not next_words(state):
        return ()
    return ("place UNIT at X,Y facing DEGREES",) if state.units else ("add A1 for SIDE wide 1 at X,Y",)


def title(state: State, actor: str) -> str:
    """How people call whoever did something."""
    if actor == PLAYERS:
        return "The players"
    return state.setup.side_title(actor) if actor in state.setup.sides else actor.capitalize()


def units(state: State) -> tuple[str, ...]:
    """The names of all units, on the table or not."""
    return tuple(state.by_id)


def remarks(state: State, unit_ids: Iterable[str]) -> tuple[str, ...]:
    """What players may miss about units that were just put down: bases that are not there."""
    found = []
    for unit in (state.by_id[name] for name in dict.fromkeys(unit_ids) if name in state.by_id):
        if unit.at and len(unit.at) != unit.models:
            found.append(f"{unit.id} has {len(unit.at)} of {count(unit.models, 'base')} on the table.")
    return tuple(found)
