"""Schemas of the learned terrain and armies, for the server's host."""

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
    """How many bases of a side are known by their appearance, and of which kinds."""

    side: str
    count: int
    kinds: list[CountOut]


class LearntPhotoOut(Model):
    """What one photo taught: pieces of terrain by kind, bases by side; ``learnt`` is the day. ``pictures`` is the
    number of small pictures kept. A ``stale`` one was seen by an earlier net, and its terrain no longer counts."""

    id: str
    learnt: str
    width: float
    depth: float
    terrain: list[CountOut]
    sides: list[SideOut]
    pictures: int
    stale: bool


class CollectionOut(Model):
    """All learned data, newest photo first. ``on``: whether settled photos are learned; ``waiting``: how many are being
    learned or wait for it; ``trouble``: why the last one could teach nothing, empty where it did."""

    on: bool
    waiting: int
    trouble: str
    most_photos: int
    terrain: list[CountOut]
    sides: list[SideOut]
    photos: list[LearntPhotoOut]


class LearningWish(Wish):
    """Whether to learn from settled photos."""

    on: bool
