"""What is sent when something is measured (:mod:`tabletop.measuring`), in table inches."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, FiniteFloat, model_validator

from api.schemas.games import CommandId
from api.schemas.tables import Model, Name, Outline, Point, Wish

Unit = Literal["in", "hexes", "squares"]


class ReasonOut(Model):
    """A sentence and the rules' place for it."""

    text: str
    place: str


class SightRangeOut(Model):
    """A range as the rules count it, and what they call it."""

    value: float
    sigma: float
    unit: Unit
    band: str | None


class SightLineOut(Model):
    """Who sees whom: white is clear, yellow partial or too close to call, red blocked, and why."""

    from_: Annotated[str, Field(alias="from")]
    to: str
    verdict: Literal["clear", "partial", "too-close", "blocked"]
    colour: Literal["white", "yellow", "red"]
    points: Outline
    outline: Outline
    outlines: list[Outline]
    blocked_by: list[str]
    blocked_at: Outline
    reasons: list[ReasonOut]
    range: SightRangeOut
    says: str


class AreaOut(Model):
    """A part of the table: outlines, or cells and the outlines round them."""

    outlines: list[Outline]
    says: str
    cells: list[str]


class RangeRingOut(Model):
    """All that lies within a range by its name."""

    name: str
    value: float
    unit: Unit
    outlines: list[Outline]
    says: str
    cells: list[str]


class PartOut(Model):
    """A piece of a region with its holes."""

    outline: Outline
    holes: list[Outline]


class CellReachOut(Model):
    """A cell that a unit can get to; the facings (degrees) that it may have there; over which edge it leaves."""

    id: str
    moves: int
    says: str
    facings: list[float]
    leaves: str | None


class ReachOut(Model):
    """Where a unit can get to: with the best dice, surely, or with those rolled."""

    name: Literal["best", "surely", "rolled"]
    value: float
    unit: Unit
    chance: float
    says: str
    areas: list[PartOut]
    cells: list[CellReachOut]


class OverlaysOut(Model):
    """All that is drawn of one unit after event ``seq``."""

    seq: int
    unit: str
    side: str
    says: str
    ranges: list[RangeRingOut]
    front: AreaOut | None
    rear: AreaOut | None
    threat: AreaOut | None
    reach: list[ReachOut]
    against: list[ReasonOut]
    sights: list[SightLineOut]
    threatened_by: list[str]
    perhaps_threatened_by: list[str]


class Thing(Wish):
    """Something on the table: exactly one of a unit, a piece, a place, a cell, a piece of terrain."""

    unit: Name | None = None
    piece: Name | None = None
    point: tuple[FiniteFloat, FiniteFloat] | None = None
    cell: Name | None = None
    ground: Name | None = None

    @model_validator(mode="after")
    def one(self) -> Thing:
        """Exactly one is named."""
        if len(self.model_dump(exclude_none=True)) != 1:
            raise ValueError("name one of unit, piece, point, cell and ground")
        return self


class MeasureWish(Wish):
    """Two things to be measured."""

    a: Thing
    b: Thing


class ShareWish(MeasureWish):
    """A measurement for all to see; it is measured as everybody may see the game."""

    id: CommandId


class EndOut(Model):
    """One of two things that were measured."""

    id: str
    outlines: list[Outline]
    says: str


class LengthOut(Model):
    """A distance with the two points that it is measured between."""

    value: float
    sigma: float
    unit: Unit
    line: tuple[Point, Point]
    says: str
    band: str | None


class MeasurementOut(Model):
    """How far two things are apart: edge to edge, as the rules say, and the sight between them."""

    a: EndOut
    b: EndOut
    plain: LengthOut
    rule: LengthOut | None
    sights: list[SightLineOut]
    line: tuple[Point, Point]
    outlines: list[Outline]
    reasons: list[ReasonOut]
    says: str


class SharedOut(Model):
    """A measurement that somebody showed to all."""

    id: str
    by: str
    at: str
    measurement: MeasurementOut


class LensOut(Model):
    """The camera of a photo, to draw on it in perspective: pixels of a picture of ``width`` by ``height`` from table
    inches by OpenCV's model (``K``, ``dist``, ``R``, ``t``; pixel (0, 0) is the middle of the upper left one)."""

    width: int
    height: int
    K: list[list[float]]
    dist: list[float]
    R: list[list[float]]
    t: list[float]


class PhotoGroundOut(Model):
    """The last photo of a game's table, upright, with its lens, and laid flat; null where there is none."""

    url: str | None
    width: int
    height: int
    lens: LensOut | None
    map_url: str | None
    map_bounds: tuple[Point, Point] | None
