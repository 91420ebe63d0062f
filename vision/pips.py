"""The value that a die shows: the pips of its upper face, read off that face seen from straight above.

On every face the pips sit on a square lattice of three by three places. All small shifts and turns of the lattice are
tried at once; the best one of each value is then drawn and compared with the face. A value is one that fits well and
better than the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.beside import colors_of
from vision.rims import Array, Float32, Image

LATTICE = np.array([(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)], dtype=np.float64)
_FACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True)
class PipConfig:
    """Lengths in sides of the die. ``px_per_inch`` of the face; ``radius``: of a pip; ``spacings``: between rows of
    pips; ``most_shift`` by ``shift_step``, ``most_turn_deg`` by ``turn_step_deg``: how far the face may lie from where
    its outline puts it; ``face``: half of what is compared; ``tried``: how many values are drawn and compared."""

    px_per_inch: float = 48.0
    radius: float = 0.1
    spacings: tuple[float, ...] = (0.22, 0.25, 0.28)
    most_shift: float = 0.12
    shift_step: float = 0.06
    most_turn_deg: float = 12.0
    turn_step_deg: float = 6.0
    face: float = 0.42
    tried: int = 4
    least_contrast: float = 0.15
    worth: float = 0.45
    largest_radius: float = 0.135
    settling: int = 6


@dataclass(frozen=True)
class FaceReading:
    """The likeliest ``value`` with its ``likeness`` (correlation with the drawn face, at most 1), the likeness of the
    best ``other`` value, the unevenness of the face between its pips in units of their contrast (``rough``), the
    face's middle off the patch's middle in inches, and the side of the die that the pips' spacing asks for (as given
    where there is one pip alone)."""

    value: int
    likeness: float
    other: float
    rough: float
    offset: tuple[float, float]
    side_in: float


NOTHING = FaceReading(0, 0.0, 0.0, float("inf"), (0.0, 0.0), 0.0)
USUAL_SPACING = 0.25
"""Rows of pips are about a quarter of the side apart."""


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[int, npt.NDArray[np.bool_]], ...]:
    """Each value with the lattice places of its pips (9,), once for every quarter turn that changes them."""
    out: dict[tuple[bool, ...], int] = {}
    for value, places in _FACES.items():
        for turned in (places, tuple((-y, x) for x, y in places)):
            out.setdefault(tuple((int(x), int(y)) in turned for x, y in LATTICE), value)
    return tuple((value, np.array(bits)) for bits, value in out.items())


@dataclass(frozen=True, eq=False)
class _Poses:
    """All shifts, turns and spacings of the lattice on a face: ``places`` (n, 9, 2) in sides of the die."""

    shift: Array
    turn: Array
    spacing: Array
    places: Array


@lru_cache(maxsize=4)
def _poses(config: PipConfig) -> _Poses:
    shifts = np.arange(-config.most_shift, config.most_shift + 1e-9, config.shift_step)
    turns = np.radians(np.arange(-config.most_turn_deg, config.most_turn_deg + 1e-9, config.turn_step_deg))
    x, y, turn, spacing = (a.ravel() for a in np.meshgrid(shifts, shifts, turns, config.spacings, indexing="ij"))
    shift = np.column_stack([x, y])
    return _Poses(shift, turn, spacing, shift[:, None] + spacing[:, None, None] * _turned(LATTICE, turn))


def _turned(points: Array, angle: Array) -> Array:
    """Points (k, 2) turned by each angle (n,), anticlockwise: (n, k, 2)."""
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    return np.stack([points[:, 0] * c - points[:, 1] * s, points[:, 0] * s + points[:, 1] * c], axis=-1)


@dataclass(frozen=True, eq=False)
class _Drawn:
    """One value drawn in one pose, with its likeness. ``sign`` is 1 for pips lighter than the face, else -1."""

    likeness: float
    value: int
    pips: Array
    sign: float
    pose: Array


class Face:
    """A face to be read: the middle of ``patch`` (n, n, 3), seen from straight above at ``config.px_per_inch``.

    ``side_in`` is the die's side, ``angle_deg`` the turn of the face's edges, anticlockwise from the patch's rows. A
    pose is the shift (x, y) off the patch's middle in sides of the die, along the edges, the turn in radians, the
    spacing and the radius of pips in sides.
    """

    def __init__(self, patch: Image, side_in: float, angle_deg: float, config: PipConfig | None = None) -> None:
        self.config = config = config or PipConfig()
        self.side_in, self.angle = side_in, float(np.radians(angle_deg))
        self.side_px = side_in * config.px_per_inch
        level = colors_of(patch)[..., 2]
        axis = (np.arange(len(level), dtype=np.float32) - (len(level) - 1) / 2) / self.side_px
        x, y = np.meshgrid(axis, -axis)
        c, s = np.float32(np.cos(self.angle)), np.float32(np.sin(self.angle))
        along, up = x * c + y * s, y * c - x * s
        near = np.maximum(np.abs(along), np.abs(up)) < config.face + 0.25
        self.level, self.x, self.y = level[near], along[near], up[near]
        body = float(np.median(self.level[np.hypot(self.x, self.y) < config.face]))
        self.drawn = self._survey(level, body)

    @property
    def likeness(self) -> float:
        """Of the likeliest value, before it is settled."""
        return self.drawn[0].likeness if self.drawn else 0.0

    def _survey(self, level: Float32, body: float) -> list[_Drawn]:
        """The likeliest values in the best of all poses, the likeliest first."""
        config, poses = self.config, _poses(self.config)
        width = max(1, int(2 * config.radius * self.side_px)) | 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)).astype(np.float32)
        mean = cv2.filter2D(level, -1, disc / disc.sum())
        places = _turned(poses.places.reshape(-1, 2), np.array([self.angle]))[0].reshape(poses.places.shape)
        middle = (len(level) - 1) / 2
        at = np.rint([middle - places[..., 1] * self.side_px, middle + places[..., 0] * self.side_px])
        row, column = np.clip(at, 0, len(level) - 1).astype(int)
        lighter = mean[row, column] - body
        found = []
        for sign in (1.0, -1.0):
            for value, pattern in _patterns():
                weakest = (sign * lighter[:, pattern]).min(axis=1)
                blank = (sign * lighter[:, ~pattern]).max(axis=1)
                contrast = weakest - np.maximum(blank, 0.0)
                best = int(contrast.argmax())
                found.append((float(contrast[best]), value, best, sign, LATTICE[pattern]))
        found.sort(key=lambda f: -f[0])
        if found[0][0] < config.least_contrast:
            return []
        drawn = []
        for _, value, best, sign, pips in found[: config.tried]:
            pose = np.array([*poses.shift[best], poses.turn[best], poses.spacing[best], config.radius])
            drawn.append(_Drawn(self._likeness(pose, pips, sign), value, pips, sign, pose))
        return sorted(drawn, key=lambda d: -d.likeness)

    def read(self, least: float = 0.0) -> FaceReading:
        """The likeliest value, it and the next settled in their best poses; no more than its likeness where that is
        below ``least``."""
        if self.likeness < self.config.worth:
            return NOTHING
        first = self._settled(self.drawn[0])
        if first.likeness < least:
            return replace(NOTHING, value=first.value, likeness=first.likeness, other=first.likeness)
        second = next((d for d in self.drawn if d.value != first.value), self.drawn[0])
        first, other = sorted((first, self._settled(second)), key=lambda d: -d.likeness)
        rival = other.likeness if other.value != first.value else 0.0
        offset = _turned(first.pose[None, :2], np.array([self.angle]))[0, 0] * self.side_in
        rough = self._unevenness(first)
        side = self.side_in * (first.pose[3] / USUAL_SPACING if first.value > 1 else 1.0)
        middle = (float(offset[0]), float(offset[1]))
        return FaceReading(first.value, first.likeness, rival, rough, middle, float(side))

    def _own(self, pose: Array) -> tuple[Float32, Float32]:
        """The face's points along its own edges, off its own middle."""
        x, y = self.x - np.float32(pose[0]), self.y - np.float32(pose[1])
        c, s = np.float32(np.cos(pose[2])), np.float32(np.sin(pose[2]))
        return x * c + y * s, y * c - x * s

    def _likeness(self, pose: Array, pips: Array, sign: float) -> float:
        """Correlation of the face with pips at lattice places (k, 2) drawn in a pose."""
        x, y = self._own(pose)
        edge = np.float32(self.config.face * pose[3] / USUAL_SPACING)
        inside = (np.abs(x) < edge) & (np.abs(y) < edge)
        x, y, seen = x[inside], y[inside], self.level[inside]
        away = _away(x, y, pips * pose[3])
        # edges as soft as the picture's: about a pixel and a half to either side
        drawn = np.clip((np.float32(pose[4]) - away) * np.float32(self.side_px / 3.0) + np.float32(0.5), 0.0, 1.0)
        n = max(len(seen), 1)
        a, b = float(drawn.sum()) / n, float(seen.sum()) / n
        both = float(drawn @ seen) / n - a * b
        spread = (float(drawn @ drawn) / n - a * a) * (float(seen @ seen) / n - b * b)
        return sign * both / float(np.sqrt(spread)) if spread > 1e-8 else 0.0

    def _unevenness(self, drawn: _Drawn) -> float:
        """The spread of the face's lightness between the pips, over how far they stand out of it; infinite where pips
        are as large as spots that are none."""
        pose = drawn.pose
        if pose[4] >= self.config.largest_radius - 1e-6:
            return float("inf")
        x, y = self._own(pose)
        away = _away(x, y, drawn.pips * pose[3])
        inside = np.maximum(np.abs(x), np.abs(y)) < 0.4 * pose[3] / USUAL_SPACING
        body = self.level[inside & (away > pose[4] + 1.5 / self.side_px)]
        pip = self.level[away < max(0.6 * pose[4], 0.6 / self.side_px)]
        if len(body) < 20 or not len(pip):
            return float("inf")
        middle = float(np.median(body))
        contrast = drawn.sign * (float(np.median(pip)) - middle)
        return 1.48 * float(np.median(np.abs(body - middle))) / contrast if contrast > 0 else float("inf")

    def _settled(self, drawn: _Drawn) -> _Drawn:
        """The same value in the best pose near its own, found in steps that are halved."""
        best, pose = drawn.likeness, drawn.pose
        steps = np.array([0.03, 0.03, np.radians(4.0), 0.015, 0.012])
        low = np.array([-0.25, -0.25, -0.5, 0.2, 0.08])
        high = np.array([0.25, 0.25, 0.5, 0.31, self.config.largest_radius])
        for _ in range(self.config.settling):
            moved = False
            for k in range(len(steps)):
                for way in (1.0, -1.0):
                    trial = pose.copy()
                    trial[k] = min(max(trial[k] + way * steps[k], low[k]), high[k])
                    likeness = self._likeness(trial, drawn.pips, drawn.sign)
                    if likeness > best + 1e-4:
                        best, pose, moved = likeness, trial, True
                        break
            if not moved:
                steps = steps / 2
        return _Drawn(best, drawn.value, drawn.pips, drawn.sign, pose)


def _away(x: Float32, y: Float32, pips: Array) -> Float32:
    """Distance of points from the nearest of the pips (k, 2)."""
    nearest = np.full(len(x), np.inf, np.float32)
    for px, py in pips.astype(np.float32):
        np.minimum(nearest, (x - px) ** 2 + (y - py) ** 2, out=nearest)
    return np.sqrt(nearest)
