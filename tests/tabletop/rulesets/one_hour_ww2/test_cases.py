"""Cases of One-Hour WWII in play: odds reckoned apart, house rules, ties and the bundled scenarios."""

import itertools
import random
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest

from tabletop.game import Game
from tabletop.open_table.setup import Shape, TerrainPiece
from tabletop.rulesets.one_hour_ww2.actions import Fire, Place
from tabletop.rulesets.one_hour_ww2.data import KINDS, HouseRules
from tabletop.rulesets.one_hour_ww2.modifiers import Circumstances, modifiers
from tabletop.rulesets.one_hour_ww2.odds import distribution
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.poses import Poses, may_stand
from tabletop.rulesets.one_hour_ww2.setup import Exit, Objective, Setup, Standing, Tie, UnitSetup, Victory
from tabletop.starting import scenarios
from tests.reference import one_hour_odds as plain
from tests.support.one_hour_games import a_unit, area, begun, codes, do, face_off, full_turn, y_beyond


def duel(firer: str, target: str, gap: float, **more: object) -> Game:
    """A face-off of units of one base each unless said otherwise."""
    return face_off(firer, target, gap, **{"a_bases": 1, "t_bases": 1} | more)


def assert_same(found: Mapping[int, object], expected: Mapping[int, Fraction], what: object) -> None:
    assert set(found) == set(expected), what
    assert all(abs(float(found[n]) - float(expected[n])) < 1e-12 for n in expected), what  # type: ignore[arg-type]


@pytest.mark.parametrize("firer", KINDS)
def test_odds_of_every_shot_under_all_circumstances(firer: str) -> None:
    facts = [fact for fact in plain.facts("d6") if fact.firer == firer and fact.hits in (0, 5, 10)]
    assert len(facts) == len(KINDS) * len(plain.bands(firer)) * 3 * 64
    for fact in facts[::5]:  # 64 circumstances: with a step that is prime to them all occur
        case = Circumstances(fact.band, fact.to_rear, fact.on_rear, fact.woods, fact.town, fact.hill_top)
        chosen = modifiers(KINDS[firer], KINDS[fact.target], fact.hits, fact.dug_in, case, HouseRules())
        assert distribution("d6", chosen) == plain.chances(fact), fact


GAPS = {"close": 3.0, "normal": 9.0, "long": 20.0}


def laid_out(fact: plain.Fact) -> Game:
    """A table on which a fact holds."""
    y = y_beyond(fact.firer, fact.target, GAPS[fact.band])
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


def test_odds_and_hits_of_shots_laid_out_on_the_table() -> None:
    rng = random.Random(7)
    every = [fact for dice in ("d5", "d6") for fact in plain.facts(dice)]
    for fact in rng.sample(every, 40):
        game = laid_out(fact)
        odds = game.odds(Fire("A", "T"))
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
        assert_same(odds.chances, expected, (kind, dug_in))


def test_golden_second_stand_of_the_garrison_sees_nothing() -> None:
    """Two stands to two stands: one that is more than 4 inches off is not enough (the report of scenario 14)."""
    town = area("t", "town", 5, 12.0, 20, 20)
    shapes = (Shape("rect", 1.6, 1.0),) * 2
    garrison = UnitSetup("T", "red", "infantry", shapes, at=(Standing(10, 13, 180), Standing(12, 14.2, 180)))
    game = begun(a_unit("A", "blue", "tank", 10, 8.3), garrison)
    do(game, "end")
    assert codes(game, "fire A at T") == set()
    game = begun(a_unit("A", "blue", "tank", 10, 8.3), garrison, terrain=(town,))
    do(game, "end")
    assert codes(game, "fire A at T") == {"no-sight"}


def test_house_rule_destroyed_at() -> None:
    for at, alive in ((15, False), (16, True)):
        game = duel("tank", "tank", 9, t_hits=8, rules=HouseRules(destroyed_at=at))
        do(game, "fire A at T", 5)
        assert (game.state.unit("T") is not None) is alive


@pytest.mark.parametrize(
    ("rules", "target", "gap", "dug_in", "hits"),
    [
        (HouseRules(close_in=4.0), "tank", 3, False, 14),
        (HouseRules(close_in=2.0), "tank", 3, False, 7),
        (HouseRules(long_range="half"), "infantry", 20, False, 2),
        (HouseRules(long_range="minus two"), "infantry", 20, False, 3),
        (HouseRules(long_range="minus two"), "infantry", 20, True, 1),  # (5 - 2) x 1/2
    ],
)
def test_house_rules_on_close_and_long_range(
    rules: HouseRules, target: str, gap: float, dug_in: bool, hits: int
) -> None:
    game = duel("tank", target, gap, rules=rules, t_dug_in=dug_in)
    do(game, "fire A at T", 5)
    assert game.records[-1].body["hits"] == hits


