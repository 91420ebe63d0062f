"""Where units of One-Hour WWII can get: regions, the nearest legal place, and places for random play."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.game.actions import Spot, standings
from tabletop.game.doubts import InDoubt
from tabletop.measuring.nearest import NearestPlace, nearest_place
from tabletop.rulesets.one_hour_ww2.actions import Place
from tabletop.rulesets.one_hour_ww2.moving import place_violations
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.reaching import (
    Rings,
    placing,
    reach_region,
)
from tabletop.rulesets.one_hour_ww2.roaming import random_place
from tests.support.moving_tables import (
    DEPTH,
    TERRAIN,
    area,
    at,
    codes,
    column,
    force,
    game,
    line,
    placed,
    rolled,
    single,
)

KINDS = ("infantry", "mortar", "atg", "tank")


def as_shape(rings: Rings) -> shapely.Geometry:
    return shapely.union_all([shapely.Polygon(part[0], part[1:]) for part in rings])


@settings(max_examples=3)
@given(kind=st.sampled_from(KINDS), total=st.integers(3, 14), seed=st.integers(0, 10**6))
def test_places_in_the_region_are_within_the_total_and_others_are_not(kind: str, total: int, seed: int) -> None:
    enemy = single("E", "red", "infantry", 24, 10, 180)
    state = game(single("A", "blue", kind, 20, 10.5), enemy, terrain=TERRAIN)
    region = as_shape(reach_region(state, state.units[0], total))
    inner, outer = shapely.buffer(region, -0.03), shapely.buffer(region, 0.03)
    rng = np.random.default_rng(seed)
    places = np.array([20, 10.5]) + rng.uniform(-total - 5, total + 5, (30, 2))
    for x, y in places:
        found, _ = placed(state, "A", at(x, y), total)
        if shapely.contains_xy(inner, x, y):
            assert not {v.code for v in found} & {"too-far", "no-way"}
        elif not shapely.contains_xy(outer, x, y):
            assert found


def test_the_region_runs_on_along_the_road_and_stops_before_the_enemy() -> None:
    road = area("r", "road", 19, 2, 21, 40)
    state = game(force("A", "blue", "tank", column(20, 10)), terrain=(road,))
    region = as_shape(reach_region(state, state.units[0], 8))
    assert shapely.contains_xy(region, 20, 21.9) and not shapely.contains_xy(region, 20, 22.1)
    assert not shapely.contains_xy(region, 22, 18.5)
    met = game(force("A", "blue", "tank", column(20, 10)), single("E", "red", "tank", 20, 23), terrain=(road,))
    region = as_shape(reach_region(met, met.units[0], 8))
    assert shapely.contains_xy(region, 20, 19.9) and not shapely.contains_xy(region, 20, 20.2)


def test_the_nearest_legal_place_may_be_round_the_corner() -> None:
    wood = area("w", "woods", 10, 13, 30, 30)
    state = rolled(game(single("A", "blue", "tank", 20, 10), terrain=(wood,)), "A", 17)
    found = nearest_place(RULES, state, Place("A", Spot(29, 18)))
    assert found.at == pytest.approx((30.5, 18), abs=0.02), "on the way there it would be 10 inches short"
    assert [(v.code, v.answer) for v in found.against] == [("ground", "no")]
    near = rolled(state, "A", 9)
    found = nearest_place(RULES, near, Place("A", Spot(29, 18)))
    assert found.at is not None and "too-far" in {v.code for v in found.against}
    assert nearest_place(RULES, state, Place("A", Spot(20, 11))) == NearestPlace((20, 11), ()), "legal itself"
    found = nearest_place(RULES, near, Place("A", Spot(20, 11), path=((30.0, 40.0),)))
    assert found.at == (20, 11) and found.against, "the way was too long, the place is legal"
    (why,) = (stays := nearest_place(RULES, rolled(state, "A", 0), Place("A", Spot(20, 11)))).against
    assert stays.at is None and "has 0″" in str(why)


def test_a_place_is_legal_whatever_a_photo_leaves_open() -> None:
    bare = rolled(game(single("A", "blue", "tank", 20, 10)), "A", 17)
    wood = rolled(game(single("A", "blue", "tank", 20, 10), terrain=(area("w", "woods", 10, 13, 30, 30),)), "A", 17)
    action, doubt = Place("A", Spot(20, 18)), InDoubt(wood, "Whether a wood is there is not known", ("Is it woods?",))
    assert nearest_place(RULES, bare, action) == NearestPlace((20, 18), ())
    found = nearest_place(RULES, bare, action, doubt)
    assert found.at == nearest_place(RULES, wood, action).at and "too-close" in {v.answer for v in found.against}


@pytest.mark.parametrize(("x", "y"), [(24.0, 30.1), (25.6, 16.0)])
def test_no_place_nearer_than_the_nearest_is_legal(x: float, y: float) -> None:
    units = (force("A", "blue", "tank", column(20, 20.5)), force("B", "blue", "infantry", line(26, 9)))
    state = rolled(game(*units, force("E", "red", "tank", line(24, 30, 180)), terrain=TERRAIN), "A", 12)
    action = Place("A", Spot(x, y, 0.0))
    found = nearest_place(RULES, state, action)
    assert found.at is not None and found.against
    assert RULES.check(state, RULES.complete(state, replace(action, at=Spot(*found.at, 0.0)))) == ()
    away = math.dist(found.at, (x, y)) - 0.03
    step = max(0.05, away / 40)
    every = np.stack(np.meshgrid(*[np.arange(-away, away, step)] * 2), axis=-1).reshape(-1, 2)
    nearer = np.array([x, y]) + every[np.linalg.norm(every, axis=1) < away]
    assert not any(placing(state, state.units[0], 0.0, 12).allowed(nearer))


@pytest.mark.parametrize("kind", ["atg", "tank"])
def test_random_places_are_nearly_always_legal_and_seeded(kind: str) -> None:
    units = (force("A", "blue", kind, column(20, 18)), force("B", "blue", "infantry", line(26, 9)))
    state = rolled(game(*units, force("E", "red", "tank", line(24, 30, 180)), terrain=TERRAIN), "A", 8)
    unit = state.units[0]
    rng = random.Random(7)
    places = [random_place(state, unit, rng) for _ in range(20)]
    again = random.Random(7)
    assert places == [random_place(state, unit, again) for _ in range(20)]
    verdicts = [codes(place_violations(state, place)[0]) for place in places]
    assert sum(not found for found in verdicts) >= 18
    firsts = [standings(place)[0] for place in places]
    assert any(math.dist((first.x, first.y), (20, 18)) > 4 for first in firsts)
    assert len(set(firsts)) > 12


def test_a_unit_without_inches_or_room_stays() -> None:
    state = game(force("A", "blue", "tank", line(20, 10)))
    for stuck in (rolled(state, "A", 0), rolled(state, "A", -4), state):
        place = random_place(stuck, stuck.units[0], random.Random(1))
        assert place_violations(stuck, place) == ([], place_violations(stuck, place)[1])
        first = standings(place)[0]
        assert (first.x, first.y) == (20, 10)
    pen = tuple(area(f"m{n}", "marsh", *box) for n, box in enumerate(
        ((10, 11, 30, 12), (10, 8, 30, 9), (16.5, 9, 17.0, 11), (23, 9, 23.5, 11))))  # fmt: skip
    walled = rolled(game(force("A", "blue", "tank", line(20, 10 - (DEPTH - 1) / 2)), terrain=pen), "A", 12)
    place = random_place(walled, walled.units[0], random.Random(1))
    assert place_violations(walled, place)[0] == []
