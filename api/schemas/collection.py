"""What was learnt of the players' things, as the server's host is told."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from api.schemas.tables import Model, Wish

LearntId = Annotated[str, Field(pattern="^[0-9a-f]{12}$", description="The learnt photo's id")]


class CountOut(Model):
    """How many there are of something."""

    what: str
    count: int


class SideOut(Model):
    """How many bases of a side are known by their looks, and of which kinds."""

    side: str
    count: int
    kinds: list[CountOut]


class LearntPhotoOut(Model):
    """What one photo taught: pieces of terrain by kind, bases by side; ``learnt`` is the day. ``pictures`` tells how
    many small pictures are kept. A ``stale`` one was seen by an earlier net, and its terrain counts no longer."""

    id: str
    learnt: str
    width: float
    depth: float
    terrain: list[CountOut]
    sides: list[SideOut]
    pictures: int
    stale: bool


class CollectionOut(Model):
    """All that was learnt, newest photo first. ``on``: whether settled photos are learnt from; ``waiting``: how many
    are being learnt or wait for it; ``trouble``: why the last one could teach nothing, empty where it did."""

    on: bool
    waiting: int
    trouble: str
    most_photos: int
    terrain: list[CountOut]
    sides: list[SideOut]
    photos: list[LearntPhotoOut]


class LearningWish(Wish):
    """Whether settled photos are to be learnt from."""

    on: bool
