"""Combined Arms as a game to be played: the ruleset that :class:`tabletop.game.Game` takes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from tabletop.errors import RulesError
from tabletop.game.core import REFEREE
from tabletop.game.protocol import NO_DICE, Dice, Odds, Option, Outcome, Violation
from tabletop.rulesets.combined_arms import (
    acts,
    checks,
    choices,
    defender,
    enemy_player,
    events,
    falls,
    firing,
    laying_out,
    mortars,
    moving,
    player,
    sayings,
    views,
    words,
)
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER
from tabletop.rulesets.combined_arms.course import Onward, bombardment, decided, onward
from tabletop.rulesets.combined_arms.data import ATTACKER, D6, DEFENDER, NAME, role_of
from tabletop.rulesets.combined_arms.fold import apply
from tabletop.rulesets.combined_arms.setup import Setup, check_setup
from tabletop.rulesets.combined_arms.sights import own_spotters
from tabletop.rulesets.combined_arms.state import State

PLAYERS = ("player 1", "player 2")
"""Who bids, before it is settled who commands which side."""


class CombinedArms:
    """The rules of Combined Arms as pure functions of a state."""

    name = NAME
    version = events.VERSION

    def __init__(self) -> None:
        self._last: tuple[State, Onward] | None = None

    # --- the course of a game ----------------------------------------------------------------------------------------

    def start(self, setup: object) -> tuple[events.Event, ...]:
        """The event that lays the game out; raises RulesError for what can't be played."""
        if not isinstance(setup, Setup):
            raise RulesError(f"Combined Arms begins from a Setup, not from {type(setup).__name__}.")
        check_setup(setup)
        return (events.Started(setup),)

    def apply(self, state: State | None, event: events.Event) -> State:
        """The state after an event."""
        return apply(state, event)

    def sides(self, state: State) -> tuple[str, ...]:
        """The attackers, then the defenders."""
        return state.setup.sides

    def to_act(self, state: State) -> str | None:
        """The side that has the next choice or roll; ``None`` once the game is over."""
        if state.step == "over":
            return None
        if state.owed or state.pending is not None:
            return ATTACKER
        return DEFENDER if state.step in ("muster", "post", "enemy", "final") else ATTACKER

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return state.result

    # --- judging -----------------------------------------------------------------------------------------------------

    def options(self, state: State) -> Sequence[Option]:
        """What may be done now, and what not, with reasons."""
        return choices.options(self, state)

    def check(self, state: State, action: acts.Action) -> tuple[Violation, ...]:
        """All that speaks against an action."""
        return checks.violations(state, action)

    def actor(self, state: State, action: acts.Action) -> str:
        """Whose action it is: a side, in the co-operative game a command role, before bids are open a player."""
        coop = state.setup.mode == "co-operative"
        match action:
            case acts.Correct():
                return REFEREE
            case acts.Concede():
                return action.side
            case acts.Bid():
                return PLAYERS[action.player - 1]
            case acts.Muster() | acts.Post() | acts.Defend() | acts.TryMortars() | acts.Aim() | acts.Forgo():
                return DEFENDER
            case acts.Show() | acts.Shoot() | acts.Engage() | acts.Pass():
                return DEFENDER
            case acts.Move() | acts.Face() | acts.Declare() if coop:
                return role_of(action.unit)
            case acts.Claim() if coop:
                return action.role
        return "command" if coop else ATTACKER

    def dice(self, state: State, action: acts.Action) -> Dice:
        """The dice that the action needs now."""
        match action:
            case acts.Survey():
                return Dice(2 * len(action.hexes or laying_out.unknown(state)), D6)
            case acts.Occupy():
                return Dice(1, D6) if laying_out.is_tied(state) else NO_DICE
            case acts.Fire():
                return Dice(len(action.units), D6)
            case acts.Resolve():
                return Dice(len(state.declared), D6)
            case acts.Bombard():
                return Dice(len(bombardment(state)), D6)
            case acts.RollFor():
                return Dice(len(self._hexes(state, action)), D6)
            case acts.Muster():
                return Dice(2, D6)
            case acts.Scatter() | acts.Shoot() | acts.TryMortars() | acts.Award():
                return Dice(1, D6)
            case acts.Defend():
                need = self._onward(state).need
                return Dice(1, need.faces) if need is not None else NO_DICE
        return NO_DICE

    def _onward(self, state: State) -> Onward:
        """What follows of itself from a state; the last answer is kept, since it is asked for several times."""
        last = self._last
        if last is None or last[0] is not state:
            last = self._last = (state, onward(state))
        return last[1]

    def _hexes(self, state: State, action: acts.RollFor) -> tuple[int, ...]:
        if state.pending is None:
            return ()
        return tuple(NUMBER[name] for name in action.hexes) or state.pending.hexes

    # --- odds --------------------------------------------------------------------------------------------------------

    def odds(self, state: State, action: acts.Action) -> Odds | None:
        """Exact odds of an action that needs dice."""
        if not self.dice(state, action).count or any(v.firm for v in self.check(state, action)):
            return None
        match action:
            case acts.Survey():
                count = len(action.hexes or laying_out.unknown(state))
                return Odds("defensive hexes", laying_out.defensive_chances(count))
            case acts.Fire():
                return firing.odds(state, firing.volley(state, action.target, action.units, action.facings))
            case acts.Resolve():
                return firing.odds(state, self._declared(state))
            case acts.RollFor():
                return falls.odds(state, self._hexes(state, action))
            case acts.Bombard():
                return falls.bombardment_odds(len(bombardment(state)))
            case acts.Scatter():
                return Odds("corner", {die: Fraction(1, 6) for die in D6})
            case acts.Muster():
                return _muster_odds()
            case acts.TryMortars():
                return _least_odds("available", mortars.enemy_mortars_need(state))
            case acts.Occupy():
                return Odds("sides changed", {0: Fraction(1, 2), 1: Fraction(1, 2)})
            case acts.Award():
                return Odds("player", {1: Fraction(1, 2), 2: Fraction(1, 2)})
            case acts.Shoot():
                counter = state.acting_counter
                assert counter is not None
                guns = counter.atg == "real"
                return _armour_odds(state, counter.at, action.unit, guns=guns)
        return self._defend_odds(state)

    def _defend_odds(self, state: State) -> Odds:
        found = self._onward(state)
        need, then = found.need, found.state
        assert need is not None
        match need.what:
            case "mortars":
                return _least_odds("available", mortars.enemy_mortars_need(then))
            case "platoon" | "guns":
                add = defender.test_modifiers(then, then.counters[need.at], guns=need.what == "guns")
                real = defender.chances_of(sum(value for _, value in add), 5)
                return _chances_odds("real", real, tuple(f"{name} {value:+d}" for name, value in add))
            case "armour":
                guns = then.counters[need.at].atg == "real"
                return _armour_odds(then, need.at, need.unit, guns=guns)
            case "scatter":
                return Odds("corner", {die: Fraction(1, 6) for die in D6})
        each = Fraction(1, len(need.among))
        return Odds("drawn", dict.fromkeys(range(1, len(need.among) + 1), each), words=need.among)

    # --- acting ------------------------------------------------------------------------------------------------------

    def resolve(
        self, state: State, action: acts.Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[events.Event, ...]:
        """The events of a checked action with its dice as rolled, and all that follows of itself."""
        found = list(self._resolved(state, action, dice))
        after = state
        for event in found:
            after = apply(after, event)
        if after.step in ("mortars", "enemy", "final"):
            found += onward(after).events
        return tuple(found)

    def _resolved(self, state: State, action: acts.Action, dice: Sequence[int]) -> Iterator[events.Event]:
        match action:
            case acts.Survey():
                hexes = [NUMBER[name] for name in action.hexes] or laying_out.unknown(state)
                yield laying_out.surveyed(hexes, dice)
            case acts.Lay():
                yield events.Surveyed(((action.hex, action.terrain, 0, 0),))  # type: ignore[arg-type]
            case acts.Occupy():
                yield laying_out.occupied(state, dice[0] if dice else 0)
            case acts.Bid():
                yield from _bid(state, action)
            case acts.Award():
                yield events.Awarded(1 if dice[0] <= 3 else 2, state.bids[0] or 0, dice[0])
            case acts.Muster():
                yield events.Mustered((dice[0], dice[1]), enemy_player.forces(dice) is not None)
            case acts.Post():
                yield events.Posted(tuple(sorted(action.platoons)), tuple(sorted(action.atgs)))
            case acts.Move():
                yield moving.resolve(state, action)
            case acts.Face():
                yield events.Faced(action.unit, action.facing)
            case acts.Call():
                spotters = own_spotters(state, NUMBER[action.hex])
                yield events.Called(action.hex, action.ammo, spotters[0] if spotters else "")
            case acts.Fire():
                yield from firing.resolve(
                    state, firing.volley(state, action.target, action.units, action.facings), dice
                )
            case acts.Declare():
                shots = firing.volley(state, action.target, (action.unit,), (action.facing,))
                yield events.Declared(action.unit, action.target, shots.facings[0])
            case acts.Resolve():
                yield from firing.resolve(state, self._declared(state), dice)
            case acts.End():
                yield from self._ended(state)
            case acts.Finish():
                yield events.PhaseBegan("final", state.turn - 1)
            case acts.Scatter():
                yield mortars.landed(state, "mortars" if state.step == "mortars" else "enemy mortars", dice[0])
            case acts.Bombard():
                yield events.Bombarded(tuple((NAMES[n], die) for n, die in zip(bombardment(state), dice, strict=True)))
            case acts.RollFor():
                yield from falls.fallen_in_turn(state, self._hexes(state, action), dice)
            case acts.Break():
                yield events.Broke(action.unit, NAMES[state.owed[0].at], True)
            case acts.Claim():
                yield events.Claimed(action.role)
            case acts.Grant():
                yield events.Granted(action.role)
            case acts.Concede():
                yield events.Conceded(action.side)  # type: ignore[arg-type]
            case acts.Correct():
                yield events.Corrected(**{name: getattr(action, name) for name in acts.Correct.__slots__})
            case _:
                yield from self._defenders(state, action, dice)

    def _defenders(self, state: State, action: acts.Action, dice: Sequence[int]) -> Iterator[events.Event]:
        counter = state.acting_counter
        match action:
            case acts.Defend():
                found = self._onward(state)
                yield from found.events
                if found.need is not None:
                    yield from decided(found.state, found.need, dice[0])
            case acts.TryMortars():
                least = mortars.enemy_mortars_need(state)
                yield events.MortarsTried(dice[0], least, dice[0] >= least)
            case acts.Aim():
                yield mortars.aimed(state, NUMBER[action.hex])
            case acts.Forgo():
                yield events.Passed(mortars=True)
            case acts.Show() if counter is not None:
                yield enemy_player.shown(state, counter, guns=action.guns)
            case acts.Shoot() if counter is not None:
                yield defender.armour_shot(state, counter.at, action.unit, dice[0], "the enemy's choice")
            case acts.Engage() if counter is not None:
                best = defender.clusters(state, counter.at)
                cluster = tuple(NUMBER[name] for name in action.hexes)
                yield defender.engaged(state, counter.at, cluster, best, "the enemy's choice")
            case acts.Pass() if counter is not None:
                yield enemy_player.done_with(state, counter)
            case _:
                raise TypeError(f"{type(action).__name__} is no action of Combined Arms.")

    def _declared(self, state: State) -> firing.Volley:
        names = [name for name, _ in state.declared]
        facings = [facing for _, facing in state.declared]
        return firing.volley(state, NAMES[state.declared_on], names, facings)

    def _ended(self, state: State) -> Iterator[events.Event]:
        if state.step == "move":
            yield events.PhaseBegan("fire", state.turn)
            return
        called = state.call is not None and state.call.turn == state.turn
        yield events.PhaseBegan("mortars" if called or bombardment(state) else "enemy", state.turn)

    def is_free(self, event: events.Event) -> bool:
        """Whether nothing was rolled for it and nothing revealed by it."""
        return events.is_free(event)

    # --- reading and writing -----------------------------------------------------------------------------------------

    def wishes(self, state: State, rng: random.Random) -> Iterator[acts.Action]:
        """Actions worth trying, in random order; the last one is legal."""
        return choices.wishes(self, state, rng)

    def plans(self, state: State, rng: random.Random) -> Iterator[acts.Action]:
        """What a simple player would do, best first; the last one is legal."""
        return player.plans(self, state, rng)

    def view(self, state: State, side: str | None = None) -> dict[str, Any]:
        """The state as that side may see it; ``public``: as everybody may; ``None``: all of it."""
        return views.view(state, side)

    def hides(self, state: State) -> bool:
        """Whether one side knows what another may not see."""
        return views.hides(state)

    def shown(self, state: State, event: events.Event, side: str | None) -> dict[str, Any]:
        """An event's body as that side may see it."""
        return views.shown_event(state, event, side)

    def faults(self, state: State) -> tuple[str, ...]:
        """Invariants that the state breaks."""
        return choices.faults(state)

    def describe(self, state: State | None, event: events.Event) -> str:
        """An event in a sentence that everybody may read."""
        return sayings.sentence(state, event)

    def text(self, action: acts.Action) -> str:
        """An action in the command line's words."""
        return words.text(action)

    def parse(self, state: State, said: str) -> acts.Action:
        """An action from words; raises ActionError."""
        return words.parse(state, said)

    def event_to_json(self, event: events.Event) -> tuple[str, dict[str, Any]]:
        """An event's kind and body."""
        return events.CODEC.to_json(event)

    def event_from_json(self, kind: str, body: Mapping[str, Any], version: int) -> events.Event:
        """An event from its kind and body; raises EventError."""
        return events.CODEC.from_json(kind, body, version)


def _bid(state: State, action: acts.Bid) -> Iterator[events.Event]:
    yield events.Offered(action.player, action.points)
    other = state.bids[2 - action.player]
    if other is not None and other != action.points:
        wins = action.player if action.points > other else 3 - action.player
        yield events.Awarded(wins, max(other, action.points))  # type: ignore[arg-type]


def _chances_odds(what: str, chances: int, said: tuple[str, ...] = ()) -> Odds:
    found = {0: Fraction(6 - chances, 6), 1: Fraction(chances, 6)}
    return Odds(what, {value: chance for value, chance in found.items() if chance}, words=said)


def _least_odds(what: str, least: int) -> Odds:
    return _chances_odds(what, 7 - least, (f"{least} or more",))


def _armour_odds(state: State, at: int, unit: str, *, guns: bool) -> Odds:
    platoon = state.by_id[unit]
    add = defender.armour_modifiers(state, at, platoon, guns=guns) or ()
    chances = defender.armour_chances(state, at, platoon, guns=guns)
    return _chances_odds("broken", chances, (unit, *(f"{name} {value:+d}" for name, value in add)))


def _muster_odds() -> Odds:
    found: dict[int, Fraction] = {}
    for a in D6:
        for b in D6:
            forces = enemy_player.forces((a, b))
            count = forces[0] if forces else 0
            found[count] = found.get(count, Fraction(0)) + Fraction(1, 36)
    return Odds("real platoons", dict(sorted(found.items())), words=("0: rolled again",))


RULES = CombinedArms()
