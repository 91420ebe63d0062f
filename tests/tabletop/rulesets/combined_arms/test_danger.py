"""What the enemy may do, told before anything is committed: against hand-worked positions and against the dice."""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tabletop.cli.app import app
from tabletop.game import Game
from tabletop.game.parts import part
from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER
from tabletop.rulesets.combined_arms.danger import (
    action_dangers,
    danger,
    dangers,
    hit_chances,
    pattern_words,
    patterns,
    sentences,
)
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.setup import Setup
from tests.support.combined_arms_tables import at, state_at

RUNNER = CliRunner()


class TestDanger:
    def test_guns_in_a_wooded_crest_break_on_5_or_6(self) -> None:
        state = state_at({"A2": "3-5 0"}, {"6-5": "potential"}, {"6-5": "wooded crest"})
        found = danger(state, "A2", NUMBER["3-5"], 0)
        assert (found.worst, found.expected_chance) == (Fraction(1, 3), Fraction(1, 9))
        (told,) = sentences(state, found)
        assert told.startswith("Anti-tank guns in 6-5 (wooded crest) would break A2 on 5 or 6")
        assert "real with 33 %" in told

    def test_two_counters_add_up_as_chances_do(self) -> None:
        state = state_at({"D1": "3-5"}, {"5-5": "real", "5-6": "real"})
        found = danger(state, "D1", NUMBER["3-5"])
        assert [t.chances for t in found.threats] == [4, 4]
        assert found.worst == 1 - Fraction(1, 3) ** 2
        assert found.losses == Fraction(4, 3)

    def test_next_door_two_losses(self) -> None:
        state = state_at({"D1": "4-5"}, {"5-6": "real"})
        (threat,) = danger(state, "D1", NUMBER["4-5"]).threats
        assert (threat.chances, threat.losses, threat.real) == (5, 2, 1)

    def test_spent_ones_are_told_and_count_nothing(self) -> None:
        state = state_at({"D1": "3-5"}, {"5-5": "real spent"})
        found = danger(state, "D1", NUMBER["3-5"])
        assert (found.worst, len(found.threats)) == (0, 1)
        assert "recovers instead of firing" in sentences(state, found)[0]

    def test_what_would_stay_hidden_is_worst_case_only_and_it_asks_as_if_the_platoon_had_moved(self) -> None:
        state = state_at({"D1": "2-4"}, {"6-5": ""})
        found = danger(state, "D1", NUMBER["2-4"])
        assert found.worst == Fraction(1, 3)
        assert found.expected_chance == 0
        moved = danger(state, "D1", NUMBER["3-4"])
        assert moved.expected_chance == Fraction(1, 2) * Fraction(1, 3)
        assert state.by_id["D1"].at == NUMBER["2-4"]

    def test_a_move_is_told_with_its_figures_first_and_other_actions_not_at_all(self) -> None:
        state = state_at({"D1": "2-4"}, {"6-5": ""})
        move = actions.Move("D1", ("3-4",))
        figures, *told = action_dangers(state, move)
        assert figures == "The chance that D1 is hit there is 50% at worst, 17% as expected."
        assert tuple(told) == sentences(state, danger(state, "D1", NUMBER["3-4"]))
        assert action_dangers(state, actions.Move("D1", (), off=True)) == ()
        assert action_dangers(state, actions.Call("6-5", "he")) == ()
        assert part("combined-arms", "dangers") is action_dangers

    def test_armour_takes_the_safest_facing_unless_one_is_named(self) -> None:
        state = state_at({"A1": "3-5 3"}, {"5-6": "real atg"})
        away, safe = danger(state, "A1", NUMBER["3-5"], 3), danger(state, "A1", NUMBER["3-5"])
        assert away.worst == Fraction(4, 6)
        assert (safe.worst, safe.facing) == (Fraction(3, 6), 0)

    def test_tanks_beside_infantry_without_guns(self) -> None:
        state = state_at({"A1": "4-5 0"}, {"5-6": "real"})
        assert danger(state, "A1", NUMBER["4-5"], 0).worst == Fraction(1, 3)

    def test_every_hex_without_a_counter_has_an_answer(self) -> None:
        state = state_at({"D1": "2-4"}, {"6-5": "", "7-3": "real"})
        found = dangers(state, "D1")
        assert len(found) == 79 - 2

    def test_nothing_hidden_is_reckoned_with(self) -> None:
        """Two games that differ only in what is secret have the same dangers."""
        told = []
        for choice in (1, 2):
            rng = random.Random(5)
            game = Game.new(RULES, Setup(mode="enemy-player"))
            while game.state.step != "post":
                game.push(next(RULES.bot_actions(game.state, rng)), rng=rng)
            game.push(next(RULES.bot_actions(game.state, random.Random(choice))))
            told.append([sentences(game.state, d) for d in dangers(game.state, "D1").values()])
        assert told[0] == told[1]


