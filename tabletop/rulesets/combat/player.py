"""Random players for tests: actions worth trying, legal or not."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tabletop.rulesets.combat import actions, armies, deploying, firing, moving
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import MINE, SIDES
from tabletop.rulesets.combat.state import Piece, State, in_play


def random_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """Actions worth trying now, in random order, legal or not; the last one is legal."""
    if state.step == "over":
        return
    if state.pending:
        if rng.random() < 0.05:
            yield actions.End()
        yield actions.Save()
    elif state.step == "deploy":
        yield from _deployment(state, rng)
    elif state.step == "toss":
        if rng.random() < 0.5:
            yield actions.First(rng.choice(SIDES))
        yield actions.Toss()
    else:
        yield from _turn(state, rng)
        yield actions.End()


def _deployment(state: State, rng: random.Random) -> Iterator[actions.Action]:
    own = 0 if not state.ready[0] and (state.ready[1] or rng.random() < 0.6) else 1
    side = SIDES[own]
    field, setup = state.field, state.setup
    if not any(state.armed) and rng.random() < 0.15:
        terrain = ("hill", "woods", "road", "river", "defence", "airstrip")
        yield actions.Lay(rng.choice(field.names), rng.choice(terrain))
    if not state.armed[own]:
        if rng.random() < 0.1:
            yield actions.Army(side, tanks=rng.randint(1, 20), guns=2, mines=rng.randint(0, 3))
        yield armies.some_army(setup, side, rng.choice(list(armies.MIXTURES.values())), rng)
        yield armies.some_army(setup, side, armies.MIXTURES["balanced"])
        return
    if rng.random() < 0.1:
        placed = [actions.Unplace(p.id) for p in state.armies[own]]
        placed += [actions.Unplace(square=state.name(n)) for n in state.laid[own]]
        if placed:
            yield rng.choice(placed)
    if rng.random() < 0.05:
        yield actions.Place(((MINE, rng.choice(field.names)),))
    if setup.headquarters and (state.headquarters[own] == OFF or rng.random() < 0.05):
        covered = [n for n in range(field.count) if field.own_half(own, n) and field.cover[n]]
        rng.shuffle(covered)
        yield from (actions.Establish(field.names[n]) for n in covered)
    left = deploying.some_deployment(state, own, rng)
    if left.pieces:
        few = rng.randint(1, len(left.pieces)) if rng.random() < 0.3 else len(left.pieces)
        if rng.random() < 0.1:
            yield actions.Deploy(side)
        yield actions.Place(left.pieces[:few])
        yield left
    yield actions.Ready(side)
    yield from (actions.Unplace(square=state.name(n)) for n in sorted(state.laid[own]))
    yield from (actions.Unplace(p.id) for p in state.armies[own])


def _turn(state: State, rng: random.Random) -> Iterator[actions.Action]:
    own = state.section_to_act[0]
    field = state.field
    if rng.random() < 0.003:
        yield actions.Concede(rng.choice(SIDES))
    if rng.random() < 0.02 and state.armies[own]:
        yield _correction(state, rng)
    if state.owed and rng.random() < 0.95:
        kinds = list(state.setup.kinds)
        behind = [n for n in range(field.count) if field.behind(own, n)]
        for _ in range(6):
            kind = rng.choice(kinds)
            room = [n for n in behind if n in field.strip_of] if kind == "plane" else behind
            if room:
                yield actions.Reinforce(kind, field.names[rng.choice(room)])
    pieces = [p for p in state.armies[own] if in_play(state, p)]
    rng.shuffle(pieces)
    for piece in pieces:
        if rng.random() < 0.15:
            continue
        if rng.random() < 0.06:
            yield actions.Move(piece.id, rng.choice(field.names))
        yield from _by_piece(state, piece, rng)


def _by_piece(state: State, piece: Piece, rng: random.Random) -> Iterator[actions.Action]:
    names = state.field.names
    enemies = state.armies[1 - piece.side]
    if piece.kind == "plane":
        if enemies and not piece.fired:
            strips = [n for n in state.field.strip_of if n not in state.by_square]
            if strips and rng.random() < 0.3:
                yield actions.Fly(piece.id, names[rng.choice(strips)])
            yield actions.Strike(piece.id, rng.choice(enemies).id, _card(rng))
        return
    if not piece.fired and enemies:
        found = list(firing.targets(state, piece))
        if found and rng.random() < 0.8:
            yield actions.Fire(piece.id, rng.choice(found).id, _card(rng))
        elif rng.random() < 0.05:
            yield actions.Fire(piece.id, rng.choice(enemies).id)
    if rng.random() < 0.6:
        ways = moving.ways(state, piece)
        if ways:
            far = max(ways, key=lambda n: (state.field.rows_away[piece.side][n], n))
            to = far if rng.random() < 0.5 else rng.choice(list(ways))
            way = ways[to]
            yield actions.Move(piece.id, names[to], (names[way[1]],) if len(way) > 2 and rng.random() < 0.2 else ())


def _card(rng: random.Random) -> actions.Card:
    return rng.choice(("", "", "", "hit", "miss"))


def _correction(state: State, rng: random.Random) -> actions.Correct:
    piece = rng.choice(state.armies[state.section_to_act[0]])
    chosen = rng.random()
    if chosen < 0.3:
        hits, misses = rng.randint(0, state.setup.hits), rng.randint(0, state.setup.misses)
        return actions.Correct(deck=(hits, misses), reason="counted again")
    if chosen < 0.6:
        return actions.Correct(piece.id, fired=not piece.fired, moved=0)
    if chosen < 0.7:
        return actions.Correct(piece.id, off=True, reason="forgotten")
    return actions.Correct(piece.id, to=state.name(rng.choice(state.field.neighbours[piece.at])))
