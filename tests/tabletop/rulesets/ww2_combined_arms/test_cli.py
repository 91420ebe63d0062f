"""WWII Combined Arms on the command line, as players at a board type it and read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cli_runs import run_cli as run


class Table:
    """A game in a folder of its own."""

    def __init__(self, folder: Path, scenario: str, *wishes: str) -> None:
        self.where = ("--data", str(folder))
        self.begun = run(
            "new", scenario, "--name", "one", *[w for wish in wishes for w in ("--set", wish)], *self.where
        )

    def says(self, words: str, *more: str) -> str:
        """What is told of actions that are done, in one line."""
        told = run("act", *words.split(), *more, *self.where)
        assert told.exit_code == 0, told.stderr
        return " ".join(told.stdout.split())

    def refuses(self, words: str, *more: str) -> str:
        """What is told of an action that is not done, in one line."""
        told = run("act", *words.split(), *more, *self.where)
        assert told.exit_code != 0 and not told.stdout
        return " ".join(told.stderr.split())

    def state(self) -> str:
        return " ".join(run("state", *self.where).stdout.split())


ARMY = (
    "general 3 engineers 1 medium-tanks 2 heavy-tanks 1 howitzers 3 at-guns 2 aa-guns 1 airfield 1 fortification 1 hq 1"
)


def placed(folder: Path) -> Table:
    """The same army twice, placed face to face in its order."""
    table = Table(folder, "chessboard")
    table.says(f"army red {ARMY} then army blue {ARMY} then first red")
    columns = "abcdefgh"
    squares = [(f"{c}{r}", f"{c}{9 - r}") for r in (3, 2) for c in columns]
    table.says(" then ".join(f"place R{n} at {a} then place B{n} at {b}" for n, (a, b) in enumerate(squares, 1)))
    return table


def test_a_lot_is_no_ordinary_die(tmp_path: Path) -> None:
    table = Table(tmp_path, "chessboard", "cities=yes")
    told = table.refuses("draw")
    assert "ordinary die" not in told and "on average" not in told
    assert "lot 1 6 %" in told and "--roll" in told
    assert "lot 3 of 16" in table.says("draw", "--dice", "3")


def test_what_players_may_miss_is_told_after_a_move(tmp_path: Path) -> None:
    table = placed(tmp_path)
    assert "in contact" not in table.says("move R1 to a4 then end then end then move B1 to b5 then end", "--quiet")
    assert "R2 is in contact with B1." in table.says("end then move R2 to b4")


def test_the_rules_of_a_game_are_told_with_it(tmp_path: Path) -> None:
    table = Table(tmp_path, "dead-mans-land", "city-victory=at-once", "reinforcements=yes")
    rules = "4 cities (whoever stands on all of them wins), difficult terrain, elite units and reinforcements"
    assert f"Optional rules: {rules}." in table.state()
    held = Table(tmp_path / "held", "dead-mans-land")
    assert "4 cities (whoever stands on all of them as its turn begins wins)" in held.state()
    plain = Table(tmp_path / "plain", "chessboard")
    assert "Optional rules" not in plain.state()


def test_a_last_turn_beyond_the_most_is_refused(tmp_path: Path) -> None:
    table = Table(tmp_path, "chessboard", "turns=201")
    assert table.begun.exit_code == 2 and "the last turn is 1 to 200, or 0 for none, and not 201" in " ".join(
        table.begun.stderr.split()
    )
    assert Table(tmp_path, "chessboard", "turns=200").begun.exit_code == 0


def test_an_army_is_asked_for_without_doubt(tmp_path: Path) -> None:
    table = Table(tmp_path, "chessboard")
    told = table.state()
    assert max(map(len, run("state", *table.where).stdout.splitlines())) <= 80
    assert "KIND NUMBER kinds of units and how many of each" in told and "at-guns 1" in told
    assert "at least 7 types beside the headquarters" in told and "other types" not in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("attack R1 at B1", "Units move now; the attack phase comes after."),
        ("move R1 to a5", "a5 is 2 squares away"),
        ("move R15 to g1", "never moves"),
        ("move B1 to a5", "It is the turn of Red"),
        ("retreat R1 to a1", "nothing to retreat from"),
        ("hold", "played without reinforcements"),
        ("place R1 at a1", "before the first turn"),
        ("mvoe R1 to a4", 'did you mean "move"'),
    ],
)
def test_wrong_words_are_refused_with_what_goes(words: str, told: str, tmp_path: Path) -> None:
    assert told in placed(tmp_path).refuses(words)
