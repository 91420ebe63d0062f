"""What holds on every table of One-Hour WWII, whatever stands on it: properties by Hypothesis and seeded games."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tabletop.game import Game
from tabletop.open_table.formations import places_at
from tabletop.open_table.setup import Shape, TerrainPiece
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.actions import Begin, End, Fire, Leave, Move, Place
from tabletop.rulesets.one_hour_ww2.data import KINDS, HouseRules
from tabletop.rulesets.one_hour_ww2.play import RULES, threatened_units
from tabletop.rulesets.one_hour_ww2.reaching import reach_region
from tabletop.rulesets.one_hour_ww2.setup import Exit, Point, Setup, Standing, UnitSetup
from tests.support.one_hour_games import random_setup

SIDE = 36.0
SIZES = {"infantry": (1.6, 1.0), "mortar": (1.2, 1.0), "atg": (1.4, 1.2), "tank": (1.2, 1.8), "mortar-tank": (1.2, 1.8)}
FEATURES = ("woods", "town", "field", "hill", "marsh", "river")


# --- tables ----------------------------------------------------------------------------------------------------------

Numbers = st.integers(0, 1000)


def line(kind: str, x: float, y: float, facing: float, bases: int, round_bases: bool) -> dict[str, Any]:
    width, depth = SIZES[kind]
    shape = Shape("round", width, width) if round_bases else Shape("rect", width, depth)
    turn = math.radians(facing)
    pitch = width + 0.4
    at = tuple(
        Standing(x + math.cos(turn) * pitch * n, y - math.sin(turn) * pitch * n, facing) for n in (0, 1, -1)[:bases]
    )
    return {"kind": kind, "bases": (shape,) * bases, "at": at}


@st.composite
def units(draw: st.DrawFn, name: str, side: str, low: float, high: float) -> UnitSetup:
    """A unit whose unique base stands in a band of the table."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    tank, mortar = KINDS[kind].struck_as == "tank", KINDS[kind].fires_as == "mortar"
    x = 4 + draw(Numbers) / 1000 * 28
    y = low + draw(Numbers) / 1000 * (high - low)
    stand = line(kind, x, y, draw(st.integers(0, 71)) * 5.0, draw(st.integers(1, 3)), draw(st.booleans()))
    hits = draw(st.sampled_from((0, 0, 5, 12)))
    return UnitSetup(
        name,
        side,
        **stand,
        dug_in=draw(st.booleans()) and not tank,
        ready=draw(st.booleans()) and not mortar,
        hits=hits,
        permanent=5 if hits >= 10 else 0,
    )


@st.composite
def features(draw: st.DrawFn, name: str, kinds: tuple[str, ...] = FEATURES) -> TerrainPiece:
    """A tilted rectangle in the middle band of the table."""
    kind = draw(st.sampled_from(kinds))
    x, y = 4 + draw(Numbers) / 1000 * 28, 15 + draw(Numbers) / 1000 * 6
    w, d = 0.8 + draw(Numbers) / 100, 0.4 + draw(Numbers) / 1000 * 2
    turn = math.radians(draw(st.integers(0, 35)) * 5.0)
    corners = [(-w / 2, -d / 2), (w / 2, -d / 2), (w / 2, d / 2), (-w / 2, d / 2)]
    outline = tuple(
        (x + a * math.cos(turn) - b * math.sin(turn), y + a * math.sin(turn) + b * math.cos(turn)) for a, b in corners
    )
    return TerrainPiece(
        name, kind, outline, hill_top=scaled(outline, 0.6) if kind == "hill" and draw(st.booleans()) else None
    )


def scaled(outline: tuple[Point, ...], factor: float) -> tuple[Point, ...]:
    middle = np.mean(outline, axis=0)
    return tuple((float(x), float(y)) for x, y in middle + (np.array(outline) - middle) * factor)


