"""Which of the markers seen are where the layout says: a first pose from pairs of markers, agreed on by the others.

Fischler and Bolles, Random sample consensus (1981), over all pairs instead of random ones: a table has a dozen markers.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.adjustment import MarkerSights

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ConsensusConfig:
    """A marker agrees with a rough pose within ``reach_in`` plus ``reach_rel`` of its distance from the pair that made
    the pose; its side within ``size_rel``, its direction within ``turn_deg``. Rough: the lens is not known yet."""

    reach_in: float = 0.5
    reach_rel: float = 0.06
    size_rel: float = 0.2
    turn_deg: float = 15.0
    max_pairs: int = 60
    min_side_px: float = 12.0


@dataclass(frozen=True, eq=False)
class Agreement:
    """A rough pose (R, t) and the indices of the markers that agree with it, at most one for each id; ``misfit`` is
    their mean error as a share of what is allowed."""

    R: Array
    t: Array
    members: tuple[int, ...]
    misfit: float


def plausible(pixels: Array, config: ConsensusConfig | None = None) -> bool:
    """True if corners (4, 2) could be a marker seen from its printed side: convex, clockwise, not tiny, no sliver."""
    config = config or ConsensusConfig()
    sides = np.roll(pixels, -1, axis=0) - pixels
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    lengths = np.linalg.norm(sides, axis=1)
    return bool(np.all(turns > 0) and lengths.min() >= config.min_side_px and lengths.max() < 12 * lengths.min())


def agree(markers: MarkerSights, mean: Array, config: ConsensusConfig | None = None) -> Agreement | None:
    """The best agreement for camera parameters (9,), of which distortion is not used: most ids, then least misfit."""
    config = config or ConsensusConfig()
    pairs = [p for p in combinations(range(len(markers)), 2) if markers.ids[p[0]] != markers.ids[p[1]]]
    # far pairs first: they make the better poses
    pairs.sort(key=lambda p: -float(np.linalg.norm(markers.centers[p[0]] - markers.centers[p[1]])))
    K = np.array([[mean[0], 0, mean[2]], [0, mean[1], mean[3]], [0, 0, 1.0]])
    best: Agreement | None = None
    for pair in pairs[: config.max_pairs]:
        for R, t in _poses(markers, pair, K):
            members, misfit = _members(markers, pair, R, t, mean, config)
            if best is None or (len(members), -misfit) > (len(best.members), -best.misfit):
                best = Agreement(R, t, members, misfit)
    return best


def _poses(markers: MarkerSights, pair: tuple[int, int], K: Array) -> list[tuple[Array, Array]]:
    """Poses above the table that explain both markers of a pair, without distortion."""
    i = list(pair)
    flat = (markers.centers[i][:, None] + markers.offsets[i]).reshape(-1, 2)
    points = np.column_stack([flat, np.zeros(len(flat))])
    n, turns, shifts, _ = cv2.solvePnPGeneric(
        points, markers.pixels[i].reshape(-1, 1, 2), K, None, flags=cv2.SOLVEPNP_IPPE
    )
    poses = []
    for k in range(n):
        R = np.asarray(cv2.Rodrigues(turns[k])[0], dtype=np.float64)
        t = np.asarray(shifts[k], dtype=np.float64).ravel()
        if (-R.T @ t)[2] > 0 and np.all((points @ R.T + t)[:, 2] > 0):
            poses.append((R, t))
    return poses


def _members(
    markers: MarkerSights, pair: tuple[int, int], R: Array, t: Array, mean: Array, config: ConsensusConfig
) -> tuple[tuple[int, ...], float]:
    """Markers that agree with a pose, the best of each id, and their mean misfit."""
    m = len(markers)
    rays = np.column_stack([(markers.pixels.reshape(-1, 2) - mean[2:4]) / mean[:2], np.ones(4 * m)]) @ R
    eye = -R.T @ t
    with np.errstate(divide="ignore", invalid="ignore"):
        corners = (eye[:2] + (-eye[2] / rays[:, 2])[:, None] * rays[:, :2]).reshape(m, 4, 2)
    ahead = np.all(rays[:, 2].reshape(m, 4) < 0, axis=1)
    corners = np.where(ahead[:, None, None], corners, 1e9)
    centre = corners.mean(axis=1)
    off = np.linalg.norm(centre - markers.centers, axis=1)
    base = np.linalg.norm(markers.centers[:, None] - markers.centers[list(pair)], axis=2).min(axis=1)
    # the marker's own similarity to its layout: complex ratio of seen to stated corners
    seen = (corners - centre[:, None]) @ np.array([1, 1j])
    stated = markers.offsets @ np.array([1, 1j])
    ratio = (seen * stated.conj()).sum(axis=1) / (np.abs(stated) ** 2).sum(axis=1)
    misfit = np.max(
        [
            off / (config.reach_in + config.reach_rel * base),
            np.abs(np.log(np.maximum(np.abs(ratio), 1e-9))) / config.size_rel,
            np.abs(np.degrees(np.angle(ratio))) / config.turn_deg,
        ],
        axis=0,
    )
    best: dict[int, int] = {}
    for k in np.flatnonzero(misfit < 1):
        marker_id = markers.ids[k]
        if marker_id not in best or misfit[k] < misfit[best[marker_id]]:
            best[marker_id] = int(k)
    members = tuple(sorted(best.values()))
    return members, float(misfit[list(members)].mean()) if members else np.inf
