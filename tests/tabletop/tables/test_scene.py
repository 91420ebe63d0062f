"""Scenes and observations: read strictly, refused in one sentence."""

import copy
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tabletop.errors import SceneError
from tabletop.tables.model import TERRAIN_KINDS
from tabletop.tables.scene import scene_from_json, scene_to_json
from tests.support.observed_rows import base_row
from tests.support.observed_rows import observation as seen


def scene() -> dict[str, Any]:
    base = {"shape": "rect", "width": 2.5, "depth": 1.75, "center": [10, 7], "facing": 30, "unique": True, "sigma": 0.1}
    other = {"shape": "round", "diameter": 1.0, "center": [12, 7], "facing": None}
    return {
        "version": 1,
        "rules": "one-hour-ww2",
        "table": {"width": 36, "depth": 48},
        "terrain": [
            {"id": "t1", "kind": "woods", "polygon": [[3, 4], [9, 4], [9, 9]], "height": 0.0},
            {
                "id": "h1",
                "kind": "hill",
                "polygon": [[0, 20], [9, 20], [9, 29], [0, 29]],
                "hill_top": [[3, 23], [6, 23], [6, 26]],
                "sigma": 0.2,
            },
        ],
        "units": [
            {
                "id": "A1",
                "side": "blue",
                "kind": "tank",
                "hits": 7,
                "permanent": 5,
                "dug_in": True,
                "bases": [base, other],
            },
            {"id": "B1", "side": "red", "kind": "own kind", "bases": [dict(other, center=[20, 20])]},
        ],
    }


def seen_base(number: int, **more: Any) -> dict[str, Any]:
    usual = {"unit": "A1", "side": "blue", "kind": "tank", "width": 2.5, "depth": 1.75, "facing": 12.5}
    spread = {"covariance": [[0.0004, 0.0001], [0.0001, 0.0009]], "facing_sigma": 0.8}
    return base_row(f"b{number}", (10.0 + 3 * number, 7.7), **{**usual, **spread, **more})


def observation(*bases: dict[str, Any]) -> dict[str, Any]:
    marsh = {"id": "t1", "kind": "marsh", "polygon": [[3, 4], [9, 4], [9, 9]], "height": 0, "sigma": 0.2}
    photos, dice = [{"file": "a.jpg", "anything": [1]}], [{"center": [30.1, 2.0], "value": 5, "confidence": 0.98}]
    return seen(*bases, photos=photos, terrain=[{**marsh, "confidence": 0.9}], dice=dice, warnings=["one"])


def test_a_scene_is_read_as_written() -> None:
    found = scene_from_json(scene())
    assert (found.rules, found.width, found.depth) == ("one-hour-ww2", 36.0, 48.0)
    unit = found.unit("A1")
    assert (unit.side, unit.kind, unit.hits, unit.permanent) == ("blue", "tank", 7, 5)
    assert (unit.dug_in, unit.ready) == (True, False)
    assert unit.unique == 0
    assert unit.bases.is_round.tolist() == [False, True]
    assert unit.bases.width.tolist() == [2.5, 1.0]
    assert unit.bases.covariance[0] == pytest.approx(np.eye(2) * 0.01)
    assert unit.bases.facing_sigma.tolist() == [0.0, math.inf]
    assert found.unit("B1").unique == 0  # its only base, which nobody marked
    hill = found.terrain[1]
    assert hill.hill_top is not None
    assert (hill.hill_top.shape, hill.sigma) == ((3, 2), 0.2)
    with pytest.raises(KeyError):
        found.unit("C1")


