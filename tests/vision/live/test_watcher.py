"""Live mode on drawn films: what it sees, what it leaves alone, and what it says."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import MarkersNotFound
from calibration.markers import find_markers
from calibration.table import solve_table
from geometry import Bases
from tests.support.live_scenes import (
    FOOT,
    MOVED,
    ROW,
    VIEW,
    Pixels,
    brighter,
    expected,
    film,
    frames,
    in_a_hand,
    in_shadow,
    noisy,
    table,
    visit,
    with_arm,
)
from tests.support.table_scenes import FRAME, looking_at
from vision.imaging.photo import Photo
from vision.live.frames import Frame
from vision.live.motion import Place
from vision.live.watcher import (
    Event,
    HandSeen,
    LiveConfig,
    Observed,
    Observer,
    Still,
    Unchanged,
    Verdict,
    Waiting,
    Watcher,
)
from vision.model.observation import BaseLabel, Observation, PhotoView
from vision.pipeline.one_photo import observe

A, B = table(), table(MOVED)


def glance(photo: Photo) -> Observation:
    """A quick look: the tagged base alone."""
    markers = find_markers(photo.gray, FRAME.dictionary, FRAME.ids)
    view = solve_table(markers, FRAME, photo.size)
    tags = find_markers(photo.gray, "DICT_4X4_50", (3,))
    center = view.point_from_pixel(tags.corners.mean(axis=1), FOOT.height)
    n = len(center)
    width, depth, one = np.full(n, FOOT.width), np.full(n, FOOT.depth), np.tile(1e-4 * np.eye(2), (n, 1, 1))
    bases = Bases(center, np.zeros(n), width, depth, np.zeros(n, bool), one, np.zeros(n))
    labels = tuple(BaseLabel("base1", "a", 3, "red", "infantry", True, 0.0, 0.99, "tag") for _ in range(n))
    return Observation((18.0, 18.0), (PhotoView(photo.name, *photo.size, view),), bases, labels)


class Watched:
    """A watcher whose looks are counted; news is a unit that came, went or moved by a quarter of an inch."""

    def __init__(self, doubt: str = "", config: LiveConfig | None = None, look: Observer = glance) -> None:
        self.looks: list[Photo] = []
        self.doubt = doubt
        self.told: Observation | None = None
        self._look = look
        self.watcher: Watcher[str] = Watcher(expected(), self.look, self.judge, config=config)

    def look(self, photo: Photo) -> Observation:
        self.looks.append(photo)
        return self._look(photo)

    def judge(self, seen: Observation, places: tuple[Place, ...] | None) -> Verdict[str]:
        before = self.told
        if before is None:
            return Verdict(seen, True)
        if len(before.bases) == len(seen.bases):
            off = np.linalg.norm(before.bases.center - seen.bases.center, axis=1).max()
            return Verdict(seen, bool(off > 0.25), f"moved {off:.1f}")
        return Verdict(seen, True, "came or went", self.doubt)

    def see(self, pictures: Iterable[Frame]) -> list[Event[str]]:
        events: list[Event[str]] = []
        for frame in pictures:
            got = self.watcher.see(frame)
            for event in got:
                if isinstance(event, Observed):
                    self.told = event.observation
            events += got
        return events


def kinds(events: Iterable[Any]) -> list[str]:
    return [type(event).__name__ for event in events]


def observed(events: Iterable[Any]) -> list[Observed[str]]:
    return [event for event in events if isinstance(event, Observed)]


@pytest.mark.slow
def test_a_moved_unit_is_one_observation_after_the_arm_has_left() -> None:
    coming_and_going = visit(A, B)
    events = Watched(look=lambda photo: observe(photo, expected())).see(frames(film(A, coming_and_going, B)))
    assert kinds(events) == ["Still", "Observed", "HandSeen", "Still", "Observed"]
    first, second = observed(events)
    assert first.changes is None and first.at_s == 1.0
    assert second.changes is not None and second.changes.startswith("moved")
    gone_s = 2.5 + 0.25 * len(coming_and_going)
    assert gone_s + 0.5 <= second.at_s <= gone_s + 2.5
    assert len(second.observation.bases) == len(MOVED)
    for base in MOVED:
        assert np.hypot(*(second.observation.bases.center - [base.x, base.y]).T).min() < 0.06
    hand = next(event for event in events if isinstance(event, HandSeen))
    assert hand.where == "the far right" and 2.5 <= hand.at_s <= 3.5


def test_an_arm_that_changes_nothing_costs_no_second_look() -> None:
    watched = Watched()
    events = watched.see(frames(film(A, visit(A, A), A)))
    assert kinds(events) == ["Still", "Observed", "HandSeen", "Still", "Unchanged"]
    assert len(watched.looks) == 1


def test_a_hand_that_stays_is_told_once_and_nothing_under_it_is_missed() -> None:
    """Nothing is observed while it rests, for as long as it rests, though it hides two of three bases."""
    rest = with_arm(A, 14.0, x_in=8.4)
    watched = Watched()
    events = watched.see(frames(film(A, *[[with_arm(A, far, x_in=8.4)] for far in (4.0, 8.0, 12.0)], [rest] * 50)))
    assert kinds(events) == ["Still", "Observed", "HandSeen", "Waiting"]
    waiting = events[-1]
    assert isinstance(waiting, Waiting)
    assert waiting.why == "Something covers the middle of the table; waiting until it is gone."
    later = watched.see(frames([A] * 12, start_s=60.0))
    assert kinds(later) == ["Still", "Unchanged"] and len(watched.looks) == 1


FILMS = {
    "a light that is switched off": lambda: [*[A] * 10, *[brighter(A, 0.45)] * 20],
    "flickering exposure": lambda: [brighter(A, 1 + 0.18 * np.sin(1.7 * k)) for k in range(40)],
    "a hand-held camera": lambda: [in_a_hand(A, k) for k in range(40)],
    "a slow shadow": lambda: [in_shadow(A, -300 + 15 * k) for k in range(112)],
    "a focus that hunts": lambda: [cv2.GaussianBlur(A, (0, 0), 0.5 + 0.25 * (k % 5)) for k in range(40)],
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if k else []) for k, name in enumerate(FILMS)]
)
def test_what_is_no_change_is_no_news(name: str) -> None:
    watched = Watched()
    events = watched.see(frames(FILMS[name]()))
    assert len(observed(events)) == 1
    assert not any(isinstance(event, HandSeen | Waiting) for event in events)
    assert len(watched.looks) <= 2


def test_the_sharpest_still_frame_is_looked_at() -> None:
    """Four blurred ones and a sharp one: the JPEG that was looked at is the sharp one's."""
    blurred = cv2.GaussianBlur(A, (0, 0), 1.2)
    watched = Watched()
    pictures = [noisy(A if k == 2 else blurred, k) for k in range(5)]
    (only,) = observed(watched.see(frames(pictures, noise=0.0)))
    away = [float(np.abs(only.photo.image.astype(float) - picture).mean()) for picture in pictures]
    assert int(np.argmin(away)) == 2
    assert only.jpeg is not None and only.photo.name == f"{only.photo.sha256[:16]}.jpg"
    assert only.observation.photos[0].file == only.photo.name


