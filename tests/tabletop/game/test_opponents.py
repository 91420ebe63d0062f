"""Sides that computers play: every game, in secret where their side has secrets, and what can not be done declined."""

import random
from typing import Any

import pytest

from tabletop.errors import UsageError
from tabletop.game import Game
from tabletop.game.computers import choose, first_legal, levels_by_side
from tabletop.game.game_view import GameView
from tabletop.game.jsonl import LogHeader, game_from_log, read_log, write_log
from tabletop.game.opponents import (
    decline,
    go_on,
    levels_in_words,
    on_turn,
    only_choice,
    players_in_words,
    players_of,
    proposal,
    read_players,
    seat_computers,
)
from tabletop.game.protocol import PUBLIC
from tabletop.game.records import computers_of, declined
from tabletop.game.registry import ruleset
from tabletop.starting.new_game import BoardWishes, of_name
from tabletop.starting.scenarios import find
from tests.support.board_games import posted, twins
from tests.support.ruleset_contract import counted_ids, quiet_clock

ACTIONS = {"combined-arms": 4}
"""How many actions are played of a game; 8 where nothing is said."""
SHORT = {
    "one-hour-ww2": "first-game", "combat": "first-skirmish", "combat-captain": "crossroads",
    "ww2-combined-arms": "first-meeting", "measure": "bare-table",
}  # fmt: skip
"""A scenario of every bundled game that has any; those begin by their name that have none."""


def begun(scenario: str = "first-game", **players: str) -> Game:
    found = find(scenario)
    return with_computers(Game.new(ruleset(found.rules), found.setup, clock=quiet_clock, ids=counted_ids()), players)


def with_computers(game: Game, players: dict[str, str]) -> Game:
    if players:
        seat_computers(game, players)
    return game


MODES = [
    *((rules, "") for rules in SHORT if rules != "measure"),
    ("combined-arms", "enemy-player"),
]
"""Rules and modes with something for a computer to play by."""


def short_game(rules: str, mode: str) -> Game:
    setup = find(SHORT[rules]).setup if rules in SHORT else of_name(rules, BoardWishes(mode=mode)).setup
    return Game.new(ruleset(rules), setup, clock=quiet_clock, ids=counted_ids())


def all_by_computers(rules: str, mode: str) -> Game:
    """A game of some rules of which a computer of the highest level plays every side."""
    game = short_game(rules, mode)
    levels = levels_by_side(game.ruleset, game.state)
    return with_computers(game, {side: names[-1] for side, names in levels.items()})


def played_by_one(game: Game, side: str, level: str, turns: int) -> None:
    """A computer plays a side to the end of some turns; simple people play the rest."""
    seat_computers(game, {side: level})
    rng = random.Random(1)
    for _ in range(400):
        if game.outcome is not None or game.ruleset.turn(game.state) > turns:
            return
        if go_on(game, rng, most=20).stop == "choice":
            game.push(first_legal(game.ruleset, game.state, game.ruleset.bot_actions(game.state, rng)), rng=rng)


@pytest.mark.parametrize("scenario", SHORT.values())
def test_it_is_a_sides_turn_in_all_games_but_one_that_only_measures(scenario: str) -> None:
    game = begun(scenario)
    assert on_turn(game) == (None if scenario == SHORT["measure"] else game.to_act)


def test_the_defenders_of_an_enemy_player_are_played_as_they_are_offered() -> None:
    game = short_game("combined-arms", "enemy-player")
    assert levels_by_side(game.ruleset, game.state)["defender"] == ("simple",)
    with pytest.raises(UsageError, match="No computer plays Defenders at the level strong here: only simple does"):
        seat_computers(game, {"defender": "strong"})
    for mode in ("solitaire", "co-operative"):
        alone = short_game("combined-arms", mode)
        assert not levels_by_side(alone.ruleset, alone.state) and "a person plays" in levels_in_words(alone)
        for said, why in (("defender", "the rules do"), ("attacker:strong", "and a person plays this one")):
            with pytest.raises(UsageError, match=why):
                read_players([said], alone)
    game.note("The computer plays Defenders (strong).", actor="referee", computers={"defender": "strong"})
    assert players_of(game) == {"defender": "simple"}, "a log that was written while strong was on offer"
    played_by_one(game, "defender", "simple", 1)
    assert game.ruleset.turn(game.state) == 2


@pytest.mark.parametrize(("rules", "mode"), MODES)
def test_computers_play_every_game_on_their_own(rules: str, mode: str) -> None:
    game = all_by_computers(rules, mode)
    most = ACTIONS.get(rules, 8)
    went = go_on(game, random.Random(1), most=most)
    assert went.stop == ("enough" if went.done == most else "over")
    again = all_by_computers(rules, mode)
    go_on(again, random.Random(1), most=most)
    assert again.records == game.records, "the same dice, the same game"
    assert game.ruleset.invariant_violations(game.state) == ()


