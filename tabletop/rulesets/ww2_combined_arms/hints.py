"""Advice by looking ahead through one side's own turn.

Moves are searched by a beam: of all positions after one move the best few are kept, from those all after two, and so
on, up to ``MOVES_AHEAD`` moves of this turn and about ``MOST_POSITIONS`` positions, or until one wins; a position is
judged by ``lookahead.worth``. Attacks are searched to the end of the phase: which enemy units to drive back and in what
order, each with as few attackers as do it, the owner's retreats as they would best be; what is left is judged by the
units of both sides and by whether the enemy could win in its next turn. The enemy's answer is not searched, only
estimated. The same state has the same advice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tabletop.game.hints import Advice
from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.actions import ACTIONS
from tabletop.rulesets.ww2_combined_arms.capabilities import damage, defence, in_range, retreats, targets
from tabletop.rulesets.ww2_combined_arms.checks import side_to_act
from tabletop.rulesets.ww2_combined_arms.data import HQ, KINDS, OTHER
from tabletop.rulesets.ww2_combined_arms.lookahead import (
    Scene,
    material,
    outlook,
    reach_of,
    scene,
    squares_for,
    value_of,
    wins,
    worth,
)
from tabletop.rulesets.ww2_combined_arms.options import REINFORCING
from tabletop.rulesets.ww2_combined_arms.reducer import apply
from tabletop.rulesets.ww2_combined_arms.state import State, Unit
from tabletop.rulesets.ww2_combined_arms.turn_flow import attack_events, with_consequences
from tabletop.words import count

MOVES_AHEAD = 8
WIDTH = 8
"""The widest beam; a narrower one where a side has so many moves that the positions would not suffice."""
MOST_POSITIONS = 6000
MOST_TARGETS = 4
MOST_PLANS = 200
_BETTER = 1e-6
_WON = 1000.0
_TYPES_TRIED = 5


@dataclass(frozen=True)
class Hint:
    """The best action found: its words, the actions that are to follow it, how much better it makes the position than
    ending the phase, how many positions were looked at and how deep; ``waits`` is the enemy unit whose owner then
    chooses its retreat, on which it depends what comes after the line."""

    action: actions.Action
    line: tuple[actions.Action, ...]
    gain: float
    looked_at: int
    depth: str
    waits: str = ""

    @property
    def words(self) -> str:
        """The hint in a sentence."""
        more = [ACTIONS.text(action) for action in self.line[1:]]
        line = f", then {', '.join(more)}" if more else ""
        waits = f"; where {self.waits} then goes, its owner chooses" if self.waits else ""
        return f"{ACTIONS.text(self.action)}{line}{waits} (best of {count(self.looked_at, 'position')}, {self.depth})"


def advice(state: State) -> Advice | None:
    """The hint as every game gives it, with how far it looked ahead; ``None`` where there is nothing to choose."""
    found = hint(state)
    return (
        None
        if found is None
        else Advice(
            tuple(ACTIONS.text(action) for action in found.line), f"{found.words}.", ACTIONS.to_json(found.action)
        )
    )


def hint(state: State) -> Hint | None:
    """Advice to the side that has the next choice; ``None`` before the first turn and after the game."""
    side = side_to_act(state)
    if side is None or not state.turn:
        return None
    if state.pressed:
        return _retreat(state)
    if state.step == "reinforce":
        return _reinforcement(state, side)
    if state.step == "move":
        return moves(state, side, MOVES_AHEAD, WIDTH)
    return attacks(state, side)


# --- moves -----------------------------------------------------------------------------------------------------------


def moves(
    state: State, side: str, moves_ahead: int, width: int, rng: random.Random | None = None, noise: float = 0.0
) -> Hint:
    """The best few moves of a turn found by a beam, or to end the phase; ``rng`` with ``noise`` varies what positions
    are worth."""
    on, at = scene(state, side)
    moved = frozenset(n for n in on.mine if state.by_id[on.names[n]].moved)
    now = worth(on, at, moved)
    best, line = now, list[tuple[int, int]]()
    beam = [(now, at, moved, list[tuple[int, int]]())]
    looked_at, ahead = 1, 0
    won = wins(on, at, moved)
    while not won and ahead < moves_ahead and looked_at < MOST_POSITIONS:
        found: dict[tuple[int, ...], tuple[float, tuple[int, ...], frozenset[int], list[tuple[int, int]]]] = {}
        for _, where, done, so_far in beam:
            for unit, to in _steps(on, where, done):
                after = (*where[:unit], to, *where[unit + 1 :])
                if after in found:
                    continue
                looked_at += 1
                value = worth(on, after, done | {unit})
                if rng is not None:
                    value += noise * rng.random()
                found[after] = value, after, done | {unit}, [*so_far, (unit, to)]
        if not ahead and found:
            width = max(2, min(width, MOST_POSITIONS // (len(found) * moves_ahead)))
        beam = sorted(found.values(), key=lambda row: (-row[0], row[1]))[:width]
        if not beam:
            break
        ahead += 1
        winning = [row for row in beam if wins(on, row[1], row[2])]
        won = bool(winning)
        first = winning[0] if won else beam[0]
        if won or first[0] > best + _BETTER:
            best, line = first[0], first[3]
    names = state.grid.names
    moves: tuple[actions.Action, ...] = tuple(actions.Move(on.names[unit], names[to]) for unit, to in line)
    depth = f"up to {ahead} {'move' if ahead == 1 else 'moves'} of this turn ahead, the enemy's answer estimated"
    return Hint(moves[0] if moves else actions.End(), moves or (actions.End(),), best - now, looked_at, depth)


def _steps(on: Scene, at: tuple[int, ...], done: frozenset[int]) -> Iterator[tuple[int, int]]:
    for unit in on.fighting:
        if unit not in done and on.moves[unit]:
            for to in squares_for(on, at, unit):
                yield unit, to


# --- attacks ---------------------------------------------------------------------------------------------------------


def attacks(state: State, side: str) -> Hint:
    """The attacks of the rest of a phase that leave the side with most."""
    plans = _Plans(state, side)
    plans.search(state, ())
    now = _left(state, side)
    line, waits = _until_a_choice(state, plans.line or (actions.End(),))
    return Hint(line[0], line, plans.best - now, plans.looked_at, "to the end of this phase", waits)


def _until_a_choice(state: State, line: tuple[actions.Action, ...]) -> tuple[tuple[actions.Action, ...], str]:
    """A line as far as it does not hang on the enemy's choice, and the unit whose retreat that is."""
    for n, action in enumerate(line, 1):
        if not isinstance(action, actions.Attack):
            break
        for event in with_consequences(
            state, attack_events(state, state.by_id[action.unit], state.by_id[action.target])
        ):
            state = apply(state, event)
        if state.pressed:
            return line[:n], state.pressed
    return line, ""