@st.composite
def setups(draw: st.DrawFn, kinds: tuple[str, ...] = FEATURES, *, apart: bool = False) -> Setup:
    """Two units a side, up to two features; ``apart``: units and up to three features in bands of their own."""
    low, high = ((3.0, 10.0), (26.0, 33.0)) if apart else ((3.0, 20.0), (16.0, 33.0))
    force = [draw(units(f"{s[0].upper()}{n}", s, *band)) for s, band in (("blue", low), ("red", high)) for n in (1, 2)]
    ground = tuple(draw(features(f"f{n}", kinds)) for n in range(draw(st.integers(int(apart), 2 + apart))))
    return Setup("A table", ("blue", "red"), SIDE, SIDE, tuple(force), terrain=ground)


def in_actions(setup: Setup) -> Game:
    game = Game.new(RULES, setup)
    game.push(Begin())
    game.push(End())
    return game


def changed(setup: Setup, point: Callable[[float, float], Point], facing: Callable[[float], float]) -> Setup:
    """The same table seen otherwise."""

    def moved(at: tuple[Standing, ...]) -> tuple[Standing, ...]:
        return tuple(Standing(*point(s.x, s.y), facing(s.facing or 0.0) % 360.0) for s in at)

    def outline(corners: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple(point(*corner) for corner in corners)

    return replace(
        setup,
        units=tuple(replace(u, at=moved(u.at)) for u in setup.units),
        terrain=tuple(
            replace(p, polygon=outline(p.polygon), hill_top=None if p.hill_top is None else outline(p.hill_top))
            for p in setup.terrain
        ),
    )


VIEWS: dict[str, tuple[Callable[[float, float], Point], Callable[[float], float]]] = {
    "mirrored": (lambda x, y: (SIDE - x, y), lambda f: -f),
    "mirrored across": (lambda x, y: (x, SIDE - y), lambda f: 180 - f),
    "quarter turn": (lambda x, y: (y, SIDE - x), lambda f: f + 90),
    "half turn": (lambda x, y: (SIDE - x, SIDE - y), lambda f: f + 180),
}


def told(game: Game) -> list[Any]:
    """All options with their verdicts, ranges and odds, without words."""
    found = []
    for option in game.options():
        odds = option.odds() if option.odds is not None and option.kind == "fire" else None
        found.append(
            (
                option.kind,
                option.unit,
                option.target,
                sorted({(v.code, v.answer) for v in option.violations}),
                {name: pytest.approx(value, abs=0.011) for name, value in option.limits.items()},
                None if odds is None else dict(odds.chances),
            )
        )
    return found


@pytest.mark.slow
@settings(max_examples=30)
@given(setup=setups(), view=st.sampled_from(sorted(VIEWS)), spot=st.tuples(Numbers, Numbers, st.integers(0, 7)))
def test_a_table_seen_otherwise_gives_the_same_options_and_verdicts(
    setup: Setup, view: str, spot: tuple[int, int, int]
) -> None:
    point, facing = VIEWS[view]
    games = [Game.new(RULES, s) for s in (setup, changed(setup, point, facing))]
    for game in games:
        game.push(Begin())
    for _ in range(3):
        assert told(games[0]) == told(games[1])
        for game in games:
            game.push(End())
    for game in games:
        while game.state.step != "actions":
            game.push(End())
    mover = games[0].state.side[0].upper() + "1"
    if games[0].check(Move(mover)):
        assert {v.code for v in games[0].check(Move(mover))} == {v.code for v in games[1].check(Move(mover))}
        return
    verdicts = []
    for n, game in enumerate(games):
        game.push(Move(mover), (4,) * RULES.dice(game.state, Move(mover)).count)
        unit = games[0].state.unit(mover)
        start = unit.bases.center[0]
        x, y = start[0] + spot[0] / 80 - 6.25, start[1] + spot[1] / 80 - 6.25
        at = places_at(unit, x, y, float(unit.bases.facing[0]) + 45.0 * spot[2])
        if n:
            at = tuple(Standing(*point(s.x, s.y), facing(s.facing or 0.0) % 360.0) for s in at)
        verdicts.append(sorted({(v.code, v.answer, v.numbers.get("base")) for v in game.check(Place(mover, at))}))
    assert verdicts[0] == verdicts[1]


# --- movement --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=30)
@given(
    setup=setups((*FEATURES, "road", "bridge")),
    faces=st.lists(st.tuples(st.integers(2, 5), st.integers(2, 5)), min_size=3, max_size=3),
    spots=st.lists(st.tuples(Numbers, Numbers, st.integers(0, 7)), min_size=4, max_size=4),
)
def test_better_dice_forbid_nothing(
    setup: Setup, faces: list[tuple[int, int]], spots: list[tuple[int, int, int]]
) -> None:
    games = [in_actions(setup) for _ in range(2)]
    assume(not games[0].check(Move("B1")))
    count = RULES.dice(games[0].state, Move("B1")).count
    for game, pick in zip(games, (min, max), strict=True):
        game.push(Move("B1"), tuple(pick(pair) for pair in faces[:count]))
    unit = games[0].state.unit("B1")
    for dx, dy, turn in spots:
        x, y = unit.bases.center[0] + np.array([dx, dy]) / 60 - 1000 / 120
        wish = Place("B1", places_at(unit, float(x), float(y), float(unit.bases.facing[0]) + 45.0 * turn))
        worse, better = ({v.code for v in game.check(wish)} for game in games)
        assert better <= worse or not worse


@settings(max_examples=12)
@given(setup=setups((*FEATURES, "road")), total=st.integers(1, 12))
def test_the_region_within_reach_only_grows_with_the_total(setup: Setup, total: int) -> None:
    game = in_actions(setup)
    unit = game.state.unit("B1")
    less, more = (
        shapely.union_all([shapely.Polygon(rings[0], rings[1:]) for rings in reach_region(game.state, unit, inches)])
        for inches in (total, total + 1)
    )
    assert shapely.difference(less, shapely.buffer(more, 0.04)).area < 1e-3


@pytest.mark.slow
@settings(max_examples=30)
@given(
    setup=setups(apart=True),
    factor=st.floats(0.3, 0.98),
    spots=st.lists(st.tuples(Numbers, Numbers), min_size=3, max_size=3),
)
def test_shrinking_terrain_hides_nothing_and_bars_no_way(
    setup: Setup, factor: float, spots: list[tuple[int, int]]
) -> None:
    """Where no unit stands in it: standing in terrain gives sight of its own."""
    outlines = [shapely.Polygon(p.polygon) for p in setup.terrain]
    smaller = replace(
        setup,
        terrain=tuple(
            replace(
                p,
                polygon=scaled(p.polygon, factor),
                hill_top=None if p.hill_top is None else scaled(p.polygon, factor * 0.6),
            )
            for p in setup.terrain
        ),
    )
    games = [in_actions(s) for s in (setup, smaller)]
    for unit in games[0].state.units:
        assume(all(shapely.distance(o, shapely.MultiPoint(unit.bases.center)) > 1.5 for o in outlines))
    for name in ("B1", "B2"):
        for target in ("R1", "R2"):
            before, after = ({v.code for v in game.check(Fire(name, target))} for game in games)
            assert after <= before
    if games[0].check(Move("B1")):
        return
    count = RULES.dice(games[0].state, Move("B1")).count
    for game in games:
        game.push(Move("B1"), (5,) * count)
    unit = games[0].state.unit("B1")
    for dx, dy in spots:
        x, y = unit.bases.center[0] + np.array([dx / 80 - 6, dy / 70])
        wish = Place("B1", places_at(unit, float(x), float(y), float(unit.bases.facing[0])))
        wide, narrow = (game.check(wish) for game in games)
        assert wide or not narrow
        lengths = [v.numbers["moved_in"] for found in (wide, narrow) for v in found if v.code == "too-far"]
        if {v.code for v in wide} == {v.code for v in narrow} == {"too-far"} and len(lengths) == 2:
            assert lengths[1] <= lengths[0] + 1e-6


@pytest.mark.slow
@settings(max_examples=25)
@given(
    setup=setups(),
    road=features("road", ("road", "bridge")),
    spots=st.lists(st.tuples(Numbers, Numbers, st.integers(0, 7)), min_size=3, max_size=3),
)
def test_another_road_bars_nothing_and_hides_nothing(
    setup: Setup, road: TerrainPiece, spots: list[tuple[int, int, int]]
) -> None:
    games = [in_actions(s) for s in (setup, replace(setup, terrain=(*setup.terrain, road)))]
    for side in ("blue", "red"):
        before, after = (shots(game, side) for game in games)
        assert all(after[pair] <= before[pair] for pair in before)
    if games[0].check(Move("B1")):
        return
    for game in games:
        game.push(Move("B1"), (4,) * RULES.dice(game.state, Move("B1")).count)
    unit = games[0].state.unit("B1")
    for dx, dy, turn in spots:
        x, y = unit.bases.center[0] + np.array([dx, dy]) / 80 - 6.25
        wish = Place("B1", places_at(unit, float(x), float(y), float(unit.bases.facing[0]) + 45.0 * turn))
        without, along = (game.check(wish) for game in games)
        assert without or not along


@settings(max_examples=30)
@given(setup=setups())
def test_threats_are_mutual_and_guns_so_threatened_stay(setup: Setup) -> None:
    game = in_actions(setup)
    by = threatened_units(game.state)
    for name, enemies in by.items():
        assert all(name in by[enemy] for enemy in enemies)
    for unit in game.state.units:
        if unit.side == "blue":
            stays = unit.id in by and KINDS[unit.kind].struck_as in ("atg", "mortar")
            assert ({v.code for v in game.check(Move(unit.id))} == {"threatened"}) is stays


# --- sight and fire --------------------------------------------------------------------------------------------------


def shots(game: Game, side: str) -> dict[tuple[str, str], set[str]]:
    """What speaks against each direct shot of a side's first two units, apart from whose step it is."""
    own = [u for u in game.state.units if u.side == side and u.id[1] in "12" and KINDS[u.kind].fires_as != "mortar"]
    enemies = [u for u in game.state.units if u.side != side and u.id[1] in "12"]
    return {
        (u.id, e.id): {v.code for v in game.check(Fire(u.id, e.id))} & {"no-sight", "out-of-range"}
        for u in own
        for e in enemies
    }


@pytest.mark.slow
@settings(max_examples=30)
@given(setup=setups(), friend=units("B3", "blue", 8.0, 26.0))
def test_a_friend_in_the_open_never_opens_a_shot_nor_changes_the_enemy_s(setup: Setup, friend: UnitSetup) -> None:
    game, crowded = in_actions(setup), in_actions(replace(setup, units=(*setup.units, replace(friend, dug_in=False))))
    before, after = shots(game, "blue"), shots(crowded, "blue")
    assert all(before[pair] <= after[pair] for pair in before)
    assert shots(game, "red") == shots(crowded, "red"), "their enemy blocks nothing"


@pytest.mark.slow
@settings(max_examples=30)
@given(setup=setups(), friend=units("B3", "blue", 8.0, 26.0))
def test_a_friend_that_digs_in_never_closes_a_shot(setup: Setup, friend: UnitSetup) -> None:
    loose, dug = (
        in_actions(replace(setup, units=(*setup.units, replace(friend, kind="infantry", dug_in=d))))
        for d in (False, True)
    )
    before, after = shots(loose, "blue"), shots(dug, "blue")
    assert all(after[pair] <= before[pair] for pair in before)


@pytest.mark.slow
@settings(max_examples=30)
@given(setup=setups())
def test_two_units_alone_see_each_other_or_neither(setup: Setup) -> None:
    kinds = ("infantry", "tank", "atg")
    pair = [u for u in setup.units if u.id in ("B1", "R1")]
    game = in_actions(replace(setup, units=tuple(replace(u, ready=False) for u in pair)))
    assume(all(u.kind in kinds for u in game.state.units))
    there, back = (game.check(Fire(*names)) for names in (("B1", "R1"), ("R1", "B1")))
    assert ({v.code for v in there} & {"no-sight"}) == ({v.code for v in back} & {"no-sight"})


@pytest.mark.slow
@settings(max_examples=30)
@given(setup=setups(), hits=st.tuples(st.integers(0, 14), st.integers(0, 14)))
def test_hits_taken_or_a_hole_dug_never_raise_what_a_shot_does(setup: Setup, hits: tuple[int, int]) -> None:
    def mean(firer_hits: int, dug_in: bool) -> dict[tuple[str, str], float]:
        force = tuple(
            replace(u, hits=firer_hits, permanent=0) if u.side == "blue" else replace(u, dug_in=dug_in, ready=False)
            for u in setup.units
        )
        game = in_actions(replace(setup, units=force))
        found = {}
        for name in ("B1", "B2"):
            for target in ("R1", "R2"):
                odds = game.odds(Fire(name, target))
                assert odds is not None
                assert min(odds.chances) >= 0
                assert sum(odds.chances.values()) == 1
                found[name, target] = float(odds.expected)
        return found

    low, high = sorted(hits)
    fresh, tired, covered = mean(low, False), mean(high, False), mean(low, True)
    assert all(tired[pair] <= fresh[pair] for pair in fresh)
    assert all(covered[pair] <= fresh[pair] for pair in fresh)


@settings(max_examples=15)
@given(setup=setups())
def test_options_say_what_the_check_of_their_words_says(setup: Setup) -> None:
    exits = (Exit("near", "blue", "the near edge", (0.0, 0.0), (SIDE, 0.0)),)
    game = Game.new(RULES, replace(setup, exits=exits))
    game.push(Begin())
    for _ in range(3):
        for option in game.options():
            found = game.check(game.parse(option.text))
            assert {v.code for v in option.violations} == {v.code for v in found}
            assert option.legal is (game.parse(option.text) in game.legal_actions)
        game.push(End())


# --- sight, reckoned apart -------------------------------------------------------------------------------------------

SHY = 1e-5  # closer to touching than this is left open here


def facing_edge(corners: np.ndarray, middle: np.ndarray, other: np.ndarray) -> shapely.LineString | None:
    """The edge whose outward normal points most nearly at another base's centre; ``None`` between two."""
    toward = (other - middle) / np.linalg.norm(other - middle)
    edges = [(corners[k], corners[(k + 1) % 4]) for k in range(4)]
    fits = []
    for a, b in edges:
        out = (a + b) / 2 - middle
        fits.append(float(out @ toward / np.linalg.norm(out)))
    best, second = sorted(fits)[-1], sorted(fits)[-2]
    return None if best - second < 1e-3 else shapely.LineString(edges[fits.index(best)])


def base_sees(state: Any, firer: Any, i: int, target: Any, j: int) -> bool | None:
    """Whether one base sees another, by rulings 3 to 5, 12 and 14; ``None`` where that hangs on a hair."""
    one, two = (
        facing_edge(u.bases.corners[k], u.bases.center[k], v.bases.center[n])
        for u, k, v, n in ((firer, i, target, j), (target, j, firer, i))
    )
    if one is None or two is None:
        return None
    hull = shapely.MultiPoint([*one.coords, *two.coords]).convex_hull
    length = one.interpolate(0.5, normalized=True).distance(two.interpolate(0.5, normalized=True))
    seen: bool | None = True
    for t in state.terrain:
        shape = shapely.Polygon(t.polygon)
        if t.kind in ("woods", "town", "field"):
            if hull.distance(shape) > SHY:
                continue
            ends = [shape.contains(e) if not shape.buffer(SHY).disjoint(e) else False for e in (one, two)]
            straddles = [not shape.buffer(SHY).disjoint(e) and not shape.buffer(-SHY).contains(e) for e in (one, two)]
            if length > 4 + SHY or (not any(ends) and not any(straddles) and hull.intersection(shape).area > SHY):
                return False
            if any(straddles) or abs(length - 4) <= SHY or hull.intersection(shape).area <= SHY:
                seen = None
        if t.kind == "hill":
            top = None if t.hill_top is None else shapely.Polygon(t.hill_top)
            on = [wholly_in(u, shape) for u in (firer, target)]
            at_top = [top is not None and wholly_in(u, top) for u in (firer, target)]
            crest = shape if not any(on) else top if not any(at_top) else None
            covered = 0.0 if crest is None else hull.intersection(crest).area
            if covered > SHY:
                return False
            seen = None if covered > 0 else seen
    for friend in state.units:
        passed = friend.dug_in and (firer.dug_in or firer.kind == "tank")
        if friend.side != firer.side or friend.id == firer.id or passed:
            continue
        for corners in friend.bases.corners:
            covered = hull.intersection(shapely.Polygon(corners)).area
            if covered > SHY:
                return False
            seen = None if covered > 0 else seen
    return seen


def wholly_in(unit: Any, shape: shapely.Polygon) -> bool:
    inside = sum(shape.buffer(1e-6).contains(shapely.Polygon(corners)) for corners in unit.bases.corners)
    return bool(inside >= min(2, len(unit.bases)))


def unit_sees(state: Any, firer: Any, target: Any) -> bool | None:
    """Two bases see two different ones, each another; fewer where there are fewer (ruling 6)."""
    m, n = len(firer.bases), len(target.bases)
    clear = {(i, j): base_sees(state, firer, i, target, j) for i in range(m) for j in range(n)}

    def enough(seen: list[tuple[int, int]]) -> bool:
        if min(m, n) == 1:
            return len(seen) >= min(2, max(m, n))
        return any(a[0] != b[0] and a[1] != b[1] for a in seen for b in seen)

    if enough([pair for pair, answer in clear.items() if answer is True]):
        return True
    return None if enough([pair for pair, answer in clear.items() if answer is not False]) else False


@pytest.mark.slow
@settings(max_examples=60)
@given(setup=setups(("woods", "town", "field", "hill")), friend=units("B3", "blue", 8.0, 26.0))
def test_sight_is_as_reckoned_base_by_base(setup: Setup, friend: UnitSetup) -> None:
    force = [
        replace(u, ready=False, bases=tuple(Shape("rect", *SIZES[u.kind]) for _ in u.bases))
        for u in (*setup.units, friend)
    ]
    game = in_actions(replace(setup, units=tuple(force)))
    for side in ("blue", "red"):
        for (name, target), found in shots(game, side).items():
            seen = unit_sees(game.state, game.state.unit(name), game.state.unit(target))
            if seen is not None:
                assert ("no-sight" not in found) is seen, (name, target)


# --- whole games -----------------------------------------------------------------------------------------------------


def playing(seed: int) -> Game:
    rng = random.Random(seed)
    game = Game.new(RULES, random_setup(rng))
    for _ in range(400):
        if game.outcome is not None:
            return game
        for wish in RULES.random_actions(game.state, rng):
            if wish in game.legal_actions:
                game.push(wish, rng=rng)
                break
    raise AssertionError(f"seed {seed} does not end")


class Watcher:
    """Holds the rules' sentences about what an event may change against every event of a game."""

    def __init__(self) -> None:
        self.acted: set[str] = set()
        self.settled: set[str] = set()
        self.in_step = 0

    def event(self, before: Any, event: Any, after: Any) -> None:
        self._markers(before, event, after)
        self._numbers(before, event, after)
        match event:
            case ev.Fired():
                self._fired(before, event)
            case ev.MoveRolled():
                assert before.step == "actions"
                assert event.unit not in self.acted
                assert before.unit(event.unit).side == before.side
                self.acted.add(event.unit)
            case ev.Moved():
                self.in_step += 1
                total = before.pending.total_in
                assert event.allowed_in <= total + 4 * event.by_road + 1e-9
                assert event.by_road or event.allowed_in in (total, max(0, total - 4))
                went = np.linalg.norm(
                    after.unit(event.unit).bases.center - before.unit(event.unit).bases.center, axis=1
                )
                assert all(straight <= way + 1e-3 for straight, way in zip(went, event.lengths_in, strict=True))
                assert max(event.lengths_in) <= event.allowed_in + 1e-3
            case ev.Exited():
                self.in_step += 1
                assert before.pending.unit == event.unit
            case ev.Rallied() | ev.MadeReady() | ev.DugIn():
                assert before.step == "rally"
                assert event.unit not in self.acted | self.settled
                assert before.unit(event.unit).side == before.side
                self.settled.add(event.unit)
            case ev.StepEnded():
                steps = [(side, step) for side in before.setup.sides for step in ("mortar", "actions", "rally")]
                here = steps.index((before.side, before.step))
                assert (event.side, event.step) == steps[(here + 1) % 6]
                assert event.turn == before.turn + (here == 5)
                self.settled, self.in_step = set(), 0
                if event.step == "mortar":
                    self.acted = set()
            case ev.Ended():
                assert (before.side, before.step) == (before.setup.sides[1], "rally")

    def _fired(self, before: Any, event: ev.Fired) -> None:
        unit, target = before.unit(event.unit), before.unit(event.target)
        mortar = KINDS[unit.kind].fires_as == "mortar"
        assert target.side != unit.side
        assert event.hits >= 0
        assert event.range_in <= KINDS[unit.kind].reach_in + 1e-4
        assert before.pending is None
        if event.reaction:
            assert unit.side != before.side
            assert unit.ready
            assert not mortar
            assert before.step == "actions"
            assert self.in_step > 0
        else:
            assert unit.side == before.side
            assert before.step == ("mortar" if mortar else "actions")
            assert event.unit not in self.acted
            self.acted.add(event.unit)
            self.in_step += not mortar

    @staticmethod
    def _markers(before: Any, event: Any, after: Any) -> None:
        for old in before.units:
            new = after.unit(old.id)
            if new is None:
                continue
            own = getattr(event, "unit", None) == old.id
            if old.ready and not new.ready:
                assert own
                assert isinstance(event, ev.Fired | ev.MoveRolled)
            if old.dug_in and not new.dug_in:
                assert own
                assert isinstance(event, ev.MoveRolled)
            if new.ready and not old.ready:
                assert own
                assert isinstance(event, ev.MadeReady)
            if new.dug_in and not old.dug_in:
                assert own
                assert isinstance(event, ev.DugIn)
            for marker in ("fired", "moved"):
                if getattr(old, marker) and not getattr(new, marker):
                    assert isinstance(event, ev.StepEnded)
                    assert (event.side, event.step) == (old.side, "mortar")
            if isinstance(event, ev.Moved) and not own:
                assert (new.bases.center == old.bases.center).all()

    @staticmethod
    def _numbers(before: Any, event: Any, after: Any) -> None:
        for old in before.units:
            new = after.unit(old.id)
            if new is None:
                assert isinstance(event, ev.Destroyed | ev.Exited)
                if isinstance(event, ev.Destroyed):
                    assert old.hits >= before.setup.rules.destroyed_at
                continue
            assert 0 <= new.permanent <= new.hits
            assert new.permanent >= old.permanent
            if new.hits >= 10:
                assert new.permanent == 5
            if new.hits > old.hits:
                assert isinstance(event, ev.Fired)
                assert event.target == new.id
                assert new.hits == old.hits + event.hits
            if new.hits < old.hits:
                assert isinstance(event, ev.Rallied)
                assert event.unit == new.id
                assert old.hits - new.hits <= event.roll


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(5))
def test_every_event_of_random_games_keeps_the_rules(chunk: int) -> None:
    kinds = set()
    for seed in range(9000 + 12 * chunk, 9012 + 12 * chunk):
        game, watcher, before = playing(seed), Watcher(), None
        for record, state in game.states():
            event = game.event(record)
            kinds.add(type(event).__name__)
            if before is not None and before.step != "deploy":
                watcher.event(before, event, state)
            before = state
    assert {"Fired", "MoveRolled", "Moved", "Rallied", "MadeReady", "DugIn", "StepEnded", "Ended"} <= kinds


@pytest.mark.slow
@settings(max_examples=15)
@given(setup=setups(), faces=st.lists(st.integers(2, 5), min_size=3, max_size=3))
def test_taking_a_move_back_leaves_the_table_as_it_was(setup: Setup, faces: list[int]) -> None:
    exits = (Exit("near", "blue", "the near edge", (0.0, 0.0), (SIDE, 0.0)),)
    game = in_actions(replace(setup, exits=exits, rules=HouseRules()))
    assume(not game.check(Move("B1")))
    before = RULES.view(game.state)
    game.push(Move("B1"), tuple(faces[: RULES.dice(game.state, Move("B1")).count]))
    leave = Leave("B1", "near")
    game.push(leave if not game.check(leave) else game.parse("stay B1"))
    game.pop()
    game.pop(referee=True)
    assert RULES.view(game.state) == before
