"""Bases on the table: rectangles, circles and ovals as one struct of arrays.

Frame: inches, x right, y away, facing in degrees clockwise from +y (contract, section 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
ShapeName = Literal["rect", "round", "oval"]
SHAPE_NAMES: tuple[ShapeName, ...] = ("rect", "round", "oval")


def shape_name(is_round: bool, is_oval: bool = False) -> ShapeName:
    """The names of outlines in files."""
    return "round" if is_round else "oval" if is_oval else "rect"


@dataclass(frozen=True, eq=False)
class Bases:
    """Bases of units, in table inches.

    ``center`` (n, 2); ``facing`` (n,) degrees clockwise from +y; ``width`` and ``depth`` (n,) inches, both the
    diameter where ``is_round``; ``covariance`` (n, 2, 2) of the centre in square inches, zero where it is known
    exactly; ``facing_sigma`` (n,) degrees, infinite where the facing is not known (``facing`` is then 0). Round bases
    stay centre and radius: verdicts never use polygons for them. ``is_oval`` (n,), no base by default: the
    ellipse with the axes ``width`` and ``depth`` (a base is never round and oval).
    """

    center: Array
    facing: Array
    width: Array
    depth: Array
    is_round: BoolArray
    covariance: Array
    facing_sigma: Array
    is_oval: BoolArray = np.False_  # type: ignore[assignment]  # one for all, made (n,) below

    def __post_init__(self) -> None:
        n = len(self.center)
        shapes = {
            "center": (n, 2),
            "facing": (n,),
            "width": (n,),
            "depth": (n,),
            "is_round": (n,),
            "covariance": (n, 2, 2),
            "facing_sigma": (n,),
            "is_oval": (n,),
        }
        object.__setattr__(self, "is_oval", np.broadcast_to(self.is_oval, (n,)))
        for name, shape in shapes.items():
            array = np.asarray(getattr(self, name), dtype=bool if name.startswith("is_") else np.float64)
            if array.shape != shape:
                raise ValueError(f"Bases.{name} has shape {array.shape}, expected {shape}.")
            object.__setattr__(self, name, array)

    @classmethod
    def of(
        cls,
        center: npt.ArrayLike,
        facing: npt.ArrayLike,
        width: npt.ArrayLike,
        depth: npt.ArrayLike | None = None,
        *,
        is_round: npt.ArrayLike = False,
        is_oval: npt.ArrayLike = False,
        sigma: npt.ArrayLike = 0.0,
        facing_sigma: npt.ArrayLike = 0.0,
    ) -> Bases:
        """Bases from plain numbers; every argument broadcasts against the centres.

        >>> Bases.of([[10, 7]], 0, 2.5, 1.75).corners[0].tolist()
        [[8.75, 7.875], [11.25, 7.875], [11.25, 6.125], [8.75, 6.125]]
        """
        middle = np.atleast_2d(np.asarray(center, dtype=np.float64)).reshape(-1, 2)
        n = len(middle)
        full = lambda value: np.broadcast_to(np.asarray(value, dtype=np.float64), (n,)).copy()  # noqa: E731
        spread = full(sigma)
        return cls(
            center=middle,
            facing=full(facing),
            width=full(width),
            depth=full(width if depth is None else depth),
            is_round=np.broadcast_to(np.asarray(is_round, dtype=bool), (n,)).copy(),
            covariance=spread[:, None, None] ** 2 * np.eye(2),
            facing_sigma=full(facing_sigma),
            is_oval=np.asarray(is_oval, dtype=bool),
        )

    @classmethod
    def empty(cls) -> Bases:
        """No bases."""
        return cls.of(np.zeros((0, 2)), 0.0, 1.0)

    @classmethod
    def concat(cls, parts: Iterable[Bases]) -> Bases:
        """All bases of several, in order."""
        every = list(parts)
        if not every:
            return cls.empty()
        return cls(*(np.concatenate([getattr(part, f.name) for part in every]) for f in fields(cls)))

    def __len__(self) -> int:
        return len(self.center)

    def __getitem__(self, index: int | slice | Sequence[int] | npt.NDArray[np.generic]) -> Bases:
        """Select by mask, indices, slice or one index (which gives one base)."""
        rows = np.atleast_1d(np.arange(len(self))[index])
        return Bases(*(getattr(self, f.name)[rows] for f in fields(self)))

    def shape_name(self, row: int) -> ShapeName:
        """The name of a base's outline in files."""
        return shape_name(bool(self.is_round[row]), bool(self.is_oval[row]))

    @property
    def is_smooth(self) -> BoolArray:
        """Which (n,) have no corners: the round and the oval ones."""
        found: BoolArray = self.is_round | self.is_oval
        return found

    @cached_property
    def forward(self) -> Array:
        """Unit vectors (n, 2) along each facing."""
        angle = np.radians(self.facing)
        return np.stack([np.sin(angle), np.cos(angle)], axis=1)

    @cached_property
    def right(self) -> Array:
        """Unit vectors (n, 2) to the right of each facing."""
        angle = np.radians(self.facing)
        return np.stack([np.cos(angle), -np.sin(angle)], axis=1)

    @cached_property
    def corners(self) -> Array:
        """Corners (n, 4, 2): front left, front right, rear right, rear left; the corners round a round or oval base."""
        half_w, half_d = self.right * self.width[:, None] / 2, self.forward * self.depth[:, None] / 2
        middle = self.center
        return np.stack(
            [middle - half_w + half_d, middle + half_w + half_d, middle + half_w - half_d, middle - half_w - half_d],
            axis=1,
        )