class TestPatterns:
    def test_every_face_of_the_die(self) -> None:
        state = state_at({"D1": "5-5", "A1": "5-6 0"}, {"6-4": "", "7-4": ""})
        found = patterns(state, NUMBER["6-4"])
        assert [p.die for p in found] == [1, 2, 3, 4, 5, 6]
        assert all(NUMBER["6-4"] in p.hexes for p in found)
        by_die = {p.die: (tuple(NAMES[n] for n in p.counters), p.platoons) for p in found}
        assert by_die[1] == (("6-4", "7-4"), ())
        assert by_die[4] == (("6-4",), ("D1",))

    def test_chances_of_a_hit(self) -> None:
        state = state_at({"D1": "5-5"}, {"6-4": "", "7-4": ""})
        found = hit_chances(state, NUMBER["6-4"])
        assert found == {"6-4": Fraction(5, 6), "7-4": Fraction(5, 18), "D1": Fraction(5, 18)}
        assert len(pattern_words(state, "6-4")) == 6


class TestCommand:
    def ask(self, folder: Path, *words: str) -> tuple[int, str]:
        file = folder / "position.json"
        file.write_text(json.dumps(at({"A2": "3-5 0", "D1": "2-4"}, {"6-5": "potential"}, {"6-5": "wooded crest"})))
        made = RUNNER.invoke(app, ["danger", *words, "--position", str(file)])
        return made.exit_code, made.output

    def test_where_it_stands_and_after_its_moves(self, tmp_path: Path) -> None:
        code, told = self.ask(tmp_path, "a2")
        assert code == 0
        assert "A2 in 3-5, facing corner 0: broken 33 % at worst, 11 % expected." in told
        assert "After its moves:" in told

    def test_in_a_hex_as_json(self, tmp_path: Path) -> None:
        code, told = self.ask(tmp_path, "D1", "--at", "4-5", "--json", "-")
        assert code == 0
        assert json.loads(told)["hex"] == "4-5"

    def test_mortars(self, tmp_path: Path) -> None:
        code, told = self.ask(tmp_path, "--call", "6-5")
        assert code == 0
        assert "6-5 is hit with 83 %." in told

    def test_a_picture(self, tmp_path: Path) -> None:
        code, _ = self.ask(tmp_path, "D1", "--picture", str(tmp_path / "d.png"))
        assert code == 0 and (tmp_path / "d.png").read_bytes().startswith(b"\x89PNG")

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            ((), "Name a platoon"),
            (("D9",), "platoon"),
            (("D1", "--at", "4-44"), "row 4 has hexes 1 to 10"),
            (("D1", "--facing", "2"), "infantry"),
            (("E1",), "gone"),
            (("D1", "--picture", "d.gif"), "neither a .svg nor a .png"),
        ],
    )
    def test_what_can_not_be_asked(self, tmp_path: Path, words: tuple[str, ...], told: str) -> None:
        code, said = self.ask(tmp_path, *words)
        assert code == 2
        assert told in said