def test_a_camera_that_is_carried_elsewhere_finds_the_same_table() -> None:
    elsewhere = looking_at(1000, 750, focal=790.0, distance_in=28.0, elevation_deg=62.0, azimuth_deg=-75.0)
    watched = Watched()
    events = watched.see(frames(film(A, table(ROW, elsewhere))))
    assert kinds(events) == ["Still", "Observed", "Still", "Unchanged"]
    last = events[-1]
    assert isinstance(last, Unchanged) and last.looked
    there = frames(film(visit(table(ROW, elsewhere), table(MOVED, elsewhere), view=elsewhere)), start_s=20.0)
    assert kinds(watched.see(there))[0] == "HandSeen"
    (news,) = observed(watched.see(frames(film(table(MOVED, elsewhere)), start_s=30.0)))
    assert news.changes == "moved 3.0"


def test_what_came_too_slowly_to_be_seen_moving_is_found_all_the_same() -> None:
    """A base that fades from one place to another, as it seems where a stream drops frames in a row."""
    steps = [np.asarray(cv2.addWeighted(A, 1 - s, B, s, 0), np.uint8) for s in np.linspace(0, 1, 40)]
    watched = Watched(config=LiveConfig(recheck_s=10.0))
    events = watched.see(frames(film(A, steps, B, B, B), step_s=0.5))
    assert observed(events)[-1].observation.bases.center[0] == pytest.approx([MOVED[0].x, MOVED[0].y], abs=0.06)