def test_house_rule_concealed_in() -> None:
    for limit, expected in ((12.0, {"no-sight"}), (20.0, set())):
        game = duel("tank", "infantry", 16, rules=HouseRules(concealed_in=limit), t_dug_in=True, t_ready=True)
        assert codes(game, "fire A at T") == expected


def test_house_rule_area_sight_in() -> None:
    for limit, expected in ((4.0, {"no-sight"}), (6.0, set())):
        y = y_beyond("tank", "infantry", 5)
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


@pytest.mark.parametrize(("facing", "y"), [(180.0, 8.65), (0.0, 8.4), (90.0, 7.95)])
def test_house_rule_wood_edge_front(facing: float, y: float) -> None:
    """The front edge is on the outline or outside it: backed into the trees, facing them, along them."""
    wood = area("w", "woods", 0, {180.0: 8.05, 0.0: 9.0, 90.0: 8.65}[facing], 36, 16)
    game = duel("atg", "infantry", 24, a_bases=1, terrain=(wood,), rules=HouseRules(wood_edge_front=True))
    do(game, "move A", 5)  # 7 inches, 3 in woods
    assert codes(game, f"place A at 10,{y} facing {facing:g}") == set()
    assert codes(game, f"place A at 10,{y + 0.01} facing {facing:g}") == {"ground"}
    state, unit = game.state, game.state.unit("A")
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
    ranks = {"S": (1, 2), "T": (2, 1), "U": (3, 3)}
    for target, (by_rules, by_hits) in ranks.items():
        assert f"priority {by_rules} of 3, expected hits {by_hits} of 3 (" in advice[target]


FORT = Objective("fort", "the fort", ((8.0, 28.0), (12.0, 28.0), (12.0, 32.0), (8.0, 32.0)))


def test_tied_units_are_deployed_within_their_distance_too() -> None:
    setup = scenarios.find("static-defence").setup
    game = Game.new(RULES, setup)
    assert "tied" in codes(game, "deploy R1 at 30,33 facing 180")
    assert codes(game, "deploy R1 at 7,19 facing 180") == set()
    assert "tied" not in codes(game, "deploy R2 at 30,32 facing 180"), "it is tied to nothing"


def scenario(word: str) -> Game:
    game = Game.new(RULES, scenarios.find(word).setup)
    if game.state.undeployed:
        for n, (x, y) in enumerate(((5, 5), (14, 5), (4, 2), (11, 2), (18, 2), (25, 2)), 1):
            do(game, f"deploy B{n} at {x},{y} facing 0")
            do(game, f"deploy R{n} at {36 - x},{36 - y} facing 180")
    do(game, "begin")
    return game


def at_turn(game: Game, turn: int) -> None:
    while game.state.turn < turn:
        full_turn(game)
        assert game.outcome is None


def lift(game: Game, *units: str) -> None:
    for unit in units:
        do(game, f"correct {unit} off")


def leave(game: Game, *units: str) -> None:
    """Take units to the road's end and off the table, in blue's Actions step."""
    while game.state.step != "actions" or game.state.side != "blue":
        do(game, "end")
    for unit in units:
        width = game.state.unit(unit).bases.width[0]
        do(game, f"correct {unit} bases 11.9,34,0 {11.9 - width - 0.1},34,0 {11.9 + width + 0.1},34,0")
        do(game, f"move {unit}", *[2] * MOVE_DICE[game.state.unit(unit).kind])
        do(game, f"leave {unit} by road-out")


@pytest.mark.parametrize(("turn", "count", "winner"), [(1, 3, "blue"), (15, 3, "blue"), (15, 2, "red")])
def test_flank_attack_is_won_by_three_units_off_by_the_road_in_15_turns(turn: int, count: int, winner: str) -> None:
    game = scenario("6")
    lift(game, "R1", "R2")
    at_turn(game, turn)
    leave(game, *("B2", "B3", "B6")[:count])
    assert game.outcome is None, "judged at the end of the full turn"
    full_turn(game)
    assert (game.outcome.winner, game.state.turn) == (winner, turn)


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
