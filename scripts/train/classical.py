"""Train a classical classifier of places on the nets' own samples, to compare the nets with.

    python scripts/train/classical.py ground --samples DIR --out ground-forest.gz

Boosted trees, one set for each plane that the net says, over hand-made features (``features.py``) of the same drawn
samples: of every window one of its two looks, in turn. One sample in twenty is kept aside, as it is from the net; a few
other windows settle where each plane is cut and how the shares are smoothed. Needs scikit-learn beside the project.
A forest's file is executed when it is read: read only files that you made.
"""

from __future__ import annotations

import argparse
import gzip
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from features import Float32, Image, Lean, Mask, features, guided_filter
from sampled import ASIDE, PLANES, Sample, load_sample

_SETTLING = 80  # of every so many samples one settles cuts and smoothing
_STEP_PX = {
    "ground": 2,
    "bases": 1,
}  # the trees are asked at every so many pixels, and what they say is carried between
_ROWS = 1000
_CUTS = np.linspace(0.05, 0.9, 35)
_SMOOTHINGS_IN = (0.0, 0.2, 0.5, 1.0, 1.5)


def settling_samples(paths: list[Path]) -> list[Path]:
    """The samples that settle a forest's cuts and smoothing; its trees learn from neither look at those windows."""
    return [p for i, p in enumerate(paths) if i % _SETTLING == ASIDE // 2]


def learnt(paths: list[Path]) -> list[Path]:
    """The samples that the trees learn from: of the looks at each window, which lie side by side, one in turn."""
    return [
        p
        for i, p in enumerate(paths)
        if i % ASIDE and i % _SETTLING not in (ASIDE // 2, ASIDE // 2 + 1) and i % 4 in (0, 3)
    ]


@dataclass(frozen=True, eq=False)
class Forest:
    """A trained classifier: ``models`` say for rows of features how likely each plane is; ``cuts`` (k,) is where each
    is cut, ``smoothing_in`` how far colours are followed in smoothing (0: not smoothed)."""

    task: str
    models: tuple[Any, ...]
    cuts: tuple[float, ...]
    smoothing_in: float

    def raw(self, image: Image, lean: Lean, valid: Mask, px_per_inch: float) -> Float32:
        """Likelihoods (k, rows, columns) as the trees say them, place by place."""
        planes, _ = features(image, lean, valid, px_per_inch)
        step = _STEP_PX[self.task]
        few = planes[:, ::step, ::step]
        rows = np.ascontiguousarray(few.reshape(len(few), -1).T)
        apart = np.array([[step, 0, 0], [0, step, 0]], np.float64)
        size = (valid.shape[1], valid.shape[0])
        out = np.zeros((len(self.models), *valid.shape), np.float32)
        for k, model in enumerate(self.models):
            # A few rows at once stay in the processor's cache: more than twice as quick as all.
            parts = [model.predict_proba(rows[i : i + _ROWS])[:, 1] for i in range(0, len(rows), _ROWS)]
            said = np.concatenate(parts).astype(np.float32).reshape(few.shape[1:])
            out[k] = cv2.warpAffine(said, apart, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return out * valid

    def __call__(self, image: Image, lean: Lean, valid: Mask, px_per_inch: float) -> Float32:
        """Shares (k, rows, columns) from 0 to 1, smoothed, each plane's cut brought to one half."""
        share = smooth_shares(self.raw(image, lean, valid, px_per_inch), image, self.smoothing_in * px_per_inch)
        return centre_shares(share, self.cuts) * valid


def learn(task: str, paths: list[Path], places: int, rounds: int, seed: int) -> tuple[Any, ...]:
    """Trained models, one for each plane of a task, from about ``places`` places of the samples."""
    # Only training needs this library: features, cuts and comparisons do without.
    from sklearn.ensemble import HistGradientBoostingClassifier

    rows, said, weight = gather_features(paths, places, np.random.default_rng(seed))
    out = []
    for k, name in enumerate(PLANES[task]):
        model = HistGradientBoostingClassifier(
            learning_rate=0.12,
            max_iter=rounds,
            max_leaf_nodes=31,
            min_samples_leaf=60,
            l2_regularization=1.0,
            early_stopping=False,
            random_state=seed,
        )
        out.append(model.fit(rows, said[:, k], sample_weight=weight))
        print(f"{name}: learnt from {len(rows)} places, {int(said[:, k].sum())} of them on it", flush=True)
    return tuple(out)


def settle_forest(task: str, models: tuple[Any, ...], paths: list[Path]) -> Forest:
    """The forest with the cuts and the smoothing that overlap best on the samples."""
    rough = Forest(task, models, (0.5,) * len(models), 0.0)
    shape = (len(_SMOOTHINGS_IN), len(models), len(_CUTS))
    both, either = np.zeros(shape), np.zeros(shape)
    for path in paths:
        sample = load_sample(path)
        raw = rough.raw(sample.image, sample.lean, sample.valid, sample.px_per_inch)
        for row, reach in enumerate(_SMOOTHINGS_IN):
            share = smooth_shares(raw, sample.image, reach * sample.px_per_inch)
            one, other = overlaps(share, sample.planes, sample.valid)
            both[row] += one
            either[row] += other
    iou = both / np.maximum(either, 1)
    best = int(iou.max(axis=2).mean(axis=1).argmax())
    cuts = tuple(float(_CUTS[c]) for c in iou[best].argmax(axis=1))
    for reach, row in zip(_SMOOTHINGS_IN, iou, strict=True):
        print(f"smoothed over {reach} in: {np.round(row.max(axis=1), 3).tolist()}", flush=True)
    print(f"cuts {np.round(cuts, 3).tolist()}", flush=True)
    return Forest(task, models, cuts, _SMOOTHINGS_IN[best])


def overlaps(share: Float32, planes: Mask, valid: Mask) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Pixels of intersection and of union (k, cuts) of each plane, cut at each of the cuts tried."""
    both, either = (np.zeros((len(planes), len(_CUTS))) for _ in range(2))
    edges = np.concatenate([[-np.inf], _CUTS, [np.inf]])
    for k, plane in enumerate(planes):
        true, false = (
            np.histogram(share[k, valid & there], edges)[0][::-1].cumsum()[::-1] for there in (plane, ~plane)
        )
        both[k], either[k] = true[1:], true[0] + false[1:]
    return both, either


def smooth_shares(share: Float32, image: Image, reach_px: float) -> Float32:
    """Shares smoothed within what has one colour; as they are for no reach."""
    return guided_filter(share, image, reach_px) if reach_px > 0 else share


def centre_shares(share: Float32, cuts: tuple[float, ...]) -> Float32:
    """Shares (k, ...) with their odds moved so that each plane's cut becomes one half.

    >>> centre_shares(np.array([[0.2, 0.0, 1.0]], np.float32), (0.2,)).tolist()
    [[0.5, 0.0, 1.0]]
    """
    cut = np.array(cuts, np.float32).reshape(-1, *[1] * (share.ndim - 1))
    yes = share * (1 - cut)
    return np.asarray(yes / np.maximum(yes + (1 - share) * cut, np.float32(1e-9)), np.float32)


def save_forest(forest: Forest, path: Path) -> None:
    """Write a forest as a compressed pickle."""
    parts = (forest.task, forest.models, forest.cuts, forest.smoothing_in)
    path.write_bytes(gzip.compress(pickle.dumps(parts), 6))


def load_forest(path: Path) -> Forest:
    """A forest that :func:`save_forest` wrote; runs what is in the file."""
    return Forest(*pickle.loads(gzip.decompress(path.read_bytes())))


def drawn_places(sample: Sample, count: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.intp], Float32]:
    """Places (count,), indices into the flat picture, and what each counts for.

    Half of them are anywhere, the others on a plane drawn at random, so that rare kinds are seen; the weights make up
    for that, so that shares stay what they are.
    """
    valid = np.flatnonzero(sample.valid)
    if not len(valid):
        return np.zeros(0, np.intp), np.zeros(0, np.float32)
    chance = np.full(sample.valid.size, 0.0)
    chance[valid] = 1.0 / len(valid)
    there = [np.flatnonzero(p) for p in sample.planes if p.any()]
    favoured = 0.5 * chance if there else chance.copy()
    for place in there:
        favoured[place] += 0.5 / (len(there) * len(place))
    at = rng.choice(len(favoured), size=count, p=favoured / favoured.sum())
    return at, (chance[at] / favoured[at]).astype(np.float32)


def gather_features(
    paths: list[Path], count: int, rng: np.random.Generator
) -> tuple[Float32, npt.NDArray[np.bool_], Float32]:
    """Features (n, f), true planes (n, k) and weights (n,) of about ``count`` places, as many from each sample."""
    rows, said, weights = [], [], []
    each = max(1, round(count / max(1, len(paths))))
    for path in paths:
        sample = load_sample(path)
        at, weight = drawn_places(sample, each, rng)
        planes, _ = features(sample.image, sample.lean, sample.valid, sample.px_per_inch)
        rows.append(planes.reshape(len(planes), -1)[:, at].T)
        said.append(sample.planes.reshape(len(sample.planes), -1)[:, at].T)
        weights.append(weight)
    return np.concatenate(rows), np.concatenate(said), np.concatenate(weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=PLANES)
    parser.add_argument("--samples", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--places", type=int, default=400_000, help="learnt from, over all samples")
    parser.add_argument("--rounds", type=int, default=120, help="trees of each plane")
    parser.add_argument("--settling", type=int, default=26, help="windows that settle cuts and smoothing")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    paths = sorted(args.samples.glob("*.npz"))
    if not learnt(paths):
        parser.error(f"{args.samples} holds {len(paths)} samples: make some hundreds with samples.py.")
    models = learn(args.task, learnt(paths), args.places, args.rounds, args.seed)
    windows = settling_samples(paths)
    chosen = windows[:: max(1, len(windows) // args.settling)]
    save_forest(settle_forest(args.task, models, chosen), args.out)


if __name__ == "__main__":
    main()
