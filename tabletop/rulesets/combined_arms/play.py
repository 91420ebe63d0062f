"""Combined Arms as a game to be played: the ruleset that :class:`tabletop.game.Game` takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from tabletop.game.base import RulesetBase
from tabletop.game.core import REFEREE
from tabletop.game.errors import ActionError
from tabletop.game.protocol import D6, NO_DICE, Dice, Odds, Option
from tabletop.rulesets.combined_arms import (
    actions,
    defender,
    enemy_player,
    events,
    falls,
    firing,
    laying_out,
    mortars,
    moving,
    options,
)
from tabletop.rulesets.combined_arms.actions import ACTIONS, Action
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER
from tabletop.rulesets.combined_arms.checks import violations
from tabletop.rulesets.combined_arms.data import ATTACKER, DEFENDER, NAME, role_of
from tabletop.rulesets.combined_arms.event_text import event_text
from tabletop.rulesets.combined_arms.events import is_free
from tabletop.rulesets.combined_arms.options import invariant_violations, random_actions
from tabletop.rulesets.combined_arms.player import bot_actions
from tabletop.rulesets.combined_arms.reducer import apply
from tabletop.rulesets.combined_arms.setup import Setup, check_setup
from tabletop.rulesets.combined_arms.sights import own_spotters
from tabletop.rulesets.combined_arms.state import State
from tabletop.rulesets.combined_arms.turn_flow import Onward, bombardment, onward, roll_events
from tabletop.rulesets.combined_arms.views import event_view, hidden_by, hides, view

PLAYERS = ("player 1", "player 2")
"""Who bids, before it is settled who commands which side."""

_CORRECT = f"Usage: {ACTIONS.usage('correct')}."


class CombinedArms(RulesetBase[State, Action, events.Event]):
    """The rules of Combined Arms as pure functions of a state."""

    name = NAME
    actions = ACTIONS
    codec = events.CODEC
    setup = Setup

    check_setup = staticmethod(check_setup)
    apply = staticmethod(apply)
    check = staticmethod(violations)
    is_free = staticmethod(is_free)
    random_actions = staticmethod(random_actions)
    bot_actions = staticmethod(bot_actions)
    view = staticmethod(view)
    hides = staticmethod(hides)
    hidden_by = staticmethod(hidden_by)
    event_view = staticmethod(event_view)
    invariant_violations = staticmethod(invariant_violations)
    event_text = staticmethod(event_text)

    def __init__(self) -> None:
        self._last: tuple[State, Onward] | None = None

    # --- the course of a game ----------------------------------------------------------------------------------------

    def to_act(self, state: State) -> str | None:
        """The side that has the next choice or roll; ``None`` once the game is over."""
        if state.step == "over":
            return None
        if state.owed or state.pending is not None:
            return ATTACKER
        return DEFENDER if state.step in ("muster", "post", "enemy", "final") else ATTACKER

    # --- judging -----------------------------------------------------------------------------------------------------

    def options(self, state: State) -> Sequence[Option]:
        """What may be done now, and what not, with reasons."""
        return options.options(state, self.odds)

    def actor(self, state: State, action: Action) -> str:
        """Whose action it is: a side, in the co-operative game a command role, before bids are open a player."""
        coop = state.setup.mode == "co-operative"
        match action:
            case actions.Correct():
                return REFEREE
            case actions.Concede():
                return action.side
            case actions.Bid():
                return PLAYERS[action.player - 1]
            case actions.Muster() | actions.Post() | actions.Defend() | actions.TryMortars() | actions.Aim():
                return DEFENDER
            case actions.Forgo() | actions.Show() | actions.Shoot() | actions.Engage() | actions.Pass():
                return DEFENDER
            case actions.Move() | actions.Leave() | actions.Face() | actions.Declare() if coop:
                return role_of(action.unit, state.setup.commander_apart)
            case actions.Claim() | actions.Message() if coop:
                return action.role
            case actions.Call() | actions.Scatter() if coop and state.setup.commander_apart:
                return "support"
        return "command" if coop else ATTACKER

    def dice(self, state: State, action: Action) -> Dice:
        """The dice that the action needs now."""
        match action:
            case actions.Survey():
                return Dice(2 * len(action.hexes or laying_out.unknown(state)), D6)
            case actions.Occupy():
                return Dice(1, D6) if laying_out.is_tied(state) else NO_DICE
            case actions.Fire():
                return Dice(len(action.units), D6)
            case actions.Resolve():
                return Dice(len(state.declared), D6)
            case actions.Bombard():
                return Dice(len(bombardment(state)), D6)
            case actions.RollFor():
                return Dice(len(_hexes_to_roll(state, action)), D6)
            case actions.Muster():
                return Dice(2, D6)
            case actions.Scatter() | actions.Shoot() | actions.TryMortars() | actions.Award():
                return Dice(1, D6)
            case actions.Defend():
                need = self._onward(state).need
                return Dice(1, need.faces) if need is not None else NO_DICE
        return NO_DICE

    def _onward(self, state: State) -> Onward:
        """What follows of itself from a state; the last answer is kept, since it is asked for several times."""
        last = self._last
        if last is None or last[0] is not state:
            last = self._last = (state, onward(state))
        return last[1]

    # --- odds --------------------------------------------------------------------------------------------------------

    def odds(self, state: State, action: Action) -> Odds | None:
        """Exact odds of an action that needs dice."""
        if not self.dice(state, action).count or any(v.firm for v in self.check(state, action)):
            return None
        match action:
            case actions.Survey():
                count = len(action.hexes or laying_out.unknown(state))
                return Odds("defensive hexes", laying_out.defensive_chances(count))
            case actions.Fire():
                return firing.odds(state, firing.volley(state, action.target, action.units, action.facings))
            case actions.Resolve():
                return firing.odds(state, self._declared_volley(state))
            case actions.RollFor():
                return falls.odds(state, _hexes_to_roll(state, action))
            case actions.Bombard():
                return falls.bombardment_odds(len(bombardment(state)))
            case actions.Scatter():
                return Odds("corner", {die: Fraction(1, 6) for die in D6})
            case actions.Muster():
                return _muster_odds()
            case actions.TryMortars():
                return _least_odds("available", mortars.enemy_mortars_need(state))
            case actions.Occupy():
                return Odds("sides changed", {0: Fraction(1, 2), 1: Fraction(1, 2)})
            case actions.Award():
                return Odds("player", {1: Fraction(1, 2), 2: Fraction(1, 2)})
            case actions.Shoot():
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
        self, state: State, action: Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[events.Event, ...]:
        """The events of a checked action with its dice as rolled, and all that follows of itself."""
        found = list(self._events_of(state, action, dice))
        after = state
        for event in found:
            after = apply(after, event)
        if after.step in ("mortars", "enemy", "final"):
            found += onward(after).events
        return tuple(found)

    def _events_of(self, state: State, action: Action, dice: Sequence[int]) -> Iterator[events.Event]:
        match action:
            case actions.Survey():
                hexes = [NUMBER[name] for name in action.hexes] or laying_out.unknown(state)
                yield laying_out.survey_event(hexes, dice)
            case actions.Lay():
                yield events.Surveyed(((action.hex, action.terrain, 0, 0),))  # type: ignore[arg-type]
            case actions.Occupy():
                yield laying_out.occupy_event(state, dice[0] if dice else 0)
            case actions.Bid():
                yield from _bid(state, action)
            case actions.Award():
                yield events.Awarded(1 if dice[0] <= 3 else 2, state.bids[0] or 0, dice[0])
            case actions.Muster():
                yield events.Mustered((dice[0], dice[1]), enemy_player.forces(dice) is not None)
            case actions.Post():
                yield events.Posted(tuple(sorted(action.platoons)), tuple(sorted(action.atgs)))
            case actions.Move() | actions.Leave():
                yield moving.resolve(state, action)
            case actions.Face():
                yield events.Faced(action.unit, action.facing)
            case actions.Call():
                spotters = own_spotters(state, NUMBER[action.hex])
                yield events.Called(action.hex, action.ammo, spotters[0] if spotters else "")
            case actions.Fire():
                yield from firing.resolve(
                    state, firing.volley(state, action.target, action.units, action.facings), dice
                )
            case actions.Declare():
                shots = firing.volley(state, action.target, (action.unit,), (action.facing,))
                yield events.Declared(action.unit, action.target, shots.facings[0])
            case actions.Resolve():
                yield from firing.resolve(state, self._declared_volley(state), dice)
            case actions.End():
                yield from self._end_step(state)
            case actions.Finish():
                yield events.PhaseBegan("final", state.turn - 1)
            case actions.Scatter():
                yield mortars.scatter_event(state, "mortars" if state.step == "mortars" else "enemy mortars", dice[0])
            case actions.Bombard():
                yield events.Bombarded(tuple((NAMES[n], die) for n, die in zip(bombardment(state), dice, strict=True)))
            case actions.RollFor():
                yield from falls.fallen_in_turn(state, _hexes_to_roll(state, action), dice)
            case actions.Break():
                yield events.Broke(action.unit, NAMES[state.owed[0].at], True)
            case actions.Claim():
                yield events.Claimed(action.role)
            case actions.Grant():
                yield events.Granted(action.role)
            case actions.Message():
                yield events.Messaged(action.role, action.recipient, action.text)
            case actions.Concede():
                yield events.Conceded(action.side)  # type: ignore[arg-type]
            case actions.Correct():
                yield events.Corrected(**{name: getattr(action, name) for name in actions.Correct.__slots__})
            case _:
                yield from self._defenders(state, action, dice)

    def _defenders(self, state: State, action: Action, dice: Sequence[int]) -> Iterator[events.Event]:
        counter = state.acting_counter
        match action:
            case actions.Defend():
                found = self._onward(state)
                yield from found.events
                if found.need is not None:
                    yield from roll_events(found.state, found.need, dice[0])
            case actions.TryMortars():
                least = mortars.enemy_mortars_need(state)
                yield events.MortarsTried(dice[0], least, dice[0] >= least)
            case actions.Aim():
                yield mortars.aim_event(state, NUMBER[action.hex])
            case actions.Forgo():
                yield events.Passed(mortars=True)
            case actions.Show() if counter is not None:
                yield enemy_player.reveal_event(state, counter, guns=action.guns)
            case actions.Shoot() if counter is not None:
                yield defender.armour_shot(state, counter.at, action.unit, dice[0], "the enemy's choice")
            case actions.Engage() if counter is not None:
                best = defender.clusters(state, counter.at)
                cluster = tuple(NUMBER[name] for name in action.hexes)
                yield defender.fire_event(state, counter.at, cluster, best, "the enemy's choice")
            case actions.Pass() if counter is not None:
                yield enemy_player.done_with(state, counter)
            case _:
                raise TypeError(f"{type(action).__name__} is no action of Combined Arms.")

    def _declared_volley(self, state: State) -> firing.Volley:
        names = [name for name, _ in state.declared]
        facings = [facing for _, facing in state.declared]
        return firing.volley(state, NAMES[state.declared_on], names, facings)

    def _end_step(self, state: State) -> Iterator[events.Event]:
        if state.step == "move":
            yield events.PhaseBegan("fire", state.turn)
            return
        called = state.call is not None and state.call.turn == state.turn
        yield events.PhaseBegan("mortars" if called or bombardment(state) else "enemy", state.turn)

    # --- reading and writing -----------------------------------------------------------------------------------------

    def complete(self, state: State, action: Action) -> Action:
        """An action as the log keeps it: a move that goes off the board leaves it. Raises ActionError for what no words
        of the game say."""
        match action:
            case actions.Move() if action.off and action.facing is not None:
                raise ActionError(f"{action.unit} leaves the board: it faces no corner then.")
            case actions.Move(path=(), off=False):
                raise ActionError(f"Say where {action.unit} moves to.", f"Usage: {ACTIONS.usage('move')}.")
            case actions.Move() if action.off:
                return actions.Leave(action.unit, action.path)
            case actions.Correct() if action.unit and action.hex:
                raise ActionError(f"Set either {action.unit} or {action.hex} right.", _CORRECT)
            case actions.Correct(unit="", hex="", losses=None, ammo=None):
                raise ActionError("Say what to set right: a platoon, a hex with a counter, losses or ammo.", _CORRECT)
        return action


def _hexes_to_roll(state: State, action: actions.RollFor) -> tuple[int, ...]:
    if state.pending is None:
        return ()
    return tuple(NUMBER[name] for name in action.hexes) or state.pending.hexes


def _bid(state: State, action: actions.Bid) -> Iterator[events.Event]:
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
