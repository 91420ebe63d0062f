"""The attackers' side of Combined Arms in play; ``test_against_reference`` checks moves, lines and modifiers."""

import pytest

from tabletop.game import Game, IllegalError
from tabletop.rulesets.combined_arms import mortars, moving
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER, REAR
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.sights import enemy_line
from tests.support.combined_arms_tables import codes, do, game_at


def reached(game: Game, unit: str) -> set[str]:
    ways = moving.ways(game.state, game.state.by_id[unit])
    return {"off" if way.leaves else NAMES[way.hexes[-1]] for way in ways}


class TestMoving:
    def test_never_into_a_counter_nor_another_company_s_hex(self) -> None:
        game = game_at({"D1": "3-4", "E1": "4-4", "D2": "4-5", "M1": "3-5"}, {"3-3": ""})
        assert codes(game, "move D1 to 3-3") == ["enemy-there"]
        assert codes(game, "move D1 to 4-4") == ["other-company"]
        assert {"4-5", "3-5"} <= reached(game, "D1")

    def test_machine_guns_enter_and_then_only_withdraw(self) -> None:
        game = game_at({"M1": "1-3", "M2": "3-4"})
        assert reached(game, "M1") == {"off"}
        assert reached(game, "M2") == set()
        assert "mmg" in codes(game, "move M2 to 3-5")
        do(game, "leave M1")
        assert game.state.by_id["M1"].fate == "withdrawn"
        assert "gone" in codes(game, "move M1 to 1-3")

    def test_entering_by_the_seven_rear_hexes(self) -> None:
        game = game_at({}, only=False)
        assert reached(game, "D1") == {NAMES[n] for n in REAR}
        do(game, "move D1 to 1-3", "move D2 to 1-3")
        assert "other-company" in codes(game, "move E1 to 1-3")
        assert codes(game, "move E1 to 2-3")[0] == "not-rear"

    def test_exploiting_from_the_three_middle_hexes_of_the_far_edge(self) -> None:
        game = game_at({"D1": "9-3", "D2": "9-2", "D3": "9-5", "M1": "9-4"})
        assert "off" in reached(game, "D1")
        assert codes(game, "leave D2") == ["no-exit"]
        do(game, "leave D1", "leave D3")
        assert [game.state.by_id[u].fate for u in ("D1", "D3")] == ["exploited", "exploited"]
        assert codes(game, "leave M1") == ["mmg"]


class TestArmour:
    def test_neither_poor_going_nor_woods_nor_other_armour(self) -> None:
        game = game_at(
            {"A1": "3-4 0", "A2": "4-4 0", "D1": "4-5"}, {},
            {"3-3": "woods", "3-5": "poor going", "2-3": "wooded crest", "2-4": "crest"},
        )  # fmt: skip
        assert reached(game, "A1") == {"4-5", "2-4"}
        assert codes(game, "move A1 to 3-3") == ["no-armour"]
        assert codes(game, "move A1 to 4-4") == ["other-armour"]

    def test_without_a_word_it_turns_as_little_as_it_must(self) -> None:
        game = game_at({"A1": "3-4 0", "A2": "5-6 3"})
        assert do(game, "move A1 to 3-5")[0].facing == 1
        assert do(game, "move A2 to 4-5")[0].facing == 3

    def test_two_hexes_by_road_straight_ahead(self) -> None:
        game = game_at({"A1": "2-4 0", "A2": "5-6 3"})
        assert "4-6" in reached(game, "A1")
        (moved,) = do(game, "move A1 to 3-5 4-6")
        assert (moved.path, moved.facing) == (("2-4", "3-5", "4-6"), 0)
        assert "must-face" in codes(game, "move A2 to 6-5 7-5")
        assert codes(game, "move A2 to 5-5 5-4") == ["no-road"]

    def test_entering_and_leaving_by_road(self) -> None:
        game = game_at({"A3": "8-5 5", "A2": "2-4 2"}, only=False)
        (moved,) = do(game, "move A1 to 1-4 2-4") if "2-4" in reached(game, "A1") else (None,)
        assert moved is None
        do(game, "leave A2 via 1-4")
        (moved,) = do(game, "move A1 to 1-4 2-4")
        assert (moved.entered, moved.facing) == (True, 0)
        (gone,) = do(game, "leave A3 via 9-4")
        assert (gone.left, game.state.by_id["A3"].fate) == ("exploited", "exploited")

    def test_infantry_never_moves_two(self) -> None:
        assert "too-far" in codes(game_at({"D1": "2-4"}), "move D1 to 3-5 4-6")

    def test_turning_on_the_spot_in_the_fire_phase(self) -> None:
        game = game_at({"A1": "3-4 0", "A2": "3-6 0 spent"})
        assert "wrong-phase" in codes(game, "face A1 3")
        do(game, "end", "face A1 3")
        assert game.state.by_id["A1"].facing == 3
        assert game.state.by_id["A1"].fresh
        assert codes(game, "face A2 3") == ["spent"]


