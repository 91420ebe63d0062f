"""What Combat's players must not learn of each other: by asking for rulings, and by taking back."""

import random
from datetime import UTC, datetime

import pytest

from api.auth.access import Role, Seat, may_act, may_see
from tabletop.cli import game_view as cli_view
from tabletop.errors import UsageError
from tabletop.game import UndoError
from tabletop.game.game_view import GameView
from tabletop.game.protocol import PUBLIC
from tabletop.rulesets.combat import actions, seats
from tabletop.rulesets.combat.play import RULES
from tests.support.combat_games import OPEN, begun, done, on, rolled, small_setup, standing_game

FOUR = on(OPEN, players=4)


def test_what_a_corps_may_do_is_judged_for_nobody_else_while_mines_may_lie() -> None:
    game = standing_game(FOUR, {"RT1": "k2", "RT2": "b2", "BT1": "b9"}, mines=("k3",))
    wish = game.parse("move RT1 to k3")
    assert {v.code for v in game.check(wish)} == {"own-mine"}
    whose = RULES.actor(game.state, wish)
    assert whose == "red-right"
    assert whose in GameView(game, "blue").keepers and whose in GameView(game, PUBLIC).keepers
    assert whose in seats.stands_for(game.state, "side red") & seats.stands_for(game.state, "command red-right")
    assert RULES.view(game.state, "red-right") == RULES.view(game.state, "red") != RULES.view(game.state, "blue")


@pytest.mark.parametrize("seed", range(2))
def test_whoever_keeps_a_secret_is_named_by_every_action_that_is_theirs(seed: int) -> None:
    rng = random.Random(seed)
    state = begun(small_setup(rng, players=rng.choice((2, 4)), mines=2, period=""))
    asked = 0
    for _ in range(120):
        if RULES.outcome(state) is not None:
            break
        keepers = RULES.view(state, PUBLIC)["hidden_by"]
        wishes = list(RULES.random_actions(state, rng))
        for wish in wishes:
            if not isinstance(wish, actions.Correct):
                assert RULES.actor(state, wish) in keepers, RULES.text(wish)
                asked += 1
        wish = next(wish for wish in wishes if not RULES.check(state, wish))
        state = rolled(state, wish, rng)
    assert asked > 50


def test_a_night_s_end_is_not_taken_back_once_dawn_showed_where_everybody_went() -> None:
    night = on(OPEN, days=2, turns_a_day=1, regroup=1, apart_at_night=True)
    game = standing_game(night, {"RT1": "c4", "RT2": "d4", "BT1": "c9", "BT2": "d9"})
    for words in ("end", "end", "move RT1 to c2", "end"):
        game.push(game.parse(words))
    game.pop()
    game.push(game.parse("end"))
    game.push(game.parse("end"))
    assert game.state.step == "toss" and RULES.view(game.state, "blue")["pieces"][0]["square"] == "c2"
    with pytest.raises(UndoError):
        game.pop()
    assert game.pop(referee=True)


def test_giving_up_shows_the_mines_and_is_not_taken_back() -> None:
    game = standing_game(OPEN, {"RT1": "c4", "BT1": "c9"}, mines=("c3", "c10"))
    game.push(game.parse("concede blue"))
    assert RULES.view(game.state, "blue")["mines"]["red"] == ["c3"]
    with pytest.raises(UndoError):
        game.pop()


def test_seats_of_four_players_see_and_say_their_own() -> None:
    game = standing_game(FOUR, {"RT1": "k2", "RT2": "b2", "BT1": "b9"}, mines=("k3", "k10"))
    state, wish = game.state, game.parse("move RT1 to k4")
    may: dict[str, bool] = {}
    seen: dict[str, str | None] = {}
    for words in ("side red", "command red-right", "command red-left", "side blue", "command blue-left", "host"):
        seat = Seat("s", "g", "Anna", (Role.parse(words),), datetime.now(UTC), datetime.now(UTC))
        may[words] = may_act(seat, RULES, state, wish) is None
        seen[words] = may_see(seat, RULES, state)
        assert may_act(seat, RULES, state, wish, overrule=True) is not None or words != "host"
    assert [words for words, fine in may.items() if fine] == ["side red", "command red-right"]
    for words, viewer in seen.items():
        mines = {own: secret["mines"] for own, secret in RULES.view(state, viewer).get("secret", {}).items()}
        own = words.split()[1].partition("-")[0] if " " in words else ""
        assert mines == ({own: ["k3" if own == "red" else "k10"]} if own else {}), words


def test_at_a_shared_screen_a_side_s_player_says_what_its_corps_do() -> None:
    game = standing_game(FOUR, {"RT1": "k2", "RT2": "b2", "BT1": "b9"}, mines=("k3", "k10"))
    for side in ("red", "red-right"):
        cli_view.CommandView(game, side).refuse_other("red-right", "move")
    for other in ("blue", "red-left", PUBLIC):
        with pytest.raises(UsageError, match="Only side red-right may do"):
            cli_view.CommandView(game, other).refuse_other("red-right", "move")
    assert cli_view.CommandView(game, "red").others_choose() == ""
    assert "--as red lists" in cli_view.CommandView(game, "blue").others_choose()


def test_a_corps_commander_looks_on_with_and_without_mines() -> None:
    pieces = {"RT1": "k2", "RT2": "b2", "BT1": "b9"}
    for setup, mines, sees in ((FOUR, ("k3", "k10"), "red-right"), (on(FOUR, mines=0), (), PUBLIC)):
        game = standing_game(setup, pieces, mines=mines)
        assert cli_view.CommandView.of(game, "Red-Right").side == sees
        with pytest.raises(UsageError, match='no side "red-middle"'):
            cli_view.CommandView.of(game, "red-middle")
    with pytest.raises(UsageError, match='no side "red-right"'):
        cli_view.CommandView.of(standing_game(OPEN, pieces), "red-right")


def test_a_deployment_by_number_is_another_for_each_and_legal() -> None:
    state = begun(on(OPEN, pieces=12, mines=8))
    for side in ("red", "blue"):
        state = done(state, f"army {side} tanks 6 guns 6 mines 8")
    made = {}
    for number in (0, 1, 417):
        words = f"deploy red number {number}" if number else "deploy red"
        wish = RULES.parse(state, words)
        assert RULES.text(wish) == words and not RULES.check(state, wish)
        after = done(state, words)
        assert after == done(state, words)
        assert not RULES.check(after, actions.Ready("red")) and RULES.invariant_violations(after) == ()
        made[number] = tuple(p.at for p in after.armies[0]), after.laid[0]
    assert len({pieces for pieces, _ in made.values()}) == len({mines for _, mines in made.values()}) == len(made)
