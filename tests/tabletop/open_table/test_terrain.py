"""Terrain that a photo shows enters games on an open table once, and every ruling counts it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import shapely

from tabletop.aar.adapters import report_adapter
from tabletop.aar.compose import full_report
from tabletop.aar.markdown import markdown_text
from tabletop.aar.story import tell
from tabletop.boards import board_of
from tabletop.game import Game
from tabletop.game.actions import Standing
from tabletop.game.registry import ruleset
from tabletop.reconcile.comparison import accept, look
from tabletop.reconcile.photo_overrides import put_right
from tabletop.starting.scenarios import find
from tabletop.tables.scene import scene_to_json
from tabletop.tables.table_for_game import terrain_of
from tests.support import combat_captain_games as captain
from tests.support import measure_games, one_hour_games
from tests.support.example_rulesets import NIGHT_RAID
from tests.support.one_hour_games import area

WOOD = [[4, 12], [16, 12], [16, 16], [4, 16]]


def one_hour(*terrain: Any) -> Game:
    units = (
        one_hour_games.a_unit("B1", "blue", "tank", 8, 8),
        one_hour_games.a_unit("R1", "red", "infantry", 8, 22, 180),
    )
    game = one_hour_games.begun(*units, terrain=terrain)
    one_hour_games.do(game, "end")
    return game


def a_game(rules: str) -> Game:
    """A game with units and without terrain."""
    match rules:
        case "one-hour-ww2":
            return one_hour()
        case "combat-captain":
            companies = [
                captain.a_company(name, side, [captain.a_sub(f"{name}1", "rifles", 9, y)])
                for name, side, y in (("A", "red", 8), ("B", "blue", 22))
            ]
            return captain.begun(*companies)
        case "measure":
            return measure_games.a_table([measure_games.a_unit("B1", "blue", Standing(9, 8, 0.0))])
    return Game.new(ruleset(rules), replace(find(NIGHT_RAID.scenario).setup, terrain=()))


def piece(kind: str = "woods", ring: Any = WOOD, sure: float = 1.0, **more: Any) -> dict[str, Any]:
    return {"id": f"t-{kind}-{ring[0][0]}", "kind": kind, "polygon": ring, "confidence": sure, "sigma": 0.3, **more}


def photo(game: Game, *terrain: dict[str, Any]) -> dict[str, Any]:
    return {**scene_to_json(game.state.scene), "terrain": list(terrain)}


@pytest.mark.parametrize("rules", ["one-hour-ww2", "combat-captain", "measure", NIGHT_RAID.name])
@pytest.mark.parametrize("truth", [False, True], ids=["accepted", "as the truth"])
def test_it_is_laid_once_drawn_taken_back_and_replayed(rules: str, truth: bool) -> None:
    game = a_game(rules)
    top = [[20, 2], [22, 2], [22, 4], [20, 4]]
    hill = piece("hill", [[19, 1], [23, 1], [23, 5], [19, 5]], height=1.5, hill_top=top)
    seen = look(game, photo(game, piece(), hill), photo="ab" * 32)
    assert [(one.proposal.what, one.proposal.acceptable) for one in seen.listed] == [("laid", True)] * 2
    done = put_right(game, seen) if truth else accept(game, seen).records
    assert len(done) == 2
    assert [(one.id, one.kind) for one in board_of(rules, game.state).ground] == [
        ("woods-1", "woods"),
        ("hill-1", "hill"),
    ]
    assert [(one.id, one.height_in) for one in terrain_of(rules, game.state)] == [("woods-1", 0.0), ("hill-1", 1.5)]
    moved = [[x + 0.2, y - 0.2] for x, y in WOOD]
    assert look(game, photo(game, piece(ring=moved), hill)).listed == (), "a second photo says nothing new"
    again = Game(game.ruleset, game.records, version=game.version)
    assert again.state.scene.terrain[0].sigma == 0.3 and not game.ruleset.invariant_violations(again.state)
    assert "woods-1 (woods) was laid on the table." in markdown_text(full_report(tell(game, report_adapter(rules))))
    game.pop(referee=True)
    assert [one.id for one in game.state.scene.terrain] == ["woods-1"]
    game.push(game.parse("erase woods-1"))
    assert game.state.scene.terrain == ()


def test_sight_movement_and_cover_count_it() -> None:
    bare, wooded = one_hour(), one_hour()
    accept(wooded, look(wooded, photo(wooded, piece())))
    fire, through = (game.parse("fire B1 at R1") for game in (bare, wooded))
    assert not bare.ruleset.check(bare.state, fire)
    assert "no-sight" in {v.code for v in wooded.ruleset.check(wooded.state, through)}
    for game in (bare, wooded):
        game.push(game.parse("move B1"), [2, 2, 3])
    ways = [{v.code for v in game.ruleset.check(game.state, game.parse("place B1 at 8,13"))} for game in (bare, wooded)]
    assert ways[0] == set() != ways[1]


def test_what_depends_on_terrain_in_question_is_too_close_to_call() -> None:
    game = one_hour()
    game.push(game.parse("move B1"), [2, 2, 3])
    moved = photo(game, piece(sure=0.8), piece("road", [[30, 0], [32, 0], [32, 36], [30, 36]]))
    for base in moved["units"][0]["bases"]:
        base["center"][1] += 5
    seen = look(game, moved)
    put = next(one.proposal for one in seen.listed if one.proposal.what == "moved")
    assert not put.acceptable and [(v.code, v.answer) for v in put.violations] == [("terrain-open", "too-close")]
    assert "not certain about woods at (10.0, 14.0)" in seen.found.warnings[-1]
    accept(game, seen)
    assert [one.kind for one in game.state.scene.terrain] == ["road"] and game.state.pending is not None


@pytest.mark.parametrize(
    ("row", "asked"),
    [
        (piece(), ""),
        (piece("town", [[5, 12], [15, 12], [15, 16], [5, 16]]), "where the game has woods-1 (woods): which is right?"),
        (piece(ring=[[4, 12], [36, 12], [36, 16], [4, 16]]), "where the game has woods-1 (woods): which is right?"),
        (piece("road", [[9, 0], [11, 0], [11, 36], [9, 36]]), "which the game does not have: lay it?"),
    ],
)
def test_drawn_terrain_is_not_doubled_and_what_differs_is_asked(row: dict[str, Any], asked: str) -> None:
    game = one_hour(area("woods-1", "woods", 4, 12, 16, 16), area("hill-1", "hill", 20, 20, 30, 30))
    seen = look(game, photo(game, row, piece("hill", [[20, 20], [30, 20], [30, 30], [20, 30]])))
    assert seen.found.sync.in_step and not any(one.proposal.acceptable for one in seen.listed)
    assert [asked in one.proposal.question for one in seen.listed] == [True] * bool(asked)


def test_outlines_that_reach_over_the_edge_or_have_many_corners_are_kept_as_far_as_they_can() -> None:
    game, edge = one_hour(), shapely.Point(2, 30).buffer(4, quad_segs=40)
    accept(game, look(game, photo(game, piece(ring=shapely.get_coordinates(edge).tolist()))))
    kept = shapely.Polygon(game.state.scene.terrain[0].polygon)
    assert len(kept.exterior.coords) <= 61 and kept.bounds[0] == 0
    assert kept.area == pytest.approx(edge.intersection(shapely.box(0, 0, 36, 36)).area, rel=0.01)