def test_a_scene_is_written_as_it_was_read() -> None:
    written = scene_to_json(scene_from_json(scene()))
    assert scene_to_json(scene_from_json(json.loads(json.dumps(written)))) == written
    assert written["units"][0]["bases"][0] == scene()["units"][0]["bases"][0] | {"facing": 30.0}
    assert written["units"][0]["bases"][1]["facing"] is None
    oval = scene()
    oval["units"][0]["bases"][0]["shape"] = "oval"
    found = scene_from_json(oval)
    assert found.unit("A1").bases.is_oval.tolist() == [True, False]
    assert scene_to_json(found)["units"][0]["bases"][0] == oval["units"][0]["bases"][0] | {"facing": 30.0}


def test_an_observation_groups_bases_by_unit() -> None:
    loose = seen_base(
        3, unit=None, side="red", kind=None, facing=None, facing_sigma=None, shape="round", width=1, depth=1
    )
    nobody = seen_base(4, unit=None, side=None, kind=None)
    found = scene_from_json(
        observation(seen_base(1, kind=None), seen_base(2, unique=True), loose, nobody), roster={"A1": 3}
    )
    unit = found.unit("A1")
    assert (unit.kind, unit.side, unit.unique, unit.missing_bases) == ("tank", "blue", 1, 1)
    assert unit.bases.covariance[0].tolist() == [[0.0004, 0.0001], [0.0001, 0.0009]]
    assert unit.bases.facing_sigma.tolist() == [0.8, 0.8]
    assert found.unassigned.sides == ("red", None)
    assert found.unassigned.ids == ("b3", "b4")
    assert found.unassigned.bases.facing_sigma.tolist() == [math.inf, 0.8]
    assert found.terrain[0].sigma == 0.2
    assert found.rules is None


def test_a_unit_seen_without_its_unique_base_says_so() -> None:
    assert scene_from_json(observation(seen_base(1), seen_base(2))).unit("A1").unique is None
    assert scene_from_json(observation(seen_base(1)), roster={"A1": 3}).unit("A1").unique is None
    assert scene_from_json(observation(seen_base(1, unique=False))).unit("A1").unique is None
    assert scene_from_json(observation(seen_base(1))).unit("A1").unique == 0


def set_at(*path: Any) -> Callable[[dict[str, Any]], None]:
    """A change: the last item becomes the value at the path of the others."""

    def change(data: Any) -> None:
        *steps, last, value = path
        for step in steps:
            data = data[step]
        data[last] = value

    return change


