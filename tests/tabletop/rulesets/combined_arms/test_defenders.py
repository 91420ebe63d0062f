"""The automatic defenders in play: ties, tests and what follows; ``test_against_reference`` checks what they choose."""

from dataclasses import replace

import pytest

from tabletop.game import Game
from tabletop.rulesets.combined_arms import defender, mortars
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import Call, Tally
from tests.support.combined_arms_tables import do, game_at, state_at


def names(hexes: object) -> set[str]:
    return {NAMES[n] for n in hexes}  # type: ignore[attr-defined]


def enemy_phase(game: Game) -> Game:
    """The same game at the beginning of its enemy phase; what follows of itself has happened."""
    do(game, "end", "end")
    return game


class TestMortars:
    def test_what_is_still_equal_is_drawn_and_logged(self) -> None:
        game = enemy_phase(game_at({"D1": "2-3", "E1": "2-6"}, {"5-6": ""}))
        do(game, "defend", dice=(5,))
        need = game.ruleset.dice(game.state, game.parse("defend"))
        assert need.faces == (1, 2)
        drawn, aimed, *_ = do(game, "defend", dice=(2,))
        assert drawn == ev.Drawn("mortar target", ("2-3", "2-6"), 2)
        assert (aimed.hex, aimed.because) == ("2-6", "drawn among equals")

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


class TestOrder:
    def test_armour_first_then_infantry(self) -> None:
        game = enemy_phase(game_at({"A1": "4-6 0", "D1": "4-5"}, {"5-6": "real"}))
        events = do(game, "defend", dice=(1,))
        assert [type(e) for e in events] == [ev.ArmourShot, ev.Engaged]


class TestArmourTargets:
    def test_equal_ones_by_the_edge_and_then_drawn(self) -> None:
        edge = state_at({"A1": "3-5 0", "A2": "5-8 5"}, {"5-6": "real atg"})
        assert defender.armour_targets(edge, NUMBER["5-6"], guns=True).best == ("A2",)
        game = enemy_phase(game_at({"A1": "4-5 0", "A2": "4-6 5"}, {"5-6": "real atg"}))
        (drawn,) = do(game, "defend", dice=(2,))
        assert drawn == ev.Drawn("armour", ("A1", "A2"), 2, "5-6")
        (shot, *_) = do(game, "defend", dice=(2,))
        assert (shot.unit, shot.because, shot.broken) == ("A2", "drawn among equals", False)


class TestClusters:
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
