"""Schemas of terrain drawn by a finger on a photo. Places on the photo are shares of its width and height, from its top
left corner; beyond 0 and 1 they are outside it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, FiniteFloat, model_validator

from api.schemas.games import CommandId
from api.schemas.naming import SharePoint
from api.schemas.tables import Model, Name, Outline, Wish
from tabletop.tables.tablefile import MAX_HEIGHT_IN

MOST_POINTS, MOST_FIXES, MOST_PARTS = 400, 40, 10
MOST_WIDE_IN = 12.0
Way = Annotated[list[SharePoint], Field(min_length=2, max_length=MOST_POINTS)]


class FixWish(Wish):
    """A correcting tap: the place ``at`` on the photo belongs to the piece (``inside``), or does not."""

    at: SharePoint
    inside: bool


class LineWish(Wish):
    """A line around the foot of a piece of terrain, drawn on the table's last photo.

    ``kind``: of the terrain; ``points``: the line; ``wide``: it runs along a wall or hedge of this width in inches
    instead; ``high``: how high the piece is in inches (0: not known); ``box``: the foot is a rectangle; ``visible``:
    the line is around everything visible of a piece of that height, out of which the foot is cut. ``fixes`` and
    ``redrawn`` parts correct its outline.
    """

    kind: Name
    points: Annotated[list[SharePoint], Field(min_length=1, max_length=MOST_POINTS)]
    wide: Annotated[FiniteFloat, Field(ge=0.1, le=MOST_WIDE_IN)] | None = None
    high: Annotated[FiniteFloat, Field(ge=0.0, le=MAX_HEIGHT_IN)] = 0.0
    box: bool = False
    visible: bool = False
    fixes: Annotated[list[FixWish], Field(max_length=MOST_FIXES)] = Field(default_factory=list)
    redrawn: Annotated[list[Way], Field(max_length=MOST_PARTS)] = Field(default_factory=list)

    @model_validator(mode="after")
    def _fits(self) -> LineWish:
        if self.visible and not self.high:
            raise ValueError("A line around everything visible needs the height of the piece.")
        if self.wide is not None and (self.box or self.visible or self.fixes or self.redrawn):
            raise ValueError("A line along a piece is drawn again; it has no corrections.")
        return self

    def row(self) -> dict[str, Any]:
        """The line, without its use."""
        return self.model_dump(include=set(LineWish.model_fields))


class OutlineOut(Model):
    """The foot of the piece that a line outlines: ``on_photo`` in shares of the photo and ``outline`` in table inches,
    with its edge known to within ``sigma_in`` (one standard deviation). ``refused`` is the sentence that says why the
    line outlines no piece (empty: it does)."""

    refused: str
    on_photo: list[tuple[float, float]]
    outline: Outline
    sigma_in: float


class TerrainWish(LineWish):
    """The same, to be put on the table of the game, in place of the piece that it ``replaces`` (empty: of none);
    ``id`` and ``after`` as for a command."""

    id: CommandId
    after: Annotated[int, Field(ge=0, le=10_000_000)]
    replaces: Annotated[str, Field(max_length=80)] = ""
