"""The rules' printed examples: figures 6 and 7, and the odds and the score of the sample game."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tabletop.game import Game
from tabletop.rulesets.combined_arms import actions, defender, firing
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NUMBER
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.reducer import platoons_with
from tabletop.rulesets.combined_arms.scoring import score, score_lines
from tabletop.rulesets.combined_arms.state import Counter, State, Tally
from tests.support.combined_arms_tables import do, game_at, in_fire, state_at

FIGURE_6 = {
    "platoons": {"F1": "4-4", "F3": "4-5", "F2": "3-4", "A2": "3-4 0"},
    "enemy": {"5-5": "real atg"},
    "board": {"5-5": "crest", "4-5": "woods"},
}
"""An enemy on a crest; beside it F1 in the open and F3 in woods; F2 and A2 behind, their line along the woods."""


def shot(state: State, unit: str, target: str) -> tuple[int, list[str]]:
    add = firing.modifiers(state, state.by_id[unit], NUMBER[target])
    return firing.total(add), [name for name, _ in add]


def chance(state: State, target: str, *units: str) -> Fraction:
    """The chance that a volley makes the target spent at least."""
    return firing.odds(in_fire(state), firing.volley(state, target, units)).also["spent"]


class TestFigure6:
    def test_support_fire_fails_and_costs_ammunition(self) -> None:
        game = game_at(**FIGURE_6, ammo=3)
        f2, a2 = do(game, "end", "fire F2 A2 at 5-5", dice=(3, 5))[-2:]
        assert (f2.score, f2.effect, f2.ammo) == (0, "none", 4)
        assert (a2.score, a2.effect, a2.ammo) == (1, "none", 4)

    def test_modifiers_of_both_and_guns_on_the_tanks(self) -> None:
        state = state_at(**FIGURE_6)
        assert shot(state, "F2", "5-5") == (-3, ["partly blocked", "range"])
        assert shot(state, "A2", "5-5") == (-4, ["partly blocked", "friends close to the target", "range"])
        at = NUMBER["5-5"]
        assert not defender.armour_shot(state, at, "A2", 4).broken
        assert defender.armour_shot(state, at, "A2", 4).score == 1
        assert defender.armour_shot(state, at, "A2", 5).broken

    def test_the_whole_company_under_fire(self) -> None:
        game = game_at(**FIGURE_6, losses=5)
        do(game, "end", "end")
        do(game, "defend", dice=(4,))
        assert game.state.pending is not None
        assert set(game.state.pending.hexes) == {NUMBER[name] for name in ("3-4", "4-4", "4-5")}
        (f2,) = do(game, "roll 3-4", dice=(5,))
        assert (f2.score, f2.spent, f2.losses, f2.track) == (3, ("F2",), 1, 6)
        f1, broke = do(game, "roll 4-4", dice=(2,))
        assert (f1.score, f1.losses, f1.track) == (2, 2, 0)
        assert (broke.unit, game.state.by_id["F1"].fate) == ("F1", "broken")
        (f3, *_) = do(game, "roll 4-5", dice=(2,))
        assert (f3.score, f3.hit) == (1, False)

    def test_f3_alone_next_turn(self) -> None:
        state = state_at(**FIGURE_6)
        odds = firing.odds(in_fire(state), firing.volley(state, "5-5", ("F3",)))
        assert odds.also["spent"] == Fraction(2, 3)
        assert odds.also["broken"] == Fraction(1, 3)


FIGURE_7 = {
    "platoons": {
        "D1": "3-7", "D2": "3-7", "D3": "4-7", "E1": "5-6", "A2": "4-6 5", "M1": "2-4", "M2": "2-4",
    },
    "enemy": {"5-11": "potential", "5-4": "spent potential"},
    "board": {"5-11": "woods", "5-4": "farm", "2-4": "wooded crest"},
    "smoke": ["4-10"],
}  # fmt: skip
"""Counters on the side edge see D3, the wheatfield with D1 and D2 along smoke, and E1; spent ones stand in a farm."""


class TestFigure7:
    def test_payoffs_of_the_cluster_and_a_side_shot_at_range_5_that_needs_a_6(self) -> None:
        state = state_at(**FIGURE_7)
        worth = defender.payoffs(state, NUMBER["5-11"])
        assert {name: worth[NUMBER[name]] for name in ("4-7", "3-7", "5-6")} == {"4-7": 4, "3-7": 4, "5-6": 2}
        found = defender.clusters(state, NUMBER["5-11"])
        assert found.payoff == 8
        assert set(found.best[0]) == {NUMBER["4-7"], NUMBER["3-7"]}
        assert defender.armour_chances(state, NUMBER["5-11"], state.by_id["A2"], guns=True) == 1
        assert "payoff 8" in defender.platoon_test(state, state.counters[NUMBER["5-11"]])
        assert defender.guns_test(state, state.counters[NUMBER["5-11"]]) == ""

    def game(self) -> Game:
        """The figure once smoke has come down: on one hex of the board alone, since two are beyond its edge."""
        game = game_at(**{**FIGURE_7, "smoke": []})
        do(game, "end", "call smoke 4-10", "end")
        (landed, *_) = do(game, "scatter", dice=(3,))
        assert landed.hexes == ("4-10",)
        if game.state.mortar_stage == "to roll":
            do(game, "defend", dice=(1,))
        return game

    def test_guns_beside_help_a_platoon_and_four_and_one_make_it_real(self) -> None:
        game = self.game()
        edge, *rest = do(game, "defend", dice=(4,))
        assert (edge.hex, edge.score, edge.real) == ("5-11", 5, True)
        assert game.state.counters[NUMBER["5-11"]].atg == "potential"
        engaged = next(e for e in rest if isinstance(e, ev.Engaged))
        assert (set(engaged.cluster), engaged.payoff) == ({"4-7", "3-7"}, 8)
        missed, hit, *_ = do(game, "roll 3-7 4-7", dice=(2, 5))
        assert (missed.hit, hit.score, hit.spent, hit.losses) == (False, 2, ("D3",), 1)
        assert game.state.by_id["A2"].fate == "board"

    def test_three_and_the_guns_are_not_enough(self) -> None:
        game = game_at({"D1": "4-4"}, {"5-4": "spent potential"}, {"5-4": "farm"})
        do(game, "end", "end")
        (farm, *_) = do(game, "defend", dice=(3,))
        assert (farm.hex, farm.score, farm.real) == ("5-4", 4, False)
        assert not game.state.enemy
        assert (game.state.tally.phantoms, game.state.tally.guns_false) == (1, 1)

    def test_machine_guns_hit_only_on_4_5_6_with_infantry_close_to_the_target(self) -> None:
        state = state_at({"M1": "2-4", "D1": "4-5"}, {"5-5": "potential"}, {"2-4": "wooded crest", "5-5": "farm"})
        assert shot(state, "M1", "5-5")[0] == -2
        assert chance(state, "5-5", "M1") == Fraction(1, 2)


class TestSampleGame:
    def test_turn_4_covering_fire(self) -> None:
        apart = state_at({"M2": "3-4", "A3": "3-5 0"}, {"5-6": "potential"}, {"5-6": "woods"}, enemy_mortar="2-4")
        assert chance(apart, "5-6", "M2", "A3") == Fraction(17, 18)
        close = state_at(
            {"M2": "3-4", "A3": "3-5 0", "E1": "5-7", "E2": "5-7", "E3": "2-4"}, {"5-6": "potential"},
            {"5-6": "woods", "2-4": "crest"}, enemy_mortar="2-5",
        )  # fmt: skip
        assert chance(close, "5-6", "M2", "A3") == Fraction(2, 3)
        assert chance(close, "5-6", "M2", "A3", "E3") == Fraction(7, 9)

    def test_turn_5_assault_by_one_and_by_two(self) -> None:
        state = state_at({"E1": "4-5", "E2": "4-6"}, {"5-6": "real"}, {"5-6": "woods"})
        for units, expected in ((("E1",), Fraction(1, 3)), (("E1", "E2"), Fraction(5, 9))):
            odds = firing.odds(in_fire(state), firing.volley(state, "5-6", units))
            assert odds.also["broken"] == expected

    def test_turn_15_tanks_alone_beside_a_platoon_and_guns_at_range_3_in_the_arc(self) -> None:
        state = state_at({"A2": "4-5 0"}, {"5-6": "real"}, {"5-6": "woods"})
        fails = 1 - chance(state, "5-6", "A2")
        close = Fraction(defender.armour_chances(state, NUMBER["5-6"], state.by_id["A2"], guns=False), 6)
        assert fails * close == Fraction(1, 9)
        state = state_at({"A1": "2-4 0"}, {"5-5": "real atg"}, {"5-5": "wooded crest"})
        assert defender.armour_chances(state, NUMBER["5-5"], state.by_id["A1"], guns=True) == 2

    @pytest.mark.parametrize(("easier", "points", "winner"), [(False, 18, "defender"), (True, 20, "attacker")])
    def test_turn_20_the_score(self, easier: bool, points: int, winner: str) -> None:
        state = state_at({"E1": "8-4", "A1": "8-3 0"}, {})
        platoons = platoons_with(state, "F1", fate="broken")
        state = replace(state, platoons=platoons)
        for name, fate in (("F2", "broken"), ("F3", "exploited"), ("A3", "exploited"), ("E2", "exploited")):
            state = replace(state, platoons=platoons_with(state, name, fate=fate))
        state = replace(
            state,
            setup=replace(state.setup, easier=easier),
            step="final",
            turn=20,
            enemy=(Counter(NUMBER["7-3"], revealed=True), Counter(NUMBER["8-2"], revealed=True)),
            tally=Tally(6, 1, 1, 0, platoons_broken=3, atgs_broken=1),
        )
        assert score(state) == points
        events = RULES.resolve(replace(state, step="move", turn=21), actions.Finish(), ())
        assert isinstance(events[-1], ev.Finished)
        assert (events[-1].total, events[-1].winner) == (points, winner)
        assert {what: value for what, _, value in score_lines(state)}["own platoons broken"] == -4

    def test_exploiting_beyond_the_broken_counts_only_without_defenders(self) -> None:
        state = state_at({"E1": "8-4"}, {})
        for name in ("E2", "E3", "F1"):
            state = replace(state, platoons=platoons_with(state, name, fate="exploited"))
        held = replace(state, enemy=(Counter(NUMBER["7-3"], revealed=True),), tally=Tally(2, platoons_broken=1))
        assert score(state) == 6
        assert score(held) == 2 + 4 + 2
