"""Cases of One-Hour WWII in play: odds reckoned apart, the golden cases, the rulings, house rules and scenarios."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tabletop.game import Game
from tabletop.open_table.setup import Shape, TerrainPiece, standings_of
from tabletop.rulesets.one_hour_ww2.actions import Correct, Fire, Leave, Place
from tabletop.rulesets.one_hour_ww2.data import KINDS, HouseRules
from tabletop.rulesets.one_hour_ww2.firing import volley
from tabletop.rulesets.one_hour_ww2.modifiers import Circumstances
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.poses import Poses, may_stand
from tabletop.rulesets.one_hour_ww2.setup import Exit, Objective, Setup, Standing, Tie, UnitSetup, Victory
from tabletop.starting import scenarios
from tests.reference import one_hour_odds as plain
from tests.support.one_hour_games import SIZES, a_unit, begun, do


def codes(game: Game, words: str) -> set[str]:
    return {v.code for v in game.check(game.parse(words))}


def area(name: str, kind: str, x0: float, y0: float, x1: float, y1: float, **more: object) -> TerrainPiece:
    return TerrainPiece(name, kind, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), **more)  # type: ignore[arg-type]


def assert_same(found: Mapping[int, object], expected: Mapping[int, Fraction], what: object) -> None:
    assert set(found) == set(expected), what
    assert all(abs(float(found[n]) - float(expected[n])) < 1e-12 for n in expected), what  # type: ignore[arg-type]


def ahead(firer: str, target: str, gap: float) -> float:
    """The y of a target so many inches ahead of a firer at y = 6."""
    return 6 + SIZES[firer][1] / 2 + gap + SIZES[target][1] / 2


def duel(firer: str, target: str, gap: float, **more: object) -> Game:
    """A in blue and T in red, of one base each, facing each other across a gap; the step in which A fires.

    Keywords that begin with ``a_`` and ``t_`` are the units' own.
    """
    own = {key[2:]: more.pop(key) for key in [*more] if key.startswith("a_")}
    its = {key[2:]: more.pop(key) for key in [*more] if key.startswith("t_")}
    one = a_unit("A", "blue", firer, 10, 6, own.pop("facing", 0.0), **{"bases": 1} | own)  # type: ignore[arg-type]
    two = a_unit("T", "red", target, 10, ahead(firer, target, gap), its.pop("facing", 180.0), **{"bases": 1} | its)  # type: ignore[arg-type]
    game = begun(one, two, *more.pop("others", ()), **more)  # type: ignore[misc]
    if KINDS[firer].fires_as != "mortar":
        do(game, "end")
    return game


# --- odds against a reckoning from the rules text --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("dice", ["d5", "d6"])
@pytest.mark.parametrize("firer", KINDS)
def test_odds_of_every_shot_under_all_circumstances(firer: str, dice: str) -> None:
    shots = {}
    count = 0
    for fact in plain.facts(dice):
        if fact.firer != firer or fact.hits not in (0, 5, 10):
            continue
        key = fact.target, fact.hits, fact.dug_in
        if key not in shots:
            game = duel(firer, fact.target, 8, dice=dice, a_hits=fact.hits, t_dug_in=fact.dug_in)
            shots[key] = volley(game.state, Fire("A", "T")).shot
        case = Circumstances(fact.band, fact.to_rear, fact.on_rear, fact.woods, fact.town, fact.hill_top)
        assert_same(shots[key].odds(case)[1], plain.chances(fact), fact)
        count += 1
    assert count == 5 * len(plain.bands(firer)) * 3 * 64


@pytest.mark.parametrize("hits", range(15))
def test_odds_at_every_number_of_the_firer_s_hits(hits: int) -> None:
    for firer, dice in itertools.product(KINDS, ("d5", "d6")):
        game = duel(firer, "infantry", 8, dice=dice, a_hits=hits, a_permanent=5 if hits >= 10 else 0)
        odds = game.odds(Fire("A", "T"))
        assert odds is not None
        assert_same(odds.chances, plain.chances(plain.Fact(firer, "infantry", hits=hits, dice=dice)), (firer, hits))


GAPS = {"close": 3.0, "normal": 9.0, "long": 20.0}


def laid_out(fact: plain.Fact) -> Game:
    """A table on which a fact holds."""
    y = ahead(fact.firer, fact.target, GAPS[fact.band])
    square = ((6.0, y - 2), (14.0, y - 2), (14.0, y + 2), (6.0, y + 2))
    grounds = [kind for kind, there in (("town", fact.town), ("woods", fact.woods)) if there]
    pieces = [TerrainPiece(kind, kind, square) for kind in grounds]
    if fact.hill_top:
        pieces.append(TerrainPiece("hill", "hill", square, hill_top=square))
    return duel(
        fact.firer,
        fact.target,
        GAPS[fact.band],
        dice=fact.dice,
        terrain=tuple(pieces),
        a_hits=fact.hits,
        a_facing=180.0 if fact.to_rear else 0.0,
        t_facing=0.0 if fact.on_rear else 180.0,
        t_dug_in=fact.dug_in,
        t_hits=11,
        t_permanent=5,
    )


@pytest.mark.slow
def test_odds_and_hits_of_shots_laid_out_on_the_table() -> None:
    rng = random.Random(7)
    every = [fact for dice in ("d5", "d6") for fact in plain.facts(dice)]
    for fact in rng.sample(every, 160):
        game = laid_out(fact)
        odds = game.odds(Fire("A", "T"))
        assert odds is not None
        assert_same(odds.chances, plain.chances(fact), fact)
        deadly = sum(p for hits, p in plain.chances(fact).items() if hits >= 4)
        assert odds.also["destroyed"] == deadly, fact
        face = rng.choice(plain.FACES[fact.dice])
        game.push(Fire("A", "T"), (face,), overrule=True)
        assert game.records[-1 if game.state.unit("T") else -2].body["hits"] == plain.hits_of_face(fact, face), fact


MOVE_DICE = {"infantry": 2, "mortar": 1, "atg": 1, "tank": 3, "mortar-tank": 3}


@pytest.mark.parametrize("kind", MOVE_DICE)
@pytest.mark.parametrize("dice", ["d5", "d6"])
@pytest.mark.parametrize(("dug_in", "near"), [*itertools.product([False, True], repeat=2)])
def test_odds_of_moves_face_by_face(kind: str, dice: str, dug_in: bool, near: bool) -> None:
    game = duel(kind, "infantry", 1.5 if near else 8, dice=dice, a_dug_in=dug_in)
    if game.state.step == "mortar":
        do(game, "end")
    expected: dict[int, Fraction] = {}
    for roll in itertools.product(plain.FACES[dice], repeat=MOVE_DICE[kind]):
        inches = max(0, sum(roll) + 2 - (4 if dug_in else 0) - (4 if near else 0))
        if near and kind in ("atg", "mortar"):
            inches = 0
        expected[inches] = expected.get(inches, Fraction(0)) + Fraction(1, 6 ** len(roll))
    odds = game.odds(game.parse("move A"))
    assert odds is not None
    assert_same(odds.chances, expected, kind)


@pytest.mark.parametrize("dice", ["d5", "d6"])
@pytest.mark.parametrize(("hits", "permanent"), [(1, 0), (4, 0), (9, 0), (6, 5), (11, 5), (14, 5)])
def test_odds_of_rallies_face_by_face(dice: str, hits: int, permanent: int) -> None:
    for kind, dug_in in itertools.product(KINDS, (False, True)):
        if kind.endswith("tank") and dug_in:
            continue
        game = duel(kind, "infantry", 8, dice=dice, a_dug_in=dug_in, a_hits=hits, a_permanent=permanent)
        while game.state.step != "rally":
            do(game, "end")
        expected: dict[int, Fraction] = {}
        for face in plain.FACES[dice]:
            off = face if dug_in or kind.endswith("tank") else max(0, face - 2)
            left = max(permanent, hits - off)
            expected[left] = expected.get(left, Fraction(0)) + Fraction(1, 6)
        odds = game.odds(game.parse("rally A"))
        assert odds is not None
        assert_same(odds.chances, expected, (kind, dug_in))


# --- golden cases, played --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("firer", "target", "gap", "facing", "roll", "hits"),
    [
        ("mortar", "atg", 20, 180, 4, 6),
        ("tank", "tank", 9, 180, 5, 7),
        ("tank", "tank", 9, 90, 3, 7),
        ("tank", "tank", 9, 0, 3, 7),
        ("infantry", "tank", 3, 180, 2, 0),
        ("tank", "tank", 20, 180, 3, 2),  # as the report of scenario 6 has it: 2 hits at long range
        ("mortar", "tank", 20, 180, 3, 1),  # and 1 of the mortars on the lead tanks
    ],
)
def test_golden_shots(firer: str, target: str, gap: float, facing: float, roll: int, hits: int) -> None:
    game = duel(firer, target, gap, t_facing=float(facing))
    do(game, "fire A at T", roll)
    assert game.records[-1].body["hits"] == hits
    assert game.state.unit("T").hits == hits


def test_golden_flank_of_a_tank() -> None:
    """The firer stands abeam, behind the line of the target's front side."""
    game = begun(
        a_unit("A", "blue", "tank", 10, 20, 90, bases=1), a_unit("T", "red", "tank", 20, 20, 0, bases=1), dice="d5"
    )
    do(game, "end")
    do(game, "fire A at T", 3)
    assert game.records[-1].body["hits"] == 7