def drop(*path: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        del data[path[-1]]

    return change


BASE = ("units", 0, "bases", 0)
FAULTS = [
    (set_at("tabel", 1), "unknown key 'tabel'; did you mean 'table'"),
    (set_at(*BASE, "colour", "red"), "unknown key 'colour'"),
    (set_at("version", 2), "version must be 1, not the number 2"),
    (set_at("version", True), "version must be 1, not true"),
    (drop("table", "depth"), "lacks 'depth'"),
    (drop("units", 0, "id"), "Unit 1 lacks 'id'"),
    (drop("units", 0, "kind"), "Unit \"A1\" lacks 'kind'"),
    (drop(*BASE, "depth"), "lacks 'depth'"),
    (set_at("table", "width", 0), "more than 0 inches, not 0"),
    (set_at("table", "width", "36"), "must be a number, not the text '36'"),
    (set_at("units", {}), "must be a list, not a mapping"),
    (set_at("units", 0, "A1"), "must be a mapping"),
    (set_at("units", 0, "bases", []), "no bases"),
    (set_at("units", 1, "id", "A1"), "is listed twice"),
    (set_at("units", 0, "side", " "), "must be a name, not empty text"),
    (set_at("units", 0, "hits", -1), "whole number from 0 to 1,000,000, not the number -1"),
    (set_at("units", 0, "hits", True), "whole number"),
    (set_at("units", 0, "hits", 10**400), "not a number that is too large"),
    (set_at("units", 0, "id", "A\n1"), "a name on one line"),
    (set_at("terrain", 0, "kind", ["woods"]), "an unknown kind, a list"),
    (set_at(*BASE, "shape", None), 'must be "rect", "round" or "oval", not null'),
    (set_at(*BASE, "width", 10**400), "at most 1,000,000"),
    (set_at("units", 0, "permanent", 8), "8 permanent hits but only 7"),
    (set_at("units", 0, "ready", 1), "must be true or false, not the number 1"),
    (set_at(*BASE, "shape", "hex"), "'hex'"),
    (set_at(*BASE, "diameter", 2), "rectangular and has a diameter"),
    (lambda data: data["units"][0]["bases"][0].update(shape="oval", diameter=2), "oval and has a diameter"),
    (set_at(*BASE, "center", [1]), "two numbers in inches, not 1"),
    (set_at(*BASE, "center", [1, math.nan]), "finite number, not nan"),
    (set_at(*BASE, "center", [math.inf, 1]), "finite number, not inf"),
    (set_at(*BASE, "facing", "north"), "must be a number"),
    (set_at(*BASE, "sigma", -0.1), "must not be below 0"),
    (set_at(*BASE, "unique", "yes"), "true or false"),
    (set_at(*BASE, "covariance", [[1, 0]]), "2 rows"),
    (set_at(*BASE, "covariance", [[1, 0.5], [0, 1]]), "not symmetric"),
    (set_at(*BASE, "covariance", [[1, 2], [2, 1]]), "no negative spread"),
    (set_at("units", 0, "bases", 1, "unique", True), "2 unique bases"),
    (set_at("units", 0, "bases", 1, "width", 1.2), "diameter 1"),
    (set_at("terrain", 1, "id", "t1"), "is listed twice"),
    (set_at("terrain", 0, "kind", "wood"), "unknown kind, the text 'wood'; known kinds: woods, town"),
    (set_at("terrain", 0, "polygon", [[0, 0], [1, 1]]), "2 points"),
    (set_at("terrain", 0, "polygon", [[0, 0], [1, 1], [2, 2]]), "encloses no area"),
    (set_at("terrain", 0, "polygon", [[0, 0], [2, 2], [2, 0], [0, 2]]), "crosses or touches itself near (1, 1);"),
    (set_at("terrain", 0, "hill_top", [[3, 4], [4, 4], [4, 5]]), "only a hill has a top"),
    (set_at("terrain", 1, "hill_top", [[30, 30], [31, 30], [31, 31]]), "outside the hill"),
    (set_at("rules", 3), "must be a name"),
]


@pytest.mark.parametrize(("change", "words"), FAULTS, ids=[words for _, words in FAULTS])
def test_a_fault_is_one_sentence(change: Callable[[dict[str, Any]], None], words: str) -> None:
    data = copy.deepcopy(scene())
    change(data)
    with pytest.raises(SceneError) as caught:
        scene_from_json(data)
    message = str(caught.value)
    assert words in message
    assert "\n" not in message
    assert message[0].isupper()


@pytest.mark.parametrize(
    ("bases", "words"),
    [
        ([seen_base(1, speed=3)], "unknown key 'speed'"),
        ([seen_base(1, facing="north")], "must be a number"),
        ([7], "must be a mapping"),
    ],
)
def test_a_fault_of_an_observation_is_one_sentence(bases: list[Any], words: str) -> None:
    with pytest.raises(SceneError, match=words):
        scene_from_json(observation(*bases))


@pytest.mark.parametrize("data", [None, [], "scene", 3])
def test_what_is_no_scene_is_refused(data: object) -> None:
    with pytest.raises(SceneError, match="The scene must be a mapping"):
        scene_from_json(data)


@pytest.mark.parametrize("kind", TERRAIN_KINDS)
def test_every_terrain_kind_of_the_contract_is_known_and_a_closed_ring_is_opened(kind: str) -> None:
    data = scene()
    data["terrain"] = [{"id": "t", "kind": kind, "polygon": [[0, 0], [2, 0], [2, 2], [0, 0]]}]
    assert scene_from_json(data).terrain[0].polygon.shape == (3, 2)
