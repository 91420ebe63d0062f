"""The whole way from a picture to an observation: bundled photographs with exact truth, and drawn tables."""

import json
from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from tabletop.referee.judging import expected_from
from tabletop.tables.tablefile import load_table
from tests.paths import DATA
from tests.support.table_scenes import RED, DrawnBase, draw_table, expected_for, looking_at
from vision import BaseShape, Expected, ExpectedUnit
from vision.imaging.photo import Photo, open_photo
from vision.model.expected import ExpectedTerrain
from vision.pipeline.one_photo import observe
from vision.terrain.taps import Tap

PHOTOS = ("desert", *(pytest.param(name, marks=pytest.mark.slow) for name in ("tagged", "turned")))
FOOT = BaseShape(2.0, 1.25, 0.12)
LEAST_TAGS_READ = {"desert": 5, "turned": 0, "tagged": 26}  # what is in sight, less one or two


@lru_cache(maxsize=8)
def seen(name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The observation of a bundled photograph and its true bases with unit and side."""
    table = load_table(DATA / f"{name}.table.toml")
    observation = observe(
        open_photo(DATA / f"{name}.jpg"), expected_from(table), taps=[Tap("woods", (5.0, 5.0))]
    ).to_json()
    sides = {unit.id: unit.side for unit in table.units}
    truth = json.loads((DATA / f"{name}.truth.json").read_text(encoding="utf-8"))
    bases = [dict(b, unit=u["id"], side=sides[u["id"]]) for u in truth["units"] for b in u["bases"]]
    return observation, bases


def matched(name: str) -> tuple[list[tuple[dict[str, Any], dict[str, Any]]], int, int]:
    """Pairs (seen, true) at most 0.75″ apart, one to one; how many were false, and how many missed."""
    observation, truth = seen(name)
    got = observation["bases"]
    away = np.array([[np.hypot(*np.subtract(g["center"], t["center"])) for t in truth] for g in got])
    rows, columns = linear_sum_assignment(np.where(away <= 0.75, away, 1e3))
    pairs = [(got[i], truth[j]) for i, j in zip(rows, columns, strict=True) if away[i, j] <= 0.75]
    return pairs, len(got) - len(pairs), len(truth) - len(pairs)


@pytest.mark.parametrize("name", PHOTOS)
def test_bases_are_found_and_none_invented(name: str) -> None:
    pairs, false, missed = matched(name)
    assert false == 0
    assert missed <= 1
    assert len(pairs) >= 29


@pytest.mark.parametrize("name", PHOTOS)
def test_nobody_is_named_wrongly(name: str) -> None:
    for got, true in matched(name)[0]:
        assert got["side"] in (None, true["side"])
        assert got["side"] is not None or got["method"] == "shape"
        assert got["unit"] in (None, true["unit"])
        assert got["tag"] in (None, true["tag"])
        assert got["unique"] in (None, true["unique"])
    read = [base["tag"] for base in seen(name)[0]["bases"] if base["tag"] is not None]
    assert len(read) == len(set(read)) and len(read) >= LEAST_TAGS_READ[name]
    photo = seen(name)[0]["photos"][0]
    assert (photo["width"], photo["height"]) == ((3024, 4032) if name == "turned" else (4032, 3024))


@pytest.mark.parametrize("name", PHOTOS)
def test_places_are_exact_and_their_spread_is_honest(name: str) -> None:
    flat = [(g, t) for g, t in matched(name)[0] if t["z"] < 0.2]
    errors = [float(np.hypot(*np.subtract(g["center"], t["center"]))) for g, t in flat]
    assert np.median(errors) < 0.05
    assert np.percentile(errors, 95) < 0.15
    assert np.mean(inside(name)) >= 0.8  # what is off in the camera is off for all bases of a photo


def inside(name: str) -> list[bool]:
    """Whether each base's true place lies in its stated 95 % ellipse."""
    off = [(np.subtract(g["center"], t["center"]), np.array(g["covariance"])) for g, t in matched(name)[0]]
    return [float(d @ np.linalg.solve(covariance, d)) <= 5.991 for d, covariance in off]


@pytest.mark.parametrize("name", PHOTOS[:2])
def test_facings_are_true_or_unknown(name: str) -> None:
    turns = [abs((g["facing"] - t["facing"] + 180) % 360 - 180) for g, t in matched(name)[0] if g["facing"] is not None]
    assert len(turns) > 15
    assert np.percentile(turns, 95) < 2.0


def test_contract_shape() -> None:
    observation, _ = seen("desert")
    assert observation["version"] == 1 and observation["units"] == "inches"
    assert any(w.startswith("The table file draws the terrain already") for w in observation["warnings"])
    photo = observation["photos"][0]
    assert photo["width"] == 4032 and len(photo["K"]) == 3 and len(photo["R"]) == 3 and len(photo["t"]) == 3
    assert photo["markers_seen"] == [0, 1, 2, 3]
    ids = [b["id"] for b in observation["bases"]]
    assert len(set(ids)) == len(ids)
    for base in observation["bases"]:
        assert base["method"] in ("tag", "outline", "shape")
        assert 0.0 <= base["confidence"] <= 1.0
        assert np.all(np.linalg.eigvalsh(np.array(base["covariance"])) > 0)
        if base["tag"] is not None:
            assert base["unit"] is not None and base["facing"] is not None
    json.dumps(observation, allow_nan=False)


def photo_of(image: np.ndarray) -> Photo:
    return Photo(image, "drawn.png", "0" * 64)


def drawn_unit(tag: int | None, name: str = "a") -> ExpectedUnit:
    return ExpectedUnit(name, "red", "infantry", 3, FOOT, FOOT, tag)


ROW = [
    DrawnBase(7.0, 9.0, 20.0, FOOT, RED, tag=3),
    DrawnBase(9.0, 8.2, 20.0, FOOT, RED),
    DrawnBase(11.0, 7.4, 20.0, FOOT, RED),
]


def drawn(elevation: float = 60.0, rims: bool = True, bases: list[DrawnBase] = ROW) -> tuple[Photo, Expected]:
    view = looking_at(focal=1250.0, distance_in=28.0, elevation_deg=elevation)
    expected = expected_for((drawn_unit(3),), tags="DICT_4X4_50")
    if not rims:
        expected = replace(expected, rims=())
    return photo_of(draw_table(view, bases, tags="DICT_4X4_50", seed=11)), expected


@pytest.mark.parametrize("rims", [pytest.param(True, marks=pytest.mark.slow), False])
def test_a_drawn_unit_is_seen_whole_with_and_without_its_colour_on_file(rims: bool) -> None:
    said: list[str] = []
    observation = observe(*drawn(rims=rims), progress=said.append)
    assert said == [name for name, _ in observation.timings_s] and len(set(said)) == len(said) == 8
    assert [label.unit for label in observation.labels] == ["a", "a", "a"]
    assert [label.unique for label in observation.labels] == [True, False, False]
    for base in ROW:
        away = np.hypot(*(observation.bases.center - [base.x, base.y]).T)
        assert away.min() < 0.06
    assert np.abs(observation.bases.facing - 20.0).max() < 2.0


@pytest.mark.slow
@pytest.mark.parametrize("rims", [True, False])
def test_ovals_are_told_from_rectangles_of_their_sizes(rims: bool) -> None:
    oval, rect = BaseShape(2.6, 1.7, 0.12, is_oval=True), BaseShape(2.6, 1.7, 0.12)
    bases = [DrawnBase(6.0, 11.0, 15.0, oval), DrawnBase(9.3, 10.2, 70.0, oval)]
    bases += [DrawnBase(6.5, 7.0, 160.0, rect), DrawnBase(11.0, 7.2, 30.0, rect)]
    units = tuple(ExpectedUnit(n, "red", "tank", 2, shape, shape) for n, shape in (("oval", oval), ("rect", rect)))
    photo, expected = drawn(rims=rims, bases=bases)
    seen = observe(photo, replace(expected, units=units)).to_json()["bases"]
    assert len(seen) == 4
    for base in bases:
        found = min(seen, key=lambda one: float(np.hypot(*np.subtract(one["center"], (base.x, base.y)))))
        assert np.hypot(*np.subtract(found["center"], (base.x, base.y))) < 0.08
        name = "oval" if base.shape.is_oval else "rect"
        assert found["shape"] == name and found["unit"] in (name, None)
        turn = abs((found["facings"][0] - base.facing + 90) % 180 - 90)
        assert len(found["facings"]) == 2 and turn < 2.5 * found["facings_sigma"] < 25


@pytest.mark.slow
def test_turning_the_phone_changes_no_place() -> None:
    photo, expected = drawn()
    upright = observe(photo, expected)
    turned = observe(photo_of(np.ascontiguousarray(cv2.rotate(photo.image, cv2.ROTATE_180))), expected)
    assert turned.bases.center == pytest.approx(upright.bases.center, abs=0.05)


def test_a_removed_base_is_told() -> None:
    photo, expected = drawn(bases=ROW[:2])
    wood = ExpectedTerrain("mine", "woods", ((2.0, 2.0), (7.0, 2.0), (7.0, 6.0), (2.0, 6.0)), sigma_in=0.2)
    observation = observe(photo, replace(expected, drawn=(wood,)))
    assert len(observation.bases) == 2
    assert any("2 of 3 bases of a" in warning for warning in observation.warnings)
    (piece,) = observation.terrain
    assert piece.shown is not None and replace(piece, shown=None) == wood, "what players drew stays, shown or not"
    assert not [one for one in observation.questions if one.ask == "kind"]
