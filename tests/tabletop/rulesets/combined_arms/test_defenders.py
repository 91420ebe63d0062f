"""The automatic defenders by hand-worked positions: every priority, every tie, every test."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.game import Game
from tabletop.rulesets.combined_arms import defender, mortars
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import Call, State, Tally
from tests.support.combined_arms_tables import do, game_at, state_at


def names(hexes: object) -> set[str]:
    return {NAMES[n] for n in hexes}  # type: ignore[attr-defined]


def enemy_phase(game: Game) -> Game:
    """The same game at the beginning of its enemy phase; what follows of itself has happened."""
    do(game, "end", "end")
    return game


class TestMortars:
    def test_the_hex_with_most_infantry_comes_first(self) -> None:
        state = state_at({"D1": "2-4", "D2": "2-4", "E1": "2-6", "M1": "3-6"}, {"5-6": ""})
        assert names(mortars.enemy_targets(state)) == {"2-4", "2-6", "3-6"}
        assert names(mortars.best_targets(state)) == {"2-4"}

    def test_then_the_one_with_most_infantry_beside_it_even_unseen(self) -> None:
        state = state_at({"D1": "3-5", "D2": "2-4", "E1": "3-8"}, {"5-6": ""}, {"4-5": "woods"})
        assert names(mortars.enemy_targets(state)) == {"3-5", "3-8"}
        assert names(mortars.best_targets(state)) == {"3-5"}

    def test_then_the_one_closer_to_their_edge(self) -> None:
        state = state_at({"D1": "2-3", "E1": "3-7"}, {"5-6": ""})
        assert names(mortars.best_targets(state)) == {"3-7"}

    def test_what_is_still_equal_is_drawn_and_logged(self) -> None:
        game = enemy_phase(game_at({"D1": "2-3", "E1": "2-6"}, {"5-6": ""}))
        do(game, "defend", dice=(5,))
        need = game.ruleset.dice(game.state, game.parse("defend"))
        assert need.faces == (1, 2)
        drawn, aimed, *_ = do(game, "defend", dice=(2,))
        assert drawn == ev.Drawn("mortar target", ("2-3", "2-6"), 2)
        assert (aimed.hex, aimed.because) == ("2-6", "drawn among equals")

    def test_armour_is_no_target(self) -> None:
        assert mortars.enemy_targets(state_at({"A1": "2-4 0"}, {"5-6": ""})) == ()

    def test_infantry_next_to_a_counter_is_none(self) -> None:
        state = state_at({"D1": "4-5"}, {"5-6": "", "7-5": ""})
        assert mortars.enemy_targets(state) == ()

    def test_spent_counters_and_those_beside_a_platoon_spot_nothing(self) -> None:
        assert mortars.enemy_targets(state_at({"D1": "2-4"}, {"5-6": "spent"})) == ()
        beside = state_at({"D1": "2-4", "A1": "4-5 0"}, {"5-6": ""})
        assert mortars.enemy_targets(beside) == ()

    @pytest.mark.parametrize(("own", "theirs", "least"), [(0, 0, 5), (1, 1, 5), (1, 0, 6), (2, 3, 5)])
    def test_availability(self, own: int, theirs: int, least: int) -> None:
        state = state_at({"D1": "2-4"}, {"5-6": ""})
        gone = [p.id for p in state.platoons if p.fate == "withdrawn"][:own]
        platoons = tuple(replace(p, fate="broken") if p.id in gone else p for p in state.platoons)
        state = replace(state, platoons=platoons, tally=Tally(1, platoons_broken=theirs))
        assert mortars.enemy_mortars_need(state) == least

    def test_they_never_fire_in_two_turns_running(self) -> None:
        game = enemy_phase(game_at({"D1": "1-4"}, {"5-6": ""}))
        do(game, "defend", dice=(6,))
        assert game.state.enemy_call == Call(NUMBER["1-4"], "he", 5)
        do(game, "defend", dice=(1,))
        do(game, "roll", dice=(1,))
        assert (game.state.step, game.state.turn) == ("move", 6)
        events = do(game, "end", "end")
        tried = next(e for e in events if isinstance(e, ev.MortarsTried))
        assert (tried.die, tried.available, tried.because) == (0, False, "they fired last turn")
        assert game.state.enemy_call is None

    def test_bombs_come_down_round_a_corner_and_spare_armour(self) -> None:
        game = enemy_phase(game_at({"D1": "1-4", "A1": "2-4 0"}, {"5-6": ""}))
        do(game, "defend", dice=(6,))
        (landed, *_) = do(game, "defend", dice=(6,))
        assert set(landed.hexes) == {"1-4", "1-3", "2-4"}
        assert landed.to_roll == ("1-4",)
        (fell, *_) = do(game, "roll 1-4", dice=(2,))
        assert (fell.spent, fell.losses) == (("D1",), 1)
        assert game.state.by_id["A1"].fresh


class TestOrder:
    def test_far_rows_first_and_from_their_left(self) -> None:
        state = state_at({}, dict.fromkeys(("6-3", "4-8", "5-2", "4-2", "5-9"), ""))
        assert [NAMES[c.at] for c in state.enemy] == ["4-8", "4-2", "5-9", "5-2", "6-3"]

    def test_spent_ones_recover_instead_of_firing(self) -> None:
        game = game_at({"D1": "4-5"}, {"5-6": "real spent"})
        events = do(game, "end", "end")
        assert ev.Rallied("5-6") in events
        assert game.state.step == "move"
        assert game.state.counters[NUMBER["5-6"]].fresh

    def test_armour_first_then_infantry(self) -> None:
        game = enemy_phase(game_at({"A1": "4-6 0", "D1": "4-5"}, {"5-6": "real"}))
        events = do(game, "defend", dice=(1,))
        assert [type(e) for e in events] == [ev.ArmourShot, ev.Engaged]

    def test_smoke_in_between_blocks_them(self) -> None:
        assert defender.clusters(state_at({"D1": "3-5"}, {"5-5": "real"}), NUMBER["5-5"]).payoff
        hidden = state_at({"D1": "3-4"}, {"5-4": "real"}, smoke=["4-4"])
        behind = state_at({"D1": "3-4"}, {"7-4": "real"}, smoke=["5-5", "5-4"])
        assert not defender.clusters(behind, NUMBER["7-4"]).any
        assert hidden.smoke == (NUMBER["4-4"],)

    def test_own_platoons_in_between_do_not(self) -> None:
        state = state_at({"D1": "2-4", "D2": "4-5", "E1": "3-4"}, {"6-5": "real"})
        assert defender.infantry_modifiers(state, NUMBER["6-5"], NUMBER["2-4"]) is not None


class TestArmourTargets:
    def test_most_chances_to_break(self) -> None:
        state = state_at({"A1": "2-4 0", "A2": "4-7 0"}, {"5-6": "real atg"})
        assert defender.armour_targets(state, NUMBER["5-6"], guns=True) == defender.Armour(4, ("A2",))

    def test_equal_ones_by_the_edge_and_then_drawn(self) -> None:
        edge = state_at({"A1": "3-5 0", "A2": "5-8 5"}, {"5-6": "real atg"})
        assert defender.armour_targets(edge, NUMBER["5-6"], guns=True).best == ("A2",)
        game = enemy_phase(game_at({"A1": "4-5 0", "A2": "4-6 5"}, {"5-6": "real atg"}))
        (drawn,) = do(game, "defend", dice=(2,))
        assert drawn == ev.Drawn("armour", ("A1", "A2"), 2, "5-6")
        (shot, *_) = do(game, "defend", dice=(2,))
        assert (shot.unit, shot.because, shot.broken) == ("A2", "drawn among equals", False)

    def test_the_arc_by_its_edges(self) -> None:
        state = state_at({"A1": "3-5 0", "A2": "3-7 3"}, {"5-6": "real atg"})
        at = NUMBER["5-6"]
        by = {p.id: dict(defender.armour_modifiers(state, at, p, guns=True) or ()) for p in state.armour}
        assert "outside its forward arc" not in by["A1"]
        assert by["A2"]["outside its forward arc"] == 1

    def test_hull_down_on_crests_and_in_farms(self) -> None:
        for kind in ("crest", "farm"):
            state = state_at({"A1": "3-5 0"}, {"5-6": "real atg"}, {"3-5": kind})
            add = dict(defender.armour_modifiers(state, NUMBER["5-6"], state.by_id["A1"], guns=True) or ())
            assert add == {"hull down": -1, "range": -2}

    def test_without_guns_only_next_door(self) -> None:
        far = state_at({"A1": "3-5 0"}, {"5-6": "real"})
        assert defender.armour_chances(far, NUMBER["5-6"], far.by_id["A1"], guns=False) == 0
        for extra, facing, chances in (
            ({}, 0, 2),
            ({"D1": "4-5"}, 0, 1),
            ({}, 3, 3),
            ({"D1": "4-5"}, 3, 2),
            ({"M1": "4-5"}, 0, 2),
        ):
            near = state_at({"A1": f"4-5 {facing}", **extra}, {"5-6": "real"})
            assert defender.armour_chances(near, NUMBER["5-6"], near.by_id["A1"], guns=False) == chances


class TestClusters:
    def test_spent_count_one_and_fresh_two(self) -> None:
        state = state_at({"D1": "3-5", "D2": "3-5 spent"}, {"5-5": "real"})
        assert defender.hex_payoff(state, NUMBER["5-5"], NUMBER["3-5"]) == 3 * 4

    def test_next_door_counts_three_times(self) -> None:
        state = state_at({"D1": "4-5"}, {"5-6": "real"}, {"4-5": "woods"})
        assert defender.hex_payoff(state, NUMBER["5-6"], NUMBER["4-5"]) == 2 * 4 * 3

    def test_three_hexes_only_where_all_are_adjacent(self) -> None:
        line = state_at({"D1": "3-4", "D2": "3-5", "D3": "3-6"}, {"5-6": "real"})
        best = defender.clusters(line, NUMBER["5-6"])
        assert all(len(cluster) == 2 for cluster in best.best)
        triple = state_at({"D1": "3-5", "D2": "3-6", "D3": "4-6"}, {"6-6": "real"})
        assert len(defender.clusters(triple, NUMBER["6-6"]).best[0]) == 3

    def test_equal_ones_by_the_edge_then_drawn(self) -> None:
        edge = state_at({"D1": "3-3", "E1": "5-9"}, {"5-6": "real"})
        assert [names(c) for c in defender.clusters(edge, NUMBER["5-6"]).best] == [{"5-9"}]
        game = enemy_phase(game_at({"D1": "3-4", "E1": "3-6"}, {"5-6": "real"}))
        if game.state.mortar_stage == "to roll":
            do(game, "defend", dice=(1,))
        drawn, engaged, *_ = do(game, "defend", dice=(1,))
        assert drawn == ev.Drawn("cluster", ("3-4", "3-6"), 1, "5-6")
        assert engaged.cluster == ("3-4",)

    def test_the_next_best_is_told(self) -> None:
        game = enemy_phase(game_at({"D1": "4-5", "E1": "3-7"}, {"5-6": "real"}))
        engaged = next(game.event(r) for r in game.records if r.kind == "engaged")
        assert (engaged.cluster, engaged.payoff, engaged.next_best) == (("4-5",), 2 * 5 * 3, 2 * 3)


class TestShowing:
    def state(self, **tally: int) -> State:
        state = state_at({"D1": "4-5"}, {"5-6": "potential"})
        return replace(state, tally=Tally(**tally)) if tally else state

    def test_next_to_a_platoon_spent_ones_too_platoon_first_then_guns(self) -> None:
        game = enemy_phase(game_at({"D1": "4-5"}, {"5-6": "spent potential"}))
        (first, *_) = do(game, "defend", dice=(6,))
        (second, *rest) = do(game, "defend", dice=(2,))
        assert [(e.what, e.score, e.real) for e in (first, second)] == [("platoon", 7, True), ("guns", 4, False)]
        assert ev.Rallied("5-6") in rest

    def test_guns_that_are_real_prove_their_platoon(self) -> None:
        game = enemy_phase(game_at({"A1": "2-4 3"}, {"5-5": "potential"}))
        assert not defender.platoon_test(game.state, game.state.enemy[0])
        (tested,) = do(game, "defend", dice=(5,))
        assert (tested.what, tested.score, tested.real) == ("guns", 5, True)
        counter = game.state.enemy[0]
        assert (counter.revealed, counter.atg) == (True, "real")
        assert isinstance(do(game, "defend", dice=(1,))[0], ev.ArmourShot)

    def test_guns_that_are_not_leave_the_platoon_potential_and_remembered(self) -> None:
        game = enemy_phase(game_at({"A1": "2-4 3"}, {"5-5": "potential"}))
        do(game, "defend", dice=(4,))
        counter = game.state.enemy[0]
        assert (counter.revealed, counter.atg) == (False, "removed")
        assert dict(defender.test_modifiers(game.state, counter, guns=False)) == {"guns removed": -1}

    def test_one_chance_is_not_enough_for_guns(self) -> None:
        state = state_at({"A1": "2-4 0"}, {"6-5": "potential"})
        assert defender.armour_targets(state, NUMBER["6-5"], guns=True).chances == 1
        assert defender.guns_test(state, state.enemy[0]) == ""

    @pytest.mark.parametrize(("fresh", "tested"), [("", True), ("spent", False)])
    def test_a_payoff_of_6_for_fresh_ones_only(self, fresh: str, tested: bool) -> None:
        state = state_at({"D1": "3-4"}, {"6-5": fresh})
        assert defender.clusters(state, NUMBER["6-5"]).payoff == 6
        assert bool(defender.platoon_test(state, state.enemy[0])) is tested

    def test_a_payoff_of_4_is_not_enough(self) -> None:
        state = state_at({"D1": "2-4"}, {"6-5": ""})
        assert defender.clusters(state, NUMBER["6-5"]).payoff == 4
        assert defender.platoon_test(state, state.enemy[0]) == ""

    def test_modifiers_once_many_are_found(self) -> None:
        few = state_at({}, {"5-6": "removed", "7-3": "real", "7-5": "real atg"})
        many = state_at({}, {"5-6": "removed", "7-3": "real", "7-5": "real atg", "8-4": "real"})
        guns = state_at({}, {"5-6": "potential", "7-3": "real atg", "7-5": "real atg"})
        by = {
            name: dict(defender.test_modifiers(s, s.counters[NUMBER["5-6"]], guns=False))
            for name, s in (("few", few), ("many", many), ("guns", guns))
        }
        assert by["few"] == {"guns removed": -1}
        assert by["many"] == {"many found already": -1}
        assert by["guns"] == {"guns with it": 1, "many found already": -1}
        broken = replace(few, tally=replace(few.tally, platoons_broken=1))
        assert dict(defender.test_modifiers(broken, broken.counters[NUMBER["5-6"]], guns=False)) == by["many"]

    def test_guns_of_a_real_platoon_get_two(self) -> None:
        state = state_at({}, {"5-6": "real potential"})
        assert dict(defender.test_modifiers(state, state.enemy[0], guns=True)) == {"platoon is real": 2}

    def test_hidden_ones_stay_with_their_figures(self) -> None:
        game = enemy_phase(game_at({"D1": "2-4"}, {"6-5": "", "7-5": ""}))
        if game.state.mortar_stage == "to roll":
            do(game, "defend", dice=(1,))
        lurked = next(game.event(r) for r in game.records if r.kind == "lurked")
        assert lurked.counters[0] == ("6-5", 4, 0)


class TestLayingOut:
    def game(self, board: dict[str, str]) -> Game:
        from tabletop.rulesets.combined_arms.play import RULES

        return Game.new(RULES, Setup(board=tuple(board.items())))

    def test_the_richer_end_and_the_middle(self) -> None:
        game = self.game({"4-3": "woods", "8-3": "crest", "2-3": "farm", "9-2": "wooded crest", "6-6": "poor going"})
        (occupied,) = do(game, "occupy")
        assert [c.hex for c in occupied.counters] == ["4-3", "8-3", "9-2"]
        assert (occupied.turned, occupied.near, occupied.far) == (False, 1, 2)

    def test_the_near_end_turns_the_board(self) -> None:
        game = self.game({"4-3": "woods", "2-3": "farm"})
        (occupied,) = do(game, "occupy")
        assert occupied.turned
        assert {c.hex for c in occupied.counters} == {"6-8", "8-6"}
        assert game.state.ground.terrain[NUMBER["8-6"]] == "farm"

    @pytest.mark.parametrize(("die", "turned"), [(3, False), (4, True)])
    def test_a_die_where_both_are_equal(self, die: int, turned: bool) -> None:
        game = self.game({"2-3": "farm", "8-3": "crest"})
        (occupied,) = do(game, "occupy", dice=(die,))
        assert occupied.turned is turned

    def test_guns_where_three_open_hexes_are_not_behind(self) -> None:
        lee = {"5-8": "woods", "4-7": "woods", "4-8": "poor going", "8-1": "farm", "7-1": "woods"}
        game = self.game({"5-5": "woods", "4-4": "crest", **lee})
        (occupied,) = do(game, "occupy")
        guns = {c.hex: c.atg for c in occupied.counters}
        assert {guns[name] for name in ("5-5", "5-8", "4-4", "8-1")} == {"potential"}
        more = self.game({"5-5": "woods", "4-4": "crest", "4-5": "crest", "8-3": "farm"})
        (occupied,) = do(more, "occupy")
        assert {c.hex: c.atg for c in occupied.counters}["5-5"] == "none"

    def test_hexes_behind_count_on_the_side_edge(self) -> None:
        inner = self.game({"5-5": "woods", "4-4": "woods", "4-5": "woods", "8-2": "crest"})
        (occupied,) = do(inner, "occupy")
        assert {c.hex: c.atg for c in occupied.counters}["5-5"] == "none"
        edge = self.game({"5-1": "woods", "4-1": "woods", "8-2": "crest"})
        (occupied,) = do(edge, "occupy")
        assert {c.hex: c.atg for c in occupied.counters}["5-1"] == "none"
        edge = self.game({"4-1": "woods", "3-1": "woods", "8-2": "crest", "7-4": "crest"})
        (occupied,) = do(edge, "occupy")
        assert {c.hex: c.atg for c in occupied.counters}["4-1"] == "potential"
