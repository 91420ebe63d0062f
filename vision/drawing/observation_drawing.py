"""An observation drawn: over its photo, over the rectified map, on paper, and as SVG."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from geometry.drawing.colors import rgb
from geometry.drawing.marks import NO_MARKS, Label, Mark, Marks, Path, Style, circle, ellipse, line, polygon
from geometry.drawing.marks_svg import svg_text
from geometry.drawing.terrain import terrain_color
from geometry.zones import outlines
from vision.drawing.raster import on_map, on_photo
from vision.drawing.small_object_marks import COTTON, DIE, OPEN, asked_about, group_marks, small_marks
from vision.drawing.terrain_marks import from_below, terrain_names, terrain_outlines
from vision.imaging.rectify import MapScale, rectified_map
from vision.model.expected import Expected
from vision.model.observation import Observation

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

CHI2_95 = 5.991464547  # chi-square with two degrees of freedom: 95 % of a plane normal lies inside

_SIDE_WORDS: Mapping[str, str] = {
    "blue": "#2f6df6",
    "red": "#e5342b",
    "green": "#1f9d45",
    "yellow": "#f2c200",
    "orange": "#f07f13",
    "purple": "#8e4ec6",
    "white": "#f4f4f4",
    "black": "#303030",
    "grey": "#8a8a8a",
    "gray": "#8a8a8a",
    "brown": "#8b5a2b",
}
_SIDE_ORDER = ("#2f6df6", "#e5342b", "#f2c200", "#1f9d45", "#8e4ec6", "#f07f13")
UNKNOWN_SIDE = "#d9d9d9"


@dataclass(frozen=True)
class DrawingConfig:
    """How much is drawn. ``certain``: bases of less confidence, or without a known unit or side, are dashed;
    ``sure_terrain``: the same for terrain; ``least``: terrain and nameless bases of less confidence are not drawn;
    ``thickness_in``: height of a base's top over the ground if the roster does not state it; ``thin_in``: terrain up
    to this height is outlined at its surface, higher terrain at its foot; ``question_ids``: draw the ids by which users
    of a terminal answer; ``tick_in``: spacing of the edge's ticks."""

    certain: float = 0.8
    sure_terrain: float = 0.95
    least: float = 0.5
    thickness_in: float = 0.12
    thin_in: float = 0.25
    ellipses: bool = True
    names: bool = True
    terrain_names: bool = True
    question_ids: bool = True
    tick_in: float = 6.0


def side_colors(observation: Observation, expected: Expected | None = None) -> dict[str, str]:
    """A colour per side, by its rim paint made vivid, else by its name, else by order; never two alike.

    Sides come in alphabetical order, so that the same table has the same colours in every picture.
    """
    rims = {side: "#{:02x}{:02x}{:02x}".format(*paint) for side, paint in expected.rims} if expected else {}
    sides = sorted({label.side for label in observation.labels if label.side} | set(rims))
    chosen: dict[str, str] = {}
    for side in sides:
        wishes = [_vivid(rims[side])] if side in rims else []
        wishes += [_SIDE_WORDS[side.lower()]] if side.lower() in _SIDE_WORDS else []
        free = [c for c in (*wishes, *_SIDE_ORDER) if all(_apart(c, other) for other in chosen.values())]
        chosen[side] = free[0] if free else UNKNOWN_SIDE
    return chosen


def _vivid(color: str) -> str:
    """The same hue, bright and saturated enough to be seen as a line; greys stay as they are."""
    h, s, v = colorsys.rgb_to_hsv(*(c / 255 for c in rgb(color)))
    if s < 0.2:
        return color
    return "#{:02x}{:02x}{:02x}".format(*(round(c * 255) for c in colorsys.hsv_to_rgb(h, max(s, 0.75), max(v, 0.92))))


def _apart(a: str, b: str) -> bool:
    return float(np.linalg.norm(np.subtract(rgb(a), rgb(b)))) > 110.0


def observation_marks(
    observation: Observation,
    *,
    expected: Expected | None = None,
    config: DrawingConfig = DrawingConfig(),
    paper: bool = False,
) -> Marks:
    """Everything seen: table edge with ticks, terrain, bases at their tops, 95 % ellipses, names, dice, cotton and
    tokens, and marks for questions, with the questions' ids.

    A base's outline is drawn at the height of its top (surface and thickness, the latter from the roster in
    ``expected``), its front edge thick with an arrow head. Outlines in doubt are dashed; a base of no known unit has a
    question mark. ``paper``: for a map without a photo under it.
    """
    colors = side_colors(observation, expected)
    marks: list[Mark] = [*_table_edge(observation.table, config, paper), *_unused_markers(observation, expected)]
    likely = [piece for piece in observation.terrain if piece.confidence >= config.least]
    marks += terrain_outlines(likely, sure=config.sure_terrain, thin_in=config.thin_in, paper=paper)
    marks += group_marks(observation)
    for i, label in enumerate(observation.labels):
        if label.unit is None and label.confidence < config.least:
            continue
        marks += _base(observation, i, colors, _thickness(observation, i, expected, config), config, paper)
    if config.names:
        marks += _unit_names(observation, colors, config)
    marks += small_marks(observation, paper=paper, ids=config.question_ids)
    if config.terrain_names:
        asked = asked_about(observation, ids=config.question_ids)
        marks += terrain_names(observation.terrain, asked, sure=config.sure_terrain)
    return Marks(tuple(marks))


