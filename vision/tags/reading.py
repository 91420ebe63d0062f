"""Unit tags on the table: every readable one, none guessed.

The pose is known, so the table is first drawn from above at the bases' height: there all tags are squares of one known
size. Dark outlines that hold a right-angled corner with long enough edges propose squares of that size; each is
carried back into the photograph, refined on its edges there and read. A tag is accepted only if it is on the roster,
has the right size for some height between ``lowest_in`` and ``highest_in``, and no other accepted one claims its id.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from calibration._decode import codebook
from calibration.markers import MarkerConfig, Markers, read_quads
from vision.model.expected import Expected
from vision.model.sentences import join_names
from vision.tags.dark_squares import SquareConfig, find_squares

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Gray = npt.NDArray[np.uint8]

_PIECE = 16  # nodes of the map on a side of what is drawn at once
_NO_SECOND_MAP = np.empty((0, 0), np.float32)


@dataclass(frozen=True)
class TagConfig:
    """How tags are found. ``plan_px_per_cell``: pixels per tag cell in the view from above, at most
    ``plan_oversampling`` times the photograph's own scale and ``plan_megapixels`` in total; ``margin_in``: how far
    beyond the table's edge; ``base_height_in``: usual height of the bases' tops, ``lowest_in`` to ``highest_in``:
    possible heights of a tag; ``size_tolerance``: accepted relative error of the tag's sides beyond what height
    explains; ``squareness``: greatest relative difference of its sides and diagonals on the table; ``reader``: how it
    is read.
    """

    plan_px_per_cell: float = 4.0
    plan_oversampling: float = 1.6
    plan_megapixels: float = 16.0
    margin_in: float = 1.0
    base_height_in: float = 0.12
    lowest_in: float = -0.25
    highest_in: float = 3.5
    size_tolerance: float = 0.08
    squareness: float = 0.12
    squares: SquareConfig = field(default_factory=SquareConfig)
    reader: MarkerConfig = field(
        default_factory=lambda: MarkerConfig(least_side_px=9.0, least_contrast=20.0, ring_share=0.8, least_margin=0.12)
    )


@dataclass(frozen=True, eq=False)
class Tags:
    """Tags of one photograph. ``ids`` (n,); ``corners`` (n, 4, 2) px, printed top left first, then clockwise;
    ``sigma_px`` (n,) standard deviation of a corner coordinate; ``confidence`` (n,) 0 to 1; ``unit`` (n,) index into
    ``expected.units``; ``unique`` (n,) whether it is that unit's unique base's tag; ``notes`` sentences on doubtful
    tags.
    """

    ids: IntArray
    corners: Array
    sigma_px: Array
    confidence: Array
    unit: IntArray
    unique: npt.NDArray[np.bool_]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n = len(self.ids)
        kinds: dict[str, type[np.generic]] = {"ids": np.int64, "unit": np.int64, "unique": np.bool_}
        shapes: dict[str, tuple[int, ...]] = {"corners": (n, 4, 2)}
        for name in ("ids", "corners", "sigma_px", "confidence", "unit", "unique"):
            array: npt.NDArray[np.generic] = np.asarray(getattr(self, name), dtype=kinds.get(name, np.float64))
            if array.shape != shapes.get(name, (n,)):
                raise ValueError(f"Tags.{name} has shape {array.shape}, expected {shapes.get(name, (n,))}.")
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int | slice | Sequence[int] | npt.NDArray[np.generic]) -> Tags:
        """Select by mask, indices, slice or one index (which gives one tag); the notes stay."""
        rows = np.atleast_1d(np.arange(len(self))[index])
        return replace(self, **{f.name: getattr(self, f.name)[rows] for f in fields(self)[:-1]})

    @classmethod
    def empty(cls, notes: tuple[str, ...] = ()) -> Tags:
        """No tags."""
        none, indices = np.zeros(0), np.zeros(0, dtype=np.int64)
        return cls(indices, np.zeros((0, 4, 2)), none, none, indices, indices.astype(bool), notes)


def find_tags(gray: Gray, view: TableView, expected: Expected, *, config: TagConfig | None = None) -> Tags:
    """The roster's tags seen in a grey photograph (h, w) uint8 with a known table pose.

    A tag that could be read in two places is left out with a note, unless the roster lists it twice.
    """
    config = config or TagConfig()
    owners = expected.tag_owners
    markers = _read_all(gray, view, expected, config)
    markers = markers[_fit_of(markers, view, expected, config).good]
    return _resolve(markers[np.isin(markers.ids, sorted(owners))], owners)


_OTHER_SIZES = (1.0, 0.5, 0.7, 1.4, 2.0)
"""Of the stated size: where tags that were printed at another one are looked for."""


def describe_unused_tags(
    gray: Gray, view: TableView, expected: Expected, used: Collection[int], config: TagConfig | None = None
) -> tuple[str, ...]:
    """Sentences on the tags that are seen in a photo beside those ``used``: why they can't be."""
    config = config or TagConfig()
    sizes = [replace(expected, tag_size_in=expected.tag_size_in * factor) for factor in _OTHER_SIZES]
    markers = Markers.concat([_read_all(gray, view, other, config) for other in sizes])
    fit = _fit_of(markers, view, expected, config)
    rows: dict[int, int] = {}
    for row in np.lexsort((markers.errors, ~fit.good)).tolist():
        tag = int(markers.ids[row])
        if tag not in used and (tag in expected.tag_owners or not markers.errors[row]):
            rows.setdefault(tag, row)
    tags = np.array(sorted(rows), dtype=np.int64)
    at = np.array([rows[tag] for tag in tags.tolist()], dtype=np.int64)
    listed = np.isin(tags, sorted(expected.tag_owners))
    bad = [
        (~fit.inside[at], "not on the table"),
        (~fit.sized[at], f"about {{size:.2f}}″ wide, and the table file says {expected.tag_size_in:g}″"),
        (~fit.square[at], "bent, or partly hidden"),
        (~listed, "of no unit in the table file"),
        (listed, "seen in two places, or could be another tag"),
    ]
    said, open_ = [], np.ones(len(tags), dtype=bool)
    for has, reason in bad:
        here, open_ = open_ & has, open_ & ~has
        if here.any():
            which, verb = ("Tag", "it is") if here.sum() == 1 else ("Tags", "they are")
            why = reason.format(size=float(np.median(fit.size_in[at[here]])))
            said.append(f"{which} {join_names(tags[here].tolist())} can't be used: {verb} {why}.")
    return tuple(said)


