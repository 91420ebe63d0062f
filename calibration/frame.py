"""The printed frame markers on the table, and their places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FrameMarker:
    """One marker: ``center`` in table inches, ``rotation_deg`` clockwise (0: its top edge points to +y)."""

    id: int
    center: tuple[float, float]
    rotation_deg: float = 0.0


@dataclass(frozen=True)
class FrameLayout:
    """All frame markers of a table: OpenCV's dictionary name, side of the black square in inches, the markers."""

    dictionary: str
    marker_size_in: float
    markers: tuple[FrameMarker, ...]

    @property
    def ids(self) -> tuple[int, ...]:
        """The expected ids, in the file's order."""
        return tuple(marker.id for marker in self.markers)

    def corners(self, marker_id: int) -> Array:
        """Corners (4, 3) in table inches, in OpenCV's order: the marker's top left, then clockwise as printed."""
        marker = next(m for m in self.markers if m.id == marker_id)
        half, angle = self.marker_size_in / 2, np.radians(marker.rotation_deg)
        right = np.array([np.cos(angle), -np.sin(angle)])
        up = np.array([np.sin(angle), np.cos(angle)])
        signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
        flat = [np.array(marker.center) + half * (a * right + b * up) for a, b in signs]
        return np.column_stack([np.array(flat), np.zeros(4)])
