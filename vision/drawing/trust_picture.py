"""The trust picture: over the photo and on the plan, how exactly a base is known at every place of the table.

Bands of spread differ in colour and in lightness (darker is worse) and have lines with their inches on them, so that
the picture can be read without colours and in print.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from geometry.drawing.colors import rgb
from geometry.drawing.marks import Label, Mark, Marks, Path, Style, circle, ellipse, polygon
from geometry.drawing.text_pixels import text_patch
from geometry.zones import outlines
from vision.drawing.raster import on_map, on_photo
from vision.imaging.rectify import MapScale, in_field
from vision.model.observation import Observation
from vision.pipeline.trust import CHI2_95, TrustMap, trust_of

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

LEVELS_IN = (0.04, 0.06, 0.08, 0.1, 0.125, 0.1875, 0.25, 0.5)
"""Between bands, in inches; a tape at its best is exact to 0.03″."""

COLORS = ("#fbfde6", "#e0f0b8", "#b5deb0", "#7ec9b0", "#48a9b4", "#2b7fac", "#2b5597", "#2f2f73", "#2a1446")
"""Of the bands, best first; lightness goes down all the way."""

_NOT_SEEN = "#6f6f6f"
_TAG = "#c2185b"
_READABLE_PX = 20.0


@dataclass(frozen=True)
class TrustLook:
    """``height_px``: of the photo and the plan; ``opacity`` of the bands over the photo; ``fine_in``: the grid that
    lines are traced on; ``longest_in``: ellipses are enlarged by the greatest of ``factors`` that keeps most of them
    below this half axis."""

    height_px: int = 980
    opacity: float = 0.5
    fine_in: float = 0.2
    longest_in: float = 1.1
    factors: tuple[int, ...] = (1, 2, 5, 10, 20, 50)
    margin_in: float = 0.8


def trust_picture(
    image: Pixels, seen: Observation, *, tag_size_in: float = 0.0, photo: int = 0, look: TrustLook | None = None
) -> Pixels:
    """The photo and the plan side by side, with bands of spread (95 %) over the table, the places where a unit tag of
    ``tag_size_in`` can be read, every base with its 95 % ellipse enlarged, and a legend (rows, columns, 3), BGR.

    ``image`` is the upright photo number ``photo`` of the observation.
    """
    look = look or TrustLook()
    trust = trust_of(seen)
    fine = _Fine(trust, seen.table, look.fine_in)
    factor = _factor(seen, look)
    marks = Marks((*_contours(fine), *_tag_line(fine, tag_size_in), *_bases(seen, factor)))
    view = seen.photos[photo].view
    height = look.height_px
    tinted = _tinted_photo(_scale_to_height(image, round(1.6 * height)), view, trust, look.opacity)
    left = _scale_to_height(on_photo(tinted, view, marks, crop_table_in=seen.table), height)
    scale = MapScale(*seen.table, px_per_inch=height / (seen.table[1] + 2 * look.margin_in), margin_in=look.margin_in)
    right = on_map(_tinted_plan(scale, trust), scale, marks)
    right = _scale_to_height(right, height)
    gap = np.full((height, max(4, height // 60), 3), 255, np.uint8)
    both = np.concatenate([left, gap, right], axis=1)
    return np.concatenate([both, _legend(both.shape[1], height, trust, factor, tag_size_in)])


class _Fine:
    """The trust map on a finer grid, for smooth lines: ``spread`` and ``density`` (rows, columns), row 0 nearest."""

    def __init__(self, trust: TrustMap, table: tuple[float, float], step_in: float) -> None:
        self.columns, self.rows = (max(2, round(side / step_in) + 1) for side in table)
        self.table = table
        x, y = np.linspace(0, table[0], self.columns), np.linspace(0, table[1], self.rows)
        places = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
        spread = trust.at(trust.spread_in, places).reshape(self.rows, self.columns)
        self.spread = np.nan_to_num(spread, nan=np.inf, posinf=np.inf)
        self.density = trust.at(trust.px_per_inch, places).reshape(self.rows, self.columns)

    def density_at(self, place: Array) -> float:
        """Pixels per inch at a place (2,)."""
        column, row = place / self.table * [self.columns - 1, self.rows - 1]
        return float(self.density[round(float(row)), round(float(column))])

    def lines(self, inside: npt.NDArray[np.bool_]) -> list[Array]:
        """The edges (n, 2) of a region in inches, except the table's own edges and the photo's."""
        found, _ = cv2.findContours(inside.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        seen = np.isfinite(self.spread)
        out = []
        for ring in found:
            pixels = ring.reshape(-1, 2)
            column, row = pixels[:, 0], pixels[:, 1]
            around = [
                seen[np.clip(row + dy, 0, self.rows - 1), np.clip(column + dx, 0, self.columns - 1)]
                for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
            ]
            open_edge = (column > 0) & (row > 0) & (column < self.columns - 1) & (row < self.rows - 1)
            keep = open_edge & np.all(around, axis=0)
            inches = pixels * np.array(self.table) / [self.columns - 1, self.rows - 1]
            out += [_smooth(part) for part in _stretches(inches, keep) if len(part) > 8]
        return out


def _stretches(ring: Array, keep: npt.NDArray[np.bool_]) -> list[Array]:
    """The unbroken parts of a closed line."""
    if keep.all():
        return [np.vstack([ring, ring[:1]])]
    if not keep.any():
        return []
    start = int(np.argmin(keep))
    ring, keep = np.roll(ring, -start, axis=0), np.roll(keep, -start)
    cuts = np.flatnonzero(np.diff(keep.astype(np.int8))) + 1
    parts = zip(np.split(ring, cuts), np.split(keep, cuts), strict=True)
    return [part for part, kept in parts if kept[0]]


def _smooth(part: Array) -> Array:
    """A line without the steps of its grid."""
    width = min(9, len(part) // 2 * 2 - 1)
    padded = np.vstack([np.repeat(part[:1], width // 2, axis=0), part, np.repeat(part[-1:], width // 2, axis=0)])
    kernel = np.ones(width) / width
    return np.column_stack([np.convolve(padded[:, k], kernel, mode="valid") for k in (0, 1)])


def _contours(fine: _Fine) -> list[Mark]:
    """A line at each level, with its inches at its middle."""
    out: list[Mark] = []
    labels: list[Mark] = []
    for level in LEVELS_IN:
        for part in fine.lines(fine.spread >= level):
            out.append(Path(part, Style(color="#101010", width_pt=1.6, casing=True), layer="trust"))
            if np.linalg.norm(np.diff(part, axis=0), axis=1).sum() > 3.0:
                x, y = part[len(part) // 2]
                labels.append(Label((float(x), float(y)), inches(level), "#101010", 24.0, solid=False))
    return [*out, *labels]


def _tag_line(fine: _Fine, tag_size_in: float) -> list[Mark]:
    """Where a tag turns too small to be read."""
    if tag_size_in <= 0:
        return []
    lines = fine.lines(fine.density * tag_size_in >= _READABLE_PX)
    under, over = Style("#ffffff", 7.0, casing=False), Style(_TAG, 4.0, dashed=True, casing=False)
    out: list[Mark] = [Path(part, style, layer="tags") for style in (under, over) for part in lines]
    for part in lines:
        middle = part[len(part) // 2]
        sides = [middle + 1.3 * np.array([np.sin(a), np.cos(a)]) for a in np.radians(np.arange(0, 360, 30))]
        inside = [at for at in sides if np.all((at > 0) & (at < fine.table))]
        best = max(inside, key=fine.density_at, default=middle)
        words = Label((float(best[0]), float(best[1])), "tags can be read here", _TAG, 20.0, plain=True, optional=True)
        out.append(words)
    return out


def _bases(seen: Observation, factor: int) -> list[Mark]:
    out: list[Mark] = []
    edge = Style(color="#ffffff", width_pt=1.2, casing=False)
    dark = Style(color="#000000", width_pt=2.6, casing=False)
    for i in range(len(seen.bases)):
        base, z = seen.bases[i], seen.labels[i].z + 0.12
        for style in (dark, edge):
            if base.is_round[0]:
                out.append(circle(base.center[0], float(base.width[0]) / 2, style, z=z))
            else:
                out.append(polygon(outlines(base)[0], style, z=z, keep_clear=True))
    for i in range(len(seen.bases)):
        base, z = seen.bases[i], seen.labels[i].z + 0.12
        if base.covariance.any():
            for color, width in (("#ffffff", 4.4), ("#c62f06", 3.0)):
                spread = base.covariance[0] * CHI2_95 * factor**2
                out.append(ellipse(base.center[0], spread, Style(color, width, casing=False), z=z))
    return out


def _factor(seen: Observation, look: TrustLook) -> int:
    """How many times their size ellipses are drawn."""
    if not len(seen.bases) or not seen.bases.covariance.any():
        return 1
    axes = np.sqrt(CHI2_95 * np.linalg.eigvalsh(seen.bases.covariance)[:, -1])
    most = look.longest_in / max(1e-6, float(np.quantile(axes, 0.8)))
    return max([f for f in look.factors if f <= most], default=1)


def _tinted_plan(scale: MapScale, trust: TrustMap) -> Pixels:
    """The plan's ground: the bands on the table, paper round it."""
    width, height = scale.size
    canvas = np.full((height, width, 3), 255, np.uint8)
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    places = scale.table_from_pixel(np.column_stack([columns.ravel(), rows.ravel()]))
    on = np.all((places >= 0) & (places <= [scale.width_in, scale.depth_in]), axis=1)
    spread = trust.at(trust.spread_in, places[on])
    canvas.reshape(-1, 3)[on] = _palette()[_band(spread)]
    return canvas


