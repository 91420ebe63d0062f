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
import time
import types
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from api.app.program import Program, decode_photo
from api.photos.decoding import Decoder, DecodingError, Limits, RefusedError
from tests.paths import ROOT
from tests.support.api_support import Client, refusal
from vision.imaging.photo import open_photo
from vision.model.errors import PhotoError

DEMO = ROOT / "tabletop" / "data" / "demo"
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


@cache
def large(width: int, height: int) -> bytes:
    """A whole PNG of a few hundred kilobytes that takes three bytes a pixel to decode."""
    packer, line = zlib.compressobj(1), bytes(1 + 3 * width)
    return png(width, height, b"".join(packer.compress(line) for _ in range(height)) + packer.flush())


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


def in_the_middle(decoder: Decoder, data: bytes, then: Callable[[int], None]) -> DecodingError:
    """What an upload is told when something is done to the process while that holds it."""
    assert small(decoder) and decoder.pid is not None
    pid, said = decoder.pid, []
    os.kill(pid, signal.SIGSTOP)

    def upload() -> None:
        with pytest.raises(DecodingError) as caught:
            decoder.decode(data, "table.jpg")
        said.append(caught.value)

    thread = threading.Thread(target=upload)
    thread.start()
    time.sleep(0.05)
    then(pid)
    thread.join(20)
    assert not thread.is_alive() and decoder.pid != pid
    return said[0]


# --- what comes through ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "MPO"])
def test_the_process_sees_what_the_photo_door_sees(kind: str, decoder: Decoder) -> None:
    more = {"save_all": True, "append_images": [Image.new("L", (80, 60))]} if kind == "MPO" else {}
    data = encoded(kind, exif=private_exif(), **more)
    seen, truth = decoder.decode(data, "x.jpg"), open_photo(data)
    assert np.array_equal(seen.image, truth.image) and seen.image.shape == (800, 600, 3)
    assert (seen.focal_35mm, seen.model, seen.taken) == (truth.focal_35mm, "a phone", truth.taken)
    assert seen.orientation == truth.orientation == 6


def test_an_animation_gives_its_first_frame(decoder: Decoder) -> None:
    frames = [Image.new("RGB", (800, 600), "white")]
    data = encoded("WEBP", save_all=True, append_images=frames, duration=100)
    assert np.array_equal(decoder.decode(data, "x.webp").image, open_photo(data).image)


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


