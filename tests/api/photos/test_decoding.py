"""Uploads decoded in a process of their own: it refuses, dies or hangs, and the server goes on and keeps nothing."""

from __future__ import annotations

import asyncio
import gc
import importlib.util
import io
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import zlib
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import numpy as np
import pytest
from PIL import Image

from api.app.looks import decode_photo
from api.app.program import Program
from api.photos.decoding import Decoder, DecodingError, Limits, Picture, RefusedError
from api.processes import pipes
from api.processes.pipes import PipedProcess
from tests.paths import ROOT
from tests.support import apart_jobs
from tests.support.api_support import Client, refusal
from tests.support.waiting import BOUND_S, all_at_once, wait_for_end
from vision.imaging.photo import open_photo
from vision.model.errors import PhotoError

OWNER, PLACE = b"A. Player of Nowhere", b"51 deg 28 min 40 sec"


def encoded(kind: str = "JPEG", size: tuple[int, int] = (800, 600), **more: object) -> bytes:
    """A noisy picture, so that every byte of its file matters."""
    noise = np.random.default_rng(7).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(noise).save(out, kind, **more)
    return out.getvalue()


def private_exif() -> bytes:
    """EXIF with a place, an owner and a turned picture."""
    block = Image.Exif()
    block[0x0110], block[0x0112], block[0x013B] = "a phone", 6, OWNER.decode()
    place = block.get_ifd(0x8825)
    place[1], place[2], place[3], place[4] = "N", (51.0, 28.0, 40.0), "W", (0.0, 0.0, 5.0)
    place[28] = PLACE
    return block.tobytes()


