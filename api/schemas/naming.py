"""Schemas for naming the corners of a table in a photo. Places are shares of the upright photo's width and height, from
its top left corner; beyond 0 and 1 they are outside the photo."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, FiniteFloat

from api.engine import NamedRow
from api.schemas.tables import Model, Wish

Share = Annotated[FiniteFloat, Field(ge=-3.0, le=4.0)]
SharePoint = tuple[Share, Share]
SideIn = Annotated[FiniteFloat, Field(ge=1.0, le=480.0)]


class NamedWish(Wish):
    """Corners that a player named in a photo: near-left, near-right, far-right, far-left, of the whole table or of a
    rectangle of ``size_in``: its width along the table's near edge and its depth in inches, of which one may be null,
    ``at`` the place of its near-left corner on the table (null: in the table's middle)."""

    corners: tuple[SharePoint, SharePoint, SharePoint, SharePoint]
    size_in: tuple[SideIn | None, SideIn | None] | None = None
    at: tuple[FiniteFloat, FiniteFloat] | None = None

    def row(self) -> NamedRow:
        """The row as the table stores it."""
        return {"corners": self.corners, "size_in": self.size_in, "at": self.at}


class CheckWish(NamedWish):
    """The same before the photo is sent: its size in pixels, and the focal length (35 mm equivalent) that it states."""

    width: Annotated[int, Field(ge=1, le=100_000)]
    height: Annotated[int, Field(ge=1, le=100_000)]
    focal_35mm: Annotated[FiniteFloat, Field(ge=6.0, le=1200.0)] | None = None


class NamedOut(Model):
    """Corners that were named in an earlier photo of the table."""

    corners: list[tuple[float, float]]
    size_in: tuple[float | None, float | None] | None
    at: tuple[float, float] | None


class ListedSizeOut(Model):
    """An offered size by its ``name``: width and depth in inches; a ``sheet`` is put on a table."""

    name: str
    size_in: tuple[float, float]
    sheet: bool


class NamingOut(Model):
    """Help for naming corners: straight ``lines`` of the photo by two points each, a first ``guess`` at the table's
    corners (null: none), those named ``before`` in a photo of this table, the ``table`` in inches, the offered
    ``sizes``."""

    lines: list[tuple[tuple[float, float], tuple[float, float]]]
    guess: list[tuple[float, float]] | None
    before: NamedOut | None
    table: tuple[float, float]
    sizes: list[ListedSizeOut]


class CheckOut(Model):
    """Whether corners place the table: ``refused`` is the sentence that says why not (empty: they do). The error of
    places (95 %) is then ``middle_in`` inches in the middle of the table and ``worst_in`` at worst; ``outline`` is the
    table in the photo, ``says`` has further advice."""

    refused: str
    middle_in: float
    worst_in: float
    outline: list[Annotated[list[float], Field(min_length=2, max_length=2)]]
    says: str