@pytest.mark.parametrize("firer", ["infantry", "atg", "tank"])
def test_golden_close_range_on_a_hole_in_a_town(firer: str) -> None:
    y = ahead(firer, "infantry", 3.5)
    game = duel(firer, "infantry", 3.5, terrain=(area("t", "town", 5, y - 1, 20, y + 3),), t_dug_in=True)
    do(game, "fire A at T", 5)
    assert game.records[-1].body["multiply"] == 0.5


def test_golden_hole_in_woods_at_normal_range() -> None:
    """Sight into woods is 4 inches at most, so that normal range needs a road [Terrain, Roads]."""
    y = ahead("tank", "infantry", 9)
    wood, road = area("w", "woods", 5, y - 1, 20, y + 3), area("r", "road", 8, 0, 12, 36)
    game = duel("tank", "infantry", 9, terrain=(wood, road), t_dug_in=True)
    do(game, "fire A at T", 5)
    assert (game.records[-1].body["multiply"], game.records[-1].body["hits"]) == (0.25, 1)


@pytest.mark.parametrize("kind", ["atg", "mortar"])
def test_golden_gun_that_leaves_its_hole_with_d6(kind: str) -> None:
    game = duel(kind, "infantry", 9, dice="d6", a_dug_in=True)
    if kind == "mortar":
        do(game, "end")
    do(game, "move A", 6)
    assert game.records[-1].body["total_in"] == 4
    assert codes(game, "place A at 10,10 facing 0") == set()
    assert codes(game, "place A at 10,10.01 facing 0") == {"too-far"}


