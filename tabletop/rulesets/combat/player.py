"""Who plays without people: random players for tests, and a simple one."""

from __future__ import annotations

import random
from collections.abc import Iterator

from geometry.squares import distance
from tabletop.rulesets.combat import acts, armies, deploying, firing, moving
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import KINDS, SIDES
from tabletop.rulesets.combat.saving import save_of, saved_chance
from tabletop.rulesets.combat.state import Piece, State, in_play

TIRED = 200
"""The turn after which a simple player gives up a battle that nobody wins."""


# --- random players --------------------------------------------------------------------------------------------------


def wishes(state: State, rng: random.Random) -> Iterator[acts.Action]:
    """Actions worth trying now, in random order, legal or not; the last one is legal."""
    if state.step == "over":
        return
    if state.pending:
        if rng.random() < 0.05:
            yield acts.End()
        yield acts.Save()
    elif state.step == "deploy":
        yield from _deploying(state, rng)
    elif state.step == "toss":
        if rng.random() < 0.5:
            yield acts.First(rng.choice(SIDES))
        yield acts.Toss()
    else:
        yield from _turn(state, rng)
        yield acts.End()


def _deploying(state: State, rng: random.Random) -> Iterator[acts.Action]:
    own = 0 if not state.ready[0] and (state.ready[1] or rng.random() < 0.6) else 1
    side = SIDES[own]
    field, setup = state.field, state.setup
    if not any(state.armed) and rng.random() < 0.15:
        yield acts.Lay(rng.choice(field.names), rng.choice(("hill", "woods", "road", "river", "defence", "airstrip")))
    if not state.armed[own]:
        if rng.random() < 0.1:
            yield acts.Army(side, (("tank", rng.randint(1, 20)), ("gun", 2)), rng.randint(0, 3))
        yield armies.some_army(setup, side, rng.choice(list(armies.MIXTURES.values())), rng)
        yield armies.some_army(setup, side, armies.MIXTURES["balanced"])
        return
    if rng.random() < 0.1:
        placed = [p.id for p in state.armies[own]] + [state.name(n) for n in state.laid[own]]
        if placed:
            yield acts.Unplace(rng.choice(placed))
    if rng.random() < 0.05:
        yield acts.Place((("mine", rng.choice(field.names)),))
    if setup.headquarters and (state.headquarters[own] == OFF or rng.random() < 0.05):
        covered = [n for n in range(field.count) if field.own_half(own, n) and field.cover[n]]
        rng.shuffle(covered)
        yield from (acts.Establish(field.names[n]) for n in covered)
    left = deploying.some_deployment(state, own, rng)
    if left.pieces:
        few = rng.randint(1, len(left.pieces)) if rng.random() < 0.3 else len(left.pieces)
        if rng.random() < 0.1:
            yield acts.Deploy(side)
        yield acts.Place(left.pieces[:few])
        yield left
    yield acts.Ready(side)
    yield from (acts.Unplace(state.name(n)) for n in sorted(state.laid[own]))
    yield from (acts.Unplace(p.id) for p in state.armies[own])


def _turn(state: State, rng: random.Random) -> Iterator[acts.Action]:
    own = state.acting[0]
    field = state.field
    if rng.random() < 0.003:
        yield acts.Concede(rng.choice(SIDES))
    if rng.random() < 0.02 and state.armies[own]:
        yield _correction(state, rng)
    if state.owed and rng.random() < 0.95:
        kinds = list(state.setup.kinds)
        behind = [n for n in range(field.count) if field.behind(own, n)]
        for _ in range(6):
            kind = rng.choice(kinds)
            room = [n for n in behind if n in field.strip_of] if kind == "plane" else behind
            if room:
                yield acts.Reinforce(kind, field.names[rng.choice(room)])
    pieces = [p for p in state.armies[own] if in_play(state, p)]
    rng.shuffle(pieces)
    for piece in pieces:
        if rng.random() < 0.15:
            continue
        if rng.random() < 0.06:
            yield acts.Move(piece.id, rng.choice(field.names))
        yield from _by_piece(state, piece, rng)


def _by_piece(state: State, piece: Piece, rng: random.Random) -> Iterator[acts.Action]:
    names = state.field.names
    enemies = state.armies[1 - piece.side]
    if piece.kind == "plane":
        if enemies and not piece.fired:
            strips = [n for n in state.field.strip_of if n not in state.standing]
            if strips and rng.random() < 0.3:
                yield acts.Fly(piece.id, names[rng.choice(strips)])
            yield acts.Strike(piece.id, rng.choice(enemies).id, _card(rng))
        return
    if not piece.fired and enemies:
        found = list(firing.targets(state, piece))
        if found and rng.random() < 0.8:
            yield acts.Fire(piece.id, rng.choice(found).id, _card(rng))
        elif rng.random() < 0.05:
            yield acts.Fire(piece.id, rng.choice(enemies).id)
    if rng.random() < 0.6:
        ways = moving.ways(state, piece)
        if ways:
            far = max(ways, key=lambda n: (state.field.rows_away[piece.side][n], n))
            to = far if rng.random() < 0.5 else rng.choice(list(ways))
            way = ways[to]
            yield acts.Move(piece.id, names[to], (names[way[1]],) if len(way) > 2 and rng.random() < 0.2 else ())


