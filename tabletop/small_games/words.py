"""A small game at one moment, as text for a terminal of 80 columns: all but where units stand."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from tabletop.game.registry import ruleset
from tabletop.small_games.rules import SmallGameRules
from tabletop.small_games.state import State, Unit
from tabletop.words import aligned_tables, count

WIDTH = 80

AnyState = State[Any, Any]
AnyUnit = Unit[Any, Any]


def headline(state: AnyState) -> str:
    """Whose turn it is, in a line."""
    setup = state.setup
    if state.result is not None:
        won = f"{setup.side_title(state.result.winner)} won" if state.result.winner else "A draw"
        return f"{setup.title}, turn {state.turn}. {won}: {state.result.reason}"
    of = f" of {setup.turns}" if setup.turns else ""
    return f"{setup.title}, turn {state.turn}{of}. {setup.side_title(state.side)} to act."


def next_words(state: AnyState) -> str:
    """Nothing has to be done before anything else."""
    return ""


def title(state: AnyState, actor: str) -> str:
    """How people call whoever did something: a side by its title."""
    return state.setup.side_title(actor) if actor in state.setup.sides else actor.capitalize()


def units(state: AnyState) -> tuple[str, ...]:
    """The ids of all units of the game, on the table or not."""
    return tuple(state.units)


def remarks(state: AnyState, unit_ids: Iterable[str]) -> tuple[str, ...]:
    """None: nothing is known that players may miss about units that were put down."""
    return ()


def rules_of(state: AnyState) -> SmallGameRules[Any]:
    """The ruleset that a game is played by."""
    rules: SmallGameRules[Any] = ruleset(state.setup.rules)  # type: ignore[assignment]
    return rules


def kind_words(state: AnyState, kind: str, number: int = 1) -> str:
    """How people call so many of a kind of units."""
    return rules_of(state).kind(kind).words(number)


def unit_title(state: AnyState, unit: AnyUnit) -> str:
    """A unit by its name, id and kind."""
    kind = kind_words(state, unit.kind)
    return f"{unit.plan.name} ({unit.id}, {kind})" if unit.plan.name else f"{unit.id}, {kind}"


def marker_words(unit: AnyUnit) -> tuple[str, ...]:
    """A unit's markers, a few words each: "acted", "2 hits"."""
    return tuple(name if number == 1 else count(number, name) for name, number in unit.markers.items())


def of_unit_at(state: AnyState, unit_id: str, place: Callable[[Any], str]) -> str:
    """One unit in a line; ``place`` says where one on the table stands."""
    unit: AnyUnit | None = state.units.get(unit_id)
    if unit is None:
        return f"{unit_id}: not in this game."
    if unit.at is None:
        return f"{unit_title(state, unit)}: {unit.gone or f'not on the {rules_of(state).ground}'}."
    return f"{unit_title(state, unit)}: {'; '.join([place(unit), *marker_words(unit)])}."


def forces_words(state: AnyState, heads: Sequence[str], columns: Callable[[Any], Sequence[str]]) -> Iterator[str]:
    """Both sides' units in a table each, with those ``columns`` under their ``heads`` and the markers."""
    tables = []
    for side in state.setup.sides:
        own = [unit for unit in state.units.values() if unit.side == side and not unit.gone]
        rows = [(state.setup.side_title(side), *heads, "markers")]
        rows += [(f"  {unit_title(state, unit)}", *columns(unit), ", ".join(marker_words(unit))) for unit in own]
        tables.append(rows)
    return aligned_tables(tables)


def gone_words(state: AnyState) -> Iterator[str]:
    """The units that are gone, and why; nothing where there are none."""
    gone = [f"{unit.id} ({unit.gone})" for unit in state.units.values() if unit.gone]
    if gone:
        text = f"Off the {rules_of(state).ground}: {', '.join(gone)}."
        yield textwrap.fill(text, WIDTH, subsequent_indent="  ")


def hits_news(target: str, hits: int, by: str) -> str:
    """The hits of a shot in a few words, such as "R4 +2 hits (B6)"."""
    found = f"+{count(hits, 'hit')}" if hits else "no hits"
    return f"{target} {found} ({by})"


def destroyed_news(unit: str, by: str | None = None) -> str:
    """A loss in a few words, with the unit that caused it where one did."""
    return f"{unit} destroyed" + (f" ({by})" if by else "")