def _read_all(gray: Gray, view: TableView, expected: Expected, config: TagConfig) -> Markers:
    """Every marker of the expected dictionary that is read on the table or beside it."""
    if expected.tag_dictionary is None or not expected.tag_owners or expected.tag_size_in <= 0:
        return Markers.empty()
    book = codebook(expected.tag_dictionary)
    plan = _Plan.over(view, expected, book.side + 2, config)
    if plan is None:
        return Markers.empty()
    side_px = plan.px_per_in * expected.tag_size_in
    squares = find_squares(plan.draw(gray), side_px, plan.largest, config=config.squares)
    quads = plan.to_photo(squares)
    return read_quads(gray, quads, book, None, config.reader)


@dataclass(frozen=True, eq=False)
class _Plan:
    """The table from above at height ``z``: pixel (0, 0) is the point (left, top), rows go towards the near edge; a
    tag on the highest hill looks ``largest`` times its size."""

    view: TableView
    px_per_in: float
    left: float
    top: float
    size: tuple[int, int]
    z: float
    largest: float

    @classmethod
    def over(cls, view: TableView, expected: Expected, cells: int, config: TagConfig) -> _Plan | None:
        """The plan that shows every tag at any possible height over the table; None where the photograph shows no
        table."""
        z = config.base_height_in
        held = _px_per_in(view, expected, z)
        if held is None:
            return None
        eye = view.eye
        highest = min(config.highest_in, 0.5 * eye[2])
        rim = np.array([[x, y] for x in (0.0, expected.width) for y in (0.0, expected.depth)])
        # a tag on a hill is seen where its ray meets the plan, further from the eye
        raised = eye[:2] + (rim - eye[:2]) * (eye[2] - z) / (eye[2] - highest)
        bounds = np.concatenate([rim, raised])
        (left, near), (right, far) = bounds.min(axis=0) - config.margin_in, bounds.max(axis=0) + config.margin_in
        width, depth = float(right - left), float(far - near)
        scale = min(
            config.plan_px_per_cell * cells / expected.tag_size_in,
            config.plan_oversampling * held,
            float(np.sqrt(config.plan_megapixels * 1e6 / (width * depth))),
        )
        size = (int(np.ceil(width * scale)), int(np.ceil(depth * scale)))
        largest = float((eye[2] - z) / (eye[2] - highest))
        return cls(view, scale, float(left), float(far), size, z, largest)

    def table(self, pixels: Array) -> Array:
        """Table points (..., 3) of plan pixels (..., 2)."""
        x = self.left + pixels[..., 0] / self.px_per_in
        y = self.top - pixels[..., 1] / self.px_per_in
        return np.stack([x, y, np.full_like(x, self.z)], axis=-1)

    def to_photo(self, pixels: Array) -> Array:
        """Photograph pixels of plan pixels (..., 2)."""
        return self.view.pixel_from_table(self.table(pixels).reshape(-1, 3)).reshape(pixels.shape)

    def draw(self, gray: Gray, step: int = 16) -> Gray:
        """The photograph seen from above, piece by piece; the map is computed on every ``step``th pixel and
        interpolated. Places outside the photograph are black."""
        columns, rows = -(-self.size[0] // step) + 2, -(-self.size[1] // step) + 2
        node = lambda n: (np.arange(n) - 0.5) * step - 0.5  # noqa: E731
        grid = np.stack(np.meshgrid(node(columns), node(rows)), axis=-1)
        coarse = self.to_photo(grid).astype(np.float32)
        drawn = np.zeros(self.size[::-1], np.uint8)
        limit = np.array(gray.shape[::-1], np.float32)
        for top in range(0, rows - 2, _PIECE):
            for left in range(0, columns - 2, _PIECE):
                part = coarse[top : top + _PIECE + 2, left : left + _PIECE + 2]
                if (part.max(axis=(0, 1)) <= -1).any() or (part.min(axis=(0, 1)) >= limit).any():
                    continue
                fine = cv2.resize(part, None, fx=step, fy=step, interpolation=cv2.INTER_LINEAR)
                piece = drawn[top * step : (top + _PIECE) * step, left * step : (left + _PIECE) * step]
                fine = fine[step : step + piece.shape[0], step : step + piece.shape[1]]
                cv2.remap(
                    gray, fine, _NO_SECOND_MAP, cv2.INTER_LINEAR, piece, borderMode=cv2.BORDER_CONSTANT, borderValue=0
                )
        return drawn


def _px_per_in(view: TableView, expected: Expected, z: float) -> float | None:
    """The finest scale, pixels per inch, at which the photograph shows the table at height z; None if it does not."""
    x, y = np.linspace(0.0, expected.width, 7), np.linspace(0.0, expected.depth, 7)
    places = np.stack([*np.meshgrid(x, y), np.full((7, 7), z)], axis=-1).reshape(-1, 3)
    places = places[(places @ view.R.T + view.t)[:, 2] > 1.0]
    pixels = view.pixel_from_table(places)
    seen = ((pixels >= 0) & (pixels < view.camera.size)).all(axis=1)
    if not seen.any():
        return None
    steps = [view.pixel_from_table(places[seen] + step) - pixels[seen] for step in ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0))]
    return float(np.linalg.norm(np.stack(steps), axis=2).max() / 0.1)


