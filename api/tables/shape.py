"""From the server's state to its answers: conversion only, without decisions."""

from __future__ import annotations

from base64 import b64encode

from api.addresses import VERSIONED
from api.engine import PLACING
from api.photos.jobs import Job
from api.schemas.tables import JobOut, PictureOut, TableBrief
from api.tables.rows import PhotoRow
from api.tables.state import TableState
from geometry.directions import EDGES


def brief(state: TableState, used: str) -> TableBrief:
    """A line of the list of tables; ``used`` is the time of the last event there."""
    return TableBrief(
        id=state.game,
        name=state.name,
        created=state.created,
        used=used,
        units=len(state.table.units),
        has_photo=state.photo is not None,
    )


def picture_url(state: TableState, picture: str) -> str:
    """The address of a picture of a table's last photo: ``map``, ``annotated`` or ``upright``."""
    assert state.photo is not None
    return f"{VERSIONED}/tables/{state.game}/photos/{state.photo['sha256']}/{picture}.jpg"


def map_url(state: TableState) -> str:
    """The address of the map of a table's last photo, turned as players have said that the table is."""
    turn = next((EDGES.index(one["value"]) for one in state.read.get("settled", ()) if one["ask"] == "turn"), 0)
    return picture_url(state, "map") + (f"?turn={turn}" if turn else "")


def turned_picture(jpeg: bytes, quarters: int) -> bytes:
    """A square JPEG turned clockwise, or any turned by a half, as an SVG."""
    data = b64encode(jpeg).decode()
    turned = f'transform="rotate({90 * quarters} .5 .5)" preserveAspectRatio="none"'
    picture = f'<image width="1" height="1" {turned} href="data:image/jpeg;base64,{data}"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" preserveAspectRatio="none">{picture}</svg>'
    return svg.encode()


def annotated(state: TableState) -> PictureOut:
    """A table's last photo, or a part of it, with its bases drawn in."""
    assert state.photo is not None
    width, height = state.photo["annotated"]["size"]
    url, part = picture_url(state, "annotated"), _annotated_part(state.photo)
    return PictureOut(url=url, width=width, height=height, part=part)


def upright(state: TableState) -> PictureOut | None:
    """A table's last plain photo; ``None`` for one that was read before those were stored."""
    assert state.photo is not None
    if "upright" not in state.photo:
        return None
    width, height = state.photo["upright"]["size"]
    return PictureOut(url=picture_url(state, "upright"), width=width, height=height, part=(0.0, 0.0, 1.0, 1.0))


def _annotated_part(photo: PhotoRow) -> tuple[float, float, float, float] | None:
    if "part" not in photo["annotated"]:  # photos that were read long ago
        return None
    left, top, right, bottom = photo["annotated"]["part"]
    width, height = photo["width"], photo["height"]
    return left / width, top / height, right / width, bottom / height


ASK_MS = 200
ASK_MS_AHEAD = 500
MOST_ASK_MS = 3000
"""How soon a device requests a photo again: the fewer are ahead of it, the sooner."""


def job(job: Job, ahead: int) -> JobOut:
    """The progress of a photo behind so many others."""
    kept = {key: getattr(job, key) for key in ("state", "stage", "fraction", "detail")}
    ask_ms = min(ASK_MS + ASK_MS_AHEAD * ahead, MOST_ASK_MS)
    unplaced = job.state == "failed" and job.stage == PLACING
    known = {"id": job.job, "table": job.game, "unplaced": unplaced, "ahead": ahead, "ask_ms": ask_ms}
    return JobOut.model_validate({**known, **kept})


def rim_color(rim: tuple[int, int, int]) -> str:
    """A rim's paint (red, green, blue) as pages write it."""
    return "#{:02x}{:02x}{:02x}".format(*rim)
