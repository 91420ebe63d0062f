"""The value that a die shows: the pips of its upper face, read off that face seen from straight above.

On every face the pips sit on a square lattice of three by three places. All small shifts and turns of the lattice are
tried at once; the best one of each value is then drawn and compared with the face. A value is one that fits well and
better than the others. Faces come at one size and with their edges along the picture's, so that all places are known
beforehand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.beside import lightness_of
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
    """Lengths in sides of the die. ``side_px``: a die's side in pictures of faces; ``patch_px``: of such a picture;
    ``radius``: of a pip; ``spacings``: between rows of pips; ``most_shift`` by ``shift_step``, ``most_turn_deg`` by
    ``turn_step_deg``: how far the face may lie from where its outline puts it; ``face``: half of what is compared;
    ``tried``: how many values are drawn and compared; ``worth``: likeness from which the likeliest is settled;
    ``settling``: rounds of that, and ``gain``: by how much its likeness may grow after the first, then half as much
    after each; ``doubt``: difference in likeness that makes a value less likely by a factor e."""

    side_px: int = 26
    patch_px: int = 53
    radius: float = 0.1
    spacings: tuple[float, ...] = (0.22, 0.25, 0.28)
    most_shift: float = 0.12
    shift_step: float = 0.06
    most_turn_deg: float = 12.0
    turn_step_deg: float = 6.0
    face: float = 0.42
    tried: int = 4
    least_contrast: float = 0.15
    worth: float = 0.3
    largest_radius: float = 0.135
    settling: int = 4
    gain: float = 0.15
    doubt: float = 0.15

    @property
    def patch_in(self) -> float:
        """The picture's width in sides of the die."""
        return self.patch_px / self.side_px


@dataclass(frozen=True)
class FaceReading:
    """The likeliest ``value`` with its ``likeness`` (correlation with the drawn face, at most 1), the likeness of the
    best ``other`` value, the unevenness of the face between its pips in units of their contrast (``rough``), the
    face's middle off the picture's middle in sides of the die (right, up), and the side that the pips' spacing asks
    for in sides of the die that was assumed (1 where there is one pip alone)."""

    value: int
    likeness: float
    other: float
    rough: float
    offset: tuple[float, float]
    side: float


NOTHING = FaceReading(0, 0.0, 0.0, float("inf"), (0.0, 0.0), 1.0)
USUAL_SPACING = 0.25
"""Rows of pips are about a quarter of the side apart."""
_ALIKE = ((4, 4), (0, 8), (2, 6), (1, 7), (3, 5))
"""Lattice places that are filled together on every face: the middle, both diagonals, both rows of middles."""


@dataclass(frozen=True, eq=False)
class _Pattern:
    """Pips of a value in one of its turns: at ``places`` (k, 2) of the lattice."""

    value: int
    places: Array


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[_Pattern, ...], npt.NDArray[np.bool_]]:
    """Each value's pattern, once for every quarter turn that changes it, and which pairs of places (n, 5) it fills."""
    out: dict[tuple[bool, ...], int] = {}
    for value, places in _FACES.items():
        for turned in (places, tuple((-y, x) for x, y in places)):
            out.setdefault(tuple((int(x), int(y)) in turned for x, y in LATTICE), value)
    bits = np.array(list(out))
    patterns = tuple(_Pattern(value, LATTICE[row]) for value, row in zip(out.values(), bits, strict=True))
    return patterns, bits[:, [one for one, _ in _ALIKE]]


@dataclass(frozen=True, eq=False)
class _Grid:
    """What is the same for all faces. ``shift`` (n, 2), ``turn`` (n,) and ``spacing`` (n,) of the lattice's poses, the
    pixels ``at`` (9, n) of its places; pixels ``near`` (m,) of the face with their ``points`` (3, m), homogeneous and
    in sides of the die, and squared distance ``away`` (m,) from the middle; ``inner``: the face alone."""

    shift: Array
    turn: Array
    spacing: Array
    at: npt.NDArray[np.int64]
    near: npt.NDArray[np.int64]
    points: Float32
    away: Float32
    inner: npt.NDArray[np.int64]