def _tinted_photo(image: Pixels, view: TableView, trust: TrustMap, opacity: float) -> Pixels:
    """The photo, greyed, with the bands over its table."""
    rows, columns = image.shape[:2]
    factor = view.camera.size[0] / columns
    step = 4
    x, y = np.meshgrid(np.arange(0, columns + step, step), np.arange(0, rows + step, step))
    pixels = (np.column_stack([x.ravel(), y.ravel()]) + 0.5) * factor - 0.5
    places = view.point_from_pixel(pixels, 0.0)
    table = np.array([trust.x[-1], trust.y[-1]])
    on = np.isfinite(places).all(axis=1) & np.all((places >= 0) & (places <= table), axis=1)
    on[on] &= in_field(view, np.column_stack([places[on], np.zeros(int(on.sum()))]))
    band = np.full(len(places), -1, np.int64)
    band[on] = _band(trust.at(trust.spread_in, places[on]))
    tint = np.zeros((len(places), 3), np.uint8)
    tint[on] = _palette()[band[on]]
    size = (x.shape[1] * step, x.shape[0] * step)
    share = np.asarray(cv2.resize(on.reshape(x.shape).astype(np.float32), size, interpolation=cv2.INTER_LINEAR))
    color = np.asarray(cv2.resize(tint.reshape(*x.shape, 3), size, interpolation=cv2.INTER_NEAREST), np.float32)
    half = step // 2
    share = share[half : half + rows, half : half + columns, None] * opacity
    color = color[half : half + rows, half : half + columns]
    gray = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR).astype(np.float32)
    ground = 0.35 * image + 0.65 * gray
    return np.asarray(ground * (1 - share) + color * share + 0.5).astype(np.uint8)


