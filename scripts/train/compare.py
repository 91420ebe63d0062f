"""Compare a net with a classical way on samples and photographs, and write the tables as Markdown.

    python scripts/train/compare.py ground --net vision/data/ground.onnx --forest ground-forest.gz \\
        --aside samples/ground --samples fresh/ground --photos photos drawn

Both are shown the same tables from above, and everything after that is the same: pieces of terrain are traced and
sharpened by the product's own code, bases placed by ``roster_fit.py``. Photographs are rectified with their true
cameras (NAME.jpg, NAME.json with the truth and NAME.table.toml in a folder). ``docs/nets.md`` reports the results.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import shapely
from classical import load_forest
from features import Float32, Image, Lean, Mask
from roster_fit import edges, lay_roster
from sampled import PLANES, kept_aside, load_sample
from truths import kind_of, view_of

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from calibration import TableView
from evaluation import markdown, score
from tabletop.referee.judging import expected_from
from tabletop.tables.tablefile import load_table
from vision.imaging.nets import BASES_PPI, GROUND_PPI, Net, both_ways, plan_input
from vision.imaging.photo import open_photo
from vision.imaging.rectify import MapScale, rectified_map, visible_mask
from vision.model.expected import Expected, ExpectedTerrain
from vision.terrain.edge_refinement import sharpen
from vision.terrain.ground import GroundConfig, papers_of
from vision.terrain.ground_sight import lean_planes
from vision.terrain.pieces import KINDS, GroundMaps, mask_of, terrain_from

Reader = Callable[[Image, Lean, Mask, float], Float32]
_MOST_MEGAPIXELS = 0.55  # of a map that bases are looked for in
_MARGIN_IN = 0.5


class FileNet(Net):
    """A net from an ONNX file, read as the product reads its own."""

    def __init__(self, path: Path, task: str) -> None:
        super().__init__(path.read_bytes())
        self.is_ground = task == "ground"

    def read(self, image: Image, lean: Lean, valid: Mask, px_per_inch: float) -> Float32:
        """Shares (k, rows, columns) of a table seen from above."""
        shown = plan_input(image, lean, valid)
        return (both_ways(self, shown) if self.is_ground else self(shown)) * valid


# --- samples ---------------------------------------------------------------------------------------------------------


@dataclass
class Overlap:
    """Sums of intersection and union, plane by plane."""

    both: npt.NDArray[np.float64]
    either: npt.NDArray[np.float64]

    @classmethod
    def none(cls, planes: int) -> Overlap:
        return cls(np.zeros(planes), np.zeros(planes))

    def add(self, said: Mask, there: Mask, counts: Mask) -> None:
        """Count one picture: what the net said, what is true (k, rows, columns), and which places count."""
        self.both += (said & there & counts).sum(axis=(1, 2))
        self.either += ((said | there) & counts).sum(axis=(1, 2))

    @property
    def iou(self) -> npt.NDArray[np.float64]:
        """Intersection over union; nan for planes that were neither there nor said."""
        return np.where(self.either > 0, self.both / np.maximum(self.either, 1), np.nan)


def on_samples(task: str, readers: dict[str, Reader], paths: Sequence[Path]) -> list[list[str]]:
    """Rows of plane, share of the places where it is, and each reader's overlap, cut at one half."""
    sums = {name: Overlap.none(len(PLANES[task])) for name in readers}
    there, places = np.zeros(len(PLANES[task])), 0
    for path in paths:
        sample = load_sample(path)
        there += (sample.planes & sample.valid).sum(axis=(1, 2))
        places += int(sample.valid.sum())
        for name, read in readers.items():
            share = read(sample.image, sample.lean, sample.valid, sample.px_per_inch)
            sums[name].add(share > 0.5, sample.planes, sample.valid)
    rows = [
        [plane, f"{100 * there[k] / max(1, places):.1f} %", *(_format_value(sums[name].iou[k]) for name in readers)]
        for k, plane in enumerate(PLANES[task])
    ]
    return [*rows, ["mean", "", *(_format_value(float(np.nanmean(sums[name].iou))) for name in readers)]]