def annotated_photo(
    image: Pixels,
    observation: Observation,
    *,
    photo: int = 0,
    expected: Expected | None = None,
    more: Marks = NO_MARKS,
    config: DrawingConfig = DrawingConfig(),
    long_side_px: int | None = None,
    crop: bool = False,
) -> Pixels:
    """A copy of photo number ``photo`` with the observation, and ``more`` marks, drawn over it in true perspective.

    ``crop`` keeps only the table and a little round it, for a small screen.
    """
    marks = observation_marks(observation, expected=expected, config=config) + more
    table = observation.table if crop else None
    return on_photo(image, observation.photos[photo].view, marks, long_side_px=long_side_px, crop_table_in=table)


def annotated_map(
    image: Pixels | None,
    observation: Observation,
    *,
    photo: int = 0,
    expected: Expected | None = None,
    more: Marks = NO_MARKS,
    config: DrawingConfig = DrawingConfig(),
    px_per_inch: float = 36.0,
    margin_in: float = 1.5,
) -> Pixels:
    """The map with the observation, and ``more`` marks, drawn over it: on the rectified photo, or on paper where
    ``image`` is ``None``."""
    scale = MapScale(*observation.table, px_per_inch=px_per_inch, margin_in=margin_in)
    if image is None:
        width, height = scale.size
        ground = np.full((height, width, 3), (226, 238, 243), np.uint8)
    else:
        view = observation.photos[photo].view
        ground = rectified_map(image, view, observation.table, px_per_inch=px_per_inch, margin_in=margin_in)
    marks = observation_marks(observation, expected=expected, config=config, paper=image is None)
    return on_map(ground, scale, marks + scale_bar(observation.table, margin_in) + more)


def map_svg(
    observation: Observation,
    *,
    title: str = "Table",
    expected: Expected | None = None,
    more: Marks = NO_MARKS,
    config: DrawingConfig = DrawingConfig(),
) -> str:
    """The plain map as a self-contained SVG document: one user unit is one inch."""
    marks = observation_marks(observation, expected=expected, config=config, paper=True) + more
    sides = side_colors(observation, expected)
    kinds = {piece.kind: terrain_color(piece.kind) for piece in from_below(observation.terrain)}
    things = {"die": DIE} if observation.dice else {}
    things |= {"cotton or token": COTTON} if any(m.method != "dice" for m in observation.markers) else {}
    things |= {"open question (q1, q2, ...)": OPEN} if observation.questions else {}
    return svg_text(marks, observation.table, title=title, sides=sides, kinds=kinds, things=things)


def scale_bar(table: tuple[float, float], margin_in: float) -> Marks:
    """A bar of 6 inches (12 on a long table) in the near margin; nothing where the margin has no room."""
    if margin_in < 0.8:
        return Marks()
    length = 12.0 if table[0] > 48 else 6.0
    y, style = -margin_in * 0.5, Style(color="#111111", width_pt=2.5)
    ends = [line((x, y - 0.15), (x, y + 0.15), style) for x in (0.0, length)]
    words = Label((length + 0.9, y), f"{length:.0f}″", color="#111111", size_pt=13, plain=True)
    return Marks((line((0.0, y), (length, y), style), *ends, words))


def measure_marks(lines: Iterable[tuple[npt.ArrayLike, npt.ArrayLike, str]], *, z: float = 0.12) -> Marks:
    """Lines to measure along, each (start, end, words) in table inches, with its words at the middle."""
    out: list[Mark] = []
    for start, end, words in lines:
        a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
        out.append(line(a, b, Style(color=OPEN, width_pt=2.2, dashed=True), z=z, layer="to measure"))
        x, y = (a + b) / 2
        out.append(Label((float(x), float(y)), words, OPEN, 17.0, z=z, layer="to measure"))
    return Marks(tuple(out))


def _unused_markers(observation: Observation, expected: Expected | None) -> list[Mark]:
    """Frame markers of the table file that no photo's camera was solved with."""
    used = {marker for photo in observation.photos for marker in photo.view.markers_seen}
    out: list[Mark] = []
    for marker in expected.frame.markers if expected else ():
        if marker.id not in used:
            corners = expected.frame.corners(marker.id)[:, :2] if expected else np.zeros((4, 2))
            out.append(polygon(corners, Style(color=OPEN, width_pt=2.2, dashed=True), layer="table"))
            out.append(Label(marker.center, f"marker {marker.id} not used", OPEN, 16.0))
    return out


