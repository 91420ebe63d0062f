"""Small games in the after-action report: what the ruleset says of each event, luck, losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tabletop.aar.adapter import Change, Clock, Force, ReportAdapterBase, ReportEvent, Terms, Throw, ThrowKind
from tabletop.game.parts import parts_of
from tabletop.game.registry import ruleset
from tabletop.small_games import events as ev
from tabletop.small_games.state import State
from tabletop.small_games.words import kind_words, marker_words
from tabletop.words import and_list, capital, count, the

AnyState = State[Any, Any]


class SmallGameReportAdapter(ReportAdapterBase):
    """Tells the games of the ruleset of that name.

    An event with ``unit``, ``hits`` and ``expected`` is a throw whose luck is counted.
    """

    throws: tuple[ThrowKind, ...] = (
        ThrowKind("throw", "Throws", "hits", "hits made above what the same dice make on average"),
    )
    measures: Mapping[str, str] = MappingProxyType(
        {
            "lost": "A unit lost weighs one divided by the number of units that its side had left.",
            "swing": "A throw weighs how far its hits were from their average, divided by the units that the other side"
            " had left.",
        }
    )
    terms = Terms(hits="markers")
    omitted_kinds = (ev.Started, ev.TurnBegan, ev.Ended)
    completing_kinds = (ev.Removed,)

    def __init__(self, rules: str) -> None:
        self.rules, self.rules_title = rules, parts_of(rules).title

    def opening(self, state: AnyState) -> tuple[str, ...]:
        """The table and the forces."""
        setup = state.setup
        first, second = setup.sides
        return (
            self.table_text(setup),
            self.forces_text(setup, (_force_words(state, first), _force_words(state, second))),
        )

    def clock(self, state: AnyState) -> Clock:
        """The turn, and whose it is."""
        return Clock(state.turn, "" if state.result is not None else state.side, "actions")

    def step_title(self, step: str) -> str:
        """Turns have one step."""
        return capital(step)

    def throws_in(self, entry: ReportEvent) -> tuple[Throw, ...]:
        """The throw in an event, where it says what it made and what was to be expected."""
        event, before = entry.event, entry.before
        hits, expected = getattr(event, "hits", None), getattr(event, "expected", None)
        unit = None if before is None else before.units.get(getattr(event, "unit", ""))
        if unit is None or hits is None or expected is None:
            return ()
        other = before.setup.other(unit.side)
        stake = len(before.on_table(other))
        words = f"the {count(stake, 'unit')} that {the(before.setup.side_title(other))} had left"
        return (Throw("throw", unit.side, unit.id, float(hits), expected, stake, words),)

    def changes(self, entry: ReportEvent) -> tuple[Change, ...]:
        """Units that left the table."""
        found = []
        for unit in gone_with(entry):
            side = entry.before.setup.side_title(unit.side)
            left = len(entry.before.on_table(unit.side))
            by_hand = isinstance(entry.event, ev.Corrected)
            by = getattr(entry.event, "by", "")
            who = "The referee took off" if by_hand else f"{by} took out" if by else "Lost:"
            of = f"{unit.id}, 1 of {count(left, 'unit')} that {the(side)} had"
            text = f"{who} {unit.id} ({side})."
            found.append(Change("lost", unit.side, unit.id, 0.0 if by_hand else 1 / left, of, text, by))
        return tuple(found)

    def forces(self, game: Sequence[ReportEvent]) -> tuple[Force, ...]:
        """Every unit of both sides and what has become of it."""
        state: AnyState = game[-1].after
        ground = ruleset(self.rules).ground  # type: ignore[attr-defined]
        return tuple(
            Force(
                unit.id,
                unit.side,
                unit.plan.name or unit.id,
                kind_words(state, unit.kind),
                ", ".join(marker_words(unit)) or "-",
                f"on the {ground}" if unit.at is not None else unit.gone or f"not on the {ground}",
                unit.at is not None,
            )
            for unit in state.units.values()
        )


def gone_with(entry: ReportEvent) -> tuple[Any, ...]:
    """The units that an event took off the table, as they stood."""
    if entry.before is None:
        return ()
    return tuple(unit for unit in entry.before.on_table() if entry.after.units[unit.id].at is None)


def _force_words(state: AnyState, side: str) -> str:
    kinds = [unit.kind for unit in state.units.values() if unit.side == side]
    return and_list(
        [f"{kinds.count(kind)} {kind_words(state, kind, kinds.count(kind))}" for kind in dict.fromkeys(kinds)]
    )
