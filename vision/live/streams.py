"""Cameras and streams: read all the time, lost and found again; and which source a person means.

Only the thread that reads a camera runs on its own; time comes in as an argument.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit, urlunsplit

import cv2
import numpy as np
import numpy.typing as npt

from vision.live.frames import (
    PHOTO_SUFFIXES,
    Capture,
    FolderSource,
    Frame,
    Lost,
    Resumed,
    Source,
    SourceConfig,
    SourceError,
    VideoFile,
)

Pixels = npt.NDArray[np.uint8]

SCHEMES = ("http", "https", "rtsp", "rtsps")
_OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
_BOUNDS = {
    "rtsp_flags": "prefer_tcp",
    "protocol_whitelist": "http,https,rtsp,rtsps,rtp,srtp,udp,tcp,tls",
    "max_redirects": "0",
    "format_whitelist": "mpjpeg,mjpeg,jpeg_pipe,rtsp,mpegts,h264,hevc,flv,matroska,mov,avi,asf,ogg",
    "max_pixels": "50000000",
}
"""What a stream's address may make this machine do: read that one address, no file, no list of others, no picture
larger than a camera's. In place of it a person may set the options of OpenCV's FFmpeg in the environment."""


def open_source(given: str, config: SourceConfig | None = None) -> Source:
    """The source that a person named: a camera's number, an address (``rtsp://``, ``http://``), a video file, a folder.

    A camera or stream is connected to at the first ``read``. The server at an address may neither redirect to another
    one nor name files. Raises SourceError for anything else.
    """
    config = config or SourceConfig()
    if given.isdecimal():
        number = int(given)
        return LiveSource(f"camera {number}", lambda: _camera(number), config)
    if "://" in given:
        if given.partition("://")[0].lower() not in SCHEMES:
            raise SourceError(
                f"{without_password(given)} is not a stream's address: one begins with rtsp:// or http:// (or "
                "rtsps://, https://). Name a file or folder by its path."
            )
        return LiveSource(without_password(given), lambda: _stream(given, config), config)
    path = Path(given)
    if path.is_dir():
        return FolderSource(path, config)
    if not path.is_file():
        raise SourceError(
            f"{given} is not a camera's number, video file, folder or address (such as rtsp://192.168.1.20:8554/live): "
            "check its name."
        )
    if path.suffix.lower() in PHOTO_SUFFIXES:
        raise SourceError(f"{path.name} is a photo, not a video: read it with `tabletop observe`, or watch its folder.")
    return VideoFile(path, config)


def without_password(address: str) -> str:
    """A stream's address as it may be shown.

    >>> without_password("rtsp://me:secret@10.0.0.7:8554/live")
    'rtsp://10.0.0.7:8554/live'
    """
    parts = urlsplit(address)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=""))


def _camera(number: int) -> Capture:
    """A camera of this computer at the most pixels that it has."""
    capture = cv2.VideoCapture(number)
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, 4096)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 2160)
    return capture


def _stream(address: str, config: SourceConfig) -> Capture:
    wait_ms = int(1000 * config.silent_s)
    waits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait_ms]
    with _bounded():
        return cv2.VideoCapture(address, cv2.CAP_FFMPEG, waits)


@contextmanager
def _bounded() -> Iterator[None]:
    """Set limits for OpenCV's video reader while it opens something: it takes them from the environment alone."""
    if _OPTIONS in os.environ:
        yield
        return
    os.environ[_OPTIONS] = "|".join(f"{name};{value}" for name, value in _BOUNDS.items())
    try:
        yield
    finally:
        del os.environ[_OPTIONS]


class Link(Protocol):
    """A running connection. ``failed``: it gives nothing more; ``take``: the newest picture, ``None`` where none has
    come since the last one."""

    @property
    def failed(self) -> bool: ...
    def take(self) -> Pixels | None: ...
    def close(self) -> None: ...


