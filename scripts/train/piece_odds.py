"""Learn how surely a traced piece of terrain is there and of its kind, and report how well such chances hold.

    python scripts/train/piece_odds.py figures PHOTOS [PHOTOS ...] --recoloured 3 --out traced.npz
    python scripts/train/piece_odds.py pictures PICTURE [PICTURE ...] --out bare.npz
    python scripts/train/piece_odds.py learn traced.npz drawn.npz bare.npz --out vision/data/piece_odds.json
    python scripts/train/piece_odds.py check given.npz [--odds vision/data/piece_odds.json]

``PHOTOS`` are folders of photographs with truth (NAME.jpg, NAME.json, NAME.table.toml), best of kits that the
net did not learn from. Pieces are traced by the product's own code with the true camera and bases; one is right
if half of it or more is on true terrain of its kind. ``--recoloured``: each photograph so many times more in the
colours of another maker, since few kits are at hand. ``PICTURE``: a picture without a table, treated as a photo of one
by made-up corners; any terrain reported there is wrong.

Small trees (gradient boosting) learn log odds. How far these can be believed on an unseen kit is learnt by
cross-validation: kits are left out in turn, and the line that corrects the log odds of such trees is kept.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import shapely
from compare import photographs, true_terrain
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from calibration import Camera, TableView
from evaluation import markdown
from evaluation.reliability import TERRAIN, Statement, reliability
from vision.model.expected import ExpectedTerrain
from vision.terrain.edge_refinement import veil
from vision.terrain.ground import GroundConfig, finish_pieces, papers_of, read_ground
from vision.terrain.hill_bases import StandingBase
from vision.terrain.odds import NOTHING, PieceOdds
from vision.terrain.piece_figures import FIGURES, PieceFigures, figures_of
from vision.terrain.pieces import KINDS, mask_of

Array = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
LABELS = (*KINDS, NOTHING)
SURE = 0.95
_RAW = GroundConfig(weigh=False)
_TREES = {"n_estimators": 160, "max_depth": 3, "learning_rate": 0.04, "min_samples_leaf": 12, "subsample": 0.6,
          "max_features": 0.3, "random_state": 0}  # fmt: skip
_WEIGHTS = {"traced": 1.5, "drawn": 1.0, "picture": 0.5, "recoloured": 0.4}
_FOLDS = 8


@dataclass(frozen=True, eq=False)
class Judged:
    """Pieces that were traced: their figures, what each really is (rows of ``LABELS``), the confidence that the net's
    shares state, and where each comes from: the ``table``, its ``sort`` (a key of ``_WEIGHTS``). ``tables``: how many
    pictures were looked at."""

    told: PieceFigures
    label: npt.NDArray[np.intp]
    stated: Array
    table: npt.NDArray[np.str_]
    sort: npt.NDArray[np.str_]
    tables: int

    @property
    def right(self) -> Array:
        return np.array([KINDS.index(k) == label for k, label in zip(self.told.kinds, self.label, strict=True)], float)

    @property
    def kit(self) -> npt.NDArray[np.str_]:
        """The kit of a table: for a traced one its family, else the table alone."""
        return np.array([name.rsplit("-", 1)[0] if name.startswith("traced-") else name for name in self.table])

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path, kinds=np.array(self.told.kinds), values=self.told.values, shares=self.told.shares, label=self.label,
            stated=self.stated, table=self.table, sort=self.sort, tables=self.tables,
        )  # fmt: skip

    @classmethod
    def load(cls, paths: list[Path]) -> Judged:
        """All pieces of some files."""
        files = [np.load(path) for path in paths]
        column = lambda key: np.concatenate([file[key] for file in files])  # noqa: E731
        told = PieceFigures(tuple(str(k) for k in column("kinds")), column("values"), column("shares"))
        tables = sum(int(file["tables"]) for file in files)
        return cls(told, column("label"), column("stated"), column("table"), column("sort"), tables)

    def some(self, rows: npt.NDArray[np.bool_]) -> Judged:
        """Those pieces alone."""
        kinds = tuple(kind for kind, keep in zip(self.told.kinds, rows, strict=True) if keep)
        told = PieceFigures(kinds, self.told.values[rows], self.told.shares[rows])
        return Judged(told, self.label[rows], self.stated[rows], self.table[rows], self.sort[rows], self.tables)


class _Heap:
    """Pieces as they come in."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.values: list[Array] = []
        self.shares: list[Array] = []
        self.rows: list[tuple[int, float, str, str]] = []
        self.tables = 0

    def add(
        self, image: Image, view: TableView, size: tuple[float, float], true: list[tuple[str, shapely.Geometry]],
        bases: list[StandingBase], papers: list[Any], table: str, sort: str,
    ) -> None:  # fmt: skip
        """All pieces that one picture shows."""
        self.tables += 1
        reading = read_ground([(image, view)], size, papers=papers, config=_RAW)
        pieces = finish_pieces(reading, image, view, size, bases, config=_RAW).pieces
        if not pieces:
            return
        covered = (
            mask_of(veil([b.outline for b in bases], _RAW.figure_in, view.eye), reading.maps.scale) if bases else None
        )
        told = figures_of(pieces, reading.maps, covered=covered)
        self.kinds += told.kinds
        self.values += list(told.values)
        self.shares += list(told.shares)
        self.rows += [(LABELS.index(label_of(piece, true)), piece.confidence, table, sort) for piece in pieces]

    def judged(self) -> Judged:
        label, stated, table, sort = zip(*self.rows, strict=True)
        told = PieceFigures(tuple(self.kinds), np.array(self.values), np.array(self.shares))
        return Judged(told, np.array(label), np.array(stated), np.array(table), np.array(sort), self.tables)


