"""Tags that could not be read, recognised where they must be: on bases already found, from the roster's own few.

A reader that finds squares gives up on a tag half hidden by a figure. But where there is a base of the right side and
shape, its unit's tag could only be at one place in two or four directions, so the printed pattern can be compared with
the picture there. A tag is recognised only when its pattern agrees well, and clearly better than every other tag of
the roster on that base, that tag on every other base, and itself turned, and no tag of the whole dictionary agrees
better there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from calibration._decode import codebook
from vision.bases.selection import Found
from vision.model.expected import Expected, ExpectedUnit

Array = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class VerifyConfig:
    """``least_agreement``: correlation of pattern and picture that is needed; ``lead``: by how much it must beat
    every rival; ``shift_in``, ``turn_deg``: how far a tag may sit from where the roster and the outline put it;
    ``samples``: per cell and direction; ``least_contrast``: standard deviation in grey levels of a printed tag;
    ``hopeful``: agreement at a first glance that is worth a closer look."""

    least_agreement: float = 0.66
    lead: float = 0.18
    shift_in: float = 0.06
    step_in: float = 0.02
    turn_deg: float = 1.5
    samples: int = 3
    least_contrast: float = 30.0
    paper_in: float = 0.01
    hopeful: float = 0.35

    @property
    def glance(self) -> VerifyConfig:
        """Wider steps and no turns: enough to decide whether a closer look is worth it."""
        return replace(self, step_in=self.shift_in, turn_deg=0.0, samples=2)


@dataclass(frozen=True)
class Recognised:
    """A tag recognised on a base: the base's row, the unit's row, and the base's facing in degrees."""

    row: int
    unit: int
    facing: float


def recognise_tags(
    image: Image,
    view: TableView,
    found: list[Found],
    read: set[int],
    expected: Expected,
    config: VerifyConfig | None = None,
) -> list[Recognised]:
    """Unique bases with a tag that was not read but is there; ``read`` are the tag ids that were, ``found`` untagged
    bases."""
    config = config or VerifyConfig()
    units = [k for k, u in enumerate(expected.units) if u.tag is not None and u.tag not in read]
    if not units or not found or expected.tag_dictionary is None or expected.tag_size_in <= 0:
        return []
    agreement: dict[tuple[int, int, int], float] = {}
    for row, base in enumerate(found):
        fitting = [k for k in units if _fits(base, expected.units[k])]
        for offset in sorted({expected.units[k].tag_offset for k in fitting}):
            here = [k for k in fitting if expected.units[k].tag_offset == offset]
            tags = [expected.units[k].tag or 0 for k in here]
            for turn in _turns(base):
                facing = base.fit.facing + turn
                scores = _agreement(image, view, base, facing, offset, tags, expected, config.glance)
                if scores.max() >= config.hopeful:
                    scores = _agreement(image, view, base, facing, offset, tags, expected, config)
                agreement.update({(row, k, turn): float(score) for k, score in zip(here, scores, strict=True)})
    out = []
    for (row, unit, turn), score in agreement.items():
        rivals = [s for (r, k, t), s in agreement.items() if (r, k, t) != (row, unit, turn) and (r == row or k == unit)]
        if score >= config.least_agreement and score - max(rivals, default=0.0) >= config.lead:
            base, tag, offset = found[row], expected.units[unit].tag, expected.units[unit].tag_offset
            facing, every = base.fit.facing + turn, list(range(len(codebook(expected.tag_dictionary))))
            if tag == int(_agreement(image, view, base, facing, offset, every, expected, config).argmax()):
                out.append(Recognised(row, unit, facing % 360.0))
    return out


def _fits(base: Found, unit: ExpectedUnit) -> bool:
    return base.side in (unit.side, "") and base.shape == unit.unique_shape and not base.shape.is_round


def _turns(base: Found) -> tuple[int, ...]:
    """Directions that an outline leaves open, degrees."""
    return (0, 90, 180, 270) if base.shape.period_deg == 90.0 else (0, 180)


def _agreement(
    image: Image,
    view: TableView,
    base: Found,
    facing: float,
    offset: tuple[float, float],
    tags: list[int],
    expected: Expected,
    config: VerifyConfig,
) -> Array:
    """Best correlation (n,) of each tag's pattern with the picture over small shifts and turns."""
    dictionary = expected.tag_dictionary or ""
    cells = codebook(dictionary).side + 4
    cell_in = expected.tag_size_in / (cells - 2)
    fine = np.stack([_pattern(dictionary, tag, config.samples) for tag in tags])
    place = ((np.arange(cells * config.samples) + 0.5) / config.samples - cells / 2) * cell_in
    right_in, ahead_in = (g.ravel() for g in np.meshgrid(place, -place))
    shifts = np.arange(-config.shift_in, config.shift_in + 1e-9, config.step_in)
    sx, sy = (g.ravel() for g in np.meshgrid(shifts, shifts))
    top = base.fit.z + base.shape.height + config.paper_in
    best = np.full(len(tags), -1.0)
    for turn in sorted({-config.turn_deg, 0.0, config.turn_deg}):
        angle = np.radians(facing + turn)
        right, ahead = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
        across = (offset[0] + sx[:, None] + right_in)[..., None] * right
        along = (offset[1] + sy[:, None] + ahead_in)[..., None] * ahead
        points = np.array([base.fit.x, base.fit.y]) + across + along
        flat = np.concatenate([points, np.full((*points.shape[:2], 1), top)], axis=-1).reshape(-1, 3)
        pixels = view.pixel_from_table(flat).astype(np.float32).reshape(*points.shape)
        low = np.floor(pixels.min(axis=(0, 1))).astype(int) - 2
        high = np.ceil(pixels.max(axis=(0, 1))).astype(int) + 3
        if low.min() < 0 or high[0] > image.shape[1] or high[1] > image.shape[0]:
            return best
        patch = cv2.cvtColor(np.ascontiguousarray(image[low[1] : high[1], low[0] : high[0]]), cv2.COLOR_BGR2GRAY)
        local = (pixels - low).astype(np.float32)
        seen = cv2.remap(patch, local[..., 0], local[..., 1], cv2.INTER_LINEAR).astype(np.float64)
        seen -= seen.mean(axis=1, keepdims=True)
        length = np.linalg.norm(seen, axis=1, keepdims=True)
        contrast = length / np.sqrt(seen.shape[1])
        score = np.where(contrast > config.least_contrast, (seen / np.maximum(length, 1e-9)) @ fine.T, -1.0)
        best = np.maximum(best, score.max(axis=0))
    return best


@lru_cache(maxsize=2048)
def _pattern(dictionary: str, tag: int, samples: int) -> Array:
    """The printed tag with its white margin, ``samples`` times ``samples`` values a cell, light above dark: of mean 0
    and length 1."""
    book = codebook(dictionary)
    grid = book.codes[tag, 0].reshape(book.side, book.side).astype(np.float64)
    printed = np.pad(np.pad(grid, 1, constant_values=0.0), 1, constant_values=1.0)
    fine = np.kron(printed, np.ones((samples, samples))).ravel()
    fine -= fine.mean()
    return np.asarray(fine / np.linalg.norm(fine))
