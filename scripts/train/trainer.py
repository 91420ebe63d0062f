"""Train one of the two nets on drawn samples that another process keeps making (see ``samples.py``).

    python scripts/train/trainer.py ground --samples DIR --out vision/data/ground.onnx --minutes 60

Needs PyTorch and onnx beside the project. Samples are read from DIR as they come; the oldest are used as well as the
newest. Every few minutes the net is measured on samples kept aside and written to ``--out``.
"""

from __future__ import annotations

import argparse
import time
from functools import lru_cache
from pathlib import Path

import numpy as np
import onnx
import torch
from net import PlanNet
from onnx import numpy_helper
from sampled import PLANES, kept_aside, load_sample, to_learn_from
from torch import Tensor
from torch.nn import functional

from vision.imaging.nets import INPUTS, plan_input

# How much more a place of each plane counts than one without: rare and faint kinds would else never be said.
FAVOUR = {"ground": (1.5, 1.5, 3.0, 1.5, 1.5, 12.0, 1.5, 2.0, 3.0), "bases": (1.0, 1.5, 1.5)}


@lru_cache(maxsize=1500)
def load(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A sample: the net's input (INPUTS, r, c), the right output (k, r, c), each place's weight (r, c); in half
    precision, as all samples are kept in memory."""
    sample = load_sample(path)
    shown = plan_input(sample.image, sample.lean, sample.valid)
    return shown.astype(np.float16), sample.planes.astype(np.float16), sample.valid.astype(np.float16)


def crop_sample(arrays: tuple[np.ndarray, ...], side: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """A square piece of the sample: half of them anywhere, the others round a place of a kind drawn at random, so that
    rare kinds are seen as often as common ones."""
    target = arrays[1]
    rows, columns = target.shape[1:]
    a, b = int(rng.integers(max(1, rows - side + 1))), int(rng.integers(max(1, columns - side + 1)))
    there = np.flatnonzero(target.any(axis=(1, 2)))
    if len(there) and rng.random() < 0.5:
        # The fewer places of a kind the sample has, the more likely one of them is the middle.
        share = target[there].sum(axis=(1, 2)) ** -0.5
        places = np.argwhere(target[there[int(rng.choice(len(there), p=share / share.sum()))]] > 0)
        row, column = places[int(rng.integers(len(places)))] - rng.integers(side // 4, 3 * side // 4, 2)
        a, b = int(np.clip(row, 0, max(0, rows - side))), int(np.clip(column, 0, max(0, columns - side)))
    return tuple(array[..., a : a + side, b : b + side].astype(np.float32) for array in arrays)


def turn_sample(arrays: tuple[np.ndarray, ...], rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """The sample mirrored and turned by quarters, its lean with it."""
    shown, target, weight = arrays
    shown = shown.copy()
    if rng.random() < 0.5:
        shown, target, weight = shown[..., ::-1].copy(), target[..., ::-1], weight[..., ::-1]
        shown[6] *= -1
    for _ in range(int(rng.integers(4)) if shown.shape[1] == shown.shape[2] else 2 * int(rng.integers(2))):
        shown, target, weight = (np.rot90(a, axes=(-2, -1)).copy() for a in (shown, target, weight))
        # Counter-clockwise: a vector that pointed right now points up.
        right, down = shown[6].copy(), shown[7].copy()
        shown[6], shown[7] = down, -right
    return shown, np.ascontiguousarray(target), np.ascontiguousarray(weight)


def loss_of(says: Tensor, target: Tensor, weight: Tensor, favour: Tensor) -> Tensor:
    """Cross entropy and overlap, plane by plane."""
    more = favour[None, :, None, None]
    point = functional.binary_cross_entropy_with_logits(says, target, pos_weight=more[0], reduction="none")
    point = (point * weight[:, None]).sum() / (weight.sum() * says.shape[1] + 1.0)
    share = torch.sigmoid(says) * weight[:, None]
    both = (share * target).sum(dim=(0, 2, 3))
    either = (share + target * weight[:, None]).sum(dim=(0, 2, 3))
    overlap = (1 - (2 * both + 50.0) / (either + 50.0)).mean()
    return point * 4.0 + overlap


def measure(net: PlanNet, paths: list[Path]) -> list[float]:
    """Intersection over union of each plane at one half, over all samples kept aside."""
    net.eval()
    both, either = 0.0, 0.0
    with torch.no_grad():
        for path in paths:
            shown, target, weight = load(path)
            says = net(torch.from_numpy(shown[None].astype(np.float32)))[0].numpy() > 0
            there, counts = target > 0.5, weight > 0
            both = both + (says & there & counts).sum(axis=(1, 2))
            either = either + ((says | there) & counts).sum(axis=(1, 2))
    net.train()
    return [round(float(v), 3) for v in np.atleast_1d(both) / np.maximum(np.atleast_1d(either), 1)]


def export(net: PlanNet, path: Path, inputs: int) -> None:
    """Write the net as ONNX with free picture sizes, shares between 0 and 1."""
    import copy

    plain = copy.deepcopy(net).eval()
    whole = torch.nn.Sequential(plain, torch.nn.Sigmoid()).to(memory_format=torch.contiguous_format)
    example = torch.zeros(1, inputs, 64, 64)
    temporary = path.with_suffix(".part")
    torch.onnx.export(
        whole,
        (example,),
        str(temporary),
        input_names=["shown"],
        output_names=["share"],
        dynamic_axes={"shown": {2: "rows", 3: "columns"}, "share": {2: "rows", 3: "columns"}},
        opset_version=17,
        dynamo=False,
        # Batch normalisation stays as it is (OpenCV folds it when it loads), so that training can go on from the file.
        training=torch.onnx.TrainingMode.PRESERVE,
    )
    temporary.replace(path)


def load_weights(net: PlanNet, path: Path) -> None:
    """Take a net's weights from an ONNX file that :func:`export` wrote."""
    stored = {t.name.removeprefix("0."): numpy_helper.to_array(t) for t in onnx.load(str(path)).graph.initializer}
    state = net.state_dict()
    for name, value in state.items():
        if name in stored:
            value.copy_(torch.from_numpy(stored[name].copy()))
        elif not name.endswith("num_batches_tracked"):
            raise SystemExit(f"{path} lacks {name}: it is not a net of this task.")


def rate_at(step: int, done: float, top: float) -> float:
    """How fast to learn, ``top`` at most: it rises over the first hundred steps and falls to nothing as the share
    ``done`` of the time gets to one."""
    return float(top * min(1.0, (step + 1) / 100) * 0.5 * (1 + np.cos(np.pi * min(1.0, done))))


def take_step(net: torch.nn.Module, optimizer: torch.optim.Optimizer, loss: Tensor, smooth: float) -> float:
    """Learn from one loss; returns the mean of the losses so far, the latest counting most (``smooth``: before, 0 at
    first)."""
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    level = float(loss.detach())
    return level if smooth == 0.0 else 0.98 * smooth + 0.02 * level


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=PLANES)
    parser.add_argument("--samples", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--keep", type=Path, help="where the state of training is kept, to go on from")
    parser.add_argument("--start", type=Path, help="an ONNX file of this task with the weights to begin with")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--side", type=int, default=192, help="pixels of the pieces that are learnt from")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--exact", action="store_true", help="no bfloat16: faster on processors that lack it")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    net = PlanNet(INPUTS, len(PLANES[args.task])).to(memory_format=torch.channels_last)
    if args.start:
        load_weights(net, args.start)
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    average = {name: value.clone() for name, value in net.state_dict().items()}
    step, start, told = 0, time.monotonic(), 0.0
    if args.keep and args.keep.exists():
        state = torch.load(args.keep, weights_only=True)
        net.load_state_dict(state["net"])
        average, step = state["average"], state["step"]
    smooth, favour = 0.0, torch.tensor(FAVOUR[args.task])
    while (minutes := (time.monotonic() - start) / 60) < args.minutes:
        paths = sorted(args.samples.glob("*.npz"))
        learn = to_learn_from(paths)
        if len(learn) < 4 * args.batch:
            time.sleep(5)
            continue
        rate = rate_at(step, minutes / args.minutes, args.rate)
        for group in optimizer.param_groups:
            group["lr"] = rate
        for _ in range(25):
            # The newest samples count as much as all the others together, so that few are seen too often.
            recent = learn[-max(64, len(learn) // 3) :]
            pools = [recent if rng.random() < 0.5 else learn for _ in range(args.batch)]
            chosen = [pool[int(rng.integers(len(pool)))] for pool in pools]
            batch = [turn_sample(crop_sample(load(p), args.side, rng), rng) for p in chosen]
            shown, target, weight = (torch.from_numpy(np.stack(part)) for part in zip(*batch, strict=True))
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=not args.exact):
                says = net(shown.to(memory_format=torch.channels_last))
            loss = loss_of(says.float(), target, weight, favour)
            smooth = take_step(net, optimizer, loss, smooth)
            step += 1
            keep = min(0.99, (step + 1) / (step + 20))
            with torch.no_grad():
                for name, value in net.state_dict().items():
                    if value.dtype.is_floating_point:
                        average[name].lerp_(value, 1 - keep)
                    else:
                        average[name].copy_(value)
        if minutes - told >= 3.0 or minutes + 0.5 > args.minutes:
            told = minutes
            mean = PlanNet(INPUTS, len(PLANES[args.task]))
            mean.load_state_dict(average)
            aside = kept_aside(paths)[-60:]
            overlap = measure(mean, aside)
            print(f"{minutes:.1f} min, step {step}, {len(paths)} samples, loss {smooth:.3f}, {overlap}", flush=True)
            export(mean, args.out, INPUTS)
            if args.keep:
                torch.save({"net": net.state_dict(), "average": average, "step": step}, args.keep)


if __name__ == "__main__":
    main()