def _band(spread: Array) -> npt.NDArray[np.intp]:
    """The band of each spread; the last for places in no photo."""
    band = np.searchsorted(np.array(LEVELS_IN), np.nan_to_num(spread, nan=np.inf), side="right")
    return np.where(np.isfinite(spread), band, len(COLORS))


def _palette() -> Pixels:
    return np.array([rgb(color)[::-1] for color in (*COLORS, _NOT_SEEN)], np.uint8)


def _scale_to_height(image: Pixels, height: int) -> Pixels:
    width = max(1, round(image.shape[1] * height / image.shape[0]))
    way = cv2.INTER_AREA if height < image.shape[0] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, (width, height), interpolation=way), np.uint8)


def _legend(width: int, height: int, trust: TrustMap, factor: int, tag_size_in: float) -> Pixels:
    """The legend of colours and lines, wrapped where the picture is narrow."""
    size = max(height / 48, width / 115)
    strip = np.full((10 * height, width, 3), 255, np.uint8)
    pen = _Pen(strip, size)
    pen.words("A base's place is known to within (95 %):", bold=True)
    bounds = ["", *(inches(level) for level in LEVELS_IN)]
    spread = trust.spread_in
    for k, color in enumerate(COLORS):
        if (_band(spread) == k).any():
            said = f"under {bounds[k + 1]}" if k == 0 else f"to {bounds[k + 1]}" if k < len(LEVELS_IN) else "worse"
            pen.box(color, said)
    if np.isinf(spread).any():
        pen.box(_NOT_SEEN, "in no photo")
    pen.new_line()
    pen.ring(f"95 % ellipse of a base, drawn {factor} times its size" if factor > 1 else "95 % ellipse of a base")
    if tag_size_in > 0:
        readable = trust.px_per_inch * tag_size_in >= _READABLE_PX
        tag = f"unit tags of {tag_size_in:g}″"
        if readable.all():
            pen.words(f"{tag} can be read everywhere ({_READABLE_PX:.0f} px a side or more)")
        elif not readable.any():
            pen.words(f"{tag} are below {_READABLE_PX:.0f} px everywhere: too small to be read")
        else:
            pen.dash(f"edge of where {tag} can be read ({_READABLE_PX:.0f} px a side)")
    worst = trust.worst_in
    if np.isfinite(worst):
        pen.words(f"95 % of the table: {worst:.2f}″ or better")
    return strip[: pen.bottom]


