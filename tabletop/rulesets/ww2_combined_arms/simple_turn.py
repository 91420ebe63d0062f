"""The simple player's turn: the best single move that it finds, then the attacks that leave it with most.

A position is judged by ``lookahead.worth``. Attacks are searched to the end of the phase: which enemy units to drive
back and in what order, each with as few attackers as do it, the owner's retreats as they would best be; what is left is
judged by the units of both sides and by whether the enemy could win in its next turn. The enemy's answer is not
searched, only estimated.
"""

from __future__ import annotations

import random

from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.capabilities import damage, defence, in_range, retreats, targets
from tabletop.rulesets.ww2_combined_arms.data import HQ, OTHER, VALUES
from tabletop.rulesets.ww2_combined_arms.lookahead import (
    Scene,
    material,
    outlook,
    reach_of,
    squares_for,
    wins,
    worth,
)
from tabletop.rulesets.ww2_combined_arms.options import REINFORCING
from tabletop.rulesets.ww2_combined_arms.reducer import apply
from tabletop.rulesets.ww2_combined_arms.state import State, Unit
from tabletop.rulesets.ww2_combined_arms.turn_flow import attack_events, with_consequences

NOISE = 0.05
"""How much chance has a say in what a move is worth, so that games differ."""
MOST_TARGETS = 4
MOST_PLANS = 200
_BETTER = 1e-6
_WON = 1000.0
_TYPES_TRIED = 5


def simple_action(state: State, side: str, rng: random.Random) -> actions.Action:
    """What the simple player does for a side in a turn that has begun."""
    if state.pressed:
        return actions.Retreat(state.pressed, state.grid.names[way_out(state)])
    if state.step == "reinforce":
        return reinforcement(state, side)
    return _move(state, side, rng) if state.step == "move" else _attack(state, side)


# --- moves -----------------------------------------------------------------------------------------------------------


def _move(state: State, side: str, rng: random.Random) -> actions.Action:
    """The single move that leaves the position worth most, with a little chance in it, or to end the phase."""
    on = Scene(state, side)
    at = on.start
    moved = frozenset(n for n in on.mine if state.by_id[on.names[n]].moved)
    now = worth(on, at, moved)
    if wins(on, at, moved):
        return actions.End()
    found: list[tuple[float, tuple[int, ...], int, int]] = []
    for unit in on.fighting:
        if unit in moved or not on.moves[unit]:
            continue
        for to in squares_for(on, at, unit):
            after = (*at[:unit], to, *at[unit + 1 :])
            found.append((worth(on, after, moved | {unit}) + NOISE * rng.random(), after, unit, to))
    found.sort(key=lambda row: (-row[0], row[1]))
    best = next((row for row in found[:2] if wins(on, row[1], moved | {row[2]})), None)
    if best is None and found and found[0][0] > now + _BETTER:
        best = found[0]
    if best is not None:
        return actions.Move(on.names[best[2]], state.grid.names[best[3]])
    return actions.End()


# --- attacks ---------------------------------------------------------------------------------------------------------


def _attack(state: State, side: str) -> actions.Action:
    """The first of the attacks that leave the side with most at the end of the phase."""
    plans = _Plans(state, side)
    plans.search(state, ())
    return plans.line[0] if plans.line else actions.End()


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
        ready.sort(key=lambda name: (-VALUES[state.by_id[name].kind] - 50.0 * (name in self.urgent), name))
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


def reinforcement(state: State, side: str) -> actions.Reinforce:
    """The new unit, of the five types that are worth most, and its square that leave the position worth most."""
    found: list[tuple[float, str, int]] = []
    for kind in sorted(REINFORCING, key=lambda kind: -VALUES[kind])[:_TYPES_TRIED]:
        for n in state.setup.back_row(side):
            if n not in state.there:
                new = Unit("new", side, kind, n, "board")
                on = Scene(state.but(units=(*state.units, new)), side)
                found.append((worth(on, on.start) + VALUES[kind], kind, n))
    _, kind, n = max(found, key=lambda row: (row[0], -row[2]))
    return actions.Reinforce(kind, state.grid.names[n])