def hidden(image: Pixels, *markers: int) -> Pixels:
    out = image.copy()
    for marker in markers:
        quad = VIEW.pixel_from_table(FRAME.corners(marker))
        cv2.fillPoly(out, [quad.astype(np.int32)], (60, 108, 96))
    return out


def test_a_table_without_its_markers_is_waited_for_in_one_sentence() -> None:
    watched = Watched()
    events = watched.see(frames([hidden(A, 1, 2)] * 12))
    assert events == [Waiting("2 of 4 frame markers are in view; waiting until 1, 2 can be seen as well.")]
    assert watched.looks == []
    assert kinds(watched.see(frames([A] * 12, start_s=3.0))) == ["Still", "Observed"]


def test_a_look_that_fails_is_said_once_and_taken_again() -> None:
    watched = Watched()
    fails = [True, True, True, True, True, True, False]

    def look(photo: Photo) -> Observation:
        if fails.pop(0):
            raise MarkersNotFound("2 of 4 frame markers seen.")
        return glance(photo)

    watcher = Watcher(expected(), look, watched.judge)
    events = [event for frame in frames([A] * 50) for event in watcher.see(frame)]
    assert kinds(events) == ["Still", "Waiting", "Still", "Still", "Observed"]
    assert fails == []


def test_too_much_gone_at_once_is_looked_at_twice() -> None:
    """Believed when a second look says the same, forgotten when it does not."""
    bare = table(ROW[1:])
    gone = Watched(doubt="1 of 1 bases are gone.")
    events = gone.see(frames(film(A, visit(A, bare), bare, bare, bare)))
    assert kinds(events) == ["Still", "Observed", "HandSeen", "Still", "Waiting", "Still", "Observed"]
    assert events[4] == Waiting("1 of 1 bases are gone.")
    covered = Watched(doubt="1 of 1 bases are gone.")
    events = covered.see(frames(film(A, visit(A, bare), bare, visit(bare, A), A, A, A)))
    assert len(observed(events)) == 1 and isinstance(events[-1], Unchanged)


def test_a_picture_that_never_rests_is_told_once() -> None:
    rng = np.random.default_rng(4)
    restless = [with_arm(A, float(rng.uniform(4, 14)), x_in=float(rng.uniform(3, 15))) for _ in range(50)]
    events = Watched().see(frames(film(A, restless), step_s=0.7))
    waits = [event for event in events if isinstance(event, Waiting)]
    assert len(waits) == 1 and waits[0].why.startswith("The picture has not been still for half a minute")


def test_photos_taken_on_purpose_are_looked_at_one_by_one() -> None:
    def photo(image: Pixels, name: str) -> Frame:
        return Frame(image, float(name), name, Photo(image, f"{name}.jpg", "0" * 64))

    watched = Watched()
    pictures = [photo(A, "1"), photo(noisy(A, 3), "2"), photo(hidden(A, 0, 1), "3"), photo(B, "4")]
    events = watched.see(pictures)
    assert kinds(events) == ["Observed", "Unchanged", "Waiting", "Observed"]
    assert isinstance(events[2], Waiting)
    assert events[2].why == "3.jpg: 2 of 4 frame markers seen (ids 2, 3). Retake the photo with 0 and 1 in view."
    assert [event.jpeg for event in observed(events)] == [None, None]


def test_a_stored_camera_of_another_size_is_used_at_the_films_own() -> None:
    big = replace(VIEW.camera.scaled_to((2000, 1500)), source="stored")
    watcher = Watcher(expected(), glance, Watched().judge, camera=big)
    events = [event for frame in frames([A] * 6) for event in watcher.see(frame)]
    assert kinds(events) == ["Still", "Observed"]
    assert isinstance(events[0], Still) and events[0].at_s == 1.0