# --- photographs -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Seen:
    """A photograph with its truth: the true camera, what the players know, and the truth itself."""

    image: Image
    view: TableView
    expected: Expected
    truth: dict[str, Any]

    @property
    def size(self) -> tuple[float, float]:
        return self.expected.width, self.expected.depth


def photographs(folder: Path) -> Iterator[Seen]:
    """All photographs of a folder that have a truth and a table file."""
    for path in sorted(folder.glob("*.table.toml")):
        name = path.name.removesuffix(".table.toml")
        truth = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        image = open_photo(folder / f"{name}.jpg").image
        yield Seen(image, view_of(truth, image.shape), expected_from(load_table(path)), truth)


@dataclass
class Told:
    """How pieces of one kind were identified: areas in square inches, and how many."""

    there: float = 0.0
    both: float = 0.0
    either: float = 0.0
    pieces: int = 0
    found: int = 0
    told: int = 0
    mistaken: int = 0
    invented: int = 0


@dataclass
class Terrain:
    """One reader's terrain in some photographs."""

    places: Overlap = field(default_factory=lambda: Overlap.none(len(KINDS)))
    kinds: dict[str, Told] = field(default_factory=lambda: {kind: Told() for kind in KINDS})


def count_pieces(
    kinds: dict[str, Told], told: Sequence[tuple[str, shapely.Geometry]], true: Sequence[tuple[str, shapely.Geometry]]
) -> None:
    """Add one table's pieces, told and true, each a kind and its outline in inches.

    A true piece is found where pieces of its kind cover half of it. A told piece with less than half on its own kind
    is mistaken if half of it is on pieces of other kinds, else invented.
    """
    every = shapely.union_all([shape for _, shape in true])
    for kind, sums in kinds.items():
        here = shapely.union_all([shape for k, shape in true if k == kind])
        said = shapely.union_all([shape for k, shape in told if k == kind])
        sums.there += here.area
        sums.both += here.intersection(said).area
        sums.either += here.union(said).area
        for shape in (shape for k, shape in true if k == kind):
            sums.pieces += 1
            sums.found += bool(shape.intersection(said).area >= 0.5 * shape.area)
        for shape in (shape for k, shape in told if k == kind):
            sums.told += 1
            if shape.intersection(here).area < 0.5 * shape.area:
                elsewhere = shape.intersection(every).area >= 0.5 * shape.area
                sums.mistaken += elsewhere
                sums.invented += not elsewhere


def true_terrain(truth: dict[str, Any], size: tuple[float, float]) -> list[tuple[str, shapely.Geometry]]:
    """The true pieces on the table, a kind and an outline in inches each."""
    table = shapely.box(0, 0, *size)
    return [
        (kind_of(t), shapely.make_valid(shapely.Polygon(t["polygon"])).intersection(table)) for t in truth["terrain"]
    ]


def trace_pieces(share: Float32, scale: MapScale, hidden: Mask, seen: Seen) -> list[tuple[str, shapely.Geometry]]:
    """The pieces that the product would report from such shares, before it knows of bases."""
    config = GroundConfig()
    pieces: tuple[ExpectedTerrain, ...] = terrain_from(GroundMaps(share, scale, hidden), config.terrain)
    sure = [p for p in pieces if p.confidence >= config.least_confidence]
    drawn = sharpen(seen.image, seen.view, seen.size, sure, config.sharpen)
    return [(p.kind, shapely.make_valid(shapely.Polygon(p.polygon))) for p in drawn]


