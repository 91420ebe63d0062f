"""The strong player of One-Hour WWII: legal, for its own side alone, and with a reason for all that it does."""

import random
from dataclasses import replace

import pytest

from tabletop.game import Game
from tabletop.game.computers import choose, levels_of, reaction
from tabletop.game.selfplay import play
from tabletop.open_table.formations import places_at
from tabletop.open_table.setup import bases_of
from tabletop.rulesets.one_hour_ww2 import actions
from tabletop.rulesets.one_hour_ww2.exchange import Fight
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.routes import fire_on, routes
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.rulesets.one_hour_ww2.turns import stands_at
from tabletop.starting.scenarios import find
from tests.support import ruleset_contract


def begun(scenario: str = "first-game") -> State:
    return Game.new(RULES, find(scenario).setup).state


def after(state: State, words: str, *dice: int) -> State:
    new: State = ruleset_contract.after(RULES, state, RULES.parse(state, words), dice)
    return new


def test_it_destroys_what_it_can_before_it_hurts_anybody_else() -> None:
    state = after(begun(), "begin")
    state = after(after(state, "correct R2 hits 13"), "end")
    choice = choose(RULES, state, "blue", "strong", random.Random(1))
    assert choice.action == actions.Fire("B2", "R2") and "destroys R2" in choice.why


def test_ready_units_fire_in_the_other_sides_step_and_never_for_the_side_itself() -> None:
    state = after(begun(), "begin")
    state = after(after(after(state, "correct R2 ready yes"), "correct B2 ready yes"), "end")
    state = after(after(state, "move B1", 3, 3), "stay B1")
    for level in levels_of("one-hour-ww2"):
        found = reaction(RULES, state, "red", level, random.Random(1))
        assert found is not None and found.action == actions.Fire("R2", "B2")
        assert reaction(RULES, state, "blue", level, random.Random(1)) is None


def test_each_side_deploys_its_own_and_the_first_turn_waits_for_both() -> None:
    state = begun("melee")
    wish = choose(RULES, state, "blue", "strong", random.Random(1)).action
    assert isinstance(wish, actions.Deploy) and wish.unit == "B1"
    found = reaction(RULES, state, "red", "strong", random.Random(1))
    assert found is not None and isinstance(found.action, actions.Deploy) and found.action.unit == "R1"


def test_ways_go_round_what_bars_a_unit_and_round_the_enemys_fire() -> None:
    state = begun("static-defence")
    units = {unit.id: unit for unit in state.units}
    hill = next(o.polygon for o in state.setup.objectives if o.id == "hill")
    before_the_woods = (14.5, 5.0)
    tank, foot = (routes(state, units[name], hill).at(before_the_woods) for name in ("B2", "B1"))
    assert tank > foot > 16.0, "the woods are open to infantry alone"
    bold, careful = (routes(state, units["B2"], hill, fear) for fear in (0.0, 1.0))
    assert careful.at((30.0, 10.0)) > bold.at((30.0, 10.0))
    assert bold.at((12.5, 28.5)) == 0.0
    assert fire_on(state, units["B2"], (8.0, 12.0)) > fire_on(state, units["B2"], (33.0, 3.0)), "before the guns"


def test_a_fight_is_won_by_who_fires_first_and_by_numbers() -> None:
    alike = dict.fromkeys((("A", "X"), ("X", "A"), ("B", "X"), ("X", "B")), 6.0)

    def balance(own: str, waiting: str, fear: float = 1.0) -> float:
        hits = dict.fromkeys("ABX", 0)
        fire = {pair: hit for pair, hit in alike.items() if set(pair) <= {*own, "X"}}
        return Fight(tuple(own), ("X",), hits, fire, (), tuple(waiting), 15, fear).balance()

    assert balance("A", "A") > 0 > balance("A", ""), "the enemy fires first at who moves up"
    assert balance("AB", "") > 0, "two together are more than one"
    assert balance("A", "", fear=0.0) > balance("A", "")


GOES = {"R1": (9.9, 16.6), "R2": (18.2, 21.5), "B1": (11.6, 6.3), "B2": (19.9, 4.7)}
RETURNS = {"R1": (9.8, 17.9), "R2": (15.0, 20.9), "B1": (12.1, 6.8), "B2": (10.3, 4.8)}
STAYS = {"R1": (15.6, 17.8), "R2": (19.2, 20.0), "B1": (9.7, 6.2), "B2": (2.6, 3.2)}


@pytest.mark.parametrize(("places", "hurt", "dug"), [(GOES, 10, False), (RETURNS, 5, False), (STAYS, 5, True)])
def test_a_ready_unit_moves_before_the_enemy_takes_what_it_holds_and_for_little_else(
    places: dict[str, tuple[float, float]], hurt: int, dug: bool
) -> None:
    """Red holds the hamlet in the last turn but one and has R1 left to act, dug in where it had better stay."""
    state, rng = after(begun(), "begin"), random.Random(1)
    stood = []
    for unit, plan in zip(state.units, state.setup.units, strict=True):
        at = places_at(unit, *places[unit.id], 180.0 if unit.side == "red" else 0.0)
        more = {"ready": True, "dug_in": dug} if unit.id == "R1" else {"hits": hurt if unit.id == "B2" else 0}
        stood.append(replace(unit, bases=bases_of(plan.bases, at), **more))
    holders, acted = (("hamlet", "red"),), frozenset({"R2"})
    state = replace(state, units=tuple(stood), turn=4, side="red", step="actions", holders=holders, acted=acted)
    while state.side == "red" and state.step == "actions":
        state = ruleset_contract.after(RULES, state, choose(RULES, state, "red", "strong", rng).action, rng)
    r1 = next(unit for unit in state.units if unit.id == "R1")
    assert (r1.dug_in and r1.ready) if dug else stands_at(r1, state.setup.objectives[0])


@pytest.mark.slow
def test_it_beats_the_simple_player_where_that_shows_most() -> None:
    setup = find("flank-attack").setup
    assert play(RULES, setup, {"blue": "simple", "red": "strong"}, 3).winner == "red"
