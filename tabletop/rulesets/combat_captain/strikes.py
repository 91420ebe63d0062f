"""What the strong computer player does with help from off the table: where a tape lies, whom a bomb is for.

Where a shell falls is nobody's choice: it falls within some inches of the enemies whom it is meant for.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from tabletop.game.computers import Choice
from tabletop.rulesets.combat_captain import actions, support
from tabletop.rulesets.combat_captain.data import FACES, HELPS, MOST_COVER, TAPE_IN, YES, Help
from tabletop.rulesets.combat_captain.setup import Point
from tabletop.rulesets.combat_captain.state import Stand, State
from tabletop.rulesets.combat_captain.worth import prices, stand_worth
from tabletop.words import and_list

_OFF_IN = 3.0
"""How far off a shell falls at most, to either side and in depth."""
_STRUCK = 0.35
"""Stands that a shell strikes on average."""
_SHELLS, _PLANES = 3.5, 2.0
_AIMED_AT = 12
"""Enemies at most that tapes are laid through, two by two."""
_STILL_FLIES = 11 / 12
"""The chance, for each soldier attacked, that no shot of his stops the plane."""


def strikes(state: State, side: str, rng: random.Random) -> Iterator[Choice]:
    """What a side does with the help that it gets, best first."""
    help_ = state.support
    assert help_ is not None
    if help_.what is None:
        yield from _choices(state, side)
    elif help_.left is None:
        yield Choice(actions.Arrive(), "The die says how many come.")
    elif help_.under:
        yield Choice(actions.Return(), "The shots at the plane are thrown for.")
    elif help_.tape is not None:
        yield from _run(state, side)
    elif help_.what == "artillery":
        yield from _shells(state, side, rng)
    elif help_.what == "strafing":
        yield from _tapes(state, side)
    else:
        yield from _bombs(state, side)
    yield Choice(actions.BreakOff(), "There is no one left to strike.")


def _enemies(state: State, side: str) -> list[Stand]:
    found = [s for s in state.stands.values() if s.at is not None and state.setup.side_of(s.id) != side]
    return sorted(found, key=lambda stand: (-stand_worth(state, stand), stand.id))


def _choices(state: State, side: str) -> Iterator[Choice]:
    enemies = _enemies(state, side)
    tape = _best_tape(state, side)
    worth: dict[Help, float] = {
        "artillery": _SHELLS * _STRUCK * sum(stand_worth(state, s) for s in enemies) / max(1, len(enemies)),
        "strafing": _PLANES * (tape[0] if tape else 0.0),
        "bombing": _PLANES / 3 * max((stand_worth(state, s) for s in enemies), default=0.0),
    }
    for what in sorted(HELPS, key=lambda one: -worth[one]):
        yield Choice(actions.Choose(what), f"Of the three, {what} does most against those who stand there.")


def _run(state: State, side: str) -> Iterator[Choice]:
    assert state.support is not None
    crossed = state.support.crossed
    if crossed and state.setup.side_of(crossed[0]) != side:
        yield Choice(actions.Attack(), f"{crossed[0]} lies under the tape.")
    elif crossed:
        yield Choice(actions.BreakOff(), f"{crossed[0]} is its own: the plane breaks off.")


def _shells(state: State, side: str, rng: random.Random) -> Iterator[Choice]:
    enemies = _enemies(state, side)
    if enemies:

        def together(stand: Stand) -> float:
            return sum(
                stand_worth(state, o) * (1 - o.cover / len(FACES)) for o in enemies if _apart(o, stand) < 2 * _OFF_IN
            )

        meant = max(enemies, key=together)
        assert meant.at is not None
        for _ in range(8):
            x = round(min(max(meant.at.x + rng.uniform(-_OFF_IN, _OFF_IN), 0.0), state.setup.width), 2)
            y = round(min(max(meant.at.y + rng.uniform(-_OFF_IN, _OFF_IN), 0.0), state.setup.depth), 2)
            why = f"It is thrown at {meant.id} and falls near it; say where it fell if that is elsewhere."
            yield Choice(actions.Shell((x, y)), why)
    yield Choice(actions.Shell(None), "The shell falls off the table.")


def _apart(one: Stand, other: Stand) -> float:
    assert one.at is not None and other.at is not None
    return math.dist((one.at.x, one.at.y), (other.at.x, other.at.y))


def _tapes(state: State, side: str) -> Iterator[Choice]:
    found = _best_tape(state, side)
    if found is not None:
        worth, start, end, names = found
        yield Choice(actions.Strafe(start, end), f"The tape crosses {and_list(names)}: {worth:.1f} hits on average.")


def _best_tape(state: State, side: str) -> tuple[float, Point, Point, list[str]] | None:
    """The tape that does most to enemies and nothing to friends: its hits on average, its ends, whom it crosses."""
    enemies = [stand for stand in _enemies(state, side) if stand.plan.soldiers][:_AIMED_AT]
    best: tuple[float, Point, Point, list[str]] | None = None
    for one in enemies:
        for other in enemies:
            if one is other or not (far := _apart(one, other)):
                continue
            assert one.at is not None and other.at is not None
            dx, dy = (other.at.x - one.at.x) / far, (other.at.y - one.at.y) / far
            start = round(one.at.x - 2 * dx, 2), round(one.at.y - 2 * dy, 2)
            end = round(start[0] + (TAPE_IN - 0.1) * dx, 2), round(start[1] + (TAPE_IN - 0.1) * dy, 2)
            worth, names = _along(state, side, start, end)
            if worth > (best[0] if best else 0.0):
                best = worth, start, end, names
    return best


def _along(state: State, side: str, start: Point, end: Point) -> tuple[float, list[str]]:
    flies, worth, names = 1.0, 0.0, []
    for name, answer in support.stands_crossed(state, start, end).items():
        stand = state.stands[name]
        if answer < YES:
            return 0.0, []
        if not stand.plan.soldiers:
            continue
        if state.setup.side_of(name) == side:
            break
        each, all_ = prices(state, stand)
        share = (1 - min(stand.cover, MOST_COVER) / len(FACES)) / 3
        worth += flies * stand.men * share * (each + all_ / stand.men * share)
        flies *= _STILL_FLIES**stand.men
        names.append(name)
    return worth, names


def _bombs(state: State, side: str) -> Iterator[Choice]:
    for enemy in _enemies(state, side)[:3]:
        yield Choice(actions.Bomb(enemy.id), f"No enemy is worth more than {enemy.id}; a bomb destroys it by 33 %.")
