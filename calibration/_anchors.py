"""Photos that know the table by its edges, as parts of a joint solution.

Such a photo's own solution is used with its covariance, except for one part: the errors of the table's cut, which it
counted as its own, are the same for all photos of that table. To first order a solution moves by
S J' W P with the errors of the corners, S its covariance, J and P how the corners' pixels move with the view and with
the corners, W the information of the corners' pixels; that share is taken out of S and gets separate unknowns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from calibration.camera import TableView
from calibration.corner_fit import CornerFitConfig
from calibration.projection import cross_matrices

Array = npt.NDArray[np.float64]

_LENS, _VIEW, _OUTLINE = 9, 15, 8
_LEAST_OWN = 1e-3  # share of a solution's variance that is its own in any direction
_LEAST_VARIANCE = 1e-9  # of parameters that a stored camera states as exact


@dataclass(frozen=True, eq=False)
class Anchors:
    """Of each anchored photo (its number in ``photos``): its own solution ``views``, the ``roots`` (a, 15, 15) of its
    information without the outline's part, and how the solution ``sways`` (a, 15, 8) with the outline, whitened."""

    photos: tuple[int, ...] = ()
    views: tuple[TableView, ...] = ()
    roots: Array = field(default_factory=lambda: np.zeros((0, _VIEW, _VIEW)))
    sways: Array = field(default_factory=lambda: np.zeros((0, _VIEW, _OUTLINE)))

    @property
    def unknowns(self) -> int:
        """The number of unknowns for the table's cut."""
        return _OUTLINE if self.photos else 0

    def miss(self, row: int, camera: Array, R: Array, t: Array, outline: Array) -> tuple[Array, Array, Array]:
        """The distance of a view from the anchored one, whitened (15,), and the derivatives by the view (15, 15) and by
        the outline (15, 8)."""
        view, root, sway = self.views[row], self.roots[row], self.sways[row]
        turned = Rotation.from_matrix(R @ view.R.T).as_rotvec()
        off = np.concatenate([camera - view.camera.parameters, turned, t - view.t]) + sway @ outline
        cross = cross_matrices(turned[None])[0]
        by_view = np.eye(_VIEW)
        by_view[_LENS : _LENS + 3, _LENS : _LENS + 3] += -cross / 2 + cross @ cross / 12
        return root @ off, root @ by_view, root @ sway


def build_anchors(photos: Sequence[tuple[int, TableView, Array]], config: CornerFitConfig | None = None) -> Anchors:
    """Photos by number, each with its own solution and the table's stated corners (4, 2), as anchors."""
    config = config or CornerFitConfig()
    if not photos:
        return Anchors()
    parts = [_root_and_sway(view, outline, config.corner_sigma_in) for _, view, outline in photos]
    numbers, views = tuple(k for k, _, _ in photos), tuple(view for _, view, _ in photos)
    return Anchors(numbers, views, np.array([root for root, _ in parts]), np.array([sway for _, sway in parts]))


def _root_and_sway(view: TableView, outline: Array, corner_sigma_in: float) -> tuple[Array, Array]:
    """A root (15, 15) of a solution's own information, and how it sways (15, 8) with the whitened outline."""
    by_point, by_view = view.pixel_jacobian(np.column_stack([outline, np.zeros(4)]))
    P = np.zeros((_OUTLINE, _OUTLINE))
    for k in range(4):
        P[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = corner_sigma_in * by_point[k, :, :2]
    J = by_view.reshape(_OUTLINE, _VIEW)
    seen = P @ P.T + max(view.corner_sigma_px, 1e-3) ** 2 * np.eye(_OUTLINE)
    sway = view.covariance @ J.T @ np.linalg.solve(seen, P)
    scale = np.sqrt(np.maximum(np.diag(view.covariance), _LEAST_VARIANCE))
    whole = view.covariance / np.outer(scale, scale) + _LEAST_VARIANCE * np.eye(_VIEW)
    lower = scale[:, None] * np.linalg.cholesky(whole)
    # a solution by edges sways a little less than one by corners: its share is kept below all of the variance
    axes, share, turn = np.linalg.svd(np.linalg.solve(lower, sway))
    share = np.minimum(share, np.sqrt(1 - _LEAST_OWN))
    own = np.ones(_VIEW)
    own[:_OUTLINE] = 1.0 / np.sqrt(1 - share**2)
    root = own[:, None] * axes.T @ np.linalg.inv(lower)
    return np.asarray(root, dtype=np.float64), np.asarray(lower @ (axes[:, :_OUTLINE] * share) @ turn, np.float64)
