"""A simple player: shoots at the best odds, advances on what wins, keeps out of fire that it gains nothing by.

Everything is weighed in points of pieces. Nothing that the enemy hides is asked for.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tabletop.rulesets.combat import actions, armies, deploying, firing, moving
from tabletop.rulesets.combat.board import OFF, Field
from tabletop.rulesets.combat.data import KINDS, MOST_NUMBERS, SIDES
from tabletop.rulesets.combat.figures import moves_of
from tabletop.rulesets.combat.reaching import steps_to
from tabletop.rulesets.combat.saving import save_of, saved_chance
from tabletop.rulesets.combat.state import Piece, State, in_play

TIRED = 200
"""The turn after which a simple player gives up a battle that nobody wins."""
_STEP = {"tank": 0.5, "motorised": 0.5, "cavalry": 0.5, "helicopter": 0.3, "foot": 0.35, "gun": 0.3}
"""Points that a step nearer to what wins is worth, by kind."""
_THROUGH, _HELD, _NEAR = 9.0, 4.0, 4
"""Points of a piece on the enemy's base line, of one in its headquarters, and how near an enemy is to one's own base
line to be struck from the air at any price."""
_THREAT, _CARE = 0.3, 2.0
"""How much of a shot an enemy counts for that may come within range, and what a piece is worth besides its points."""
_GUARD = 5
"""One piece in so many stays on its own half."""


def bot_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """What a simple player would do now, best first: bring pieces on, fire the best shot, move, end."""
    if state.step == "over":
        return
    if state.pending:
        yield actions.Save()
    elif state.step == "toss":
        yield actions.Toss()
    elif state.step == "deploy":
        yield from deployment(state, rng)
    else:
        if state.turn > TIRED:
            yield actions.Concede(SIDES[state.section_to_act[0]])
        yield from reinforcements(state)
        yield from _shots(state)
        if not state.night:
            yield from _moves(state, rng)
        yield actions.End()


# --- before the battle -----------------------------------------------------------------------------------------------


def deployment(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """What is done next before the boards are joined: an army, headquarters, pieces and mines, the word."""
    own = 0 if not state.ready[0] else 1
    side = SIDES[own]
    if not state.armed[own]:
        yield rng.choice(armies.ready_armies(state.setup, side))[0]
        return
    if state.setup.headquarters and state.headquarters[own] == OFF:
        field = state.field
        covered = [n for n in range(field.count) if field.own_half(own, n) and field.cover[n]]
        covered.sort(key=lambda n: field.rows_away[own][n] + rng.randint(0, 2))
        yield from (actions.Establish(field.names[n]) for n in covered)
    good = deploying.some_deployment(state, own, rng, sound=True)
    if good.pieces:
        yield good
    yield actions.Deploy(side, rng.choice((0, rng.randint(1, MOST_NUMBERS))))
    yield actions.Ready(side)


# --- new pieces and shots --------------------------------------------------------------------------------------------


def reinforcements(state: State) -> Iterator[actions.Action]:
    """New pieces that are due, the dearest kind first, each as far forward as it may come on."""
    if not state.owed:
        return
    own, field = state.section_to_act[0], state.field
    room = sorted((n for n in range(field.count) if field.behind(own, n)), key=lambda n: -field.rows_away[own][n])
    for kind in sorted(state.setup.kinds, key=lambda kind: -KINDS[kind].points):
        squares = [n for n in room if n in field.strip_of] if kind == "plane" else room
        yield from (actions.Reinforce(kind, field.names[n]) for n in squares[:24])


def _shots(state: State) -> Iterator[actions.Action]:
    shots: list[tuple[float, str, str, bool]] = []
    for piece in state.armies[state.section_to_act[0]]:
        if piece.kind == "plane":
            if firing.may_strike(state, piece):
                shots += [
                    (_worth(state, p, "plane") - _price(state, p), piece.id, p.id, True)
                    for p in firing.struck_by(state, piece)
                ]
        elif firing.may_fire(state, piece):
            shots += [(_worth(state, p, piece.kind), piece.id, p.id, False) for p in firing.targets(state, piece)]
    for worth, unit, target, strike in sorted(shots, reverse=True):
        if strike and worth <= 0:
            continue
        yield actions.Strike(unit, target) if strike else actions.Fire(unit, target)


def _price(state: State, target: Piece) -> float:
    """What an air strike has to be worth: less where the enemy is about to break through."""
    near = state.field.rows_away[1 - target.side][target.at] < _NEAR
    return 0.0 if near and target.data.ground else 1.5


def _worth(state: State, target: Piece, by: str) -> float:
    """What is expected to be destroyed by a shot, in points."""
    need, _ = save_of(state, target, "air" if by == "plane" else "fire", by)
    return _chance(state, need) * (KINDS[target.kind].points + 2)


def _chance(state: State, need: int) -> float:
    hits, misses, _ = firing.deck(state)
    return hits / (hits + misses) * float(1 - saved_chance(need))


# --- moves -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Outlook:
    """What squares are worth to a side: ``aims`` the enemies' squares and what a shot at each is worth, ``fire`` how
    many enemies fire on a square (one that has to move first counts for less), ``away`` steps to what wins, ``held``
    squares of the enemy's headquarters, ``wins`` of objectives."""

    aims: tuple[tuple[int, float], ...]
    fire: list[float]
    away: tuple[int, ...]
    held: frozenset[int]
    wins: frozenset[int]


