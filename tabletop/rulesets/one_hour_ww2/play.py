"""One-Hour Wargames: WWII as a game to be played: the ruleset that :class:`tabletop.game.Game` takes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import shapely

from tabletop.errors import RulesError
from tabletop.game.core import REFEREE
from tabletop.game.protocol import NO_DICE, Dice, Odds, Option, Outcome, Violation
from tabletop.rulesets.one_hour_ww2 import acts, checks, choices, events, player, sayings, turns
from tabletop.rulesets.one_hour_ww2.chances import permanent_hits, rallied
from tabletop.rulesets.one_hour_ww2.data import DICE, KINDS, NAME, Kind
from tabletop.rulesets.one_hour_ww2.firing import fired, shot_odds, volley
from tabletop.rulesets.one_hour_ww2.moving import (
    leave_violations,
    move_dice,
    move_total,
    place_violations,
    total_chances,
)
from tabletop.rulesets.one_hour_ww2.setup import Setup
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.standing import threats
from tabletop.rulesets.one_hour_ww2.state import State, apply
from tabletop.scene import Unit


class OneHourWW2:
    """The rules of One-Hour WWII, version 8, as pure functions of a state."""

    name = NAME
    version = events.VERSION

    # --- the course of a game ----------------------------------------------------------------------------------------

    def start(self, setup: object) -> tuple[events.Event, ...]:
        """The event that lays the game out; raises RulesError for kinds, dice or sides that can't be."""
        if not isinstance(setup, Setup):
            raise RulesError(f"One-Hour WWII begins from a Setup, not from {type(setup).__name__}.")
        for unit in setup.units:
            if unit.kind not in KINDS:
                known = ", ".join(KINDS)
                raise RulesError(
                    f'Unit "{unit.id}" is of kind "{unit.kind}", which One-Hour WWII lacks; it knows {known}.'
                )
            if unit.side not in setup.sides:
                raise RulesError(f'Unit "{unit.id}" is of side "{unit.side}", which does not play here.')
            if unit.at and len(unit.at) != len(unit.bases):
                raise RulesError(f'Unit "{unit.id}" has {len(unit.bases)} bases and {len(unit.at)} places.')
            if not 0 <= unit.permanent <= unit.hits < setup.rules.destroyed_at:
                raise RulesError(
                    f'Unit "{unit.id}" can\'t start with {unit.hits} hits, {unit.permanent} of them permanent: '
                    f"{setup.rules.destroyed_at} destroy it, and no more can be permanent than there are."
                )
        if len({unit.id for unit in setup.units}) < len(setup.units):
            raise RulesError("Two units of this game have the same id; every unit needs one of its own.")
        for piece in setup.features:
            if not shapely.is_valid(shapely.polygons(piece.polygon)):
                raise RulesError(f'The outline of terrain "{piece.id}" crosses itself; draw it without crossings.')
        if setup.dice not in DICE:
            raise RulesError(f"Dice {setup.dice!r} are not known; One-Hour WWII uses {' or '.join(DICE)}.")
        return (events.Started(setup),)

    def apply(self, state: State | None, event: events.Event) -> State:
        """The state after an event."""
        return apply(state, event)

    def sides(self, state: State) -> tuple[str, ...]:
        """Attacker, defender."""
        return state.setup.sides

    def to_act(self, state: State) -> str | None:
        """The phasing side; ``None`` once the game is over."""
        return None if state.step == "over" else state.side

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return state.result

    # --- judging ------------------------------------------------------------------------------------------------------

    def options(self, state: State) -> Sequence[Option]:
        """What each side may do now, and what not, with reasons."""
        return choices.options(self, state)

    def check(self, state: State, action: acts.Action) -> tuple[Violation, ...]:
        """All that speaks against an action."""
        return checks.violations(state, action)

    def actor(self, state: State, action: acts.Action) -> str:
        """The side whose action it is, or the referee."""
        match action:
            case acts.Correct():
                return REFEREE
            case acts.Concede():
                return action.side
            case acts.Begin():
                return REFEREE
            case acts.End():
                return state.side
        plan = state.setup.unit(action.unit)
        return plan.side if plan else state.side

    def dice(self, state: State, action: acts.Action) -> Dice:
        """The dice that an action needs now: one to fire or rally, the unit's movement dice to move."""
        match action:
            case acts.Fire() | acts.Rally():
                return Dice(1, DICE[state.setup.dice])
            case acts.Move():
                unit = state.unit(action.unit)
                return NO_DICE if unit is None else move_dice(state, unit)
        return NO_DICE

    def odds(self, state: State, action: acts.Action) -> Odds | None:
        """Exact odds: hits of a shot, inches of a move, hits left after a rally."""
        if any(v.firm for v in self.check(state, action)):
            return None
        match action:
            case acts.Fire():
                return shot_odds(state, volley(state, action))
            case acts.Move():
                return self._move_odds(state, _on_table(state, action.unit))
            case acts.Rally():
                return self._rally_odds(state, _on_table(state, action.unit))
        return None

    def _move_odds(self, state: State, unit: Unit) -> Odds:
        return Odds("inches", total_chances(state, unit), words=move_total(state, unit, ())[1])

    def _rally_odds(self, state: State, unit: Unit) -> Odds:
        faces = DICE[state.setup.dice]
        chances: dict[int, Fraction] = {}
        for face in faces:
            left = self._left(state, unit, face)
            chances[left] = chances.get(left, Fraction(0)) + Fraction(1, len(faces))
        words = ("concealed or a tank: the whole die",) if _whole_die(state, unit) else ("in the open: the die less 2",)
        return Odds("hits left", dict(sorted(chances.items())), words=words)

    def _left(self, state: State, unit: Unit, face: int) -> int:
        return rallied(kind_of(unit), unit.hits, unit.permanent, face, concealed=_whole_die(state, unit))

    # --- acting -------------------------------------------------------------------------------------------------------

    def resolve(
        self, state: State, action: acts.Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[events.Event, ...]:
        """The events of a checked action with its dice as rolled."""
        lifted = tuple(overruled)
        match action:
            case acts.Deploy():
                return (events.Deployed(action.unit, action.at, action.dug_in, action.ready),)
            case acts.Begin():
                return tuple(turns.begun_game(state))
            case acts.End():
                return tuple(turns.ended_step(state))
            case acts.Concede():
                return (turns.conceded(state, action.side),)
            case acts.Correct():
                return self._corrected(state, action)
            case acts.Fire():
                return self._fired(state, action, dice[0], lifted)
            case acts.Move():
                total, because = move_total(state, _on_table(state, action.unit), dice)
                return (events.MoveRolled(action.unit, tuple(dice), max(0, total), because, lifted, max(0, -total)),)
            case acts.Place():
                walk = place_violations(state, action)[1]
                return (
                    events.Moved(
                        action.unit,
                        action.at,
                        tuple(round(length, 4) for length in walk.lengths_in),
                        walk.allowed_in,
                        walk.by_road,
                        action.path,
                        lifted,
                    ),
                )
            case acts.Leave():
                walk = leave_violations(state, action)[1]
                far = round(max(walk.lengths_in), 4)
                return (events.Exited(action.unit, action.exit, far, walk.allowed_in, walk.by_road, lifted),)
            case acts.Rally():
                unit = _on_table(state, action.unit)
                removed = unit.hits - self._left(state, unit, dice[0])
                mean = unit.hits - float(self._rally_odds(state, unit).expected)
                return (events.Rallied(unit.id, dice[0], removed, mean, lifted),)
            case acts.Ready():
                return (events.MadeReady(action.unit, lifted),)
            case acts.DigIn():
                return (events.DugIn(action.unit, lifted),)
        raise TypeError(f"{type(action).__name__} is no action of One-Hour WWII.")

    def _fired(
        self, state: State, action: acts.Fire, roll: int, overruled: tuple[str, ...]
    ) -> tuple[events.Event, ...]:
        shot = fired(state, action, volley(state, action), roll, overruled)
        target = _on_table(state, action.target)
        if target.hits + shot.hits < state.setup.rules.destroyed_at:
            return (shot,)
        return shot, events.Destroyed(target.id, action.unit)

    def _corrected(self, state: State, action: acts.Correct) -> tuple[events.Event, ...]:
        permanent = action.permanent
        unit = state.unit(action.unit)
        if permanent is None and action.hits is not None:
            permanent = min(action.hits, permanent_hits(action.hits, unit.permanent if unit else 0))
        event = events.Corrected(**{**vars(action), "permanent": permanent})
        if action.hits is not None and action.hits >= state.setup.rules.destroyed_at and not action.off:
            return event, events.Destroyed(action.unit)
        return (event,)

    def is_free(self, event: events.Event) -> bool:
        """Whether no dice were rolled for it."""
        return events.is_free(event)

    # --- reading and writing ------------------------------------------------------------------------------------------

    def wishes(self, state: State, rng: random.Random) -> Iterator[acts.Action]:
        """Actions worth trying, in random order; the last one is legal."""
        return choices.wishes(state, rng)

    def plans(self, state: State, rng: random.Random) -> Iterator[acts.Action]:
        """What a simple player would do, best first; the last one is legal."""
        return player.plans(state, rng)

    def view(self, state: State, side: str | None = None) -> dict[str, Any]:
        """The whole state: this game hides nothing."""
        return state.to_json()

    def hides(self, state: State) -> bool:
        """Never: all lies open on the table."""
        return False

    def shown(self, state: State, event: events.Event, side: str | None) -> dict[str, Any]:
        """The event's whole body."""
        return events.CODEC.to_json(event)[1]

    def faults(self, state: State) -> tuple[str, ...]:
        """Invariants that the state breaks."""
        return choices.faults(state)

    def describe(self, state: State | None, event: events.Event) -> str:
        """An event in a sentence."""
        return sayings.sentence(state, event)

    def text(self, action: acts.Action) -> str:
        """An action in the command line's words."""
        from tabletop.rulesets.one_hour_ww2.words import text

        return text(action)

    def parse(self, state: State, words: str) -> acts.Action:
        """An action from words; raises ActionError."""
        from tabletop.rulesets.one_hour_ww2.words import parse

        return parse(state, words)

    def event_to_json(self, event: events.Event) -> tuple[str, dict[str, Any]]:
        """An event's kind and its body."""
        return events.CODEC.to_json(event)

    def event_from_json(self, kind: str, body: Mapping[str, Any], version: int) -> events.Event:
        """An event from its kind and body; raises EventError."""
        return events.CODEC.from_json(kind, body, version)


def _on_table(state: State, unit_id: str) -> Unit:
    unit = state.unit(unit_id)
    if unit is None:
        raise RulesError(f'There is no unit "{unit_id}" on the table.')
    return unit


def _whole_die(state: State, unit: Unit) -> bool:
    """Whether a rally takes the whole die off: surely concealed, or a tank (Rally & Ready Step, Rally)."""
    kind: Kind = kind_of(unit)
    return kind.struck_as == "tank" or bool(state.situation.concealment[state.situation.index[unit.id]] > 0)


def threatened(state: State) -> dict[str, list[str]]:
    """Units with an enemy base within 2 inches, and by whom."""
    return {entry["unit"]: entry["by"] for entry in threats(state.situation)[0]}


RULES = OneHourWW2()
