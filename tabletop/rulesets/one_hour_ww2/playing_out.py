"""Games of One-Hour WWII played out fast, hundreds at a time, by a quick player that goes for the scenario's aim.

A coarse picture of the game, for the chance to win alone: a unit is a point with a front (its unique base), friends
stand in nobody's sight, Ready units fire once at the end of the other side's Actions step, ways round enemies are
guessed, and ties to objectives are not kept. Hits, ranges, fronts, cover, movement dice, rallies, objectives and what
wins are those of the rules. Game n throws the same dice for the same unit in the same turn whatever state it is played
from, so that what two states differ by is told with a smaller spread than either chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import shapely

from tabletop.rulesets.one_hour_ww2.chances import BONUS_IN, MOVE_DICE, PENALTY_IN, ROAD_IN
from tabletop.rulesets.one_hour_ww2.data import AGAINST, DICE, KINDS, ON_REAR, TO_REAR
from tabletop.rulesets.one_hour_ww2.playing_out_ground import (
    CLASSES,
    ROAD,
    TOP,
    TOWN,
    WOODS,
    Bools,
    Floats,
    Ints,
    PlayingGround,
    ground_of,
)
from tabletop.rulesets.one_hour_ww2.setup import Point, Setup
from tabletop.rulesets.one_hour_ww2.state import STEPS, State

Results = npt.NDArray[np.int8]
"""Of each state (row) and game who won: 0 the side that goes first, 1 the other, -1 nobody."""

Rows = npt.NDArray[np.intp]

MOST_TURNS = 12
"""Turns that a game without a last one is played on for before it is a draw."""
_AT_ONCE = 4096
"""Games that are played side by side: more would not fit a processor's cache."""
_PHASE, _TURN = len(STEPS), 2 * len(STEPS)

_A_KILL = 5.0
"""What destroying a unit for certain counts, in hits."""


class Weights(NamedTuple):
    """What the quick player goes by, in hits: the least shot that it fires, being Ready, danger and fire where it
    stands, an inch nearer to its aim, standing at it, cover for infantry; how many times as strong as its enemy it goes
    for its aim, and the part of the game that it has in hand when it must; the least that a move gains, how long being
    dug in counts, what a hit rallied off does, and to leave in time; by how much players differ in moves and shots."""

    fires: float = 0.7
    waits: float = 0.6
    danger: float = 1.1
    fire: float = 0.55
    inch: float = 0.35
    there: float = 4.0
    cover: float = 1.2
    stronger: float = 1.35
    early: float = 0.25
    least_gain: float = 1.3
    lasts: float = 1.6
    rally: float = 1.0
    out: float = 10.0
    mood: float = 1.5
    fancy: float = 0.25


WEIGHTS = Weights()
_HURRY, _DRAWN = 3.0, 0.4
"""How strongly a unit is drawn to its aim where time runs short, and to an objective before its side is stronger."""
_BODY_IN = 2.5
"""The radius of the disc that an enemy unit bars."""
_DEEP_IN = 1.0
"""From a unit's front edge to the middle of its base, and how far its last base trails at an exit."""
_ROUND = 1.4
"""Inches that a way round an enemy is longer, by the inches that it lies inside that disc."""
_TURNS = tuple(math.radians(angle) for angle in (0.0, 75.0, -75.0, 180.0))
"""The ways that a unit looks along, turned from the straight one to its goal, or to the nearest enemy."""
_BEHIND_IN, _ASLANT_IN = 5.0, 4.0
"""How far behind the nearest enemy a unit may want to go, and how far ahead it turns aside where none bars its way."""
_STAYS = 3
"""The places of a unit that stays: as it is, rallied, dug in."""
_LOOKS, _GOOD = 0.3, 2.5
"""How strongly drawn a unit looks for moves though it has a shot, and the worth of a shot with which else it does not.
"""
_NEVER = -1e6

# --- what a shot does, looked up: by what is added to the die, how often its hits are halved, the hits left ----------

_LEAST_ADD, _ADDS, _HALVINGS, _LEFTS = -8, 16, 4, 16


@dataclass(frozen=True, eq=False)
class _Tables:
    """``hits`` by face of the die and code; ``worth`` and the target's life by code and left."""

    hits: npt.NDArray[np.int16]
    worth: Floats


@lru_cache(maxsize=4)
def _tables(faces: tuple[int, ...], destroyed_at: int) -> _Tables:
    add = np.arange(_ADDS) + _LEAST_ADD
    multiply = 2.0 ** (np.arange(_HALVINGS) - 2)
    rolled = np.maximum(0, np.array(faces)[:, None] + add)
    hits = np.floor(rolled[:, :, None] * multiply).astype(np.int16).reshape(len(faces), -1)
    left = np.minimum(np.arange(_LEFTS) + 1, destroyed_at)
    counted = np.minimum(hits[:, :, None], left).mean(axis=0)
    kills = (hits[:, :, None] >= left).mean(axis=0)
    hurt = 1.0 + 0.5 * (destroyed_at - left) / destroyed_at
    return _Tables(hits, (counted * hurt + _A_KILL * kills).astype(np.float32).ravel())


# --- the two sides ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Forces:
    """What stays of both sides' units through a game; those of the first side come first, ``split`` of them."""

    setup: Setup
    ids: tuple[str, ...]
    split: int
    fires: Ints
    struck: Ints
    normal: Floats
    reach: Floats
    close: Bools
    size: Floats
    ground: PlayingGround
    tables: _Tables
    goals: tuple[tuple[int, ...], tuple[int, ...]]
    places: tuple[Point, ...]
    doors: tuple[tuple[Point, Point] | None, tuple[Point, Point] | None]
    must_attack: tuple[bool, bool]
    content: tuple[bool, bool]
    weights: tuple[Weights, Weights]

    def of(self, side: int) -> slice:
        """The rows of a side's units."""
        return slice(0, self.split) if side == 0 else slice(self.split, len(self.ids))


