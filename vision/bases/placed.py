"""A base as one photo places it on the table: the result of finding bases."""

from __future__ import annotations

from dataclasses import dataclass

from vision.imaging.rims import Array
from vision.model.expected import BaseShape, Rival


@dataclass(frozen=True, eq=False)
class PlacedBase:
    """A base with its place on the table: centre (inches), ``facing`` in degrees, known up to half a turn unless
    ``facing_known``; ``covariance`` (3, 3) of x, y, facing (radians) with everything counted; the surface height
    ``z``; ``rivals``: other shapes that it may have; ``presence``: the chance that it is there at all, where its
    outline's support does not give it; ``sides``, ``alike``: for a base without a side the chance of each, and a number
    that it shares with bases that look like it in this photo. ``lean`` (2,): how its place moves for each inch that it
    is higher; ``triangulated``: its height comes from sight lines from several places."""

    center: Array
    facing: float
    facing_known: bool
    covariance: Array
    z: float
    z_sigma: float
    shape: BaseShape
    side: str | None
    unit: int | None
    unique: bool | None
    tag_id: int | None
    coverage: float
    method: str
    rivals: tuple[Rival, ...] = ()
    presence: float | None = None
    sides: tuple[tuple[str, float], ...] = ()
    alike: int | None = None
    lean: Array | None = None
    triangulated: bool = False

    @property
    def support(self) -> float:
        """How strongly this photo alone supports a base: an outline by its complete share. The weight of the photo."""
        if self.tag_id is not None:
            return 0.99
        return min(0.98, 0.5 + 0.5 * self.coverage) if self.presence is None else self.presence

    @property
    def confidence(self) -> float:
        """How sure it is that this is a base: a tag that was read is next to certain, an outline the surer the more
        of it shows (docs/chances.md)."""
        if self.tag_id is not None:
            return 0.99
        return min(0.98, 1.0 - 0.5 * (1.0 - self.coverage) ** 2) if self.presence is None else self.presence
