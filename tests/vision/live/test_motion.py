"""Following a table through frames, and what counts as different: pure functions against what is known."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.live_scenes import MOVED, ROW, VIEW, Pixels, brighter, in_a_hand, in_shadow, noisy, table, with_arm
from vision.imaging.rectify import rectified_map
from vision.live.following import FollowConfig, Keyframe, plane_of, shrunk
from vision.live.hands import Hands
from vision.live.motion import (
    FineMap,
    StillConfig,
    area_in2,
    changed_places,
    difference_mask,
    regions,
    sharpness,
    where_in_words,
)

TABLE = (18.0, 18.0)
CONFIG = StillConfig()


def keyframe(image: Pixels | None = None) -> Keyframe:
    return Keyframe(shrunk(table() if image is None else image, 640), VIEW, TABLE)


KEY = keyframe()


def fine(image: Pixels) -> FineMap:
    plane = plane_of(VIEW, TABLE, 16.0)
    laid, seen = plane.warp(image, np.eye(3))
    return FineMap(plane.scale, np.asarray(laid, np.uint8), seen)


def moved_between(image: Pixels) -> np.ndarray | None:
    return KEY.follow(shrunk(image, 640))


def test_the_plane_is_the_rectified_map() -> None:
    """Two ways to the table from above: through the plane's pixels, and by the rectified map of the photo."""
    plane = plane_of(VIEW, TABLE, 10.0)
    laid, seen = plane.warp(table(), np.eye(3))
    other = rectified_map(table(), VIEW, TABLE, px_per_inch=10.0)
    assert seen.all() and plane.inside.all() and laid.shape == other.shape
    blurred = [cv2.GaussianBlur(np.asarray(one, np.uint8), (0, 0), 3.0).astype(float) for one in (laid, other)]
    assert np.abs(blurred[0] - blurred[1]).max() < 8
    at = plane.scale.table_from_pixel([[30.0, 50.0]])
    exact = VIEW.pixel_from_table([[*at[0], 0.0]])[0]
    assert plane.pixels[50, 30] == pytest.approx(exact, abs=0.1)


def test_a_camera_on_a_stand_is_found_not_to_have_moved_whatever_the_light() -> None:
    for image in (noisy(table(), 5), brighter(table(), 0.6), in_shadow(table(), 500.0), with_arm(table(), 12.0)):
        assert moved_between(image) == pytest.approx(np.eye(3))


@pytest.mark.parametrize("arm_in", [0.0, 10.0])
@pytest.mark.parametrize("k", range(2))
def test_a_camera_in_the_hand_is_followed(k: int, arm_in: float) -> None:
    rng = np.random.default_rng(k)
    corners = np.array([[0, 0], [1000, 0], [1000, 750], [0, 750]], np.float32)
    true = cv2.getPerspectiveTransform(corners, (corners + rng.normal(0, 8.0, (4, 2))).astype(np.float32))
    seen = cv2.warpPerspective(with_arm(table(), arm_in), true, (1000, 750), borderMode=cv2.BORDER_REPLICATE)
    found = moved_between(noisy(np.asarray(seen, np.uint8), k))
    assert found is not None
    places = VIEW.pixel_from_table([[x, y, 0.0] for x in (3.0, 9.0, 15.0) for y in (3.0, 9.0, 15.0)])[:, None]
    off = cv2.perspectiveTransform(places, true) - cv2.perspectiveTransform(places, found)
    assert np.linalg.norm(off, axis=2).max() < 1.0


def test_another_table_is_not_followed() -> None:
    rng = np.random.default_rng(1)
    other = cv2.resize(rng.integers(0, 255, (60, 80, 3), np.uint8), (1000, 750), interpolation=cv2.INTER_CUBIC)
    assert moved_between(np.asarray(other, np.uint8)) is None
    assert moved_between(np.full((750, 1000, 3), 90, np.uint8)) is None
    assert moved_between(np.full((600, 800, 3), 90, np.uint8)) is None


