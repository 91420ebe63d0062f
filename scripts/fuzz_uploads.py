"""Send a server damaged photos by the thousand: ``python scripts/fuzz_uploads.py --files 10000``.

Each file is a small photo (JPEG, progressive JPEG, MPO, PNG of three kinds, WEBP) with bytes changed, cut out,
doubled or moved; the same files for the same seed. They go through the whole server, from the form to the
picture in its memory; the search for frame markers, which takes a second for each, is left out. Every answer must be a
refusal with a sentence; afterwards the bundled photo must be read as usual. Prints as JSON the answers, memory
before (after a tenth of the files, at most 200) and after, descriptors, processes, files left and restarts of the
process that decodes; exit status 1 if anything is wrong. The picture libraries' messages about each damaged file go to
the standard error.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import sys
import tempfile
import time
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from PIL import Image

from api.app.application import create_app
from api.app.program import Program
from api.engine import PhotoToRead, Reading
from api.settings import Settings
from vision.model.errors import PhotoError

DEMO = resources.files("tabletop") / "data" / "demo"
WHOLE = "demo.jpg"
MOST_GROWTH = 60_000_000  # bytes: more is a leak


class Opening(Program):
    """The program, except that it only opens a damaged file that is still a picture."""

    def read_photo(self, asked: PhotoToRead) -> Reading:
        if asked.name == WHOLE:
            return super().read_photo(asked)
        width, height = self.photo(asked.data, asked.name).size
        raise PhotoError(f"{asked.name} came through with {width} x {height} pixels.")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        spool, data = Path(folder) / "spool", Path(folder) / "data"
        spool.mkdir()
        tempfile.tempdir = str(spool)
        report = asyncio.run(fuzz_server(data, asked.files, asked.seed, asked.seconds))
        tempfile.tempdir = None
        left = [str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file()]
    report["files_left"] = len([path for path in left if not path.startswith("data/tabletop.sqlite")])
    report["processes_left"] = children()
    faults = report["faults"]
    if report["files_left"] != 3:
        faults.append("files are left besides the three pictures of the bundled photo")
    if report["processes_left"]:
        faults.append("a process is left")
    print(json.dumps(report, indent=2))
    return 1 if faults else 0


async def fuzz_server(data: Path, files: int, seed: int, seconds: float) -> dict[str, Any]:
    """Send the files, one after the other."""
    engine = Opening()
    often = 1_000_000_000  # this one device sends as fast as it can
    limits: dict[str, Any] = {"photos_a_minute": often, "reads_a_minute": often, "writes_a_minute": often}
    app = create_app(Settings(data, **limits), engine)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    answers: Counter[str] = Counter()
    faults: list[str] = []
    before: dict[str, Any] = {}
    settled = min(200, max(files // 10, 1))
    start, sent = time.monotonic(), 0
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000", timeout=None) as client,
    ):
        welcome = {"token": app.state.services.welcome().token, "label": "The fuzz"}
        (await client.post("/api/join", json=welcome)).raise_for_status()
        table_file = (DEMO / "demo.table.toml").read_text(encoding="utf-8")
        wish = {"id": "begin-fuzzed", "table_file": table_file, "rules": "measure"}
        begun = (await client.post("/api/games", json=wish)).json()
        path = f"/api/tables/{begun['table']}/photos"
        seeds = photos()
        for number in range(files):
            if time.monotonic() - start > seconds:
                break
            upload = damage(np.random.default_rng((seed, number)), seeds)
            answer = await client.post(path, files={"photo": ("table.jpg", upload)})
            sent += 1
            said = answer.json()
            state = said.get("state", "refused")
            answers[f"{answer.status_code} {state} {kind_of(said['detail'])}"] += 1
            if state not in ("refused", "failed") or answer.status_code >= 500 or not said["detail"].endswith("."):
                faults.append(f"file {number}: {answer.status_code} {answer.text[:200]}")
            if sent == settled:
                before = measure(engine)
        spent = time.monotonic() - start
        after = measure(engine)
        if (await client.get(f"/api/games/{begun['id']}/photo")).json()["map_url"] is not None:
            faults.append("a photo was accepted for the table")
        whole = await client.post(path, files={"photo": (WHOLE, (DEMO / WHOLE).read_bytes())})
        if whole.status_code != 202 or whole.json()["state"] != "done":
            faults.append(f"the bundled photo is refused: {whole.text[:200]}")
    faults += [
        f"{name} grew from {before[name]} to {after[name]}"
        for name, most in (("server_bytes", MOST_GROWTH), ("decoder_bytes", MOST_GROWTH), ("descriptors", 0))
        if before and after[name] - before[name] > most
    ]
    return {
        "files": sent,
        "seed": seed,
        "seconds": round(spent, 1),
        "answers": dict(answers.most_common()),
        f"after_{settled}": before,
        "at_the_end": after,
        "restarts": engine.decoder.restarts,
        "faults": faults,
    }


def photos() -> list[bytes]:
    """The bundled photo, small, as every kind of file that is taken."""
    with Image.open(io.BytesIO((DEMO / "demo.jpg").read_bytes())) as photo:
        exif = photo.getexif()
        small = photo.convert("RGB").resize((648, 486))
    exif.get_ifd(0x8825)[2] = (51.0, 28.0, 40.0)
    kinds: list[tuple[str, Image.Image, dict[str, Any]]] = [
        ("JPEG", small, {"exif": exif}),
        ("JPEG", small, {"progressive": True, "exif": exif}),
        ("JPEG", small.convert("L"), {}),
        ("JPEG", small.convert("CMYK"), {}),
        ("MPO", small, {"save_all": True, "append_images": [small.resize((80, 60))], "exif": exif}),
        ("PNG", small, {"exif": exif}),
        ("PNG", small.quantize(64), {}),
        ("PNG", small.convert("RGBA"), {}),
        ("WEBP", small, {"exif": exif}),
        ("WEBP", small, {"save_all": True, "append_images": [small.rotate(180)], "duration": 100}),
    ]
    files = []
    for kind, picture, more in kinds:
        out = io.BytesIO()
        picture.save(out, kind, **more)
        files.append(out.getvalue())
    return files


def damage(random: np.random.Generator, sound: list[bytes]) -> bytes:
    """One of the files with one to three damages, more of them near its beginning, where its header is."""
    data = bytearray(sound[random.integers(len(sound))])
    for _ in range(random.integers(1, 4)):
        at, end = sorted(random.integers(0, max(len(data), 1), 2))
        near = min(int(random.exponential(60)), max(len(data) - 1, 0))
        match int(random.integers(7)):
            case 0:
                data = data[:end]
            case 1 if data:
                data[near] = int(random.integers(256))
            case 2 if data:
                for place in random.integers(0, len(data), random.integers(1, 40)):
                    data[place] ^= 1 << int(random.integers(8))
            case 3:
                del data[at : min(end, at + 400)]
            case 4:
                data[at:at] = data[near : near + 300]
            case 5:
                data[at:end] = bytes(end - at)
            case _:
                data[near : near + 4] = random.bytes(4)
    return bytes(data)


def kind_of(sentence: str) -> str:
    """A refusal without the numbers of its file."""
    for words in (
        "came through",
        "cut short, its",
        "damaged or cut",
        "not a picture",
        "pixels",
        "empty",
        "memory",
        "longer",
    ):
        if words in sentence:
            return words
    return sentence[:60]


def measure(engine: Program) -> dict[str, Any]:
    """Memory of the server and of the process that decodes, in bytes; open descriptors and processes of the server."""
    return {
        "server_bytes": resident("self"),
        "decoder_bytes": resident(str(engine.decoder.pid)),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "processes": children(),
    }


def resident(pid: str) -> int:
    """Bytes of a process in memory."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def children() -> int:
    """Processes that this one has started, including dead ones that were not waited for."""
    return sum(len((task / "children").read_text().split()) for task in Path("/proc/self/task").iterdir())


if __name__ == "__main__":
    sys.exit(main())