class _Plans:
    """A search over the orders in which enemy units are driven back."""

    def __init__(self, state: State, side: str) -> None:
        self.side = side
        self.urgent = _threats(state, side)
        self.best = float("-inf")
        self.line: tuple[actions.Action, ...] = ()
        self.looked_at = 0

    def search(self, state: State, line: tuple[actions.Action, ...]) -> None:
        """Judge a state, then all that may be done from it, the most valuable targets first."""
        self.looked_at += 1
        value = _left(state, self.side)
        if value > self.best + _BETTER:
            self.best, self.line = value, line
        if state.step != "attack":
            return
        shots = _shots(state, self.side)
        ready = [target for target in shots if sum(shots[target].values()) >= _damage_needed(state, target)]
        ready.sort(key=lambda name: (-value_of(state.by_id[name].type) - 50.0 * (name in self.urgent), name))
        for target in ready[:MOST_TARGETS]:
            if self.looked_at >= MOST_PLANS or self.best >= _WON:
                return
            after, done = _drive_back(state, target, shots)
            self.search(after, (*line, *done))


def _left(state: State, side: str) -> float:
    """What a side has at the end of its attacks: its units beside the enemy's, and what the enemy could do to it."""
    if state.result is not None:
        return _WON if state.result.winner == side else -_WON
    return material(state, side) - outlook(state, side)