class _Pen:
    """Writes a legend from left to right, line after line."""

    def __init__(self, canvas: Pixels, size: float) -> None:
        self.canvas, self.size = canvas, size
        self.x = self.left = round(0.7 * size)
        self.y = round(0.6 * size)

    @property
    def bottom(self) -> int:
        return int(self.y + 2.0 * self.size)

    def new_line(self) -> None:
        self.x, self.y = self.left, self.y + round(1.9 * self.size)

    def words(self, text: str, *, bold: bool = False) -> None:
        self._write(text, self._room(text, 0.0), bold)

    def box(self, color: str, text: str) -> None:
        x = self._room(text, 2.4 * self.size)
        a, b = (x, self.y), (x + round(2.0 * self.size), self.y + round(1.2 * self.size))
        cv2.rectangle(self.canvas, a, b, tuple(int(v) for v in rgb(color)[::-1]), -1)
        cv2.rectangle(self.canvas, a, b, (40, 40, 40), 1)
        self._write(text, x + round(2.4 * self.size), False)

    def ring(self, text: str) -> None:
        x = self._room(text, 2.4 * self.size)
        middle = (x + round(self.size), self.y + round(0.6 * self.size))
        cv2.ellipse(self.canvas, middle, (round(0.9 * self.size), round(0.5 * self.size)), 0, 0, 360, (11, 55, 209),
                    max(2, round(self.size / 8)), cv2.LINE_AA)  # fmt: skip
        self._write(text, x + round(2.4 * self.size), False)

    def dash(self, text: str) -> None:
        x = self._room(text, 2.8 * self.size)
        y = self.y + round(0.6 * self.size)
        for k in range(3):
            start = x + round(k * 0.85 * self.size)
            cv2.line(self.canvas, (start, y), (start + round(0.5 * self.size), y),
                     tuple(int(v) for v in rgb(_TAG)[::-1]), max(2, round(self.size / 5)), cv2.LINE_AA)  # fmt: skip
        self._write(text, x + round(2.8 * self.size), False)

    def _room(self, text: str, before: float) -> int:
        """Where the next words begin, on a new line where this one has no room for them."""
        width = text_patch(text, self.size, "#000000", "#ffffff", "#ffffff").shape[1] + before
        if self.x > self.left and self.x + width > self.canvas.shape[1] - self.left:
            self.new_line()
        return int(self.x)

    def _write(self, text: str, x: int, bold: bool) -> None:
        patch = text_patch(text, self.size, "#000000" if bold else "#222222", "#ffffff", "#ffffff")
        y = self.y - round(0.05 * self.size)
        part = self.canvas[y : y + patch.shape[0], x : x + patch.shape[1]]
        patch = patch[: part.shape[0], : part.shape[1]]
        share = patch[..., 3:].astype(np.float32) / 255
        part[:] = (part + (patch[..., 2::-1].astype(np.float32) - part) * share + 0.5).astype(np.uint8)
        self.x = x + patch.shape[1] + round(0.9 * self.size)


def inches(value: float) -> str:
    """A level as players read it.

    >>> inches(0.125), inches(0.5), inches(0.04)
    ('1/8″', '1/2″', '0.04″')
    """
    fractions = {0.125: "1/8", 0.1875: "3/16", 0.25: "1/4", 0.5: "1/2"}
    return f"{fractions.get(value, f'{value:g}')}″"