@lru_cache(maxsize=4)
def _grid(config: PipConfig) -> _Grid:
    shifts = np.arange(-config.most_shift, config.most_shift + 1e-9, config.shift_step)
    turns = np.radians(np.arange(-config.most_turn_deg, config.most_turn_deg + 1e-9, config.turn_step_deg))
    x, y, turn, spacing = (a.ravel() for a in np.meshgrid(shifts, shifts, turns, config.spacings, indexing="ij"))
    shift = np.column_stack([x, y])
    places = shift[:, None] + spacing[:, None, None] * _turned(LATTICE, turn)
    n, middle = config.patch_px, (config.patch_px - 1) / 2
    row, column = np.rint([middle - places[..., 1] * config.side_px, middle + places[..., 0] * config.side_px])
    at = (np.clip(row, 0, n - 1) * n + np.clip(column, 0, n - 1)).astype(np.int64).T
    axis = (np.arange(n) - middle) / config.side_px
    across, up = (a.ravel() for a in np.meshgrid(axis, -axis))
    near = np.flatnonzero(np.maximum(np.abs(across), np.abs(up)) < config.face + 0.25)
    across, up = across[near], up[near]
    away = across**2 + up**2
    points = np.stack([across, up, np.ones(len(near))])
    inner = np.flatnonzero(away < config.face**2)
    return _Grid(
        shift, turn, spacing, np.ascontiguousarray(at), near, points.astype(np.float32), away.astype(np.float32), inner
    )


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
    """A face to be read: the middle of ``patch`` (n, n, 3), n as ``config.patch_px``, seen from straight above, the
    die's side ``config.side_px`` long and about along the rows.

    A pose is the shift (x, y) off the patch's middle in sides of the die, the turn in radians anticlockwise, the
    spacing and the radius of pips in sides.
    """

    def __init__(self, patch: Image, config: PipConfig | None = None) -> None:
        self.config = config = config or PipConfig()
        self.grid = _grid(config)
        level = lightness_of(patch)
        near = level.ravel()[self.grid.near]
        body = np.float32(np.median(near[self.grid.inner]))
        self.level = near - body
        self.squared = self.level * self.level
        self.drawn = self._survey(level - body)
        self.first = self.drawn[0] if self.drawn else None
        if self.first is not None and self.first.likeness >= config.worth:
            self.first = self._settled(self.first, 1)

    @property
    def likeness(self) -> float:
        """Of the likeliest value, about settled."""
        return 0.0 if self.first is None else self.first.likeness

    @property
    def chances(self) -> tuple[float, ...]:
        """How well each value from 1 to 6 goes with the face, adding up to 1: e to the power of its likeness over
        ``config.doubt``; equal where nothing like pips is there."""
        likeness = np.zeros(6)
        for drawn in self.drawn:
            likeness[drawn.value - 1] = max(likeness[drawn.value - 1], drawn.likeness)
        weights = np.exp(likeness / self.config.doubt)
        return tuple(float(weight) for weight in weights / weights.sum())

    def _survey(self, lighter: Float32) -> list[_Drawn]:
        """The likeliest values in the best of all poses, the likeliest first."""
        config, grid = self.config, self.grid
        width = max(1, int(2 * config.radius * config.side_px)) | 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)).astype(np.float32)
        places = cv2.filter2D(lighter, -1, disc / disc.sum()).ravel()[grid.at]
        pairs = np.array(_ALIKE).T
        low = np.minimum(places[pairs[0]], places[pairs[1]])
        high = np.maximum(places[pairs[0]], places[pairs[1]])
        patterns, filled = _patterns()
        filled = filled[..., None]
        light = np.where(filled, low, np.inf).min(axis=1) - np.where(filled, 0.0, high).max(axis=1).clip(min=0.0)
        dark = -np.where(filled, high, -np.inf).max(axis=1) + np.where(filled, 0.0, low).min(axis=1).clip(max=0.0)
        contrast = np.stack([light, dark])
        best = contrast.argmax(axis=2)
        most = np.take_along_axis(contrast, best[..., None], axis=2)[..., 0]
        if most.max() < config.least_contrast:
            return []
        drawn = []
        for which in np.argsort(-most, axis=None, kind="stable")[: config.tried]:
            side, row = divmod(int(which), len(patterns))
            k, sign, pattern = best[side, row], 1.0 - 2.0 * side, patterns[row]
            pose = np.array([*grid.shift[k], grid.turn[k], grid.spacing[k], config.radius])
            likeness = self._likeness(pose, pattern.places, sign)
            drawn.append(_Drawn(likeness, pattern.value, pattern.places, sign, pose))
        return sorted(drawn, key=lambda d: -d.likeness)

    def read(self, least: float = 0.0, roughest: float = math.inf) -> FaceReading:
        """The likeliest value, it and the next settled in their best poses; no value where its likeness is below
        ``least`` or the face is rougher than ``roughest``."""
        if self.first is None or self.likeness < max(self.config.worth, least - self.config.gain):
            return NOTHING
        first = self._settled(self.first, self.config.settling, least)
        rough = self._unevenness(first)
        if first.likeness < least or rough > roughest:
            return NOTHING
        second = next((d for d in self.drawn if d.value != first.value), None)
        other = 0.0 if second is None else self._settled(second, self.config.settling).likeness
        side = first.pose[3] / USUAL_SPACING if first.value > 1 else 1.0
        middle = (float(first.pose[0]), float(first.pose[1]))
        return FaceReading(first.value, first.likeness, other, rough, middle, float(side))

    def _laid(self, pose: Array, pips: Array) -> tuple[Float32, Float32]:
        """The face's points off the nearer of its own axes (m,): the greater of both distances, and their distance from
        the nearest of the pips at lattice places (k, 2)."""
        x, y, turn, spacing = pose[:4].tolist()
        c, s = math.cos(turn), math.sin(turn)
        at = pips @ np.array([[c, s], [-s, c]]) * spacing + [x, y]
        rows = np.empty((2 + len(at), 3), np.float32)
        rows[0], rows[1] = (c, s, -c * x - s * y), (-s, c, s * x - c * y)
        rows[2:, :2] = 2 * at
        rows[2:, 2] = -(at * at).sum(axis=1)
        # |point - pip|^2 = |point|^2 - (2 pip . point - |pip|^2), the latter for all points and pips at once
        laid = rows @ self.grid.points
        away = self.grid.away - laid[2:].max(axis=0)
        return np.maximum(*np.abs(laid[:2])), np.sqrt(np.maximum(away, 0.0, out=away), out=away)

    def _likeness(self, pose: Array, pips: Array, sign: float) -> float:
        """Correlation of the face with pips at lattice places (k, 2) drawn in a pose."""
        off, away = self._laid(pose, pips)
        inside = (off < np.float32(self.config.face * pose[3] / USUAL_SPACING)).astype(np.float32)
        # edges as soft as the picture's: about a pixel and a half to either side
        drawn = (np.float32(pose[4]) - away) * np.float32(self.config.side_px / 3.0) + np.float32(0.5)
        np.minimum(np.maximum(drawn, 0.0, out=drawn), 1.0, out=drawn)
        drawn *= inside
        n = max(float(inside @ inside), 1.0)
        a, b = float(drawn @ inside) / n, float(self.level @ inside) / n
        both = float(drawn @ self.level) / n - a * b
        spread = (float(drawn @ drawn) / n - a * a) * (float(self.squared @ inside) / n - b * b)
        return sign * both / math.sqrt(spread) if spread > 1e-8 else 0.0

    def _unevenness(self, drawn: _Drawn) -> float:
        """The spread of the face's lightness between the pips, over how far they stand out of it; infinite where pips
        are as large as spots that are none."""
        pose, side_px = drawn.pose, self.config.side_px
        if pose[4] >= self.config.largest_radius - 1e-6:
            return float("inf")
        off, away = self._laid(pose, drawn.pips)
        inside = off < 0.4 * pose[3] / USUAL_SPACING
        body = self.level[inside & (away > pose[4] + 1.5 / side_px)]
        pip = self.level[away < max(0.6 * pose[4], 0.6 / side_px)]
        if len(body) < 20 or not len(pip):
            return float("inf")
        middle = float(np.median(body))
        contrast = drawn.sign * (float(np.median(pip)) - middle)
        return 1.48 * float(np.median(np.abs(body - middle))) / contrast if contrast > 0 else float("inf")

    def _settled(self, drawn: _Drawn, rounds: int, least: float = 0.0) -> _Drawn:
        """The same value in the best pose near its own, found in steps that are halved; given up where it can't be
        expected to reach ``least``."""
        best, pose = drawn.likeness, drawn.pose
        steps = np.array([0.03, 0.03, np.radians(4.0), 0.015, 0.012])
        low = np.array([-0.25, -0.25, -0.5, 0.2, 0.08])
        high = np.array([0.25, 0.25, 0.5, 0.31, self.config.largest_radius])
        for done in range(rounds):
            if done and best < least - self.config.gain / 2**done:
                break
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
