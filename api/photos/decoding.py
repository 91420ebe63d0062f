"""Uploads are decoded in a process of their own, which may die without harm.

The process is bounded: in memory, in processor time, in wall-clock time, and it can open no file. It takes a file's
bytes through one pipe and returns pixels and a few facts through another, as plain numbers and JSON, which are never
executed. If it dies, one upload fails with one sentence, and the next upload gets a fresh process.
"""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from api.processes.limits import OUT_OF_MEMORY, OUT_OF_TIME, bound_cpu, was_killed
from api.processes.pipes import HEAD, PipedProcess, PipeError, say, say_ready, told_job

START_S = 60.0  # from nothing to ready: half a second on a laptop, several on a small board computer that is busy
PIPE_BYTES = 1 << 20


@dataclass(frozen=True)
class Limits:
    """The limits of decoding one picture: ``memory_bytes`` of total address space (the idle process has 0.3 GB),
    ``cpu_s`` seconds of a processor, ``wall_s`` seconds on the clock, ``max_pixels`` in the picture.

    After ``uploads`` pictures the process is replaced by a fresh one: the picture libraries leak about two kilobytes
    per damaged file."""

    memory_bytes: int = 2_000_000_000
    cpu_s: int = 20
    wall_s: float = 40.0
    max_pixels: int = 120_000_000
    uploads: int = 1000


@dataclass(frozen=True, eq=False)
class Picture:
    """A checked picture: ``image`` (height, width, 3) uint8, upright, blue-green-red; the rest as in
    :class:`vision.imaging.photo.Photo`."""

    image: npt.NDArray[np.uint8]
    focal_35mm: float | None = None
    model: str | None = None
    taken: str | None = None
    orientation: int = 1


Job = Callable[[bytes, str, int], Picture]
"""Bytes, their name and the most pixels of a picture; raises RefusedError. A function of a module, since the process
finds it by its name."""


class RefusedError(ValueError):
    """The upload is no usable picture; the sentence says why."""


