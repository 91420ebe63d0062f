"""What one side hides reaches nobody else: twin games that differ only in it answer alike, byte for byte."""

from __future__ import annotations

import itertools
import json
import random
import re
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.game import Game
from tabletop.game.protocol import PUBLIC
from tabletop.game.store import EventStore
from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import Secret
from tests.support.board_games import BOARD
from tests.support.cli_runs import run_cli

SAID = {
    "survey": "survey 3-3", "lay": "lay 3-3 woods", "bid": "bid 1 4", "post": "post 4-3 5-2 6-7 guns 4-3",
    "move": "move D1 to 1-2", "leave": "leave D1", "face": "face A1 3", "call": "call he 4-3", "fire": "fire D1 at 4-3",
    "declare": "declare D1 at 4-3", "roll": "roll 1-3", "break": "break D1", "aim": "aim 1-3", "show": "show guns",
    "shoot": "shoot A1", "engage": "engage 1-3", "claim": "claim D", "grant": "grant D", "concede": "concede defender",
    "correct": "correct 4-3 revealed yes atg real",
}  # fmt: skip
"""An example of every action that takes words; the others are said by their verb."""
READING = (
    "state", "state --options", "state --options --json -", "state D1 --json -", "state --side defender --json -",
    "log", "log --json -", "games --json -", "log --out {file}", "log --csv {file}",
    "danger D1 --at 3-4 --json -", "aar --json -", "state -q --scene {file}", "state -q --picture {file}.svg",
)  # fmt: skip
OPEN = ("games", "danger", "aar", "note")
"""Commands that tell everybody the same."""
WRITING = ("undo --json -", "undo --referee --because so --json -", "note as we saw --json -")
DEFENDER = ("--as", "defender")
BOMBARD = "act end then end then bombard --roll --seed 2"
"""What brings turn 1 to its enemy phase."""


class Twin:
    """One of two games that everybody must take for the same: its data folder, and the commands over it."""

    def __init__(self, data: Path) -> None:
        self.data = data

    def says(self, said: str, *more: str) -> str:
        """The status of a command, all that it says and writes; only times are left out."""
        file = self.data.parent / f"{self.data.name}.out"
        drawn = file.with_suffix(".out.svg")
        arguments = [*said.format(file=file).split(), *more]
        result = run_cli(*arguments, "--data", self.data)
        wrote = "".join(path.read_text() for path in (file, drawn) if path.is_file())
        file.unlink(missing_ok=True)
        drawn.unlink(missing_ok=True)
        told = f"{result.exit_code}\n{result.output}\n{wrote}".replace(str(file), "FILE")
        return re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\+00:00)?", "TIME", told)

    def does(self, said: str, *more: str) -> str:
        told = self.says(said, *more)
        assert told.startswith("0\n"), told
        return told.removeprefix("0\n")

    def json(self, said: str, *more: str) -> Any:
        return json.loads(self.does(said, "--json", "-", *more))

    def aside(self) -> Twin:
        """A copy to try on what changes the game."""
        there = self.data.parent / f"aside-{self.data.name}"
        shutil.rmtree(there, ignore_errors=True)
        shutil.copytree(self.data, there)
        return Twin(there)

    def game(self) -> Game:
        with closing(EventStore(self.data / "tabletop.sqlite")) as store:
            return store.open_game("evening")


Twins = tuple[Twin, Twin]


def begun(folder: Path, *more: str) -> Twins:
    position = folder / "board.json"
    position.write_text(json.dumps({"version": 1, "rules": "combined-arms", "board": BOARD}))
    pair = Twin(folder / "one"), Twin(folder / "two")
    for twin in pair:
        twin.does(f"new combined-arms --mode enemy-player --position {position} --name evening", *more)
    return pair


def proposed_posting(twin: Twin) -> dict[str, Any]:
    """The whole deployment among the options; the other one is left to fill in."""
    rows = [row for row in twin.json("state", *DEFENDER)["options"] if row["kind"] == "post"]
    (option,) = (row for row in rows if not row["fields"])
    return option


def post(twin: Twin) -> None:
    """Note the real defenders as the options propose."""
    option = proposed_posting(twin)
    twin.does(f"act {option['text']}", *DEFENDER)


