"""Where a grid lies on the table and how surely: a layout with its covariance, whatever its cells."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from geometry.hex_layout import HexLayout
from geometry.square_layout import SquareLayout

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Placed(ABC):
    """A layout with the covariance (4, 4) of its origin (x, y in inches), size (inches) and rotation (degrees).

    ``source`` says in a few words where it comes from; ``residual_in`` is how far, root mean square, what it was fitted
    to lies from it, ``None`` where nothing was fitted.
    """

    layout: HexLayout | SquareLayout
    covariance: Array = field(default_factory=lambda: np.zeros((4, 4)))
    source: str = "given"
    residual_in: float | None = None

    def __post_init__(self) -> None:
        covariance = np.asarray(self.covariance, dtype=np.float64)
        if covariance.shape != (4, 4):
            raise ValueError(f"{type(self).__name__}.covariance has shape {covariance.shape}, expected (4, 4).")
        object.__setattr__(self, "covariance", covariance)

    @property
    def is_exact(self) -> bool:
        """Whether the layout is known for certain: it is so because the players say so."""
        return not self.covariance.any()

    @property
    def rotation_sigma_deg(self) -> float:
        """One standard deviation of the rotation, in degrees."""
        return math.sqrt(max(0.0, float(self.covariance[3, 3])))

    def shifts_at(self, points: npt.ArrayLike) -> Array:
        """How the grid at points (n, 2) moves with its four parameters: derivatives (n, 2, 4), in inches by inch, and
        by degree for the rotation."""
        at = np.asarray(points, dtype=np.float64).reshape(-1, 2) - self.layout.origin
        moved = np.zeros((len(at), 2, 4))
        moved[:, 0, 0] = moved[:, 1, 1] = 1.0
        moved[:, :, 2] = at / self.layout.size_in
        moved[:, 0, 3], moved[:, 1, 3] = math.radians(1.0) * at[:, 1], -math.radians(1.0) * at[:, 0]
        return moved

    def spread_at(self, points: npt.ArrayLike) -> Array:
        """Covariances (n, 2, 2) in square inches of where the grid lies at points (n, 2)."""
        moved = self.shifts_at(points)
        return np.asarray(moved @ self.covariance @ moved.transpose(0, 2, 1))

    def largest_sigma_in(self, points: npt.ArrayLike) -> float:
        """The largest standard deviation, along any direction, of where the grid lies at any of points (n, 2)."""
        return math.sqrt(max(0.0, float(np.linalg.eigvalsh(self.spread_at(points)).max())))

    @property
    @abstractmethod
    def sigma_in(self) -> float:
        """The largest standard deviation, along any direction, of any of the board's cells, in inches."""

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON."""
        return {
            "size": round(self.layout.size_in, 5),
            "origin": [round(v, 5) for v in self.layout.origin],
            "rotation": round(self.layout.rotation_deg, 4),
            "covariance": [[float(f"{v:.6g}") for v in row] for row in self.covariance.tolist()],
            "sigma": round(self.sigma_in, 4),
            "residual": None if self.residual_in is None else round(self.residual_in, 4),
            "source": self.source,
        }


def tapped_covariance(placed: Placed, centres: Array, spreads: Array, tap_sigma_in: float) -> Array:
    """The covariance (4, 4) of a layout fitted to tapped centres (n, 2): that of the least-squares solution, which is
    linear in the places; ``spreads`` (n, 2, 2) are the places' own, which the hand's is added to."""
    jacobian = placed.shifts_at(centres).reshape(-1, 4)
    back = np.linalg.pinv(jacobian)
    every = np.zeros((2 * len(centres), 2 * len(centres)))
    for i, spread in enumerate(spreads):
        every[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = spread + tap_sigma_in**2 * np.eye(2)
    return np.asarray(back @ every @ back.T)


__all__ = ["Placed", "tapped_covariance"]