def _card(rng: random.Random) -> acts.Card:
    return rng.choice(("", "", "", "hit", "miss"))


def _correction(state: State, rng: random.Random) -> acts.Correct:
    piece = rng.choice(state.armies[state.acting[0]])
    chosen = rng.random()
    if chosen < 0.3:
        hits, misses = rng.randint(0, state.setup.hits), rng.randint(0, state.setup.misses)
        return acts.Correct(hits=hits, misses=misses, reason="counted again")
    if chosen < 0.6:
        return acts.Correct(piece.id, fired=not piece.fired, moved=0)
    if chosen < 0.7:
        return acts.Correct(piece.id, off=True, reason="forgotten")
    return acts.Correct(piece.id, to=state.name(rng.choice(state.field.neighbours[piece.at])))


# --- a simple player -------------------------------------------------------------------------------------------------


def plans(state: State, rng: random.Random) -> Iterator[acts.Action]:
    """What a simple player would do now, best first: fire the best shot, attack from the air, close in, end."""
    if state.step == "over":
        return
    if state.pending:
        yield acts.Save()
    elif state.step == "toss":
        yield acts.Toss()
    elif state.step == "deploy":
        yield from _simple_deployment(state, rng)
    else:
        if state.turn > TIRED:
            yield acts.Concede(SIDES[state.acting[0]])
        yield from _reinforcing(state)
        yield from _shooting(state)
        yield from _closing(state, rng)
        yield acts.End()


def _simple_deployment(state: State, rng: random.Random) -> Iterator[acts.Action]:
    own = 0 if not state.ready[0] else 1
    if not state.armed[own]:
        yield armies.some_army(state.setup, SIDES[own], armies.MIXTURES["balanced"])
        return
    if state.setup.headquarters and state.headquarters[own] == OFF:
        field = state.field
        covered = [n for n in range(field.count) if field.own_half(own, n) and field.cover[n]]
        covered.sort(key=lambda n: field.rows_away[own][n])
        yield from (acts.Establish(field.names[n]) for n in covered)
    yield acts.Deploy(SIDES[own])
    yield acts.Ready(SIDES[own])


def _reinforcing(state: State) -> Iterator[acts.Action]:
    if not state.owed:
        return
    own, field = state.acting[0], state.field
    room = sorted((n for n in range(field.count) if field.behind(own, n)), key=lambda n: -field.rows_away[own][n])
    for kind in sorted(state.setup.kinds, key=lambda kind: -KINDS[kind].points):
        squares = [n for n in room if n in field.strip_of] if kind == "plane" else room
        yield from (acts.Reinforce(kind, field.names[n]) for n in squares[:24])


def _shooting(state: State) -> Iterator[acts.Action]:
    shots: list[tuple[float, str, str, bool]] = []
    own = state.acting[0]
    for piece in state.armies[own]:
        if piece.kind == "plane":
            if firing.may_strike(state, piece):
                shots += [
                    (_worth(state, p, "plane") - 1.5, piece.id, p.id, True) for p in firing.struck_by(state, piece)
                ]
        elif firing.may_fire(state, piece):
            shots += [(_worth(state, p, piece.kind), piece.id, p.id, False) for p in firing.targets(state, piece)]
    for worth, unit, target, strike in sorted(shots, reverse=True):
        if strike and worth <= 0:
            continue
        yield acts.Strike(unit, target) if strike else acts.Fire(unit, target)


def _worth(state: State, target: Piece, by: str) -> float:
    """What is expected to be destroyed by a shot, in points."""
    need, _ = save_of(state, target, "air" if by == "plane" else "fire", by)
    hits, misses, _ = firing.deck(state)
    return float(hits / (hits + misses) * (1 - saved_chance(need))) * (KINDS[target.kind].points + 2)


def _closing(state: State, rng: random.Random) -> Iterator[acts.Action]:
    """Moves towards the nearest enemy for pieces that have not moved: guns as far as their range, others on."""
    own, field = state.acting[0], state.field
    enemies = state.armies[1 - own]
    if not enemies or state.night:
        return
    for piece in state.armies[own]:
        if piece.steps or piece.kind == "plane" or not moving.may_move(state, piece):
            continue
        ways = moving.ways(state, piece)
        if not ways:
            continue
        far = firing.fire_range(state, piece)

        def score(n: int, far: int = far) -> float:
            nearest = min(distance(field.cells[n], field.cells[p.at]) for p in enemies)
            lines = field.lines(n)
            aims = sum(lines.get(p.at, far + 1) <= far for p in enemies)
            return abs(nearest - far) - 2 * bool(aims) - 0.5 * field.slow[n]

        best = min(ways, key=lambda n: (score(n), rng.random()))
        if score(best) < score(piece.at):
            yield acts.Move(piece.id, field.names[best])
