"""Positions as JSON: what is read, what is refused in a sentence, what is judged with a warning."""

import json
from typing import Any

import pytest

from tabletop.errors import RulesError, TabletopError
from tabletop.game import Game
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.position import read_position, setup_from_position, state_from_position
from tabletop.rulesets.combined_arms.report import position_report
from tabletop.rulesets.combined_arms.views import position_json
from tests.support.combined_arms_tables import at, do, game_at


def test_the_printed_form_reads_and_is_judged() -> None:
    position = {
        "version": 1, "rules": "combined-arms", "turn": 3, "board": {"5-6": "woods", "6-2": "wooded crest"},
        "road": ["1-4", "2-4"],
        "platoons": [
            {"id": "E2", "hex": "2-3", "state": "fresh"}, {"id": "A1", "hex": "3-4", "state": "fresh", "facing": 1},
        ],
        "enemy": [{"hex": "6-4", "revealed": False, "state": "fresh", "atg": "potential"}],
        "smoke": [], "enemy_mortar": None, "losses": 0, "ammo": 0,
    }  # fmt: skip
    found = position_report(position)
    assert list(found)[:5] == ["version", "rules", "lines", "fire", "payoffs"]
    assert found["lines"][0] == {"from": "2-3", "to": "6-4", "range": 4, "terrain": "clear", "own_fire": "clear"}
    first = found["fire"][0]
    assert (first["platoon"], first["target"], first["modifier"]) == ("E2", "6-4", -3)
    assert (first["spent"], first["broken"]) == (0.3333, 0.0)
    assert found["payoffs"] == [{"enemy": "6-4", "hexes": ["2-3"], "payoff": 4}]
    assert found["warnings"] == []


def test_a_game_s_view_is_a_position_again() -> None:
    game = game_at({"D1": "3-4", "A1": "2-4 0"}, {"5-5": "real atg", "6-6": "spent potential"}, {"5-5": "farm"})
    do(game, "move D1 to 4-4")
    told = json.loads(json.dumps(position_json(game.state)))
    again = state_from_position(told)
    assert position_json(again) == position_json(game.state)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"turn": 21}, "from 1 to 20"),
        ({"losses": 8}, "from 0 to 7"),
        ({"ammo": True}, "whole number"),
        ({"rules": "chess"}, "combined-arms"),
        ({"version": 2}, "version"),
        ({"terrain": {}}, '"terrain"'),
        ({"board": {"5-6": "swamp"}}, "no terrain"),
        ({"board": {"5-16": "woods"}}, "row 5 has hexes 1 to 11"),
        ({"board": {"5-6": "woods", "r5h6": "farm"}}, "twice"),
        ({"board": []}, "object"),
        ({"road": "1-4"}, "list"),
        ({"platoons": [{"id": "D9", "hex": "3-4"}]}, "no platoon"),
        ({"platoons": [{"id": "D1", "hex": "3-4"}, {"id": "D1", "hex": "3-5"}]}, "twice"),
        ({"platoons": [{"id": "D1", "hex": "3-4", "state": "tired"}]}, '"fresh" or "spent"'),
        ({"platoons": [{"id": "A1", "hex": "3-4", "facing": 6}]}, "corner"),
        ({"platoons": [{"id": "D1", "hex": "3-4", "facing": 1}]}, "no facing"),
        ({"enemy": [{"hex": "3-4", "atg": "many"}]}, "many"),
        ({"enemy": [{"hex": "3-4", "revealed": "yes"}]}, "true or false"),
        ({"enemy": [{"hex": "3-4"}, {"hex": "3-4"}]}, "twice"),
        ({"platoons": [{"id": "D1", "hex": "3-4"}], "enemy": [{"hex": "3-4"}]}, "both stand"),
        ({"enemy_mortar": 7}, "named as in"),
        ({"off": ["Z1"]}, "Z1"),
    ],
)
def test_what_can_not_be_read_is_refused(changes: dict[str, Any], told: str) -> None:
    position = {**at({"E1": "2-2"}, {"7-3": ""}), **{"off": []}, **changes}
    with pytest.raises(TabletopError, match=told) as caught:
        position_report(position)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("platoons", "board", "told"),
    [
        ({"A1": "3-4 0"}, {"3-4": "woods"}, "no armour can be"),
        ({"A1": "3-4"}, {}, "needs a facing"),
        ({"A1": "3-4 0", "A2": "3-4 1"}, {}, "one platoon of armour"),
        ({"D1": "3-4", "E1": "3-4"}, {}, "D and E company"),
    ],
)
def test_what_the_rules_forbid_is_judged_with_a_warning_and_not_played(
    platoons: dict[str, str], board: dict[str, str], told: str
) -> None:
    position = at(platoons, {"5-5": ""}, board)
    report = position_report(position)
    assert any(told in warning for warning in report["warnings"])
    assert report["fire"]
    with pytest.raises(RulesError, match=told):
        setup_from_position(position)
    with pytest.raises(RulesError, match=told):
        Game.new(RULES, read_position(position))
