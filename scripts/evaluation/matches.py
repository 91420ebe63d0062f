"""Bases, dice and cotton of one photo, each beside its reading."""

from __future__ import annotations

from dataclasses import dataclass

CHI2_95 = 5.991
"""95 % of a plane normal's squared distances from its middle, in sigmas, are less."""


@dataclass(frozen=True)
class BaseRow:
    """A true base and its reading; values that were not seen are ``None``.

    ``normalized_sq`` is the error's square in units of the stated covariance; ``facing_error_deg`` is for rectangles.
    """

    unit: str
    side: str
    kind: str
    shape: str
    size: tuple[float, float]
    at: tuple[float, float]
    z: float
    height: float
    facing: float | None
    tag: int | None
    readable: bool
    unique: bool
    visible: float
    px_per_in: float
    distance_in: float
    in_picture: bool
    found: bool = False
    seen: str | None = None
    seen_at: tuple[float, float] | None = None
    seen_tag: int | None = None
    seen_unit: str | None = None
    seen_side: str | None = None
    error_in: float | None = None
    normalized_sq: float | None = None
    facing_error_deg: float | None = None
    facing_sigma_deg: float | None = None

    @property
    def must_read(self) -> bool:
        """Whether it has a tag that a photo of this kind must give."""
        return self.readable and self.tag is not None

    @property
    def read(self) -> bool:
        """Whether that tag was read, and read right."""
        return self.must_read and self.found and self.seen_tag == self.tag

    @property
    def inside(self) -> bool:
        """Whether the true place is inside the stated 95 % ellipse."""
        return self.normalized_sq is not None and self.normalized_sq <= CHI2_95


@dataclass(frozen=True)
class FalseBase:
    """A base that was reported where none is."""

    id: str
    at: tuple[float, float]
    confidence: float | None
    method: str | None
    tag: int | None
    unit: str | None
    side: str | None


@dataclass(frozen=True)
class SmallThing:
    """A die or a ball of cotton: whether it is ``there``, its true value (of cotton: the unit beside it, ``None``
    without one), whether one was ``found`` at that place, the value told, ``None`` if left open, whether the players
    are ``asked`` about it, its id in the observation, and the stated chance of the value told."""

    at: tuple[float, float]
    there: bool
    true: int | str | None
    found: bool
    told: int | str | None
    asked: bool = False
    seen: str | None = None
    confidence: float = 1.0

    @property
    def verdict(self) -> str:
        """missed, false, open, right or wrong."""
        if not self.found:
            return "missed"
        if not self.there:
            return "false"
        if self.asked:
            return "open"
        if self.told == self.true:
            return "right"
        return "open" if self.told is None else "wrong"
