"""Learn how surely a traced piece of terrain is there and of its kind, and tell how well such chances hold.

    python scripts/train/piece_odds.py --learn PHOTOS [PHOTOS ...] --check PHOTOS [PHOTOS ...]

``PHOTOS`` are folders of photographs with truth (NAME.jpg, NAME.json, NAME.table.toml), of families that the nets did
not learn from; those to learn and those to check are of different families too. Pieces are traced by the product's own
code with the true camera; a piece is right where half of it or more lies on true terrain of its kind. The chance is a
logistic regression over a few figures of the piece; beside it stands the confidence that the product states.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import shapely
from compare import photographs, true_terrain
from scipy.optimize import minimize

from tabletop.evaluate import markdown
from vision.model.expected import ExpectedTerrain
from vision.terrain.ground import GroundConfig, ground_maps, papers_of, without_papers
from vision.terrain.pieces import KINDS, RIBBON_KINDS, RIVAL_KINDS, mask_of, planes_of, terrain_from
from vision.terrain.tracing import Sheet

Array = npt.NDArray[np.float64]
_HOLD = 0.15  # how much a weight costs (its square): few hundred pieces tell little of each kind
FIGURES = ("share", "sure part", "rival", "beyond the edge", "area", "stated")
_CORE_IN, _RING_IN = 0.5, 0.6
_SURE = 0.9
BINS = (0.0, 0.5, 0.75, 0.9, 0.95, 1.0)


@dataclass(frozen=True)
class OddsWeights:
    """The regression's weights, in log odds: a ``constant``, one for each kind and one for each of ``FIGURES``."""

    constant: float
    kinds: Mapping[str, float]
    figures: tuple[float, ...]

    def chance(self, kind: str, evidence: Array) -> float:
        """The chance that a piece is there and of its kind."""
        odds = self.constant + self.kinds.get(kind, 0.0) + float(np.dot(self.figures, evidence))
        return float(1.0 / (1.0 + np.exp(-odds)))


def evidence_of(piece: ExpectedTerrain, planes: dict[str, Sheet]) -> Array:
    """What the maps show of a piece, one number for each of ``FIGURES``.

    "share": log odds of the mean share of its kind away from its edge; "sure part": how much of it has a share of 0.9
    or more; "rival": log odds of the mean share of the likeliest kind that it may be mistaken for; "beyond the edge":
    the mean share of its kind just outside, low for a clear edge; "area": log of its square inches over ten; "stated":
    the product's confidence, as the log of what it leaves open.
    """
    kind, shape = piece.kind, shapely.Polygon(piece.polygon)
    core = shape.buffer(-min(_CORE_IN, 0.6 * shape.area / shape.length))
    inside = _within(planes[kind], core)
    if not len(inside):
        core, inside = shape, _within(planes[kind], shape)
    if not len(inside):
        inside = np.array([0.5])
    rivals = {other for group in (RIVAL_KINDS, RIBBON_KINDS) if kind in group for other in group} - {kind}
    rival = max((float(v.mean()) for k in rivals if len(v := _within(planes[k], core))), default=0.0)
    ring = _within(planes[kind], shape.buffer(_RING_IN), shape.buffer(0.15))
    return np.array([
        _log_odds(float(inside.mean())),
        float((inside > _SURE).mean()),
        _log_odds(rival),
        float(ring.mean()) if len(ring) else 0.5,
        float(np.log(max(shape.area, 0.1) / 10.0)),
        -float(np.log(1.01 - piece.confidence)),
    ])  # fmt: skip


def _log_odds(share: float) -> float:
    kept = min(max(share, 0.005), 0.995)
    return float(np.log(kept / (1.0 - kept)))


def _within(sheet: Sheet, shape: shapely.Geometry, hole: shapely.Geometry | None = None) -> Array:
    """The sheet's values (n,) at places that lie within a shape of table inches, and outside the other."""
    inside = mask_of(shape, sheet.scale)
    if hole is not None:
        inside &= ~mask_of(hole, sheet.scale)
    pad = sheet.pad
    return np.asarray(sheet.values[pad : pad + inside.shape[0], pad : pad + inside.shape[1]][inside], np.float64)


