"""Two pictures of one drawn table: observed as one, better than each; useless, doubled and moved ones told."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from calibration import MarkersNotFound
from tests.support.small_scenes import DrawnDie, draw_die, table_sheet
from tests.support.table_scenes import BLUE, FRAME, RED, DrawnBase, expected_for, looking_at, tag_corners
from vision import BaseShape, ExpectedUnit, Observation, PhotoError
from vision.imaging.photo import Photo
from vision.pipeline.multi_photo import Gathered, fullest_photo, observe_many
from vision.pipeline.one_photo import observe

TAGS = "DICT_4X4_50"
FOOT = BaseShape(2.0, 1.25, 0.12)
UNITS = (
    ExpectedUnit("a", "red", "infantry", 3, FOOT, FOOT, 3),
    ExpectedUnit("b", "blue", "infantry", 2, FOOT, FOOT, 5),
)
EXPECTED = expected_for(UNITS, tags=TAGS)
BASES = (
    DrawnBase(7.0, 9.0, 20.0, FOOT, RED, tag=3),
    DrawnBase(9.0, 8.2, 20.0, FOOT, RED),
    DrawnBase(11.0, 7.4, 20.0, FOOT, RED),
    DrawnBase(6.0, 13.0, 200.0, FOOT, BLUE, z=1.0, tag=5),
    DrawnBase(8.5, 13.0, 200.0, FOOT, BLUE, z=1.0),
)
SIDES = {"near.jpg": (-90.0, 60.0), "right.jpg": (-10.0, 55.0)}


@lru_cache(maxsize=16)
def picture(name: str, bases: tuple[DrawnBase, ...] = BASES, hidden: tuple[int, ...] = ()) -> Photo:
    """The table from one side, some of its frame markers covered."""
    azimuth, elevation = SIDES[name]
    view = looking_at(1600, 1200, focal=1250.0, distance_in=28.0, elevation_deg=elevation, azimuth_deg=azimuth)
    sheet = table_sheet(view, seed=round(azimuth) + 200)
    for base in sorted(bases, key=lambda b: -np.hypot(b.x - view.eye[0], b.y - view.eye[1])):
        sheet.base(base)
        if base.tag is not None:
            flat = tag_corners(base, 0.7)
            top = np.full(4, base.z + base.shape.height + 0.01)
            sheet.marker(TAGS, base.tag, np.column_stack([flat, top]), 0.13)
    draw_die(sheet, DrawnDie(13.0, 13.0, 5))
    for marker in hidden:
        corners = FRAME.corners(marker)
        middle = corners.mean(axis=0)
        sheet.polygon(middle + 1.5 * (corners - middle), (96, 108, 60))
    return Photo(sheet.picture(), name, f"{name}{hidden}{hash(bases)}")


def opener(photo: Photo) -> Callable[[], Photo]:
    return lambda: photo


@lru_cache(maxsize=4)
def both(order: tuple[str, ...] = tuple(SIDES)) -> Gathered:
    return observe_many([opener(picture(name)) for name in order], EXPECTED)


def off(seen: Observation) -> np.ndarray:
    """How far each true base is from the nearest seen one."""
    true = np.array([[b.x, b.y] for b in BASES])
    return np.linalg.norm(true[:, None] - seen.bases.center[None], axis=2).min(axis=1)


def test_two_photos_are_one_observation() -> None:
    gathered = both()
    seen = gathered.observation
    assert gathered.used == (0, 1)
    assert [photo.file for photo in seen.photos] == list(SIDES)
    assert [(label.unit, label.tag) for label in seen.labels] == [
        ("a", 3), ("a", None), ("a", None), ("b", 5), ("b", None),
    ]  # fmt: skip
    assert seen.warnings == ()
    assert off(seen).max() < 0.02
    assert [label.z for label in seen.labels] == pytest.approx([0, 0, 0, 1, 1], abs=0.05), "the hill, by parallax"
    spread = np.sqrt(np.linalg.eigvalsh(seen.bases.covariance)[:, -1])
    assert np.all(spread < 0.04) and np.all(off(seen) < 3 * spread)
    assert json.loads(json.dumps(seen.to_json(), allow_nan=False))["photos"][1]["markers_seen"] == [0, 1, 2, 3]
    (die,) = seen.dice
    assert die.value == 5 and die.center == pytest.approx((13.0, 13.0), abs=0.1)


@pytest.mark.slow
def test_a_photo_without_the_frame_is_left_out_and_named() -> None:
    blind = picture("right.jpg", hidden=(0, 1, 2, 3))
    gathered = observe_many([opener(blind), opener(picture("near.jpg"))], EXPECTED)
    assert gathered.used == (1,)
    assert gathered.observation.warnings[0].startswith("right.jpg was left out: 0 of 4 frame markers seen.")
    assert len(gathered.observation.bases) == 5
    other = picture("near.jpg", hidden=(0, 1, 2))
    with pytest.raises(MarkersNotFound, match="0 of 4 frame markers seen"):
        observe_many([opener(blind), opener(other)], EXPECTED)


def test_a_file_that_is_no_photo_stops_the_work() -> None:
    def broken() -> Photo:
        raise PhotoError("x.jpg is not a picture.")

    with pytest.raises(PhotoError, match="not a picture"):
        observe_many([opener(picture("near.jpg")), broken], EXPECTED)


@pytest.mark.slow
def test_two_markers_are_enough_beside_a_better_photo() -> None:
    few = picture("right.jpg", hidden=(1, 2))
    with pytest.raises(MarkersNotFound):
        observe(few, EXPECTED)
    gathered = observe_many([opener(picture("near.jpg")), opener(few)], EXPECTED)
    assert gathered.used == (0, 1)
    assert gathered.observation.photos[1].view.markers_seen == (0, 3)
    assert off(gathered.observation).max() < 0.05


def test_the_same_file_twice_counts_once() -> None:
    photo = picture("near.jpg")
    gathered = observe_many([opener(photo), opener(replace(photo, name="copy.jpg"))], EXPECTED)
    assert gathered.used == (0,)
    assert gathered.observation.warnings[0] == "copy.jpg is the same picture as near.jpg: it counts once."


def test_what_a_hand_moved_between_the_photos_is_told() -> None:
    moved = (replace(BASES[0], x=6.2, y=10.6), *BASES[1:4], replace(BASES[4], x=13.0, y=12.0, z=0.0))
    gathered = observe_many([opener(picture("near.jpg")), opener(picture("right.jpg", moved))], EXPECTED)
    seen = gathered.observation
    told = [w for w in seen.warnings if "moved" in w]
    assert any(w.startswith("A base of a (tag 3) is 1.") and w.endswith("Retake both.") for w in told)
    assert any("is seen in near.jpg but not in right.jpg" in w for w in told)
    confidence = {label.tag: label.confidence for label in seen.labels}
    assert confidence[3] < 0.7 < confidence[5]
    row = [label.tag for label in seen.labels].index(3)
    for place in ((7.0, 9.0), (6.2, 10.6)):
        away = seen.bases.center[row] - place
        assert away @ np.linalg.solve(seen.bases.covariance[row], away) < 5.991


@pytest.mark.slow
def test_the_photo_that_shows_most_is_drawn_over() -> None:
    seen = both().observation
    assert fullest_photo(seen) == 0
    close = looking_at(800, 600, target=(3.0, 3.0), distance_in=9.0)
    narrow = replace(seen.photos[0], view=close)
    assert fullest_photo(replace(seen, photos=(narrow, seen.photos[1]))) == 1
