"""Measure outlines of terrain that are drawn by hand, by simulated fingers on labelled photographs of real tables.

    python scripts/evaluate_outlines.py PHOTOS LABELS.json [LABELS.json ...] [--tuned rach] [--rounds 8] [--page PAGE]

PHOTOS is a folder with the photographs; LABELS.json map a name to its ``file``, ``camera_pitch_degrees`` and
``terrain`` (``kind`` and ``polygon`` in pixels: the foot). Prints a Markdown table, or writes it into PAGE. A finger
draws each foot from outside, at a margin in shares of the piece's size (half the diagonal of the box about it), with
smooth jitter: *steady* 8 % outside with 3 to 5 % jitter, *mixed* 0 to 16 % outside with 3 to 8 %, *loose* 14 % outside.
One correction is a tap in the middle of the worst place. A name starts with its source and ``_``; those of ``--tuned``
were used when the settings of the outlines were chosen.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt
import shapely
from pages import write_between

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from vision.imaging.photo import open_photo  # noqa: E402
from vision.model.drawing_margin import USUAL_MARGIN, DrawingMargin  # noqa: E402
from vision.model.errors import PhotoError  # noqa: E402
from vision.terrain.finger_outlines import foot_on_photo, size_of  # noqa: E402
from vision.terrain.taps import Fix  # noqa: E402
from vision.terrain.tracing import Array, iou, largest, resample_line  # noqa: E402

STRAIGHT_DOWN_DEG = 75.0
JITTER_LENGTH = 0.1
"""Shares of the piece's size along which a finger's error stays alike."""


@dataclass(frozen=True)
class Finger:
    """How a simulated player draws: ranges of the margin and of the jitter, in shares of the piece's size."""

    name: str
    margin: tuple[float, float]
    jitter: tuple[float, float]


STEADY = Finger("steady", (0.08, 0.08), (0.03, 0.05))
MIXED = Finger("mixed", (0.0, 0.16), (0.03, 0.08))
LOOSE = Finger("loose", (0.14, 0.14), (0.03, 0.05))


@dataclass(frozen=True, eq=False)
class LabelledPiece:
    """A piece of terrain with its labelled ``foot`` in pixels of the photo; ``up``: which way things rise there."""

    photo: str
    kind: str
    foot: shapely.Polygon
    up: tuple[float, float]

    @property
    def source(self) -> str:
        """The photographer: the start of the name."""
        return self.photo.partition("_")[0]


Way = Callable[[LabelledPiece, Array, "npt.NDArray[np.uint8]"], shapely.Polygon]


def read_pieces(files: Sequence[Path]) -> tuple[list[LabelledPiece], dict[str, str]]:
    """All labelled pieces, and the file of each photograph by its name."""
    pieces, photos = [], {}
    for file in files:
        for name, label in json.loads(file.read_text(encoding="utf-8")).items():
            if label["terrain"]:
                photos[name] = label["file"]
            up = (0.0, 0.0) if label.get("camera_pitch_degrees", 45) > STRAIGHT_DOWN_DEG else (0.0, -1.0)
            for piece in label["terrain"]:
                foot = largest(shapely.make_valid(shapely.Polygon(piece["polygon"])))
                if foot is not None:
                    pieces.append(LabelledPiece(name, piece["kind"], foot, up))
    return pieces, photos


def draw_line(foot: shapely.Polygon, finger: Finger, rng: np.random.Generator) -> tuple[Array, float]:
    """A line (n, 2) that a finger draws around a foot, and its margin."""
    size = size_of(shapely.get_coordinates(foot))
    margin = float(rng.uniform(*finger.margin))
    around = largest(foot.buffer(margin * size)) or foot
    ring = resample_line(shapely.get_coordinates(around.exterior)[:-1], around.length / 64, is_ring=True)
    noise = rng.normal(size=(len(ring), 2)) @ np.array([1, 1j])
    length = JITTER_LENGTH * size * len(ring) / around.length
    keep = np.exp(-0.5 * (2 * np.pi * np.fft.fftfreq(len(ring)) * length) ** 2)
    smooth = np.fft.ifft(np.fft.fft(noise) * keep)
    smooth *= float(rng.uniform(*finger.jitter)) * size / np.sqrt(np.mean(np.abs(smooth) ** 2))
    return ring + np.stack([smooth.real, smooth.imag], axis=1), margin


def correcting_tap(foot: shapely.Polygon, found: shapely.Polygon) -> Fix | None:
    """A tap in the middle of the worst place of an outline; nothing where it is exact."""
    parts = [p for p in shapely.get_parts(foot.symmetric_difference(found)) if p.area > 0 and p.geom_type == "Polygon"]
    if not parts:
        return None
    circle = max((shapely.maximum_inscribed_circle(part) for part in parts), key=shapely.length)
    x, y = shapely.get_coordinates(circle)[0]
    return Fix((float(x), float(y)), bool(foot.contains(shapely.Point(x, y))))


