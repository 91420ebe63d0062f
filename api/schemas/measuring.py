"""Schemas of measurements (:mod:`tabletop.measuring`), in table inches."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import FiniteFloat, model_validator

from api.schemas.games import CommandId
from api.schemas.tables import Model, Name, Point, Wish
from tabletop.measuring.data import Measurement, Overlays


@dataclass(frozen=True, kw_only=True)
class UnitOverlays(Overlays):
    """All overlays of one unit after event ``seq``."""

    seq: int


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
    """A measurement to show to all; it is measured on the public view of the game."""

    id: CommandId


class SharedOut(Model):
    """A measurement that a player showed to all."""

    id: str
    by: str
    at: str
    measurement: Measurement


class LensOut(Model):
    """The camera of a photo, to draw on it in perspective: from table inches to pixels of a picture of ``width`` by
    ``height`` by OpenCV's model (``K``, ``dist``, ``R``, ``t``; pixel (0, 0) is the middle of the upper left one)."""

    width: int
    height: int
    K: list[list[float]]
    dist: list[float]
    R: list[list[float]]
    t: list[float]


class PhotoGroundOut(Model):
    """The last photo of a game's table, upright, with its lens, and rectified; null without a photo."""

    url: str | None
    width: int
    height: int
    lens: LensOut | None
    map_url: str | None
    map_bounds: tuple[Point, Point] | None
