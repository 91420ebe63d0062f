"""One-Hour WWII in the after-action report: a sentence for every event, expected results, losses, and the pictures.

Every word and number comes from an event, the state round it, or exact odds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tabletop.aar.document import Table
from tabletop.aar.maps import table_map
from tabletop.aar.picture import Item, Sheet
from tabletop.aar.teller import Change, Clock, Force, Side, Terms, Throw, ThrowKind, Told
from tabletop.aar.words import count, inches, joined, opened
from tabletop.game.core import REFEREE
from tabletop.game.protocol import Outcome
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2 import telling_map
from tabletop.rulesets.one_hour_ww2.setup import UnitSetup
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.rulesets.one_hour_ww2.telling_words import (
    DICE_WORDS,
    KIND_WORDS,
    called,
    force_words,
    held_words,
    house_rules_words,
    mean_total_in,
    objective_title,
    planned,
    said,
    side_of,
    victory_words,
)

_STEP_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "deploy": "Deployment",
        "mortar": "Mortar Fire",
        "actions": "Actions",
        "rally": "Rally & Ready",
        "over": "After the game",
    }
)


class OneHourTeller:
    """Tells games of One-Hour WWII (the report's protocol ``Teller``)."""

    rules_title = "One-Hour Wargames: WWII"
    throws = (
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
        }
    )
    terms = Terms(nothing="Nobody fired, moved, rallied, made ready or dug in.")

    def title(self, state: State) -> str:
        """What was played."""
        return state.setup.title

    def sides(self, state: State) -> tuple[Side, ...]:
        """The attacker, then the defender."""
        return tuple(Side(side, state.setup.side_title(side)) for side in state.setup.sides)

    def opening(self, state: State) -> tuple[str, ...]:
        """The table, the forces, what wins."""
        setup = state.setup
        first, second = setup.sides
        scenario = f" (scenario {setup.scenario})" if setup.scenario.isdigit() else ""
        turns = f", at most {count(setup.turns, 'full turn')}" if setup.turns else ""
        return (
            f"{self.rules_title}, {setup.title}{scenario}, on a table {inches(setup.width)} wide and"
            f" {inches(setup.depth)} deep, with {DICE_WORDS.get(setup.dice, setup.dice)}{turns}.",
            f"{setup.side_title(first)} went first, with {force_words(setup, first)};"
            f" {setup.side_title(second)} had {force_words(setup, second)}.",
            *house_rules_words(setup.rules),
            *(victory_words(setup, victory) for victory in setup.victories),
            *(
                [f"If nobody reaches an aim, victory to {setup.side_title(setup.otherwise)}."]
                if setup.otherwise
                else ["If nobody reaches an aim, it is a draw."]
                if setup.victories and setup.turns
                else []
            ),
        )

    def clock(self, state: State) -> Clock:
        """The turn, and whose step it is; deployment is turn 0, and nobody’s step."""
        return Clock(state.turn, "" if state.step in ("deploy", "over") else state.side, state.step)

    def step_title(self, step: str) -> str:
        """The rules' name of a step."""
        return _STEP_TITLES[step]

    def sentences(self, told: Told) -> tuple[str, ...]:
        """What happened, for every kind of event."""
        sentences = said(told.event, told)
        overruled = getattr(told.event, "overruled", ())
        if not overruled or not sentences:
            return sentences
        codes = joined([code.replace("-", " ").replace("_", " ") for code in overruled])
        if told.record.actor == REFEREE:
            return (*sentences, f"The referee overruled the objection: {codes}.")
        return (*sentences, f"The players settled at the table what was open: {codes}.")

    def completes(self, told: Told) -> bool:
        """Whether a unit was put down after its dice, which came before."""
        return isinstance(told.event, ev.Moved | ev.Exited | ev.Destroyed)

    def opens(self, told: Told) -> bool:
        """No: all that an action does is told in the step that it was done in."""
        return False

    def is_quiet(self, told: Told) -> bool:
        """No: every event is told by itself."""
        return False

    def gathered(self, run: Sequence[Told]) -> tuple[str, ...]:
        """The events one by one."""
        return tuple(sentence for told in run for sentence in self.sentences(told))

    def throws_in(self, told: Told) -> tuple[Throw, ...]:
        """The shot, the movement dice or the rally in an event."""
        found = self._throw(told)
        return () if found is None else (found,)

    def _throw(self, told: Told) -> Throw | None:
        event, before = told.event, told.before
        match event:
            case ev.Fired():
                target = planned(before, event.target)
                return Throw(
                    "fire",
                    side_of(before, event.unit),
                    event.unit,
                    event.hits,
                    event.expected,
                    stake := strength(before, target.side),
                    f"the {count(stake, 'hit')} that {before.setup.side_title(target.side)} could still take",
                )
            case ev.MoveRolled() if event.roll:
                return Throw(
                    "move", side_of(before, event.unit), event.unit, event.total_in, mean_total_in(before, event)
                )
            case ev.Rallied():
                return Throw("rally", side_of(before, event.unit), event.unit, event.removed, event.expected)
        return None

    def changes(self, told: Told) -> tuple[Change, ...]:
        """Units lost or gone by an exit, objectives in new hands."""
        event, before = told.event, told.before
        match event:
            case ev.Destroyed():
                return (_lost(told, event.unit, event.by or ""),)
            case ev.Corrected(off=True):
                return (_lost(told, event.unit, ""),)
            case ev.Exited():
                return (_left(told, event),)
            case ev.Held():
                both = event.side is not None and dict(before.holders).get(event.objective) is not None
                share = (1.0 if both else 0.5) / max(1, len(before.setup.objectives))
                title = objective_title(before.setup, event.objective)
                of = f"{title}, 1 of {count(len(before.setup.objectives), 'objective')}"
                return (Change("held", event.side or "", event.objective, share, of, held_words(told, event)),)
        return ()

    def forces(self, game: Sequence[Told]) -> tuple[Force, ...]:
        """Every unit of both sides and what has become of it."""
        state: State = game[-1].after
        gone = {unit: (why, turn) for unit, why, turn in state.off}
        return tuple(self._force(state, plan, gone.get(plan.id)) for plan in state.setup.units)

    def _force(self, state: State, plan: UnitSetup, gone: tuple[str, int] | None) -> Force:
        unit = state.unit(plan.id)
        kind = KIND_WORDS.get(plan.kind, plan.kind)
        if unit is not None:
            marks = [word for word, has in (("dug in", unit.dug_in), ("ready", unit.ready)) if has]
            hits = f"{unit.hits} ({unit.permanent} permanent)" if unit.permanent else str(unit.hits)
            return Force(plan.id, plan.side, plan.name, kind, hits, ", ".join(["on the table", *marks]), True)
        if gone is None:
            return Force(plan.id, plan.side, plan.name, kind, "-", "not deployed", False)
        why = {"destroyed": "destroyed", "exited": "left by an exit", "removed": "taken off by hand"}[gone[0]]
        return Force(plan.id, plan.side, plan.name, kind, "-", f"{why}, turn {gone[1]}", False)

    def sheets(self, game: Sequence[Told]) -> tuple[Table, ...]:
        """None: nothing is scored."""
        return ()

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, once it has."""
        return state.result

    def ground(self, state: State) -> Sequence[Item]:
        """Terrain, objectives with their holders, exits."""
        return telling_map.ground(state)

    def pieces(self, state: State) -> Sequence[Item]:
        """Units with hits and markers."""
        return telling_map.pieces(state)

    def marks(self, told: Told) -> Sequence[Item]:
        """The way of a move, the line of a shot, a hand that set a unit right."""
        return telling_map.marks(told)

    def grave(self, told: Told) -> Sequence[Item]:
        """A unit destroyed or taken off, where it stood."""
        return telling_map.grave(told)

    def drawn(self, state: State, sides: Sequence[Side], items: Sequence[Item]) -> Sheet:
        """The table with its inches."""
        return table_map((state.setup.width, state.setup.depth), sides, items, telling_map.LEGEND)


TELLER = OneHourTeller()


def strength(state: State, side: str) -> int:
    """How many hits a side's units on the table could still take before the last of them is removed."""
    least = state.setup.rules.destroyed_at
    return sum(max(0, least - unit.hits) for unit in state.units if unit.side == side)


def _lost(told: Told, unit_id: str, by: str) -> Change:
    before = told.before
    side = side_of(before, unit_id)
    units = sum(1 for unit in before.units if unit.side == side)
    title = before.setup.side_title(side)
    of = f"{unit_id}, 1 of {count(units, 'unit')} that {title} had on the table"
    who = f"{opened(called(before, by))} destroyed" if by else "The referee took off"
    text = f"{who} {called(before, unit_id, side=True)}."
    share = 0.0 if isinstance(told.event, ev.Corrected) else 1 / max(1, units)
    return Change("lost", side, unit_id, share, of, text, by)


def _left(told: Told, event: ev.Exited) -> Change:
    before = told.before
    side = side_of(before, event.unit)
    needed = [v.units for v in before.setup.victories if v.kind == "exit" and v.side == side and v.units]
    units = needed[0] if needed else sum(1 for unit in before.units if unit.side == side)
    title = before.setup.side_title(side)
    of = f"{event.unit}, 1 of {count(units, 'unit')} that {title} " + ("must take off to win" if needed else "had")
    return Change("left", side, event.unit, 1 / max(1, units), of, said(event, told)[0])
