"""Close combats that are due, how far a winning defender goes in all, and sentences that say what dice did."""

from tabletop.game import Game
from tabletop.rulesets.combat_captain import actions, board_text
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.setup import Standing
from tests.support.combat_captain_games import a_company, a_sub, begun, codes, do, facing_off, fight_out, meeting, told


def touching() -> Game:
    return meeting((a_sub("A1", "rifles", 20, 19),), (a_sub("B1", "rifles", 20, 20, 180.0),))


def test_companies_that_touch_fight_before_the_step_ends() -> None:
    game = touching()
    found = game.check(actions.End())
    assert [(v.code, v.answer, v.place) for v in found] == [("to-fight", "no", "Combat resolution")]
    assert found[0].usage == ("assault A at B",)
    assert "A and B touch" in told(game, ev.StepEnded)
    assert board_text.next_words(game.state) == "A and B touch: an assault."
    assert not any(option.legal for option in game.options() if option.kind == "end")
    fight_out(game, (5, 1))
    do(game, "put B1 at 20,24; settle")
    assert board_text.next_words(game.state) == ""
    do(game, "end")
    assert game.state.step == "event"


def test_who_ran_and_was_put_away_fights_nobody() -> None:
    game = touching()
    do(game, "withdraw B", 6, 6, 1, 1)
    assert codes(game, "end") == {"to-fight"}
    do(game, "put B1 at 20,30; end")
    assert game.state.step == "event"


def test_a_winner_follows_up_alone_and_whom_it_meets_waits_for_the_next_turn() -> None:
    game = begun(
        a_company("A", "red", [a_sub("A1", "rifles", 20, 19)]),
        a_company("B", "blue", [a_sub("B1", "rifles", 20, 20, 180.0)]),
        a_company("C", "blue", [a_sub("C1", "rifles", 20, 30, 180.0)]),
    )
    do(game, "end")
    fight_out(game, (5, 1))
    assert {option.unit for option in game.options() if option.kind in ("put", "cover")} == {"A1", "B1"}
    do(game, "put B1 at 30,20; put A1 at 20,29; settle")
    assert codes(game, "end") == set()


def test_a_contact_too_close_to_call_does_not_hold_the_step_up() -> None:
    loose = Standing(20, 18.7, 0.0, (0.04, 0.0, 0.04))
    game = meeting((a_sub("A1", "rifles", 0, 0, at=loose),), (a_sub("B1", "rifles", 20, 20, 180.0),))
    assert codes(game, "end") == set()


def test_a_winning_defender_goes_six_inches_in_all() -> None:
    game = touching()
    fight_out(game, (1, 6))
    do(game, "put B1 at 20,24")
    assert codes(game, "put B1 at 20,26.5") == {"too-far"}
    assert codes(game, "put B1 at 20,15") == set()  # 5" from where it fought
    do(game, "put A1 at 20,9; put B1 at 20,14; settle")


def test_saves_are_told_apart_from_hits_that_found_nobody_left() -> None:
    own = (a_sub("A1", "machine-gun", 20, 12.5), a_sub("A2", "machine-gun", 22, 12.5))
    game = facing_off(*own, other=(a_sub("B1", "rifles", 20, 20, 180.0, men=2, cover=1), a_sub("B2", "rifles", 40, 40)))
    do(game, "fire A at B1 dice 1", 4, 4, 6)  # 20 points: 5 hits
    do(game, "save", 1, 5, 5, 1, 6)
    assert (
        told(game, ev.Saved)
        == "B1 rolled 1, 5, 5, 1 and 6 to save: 1 hit saved, 2 not, 2 had nobody left to hit, so that B1 is destroyed."
    )


def test_only_who_can_be_struck_and_has_cover_is_told_to_save() -> None:
    other = (
        a_sub("B1", "rifles", 20, 20, 180.0),
        a_sub("B2", "rifles", 25, 30, 180.0, cover=4),
        a_sub("B3", "rifles", 30, 30, 180.0, cover=4),
    )
    game = meeting((a_sub("A1", "rifles", 20, 19), a_sub("A2", "rifles", 40, 2)), other)
    do(game, "assault A at B", 6, 1, 2, 2, 2)
    assert told(game, ev.SavesDue) == "6 hits on B: B2 may save."


def test_a_vehicle_that_is_hit_too_little_is_told_to_be_unhurt() -> None:
    other = (a_sub("B1", "vehicle", 20, 20, 180.0), a_sub("B2", "rifles", 40, 40))
    game = facing_off(a_sub("A1", "machine-gun", 20, 12.5), other=other)
    do(game, "fire A1 at B1 dice 1", 1, 5)  # 7 points: 1 hit
    assert "too few to hurt it" in told(game, ev.Fired)


