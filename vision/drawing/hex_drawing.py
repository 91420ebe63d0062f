"""A hex overlay drawn over the photo in true perspective, or on a plain map: grid, terrain, lines of fire, arcs.

Everything is drawn at the height of the surface under it: hills lift it. Nothing depends on colour alone: open hexes
have a dashed rim and a question mark, a partly blocked line is dashed and says -1, a blocked one is thin and crossed
out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import shapely

from calibration import TableView
from geometry.drawing.marks import Label, Mark, Marks, Path, Style, line, polygon, subdivide_line
from geometry.drawing.marks_svg import svg_text
from vision.drawing.raster import on_photo
from vision.model.expected import ExpectedTerrain

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]
Sight = Literal["clear", "partial", "blocked"]

HEX_COLORS: Mapping[str, str] = {
    "poor going": "#4a938a",
    "crest": "#b07a3c",
    "woods": "#2f9e44",
    "wooded crest": "#7a8f1f",
    "farm": "#c2410c",
    "road": "#d9c08a",
    "hill": "#b07a3c",
    "town": "#c2410c",
    "marsh": "#4a938a",
    "field": "#b59b2d",
}
LINE_COLORS: Mapping[Sight, str] = {"clear": "#12b886", "partial": "#f59f00", "blocked": "#c92a2a"}
OPEN = "#ff2fd0"
_GRID = "#1c1c1c"
_SLOPE_IN = 1.0
_SHORT = {"poor going": "poor", "wooded crest": "w. crest"}


@dataclass(frozen=True, eq=False)
class HexCell:
    """A hex to draw: its ``name``, its ``corners`` (6, 2) in inches from the top one clockwise, its terrain word,
    whether the road runs through it, whether it is uncertain, and the words of what else it may be. A ``noun`` other
    than "hex" names a cell of another shape, its corners from the one above its name clockwise."""

    name: str
    corners: Array
    word: str = "open"
    road: bool = False
    uncertain: bool = False
    others: str = ""
    noun: str = "hex"


@dataclass(frozen=True)
class FireLine:
    """A line of fire between two places in inches; ``crossed``: where a blocked one is crossed out."""

    start: tuple[float, float]
    end: tuple[float, float]
    sight: Sight
    crossed: tuple[float, float] | None = None


@dataclass(frozen=True)
class ForwardArc:
    """An arc of 60 degrees about the direction ``facing_deg`` from a place, drawn out to ``reach_in``; ``words``
    describe it, ``doubtful`` ones are dashed."""

    at: tuple[float, float]
    facing_deg: float
    reach_in: float
    words: str
    doubtful: bool = False


@dataclass(frozen=True)
class HexUnit:
    """A platoon or counter: its name, its place in inches; ``doubtful`` where its hex is open or it straddles."""

    name: str
    at: tuple[float, float]
    doubtful: bool = False


@dataclass(frozen=True, eq=False)
class HexDrawing:
    """Everything drawn for an overlay; ``terrain`` are the table's pieces: hills among them lift the drawing."""

    cells: tuple[HexCell, ...]
    lines: tuple[FireLine, ...] = ()
    arcs: tuple[ForwardArc, ...] = ()
    standing: tuple[HexUnit, ...] = ()
    terrain: tuple[ExpectedTerrain, ...] = field(default=())


def overlay_marks(drawing: HexDrawing, *, paper: bool = False) -> Marks:
    """The drawing as marks flat on the table; ``paper``: for a map without a photo under it."""
    marks: list[Mark] = []
    for cell in drawing.cells:
        marks += _tint(cell, paper)
    marks += [
        polygon(cell.corners, _grid_style(paper), layer="hexes", title=f"{cell.noun} {cell.name}")
        for cell in drawing.cells
    ]
    for cell in drawing.cells:
        if cell.uncertain:
            marks.append(
                polygon(_inset(cell.corners, 0.88), Style(OPEN, 2.4, dashed=True, calm=True), layer="uncertain")
            )
    for arc in drawing.arcs:
        marks += _arc(arc)
    for fire in sorted(drawing.lines, key=lambda f: ("blocked", "partial", "clear").index(f.sight)):
        marks += _fire(fire)
    for stander in drawing.standing:
        words = f"{stander.name} ?" if stander.doubtful else stander.name
        marks.append(Label(stander.at, words, OPEN if stander.doubtful else "#14213d", 17.0, reach_in=0.6))
    for cell in drawing.cells:
        marks += _names(cell)
    return Marks(tuple(marks))


