"""Live mode: from frames that come one after another to an observation whenever the table has changed.

A :class:`Watcher` waits until hands have left and nothing moves, takes the sharpest of the still frames, and observes
it only if the table differs from the last look. The caller decides whether the observation is new
(:class:`Verdict`). Everything that happens is an event. Time comes with the frames.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import cv2
import numpy as np

from calibration import Camera, MarkersNotFound, PoseRejected, TableView
from calibration.markers import MarkerConfig, find_markers
from calibration.table import solve_table
from vision.imaging.photo import Photo, PhotoLimits, open_photo
from vision.imaging.rectify import reduce_image
from vision.live.following import Array, FollowConfig, Keyframe, Plane, plane_of, shrunk, view_at
from vision.live.frames import Frame, SourceError
from vision.live.hands import Hands, HandsConfig, Scene
from vision.live.motion import (
    FineMap,
    Place,
    changed_places,
    sharpness,
    where_in_words,
)
from vision.model.expected import Expected
from vision.model.observation import Observation

News = TypeVar("News")


@dataclass(frozen=True)
class Waiting:
    """No look at the table can be taken now; ``why`` is a sentence. Reported once, until something else happens."""

    why: str


@dataclass(frozen=True)
class HandSeen:
    """A hand or arm reaches over the table at ``where`` (in words)."""

    where: str
    at_s: float


@dataclass(frozen=True)
class Still:
    """Nothing has moved for a while and no hand is over the table."""

    at_s: float


@dataclass(frozen=True)
class Unchanged:
    """The table has not changed. ``looked``: it was observed again to find that out; ``places`` look different anyway
    (light, shadow, another viewpoint)."""

    at_s: float
    looked: bool
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, eq=False)
class Observed(Generic[News]):
    """The table has changed: the observation, the photo that it was made from, the JPEG that this was made of a frame
    (``None``: it is a file already), and what is new by the caller's verdict (``None`` for the first)."""

    observation: Observation
    photo: Photo
    jpeg: bytes | None
    changes: News | None
    at_s: float


@dataclass(frozen=True, eq=False)
class Verdict(Generic[News]):
    """A caller's judgement of an observation: the observation to report, and whether it is ``new``. ``doubt``, a
    sentence, asks for a second look before it is believed."""

    observation: Observation
    new: bool
    changes: News | None = None
    doubt: str = ""


Event = Waiting | HandSeen | Still | Unchanged | Observed[News]
Observer = Callable[[Photo], Observation]
Judge = Callable[[Observation, "tuple[Place, ...] | None"], Verdict[News]]


@dataclass(frozen=True)
class LiveConfig:
    """``still_s``: without motion for so long the table is still; ``stays_s``: a hand that rests so long is reported;
    ``restless_s``: so is a table that never becomes still; ``search_s``: interval of the search for a table that is
    not found, in a copy with a longer side of about ``search_px``; ``same_place``: a camera by which the table's
    corners are that near to their old places, as a share of the longer side, has not been moved; ``recheck_s``: how
    often a quiet table is compared with the last look; ``again_s``: pause before a second look; ``keep``: still frames
    kept at full size."""

    still_s: float = 1.0
    stays_s: float = 5.0
    restless_s: float = 30.0
    search_s: float = 1.0
    search_px: int = 1600
    same_place: float = 0.01
    recheck_s: float = 30.0
    again_s: float = 4.0
    keep: int = 3
    jpeg_quality: int = 95
    follow: FollowConfig = field(default_factory=FollowConfig)
    hands: HandsConfig = field(default_factory=HandsConfig)


@dataclass(frozen=True, eq=False)
class _Kept:
    """A still frame at full size, how sharp it is, and where the table has moved to since the keyframe."""

    sharpness: float
    frame: Frame
    moved: Array


@dataclass(frozen=True, eq=False)
class _Seen:
    """The last look: the camera of its photo and the table in it from above."""

    view: TableView
    fine: FineMap


