"""One-Hour WWII in the after-action report: a sentence for every event, expected results, losses, and the pictures.

Every word and number comes from an event, the state round it, or exact odds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from tabletop.aar.adapter import (
    Change,
    Force,
    ReportAdapterBase,
    ReportDrawing,
    ReportEvent,
    Terms,
    Throw,
    ThrowKind,
)
from tabletop.rulesets.one_hour_ww2 import event_text, report_map
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.data import KIND_WORDS, NAME
from tabletop.rulesets.one_hour_ww2.event_text import objective_title
from tabletop.rulesets.one_hour_ww2.report_text import (
    DICE_WORDS,
    begin_words,
    force_words,
    house_rules_words,
    mean_total_in,
    victory_words,
)
from tabletop.rulesets.one_hour_ww2.setup import UnitSetup
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.words import count, inches, the


class OneHourReportAdapter(ReportAdapterBase):
    """Reports on games of One-Hour WWII."""

    rules_title = "One-Hour Wargames: WWII"
    throws: tuple[ThrowKind, ...] = (
        ThrowKind("fire", "Fire", "hits", "hits made above what the same shots make on average"),
        ThrowKind("move", "Movement", "inches", "inches rolled above the mean of the same movement dice"),
        ThrowKind("rally", "Rallies", "hits off", "hits taken off above what the same rallies take off on average"),
    )
    measures: Mapping[str, str] = MappingProxyType(
        {
            "lost": "A unit lost weighs one divided by the number of units that its side had on the table.",
            "left": "A unit that left by an exit weighs one divided by the number of units that must leave to win.",
            "held": "An objective taken from the other side weighs one divided by the number of objectives, and half of"
            " that where nobody held it before or after.",
            "swing": "A shot weighs how far its hits were from their average, divided by the hits that all units of the"
            " target’s side could still take.",
            "chance": "they played the game out {games} times with the act and as often without it, with the same dice."
            " Without a shot or a rally the unit did nothing; without a move it was still free to act.",
        }
    )
    terms = Terms(nothing="No unit fired, moved, rallied, made ready or dug in.")

    step_titles: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "deploy": "Deployment",
            "mortar": "Mortar Fire",
            "actions": "Actions",
            "rally": "Rally & Ready",
            "over": "After the game",
        }
    )
    drawing: ClassVar[ReportDrawing] = report_map
    rules = badges_of = NAME
    omitted_kinds = (ev.Started, ev.StepEnded)
    completing_kinds = (ev.Moved, ev.Exited, ev.Destroyed)
    correction_kinds = (ev.Corrected,)

    def opening(self, state: State) -> tuple[str, ...]:
        """The table, the forces, what wins."""
        setup = state.setup
        first, second = setup.sides
        scenario = f" (scenario {setup.scenario})" if setup.scenario.isdigit() else ""
        dice = DICE_WORDS.get(setup.dice, setup.dice)
        return (
            self.table_text(setup, scenario=scenario, dice=f", with {dice}"),
            self.forces_text(setup, (force_words(setup, first), force_words(setup, second))),
            *house_rules_words(setup.rules),
            *(victory_words(setup, victory) for victory in setup.victories),
            *(
                [f"If no side reaches an aim, victory to {the(setup.side_title(setup.otherwise))}."]
                if setup.otherwise
                else ["If no side reaches an aim, it is a draw."]
                if setup.victories and setup.turns
                else []
            ),
        )

    def details(self, entry: ReportEvent) -> tuple[str, ...]:
        """Where units stand as the game begins, the mean of movement dice, and who overruled or corrected."""
        event, before = entry.event, entry.before
        match event:
            case ev.Started():
                return begin_words(entry.after)
            case ev.MoveRolled() if event.roll:
                return (f"{inches(mean_total_in(before, event))} were expected.", *super().details(entry))
        return super().details(entry)

    def throws_in(self, entry: ReportEvent) -> tuple[Throw, ...]:
        """The shot, the movement dice or the rally in an event."""
        throw = _throw(entry)
        return () if throw is None else (throw,)

    def changes(self, entry: ReportEvent) -> tuple[Change, ...]:
        """Units lost or gone by an exit, objectives in new hands."""
        event, before = entry.event, entry.before
        match event:
            case ev.Destroyed():
                return (_loss(entry, event.unit, event.by or ""),)
            case ev.Corrected(off=True):
                return (_loss(entry, event.unit, ""),)
            case ev.Exited():
                return (_left(entry, event),)
            case ev.Held():
                both = event.side is not None and dict(before.holders).get(event.objective) is not None
                share = (1.0 if both else 0.5) / max(1, len(before.setup.objectives))
                title = objective_title(before.setup, event.objective)
                of = f"{title}, 1 of {count(len(before.setup.objectives), 'objective')}"
                return (Change("held", event.side or "", event.objective, share, of, self.text(entry)),)
        return ()

    def forces(self, game: Sequence[ReportEvent]) -> tuple[Force, ...]:
        """Every unit of both sides and what has become of it."""
        state: State = game[-1].after
        gone = {unit: (why, turn) for unit, why, turn in state.off}
        return tuple(self._force(state, plan, gone.get(plan.id)) for plan in state.setup.units)

    def _force(self, state: State, plan: UnitSetup, gone: tuple[str, int] | None) -> Force:
        unit = state.unit(plan.id)
        kind = KIND_WORDS.get(plan.kind, plan.kind)
        if unit is not None:
            marks = [word for word, has in (("dug in", unit.dug_in), ("Ready", unit.ready)) if has]
            hits = f"{unit.hits} ({unit.permanent} permanent)" if unit.permanent else str(unit.hits)
            return Force(plan.id, plan.side, plan.name, kind, hits, ", ".join(["on the table", *marks]), True)
        if gone is None:
            return Force(plan.id, plan.side, plan.name, kind, "-", "not deployed", False)
        why = {"destroyed": "destroyed", "exited": "left by an exit", "removed": "taken off by hand"}[gone[0]]
        return Force(plan.id, plan.side, plan.name, kind, "-", f"{why}, turn {gone[1]}", False)


REPORT = OneHourReportAdapter()


def strength(state: State, side: str) -> int:
    """How many hits a side's units on the table could still take before the last of them is removed."""
    least = state.setup.rules.destroyed_at
    return sum(max(0, least - unit.hits) for unit in state.units if unit.side == side)