@pytest.fixture
def bidding(tmp_path: Path) -> Twins:
    """Player 1 has bid, in one twin 3 points and in the other 4."""
    pair = begun(tmp_path, "--bid")
    for twin, points in zip(pair, (3, 4), strict=True):
        twin.does(f"act bid 1 {points}", "--as", "player 1")
    return pair


def mustered(folder: Path) -> Twins:
    """Two games with a player for the enemy that differ only in what that player noted in secret."""
    pair = begun(folder)
    for twin, dice in zip(pair, ("5,2", "4,1"), strict=True):
        twin.does("act occupy")
        twin.does("act muster", "--dice", dice, *DEFENDER)
        post(twin)
    return pair


@pytest.fixture(scope="module")
def posted_once(tmp_path_factory: pytest.TempPathFactory) -> Twins:
    return mustered(tmp_path_factory.mktemp("posted"))


@pytest.fixture
def posted(posted_once: Twins, tmp_path: Path) -> Twins:
    """Real defenders are noted, in the twins others in other places; turn 1 begins."""
    for twin in posted_once:
        shutil.copytree(twin.data, tmp_path / twin.data.name)
    return Twin(tmp_path / "one"), Twin(tmp_path / "two")


def both(twins: Twins, said: str, *more: str) -> None:
    for twin in twins:
        twin.does(said, *more)


def assert_alike(twins: Twins, *sides: str, also: tuple[str, ...] = ()) -> None:
    """Every command answers alike in both games, whoever asks of those that nothing hidden may reach."""
    for said in (*READING, *also):
        for who in [(), *(("--as", side) for side in sides if not said.startswith(OPEN))]:
            assert twins[0].says(said, *who) == twins[1].says(said, *who), (said, who)
    for said in WRITING:
        pair = twins[0].aside(), twins[1].aside()
        assert pair[0].says(said) == pair[1].says(said), said
        for follow in ("log --json -", "state --options --json -"):
            assert pair[0].says(follow) == pair[1].says(follow), f"{said}, then {follow}"


def test_a_sealed_bid_is_known_to_its_player_alone(bidding: Twins) -> None:
    assert_alike(bidding, "player 2", "defender", also=("act bid 1 5", "act bid 2 3 --check", "act award"))
    for twin, points in zip(bidding, (3, 4), strict=True):
        assert f"Hidden from others: bids {points}, none." in twin.does("state", "--as", "player 1")
        assert twin.json("state", "--as", "player 1")["state"]["bids"] == [points, None]
        assert twin.json("state")["state"]["bids"] == ["sealed", None]
        assert f"(points {points})" in twin.does("log", "--as", "player 1")
        (row,) = (row for row in twin.json("log")["events"] if row["kind"] == "offered")
        assert (row["action"], row["body"]) == ("bid ...", {"player": 1})


def test_a_bid_that_was_taken_back_stays_sealed(bidding: Twins) -> None:
    both(bidding, "undo", "--as", "player 1")
    both(bidding, "act bid 1 2", "--as", "player 1")
    both(bidding, "act bid 2 7", "--as", "player 2")
    assert bidding[0].says("log --json -") == bidding[1].says("log --json -")
    assert '"bid 1 2"' in bidding[0].does("log --json -"), "both bids in, those that count are open"


def test_forces_and_places_are_known_to_the_defender_alone(posted: Twins) -> None:
    known = [twin.json("state", *DEFENDER)["state"]["secret"] for twin in posted]
    assert [row["platoons"] for row in known] == [5, 4]
    assert known[0]["platoon_hexes"] != known[1]["platoon_hexes"]
    for twin, row in zip(posted, known, strict=True):
        places = ", ".join(row["platoon_hexes"])
        assert f"platoon hexes {places}" in " ".join(twin.does("state", *DEFENDER).split())
        assert f"(platoons {places};" in " ".join(twin.does("log", *DEFENDER).split())
        assert "secret" not in twin.json("state", "--as", "attacker")["state"]
        (row,) = (row for row in twin.json("log")["events"] if row["kind"] == "posted")
        assert (row["actor"], row["action"], row["body"]) == ("defender", "post ...", {})
    refused = [said for said in READING if not posted[0].says(said).startswith("0\n")]
    assert refused == ["log --out {file}"]
    assert_alike(posted, "attacker")