def _moves(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """Moves for pieces that have steps left, each to the square that is worth most to it, where that is another."""
    own = state.section_to_act[0]
    outlook = None
    for piece in state.armies[own]:
        if not in_play(state, piece) or not moving.may_move(state, piece) or (piece.steps and not piece.fired):
            continue
        ways = moving.ways(state, piece)
        if not ways:
            continue
        outlook = outlook or _outlook(state, own)
        stays = int(piece.id[2:]) % _GUARD == 0
        here = _value(state, outlook, piece, piece.at, stays) + (0.3 if piece.steps else 0.0)
        best, most = OFF, here
        for n in ways:
            value = _value(state, outlook, piece, n, stays) + 0.01 * rng.random()
            if value > most:
                best, most = n, value
        if best != OFF:
            yield actions.Move(piece.id, state.field.names[best])


def _value(state: State, outlook: _Outlook, piece: Piece, n: int, stays: bool) -> float:
    """What a square is worth to a piece, in points."""
    field, ground = state.field, piece.data.ground
    if ground and field.on_base(1 - piece.side, n):
        return _THROUGH
    away = outlook.away[n] if not stays or field.own_half(piece.side, n) else outlook.away[n] + 99
    value = -_STEP.get(piece.kind, 0.0) * away * (0.3 if stays else 1.0)
    if ground and n in outlook.wins:
        value += 99.0
    if ground and n in outlook.held:
        value += _HELD
    if not piece.fired:
        far = firing.range_of(state.setup, piece.kind, crest=field.crest[n])
        lines = field.lines(n)
        value += max((worth for at, worth in outlook.aims if lines.get(at, far + 1) <= far), default=0.0)
    shots = outlook.fire[n]
    if shots:
        need = (6 if piece.data.vehicle else 4) if field.built[n] else 4 if field.slow[n] else 5
        value -= (1 - (1 - _chance(state, need)) ** min(shots, 4.0)) * (KINDS[piece.kind].points + _CARE)
    return value


def _outlook(state: State, own: int) -> _Outlook:
    field = state.field
    aims = tuple((other.at, _worth(state, other, "tank")) for other in state.armies[1 - own])
    fire = [0.0] * field.count
    for other in state.armies[1 - own]:
        if other.kind == "plane":
            continue
        far = firing.fire_range(state, other)
        for n, length in field.lines(other.at).items():
            if length <= far:
                fire[n] += 1 - _THREAT
        moves = 1 if field.slow[other.at] else moves_of(state.setup, other.kind)[0]
        for n in _within(field, other.at, far + moves):
            fire[n] += _THREAT
    place = state.headquarters[1 - own]
    held = field.headquarters(1 - own, place) if place != OFF else frozenset()
    wins = frozenset(
        field.number[name]
        for goal in state.setup.objectives
        if SIDES.index(goal.side) != own and goal.pieces == 1
        for name in goal.squares
    )
    return _Outlook(aims, fire, steps_to(field, held | wins | field.base[1 - own]), held, wins)


@lru_cache(maxsize=4096)
def _within(field: Field, n: int, far: int) -> tuple[int, ...]:
    """The squares no further away than that."""
    at = field.cells[n]
    columns, rows = field.squares.columns, field.squares.rows
    return tuple(
        row * columns + col
        for row in range(max(0, at.row - far), min(rows, at.row + far + 1))
        for col in range(max(0, at.col - far), min(columns, at.col + far + 1))
    )
