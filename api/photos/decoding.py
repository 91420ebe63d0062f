"""Uploads are decoded in a process of their own, which may die without harm.

The process is bounded: in memory, in processor time, in time on the clock, and it can open no file. It takes a file's
bytes through one pipe and gives pixels and a few facts back through another, as plain numbers and JSON: nothing that it
says is run. Whatever ends it ends one upload with one sentence, and the next upload meets a fresh one.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from api.photos.processes import OUT_OF_MEMORY, allow_cpu, end_process, start_process

START_S = 60.0  # from nothing to ready: half a second on a laptop, several on a small board computer that is busy
PIPE_BYTES = 1 << 20

_HEAD = struct.Struct(">IQ")  # bytes of the JSON, bytes of what follows it
_MOST_JSON = 64_000


@dataclass(frozen=True)
class Limits:
    """What decoding one picture may take: ``memory_bytes`` of address space in all (the idle process has 0.3 GB),
    ``cpu_s`` seconds of a processor, ``wall_s`` seconds on the clock, ``max_pixels`` in the picture.

    After ``uploads`` pictures the process gives way to a fresh one: the picture libraries lose about two kilobytes over
    a damaged file."""

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
"""Bytes, what to call them and the most pixels to a picture; raises RefusedError. A function of a module, since the
process finds it by its name."""


class RefusedError(ValueError):
    """The upload is no picture to be used; the sentence says why."""


class DecodingError(Exception):
    """The process ended over an upload; ``status`` is the answer's in HTTP."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class Decoder:
    """One such process, kept warm, for one upload at a time; any thread may call.

    ``job`` is what it does. ``restarts`` counts the processes that ended over an upload or by themselves; besides, each
    gives way to a fresh one after ``limits.uploads``.
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
        """The process there is now."""
        worker = self._worker
        return None if worker is None else worker.process.pid

    def start(self) -> None:
        """Have the process made ready, without waiting for it; left out, the first upload does."""
        with self._turn:
            self._closed = False
            if self._worker is None:
                self._worker = _Worker(self.job, self.limits)

    def close(self) -> None:
        """End the process, and the upload that it may be at."""
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
                if not whole:  # what it had to say is left in the pipe
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


class _EndedError(Exception):
    """The process's side of the pipe is closed, or it talks nonsense."""