def test_nothing_leaks_on_the_way_to_the_deployment(posted: Twins) -> None:
    both(posted, "undo", *DEFENDER)
    assert_alike(posted, "attacker", also=("act post 4-3 5-2", "act post 4-3 5-2 --check", "act muster", "act occupy"))
    both(posted, "undo --referee")
    assert_alike(posted, "attacker", also=("act muster --odds", "act muster --roll", "act end then muster --roll"))


@pytest.mark.parametrize("phase", [pytest.param("move", marks=pytest.mark.slow), "enemy"])
def test_asking_about_any_action_tells_nothing(posted: Twins, phase: str) -> None:
    both(posted, "act move D1 to 1-3 then move A1 to 1-4 2-4")
    if phase == "enemy":
        both(posted, BOMBARD)
        assert posted[0].game().to_act == "defender"
    asked = [f"act {SAID.get(verb, verb)}" for verb in actions.ACTIONS.verbs]
    for said in [*(f"{said} --check" for said in asked), "act show --overrule", *asked]:
        pair = posted if said.endswith("--check") else tuple(twin.aside() for twin in posted)
        assert pair[0].says(said, "--json", "-") == pair[1].says(said, "--json", "-"), said
    for verb in ("post", "show", "aim", "shoot", "engage", "pass", "muster", "mortars", "forgo"):
        said = f"act {SAID.get(verb, verb)} --odds"
        assert posted[0].says(said, "--as", "attacker") == posted[1].says(said, "--as", "attacker"), said
    assert_alike(posted, "attacker")


def test_a_whole_enemy_phase_is_told_alike(posted: Twins) -> None:
    both(posted, "act move D1 to 1-3")
    both(posted, BOMBARD)
    both(posted, "act forgo", *DEFENDER)
    for _ in range(len(BOARD)):
        if posted[0].game().to_act == "defender":
            both(posted, "act pass", *DEFENDER)
    assert [twin.game().state.turn for twin in posted] == [2, 2]
    assert_alike(posted, "attacker")


def test_what_the_defender_alone_may_do_is_refused_with_a_sentence(posted: Twins) -> None:
    both(posted, "act end then end")
    twin = posted[0]
    for said in ("show", "pass", "forgo", "concede defender", "pass --check", "show --overrule"):
        verb = said.split()[0]
        wanted = f'2\ntabletop: Only side defender may do "{verb}": add --as defender if you are.\n\n'
        assert twin.says(f"act {said}") == wanted
        assert twin.says(f"act {said}", "--as", "attacker") == wanted
    assert "Next to decide is side defender: --as defender lists" in twin.does("state")
    assert all(row["side"] != "defender" for row in twin.json("state --options")["options"])
    assert {row["kind"] for row in twin.json("state --options", *DEFENDER)["options"]} >= {"show", "pass"}
    assert "There is no side" in twin.says("state", "--as", "umpire")


def test_a_player_bids_for_nobody_else(bidding: Twins) -> None:
    told = bidding[0].says("act bid 2 9", "--as", "player 1")
    assert told == '2\ntabletop: Only player 2 may do "bid": add --as "player 2" if you are.\n\n'


def test_a_log_with_secrets_is_written_only_for_who_may_see_it(posted: Twins, tmp_path: Path) -> None:
    twin, file = posted[0], tmp_path / "l.jsonl"
    for who in ((), ("--as", "attacker")):
        told = twin.says(f"log --out {file}", *who)
        assert told.startswith("2\ntabletop: The log of this game shows secrets until the game is over:")
        assert "--as defender, or --all" in told
    assert not file.exists()
    twin.does(f"log --out {file} --all")
    whole = file.read_text()
    assert '"post ' in whole
    twin.does(f"log --out {file}", *DEFENDER)
    assert file.read_text() == whole
    assert "post ..." in run_cli("log", file, "--json", "-").stdout
    told = run_cli("load", file, "--name", "again", "--data", tmp_path / "new", "--json", "-")
    assert told.exit_code == 0 and "secret" not in json.loads(told.stdout)["state"]


