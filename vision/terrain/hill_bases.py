"""How the heights of bases correct the hills under them: a hill's height, a hill that is not there, one overlooked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import shapely

from vision.model.expected import ExpectedTerrain


@dataclass(frozen=True, eq=False)
class StandingBase:
    """A base as evidence of the ground: its outline (n, 2) on the table, the height of the surface under it and that
    height's standard deviation, inches."""

    outline: npt.NDArray[np.float64]
    z: float
    z_sigma: float

    @property
    def place(self) -> shapely.Point:
        """Its middle."""
        return shapely.Point(*self.outline.mean(axis=0))


@dataclass(frozen=True)
class HillConfig:
    """``least_in``: a base lower than this is not on a hill's top; ``sigmas``: by how many standard deviations a base
    must be above or below that to be surely high or surely low."""

    least_in: float = 0.2
    sigmas: float = 2.5


def with_base_height(piece: ExpectedTerrain, bases: Sequence[StandingBase], config: HillConfig) -> ExpectedTerrain:
    """A hill of unknown height with the height of the bases on its top; other pieces, and hills without such bases,
    unchanged."""
    if piece.kind != "hill" or piece.height_known:
        return piece
    rows = [b for b in bases if b.z >= config.least_in and piece.top.contains(b.place)]
    if not rows:
        return piece
    weights = [1.0 / max(b.z_sigma, 0.03) ** 2 for b in rows]
    return replace(piece, height=round(float(np.average([b.z for b in rows], weights=weights)), 2))


def with_stated_height(piece: ExpectedTerrain, height_in: float) -> ExpectedTerrain:
    """A hill that was read with the height that the players state for the table's hills (0: they state none); other
    pieces, and pieces with a player's own statement, unchanged."""
    if piece.kind != "hill" or height_in <= 0 or piece.confidence >= 1.0:
        return piece
    return replace(piece, height=height_in, height_stated=True)


def is_contradicted(piece: ExpectedTerrain, bases: Sequence[StandingBase], config: HillConfig) -> bool:
    """Whether a hill was misread: bases on its top are surely at the table's height, and none is high."""
    if piece.kind != "hill":
        return False
    on = [b for b in bases if piece.top.contains(b.place)]
    low = any(b.z + config.sigmas * b.z_sigma < config.least_in for b in on)
    return low and not any(b.z >= config.least_in for b in on)


def unexplained_high_bases(
    pieces: Sequence[ExpectedTerrain], bases: Sequence[StandingBase], config: HillConfig
) -> list[tuple[float, float]]:
    """Places in table inches of bases that surely stand high where no hill or bridge was read."""
    high = [b for b in bases if b.z >= config.least_in and b.z > config.sigmas * b.z_sigma]
    raised = [p.shape for p in pieces if p.kind in ("hill", "bridge")]
    return [(b.place.x, b.place.y) for b in high if not any(shape.intersects(b.place) for shape in raised)]
