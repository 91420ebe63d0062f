"""Score what is read of photographs of real tables against labels made by eye: the tables of docs/real-tables.md.

    python scripts/evaluate_real_tables.py PHOTOS LABELS.json [LABELS.json ...] [--only NAME,NAME] [--page PAGE]

PHOTOS is a folder with the photographs. Each is read as a newcomer without printed markers would have it read: the
corners of the labelled window are named (``run_window_inches``, ``run_corners``), that window is the table, and the
roster has round black and brown bases. Labels without a window are not read, and say why (``no_rectangle``). Labels are
compared on the table's plane, by the camera that the observation states. Photographs of one table also are read one
after the other, the second with the observation of the first. Where the corners of the whole mat or board are known,
the first guess at them is compared too, by what the picture shows of both. Prints Markdown, or writes it into PAGE.

A piece *answers* a label where their intersection over union is 0.3 or more, or where half of the smaller is in the
larger and that is 15 % of the larger or more. It is *sure* with a confidence of 0.95 or without a question about it,
and *asked* otherwise. Only the clearest pieces have labels: some pieces and bases near no label are real. Labels of
kinds that no net reads are neither right nor wrong nor missed; what answers one is no piece without a label. Bases are
matched one to one, nearest first, up to 0.6 inch or half a base away.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import shapely
from pages import write_between

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from calibration import CalibrationError  # noqa: E402
from calibration.named_corners import NamedCorners  # noqa: E402
from tabletop.referee.judging import PhotoOptions, observe  # noqa: E402
from tabletop.tables.model import DRAWN_KINDS, TableFile  # noqa: E402
from tabletop.tables.tablefile import parse_table  # noqa: E402
from vision import VisionError  # noqa: E402
from vision.imaging.photo import open_photo  # noqa: E402
from vision.model.observation import Observation  # noqa: E402
from vision.table_pose.naming import naming_aid  # noqa: E402

ROSTER = """
sides = [{ id = "a", rim = "#161616" }, { id = "b", rim = "#3a2f22" }]
[[units]]
id = "guard"
side = "a"
kind = "infantry"
bases = 10
base = { shape = "round", diameter = 1.26, height = 0.13 }
[[units]]
id = "horde"
side = "b"
kind = "infantry"
bases = 10
base = { shape = "round", diameter = 1.0, height = 0.13 }
[[units]]
id = "wagon"
side = "b"
kind = "vehicle"
bases = 2
base = { shape = "rect", width = 2.0, depth = 3.0, height = 0.13 }
"""
TUNING = ("gitz", "jack")
"""Sources that thresholds may be chosen on; figures are reported on the others."""
PAIRS = (("jack_670", "jack_672"), ("jack_664", "jack_668"), ("gitz_013", "gitz_014"))
RIGHT_GUESS, NEAR_PX = 0.9, 5.0
"""A guess is right from this overlap in the picture, its corners in order; corners so far outside are in view."""
SURE, SURE_BASE, LEAST_IOU = 0.95, 0.96, 0.3
COLUMNS = {
    "photos": "photos",
    "refused": "refused",
    "pieces": "pieces labelled",
    "sure right": "sure and right",
    "sure wrong": "sure and wrong",
    "sure unlabelled": "sure, no label there",
    "asked right": "asked, right first",
    "asked wrong": "asked, wrong first",
    "asked unlabelled": "asked, no label there",
    "missed": "missed",
    "bases": "bases labelled",
    "bases found": "found",
    "sure bases": "sure bases, no label there",
}


@dataclass
class Score:
    """Counts by the keys of COLUMNS, and overlaps of pieces of the right kind; scores can be added up."""

    counts: Counter[str] = field(default_factory=Counter)
    ious: list[float] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Take another score in."""
        self.counts.update(other.counts)
        self.ious += other.ious

    def row(self, name: str) -> str:
        """A row of the table."""
        asked = self.counts["questions"] / max(1, self.counts["photos"] - self.counts["refused"])
        iou = f"{np.median(self.ious):.2f}" if self.ious else "-"
        return f"| {name} | {' | '.join(str(self.counts[key]) for key in COLUMNS)} | {iou} | {asked:.1f} |"


HEAD = "\n".join(
    [
        f"| source | {' | '.join(COLUMNS.values())} | median overlap | questions a photo |",
        f"| --- |{' --- |' * (len(COLUMNS) + 2)}",
    ]
)


