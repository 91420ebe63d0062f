"""The computer players of Combat: legal, by what their side sees alone, with a reason, strong better than simple."""

import random
from fractions import Fraction

import pytest

from tabletop.game.computers import Choice, choose, levels_of
from tabletop.game.selfplay import play
from tabletop.rulesets.combat import actions, firing, moving
from tabletop.rulesets.combat.data import NAME, SIDES
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.setup import Objective
from tabletop.rulesets.combat.state import State
from tabletop.starting.scenarios import find
from tests.support.combat_games import OPEN, begun, done, ground, later, on, rolled, small_setup, standing


def wanted(state: State, seed: int = 1) -> tuple[str, str]:
    """What the strong player does for the side whose turn it is, and why."""
    choice = chosen(state, seed)
    return RULES.text(choice.action), choice.why


def chosen(state: State, seed: int = 1, level: str = "strong") -> Choice:
    return choose(RULES, state, RULES.to_act(state) or "", level, random.Random(seed))


@pytest.mark.parametrize("seed", range(4))
def test_all_that_it_does_is_legal_its_own_and_has_a_reason(seed: int) -> None:
    """Small battlefields with all periods, profiles and house rules, to the end."""
    rng = random.Random(seed)
    state = begun(small_setup(rng))
    while RULES.outcome(state) is None:
        side = RULES.to_act(state) or ""
        choice = chosen(state, seed)
        assert not RULES.check(state, choice.action) and choice.why.endswith(".")
        assert RULES.actor(state, choice.action).startswith(side) or isinstance(choice.action, actions.Toss)
        assert chosen(state, seed) == choice, "the same seed chooses the same"
        state = rolled(state, choice.action, rng)
        assert not RULES.invariant_violations(state)


def test_it_says_the_exact_odds_and_where_it_goes_on_to() -> None:
    state = later(standing(OPEN, {"RG1": "f4", "RT9": "a1", "BG1": "f9", "BG2": "f10", "BT1": "l12"}))
    words, why = wanted(state)
    assert words == "move RG1 to f5"
    assert why.startswith("From f5 RG1 destroys BG1 (gun) with a chance of 44%, and RG1 can go on to ")
    after = done(state, words)
    odds = RULES.odds(after, RULES.parse(after, "fire RG1 at BG1"))
    assert odds is not None and round(odds.also["destroyed"], 2) == Fraction(44, 100)
    assert wanted(after)[0] == "fire RG1 at BG1"


def test_it_leaves_a_place_that_many_fire_on() -> None:
    state = later(standing(on(OPEN, ground=ground({"woods": "e5 e6"})), {
        "RT1": "f6", "RT2": "a1", "BG1": "f12", "BG2": "k11", "BG3": "c12", "BG4": "j10"}))  # fmt: skip
    words, why = wanted(state)
    assert words.startswith("move RT1 to ")
    assert "can fire at RT1 where it stands" in why and "the chance to lose it falls from" in why


def test_it_takes_what_wins_at_once_and_shoots_who_would() -> None:
    goals = (Objective("road", "road", "blue", ("f9",), 1, "the main road"),
             Objective("mill", "place", "red", ("c3",), 1, "the mill"))  # fmt: skip
    setup = on(OPEN, objectives=goals)
    state = later(standing(setup, {"RT1": "f6", "RT2": "a4", "BG1": "l10", "BG2": "l11"}))
    assert wanted(state) == ("move RT1 to f9", "RT1 wins the battle for Red.") and planned(state) == "move RT1 to f9"
    state = later(standing(setup, {"RG1": "c1", "RT2": "l1", "BT1": "c5", "BT2": "g1"}))
    words, why = wanted(state)
    assert words == "fire RG1 at BT1" and "which could win the battle in its next turn" in why