@pytest.mark.parametrize(("face", "inches"), [(2, 4), (5, 13)])
def test_golden_threatened_tank(face: int, inches: int) -> None:
    game = duel("tank", "infantry", 1.5)
    do(game, "move A", face, face, face)
    assert game.records[-1].body["total_in"] == inches


@pytest.mark.parametrize(("gap", "seen"), [(4.02, False), (3.9, True)])
def test_golden_town_garrison_and_tanks_just_over_4_inches_off(gap: float, seen: bool) -> None:
    y = ahead("tank", "infantry", gap)
    town = area("t", "town", 5, y - 1, 20, y + 3)
    game = duel("tank", "infantry", gap, terrain=(town,), a_bases=2, t_bases=2)
    assert (codes(game, "fire A at T") == set()) is seen
    do(game, "end; end; end")
    assert (codes(game, "fire T at A") == set()) is seen


def test_golden_second_stand_of_the_garrison_sees_nothing() -> None:
    """Two stands to two stands: one that is more than 4 inches off is not enough (the report of scenario 14)."""
    town = area("t", "town", 5, 12.0, 20, 20)
    shapes = (Shape("rect", 1.6, 1.0),) * 2
    garrison = UnitSetup("T", "red", "infantry", shapes, at=(Standing(10, 13, 180), Standing(12, 14.2, 180)))
    game = begun(a_unit("A", "blue", "tank", 10, 8.3), garrison)
    assert codes(begun_actions(game), "fire A at T") == set()
    game = begun(a_unit("A", "blue", "tank", 10, 8.3), garrison, terrain=(town,))
    assert codes(begun_actions(game), "fire A at T") == {"no-sight"}


def begun_actions(game: Game) -> Game:
    do(game, "end")
    return game


def test_golden_exactly_15_hits_and_11_with_5_permanent() -> None:
    game = duel("tank", "tank", 9, t_hits=8)
    do(game, "fire A at T", 5)
    assert game.state.why_off == {"T": "destroyed"}
    tired = duel("tank", "tank", 9, a_hits=11, a_permanent=5)
    do(tired, "end; rally A", 5)
    assert (tired.state.unit("A").hits, tired.state.unit("A").permanent) == (6, 5)


# --- rulings, played -------------------------------------------------------------------------------------------------


def test_ruling_3_beside_the_road_the_wood_still_hides() -> None:
    y = ahead("tank", "infantry", 9)
    wood, road = area("w", "woods", 5, y - 4, 20, y + 3), area("r", "road", 8, 0, 12, 36)
    assert codes(duel("tank", "infantry", 9, terrain=(wood, road)), "fire A at T") == set()
    narrow = area("r", "road", 9.5, 0, 10.5, 36)
    assert codes(duel("tank", "infantry", 9, terrain=(wood, narrow)), "fire A at T") == {"no-sight"}


HILL = ((6.0, 12.0), (14.0, 12.0), (14.0, 20.0), (6.0, 20.0))
TOP = ((7.0, 14.5), (13.0, 14.5), (13.0, 17.5), (7.0, 17.5))