def _threats(state: State, side: str) -> frozenset[str]:
    """The enemy units on cities, and those within reach of the own headquarters."""
    squares = [u.at for u in state.on_board[side] if u.kind == HQ]
    return frozenset(
        e.id
        for e in state.on_board[OTHER[side]]
        if (state.setup.cities_win and e.at in state.cities)
        or any(state.grid.distance(e.at, n) <= reach_of(state, e) for n in squares)
    )


def _damage_needed(state: State, target: str) -> int:
    unit = state.by_id[target]
    return defence(state, unit) - unit.damage


def _shots(state: State, side: str) -> dict[str, dict[str, int]]:
    """The damage that each unit can still do to each enemy unit, by target."""
    found: dict[str, dict[str, int]] = {}
    for unit in state.on_board[side]:
        for enemy in targets(state, unit):
            found.setdefault(enemy.id, {})[unit.id] = damage(unit, enemy)[0]
    return found


def _drive_back(state: State, target: str, shots: dict[str, dict[str, int]]) -> tuple[State, list[actions.Action]]:
    """Drive one unit back with the attackers that are of least use elsewhere, and let its owner choose where to."""
    uses = {unit: sum(unit in others for others in shots.values()) for unit in shots[target]}
    order = sorted(shots[target], key=lambda unit: (-shots[target][unit], uses[unit], unit))
    need, done = _damage_needed(state, target), list[actions.Action]()
    for unit in order:
        if need <= 0:
            break
        need -= shots[target][unit]
        done.append(actions.Attack(unit, target))
        for event in with_consequences(state, attack_events(state, state.by_id[unit], state.by_id[target])):
            state = apply(state, event)
    if state.pressed:
        state = state.but(
            units=state.units_with(state.pressed, at=way_out(state), damage=0, retreated=True),
            pressed="",
        )
    return state, done


# --- retreats, reinforcements ----------------------------------------------------------------------------------------


def way_out(state: State) -> int:
    """The square that a unit that must retreat does best to go to: where least can be done to it this turn and next."""
    unit = state.by_id[state.pressed]
    return min(retreats(state, unit), key=lambda n: (_pressure(state, unit, n), n))


def _pressure(state: State, unit: Unit, at: int) -> float:
    there = unit.but(at=at)
    need = unit.type.defence + unit.elite + (at in state.difficult)
    enemies = state.on_board[OTHER[unit.side]]
    now = sum(damage(e, unit)[0] for e in enemies if not e.fired and in_range(state, e, there))
    later = sum(damage(e, unit)[0] for e in enemies if state.grid.distance(e.at, at) <= reach_of(state, e))
    return (10.0 if now >= need else now / need) + min(1.0, later / need)


def _retreat(state: State) -> Hint:
    unit = state.by_id[state.pressed]
    to = way_out(state)
    action = actions.Retreat(unit.id, state.grid.names[to])
    return Hint(action, (action,), 0.0, len(retreats(state, unit)), "this retreat alone")


def _reinforcement(state: State, side: str) -> Hint:
    found: list[tuple[float, str, int]] = []
    for kind in sorted(REINFORCING, key=lambda kind: -value_of(KINDS[kind]))[:_TYPES_TRIED]:
        for n in state.setup.back_row(side):
            if n not in state.there:
                new = Unit("new", side, kind, n, "board")
                on, at = scene(state.but(units=(*state.units, new)), side)
                found.append((worth(on, at) + value_of(KINDS[kind]), kind, n))
    _, kind, n = max(found, key=lambda row: (row[0], -row[2]))
    action = actions.Reinforce(kind, state.grid.names[n])
    return Hint(action, (action,), 0.0, len(found), "this reinforcement alone")


__all__ = ["Hint", "advice", "attacks", "hint", "moves", "way_out"]