def overlap(piece: shapely.Geometry, label: shapely.Geometry) -> float:
    """Intersection over union of a piece that answers a label, 0 for one that does not."""
    both = piece.intersection(label).area
    iou = both / max(1e-9, piece.union(label).area)
    small, large = sorted((piece.area, label.area))
    return float(iou) if iou >= LEAST_IOU or (both >= 0.5 * small and both >= 0.15 * large) else 0.0


def is_read(kind: str) -> bool:
    """Whether a net reads that kind of terrain."""
    return kind != "other" and kind not in DRAWN_KINDS


def score_terrain(seen: Mapping[str, Any], labels: Sequence[tuple[str, shapely.Geometry]]) -> Score:
    """How labelled pieces were read, each with its kind and foot in inches."""
    score = Score()
    asked_about = {question.get("about") for question in seen["questions"]}
    answered = set()
    for piece in seen["terrain"]:
        shape = shapely.make_valid(shapely.Polygon(piece["polygon"]))
        manner = "sure" if piece.get("confidence", 1) >= SURE or piece["id"] not in asked_about else "asked"
        best, row = max(((overlap(shape, label), n) for n, (_, label) in enumerate(labels)), default=(0.0, -1))
        if best <= 0:
            score.counts[f"{manner} unlabelled"] += 1
            continue
        answered.add(row)
        kind = labels[row][0]
        if is_read(kind):
            is_right = kind == {"cornfield": "field"}.get(piece["kind"], piece["kind"])
            score.counts[f"{manner} {'right' if is_right else 'wrong'}"] += 1
            score.ious += [best] if is_right else []
    score.counts["missed"] = sum(is_read(kind) and n not in answered for n, (kind, _) in enumerate(labels))
    return score


def score_bases(seen: Mapping[str, Any], labels: Sequence[tuple[np.ndarray, float]]) -> Score:
    """How many labelled bases were found, each with its centre and diameter in inches."""
    found = seen["bases"]
    pairs = sorted(
        (float(np.linalg.norm(np.array(base["center"]) - center)), row, column, size)
        for row, (center, size) in enumerate(labels)
        for column, base in enumerate(found)
    )
    mine, theirs = set[int](), set[int]()
    for away, row, column, size in pairs:
        if row not in mine and column not in theirs and away <= max(0.6, size / 2):
            mine.add(row)
            theirs.add(column)
    sure = sum(base["confidence"] >= SURE_BASE for column, base in enumerate(found) if column not in theirs)
    return Score(Counter({"bases": len(labels), "bases found": len(mine), "sure bases": sure}))


def score_photo(observation: Observation, label: Mapping[str, Any]) -> Score:
    """A photo's observation beside its label; labels that are half outside the table are left out."""
    seen, view = observation.to_json(), observation.photos[0].view
    table = shapely.box(0, 0, *observation.table)
    pieces = []
    for piece in label["terrain"]:
        points = view.point_from_pixel(piece["polygon"], 0.0)
        if not np.all(np.isfinite(points)):
            continue
        whole = shapely.make_valid(shapely.Polygon(points))
        if table.intersection(whole).area >= 0.5 * whole.area:
            pieces.append((piece["kind"], table.intersection(whole)))
    bases = []
    for base in label["bases"]:
        (x, y), half = base["center"], base["half_axes"][0]
        center, left, right = view.point_from_pixel([(x, y), (x - half, y), (x + half, y)], 0.0)
        if table.contains(shapely.Point(center)):
            bases.append((center, float(np.linalg.norm(right - left))))
    score = Score(Counter(photos=1, pieces=sum(is_read(kind) for kind, _ in pieces), questions=len(seen["questions"])))
    score.add(score_terrain(seen, pieces))
    score.add(score_bases(seen, bases))
    return score


def missed(label: Mapping[str, Any]) -> Score:
    """The score of a photo that is refused."""
    pieces = sum(is_read(piece["kind"]) for piece in label["terrain"])
    return Score(Counter(photos=1, refused=1, pieces=pieces, missed=pieces, bases=len(label["bases"])))


def table_of(size: Sequence[float]) -> TableFile:
    """A table of that size with the newcomer's roster."""
    return parse_table(f'{ROSTER}[table]\nrules = "measure"\nwidth = {size[0]}\ndepth = {size[1]}\n')


def within(label: Mapping[str, Any], window: Sequence[float]) -> dict[str, Any]:
    """A label with a part of its window."""
    x0, y0, x1, y1 = label["run_window_inches"]
    whole = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float32)
    pixel_from_table = cv2.getPerspectiveTransform(whole, np.array(label["run_corners"], np.float32))
    x0, y0, x1, y1 = window
    part = np.array([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]], np.float64)
    run_corners = cv2.perspectiveTransform(part, pixel_from_table)[0].tolist()
    return {**label, "run_window_inches": list(window), "run_corners": run_corners}