@pytest.mark.parametrize(
    ("a_y", "t_y", "seen"),
    [
        (9, 23, False),  # both off it, on both sides
        (13.2, 23, False),  # over the top from the slope
        (13.2, 9, True),  # down its own slope
        (16, 23, True),  # from the top, either way
        (16, 9, True),
        (13.2, 18.8, False),  # from slope to slope
        (13.2, 16.2, True),  # up to the top
    ],
)
def test_ruling_4_hills(a_y: float, t_y: float, seen: bool) -> None:
    game = begun(
        a_unit("A", "blue", "infantry", 10, a_y, bases=1),
        a_unit("T", "red", "infantry", 10, t_y, 180, bases=1),
        terrain=(TerrainPiece("h", "hill", HILL, hill_top=TOP),),
        rules=HouseRules(),
    )
    do(game, f"correct A at 10,{a_y} facing {0 if t_y > a_y else 180}")
    found = {v.code for v in begun_actions(game).check(Fire("A", "T"))} - {"out-of-range"}
    assert (found == set()) is seen


@pytest.mark.parametrize(("x", "seen"), [(8.79, True), (8.81, False)])
def test_ruling_5_round_bases_are_as_wide_as_they_are(x: float, seen: bool) -> None:
    """Discs of 1.6 inches at x = 10: a hill that reaches past x = 9.2 hides a part of the edge."""
    hill = area("h", "hill", 2, 8, x + 0.4, 12)
    game = duel("infantry", "infantry", 9, terrain=(hill,), a_round_bases=True, t_round_bases=True)
    assert (codes(game, "fire A at T") == set()) is seen


def test_ruling_5_and_10_round_bases_are_measured_from_rim_to_rim() -> None:
    for gap, expected in ((12.0, set()), (12.01, {"out-of-range"})):
        game = begun(
            a_unit("A", "blue", "infantry", 10, 6, bases=1, round_bases=True),
            a_unit("T", "red", "infantry", 10, 6 + 1.6 + gap, 180, bases=1, round_bases=True),
        )
        assert codes(begun_actions(game), "fire A at T") == expected


def test_ruling_10_corner_to_corner() -> None:
    """Bases of 1.2 by 1.8 whose nearest corners are 3 to the right and 4 ahead: 5 inches, not close."""
    for more, band in ((0.0, "normal"), (-1.0, "close")):
        game = begun(
            a_unit("A", "blue", "tank", 10, 6, bases=1),
            a_unit("T", "red", "tank", 10 + 1.2 + 3 + more, 6 + 1.8 + 4 + more, 180, bases=1),
        )
        do(begun_actions(game), "fire A at T", 3)
        assert game.records[-1].body["band"] == band
        assert game.records[-1].body["range_in"] == pytest.approx(5.0 if not more else 13**0.5, abs=1e-4)


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("round_bases", [False, True])
def test_ruling_6_units_of_one_two_or_three_bases_play(count: int, round_bases: bool) -> None:
    game = duel("infantry", "infantry", 8, a_bases=count, t_bases=count, a_round_bases=round_bases, t_hits=4)
    do(game, "fire A at T", 4)
    do(game, "end; end; end; end; end; rally T", 5) if game.state.side == "red" else do(game, "end; end; end; end")
    assert game.state.unit("T").hits == 8
    do(game, "rally T", 5)
    assert game.state.unit("T").hits == 5


@pytest.mark.parametrize(("inside", "covered"), [(0, False), (1, False), (2, True), (3, True)])
def test_ruling_13_cover_needs_two_bases(inside: int, covered: bool) -> None:
    pitch = SIZES["infantry"][0] + 0.5
    y = ahead("atg", "infantry", 3)
    wood = area("w", "woods", 10 + pitch * (3 - inside) - 0.9, y - 0.6, 30, y + 3)
    game = duel("atg", "infantry", 3, terrain=(wood,), t_bases=3, a_bases=2)
    odds = game.odds(Fire("A", "T"))
    assert odds is not None
    assert any("woods" in words for words in odds.words) is covered


def test_ruling_14_own_and_target_bases_never_block() -> None:
    shapes = (Shape("rect", 1.2, 1.8),) * 3
    files = [
        UnitSetup(name, side, "tank", shapes, at=tuple(Standing(10, y + step * n, facing) for n in range(3)))
        for name, side, y, step, facing in (("A", "blue", 10, -2.2, 0.0), ("T", "red", 20, 2.2, 180.0))
    ]
    assert codes(begun_actions(begun(*files)), "fire A at T") == set()


def test_ruling_15_average_dice_unless_said_otherwise() -> None:
    assert begun(a_unit("A", "blue", "tank", 4, 4), a_unit("T", "red", "tank", 20, 20)).state.setup.dice == "d5"


# --- house rules -----------------------------------------------------------------------------------------------------


def test_house_rule_destroyed_at() -> None:
    for at, alive in ((15, False), (16, True)):
        game = duel("tank", "tank", 9, t_hits=8, rules=HouseRules(destroyed_at=at))
        do(game, "fire A at T", 5)
        assert (game.state.unit("T") is not None) is alive


