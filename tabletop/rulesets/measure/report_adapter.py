"""A measured game in the after-action report: what happened turn by turn, and a table of all that was measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from tabletop.aar.adapter import Change, Clock, Force, ReportAdapterBase, ReportDrawing, ReportEvent, Terms, ThrowKind
from tabletop.aar.document import Table
from tabletop.rulesets.measure import events as ev
from tabletop.rulesets.measure import report_map
from tabletop.rulesets.measure.board_text import marks_of
from tabletop.rulesets.measure.data import NAME
from tabletop.rulesets.measure.event_text import event_text
from tabletop.rulesets.measure.state import State
from tabletop.words import and_list, count, inches

_LOOKED = (ev.Measured, ev.SightChecked, ev.ArcChecked)


class MeasureReportAdapter(ReportAdapterBase):
    """Tells measured games (the report's protocol ``ReportAdapter``)."""

    rules_title = "A measured game"
    throws: tuple[ThrowKind, ...] = (ThrowKind("roll", "Dice", "pips", "pips above the mean of the same dice"),)
    measures: Mapping[str, str] = MappingProxyType(
        {"left": "A unit taken off the table weighs one divided by the number of units that its side had there."}
    )
    rules = NAME
    terms = Terms(
        hits="markers",
        nothing="Nothing was placed, moved or measured.",
        calm="nothing was taken off the table",
        no_throws="played without throws that were judged",
        gone="Units that were taken off the table",
    )
    step_titles: ClassVar[Mapping[str, str]] = MappingProxyType({"turn": "Turn", "over": "After the game"})
    drawing: ClassVar[ReportDrawing] = report_map
    omitted_kinds: ClassVar[tuple[type, ...]] = (ev.Started, ev.TurnBegun)

    def opening(self, state: State) -> tuple[str, ...]:
        """The table, and who was on the roster."""
        setup = state.setup
        forces = [
            f"{setup.side_title(side)} had {count(sum(unit.side == side for unit in setup.units), 'unit')}"
            for side in setup.sides
        ]
        terrain = count(len(setup.terrain), "piece of terrain", "pieces of terrain")
        return (
            f"{setup.title}, on a table {inches(setup.width)} wide and {inches(setup.depth)} deep with {terrain}.",
            f"{and_list(forces)} on the roster.",
            "No rules were known: this is what stood where, what was measured, and what the players noted.",
        )

    def clock(self, state: State) -> Clock:
        """The players' turn."""
        return Clock(state.turn, "", "over" if state.result is not None else "turn")

    def changes(self, entry: ReportEvent) -> tuple[Change, ...]:
        """A unit that was taken off the table."""
        event, before = entry.event, entry.before
        if not isinstance(event, ev.UnitRemoved):
            return ()
        unit = before.by_id[event.unit]
        there = sum(1 for other in before.units if other.side == unit.side and other.at)
        of = f"of the units of {before.setup.side_title(unit.side)}"
        return (Change("left", unit.side, event.unit, 1 / max(there, 1), of, event_text(before, event)),)

    def forces(self, game: Sequence[ReportEvent]) -> tuple[Force, ...]:
        """Every unit and whether it stands on the table."""
        state: State = game[-1].after
        return tuple(
            Force(
                unit.id,
                unit.side,
                unit.name or unit.id,
                unit.kind,
                ", ".join(marks_of(unit)) or "none",
                "on the table" if unit.at else "off the table",
                bool(unit.at),
            )
            for unit in state.units
        )

    def sheets(self, game: Sequence[ReportEvent]) -> tuple[Table, ...]:
        """All that was measured, in the order of the game."""
        rows = tuple(_measurements(game))
        return (Table("Measurements", ("turn", "what was measured"), rows),) if rows else ()


def _measurements(game: Sequence[ReportEvent]) -> Iterator[tuple[str, str]]:
    for entry in game:
        if isinstance(entry.event, _LOOKED):
            yield str(entry.before.turn), event_text(entry.before, entry.event)


REPORT = MeasureReportAdapter()