class _Worker:
    """A process and the two pipes to it."""

    def __init__(self, job: Job, limits: Limits) -> None:
        self.limits = limits
        numbers = (limits.memory_bytes, limits.cpu_s, limits.max_pixels)
        self.process = start_process("api.photos.decoding", job, numbers, bufsize=0, pipesize=PIPE_BYTES)
        assert self.process.stdin is not None and self.process.stdout is not None
        self._to, self._from = self.process.stdin, self.process.stdout
        self._ready = False
        self.uploads = 0
        self.end = weakref.finalize(self, end_process, self.process)

    def decode(self, data: bytes, name: str) -> Picture:
        """See :meth:`Decoder.decode`."""
        self.uploads += 1
        late = threading.Event()
        try:
            if not self._ready:
                with self._ended_after(START_S, late):
                    self._ready = self._header().get("ready") is True
            with self._ended_after(self.limits.wall_s, late):
                body = json.dumps({"name": name}).encode()
                for part in (_HEAD.pack(len(body), len(data)), body, data):
                    _write(self._to, part)
                return self._picture(self._header())
        except (_EndedError, OSError) as error:
            raise self._why(name, late.is_set()) from error

    def _header(self) -> dict[str, Any]:
        size, _ = _HEAD.unpack(self._read(bytearray(_HEAD.size)))
        if size > _MOST_JSON:
            raise _EndedError
        try:
            header = json.loads(self._read(bytearray(size)))
        except ValueError as error:
            raise _EndedError from error
        if not isinstance(header, dict):
            raise _EndedError
        return header

    def _picture(self, header: dict[str, Any]) -> Picture:
        """The picture after its header, of which nothing is taken on trust."""
        refused = header.get("refused")
        if isinstance(refused, str):
            raise RefusedError(refused)
        width, height, orientation = (header.get(key) for key in ("width", "height", "orientation"))
        if not isinstance(width, int) or not isinstance(height, int) or not isinstance(orientation, int):
            raise _EndedError
        if min(width, height) < 1 or width * height > self.limits.max_pixels or not 1 <= orientation <= 8:
            raise _EndedError
        focal, model, taken = (header.get(key) for key in ("focal_35mm", "model", "taken"))
        if not isinstance(focal, float | None) or not isinstance(model, str | None):
            raise _EndedError
        if not isinstance(taken, str | None):
            raise _EndedError
        image = np.empty((height, width, 3), np.uint8)
        self._read(image.data.cast("B"))
        return Picture(image, focal, model, taken, orientation)

    def _read(self, into: Any) -> Any:
        """Fill a buffer."""
        rest = memoryview(into)
        while rest:
            count = self._from.readinto(rest)  # type: ignore[attr-defined]
            if not count:
                raise _EndedError
            rest = rest[count:]
        return into

    @contextmanager
    def _ended_after(self, seconds: float, late: threading.Event) -> Iterator[None]:
        """End the process where what is inside takes longer: the pipes then break."""

        def out_of_time() -> None:
            late.set()
            self.process.kill()

        timer = threading.Timer(seconds, out_of_time)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def _why(self, name: str, late: bool) -> DecodingError:
        """What ended the process, as a sentence."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(2.0)
        self.end()
        status = self.process.returncode
        if late and not self._ready:
            return DecodingError(f"This machine is too busy to open {name}: send it again in a minute.", 503)
        if late or status == -signal.SIGXCPU:
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
        if status in (-signal.SIGKILL, -signal.SIGTERM):
            return DecodingError(
                f"The program that decodes photos was ended by this machine over {name}, perhaps for want of memory: "
                "send it again.",
                503,
            )
        return DecodingError(f"{name} is damaged so that decoding it failed: send the photo again as JPEG.", 422)


def _write(pipe: Any, data: Any) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[pipe.write(rest) :]


# --- the process's own side --------------------------------------------------------------------------------------


def main() -> None:
    """What the process does: ``sys.argv`` has the job's module and name, bytes of memory, seconds, pixels."""
    module, name, *numbers = sys.argv[1:]
    memory_bytes, cpu_s, max_pixels = map(int, numbers)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the server, which then ends us
    job: Job = getattr(importlib.import_module(module), name)
    _meet_every_kind(job, max_pixels)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))  # the two pipes and the terminal: nothing more can be opened
    _send({"ready": True})
    source = sys.stdin.buffer
    while len(head := source.read(_HEAD.size)) == _HEAD.size:
        size, length = _HEAD.unpack(head)
        allow_cpu(cpu_s)
        try:
            called = json.loads(source.read(size))["name"]
            _answer(job, source, length, called, max_pixels)
        except MemoryError:
            os._exit(OUT_OF_MEMORY)


def _answer(job: Job, source: BinaryIO, length: int, name: str, max_pixels: int) -> None:
    try:
        picture = job(source.read(length), name, max_pixels)
    except RefusedError as error:
        _send({"refused": str(error)})
        return
    height, width = picture.image.shape[:2]
    facts = {key: getattr(picture, key) for key in ("focal_35mm", "model", "taken", "orientation")}
    _send({"width": width, "height": height, **facts}, np.ascontiguousarray(picture.image))


def _send(header: dict[str, Any], pixels: npt.NDArray[np.uint8] | None = None) -> None:
    body = json.dumps(header).encode()
    out = sys.stdout.buffer
    out.write(_HEAD.pack(len(body), 0 if pixels is None else pixels.nbytes) + body)
    if pixels is not None:
        out.write(pixels.data.cast("B"))
    out.flush()


def _meet_every_kind(job: Job, max_pixels: int) -> None:
    """Have all loaded that is loaded at need, while files can still be opened."""
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
