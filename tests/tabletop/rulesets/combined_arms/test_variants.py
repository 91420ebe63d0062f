"""The co-operative game's roles and messages, and the variant with a player for the enemy: bids, secrets, choices."""

import random
from dataclasses import replace
from typing import Any

import pytest

from tabletop.errors import RulesError
from tabletop.game import Game, UndoError
from tabletop.rulesets.combined_arms import enemy_player, seats
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.actions import Message
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.reducer import apply
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import Secret, State
from tests.support.combined_arms_tables import codes, do, game_at, state_at


class TestCooperative:
    def game(self) -> Game:
        return game_at(
            {"D1": "3-4", "D2": "3-4", "E1": "3-6", "A1": "3-5 0", "M1": "2-5"}, {"5-5": "", "6-5": ""},
            mode="co-operative",
        )  # fmt: skip

    def test_two_who_wish_to_act_wait_for_the_commander(self) -> None:
        game = self.game()
        do(game, "claim D", "claim E")
        assert codes(game, "move D1 to 3-3") == ["claimed"]
        do(game, "grant E")
        assert codes(game, "move D1 to 3-3") == ["granted-other"]
        do(game, "move E1 to 3-7")
        assert (game.state.claims, game.state.granted) == ((), "")
        assert codes(game, "move D1 to 3-3") == []

    def test_one_wish_of_its_own_is_no_matter(self) -> None:
        game = self.game()
        do(game, "claim D")
        assert codes(game, "move D1 to 3-3") == []
        assert codes(game, "claim D") == ["claimed-already"]

    def test_fire_is_declared_joined_and_rolled_in_that_order(self) -> None:
        game = self.game()
        do(game, "end")
        assert codes(game, "fire D1 at 5-5") == ["declare"]
        do(game, "declare D1 at 5-5")
        assert codes(game, "end") == ["resolve-first"]
        assert codes(game, "declare M1 at 6-5") == ["resolve-first"]
        assert codes(game, "declare E1 at 5-5") == ["two-companies"]
        do(game, "declare A1 at 5-5", "declare D2 at 5-5")
        shots = do(game, "resolve", dice=(1, 2, 3))
        assert [(s.unit, s.die) for s in shots] == [("D1", 1), ("A1", 2), ("D2", 3)]
        assert game.state.declared == ()

    def test_the_solitaire_game_knows_no_roles(self) -> None:
        game = game_at({"D1": "3-4"}, {"5-5": ""})
        assert codes(game, "claim D") == ["not-coop"]
        do(game, "end")
        assert codes(game, "declare D1 at 5-5") == ["not-coop"]
        assert codes(game, "resolve") == ["nothing-declared"]


def begun(seed: int = 3, **more: Any) -> Game:
    """A game with a player for the enemy, on to its secret deployment."""
    game = Game.new(RULES, Setup(mode="enemy-player", **more))
    rng = random.Random(seed)
    while game.state.step not in ("post", "bids"):
        game.push(next(RULES.bot_actions(game.state, rng)), rng=rng)
    return game


class TestBids:
    def test_the_higher_one_commands_the_defenders(self) -> None:
        game = begun(bidding=True)
        do(game, "bid 1 3")
        assert RULES.view(game.state, "public")["bids"] == ["sealed", None]
        assert RULES.view(game.state, "player 2")["bids"] == ["sealed", None]
        assert RULES.view(game.state, "player 1")["bids"] == [3, None]
        assert codes(game, "bid 1 4") == ["bid-twice"]
        do(game, "bid 2 5")
        assert (game.state.defending, game.state.handicap, game.state.step) == (2, 5, "terrain")

    def test_dice_where_they_are_equal(self) -> None:
        game = begun(bidding=True)
        do(game, "bid 2 4", "bid 1 4")
        (awarded,) = do(game, "award", dice=(4,))
        assert (awarded.player, awarded.handicap) == (2, 4)

    def test_the_handicap_counts(self) -> None:
        game = begun(handicap=6)
        assert game.state.handicap == 6
        assert ("handicap granted", 1, 6) in RULES.view(game.state)["score"] or ["handicap granted", 1, 6] in [
            list(row) for row in RULES.view(game.state)["score"]
        ]

    def test_bids_belong_to_this_variant(self) -> None:
        with pytest.raises(RulesError, match="enemy-player"):
            Game.new(RULES, Setup(bidding=True))


def posted(platoons: int = 4, atgs: int = 1, counters: dict[str, str] | None = None) -> State:
    """A state before the secret deployment, with these potential counters."""
    state = state_at(
        {}, counters or {"4-3": "potential", "4-8": "", "6-2": "", "6-9": "potential", "8-3": "", "8-6": ""}
    )
    setup = replace(state.setup, mode="enemy-player")
    return replace(state, setup=setup, step="post", secret=Secret(platoons, atgs))


def against(state: State, platoons: str, atgs: str = "") -> list[str]:
    return [v.code for v in enemy_player.against_posting(state, platoons.split(), atgs.split())]


