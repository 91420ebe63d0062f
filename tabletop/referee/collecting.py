"""A collection of the players' pieces: settled photos learnt into its file, and its contents in text and pictures."""

from __future__ import annotations

import datetime
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.errors import SceneError, UsageError
from tabletop.referee.collection_files import change_collection, file_of, load_collection
from tabletop.referee.judging import expected_from, open_photo
from tabletop.tables.folded_lists import unfolded
from tabletop.tables.model import TableFile

if TYPE_CHECKING:
    from calibration import TableView
    from vision.model.collection import Collection, LearntPhoto
    from vision.model.expected import BaseShape, Expected
    from vision.pipeline.learning import SettledBase, SettledPiece, SettledTable

_TILE_PX = 180
_MOST_LARGER = 3
"""The largest factor by which a small picture is enlarged to fill its tile."""
_LETTERS_PX = {False: 12, True: 20}
_NAMED_BY_PLAYERS = ("tag", "player", "hand", "elimination")
"""The methods by which settled bases got their units; others are certain only with a confidence of 1."""


def learn_photo(
    photo: Path,
    table: TableFile,
    observation: object,
    collection: Path,
    other: Collection | None = None,
    lines: Sequence[str] = (),
) -> LearntPhoto:
    """Add the contents of a settled observation of one photo to a collection's file, created if missing, with all
    photos of an ``other`` collection; ``lines`` that were drawn around terrain and corrected teach how far outside a
    piece's foot the players draw.

    Raises CollectionError if the observation is not of that photo and table or nothing in it is settled, SceneError if
    it can't be read, PhotoError, TerrainError for lines without a piece; nothing is written then.
    """
    from vision.pipeline.learning import learn_from
    from vision.terrain.finger_outlines import foot_outline
    from vision.terrain.taps import parse_line

    if collection.exists():
        load_collection(collection)  # rejected before anything is learnt
    expected = expected_from(table)
    settled = settled_table(observation, expected)
    learnt = learn_from(open_photo(photo), settled, expected, datetime.date.today().isoformat())
    size = (expected.width, expected.depth)
    feet = [foot_outline(parse_line(line), size, settled.view) for line in lines]
    margins = [foot.margin for foot in feet if foot.margin is not None]
    if len(margins) < len(feet):
        raise UsageError("A line without a correction teaches no margin: add the correction, as out X,Y or in X,Y.")

    def with_learnt(before: Collection) -> Collection:
        after = replace(before.with_photo(learnt), margin=before.margin.learned_from(margins))
        return after if other is None else after.merged_with(other)

    change_collection(collection, with_learnt)
    return learnt


def learn_picture(picture: bytes, sha256: str, table: TableFile, observation: Mapping[str, Any], learnt: str) -> bytes:
    """The lesson of a photo's settled ``observation``, as the file of a collection of that photo alone.

    ``picture`` (JPEG) shows the upright photo, at full size or smaller; ``sha256`` is the photo's own, ``learnt``
    the day as YYYY-MM-DD. Raises CollectionError if nothing in it is settled or clearly seen, SceneError for an
    unreadable observation.
    """
    import cv2
    import numpy as np

    from vision.imaging.photo import Photo
    from vision.live.following import view_at
    from vision.model.collection import Collection
    from vision.model.errors import CollectionError
    from vision.pipeline.learning import learn_from

    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise CollectionError("The photo's picture can no longer be read: take another photo of the table.")
    expected = expected_from(table)
    settled = settled_table(observation, expected)
    seen = replace(settled, view=view_at(settled.view, (image.shape[1], image.shape[0])))
    photo = Photo(np.asarray(image, np.uint8), "the photo", sha256)
    return file_of(Collection((learn_from(photo, seen, expected, learnt),)))


