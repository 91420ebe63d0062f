"""Schemas of reports and exports of games."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from api.schemas.tables import Model, Wish
from tabletop.units import LengthUnit

Length = Literal["short", "full"]
Format = Literal["html", "pdf", "zip", "markdown"]
Chances = Literal["none", "possible", "counted"]
Key = Annotated[str, Field(max_length=8)]
FileName = Literal["html", "pdf", "zip", "markdown", "geojson", "uvtt", "log", "csv", "picture", "observation"]

# --- answers -----------------------------------------------------------------------------------------------------


class SaidOut(Model):
    """A player's note from the log, quoted unchanged in the report."""

    seq: int
    who: str
    text: str


class ReportTurnOut(Model):
    """A turn of the report (0: before the first): the results of its dice, and its notes."""

    turn: int
    title: str
    says: str
    notes: list[SaidOut]


class ReportMomentOut(Model):
    """A moment that mattered. ``number`` is its rank by weight (a share of a side's game, or the change of the chance
    to win where that was computed: 0 where nothing is claimed) in the game so far, ``seq`` the log's event that it
    begins with, which stays; ``short`` and ``full``: whether that report includes it by default."""

    number: int
    seq: int
    turn: int
    when: str
    says: str
    weight: float
    why: str
    short: bool
    full: bool


class ReportFileOut(Model):
    """A file to download and its name; ``why`` says why it is not available now."""

    name: FileName
    file: str
    why: str


class ReportOut(Model):
    """The contents for the report of a game up to event ``seq``, as this device may see it.

    ``over``: the game has ended. ``own``: some of it may not be public yet. ``chances``: whether its moments are
    ranked by the chance to win, could be, or can't be.
    """

    seq: int
    title: str
    over: bool
    own: bool
    chances: Chances
    result: str
    lengths: list[Length]
    most_caption: int
    turns: list[ReportTurnOut]
    moments: list[ReportMomentOut]
    files: list[ReportFileOut]


class ChapterOut(Model):
    """A paragraph of a game told in pictures: the address of its map (PNG), its text for screen readers, and the
    address of the table's last photo of that time, where one was taken."""

    title: str
    says: str
    picture: str
    alt: str
    photo: str | None


class PictureStoryOut(Model):
    """A game told in about four pictures, up to event ``seq``; ``own`` as in a report."""

    seq: int
    title: str
    own: bool
    chapters: list[ChapterOut]


class PreviewOut(Model):
    """Where a report can be previewed, and for how many seconds."""

    address: str
    seconds: int


# --- wishes ------------------------------------------------------------------------------------------------------


class CaptionsWish(Wish):
    """Players' own words (Markdown) by the number of the turn or moment that they belong to."""

    turns: Annotated[dict[Key, str], Field(default_factory=dict)]
    moments: Annotated[dict[Key, str], Field(default_factory=dict)]


class StoryWish(Wish):
    """A report: its length, its title (left out: the game's), the numbers of the moments to include (left out: the most
    important), captions, and the ``unit`` of its lengths. ``seq`` is the event up to which the device saw the game:
    numbers may change with it. ``chances``: its moments are ranked by the chance to win."""

    length: Length = "full"
    title: Annotated[str, Field(max_length=120)] | None = None
    moments: Annotated[list[Annotated[int, Field(ge=1, le=10_000)]], Field(max_length=500)] | None = None
    captions: Annotated[CaptionsWish, Field(default_factory=CaptionsWish)]
    unit: LengthUnit = "in"
    chances: bool = False
    seq: Annotated[int, Field(ge=0, le=10_000_000)] | None = None


class PreviewWish(StoryWish):
    """A report to preview, in the colours of ``scheme``, or in the device's preferred ones."""

    scheme: Literal["light", "dark"] | None = None


class ReportWish(StoryWish):
    """A report as a file."""

    format: Format = "html"
