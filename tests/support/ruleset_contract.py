"""What every ruleset owes the game core, as tests: subclass :class:`RulesetContract` and say how its games begin."""

from __future__ import annotations

import itertools
import json
import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import jsonschema_rs
import pytest

from tabletop.game import ActionError, Game, IllegalError, UndoError
from tabletop.game.core import REFEREE
from tabletop.game.protocol import PUBLIC
from tabletop.game.selfplay import play

CHUNKS = 10
"""Parts of the whole games; the first is played without ``--all``."""

MOST_THROWS = 1300
"""Throws of more dice than that are too many to try all of them; their odds must still add up to 1."""


def quiet_clock() -> str:
    return "2026-01-01T00:00:00+00:00"


def begun(rules: Any, setup: object) -> Any:
    """The state in which a game of a set-up begins."""
    state: Any = None
    for event in rules.start(setup):
        state = rules.apply(state, event)
    assert state is not None
    return state


def after(rules: Any, state: Any, action: Any, dice: random.Random | Sequence[int] = ()) -> Any:
    if isinstance(dice, random.Random):
        dice = rules.dice(state, action).roll(dice)
    for event in rules.resolve(state, action, dice):
        state = rules.apply(state, event)
    return state


def counted_ids(prefix: str = "e") -> Any:
    counter = itertools.count(1)
    return lambda: f"{prefix}{next(counter)}"


@dataclass(frozen=True)
class Played:
    """A random game that has ended, and every action of it with the state before: to look at, never to go on with."""

    game: Game
    actions: tuple[tuple[Any, Any], ...]


@cache
def played(contract: type[RulesetContract], seed: int) -> Played:
    """A contract's random game of a seed, played once for all tests that only look at it."""
    tests = contract()
    game = tests.game(seed)
    actions = tuple(tests.play(game, seed))
    return Played(game, actions)


