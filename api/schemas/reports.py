"""What is sent about reports and exports of games."""

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
    """A player's note from the log, which the report quotes as it stands."""

    seq: int
    who: str
    text: str


class ReportTurnOut(Model):
    """A turn of the report (0: before the first): what its dice made, and the notes in it."""

    turn: int
    title: str
    says: str
    notes: list[SaidOut]


class ReportMomentOut(Model):
    """A moment that weighed something. ``number`` is its place by weight (a share of a side's game, or what it changed
    of the chance to win where that was counted: 0 where nothing is claimed) as the game stands,
    ``seq`` the log's event that it begins with, which stays; ``short`` and ``full``: whether that report tells it
    where nobody chooses."""

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
    """A file that may be had and what it is called when it is kept; ``why`` says why it can't be had now."""

    name: FileName
    file: str
    why: str


class ReportOut(Model):
    """What there is to tell of a game up to event ``seq``, as this device may see it.

    ``over``: the game has ended. ``own``: some of it may not be known to everybody yet. ``chances``: whether its
    moments are weighed by the chance to win, could be, or can't be.
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
    """A paragraph of a game told in pictures: the address of its map (PNG), what that shows for who can't see it, and
    of the table's last photo of that time, where one was taken."""

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
    """Where a report can be looked at, and for how many seconds."""

    address: str
    seconds: int


# --- wishes ------------------------------------------------------------------------------------------------------


class CaptionsWish(Wish):
    """Players' own words (Markdown) by the number of the turn or moment that they belong to."""

    turns: Annotated[dict[Key, str], Field(default_factory=dict)]
    moments: Annotated[dict[Key, str], Field(default_factory=dict)]


class StoryWish(Wish):
    """A report: its length, its title (left out: the game's), the numbers of the moments to tell (left out: the
    weightiest), captions, and the ``unit`` of its lengths. ``seq`` is the event up to which the device saw the game:
    numbers may change with it. ``chances``: its moments are those that are weighed by the chance to win."""

    length: Length = "full"
    title: Annotated[str, Field(max_length=120)] | None = None
    moments: Annotated[list[Annotated[int, Field(ge=1, le=10_000)]], Field(max_length=500)] | None = None
    captions: Annotated[CaptionsWish, Field(default_factory=CaptionsWish)]
    unit: LengthUnit = "in"
    chances: bool = False
    seq: Annotated[int, Field(ge=0, le=10_000_000)] | None = None


class PreviewWish(StoryWish):
    """A report to be looked at, in the colours of ``scheme``, or in those that the device prefers."""

    scheme: Literal["light", "dark"] | None = None


class ReportWish(StoryWish):
    """A report as a file."""

    format: Format = "html"