@dataclass(frozen=True, eq=False)
class _TableFit:
    """Whether each marker (n,), flat at some possible height, is over the table, of the tags' size and a square;
    ``size_in`` is how wide it would be on the table."""

    inside: npt.NDArray[np.bool_]
    sized: npt.NDArray[np.bool_]
    square: npt.NDArray[np.bool_]
    size_in: Array

    @property
    def good(self) -> npt.NDArray[np.bool_]:
        """Whether it may be a tag of the table."""
        return np.asarray(self.inside & self.sized & self.square)


def _fit_of(markers: Markers, view: TableView, expected: Expected, config: TagConfig) -> _TableFit:
    """How the markers fit the table."""
    n = len(markers)
    if not n:
        none = np.zeros(0, dtype=bool)
        return _TableFit(none, none, none, np.zeros(0))
    side = []
    shape = np.zeros(n)
    inside = np.zeros(n, dtype=bool)
    for z in (config.lowest_in, config.highest_in):
        points = view.point_from_pixel(markers.corners.reshape(-1, 2), z).reshape(n, 4, 2)
        edges = np.linalg.norm(np.roll(points, -1, axis=1) - points, axis=2)
        diagonals = np.linalg.norm(points[:, :2] - points[:, 2:], axis=2)
        side.append(edges.mean(axis=1))
        shape = np.maximum(shape, np.ptp(edges, axis=1) / edges.mean(axis=1))
        shape = np.maximum(shape, np.ptp(diagonals, axis=1) / diagonals.mean(axis=1))
        center = points.mean(axis=1)
        low, high = -config.margin_in, np.array([expected.width, expected.depth]) + config.margin_in
        inside |= ((center >= low) & (center <= high)).all(axis=1)
    # corner noise may make a tiny tag look a little larger or less square
    noise = 4 * markers.sigma_px / np.linalg.norm(markers.corners[:, 0] - markers.corners[:, 2], axis=1)
    largest, smallest = np.maximum(*side), np.minimum(*side)
    fits = (smallest <= expected.tag_size_in * (1 + config.size_tolerance + noise)) & (
        largest >= expected.tag_size_in * (1 - config.size_tolerance - noise)
    )
    return _TableFit(inside, fits, shape <= config.squareness + 2 * noise, largest)