class TestFiring:
    def game(self, *args: object, **more: object) -> Game:
        game = game_at(*args, **more)
        do(game, "end")
        return game

    def test_companies_do_not_share_a_target_and_one_salvo_each(self) -> None:
        game = self.game({"D1": "3-4", "E1": "3-6", "M1": "2-4"}, {"5-5": ""})
        assert codes(game, "fire D1 E1 at 5-5") == ["two-companies"]
        do(game, "fire D1 at 5-5", dice=(1,))
        assert "already-fired-on" in codes(game, "fire M1 at 5-5")

    def test_only_all_beside_may_break_and_only_infantry_the_platoon(self) -> None:
        position = ({"D1": "4-5", "D2": "3-5", "A1": "4-6 0"}, {"5-6": "real atg"})
        (shot, _) = do(self.game(*position), "fire D1 D2 at 5-6", dice=(6, 6))
        assert shot.effect == "spent"
        first, second = do(self.game(*position), "fire A1 D1 at 5-6", dice=(5, 4))
        assert (first.effect, second.effect) == ("guns broken", "spent")
        game = self.game(*position)
        (shot,) = do(game, "fire D1 at 5-6", dice=(5,))
        assert (shot.effect, game.state.enemy) == ("broken", ())
        assert (game.state.tally.platoons_broken, game.state.tally.atgs_broken) == (1, 1)

    def test_redundant_shots_are_fired_all_the_same(self) -> None:
        game = self.game({"D1": "4-5", "D2": "4-6"}, {"5-6": "real"}, ammo=2)
        first, second = do(game, "fire D1 D2 at 5-6", dice=(6, 6))
        assert (first.effect, second.effect, second.ammo) == ("broken", "none", 4)

    def test_ammunition_runs_out_at_the_passing_of_7(self) -> None:
        game = self.game({"D1": "3-5", "D2": "3-5", "M1": "3-6"}, {"5-6": ""}, ammo=7)
        guns, rifles, last = do(game, "fire M1 D1 D2 at 5-6", dice=(1, 1, 1))
        assert (guns.ammo, rifles.ammo, rifles.withdrew, last.ammo) == (7, 0, True, 1)
        assert game.state.by_id["D1"].fate == "out of ammunition"

    def test_what_is_in_the_way_is_named(self) -> None:
        game = self.game({"D1": "3-4"}, {"3-6": ""}, {"3-5": "woods"})
        with pytest.raises(IllegalError, match="woods in 3-5"):
            do(game, "fire D1 at 3-6", dice=(1,))