def overlay_photo(image: Pixels, view: TableView, drawing: HexDrawing, *, long_side_px: int | None = None) -> Pixels:
    """A copy of the upright photo with the overlay on it, as the camera and its lens see it, hills and all."""
    return on_photo(
        image, view, drape_marks(overlay_marks(drawing), drawing.terrain, view.eye), long_side_px=long_side_px
    )


def overlay_svg(drawing: HexDrawing, table: tuple[float, float], *, title: str) -> str:
    """The overlay as a plain map: a self-contained SVG document, one user unit an inch."""
    words = dict.fromkeys(cell.word for cell in drawing.cells if cell.word in HEX_COLORS)
    kinds = {word: HEX_COLORS[word] for word in words}
    things = {f"{sight} line of fire": LINE_COLORS[sight] for sight in dict.fromkeys(f.sight for f in drawing.lines)}
    things |= {"uncertain": OPEN} if any(cell.uncertain for cell in drawing.cells) else {}
    return svg_text(overlay_marks(drawing, paper=True), table, title=title, sides={}, kinds=kinds, things=things)


def drape_marks(marks: Marks, terrain: Sequence[ExpectedTerrain], eye: Array, step_in: float = 0.2) -> Marks:
    """Marks draped over hills: every place is moved, on the table's plane, to where a camera at ``eye`` (3,) sees its
    place on the surface. Without hills of known height the marks are unchanged."""
    hills = [piece for piece in terrain if piece.kind == "hill" and 0 < piece.height < eye[2]]
    if not hills:
        return marks
    return Marks(tuple(_drape_mark(mark, hills, eye, step_in) for mark in marks.marks))


def _drape_mark(mark: Mark, hills: Sequence[ExpectedTerrain], eye: Array, step_in: float) -> Mark:
    if isinstance(mark, Label):
        x, y = _as_seen(np.array([mark.at]), hills, eye)[0]
        return replace(mark, at=(float(x), float(y)))
    fine = subdivide_line(mark.points, mark.closed, step_in)
    return replace(mark, points=_as_seen(fine[:-1] if mark.closed else fine, hills, eye))


def _as_seen(points: Array, hills: Sequence[ExpectedTerrain], eye: Array) -> Array:
    height = surface_height(points, hills)[:, None]
    return np.asarray(eye[:2] + (points - eye[:2]) * eye[2] / (eye[2] - height))


def surface_height(points: npt.ArrayLike, terrain: Iterable[ExpectedTerrain]) -> Array:
    """Height (n,) in inches of the ground at points (n, 2): a hill's own on its top, less on its slope, 0 off hills.

    A hill without a known top rises over the first inch from its foot.

    >>> hill = ExpectedTerrain("h", "hill", ((0, 0), (8, 0), (8, 8), (0, 8)), 2.0, ((2, 2), (6, 2), (6, 6), (2, 6)))
    >>> surface_height([[4, 4], [4, 1], [4, -1]], [hill]).tolist()
    [2.0, 1.0, 0.0]
    """
    at = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    found = np.zeros(len(at))
    for hill in terrain:
        if hill.kind != "hill" or hill.height <= 0:
            continue
        places = shapely.points(at)
        inside = shapely.contains_xy(hill.shape, at)
        from_foot = shapely.distance(hill.shape.boundary, places)
        slope = shapely.distance(hill.top, places) + from_foot if hill.hill_top else np.full(len(at), _SLOPE_IN)
        share = np.minimum(from_foot / np.maximum(slope, 1e-9), 1.0)
        if hill.hill_top:
            share = np.where(shapely.intersects_xy(hill.top, at), 1.0, share)
        found = np.maximum(found, np.where(inside, hill.height * share, 0.0))
    return found