def png(width: int, height: int, packed: bytes) -> bytes:
    """A PNG of that size in its header, whatever its data is."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


@pytest.fixture(scope="module")
def decoder() -> Iterator[Decoder]:
    one = Decoder(decode_photo)
    yield one
    one.close()


def small(decoder: Decoder) -> bool:
    """Whether a sound photo is decoded."""
    return decoder.decode(encoded(), "x.jpg").image.shape == (600, 800, 3)


def descriptors() -> int:
    gc.collect()
    return len(os.listdir("/proc/self/fd"))


def children() -> set[int]:
    """Processes that this one started; a thread that ends meanwhile hands its own to another, so all are read again."""
    while True:
        try:
            tasks = [(task / "children").read_text() for task in Path("/proc/self/task").iterdir()]
        except (FileNotFoundError, ProcessLookupError):
            continue
        return {int(pid) for told in tasks for pid in told.split()}


@contextmanager
def noted_sending() -> Iterator[threading.Event]:
    """An event that is set as soon as something is sent to a process."""
    send, sending = PipedProcess.send, threading.Event()

    def sent(*given: Any) -> None:
        sending.set()
        send(*given)

    with patch.object(PipedProcess, "send", sent):
        yield sending


def in_the_middle(decoder: Decoder, data: bytes, then: Callable[[int], None]) -> DecodingError:
    """What an upload is told when something is done to the process while that holds it."""
    assert small(decoder) and decoder.pid is not None
    pid = decoder.pid
    os.kill(pid, signal.SIGSTOP)
    with noted_sending() as sending, ThreadPoolExecutor(1) as thread:
        upload = thread.submit(decoder.decode, data, "table.jpg")
        assert sending.wait(BOUND_S)
        then(pid)
        said = upload.exception(BOUND_S)
    assert isinstance(said, DecodingError) and decoder.pid != pid
    return said


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "MPO"])
def test_the_process_sees_what_the_photo_door_sees(kind: str, decoder: Decoder) -> None:
    more = {"save_all": True, "append_images": [Image.new("L", (80, 60))]} if kind == "MPO" else {}
    data = encoded(kind, exif=private_exif(), **more)
    seen, truth = decoder.decode(data, "x.jpg"), open_photo(data)
    assert np.array_equal(seen.image, truth.image) and seen.image.shape == (800, 600, 3)
    assert (seen.focal_35mm, seen.model, seen.taken) == (truth.focal_35mm, "a phone", truth.taken)
    assert seen.orientation == truth.orientation == 6


def test_the_process_is_bound(decoder: Decoder) -> None:
    assert small(decoder)
    lines = Path(f"/proc/{decoder.pid}/limits").read_text().splitlines()
    limits = {line[:26].strip(): line[26:].split()[:2] for line in lines}
    assert limits["Max core file size"] == ["0", "0"]
    assert limits["Max address space"] == ["2000000000", "2000000000"]
    assert limits["Max open files"] == ["3", "3"]
    assert int(limits["Max cpu time"][0]) in range(20, 40)
    environment = Path(f"/proc/{decoder.pid}/environ").read_bytes()
    assert b"HOME=" not in environment and len(os.listdir(f"/proc/{decoder.pid}/fd")) == 3


DAMAGE: dict[str, Callable[[], bytes]] = {
    "no bytes": lambda: b"",
    "text": lambda: b"Dear referee, the photo is attached.\n" * 40,
    "another kind": lambda: b"GIF89a" + bytes(100),
    "wrong magic": lambda: b"\x89PNG\r\n\x1a\n" + encoded()[8:],
    "truncated JPEG": lambda: encoded()[:9000],
    "truncated PNG": lambda: encoded("PNG")[:9000],
    "header only": lambda: encoded()[:200],
    "huge by its header": lambda: png(60_000, 60_000, zlib.compress(bytes(1000))),
    "too small": lambda: encoded(size=(320, 240)),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_gets_the_photo_doors_own_sentence(kind: str, decoder: Decoder) -> None:
    data = DAMAGE[kind]()
    restarts = decoder.restarts
    with pytest.raises(PhotoError) as truth:
        open_photo(data, name="table.jpg")
    with pytest.raises(RefusedError) as caught:
        decoder.decode(data, "table.jpg")
    assert str(caught.value) == str(truth.value)
    assert decoder.restarts == restarts and small(decoder)


def test_many_damaged_files_harm_nothing(decoder: Decoder) -> None:
    spec = importlib.util.spec_from_file_location("fuzz_uploads", ROOT / "scripts" / "fuzz_uploads.py")
    assert small(decoder) and spec is not None and spec.loader is not None
    fuzz = importlib.util.module_from_spec(spec)  # which sends 10,000 such files through the whole server
    spec.loader.exec_module(fuzz)
    seeds = [encoded(kind, (648, 40), exif=private_exif()) for kind in ("JPEG", "PNG", "WEBP")]
    seeds.append(encoded("JPEG", (648, 40), progressive=True))
    rng = np.random.default_rng(20)
    before, restarts, pid = descriptors(), decoder.restarts, decoder.pid
    refused = 0
    for _ in range(200):
        try:
            image = decoder.decode(fuzz.damage(rng, seeds), "table.jpg").image
            assert max(image.shape) >= 640
        except RefusedError as error:
            refused += 1
            assert str(error).startswith("table.jpg ") and str(error).endswith(".")
    assert 50 < refused < 200
    assert (decoder.restarts, decoder.pid) == (restarts, pid) and descriptors() == before
    assert np.array_equal(decoder.decode(seeds[1], "x.png").image, open_photo(seeds[1]).image)


@pytest.mark.serial
@pytest.mark.parametrize(
    ("then", "status", "words"),
    [
        (lambda pid: os.kill(pid, signal.SIGKILL), 503, "ended by this machine over table.jpg"),
        (lambda pid: [os.kill(pid, sign) for sign in (signal.SIGSEGV, signal.SIGCONT)], 422, "table.jpg is damaged"),
        (lambda _: FiredTimer.last.function(), 422, "longer to decode than the 40 seconds"),
    ],
    ids=["killed", "crashed", "hanging"],
)
def test_what_ends_a_process_in_the_middle_costs_one_upload(
    decoder: Decoder, then: Callable[[int], None], status: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes.threading, "Timer", FiredTimer)
    restarts = decoder.restarts
    said = in_the_middle(decoder, encoded("PNG", (1600, 1200)), then)
    assert said.status == status and words in str(said)
    assert decoder.restarts == restarts + 1 and small(decoder)


class FiredTimer(threading.Timer):
    """A timer that never ends by itself."""

    last: FiredTimer

    def start(self) -> None:
        FiredTimer.last = self

    def join(self, timeout: float | None = None) -> None:
        """It runs in no thread."""


@pytest.mark.slow
def test_a_process_that_has_done_its_share_gives_way_to_a_fresh_one() -> None:
    before, running = descriptors(), children()
    decoder = Decoder(decode_photo, Limits(uploads=2))
    pids = []
    for sound in (True, False, True, True):
        decoder.start()
        pids.append(decoder.pid)
        if sound:
            assert small(decoder)
        else:
            with pytest.raises(RefusedError):
                decoder.decode(b"no picture", "x.jpg")
    assert pids[0] == pids[1] != pids[2] == pids[3] and decoder.restarts == 0
    decoder.close()
    assert descriptors() == before and children() == running


@pytest.mark.serial
@pytest.mark.parametrize(
    ("does", "status", "words"),
    [(b"works", 422, "longer to decode"), (b"grows", 413, "more memory to decode than the 1000 MB")],
)
def test_what_takes_too_much_is_cut_off(does: bytes, status: int, words: str) -> None:
    decoder = Decoder(apart_jobs.decodes, Limits(cpu_s=1, wall_s=BOUND_S, memory_bytes=1_000_000_000))
    with pytest.raises(DecodingError, match=words) as caught:
        decoder.decode(does, "hard.png")
    assert caught.value.status == status and decoder.restarts == 1 and small(decoder)
    decoder.close()


def test_many_at_once_take_turns_also_where_the_process_was_killed_before(decoder: Decoder) -> None:
    assert small(decoder) and decoder.pid is not None
    os.kill(decoder.pid, signal.SIGKILL)
    wait_for_end(decoder.pid)
    pictures = [encoded("PNG", (640 + i, 64)) for i in range(6)]
    seen = all_at_once([partial(decoder.decode, picture, "x.png") for picture in pictures])
    assert [one.image.shape[1] for one in seen if isinstance(one, Picture)] == [640 + i for i in range(6)]


@pytest.mark.serial
def test_no_process_and_no_descriptor_stays() -> None:
    before, running = descriptors(), children()
    decoder = Decoder(decode_photo)
    decoder.close()
    decoder.start()
    in_the_middle(decoder, encoded(), lambda pid: os.kill(pid, signal.SIGKILL))
    assert small(decoder) and len(children() - running) == 1
    decoder.close()
    with pytest.raises(DecodingError, match="being stopped"):
        decoder.decode(encoded(), "late.jpg")
    forgotten = Decoder(decode_photo)
    forgotten.start()
    assert children() != running
    del forgotten
    assert descriptors() == before and children() == running


@pytest.mark.serial
def test_the_server_answers_a_dead_process_with_a_problem_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = tmp_path / "spool"
    spool.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spool))  # where uploads of a megabyte lie while they stream in
    engine = Program()
    client = Client(tmp_path / "data", engine)
    begun = client.begin()
    running = children()

    def sent(name: str, data: bytes) -> Coroutine[Any, Any, httpx.Response]:
        return client.ask("POST", f"/api/tables/{begun['table']}/photos", files={"photo": (name, data)})

    async def evening() -> tuple[str, str]:
        async with client.app.router.lifespan_context(client.app):
            assert "marker" in refusal(await sent("bare.png", encoded("PNG")))
            assert engine.decoder.pid is not None
            os.kill(engine.decoder.pid, signal.SIGSTOP)
            with noted_sending() as sending:
                upload = asyncio.create_task(sent("table.jpg", encoded("PNG")))
                assert await asyncio.to_thread(sending.wait, BOUND_S)
            assert (await client.ask("GET", f"/api/games/{begun['id']}")).status_code == 200  # while the photo hangs
            os.kill(engine.decoder.pid, signal.SIGKILL)
            lost = await upload
            again = await sent("table.jpg", DAMAGE["truncated JPEG"]())
            return refusal(lost), refusal(again)

    lost, again = asyncio.run(evening())
    assert "was ended by this machine over table.jpg" in lost
    assert "cut short" in again
    assert children() == running
    assert list(spool.iterdir()) == [] and list((tmp_path / "data" / "photos").iterdir()) == []


def test_the_process_ends_with_a_server_that_is_killed() -> None:
    code = (
        "import signal\nfrom api.photos.decoding import Decoder\nfrom api.app.looks import decode_photo\n"
        "one = Decoder(decode_photo)\none.start()\nprint(one.pid, flush=True)\nsignal.pause()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        server.kill()
    wait_for_end(pid)
