"""Fit the numbers that turn the nets' output for bases and dice into chances, and report how well such chances hold.

    python scripts/evaluate_photos.py PHOTOS --json choose.json
    python scripts/train/chances.py choose.json [choose.json ...]

The evaluations are of photographs that the nets did not learn from, by the unchanged product: the ranks behind its
statements are computed back. Photographs read with the table the wrong way round are left out. Families (traced
ones by name, drawn ones by table) are left out in turn: chances of each come from numbers that the others gave, and
those are binned. The numbers printed for the configuration are of all together. Lone bases' rims have no rank: how
often they are there is printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from evaluation.markdown import number, table
from evaluation.reliability import PIPS, RIM, SHAPE, Statement, reliability
from vision.bases.presence import PresenceConfig
from vision.model.calibrated import Beta
from vision.small_objects.dice import DiceConfig

Array = npt.NDArray[np.float64]

KEEP = 0.05
"""How strongly the slopes are held at 1, as so many squared logarithms."""


def fit(rank: Array, right: Array) -> Beta:
    """The beta calibration (n,) ranks and outcomes ask for, by greatest likelihood."""
    up, down, sign = np.log(rank), -np.log1p(-rank), 2.0 * right - 1.0

    def cost(w: Array) -> float:
        odds = np.exp(w[0]) * up + np.exp(w[1]) * down + w[2]
        return float(np.logaddexp(0.0, -sign * odds).sum() + KEEP * (w[0] ** 2 + w[1] ** 2))

    best = minimize(cost, np.zeros(3)).x
    return Beta(float(np.exp(best[0])), float(np.exp(best[1])), float(best[2]))


def left_out(rank: Array, right: Array, family: npt.NDArray[np.str_]) -> Array:
    """The chances (n,) of each family by the fit to all others."""
    out = np.zeros(len(rank))
    for one in np.unique(family):
        mine = family == one
        out[mine] = fit(rank[~mine], right[~mine]).chance(rank[mine])
    return out


def family_of(photo: str) -> str:
    """The unit of cross-validation: a traced family, a drawn table.

    >>> family_of("traced-snow-0002"), family_of("more/drawn-83001")
    ('snow', 'drawn-83001')
    """
    name = photo.rsplit("/", 1)[-1]
    return name.split("-")[1] if name.startswith("traced-") else name


def told_in(evaluations: list[dict[str, Any]], sort: str) -> tuple[Array, Array, npt.NDArray[np.str_]]:
    """Stated chances (n,), whether right (n,) and families (n,) of one sort; for dice only those with a value."""
    rows = [
        (stated, right, family_of(photo["photo"]))
        for evaluation in evaluations
        for photo in evaluation["sections"][0]["photos"]
        if photo["statements"] and not photo["turned"]
        for name, stated, right, asked in zip(
            *(photo["statements"][key] for key in ("sort", "stated", "right", "asked")), strict=True
        )
        if name == sort and not (sort == PIPS and asked)
    ]
    stated, right, family = zip(*rows, strict=True) if rows else ((), (), ())
    return np.array(stated, dtype=np.float64), np.array(right, dtype=np.float64), np.array(family, dtype=str)


def report(sort: str, rank: Array, right: Array, family: npt.NDArray[np.str_]) -> list[str]:
    """The numbers for a sort, and its bins with families left out."""
    beta, held = fit(rank, right), left_out(rank, right, family)
    told = reliability(Statement(sort, float(c), bool(r), False) for c, r in zip(held, right, strict=True))
    rows = [[f"{b.low:g} to {b.high:g}", f"{b.right} of {b.n}", number(b.stated)] for b in told.bins if b.n]
    words = f"Beta({beta.up:.3f}, {beta.down:.3f}, {beta.shift:.3f}); error {told.ece:.3f}, Brier {told.brier:.4f}"
    return [f"{sort}: {words}", "", *table(["stated, families left out", "right", "mean"], rows)]


def main() -> None:
    """Print the numbers and the bins."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("evaluations", type=Path, nargs="+", help="JSON that `python scripts/evaluate_photos.py` wrote")
    given = parser.parse_args()
    evaluations = [json.loads(path.read_text(encoding="utf-8")) for path in given.evaluations]
    lines: list[str] = []
    for sort, stated_by in ((SHAPE, PresenceConfig().chance), (PIPS, DiceConfig().number)):
        stated, right, family = told_in(evaluations, sort)
        if len(np.unique(family)) > 1:
            lines += report(sort, np.clip(stated_by.rank(stated), 1e-6, 1.0 - 1e-6), right, family)
    _, there, _ = told_in(evaluations, RIM)
    lines += [f"{RIM}: {int(there.sum())} of {len(there)} are there"]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