def turn_of(state: State) -> list[str]:
    """What the strong player does in its turn, every card a hit that is not saved, up to what decides the battle."""
    side, found = RULES.to_act(state), list[str]()
    while state.result is None and RULES.to_act(state) == side and found[-1:] != ["end"]:
        choice = chosen(state)
        found.append(RULES.text(choice.action))
        state = done(state, found[-1], *[1] * RULES.dice(state, choice.action).count)
    return found


def test_the_poorest_shot_uses_up_the_last_miss_before_the_others_are_fired() -> None:
    pieces = {"RG1": "c4", "RG2": "f4", "RG3": "i4", "BT1": "c8", "BT2": "f8", "BT3": "l12"}
    state = later(standing(OPEN, pieces)).but(hits=0, misses=1)
    assert turn_of(state)[:3] == ["move RG3 to i5", "fire RG3 at BT2", "fire RG1 at BT1"]
    assert "uses up a poor card" in chosen(state).why
    assert not any(words.startswith("fire") for words in turn_of(state.but(misses=4))), "more misses than shots"


def test_it_fears_the_deck_that_is_shuffled_in_the_enemys_turn() -> None:
    guns = {f"BG{n}": f"{column}10" for n, column in enumerate("bdfhjl", 1)}
    state = later(standing(OPEN, {**{f"RT{n}": f"{column}3" for n, column in enumerate("bdfhjl", 1)}, **guns}))
    assert turn_of(state.but(hits=0, misses=1)) == turn_of(state.but(hits=24, misses=12))


def test_no_tank_goes_alone_into_the_fire_of_many_however_quiet_they_are() -> None:
    pieces = {"RT1": "f4", "RT2": "a1", "RT3": "l1", "BG1": "d10", "BG2": "e10", "BG3": "g10", "BG4": "h10"}
    assert "move RT1 to g3" in turn_of(later(standing(OPEN, pieces)).but(turn=12))


def test_it_goes_into_headquarters_that_two_enemies_could_enter() -> None:
    setup = on(OPEN, ground=ground({"woods": "f3 f4 c9 c10"}))
    pieces = {"RT1": "i1", "RG2": "a1", "RT3": "l1", "RT4": "k1", "BT1": "e7", "BT2": "g7", "BG1": "a11", "BG2": "l11"}
    state = later(standing(setup, pieces, headquarters=(("red", "f3"), ("blue", "c9")))).but(hits=0, misses=9)
    assert wanted(state) == (
        "move RT1 to f4",
        "RT1 leaves the enemy too little room in Red's headquarters, which would win the battle.",
    )


def test_it_gets_through_for_three_new_pieces_and_brings_them_on() -> None:
    state = later(standing(OPEN, {"RT1": "f10", "RT2": "a2", "BG1": "l3", "BG2": "l2"}))
    words, why = wanted(state)
    assert words.startswith("move RT1 to ") and words.endswith("12")
    assert why == "RT1 gets through to Blue's base line: 3 new pieces for one."
    assert wanted(done(state, words))[0].startswith("reinforce ")


@pytest.mark.parametrize("level", levels_of(NAME))
def test_it_knows_nothing_of_mines_that_the_enemy_hides(level: str) -> None:
    pieces = {"RT1": "f8", "RT2": "i8", "RT3": "d8", "BG1": "a11", "BG2": "l11"}
    twins = [
        later(standing(OPEN, pieces, mines=mines))
        for mines in (("f10", "f11"), ("g10", "c11"), ("e11", "h12"), ("e10", "g11"))
    ]
    for _ in range(6):
        found = {chosen(state, level=level) for state in twins}
        assert len(found) == 1
        action = found.pop().action
        dice = [1] * RULES.dice(twins[0], action).count
        twins = [done(state, RULES.text(action), *dice) for state in twins]
        twins = [state for state in twins if state.exploded == twins[-1].exploded]
        if len(twins) < 2 or twins[0].result is not None:
            break


