"""The computer players and their hints: legal, the same for the same seed, bounded, saying why."""

import random

import pytest

from tabletop.game.computers import choose
from tabletop.game.hints import Advice
from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.compact import Frame, Position
from tabletop.rulesets.ww2_combined_arms.data import KINDS, VALUES
from tabletop.rulesets.ww2_combined_arms.hints import advice, hint
from tabletop.rulesets.ww2_combined_arms.planning import EFFORTS, STRONG, Planner
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.setup import Setup
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.rulesets.ww2_combined_arms.turn_search import Search
from tests.support.ww2_combined_arms_games import after, begun, crowded, placed, said, small_setup, standing, states_of

LEVELS = ("simple", "medium", "strong")


def played_out(state: State, levels: dict[str, str], seed: int) -> State:
    """A game played to its end by computers."""
    rng = random.Random(seed)
    while state.result is None:
        side = RULES.to_act(state) or ""
        choice = choose(RULES, state, side, levels[side], rng)
        assert not RULES.check(state, choice.action)
        state = after(state, choice.action, RULES.dice(state, choice.action).roll(rng))
    return state


@pytest.mark.parametrize("level", LEVELS)
def test_every_choice_is_legal_in_small_games_with_all_optional_rules(level: str) -> None:
    seen: set[str] = set()
    for seed in range(12):
        rng = random.Random(seed)
        setup = small_setup(rng) if seed % 2 else crowded(small_setup(rng), rng)
        for state, _ in states_of(setup, seed, 40):
            if not state.turn or state.result is not None:
                continue
            side = RULES.to_act(state) or ""
            choice = choose(RULES, state, side, level, random.Random(1))
            assert not RULES.check(state, choice.action), (seed, choice)
            assert RULES.actor(state, choice.action) == side
            assert choice == choose(RULES, state, side, level, random.Random(1)), "the same seed chooses the same"
            seen.add(type(choice.action).__name__)
    assert seen >= {"Move", "Attack", "Retreat", "End"}


@pytest.mark.slow
@pytest.mark.parametrize("better", ["medium", "strong"])
def test_a_level_beats_the_simple_player_from_both_sides(better: str) -> None:
    """A game each way here; ``scripts/bench_ww2_computers.py`` plays hundreds."""
    for side, other in (("red", "blue"), ("blue", "red")):
        state = played_out(placed(("balanced", "balanced"), 1, turns=40), {side: better, other: "simple"}, 1)
        assert state.result is not None and state.result.winner == side


def test_strong_sees_the_reply_that_medium_does_not_plan() -> None:
    state = placed(("balanced", "armoured"), 1)
    for level, answers in (("medium", False), ("strong", True)):
        turn = Search(Frame(state), EFFORTS[level]).turn(Position.of(state), 0)
        assert (turn.reply is not None) == answers
        why = choose(RULES, state, "red", level, random.Random(0)).why
        assert ("Blue can" in why) == answers


def test_why_names_what_a_move_is_for_and_what_it_wins() -> None:
    units = "R9 hq a1, B9 hq h8, R1 engineers g8, R2 engineers h7, R3 engineers f7"
    state = standing(units)
    choice = choose(RULES, state, "red", STRONG, random.Random(0))
    assert choice.action == actions.Move("R3", "g7")
    assert choice.why == "R3 (engineers) goes to g7 to attack B9 (headquarters) with R1 and R2, which wins the game."
    ended = choose(RULES, said(state, "move R3 to g7", "end"), "red", STRONG, random.Random(0))
    assert isinstance(ended.action, actions.Attack) and ended.why.endswith("which wins the game.")


def test_a_plan_is_followed_and_made_anew_where_the_game_goes_another_way() -> None:
    planner = Planner(EFFORTS[STRONG])
    state = placed(("balanced", "armoured"), 2)
    plan = planner.plan(state, "red")
    assert len(plan.line) > 3 and planner.plan(state, "red") is plan
    following = after(state, plan.line[0])
    assert planner.plan(following, "red").line == plan.line[1:]
    other = after(state, actions.Move("R1", next(a.to for a in moves(state, "R1") if a != plan.line[0])))
    assert planner.plan(other, "red").line != plan.line


