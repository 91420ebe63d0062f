"""Shifts that bring whole outlines onto edges, by a search over a grid of them: where a fit starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.bases.profiles import Outlines, ProfileConfig, Profiles
from vision.imaging.rims import Array, Float32, float32


@dataclass(frozen=True)
class ShiftConfig(ProfileConfig):
    """``search_in``, ``search_deg``: how far off the start may be; ``doubt_per_score``: nats that a whole side's score
    is worth when two places compete; ``rim_in``: usual width of a painted rim."""

    search_in: float = 0.16
    search_step_in: float = 0.04
    search_deg: float = 3.0
    search_step_deg: float = 1.5
    doubt_per_score: float = 6.0
    rim_in: float = 0.06


def best_shifts(
    outlines: Outlines, profiles: Profiles, is_round: Sequence[bool], scale: Array, cfg: ShiftConfig
) -> tuple[Array, Array, Array]:
    """The shifts (m, 3) of x, y and angle that put whole outlines on falling evidence with paint within: a grid search
    over the read profiles; the share (m,) of each outline that then is on an edge. ``scale`` (m,):
    pixels per inch. Also the covariances (m, 3, 3) of
    the other shifts that are nearly as good: between touching bases an outline may be a rim's width off either way."""
    lag = cfg.lag
    drop = profiles.drop(outlines.owner, lag)
    shifts, doubts, hopes = np.zeros((len(outlines), 3)), np.zeros((len(outlines), 3, 3)), np.zeros(len(outlines))
    for i in range(len(outlines)):
        rows, length, ppi = outlines.rows(i), int(profiles.length[i]), float(scale[i])
        # Paint just inside: the strongest evidence within the rim's usual width inward of each place.
        width = max(3, 2 * round(cfg.rim_in * ppi / cfg.step_px / 2) + 1)
        read = profiles.read[rows, : length + 2 * lag]
        within = float32(cv2.dilate(read, np.ones((1, width), np.uint8), anchor=(width - 1, 0)))[:, lag:-lag]
        falls = _share(drop[rows, :length], cfg) + np.float32(0.7) * _share(within, cfg)
        falls = cv2.GaussianBlur(falls, (0, 0), sigmaX=max(0.5, 0.02 * ppi / cfg.step_px), sigmaY=1e-3)
        side = outlines.side[rows]
        # A side that is hidden says nothing; a side that is there must not be traded for half of two others.
        weight = float32(1.0 / np.bincount(side)[side])
        search = _Search(float32(falls), profiles.jacobian[rows], float(profiles.start[i]), weight, cfg)
        shifts[i], doubts[i], hopes[i] = search.best(is_round[i])
    return shifts, doubts, hopes


def _share(drop: Float32, cfg: ShiftConfig) -> Float32:
    """Evidence as a share of full evidence."""
    return np.clip(drop * np.float32(1 / cfg.full_drop), np.float32(0.0), np.float32(1.0))


class _Search:
    """The falls (n, k) of one outline's profiles from ``start`` pixels outward on, and how good its shifts are."""

    def __init__(self, falls: Float32, jacobian: Array, start: float, weight: Float32, cfg: ShiftConfig) -> None:
        n, length = falls.shape
        # A column of zeros on either side represents everything beyond the profiles' ends.
        self.framed = np.zeros((n, length + 2), np.float32)
        self.framed[:, 1:-1] = falls
        self.first = np.arange(n) * (length + 2) + 1.0
        self.length, self.weight, self.cfg = length, weight, cfg
        self.by_shift, self.offset = jacobian.T / cfg.step_px, start / cfg.step_px

    def best(self, is_round: bool) -> tuple[Array, Array, float]:
        """The best shift (3,), the covariance (3, 3) of its rivals, the share of the outline on an edge."""
        cfg = self.cfg
        grid, far = _shifts(is_round, cfg)
        at, total, _ = self._scores(grid, far)
        best = grid[at]
        mass = np.exp(cfg.doubt_per_score * (total - total[at]))
        away = grid - best
        away[np.hypot(away[:, 0], away[:, 1]) < 1.5 * cfg.search_step_in] = 0.0
        away[:, 2] = 0.0
        doubt = (away * mass[:, None]).T @ away / mass.sum()
        step = np.array([cfg.search_step_in, cfg.search_step_in, np.radians(cfg.search_step_deg)])
        grid = best + _nudges(is_round) * 0.5 * step
        at, _, hope = self._scores(grid, 0.15 * np.hypot(grid[:, 0], grid[:, 1]) / cfg.search_in)
        return grid[at], doubt, hope

    def _scores(self, grid: Array, far: Array) -> tuple[int, Array, float]:
        """The best of the shifts (g, 3), all their scores (g,), and the best one's share of profiles on an edge."""
        column = grid @ self.by_shift
        column -= self.offset
        np.rint(column, out=column)
        np.clip(column, -1.0, float(self.length), out=column)
        column += self.first
        value = self.framed.take(column.astype(np.intp))
        total = value @ self.weight - far
        at = int(np.argmax(total))
        return at, total, float((value[at] > 0.5).mean())


@lru_cache(maxsize=8)
def _shifts(is_round: bool, cfg: ShiftConfig) -> tuple[Array, Array]:
    """All shifts (g, 3) of x, y and angle that are tried first, and their cost by distance (g,)."""
    shift = np.arange(-cfg.search_in * 0.8, cfg.search_in * 0.8 + 1e-9, cfg.search_step_in)
    turn = (
        np.radians([0.0])
        if is_round
        else np.radians(np.arange(-cfg.search_deg, cfg.search_deg + 1e-9, cfg.search_step_deg))
    )
    grid = np.stack(np.meshgrid(shift, shift, turn, indexing="ij"), axis=-1).reshape(-1, 3)
    return grid, 0.15 * np.hypot(grid[:, 0], grid[:, 1]) / cfg.search_in


@lru_cache(maxsize=2)
def _nudges(is_round: bool) -> Array:
    """One step or none every way (27, 3); a round one is not turned."""
    local = np.array([-1.0, 0.0, 1.0])
    return np.stack(np.meshgrid(local, local, local * (0 if is_round else 1), indexing="ij"), axis=-1).reshape(-1, 3)