def test_a_deployment_that_was_overruled_looks_like_any_other(posted: Twins) -> None:
    both(posted, "undo", *DEFENDER)
    post(posted[0])
    game = posted[1].game()
    hexes = [row["hex"] for row in game.ruleset.view(game.state)["enemy"]]
    wrong = next(
        said
        for chosen in itertools.combinations(hexes, 4)
        if (against := game.check(game.parse(said := f"post {' '.join(chosen)} guns {chosen[0]}")))
        and not any(v.firm for v in against)
    )
    assert "--overrule" in posted[1].says(f"act {wrong}", *DEFENDER)
    posted[1].does(f"act {wrong} --overrule", *DEFENDER)
    assert posted[1].game().records[-1].actor == "referee"
    assert_alike(posted, "attacker")


def test_the_reason_for_a_hidden_action_is_hidden_too(posted: Twins) -> None:
    both(posted, "undo", *DEFENDER)
    for twin, reason in zip(posted, ("guns-at-4-3", "guns-at-5-8"), strict=True):
        option = proposed_posting(twin)
        twin.does(f"act {option['text']} --overrule --because {reason}", *DEFENDER)
        assert reason in twin.does("log --json -", *DEFENDER) and reason not in twin.does("log")
    assert_alike(posted, "attacker")


def seen_by_others(state: Any, log: list[Any], wishes: list[Any]) -> list[Any]:
    """All that the rules tell everybody and the attackers of a state, its past and what might be done in it."""
    told: list[Any] = [RULES.hides(state), RULES.to_act(state), RULES.outcome(state)]
    told += [RULES.view(state, side) for side in (PUBLIC, "attacker")]
    told += [RULES.event_view(state, event, side) for event in log for side in (PUBLIC, "attacker")]
    told += [option.to_json(odds=True) for option in RULES.options(state) if option.side != "defender"]
    own = [wish for wish in wishes if RULES.actor(state, wish) != "defender"]
    told += [(RULES.check(state, wish), RULES.dice(state, wish)) for wish in own]
    return told


@pytest.mark.parametrize("seed", range(3))
def test_no_state_tells_others_what_is_secret(seed: int) -> None:
    """Random games; at every few steps another secret is put in for what is not shown yet, and nobody else notices."""
    rng = random.Random(seed)
    state: Any = None
    log: list[Any] = list(RULES.start(Setup(mode="enemy-player", board=tuple(BOARD.items()))))
    for event in log:
        state = RULES.apply(state, event)
    compared = 0
    for step in range(260):
        if RULES.outcome(state) is not None:
            break
        ending = actions.Concede | actions.Finish
        wishes = [wish for wish in RULES.random_actions(state, rng) if not isinstance(wish, ending)]
        wish = next(wish for wish in wishes if not RULES.check(state, wish))
        if state.secret is not None and step % 3 == 0:
            hidden = [c.at for c in state.enemy if not c.revealed]
            other = Secret(
                rng.randint(4, 6),
                rng.randint(1, 3),
                frozenset(rng.sample(hidden, rng.randint(0, len(hidden)))),
                frozenset(rng.sample(hidden, rng.randint(0, len(hidden)))),
            )
            twin = replace(state, secret=other)
            assert seen_by_others(twin, log, wishes) == seen_by_others(state, log, wishes)
            compared += twin.secret != state.secret
        for event in RULES.resolve(state, wish, RULES.dice(state, wish).roll(rng)):
            log.append(event)
            state = RULES.apply(state, event)
    assert compared > 20


def test_the_end_opens_everything_and_is_not_taken_back_lightly(posted: Twins) -> None:
    twin = posted[0]
    twin.does("undo", *DEFENDER)
    post(twin)
    twin.does("act concede attacker")
    assert twin.json("state")["state"]["secret"]["platoons"] == 5
    rows = [row for row in twin.json("log")["events"] if row["kind"] == "posted"]
    assert [row["taken_back"] for row in rows] == [True, False]
    assert all(row["body"]["platoons"] for row in rows)
    twin.does("log --out {file}")
    assert twin.says("undo").startswith("1\ntabletop: That revealed a secret, so only the referee takes it back")
    twin.does("undo --referee")
    assert "secret" not in twin.json("state")["state"]
