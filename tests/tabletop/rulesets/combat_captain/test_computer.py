"""The strong player of Combat Captain: legal, its side's own, with a reason for all that it does, no farther than it
pays for, and for the goal of its scenario."""

import math
import random
from dataclasses import replace

import pytest

from tabletop.game import Game
from tabletop.game.computers import Choice, choose, reaction
from tabletop.game.hints import advice
from tabletop.game.selfplay import play
from tabletop.rulesets.combat_captain import actions
from tabletop.rulesets.combat_captain.fire_plan import FirePlan
from tabletop.rulesets.combat_captain.goals import is_met, won_by
from tabletop.rulesets.combat_captain.manoeuvre import PACE_IN
from tabletop.rulesets.combat_captain.play import RULES
from tabletop.rulesets.combat_captain.setup import Goal, Standing, TerrainPiece
from tabletop.rulesets.combat_captain.state import State
from tabletop.starting.scenarios import find
from tests.support.combat_captain_games import a_company, a_sub, begun, do, fight_out, meeting, random_setup
from tests.support.ruleset_contract import after

SEEDS = (0, 3, 6, 10, 11, 20, 24)
"""Small games in which the strong player does all that it does."""


def strong(state: State, side: str = "", seed: int = 1) -> Choice:
    return choose(RULES, state, side or RULES.to_act(state) or "", "strong", random.Random(seed))


def next_choice(state: State, rng: random.Random) -> tuple[str, Choice]:
    """What is done next where the strong player has both sides, and whose it is."""
    side = RULES.to_act(state) or ""
    other = state.setup.other(side)
    found = reaction(RULES, state, other, "strong", rng)
    return (other, found) if found is not None else (side, choose(RULES, state, side, "strong", rng))


def judge(state: State, side: str, choice: Choice) -> None:
    """Fails on what is not legal, not its side's to do, without a sentence, or farther than it paid for."""
    action = choice.action
    assert not RULES.check(state, action) and choice.why.endswith(".")
    assert RULES.actor(state, action) in (side, "referee") or isinstance(action, actions.Assault | actions.Put)
    if isinstance(action, actions.Put) and state.step == "activations":
        company = state.company(action.unit).id
        for place in action.placements:
            was, now = state.stands[place.unit].at, place.at
            assert was is not None and isinstance(now, Standing) and state.company(place.unit).id == company
            assert math.dist((was.x, was.y), (now.x, now.y)) <= PACE_IN * state.spent[company] + 0.02


def test_all_that_it_does_in_small_games_is_legal_its_own_and_has_a_reason() -> None:
    kinds = set()
    for seed in SEEDS:
        rng = random.Random(seed)
        state = Game.new(RULES, random_setup(rng)).state
        for _ in range(400):
            if RULES.outcome(state) is not None:
                break
            side, choice = next_choice(state, rng)
            judge(state, side, choice)
            assert not isinstance(choice.action, actions.Concede)
            kinds.add(type(choice.action).__name__)
            state = after(RULES, state, choice.action, rng)
            assert not RULES.invariant_violations(state)
        assert RULES.outcome(state) is not None
    needed = "Put Begin Fire Spend Save Assault Melee Retreat Settle TryEvent End"
    assert kinds >= set(needed.split())


def test_two_tables_alike_have_the_same_choice_and_it_is_the_hint() -> None:
    games = [ridge(8.0) for _ in range(2)]
    first, second = (strong(game.state) for game in games)
    assert first == second
    found = advice(games[0])
    assert found is not None and found.action == RULES.action_to_json(first.action) and found.says.endswith(first.why)


def test_it_shares_its_fire_out_where_all_at_once_is_too_much() -> None:
    """Six machine guns near two squads in the open: three points of ten would do nothing more to one of them."""
    guns = [a_sub(f"A{n}", "machine-gun", 10 + 2 * n, 10) for n in range(1, 7)]
    squads = [a_sub(f"B{n}", "rifles", 12 + 5 * n, 18, 180.0) for n in (1, 2)]
    game = begun(a_company("A", "red", guns), a_company("B", "blue", squads))
    fire = strong(game.state).action
    assert isinstance(fire, actions.Fire) and fire.dice == 1 and 1 <= len(fire.firers) < 6
    plan = FirePlan(game.state, "red")
    one_by_one = plan.turn({"A": 3})[0]
    at_once = sum(group.worth for group in plan.groups("A", 3, {}))
    assert one_by_one > at_once > 0


def test_guns_that_armour_lowers_fire_all_their_dice_at_once() -> None:
    tanks = [a_sub(f"A{n}", "tank", 10 + 3 * n, 10) for n in range(1, 4)]
    target = a_sub("B1", "tank", 16, 32, 180.0, armour="superior")
    game = begun(a_company("A", "red", tanks), a_company("B", "blue", [target]))
    fire = FirePlan(game.state, "red").best("A")[0]
    assert (fire.dice, len(fire.guns)) == (3, 3)


def ridge(y: float, **more: object) -> Game:
    """Red wants two tanks on a ridge at 20 to 24; they stand at that depth."""
    tanks = [a_sub(f"A{n}", "tank", 10 + 4 * n, y) for n in (1, 2)]
    hill = TerrainPiece("ridge", "hill", ((5, 20), (30, 20), (30, 24), (5, 24)), height=1.0)
    return begun(
        a_company("A", "red", tanks),
        a_company("B", "blue", [a_sub("B1", "rifles", 40, 44, 180.0)]),
        terrain=(hill,),
        goals=(Goal("red", hold="ridge", kind="tank", count=2),),
        **more,
    )