@lru_cache(maxsize=8)
def _forces(setup: Setup, weights: tuple[Weights, Weights]) -> _Forces:
    plans = sorted(setup.units, key=lambda plan: setup.sides.index(plan.side))
    kinds = [KINDS[plan.kind] for plan in plans]
    middles = [(sum(x for x, _ in o.polygon) / len(o.polygon), sum(y for _, y in o.polygon) / len(o.polygon))
               for o in setup.objectives]  # fmt: skip
    aims = [{v.kind for v in setup.victories if v.side == side} for side in setup.sides]
    exits = [next((e for e in setup.exits if e.side == side), None) for side in setup.sides]
    places = [*middles]
    goals: list[tuple[int, ...]] = []
    for aim, door in zip(aims, exits, strict=True):
        if "exit" in aim and door is not None:
            goals.append((len(places),))
            places.append(((door.start[0] + door.end[0]) / 2, (door.start[1] + door.end[1]) / 2))
        else:
            goals.append(tuple(range(len(middles))) if "hold" in aim else ())
    others = (setup.otherwise not in ("", setup.sides[0]), setup.otherwise not in ("", setup.sides[1]))
    return _Forces(
        setup,
        tuple(plan.id for plan in plans),
        sum(plan.side == setup.sides[0] for plan in plans),
        np.array([CLASSES.index(kind.fires_as) for kind in kinds], dtype=np.int32),
        np.array([CLASSES.index(kind.struck_as) for kind in kinds], dtype=np.int32),
        np.array([kind.normal_in for kind in kinds], dtype=np.float32),
        np.array([kind.reach_in for kind in kinds], dtype=np.float32),
        np.array([kind.has_close for kind in kinds], dtype=bool),
        np.array([(b.width + b.depth) / 4 for b in (p.bases[p.unique] for p in plans)], dtype=np.float32),
        ground_of(setup, tuple(places)),
        _tables(DICE[setup.dice], setup.rules.destroyed_at),
        (goals[0], goals[1]),
        tuple(places),
        tuple(None if e is None else (e.start, e.end) for e in exits),  # type: ignore[arg-type]
        ("hold" in aims[0] and others[0], "hold" in aims[1] and others[1]),
        (setup.otherwise == setup.sides[0], setup.otherwise == setup.sides[1]),
        weights,
    )


def _far_apart(x: Floats, y: Floats) -> Floats:
    """The length of ways; by the root, which every machine takes alike."""
    found: Floats = np.sqrt(x * x + y * y)
    return found


_AGAINST = np.array([[AGAINST[a][b] for b in CLASSES] for a in CLASSES], dtype=np.int32)
_DICE_OF = np.array([MOVE_DICE[name] for name in CLASSES], dtype=np.int32)
_INFANTRY, _MORTAR, _ATG, _TANK = range(4)


@dataclass(eq=False)
class _Games:
    """Games under way: units in rows, games in columns. ``start`` is the step from which a game is played on, counted
    from the first turn's first; ``winner`` -2 while it goes on."""

    x: Floats
    y: Floats
    fx: Floats
    fy: Floats
    hits: npt.NDArray[np.int16]
    lasting: Bools
    dug: Bools
    ready: Bools
    there: Bools
    dead: Bools
    acted: Bools
    settled: Bools
    holder: npt.NDArray[np.int8]
    gone: npt.NDArray[np.int16]
    start: Ints
    pending: Ints
    total: Floats
    reacting: Bools
    number: Ints
    winner: Results
    rank: Ints
    bold: Floats
    mood: Floats
    rest: Floats

    def keep(self, kept: Bools) -> None:
        """Drop the games that are not kept."""
        for column in fields(self):
            value = getattr(self, column.name)
            setattr(self, column.name, value[..., kept])


def _left(force: _Forces, play: _Games, rows: Ints, side: int) -> Rows:
    """The rows of a side's units that are on the table in any of some games; one of them at least."""
    units = force.of(side)
    found = np.flatnonzero(play.there[units].any(axis=1)) + units.start
    return found if len(found) else np.array([units.start])


class _Stand(NamedTuple):
    """Units as they stand, to fire or be fired at: arrays that go together by numpy's rules."""

    x: Floats
    y: Floats
    fx: Floats
    fy: Floats
    square: Ints
    kinds: npt.NDArray[np.uint8]
    hits: npt.NDArray[np.int16]
    dug: Bools
    ready: Bools
    row: npt.NDArray[np.intp]

    def apart(self) -> _Stand:
        """The same, to go together with several places of others."""
        return _Stand(
            self.x[:, None], self.y[:, None], self.fx[:, None], self.fy[:, None], self.square[:, None],
            self.kinds[:, None], self.hits[:, None], self.dug[:, None], self.ready[:, None], self.row[:, None],
        )  # fmt: skip


