"""An observation as a scene: the same one whether it goes through JSON or not, and the same refusals."""

from dataclasses import fields, replace

import numpy as np
import pytest

from geometry import Bases
from tabletop.errors import SceneError
from tabletop.referee.judging import scene_of
from tabletop.tables.model import TableFile
from tabletop.tables.scene import Scene, Terrain, Unassigned, Unit, scene_from_json
from tabletop.tables.tablefile import parse_table
from tests.tabletop.tables.test_tablefile import GOOD
from vision import BaseLabel, ExpectedTerrain, Observation

TABLE = parse_table(GOOD)
WITHOUT_RULES = parse_table(GOOD.replace('rules = "one-hour-ww2"\n', ""))


def assert_same(a: object, b: object) -> None:
    """Fail unless two scenes, or parts of scenes, are equal to the last bit."""
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b)
    elif isinstance(a, Scene | Unit | Unassigned | Terrain | Bases):
        for field in fields(a):
            assert_same(getattr(a, field.name), getattr(b, field.name))
    elif isinstance(a, tuple):
        assert isinstance(b, tuple) and len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            assert_same(one, other)
    else:
        assert a == b


def through_json(seen: Observation, table: TableFile) -> Scene:
    """The scene that a program reads from the observation's file."""
    return scene_from_json(
        {**seen.to_json(), "rules": table.rules or "one-hour-ww2"}, roster={unit.id: unit.bases for unit in table.units}
    )


def label(name: str, side: str = "blue", kind: str | None = "tank", unique: bool | None = None) -> BaseLabel:
    return BaseLabel(name, "A1", None, side, kind, unique, 0.0, 0.9, "outline")


def pair(first: BaseLabel, second: BaseLabel, *terrain: ExpectedTerrain, sigma: float = 0.0) -> Observation:
    bases = Bases.of([[5.0, 5.0], [8.0, 5.0]], 0.0, 2.0, 1.0, sigma=sigma)
    return Observation((36.0, 36.0), (), bases, (first, second), terrain=terrain)


SLANTED = replace(
    Bases.of([[5.0, 5.0], [8.0, 5.0]], [-30.0, 400.0], 2.0, 2.0, is_round=np.array([True, False])),
    covariance=np.array([[[0.04, 0.01], [0.01, 0.02]], [[0.0, 0.0], [0.0, 0.0]]]),
    facing_sigma=np.array([1.5, 0.0]),
)
CROSSED = ((0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0))
SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))


TERRAIN = (
    ExpectedTerrain("t1", "hill", SQUARE, 1.5, ((1.0, 1.0), (3.0, 1.0), (2.0, 3.0)), 0.5, 0.3),
    ExpectedTerrain("t2", "woods", (*SQUARE, SQUARE[0]), 0.0, None, 0.9, 0.1),
    ExpectedTerrain("t3", "hill", SQUARE, 2.0, ()),
)
NOBODYS = BaseLabel("b2", None, None, "red", None, None, 1.5, 0.4, "shape", facing_known=False, alike=1)


@pytest.mark.parametrize("table", [TABLE, WITHOUT_RULES], ids=["rules", "no rules"])
@pytest.mark.parametrize(
    "seen",
    [
        pair(label("b1", unique=True), label("b2", kind=None), *TERRAIN, sigma=0.2),
        pair(label("b1", unique=False), label("b2")),
        pair(label("b1"), NOBODYS, sigma=0.05),
        replace(pair(NOBODYS, label("b1")), bases=SLANTED),
    ],
    ids=["unique and terrain", "none unique", "nobody's", "round and slanted"],
)
def test_the_scene_is_the_one_that_json_gives(seen: Observation, table: TableFile) -> None:
    assert_same(scene_of(seen, table), through_json(seen, table))


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (pair(label("b1"), label("b1")), 'Base "b1" is listed twice'),
        (pair(label("b1", unique=True), label("b2", unique=True)), "2 unique bases"),
        (pair(label("b1"), label("b2", side="red")), "different sides: blue, red"),
        (pair(label("b1", kind=None), label("b2", kind=None)), "no base with a known kind"),
        (pair(label("b1"), label("b2"), sigma=float("nan")), "covariance row 1 must be a finite number"),
        (pair(label("b1"), label("b2"), ExpectedTerrain("t1", "woods", CROSSED)), "crosses or touches itself"),
        (pair(label("b1"), label("b2"), ExpectedTerrain("t1", "sea", SQUARE)), "unknown kind"),
        (pair(label("b1"), label("b2"), *[ExpectedTerrain("t1", "woods", SQUARE)] * 2), 'Terrain "t1" is listed twice'),
        (pair(label("b1"), label("b2"), ExpectedTerrain("t1", "woods", SQUARE, hill_top=SQUARE)), "only a hill"),
    ],
)
def test_what_no_scene_can_hold_is_refused_in_the_same_words(seen: Observation, why: str) -> None:
    with pytest.raises(SceneError, match=why) as direct:
        scene_of(seen, TABLE)
    with pytest.raises(SceneError) as read:
        through_json(seen, TABLE)
    assert str(direct.value) == str(read.value)