class Grabber:
    """A connection that a separate thread reads all the time, so that the picture taken is never an old one.

    Pictures are decoded only when one is wanted.
    """

    def __init__(self, connect: Callable[[], Capture]) -> None:
        self.failed = False
        self._connect, self._lock = connect, threading.Lock()
        self._newest: Pixels | None = None
        self._wanted, self._closed = threading.Event(), threading.Event()
        self._wanted.set()
        self._thread = threading.Thread(target=self._run, name="pictures", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        capture = self._connect()
        try:
            while capture.isOpened() and not self._closed.is_set() and capture.grab():
                if self._wanted.is_set():
                    whole, image = capture.retrieve()
                    if whole and image is not None:
                        with self._lock:
                            self._newest = np.asarray(image, np.uint8)
                            self._wanted.clear()
        finally:
            capture.release()
            self.failed = True

    def take(self) -> Pixels | None:
        with self._lock:
            image, self._newest = self._newest, None
            if image is not None:
                self._wanted.set()
        return image

    def close(self) -> None:
        """End the thread, without waiting for one that hangs in the driver."""
        self._closed.set()
        self._thread.join(timeout=0.5)


class LiveSource:
    """A camera or stream. One that was lost is tried again, after longer and longer pauses."""

    ended = False

    def __init__(
        self,
        name: str,
        connect: Callable[[], Capture],
        config: SourceConfig | None = None,
        *,
        link: Callable[[Callable[[], Capture]], Link] = Grabber,
    ) -> None:
        self.name, self._config = name, config or SourceConfig()
        self._start = lambda: link(connect)
        self._link: Link | None = None
        self._wait_s, self._try_s = self._config.first_wait_s, -np.inf
        self._first_s: float | None = None  # when pictures were first asked for
        self._heard_s = self._changed_s = -np.inf
        self._lost_s: float | None = None
        self._ever, self._held = False, None  # type: tuple[bool, Frame | None]
        self._sample: Pixels | None = None

    def read(self, now_s: float) -> Frame | Lost | Resumed | None:
        """The newest picture, at most ``rate_hz`` a second. Raises SourceError for a source that never gave one."""
        if self._held is not None:
            frame, self._held = self._held, None
            return frame
        if self._link is None:
            if now_s >= self._try_s:
                self._link, self._heard_s = self._start(), now_s
            return None
        if self._lost_s is None and now_s - self._heard_s < 1 / self._config.rate_hz and self._ever:
            return None
        image = self._link.take()
        if image is not None:
            return self._accept_frame(image, now_s)
        if self._link.failed or now_s - self._heard_s > self._config.silent_s:
            return self._drop_connection(now_s, self._why())
        return None

    def _accept_frame(self, image: Pixels, now_s: float) -> Frame | Lost | Resumed | None:
        frame = Frame(image, now_s, self.name)
        sample = image[::7, ::7]
        if self._sample is None or not np.array_equal(sample, self._sample):
            self._sample, self._changed_s = sample.copy(), now_s
        elif now_s - self._changed_s > self._config.frozen_s:
            self._sample = None
            frozen = f"{self.name} has sent the very same picture for {self._config.frozen_s:.0f} seconds"
            return self._drop_connection(now_s, f"{frozen}: wake the phone or start its camera app again.")
        self._ever, self._heard_s, self._wait_s = True, now_s, self._config.first_wait_s
        if self._lost_s is None:
            return frame
        away, self._lost_s, self._held = now_s - self._lost_s, None, frame
        return Resumed(away)

    def _drop_connection(self, now_s: float, why: str) -> Lost | None:
        """Let the connection go and plan the next attempt; reported once."""
        assert self._link is not None
        self._link.close()
        self._link = None
        if not self._ever:
            raise SourceError(why)
        self._try_s, self._wait_s = now_s + self._wait_s, min(2 * self._wait_s, self._config.most_wait_s)
        if self._lost_s is not None:
            return None
        self._lost_s = now_s
        return Lost(why)

    def _why(self) -> str:
        if not self._ever:
            if self.name.startswith("camera "):
                return (
                    f"There are no pictures from {self.name}: check that it is plugged in and that no other program "
                    "uses it, or try another number."
                )
            return (
                f"There are no pictures from {self.name}: check that the phone's camera app is sending, that both are "
                "in one network, and the address (one that sends on to another is not followed)."
            )
        return (
            f"{self.name} sends no more pictures: check the phone, its camera app and the network; it is tried again."
        )

    def close(self) -> None:
        """Let go of the camera or stream."""
        if self._link is not None:
            self._link.close()
            self._link = None