def outline(
    piece: LabelledPiece,
    line: Array,
    image: npt.NDArray[np.uint8] | None,
    margin: DrawingMargin = USUAL_MARGIN,
    corrections: int = 0,
    margins: list[float] | None = None,
) -> shapely.Polygon:
    """The product's outline from a line after some corrections; ``margins``: takes the margin that these show."""
    fixes: list[Fix] = []
    while True:
        found = foot_on_photo(line, fixes, image, piece.up, margin)
        if found is None:
            return shapely.Polygon()
        tap = correcting_tap(piece.foot, found[0]) if len(fixes) < corrections else None
        if tap is None:
            if margins is not None and found[1] is not None:
                margins.append(found[1])
            return found[0]
        fixes.append(tap)


def as_drawn(piece: LabelledPiece, line: Array, image: npt.NDArray[np.uint8]) -> shapely.Polygon:
    """The line itself."""
    return largest(shapely.make_valid(shapely.Polygon(line))) or piece.foot


WAYS: dict[str, Way] = {
    "as drawn": as_drawn,
    "moved in by the usual margin": lambda piece, line, _: outline(piece, line, None),
    "with the photo's colours": outline,
    "and one correction": lambda piece, line, image: outline(piece, line, image, corrections=1),
}


def learned_margins(
    pieces: Sequence[LabelledPiece], images: dict[str, npt.NDArray[np.uint8]], finger: Finger, most: int = 8
) -> DrawingMargin:
    """What a player's first ``most`` lines teach, each corrected by one tap."""
    margin = USUAL_MARGIN
    rng = np.random.default_rng(2)
    for k in rng.permutation(len(pieces))[:most]:
        seen: list[float] = []
        line, _ = draw_line(pieces[k].foot, finger, rng)
        outline(pieces[k], line, images[pieces[k].photo], margin, 1, seen)
        margin = margin.learned_from(seen)
    return margin


Row = tuple[str, str, str, float]
"""Finger, way, source, intersection over union."""


def measure(
    pieces: Sequence[LabelledPiece], images: dict[str, npt.NDArray[np.uint8]], rounds: int
) -> Iterator[Row | float]:
    """Rows for every finger, way and piece, and the seconds that each outline with colours took."""
    learned = learned_margins(pieces, images, LOOSE)
    for finger in (STEADY, MIXED, LOOSE):
        ways = dict(WAYS)
        if finger is LOOSE:
            ways["with a margin learned from eight corrected lines"] = lambda p, line, i: outline(p, line, i, learned)
        for number, piece in enumerate(pieces):
            rng = np.random.default_rng([number, crc32(piece.photo.encode()), crc32(finger.name.encode())])
            for _ in range(rounds):
                line, _ = draw_line(piece.foot, finger, rng)
                for way, run in ways.items():
                    began = time.perf_counter()
                    found = run(piece, line, images[piece.photo])
                    if way == "with the photo's colours":
                        yield time.perf_counter() - began
                    yield finger.name, way, piece.source, iou(piece.foot, found)


def table_of(rows: Sequence[Row], tuned: set[str]) -> str:
    """The Markdown table: median and the worst tenth, on tuned sources and on others."""
    lines = [
        "| finger | outline | tuned on: median | 90 % have | mean | not tuned on: median | 90 % have | mean |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for finger, way in dict.fromkeys((row[0], row[1]) for row in rows):
        cells = []
        for known in (True, False):
            values = [r[3] for r in rows if r[:2] == (finger, way) and (r[2] in tuned) == known]
            told = (np.median(values), np.quantile(values, 0.1), np.mean(values)) if values else ()
            cells += [f"{value:.3f}" for value in told] or ["-"] * 3
        lines.append(f"| {finger} | {way} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path)
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--tuned", default="rach", help="sources that settings were chosen on, separated by commas")
    parser.add_argument("--rounds", type=int, default=8, help="lines drawn around each piece")
    parser.add_argument("--page", type=Path, help="write between the marks of this page")
    given = parser.parse_args()
    pieces, photos = read_pieces(given.labels)
    images = {}
    for name, file in photos.items():
        try:
            images[name] = open_photo(given.photos / file).image
        except PhotoError as refusal:
            print(f"Left out: {refusal}", file=sys.stderr)
    pieces = [piece for piece in pieces if piece.photo in images]
    tuned = set(given.tuned.split(","))
    seconds: list[float] = []
    rows: list[Row] = []
    for row in measure(pieces, images, given.rounds):
        if isinstance(row, float):
            seconds.append(row)
        else:
            rows.append(row)
    counts: dict[str, Any] = {s: sum(p.source == s for p in pieces) for s in sorted({p.source for p in pieces})}
    told = ", ".join(f"{source} {n}{' (tuned on)' if source in tuned else ''}" for source, n in counts.items())
    total = f"{len(pieces)} pieces on {len(images)} photographs, {given.rounds} lines each: {told}."
    tables = f"{total}\n\n{table_of(rows, tuned)}\n"
    if given.page:
        write_between(given.page, "outlines by hand", tables)
    else:
        print(tables)
    print(
        f"One outline with colours: median {np.median(seconds):.3f} s, at most {np.max(seconds):.3f} s.",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
