"""A lost close combat is settled when its loser is out of contact and has gone as far as it threw."""

import random
from dataclasses import replace

import pytest

from tabletop.game import Game
from tabletop.rulesets.combat_captain import actions, board_text
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.data import HouseRules
from tabletop.rulesets.combat_captain.organisation import faults
from tabletop.rulesets.combat_captain.play import RULES
from tabletop.rulesets.combat_captain.playing import bot_actions
from tabletop.rulesets.combat_captain.setup import Standing, SubUnit
from tests.support.combat_captain_games import a_company, a_sub, begun, codes, do, facing_off, last, meeting, told


def lost(*dice: int, other: tuple[SubUnit, ...] = (), **more: object) -> Game:
    """B has lost against A and thrown its withdrawal."""
    game = meeting((a_sub("A1", "rifles", 20, 19),), other or (a_sub("B1", "rifles", 20, 20, 180.0),), **more)
    each = [2] * len(game.state.members("B"))
    do(game, "assault A at B", 1, *each)
    do(game, "melee", 5, *(1 for _ in each))
    do(game, "retreat", *(dice or (1, 2, 3, 4)))
    return game


def test_the_loser_goes_as_far_as_it_threw_and_touches_nobody_who_won() -> None:
    game = lost()
    assert codes(game, "settle") == {"touching", "too-near"}
    assert not next(option for option in game.options() if option.kind == "settle").legal
    assert board_text.next_words(game.state).startswith("B is put 10″ back, out of contact. A won and may be put")
    do(game, "put B1 at 20,29.7")
    (short,) = game.check(actions.Settle())
    assert (short.code, short.answer) == ("too-near", "no")
    assert short.numbers == {"went_in": 9.7, "withdraws_in": 10.0}
    do(game, "put B1 at 20,29.76")  # a hand's slip
    assert codes(game, "settle") == set()
    do(game, "put A1 at 20,28.6")
    assert codes(game, "settle") == {"touching"}
    assert "still touches A" in game.check(actions.Settle())[0].text


def test_the_way_goes_round_the_stands_of_the_enemy() -> None:
    """10 inches as the crow flies, and longer round a wall of the winner's stands; none of it through them."""
    wall = [a_sub(f"A{n + 2}", "rifles", 12.75 + 1.5 * n, 24) for n in range(10)]
    game = begun(
        a_company("A", "red", [a_sub("A1", "rifles", 20, 19), *wall]),
        a_company("B", "blue", [a_sub("B1", "rifles", 20, 20, 180.0)]),
    )
    do(game, "end")
    do(game, "assault A at B", *[1] * 11, 2)
    do(game, "melee", *[5] * 11, 1)
    do(game, "retreat", 5, 5, 5, 5)
    do(game, "put B1 at 20,30")
    (short,) = game.check(actions.Settle())
    assert short.numbers["went_in"] == pytest.approx(18.7, abs=0.2)  # by either end of the wall
    do(game, "put B1 at 20,33")
    assert codes(game, "settle") == set()


def test_the_table_s_edge_is_as_far_as_anybody_goes() -> None:
    game = lost(6, 6, 6, 6)
    do(game, "put B1 at 20,40")
    assert codes(game, "settle") == {"too-near"}
    do(game, "put B1 at 20,47.4")
    assert codes(game, "settle") == set()
    there = meeting((a_sub("A1", "rifles", 20, 46.5),), (a_sub("B1", "rifles", 20, 47.5, 180.0),))
    do(there, "assault A at B", 1, 2)
    do(there, "melee", 5, 1)
    do(there, "retreat", 6, 6, 6, 6)
    assert codes(there, "settle") == {"touching", "too-near"}, "it has not moved at all"


def test_what_is_too_close_to_call_is_asked() -> None:
    loose = Standing(20, 29.8, 180.0, (0.04, 0.0, 0.04))
    game = lost()
    game.push(actions.Put("B1", loose))
    (found,) = game.check(actions.Settle())
    assert (found.code, found.answer) == ("too-near", "too-close")
    game.push(actions.Settle(), measured=True)
    assert game.state.combat is None


def test_who_throws_nothing_is_only_put_out_of_contact() -> None:
    game = lost(1, 1, 1, 1, other_chits=1)
    assert last(game, ev.Withdrew).inches == 0
    assert codes(game, "settle") == {"touching"}
    game.push(actions.Put("B1", Standing(20, 20.3, 180.0, (0.04, 0.0, 0.04))))
    assert [(v.code, v.answer) for v in game.check(actions.Settle())] == [("touching", "too-close")]
    do(game, "put B1 at 20,20.5")
    assert codes(game, "settle") == set()


def test_games_stored_before_are_not_judged_by_it() -> None:
    game = lost()
    body = dict(game.records[0].body)
    body["setup"] = {**body["setup"], "rules": {k: v for k, v in body["setup"]["rules"].items() if "judged" not in k}}
    old = RULES.event_from_json("started", body, 1)
    assert old.setup.rules == HouseRules(withdrawals_judged=False)
    assert codes(lost(rules=HouseRules(withdrawals_judged=False)), "settle") == set()


