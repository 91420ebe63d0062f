"""What of a table's photo counts as certain: what players said, and never what a table file alone says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.tables.session import Tables
from api.tables.settled_photo import SettledPhoto
from api.tables.store import Store
from tabletop.tables.model import SeenTerrain, Terrain
from tests.support.api_support import BASES, TABLE, Canned, observation, row
from tests.support.photo_games import observed

WOOD = [[2.0, 20.0], [10.0, 20.0], [10.0, 28.0], [2.0, 28.0]]
FIELD = [[20.0, 20.0], [28.0, 20.0], [28.0, 28.0], [20.0, 28.0]]
WITH_WOOD = f'{TABLE}\n[[terrain]]\nid = "w"\nkind = "woods"\npolygon = {WOOD}\n'


def piece(name: str, kind: str, outline: list[list[float]], confidence: float) -> dict[str, Any]:
    return {"id": name, "kind": kind, "polygon": outline, "height": 0.0, "confidence": confidence, "sigma": 0.1}


class Table:
    """A table whose file has a wood, and whose photos say what they are given to say."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder)
        self.tables = Tables(self.store, Canned())
        self.id = self.tables.create(WITH_WOOD, "small.toml", Store.new_game()).game

    def photo(self, **told: Any) -> None:
        seen = {**observation(), "photos": observed(2)["photos"], "roster": [], **told}
        body = {"sha256": "ab" * 32, "observation": seen}
        assert self.store.append(self.id, self.tables.seq(self.id) + 1, "photo", body)

    def settled(self, seq: int | None = None) -> SettledPhoto:
        found = self.tables.settled_photo(self.id, seq)
        assert found is not None
        return found

    def certain(self) -> dict[str, bool]:
        """The pieces by id, and whether each is told as certain."""
        rows = self.settled().observation["terrain"]
        return {one["id"]: one["confidence"] >= 1.0 for one in rows}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.store.kept.close()


def test_without_a_photo_or_with_a_question_open_there_is_nothing(table: Table) -> None:
    assert table.tables.settled_photo(table.id) is None
    question = {"id": "q1", "about": "t1", "ask": "kind", "says": "What is this?", "answers": [], "covers": [["t1"]]}
    table.photo(questions=[question])
    assert table.tables.settled_photo(table.id) is None
    table.photo(photos=[])
    assert table.tables.settled_photo(table.id) is None
    table.photo()
    assert table.settled().sha256 == "ab" * 32


def test_what_players_answered_is_certain_and_what_was_only_read_is_not(table: Table) -> None:
    asked = {"id": "q1", "about": "t1", "ask": "kind", "says": "What is this?", "covers": [["t1"]], "others": [],
             "answers": [{"value": "woods", "chance": 0.9, "says": "woods"}], "after": None}  # fmt: skip
    table.photo(
        terrain=[piece("t1", "woods", WOOD, 0.9), piece("t2", "field", FIELD, 0.97)], questions=[asked], markers=[]
    )
    table.tables.answer(table.id, asked, "woods")
    assert table.certain() == {"t1": True, "t2": False}
    assert table.settled().table.terrain == ()


def test_what_an_earlier_photo_or_the_table_file_says_is_not_certain(table: Table) -> None:
    table.photo(terrain=[piece("t1", "woods", WOOD, 1.0)])
    assert table.certain() == {"t1": False}, "it is carried on from the photo before, and may have been moved since"
    table.photo(terrain=[piece("w", "woods", WOOD, 1.0)])
    assert table.certain() == {"w": False}
    overlay = {"grid": "hex", "size": 4.0, "origin": [2.0, 2.0], "rotation": 0.0}
    assert table.store.append(table.id, table.tables.seq(table.id) + 1, "overlay", overlay)
    table.tables.lay_terrain(table.id, [Terrain("t1", "woods", tuple(map(tuple, WOOD)), 0.0)])
    table.photo(terrain=[piece("t1", "woods", WOOD, 1.0)])
    assert table.certain() == {"t1": False}, "nothing on a board is"


def test_what_players_have_laid_is_certain_for_the_photo_after_it(table: Table) -> None:
    table.photo()
    moved = tuple((x + 1.0, y) for x, y in WOOD)
    table.tables.lay_terrain(table.id, [Terrain("w", "woods", moved, 0.0)])
    laid = piece("w", "woods", [list(point) for point in moved], 1.0)
    table.photo(terrain=[laid])
    assert table.certain() == {"w": True}
    table.photo(terrain=[laid])
    assert table.certain() == {"w": False}
    pieces = [Terrain("w", "woods", moved, 0.0), Terrain("f", "field", tuple(map(tuple, FIELD)), 0.0)]
    table.tables.lay_terrain(table.id, ())
    table.tables.draw_terrain(table.id, [SeenTerrain(one, 1.0, 0.0, stated=True) for one in pieces])
    table.photo(terrain=[])
    assert table.certain() == {"w": False, "f": True}


def test_it_says_the_same_until_something_else_is_said_of_it(table: Table) -> None:
    table.photo()
    before, seq = table.settled().said, table.tables.seq(table.id)
    table.tables.use_camera(table.id, None)
    assert table.settled().said == before
    table.tables.correct_base(table.id, "b4", {"unit": "far", "method": "hand", "confidence": 1.0})
    assert table.settled().said != before and table.settled(seq).said == before
    table.tables.take_back(table.id)
    assert table.settled().said == before
    table.photo(bases=[*BASES, row("b5", None, "red", None, [3.0, 3.0])])
    assert table.settled().said != before
