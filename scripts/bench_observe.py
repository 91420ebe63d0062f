"""How long the stages of `tabletop observe` take, beside a bare decode of the same photo and OpenCV's `detectMarkers`
on it.

    python scripts/bench_observe.py PHOTO [PHOTO ...] [--rounds 5]

PHOTO.table.toml is beside each photo. In every round each photo is decoded, searched for markers and observed, one
after the other, so that a busy moment of the machine meets all three. Printed are medians over the rounds, of wall time
and of processor time (all threads), in seconds and in units of the two bare calls together: that ratio can be compared
between machines. Stages run beside one another, so a stage's processor time includes that of parallel stages.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from tabletop.referee.judging import expected_from, load_for_photo
from vision.imaging.photo import Photo, open_photo
from vision.pipeline.one_photo import observe

BARE = "decode and detectMarkers, bare"
WHOLE = "observed"


@dataclass(frozen=True)
class Spent:
    """Wall and processor time, seconds."""

    wall_s: float
    cpu_s: float


def spent_on(work: Callable[[], object]) -> Spent:
    """The time that a piece of work takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Spent(time.perf_counter() - wall, time.process_time() - cpu)


def decode_and_detect(path: Path, dictionary: int) -> None:
    """The least that any reader of marked photos does."""
    gray = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_GRAYSCALE)
    cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary)).detectMarkers(gray)


def stages_of(photo: Photo, table: Path) -> dict[str, Spent]:
    """Every stage of one observation, and the whole."""
    marks: list[tuple[str, float, float]] = []
    expected = expected_from(load_for_photo(table))

    def begins(name: str) -> None:
        marks.append((name, time.perf_counter(), time.process_time()))

    observe(photo, expected, progress=begins)
    begins("")
    out: dict[str, Spent] = {}
    for (name, wall, cpu), (_, next_wall, next_cpu) in pairwise(marks):
        out[name] = Spent(next_wall - wall, next_cpu - cpu)
    out[WHOLE] = Spent(marks[-1][1] - marks[0][1], marks[-1][2] - marks[0][2])
    return out


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    tables = [path.with_suffix(".table.toml") for path in given.photos]
    rows: list[dict[str, list[Spent]]] = [{} for _ in given.photos]
    for turn in range(given.rounds + 1):  # the first round warms up
        for path, table, row in zip(given.photos, tables, rows, strict=True):
            bare = spent_on(lambda path=path: decode_and_detect(path, cv2.aruco.DICT_4X4_100))  # type: ignore[misc]
            for name, spent in {BARE: bare, **stages_of(open_photo(path), table)}.items():
                if turn:
                    row.setdefault(name, []).append(spent)
    for path, row in zip(given.photos, rows, strict=True):
        unit = {kind: statistics.median(getattr(s, kind) for s in row[BARE]) for kind in ("wall_s", "cpu_s")}
        print(f"{path.name:38}{'wall s':>9}{'ratio':>8}{'cpu s':>9}{'ratio':>8}")
        for name, several in row.items():
            middle = [statistics.median(getattr(s, kind) for s in several) for kind in unit]
            shown = "".join(f"{m:9.2f}{m / unit[kind]:8.1f}" for m, kind in zip(middle, unit, strict=True))
            print(f"  {name:36}{shown}")


if __name__ == "__main__":
    main()