class TestDeployment:
    def test_the_throw(self) -> None:
        game = begun()
        state = replace(game.state, step="muster", secret=None)
        for dice, counts in (((1, 2), False), ((4, 6), False), ((3, 4), True), ((6, 1), True)):
            (event,) = RULES.resolve(state, RULES.parse(state, "muster"), dice)
            assert isinstance(event, ev.Mustered)
            assert event.counts is counts
        after = apply(state, ev.Mustered((2, 5), True))
        assert after.secret == Secret(5, 2)

    def test_as_many_as_were_rolled_guns_with_platoons(self) -> None:
        state = posted()
        assert "wrong-count" in against(state, "4-3 4-8 6-2", "4-3")
        assert "guns-alone" in against(state, "4-8 6-2 6-9 8-3", "4-3")
        assert "no-guns-there" in against(state, "4-3 4-8 6-2 6-9", "4-8")
        assert against(state, "5-5 4-8 6-2 6-9", "6-9") == ["no-counter"]

    def test_two_or_none_next_to_another(self) -> None:
        state = posted(4, 0, {"4-3": "", "4-4": "", "5-4": "", "4-8": "", "6-8": "", "6-2": ""})
        assert "too-close" in against(state, "4-3 4-4 5-4 4-8")
        assert "too-close" not in against(state, "4-3 4-4 4-8 6-8")

    def test_two_on_each_side_of_the_road(self) -> None:
        assert "one-sided" in against(posted(), "4-3 6-2 8-3 4-8", "4-3")
        assert enemy_player.side_of_road(NUMBER["5-6"]) == 0

    def test_rich_rows_have_one(self) -> None:
        state = posted()
        assert against(state, "4-3 6-2 6-9 4-8", "4-3") == ["empty-row"]
        assert against(state, "4-3 4-8 6-2 8-6", "4-3") == []

    def test_what_no_choice_can_keep_is_waived(self) -> None:
        state = posted(2, 0, {"4-3": "", "4-4": "", "4-2": ""})
        assert against(state, "4-3 4-4") == []


class TestEnemyPhase:
    def game(self, *real: str, guns: tuple[str, ...] = (), **more: Any) -> Game:
        """A game in the enemy phase of turn 5 with two potential counters, 5-5 and 7-3, and infantry in sight."""
        platoons = more.pop("platoons", {"D1": "3-5", "A1": "2-4 0"})
        game = game_at(platoons, more.pop("enemy", {"5-5": "potential", "7-3": ""}))
        secret = Secret(len(real), len(guns), frozenset(NUMBER[n] for n in real), frozenset(NUMBER[n] for n in guns))
        state = replace(game.state, setup=replace(game.state.setup, mode="enemy-player"), secret=secret)
        game._states[-1] = (game._states[-1][0], state)
        do(game, "end", "end")
        return game

    def test_the_mortars_on_the_usual_dice_or_not_at_all(self) -> None:
        game = self.game("5-5")
        assert game.to_act == "defender"
        assert codes(game, "defend") == ["enemy-player"]
        (tried,) = do(game, "mortars", dice=(5,))
        assert tried.available
        assert codes(game, "aim 2-4") == ["not-spotted"]
        do(game, "aim 3-5")
        assert game.state.enemy_call is not None

    def test_phantoms_and_real_ones_are_asked_alike(self) -> None:
        real, phantom = self.game("5-5", "7-3", guns=("5-5",)), self.game()
        for game in (real, phantom):
            do(game, "forgo")
        for side in ("attacker", "public"):
            assert RULES.view(real.state, side) == RULES.view(phantom.state, side)
        assert RULES.to_act(real.state) == RULES.to_act(phantom.state) == "defender"
        assert codes(phantom, "show") == ["phantom"]
        assert codes(real, "show guns") == []

    def test_showing_and_firing_by_choice(self) -> None:
        game = self.game("5-5", guns=("5-5",))
        do(game, "forgo")
        assert codes(game, "engage 3-5") == ["hidden"]
        do(game, "show")
        assert codes(game, "shoot A1") == ["no-target"]
        do(game, "show guns")
        (shot,) = do(game, "shoot A1", dice=(6,))[:1]
        assert (shot.broken, shot.because) == (True, "the enemy's choice")
        do(game, "engage 3-5")
        assert game.state.pending is not None
        assert codes(game, "pass") == ["roll-first"]

    def test_a_spent_one_may_show_itself(self) -> None:
        game = self.game("5-5", enemy={"5-5": "spent", "7-3": ""})
        if game.state.mortar_stage == "to roll":
            do(game, "forgo")
        do(game, "show")
        counter = game.state.counters[NUMBER["5-5"]]
        assert (counter.revealed, counter.fresh) == (True, True)

    def test_the_bonus_against_hidden_ones_holds_next_to_them(self) -> None:
        game = self.game(platoons={"D1": "3-5", "A1": "4-5 0"}, enemy={"5-5": "", "5-6": "real"})
        state = replace(game.state, step="fire")
        shots = RULES.odds(state, RULES.parse(state, "fire D1 at 5-5"))
        assert shots is not None
        assert "unrevealed +1" in shots.words[0]

    def test_the_end_uncovers_everything_without_dice(self) -> None:
        game = self.game("7-3")
        do(game, "forgo", "pass", "pass")
        events = do(game, "finish")
        assert [type(e) for e in events] == [ev.PhaseBegan, ev.Shown, ev.Shown, ev.Finished]
        assert events[-1].total == 2
        assert "secret" in RULES.view(game.state, "public")


