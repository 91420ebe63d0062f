"""What goes out of games on squares and of Combat Captain: all that everybody may see, and nothing hidden."""

import json
import random

import pytest
import shapely
from shapely.geometry import shape

from tabletop.boards import board_of
from tabletop.errors import UsageError
from tabletop.exports.geojson import feature_collection
from tabletop.exports.plans import plan_of_game
from tabletop.game import Game
from tabletop.game.parts import PARTS
from tabletop.game.protocol import PUBLIC
from tabletop.game.registry import ruleset
from tabletop.starting.scenarios import find, list_scenarios
from tabletop.tables.table_for_game import table_file_for
from tabletop.tables.tablefile import parse_table

SHOWN = ("combat", "combat-captain", "measure", "ww2-combined-arms")
"""Rules whose plans are made of what their boards show."""
NEW = [(one.rules, one.id) for one in list_scenarios() if one.rules in SHOWN]


def played(rules: str, scenario: str, actions: int) -> Game:
    game, rng = Game.new(ruleset(rules), find(scenario, rules).setup), random.Random(3)
    for _ in range(actions):
        if game.outcome is not None:
            break
        plans = game.ruleset.bot_actions(game.state, rng)
        game.push(next(action for action in plans if not game.check(action)), rng=rng)
    return game


@pytest.mark.parametrize(("rules", "scenario"), NEW)
def test_every_piece_and_cell_that_is_seen_goes_out_once(rules: str, scenario: str) -> None:
    game = played(rules, scenario, 12)
    found = feature_collection(plan_of_game(rules, game.state))
    drawn = board_of(rules, game.state, PUBLIC)
    kinds = [row["properties"]["feature"] for row in found["features"]]
    assert kinds.count("piece") == len(drawn.pieces) and kinds.count("square") == len(drawn.cells)
    assert len({row["id"] for row in found["features"]}) == len(kinds)
    assert all(shapely.is_valid(shape(row["geometry"])) for row in found["features"])
    json.dumps(found, allow_nan=False)


def test_mines_and_secret_deployments_stay_in() -> None:
    game = played("combat", "first-skirmish", 5)
    whole = board_of("combat", game.state, None)
    mines = [cell.id for cell in whole.cells if "mine" in cell.marks]
    found = json.dumps(feature_collection(plan_of_game("combat", game.state)))
    assert mines and '"mine"' not in found and '"piece"' not in found


def test_a_board_lies_where_its_table_file_lays_it() -> None:
    game = played("ww2-combined-arms", "first-meeting", 6)
    table = parse_table(table_file_for("ww2-combined-arms", game.state, size_in=(36.0, 30.0)))
    plan = plan_of_game("ww2-combined-arms", game.state, table=table)
    assert plan.on_table and plan.box == (0.0, 0.0, 36.0, 30.0)
    with pytest.raises(UsageError, match="table in its log"):
        plan_of_game("combat-captain", played("combat-captain", "crossroads", 1).state, table=table)


def test_these_are_all_rules() -> None:
    assert {rules for rules, _ in NEW} | {"one-hour-ww2", "combined-arms"} == set(PARTS)