def test_it_knows_nothing_of_the_enemy_before_the_boards_are_joined() -> None:
    """Blue deploys after Red has: whatever Red chose, and wherever it stands, Blue does the same."""
    found = []
    for seed in (1, 2, 3):
        state, rng = begun(find("first-skirmish", "combat").setup), random.Random(seed)
        while RULES.to_act(state) == "red":
            action = choose(RULES, state, "red", "simple", rng).action
            state = rolled(state, action, rng)
        done_by_blue = []
        while state.step == "deploy":
            choice = choose(RULES, state, "blue", "strong", random.Random(4))
            done_by_blue.append(choice)
            state = rolled(state, choice.action, rng)
        found.append(done_by_blue)
        assert "guns" not in " ".join(choice.why for choice in done_by_blue)
    assert found[0] == found[1] == found[2] and len(found[0]) >= 3


@pytest.mark.slow
def test_it_goes_for_an_enemy_who_does_nothing() -> None:
    state, rng, reasons = begun(find("blue-ridge", "combat").setup), random.Random(1), []
    while RULES.outcome(state) is None:
        side = RULES.to_act(state) or ""
        choice = choose(RULES, state, side, "strong" if side == "red" else "simple", rng)
        if side == "blue" and state.step == "play" and not state.pending:
            choice = Choice(actions.End())
        elif isinstance(choice.action, actions.Move):
            reasons.append(choice.why)
        state = rolled(state, choice.action, rng)
        assert state.turn < 25
    outcome = RULES.outcome(state)
    assert outcome is not None and outcome.winner == "red"
    assert any("closes up to the enemy, who has not fired for" in why for why in reasons)


def test_it_beats_the_simple_player_from_both_sides() -> None:
    """Quick games here; ``scripts/bench_one_hour_computer.py --rules combat`` plays all battlefields."""
    assert levels_of(NAME) == ("simple", "strong")
    won = 0
    for side in SIDES:
        players = {one: "strong" if one == side else "simple" for one in SIDES}
        won += sum(
            play(RULES, find("first-skirmish", "combat").setup, players, seed).winner == side for seed in range(3)
        )
    assert won >= 5


def planned(state: State, seed: int = 1) -> str:
    """The first thing that a simple player would do, of those that it may."""
    rng = random.Random(seed)
    return RULES.text(next(action for action in RULES.bot_actions(state, rng) if not RULES.check(state, action)))


def test_it_fires_the_shot_that_is_worth_most() -> None:
    setup = on(OPEN, ground=ground({"woods": "f10"}))
    state = later(standing(setup, {"RG1": "f6", "RT2": "a1", "BT1": "f10", "BT2": "b6", "BT3": "l12"}))
    assert planned(state) == "fire RG1 at BT2"


@pytest.mark.parametrize("column", ["c", "f", "g"])
def test_it_keeps_out_of_lines_of_fire_that_it_gains_nothing_by(column: str) -> None:
    state = later(standing(OPEN, {"RF1": f"{column}4", "RT5": "a1", "BG1": "f9", "BG2": "f10"}))
    words = planned(state)
    assert words.startswith("move RF1")
    after = done(state, words)
    fired_on = [p.id for p in after.armies[1] if after.by_id["RF1"] in firing.targets(after, p)]
    reached = [
        n for n in moving.ways(state, state.by_id["RF1"])
        if any(state.field.lines(p.at).get(n, 5) <= 4 for p in state.armies[1])
    ]  # fmt: skip
    assert not fired_on and reached


def test_no_two_of_its_deployments_are_alike() -> None:
    placed = set()
    for seed in range(3):
        rng, state = random.Random(seed), begun(find("blue-ridge", "combat").setup)
        while state.step == "deploy" and not state.ready[0]:
            action = next(a for a in RULES.bot_actions(state, rng) if not RULES.check(state, a))
            state = rolled(state, action, rng)
        assert all(state.field.behind(0, p.at) for p in state.armies[0]) and len(state.laid[0]) == 16
        placed.add((tuple(sorted(p.at for p in state.armies[0])), state.laid[0]))
    assert len(placed) == 3