def _resolve(markers: Markers, owners: dict[int, tuple[int, bool]]) -> Tags:
    """One marker per id; an id seen in two places names neither."""
    kept, notes = [], []
    centers = markers.corners.mean(axis=1)
    radius = np.linalg.norm(markers.corners - centers[:, None], axis=2).max(axis=1) if len(markers) else np.zeros(0)
    order = np.lexsort((markers.sigma_px, -markers.margin, markers.errors))
    for tag in sorted(set(markers.ids.tolist())):
        rows = [int(i) for i in order if markers.ids[i] == tag]
        rivals = [
            i
            for i in range(len(markers))
            if markers.ids[i] != tag and np.linalg.norm(centers[i] - centers[rows[0]]) < 0.5 * radius[rows[0]]
        ]
        apart = [i for i in rows[1:] if np.linalg.norm(centers[i] - centers[rows[0]]) > 0.5 * radius[rows[0]]]
        place = "({:.0f}, {:.0f})".format(*centers[rows[0]])
        if apart:
            other = "({:.0f}, {:.0f})".format(*centers[apart[0]])
            notes.append(f"Tag {tag} is seen twice, at pixels {place} and {other}: neither is used. Cover one of them.")
        elif rivals:
            notes.append(f"Tag {tag} at pixel {place} could also be {markers.ids[rivals[0]]}: it is left out.")
        else:
            kept.append(rows[0])
    rows_kept = np.array(kept, dtype=np.int64)
    chosen = markers[rows_kept]
    return Tags(
        ids=chosen.ids,
        corners=chosen.corners,
        sigma_px=chosen.sigma_px,
        confidence=np.clip(0.9 + chosen.margin / 5 - 0.05 * chosen.errors, 0.0, 0.995),
        unit=np.array([owners[int(i)][0] for i in chosen.ids], dtype=np.int64),
        unique=np.array([owners[int(i)][1] for i in chosen.ids], dtype=bool),
        notes=tuple(notes),
    )
