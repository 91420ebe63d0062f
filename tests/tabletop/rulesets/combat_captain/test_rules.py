"""Combat Captain's rules one by one, as games that are played line by line."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tabletop.errors import RulesError
from tabletop.game import Game, IllegalError
from tabletop.game.errors import UndoError
from tabletop.rulesets.combat_captain import actions
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.data import HouseRules, Kind
from tabletop.rulesets.combat_captain.organisation import faults
from tabletop.rulesets.combat_captain.play import RULES
from tabletop.rulesets.combat_captain.setup import Company, Standing, TerrainPiece
from tabletop.rulesets.combat_captain.state import Support
from tests.support.combat_captain_games import a_company, a_setup, a_sub, begun, codes, do, facing_off, last, meeting


@pytest.mark.parametrize(
    ("kind", "more", "add"),
    [("rifles", {}, 0), ("rifles", {"arms": "enhanced"}, 1), ("gun", {}, 2), ("machine-gun", {}, 6), ("mortar", {}, 0),
     ("bazooka", {}, 2), ("gun", {"grade": "inferior"}, 2)],
)  # fmt: skip
def test_modifiers_against_infantry(kind: Kind, more: dict[str, object], add: int) -> None:
    game = facing_off(a_sub("A1", kind, 20, 15, **more))
    do(game, "fire A1 at B1 dice 1", 4, 1)
    fired = last(game, ev.Fired)
    assert fired.points == 4 + add


@pytest.mark.parametrize(
    ("grade", "armour", "add"),
    [("inferior", "thin", -1), ("inferior", "normal", -2), ("inferior", "superior", -4), ("normal", "thin", 1),
     ("normal", "normal", 0), ("normal", "superior", -1), ("superior", "superior", -1), ("superior", "normal", 1),
     ("superior", "thin", 2)],
)  # fmt: skip
def test_modifiers_against_armour(grade: str, armour: str, add: int) -> None:
    game = facing_off(
        a_sub("A1", "gun", 20, 8, grade=grade), other=(a_sub("B1", "tank", 20, 20, 180.0, armour=armour),)
    )
    do(game, "fire A1 at B1 dice 3", 6, 6, 6, 6, 6, 6)
    fired = last(game, ev.Fired)
    assert fired.points == 24 + add


def test_armour_is_killed_by_a_further_die_up_to_the_kill_number() -> None:
    def shot(*dice: int) -> Game:
        game = facing_off(a_sub("A1", "gun", 20, 8), other=(a_sub("B1", "tank", 20, 20), a_sub("B2", "tank", 30, 20)))
        do(game, "fire A1 at B1 dice 3", *dice)
        return game

    assert "B1" not in shot(6, 6, 4, 4, 6, 5).state.stands  # 20 points and a 6: kill number 5
    assert "B1" in shot(6, 6, 4, 4, 6, 6).state.stands
    assert "B1" in shot(6, 6, 4, 4, 1, 1).state.stands  # 20 points and a 1: nothing


def test_nobody_fires_a_weapon_that_it_lacks() -> None:
    game = facing_off(a_sub("A1", "rifles", 20, 12.5))
    with pytest.raises(IllegalError, match="no weapon"):
        do(game, "fire A1:cannon at B1 dice 1", 1, 1)


def test_only_guns_fire_at_armour() -> None:
    for kind in ("rifles", "machine-gun", "mortar"):
        game = facing_off(a_sub("A1", kind, 20, 15), other=(a_sub("B1", "tank", 20, 20),))  # type: ignore[arg-type]
        assert codes(game, "fire A1 at B1 dice 1") == {"no-effect"}
    game = facing_off(a_sub("A1", "bazooka", 20, 13), other=(a_sub("B1", "tank", 20, 20),))
    assert codes(game, "fire A1 at B1 dice 1") == set()


def test_hits_are_soldiers_two_a_vehicle_three_a_half_track() -> None:
    def shot(kind: Kind, *dice: int) -> Game:
        own = (a_sub("A1", "rifles", 20, 13.5), a_sub("A2", "rifles", 22, 13.5))
        game = facing_off(*own, other=(a_sub("B1", kind, 20, 20, 180.0), a_sub("B2", "rifles", 40, 40)))
        do(game, "fire A1 at B1 dice 3", *dice)
        return game

    soldiers = shot("rifles", 3, 3, 3, 1, 6)  # 10 points and a 6: 3 hits
    assert soldiers.state.stands["B1"].men == 1
    assert "B1" not in shot("vehicle", 3, 3, 3, 1, 5).state.stands
    assert "B1" in shot("vehicle", 3, 3, 1, 1, 4).state.stands
    assert "B1" in shot("half-track", 3, 3, 3, 1, 5).state.stands
    assert "B1" not in shot("half-track", 3, 3, 3, 1, 6).state.stands


def test_sub_units_of_one_unit_combine_and_of_two_do_not() -> None:
    game = facing_off(a_sub("A1", "rifles", 18, 12.5), a_sub("A2", "rifles", 22, 12.5))
    assert codes(game, "fire A1 A2 at B1 dice 1") == set()
    two = begun(
        a_company("A", "red", [a_sub("A1", "rifles", 18, 12.5)]),
        a_company("C", "red", [a_sub("C1", "rifles", 22, 12.5)]),
        a_company("B", "blue", [a_sub("B1", "rifles", 20, 20)]),
    )
    assert "other-unit" in codes(two, "fire A1 C1 at B1 dice 1")


def test_a_company_fires_in_its_best_combination() -> None:
    own = (
        a_sub("A1", "rifles", 18, 12.5),
        a_sub("A2", "rifles", 22, 12.5),
        a_sub("A3", "bazooka", 20, 2),
        a_sub("A4", "tank", 24, 13),
    )
    game = facing_off(*own)
    action = game.parse("fire A at B1 dice 3")
    assert isinstance(action, actions.Fire)
    assert [(firer.sub, firer.weapon) for firer in action.firers] == [("A1", None), ("A2", None), ("A4", "mg")]


def test_dice_spent_on_fire_are_counted_and_come_back_with_the_next_turn() -> None:
    game = facing_off(a_sub("A1", "rifles", 20, 12.5))
    do(game, "fire A1 at B1 dice 2", 1, 1, 1)
    assert codes(game, "fire A1 at B1 dice 2") == {"dice-spent"}
    assert codes(game, "fire A1 at B1 dice 1") == set()
    for _ in range(6):
        game.push(actions.End())
    assert codes(game, "fire A1 at B1 dice 3") == set()


def test_who_is_not_active_or_not_in_the_step_does_not_fire() -> None:
    game = facing_off(a_sub("A1", "rifles", 20, 12.5))
    assert codes(game, "fire B1 at A1 dice 1") == {"not-your-turn"}
    game.push(actions.End())
    assert "wrong-step" in codes(game, "fire A1 at B1 dice 1")


def test_a_range_between_two_bands_is_too_close_to_call_and_players_call_it() -> None:
    loose = Standing(20, 12.5 - 0.5, 0.0, (0.01, 0.0, 0.01))
    other = (a_sub("B1", "rifles", 20, 20.5, 180.0),)
    game = facing_off(a_sub("A1", "rifles", 0, 0, at=loose), other=other)
    found = game.check(game.parse("fire A1 at B1 dice 1"))
    assert [(v.code, v.answer) for v in found] == [("open-range", "too-close")]
    assert "short range or medium range" in found[0].text
    assert (found[0].field, [choice.value for choice in found[0].choices]) == ("calls", ["A1=short", "A1=medium"])
    odds = game.odds(game.parse("fire A1 at B1 dice 1"))
    assert [when for when, _ in odds.cases] == ["A1 at medium range"]
    assert codes(game, "fire A1 at B1 dice 1 measured A1=medium") == set()
    assert codes(game, "fire A1 at B1 dice 1 measured A1=long") == {"open-range", "call"}
    do(game, "fire A1 at B1 dice 1 measured A1=medium", 3, 6)
    fired = last(game, ev.Fired)
    assert (fired.parts[0].band, fired.points) == ("medium", 0)


def test_fire_within_a_forest_is_at_long_range() -> None:
    wood = TerrainPiece("wood", "woods", ((0, 0), (48, 0), (48, 48), (0, 48)))
    game = facing_off(a_sub("A1", "rifles", 20, 14), terrain=(wood,))
    do(game, "fire A1 at B1 dice 1", 4, 6)
    fired = last(game, ev.Fired)
    assert (fired.parts[0].band, fired.points) == ("long", 0)
    bazooka = facing_off(a_sub("A1", "bazooka", 20, 14), terrain=(wood,))
    do(bazooka, "fire A1 at B1 dice 2", 5, 4, 6)  # all fire in a forest is: a bazooka's too, as far as it reaches
    event = last(bazooka, ev.Fired)
    assert (event.parts[0].band, event.points) == ("long", 5 + 2)
    far = facing_off(a_sub("A1", "bazooka", 20, 11.4), terrain=(wood,))
    assert "out-of-range" in codes(far, "fire A1 at B1 dice 1")


def test_hits_on_cover_are_saved_one_by_one() -> None:
    game = facing_off(a_sub("A1", "rifles", 20, 13.5), other=(a_sub("B1", "rifles", 20, 20, 180.0, cover=3),))
    do(game, "fire A1 at B1 dice 3", 3, 3, 3, 1, 6)
    assert game.to_act == "blue"
    assert codes(game, "end") == {"due"}
    odds = game.odds(actions.Save())
    assert odds.chances == {n: Fraction(c, 8) for n, c in ((0, 1), (1, 3), (2, 3), (3, 1))}
    do(game, "save", 3, 4, 1)
    assert game.state.stands["B1"].men == 3
    assert game.to_act == "red"


def test_cover_that_faces_away_saves_nothing_and_high_cover_does() -> None:
    for cover, due in ((3, False), (4, True)):
        game = facing_off(a_sub("A1", "rifles", 20, 13.5), other=(a_sub("B1", "rifles", 20, 20, 0.0, cover=cover),))
        do(game, "fire A1 at B1 dice 3", 3, 3, 3, 1, 6)
        assert (game.state.saves is not None) is due


def test_fire_from_two_sides_defeats_cover_that_does_not_face_both() -> None:
    other = (a_sub("B1", "rifles", 20, 20, 180.0, cover=3), a_sub("B2", "rifles", 40, 40))
    game = facing_off(a_sub("A1", "rifles", 20, 14), a_sub("A2", "rifles", 20, 26), other=other)
    do(game, "fire A1 A2 at B1 dice 3", *(3,) * 8, 6)
    assert game.state.saves is None


def test_attackers_hit_with_even_dice_and_defenders_with_odd_ones() -> None:
    own = (
        a_sub("A1", "rifles", 20, 19),
        a_sub("A2", "rifles", 40, 2),
        a_sub("A3", "tank", 44, 2),
        a_sub("A4", "vehicle", 46, 2),
    )
    other = (a_sub("B1", "rifles", 20, 20, 180.0), a_sub("B2", "half-track", 20, 30), a_sub("B3", "rifles", 25, 30))
    game = meeting(own, other)
    action = game.parse("assault A at B")
    assert game.ruleset.dice(game.state, action).count == 5 + 3  # two squads and a tank, no car; three of the enemy
    do(game, "assault A at B", 2, 1, 1, 1, 1, 1, 3, 2)
    event = last(game, ev.Assaulted)
    assert (event.on_defender, event.on_attacker) == (2, 4)
    assert "A1" not in game.state.stands
    assert game.state.stands["B1"].men == 2


def test_all_sub_units_of_both_fight_once_one_touches_and_none_does_else() -> None:
    game = meeting((a_sub("A1", "rifles", 20, 10),), (a_sub("B1", "rifles", 20, 20, 180.0),))
    assert codes(game, "assault A at B") == {"no-contact"}
    loose = Standing(20, 18.7, 0.0, (0.04, 0.0, 0.04))
    near = meeting((a_sub("A1", "rifles", 0, 0, at=loose),), (a_sub("B1", "rifles", 20, 20, 180.0),))
    assert [(v.code, v.answer) for v in near.check(near.parse("assault A at B"))] == [("no-contact", "too-close")]


def test_the_second_throw_counts_the_other_way_round_with_cover_points() -> None:
    own = (a_sub("A1", "rifles", 20, 19), a_sub("A2", "rifles", 18, 19))
    other = (a_sub("B1", "rifles", 20, 20, 180.0, cover=2), a_sub("B2", "rifles", 22, 20, 180.0, cover=1))
    game = meeting(own, other)
    do(game, "assault A at B", 1, 1, 2, 2)
    assert game.state.combat.stage == "melee"
    odds = game.odds(actions.Melee())
    assert sum(odds.chances.values()) == 1
    do(game, "melee", 5, 5, 2, 4)
    event = last(game, ev.Fought)
    assert (event.attack_total, event.defend_total, event.cover_points) == (10, 9, 3)
    assert game.state.combat.winner == "A"


def test_a_tie_is_the_defenders() -> None:
    game = meeting((a_sub("A1", "rifles", 20, 19),), (a_sub("B1", "rifles", 20, 20, 180.0, cover=1),))
    do(game, "assault A at B", 1, 2)
    do(game, "melee", 1, 1)
    assert game.state.combat.winner == "B"


def test_a_close_combat_that_leaves_nobody_is_won_without_a_throw() -> None:
    game = meeting((a_sub("A1", "rifles", 20, 19),), (a_sub("B1", "rifles", 20, 20, 180.0, men=2),))
    do(game, "assault A at B", 4, 2)
    assert (game.state.combat.winner, game.state.combat.stage) == ("A", "follow")
    odds = game.trial().state  # the chances before the throw are told with it
    event = last(game, ev.Assaulted)
    assert odds is not None
    assert 0 < event.wins < 1


def test_who_is_charged_may_run_once_with_one_marker() -> None:
    game = meeting((a_sub("A1", "rifles", 20, 19),), (a_sub("B1", "rifles", 20, 20, 180.0),))
    assert codes(game, "withdraw A") == {"attacker"}
    do(game, "withdraw B", 1, 1, 1, 1)
    assert game.state.chits["B"] == 1
    assert "ran" in codes(game, "withdraw B")
    assert codes(game, "assault A at B") == set()  # it stands there still: charged again it has to fight


def test_hits_fall_first_on_who_misses_men_and_cover_holds_against_the_nearest() -> None:
    other = (a_sub("B1", "rifles", 20, 20, 180.0), a_sub("B2", "rifles", 22, 20, 180.0))
    game = meeting((a_sub("A1", "rifles", 20, 19),), other)
    do(game, "correct B2 men 3")
    do(game, "assault A at B", 2, 2, 2)
    assert [game.state.stands[name].men for name in ("B1", "B2")] == [4, 1]
    own = (a_sub("A1", "rifles", 20, 19), a_sub("A2", "rifles", 20, 40))  # one before its cover, one behind
    game = meeting(own, (a_sub("B1", "rifles", 20, 20, 180.0, cover=3),))
    do(game, "assault A at B", 2, 1, 2)
    assert game.state.saves is not None


def at_event(*event: int, arrive: int = 0) -> Game:
    """A game with this random event thrown, and what it brings where it comes from off the board."""
    own = (a_sub("A1", "rifles", 10, 10), a_sub("A2", "rifles", 14, 10))
    other = (
        a_sub("B1", "rifles", 20, 20, 180.0),
        a_sub("B2", "rifles", 24, 20, 180.0, cover=4),
        a_sub("B3", "tank", 30, 20, 180.0),
    )
    game = facing_off(*own, other=other)
    do(game, "end; end; event", *event)
    if arrive:
        do(game, "arrive", arrive)
    return game


@pytest.mark.parametrize(
    ("dice", "what"),
    [((1, 1), "opponent"), ((1, 2), "low-ammunition"), ((2, 2), "nothing"), ((4, 5), "nothing"), ((4, 6), "artillery"),
     ((5, 6), "strafing"), ((6, 6), "bombing")],
)  # fmt: skip
def test_every_random_event(dice: tuple[int, int], what: str) -> None:
    game = at_event(*dice)
    event = last(game, ev.EventRolled)
    assert event.what == what
    assert game.to_act == ("blue" if what == "opponent" else "red")


def test_low_ammunition_leaves_two_dice_for_fire_in_the_next_activation_phase_alone() -> None:
    game = at_event(1, 2)
    do(game, "end; end; end; end")
    assert game.state.side == "red"
    assert codes(game, "fire A1 at B1 dice 3") == {"dice-spent"}
    assert codes(game, "fire A1 at B1 dice 2") == set()
    do(game, "fire A1 at B1 dice 1", 1, 1)
    assert game.ruleset.dice(game.state, game.parse("fire A1 at B1 dice 1")).count == 1 + 1, "no further die"
    do(game, "end; end; end; end; end; end")
    assert codes(game, "fire A1 at B1 dice 3") == set()


def test_the_opponent_chooses_after_a_two() -> None:
    game = at_event(1, 1)
    assert codes(game, "arrive") == {"due"}
    do(game, "choose bombing")
    assert game.state.support == Support("blue", "bombing")


def test_a_shell_too_close_to_call_is_looked_at() -> None:
    game = at_event(4, 6, arrive=2)
    assert codes(game, "shell at 20,21.05 spread 0.1") == {"open-touch"}
    assert codes(game, "shell at 20,21.05 spread 0.1 without B1") == set()
    assert codes(game, "shell at 20,20 without B1") == {"call"}
    assert codes(game, "shell at 5,40 with B1") == {"call"}
    assert codes(game, "shell at 20,60") == {"off-table"}
    do(game, "shell at 20,21.05 spread 0.1 with B1")
    assert "B1" not in game.state.stands


def test_a_tank_under_a_shell_is_gone_and_a_shell_is_nothing_to_take_back() -> None:
    game = at_event(4, 6, arrive=1)
    do(game, "shell at 30,20")
    assert "B3" not in game.state.stands
    with pytest.raises(UndoError):
        game.pop()


def test_strafing_goes_stand_by_stand_and_is_shot_at() -> None:
    game = at_event(5, 6, arrive=4)
    assert game.state.support.left == 2
    do(game, "strafe from 12,20 heading 90")
    assert game.state.support.crossed == ("B1", "B2")  # no tank: every infantryman
    do(game, "attack men 3", 5, 1, 6)
    assert game.to_act == "blue"
    do(game, "return", 4)  # breaks off after one casualty
    assert game.state.stands["B1"].men == 3
    assert (game.state.support.left, game.state.support.tape) == (1, None)
    do(game, "strafe from 12,20 heading 90")
    do(game, "attack", 1, 2, 2)
    do(game, "return", 6)
    assert game.state.planes_lost == {"red": 1}
    assert game.state.support is None


def test_planes_that_crashed_do_not_come_back_and_a_run_may_be_broken_off() -> None:
    game = at_event(6, 6, arrive=6)
    for _ in range(2):
        do(game, "bomb B1", 1)
    assert game.state.planes_lost == {"red": 2}
    do(game, "bomb B3", 5)
    assert "B3" not in game.state.stands
    do(game, "end; end; end; end; end; end")
    do(game, "event", 5, 6)
    do(game, "arrive", 6)
    assert game.state.support.left == 1
    do(game, "strafe at 12,20 facing 90; break-off")
    assert game.state.support is None


def test_hands_that_set_right_leave_no_throw_without_anybody() -> None:
    game = at_event(5, 6, arrive=1)
    do(game, "strafe from 20,10 to 20,30; correct B1 off")
    assert "break-off" in game.options()[0].text
    assert game.check(actions.Attack())
    do(game, "break-off")
    fight = meeting((a_sub("A1", "rifles", 20, 19),), (a_sub("B1", "rifles", 20, 20, 180.0),))
    do(fight, "assault A at B", 1, 2)
    do(fight, "correct B1 off")
    assert (fight.state.combat.winner, fight.state.combat.stage) == ("A", "follow")


def test_casualties_of_strafing_are_saved_by_cover() -> None:
    game = at_event(5, 6, arrive=1)
    do(game, "strafe from 24,10 to 24,30")
    do(game, "attack", 5, 5, 6, 2)
    assert game.state.saves is not None
    do(game, "save", 4, 5, 6)
    assert game.state.stands["B2"].men == 2
    assert game.state.support is None


def _company(composition: str, **kinds: int) -> Company:
    subs = [
        a_sub(f"{kind[0].upper()}{n}", kind.replace("_", "-"), n, 1)
        for kind, many in kinds.items()
        for n in range(many)
    ]  # type: ignore[arg-type]
    return replace(a_company("A", "red", subs), composition=composition)  # type: ignore[arg-type]


def test_printed_compositions_are_held_to_with_everything_wrong_at_once() -> None:
    assert faults(_company("infantry", rifles=8, machine_gun=2, bazooka=2)) == ()
    assert faults(_company("infantry", rifles=8, machine_gun=2, bazooka=2, half_track=3)) == ()
    assert faults(_company("tanks", tank=5)) == ()
    assert faults(_company("battery", gun=3)) == ()
    assert len(faults(_company("infantry", rifles=7, machine_gun=3, tank=1))) == 3
    assert len(faults(_company("tanks", tank=6, rifles=1))) == 2
    assert len(faults(_company("battery", gun=4))) == 1
    broken = replace(_company("free", rifles=1), leader="X", radius_in=0.0)
    assert len(faults(replace(broken, subs=(replace(broken.subs[0], men=0, cover=6),)))) == 4


def test_a_game_that_can_not_be_names_all_that_is_wrong() -> None:
    one = a_company("A", "red", [a_sub("A1", "rifles", 1, 1, men=0)])
    with pytest.raises(RulesError) as caught:
        RULES.start(a_setup(one, a_company("A", "green", [a_sub("A1", "rifles", 2, 2)])))
    for words in ("without soldiers", "stand for several things", '"green"', "blue has no company"):
        assert words in str(caught.value)


def test_a_company_is_put_as_it_stands_or_in_ranks() -> None:
    game = facing_off(a_sub("A1", "rifles", 10, 10), a_sub("A2", "rifles", 13, 10))
    do(game, "put A at 20,10 facing 90")
    stands = game.state.stands
    assert [(s.at.x, s.at.y, s.at.facing) for s in (stands["A1"], stands["A2"]) if s.at] == [(20, 10, 90), (20, 7, 90)]
    fresh = Game.new(game.ruleset, a_setup(
        a_company("A", "red", [a_sub(f"A{n}", "rifles", 0, 0, at=None) for n in range(1, 9)]),
        a_company("B", "blue", [a_sub("B1", "rifles", 20, 20)]),
    ))  # fmt: skip
    assert codes(fresh, "begin") == {"not-placed"}
    do(fresh, "put A at 20,5 facing 0")
    assert [s.at.y for s in fresh.state.stands.values() if s.at] == pytest.approx([5] * 6 + [3.6] * 2 + [20])
    do(fresh, "begin")


def test_who_moves_is_out_of_cover_and_a_nudge_is_no_move() -> None:
    game = facing_off(a_sub("A1", "rifles", 10, 10, cover=3))
    do(game, "put A1 at 10.2,10")
    assert game.state.stands["A1"].cover == 3
    do(game, "put A1 at 12,10")
    assert (game.state.stands["A1"].cover, game.state.stands["A1"].since) == (0, 1)
    do(game, "cover A1 level 2 facing 90")
    assert (game.state.stands["A1"].cover, game.state.stands["A1"].cover_facing) == (2, 90.0)


def test_a_side_with_nobody_left_loses_at_the_end_of_its_turn_and_the_last_turn_ends_the_game() -> None:
    game = facing_off(a_sub("A1", "rifles", 20, 13.5))
    do(game, "correct B1 off; end; end; end")
    assert game.outcome.winner == "red"
    timed = facing_off(a_sub("A1", "rifles", 20, 13.5), turns=1, otherwise="blue")
    do(timed, "end; end; end; end; end; end")
    assert timed.outcome.winner == "blue"
    agreed = facing_off(a_sub("A1", "rifles", 20, 13.5))
    do(agreed, "victory draw because the pub closes")
    assert (agreed.outcome.winner, agreed.outcome.reason) == (None, "The pub closes.")


def test_morale_markers_are_given_and_taken_as_the_players_say() -> None:
    game = facing_off(a_sub("A1", "rifles", 20, 13.5))
    do(game, "chit A +2 because two squads lost")
    do(game, "chit A -1")
    assert game.state.chits["A"] == 1
    assert codes(game, "chit A -2") == {"chits"}


def test_the_house_rule_on_markers_changes_what_dice_count() -> None:
    game = facing_off(a_sub("A1", "rifles", 20, 8.5), own_chits=1, rules=HouseRules(penalty_first=True))
    do(game, "fire A1 at B1 dice 3", 2, 3, 4, 5, 1)
    fired = last(game, ev.Fired)
    assert fired.points == 2 + 4  # 3 and 5 count as 2 and 4