def _table_edge(table: tuple[float, float], config: DrawingConfig, paper: bool) -> list[Path]:
    width, depth = table
    style = Style(color="#3a3a3a" if paper else "#ffffff", width_pt=1.6, casing=not paper)
    edge = polygon([(0, 0), (width, 0), (width, depth), (0, depth)], style, layer="table", title="table edge")
    ticks = []
    for x in np.arange(config.tick_in, width, config.tick_in):
        ticks += [line((x, y), (x, y + inward), style, layer="table") for y, inward in ((0, 0.5), (depth, -0.5))]
    for y in np.arange(config.tick_in, depth, config.tick_in):
        ticks += [line((x, y), (x + inward, y), style, layer="table") for x, inward in ((0, 0.5), (width, -0.5))]
    return [edge, *ticks]


def _thickness(observation: Observation, i: int, expected: Expected | None, config: DrawingConfig) -> float:
    label = observation.labels[i]
    for unit in expected.units if expected else ():
        if unit.id == label.unit:
            shape = unit.unique_shape if label.unique else unit.made_like(observation.shape_of(i))
            return (shape or unit.shape).height
    return config.thickness_in


def _base(
    observation: Observation, i: int, colors: Mapping[str, str], thickness: float, config: DrawingConfig, paper: bool
) -> list[Mark]:
    label, base = observation.labels[i], observation.bases[i]
    z = label.z + thickness
    color = colors.get(label.side or "", UNKNOWN_SIDE)
    doubt = label.confidence < config.certain or label.unit is None or label.side is None
    style = Style(color=color, width_pt=2.6, dashed=doubt, fill=color, fill_opacity=0.55 if paper else 0.10)
    center, forward, right = base.center[0], base.forward[0], base.right[0]
    width, depth = float(base.width[0]), float(base.depth[0])
    title = f"base {label.id}" + (f" of {label.unit}" if label.unit else ", unit unknown")
    if base.is_round[0]:
        ring = circle(center, width / 2, style, z=z)
        outline = Path(ring.points, style, closed=True, z=z, keep_clear=True, layer="bases", title=title)
    else:
        outline = polygon(outlines(base)[0], style, z=z, keep_clear=True, layer="bases", title=title)
    out: list[Mark] = [outline]
    if label.facing_known and np.isfinite(base.facing_sigma[0]):
        out += _front(center, forward, right, width, depth, bool(base.is_smooth[0]), color, z)
    if config.ellipses and base.covariance.any():
        spread = base.covariance[0] * CHI2_95
        for ink, width_pt in (("#000000", 1.0),) if paper else (("#000000", 2.2), ("#ffffff", 0.9)):
            thin = Style(color=ink, width_pt=width_pt, casing=False)
            out.append(ellipse(center, spread, thin, z=z, layer="ellipses"))
    return out


def _front(
    center: Array, forward: Array, right: Array, width: float, depth: float, is_smooth: bool, color: str, z: float
) -> list[Mark]:
    """The front edge, thick, with an arrow head on it."""
    tip = center + forward * depth / 2
    size = float(np.clip(0.22 * min(width, depth), 0.12, 0.4))
    head = [tip + right * size, tip + forward * size, tip - right * size]
    solid = Style(color="#ffffff", width_pt=0.8, casing=False, fill=color, fill_opacity=1.0)
    out: list[Mark] = []
    if not is_smooth:
        edge = Style(color=color, width_pt=5.0)
        out.append(line(tip - right * width / 2, tip + right * width / 2, edge, z=z, layer="bases"))
    out.append(polygon(head, solid, z=z, layer="bases"))
    return out


def _unit_names(observation: Observation, colors: Mapping[str, str], config: DrawingConfig) -> list[Mark]:
    """One name per unit, at its unique base; with a question mark where that was not recognised or needs confirmation,
    and a bare question mark at each base of no known unit, one for each group in one question."""
    order, asked = sorted(colors), asked_about(observation, ids=config.question_ids)
    grouped = {name for q in observation.questions if q.ask == "unit" for group in q.covers for name in group}
    out: list[Mark] = []
    named: set[str] = set()
    labels, bases = observation.labels, observation.bases
    for i in sorted(range(len(labels)), key=lambda k: labels[k].unique is not True):
        label = labels[i]
        if (label.unit in named or label.id in grouped) and label.id not in asked:
            continue
        name = "" if label.unit is None or label.unit in named else label.unit
        if label.unit is not None:
            named.add(label.unit)
        doubt = not name or not label.unique or label.id in asked
        words = " ".join(part for part in (name, "?" if doubt else "", asked.get(label.id, "")) if part)
        color = colors.get(label.side or "", UNKNOWN_SIDE) if name or label.id not in asked else OPEN
        out.append(
            Label(
                (float(bases.center[i, 0]), float(bases.center[i, 1])),
                words,
                color,
                22.0 if name else 17.0,
                z=label.z + config.thickness_in,
                reach_in=0.5 * min(float(bases.width[i]), float(bases.depth[i])),
                solid=label.side is None or color == OPEN or order.index(label.side) % 2 == 0,
                prefer_deg=float(bases.facing[i]) + 180.0,
            )
        )
    return out