@pytest.mark.slow
def test_nothing_kept_of_a_photo_has_its_place_or_owner(tmp_path: Path) -> None:
    plain = (DEMO / "demo.jpg").read_bytes()
    block = Image.Exif()
    block.load(private_exif())
    block[0x0112] = 1
    body = b"Exif\0\0" + block.tobytes().removeprefix(b"Exif\0\0")
    photo = plain[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + plain[2:]
    marks = (OWNER, PLACE, b"Exif\0\0", b"GPS")
    with Image.open(io.BytesIO(photo)) as picture:
        assert picture.getexif().get_ifd(0x8825)[28] == PLACE
    assert all(mark in photo for mark in marks[:3])
    client = Client(tmp_path, Program())
    begun = client.begin((DEMO / "demo.table.toml").read_text())
    client.photo(begun, photo)
    client.engine.close()
    answer = client("GET", f"/api/games/{begun['id']}/look")
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert sum(path.suffix == ".jpg" for path in kept) == 3
    for path in kept:
        data = path.read_bytes()
        assert not [mark for mark in marks if mark in data], path
        if path.suffix == ".jpg":
            with Image.open(path) as picture:
                assert len(picture.getexif()) == 0 and set(picture.info) <= {
                    "jfif", "jfif_version", "jfif_unit", "jfif_density",
                }  # fmt: skip
    assert not [mark for mark in marks if mark in answer.content]


# --- damage ------------------------------------------------------------------------------------------------------

DAMAGE: dict[str, Callable[[], bytes]] = {
    "no bytes": lambda: b"",
    "text": lambda: b"Dear referee, the photo is attached.\n" * 40,
    "zeros": lambda: bytes(5000),
    "another kind": lambda: b"GIF89a" + bytes(100),
    "wrong magic": lambda: b"\x89PNG\r\n\x1a\n" + encoded()[8:],
    "truncated JPEG": lambda: encoded()[:9000],
    "truncated PNG": lambda: encoded("PNG")[:9000],
    "truncated WEBP": lambda: encoded("WEBP")[:9000],
    "header only": lambda: encoded()[:200],
    "second half": lambda: encoded()[9000:],
    "zeros at the end": lambda: encoded()[:9000] + bytes(9000),
    "huge by its header": lambda: png(60_000, 60_000, zlib.compress(bytes(1000))),
    "above the limit": lambda: png(11_000, 11_000, zlib.compress(bytes(1000))),
    "a bomb": lambda: large(12_000, 10_100),
    "too small": lambda: encoded(size=(320, 240)),
}


@pytest.mark.slow
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


@cache
def fuzz() -> types.ModuleType:
    """scripts/fuzz_uploads.py, which sends 10,000 such files through the whole server."""
    spec = importlib.util.spec_from_file_location("fuzz_uploads", ROOT / "scripts" / "fuzz_uploads.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_hundreds_of_damaged_files_harm_nothing(decoder: Decoder) -> None:
    assert small(decoder)
    seeds = [encoded(kind, (648, 40), exif=private_exif()) for kind in ("JPEG", "PNG", "WEBP")]
    seeds.append(encoded("JPEG", (648, 40), progressive=True))
    rng = np.random.default_rng(20)
    before, restarts, pid = descriptors(), decoder.restarts, decoder.pid
    refused = 0
    for _ in range(400):
        data = fuzz().damage(rng, seeds)
        try:
            image = decoder.decode(data, "table.jpg").image
            assert max(image.shape) >= 640
        except RefusedError as error:
            refused += 1
            assert str(error).startswith("table.jpg ") and str(error).endswith(".")
    assert 100 < refused < 400
    assert (decoder.restarts, decoder.pid) == (restarts, pid) and descriptors() == before
    assert np.array_equal(decoder.decode(seeds[1], "x.png").image, open_photo(seeds[1]).image)


# --- a process that ends -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_process_killed_in_the_middle_costs_one_upload(decoder: Decoder) -> None:
    restarts = decoder.restarts
    said = in_the_middle(decoder, encoded("PNG", (1600, 1200)), lambda pid: os.kill(pid, signal.SIGKILL))
    assert said.status == 503 and "ended by this machine over table.jpg" in str(said)
    assert decoder.restarts == restarts + 1 and small(decoder)


@pytest.mark.slow
def test_a_crash_costs_one_upload(decoder: Decoder) -> None:
    def crash(pid: int) -> None:
        os.kill(pid, signal.SIGSEGV)
        os.kill(pid, signal.SIGCONT)

    said = in_the_middle(decoder, encoded(), crash)
    assert said.status == 422 and "damaged" in str(said) and small(decoder)


@pytest.mark.slow
def test_a_process_killed_between_uploads_costs_nothing(decoder: Decoder) -> None:
    assert small(decoder) and decoder.pid is not None
    os.kill(decoder.pid, signal.SIGKILL)
    while Path(f"/proc/{decoder.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
        time.sleep(0.01)
    assert small(decoder)


@pytest.mark.slow
def test_a_process_that_has_done_its_share_gives_way_to_a_fresh_one() -> None:
    before, running = descriptors(), children()
    decoder = Decoder(decode_photo, Limits(uploads=2))
    pids = []
    for data in (encoded(), b"no picture", encoded(), encoded()):
        decoder.start()
        pids.append(decoder.pid)
        if data == b"no picture":
            with pytest.raises(RefusedError):
                decoder.decode(data, "x.jpg")
        else:
            assert decoder.decode(data, "x.jpg").image.shape == (600, 800, 3)
    assert pids[0] == pids[1] != pids[2] == pids[3] and decoder.restarts == 0
    decoder.close()
    assert descriptors() == before and children() == running


@pytest.mark.slow
def test_a_hang_is_cut_off() -> None:
    decoder = Decoder(decode_photo, Limits(wall_s=0.4))
    started = time.monotonic()
    said = in_the_middle(decoder, encoded(), lambda _pid: None)
    assert said.status == 422 and "longer to decode than the 0.4 seconds" in str(said)
    assert time.monotonic() - started < 15 and small(decoder)
    decoder.close()


@pytest.mark.slow
def test_work_without_end_is_cut_off() -> None:
    decoder = Decoder(decode_photo, Limits(cpu_s=0, max_pixels=100_000_000))
    hard = large(9900, 9900)
    with pytest.raises(DecodingError, match="longer to decode") as caught:
        for _ in range(9):  # the limit is in whole seconds
            decoder.decode(hard, "hard.png")
    assert caught.value.status == 422
    decoder.close()


@pytest.mark.slow
def test_a_picture_that_takes_too_much_memory_is_refused_with_the_number() -> None:
    decoder = Decoder(decode_photo, Limits(memory_bytes=600_000_000))
    assert small(decoder)
    with pytest.raises(DecodingError, match="more memory to decode than the 600 MB") as caught:
        decoder.decode(large(10_000, 9_000), "large.png")
    assert caught.value.status == 413
    assert small(decoder) and decoder.restarts == 1
    decoder.close()


def test_many_at_once_take_turns(decoder: Decoder) -> None:
    pictures = [encoded("PNG", (640 + i, 64)) for i in range(6)]
    widths = [0] * len(pictures)

    def upload(i: int) -> None:
        widths[i] = decoder.decode(pictures[i], "x.png").image.shape[1]

    threads = [threading.Thread(target=upload, args=(i,)) for i in range(len(pictures))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert widths == [640 + i for i in range(6)]


@pytest.mark.slow
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


# --- through the server ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_server_answers_a_dead_process_with_a_problem_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = tmp_path / "spool"
    spool.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spool))  # where uploads of a megabyte lie while they stream in
    engine = Program()
    client = Client(tmp_path / "data", engine)
    running = children()
    begun = client.begin()
    path = f"/api/tables/{begun['table']}/photos"

    async def evening() -> tuple[str, str]:
        async with client.app.router.lifespan_context(client.app):
            bare = await client.ask("POST", path, files={"photo": ("bare.png", encoded("PNG"))})
            assert "marker" in refusal(bare)
            assert engine.decoder.pid is not None
            os.kill(engine.decoder.pid, signal.SIGSTOP)
            upload = asyncio.create_task(client.ask("POST", path, files={"photo": ("table.jpg", encoded("PNG"))}))
            await asyncio.sleep(0.2)
            assert (await client.ask("GET", f"/api/games/{begun['id']}")).status_code == 200  # while the photo hangs
            os.kill(engine.decoder.pid, signal.SIGKILL)
            lost = await upload
            again = await client.ask("POST", path, files={"photo": ("table.jpg", DAMAGE["truncated JPEG"]())})
            return refusal(lost), refusal(again)

    lost, again = asyncio.run(evening())
    assert "was ended by this machine over table.jpg" in lost
    assert "cut short" in again
    assert children() == running
    assert list(spool.iterdir()) == [] and list((tmp_path / "data" / "photos").iterdir()) == []


@pytest.mark.slow
def test_the_process_ends_with_a_server_that_is_killed() -> None:
    code = (
        "import time\nfrom api.photos.decoding import Decoder\nfrom api.app.program import decode_photo\n"
        "one = Decoder(decode_photo)\none.start()\nprint(one.pid, flush=True)\ntime.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        server.kill()
    until = time.monotonic() + 20
    stat = Path(f"/proc/{pid}/stat")
    while alive(stat) and time.monotonic() < until:
        time.sleep(0.05)
    assert not alive(stat)


def alive(stat: Path) -> bool:
    """Whether a process runs; a dead one may wait for the machine's first process to notice."""
    try:
        return stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