def _grid_style(paper: bool) -> Style:
    return Style("#444444" if paper else _GRID, 1.2, casing=not paper, calm=True)


def _tint(cell: HexCell, paper: bool) -> list[Path]:
    found = []
    if cell.word in HEX_COLORS:
        color = HEX_COLORS[cell.word]
        style = Style(color, 0.0, casing=False, fill=color, fill_opacity=0.5 if paper else 0.34)
        found.append(polygon(_inset(cell.corners, 0.94), style, layer="terrain"))
    if cell.road:
        color = HEX_COLORS["road"]
        style = Style(color, 2.0, calm=True, fill=color, fill_opacity=0.3)
        found.append(polygon(_inset(cell.corners, 0.45), style, layer="road"))
    return found


def _inset(corners: Array, share: float) -> Array:
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * share)


def _names(cell: HexCell) -> list[Label]:
    middle = cell.corners.mean(axis=0)
    up = cell.corners[0] - middle
    above, below = middle + 0.5 * up, middle - 0.55 * up
    name = Label(_pair(above), f"{cell.name} ?" if cell.uncertain else cell.name, "#101010", 10.5, plain=True)
    words = [part for part in (_SHORT.get(cell.word, cell.word) if cell.word != "open" else "",
                               "road" if cell.road else "") if part]  # fmt: skip
    if cell.uncertain and cell.others:
        words = ["/".join(_SHORT.get(word, word) for word in cell.others.split("/"))]
    if not words:
        return [name]
    return [name, Label(_pair(below), " ".join(words), "#7a0060" if cell.uncertain else "#101010", 9.5, plain=True)]


def _pair(point: Array) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def _fire(fire: FireLine) -> list[Mark]:
    color = LINE_COLORS[fire.sight]
    if fire.sight == "clear":
        return [line(fire.start, fire.end, Style(color, 3.0), layer="lines of fire")]
    middle = ((fire.start[0] + fire.end[0]) / 2, (fire.start[1] + fire.end[1]) / 2)
    if fire.sight == "partial":
        dashed = line(fire.start, fire.end, Style(color, 2.6, dashed=True), layer="lines of fire")
        return [dashed, Label(middle, "-1", color, 13.0, layer="lines of fire")]
    x, y = fire.crossed or middle
    thin, arm = Style(color, 1.2, casing=False), 0.3
    cross = [
        line((x - arm, y - arm), (x + arm, y + arm), Style(color, 2.2), layer="lines of fire"),
        line((x - arm, y + arm), (x + arm, y - arm), Style(color, 2.2), layer="lines of fire"),
    ]
    return [line(fire.start, fire.end, thin, layer="lines of fire"), *cross]


def _arc(arc: ForwardArc) -> list[Mark]:
    angles = np.radians(arc.facing_deg + np.linspace(-30.0, 30.0, 31))
    rim = np.array(arc.at) + arc.reach_in * np.stack([np.sin(angles), np.cos(angles)], axis=1)
    color = OPEN if arc.doubtful else "#1864ab"
    style = Style(color, 1.8, dashed=arc.doubtful, calm=True, fill=color, fill_opacity=0.16)
    turned = math.radians(arc.facing_deg)
    words_at = (arc.at[0] + 0.8 * arc.reach_in * math.sin(turned), arc.at[1] + 0.8 * arc.reach_in * math.cos(turned))
    return [
        polygon(np.vstack([np.array([arc.at]), rim]), style, layer="arcs"),
        Label(words_at, arc.words, color, 12.0, layer="arcs"),
    ]
