"""Terrain that a photo shows enters games on an open table once, and every ruling counts it."""

from dataclasses import replace
from typing import Any

import pytest
import shapely

from tabletop.aar.adapters import report_adapter
from tabletop.aar.story import tell
from tabletop.boards import board_of
from tabletop.game import Game
from tabletop.game.actions import Standing
from tabletop.game.errors import IllegalError
from tabletop.game.registry import ruleset
from tabletop.reconcile.comparison import accept, look
from tabletop.reconcile.photo_overrides import put_right
from tabletop.starting.scenarios import find
from tabletop.tables.scene import scene_to_json
from tabletop.tables.table_for_game import plain_table
from tests.support.combat_captain_games import a_company, a_sub
from tests.support.combat_captain_games import begun as captain_begun
from tests.support.example_rulesets import NIGHT_RAID
from tests.support.measure_games import a_table
from tests.support.measure_games import a_unit as measure_unit
from tests.support.one_hour_games import a_unit, area, begun, codes, do

WOOD = [[4, 12], [16, 12], [16, 16], [4, 16]]


def one_hour(*terrain: Any) -> Game:
    game = begun(a_unit("B1", "blue", "tank", 8, 8), a_unit("R1", "red", "infantry", 8, 22, 180), terrain=terrain)
    do(game, "end")
    return game


def a_game(rules: str) -> Game:
    match rules:
        case "one-hour-ww2":
            return one_hour()
        case "combat-captain":
            sides = [("A", "red", a_sub("A1", "rifles", 9, 8)), ("B", "blue", a_sub("B1", "rifles", 9, 22))]
            return captain_begun(*(a_company(name, side, [stand]) for name, side, stand in sides))
        case "measure":
            return a_table([measure_unit("B1", "blue", Standing(9, 8, 0.0))])
    return Game.new(ruleset(rules), replace(find(NIGHT_RAID.scenario).setup, terrain=()))


def piece(kind: str = "woods", ring: Any = WOOD, sure: float = 1.0, **more: Any) -> dict[str, Any]:
    return {"id": f"t-{kind}-{ring[0][0]}", "kind": kind, "polygon": ring, "confidence": sure, "sigma": 0.3, **more}


def photo(game: Game, *terrain: dict[str, Any]) -> dict[str, Any]:
    return {**scene_to_json(game.state.scene), "terrain": list(terrain)}


@pytest.mark.parametrize("rules", ["one-hour-ww2", "combat-captain", "measure", NIGHT_RAID.name])
@pytest.mark.parametrize("truth", [False, True], ids=["accepted", "as the truth"])
def test_it_is_laid_once_drawn_taken_back_and_replayed(rules: str, truth: bool) -> None:
    game, top = a_game(rules), [[20, 2], [22, 2], [22, 4], [20, 4]]
    round_ = shapely.get_coordinates(shapely.Point(22, 1).buffer(4, quad_segs=40)).tolist()
    hill = piece("hill", round_, height=1.5, hill_top=top)  # over the edge, and with more corners than a hand draws
    seen = look(game, photo(game, piece(), hill), photo="ab" * 32)
    assert [(one.proposal.what, one.proposal.acceptable) for one in seen.listed] == [("laid", True)] * 2
    assert len(put_right(game, seen) if truth else accept(game, seen).records) == 2
    assert [(one.id, len(one.outline) <= 60) for one in board_of(rules, game.state).ground] == [
        ("woods-1", True), ("hill-1", True)
    ]  # fmt: skip
    assert [(one.id, one.height_in) for one in plain_table(rules, game.state).terrain] == [
        ("woods-1", 0.0),
        ("hill-1", 1.5),
    ]
    again = piece(ring=[[x + 0.2, y - 0.2] for x, y in WOOD])
    assert look(game, photo(game, again, hill)).listed == (), "a second photo says nothing new"
    state = Game(game.ruleset, game.records, version=game.version).state
    assert state.scene.terrain[0].sigma == 0.3 and not game.ruleset.invariant_violations(state)
    assert "woods-1 (woods) was laid on the table." in str(tell(game, report_adapter(rules)).turns)
    game.pop(referee=True)
    game.push(game.parse("erase woods-1"))
    assert game.state.scene.terrain == ()


def test_sight_and_movement_count_it_and_are_open_while_it_is() -> None:
    bare, wooded, asked = one_hour(), one_hour(), one_hour()
    accept(wooded, look(wooded, photo(wooded, piece())))
    assert not codes(bare, "fire B1 at R1") and "no-sight" in codes(wooded, "fire B1 at R1")
    for game in (bare, wooded, asked):
        do(game, "move B1", 2, 2, 3)
    assert not codes(bare, "place B1 at 8,13") and codes(wooded, "place B1 at 8,13")
    moved = photo(asked, piece(sure=0.8), piece("road", [[30, 0], [32, 0], [32, 36], [30, 36]]))
    for base in moved["units"][0]["bases"]:
        base["center"][1] += 5
    seen = look(asked, moved)
    put = next(one.proposal for one in seen.listed if one.proposal.what == "moved")
    assert not put.acceptable and [(v.code, v.answer) for v in put.violations] == [("terrain-open", "too-close")]
    assert "not certain about woods at (10.0, 14.0)" in seen.found.warnings[-1]
    accept(asked, seen)
    assert [one.kind for one in asked.state.scene.terrain] == ["road"] and asked.state.pending is not None


@pytest.mark.parametrize(
    ("ring", "kind", "is_open"),
    [
        (WOOD, "woods", True),  # in the way of the sight
        ([[4, 20], [16, 20], [16, 26], [4, 26]], "town", True),  # cover for the target
        ([[30, 2], [34, 2], [34, 6], [30, 6]], "woods", False),
    ],
)
def test_a_shot_that_depends_on_terrain_in_question_is_too_close_to_call(ring: Any, kind: str, is_open: bool) -> None:
    game = one_hour()
    asked = piece(kind, ring, 0.8)
    question = {"id": "q1", "says": f"Is this {kind}?", "covers": [[asked["id"]]]}
    game.saw({**photo(game, asked), "questions": [question]})
    fire, other = game.parse("fire B1 at R1"), game.parse("end")
    option = next(one for one in game.options() if one.kind == "fire")
    assert (option.open, bool(game.check(fire)), game.check(other)) == (is_open, is_open, ())
    if is_open:
        (found,) = game.check(fire)
        assert (found.code, found.answer) == ("terrain-open", "too-close")
        assert f"certain about {'woods' if kind == 'woods' else 'a town'} at (10.0, " in found.text
        assert f"answer “Is this {kind}?” first" in found.text
        with pytest.raises(IllegalError):
            game.push(fire, (3,))
    game.trial().push(fire, (3,), measured=True)
    scene = photo(game)
    bases = [
        {**base, "id": f"{unit['id']}.{n}", **{key: unit[key] for key in ("side", "kind")}, "unit": unit["id"]}
        for unit in scene["units"]
        for n, base in enumerate(unit["bases"])
    ]
    accept(game, look(game, {"version": 1, "units": "inches", "table": scene["table"], "bases": bases}))
    assert not game.check(fire), "answered: there is nothing"


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
