"""Train the nets that look for dice and read them, on samples that another process keeps making (``dice_samples.py``).

    python scripts/train/dice_trainer.py numbers --samples samples/dice --out vision/data/dice.onnx --minutes 20
    python scripts/train/dice_trainer.py places --samples samples/dice --out vision/data/dice_places.onnx --minutes 10

Needs PyTorch and onnx beside the project. One photograph in twelve is kept aside, and the net is measured on those.
``--start`` continues from a net that was written before.
"""

from __future__ import annotations

import argparse
import copy
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import torch
from dice_models import SYMBOL
from dice_samples import UNKNOWN
from onnx import numpy_helper
from scipy.special import softmax
from torch import Tensor, nn
from torch.nn import functional
from trainer import rate_at

from vision.small_objects.beside_units import colors_of
from vision.small_objects.dice_nets import CELL_PX, map_input, reader_input

ASIDE = 12
IN_BFLOAT16 = torch.cpu.get_capabilities().get("amx_bf16", False)
"""Whether the processor counts faster so; without support it counts ten times slower."""
KINDS = (0, 1, 2, 3, 4, 5, 6, SYMBOL)
"""The classes of the reader, in the order of its levels; a die of unknown number is any of 1 to 6."""
PIECE_PX = 128  # side of the pieces of maps that are learnt from
_NEAR_IN = 0.16  # about a die's middle all cells count as it


def _conv(inputs: int, outputs: int, stride: int = 1, size: int = 3, spread: int = 1) -> nn.Sequential:
    space = spread * (size // 2)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride=stride, padding=space, dilation=spread, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(True),
    )


class Finder(nn.Module):
    """Where dice are (n, 1, r / 4, c / 4), before the logistic function, of maps (n, 5, r, c)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(5, 10, 2, 5), _conv(10, 24, 2), _conv(24, 32), _conv(32, 32, spread=2), _conv(32, 32)
        )
        self.last = nn.Conv2d(32, 1, 1)
        nn.init.constant_(self.last.bias, -4.0)  # type: ignore[arg-type]

    def forward(self, shown: Tensor) -> Tensor:
        out: Tensor = self.last(self.body(shown))
        return out


class Reader(nn.Module):
    """Levels of no die, 1 to 6 and a symbol, the face's offset and the logarithm of its side (n, 11) of squares
    (n, 4, r, c)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(4, 16),
            _conv(16, 24, 2),
            _conv(24, 32),
            _conv(32, 48, 2),
            _conv(48, 56),
            _conv(56, 72, 2),
            _conv(72, 72),
        )
        self.last = nn.Linear(72 * 36, len(KINDS) + 3)
        self.first = nn.Dropout(0.1)

    def forward(self, shown: Tensor) -> Tensor:
        out: Tensor = self.last(self.first(self.body(shown).flatten(1)))
        return out


Rows = dict[str, np.ndarray[Any, Any]]


class Samples:
    """The samples drawn so far, learnt from and kept aside."""

    def __init__(self, folder: Path, task: str) -> None:
        self.folder, self.task = folder, task
        self.known: set[Path] = set()
        self.learn: list[Rows] = []
        self.aside: list[Rows] = []

    def refresh(self) -> None:
        """Take in the new samples."""
        for path in sorted(set(self.folder.glob("*.npz")) - self.known):
            self.known.add(path)
            with np.load(path) as file:
                names = (
                    ("map", "eye", "ppi", "dice") if self.task == "places" else ("pictures", "lean", "aim", "labels")
                )
                rows = {name: file[name] for name in names}
            # All rounds of one photograph are kept aside together.
            (self.aside if int(path.stem[-4:]) % ASIDE == 0 else self.learn).append(rows)


