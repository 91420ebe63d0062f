"""Sources of pictures, one after another: the common interface, video files, folders of photos.

A source is polled (:meth:`Source.read`, with the time in seconds); it answers at once with the newest
:class:`Frame`, with an event where something happened to it, or with ``None``. Nothing here sleeps.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.photo import Photo, open_photo
from vision.model.errors import PhotoError, VisionError

Pixels = npt.NDArray[np.uint8]

PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")


class SourceError(VisionError):
    """A camera, stream, video or folder that gives no pictures; the message says what to do."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of a source: ``image`` (height, width, 3) uint8 in blue, green, red, taken ``at_s`` seconds on the
    source's clock. ``photo`` is set where a person took this very picture on purpose: it is judged on its own."""

    image: Pixels
    at_s: float
    name: str = ""
    photo: Photo | None = None

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels."""
        return self.image.shape[1], self.image.shape[0]


@dataclass(frozen=True)
class Lost:
    """No pictures come any more; ``why`` is a sentence with the next step."""

    why: str


@dataclass(frozen=True)
class Resumed:
    """Pictures come again after ``away_s`` seconds."""

    away_s: float


@dataclass(frozen=True)
class Skipped:
    """A file of a watched folder that is not a usable photo; ``why`` is a sentence with the next step."""

    why: str


@dataclass(frozen=True)
class SourceConfig:
    """``rate_hz``: pictures looked at in a second; ``silent_s``: a stream that sends none for so long is lost, one that
    sends the very same pixels for ``frozen_s`` is frozen; ``first_wait_s`` and ``most_wait_s``: pauses before a lost
    one is tried again, each twice the one before; ``settle_s``: a file that has not grown for so long is complete."""

    rate_hz: float = 5.0
    silent_s: float = 10.0
    frozen_s: float = 60.0
    first_wait_s: float = 1.0
    most_wait_s: float = 30.0
    settle_s: float = 1.0


class Source(Protocol):
    """Anything that pictures come from. ``ended`` is true once no more can come."""

    @property
    def name(self) -> str: ...
    @property
    def ended(self) -> bool: ...
    def read(self, now_s: float) -> Frame | Lost | Resumed | Skipped | None: ...
    def close(self) -> None: ...


class Capture(Protocol):
    """What is used of ``cv2.VideoCapture``."""

    def isOpened(self) -> bool: ...  # noqa: N802
    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Pixels]: ...
    def get(self, propId: int) -> float: ...
    def release(self) -> None: ...


class VideoFile:
    """A video file from its first to its last frame, ``rate_hz`` of them in a second of it; times are the video's."""

    def __init__(self, path: Path, config: SourceConfig | None = None) -> None:
        """Raises SourceError for a file that is not a video."""
        self.name, self.ended = path.name, False
        self._capture: Capture = cv2.VideoCapture(str(path))
        fps = self._capture.get(cv2.CAP_PROP_FPS) if self._capture.isOpened() else 0.0
        self._fps = fps if np.isfinite(fps) and fps > 0 else 25.0
        self._step = max(1, round(self._fps / (config or SourceConfig()).rate_hz))
        self._next = 0
        if not (self._capture.isOpened() and self._capture.grab()):
            self._capture.release()
            raise SourceError(f"{path.name} can't be played as a video: give an MP4, MOV or AVI file.")

    def read(self, now_s: float) -> Frame | None:
        """The next frame, ``None`` at the end; ``now_s`` does not matter."""
        if self.ended:
            return None
        whole, image = self._capture.retrieve()
        at = self._next
        for _ in range(self._step):
            self.ended = self.ended or not self._capture.grab()
        self._next += self._step
        if not whole or image is None:
            return None
        return Frame(np.asarray(image, np.uint8), at / self._fps, f"{self.name}, frame {at + 1}")

    def close(self) -> None:
        """Let go of the file."""
        self.ended = True
        self._capture.release()


class FolderSource:
    """A folder into which photos drop: every new one, once it is complete, oldest first. Photos that are there at the
    first ``read`` are ignored; a damaged one is reported once, and read when it has changed."""

    def __init__(self, folder: Path, config: SourceConfig | None = None) -> None:
        self.name, self.ended = str(folder), False
        self._folder, self._config = folder, config or SourceConfig()
        self._done: dict[str, tuple[int, int]] | None = None
        self._seen: dict[str, tuple[tuple[int, int], float]] = {}

    def read(self, now_s: float) -> Frame | Skipped | None:
        """The next new photo, or why a file is not one. Raises SourceError where the folder has gone."""
        there = self._files()
        if self._done is None:
            self._done = there
        for name, stamp in sorted(there.items(), key=lambda item: (item[1][1], item[0])):
            if self._done.get(name) == stamp:
                continue
            known, since = self._seen.get(name, (None, now_s))
            if known != stamp:
                self._seen[name] = (stamp, now_s)
            elif now_s - since >= self._config.settle_s:
                self._done[name] = stamp
                del self._seen[name]
                return self._photo(name, now_s)
        return None

    def _files(self) -> dict[str, tuple[int, int]]:
        """Size and time of change of every photo in the folder."""
        found = {}
        try:
            for path in self._folder.iterdir():
                if path.suffix.lower() in PHOTO_SUFFIXES and not path.name.startswith(".") and path.is_file():
                    about = path.stat()
                    found[path.name] = (about.st_size, about.st_mtime_ns)
        except FileNotFoundError as error:
            if not self._folder.is_dir():
                raise SourceError(f"The folder {self._folder} is gone: make it again, or name another one.") from error
        except OSError as error:
            raise SourceError(
                f"The folder {self._folder} can't be read ({error.strerror}): check its rights."
            ) from error
        return found

    def _photo(self, name: str, now_s: float) -> Frame | Skipped:
        try:
            photo = open_photo(self._folder / name)
        except PhotoError as error:
            return Skipped(f"{name} is skipped. {error}")
        return Frame(photo.image, now_s, name, photo)

    def close(self) -> None:
        """No more photos are taken from it."""
        self.ended = True