def laid(image: Pixels) -> tuple[np.ndarray, np.ndarray]:
    return KEY.small_map(shrunk(image, 640), np.eye(3))


def motion_in2(before: Pixels, now: Pixels) -> float:
    first, seen = laid(before)
    return area_in2(difference_mask(laid(now)[0], first, seen, KEY.plane, CONFIG), KEY.plane)


def test_light_noise_and_focus_are_no_motion() -> None:
    quiet = noisy(table(), 1)
    for other in (
        noisy(table(), 2, 5.0),
        brighter(table(), 1.35),
        brighter(table(), 0.5),
        np.asarray(cv2.GaussianBlur(table(), (0, 0), 1.2), np.uint8),
        np.asarray(np.clip(table() * np.linspace(0.8, 1.2, 1000)[None, :, None], 0, 255), np.uint8),
    ):
        assert motion_in2(quiet, other) < 0.3


def with_card(image: Pixels, x: float, y: float, side: float, color: tuple[int, int, int] = (30, 30, 180)) -> Pixels:
    out, half = image.copy(), side / 2
    corners = [[x + i * half, y + j * half, 0.0] for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    cv2.fillPoly(out, [np.round(VIEW.pixel_from_table(corners)).astype(np.int32)], color)
    return out


def test_an_arm_is_motion_of_about_its_size() -> None:
    """Its part over the table is about 12″ by 3″. A card of 2″ by 2″ is motion where it came and where it went."""
    assert 25 < motion_in2(table(), with_arm(table(), 12.0)) < 55
    assert 3 < motion_in2(table(), with_card(table(), 6.0, 5.0, 2.0)) < 6
    assert 6 < motion_in2(with_card(table(), 12.0, 5.0, 2.0), with_card(table(), 6.0, 5.0, 2.0)) < 12


def test_an_arm_comes_from_beyond_the_edge_and_a_unit_does_not() -> None:
    before, seen = laid(table())
    for now, reaches in ((with_arm(table(), 12.0), True), (table(MOVED), False), (table(ROW[:1]), False)):
        found = regions(difference_mask(laid(now)[0], before, seen, KEY.plane, CONFIG), seen, KEY.plane, CONFIG)
        assert any(r.reaches and r.area_in2 > 6 and r.depth_in > 1.5 for r in found) == reaches
        assert list(found) == sorted(found, key=lambda region: -region.area_in2)


def test_a_hand_that_rests_is_seen_until_it_goes() -> None:
    (quiet, seen), (covered, _) = laid(table()), laid(with_arm(table(), 12.0))
    hands = Hands(0.0, quiet, settled=True)
    assert hands.watch(0.2, quiet, seen, KEY.plane).hand is None and hands.settled
    came = hands.watch(0.4, covered, seen, KEY.plane)
    assert came.moving and came.hand is not None and not hands.settled
    for k in range(3, 200):
        scene = hands.watch(0.2 * k, covered, seen, KEY.plane)
    assert not scene.moving and scene.hand is not None and scene.quiet_s > 30
    for k in range(200, 215):
        scene = hands.watch(0.2 * k, quiet, seen, KEY.plane)
    assert not scene.moving and scene.hand is None
    hands.settle()
    hands.watch(43.2, quiet, seen, KEY.plane)
    assert hands.settled


def test_all_of_the_table_in_another_light_is_no_hand() -> None:
    (quiet, seen), (dark, _) = laid(table()), laid(in_shadow(table(), 3000.0, depth=0.6))
    hands = Hands(0.0, quiet, settled=True)
    assert hands.watch(0.2, dark, seen, KEY.plane).hand is None


def changed(after: Pixels, before: Pixels | None = None) -> list[tuple[float, float]]:
    return [place.center for place in changed_places(fine(table() if before is None else before), fine(after))]


def test_light_noise_and_a_steady_hand_change_nothing() -> None:
    for other in (
        noisy(table(), 2, 5.0),
        brighter(table(), 1.07),
        brighter(table(), 0.7),
        in_shadow(table(), 500.0),
        np.asarray(
            cv2.warpAffine(table(), np.array([[1.0, 0, 0.4], [0, 1, 0.3]]), (1000, 750), borderMode=1), np.uint8
        ),
    ):
        assert changed(other) == []


def test_places_that_changed_are_where_a_base_came_and_went() -> None:
    places = changed_places(fine(noisy(table(), 1)), fine(noisy(table(MOVED), 2)))
    for base in (*ROW, *MOVED):
        near = min(np.linalg.norm(place.outline - [base.x, base.y], axis=1).min() for place in places)
        assert near < 1.3
    middle = [place.center for place in places]
    assert all(5.0 < x < 13.0 and 5.5 < y < 14.0 for x, y in middle)
    assert changed_places(fine(table()), fine(table())) == ()


@settings(max_examples=4)
@given(
    x=st.floats(3.5, 14.5),
    y=st.floats(3.5, 14.5),
    level=st.sampled_from([(30, 30, 180), (220, 220, 220), (150, 90, 40), (20, 20, 20)]),
)
def test_a_small_thing_laid_anywhere_is_found_there_and_nowhere_else(
    x: float, y: float, level: tuple[int, int, int]
) -> None:
    """A card of half an inch, the size of a die."""
    image = with_card(noisy(table(), 3), x, y, 0.5, level)
    (found,) = changed(image)
    assert found == pytest.approx((x, y), abs=0.35)
    assert changed(noisy(table(), 4), image)[0] == pytest.approx((x, y), abs=0.35)


def test_maps_of_two_scales_are_refused() -> None:
    small = plane_of(VIEW, TABLE, 8.0)
    other = FineMap(small.scale, np.asarray(small.warp(table(), np.eye(3))[0], np.uint8), small.inside)
    with pytest.raises(ValueError, match="not of one scale"):
        changed_places(fine(table()), other)


def test_sharpness_falls_with_blur_and_not_with_light() -> None:
    places = VIEW.pixel_from_table([[x, y, 0.0] for x in (4.0, 9.0, 14.0) for y in (4.0, 9.0, 14.0)])
    blurs = [
        sharpness(np.asarray(cv2.GaussianBlur(table(), (0, 0), s), np.uint8), places) for s in (0.3, 0.8, 1.4, 2.5)
    ]
    assert blurs == sorted(blurs, reverse=True) and blurs[0] > 2 * blurs[2]
    assert sharpness(brighter(table(), 0.7), places) == pytest.approx(sharpness(table(), places), rel=0.2)
    assert sharpness(table(), [[-50.0, 20.0]]) == 0.0
    assert sharpness(np.full((300, 300, 3), 80, np.uint8), [[150, 150]]) == 0.0


def test_parts_of_the_table_in_words() -> None:
    said = {where_in_words((x, y), (36.0, 24.0)) for x in (-1.0, 18.0, 40.0) for y in (-1.0, 12.0, 30.0)}
    assert said == {
        "the far left", "the far side", "the far right", "the left side", "the middle", "the right side",
        "the near left", "the near side", "the near right",
    }  # fmt: skip


def test_a_table_with_too_little_to_hold_on_to_is_not_followed() -> None:
    bare = np.full((750, 1000, 3), 110, np.uint8)
    assert Keyframe(shrunk(bare, 640), VIEW, TABLE, FollowConfig()).follow(shrunk(table(), 640)) is None


def test_a_shaken_camera_changes_no_place() -> None:
    for k in range(2):
        image = in_a_hand(table(), k)
        moved = moved_between(image)
        assert moved is not None
        plane = plane_of(VIEW, TABLE, 16.0)
        seen, shown = plane.warp(image, moved)
        assert changed_places(fine(table()), FineMap(plane.scale, np.asarray(seen, np.uint8), shown)) == ()