def test_it_goes_to_the_ground_that_it_is_to_hold() -> None:
    game = ridge(8.0)
    spends = strong(game.state)
    assert isinstance(spends.action, actions.Spend) and "towards the ridge" in spends.why
    game.push(spends.action)
    put = strong(game.state).action
    assert isinstance(put, actions.Put) and isinstance(put.at, Standing) and put.at.y > 8.0


@pytest.mark.parametrize(("off", "beside"), [(0.2, "rifles"), (1.0, "machine-gun"), (4.0, "rifles")])
def test_it_stays_on_ground_that_the_enemy_would_win_by_clearing(off: float, beside: str) -> None:
    """A stand a little off the ground steps on it before its company fires."""
    own = [a_sub("B1", "rifles", 24, 30.5 + off, 180.0), a_sub("B2", beside, 30, 34, 180.0)]  # type: ignore[arg-type]
    foes = [a_sub(f"A{n}", "rifles", 18 + 3 * n, 12) for n in range(1, 5)]
    goal = Goal("red", (24.0, 24.0), 6.0)
    companies = (a_company("A", "red", foes), a_company("B", "blue", own))
    game = begun(*companies, goals=(goal,), turns=6, otherwise="blue")
    do(game, "end; end; end")
    while game.state.step == "activations":
        game.push(strong(game.state, "blue").action, rng=random.Random(2))
    assert not is_met(game.state, goal)


def test_a_goal_that_is_met_is_said_when_the_turn_has_ended_and_not_before() -> None:
    game = ridge(22.0, turns=2)
    assert won_by(game.state, "red") == "2 tanks are on the ridge." and won_by(game.state, "blue") == ""
    assert not isinstance(strong(game.state).action, actions.Declare)
    do(game, "end; end; end")
    assert reaction(RULES, game.state, "red", "strong", random.Random(1)) is None
    do(game, "end; end; end")
    assert strong(game.state).action == actions.Declare("red", "2 tanks are on the ridge.")
    do(game, "end; end; end; end; end")
    found = reaction(RULES, game.state, "red", "strong", random.Random(1))
    assert found is not None and isinstance(found.action, actions.Declare), "the last turn is about to end"
    game.push(found.action)
    assert game.outcome is not None and game.outcome.winner == "red"


def test_ground_is_clear_of_who_can_fight_with_any_point_of_the_stand() -> None:
    goal = Goal("red", (20.0, 20.0), 6.0)
    for far, kind, clear in ((6.6, "rifles", True), (6.4, "rifles", False), (2.0, "vehicle", True)):
        more = {"armed": False} if kind == "vehicle" else {}
        other = a_sub("B1", kind, 20, 20 + far, 180.0, **more)  # type: ignore[arg-type]
        game = begun(a_company("A", "red", [a_sub("A1", "rifles", 20, 10)]), a_company("B", "blue", [other]))
        assert is_met(game.state, goal) is clear
    unsure = replace(other, kind="rifles", men=4, at=Standing(20, 26.6, 180.0, (0.04, 0.0, 0.04)))
    game = begun(a_company("A", "red", [a_sub("A1", "rifles", 20, 10)]), a_company("B", "blue", [unsure]))
    assert not is_met(game.state, goal), "too close to call"


@pytest.mark.parametrize("level", ["simple", "strong"])
def test_a_beaten_company_is_put_back_by_its_own_side_before_the_combat_is_settled(level: str) -> None:
    game = meeting((a_sub("A1", "rifles", 20, 19),), (a_sub("B1", "rifles", 20, 20, 180.0),))
    fight_out(game, (5, 3), 1, 2, 3, 4)
    assert reaction(RULES, game.state, "red", level, random.Random(1)) is None
    found = reaction(RULES, game.state, "blue", level, random.Random(1))
    assert found is not None and isinstance(found.action, actions.Put) and found.action.unit == "B1"
    game.push(found.action)
    assert strong(game.state).action == actions.Settle()


def test_planes_strike_enemies_alone() -> None:
    """A tape goes along the enemy's row and clear of the own company; a bomb is for the tank."""
    row = [a_sub(f"B{n}", "rifles", 12 + 3 * n, 30, 180.0) for n in range(1, 5)]
    tank = a_sub("B5", "tank", 40, 40, 180.0)
    game = begun(a_company("A", "red", [a_sub("A1", "rifles", 18, 10)]), a_company("B", "blue", [*row, tank]))
    do(game, "end; end; event", 5, 6)
    do(game, "arrive", 1)
    strafe = strong(game.state)
    assert isinstance(strafe.action, actions.Strafe) and "B1, B2, B3 and B4" in strafe.why
    game.push(strafe.action)
    assert set(game.state.support.crossed) == {"B1", "B2", "B3", "B4"}
    game = begun(a_company("A", "red", [a_sub("A1", "rifles", 18, 10)]), a_company("B", "blue", [*row, tank]))
    do(game, "end; end; event", 6, 6)
    do(game, "arrive", 1)
    assert strong(game.state).action == actions.Bomb("B5")


@pytest.mark.slow
def test_it_beats_the_simple_player_whichever_side_it_has() -> None:
    setup = find("crossroads", "combat-captain").setup
    for side, other in (("blue", "red"), ("red", "blue")):
        assert play(RULES, setup, {side: "strong", other: "simple"}, 7).winner == side
