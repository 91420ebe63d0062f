"""Photos of another board than the game's: recognized by units and terrain together, and by neither alone."""

from collections.abc import Mapping
from typing import Any

import pytest

from tabletop.game import Game
from tabletop.reconcile.comparison import accept, look
from tabletop.reconcile.photo_overrides import corrections
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tests.support.combined_arms_photos import LAID, photo_of
from tests.support.combined_arms_tables import game_at
from tests.support.observed_bases import observation, seen_base
from tests.support.ww2_combined_arms_games import standing
from tests.tabletop.rulesets.ww2_combined_arms.test_seeing import LAYOUT

WOODS = {"hex": ("4-3", "4-4", "5-4", "5-5"), "square": ("d4", "d5", "e4", "e5")}
ELSEWHERE = {"hex": ("7-1", "7-2", "8-1", "8-2"), "square": ("a7", "a8", "b7", "b8")}
STANDS = {
    "hex": {"D1": "1-2", "D2": "1-3", "E1": "2-2", "E2": "2-4", "F1": "1-4", "M1": "2-3"},
    "square": {"R9": "a1", "R1": "c3", "R2": "d3", "R3": "d2", "B9": "h8", "B1": "e6", "B2": "f6"},
}
A_MOVE = {
    "hex": {"D1": "2-2", "D2": "2-3", "E1": "3-2", "E2": "3-4", "F1": "2-5", "M1": "3-3"},
    "square": {"R9": "a2", "R1": "e5", "R2": "d5", "R3": "d3", "B9": "g8", "B1": "d6", "B2": "f5"},
}
FAR = {
    "hex": {"D1": "8-3", "D2": "7-4", "E1": "9-2", "E2": "8-4", "F1": "7-5", "M1": "9-3"},
    "square": {"R9": "h1", "R1": "h8", "R2": "h7", "R3": "a8", "B9": "a2", "B1": "a1", "B2": "a3"},
}
MISREAD = {"hex": {"D1": "1-3", "D2": "1-2"}, "square": {"R1": "f6", "B2": "c3"}}


def begun(grid: str) -> Game:
    """A game of hexes or squares with a wood."""
    if grid == "hex":
        return game_at(STANDS[grid], board=dict.fromkeys(WOODS[grid], "woods"))
    kinds = {"R9": "hq", "B9": "hq", "R1": "light-tanks", "R3": "howitzers", "B2": "at-guns"}
    units = ", ".join(f"{name} {kinds.get(name, 'general')} {at}" for name, at in STANDS[grid].items())
    wood = tuple((name, "woods") for name in WOODS[grid])
    return Game.new(RULES, standing(units, layout=LAYOUT, difficult=True, terrain=wood).setup)


def photo(game: Game, grid: str, moved: Mapping[str, str], wood: tuple[str, ...]) -> dict[str, Any]:
    """What a photo shows once units ``moved``, and a wood."""
    cells = LAID.cells if grid == "hex" else None
    places = [cells.place(name) if cells else game.state.grid.board.parse(name) for name in wood]
    layout = LAID.layout if grid == "hex" else LAYOUT
    woods = [
        {"id": f"t{n}", "kind": "woods", "polygon": [*map(list, ring.exterior.coords[:-1])], "sigma": 0.1,
         "evidence": {"chances": {"woods": 0.9}}}
        for n, ring in enumerate((cells.polygons if cells else LAYOUT.polygons)(*((layout,) if cells else ()), places))
    ]  # fmt: skip
    if cells:
        return photo_of(game, moved, terrain=woods)
    stands = {**STANDS[grid], **moved}
    at = {name: LAYOUT.centres([game.state.grid.board.parse(cell)])[0] for name, cell in stands.items()}
    rows = [seen_base(u.id, at[u.id], side=u.side, kind=u.kind) for u in game.state.units]
    return observation(rows, 26.0, 26.0, terrain=woods)


@pytest.mark.parametrize("grid", ["hex", "square"])
@pytest.mark.parametrize(
    ("moved", "wood", "is_another"),
    [
        ({}, WOODS, False),
        (A_MOVE, ELSEWHERE, False),  # every unit moved, and the photo shows none of the wood
        (MISREAD, ELSEWHERE, False),  # two units read as others
        (FAR, WOODS, False),  # one cue alone
        (FAR, ELSEWHERE, True),
    ],
)
def test_another_board_is_recognized_by_units_and_terrain_together(
    grid: str, moved: Mapping[str, Any], wood: Mapping[str, Any], is_another: bool
) -> None:
    game = begun(grid)
    data = photo(game, grid, moved.get(grid, {}), wood[grid])
    laid = {"board": LAID} if grid == "hex" else {}
    found = look(game, data, **laid)
    assert found.seems_another_table == is_another
    if is_another:
        (asked,) = found.questions
        assert asked["ask"] == "table" and "Drop it, or use it anyway" in asked["says"]
        assert found.listed == corrections(game, found) == () == accept(game, found, overrule=True).records
        for used in (
            look(game, data, answers={asked["id"]: "this"}, **laid),
            look(game, data, same_table=True, **laid),
        ):
            assert used.found.sync.state == "out of step" and used.listed


@pytest.mark.parametrize("grid", ["hex", "square"])
def test_a_photo_on_which_no_base_was_found_is_of_no_other_board(grid: str) -> None:
    game = begun(grid)
    data = {**photo(game, grid, {}, ELSEWHERE[grid]), "bases": []}
    assert not look(game, data, **({"board": LAID} if grid == "hex" else {})).seems_another_table