@pytest.mark.parametrize("seed", range(4))
def test_a_computer_puts_its_loser_back_where_it_may_stand(seed: int) -> None:
    rng = random.Random(seed)
    at = [(20.0 + 2 * n, 20.0) for n in range(3)]
    other = tuple(a_sub(f"B{n + 1}", "rifles", x, y, 180.0) for n, (x, y) in enumerate(at))
    loose = replace(other[1], at=Standing(*at[1], 180.0, (0.02, 0.0, 0.02)))
    game = lost(*(rng.randint(1, 6) for _ in range(4)), other=(other[0], loose, other[2]))
    game.push(next(bot_actions(game.state, rng)))
    assert isinstance(last(game, ev.Placed), ev.Placed)
    assert codes(game, "settle") == set()


def test_three_dice_a_turn_are_counted_whatever_they_are_spent_on() -> None:
    game = facing_off(a_sub("A1", "rifles", 20, 8.5), a_sub("A2", "rifles", 22, 8.5))
    do(game, "spend A 2 because it moved")
    assert codes(game, "fire A1 at B1 dice 2") == {"dice-spent"}
    assert "has spent 2 of its 3 otherwise" in game.check(game.parse("fire A1 at B1 dice 2"))[0].text
    do(game, "fire A1 at B1", 1, 1)  # all that it may spend: one
    assert game.state.dice_used("A") == 3
    assert codes(game, "fire A2 at B1 dice 1") == set()  # the same die
    assert codes(game, "spend A 1") == {"dice-spent"}
    assert codes(game, "spend B 1") == {"not-your-turn"}
    assert "3 of 3 dice used" in board_text.in_words(game.state)
    assert "3 of 3 dice used" in board_text.in_short(game.state)
    do(game, "end; end; end; end; end; end")
    assert game.state.dice_used("A") == 0


def test_an_automatic_kill_asks_for_no_die() -> None:
    """16 squads at short range with all sixes are beyond 100 points: neither the variable nor the further die."""
    own = tuple(a_sub(f"A{n}", "rifles", 12 + n, 14 if n % 2 else 12.9) for n in range(16))
    many = a_sub("B1", "rifles", 20, 20, 180.0, men=20, cover=5)  # more than the chart has hits
    game = facing_off(*own, other=(many,), rules=HouseRules(company_blocks=False))
    firers = " ".join(sub.id for sub in own)
    dice = game.ruleset.dice(game.state, game.parse(f"fire {firers} at B1 dice 3")).count
    thrown = [6] * (dice - 1)
    do(game, f"fire {firers} at B1 dice 3", *thrown)
    fired = last(game, ev.Fired)
    assert (fired.automatic, fired.roll, fired.hits) == (True, 0, 20)
    assert "which kills by itself" in told(game, ev.Fired)
    assert game.state.saves is None
    assert "B1" not in game.state.stands


def test_players_say_how_many_soldiers_are_under_a_shell() -> None:
    other = (a_sub("B1", "rifles", 20, 20, 180.0), a_sub("B2", "rifles", 21.4, 20, 180.0), a_sub("B3", "tank", 30, 30))
    game = facing_off(a_sub("A1", "rifles", 20, 2), other=other)
    do(game, "end; end")
    do(game, "event", 4, 6)
    do(game, "arrive", 5)
    assert codes(game, "shell at 19.5,20 men 5") == {"men"}
    assert codes(game, "shell at 19.5,20 men B2=1") == {"men"}
    assert codes(game, "shell at 30,30 men 1") == {"men"}
    assert codes(game, "shell at 20.7,20 men 2") == {"men"}  # whose?
    assert codes(game, "shell at 20.7,20 men B1=1 B1=2") == {"twice"}
    do(game, "shell at 19.5,20 men 3")
    assert game.state.stands["B1"].men == 1
    assert "touched B1 (3 soldiers): 3 hits on B1" in told(game, ev.ShellFell)
    do(game, "shell at 20.7,20 men B2=2 B1=1")
    assert "B1" not in game.state.stands and game.state.stands["B2"].men == 2
    do(game, "shell at 30,30")
    assert "B3" not in game.state.stands


def test_a_composition_of_its_own_needs_no_free_company() -> None:
    makeup = (("rifles", 6, 6), ("machine-gun", 1, 2))
    subs = [a_sub(f"R{n}", "rifles", n, 1) for n in range(6)] + [a_sub("M", "machine-gun", 9, 1)]
    own = a_company("A", "red", subs, composition="own", makeup=makeup)
    assert faults(own) == ()
    assert faults(replace(own, subs=own.subs[:5])) == (
        "A has 5 of kind rifles; its own composition has 6 of them.",
        "A has 0 of kind machine-gun; its own composition has 1 to 2 of them.",
    )
    assert faults(replace(own, subs=(*own.subs, a_sub("T", "tank", 9, 9)))) == (
        "T is a tank, which has no place in A.",
    )
