"""An earlier photo of a table, which places later photos by the table's look."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration import TableView

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class TableReference:
    """An earlier photo of a table: ``gray`` (height, width) uint8, its ``view``, the table's ``size_in`` (width, depth)
    in inches, and ``covered``: polygons (n, 2) in table inches of markers, bases and other things that may be moved."""

    name: str
    gray: Pixels
    view: TableView
    size_in: tuple[float, float]
    covered: tuple[Array, ...] = ()


__all__ = ["TableReference"]