def settled_table(observation: object, expected: Expected) -> SettledTable:
    """The contents of a settled observation's JSON of one photo. Raises SceneError for an unreadable one, and
    CollectionError for another table or several photos."""
    from vision.model.errors import CollectionError
    from vision.pipeline.learning import SettledTable

    if not isinstance(observation, Mapping) or "bases" not in observation:
        raise SceneError("That is not an observation: give one from `tabletop observe --json` or `tabletop settle`.")
    photos = observation.get("photos") or []
    if len(photos) != 1:
        raise CollectionError(
            f"A collection learns from one photo, and this observation has {len(photos)}: observe a single photo."
        )
    seen = observation.get("table") or {}
    size = seen.get("width"), seen.get("depth")
    if any(abs(float(a or 0.0) - b) > 0.01 for a, b in zip(size, (expected.width, expected.depth), strict=True)):
        raise CollectionError(
            f"The settled observation is of a table of {size[0]}″ x {size[1]}″, and the table file has "
            f"{expected.width:g}″ x {expected.depth:g}″: give the table file that it was observed with."
        )
    drawn = {piece.polygon for piece in expected.terrain}
    try:
        return SettledTable(
            _view(photos[0]),
            tuple(_piece(row, drawn) for row in unfolded(observation).get("terrain", ())),
            tuple(_base(row, expected) for row in observation.get("bases", ())),
            tuple((float(row["center"][0]), float(row["center"][1])) for row in observation.get("dice", ())),
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise SceneError(
            "The settled observation can't be read: give one that `tabletop observe --json` wrote."
        ) from error


def _view(row: Mapping[str, Any]) -> TableView:
    """The camera of an observation's photo."""
    import numpy as np

    from calibration import Camera, TableView

    k, dist = np.array(row["K"], np.float64), np.array(row["dist"], np.float64).ravel()
    turn, t = np.array(row["R"], np.float64), np.array(row["t"], np.float64).ravel()
    plain = all(np.isfinite(part).all() for part in (k, dist, turn, t))
    if k.shape != (3, 3) or turn.shape != (3, 3) or t.shape != (3,) or not plain or min(k[0, 0], k[1, 1]) <= 0:
        raise ValueError("camera")
    parameters = np.array([k[0, 0], k[1, 1], k[0, 2], k[1, 2], *np.resize(np.append(dist, np.zeros(5)), 5)])
    return TableView(camera=Camera.from_parameters(parameters, (int(row["width"]), int(row["height"]))), R=turn, t=t)


def _piece(row: Mapping[str, Any], drawn: set[tuple[tuple[float, float], ...]]) -> SettledPiece:
    import shapely

    from vision.pipeline.learning import SettledPiece

    outline = tuple((float(x), float(y)) for x, y in row["polygon"])
    top = row.get("hill_top")
    stated = bool((row.get("evidence") or {}).get("stated"))
    certain = float(row.get("confidence", 0.0)) >= 1.0 or stated or outline in drawn
    return SettledPiece(
        str(row["kind"]),
        shapely.make_valid(shapely.Polygon(outline)),
        shapely.make_valid(shapely.Polygon(top)) if top else None,
        certain,
    )


def _base(row: Mapping[str, Any], expected: Expected) -> SettledBase:
    from vision.model.expected import BaseShape
    from vision.pipeline.learning import SettledBase

    is_round = row.get("shape") == "round"
    width = float(row["width"])
    shape = BaseShape(width, width if is_round else float(row["depth"]), 0.12, is_round, row.get("shape") == "oval")
    shape = _roster_shape(shape, row.get("unit"), expected)
    facing = row.get("facing")
    ways = row.get("facings") or [0.0]
    certain = float(row.get("confidence", 0.0)) >= 1.0 or row.get("method") in _NAMED_BY_PLAYERS
    return SettledBase(
        (float(row["center"][0]), float(row["center"][1])),
        float(row.get("z") or 0.0),
        float(ways[0] if facing is None else facing),
        shape,
        row.get("side"),
        row.get("kind"),
        certain,
    )


def _roster_shape(shape: BaseShape, unit: object, expected: Expected) -> BaseShape:
    """The roster's shape of that size, which has its thickness; without one, the shape as seen."""
    own = [one for one in expected.units if one.id == unit] or list(expected.units)
    return next((made for u in own if (made := u.made_like(shape)) is not None), shape)


def learnt_in_words(learnt: LearntPhoto, name: str) -> list[str]:
    """Lines on the pieces that were learnt from a photo of that name, and on missing ones."""
    bases = _counted(len(learnt.bases), "base")
    if learnt.cells is None:
        return [
            f"Learnt from {name} ({learnt.id}): {bases}.",
            "No terrain was learnt, because none is confirmed and clearly seen: draw it in the table file, or confirm "
            "it with `tabletop settle`, and learn the photo again.",
        ]
    lines = [f"Learnt from {name} ({learnt.id}): {_terrain(learnt)}, {bases}."]
    if not learnt.bases:
        lines.append("No bases were learnt: none has a side and kind confirmed by players or a tag.")
    return lines


def _terrain(photo: LearntPhoto) -> str:
    if photo.cells is None:
        return "no terrain"
    return ", ".join(f"{count} {kind}" for kind, count in photo.pieces) + f" in {len(photo.cells.cover)} cells"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def in_words(collection: Collection) -> list[str]:
    """The contents of a collection, in lines: each photo with its pieces, cells and examples."""
    drawn = collection.margin
    by_hand = (
        [f"Outlines are drawn {100 * drawn.mean:.0f} % of a piece's size outside its foot, by corrected lines."]
        if drawn.lines
        else []
    )
    if not collection.photos:
        return by_hand or ["The collection is empty."]
    lines = [f"{_counted(len(collection.photos), 'settled photo')}:"]
    for photo in collection.photos:
        stale = " Its cells were seen by another net and are gone: learn it again." if photo.stale else ""
        lines.append(
            f"{photo.id}  learnt {photo.learnt}, table {photo.table_in[0]:g}″ x {photo.table_in[1]:g}″: "
            f"{_terrain(photo)}, {_counted(len(photo.bases), 'base')}.{stale}"
        )
    counts: dict[str, int] = {}
    for base in collection.bases:
        counts[f"{base.side} {base.kind}"] = counts.get(f"{base.side} {base.kind}", 0) + 1
    if counts:
        lines.append("Bases: " + ", ".join(f"{n} {says}" for says, n in sorted(counts.items())) + ".")
    return lines + by_hand


def to_json(collection: Collection) -> dict[str, Any]:
    """The contents of a collection, ready for JSON."""
    return {
        "version": 1,
        "margin": collection.margin.to_json(),
        "photos": [
            {
                "id": photo.id,
                "learnt": photo.learnt,
                "table": {"width": photo.table_in[0], "depth": photo.table_in[1]},
                "terrain": dict(photo.pieces),
                "cells": 0 if photo.cells is None else len(photo.cells.cover),
                "bases": [{"side": base.side, "kind": base.kind} for base in photo.bases],
                "pictures": [crop.says for crop in photo.crops],
                "stale": photo.stale,
            }
            for photo in collection.photos
        ],
    }


def contact_sheet(collection: Collection, *, photo: str = "", on_phone: bool = False) -> bytes:
    """All small pictures of a collection, or of one ``photo`` in it, labelled with their contents and photo, as a PNG;
    ``on_phone``: three side by side under large letters, without the photos' ids. UsageError without pictures."""
    from PIL import Image, ImageDraw, ImageOps

    crops = [(one.id, crop) for one in collection.photos for crop in one.crops if photo in ("", one.id)]
    if not crops:
        raise UsageError("The collection has no pictures to show.")
    tile, columns = _TILE_PX, min(3 if on_phone else 6, len(crops))
    size = (tile - 20, tile - 36)
    sheet = Image.new("RGB", (columns * tile, -(-len(crops) // columns) * tile), "white")
    pen = ImageDraw.Draw(sheet)
    for k, (photo_id, crop) in enumerate(crops):
        x, y = k % columns * tile, k // columns * tile
        try:
            picture = Image.open(io.BytesIO(crop.jpeg))
            picture.draft("RGB", (tile, tile))
            most = tuple(min(side, _MOST_LARGER * own) for side, own in zip(size, picture.size, strict=True))
            sheet.paste(ImageOps.contain(picture.convert("RGB"), (most[0], most[1])), (x + 10, y + 4))
        except (OSError, Image.DecompressionBombError):
            pen.text((x + 10, y + 10), "can't be read", fill="black")
        told = crop.says if on_phone else f"{crop.says}\n{photo_id[:8]}"
        letters_px = _LETTERS_PX[on_phone]
        pen.text((x + 10, y + tile - 28), told, fill="black", font_size=letters_px)
    file = io.BytesIO()
    sheet.save(file, "PNG")
    return file.getvalue()