def test_house_rule_close_in() -> None:
    for close, hits in ((4.0, 10), (2.0, 5)):
        game = duel("infantry", "infantry", 3, rules=HouseRules(close_in=close))
        do(game, "fire A at T", 5)
        assert game.records[-1].body["hits"] == hits


def test_house_rule_long_range() -> None:
    for switch, hits in (("half", 2), ("minus two", 3)):
        game = duel("tank", "infantry", 20, rules=HouseRules(long_range=switch))  # type: ignore[arg-type]
        do(game, "fire A at T", 5)
        assert game.records[-1].body["hits"] == hits
    dug = duel("tank", "infantry", 20, rules=HouseRules(long_range="minus two"), t_dug_in=True)
    do(dug, "fire A at T", 5)
    assert dug.records[-1].body["hits"] == 1  # (5 - 2) x 1/2


@pytest.mark.parametrize("gap", [3.99, 4.01])
def test_house_rule_close_mortars_fire(gap: float) -> None:
    assert codes(duel("mortar", "tank", gap), "fire A at T") == ({"out-of-range"} if gap < 4 else set())
    fires = duel("mortar", "tank", gap, rules=HouseRules(close_mortars_fire=True))
    assert codes(fires, "fire A at T") == set()


def test_house_rule_concealed_in() -> None:
    for limit, expected in ((12.0, {"no-sight"}), (20.0, set())):
        game = duel("tank", "infantry", 16, rules=HouseRules(concealed_in=limit), t_dug_in=True, t_ready=True)
        assert codes(game, "fire A at T") == expected


def test_house_rule_area_sight_in() -> None:
    for limit, expected in ((4.0, {"no-sight"}), (6.0, set())):
        y = ahead("tank", "infantry", 5)
        wood = area("w", "woods", 5, y - 1, 20, y + 3)
        assert codes(
            duel("tank", "infantry", 5, terrain=(wood,), rules=HouseRules(area_sight_in=limit)), "fire A at T"
        ) == (expected)


def test_house_rule_threat_in() -> None:
    for limit, total in ((2.0, 11), (3.0, 7)):
        game = duel("tank", "infantry", 2.5, rules=HouseRules(threat_in=limit))
        do(game, "move A", 3, 3, 3)
        assert game.records[-1].body["total_in"] == total


def test_house_rules_facing_deg_and_level_in() -> None:
    def verdict(second: Standing, rules: HouseRules) -> set[str]:
        game = duel("infantry", "infantry", 15, a_bases=2, rules=rules)
        do(game, "move A", 5, 5)
        return {v.code for v in game.check(Place("A", (Standing(10, 9), second)))}

    turned, ahead_of_it = Standing(12.2, 8.5, 20.0), Standing(12.1, 9.4)
    assert verdict(turned, HouseRules()) == {"facing"}
    assert verdict(turned, HouseRules(facing_deg=25.0)) == set()
    assert verdict(ahead_of_it, HouseRules()) == {"formation"}
    assert verdict(ahead_of_it, HouseRules(level_in=0.5)) == set()


def test_house_rule_wood_edge_in() -> None:
    wood = area("w", "woods", 0, 6.65, 36, 16)
    for edge, expected in ((1.0, {"ground"}), (2.0, set())):
        game = duel("atg", "infantry", 24, terrain=(wood,), rules=HouseRules(wood_edge_in=edge))
        do(game, "move A", 5)  # 7 inches, 3 in woods
        assert codes(game, "place A at 10,8.75 facing 0") == expected  # its rear 1.5 inches inside


@pytest.mark.parametrize(("facing", "y"), [(180.0, 8.65), (0.0, 8.4), (90.0, 7.95)])
def test_house_rule_wood_edge_front(facing: float, y: float) -> None:
    """The front edge is on the outline or outside it: backed into the trees, facing them, along them."""
    wood = area("w", "woods", 0, {180.0: 8.05, 0.0: 9.0, 90.0: 8.65}[facing], 36, 16)
    game = duel("atg", "infantry", 24, a_bases=1, terrain=(wood,), rules=HouseRules(wood_edge_front=True))
    do(game, "move A", 5)  # 7 inches, 3 in woods
    assert codes(game, f"place A at 10,{y} facing {facing:g}") == set()
    assert codes(game, f"place A at 10,{y + 0.01} facing {facing:g}") == {"ground"}
    state, unit = game.state, game.state.unit("A")
    assert unit is not None
    poses = Poses.of(unit.bases, np.array([[[10.0, y]], [[10.0, y + 0.01]]]), np.array([facing, facing]))
    assert may_stand(state, unit, poses).tolist() == [True, False]