class TestMortars:
    def test_called_before_anybody_fires_on_what_is_spotted(self) -> None:
        game = game_at({"D1": "3-4", "M1": "3-6"}, {"5-5": "", "9-5": ""}, {"5-6": "woods"})
        assert "wrong-phase" in codes(game, "call he 5-5")
        do(game, "end")
        assert codes(game, "call he 9-5") == ["not-spotted"]
        assert codes(game, "call he 4-4") == ["no-target", "friends-near"]
        do(game, "fire M1 at 5-5", dice=(1,))
        assert "too-late" in codes(game, "call he 5-5")

    def test_two_turns_running_only_on_the_same_or_the_next_hex(self) -> None:
        game = game_at({"D1": "3-4"}, {"5-5": "real", "5-4": "real", "5-2": "real"})
        do(game, "end", "call he 5-5", "end")
        do(game, "scatter", dice=(1,))
        do(game, "roll", dice=(1,) * len(game.state.pending.hexes))
        self.on_to_fire(game)
        assert codes(game, "call he 5-2") == ["walking"]
        assert codes(game, "call he 5-4") == []
        do(game, "end")
        self.on_to_fire(game)
        assert codes(game, "call he 5-2") == []

    def on_to_fire(self, game: Game) -> None:
        """Play on to the next fire phase; the defenders' dice are ones."""
        while game.state.step != "fire":
            if game.state.step == "move":
                do(game, "end")
                continue
            words = "roll" if game.state.pending else "defend"
            count = game.ruleset.dice(game.state, game.parse(words)).count
            do(game, words, dice=(1,) * count)

    def test_bombs_pin_counters_and_own_infantry_but_no_armour(self) -> None:
        game = game_at({"D1": "3-5", "D2": "2-5", "A1": "4-4 0"}, {"5-6": "", "6-6": ""}, losses=3)
        do(game, "end")
        assert "friends-near" not in codes(game, "call he 5-6")
        do(game, "call he 5-6", "end")
        (landed, *_) = do(game, "scatter", dice=(1,))
        assert landed.hexes == ("5-6", "6-5", "6-6")
        first, second, *_ = do(game, "roll 6-6 5-6", dice=(2, 1))
        assert (first.counter_spent, second.hit) == (True, False)

    def test_own_infantry_takes_losses(self) -> None:
        game = game_at({"D1": "3-5", "D2": "3-4"}, {"5-6": ""}, losses=7)
        do(game, "end", "call he 5-6", "end")
        (landed, *_) = do(game, "scatter", dice=(4,))
        assert set(landed.hexes) == {"5-6", "4-5", "4-6"}
        assert landed.to_roll == ("5-6",)
        near = game_at({"D1": "3-5", "D2": "3-6"}, {"5-5": ""}, losses=7)
        do(near, "end", "call smoke 4-6", "end")
        (landed, *_) = do(near, "scatter", dice=(4,))
        assert (landed.to_roll, near.state.by_id["D1"].fate) == ((), "board")

    def test_smoke_blocks_in_between_until_the_end_of_the_next_fire_phase(self) -> None:
        game = game_at({"D1": "3-4"}, {"7-4": "removed"})
        do(game, "end")
        assert mortars.call_targets(game.state, "smoke")
        assert codes(game, "call smoke 3-4") == ["not-spotted", "friends-there"]
        do(game, "call smoke 5-5", "end")
        do(game, "scatter", dice=(1,))
        assert {NAMES[n] for n in game.state.smoke} == {"5-5", "6-4", "6-5"}
        assert enemy_line(game.state, NUMBER["3-4"], NUMBER["7-4"]) == "blocked"
        assert game.state.smoke_rounds == 3
        self.on_to_fire(game)
        assert game.state.smoke
        do(game, "end")
        assert not game.state.smoke

    def test_four_rounds_of_smoke_and_no_more(self) -> None:
        game = game_at({"D1": "3-4"})
        for left in (3, 2, 1, 0):
            do(game, "end", "call smoke 5-5", "end")
            do(game, "scatter", dice=(1,))
            assert game.state.smoke_rounds == left
        do(game, "end")
        assert codes(game, "call smoke 5-5") == ["no-smoke"]