class RulesetContract(ABC):
    """The contract. Every test plays seeded games of the ruleset that the subclass names.

    ``games`` are played at random from beginning to end, each within ``most_actions``; the tests that look closer play
    ``few`` games. Rulesets whose games are longer play fewer of them.
    """

    games = 150
    most_actions = 400
    few = 5
    between_undos = 4
    """Actions from one that is taken back to the next; a long log takes long to read again."""
    compared = 7
    """Verbs of options, legal ones and illegal ones apart, that must have been held against the check of their
    actions; a ruleset with few actions has fewer."""

    @property
    @abstractmethod
    def rules(self) -> Any:
        """The ruleset."""

    @abstractmethod
    def small(self, rng: random.Random) -> object:
        """A setup that random players finish in a few dozen actions."""

    @abstractmethod
    def result(self, before: Any, events: tuple[Any, ...]) -> int:
        """The number that an action's odds are about, read from the events that its dice made."""

    def game(self, seed: int, **more: Any) -> Game:
        rng = random.Random(seed)
        return Game.new(self.rules, self.small(rng), clock=quiet_clock, ids=counted_ids(f"g{seed}-"), **more)

    def play(self, game: Game, seed: int) -> Iterator[tuple[Any, Any]]:
        """Play to the end by random players; yields every action with the state before it, once it is done."""
        rng = random.Random(seed * 7919 + 1)
        for _ in range(self.most_actions):
            if game.outcome is not None:
                return
            before = game.state
            for wish in self.rules.random_actions(before, rng):
                if wish in game.legal_actions:
                    game.push(wish, rng=rng)
                    yield before, wish
                    break
            else:
                raise AssertionError(f"Seed {seed}: no wish was legal, so the game is stuck in {before}.")
        raise AssertionError(f"Seed {seed}: the game did not end within {self.most_actions} actions.")

    def played(self, seed: int) -> Played:
        """The random game of a seed, shared: what :meth:`play` makes of :meth:`game`."""
        return played(type(self), seed)

    # --- whole games

    @pytest.mark.parametrize("chunk", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, CHUNKS))])
    def test_random_games_end_keep_the_invariants_and_replay_to_the_same_state(self, chunk: int) -> None:
        for seed in range(chunk * self.games // CHUNKS, (chunk + 1) * self.games // CHUNKS):
            game, views, faults = self.game(seed), [], []
            views.append(self.rules.view(game.state))
            for _, _ in self.play(game, seed):
                faults += self.rules.invariant_violations(game.state)
                views.append(self.rules.view(game.state))
            assert faults == [], f"seed {seed}"
            lines = [json.loads(json.dumps([r.kind, dict(r.body), r.group])) for r in game.records]
            state, replayed = None, []
            for n, (kind, body, group) in enumerate(lines):
                state = self.rules.apply(state, self.rules.event_from_json(kind, body, self.rules.version))
                if n + 1 == len(lines) or lines[n + 1][2] != group:
                    replayed.append(self.rules.view(state))
            assert replayed == views, f"seed {seed}"

    def test_events_read_from_a_log_are_those_that_were_made_to_the_type_of_every_number(self) -> None:
        for seed in range(self.few):
            game = self.played(seed).game
            for record in game.records:
                body = json.loads(json.dumps(dict(record.body)))
                read = self.rules.event_from_json(record.kind, body, self.rules.version)
                assert (repr(game.event(record)), game.event(record)) == (repr(read), read), f"seed {seed}"

    def test_whoever_hides_something_is_named_and_the_turn_is_the_one_that_everybody_sees(self) -> None:
        game = self.game(0)
        for _ in self.play(game, 0):
            seen, keepers = self.rules.view(game.state, PUBLIC), self.rules.hidden_by(game.state)
            assert keepers or not self.rules.hides(game.state)
            assert (seen.get("turn"), tuple(seen.get("hidden_by", ()))) == (self.rules.turn(game.state), keepers)

    def test_the_same_seed_plays_the_same_game(self) -> None:
        def once() -> list[Any]:
            game = self.game(5)
            list(self.play(game, 5))
            return [(r.kind, dict(r.body), r.action, r.actor) for r in game.records]

        assert once() == once()

    def test_games_differ_and_use_every_kind_of_action(self) -> None:
        missing = set(self.kinds_of_action)
        for seed in range(60):
            missing -= {type(wish).__name__ for _, wish in self.played(seed).actions}
            if not missing:
                break
        assert not missing

    kinds_of_action: frozenset[str] = frozenset()
    """Names of the action classes that random games must have used."""
    roles: frozenset[str] = frozenset()
    """Who else signs records beside the sides and the referee."""

    def test_simple_players_finish_their_games_too(self) -> None:
        for seed in range(self.few):
            setup = self.small(random.Random(seed))
            sides = self.rules.sides(Game.new(self.rules, setup).state)
            game = play(self.rules, setup, dict.fromkeys(sides, "simple"), seed)
            assert game.actions > 0
            assert game.reason and game.over

    # --- typed actions

    def test_actions_go_to_words_and_json_and_back(self) -> None:
        actions = self.rules.actions
        validator = jsonschema_rs.validator_for(actions.schema())
        seen: set[str] = set()
        for seed in range(self.few):
            rng = random.Random(seed)
            for before, _ in self.played(seed).actions:
                for wish in itertools.islice(self.rules.random_actions(before, rng), 4):
                    data = json.loads(json.dumps(self.rules.action_to_json(wish)))
                    seen.add(data["kind"])
                    assert data["kind"] == self.rules.text(wish).split()[0]
                    assert validator.is_valid(data), data
                    try:
                        again = self.rules.parse(before, self.rules.text(wish))
                    except ActionError:
                        with pytest.raises(ActionError):
                            self.rules.action_from_json(before, data)
                        continue
                    assert again == self.rules.action_from_json(before, data)
        assert len(seen) >= min(3, len(actions.verbs))

    def test_options_are_typed_and_say_what_their_actions_say(self) -> None:
        actions, opened = self.rules.actions, 0
        for seed in range(self.few):
            for before, _ in self.played(seed).actions:
                for option in self.rules.options(before):
                    assert option.actions is actions and option.kind in actions.verbs
                    row = json.loads(json.dumps(option.to_json()))
                    assert row["action"]["kind"] == option.kind and set(row["fields"]) == set(option.open_fields)
                    names = {info.name for info in actions.fields(option.kind)}
                    assert names >= set(row["fields"]) | (set(row["action"]) - {"kind"})
                    if option.open_fields:
                        opened += 1
                    elif option.legal:
                        whole = self.rules.action_from_json(before, row["action"])
                        assert not self.rules.check(before, whole), option.text

    def test_malformed_actions_as_json_are_refused_in_a_sentence(self) -> None:
        state, actions = self.game(1).state, self.rules.actions
        for data, told in (
            ({}, "kind"),
            ({"kind": 3}, "kind"),
            ({"kind": "no-such-verb"}, "is no action of"),
            *(({"kind": verb, "no_such_field": 1}, "no_such_field|needs") for verb in actions.verbs),
        ):
            with pytest.raises(ActionError, match=told):
                self.rules.action_from_json(state, data)

    # --- judging

    def test_what_is_not_legal_is_refused_with_reasons_and_changes_nothing(self) -> None:
        refused = 0
        for seed in range(self.few):
            game, rng = self.game(seed), random.Random(seed)
            for n, (before, _) in enumerate(self.play(game, seed)):
                if n % 2:
                    continue
                wishes = [*self.rules.random_actions(before, rng), *self.rules.random_actions(game.state, rng)]
                seq, view = game.seq, self.rules.view(game.state)
                for wish in wishes[:6]:
                    found = game.check(wish)
                    if not found:
                        continue
                    with pytest.raises(IllegalError) as caught:
                        game.push(wish, rng=rng)
                    assert caught.value.violations == found
                    assert game.seq == seq
                    assert self.rules.view(game.state) == view
                    assert all(v.code and v.text.endswith(".") for v in found), found
                    refused += 1
        assert refused > 10

    def test_what_the_referee_lets_happen_happens_and_the_game_goes_on(self) -> None:
        lifted = 0
        for seed in range(self.few):
            game, rng = self.game(seed), random.Random(seed)
            for n, (before, _) in enumerate(self.play(game, seed)):
                if n % 3 or game.outcome is not None:
                    continue
                for wish in [*self.rules.random_actions(before, rng), *self.rules.random_actions(game.state, rng)][:8]:
                    found = game.check(wish)
                    if not found or any(v.firm for v in found):
                        continue
                    copy = game.trial()
                    records = copy.push(wish, rng=rng, overrule=True)
                    assert {r.actor for r in records} == {REFEREE}
                    if lifted % 5 == 0:
                        assert self.rules.view(Game(self.rules, copy.records).state) == self.rules.view(copy.state)
                    assert copy.outcome is not None or any(o.legal for o in copy.options()), self.rules.text(wish)
                    lifted += 1
        assert lifted

    def test_an_option_says_the_same_as_the_check_of_its_action(self) -> None:
        compared: Counter[tuple[str, bool]] = Counter()
        for seed in range(self.few):
            game = self.game(seed)
            for n, _ in enumerate(self.play(game, seed)):
                if n % 5 or game.outcome is not None:
                    continue
                options = game.options()
                assert [o.text for o in game.legal_actions] == [o.text for o in options if o.legal]
                for option in options:
                    json.dumps(option.to_json(odds=True), allow_nan=False)
                    words = option.text.replace(",", " ").split()
                    blank = "X,Y" in option.text or any(word.isupper() and len(word) > 3 for word in words)
                    if blank or option.open_fields:
                        continue  # a place left to fill in
                    action = game.parse(option.text)
                    assert {v.code for v in game.check(action)} == {v.code for v in option.violations}, option.text
                    compared[option.kind, option.legal] += 1
        assert min(compared.values()) >= 1 and len(compared) >= self.compared, compared

    def test_odds_are_what_all_throws_of_the_dice_make(self) -> None:
        asked = 0
        for seed in range(self.few):
            for before, wish in self.played(seed).actions:
                dice = self.rules.dice(before, wish)
                odds = self.rules.odds(before, wish)
                assert (odds is None) == (dice.count == 0)
                if odds is None:
                    continue
                assert sum(odds.chances.values()) == 1
                if len(dice.faces) ** dice.count > MOST_THROWS:
                    continue
                throws = list(itertools.product(dice.faces, repeat=dice.count))
                counted = Counter(self.result(before, self.rules.resolve(before, wish, throw)) for throw in throws)
                assert set(counted) == {value for value, chance in odds.chances.items() if chance}
                for value, count in counted.items():
                    assert abs(odds.chances[value] - Fraction(count, len(throws))) <= Fraction(1, 10**12)
                assert sum(odds.chances.values()) == 1
                asked += 1
        assert asked > 10

    def test_dice_that_can_not_be_are_refused(self) -> None:
        seen = 0
        for seed in range(self.few):
            game = self.game(seed)
            rng = random.Random(seed)
            while game.outcome is None:
                wish = next(w for w in self.rules.random_actions(game.state, rng) if w in game.legal_actions)
                dice = self.rules.dice(game.state, wish)
                if dice.count:
                    seq = game.seq
                    for wrong in ((), (99,) * dice.count, (dice.faces[0],) * (dice.count + 1)):
                        with pytest.raises(ActionError):
                            game.push(wish, wrong)
                    with pytest.raises(ActionError):
                        game.push(wish)
                    assert game.seq == seq
                    seen += 1
                game.push(wish, rng=rng)
        assert seen > 5

    def test_resolving_changes_no_state(self) -> None:
        for seed in range(self.few):
            for before, wish in self.played(seed).actions:
                view = json.dumps(self.rules.view(before))
                dice = self.rules.dice(before, wish).roll(random.Random(seed))
                events = self.rules.resolve(before, wish, dice)
                state = before
                for event in events:
                    assert self.rules.event_text(state, event).strip().endswith((".", ")")), event
                    state = self.rules.apply(state, event)
                assert json.dumps(self.rules.view(before)) == view

    # --- taking back

    def test_what_was_pushed_pops_to_the_state_before(self) -> None:
        free = with_dice = 0
        for seed in range(self.few):
            game = self.game(seed)
            for n, (before, _) in enumerate(self.play(game, seed)):
                if n % self.between_undos:
                    continue
                view, after = self.rules.view(before), self.rules.view(game.state)
                copy = Game(self.rules, game.records)
                last = [r for r in copy.records if r.group == copy.records[-1].group]
                shown = self.rules.hides(before) and not self.rules.hides(copy.state)
                if all(self.rules.is_free(copy.event(r)) for r in last) and not shown:
                    free += 1
                    copy.pop()
                else:
                    with_dice += 1
                    with pytest.raises(UndoError):
                        copy.pop()
                    assert self.rules.view(copy.state) == after
                    copy.pop(referee=True, reason="rolled off the table")
                assert self.rules.view(copy.state) == view
                assert self.rules.view(Game(self.rules, copy.records).state) == view
        assert free and with_dice

    def test_the_beginning_is_not_taken_back(self) -> None:
        game = self.game(1)
        with pytest.raises(UndoError):
            game.pop(referee=True)

    def test_whole_games_unwind_to_their_beginning(self) -> None:
        game = self.game(3)
        first = self.rules.view(game.state)
        count = sum(1 for _ in self.play(game, 3))
        for _ in range(count):
            game.pop(referee=True)
        assert self.rules.view(game.state) == first

    # --- words

    def test_actions_in_words_read_back_as_they_were(self) -> None:
        for seed in range(self.few):
            for before, wish in self.played(seed).actions:
                assert self.rules.parse(before, self.rules.text(wish)) == wish

    @pytest.mark.parametrize("words", ["", "   ", "explode", "fire", "move nobody-at-all", "🎲", "fire at at at"])
    def test_words_that_are_no_action_are_refused_in_a_sentence(self, words: str) -> None:
        game = self.game(1)
        with pytest.raises(ActionError) as caught:
            game.parse(words)
        assert str(caught.value).endswith((".", "?"))

    # --- signed

    def test_every_record_is_signed_dated_and_numbered(self) -> None:
        game = self.played(4).game
        sides = {*self.rules.sides(game.state), *self.roles, REFEREE}
        assert [r.seq for r in game.records] == list(range(1, len(game.records) + 1))
        assert len({r.id for r in game.records}) == len(game.records)
        assert all(r.actor in sides and r.at and r.group <= r.seq for r in game.records)