class Watcher(Generic[News]):
    """Watches one table. ``look`` observes a photo (see :func:`vision.pipeline.one_photo.observe`) and raises
    CalibrationError where it can't; ``judge`` says whether an observation is new, given the places that look different
    from the last look (``None``: anything may have changed). ``camera`` is a stored calibration."""

    def __init__(
        self,
        expected: Expected,
        look: Observer,
        judge: Judge[News],
        *,
        camera: Camera | None = None,
        config: LiveConfig | None = None,
    ) -> None:
        self._expected, self._look, self._judge, self._camera = expected, look, judge, camera
        self._config = config or LiveConfig()
        self._key: Keyframe | None = None
        self._hands: Hands | None = None  # set together with the keyframe
        self._kept: list[_Kept] = []  # still frames, the sharpest first
        self._last: _Seen | None = None  # the last look
        self._judged_s = self._searched_s = -math.inf
        self._seen_s = self._rested_s = -math.inf  # the last frame; when nothing had moved for a while, last
        self._doubted = False  # the last look must be repeated before it is believed
        self._told, self._hand_told = "", False

    def see(self, frame: Frame) -> tuple[Event[News], ...]:
        """The events of this frame, oldest first; frames come in the order of their times.

        Raises CameraFileError where the stored camera is of another shape of picture, SourceError where the pictures
        are too small to measure on.
        """
        least = PhotoLimits().min_long_side_px
        if max(frame.size) < least:
            raise SourceError(
                f"{frame.name} has only {frame.size[0]} x {frame.size[1]} pixels, too few to measure on (at least "
                f"{least} on the longer side): set the camera to a higher resolution."
            )
        if frame.photo is not None:
            return self._judge_photo(frame, frame.photo)
        small = shrunk(frame.image, self._config.follow.small_px)
        moved = None if self._key is None else self._key.follow(small)
        if moved is None:
            if self._hands is not None:
                self._hands.unsettle(frame.at_s)
            self._kept.clear()
            return self._search(frame)
        assert self._key is not None and self._hands is not None
        scene = self._hands.watch(frame.at_s, *self._key.small_map(small, moved), self._key.plane)
        return self._watch_frame(frame, moved, scene)

    @property
    def _table(self) -> tuple[float, float]:
        return self._expected.width, self._expected.depth

    def _waiting_news(self, why: str) -> tuple[Event[News], ...]:
        """The sentence, unless it was the last one reported."""
        if why == self._told:
            return ()
        self._told = why
        return (Waiting(why),)

    # --- where the table is -------------------------------------------------------------------------------------------

    def _search(self, frame: Frame) -> tuple[Event[News], ...]:
        """Find the table by its markers, not too often, in a frame in which it was not found again."""
        if frame.at_s - self._searched_s < self._config.search_s:
            return ()
        self._searched_s = frame.at_s
        small, layout = shrunk(frame.image, self._config.search_px), self._expected.frame
        markers = find_markers(small.gray, layout.dictionary, layout.ids, config=_ON_A_COPY)
        size = (small.gray.shape[1], small.gray.shape[0])
        try:
            view = solve_table(markers, layout, size, camera=self._camera)
        except MarkersNotFound:
            return self._waiting_news(_markers_wanting(layout.ids, set(markers.ids.tolist())))
        except PoseRejected as error:
            return self._waiting_news(str(error))
        view = view_at(view, (size[0] * small.factor, size[1] * small.factor))
        if self._key is not None and self._is_where(view, self._key.view):
            again = shrunk(frame.image, self._config.follow.small_px)
            self._key = Keyframe(again, self._key.view, self._table, self._config.follow)
        else:
            self._begin_at(frame, view, settled=False)
        return ()

    def _is_where(self, view: TableView, known: TableView) -> bool:
        """Whether a camera is where a known one was."""
        width, depth = self._table
        corners = np.array([[x, y, 0.0] for x in (0.0, width) for y in (0.0, depth)])
        off = np.linalg.norm(view.pixel_from_table(corners) - known.pixel_from_table(corners), axis=1)
        return view.camera.size == known.camera.size and bool(
            off.max() < self._config.same_place * max(known.camera.size)
        )

    def _begin_at(self, frame: Frame, view: TableView, *, settled: bool) -> None:
        """Take a frame as the one that the next ones are registered to."""
        small = shrunk(frame.image, self._config.follow.small_px)
        self._key = Keyframe(small, view, self._table, self._config.follow)
        model, _ = self._key.small_map(small, np.eye(3))
        self._hands = Hands(frame.at_s, model, self._config.hands, settled=settled)
        self._kept.clear()

    # --- stillness ----------------------------------------------------------------------------------------------------

    def _watch_frame(self, frame: Frame, moved: Array, scene: Scene) -> tuple[Event[News], ...]:
        """One frame of a table that is found."""
        assert self._hands is not None and self._key is not None
        if scene.moving:
            self._kept.clear()
        if scene.quiet_s >= self._config.still_s or frame.at_s - self._seen_s > _GAP_S:
            self._rested_s = frame.at_s
        self._seen_s = frame.at_s
        if self._hands.settled:
            return self._recheck(frame, moved)
        events: list[Event[News]] = []
        where = "" if scene.hand is None else where_in_words(scene.hand.center, self._table)
        if where and not self._hand_told:
            self._hand_told = True
            events.append(HandSeen(where, frame.at_s))
        if scene.moving:
            if frame.at_s - self._rested_s > self._config.restless_s:
                events += self._waiting_news(_RESTLESS)
        elif where:
            if scene.quiet_s >= self._config.stays_s:
                events += self._waiting_news(f"Something covers {where} of the table; waiting until it is gone.")
        else:
            self._keep(frame, moved, self._key.plane)
            if scene.quiet_s >= self._config.still_s:
                events += [Still(frame.at_s), *self._judge_still_table(frame.at_s)]
        return tuple(events)

    def _keep(self, frame: Frame, moved: Array, plane: Plane) -> None:
        """Keep the sharpest still frames."""
        x, y = np.meshgrid(np.linspace(0.1, 0.9, 5) * self._table[0], np.linspace(0.1, 0.9, 5) * self._table[1])
        at = np.round(plane.scale.pixel_from_table(np.stack([x.ravel(), y.ravel()], axis=1))).astype(np.int64)
        places = cv2.perspectiveTransform(plane.pixels[at[:, 1], at[:, 0]].reshape(-1, 1, 2), moved)
        self._kept.append(_Kept(sharpness(frame.image, places), frame, moved))
        self._kept.sort(key=lambda kept: -kept.sharpness)
        del self._kept[self._config.keep :]

    def _recheck(self, frame: Frame, moved: Array) -> tuple[Event[News], ...]:
        """Now and then a quiet table is compared with the last look, for changes too slow to be seen as motion."""
        assert self._hands is not None
        if frame.at_s - self._judged_s >= self._config.recheck_s:
            self._judged_s = frame.at_s
            if self._places(frame, moved) != ():
                self._hands.unsettle(frame.at_s)
        return ()

    # --- looking ------------------------------------------------------------------------------------------------------

    def _fine(self, view: TableView, frame: Frame, moved: Array) -> FineMap:
        """The table in a frame from above, by the camera of the keyframe and what has moved since."""
        config = self._config.hands.still
        px = min(config.fine_px_per_inch, math.sqrt(config.fine_pixels / (self._table[0] * self._table[1])))
        plane = plane_of(view, self._table, px)
        spans = np.linalg.norm(np.diff(plane.pixels, axis=1), axis=2)
        factor = max(1, int(np.median(spans)))
        to_small = np.array([[1, 0, (1 - factor) / 2], [0, 1, (1 - factor) / 2], [0, 0, factor]]) / factor
        image, seen = plane.warp(reduce_image(frame.image, factor), to_small @ moved)
        return FineMap(plane.scale, np.asarray(image, np.uint8), seen)

    def _places(self, frame: Frame, moved: Array) -> tuple[Place, ...] | None:
        """The places that differ from the last look; ``None`` without one."""
        if self._last is None or self._key is None:
            return None
        return changed_places(self._last.fine, self._fine(self._key.view, frame, moved), self._config.hands.still)

    def _judge_still_table(self, t: float) -> tuple[Event[News], ...]:
        """The still table, seen in the sharpest of its frames."""
        assert self._hands is not None
        self._hands.settle()
        self._judged_s, self._hand_told = t, False
        kept, self._kept = self._kept, []
        places = self._places(kept[0].frame, kept[0].moved)
        if places == () and not self._doubted:
            self._told = ""
            return (Unchanged(t, False),)
        why = ""
        for one in kept:
            jpeg = bytes(
                cv2.imencode(".jpg", one.frame.image, [cv2.IMWRITE_JPEG_QUALITY, self._config.jpeg_quality])[1]
            )
            photo = open_photo(jpeg, name=f"{hashlib.sha256(jpeg).hexdigest()[:16]}.jpg")
            try:
                observation = self._look(photo)
            except (MarkersNotFound, PoseRejected) as error:
                why = why or str(error)
                continue
            return self._told_of(observation, photo, jpeg, places, one.frame, t)
        self._look_again(t)
        return self._waiting_news(why)

    def _look_again(self, t: float) -> None:
        """Another look after a while, though nothing moves."""
        if self._hands is not None:
            self._hands.unsettle(t + self._config.again_s - self._config.still_s)

    def _told_of(
        self,
        observation: Observation,
        photo: Photo,
        jpeg: bytes | None,
        places: tuple[Place, ...] | None,
        frame: Frame,
        t: float,
    ) -> tuple[Event[News], ...]:
        """The events of an observation, by the caller's verdict; the next frames are compared with it."""
        verdict = self._judge(observation, places)
        if verdict.doubt and not self._doubted:
            self._doubted = True
            self._look_again(t)
            return self._waiting_news(verdict.doubt)
        self._doubted, self._told = False, ""
        view = observation.photos[0].view
        if frame.photo is None:
            self._begin_at(frame, view, settled=True)
        self._last = _Seen(view, self._fine(view, frame, np.eye(3)))
        if not verdict.new:
            return (Unchanged(t, True, places or ()),)
        return (Observed(verdict.observation, photo, jpeg, verdict.changes, t),)

    def _judge_photo(self, frame: Frame, photo: Photo) -> tuple[Event[News], ...]:
        """Judge a photo taken on purpose: on its own, with or without hands in it."""
        try:
            observation = self._look(photo)
        except (MarkersNotFound, PoseRejected) as error:
            return (Waiting(f"{photo.name}: {error}"),)
        view = observation.photos[0].view
        places = None
        if self._last is not None:
            places = changed_places(self._last.fine, self._fine(view, frame, np.eye(3)), self._config.hands.still)
        return self._told_of(observation, photo, None, places, frame, frame.at_s)


_GAP_S = 2.0  # a film with a longer gap in it does not show the time between
_ON_A_COPY = MarkerConfig(coarse_px=(0,))
_RESTLESS = (
    "The picture has not been still for half a minute: keep hands off the table for a moment, and stand or hold the "
    "camera quietly."
)


def _markers_wanting(ids: tuple[int, ...], seen: set[int]) -> str:
    hidden = ", ".join(str(i) for i in ids if i not in seen)
    return f"{len(seen)} of {len(ids)} frame markers are in view; waiting until {hidden} can be seen as well."