def test_a_fire_with_markers_says_so_and_one_die_is_one() -> None:
    game = facing_off(a_sub("A1", "rifles", 20, 12.5), a_sub("A2", "rifles", 22, 12.5), own_chits=2)
    advice = [o.advice for o in game.options() if o.text == "fire A1 A2 at B1 dice 1"]
    assert advice == ["2 sub-units, 1 die each"]
    do(game, "fire A1 at B1 dice 1", 6, 6)
    assert "2 off each die for morale markers" in told(game, ev.Fired)


def test_a_call_that_can_not_be_is_refused_for_cover_as_for_ranges() -> None:
    game = facing_off(a_sub("A1", "rifles", 20, 12.5), other=(a_sub("B1", "rifles", 20, 20, 180.0, cover=2),))
    assert codes(game, "fire A1 at B1 dice 1 measured uncovered") == {"call"}
    assert codes(game, "fire A1 at B1 dice 1 measured covered") == set()


def test_who_is_put_back_on_the_table_has_not_stood_still_since_the_beginning() -> None:
    game = facing_off(a_sub("A1", "gun", 20, 8), a_sub("A2", "gun", 30, 8))
    for _ in range(12):
        game.push(actions.End())
    do(game, "correct A1 off; correct A1 at 20,8 facing 0")
    assert "not-stationary" in codes(game, "fire A1 at B1 dice 1 stationary")


def test_cover_in_close_combat_that_is_too_close_to_call_is_settled_stand_by_stand() -> None:
    loose = Standing(20, 20, 45.0, (0.0, 0.0, 0.0), 5.0)  # 135 degrees off the attacker, give or take
    other = (a_sub("B1", "rifles", 0, 0, at=loose, cover=3), a_sub("B2", "rifles", 30, 30, 180.0))
    game = meeting((a_sub("A1", "rifles", 20, 18.9),), other)
    (found,) = game.check(game.parse("assault A at B"))
    assert str(found).endswith('Usage: "measured B1=covered" or "measured B1=uncovered".')
    bare, covered = (game.parse(f"assault A at B measured B1={call}") for call in ("uncovered", "covered"))
    assert [game.check(action) for action in (bare, covered)] == [(), ()]
    assert game.ruleset.text(bare) == "assault A at B measured B1=uncovered"
    odds = [game.odds(action) for action in (bare, covered)]
    assert odds[0] is not None and odds[1] is not None
    assert odds[0].also["attacker wins"] > odds[1].also["attacker wins"]
    do(game, "assault A at B losses B1 measured B1=uncovered", 4, 2, 2)
    assert game.state.saves is None
    assert "B1" not in game.state.stands


def test_a_call_on_cover_that_is_sure_is_refused() -> None:
    other = (a_sub("B1", "rifles", 20, 20, 180.0, cover=3), a_sub("B2", "rifles", 30, 30, 180.0))
    game = meeting((a_sub("A1", "rifles", 20, 19),), other)
    assert codes(game, "assault A at B measured B1=uncovered") == {"call"}
    assert codes(game, "assault A at B measured B1=covered") == set()
    assert codes(game, "assault A at B measured B2=covered") == {"call"}
    assert codes(game, "assault A at B measured A1=covered") == {"call"}


def test_who_fought_one_company_may_run_from_the_next() -> None:
    game = begun(
        a_company("A", "red", [a_sub("A1", "rifles", 20, 19)]),
        a_company("C", "red", [a_sub("C1", "rifles", 20, 21)]),
        a_company("B", "blue", [a_sub("B1", "rifles", 20, 20, 180.0), a_sub("B2", "rifles", 30, 30, 180.0)]),
    )
    do(game, "end")
    do(game, "assault A at B", 1, 2, 2)
    do(game, "melee", 1, 6, 6)
    do(game, "retreat", 1, 1, 1, 1)
    do(game, "put A1 at 20,10; settle")
    assert codes(game, "withdraw B") == set()
    do(game, "withdraw B", 1, 1, 1, 1)
    assert codes(game, "withdraw B") == {"ran"}


def test_who_fought_all_that_touch_it_does_not_run_any_more() -> None:
    game = touching()
    fight_out(game, (1, 6))
    do(game, "put A1 at 20,15; put A1 at 20,19", overrule=True)
    do(game, "settle", overrule=True)
    assert codes(game, "withdraw B") == {"fought"}
