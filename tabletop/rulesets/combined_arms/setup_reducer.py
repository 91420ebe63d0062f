"""How a game's state begins: the board, the defenders' counters, bids and secret forces, up to turn 1."""

from __future__ import annotations

from dataclasses import replace

from tabletop.game.errors import EventError
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import COUNT, NUMBER, TURNED, bits
from tabletop.rulesets.combined_arms.data import PLATOONS
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import (
    Call,
    Counter,
    Ground,
    Platoon,
    Secret,
    State,
    Step,
    Tally,
    in_order,
)


def with_guns(counters: tuple[Counter, ...]) -> int:
    """How many counters have anti-tank guns with them, real or potential."""
    return sum(c.atg in ("potential", "real") for c in counters)


def start(setup: Setup) -> State:
    """The state that a set-up lays out."""
    known = dict(setup.board or ())
    terrain = ["open"] * COUNT
    for name, kind in known.items():
        terrain[NUMBER[name]] = kind
    road = frozenset(NUMBER[name] for name in setup.road)
    every = (1 << COUNT) - 1
    ground = Ground(tuple(terrain), road, every if setup.board is not None else bits(road))
    step: Step = "bids" if setup.bidding else "terrain" if setup.board is None else "defenders"
    state = State(setup, ground, step, handicap=setup.handicap)
    position = setup.position
    if position is None:
        return state
    placed = {p.id: p for p in position.platoons}
    platoons = tuple(
        Platoon(name, NUMBER[at.hex], "board", at.state == "fresh", at.facing)
        if (at := placed.get(name)) is not None and at.hex
        else Platoon(name, fate="withdrawn" if name in position.off else "waiting")
        for name in PLATOONS
    )
    counters = in_order(Counter(NUMBER[c.hex], c.state == "fresh", c.revealed, c.atg) for c in position.enemy)
    aimed = None if position.enemy_mortar is None else Call(NUMBER[position.enemy_mortar], "he", position.turn - 1)
    return state.but(
        step="move",
        turn=position.turn,
        platoons=platoons,
        enemy=counters,
        losses=position.losses,
        ammo=position.ammo,
        smoke=tuple(NUMBER[name] for name in position.smoke),
        enemy_call=aimed,
        tally=Tally(len(counters), with_guns(counters)),
    )


def after_setting_up(state: State, event: ev.Event) -> State:
    """The state after an event that comes before turn 1; raises EventError for any other."""
    match event:
        case ev.Surveyed():
            return _surveyed(state, event)
        case ev.Occupied():
            return _occupied(state, event)
        case ev.Offered():
            first, second = state.bids
            return state.but(bids=(event.points, second) if event.player == 1 else (first, event.points))
        case ev.Awarded():
            step: Step = "terrain" if state.ground.known.bit_count() < COUNT else "defenders"
            return state.but(handicap=event.handicap, defending=event.player, step=step)
        case ev.Mustered(counts=True):
            return state.but(secret=Secret(max(event.dice), min(event.dice)), step="post")
        case ev.Mustered():
            return state
        case ev.Posted():
            return _posted(state, event)
    raise EventError(f"{type(event).__name__} is no event of Combined Arms.")


def _surveyed(state: State, event: ev.Surveyed) -> State:
    terrain, known = list(state.ground.terrain), state.ground.known
    for name, kind, _, _ in event.hexes:
        terrain[NUMBER[name]] = kind
        known |= 1 << NUMBER[name]
    ground = Ground(tuple(terrain), state.ground.road, known)
    return state.but(ground=ground, step="defenders" if known.bit_count() == COUNT else "terrain")


def _occupied(state: State, event: ev.Occupied) -> State:
    ground = state.ground
    if event.turned:
        terrain = tuple(ground.terrain[TURNED[n]] for n in range(COUNT))
        ground = Ground(terrain, frozenset(TURNED[n] for n in ground.road), ground.known)
    counters = in_order(Counter(NUMBER[c.hex], atg=c.atg) for c in event.counters)
    step: Step = "muster" if state.setup.mode == "enemy-player" else "move"
    turn = 0 if step == "muster" else 1
    return state.but(
        ground=ground,
        enemy=counters,
        step=step,
        turn=turn,
        turned=event.turned,
        tally=Tally(len(counters), with_guns(counters)),
    )


def _posted(state: State, event: ev.Posted) -> State:
    if state.secret is None:
        raise EventError("real counters are noted after the dice for them.")
    secret = replace(
        state.secret,
        platoon_hexes=frozenset(NUMBER[name] for name in event.platoons),
        atg_hexes=frozenset(NUMBER[name] for name in event.atgs),
    )
    return state.but(secret=secret, step="move", turn=1)