def test_house_rule_ties_any_units() -> None:
    """Two units of a side within 12 inches, whichever they are: one of three may go, and of two neither."""

    def tied(*, any_units: bool, third: float = 24.0) -> Game:
        game = begun(
            a_unit("A", "blue", "tank", 30, 4, bases=1),
            *(a_unit(name, "red", "tank", x, y, 180, bases=1) for name, x, y in (("T", 4, 20), ("U", 10, 20))),
            a_unit("V", "red", "tank", 16, third, 180, bases=1),
            objectives=(FORT,),
            ties=(Tie("fort", ("T", "U"), 12.0),),
            rules=HouseRules(ties_any_units=any_units),
        )
        do(game, "end; end; end; end")
        return game

    away = "place T at 4,12 facing 180"
    for any_units, third, expected in ((False, 24.0, {"tied"}), (True, 24.0, set()), (True, 8.0, {"tied"})):
        game = tied(any_units=any_units, third=third)
        do(game, "move T", 5, 5, 5)
        assert codes(game, away) == expected
    (found,) = game.check(game.parse(away))
    assert "2 units of red within 12″ of the fort" in found.text
    do(game, "stay T")
    do(game, "move V", 5, 5, 5)
    assert codes(game, "place V at 16,4 facing 180") == set()  # it kept nothing


def test_too_few_units_at_a_tie_are_told_as_the_game_begins() -> None:
    units = a_unit("A", "blue", "tank", 30, 4, bases=1), a_unit("T", "red", "tank", 10, 20, 180, bases=1)
    rules, ties = HouseRules(ties_any_units=True), (Tie("fort", ("T", "A"), 12.0), Tie("fort", ("T",), 12.0))
    game = Game.new(
        RULES, Setup("A case", ("blue", "red"), 36.0, 36.0, units, objectives=(FORT,), ties=ties, rules=rules)
    )
    (found,) = game.check(game.parse("begin"))
    assert (found.code, found.numbers) == ("tied", {"units": 0.0, "needed": 2.0})


def test_stored_games_keep_the_close_fire_of_mortars_that_they_began_with() -> None:
    """The default has changed, and a game that began with the other one says so in its first event."""
    old = duel("mortar", "tank", 3, rules=HouseRules(close_mortars_fire=True))
    kind, body = old.records[0].kind, dict(old.records[0].body)
    assert body["setup"]["rules"]["close_mortars_fire"] is True
    for later in ("wood_edge_front", "ties_any_units"):
        del body["setup"]["rules"][later]  # as games were stored before there were these
    again = RULES.event_from_json(kind, body, 1)
    assert again.setup.rules == HouseRules(close_mortars_fire=True)


def test_priorities_are_told_in_both_orders() -> None:
    """The nearest tank by the rules' table, and infantry in the open by the hits to expect of a mortar."""
    game = begun(
        a_unit("A", "blue", "tank", 10, 6),
        a_unit("S", "red", "tank", 4, 30, 180),
        a_unit("T", "red", "infantry", 10, 9.6, 180),
        a_unit("U", "red", "infantry", 22, 16, 180),
    )
    do(game, "end")
    advice = {o.target: o.advice for o in game.options() if isinstance(o.action, Fire)}
    assert "target 1 of 3 by priority" in advice["S"] and "2 of 3 by hits to expect (2.50)" in advice["S"]
    assert "target 2 of 3 by priority" in advice["T"] and "1 of 3 by hits to expect (7.00)" in advice["T"]
    assert "target 3 of 3 by priority" in advice["U"] and "3 of 3 by hits to expect" in advice["U"]


# --- ties, exits, objectives -----------------------------------------------------------------------------------------

FORT = Objective("fort", "the fort", ((8.0, 28.0), (12.0, 28.0), (12.0, 32.0), (8.0, 32.0)))


def test_tied_units_stay_within_their_distance_of_the_objective() -> None:
    game = begun(
        a_unit("A", "blue", "tank", 30, 4, bases=1),
        a_unit("T", "red", "tank", 10, 20, 180, bases=1),
        a_unit("U", "red", "tank", 20, 20, 180, bases=1),
        objectives=(FORT,),
        ties=(Tie("fort", ("T",), 12.0),),
    )
    do(game, "end; end; end; end")
    do(game, "move T", 5, 5, 5)
    assert codes(game, "place T at 10,15.1 facing 180") == set()  # its rear is exactly 12 inches from the outline
    assert codes(game, "place T at 10,15.09 facing 180") == {"tied"}
    do(game, "stay T")
    do(game, "move U", 5, 5, 5)
    assert codes(game, "place U at 20,5 facing 180") == set()


def test_tied_units_are_deployed_within_their_distance_too() -> None:
    setup = scenarios.find("static-defence").setup
    game = Game.new(RULES, setup)
    assert "tied" in codes(game, "deploy R1 at 30,33 facing 180")
    assert codes(game, "deploy R1 at 7,19 facing 180") == set()
    assert "tied" not in codes(game, "deploy R2 at 30,32 facing 180"), "it is tied to nothing"


