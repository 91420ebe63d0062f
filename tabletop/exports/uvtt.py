"""A table as a Universal VTT map (.uvtt, .dd2vtt): one JSON file with a picture, its grid and sight-blocking walls.

Lengths in it are grid squares from the picture's upper left corner, x right and y down. The format has no standard; the
members are the ones that Dungeondraft writes and other programs read.
"""

from __future__ import annotations

import base64
import io
import math
import warnings
from dataclasses import dataclass, replace
from typing import Any

from PIL import Image, ImageOps

from geometry.drawing.png import png_bytes
from tabletop.errors import UsageError
from tabletop.exports.parts import DECIMALS, Box, Plan, snap_box
from tabletop.tables.model import Terrain

FORMAT = 0.3
LEAST_GRID_IN, MOST_GRID_IN = 0.25, 48.0
LEAST_PIXELS = 10
"""With fewer pixels a square, nothing can be recognised."""

_PIXELS_PER_INCH = 70
_MOST_PIXELS, _MOST_OF_PHOTO = 8_000_000, 3_000_000  # photographs compress less
_LONGEST_PX = 8000
_MOST_BYTES = 5_600_000  # of the picture; base64 makes a third more of it
_MOST_PHOTO_PIXELS = 60_000_000
_SKEW = 0.03
_FORMATS = ("PNG", "JPEG", "WEBP")


@dataclass(frozen=True)
class Squares:
    """The grid over a map: the box (inches) of ``across`` by ``down`` whole squares of ``size_in``."""

    size_in: float
    box: Box
    across: int
    down: int

    def place(self, x_in: float, y_in: float) -> dict[str, float]:
        """A place on the table in squares from the upper left corner."""
        left, _, _, top = self.box
        return {
            "x": round((x_in - left) / self.size_in, DECIMALS) + 0.0,
            "y": round((top - y_in) / self.size_in, DECIMALS) + 0.0,
        }


@dataclass(frozen=True)
class Map:
    """A finished map: its JSON, its grid, how many pixels a square has, and the size of its picture in pixels."""

    data: dict[str, Any]
    squares: Squares
    pixels: int

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return self.squares.across * self.pixels, self.squares.down * self.pixels


def universal_vtt(plan: Plan, *, grid_in: float = 1.0, pieces: bool = True, photo: bytes | None = None) -> Map:
    """The map of a table in squares of ``grid_in`` inches; ``pieces`` false leaves the pieces out of its picture.

    ``photo`` is a picture from straight above, edge to edge, to use instead of a drawn one. There are as many pixels as
    keep the file below 8 MB. Raises UsageError for a grid that is too fine or too coarse and a photo that does not fit.
    """
    squares = grid(plan, grid_in)
    above = None if photo is None else _photo(photo, plan)
    pixels = _first_pixels(squares, _MOST_PIXELS if above is None else _MOST_OF_PHOTO)
    while True:
        if pixels < LEAST_PIXELS:
            raise UsageError(_too_fine(plan, grid_in))
        image = _draw(plan, squares, pixels, pieces) if above is None else _fit_to_squares(above, plan, squares, pixels)
        if len(image) <= _MOST_BYTES:
            break
        pixels = int(pixels * min(0.9, 0.97 * math.sqrt(_MOST_BYTES / len(image))))
    left, bottom, right, top = squares.box
    data = {
        "format": FORMAT,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": squares.across, "y": squares.down},
            "pixels_per_grid": pixels,
        },
        "line_of_sight": [[squares.place(x, y) for x, y in wall] for wall in plan.walls],
        "objects_line_of_sight": [],
        "portals": [],
        "environment": {"baked_lighting": False, "ambient_light": "ffffffff"},
        "lights": [],
        "tabletop": {
            "title": plan.title,
            "coordinateSystem": plan.coordinate_system(),
            "inches_per_square": squares.size_in,
            "upper_left_in": [left, top],
            "lower_right_in": [right, bottom],
            "terrain": [_piece(piece, squares) for piece in plan.terrain],
            **plan.about,
        },
        "image": base64.b64encode(image).decode("ascii"),
    }
    return Map(data, squares, pixels)