@dataclass(frozen=True, eq=False)
class Ground:
    """The true terrain of a photograph in a map of its table: ``clear``, the places that are seen and under no frame
    marker, the ``true`` pieces, and where each kind is ``there`` (k, rows, columns)."""

    seen: Seen
    scale: MapScale
    clear: Mask
    true: list[tuple[str, shapely.Geometry]]
    there: Mask

    @classmethod
    def of(cls, seen: Seen, scale: MapScale, shown: Mask) -> Ground:
        """The ground of a photograph in a map, of which it shows these places."""
        papers = shapely.union_all([shapely.Polygon(sheet) for sheet in papers_of(seen.expected.frame)])
        true = true_terrain(seen.truth, seen.size)
        there = [mask_of(shapely.union_all([s for k, s in true if k == kind]), scale) for kind in KINDS]
        return cls(seen, scale, shown & ~mask_of(papers, scale), true, np.stack(there))

    def count(self, sums: Terrain, share: Float32) -> None:
        """Add the results of a reader's shares (k, rows, columns), by places and by pieces."""
        share = share * self.clear
        sums.places.add(share[: len(KINDS)] > 0.5, self.there, self.clear)
        count_pieces(sums.kinds, trace_pieces(share, self.scale, ~self.clear, self.seen), self.true)


def add_terrain(sums: dict[str, Terrain], readers: dict[str, Reader], seen: Seen) -> None:
    """Read one photograph's terrain with every reader."""
    scale = MapScale(*seen.size, px_per_inch=GROUND_PPI)
    plan = rectified_map(seen.image, seen.view, seen.size, px_per_inch=GROUND_PPI)
    shown = visible_mask(seen.view, scale)
    lean = lean_planes(seen.view, scale)
    ground = Ground.of(seen, scale, shown)
    for name, read in readers.items():
        ground.count(sums[name], read(plan, lean, shown, GROUND_PPI))


def terrain_rows(sums: dict[str, Terrain]) -> list[list[str]]:
    """Rows by kind: the true pieces, and for each reader its overlaps and the results of the pieces."""
    rows = []
    for k, kind in enumerate(KINDS):
        first = next(iter(sums.values())).kinds[kind]
        parts = [t.kinds[kind] for t in sums.values()]
        rows.append(
            [
                kind,
                f"{first.pieces} ({first.there:.0f})",
                *(_format_value(t.places.iou[k]) for t in sums.values()),
                *(_format_value(p.both / p.either if p.either else float("nan")) for p in parts),
                *(f"{p.found}" for p in parts),
                *(f"{p.mistaken} + {p.invented} of {p.told}" for p in parts),
            ]
        )
    total = [sum((np.array(_sums(p)) for p in t.kinds.values()), np.zeros(8)) for t in sums.values()]
    rows.append(
        [
            "all",
            f"{total[0][3]:.0f} ({total[0][0]:.0f})",
            *(_format_value(t.places.both.sum() / max(1.0, t.places.either.sum())) for t in sums.values()),
            *(_format_value(s[1] / max(1e-9, s[2])) for s in total),
            *(f"{s[4]:.0f}" for s in total),
            *(f"{s[6]:.0f} + {s[7]:.0f} of {s[5]:.0f}" for s in total),
        ]
    )
    return rows


def _sums(t: Told) -> tuple[float, ...]:
    return (t.there, t.both, t.either, t.pieces, t.found, t.told, t.mistaken, t.invented)


@dataclass
class Bases:
    """One reader's bases in some photographs; ``error_in`` of the centres found."""

    there: int = 0
    found: int = 0
    told: int = 0
    error_in: list[float] = field(default_factory=list)


def add_bases(sums: dict[str, Bases], readers: dict[str, Reader], seen: Seen) -> None:
    """Find one photograph's bases with every reader, as if none had a tag or a painted rim."""
    width, depth = seen.size
    area = (width + 2 * _MARGIN_IN) * (depth + 2 * _MARGIN_IN)
    ppi = min(BASES_PPI, float(np.sqrt(_MOST_MEGAPIXELS * 1e6 / area)))
    z = float(np.median([u.shape.height for u in seen.expected.units])) if seen.expected.units else 0.0
    scale = MapScale(width, depth, ppi, _MARGIN_IN)
    plan = rectified_map(seen.image, seen.view, seen.size, px_per_inch=ppi, z=z, margin_in=_MARGIN_IN)
    shown = visible_mask(seen.view, scale, z)
    true = np.array([b["centre"] for u in seen.truth["units"] for b in u["bases"]]).reshape(-1, 2)
    for name, read in readers.items():
        told = lay_roster(read(plan, lean_planes(seen.view, scale), shown, ppi) * shown, scale, seen.expected)
        errors = match_distances(told, true)
        sums[name].there += len(true)
        sums[name].told += len(told)
        sums[name].found += len(errors)
        sums[name].error_in += errors