def label_of(piece: ExpectedTerrain, true: list[tuple[str, shapely.Geometry]]) -> str:
    """The true kind of a piece: its own where half of it is on that kind, else another kind that has half of it."""
    area = piece.shape.area
    on = {
        k: shapely.union_all([s for kind, s in true if kind == k]).intersection(piece.shape).area / area for k in KINDS
    }
    if on[piece.kind] >= 0.5:
        return piece.kind
    best = max(on, key=lambda kind: on[kind])
    return best if on[best] >= 0.5 else NOTHING


def true_bases(truth: dict[str, Any]) -> list[StandingBase]:
    """The bases of which half or more is in sight, as if all had been found."""
    out = []
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    for base in (base for unit in truth["units"] for base in unit["bases"] if base.get("visible_fraction", 1.0) >= 0.5):
        corners = base.get("corners")
        if not corners:
            round_it = base.get("diameter", 1.0) / 2 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
            corners = np.array(base["centre"])[:2] + round_it
        out.append(StandingBase(np.array(corners, float)[:, :2], float(base.get("z", 0.0)), 0.05))
    return out


def recoloured(image: Image, rng: np.random.Generator) -> Image:
    """The picture in the colours of another maker: hues turned, stronger or paler, another contrast."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32)
    a, b = lab[..., 1] - 128, lab[..., 2] - 128
    turn = rng.uniform(-np.pi, np.pi) if rng.random() < 0.6 else rng.normal(0, 0.4)
    much = rng.uniform(0.4, 1.4)
    lab[..., 1] = 128 + much * (np.cos(turn) * a - np.sin(turn) * b) + rng.normal(0, 6)
    lab[..., 2] = 128 + much * (np.sin(turn) * a + np.cos(turn) * b) + rng.normal(0, 6)
    lab[..., 0] = 255 * (lab[..., 0] / 255) ** np.exp(rng.normal(0, 0.3))
    return np.asarray(cv2.cvtColor(np.clip(lab, 0, 255).astype(np.uint8), cv2.COLOR_LAB2BGR), np.uint8)


def from_photographs(folders: list[Path], times: int) -> Judged:
    """The pieces of all photographs of some folders, and of each so many ``times`` more, recoloured."""
    heap = _Heap()
    for folder in folders:
        for seen in photographs(folder):
            name = str(seen.truth["name"])
            true, bases, papers = (
                true_terrain(seen.truth, seen.size),
                true_bases(seen.truth),
                papers_of(seen.expected.frame),
            )
            sort = "traced" if name.startswith("traced-") else "drawn"
            heap.add(seen.image, seen.view, seen.size, true, bases, papers, name, sort)
            for n in range(1, times + 1):
                image = recoloured(seen.image, np.random.default_rng([n, zlib.crc32(name.encode())]))
                heap.add(image, seen.view, seen.size, true, bases, papers, name, "recoloured")
            print(f"{name}: {len(heap.rows)} pieces so far", flush=True)
    return heap.judged()


def made_up_views(shape: tuple[int, ...], rng: np.random.Generator) -> Iterator[tuple[TableView, tuple[float, float]]]:
    """Cameras over tables of some sizes, as near as the picture shows the whole table."""
    height, width = shape[:2]
    focal = 1.1 * max(height, width)
    camera = Camera.from_parameters(
        np.array([focal, focal, (width - 1) / 2, (height - 1) / 2, 0, 0, 0, 0, 0]), (width, height)
    )
    sizes = ((36.0, 36.0), (48.0, 36.0), (24.0, 24.0), (30.0, 44.0))
    while True:
        size = sizes[rng.integers(len(sizes))]
        tilt, turn = np.radians(rng.uniform(0, 30)), np.radians(rng.uniform(-20, 20))
        down = np.diag([1.0, -1.0, -1.0])
        tilted = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
        turned = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        R = tilted @ down @ turned
        corners = np.array([[0, 0, 0], [size[0], 0, 0], [*size, 0], [0, size[1], 0]])
        away = 20.0
        while True:
            t = np.array([0, 0, away]) - R @ np.array([size[0] / 2, size[1] / 2, 0])
            at = corners @ R.T + t
            if (at[:, 2] > 1).all() and (np.abs(focal * at[:, :2] / at[:, 2:]) < (width / 2, height / 2)).all():
                break
            away *= 1.03
        yield TableView(camera=camera, R=R, t=t), size


def from_pictures(paths: list[Path], times: int) -> Judged:
    """The terrain reported on pictures without a table, each treated as a photo of one so many ``times``."""
    heap = _Heap()
    for path in paths:
        image = cv2.imread(str(path))
        if image is None:
            raise SystemExit(f"{path} is no picture.")
        if max(image.shape) < 900:
            image = np.asarray(cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
        views = made_up_views(image.shape, np.random.default_rng(zlib.crc32(path.name.encode())))
        for _, (view, size) in zip(range(times), views, strict=False):
            heap.add(np.asarray(image, np.uint8), view, size, [], [], [], f"picture-{path.stem}", "picture")
        print(f"{path.name}: {len(heap.rows)} pieces so far", flush=True)
    return heap.judged()


# --- learning --------------------------------------------------------------------------------------------------------


def boosted(rows: Array, right: Array, weight: Array) -> tuple[float, list[dict[str, list[float]]]]:
    """A constant and the trees with values that add up to log odds."""
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(**_TREES).fit(rows, right, weight)
    prior = float(np.average(right, weights=weight))
    trees = []
    for estimator in model.estimators_[:, 0]:
        tree, inner = estimator.tree_, estimator.tree_.children_left >= 0
        trees.append({
            "column": np.where(inner, tree.feature, -1).tolist(),
            "at": [float(f"{v:.5g}") for v in np.where(inner, tree.threshold, 0.0)],
            "left": np.maximum(tree.children_left, 0).tolist(),
            "right": np.maximum(tree.children_right, 0).tolist(),
            "value": [float(f"{v:.4g}") for v in np.where(inner, 0.0, _TREES["learning_rate"] * tree.value[:, 0, 0])],
        })  # fmt: skip
    return round(float(np.log(prior / (1 - prior))), 4), trees


def odds_of(constant: float, trees: list[dict[str, list[float]]], mistaken: dict[str, dict[str, float]],
            line: tuple[float, float] = (1.0, 0.0)) -> dict[str, Any]:  # fmt: skip
    """The odds in the form of the file."""
    return {"figures": list(FIGURES), "kinds": list(KINDS), "constant": constant, "slope": line[0], "offset": line[1],
            "mistaken": mistaken, "trees": trees}  # fmt: skip


def mistakes(pieces: Judged) -> dict[str, dict[str, float]]:
    """For each kind how often each other kind or nothing was there where it was wrong; three unseen cases
    are spread over all."""
    wrong = pieces.right == 0
    out = {}
    for kind in KINDS:
        mine = wrong & (np.array(pieces.told.kinds) == kind)
        others = [label for label in LABELS if label != kind]
        often = {label: float((pieces.label[mine] == LABELS.index(label)).sum()) + 3 / len(others) for label in others}
        out[kind] = {label: round(n / sum(often.values()), 4) for label, n in often.items()}
    return out


def without_own_kit(pieces: Judged) -> Array:
    """Log odds (n,) of each piece by trees that learnt from other kits."""
    rows, right = pieces.told.rows(), pieces.right
    weight = np.array([_WEIGHTS[str(sort)] for sort in pieces.sort])
    kits = sorted(set(pieces.kit))
    fold = np.array([kits.index(kit) % _FOLDS for kit in pieces.kit])
    out = np.zeros(len(rows))
    for k in range(_FOLDS):
        aside = fold == k
        odds = PieceOdds.from_json(odds_of(*boosted(rows[~aside], right[~aside], weight[~aside]), {}))
        out[aside] = odds.log_odds(rows[aside])
    return out


def line_of(said: Array, right: Array, weight: Array) -> tuple[float, float]:
    """Slope and offset that correct log odds by the results."""

    def cost(line: Array) -> float:
        odds = line[0] * said + line[1]
        return float((weight * (np.logaddexp(0.0, odds) - right * odds)).sum())

    slope, offset = minimize(cost, np.array([1.0, 0.0])).x
    return round(float(slope), 4), round(float(offset), 4)


def learn(pieces: Judged) -> tuple[dict[str, Any], Array]:
    """The odds as a file has them, and the chance of each piece by what learnt without its kit."""
    weight = np.array([_WEIGHTS[str(sort)] for sort in pieces.sort])
    said = without_own_kit(pieces)
    natural = np.isin(pieces.sort, ("traced", "drawn"))
    line = line_of(said[natural], pieces.right[natural], weight[natural])
    odds = odds_of(*boosted(pieces.told.rows(), pieces.right, weight), mistakes(pieces), line)
    return odds, 1 / (1 + np.exp(-(line[0] * said + line[1])))


# --- telling ---------------------------------------------------------------------------------------------------------


def bin_rows(chance: Array, right: Array) -> list[list[str]]:
    """Rows by bins of the stated chances (n,): pieces, the mean chance and the share that is ``right`` (n,); last, over
    all, with the expected calibration error."""
    told = reliability(Statement(TERRAIN, float(c), bool(r), False) for c, r in zip(chance, right, strict=True))
    rows = [
        [f"{b.low:.2f} to {b.high:.2f}", f"{b.n}", f"{b.stated:.3f}", f"{b.right / b.n:.3f}"] for b in told.bins if b.n
    ]
    return [*rows, ["all", f"{told.n}", f"{chance.mean():.3f}", f"{right.mean():.3f}; error {told.ece:.3f}"]]


def tell(title: str, pieces: Judged, chance: Array) -> None:
    """Print how well chances hold, beside the confidence that the net's shares state."""
    for name, some in (("by the net's shares", pieces.stated), ("by the odds", chance)):
        print(f"{title}, {name}\n")
        print("\n".join(markdown.table(("chance", "pieces", "stated", "right"), bin_rows(some, pieces.right))))
    sure = chance >= SURE
    wrong = sorted(set(pieces.table[sure & (pieces.right == 0)]))
    print(f"Told: {sure.sum()} of {len(sure)}, {int((1 - pieces.right[sure]).sum())} of them wrong;"
          f" tables with a wrong one: {len(wrong)} of {pieces.tables} ({', '.join(wrong)}).\n")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=("figures", "pictures", "learn", "check"))
    parser.add_argument("given", type=Path, nargs="+", help="folders of photographs, pictures, or files of figures")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--recoloured", type=int, default=0, metavar="TIMES")
    parser.add_argument("--times", type=int, default=2, help="how often each picture is treated as a table")
    parser.add_argument("--odds", type=Path, default=Path("vision/data/piece_odds.json"))
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.task != "check" and args.out is None:
        parser.error("--out says where the result goes.")
    if args.task == "figures":
        from_photographs(args.given, args.recoloured).save(args.out)
    elif args.task == "pictures":
        from_pictures(args.given, args.times).save(args.out)
    elif args.task == "learn":
        pieces = Judged.load(args.given)
        odds, chance = learn(pieces)
        args.out.write_text(json.dumps(odds, separators=(",", ":")) + "\n")
        for sort in sorted(set(pieces.sort)):
            rows = pieces.sort == sort
            tell(f"{sort}, kits left out", pieces.some(rows), chance[rows])
    else:
        odds_here = PieceOdds.from_json(json.loads(args.odds.read_text()))
        for path in args.given:
            pieces = Judged.load([path])
            tell(path.stem, pieces, odds_here.right(pieces.told))


if __name__ == "__main__":
    main()