def read(
    photos: Path, label: Mapping[str, Any], previous: Observation | None = None
) -> tuple[Observation | None, Score]:
    """A photo read, the labelled window being the table, corners named to a pixel, and its score."""
    x0, y0, x1, y1 = label["run_window_inches"]
    corners = NamedCorners(tuple((round(x), round(y)) for x, y in label["run_corners"]))
    options = PhotoOptions(corners=corners, previous=None if previous is None else previous.to_json())
    try:
        seen = observe(open_photo(photos / label["file"]), table_of((x1 - x0, y1 - y0)), options)
    except (CalibrationError, VisionError) as refusal:
        print(f"{label['file']}: {refusal}", file=sys.stderr)
        return None, missed(label)
    return seen, score_photo(seen, label)


def single_rows(photos: Path, labels: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The table of single photographs: each source, and both splits."""
    by_source: dict[str, Score] = {}
    for name, label in sorted(labels.items()):
        score = read(photos, label)[1]
        print(score.row(name), file=sys.stderr, flush=True)
        by_source.setdefault(name.partition("_")[0], Score()).add(score)
    rows = [HEAD]
    for split, is_tuning in (("tuning", True), ("reporting", False)):
        whole = Score()
        for source, score in by_source.items():
            if (source in TUNING) == is_tuning:
                rows.append(score.row(f"{source} ({split})"))
                whole.add(score)
        rows.append(whole.row(f"*{split}*"))
    return rows


def pair_rows(photos: Path, labels: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The table of pairs, read on the window that both photographs show: the second alone, and after the first."""
    rows = [HEAD.replace("source", "photo", 1)]
    for first, second in PAIRS:
        if not {first, second} <= set(labels):
            continue
        windows = np.array([labels[name]["run_window_inches"] for name in (first, second)])
        common = [*windows[:, :2].max(axis=0), *windows[:, 2:].min(axis=0)]
        one, other = (within(labels[name], common) for name in (first, second))
        before = read(photos, one)[0]
        rows.append(read(photos, other)[1].row(second))
        if before is not None:
            rows.append(read(photos, other, before)[1].row(f"{second} after {first}"))
    return rows


def guess_rows(photos: Path, labels: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The table of first guesses at the corners of the whole reference, where those are labelled."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for name, label in sorted(labels.items()):
        if "reference_corners" not in label:
            continue
        photo = open_photo(photos / label["file"])
        frame = shapely.box(0, 0, *photo.size)
        true = shapely.make_valid(shapely.Polygon(label["reference_corners"])).intersection(frame)
        near = frame.buffer(NEAR_PX).contains(shapely.MultiPoint(label["reference_corners"][:2]))
        width, depth = label["reference_size_inches"]
        guess = naming_aid(photo, (float(width), float(depth))).guess
        came = "none"
        if guess is not None:
            shown = shapely.make_valid(shapely.Polygon(guess)).intersection(frame)
            away = np.linalg.norm(guess[:, None] - np.array(label["reference_corners"]), axis=2)
            is_right = true.intersection(shown).area >= RIGHT_GUESS * true.union(shown).area
            came = "right" if is_right and away.argmin(axis=1).tolist() == [0, 1, 2, 3] else "wrong"
        print(f"{name}: {came}", file=sys.stderr, flush=True)
        split = "tuning" if name.partition("_")[0] in TUNING else "reporting"
        found.setdefault((split, "in view" if near else "out of view"), Counter())[came] += 1
    rows = ["| photos | near corners | right | wrong | none |", "| --- | --- | --- | --- | --- |"]
    for (split, near), counts in sorted(found.items()):
        rows.append(f"| {split} | {near} | {counts['right']} | {counts['wrong']} | {counts['none']} |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path)
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--only", default="", help="names of photographs, separated by commas")
    parser.add_argument("--page", type=Path, help="write between the marks of this page")
    given = parser.parse_args()
    labels: dict[str, Mapping[str, Any]] = {}
    for file in given.labels:
        labels.update(json.loads(file.read_text(encoding="utf-8")))
    only = set(given.only.split(",")) if given.only else set(labels)
    labels = {name: label for name, label in labels.items() if name in only and "run_window_inches" in label}
    tables = "\n".join([*single_rows(given.photos, labels), "", *pair_rows(given.photos, labels), ""])
    tables += "\n" + "\n".join([*guess_rows(given.photos, labels), ""])
    if given.page:
        write_between(given.page, "read photographs", tables)
    else:
        print(tables)


if __name__ == "__main__":
    main()
