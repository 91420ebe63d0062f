"""The picture that ``tabletop overlay`` draws of a reading: over the photo, or as a plain map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calibration import TableView
    from tabletop.grids.board_reader import BoardDrawing
    from tabletop.grids.placement import BoardPlacement
    from vision.drawing.hex_drawing import HexDrawing
    from vision.imaging.photo import Photo
    from vision.model.expected import ExpectedTerrain

_ARC_REACH = 1.6  # sizes of a cell


def drawing_on(placement: BoardPlacement, drawing: BoardDrawing, observation: Mapping[str, Any]) -> HexDrawing:
    """The drawing of a reading, placed on the table."""
    import numpy as np

    from vision.drawing.hex_drawing import FireLine, ForwardArc, HexCell, HexDrawing, HexUnit

    board, centre = placement.cells, placement.centre
    corners = board.corners(placement.layout)
    if board.grid == "square":
        corners = np.roll(corners, -1, axis=1)
    cells = tuple(
        HexCell(cell.name, ring, cell.word, cell.road, cell.uncertain, cell.others, board.word)
        for cell, ring in zip(drawing.cells, corners, strict=True)
    )
    lines = tuple(
        FireLine(centre(one.start), centre(one.end), one.sight, centre(one.stopped_in) if one.stopped_in else None)
        for one in drawing.lines
    )
    reach_in = _ARC_REACH * placement.layout.size_in
    arcs = tuple(
        ForwardArc(centre(arc.cell), arc.facing_deg, reach_in, arc.words, arc.doubtful) for arc in drawing.arcs
    )
    standing = tuple(HexUnit(unit.name, unit.at, unit.doubtful) for unit in drawing.units)
    return HexDrawing(cells, lines, arcs, standing, _terrain(observation))


def _terrain(observation: Mapping[str, Any]) -> tuple[ExpectedTerrain, ...]:
    """The table's pieces; hills raise the pieces on them."""
    from vision.model.expected import ExpectedTerrain

    return tuple(
        ExpectedTerrain(
            str(raw.get("id")), str(raw["kind"]), tuple((float(x), float(y)) for x, y in raw["polygon"]),
            float(raw.get("height") or 0.0),
            tuple((float(x), float(y)) for x, y in raw["hill_top"]) if raw.get("hill_top") else None,
        )
        for raw in observation.get("terrain") or ()
    )  # fmt: skip


def as_map(drawing: HexDrawing, table: tuple[float, float], title: str) -> bytes:
    """The drawing as a plain map of the table (inches), an SVG."""
    from vision.drawing.hex_drawing import overlay_svg

    return overlay_svg(drawing, table, title=title).encode()


def over_photo(drawing: HexDrawing, photo: Photo, view: TableView, suffix: str) -> bytes:
    """The drawing over the photo, encoded as its suffix says."""
    import cv2

    from vision.drawing.hex_drawing import overlay_photo

    options = [cv2.IMWRITE_JPEG_QUALITY, 88] if suffix != ".png" else [cv2.IMWRITE_PNG_COMPRESSION, 6]
    return bytes(cv2.imencode(suffix, overlay_photo(photo.image, view, drawing), options)[1])
