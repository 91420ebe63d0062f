"""What is sent while a phone aims at the table."""

from __future__ import annotations

from api.schemas.tables import Model, Outline


class AimOut(Model):
    """What a frame of the viewfinder shows of a table: the ids of the frame markers that it ``expected`` (none: the
    table has no frame, and no frame of it is looked at) and of those ``seen``, whose ``outlines`` are in shares of the
    picture's width and height from its top left corner; how high over the table's middle the camera stands, in degrees,
    where that can be told; one sentence of ``advice``; and whether the photo can be taken so."""

    expected: list[int]
    seen: list[int]
    outlines: list[Outline]
    elevation_deg: float | None
    advice: str
    good: bool
