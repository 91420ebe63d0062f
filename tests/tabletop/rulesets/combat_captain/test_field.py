"""Combat Captain's geometry: ranges, sights, cotton balls, tapes, leaders' reach."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.game import Game
from tabletop.rulesets.combat_captain import support
from tabletop.rulesets.combat_captain.control import findings, isolated_sub_units, overlaps
from tabletop.rulesets.combat_captain.covering import covers
from tabletop.rulesets.combat_captain.data import NO, OPEN, YES, HouseRules
from tabletop.rulesets.combat_captain.field import Field
from tabletop.rulesets.combat_captain.play import RULES
from tabletop.rulesets.combat_captain.setup import Setup, Shape, Standing, SubUnit, TerrainPiece
from tabletop.rulesets.combat_captain.state import State
from tests.support.combat_captain_games import a_company, a_setup, a_sub

DISC = Shape("round", 1.0, 1.0)


def square(name: str, kind: str, x: float, y: float, w: float, d: float, **more: float) -> TerrainPiece:
    return TerrainPiece(name, kind, ((x, y), (x + w, y), (x + w, y + d), (x, y + d)), **more)


def field(own: list[SubUnit], other: list[SubUnit], *terrain: TerrainPiece, **more: object) -> Field:
    setup = a_setup(a_company("A", "red", own), a_company("B", "blue", other), terrain=terrain, **more)
    return Field.of(setup, {s.id: s.at for c in setup.companies for s in c.subs if s.at is not None})


def state_of(setup: Setup) -> State:
    found: State = Game.new(RULES, setup).state
    return found


def test_a_range_runs_from_the_centre_to_the_nearest_point_of_the_stand() -> None:
    seen = field([a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 20)])
    assert seen.range_in("A1", "B1") == (pytest.approx(9.5), 0.0)
    tank = field([a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "tank", 10, 20, base=Shape("rect", 1.5, 3.0))])
    assert tank.range_in("A1", "B1")[0] == pytest.approx(8.5)
    assert tank.range_in("B1", "A1")[0] == pytest.approx(9.5)


def test_a_measured_range_has_its_spread() -> None:
    measured = Standing(10, 20, 0.0, (0.04, 0.0, 0.04))
    seen = field([a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 20, at=measured)])
    assert seen.range_in("A1", "B1") == (pytest.approx(9.5), pytest.approx(0.2))


def test_troops_block_and_touching_does_not() -> None:
    ends = [a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 30), a_sub("B2", "tank", 10.5, 20)]
    assert field(*ends).sees("A1", "B1") == NO
    assert [o.id for o in field(*ends).obstacles("A1", "B1")] == ["B2"]
    beside = [a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 30), a_sub("B2", "tank", 10.75, 20)]
    assert field(*beside).sees("A1", "B1") == YES


def test_a_measured_stand_near_the_line_is_too_close_to_call() -> None:
    spread = Standing(10.8, 20, 0.0, (0.01, 0.0, 0.01))
    near = [a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 30), a_sub("B2", "tank", 0, 0, at=spread)]
    assert field(*near).sees("A1", "B1") == OPEN
    assert field(*near).obstacles("A1", "B1")[0].words.endswith("perhaps")


def test_the_own_company_blocks_unless_the_house_says_otherwise() -> None:
    own = [a_sub("A1", "rifles", 10, 10), a_sub("A2", "rifles", 10, 14)]
    other = [a_sub("B1", "rifles", 10, 30)]
    assert field(own, other).sees("A1", "B1") == NO
    assert field(own, other, rules=HouseRules(company_blocks=False)).sees("A1", "B1") == YES


@pytest.mark.parametrize("kind", ["town", "woods", "hill"])
def test_houses_forests_and_higher_ground_block(kind: str) -> None:
    own, other = [a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 30)]
    between = square("x", kind, 8, 18, 6, 4, height=1.0 if kind == "hill" else 0.0)
    assert field(own, other, between).sees("A1", "B1") == NO
    assert field(own, other, square("x", kind, 10, 18, 6, 4)).sees("A1", "B1") == YES  # its edge is only touched
    assert field(own, other, square("x", "field", 8, 18, 6, 4)).sees("A1", "B1") == YES


def test_who_stands_on_ground_as_high_looks_over_a_hill() -> None:
    own, other = [a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 30)]
    mine, ridge = square("mine", "hill", 8, 8, 4, 4, height=2.0), square("ridge", "hill", 5, 18, 10, 3, height=2.0)
    assert field(own, other, ridge).sees("A1", "B1") == NO
    assert field(own, other, mine, ridge).sees("A1", "B1") == YES
    assert field(own, other, square("mine", "hill", 8, 8, 4, 4, height=1.0), ridge).sees("A1", "B1") == NO
    unknown = square("mine", "hill", 8, 8, 4, 4), square("ridge", "hill", 5, 18, 10, 3)
    assert field(own, other, *unknown).sees("A1", "B1") == YES, "hills without a height are equally high"
    for name, terrain in (("mine", (unknown[0], ridge)), ("ridge", (mine, unknown[1]))):
        seen = field(own, other, *terrain)
        (between,) = seen.obstacles("A1", "B1")
        assert seen.sees("A1", "B1") == OPEN and between.words.endswith(
            f'perhaps: the height of "{name}" is not stated'
        )


def test_from_a_house_one_sees_and_is_seen() -> None:
    own, other = [a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 30)]
    assert field(own, other, square("inn", "town", 8, 8, 4, 4)).sees("A1", "B1") == YES


@pytest.mark.parametrize(("depth", "seen"), [(1.0, YES), (1.5, YES), (1.6, NO), (4.0, NO)])
def test_only_the_edge_of_a_forest_is_seen(depth: float, seen: int) -> None:
    own, other = [a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 20 + depth)]
    assert field(own, other, square("wood", "woods", 2, 20, 16, 16)).sees("A1", "B1") == seen


def test_the_far_edge_of_a_forest_is_not_seen_through_it() -> None:
    own, other = [a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 35.5)]
    assert field(own, other, square("wood", "woods", 2, 20, 16, 16)).sees("A1", "B1") == NO


def test_within_a_forest_one_sees_eight_inches_and_fire_is_at_long_range() -> None:
    wood = square("wood", "woods", 0, 0, 40, 40)
    near = field([a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 18.5)], wood)
    assert near.sees("A1", "B1") == YES
    assert near.in_forest("A1", "B1") == YES
    far = field([a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 18.6)], wood)
    assert far.sees("A1", "B1") == NO
    assert "8" in far.obstacles("A1", "B1")[0].words


def test_an_uncertain_outline_leaves_a_graze_open() -> None:
    own, other = [a_sub("A1", "rifles", 10, 10)], [a_sub("B1", "rifles", 10, 30)]
    loose = TerrainPiece("x", "town", ((10.1, 18), (14, 18), (14, 22), (10.1, 22)), sigma=0.2)
    assert field(own, other, loose).sees("A1", "B1") == OPEN
    through = TerrainPiece("x", "town", ((8, 18), (14, 18), (14, 22), (8, 22)), sigma=0.2)
    assert field(own, other, through).sees("A1", "B1") == NO
    clear = TerrainPiece("x", "town", ((11, 18), (14, 18), (14, 22), (11, 22)), sigma=0.2)
    assert field(own, other, clear).sees("A1", "B1") == YES


COORDINATE = st.floats(1, 47).map(lambda value: round(value, 2))
SPOTS = st.lists(st.tuples(COORDINATE, COORDINATE), min_size=5, max_size=5, unique=True)


def _turned(x: float, y: float, degrees: float) -> tuple[float, float]:
    angle, dx, dy = math.radians(degrees), x - 24, y - 24
    return 24 + dx * math.cos(angle) + dy * math.sin(angle), 24 - dx * math.sin(angle) + dy * math.cos(angle)


@settings(max_examples=20)
@given(spots=SPOTS, sigma=st.sampled_from([0.0, 0.05]), turn=st.sampled_from([90.0, 180.0, 270.0]),
       kind=st.sampled_from(["woods", "town", "hill"]))  # fmt: skip
def test_sight_is_mutual_and_does_not_change_with_the_table(
    spots: list[tuple[float, float]], sigma: float, turn: float, kind: str
) -> None:
    corners = [(18.013, 18.017), (30.011, 19.003), (28.009, 29.007), (19.001, 27.013)]

    def laid(degrees: float, sides: tuple[str, str]) -> Field:
        stands = []
        for n, spot in enumerate(spots):
            x, y = _turned(*spot, degrees)
            at = Standing(x, y, degrees % 360, (sigma**2, 0.0, sigma**2))
            stands.append(a_sub(f"S{n}", "rifles", 0, 0, at=at, base=DISC if n % 2 else Shape("rect", 1.5, 1.0)))
        wood = TerrainPiece("w", kind, tuple(_turned(*corner, degrees) for corner in corners), height=1.0)
        setup = a_setup(a_company("A", sides[0], stands[:2]), a_company("B", sides[1], stands[2:]), terrain=(wood,))
        return Field.of(setup, {s.id: s.at for c in setup.companies for s in c.subs if s.at is not None})

    first, other = laid(0.0, ("red", "blue")), laid(turn, ("blue", "red"))
    for a in ("S0", "S1"):
        for b in ("S2", "S3", "S4"):
            assert first.sees(a, b) == first.sees(b, a) == other.sees(b, a)
            assert first.range_in(a, b)[0] == pytest.approx(other.range_in(a, b)[0], abs=1e-9)


@pytest.mark.parametrize(
    ("level", "x", "y", "answer"),
    [(0, 24, 40, NO), (3, 24, 40, YES), (1, 38, 20, YES), (2, 37, 11, YES), (2, 36.9, 11, NO), (3, 24, 8, NO),
     (4, 24, 8, YES), (5, 24, 8, YES)],
)  # fmt: skip
def test_cover_holds_over_270_degrees_or_all_round(level: int, x: float, y: float, answer: int) -> None:
    setup = a_setup(
        a_company("A", "red", [a_sub("A1", "rifles", x, y)]),
        a_company("B", "blue", [a_sub("B1", "rifles", 24, 24, 0.0, cover=level)]),
    )
    state = state_of(setup)
    assert covers(state, state.stands["B1"], "A1") == answer


def test_cover_that_a_photo_left_half_turned_is_too_close_to_call() -> None:
    loose = Standing(24, 24, 0.0, (0.0, 0.0, 0.0), 5.0)
    setup = a_setup(
        a_company("A", "red", [a_sub("A1", "rifles", 37, 11)]),
        a_company("B", "blue", [a_sub("B1", "rifles", 0, 0, at=loose, cover=2)]),
    )
    state = state_of(setup)
    assert covers(state, state.stands["B1"], "A1") == OPEN


def _table(*subs: SubUnit) -> State:
    return state_of(a_setup(a_company("A", "red", subs), a_company("B", "blue", [a_sub("B1", "rifles", 40, 40)])))


@pytest.mark.parametrize(
    ("at", "hit"), [((10, 10), True), ((11.25, 10), True), ((11.26, 10), False), ((11.1, 10.85), True),
                    ((11.2, 10.95), False)],
)  # fmt: skip
def test_a_ball_touches_by_its_own_circle(at: tuple[float, float], hit: bool) -> None:
    state = _table(a_sub("A1", "rifles", 10, 10))
    assert ("A1" in support.stands_touched(state, at, 1.0, 0.0)) is hit


def test_a_ball_touches_a_round_stand_and_several_at_once() -> None:
    state = _table(a_sub("A1", "rifles", 10, 10, base=DISC), a_sub("A2", "rifles", 12, 10, base=DISC))
    assert support.stands_touched(state, (11, 10), 1.0, 0.0) == {"A1": YES, "A2": YES}
    assert support.stands_touched(state, (11, 10), 1.0, 0.1) == {"A1": OPEN, "A2": OPEN}
    assert support.stands_touched(state, (11, 10), 0.9, 0.0) == {}
    oval = _table(a_sub("A1", "rifles", 10, 10, base=Shape("oval", 4, 2)))
    places = (12.5, 10), (12.51, 10), (12.2, 11.2), (10, 10)  # the third would touch the rectangle of its sizes
    assert [bool(support.stands_touched(oval, at, 1.0, 0.0)) for at in places] == [True, False, False, True]


def test_a_tape_crosses_in_its_order_and_ends_after_36_inches() -> None:
    state = _table(*(a_sub(f"A{n}", "rifles", 5, 5 * n) for n in range(1, 9)))
    end = support.tape_end((5, 44), (5, 1))
    assert end == (5, 8)
    assert list(support.stands_crossed(state, (5, 44), end)) == ["A8", "A7", "A6", "A5", "A4", "A3", "A2"]
    assert support.tape_heading((5, 4), 0.0) == (5, 40)
    assert support.tape_heading((5, 4), 90.0) == (41, 4)


def test_a_tape_along_an_edge_does_not_cross_and_a_measured_stand_may() -> None:
    state = _table(a_sub("A1", "rifles", 10, 10))
    assert support.stands_crossed(state, (10.75, 2), (10.75, 38)) == {}
    assert support.stands_crossed(state, (10.74, 2), (10.74, 38)) == {"A1": YES}
    loose = _table(a_sub("A1", "rifles", 0, 0, at=Standing(10, 10, 0.0, (0.01, 0.0, 0.01))))
    assert support.stands_crossed(loose, (10.75, 2), (10.75, 38)) == {"A1": OPEN}


def test_who_stands_outside_the_radius_is_isolated_and_a_company_may_be_strung_out() -> None:
    subs = [a_sub("A1", "rifles", 10, 10), a_sub("A2", "rifles", 16.75, 10), a_sub("A3", "rifles", 10, 16.6)]
    company = a_company("A", "red", subs, radius_in=6.0)
    state = state_of(a_setup(company, a_company("B", "blue", [a_sub("B1", "rifles", 40, 40)])))
    assert isolated_sub_units(state) == {"A3": YES}
    far = [*subs, a_sub("A4", "rifles", 3, 10)]
    state = state_of(
        a_setup(a_company("A", "red", far, radius_in=6.0), a_company("B", "blue", [a_sub("B1", "rifles", 40, 40)]))
    )
    long = [found for found in findings(state, "A") if found.what == "long"]
    assert [found.subs for found in long] == [("A2", "A4")]
    assert long[0].value_in == pytest.approx(math.hypot(15.25, 1.0))
    assert long[0].limit_in == 12.0
    ovals = [a_sub(f"A{x}", "rifles", x, 10, base=Shape("oval", 4, 2)) for x in (10, 20)]
    company = a_company("A", "red", ovals, radius_in=6.0)
    state = state_of(a_setup(company, a_company("B", "blue", [a_sub("B1", "rifles", 40, 40)])))
    assert [found.value_in for found in findings(state, "A") if found.what == "long"] == [pytest.approx(14.0)]


def test_stands_on_one_another_are_told() -> None:
    state = _table(a_sub("A1", "rifles", 10, 10), a_sub("A2", "rifles", 10.5, 10), a_sub("A3", "rifles", 13, 10))
    assert overlaps(state, ("A1", "A3")) == {"A1": ["A2"]}