def finder_piece(rows: Rows, rng: np.random.Generator | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A piece of a map (the whole without ``rng``), its target and the mask of places that count."""
    colors = colors_of(rows["map"])
    foot, height, ppi = rows["eye"][:2], float(rows["eye"][2]), float(rows["ppi"])
    if rng is not None:
        colors = colors * np.float32(rng.uniform(0.8, 1.2)) + rng.normal(0, 0.1, 3).astype(np.float32)
    shown = map_input(colors, foot, height, ppi)
    tall, wide = (n // CELL_PX * CELL_PX for n in shown.shape[1:])
    shown = shown[:, :tall, :wide]
    y, x = np.mgrid[: tall // CELL_PX, : wide // CELL_PX]
    goal, counts = np.zeros(x.shape, np.float32), np.ones(x.shape, np.float32)
    for column, row, part in rows["dice"]:
        away = np.hypot(x * CELL_PX + 1.5 - column, y * CELL_PX + 1.5 - row) / ppi
        if part > 0.6:
            goal[away < _NEAR_IN] = 1
            counts[(away >= _NEAR_IN) & (away < 2 * _NEAR_IN)] = 0
        else:
            counts[away < 3 * _NEAR_IN] = 0
    return shown, goal, counts


def finder_batch(samples: Samples, rng: np.random.Generator, pieces: int) -> tuple[Tensor, ...]:
    """Pieces of two maps, most of them with a die in them."""
    out: list[tuple[np.ndarray, ...]] = []
    for _ in range(2):
        rows = samples.learn[int(rng.integers(len(samples.learn)))]
        shown, goal, counts = finder_piece(rows, rng)
        spots = np.argwhere(goal > 0)
        side = PIECE_PX // CELL_PX
        for k in range(pieces // 2):
            low = np.zeros(2, int)
            most = np.maximum(np.array(goal.shape) - side, 0)
            if k % 3 and len(spots):
                low = spots[int(rng.integers(len(spots)))] - rng.integers(2, side - 2, 2)
            else:
                low = rng.integers(0, most + 1)
            a, b = np.clip(low, 0, most).tolist()
            here = slice(a * CELL_PX, (a + side) * CELL_PX), slice(b * CELL_PX, (b + side) * CELL_PX)
            piece = shown[:, here[0], here[1]].copy()
            cells = [p[a : a + side, b : b + side].copy() for p in (goal, counts)]
            if rng.random() < 0.5:
                piece, cells = piece[..., ::-1].copy(), [p[:, ::-1].copy() for p in cells]
                piece[3] *= -1
            for _ in range(int(rng.integers(4))):
                piece, cells = np.rot90(piece, axes=(1, 2)).copy(), [np.rot90(p).copy() for p in cells]
                right, down = piece[3].copy(), piece[4].copy()
                piece[3], piece[4] = down, -right
            out.append((piece, *cells))
    return tuple(torch.from_numpy(np.stack(part)) for part in zip(*out, strict=True))


def finder_loss(net: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Cross entropy in which what is settled already counts little."""
    shown, goal, counts = batch
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=IN_BFLOAT16):
        says = net(shown.contiguous(memory_format=torch.channels_last))[:, 0]
    says = says.float()
    point = functional.binary_cross_entropy_with_logits(says, goal, reduction="none")
    share = torch.sigmoid(says)
    off = torch.where(goal > 0.5, 1 - share, share)
    weight = counts * off**1.5 * (1 + 4 * goal)
    return (point * weight).sum() / (goal.sum() + 8)