class TestWhoPlays:
    def test_sides_and_levels_are_read(self) -> None:
        game = begun()
        assert read_players(["RED", "blue:strong"], game) == {"blue": "strong", "red": "simple"}
        assert players_in_words(game, {"red": "strong"}) == "The computer plays Red (strong)."
        assert players_in_words(game, {}) == "People play all sides."

    @pytest.mark.parametrize(
        ("said", "why"),
        [
            (["green"], 'There is no side "green"'),
            (["red", "red:simple"], "is listed twice"),
            (["red:grandmaster"], "expected simple or strong"),
        ],
    )
    def test_what_can_not_be_is_refused(self, said: list[str], why: str) -> None:
        with pytest.raises(UsageError, match=why):
            read_players(said, begun())

    def test_an_unknown_level_is_refused_with_those_that_there_are(self) -> None:
        game = begun()
        with pytest.raises(UsageError, match='level "clever"; expected simple or strong'):
            choose(game.ruleset, game.state, game.to_act or "", "clever", random.Random(1))

    def test_it_is_an_event_that_is_kept_with_the_log(self) -> None:
        game = begun(red="strong")
        seat_computers(game, {"blue": "simple"})
        header = LogHeader(game.ruleset.name, game.version, "g", "A game", "")
        read = game_from_log(read_log(write_log(header, game.records), "g.jsonl"))
        assert computers_of(read.records) == {"blue": "simple"}
        assert GameView(game, PUBLIC).record(game.records[-1]).body["text"] == "The computer plays Blue (simple)."
        seat_computers(game, {})
        assert computers_of(game.records) == {} and proposal(game) is None


class TestProposals:
    def test_it_is_the_same_each_time_and_legal(self) -> None:
        game = begun(red="strong", blue="strong")
        rng = random.Random(3)
        for _ in range(30):
            wanted = proposal(game)
            if wanted is None:
                break
            assert wanted == proposal(game) and not game.check(wanted.action)
            assert wanted.why and wanted.label
            assert game.ruleset.actor(game.state, wanted.action) in (wanted.side, "referee")
            game.push(wanted.action, rng=rng)
        assert game.seq > 20

    def test_what_can_not_be_done_on_the_table_is_replaced_until_something_is_done(self) -> None:
        game = begun(blue="strong")
        game.push(game.parse("begin"))
        game.push(game.parse("end"))
        first = proposal(game)
        assert first is not None
        decline(game, first, "red")
        second = proposal(game)
        assert second is not None and second.words != first.words and not game.check(second.action)
        assert declined(game.records) == {first.words}
        game.push(second.action, rng=random.Random(1))
        assert declined(game.records) == frozenset()

    def test_a_strong_player_says_why_its_next_best_is_next_before_anything_that_is_merely_legal(self) -> None:
        game = begun(blue="strong", red="strong")
        for words in ("begin", "end"):
            game.push(game.parse(words))
        heard = []
        while len(heard) < 4 and (wanted := proposal(game)) is not None:
            assert not game.check(wanted.action)
            heard.append(wanted)
            decline(game, wanted, "red")
        assert len({wanted.words for wanted in heard}) == len(heard) == 4
        general = ["not possible" in wanted.why for wanted in heard]
        assert general[:2] == [False, False] and general == sorted(general)

    @pytest.mark.parametrize("players", [["red"], ["red", "blue"], ["blue", "red"]])
    def test_a_ready_unit_of_the_computer_fires_in_the_other_sides_step(self, players: list[str]) -> None:
        game = begun(**dict.fromkeys(players, "simple"))
        for words in ("begin", "correct R2 ready yes", "end", "move B1"):
            game.push(game.parse(words), rng=random.Random(1))
        game.push(game.parse("stay B1"))
        wanted = proposal(game)
        assert game.to_act == "blue" and wanted is not None
        assert (wanted.side, wanted.words) == ("red", "fire R2 at B2")
        decline(game, wanted, "blue")
        wanted = proposal(game)
        assert (wanted.side if wanted else "") == ("blue" if "blue" in players else ""), "the other side goes on"

    def test_the_end_of_a_step_is_only_said_where_no_person_may_act(self) -> None:
        game = begun(blue="simple")
        game.push(game.parse("begin"))
        wanted = proposal(game)
        assert wanted is not None and wanted.words == "end" and wanted.only_said
        assert go_on(game, None).stop == "computer" and game.state.step == "actions"

    def test_nothing_is_rolled_unless_players_said_so(self) -> None:
        game = begun(blue="simple")
        game.push(game.parse("begin"))
        assert go_on(game, None).wanted is not None
        seq = game.seq
        assert go_on(game, None).done == 0 and game.seq == seq
        assert go_on(game, random.Random(1)).done > 0


class TestGoingOn:
    def test_what_may_be_done_in_one_way_only_is_done(self) -> None:
        setup = of_name("combined-arms", BoardWishes()).setup
        game = Game.new(ruleset("combined-arms"), setup, clock=quiet_clock, ids=counted_ids())
        rng = random.Random(2)
        by_hand = by_itself = 0
        while game.outcome is None and by_hand < 60:
            went = go_on(game, rng)
            by_itself += went.done
            if went.stop == "over":
                break
            assert went.stop == "choice" and only_choice(game) is None
            wish = next(one for one in game.ruleset.bot_actions(game.state, rng) if not game.check(one))
            game.push(wish, rng=rng)
            by_hand += 1
        assert by_itself > 20


class TestSecrets:
    def test_a_computer_deploys_in_secret(self) -> None:
        game = begun("first-skirmish", red="simple", blue="simple")
        wanted = proposal(game)
        assert wanted is not None and wanted.secret
        first = game.seq
        went = go_on(game, None, most=40)
        assert went.stop == "computer" and went.wanted is not None and not went.wanted.secret
        seen = [GameView(game, PUBLIC).record(record) for record in game.records[first:] if record.action]
        assert any(record.action.endswith("...") for record in seen)

    @pytest.mark.parametrize("seed", [3, 7])
    def test_an_attacker_chooses_alike_whatever_the_defenders_hide(self, seed: int) -> None:

        state = posted(12, 3)
        rules: Any = ruleset("combined-arms")
        one, two = twins(state)
        assert rules.to_act(one) == "attacker"
        chosen = [choose(rules, twin, "attacker", "simple", random.Random(seed)).action for twin in (one, two)]
        assert chosen[0] == chosen[1]