def moves(state: State, unit: str) -> list[actions.Move]:
    return [
        option.action
        for option in RULES.options(state)
        if isinstance(option.action, actions.Move) and option.action.unit == unit and not option.violations
    ]


def test_a_search_is_bounded_by_counts() -> None:
    state = placed(("balanced", "armoured"), 4)
    search = Search(Frame(state), EFFORTS[STRONG])
    search.turn(Position.of(state), 0)
    assert 200 < search.looked_at < 1.5 * EFFORTS[STRONG].positions


def test_a_hint_takes_the_headquarters_where_it_can() -> None:
    state = standing("R9 hq a1, B9 hq h8, R1 engineers g6, R2 engineers g7, R3 engineers h6, B1 general a8")
    state = said(state, "end")
    assert hint(state) is not None
    near = standing("R9 hq a1, B9 hq h8, R1 engineers f6, R2 engineers g7, R3 engineers h6, B1 general a8")
    for _ in range(12):
        if near.result is not None:
            break
        found = hint(near)
        assert found is not None
        near = after(near, found.action)
    assert near.result is not None and near.result.winner == "red"


def test_no_move_is_advised_where_the_attacks_win_already() -> None:
    units = "R9 hq a1, B9 hq h8, R1 engineers g8, R2 engineers h7, R4 general d2, R5 howitzers e2, B2 general d4"
    found = hint(standing(f"{units}, R3 engineers g7"))
    assert found is not None and found.plan.line == (actions.End(),)
    near = hint(standing(f"{units}, R3 engineers f7"))
    assert near is not None and near.plan.line == (actions.Move("R3", "g7"), actions.End())
    cities = standing("R9 hq a1, B9 hq h8, R1 general d4, R2 light-tanks e3, R4 general a3, B1 general c6",
                      city_squares=("d4", "e5"))  # fmt: skip
    city = hint(cities)
    assert city is not None and "e5" in {a.to for a in city.plan.line if isinstance(a, actions.Move)}


def test_every_type_of_unit_has_a_worth() -> None:
    assert VALUES.keys() == KINDS.keys()


def test_attacks_concentrate_on_what_can_be_driven_back() -> None:
    state = said(
        standing("R9 hq a1, B9 hq h8, R1 howitzers c3, R2 howitzers d3, R3 howitzers e3, B1 general d6, B2 at-guns e6"),
        "end",
    )
    found = hint(state)
    assert found is not None
    assert found.plan.line == (actions.Attack("R1", "B2"), actions.Attack("R2", "B2"), actions.Attack("R3", "B2"))
    alone = said(standing("R9 hq a1, B9 hq h8, R1 howitzers c3, B1 general d6"), "end")
    assert hint(alone).action == actions.End()  # type: ignore[union-attr]


def test_a_unit_that_must_retreat_goes_out_of_reach() -> None:
    state = said(
        standing("R9 hq a1, B9 hq h8, R1 howitzers c4, R2 howitzers d4, R3 howitzers e4, R4 medium-tanks b6,"
                 " B1 light-tanks d6"),
        "end", "attack R1 at B1", "attack R2 at B1", "attack R3 at B1",
    )  # fmt: skip
    found = hint(state)
    assert found is not None and isinstance(found.action, actions.Retreat)
    assert found.action.to in ("e6", "e7")


def test_a_hint_says_how_far_it_looked_and_why() -> None:
    state = placed(("balanced", "armoured"), 1)
    found = hint(state)
    assert found is not None
    assert found.plan.looked_at > 200
    assert (
        "looking ahead through this turn and the enemy's reply" in found.words
        and str(found.plan.looked_at) in found.words
    )
    given = advice(state)
    assert isinstance(given, Advice)
    assert given.line[0] == RULES.text(found.action) and found.plan.why in given.says and given.says.endswith(".")
    fight = hint(said(state, "end"))
    assert fight is not None and "through this phase" in fight.words
    assert advice(begun(Setup())) is None
