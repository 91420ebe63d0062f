"""Schemas of tables and photos. Inches and degrees clockwise from +y, as in the files that the program writes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

Point = tuple[FiniteFloat, FiniteFloat]
Outline = list[Point]
Verdict = Literal["yes", "no", "too-close"]
Sha = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Name = Annotated[str, Field(min_length=1, max_length=80)]


class Model(BaseModel):
    """An answer: only declared fields leave the server, and all of them are present."""

    model_config = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)


class Wish(BaseModel):
    """A request: an unknown key is an error, never ignored."""

    model_config = ConfigDict(extra="forbid")


# --- the host ------------------------------------------------------------------------------------------------------


class HostOut(Model):
    """The server: its addresses for phones (best first), whether a demonstration is bundled, and its limits."""

    addresses: list[str]
    demo: bool
    max_photo_bytes: int
    max_table_bytes: int


class JobOut(Model):
    """A photo that was sent: whether it waits, is being read (``stage`` is the step's name, ``fraction`` the finished
    share), is on its table, or can't be used (``detail`` is the sentence that says why; ``unplaced``: the table could
    not be placed in it, and naming corners helps). ``ahead`` photos come before it; it need not be requested again
    before ``ask_ms`` milliseconds have passed."""

    id: str
    table: str
    state: Literal["waiting", "working", "done", "failed"]
    stage: str
    fraction: float
    detail: str
    unplaced: bool
    ahead: int
    ask_ms: int


class TableBrief(Model):
    """One line of the list of stored tables without a game."""

    id: str
    name: str
    created: str
    used: str
    units: int
    has_photo: bool


class SizeOut(Model):
    """The table in inches."""

    width: float
    depth: float


class PictureOut(Model):
    """A picture of a photo: its address, its size in pixels, and the ``part`` of the photo that it shows, by its left,
    top, right and bottom edge, 0 to 1 of the photo; null where that is unknown."""

    url: str
    width: int
    height: int
    part: tuple[float, float, float, float] | None
