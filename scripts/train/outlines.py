"""Report how far outlines of terrain are off against the stated spread, at single places and over the width of a cell.

    python scripts/train/outlines.py PHOTOS [PHOTOS ...]

``PHOTOS`` are folders of photographs with truth (NAME.jpg, NAME.json, NAME.table.toml). Terrain is read by the
product's own code with the true camera and bases; pieces on true terrain of their kind count. For each kind the report
gives the share of the outlines' places within the stated 95 %, and the factor that the stated sigma would need
to hold 95 % of them (``SpreadConfig.by_kind``); then the same of the mean error over windows of ``CELL_IN``,
against ``EdgeTrust``, which boards use.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import shapely
from compare import Seen, photographs, true_terrain
from piece_odds import label_of, true_bases

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from evaluation import markdown
from tabletop.grids.edge_trust import MEASURED
from vision.model.expected import ExpectedTerrain
from vision.terrain.ground import finish_pieces, papers_of, read_ground
from vision.terrain.spreads import SURE
from vision.terrain.tracing import outward

Array = npt.NDArray[np.float64]

CELL_IN = 3.0
STEP_IN = 0.25
_TABLE_EDGE_IN = 0.3  # nearer to the table's edge an outline is the table's


@dataclass(frozen=True, eq=False)
class Outline:
    """One piece's outline: how far places (n,) ``STEP_IN`` apart are beyond the true one (negative: within it), the
    sigma stated, the one (n,) that boards use, and which places count (n,)."""

    kind: str
    sigma_in: float
    beyond_in: Array
    trusted_in: Array
    counts: npt.NDArray[np.bool_]

    @property
    def places(self) -> Array:
        """Errors in stated sigmas."""
        return np.asarray(self.beyond_in[self.counts] / self.sigma_in)

    @property
    def windows(self) -> Array:
        """Mean errors over adjacent windows, in the sigmas that boards use."""
        n = round(CELL_IN / STEP_IN)
        starts = [k for k in range(0, len(self.counts) - n + 1, n) if self.counts[k : k + n].all()]
        return np.array([self.beyond_in[k : k + n].mean() / self.trusted_in[k : k + n].mean() for k in starts])


def outlines(seen: Seen) -> Iterator[Outline]:
    """The outlines of a photograph's pieces that are of the kind that they are taken for."""
    true = true_terrain(seen.truth, seen.size)
    reading = read_ground([(seen.image, seen.view)], seen.size, papers=papers_of(seen.expected.frame))
    told = finish_pieces(reading, seen.image, seen.view, seen.size, true_bases(seen.truth)).pieces
    table = shapely.box(0, 0, *seen.size)
    for piece in told:
        if label_of(piece, true) == piece.kind:
            lies = shapely.union_all([shape for kind, shape in true if kind == piece.kind]).intersection(table)
            yield measure_outline(piece, lies, table, np.array([seen.view.eye]))


def measure_outline(piece: ExpectedTerrain, lies: shapely.Geometry, table: shapely.Polygon, eyes: Array) -> Outline:
    """One piece's outline against the true terrain of its kind, for cameras at ``eyes`` (m, 3)."""
    points, away = outward(shapely.Polygon(piece.polygon), STEP_IN)
    places = shapely.points(points)
    far = shapely.distance(lies.boundary, places) * np.where(shapely.contains(lies, places), -1, 1)
    trusted = MEASURED.sigma_in(piece.kind, piece.sigma_in, points, away, eyes)
    counts = shapely.distance(table.exterior, places) > _TABLE_EDGE_IN
    return Outline(piece.kind, piece.sigma_in, np.asarray(far), trusted, np.asarray(counts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, nargs="+", help="folders of photographs with truth")
    args = parser.parse_args()
    by_kind: defaultdict[str, list[Outline]] = defaultdict(list)
    for folder in args.photos:
        for seen in photographs(folder):
            for outline in outlines(seen):
                by_kind[outline.kind].append(outline)
    rows: list[list[object]] = []
    for kind, those in sorted(by_kind.items()):
        places, windows = (np.concatenate([getattr(o, name) for o in those]) for name in ("places", "windows"))
        sigma = float(np.median([outline.sigma_in for outline in those]))
        rows.append([kind, len(those), f"{sigma:.2f}", *figures(places), len(windows), *figures(windows)])
    head = ["kind", "pieces", "sigma, median", "in 95 %", "times", "windows", "in 95 %", "times"]
    print("\n".join(markdown.table(head, rows)))


def figures(errors: Array) -> list[str]:
    """The share of errors in sigmas (n,) within the stated 95 %, and the factor that the sigma needs."""
    if not len(errors):
        return ["-", "-"]
    inside = np.mean(np.abs(errors) <= SURE)
    return [f"{100 * inside:.1f} %", f"{np.quantile(np.abs(errors), 0.95) / SURE:.2f}"]


if __name__ == "__main__":
    main()