def match_distances(told: npt.NDArray[np.float64], true: npt.NDArray[np.float64]) -> list[float]:
    """Distances of told places (n, 2) from true ones (m, 2), one to one, as evaluations match them."""
    pairs = score.match_points(told.tolist(), true.tolist(), score.MATCH_IN)
    return [float(np.linalg.norm(told[i] - true[j])) for i, j in pairs]


def bases_rows(sums: dict[str, Bases]) -> list[list[str]]:
    """Rows by reader: bases found, false ones, and how far off the centres are."""
    rows = []
    for name, b in sums.items():
        error = f"{np.median(b.error_in):.2f}″ / {np.percentile(b.error_in, 95):.2f}″" if b.error_in else "-"
        share = f"{b.found} of {b.there} ({100 * b.found / max(1, b.there):.0f} %)"
        rows.append([name, share, f"{b.told - b.found} of {b.told}", error])
    return rows


# --- tables ----------------------------------------------------------------------------------------------------------


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(markdown.table(head, rows)[:-1])


def _format_value(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.2f}"


def compare_parts(args: argparse.Namespace) -> Iterator[str]:
    """The parts of the comparison, as they are done."""
    net, forest = FileNet(args.net, args.task), load_forest(args.forest)
    if forest.task != args.task:
        raise SystemExit(f"{args.forest} is a forest for {forest.task}, not for {args.task}.")
    readers: dict[str, Reader] = {"net": net.read, "classical": forest}
    head = ["plane", "share of places", *readers]
    if args.aside:
        paths = kept_aside(sorted(args.aside.glob("*.npz")))[: args.count]
        yield f"Samples kept aside ({len(paths)}), overlap place by place:\n\n" + _table(
            head, on_samples(args.task, readers, paths)
        )
    if args.samples:
        paths = sorted(args.samples.glob("*.npz"))[: args.count]
        yield f"Samples of new tables ({len(paths)}), overlap place by place:\n\n" + _table(
            head, on_samples(args.task, readers, paths)
        )
    for folder in args.photos:
        yield on_photographs(args.task, readers, folder)


def on_photographs(task: str, readers: dict[str, Reader], folder: Path) -> str:
    """The table of one folder of photographs."""
    if task == "ground":
        ground = {name: Terrain() for name in readers}
        count = 0
        for seen in photographs(folder):
            add_terrain(ground, readers, seen)
            count += 1
        head = ["kind", "pieces (sq in)"]
        for what in ("IoU of places", "IoU of pieces", "found", "mistaken + invented"):
            head += [f"{what}: {name}" for name in readers]
        return f"Photographs in {folder.name} ({count}), terrain:\n\n" + _table(head, terrain_rows(ground))
    readers = {**readers, "edges alone": edges}
    bases = {name: Bases() for name in readers}
    count = 0
    for seen in photographs(folder):
        add_bases(bases, readers, seen)
        count += 1
    head = ["maps from", "found", "false", "centre off, median / 95 %"]
    return f"Photographs in {folder.name} ({count}), bases without tags or rims:\n\n" + _table(head, bases_rows(bases))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=PLANES)
    parser.add_argument("--net", type=Path, required=True, help="an ONNX file of this task")
    parser.add_argument("--forest", type=Path, required=True, help="what classical.py wrote")
    parser.add_argument("--aside", type=Path, help="the samples learnt from, of which those kept aside are used")
    parser.add_argument("--samples", type=Path, help="samples of tables that neither has seen")
    parser.add_argument("--photos", type=Path, nargs="*", default=[], help="folders of photographs with truth")
    parser.add_argument("--count", type=int, default=40, help="samples of each kind at most")
    parser.add_argument("--out", type=Path, help="a file to write besides the screen")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    parts = []
    for part in compare_parts(args):
        parts.append(part)
        print(part + "\n", flush=True)
    if args.out:
        args.out.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