def _throw(entry: ReportEvent) -> Throw | None:
    event, before = entry.event, entry.before
    match event:
        case ev.Fired():
            target = before.setup.required_unit(event.target)
            return Throw(
                "fire",
                _side_of(before, event.unit),
                event.unit,
                event.hits,
                event.expected,
                stake := strength(before, target.side),
                f"the {count(stake, 'hit')} that {the(before.setup.side_title(target.side))} could still take",
            )
        case ev.MoveRolled() if event.roll:
            return Throw("move", _side_of(before, event.unit), event.unit, event.total_in, mean_total_in(before, event))
        case ev.Rallied():
            return Throw("rally", _side_of(before, event.unit), event.unit, event.removed, event.expected)
    return None


def _side_of(state: State, unit_id: str) -> str:
    return state.setup.required_unit(unit_id).side


def _loss(entry: ReportEvent, unit_id: str, by: str) -> Change:
    before = entry.before
    side = _side_of(before, unit_id)
    units = sum(1 for unit in before.units if unit.side == side)
    title = the(before.setup.side_title(side))
    of = f"{unit_id}, 1 of {count(units, 'unit')} that {title} had on the table"
    share = 0.0 if isinstance(entry.event, ev.Corrected) else 1 / max(1, units)
    return Change("lost", side, unit_id, share, of, event_text.event_text(before, entry.event), by)


def _left(entry: ReportEvent, event: ev.Exited) -> Change:
    before = entry.before
    side = _side_of(before, event.unit)
    needed = [v.units for v in before.setup.victories if v.kind == "exit" and v.side == side and v.units]
    units = needed[0] if needed else sum(1 for unit in before.units if unit.side == side)
    title = the(before.setup.side_title(side))
    of = f"{event.unit}, 1 of {count(units, 'unit')} that {title} " + ("must take off to win" if needed else "had")
    return Change("left", side, event.unit, 1 / max(1, units), of, event_text.event_text(before, event))