def test_an_exit_is_for_its_side_and_needs_every_base_to_get_there() -> None:
    north = Exit("north", "blue", "the north road", (8.0, 36.0), (12.0, 36.0))
    game = begun(
        a_unit("A", "blue", "tank", 10, 28, bases=1),
        a_unit("B", "blue", "tank", 24, 30, bases=1),
        a_unit("T", "red", "tank", 10, 4, bases=1),
        exits=(north,),
    )
    do(game, "end")
    do(game, "move A", 2, 2, 2)  # 8 inches
    assert codes(game, "leave A by north") == set()
    do(game, "leave A by north")
    assert game.state.why_off == {"A": "exited"}
    do(game, "move B", 3, 3, 3)  # 11 inches, and 12 to the side
    assert codes(game, "leave B by north") == {"too-far"}
    nowhere = game.check(Leave("B", "south"))
    assert {v.code for v in nowhere} == {"no-exit"}


def test_threatened_tanks_leave_with_4_inches_less() -> None:
    north = Exit("north", "blue", "the north road", (8.0, 36.0), (12.0, 36.0))
    enemy = a_unit("T", "red", "infantry", 13.5, 28, 180, bases=1)
    game = begun(a_unit("A", "blue", "tank", 10, 28, bases=1), enemy, exits=(north,))
    do(game, "end")
    do(game, "move A", 3, 3, 3)
    assert game.records[-1].body["total_in"] == 11
    game.pop(referee=True)
    do(game, "correct T at 12,28 facing 180")
    do(game, "move A", 3, 3, 3)
    assert game.records[-1].body["total_in"] == 7
    assert codes(game, "leave A by north") == {"too-far"}


# --- the bundled scenarios -------------------------------------------------------------------------------------------


def scenario(word: str) -> Game:
    game = Game.new(RULES, scenarios.find(word).setup)
    if game.state.undeployed:
        for n, (x, y) in enumerate(((5, 5), (14, 5), (4, 2), (11, 2), (18, 2), (25, 2)), 1):
            do(game, f"deploy B{n} at {x},{y} facing 0")
            do(game, f"deploy R{n} at {36 - x},{36 - y} facing 180")
    do(game, "begin")
    return game


def full_turn(game: Game) -> None:
    turn = game.state.turn
    while game.outcome is None and game.state.turn == turn:
        do(game, "end")


def at_turn(game: Game, turn: int) -> None:
    while game.state.turn < turn:
        full_turn(game)
        assert game.outcome is None


def lift(game: Game, *units: str) -> None:
    for unit in units:
        do(game, f"correct {unit} off")


def test_flank_attack_starts_as_the_report_says() -> None:
    game = scenario("6")
    assert not any(u.dug_in or u.ready for u in game.state.units)
    assert sorted(u.kind for u in game.state.units if u.side == "blue") == [
        "infantry", "mortar-tank", "tank", "tank", "tank", "tank",
    ]  # fmt: skip
    ranges = game.state.situation.ranges.value.reshape(12, 12)
    index = game.state.situation.index
    assert ranges[index["B1"], index["R1"]] == pytest.approx(8.0, abs=0.01)


def leave(game: Game, *units: str) -> None:
    """Take units to the road's end and off the table, in blue's Actions step."""
    while game.state.step != "actions" or game.state.side != "blue":
        do(game, "end")
    for unit in units:
        width = game.state.unit(unit).bases.width[0]
        do(game, f"correct {unit} bases 11.9,34,0 {11.9 - width - 0.1},34,0 {11.9 + width + 0.1},34,0")
        do(game, f"move {unit}", *[2] * MOVE_DICE[game.state.unit(unit).kind])
        do(game, f"leave {unit} by road-out")


@pytest.mark.slow
@pytest.mark.parametrize(("turn", "count", "winner"), [(1, 3, "blue"), (15, 3, "blue"), (15, 2, "red"), (15, 0, "red")])
def test_flank_attack_is_won_by_three_units_off_by_the_road_in_15_turns(turn: int, count: int, winner: str) -> None:
    game = scenario("6")
    lift(game, "R1", "R2")
    at_turn(game, turn)
    leave(game, *("B2", "B3", "B6")[:count])
    assert game.outcome is None, "judged at the end of the full turn"
    full_turn(game)
    assert game.outcome is not None
    assert (game.outcome.winner, game.state.turn) == (winner, turn)


@pytest.mark.slow
def test_flank_attack_goes_on_with_two_units_off() -> None:
    game = scenario("6")
    lift(game, "R1", "R2")
    leave(game, "B2", "B3")
    full_turn(game)
    assert game.outcome is None
    leave(game, "B4")
    full_turn(game)
    assert game.outcome.winner == "blue"