class TestLosses:
    def test_the_player_says_who_breaks(self) -> None:
        game = game_at({"D1": "4-5", "D2": "4-5", "M1": "4-5"}, {"5-6": "real"}, losses=4)
        do(game, "end", "end")
        (fell,) = do(game, "roll", dice=(6,))
        assert (fell.losses, fell.track, fell.owed) == (6, 2, 1)
        assert game.to_act == "attacker"
        with pytest.raises(IllegalError, match="which platoon"):
            game.push(game.parse("defend"), (1,))
        with pytest.raises(IllegalError, match="not in 4-5"):
            do(game, "break E1")
        (broke, *_) = do(game, "break M1")
        assert (broke.unit, broke.chosen) == ("M1", True)

    def test_two_passes_break_two(self) -> None:
        platoons = dict.fromkeys(("D1", "D2", "D3", "M1", "M2"), "4-5")
        game = game_at(platoons, {"5-6": "real"}, losses=7)
        do(game, "end", "end")
        (fell,) = do(game, "roll", dice=(6,))
        assert (fell.losses, fell.track, fell.owed) == (10, 1, 2)
        do(game, "break D1", "break D2")
        assert sum(p.fate == "broken" for p in game.state.platoons) == 2


class TestCourse:
    def test_a_whole_board_from_dice(self) -> None:
        game = Game.new(RULES, Setup())
        assert game.ruleset.dice(game.state, game.parse("survey")).count == 140
        (one,) = do(game, "survey 5-5", dice=(5, 5))
        assert one.hexes == (("5-5", "woods", 5, 5),)
        do(game, "lay 5-7 farm")
        assert codes(game, "lay 5-6 farm") == ["road"]
        assert codes(game, "survey 5-5") == ["known"]
        do(game, "survey", dice=(3, 4) * 68)
        assert game.state.step == "defenders"
        assert game.state.ground.terrain[NUMBER["5-7"]] == "farm"

    def test_the_game_ends_after_turn_20(self) -> None:
        game = game_at({"D1": "1-3"}, {"9-3": "potential"}, turn=20)
        do(game, "end", "end")
        assert game.state.step == "final"
        (tested,) = do(game, "defend", dice=(6,))
        assert tested.real
        guns, finished = do(game, "defend", dice=(3,))
        assert (guns.what, guns.score, guns.real) == ("guns", 5, True)
        assert finished.total == 1 + 2 - 2
        assert game.outcome is not None
        assert game.outcome.winner == "defender"

    def test_or_after_any_whole_turn(self) -> None:
        game = game_at({"D1": "1-3", "D2": "2-3"}, turn=19)
        do(game, "move D1 to 2-3")
        assert codes(game, "finish") == ["not-now"]
        early = game_at({"D1": "1-3"}, turn=19)
        (_, finished) = do(early, "finish")
        assert finished.total == 0
        assert codes(game_at({"D1": "1-3"}, turn=1), "finish") == ["not-now"]

    def test_conceding(self) -> None:
        game = game_at({"D1": "1-3"})
        do(game, "concede attacker")
        assert game.outcome is not None
        assert game.outcome.winner == "defender"
        assert game.to_act is None

    def test_the_referee_sets_things_right(self) -> None:
        game = game_at({"D1": "1-3", "E1": "2-3"}, {"5-5": ""})
        do(game, "correct D1 to 3-4 fresh no because it stood there")
        assert (game.state.by_id["D1"].at, game.state.by_id["D1"].fresh) == (NUMBER["3-4"], False)
        do(game, "correct 5-5 revealed yes atg real", "correct losses 6 ammo 2")
        assert (game.state.losses, game.state.ammo) == (6, 2)
        assert game.state.enemy[0].atg == "real"
        assert codes(game, "correct D1 to 2-3") == ["other-company"]
        do(game, "correct 5-5 off")
        assert not game.state.enemy
        assert RULES.invariant_violations(game.state) == ()
