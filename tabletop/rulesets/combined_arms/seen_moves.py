"""Moves that bring platoons from where the game has them to where a photo shows them, in an order that is legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tabletop.game.protocol import state_after
from tabletop.game.violations import Violation
from tabletop.rulesets.combined_arms import actions, moving
from tabletop.rulesets.combined_arms.board import AROUND, DISTANCE, NAMES, NEAR, OFF, REAR
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.state import Platoon, State

_MOST_TRIED = 400  # states looked at for the order of moves that mind one another


@dataclass(frozen=True)
class Target:
    """Where a photo shows a platoon: its hex, and the corner that armour faces (``None``: not told, or infantry)."""

    unit: str
    at: int
    facing: int | None = None


@dataclass(frozen=True)
class PlannedMove:
    """An action that a target makes, and all that speaks against it once those before it are done."""

    target: Target
    action: actions.Action
    violations: tuple[Violation, ...] = ()


def stands_there(unit: Platoon, target: Target) -> bool:
    """Whether a platoon stands and faces so by the game already."""
    return unit.at == target.at and target.facing in (None, unit.facing)


def wish(state: State, target: Target) -> actions.Action:
    """The action that brings a platoon there: a legal move where there is one, else the one that comes nearest."""
    unit = state.by_id[target.unit]
    if unit.at == target.at and target.facing is not None:
        return actions.Face(unit.id, target.facing)
    for way in sorted(moving.ways(state, unit), key=lambda way: len(way.hexes)):
        there = way.hexes[-1:] == (target.at,) and not way.leaves
        if there and (target.facing is None or target.facing in way.facings):
            return actions.Move(unit.id, tuple(NAMES[n] for n in way.hexes), target.facing)
    found = [actions.Move(unit.id, path, target.facing) for path in _paths(unit.at, target.at)]
    return min(found, key=lambda move: len(moving.violations(state, move)))


def leave_action(state: State, unit: Platoon) -> actions.Leave | None:
    """The legal move by which a platoon leaves the board, if it has one."""
    for way in sorted(moving.ways(state, unit), key=lambda way: len(way.hexes)):
        if way.leaves:
            return actions.Leave(unit.id, tuple(NAMES[n] for n in way.hexes))
    return None


def _paths(start: int, end: int) -> Iterator[tuple[str, ...]]:
    """Every shortest way, as names after the first hex; of far ways one alone: they are too far all the same."""
    if start == OFF or NEAR[start] >> end & 1:
        yield (NAMES[end],)
        return
    away = DISTANCE[start][end]
    steps = [n for n in AROUND[start] if n != OFF and DISTANCE[n][end] == away - 1]
    for n in steps if away == 2 else steps[:1]:
        for rest in _paths(n, end):
            yield (NAMES[n], *rest)


def plan_moves(state: State, targets: Sequence[Target]) -> tuple[PlannedMove, ...]:
    """What brings all platoons to their targets, first what is legal in an order in which it is, then the rest.

    Platoons may have to make room for one another: the order is searched for among all moves that would be legal were
    the other movers off the board. What remains illegal has its violations as of after all that is legal.
    """
    moves = {target.unit: target for target in targets if not stands_there(state.by_id[target.unit], target)}
    free = {name: target for name, target in moves.items() if _alone(state, target, moves)}
    order, after = _order(state, free)
    done = {one.target.unit for one in order}
    left = [moves[name] for name in moves if name not in done]
    return (*order, *(PlannedMove(t, action, RULES.check(after, action)) for t in left for action in [wish(after, t)]))


def _alone(state: State, target: Target, moves: Mapping[str, Target]) -> bool:
    """Whether a move is legal with all other movers out of the way."""
    lifted = tuple(replace(p, at=OFF) if p.id in moves and p.id != target.unit else p for p in state.platoons)
    alone = state.but(platoons=lifted)
    return not RULES.check(alone, wish(alone, target))


def _order(state: State, free: Mapping[str, Target]) -> tuple[tuple[PlannedMove, ...], State]:
    """As many of the moves as can follow one another legally, and the state after them."""
    made: tuple[PlannedMove, ...] = ()
    for group in _groups(state, free):
        more, state = _search(state, group)
        made += more
    return made, state


def _groups(state: State, free: Mapping[str, Target]) -> list[dict[str, Target]]:
    """The moves in groups that have no hex in common, so that no group minds the order of another."""
    left = {name: _hexes_touched(state, target) for name, target in free.items()}
    groups = []
    while left:
        name, hexes = left.popitem()
        group = {name}
        while near := {other for other, theirs in left.items() if theirs & hexes}:
            for other in near:
                hexes |= left.pop(other)
            group |= near
        groups.append({one: target for one, target in free.items() if one in group})
    return sorted(groups, key=lambda group: list(free).index(next(iter(group))))


def _hexes_touched(state: State, target: Target) -> set[str]:
    """The hexes that a move may leave, go through or enter."""
    start = state.by_id[target.unit].at
    names = {name for path in _paths(start, target.at) for name in path} if start != target.at else set()
    return names | {NAMES[n] for n in (start, target.at) if n != OFF} | _on_the_way_in(start, target.at)


def _on_the_way_in(start: int, end: int) -> set[str]:
    """Rear edge hexes by which a platoon may have entered on its way to a hex behind them."""
    return {NAMES[n] for n in REAR if NEAR[end] >> n & 1} if start == OFF else set()


def _search(state: State, free: Mapping[str, Target]) -> tuple[tuple[PlannedMove, ...], State]:
    """The same for moves that may mind one another's order."""
    best: tuple[tuple[PlannedMove, ...], State] = ((), state)
    seen: set[frozenset[str]] = set()
    stack = [best]
    while stack and len(seen) < _MOST_TRIED and len(best[0]) < len(free):
        made, here = stack.pop()
        done = frozenset(one.target.unit for one in made)
        if done in seen:
            continue
        seen.add(done)
        if len(made) > len(best[0]):
            best = made, here
        following = []
        for target in (target for name, target in reversed(list(free.items())) if name not in done):
            action = wish(here, target)
            if not RULES.check(here, action):
                following.append(((*made, PlannedMove(target, action)), state_after(RULES, here, action)))
        stack += sorted(following, key=lambda step: _length(step[0][-1].action))
    return best


def _length(action: actions.Action) -> int:
    """Hexes that a move goes through: the long ones go first, before somebody stands in their way."""
    return len(action.path) if isinstance(action, actions.Move) else 0
