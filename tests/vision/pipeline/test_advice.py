"""Advice for the next photo: none when all is well, otherwise what helps most, with numbers that hold."""

import re
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.live_scenes import Pixels
from tests.support.table_scenes import FRAME, DrawnBase, draw_table, expected_for, looking_at
from tests.support.trust_scenes import markers_of, observed, solved
from vision import BaseShape, Expected, ExpectedUnit, Observation
from vision.pipeline.advice import AdviceConfig, advise, edge_width_px, warn_of_unseen

FOOT = BaseShape(2.0, 1.25, 0.12)
EXPECTED = expected_for((ExpectedUnit("a", "red", "infantry", 3, FOOT, FOOT, 3),), tags="DICT_4X4_50")
GOOD = solved(62.0)


@cache
def table_image() -> Pixels:
    """A sharp, bright picture of a base on the table."""
    return draw_table(looking_at(elevation_deg=62.0, distance_in=28.0), [DrawnBase(9.0, 9.0, 20.0)], seed=3)


def codes(
    image: Pixels | None = None, seen: Observation | None = None, expected: Expected = EXPECTED, **more: Any
) -> list[str]:
    return [
        one.code
        for one in advise(table_image() if image is None else image, seen or observed(GOOD, 0.01), expected, **more)
    ]


def untagged() -> Expected:
    return replace(EXPECTED, tag_size_in=0.0)


def test_no_advice_when_all_is_well() -> None:
    assert codes(expected=untagged(), markers=markers_of(GOOD)) == []


def test_what_no_photo_shows_of_the_table_is_named() -> None:
    assert warn_of_unseen(observed(GOOD, 0.01)) == ()
    width, height = GOOD.camera.size
    cut = replace(GOOD, camera=replace(GOOD.camera, size=(width * 11 // 20, height)))
    (told,) = warn_of_unseen(observed(cut, 0.01))
    assert re.match(r"4\d% of the table, at the right edge, is outside the picture", told), told


@pytest.mark.parametrize("sigma", [0.8, 1.5, 3.0])
def test_the_width_of_edges_is_the_blur(sigma: float) -> None:
    """Drawn with 0.6 pixels of blur, then blurred more."""
    blurred = cv2.GaussianBlur(table_image(), (0, 0), sigma)
    widths = [edge_width_px(np.asarray(blurred), GOOD, FRAME, marker) for marker in FRAME.ids]
    assert np.median(widths) == pytest.approx(np.hypot(sigma, 0.65), rel=0.2)


def test_a_blurred_picture_is_told() -> None:
    assert codes(np.asarray(cv2.GaussianBlur(table_image(), (0, 0), 3.0)), expected=untagged()) == ["sharper"]
    assert codes(np.asarray(cv2.GaussianBlur(table_image(), (0, 0), 1.0)), expected=untagged()) == []


def test_dark_burnt_and_glaring_pictures_are_told() -> None:
    assert "light" in codes((table_image() * 0.15).astype(np.uint8), expected=untagged())
    burnt = table_image().copy()
    burnt[:, :900] = 255
    assert "light" in codes(burnt, expected=untagged())
    glare = table_image().copy()
    at = GOOD.pixel_from_table([[10.0, 8.0, 0.0]])[0].astype(int)
    cv2.circle(glare, (int(at[0]), int(at[1])), 70, (255, 255, 255), -1)
    (said,) = advise(glare, observed(GOOD, 0.01), untagged())
    assert said.code == "glare" and "(10, 8)" in said.says


def test_a_marker_at_the_edge_and_one_off_its_place_are_told() -> None:
    (said,) = advise(table_image(), observed(GOOD, 0.01), untagged(), markers=markers_of(GOOD, m2=(0.3, 0.0)))
    assert said.code == "marker" and "marker 2" in said.says and "0.30″ off" in said.says
    corner = GOOD.pixel_from_table(FRAME.corners(0)).min()
    tight = replace(AdviceConfig(), nearly_out_share=float(corner + 1) / 1600)
    assert "margin" in codes(expected=untagged(), config=tight)


def test_small_tags_are_to_be_printed_larger() -> None:
    seen = observed(GOOD, 0.01)
    (said,) = advise(table_image(), seen, replace(EXPECTED, tag_size_in=0.35))
    found = re.match(r"Print the unit tags (\d\.\d\d)″ wide: of 0.35″ they show as (\d+) pixels", said.says)
    assert found is not None
    need, least = float(found[1]), int(found[2])
    assert need >= 0.35 * 20 / least and need < 0.35 * 20 / least * 1.3
    (nearer,) = advise(
        table_image(), seen, replace(EXPECTED, tag_size_in=0.05), config=replace(AdviceConfig(), readable_px=50.0)
    )
    assert nearer.says.startswith("Take a photo from nearer, or a second one")
    read = tuple(replace(label, unit="a", tag=3) for label in seen.labels)
    assert advise(table_image(), replace(seen, labels=read), replace(EXPECTED, tag_size_in=0.35)) == ()


def test_a_table_placed_by_its_corners_is_to_get_its_frame_markers() -> None:
    view = replace(GOOD, markers_seen=(), covariance=GOOD.covariance * 400.0)
    (said,) = advise(table_image(), observed(view, 1e-3), untagged())
    assert said.code == "frame" and said.says.startswith("Lay the printed frame markers")
    now, then = (float(v) for v in re.findall(r"(\d\.\d\d)″", said.says))
    assert then < 0.8 * now


def test_at_most_three_worth_most_first() -> None:
    low = solved(24.0)
    image = draw_table(looking_at(elevation_deg=24.0, distance_in=28.0), [], seed=3)
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 4.0) * 0.15).astype(np.uint8)
    config = AdviceConfig()
    said = advise(
        image, observed(low, 1e-3), replace(EXPECTED, tag_size_in=0.2), markers=markers_of(low, m1=(0.5, 0.0))
    )
    assert len(said) == 3
    worth = [config.nominal_in.get(a.code, 0.0) if a.worth_in is None else a.worth_in for a in said]
    assert worth == sorted(worth, reverse=True)
    assert len(advise(image, observed(low, 1e-3), EXPECTED, config=replace(config, most=1))) == 1


def test_what_no_photo_shows_is_to_be_photographed() -> None:
    near = looking_at(target=(5.0, 5.0), distance_in=12.0, elevation_deg=60.0)
    near = replace(near, covariance=1e-10 * np.eye(15), markers_seen=(0, 1, 3))
    seen = observed(near, 0.01)
    said = [a for a in advise(table_image(), seen, untagged()) if a.code in ("retake", "second")]
    assert said and "in no photo" in said[0].says and "at the right edge" in said[0].says