def winners_of(
    states: Sequence[State], games: int, seed: int, weights: tuple[Weights, Weights] = (WEIGHTS, WEIGHTS)
) -> Results:
    """Play ``games`` games out from each of some states of one game; the sides go by their ``weights``.

    A state before the first turn raises ValueError. The same seed plays the same games.
    """
    if not states:
        return np.zeros((0, games), dtype=np.int8)
    force = _forces(states[0].setup, weights)
    found = np.full((len(states), games), -1, dtype=np.int8)
    over = [n for n, state in enumerate(states) if state.result is not None]
    for n in over:
        result = states[n].result
        sides = states[n].setup.sides
        found[n] = -1 if result is None or result.winner is None else sides.index(result.winner)
    rows = [n for n in range(len(states)) if n not in over]
    step = max(1, _AT_ONCE // games)
    for begin in range(0, len(rows), step):
        part = rows[begin : begin + step]
        found[part] = _play(force, [states[n] for n in part], games, seed)
    return found


# --- from a state ----------------------------------------------------------------------------------------------------


def _play(force: _Forces, states: Sequence[State], games: int, seed: int) -> Results:
    found = np.full(len(states) * games, -1, dtype=np.int8)
    play = _laid_out(force, states, games, seed)
    last = force.setup.turns or max(state.turn for state in states) + MOST_TURNS
    faces = len(DICE[force.setup.dice])
    for at in range(int(play.start.min()), last * _TURN):
        turn, side, step = at // _TURN + 1, at % _TURN // _PHASE, at % _PHASE
        rng = np.random.default_rng([seed, at])
        units = len(force.ids)
        dice = rng.integers(0, faces, size=(games, units, 4), dtype=np.int8)
        play.mood, play.rest = rng.standard_normal((2, units, games), dtype=np.float32)[:, :, play.number]
        mine = play.start <= at
        _begin_step(force, play, mine, at, side, step)
        if step == 0:
            _mortars(force, play, np.flatnonzero(mine), side, turn, dice)
        elif step == 1:
            _actions(force, play, np.flatnonzero(mine), side, turn, dice)
            _reactions(force, play, np.flatnonzero(mine & play.reacting), 1 - side, dice)
        else:
            _rally(force, play, np.flatnonzero(mine), side, turn, dice)
            _end_phase(force, play, mine, side, turn, last)
            over = play.winner > -2
            if over.any():
                found[play.rank[over]] = play.winner[over]
                play.keep(~over)
                if not len(play.rank):
                    break
    return found.reshape(len(states), games)


def _laid_out(force: _Forces, states: Sequence[State], games: int, seed: int) -> _Games:
    units, setup = len(force.ids), force.setup
    floats = {name: np.zeros((units, len(states)), dtype=np.float32) for name in ("x", "y", "fx", "fy")}
    hits = np.zeros((units, len(states)), dtype=np.int16)
    bools = {
        name: np.zeros((units, len(states)), dtype=bool)
        for name in ("lasting", "dug", "ready", "there", "dead", "acted", "settled")
    }
    holder = np.full((len(setup.objectives), len(states)), -1, dtype=np.int8)
    gone = np.zeros((2, len(states)), dtype=np.int16)
    start, pending = np.zeros(len(states), dtype=np.int32), np.full(len(states), -1, dtype=np.int32)
    total, reacting = np.zeros(len(states), dtype=np.float32), np.zeros(len(states), dtype=bool)
    numbers = {name: row for row, name in enumerate(force.ids)}
    for n, state in enumerate(states):
        if state.turn < 1:
            raise ValueError("Games are played out from the first turn on.")
        start[n] = (state.turn - 1) * _TURN + setup.sides.index(state.side) * _PHASE + STEPS.index(state.step)
        reacting[n] = state.reacting
        for unit in state.units:
            row, base = numbers[unit.id], unit.unique or 0
            floats["x"][row, n], floats["y"][row, n] = unit.bases.center[base]
            facing = math.radians(float(unit.bases.facing[base]))
            floats["fx"][row, n], floats["fy"][row, n] = math.sin(facing), math.cos(facing)
            hits[row, n] = unit.hits
            marks = {
                "lasting": unit.permanent > 0, "dug": unit.dug_in, "ready": unit.ready, "there": True,
                "acted": unit.id in state.acted, "settled": unit.id in state.settled,
            }  # fmt: skip
            for name, value in marks.items():
                bools[name][row, n] = value
        for name, why in state.why_off.items():
            bools["dead"][numbers[name], n] = why == "destroyed"
        for side, name in enumerate(setup.sides):
            ways = {v.exit for v in setup.victories if v.kind == "exit" and v.side == name}
            gone[side, n] = sum(
                numbers[unit] in range(*force.of(side).indices(units)) and ("" in ways or door in ways)
                for unit, door in state.doors
            )
        for row, (_, holds) in enumerate(state.holders):
            holder[row, n] = -1 if holds is None else setup.sides.index(holds)
        if state.pending is not None:
            pending[n], total[n] = numbers[state.pending.unit], state.pending.total_in
    each = np.repeat(np.arange(len(states)), games)
    bold = np.random.default_rng([seed]).uniform(0.65, 1.5, (2, games)).astype(np.float32)
    every = np.tile(np.arange(games, dtype=np.int32), len(states))
    return _Games(
        x=floats["x"][:, each], y=floats["y"][:, each], fx=floats["fx"][:, each], fy=floats["fy"][:, each],
        hits=hits[:, each], lasting=bools["lasting"][:, each], dug=bools["dug"][:, each],
        ready=bools["ready"][:, each], there=bools["there"][:, each], dead=bools["dead"][:, each],
        acted=bools["acted"][:, each], settled=bools["settled"][:, each], holder=holder[:, each], gone=gone[:, each],
        start=start[each], pending=pending[each], total=total[each], reacting=reacting[each], number=every,
        winner=np.full(len(every), -2, dtype=np.int8), rank=np.arange(len(every), dtype=np.int32),
        bold=bold[:, every], mood=np.zeros((units, len(every)), dtype=np.float32),
        rest=np.zeros((units, len(every)), dtype=np.float32),
    )  # fmt: skip


# --- steps -----------------------------------------------------------------------------------------------------------


def _begin_step(force: _Forces, play: _Games, mine: Bools, at: int, side: int, step: int) -> None:
    fresh = mine & (play.start < at)
    play.settled[:, fresh] = False
    play.reacting[fresh] = False
    if step == 0:
        play.acted[:, fresh] = False


def _mortars(force: _Forces, play: _Games, games: Ints, side: int, turn: int, dice: npt.NDArray[np.int8]) -> None:
    units = force.of(side)
    for unit in range(*units.indices(len(force.ids))):
        if force.fires[unit] != _MORTAR:
            continue
        rows = games[play.there[unit, games] & ~play.acted[unit, games]]
        if not len(rows):
            continue
        worth, target, code = _best_indirect(force, play, rows, unit, side)
        shoot = worth >= force.weights[side].fires
        wish = _wishes(force, play, rows, unit, side, turn, worth if force.struck[unit] == _TANK else None)
        rest = np.maximum(wish.rally, wish.dig) + force.weights[side].mood * play.rest[unit, rows]
        shoot &= worth >= np.maximum(wish.move, rest)
        _strike(force, play, rows[shoot], unit, target[shoot], code[shoot], dice[:, unit, 0])
        play.acted[unit, rows[shoot]] = True


def _actions(force: _Forces, play: _Games, games: Ints, side: int, turn: int, dice: npt.NDArray[np.int8]) -> None:
    faces = np.array(DICE[force.setup.dice], dtype=np.float32)
    for unit in range(*force.of(side).indices(len(force.ids))):
        able = play.there[unit, games] & (~play.acted[unit, games] | (play.pending[games] == unit))
        rows = games[able]
        if not len(rows):
            continue
        forced = play.pending[rows] == unit
        if force.fires[unit] == _MORTAR:
            worth = np.zeros(len(rows), dtype=np.float32)
            target = code = np.zeros(len(rows), dtype=np.int32)
        else:
            worth, target, code = _best_direct(force, play, rows, unit, side)
        wish = _wishes(force, play, rows, unit, side, turn, worth)
        rest = np.maximum(wish.rally, wish.dig) + force.weights[side].mood * play.rest[unit, rows]
        may_go = (wish.most > 0.5) & ~wish.near if force.struck[unit] in (_MORTAR, _ATG) else wish.most > 0.5
        shoot = ~forced & (worth >= force.weights[side].fires) & (worth >= wish.move) & (worth >= rest)
        go = forced | (~shoot & may_go & (wish.move > force.weights[side].least_gain) & (wish.move > rest))
        _strike(force, play, rows[shoot], unit, target[shoot], code[shoot], dice[:, unit, 0])
        play.acted[unit, rows[shoot | go]] = True
        play.reacting[rows[shoot | go]] = True
        if go.any():
            moving = rows[go]
            thrown = faces[dice[play.number[moving], unit, 1 : 1 + _DICE_OF[force.struck[unit]]]].sum(axis=1)
            total = thrown + BONUS_IN - PENALTY_IN * (play.dug[unit, moving] + wish.near[go].astype(np.float32))
            total = np.where(forced[go], play.total[moving], np.maximum(total, 0))
            _go(force, play, moving, unit, side, total, wish, go)
        play.pending[rows[forced]] = -1


def _reactions(force: _Forces, play: _Games, games: Ints, side: int, dice: npt.NDArray[np.int8]) -> None:
    for unit in range(*force.of(side).indices(len(force.ids))):
        if force.fires[unit] == _MORTAR:
            continue
        rows = games[play.there[unit, games] & play.ready[unit, games]]
        if len(rows):
            worth, target, code = _best_direct(force, play, rows, unit, side)
            shoot = worth >= force.weights[side].fires
            _strike(force, play, rows[shoot], unit, target[shoot], code[shoot], dice[:, unit, 0])


def _rally(force: _Forces, play: _Games, games: Ints, side: int, turn: int, dice: npt.NDArray[np.int8]) -> None:
    faces = np.array(DICE[force.setup.dice], dtype=np.int16)
    for unit in range(*force.of(side).indices(len(force.ids))):
        rows = games[play.there[unit, games] & ~play.acted[unit, games] & ~play.settled[unit, games]]
        if not len(rows):
            continue
        wish = _wishes(force, play, rows, unit, side, turn, None)
        waits = (force.fires[unit] != _MORTAR) & ~play.ready[unit, rows]
        rally = (wish.rally >= wish.dig) & (wish.rally > np.where(waits, force.weights[side].waits, 0.0))
        dig = ~rally & (wish.dig > np.where(waits, force.weights[side].waits, 0.0))
        roll = faces[dice[play.number[rows], unit, 0]]
        off = np.where(_rallies_well(force, play, rows, unit), roll, np.maximum(0, roll - 2))
        least = np.where(play.lasting[unit, rows], 5, 0)
        hits = play.hits[unit, rows]
        play.hits[unit, rows] = np.where(rally, np.maximum(least, hits - off), hits).astype(np.int16)
        play.dug[unit, rows] |= dig
        play.ready[unit, rows] |= ~rally & ~dig & waits


def _rallies_well(force: _Forces, play: _Games, rows: Ints, unit: int) -> Bools:
    """Whether a rally takes the whole die off: of armour, and of what is dug in, in a wood or in a town."""
    kinds = force.ground.kinds[force.ground.fine(play.x[unit, rows], play.y[unit, rows])]
    found: Bools = play.dug[unit, rows] | ((kinds & (WOODS | TOWN)) > 0) | (force.struck[unit] == _TANK)
    return found


def _spare(play: _Games, unit: int, rows: Ints) -> npt.NDArray[np.int16]:
    """Hits of a unit that a rally may take off."""
    found: npt.NDArray[np.int16] = play.hits[unit, rows] - np.where(play.lasting[unit, rows], 5, 0).astype(np.int16)
    return found


def _end_phase(force: _Forces, play: _Games, mine: Bools, side: int, turn: int, last: int) -> None:
    setup = force.setup
    for row, objective in enumerate(setup.objectives):
        inside = shapely.polygons(np.asarray(objective.polygon))
        at = np.zeros(play.there.shape, dtype=bool)
        left, low, right, high = shapely.bounds(inside)
        near = play.there & mine & (play.x >= left) & (play.x <= right) & (play.y >= low) & (play.y <= high)
        at[near] = shapely.intersects_xy(inside, play.x[near], play.y[near])
        first, second = at[force.of(0)].any(axis=0), at[force.of(1)].any(axis=0)
        found = np.where(first & second, -1, np.where(first, 0, np.where(second, 1, play.holder[row])))
        play.holder[row] = np.where(mine, found, play.holder[row])
    if side == 1:
        _settle(force, play, mine, turn, last)


def _settle(force: _Forces, play: _Games, mine: Bools, turn: int, last: int) -> None:
    """Who has won at the end of a full turn."""
    setup, final = force.setup, turn >= last
    won = np.zeros((2, len(play.rank)), dtype=bool)
    for victory in setup.victories:
        side = setup.sides.index(victory.side)
        if victory.kind == "exit":
            if not victory.by_turn or turn <= victory.by_turn:
                won[side] |= play.gone[side] >= victory.units
        elif victory.kind == "destroy":
            won[side] |= play.dead[force.of(1 - side)].sum(axis=0) >= victory.units
        elif final or victory.at_once:
            names = victory.objectives or tuple(o.id for o in setup.objectives)
            held = [row for row, o in enumerate(setup.objectives) if o.id in names]
            won[side] |= (play.holder[held] == side).sum(axis=0) >= (victory.count or len(names))
    left = [play.there[force.of(side)].any(axis=0) for side in (0, 1)]
    otherwise = -1 if not setup.otherwise else setup.sides.index(setup.otherwise)
    result = np.where(final, np.int8(otherwise), np.int8(-2)).repeat(len(play.rank)).astype(np.int8)
    result[~left[0] & ~left[1]] = otherwise
    result[left[0] & ~left[1]], result[left[1] & ~left[0]] = 0, 1
    result[won[0]], result[won[1]], result[won[0] & won[1]] = 0, 1, -1
    play.winner = np.where(mine, result, play.winner)


# --- fire ------------------------------------------------------------------------------------------------------------


def _stand(force: _Forces, play: _Games, units: Rows | int, rows: Ints) -> _Stand:
    row = units if isinstance(units, int) else units[:, None]
    x, y = play.x[row, rows], play.y[row, rows]
    return _Stand(
        x, y, play.fx[row, rows], play.fy[row, rows], force.ground.coarse(x, y),
        force.ground.kinds[force.ground.fine(x, y)], play.hits[row, rows], play.dug[row, rows],
        play.ready[row, rows], np.asarray(row),
    )  # fmt: skip


def _codes(force: _Forces, firer: _Stand, target: _Stand) -> tuple[Bools, Ints]:
    """Whether units may fire at others by range and sight, friends apart, and the codes of those shots."""
    rules = force.setup.rules
    dx, dy = target.x - firer.x, target.y - firer.y
    far = _far_apart(dx, dy)
    away = np.maximum(0, far - force.size[firer.row] - force.size[target.row])
    mortar = force.fires[firer.row] == _MORTAR
    close = (away <= rules.close_in) & force.close[firer.row]
    long = away > force.normal[firer.row]
    cover = (target.kinds & (WOODS | TOWN)) > 0
    hidden = target.ready & (target.dug | cover) & (away > rules.concealed_in)
    sees = force.ground.seen(firer.square, target.square) & ~hidden
    able = sees & (away <= force.reach[firer.row])
    to_rear = (firer.fx * dx + firer.fy * dy < _DEEP_IN) & ~mortar
    on_rear = (target.fx * dx + target.fy * dy > -_DEEP_IN) & ~mortar
    tired = (firer.hits >= 5).astype(np.int32) + (firer.hits >= 10)
    add = _AGAINST[force.fires[firer.row], force.struck[target.row]] - tired + ON_REAR * on_rear + TO_REAR * to_rear
    halved = target.dug.astype(np.int32) + ((target.kinds & TOWN) > 0)
    halved = halved + (((target.kinds & WOODS) > 0) & ~mortar)
    halved = halved + (((target.kinds & TOP) > 0) & (force.struck[target.row] == _TANK) & ~mortar)
    if rules.long_range == "half":
        halved = halved + long
    else:
        add = add - 2 * long
    code = (np.maximum(add, _LEAST_ADD) - _LEAST_ADD) * _HALVINGS + 2 - np.minimum(halved, 2) + close
    return able, code.astype(np.int32)


def _worth(force: _Forces, code: Ints, hits: npt.NDArray[np.int16]) -> Floats:
    left = np.clip(force.setup.rules.destroyed_at - hits - 1, 0, _LEFTS - 1)
    found: Floats = force.tables.worth[code * _LEFTS + left]
    return found


def _best_direct(force: _Forces, play: _Games, rows: Ints, unit: int, side: int) -> tuple[Floats, Ints, Ints]:
    """The best shot of a unit in some games: its worth, its target, its code."""
    theirs = _left(force, play, rows, 1 - side)
    target = _stand(force, play, theirs, rows)
    able, code = _codes(force, _stand(force, play, unit, rows), target)
    return _best(force, play, rows, side, theirs, able, code, target)


def _best_indirect(force: _Forces, play: _Games, rows: Ints, unit: int, side: int) -> tuple[Floats, Ints, Ints]:
    theirs, friends = _left(force, play, rows, 1 - side), range(*force.of(side).indices(len(force.ids)))
    target, firer = _stand(force, play, theirs, rows), _stand(force, play, unit, rows)
    cover = target.dug | ((target.kinds & (WOODS | TOWN)) > 0)
    seen = np.zeros(target.x.shape, dtype=bool)
    for friend in friends:
        x, y = play.x[friend, rows], play.y[friend, rows]
        near = _far_apart(target.x - x, target.y - y) <= force.setup.rules.concealed_in + _DEEP_IN
        clear = force.ground.seen(force.ground.coarse(x, y), target.square)
        seen |= clear & play.there[friend, rows] & (near | ~(target.ready & cover))
    _, code = _codes(force, firer, target)
    away = _far_apart(target.x - firer.x, target.y - firer.y) - force.size[firer.row] - force.size[target.row]
    least = 0.0 if force.setup.rules.close_mortars_fire else force.setup.rules.close_in
    able = seen & (away >= least) & (away <= force.reach[unit])
    return _best(force, play, rows, side, theirs, able, code, target)


def _best(
    force: _Forces, play: _Games, rows: Ints, side: int, theirs: Rows, able: Bools, code: Ints, target: _Stand
) -> tuple[Floats, Ints, Ints]:
    worth = np.where(able & play.there[theirs[:, None], rows], _worth(force, code, target.hits), 0)
    worth *= _urgency(force, target, 1 - side) * (1.0 + force.weights[side].fancy * play.mood[theirs[:, None], rows])
    best = worth.argmax(axis=0)
    column = np.arange(len(rows))
    return worth[best, column], theirs[best].astype(np.int32), code[best, column]


def _urgency(force: _Forces, target: _Stand, side: int) -> Floats | float:
    """How many times as much hits count on units near the exit of their side."""
    door = force.doors[side]
    if door is None:
        return 1.0
    x, y = (door[0][0] + door[1][0]) / 2, (door[0][1] + door[1][1]) / 2
    far = _far_apart(target.x - x, target.y - y)
    found: Floats = (1.0 + 0.6 * np.maximum(0, 1 - far / 24.0)).astype(np.float32)
    return found


def _strike(
    force: _Forces, play: _Games, rows: Ints, unit: int, target: Ints, code: Ints, dice: npt.NDArray[np.int8]
) -> None:
    if not len(rows):
        return
    made = play.hits[target, rows] + force.tables.hits[dice[play.number[rows]], code]
    play.hits[target, rows] = made
    play.lasting[target, rows] |= made >= 10
    gone = made >= force.setup.rules.destroyed_at
    play.there[target[gone], rows[gone]] = False
    play.dead[target[gone], rows[gone]] = True
    play.ready[unit, rows] = False


# --- moves -----------------------------------------------------------------------------------------------------------


class _Aims(NamedTuple):
    """Where a unit wants to be, in some games: the place, its goal's number (-1: none), how strongly it is drawn to it,
    and how much time runs short (0 to 1)."""

    x: Floats
    y: Floats
    goal: Ints
    pull: Floats
    hurry: Floats


class _Wishes(NamedTuple):
    """What a unit would gain, in hits, by a rally, by digging in and by an average move; the direction of that move,
    its most inches, and whether an enemy is near."""

    rally: Floats
    dig: Floats
    move: Floats
    dx: Floats
    dy: Floats
    most: Floats
    near: Bools


def _far(force: _Forces, unit: int, goal: Ints, x: Floats, y: Floats) -> Floats:
    """Inches from places to goals, round closed ground."""
    found = np.zeros(np.broadcast_shapes(goal.shape, x.shape), dtype=np.float32)
    wanted = np.broadcast_to(goal, found.shape)
    for number, (gx, gy) in enumerate(force.places):
        here = wanted == number
        if not here.any():
            continue
        away = _far_apart(x - gx, y - gy)
        field = force.ground.ways[force.struck[unit]][number]
        if field is not None:
            away = np.maximum(away, field[force.ground.coarse(x, y)])
        found = np.where(here, away, found)
    return found


def _mean_in(force: _Forces, unit: int) -> float:
    faces = DICE[force.setup.dice]
    return float(_DICE_OF[force.struck[unit]]) * sum(faces) / len(faces) + BONUS_IN


def _aims(force: _Forces, play: _Games, rows: Ints, unit: int, side: int, turn: int) -> _Aims:
    goals = force.goals[side]
    x, y = play.x[unit, rows], play.y[unit, rows]
    if not goals:
        none = np.zeros(len(rows), dtype=np.float32)
        return _Aims(x, y, np.full(len(rows), -1, dtype=np.int32), none, none)
    doors = force.doors[side] is not None and goals[0] >= len(force.setup.objectives)
    content = np.full(len(rows), force.content[side])
    if doors:
        goal = np.full(len(rows), goals[0], dtype=np.int32)
        far = _far(force, unit, goal, x, y)
    else:
        each = np.stack([_far(force, unit, np.full(len(rows), g, dtype=np.int32), x, y) for g in goals])
        own = play.holder[list(goals)][:, rows] == side
        content |= own.all(axis=0)
        each += np.where(own & ~own.all(axis=0), 100.0, 0.0)
        goal = np.array(goals, dtype=np.int32)[each.argmin(axis=0)]
        far = _far(force, unit, goal, x, y)
    life = force.setup.rules.destroyed_at - play.hits[:, rows]
    life = np.where(play.there[:, rows], life, 0)
    strength = life[force.of(side)].sum(axis=0) / np.maximum(1, life[force.of(1 - side)].sum(axis=0))
    eager = np.clip((strength * play.bold[side, rows] / force.weights[side].stronger - 0.7) / 0.6, 0, 1)
    if force.must_attack[side] and force.struck[unit] in (_TANK, _INFANTRY):
        eager = np.ones_like(eager)
    turns = force.setup.turns
    hurry = np.zeros_like(eager)
    if turns and (force.fires[unit] != _MORTAR or force.struck[unit] == _TANK):
        spare = turns - turn - far / max(1.0, _mean_in(force, unit) - 1.5)
        hurry = np.clip(1.25 - spare / (force.weights[side].early * turns * play.bold[side, rows]), 0, 1) * (far > 1.0)
    pull = np.maximum(eager, _HURRY * hurry)
    pull = np.where(content, 0.0, pull if doors else np.maximum(_DRAWN, pull)).astype(np.float32)
    px, py = np.array(force.places, dtype=np.float32)[goal].T
    return _Aims(px, py, goal, pull, np.where(content, 0, hurry).astype(np.float32))


def _wishes(force: _Forces, play: _Games, rows: Ints, unit: int, side: int, turn: int, worth: Floats | None) -> _Wishes:
    """What a unit would gain by what it may do instead of firing, in some games. ``worth`` is that of its best shot;
    ``None``: it may not move. Who has a good shot and no great haste does not look for a move."""
    aims = _aims(force, play, rows, unit, side, turn)
    if worth is None:
        return _weighed(force, play, rows, unit, side, aims, moves=False)
    looks = (aims.pull > _LOOKS) | (worth < _GOOD) | (play.pending[rows] == unit)
    rally, dig, move, dx, dy, most = np.zeros((6, len(rows)), dtype=np.float32)
    found = _Wishes(rally, dig, move, dx, dy, most, np.zeros(len(rows), dtype=bool))
    for part, moves in ((looks, True), (~looks, False)):
        if part.any():
            mine = _Aims(*(column[part] for column in aims))
            for column, values in zip(
                found, _weighed(force, play, rows[part], unit, side, mine, moves=moves), strict=True
            ):
                column[part] = values
    return found


def _weighed(force: _Forces, play: _Games, rows: Ints, unit: int, side: int, aims: _Aims, *, moves: bool) -> _Wishes:
    theirs = _left(force, play, rows, 1 - side)
    enemy, alive = _stand(force, play, theirs, rows), play.there[theirs[:, None], rows]
    x, y = play.x[unit, rows], play.y[unit, rows]
    apart = np.where(alive, _far_apart(enemy.x - x, enemy.y - y), 1e4)
    nearest, column = apart.argmin(axis=0), np.arange(len(rows))
    near = apart.min(axis=0) < force.setup.rules.threat_in + _BODY_IN + _DEEP_IN
    ways: list[tuple[Floats, Floats, Floats]] = []
    if moves:
        ex, ey = enemy.x[nearest, column], enemy.y[nearest, column]
        has = aims.goal >= 0
        gx, gy = np.where(has, aims.x, ex) - x, np.where(has, aims.y, ey) - y
        far = np.maximum(_far_apart(gx, gy), 1e-3)
        gx, gy = gx / far, gy / far
        every = np.full(len(rows), 99.0, dtype=np.float32)
        ways += _past(gx, gy, x, y, enemy, alive, every)
        for angle in _TURNS:
            cos, sin = math.cos(angle), math.sin(angle)
            most = every if angle else np.where(has, far, np.maximum(0, far - _BODY_IN - 1))
            ways.append((cos * gx - sin * gy, sin * gx + cos * gy, most))
        bx = ex - _BEHIND_IN * enemy.fx[nearest, column] - x
        by = ey - _BEHIND_IN * enemy.fy[nearest, column] - y
        behind = np.maximum(_far_apart(bx, by), 1e-3)
        ways.append((bx / behind, by / behind, behind))
    none = np.zeros_like(x)
    dx, dy, most = (np.stack([none] * _STAYS + [way[n] for way in ways]).astype(np.float32) for n in range(3))
    total = np.maximum(1.0, _mean_in(force, unit) - PENALTY_IN * (play.dug[unit, rows] + near.astype(np.float32)))
    total = np.where(play.pending[rows] == unit, play.total[rows], total).astype(np.float32)
    length, open_to = _walked(force, play, rows, unit, side, dx, dy, np.minimum(most, total))
    off = np.where(_rallies_well(force, play, rows, unit), 3, 1).astype(np.int16)
    off = np.minimum(off, _spare(play, unit, rows))
    value = _values(force, play, rows, unit, side, x + dx * length, y + dy * length, aims, enemy, alive, off)
    rally = value[1] - value[0] + off * (1.0 + 0.5 * play.hits[unit, rows] / force.setup.rules.destroyed_at)
    stays = 1 - aims.hurry
    rally = rally * stays * force.weights[side].rally
    may_dig = (force.struck[unit] != _TANK) & ~play.dug[unit, rows]
    dig = np.where(may_dig, force.weights[side].lasts * stays * (value[2] - value[0]), 0).astype(np.float32)
    if not moves:
        return _Wishes(rally, dig, np.full(len(rows), _NEVER, dtype=np.float32), none, none, none, near)
    value[_STAYS:] = np.where(open_to[_STAYS:], value[_STAYS:], _NEVER)
    best = value[_STAYS:].argmax(axis=0) + _STAYS
    gain = value[best, column] - value[0] + force.weights[side].mood * play.mood[unit, rows]
    if force.doors[side] is not None and len(force.goals[side]):
        gx, gy = x[None], y[None]
        far = (_far(force, unit, aims.goal, x, y) + _round(gx, gy, aims, enemy, alive)[0]) * (aims.goal >= 0)
        gain = gain + force.weights[side].out * aims.hurry * (far <= total + ROAD_IN)
    if force.fires[unit] == _MORTAR:
        gain = np.where((aims.pull > 0.25) & (force.struck[unit] == _TANK), gain, -1.0)
    return _Wishes(rally, dig, gain.astype(np.float32), dx[best, column], dy[best, column], most[best, column], near)


def _past(
    gx: Floats, gy: Floats, x: Floats, y: Floats, enemy: _Stand, alive: Bools, most: Floats
) -> list[tuple[Floats, Floats, Floats]]:
    """The ways past the first enemy in the way to a goal, left and right of it; aslant where there is none."""
    rx, ry = enemy.x - x, enemy.y - y
    along, aside = rx * gx + ry * gy, np.abs(rx * gy - ry * gx)
    first = np.where(alive & (along > 0) & (aside < _BODY_IN), along, 99.0)
    at, column = first.argmin(axis=0), np.arange(len(x))
    ahead = np.minimum(first[at, column], _ASLANT_IN)
    barred = first[at, column] < 99.0
    bx, by = np.where(barred, rx[at, column], gx * ahead), np.where(barred, ry[at, column], gy * ahead)
    found = []
    for hand in (1.0, -1.0):
        wx, wy = bx - hand * gy * (_BODY_IN + 0.6), by + hand * gx * (_BODY_IN + 0.6)
        far = np.maximum(_far_apart(wx, wy), 1e-3)
        found.append((wx / far, wy / far, np.where(barred, np.minimum(most, far + 3.0), most)))
    return found


def _walked(
    force: _Forces, play: _Games, rows: Ints, unit: int, side: int, dx: Floats, dy: Floats, length: Floats
) -> tuple[Floats, Bools]:
    """How far a unit gets on straight ways of that length, what it goes round enemies taken off, and whether it may end
    there."""
    theirs = _left(force, play, rows, 1 - side)
    x, y = play.x[unit, rows], play.y[unit, rows]
    rx, ry = play.x[theirs[:, None], rows] - x, play.y[theirs[:, None], rows] - y
    alive = play.there[theirs[:, None], rows]
    along = rx[:, None] * dx + ry[:, None] * dy
    aside = np.abs(rx[:, None] * dy - ry[:, None] * dx)
    barred = alive[:, None] & (along > 0) & (along < length + _BODY_IN) & (aside < _BODY_IN)
    left = np.maximum(0, length - np.where(barred, _ROUND * (_BODY_IN - aside), 0).sum(axis=0))
    away = _far_apart(rx[:, None] - dx * left, ry[:, None] - dy * left)
    close = alive[:, None] & (away < _BODY_IN) & (away <= _far_apart(rx, ry)[:, None])
    left = np.where(close.any(axis=0), np.maximum(0, np.where(close, along - _BODY_IN, 99.0).min(axis=0)), left)
    left = np.minimum(left, length)
    tx, ty = x + dx * left, y + dy * left
    open_to = (tx > 1) & (ty > 1) & (tx < force.setup.width - 1) & (ty < force.setup.depth - 1) & (left > 0.5)
    shut = force.ground.closed[force.struck[unit]]
    if shut is not None:
        for part in (0.34, 0.67, 1.0):
            open_to &= ~shut[force.ground.fine(x + dx * left * part, y + dy * left * part)]
    return left.astype(np.float32), open_to


def _values(
    force: _Forces, play: _Games, rows: Ints, unit: int, side: int, x: Floats, y: Floats, aims: _Aims, enemy: _Stand,
    alive: Bools, off: npt.NDArray[np.int16],
) -> Floats:  # fmt: skip
    """What places are worth to a unit, in hits: as it stands, the same rallied and dug in, then others, where it faces
    the nearest enemy."""
    theirs = _left(force, play, rows, 1 - side)
    fx, fy = _facing(x, y, enemy, alive)
    fx[:_STAYS], fy[:_STAYS] = play.fx[unit, rows], play.fy[unit, rows]
    dug, ready = np.zeros(x.shape, dtype=bool), np.zeros(x.shape, dtype=bool)
    dug[:_STAYS], ready[:_STAYS] = play.dug[unit, rows], play.ready[unit, rows]
    dug[2] = True
    kinds = force.ground.kinds[force.ground.fine(x, y)]
    hits = np.repeat(play.hits[unit, rows][None], len(x), axis=0)
    hits[1] -= off
    stood = _Stand(x, y, fx, fy, force.ground.coarse(x, y), kinds, hits, dug, ready, np.asarray(unit))
    others = enemy.apart()
    there = alive[:, None]
    value = np.zeros(x.shape, dtype=np.float32)
    if force.fires[unit] != _MORTAR:
        able, code = _codes(force, stood, others)
        value += force.weights[side].fire * np.where(able & there, _worth(force, code, others.hits), 0).max(axis=0)
    able, code = _codes(force, others, stood)
    far = (force.fires[theirs] == _MORTAR)[:, None, None]
    danger = np.where((able | far) & there, _worth(force, code, stood.hits), 0)
    worst = danger.max(axis=0)
    value -= force.weights[side].danger * (0.8 * worst + 0.4 * (danger.sum(axis=0) - worst))
    if len(force.places) and force.goals[side]:
        value -= (
            aims.pull
            * force.weights[side].inch
            * (_far(force, unit, aims.goal, x, y) + _round(x, y, aims, enemy, alive))
        )
        if force.doors[side] is None:
            value += aims.pull * force.weights[side].there * (_far_apart(x - aims.x, y - aims.y) < 2.0)
    if force.struck[unit] == _INFANTRY:
        value += force.weights[side].cover * ((kinds & (WOODS | TOWN)) > 0)
    return value


def _round(x: Floats, y: Floats, aims: _Aims, enemy: _Stand, alive: Bools) -> Floats:
    """How many inches longer ways to a goal are for the enemies in them."""
    gx, gy = aims.x - x, aims.y - y
    far = np.maximum(_far_apart(gx, gy), 1e-3)
    gx, gy = gx / far, gy / far
    rx, ry = enemy.x[:, None] - x, enemy.y[:, None] - y
    along, aside = rx * gx + ry * gy, np.abs(rx * gy - ry * gx)
    barred = alive[:, None] & (along > 0) & (along < far + _BODY_IN) & (aside < _BODY_IN)
    found: Floats = np.where(barred, _ROUND * (_BODY_IN - aside), 0).sum(axis=0)
    return found


def _facing(x: Floats, y: Floats, enemy: _Stand, alive: Bools) -> tuple[Floats, Floats]:
    """Fronts towards the nearest enemy."""
    rx, ry = enemy.x[:, None] - x, enemy.y[:, None] - y
    far = np.where(alive[:, None], _far_apart(rx, ry), 1e4)
    at = far.argmin(axis=0)[None]
    away = np.maximum(np.take_along_axis(far, at, 0)[0], 1e-3)
    return np.take_along_axis(rx, at, 0)[0] / away, np.take_along_axis(ry, at, 0)[0] / away


def _go(force: _Forces, play: _Games, rows: Ints, unit: int, side: int, total: Floats, way: _Wishes, go: Bools) -> None:
    """Move a unit, off the table where it gets to its exit."""
    x, y = play.x[unit, rows], play.y[unit, rows]
    play.dug[unit, rows] = play.ready[unit, rows] = False
    kinds = force.ground.kinds
    door = force.doors[side]
    out = np.zeros(len(rows), dtype=bool)
    if door is not None:
        (ax, ay), (bx, by) = door
        share = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / max(1e-6, (bx - ax) ** 2 + (by - ay) ** 2)
        share = np.clip(share, 0.1, 0.9)
        ox, oy = ax + share * (bx - ax) - x, ay + share * (by - ay) - y
        far = np.maximum(_far_apart(ox, oy), 1e-3)
        by_road = (kinds[force.ground.fine(x, y)] & ROAD) > 0
        by_road &= (kinds[force.ground.fine(x + ox * 0.5, y + oy * 0.5)] & ROAD) > 0
        had = total + ROAD_IN * by_road
        reached, _ = _walked(
            force, play, rows, unit, side, (ox / far)[None], (oy / far)[None], np.maximum(had, far)[None]
        )
        out = (far + _DEEP_IN + np.maximum(had, far) - reached[0]) <= had
        play.there[unit, rows[out]] = False
        play.gone[side, rows[out]] += 1
    rows, total = rows[~out], total[~out]
    if not len(rows):
        return
    dx, dy, most = way.dx[go][~out], way.dy[go][~out], way.most[go][~out]
    x, y = x[~out], y[~out]
    on_road = (kinds[force.ground.fine(x, y)] & ROAD) > 0
    there = kinds[force.ground.fine(x + dx * total, y + dy * total)] & ROAD
    total = total + ROAD_IN * (on_road & (there > 0))
    length, open_to = _walked(force, play, rows, unit, side, dx[None], dy[None], np.minimum(most, total)[None])
    moved = np.where(open_to[0], length[0], 0)
    play.x[unit, rows], play.y[unit, rows] = x + dx * moved, y + dy * moved
    theirs = _left(force, play, rows, 1 - side)
    enemy, alive = _stand(force, play, theirs, rows), play.there[theirs[:, None], rows]
    some = alive.any(axis=0)
    fx, fy = _facing(play.x[unit, rows][None], play.y[unit, rows][None], enemy, alive)
    play.fx[unit, rows] = np.where(some, fx[0], dx)
    play.fy[unit, rows] = np.where(some, fy[0], dy)