@pytest.mark.parametrize(
    ("blue", "red", "winner"),
    [((18, 18), None, "blue"), (None, (18, 18), "red"), ((18, 18), (15.5, 21), None), (None, None, None)],
)
def test_melee_is_won_by_the_hill_after_15_turns(
    blue: tuple[float, float] | None, red: tuple[float, float] | None, winner: str | None
) -> None:
    game = scenario("8")
    for unit, place, facing in (("B1", blue, 0), ("R1", red, 180)):
        if place is not None:
            do(game, f"correct {unit} at {place[0]},{place[1]} facing {facing}")
    at_turn(game, 15)
    assert game.outcome is None
    full_turn(game)
    assert game.outcome is not None
    assert (game.outcome.winner, game.state.turn) == (winner, 15)


@pytest.mark.parametrize(("losses", "winner"), [("RRR", ""), ("RRRR", "blue"), ("BBBB", "red"), ("RRRRBBBB", "draw")])
def test_melee_is_won_by_four_units_destroyed(losses: str, winner: str) -> None:
    game = scenario("8")
    for n, side in enumerate(losses):
        do(game, f"correct {side}{n % 4 + 1} hits 15")
    full_turn(game)
    if not winner:
        assert game.outcome is None
    else:
        assert game.outcome.winner == (None if winner == "draw" else winner)


def test_static_defence_starts_prepared() -> None:
    game = scenario("14")
    red = {u.id: u for u in game.state.units if u.side == "red"}
    assert {u.id for u in red.values() if u.dug_in} == {u.id for u in red.values() if u.kind != "tank"}
    assert {u.id for u in red.values() if u.ready} == {u.id for u in red.values() if u.kind != "mortar"}
    assert not any(u.dug_in or u.ready for u in game.state.units if u.side == "blue")


@pytest.mark.parametrize("goal", ["town", "hill"])
def test_static_defence_is_won_at_once_by_either_objective(goal: str) -> None:
    game = scenario("14")
    at_turn(game, 3)
    if goal == "town":
        do(game, "correct R4 hits 15")
        do(game, "correct B1 at 26,22 facing 0")
    else:
        do(game, "correct R2 hits 15")
        do(game, "correct B2 at 8,26 facing 0")
    full_turn(game)
    assert game.outcome is not None
    assert (game.outcome.winner, game.state.turn) == ("blue", 3)


def test_static_defence_is_contested_while_a_defender_stands_there_and_red_wins_after_15_turns() -> None:
    game = scenario("14")
    do(game, "correct B2 at 8,29.5 facing 0")
    full_turn(game)
    assert game.outcome is None
    assert dict(game.state.holders)["hill"] is None
    do(game, "correct B2 at 4,4 facing 0")
    at_turn(game, 15)
    full_turn(game)
    assert game.outcome.winner == "red"


def test_a_side_without_units_loses_unless_its_aim_is_reached() -> None:
    game = scenario("6")
    leave_first = scenario("6")
    lift(game, "B1", "B2", "B3", "B4", "B5", "B6")
    full_turn(game)
    assert game.outcome.winner == "red"
    lift(leave_first, "R1", "R2")
    leave(leave_first, "B2", "B3", "B4")
    lift(leave_first, "B1", "B5", "B6")
    full_turn(leave_first)
    assert leave_first.outcome.winner == "blue"


def test_victories_count_only_their_own_exit() -> None:
    doors = tuple(Exit(n, "blue", n, (x, 36.0), (x + 6.0, 36.0)) for n, x in (("west", 6.0), ("east", 22.0)))
    game = begun(
        a_unit("A", "blue", "tank", 24, 33, bases=1),
        a_unit("B", "blue", "tank", 10, 33, bases=1),
        a_unit("C", "blue", "tank", 4, 4, bases=1),
        a_unit("T", "red", "tank", 32, 4, bases=1),
        exits=doors,
        victories=(Victory("blue", "exit", units=1, exit="west"),),
    )
    do(game, "end")
    do(game, "move A", 2, 2, 2)
    do(game, "leave A by east")
    full_turn(game)
    assert game.outcome is None
    do(game, "end")
    do(game, "move B", 2, 2, 2)
    do(game, "leave B by west")
    full_turn(game)
    assert game.outcome.winner == "blue"


@pytest.mark.slow
def test_corrections_put_markers_and_places_right_and_nothing_else() -> None:
    game = duel("tank", "infantry", 8, t_hits=3)
    before = game.state.unit("T")
    game.push(Correct("T", at=standings_of(replace(before.bases, facing=before.bases.facing + 5))))
    after = game.state.unit("T")
    assert (after.hits, after.dug_in, after.ready) == (3, False, False)
    assert after.bases.facing[0] == pytest.approx(185.0)