class DecodingError(Exception):
    """The process ended over an upload; ``status`` is the HTTP status of the answer."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class Decoder:
    """One such process, kept warm, for one upload at a time; any thread may call.

    ``job`` is its task. ``restarts`` counts the processes that ended over an upload or unexpectedly; apart from
    these, each is replaced after ``limits.uploads``.
    """

    def __init__(self, job: Job, limits: Limits | None = None) -> None:
        self.job = job
        self.limits = limits or Limits()
        self.restarts = 0
        self._turn = threading.Lock()
        self._worker: _Worker | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The current process."""
        worker = self._worker
        return None if worker is None else worker.process.pid

    def start(self) -> None:
        """Prepare the process without waiting for it; otherwise the first upload starts it."""
        with self._turn:
            self._closed = False
            if self._worker is None:
                self._worker = _Worker(self.job, self.limits)

    def close(self) -> None:
        """End the process, and the upload that it may be decoding."""
        self._closed = True
        worker = self._worker
        if worker is not None:
            worker.process.kill()
        with self._turn:
            if self._worker is not None:
                self._worker.end()
                self._worker = None

    def decode(self, data: bytes, name: str) -> Picture:
        """The picture of an upload's bytes; ``name`` is what people call it.

        Raises RefusedError where the photo door refuses it, and DecodingError where the process ended over it or was
        ended (413 out of memory, 422 out of time or crashed, 503 ended from outside).
        """
        with self._turn:
            if self._closed:
                raise DecodingError("The server is being stopped; send the photo again when it runs.", 503)
            if self._worker is not None and self._worker.process.poll() is not None:
                self._drop()
            worker = self._worker = self._worker or _Worker(self.job, self.limits)
            whole = False
            try:
                picture = worker.decode(data, name)
                whole = True
            except RefusedError:
                whole = True
                raise
            finally:
                if not whole:  # the rest of its answer is still in the pipe
                    self._drop()
                    if not self._closed:
                        self._worker = _Worker(self.job, self.limits)
                elif worker.uploads >= self.limits.uploads and not self._closed:
                    worker.end()
                    self._worker = _Worker(self.job, self.limits)
            return picture

    def _drop(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None
            self.restarts += 1


class _Worker(PipedProcess):
    """A process that decodes, and the two pipes to it."""

    def __init__(self, job: Job, limits: Limits) -> None:
        numbers = (limits.memory_bytes, limits.cpu_s, limits.max_pixels)
        super().__init__("api.photos.decoding", job, numbers, pipesize=PIPE_BYTES)
        self.limits = limits
        self.uploads = 0

    def decode(self, data: bytes, name: str) -> Picture:
        """See :meth:`Decoder.decode`."""
        self.uploads += 1
        try:
            self.wait_ready(START_S)
            with self.ended_after(self.limits.wall_s):
                self.send({"name": name}, data)
                return self._picture(self.receive())
        except (PipeError, OSError) as error:
            raise self._why(name) from error

    def _picture(self, header: dict[str, Any]) -> Picture:
        """The picture after its header; nothing in it is trusted."""
        refused = header.get("refused")
        if isinstance(refused, str):
            raise RefusedError(refused)
        width, height, orientation = (header.get(key) for key in ("width", "height", "orientation"))
        if not isinstance(width, int) or not isinstance(height, int) or not isinstance(orientation, int):
            raise PipeError
        if min(width, height) < 1 or width * height > self.limits.max_pixels or not 1 <= orientation <= 8:
            raise PipeError
        focal, model, taken = (header.get(key) for key in ("focal_35mm", "model", "taken"))
        if not isinstance(focal, float | None) or not isinstance(model, str | None):
            raise PipeError
        if not isinstance(taken, str | None):
            raise PipeError
        image = np.empty((height, width, 3), np.uint8)
        self.fill(image.data.cast("B"))
        return Picture(image, focal, model, taken, orientation)

    def _why(self, name: str) -> DecodingError:
        """What ended the process, as a sentence."""
        status = self.status()
        self.end()
        if self.late and not self.ready:
            return DecodingError(f"This machine is too busy to open {name}: send it again in a minute.", 503)
        if self.late or (status is not None and status == OUT_OF_TIME):
            return DecodingError(
                f"{name} takes longer to decode than the {self.limits.wall_s:g} seconds that are given ("
                f"{self.limits.cpu_s} of work): send the phone's own JPEG at its normal resolution.",
                422,
            )
        if status == OUT_OF_MEMORY:
            return DecodingError(
                f"{name} takes more memory to decode than the {self.limits.memory_bytes / 1e6:.0f} MB that are given: "
                "send the phone's own JPEG at its normal resolution.",
                413,
            )
        if was_killed(status):
            return DecodingError(
                f"The program that decodes photos was ended by this machine over {name}, perhaps for want of memory: "
                "send it again.",
                503,
            )
        return DecodingError(f"{name} is damaged so that decoding it failed: send the photo again as JPEG.", 422)


# --- the process's own side --------------------------------------------------------------------------------------


def main() -> None:
    """The process's entry point: ``sys.argv`` has the job's module and name, bytes of memory, seconds, pixels."""
    job, (memory_bytes, cpu_s, max_pixels) = told_job()
    meet_every_kind(job, max_pixels)
    say_ready(memory_bytes)
    source = sys.stdin.buffer
    while len(head := source.read(HEAD.size)) == HEAD.size:
        size, length = HEAD.unpack(head)
        bound_cpu(cpu_s)
        try:
            called = json.loads(source.read(size))["name"]
            _answer(job, source, length, called, max_pixels)
        except MemoryError:
            os._exit(OUT_OF_MEMORY)


def _answer(job: Job, source: BinaryIO, length: int, name: str, max_pixels: int) -> None:
    try:
        picture = job(source.read(length), name, max_pixels)
    except RefusedError as error:
        say({"refused": str(error)})
        return
    height, width = picture.image.shape[:2]
    facts = {key: getattr(picture, key) for key in ("focal_35mm", "model", "taken", "orientation")}
    say({"width": width, "height": height, **facts}, np.ascontiguousarray(picture.image).data.cast("B"))


def meet_every_kind(job: Job, max_pixels: int) -> None:
    """Load everything that is loaded on demand, while files can still be opened."""
    from PIL import Image

    exif = Image.Exif()
    exif[0x0110] = "a phone"
    exif.get_ifd(0x8825)[2] = (1.0, 2.0, 3.0)
    plain = Image.new("RGB", (640, 480), "gray")
    for kind, more in (
        ("JPEG", {}),
        ("MPO", {"save_all": True, "append_images": [plain]}),
        ("PNG", {}),
        ("WEBP", {}),
    ):
        out = io.BytesIO()
        plain.save(out, kind, exif=exif, **more)
        for data in (out.getvalue(), out.getvalue()[: len(out.getvalue()) // 2]):
            with suppress(RefusedError):
                job(data, "a sample", max_pixels)
    for data in (b"", b"no picture", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100)):
        with suppress(RefusedError):
            job(data, "a sample", max_pixels)