def test_a_deployment_is_found_where_most_tries_fail() -> None:
    """Twelve counters, few of them right of the road: the fallback keeps what can be kept."""
    counters = dict.fromkeys(("4-1", "4-3", "4-5", "5-5", "6-2", "6-3", "8-6", "9-1", "9-3", "7-9"), "potential")
    state = posted(4, 2, {**counters, "5-1": "", "5-8": "potential"})
    for seed in range(10):
        platoons, guns = enemy_player.some_posting(state, random.Random(seed))
        names = [" ".join(NAMES[n] for n in hexes) for hexes in (platoons, guns)]
        assert against(state, *names) == [], seed


def test_what_was_shown_is_not_hidden_again_by_taking_back() -> None:
    game = begun()
    do(game, RULES.text(next(RULES.bot_actions(game.state, random.Random(0)))), "concede attacker")
    assert "secret" in RULES.view(game.state, "public")
    with pytest.raises(UndoError, match="revealed a secret"):
        game.pop()
    game.pop(referee=True)
    assert game.outcome is None


def team(**more: object) -> Game:
    game = game_at({"D1": "3-4", "A1": "3-5 0", "M1": "2-5"}, {"5-5": ""}, mode="co-operative")
    return Game.new(RULES, replace(game.state.setup, **more))


def test_a_sixth_player_commands_all_and_the_mmgs_have_a_player_of_their_own() -> None:
    five, six = team(), team(commander_apart=True)
    assert seats.roles(five.state) == tuple(f"command {name}" for name in ("armour", "D", "E", "F", "command"))
    assert set(seats.roles(six.state)) - set(seats.roles(five.state)) == {"command support"}
    for said, of_five, of_six in (
        ("move M1 to 2-6", "command", "support"),
        ("call he 5-5", "command", "support"),
        ("move D1 to 3-3", "D", "D"),
        ("end", "command", "command"),
        ("grant D", "command", "command"),
    ):
        assert RULES.actor(five.state, five.parse(said)) == of_five, said
        assert RULES.actor(six.state, six.parse(said)) == of_six, said
    assert "support" not in seats.stands_for(six.state, "command command")
    assert codes(five, "claim support") == ["no-role"]
    do(six, "claim support", "claim D")
    assert "claimed" in codes(six, "move M1 to 2-6")
    do(six, "grant support")
    assert "claimed" not in codes(six, "move M1 to 2-6") and codes(six, "move D1 to 3-3") == ["granted-other"]


def test_messages_are_counted_by_player_and_turn() -> None:
    game = team(messages=2)
    do(game, "message D to all saying go left", "message D to armour saying cover us")
    assert codes(game, "message D to F saying now") == ["messages-sent"]
    assert codes(game, "message F to D saying wait") == []
    assert codes(game, "message F to F saying wait") == ["to-itself"]
    assert codes(game, "message F to D") == ["no-words"]
    assert codes(game, "message support to D saying wait") == ["no-role"]
    assert RULES.actor(game.state, game.parse("message F to D saying wait")) == "F"
    assert game.state.sent == ("D", "D") and RULES.view(game.state)["sent"] == ["D", "D"]
    writers = [option.side for option in game.options() if option.kind == "message"]
    assert writers == ["armour", "E", "F", "command"]
    game.pop()  # words can be taken back
    assert game.state.sent == ("D",)


def test_the_next_turn_brings_messages_anew() -> None:
    from tabletop.rulesets.combined_arms.events import PhaseBegan

    game = team(messages=1)
    do(game, "message D to all saying go left")
    after = RULES.apply(game.state, PhaseBegan("move", 2))
    assert game.state.sent == ("D",) and after.sent == ()


def test_who_talks_writes_no_messages() -> None:
    for game in (team(), game_at({"D1": "3-4"}, {"5-5": ""})):
        assert [v.code for v in game.check(Message("D", "all", "go"))] == ["not-coop"]
        assert not any(option.kind == "message" for option in game.options())
    assert "sent" not in RULES.view(team().state)


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (Setup(commander_apart=True), "belong to the game of a team"),
        (Setup(messages=2), "belong to the game of a team"),
        (Setup(mode="co-operative", messages=99), "0 \\(the players talk\\) to 20"),
    ],
)
def test_games_that_can_not_be_are_refused(setup: Setup, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        Game.new(RULES, setup)