def reader_batch(samples: Samples, rng: np.random.Generator, count: int) -> tuple[Tensor, ...]:
    """Squares of many photographs."""
    chosen = []
    for row in rng.integers(len(samples.learn), size=16).tolist():
        rows = samples.learn[row]
        die = np.flatnonzero(rows["labels"] > 0)
        none = np.flatnonzero(rows["labels"] == 0)
        picked = [rng.choice(part, n) for part, n in ((die, count * 5 // 128), (none, count * 3 // 128)) if len(part)]
        chosen += [(rows, int(k)) for k in np.concatenate(picked)]
    pictures = np.array([rows["pictures"][k] for rows, k in chosen])
    shown = reader_input(pictures, np.array([rows["lean"][k] for rows, k in chosen]))
    aim = np.array([rows["aim"][k] for rows, k in chosen], np.float32)
    labels = np.array([rows["labels"][k] for rows, k in chosen])
    n = len(shown)
    shown[:, :3] *= rng.uniform(0.75, 1.25, (n, 1, 1, 1)).astype(np.float32)
    shown[:, :3] += (rng.normal(0, 1, (n, 3, 1, 1)) * [[[0.12]], [[0.12]], [[0.2]]]).astype(np.float32)
    for k in np.flatnonzero(rng.random(n) < 0.2):
        sigma = float(rng.uniform(0.4, 1.1))
        for plane in range(3):
            shown[k, plane] = cv2.GaussianBlur(shown[k, plane], (0, 0), sigma)
    noisy = rng.random(n) < 0.3
    shown[noisy, :3] += rng.normal(0, 0.06, (int(noisy.sum()), 3, *shown.shape[2:])).astype(np.float32)
    mirrored = rng.random(n) < 0.5
    shown[mirrored] = shown[mirrored][..., ::-1]
    aim[mirrored, 0] *= -1
    return torch.from_numpy(shown), torch.from_numpy(labels), torch.from_numpy(aim)


def reader_goal(labels: Tensor) -> Tensor:
    """Shares (n, 8) of :data:`KINDS`; an unknown number is any of them."""
    goal = (labels[:, None] == torch.tensor(KINDS)).float()
    goal[labels == UNKNOWN] = torch.tensor([0.0, *[1 / 6] * 6, 0.0])
    return goal


def reader_loss(net: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Cross entropy of the content, and the error of its face's place."""
    shown, labels, aim = batch
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=IN_BFLOAT16):
        says = net(shown.contiguous(memory_format=torch.channels_last))
    says = says.float()
    kind = -(reader_goal(labels) * functional.log_softmax(says[:, : len(KINDS)], dim=1)).sum(dim=1).mean()
    die = labels > 0
    off = functional.smooth_l1_loss(says[die, len(KINDS) : -1], aim[die, :2], beta=0.02)
    side = functional.smooth_l1_loss(says[die, -1], torch.log(aim[die, 2]), beta=0.05)
    return kind + 4 * off + side


def measure_reader(net: nn.Module, aside: list[Rows]) -> str:
    """On squares kept aside: dice seen, numbers right, shares right above chances, dice where none is."""
    said, labels = [], []
    with torch.no_grad():
        for rows in aside:
            said.append(net(torch.from_numpy(reader_input(rows["pictures"], rows["lean"]))).numpy())
            labels.append(rows["labels"])
    level, label = np.concatenate(said)[:, : len(KINDS)], np.concatenate(labels)
    chance = softmax(level, axis=1)
    best, sure = np.array(KINDS)[chance[:, 1:].argmax(axis=1) + 1], chance[:, 1:].max(axis=1)
    known, none = (label > 0) & (label != UNKNOWN), label == 0
    told = []
    for least in (0.5, 0.9, 0.97):
        right = (best == label)[known & (sure > least)]
        told.append(
            f"{least}: {(sure[known] > least).mean():.3f} told, {right.mean() if len(right) else 0.0:.4f} right, "
            f"{(sure[none] > least).mean():.4f} false"
        )
    symbols = (best == label)[label == SYMBOL]
    seen = f", symbols {symbols.mean():.4f}" if len(symbols) else ""
    return f"numbers right {(best == label)[known].mean():.4f}{seen}; " + "; ".join(told)


def measure_finder(net: nn.Module, aside: list[Rows]) -> str:
    """On maps kept aside: the share of dice found among so many most likely places."""
    found: dict[int, list[bool]] = {20: [], 40: [], 60: [], 100: []}
    with torch.no_grad():
        for rows in aside:
            shown, _, _ = finder_piece(rows, None)
            share = torch.sigmoid(net(torch.from_numpy(shown[None])))[0, 0].numpy()
            row, column = np.nonzero(share == cv2.dilate(share, np.ones((3, 3), np.uint8)))
            order = np.argsort(-share[row, column])
            at = np.column_stack([column, row])[order] * CELL_PX + 1.5
            for x, y, part in rows["dice"]:
                if part > 0.9:
                    away = np.hypot(*(at - [x, y]).T) / float(rows["ppi"])
                    rank = int(np.argmax(away < 0.3)) if (away < 0.3).any() else 10**6
                    for most, there in found.items():
                        there.append(rank < most)
    count = len(found[20]) / max(1, len(aside))
    return f"{count:.0f} dice a map; " + ", ".join(f"{np.mean(v):.3f} in {k}" for k, v in found.items())


def take_over(net: nn.Module, path: Path, shown: Tensor) -> None:
    """Give a net the weights of one that :func:`export` wrote, in which normalisations are part of convolutions;
    ``shown`` is some input, from which the spread at every layer is measured. What a reader could not tell yet starts
    out unlikely. Raises SystemExit for a net of another make."""
    graph = onnx.load(str(path)).graph
    held = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    stored = [(held[n.input[1]], held[n.input[2]]) for n in graph.node if n.op_type in ("Conv", "Gemm")]
    blocks, last = list(net.body), net.last  # type: ignore[arg-type]
    if [w.shape for w, _ in stored[:-1]] != [block[0].weight.shape for block in blocks]:
        raise SystemExit(f"{path} is a net of another make: train without --start.")
    with torch.no_grad():
        for block, (weight, bias) in zip(blocks, stored, strict=False):
            conv, norm = block[0], block[1]
            conv.weight.copy_(weight)
            plain = conv(shown)
            mean, var = plain.mean((0, 2, 3)), plain.var((0, 2, 3))
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(var)
            norm.weight.copy_(torch.sqrt(var + norm.eps))
            norm.bias.copy_(bias + mean)
            shown = torch.relu(plain + bias[:, None, None])
        weight, bias = stored[-1]
        if isinstance(last, nn.Linear):
            new = len(last.weight) - len(weight)
            weight = torch.cat([weight[:-3], torch.zeros(new, weight.shape[1]), weight[-3:]])
            bias = torch.cat([bias[:-3], torch.full((new,), -3.0), bias[-3:]])
        last.weight.copy_(weight)  # type: ignore[union-attr, operator]
        last.bias.copy_(bias)  # type: ignore[union-attr, operator]


def export(net: nn.Module, path: Path, task: str) -> None:
    """Write the net as ONNX: any number of squares, any size of map."""
    plain = copy.deepcopy(net).eval().to(memory_format=torch.contiguous_format)
    whole = nn.Sequential(plain, nn.Sigmoid()) if task == "places" else plain
    example = torch.zeros(1, 5, 64, 64) if task == "places" else torch.zeros(2, 4, 48, 48)
    axes = {"shown": {2: "rows", 3: "columns"}, "said": {2: "rows", 3: "columns"}} if task == "places" else {
        "shown": {0: "count"}, "said": {0: "count"}}  # fmt: skip
    part = path.with_suffix(".part")
    torch.onnx.export(
        whole, (example,), str(part), input_names=["shown"], output_names=["said"], dynamic_axes=axes, opset_version=17,
        dynamo=False,
    )  # fmt: skip
    part.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=("places", "numbers"))
    parser.add_argument("--samples", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="a net written before, to go on from")
    parser.add_argument("--keep", type=Path, help="where the weights are kept, to go on from")
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    net: nn.Module = (Finder() if args.task == "places" else Reader()).to(memory_format=torch.channels_last)
    if args.keep and args.keep.exists():
        net.load_state_dict(torch.load(args.keep, weights_only=True))
    samples = Samples(args.samples, args.task)
    if args.start:
        while not samples.learn:
            samples.refresh()
        some = finder_batch(samples, rng, 16) if args.task == "places" else reader_batch(samples, rng, 512)
        take_over(net, args.start, some[0])
    mean = copy.deepcopy(net)
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    start, told, step, smooth = time.monotonic(), 0.0, 0, 0.0
    while (minutes := (time.monotonic() - start) / 60) < args.minutes:
        samples.refresh()
        if len(samples.learn) < 8:
            time.sleep(3)
            continue
        rate = rate_at(step, minutes / args.minutes, args.rate)
        for group in optimizer.param_groups:
            group["lr"] = rate
        for _ in range(20):
            if args.task == "places":
                loss = finder_loss(net, finder_batch(samples, rng, 16))
            else:
                loss = reader_loss(net, reader_batch(samples, rng, args.batch))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            optimizer.step()
            step += 1
            smooth = float(loss.detach()) if smooth == 0 else 0.98 * smooth + 0.02 * float(loss.detach())
            keep = min(0.995, (step + 1) / (step + 20))
            with torch.no_grad():
                values = net.state_dict()
                for name, value in mean.state_dict().items():
                    if value.dtype.is_floating_point:
                        value.lerp_(values[name], 1 - keep)
        if minutes - told >= 2.0 or minutes + 0.4 > args.minutes:
            told = minutes
            mean.eval()
            measure = measure_finder if args.task == "places" else measure_reader
            photos = f"{len(samples.learn)} + {len(samples.aside)} photographs"
            print(
                f"{minutes:.1f} min, step {step}, {photos}, loss {smooth:.4f}; {measure(mean, samples.aside)}",
                flush=True,
            )
            export(mean, args.out, args.task)
            if args.keep:
                torch.save(net.state_dict(), args.keep)


if __name__ == "__main__":
    main()
