"""How well board pictures cover a lens: where corners were seen, how far the board was tilted, and the next step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_ACROSS = ("left", "middle", "right")
_UPWARD = ("upper", "middle", "lower")


@dataclass(frozen=True)
class CoverageConfig:
    """``cells`` across and down the picture; ``least_share`` of cells that must hold corners; ``advised_share``
    below which advice is given; ``least_tilt_deg`` that at least two pictures must have; ``advised_tilts`` directions
    (of four) to which the board should lean; ``most_focal_rel`` one standard deviation of the focal length beyond which
    a calibration is refused."""

    cells: tuple[int, int] = (6, 5)
    least_pictures: int = 4
    least_share: float = 0.5
    advised_share: float = 0.8
    least_tilt_deg: float = 12.0
    advised_tilts: int = 2
    most_focal_rel: float = 0.02


@dataclass(frozen=True, eq=False)
class Coverage:
    """``counts`` (rows, columns) of corners per cell of the picture; ``share`` of cells with corners; ``tilt_deg`` (k,)
    of the board's normal against the line of sight; ``advice`` sentences; ``faults`` sentences that forbid a camera."""

    counts: IntArray
    share: float
    tilt_deg: Array
    advice: tuple[str, ...]
    faults: tuple[str, ...]


def tilts_deg(R: Array, t: Array) -> tuple[Array, Array]:
    """How far the board's normal leans away from the line of sight (k,), and towards where in the picture (k,)."""
    normals = R[:, :, 2]
    sight = t / np.linalg.norm(t, axis=1, keepdims=True)
    normals = normals * np.sign((normals * sight).sum(axis=1))[:, None]
    lean = np.degrees(np.arccos(np.clip((normals * sight).sum(axis=1), -1, 1)))
    across = normals - sight * (normals * sight).sum(axis=1)[:, None]
    return lean, np.degrees(np.arctan2(across[:, 1], across[:, 0]))


def judge_coverage(
    pixels: Sequence[Array],
    size: tuple[int, int],
    R: Array,
    t: Array,
    focal_rel: float,
    config: CoverageConfig | None = None,
) -> Coverage:
    """Judge pictures' corners (n, 2) each in pictures of ``size``, with the board's poses and the focal length's
    relative standard deviation."""
    config = config or CoverageConfig()
    columns, rows = config.cells
    every = np.concatenate(pixels) if pixels else np.zeros((0, 2))
    edges = [np.linspace(-0.5, size[1] - 0.5, rows + 1), np.linspace(-0.5, size[0] - 0.5, columns + 1)]
    counts = np.histogram2d(every[:, 1], every[:, 0], bins=edges)[0].astype(np.int64)
    share = float((counts > 0).mean())
    lean, towards = tilts_deg(R, t)
    faults: list[str] = []
    advice: list[str] = []
    if len(pixels) < config.least_pictures:
        faults.append(
            f"Only {len(pixels)} usable pictures; take at least {config.least_pictures}, better ten, each from "
            "another side."
        )
    empty = _empty_regions(counts)
    if share < config.advised_share:
        where = " or ".join(empty) if empty else "the rim"
        sentence = (
            f"The board's corners reach {share:.0%} of the picture; none reaches {where} of the picture. Take "
            "more pictures with the board there, or closer, so that it fills the picture."
        )
        (faults if share < config.least_share else advice).append(sentence)
    tilted = lean >= config.least_tilt_deg
    if tilted.sum() < 2:
        faults.append(
            f"The board is seen nearly head-on in all but {int(tilted.sum())} pictures (tilts up to "
            f"{max(lean, default=0.0):.0f} degrees). Tilt it 20 to 45 degrees, to the left, right, near and far side."
        )
    else:
        directions = {int(d) for d in ((towards[tilted] + 45) // 90) % 4}
        if len(directions) < config.advised_tilts:
            advice.append("The board leans the same way in all pictures; lean it in other directions too.")
    if not faults and focal_rel > config.most_focal_rel:
        faults.append(
            f"These pictures tell the focal length only to {focal_rel:.1%} (one standard deviation; "
            f"{config.most_focal_rel:.0%} is asked). Tilt the board more, 20 to 45 degrees, in more directions, "
            "and get closer."
        )
    return Coverage(counts, share, lean, tuple(advice), tuple(faults))


def _empty_regions(counts: IntArray) -> list[str]:
    """Names of the ninths of the picture without a corner."""
    rows, columns = np.array_split(np.arange(counts.shape[0]), 3), np.array_split(np.arange(counts.shape[1]), 3)
    names = []
    for i, up in enumerate(_UPWARD):
        for j, across in enumerate(_ACROSS):
            if counts[np.ix_(rows[i], columns[j])].sum() == 0:
                names.append("the middle" if up == across == "middle" else f"the {up} {across}".replace("middle ", ""))
    return names