def _piece(piece: Terrain, squares: Squares) -> dict[str, Any]:
    """A piece of terrain as in a table file, in squares: walls lack its kind."""
    outlines = {"outline": piece.polygon, "hill_top": piece.hill_top}
    places = {key: [squares.place(x, y) for x, y in outline] for key, outline in outlines.items() if outline}
    return {"id": piece.id, "kind": piece.kind, "height_in": piece.height_in, **places}


def grid(plan: Plan, grid_in: float) -> Squares:
    """Whole squares over a plan, counted from the table's near left corner; raises UsageError."""
    if not (math.isfinite(grid_in) and LEAST_GRID_IN <= grid_in <= MOST_GRID_IN):
        raise UsageError(f"--grid {grid_in:g} is no size for a square: {LEAST_GRID_IN} to {MOST_GRID_IN:g} inches.")
    box = snap_box(plan.box, grid_in)
    left, bottom, right, top = box
    return Squares(grid_in, box, round((right - left) / grid_in), round((top - bottom) / grid_in))


def _first_pixels(squares: Squares, most: int) -> int:
    by_area = math.sqrt(most / (squares.across * squares.down))
    by_length = _LONGEST_PX / max(squares.across, squares.down)
    return int(min(_PIXELS_PER_INCH * squares.size_in, by_area, by_length))


def _too_fine(plan: Plan, grid_in: float) -> str:
    width, depth = plan.size
    return (
        f"A map of {width:g} by {depth:g} inches in squares of {grid_in:g} has fewer than {LEAST_PIXELS} pixels a "
        f"square: say --grid {2 * grid_in:g} or more."
    )


def _draw(plan: Plan, squares: Squares, pixels: int, pieces: bool) -> bytes:
    left, bottom, right, top = squares.box
    items = (*plan.ground, *plan.pieces) if pieces else plan.ground
    sheet = replace(plan.draw(squares.box, items), left=left, bottom=bottom, right=right, top=top)
    return png_bytes(sheet, width_px=squares.across * pixels)


# --- a picture from above --------------------------------------------------------------------------------------------


def _photo(data: bytes, plan: Plan) -> Image.Image:
    """The picture upright, whole and of the table's proportions; raises UsageError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            opened = Image.open(io.BytesIO(data), formats=_FORMATS)
            if opened.width * opened.height > _MOST_PHOTO_PIXELS:
                raise UsageError(
                    f"{_size_words(opened.size)}, too large: at most {_MOST_PHOTO_PIXELS // 10**6} megapixels."
                )
            above = ImageOps.exif_transpose(opened).convert("RGB")
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise UsageError(
            f"The photo map is too large a picture: at most {_MOST_PHOTO_PIXELS // 10**6} megapixels."
        ) from error
    except (OSError, SyntaxError, ValueError) as error:
        raise UsageError("The photo map is no whole PNG, JPEG or WebP picture: save it again.") from error
    width, depth = plan.size
    if abs(above.width / above.height / (width / depth) - 1.0) > _SKEW:
        raise UsageError(
            f"{_size_words(above.size)}, which is not the shape of {width:g} by {depth:g} inches: it has to show the "
            "table from straight above, from edge to edge and no more."
        )
    return above


def _size_words(size: tuple[int, int]) -> str:
    return f"The photo map has {size[0]} by {size[1]} pixels"


def _fit_to_squares(above: Image.Image, plan: Plan, squares: Squares, pixels: int) -> bytes:
    """The picture on as many whole squares as it covers; the area beyond the table is white."""
    scale = pixels / squares.size_in
    width, depth = plan.size
    size = max(1, round(width * scale)), max(1, round(depth * scale))
    sheet = Image.new("RGB", (squares.across * pixels, squares.down * pixels), "#ffffff")
    left = round((plan.box[0] - squares.box[0]) * scale)
    upper = round((squares.box[3] - plan.box[3]) * scale)
    sheet.paste(above.resize(size, Image.Resampling.LANCZOS), (left, upper))
    out = io.BytesIO()
    sheet.save(out, "PNG")
    return out.getvalue()
