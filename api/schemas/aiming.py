"""Schemas for aiming a phone at the table."""

from __future__ import annotations

from api.schemas.tables import Model, Outline


class AimOut(Model):
    """One frame of the viewfinder: the ids of the frame markers that it ``expected`` (none: the table has no frame, and
    frames are not analysed) and of those ``seen``, with ``outlines`` in shares of the picture's width and height from
    its top left corner; the elevation of the camera over the table's middle, in degrees, where known; one sentence of
    ``advice``; and whether the photo can be taken now."""

    expected: list[int]
    seen: list[int]
    outlines: list[Outline]
    elevation_deg: float | None
    advice: str
    good: bool