@dataclass(frozen=True)
class Judged:
    """A piece that was traced: its kind, what the maps show of it, the confidence that the product states, and whether
    it is right."""

    kind: str
    evidence: Array
    stated: float
    right: bool


def judged_pieces(folder: Path) -> list[Judged]:
    """The pieces of all photographs of a folder."""
    out = []
    config = GroundConfig().terrain
    for seen in photographs(folder):
        maps = without_papers(ground_maps(seen.image, seen.view, seen.size), papers_of(seen.expected.frame))
        planes = planes_of(maps, config)
        true = true_terrain(seen.truth, seen.size)
        for piece in terrain_from(maps, config):
            if piece.kind == "bridge":
                continue  # how surely a bridge is there, its road and river tell
            shape = shapely.make_valid(shapely.Polygon(piece.polygon))
            own = shapely.union_all([s for kind, s in true if kind == piece.kind])
            right = bool(own.intersection(shape).area >= 0.5 * shape.area)
            out.append(Judged(piece.kind, evidence_of(piece, planes), piece.confidence, right))
    return out


def learn(pieces: list[Judged]) -> OddsWeights:
    """The weights under which what was seen is likeliest, held near nothing."""
    kinds = [kind for kind in KINDS if kind != "bridge"]
    rows = np.array([[1.0, *(float(p.kind == k) for k in kinds), *p.evidence] for p in pieces])
    right = np.array([p.right for p in pieces], float)
    spread = rows.std(axis=0)
    spread[: 1 + len(kinds)] = 1.0
    scaled = rows / spread

    def cost(weights: Array) -> tuple[float, Array]:
        odds = scaled @ weights
        chance = 1.0 / (1.0 + np.exp(-odds))
        held = np.where(np.arange(len(weights)) == 0, 0.0, weights)
        loss = np.logaddexp(0.0, odds) - right * odds
        return float(loss.sum() + _HOLD * held @ held), scaled.T @ (chance - right) + 2 * _HOLD * held

    found = minimize(cost, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x / spread
    return OddsWeights(
        round(float(found[0]), 3),
        {kind: round(float(w), 3) for kind, w in zip(kinds, found[1:], strict=False)},
        tuple(round(float(w), 3) for w in found[1 + len(kinds) :]),
    )


def reliability(chance: Array, right: Array) -> list[list[str]]:
    """Rows by bins of the stated chances (n,): pieces, the mean chance and the share that is ``right`` (n,); last, over
    all, with the expected calibration error."""
    rows, error = [], 0.0
    for low, high in pairwise(BINS):
        inside = (chance >= low) & ((chance < high) | (high == 1.0))
        if inside.any():
            stated, held = chance[inside].mean(), right[inside].mean()
            error += inside.sum() / len(chance) * abs(stated - held)
            rows.append([f"{low:.2f} to {high:.2f}", f"{inside.sum()}", f"{stated:.3f}", f"{held:.3f}"])
    rows.append(["all", f"{len(chance)}", f"{chance.mean():.3f}", f"{right.mean():.3f}; error {error:.3f}"])
    return rows


def tell(title: str, pieces: list[Judged], weights: OddsWeights) -> None:
    """Print how well chances hold on some pieces: the product's confidence and the regression's."""
    right = np.array([p.right for p in pieces], float)
    chances = {
        "stated by the product": np.array([p.stated for p in pieces]),
        "by the regression": np.array([weights.chance(p.kind, p.evidence) for p in pieces]),
    }
    for name, chance in chances.items():
        print(f"{title}, {name}\n")
        print("\n".join(markdown.table(("chance", "pieces", "stated", "right"), reliability(chance, right))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learn", type=Path, nargs="+", required=True, help="folders to learn from")
    parser.add_argument("--check", type=Path, nargs="+", default=[], help="folders to check the weights on, one by one")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    pieces = [piece for folder in args.learn for piece in judged_pieces(folder)]
    weights = learn(pieces)
    print(f"Weights ({', '.join(FIGURES)}): {weights}\n")
    tell("learnt from", pieces, weights)
    for folder in args.check:
        tell(folder.name, judged_pieces(folder), weights)


if __name__ == "__main__":
    main()
