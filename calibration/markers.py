"""Printed square markers in a photograph: found on small copies, read and refined at full size.

Reads OpenCV's predefined dictionaries and the AprilTag families, as drawn by OpenCV or by the AprilTag project.
Candidates come from OpenCV's contour search on copies of several sizes and, for AprilTag families, from the AprilTag 3
library; every candidate is then read at full size by one reader of our own, so that both worlds share corner order,
pixel convention and gates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache, partial

import cv2
import numpy as np
import numpy.typing as npt
import pyapriltags

from calibration._bleed import grow_quads, white_growth
from calibration._decode import Codebook, Decoded, codebook, decode, read_rings, sample_cells
from calibration._edges import EdgeConfig, RefinedQuads, in_light, refine_quads
from calibration.dictionaries import apriltag_family, marker_dictionary

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Gray = npt.NDArray[np.uint8]

LIKELY_SHARE = 0.55  # share of border and paper cells that look right before the corners are refined


@dataclass(frozen=True)
class MarkerConfig:
    """How markers are found. ``coarse_px``: longer sides of the copies that are searched, in this order (0: the
    picture itself); ``windows_px``: sides of the windows of the local mean, in this order on each copy;
    ``least_side_px``: shortest side that a marker may have at full size; ``most_side_ratio``: longest to shortest side
    of a marker; ``accidental``: greatest chance that a random pattern is forgiven into a code; ``least_contrast``: grey
    levels between its black and white; ``ring_share``: share of border and paper cells that must look right;
    ``least_margin``: how far, in half contrasts, the least certain cell must be from the threshold, or else be
    forgiven; ``least_support``: share of each edge that must be seen; ``sufficient``: so many expected markers are
    enough, since their pose predicts the others; ``least``: with so many of them no further copy is
    searched; ``growth_from_px_per_cell``: from this size on the growth of white is measured on the marker and taken
    back, if known to ``growth_sigma_px`` and below ``most_growth_px``; a correction is trusted to ``growth_share`` of
    its size, and ``unmeasured_growth_px`` is the usual growth of markers too small for one; ``apriltag_margin``:
    decision margin from which the AprilTag library's own reading counts, with ``apriltag_sigma_px``.
    """

    coarse_px: tuple[int, ...] = (1600, 0)
    windows_px: tuple[int, ...] = (13, 23, 3)
    least_side_px: float = 12.0
    most_side_ratio: float = 6.0
    accidental: float = 2e-4
    least_contrast: float = 25.0
    ring_share: float = 0.75
    least_margin: float = 0.08
    least_support: float = 0.3
    sufficient: int = 4
    least: int = 3
    growth_from_px_per_cell: float = 4.0
    growth_sigma_px: float = 0.15
    growth_share: float = 0.35
    unmeasured_growth_px: float = 0.12
    most_growth_px: float = 1.5
    apriltag_margin: float = 12.0
    apriltag_sigma_px: float = 0.3
    apriltag_threads: int = 2
    edges: EdgeConfig = field(default_factory=EdgeConfig)


@dataclass(frozen=True, eq=False)
class Markers:
    """Markers of one picture. ``ids`` (n,); ``corners`` (n, 4, 2) px, printed top left first, then clockwise, (0, 0)
    the centre of the picture's top-left pixel; ``sigma_px`` (n,) standard deviation of a corner coordinate;
    ``margin`` (n,) 0 to 1, how clearly the code was read; ``errors`` (n,) cells that were forgiven. An id appears
    twice where two are seen.
    """

    ids: IntArray
    corners: Array
    sigma_px: Array
    margin: Array
    errors: IntArray

    def __post_init__(self) -> None:
        n = len(self.ids)
        shapes = {"ids": (n,), "corners": (n, 4, 2), "sigma_px": (n,), "margin": (n,), "errors": (n,)}
        for name, shape in shapes.items():
            array = np.asarray(getattr(self, name), dtype=np.int64 if name in ("ids", "errors") else np.float64)
            if array.shape != shape:
                raise ValueError(f"Markers.{name} has shape {array.shape}, expected {shape}.")
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int | slice | Sequence[int] | npt.NDArray[np.generic]) -> Markers:
        """Select by mask, indices, slice or one index (which gives one marker)."""
        rows = np.atleast_1d(np.arange(len(self))[index])
        return Markers(*(getattr(self, f.name)[rows] for f in fields(self)))

    @classmethod
    def empty(cls) -> Markers:
        """No markers."""
        return cls(np.zeros(0, np.int64), np.zeros((0, 4, 2)), np.zeros(0), np.zeros(0), np.zeros(0, np.int64))

    @classmethod
    def concat(cls, parts: Iterable[Markers]) -> Markers:
        """All markers of several, in order."""
        every = list(parts)
        if not every:
            return cls.empty()
        return cls(*(np.concatenate([getattr(part, f.name) for part in every]) for f in fields(cls)))


def find_markers(
    gray: Gray, dictionary: str, ids: Iterable[int] | None = None, *, config: MarkerConfig | None = None
) -> Markers:
    """Markers of a dictionary in a grey picture (h, w) uint8; only ``ids`` where given.

    Mirrored and inverted markers are not read. Markers of another size than expected are: only the caller knows the
    layout. The search stops as soon as every expected id, or ``sufficient`` of them, are seen: look for the others with
    ``read_markers_at``. ValueError for an unknown dictionary or picture type.
    """
    config = config or MarkerConfig()
    if gray.ndim != 2 or gray.dtype != np.uint8:
        raise ValueError(f"find_markers needs a grey uint8 picture (h, w), got {gray.dtype} of shape {gray.shape}.")
    book = codebook(dictionary)
    wanted = None if ids is None else frozenset(int(i) for i in ids)
    found = Markers.empty()
    for copy in _copies(gray, config):
        for look in _searches(copy, dictionary, config):
            quads, read = look()
            if wanted is not None:
                read = read[np.isin(read.ids, sorted(wanted))]
            found = _merge(Markers.concat([found, read_quads(gray, quads, book, wanted, config)]), read)
            if _has_wanted_ids(found, wanted, config.sufficient):
                break
        if _has_wanted_ids(found, wanted, config.least):
            break
    return found[np.argsort(found.ids, kind="stable")]


def read_markers_at(
    gray: Gray,
    dictionary: str,
    quads: npt.ArrayLike,
    ids: Iterable[int] | None = None,
    *,
    config: MarkerConfig | None = None,
) -> Markers:
    """Markers near known places: ``quads`` (n, 4, 2) px, clockwise, within about a third of a cell of the true corners.

    For markers that the search missed (something covers a corner) once a pose predicts their places.
    """
    config = config or MarkerConfig()
    wanted = None if ids is None else frozenset(int(i) for i in ids)
    return read_quads(gray, np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2), codebook(dictionary), wanted, config)


def read_quads(
    gray: Gray, quads: Array, book: Codebook, wanted: frozenset[int] | None, config: MarkerConfig
) -> Markers:
    """The markers among candidate quads (n, 4, 2) px, refined and read at full size; unlike quads are dropped."""
    quads = _plausible(quads, config)
    if not len(quads):
        return Markers.empty()
    rings = read_rings(sample_cells(gray, quads, book.side), book.side)
    likely = (rings.contrast >= config.least_contrast / 2) & (
        rings.border_right + rings.quiet_right >= 2 * LIKELY_SHARE
    )
    quads = quads[likely]
    if not len(quads):
        return Markers.empty()
    light = in_light(gray, quads, book.side + 2, config.edges)
    refined = refine_quads(light, quads, book.side + 2, config.edges)
    ok = np.isfinite(refined.sigma_px) & (refined.support.min(axis=1) >= config.least_support)
    if not ok.any():
        return Markers.empty()
    refined = RefinedQuads(refined.corners[ok], refined.sigma_px[ok], refined.support[ok])
    cells = sample_cells(gray, refined.corners, book.side)
    decoded = decode(
        cells,
        book,
        tolerated=book.tolerated_errors(config.accidental),
        least_contrast=config.least_contrast,
        ring_share=config.ring_share,
        least_margin=config.least_margin,
    )
    good = decoded.id >= 0
    if wanted is not None:
        good &= np.isin(decoded.id, sorted(wanted))
    rows = np.flatnonzero(good)
    if not len(rows):
        return Markers.empty()
    refined = _true_size(light, refined, rows, decoded, book, config)
    corners = np.array([np.roll(refined.corners[i], decoded.turn[i], axis=0) for i in rows]).reshape(-1, 4, 2)
    return Markers(decoded.id[rows], corners, refined.sigma_px[rows], decoded.margin[rows], decoded.errors[rows])


def _true_size(
    light: npt.NDArray[np.uint16],
    refined: RefinedQuads,
    rows: IntArray,
    decoded: Decoded,
    book: Codebook,
    config: MarkerConfig,
) -> RefinedQuads:
    """The quads with the growth of white taken back at those ``rows`` that are large enough to measure it."""
    growth = np.zeros(len(refined.corners))
    extra = np.full(len(refined.corners), config.unmeasured_growth_px)
    sides = np.linalg.norm(np.roll(refined.corners, -1, axis=1) - refined.corners, axis=2).min(axis=1)
    large = rows[sides[rows] >= config.growth_from_px_per_cell * (book.side + 2)]
    codes = book.codes[decoded.id[large], decoded.turn[large]].reshape(-1, book.side, book.side)
    pixels, sigma = white_growth(light, refined.corners[large], codes, config.edges)
    sure = (sigma < config.growth_sigma_px) & (np.abs(pixels) < config.most_growth_px)
    growth[large[sure]] = pixels[sure]
    extra[large[sure]] = np.hypot(sigma[sure], config.growth_share * pixels[sure])
    corners = grow_quads(refined.corners, growth)
    return RefinedQuads(corners, np.hypot(refined.sigma_px, extra), refined.support)


def _has_wanted_ids(found: Markers, wanted: frozenset[int] | None, enough: int) -> bool:
    """Whether all wanted ids, or enough of them, are found."""
    return wanted is not None and len(set(found.ids.tolist())) >= min(len(wanted), enough)


@dataclass(frozen=True, eq=False)
class _Copy:
    """A copy of a picture at ``scale``."""

    gray: Gray
    scale: float

    def to_full_size(self, quads: Array) -> Array:
        return (quads + 0.5) / self.scale - 0.5


def _copies(gray: Gray, config: MarkerConfig) -> Iterator[_Copy]:
    """The copies to search, no two of about the same size."""
    longest, done = max(gray.shape), list[float]()
    for size in config.coarse_px:
        scale = 1.0 if size == 0 or size >= longest else size / longest
        if all(abs(scale - other) >= 0.05 for other in done):
            done.append(scale)
            yield _Copy(_smaller(gray, scale), scale)


def _searches(copy: _Copy, dictionary: str, config: MarkerConfig) -> Iterator[Callable[[], tuple[Array, Markers]]]:
    """Ways to candidate quads (n, 4, 2) in full-size pixels and to markers that they have read by themselves, cheapest
    first."""
    for window in config.windows_px:
        yield partial(_by_contours, copy, window, dictionary, config)
    if apriltag_family(dictionary) is not None:
        yield partial(_by_apriltag, copy, dictionary, config)


def _smaller(gray: Gray, scale: float) -> Gray:
    """A copy of the picture, averaged over whole pixels first, which is quick, and interpolated for the rest."""
    width, height = (round(scale * n) for n in gray.shape[::-1])
    whole = int(1 / scale)
    if whole > 1:
        gray = np.asarray(
            cv2.resize(gray, (gray.shape[1] // whole, gray.shape[0] // whole), interpolation=cv2.INTER_AREA)
        )
    return np.asarray(cv2.resize(gray, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _by_contours(copy: _Copy, window: int, dictionary: str, config: MarkerConfig) -> tuple[Array, Markers]:
    """Dark quads that OpenCV's contour search proposes, read or not, clockwise."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 4 * config.least_side_px * copy.scale / max(copy.gray.shape)
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = window
    detector = cv2.aruco.ArucoDetector(marker_dictionary(dictionary), parameters)
    corners, _, rejected = detector.detectMarkers(copy.gray)
    quads = np.array([np.reshape(c, (4, 2)) for c in [*corners, *rejected]], dtype=np.float64).reshape(-1, 4, 2)
    return copy.to_full_size(quads), Markers.empty()


@lru_cache(maxsize=4)
def _apriltag_detector(family: str, threads: int) -> pyapriltags.Detector:
    return pyapriltags.Detector(families=family, nthreads=threads, quad_decimate=1.0, quad_sigma=0.0, refine_edges=1)


def _by_apriltag(copy: _Copy, dictionary: str, config: MarkerConfig) -> tuple[Array, Markers]:
    """The AprilTag library's detections, corners as printed from the top left, in OpenCV's pixel convention; as read by
    it where its word is enough.

    Its decoder sharpens and so reads smaller tags than ours; a code must then be long enough to be no accident.
    """
    family = apriltag_family(dictionary)
    assert family is not None
    detector = _apriltag_detector(family, config.apriltag_threads)
    detections = detector.detect(np.ascontiguousarray(copy.gray))
    # the library's corners: bottom left, bottom right, top right, top left of upright tags; pixel centres are at 0.5
    clockwise = [3, 2, 1, 0] if dictionary == family else [1, 0, 3, 2]
    quads = np.array([d.corners for d in detections], dtype=np.float64).reshape(-1, 4, 2)[:, clockwise] - 0.5
    quads = copy.to_full_size(quads)
    book = codebook(dictionary)
    trusted = np.array(
        [
            d.decision_margin >= config.apriltag_margin and book.accidental(d.hamming) <= config.accidental
            for d in detections
        ],
        dtype=bool,
    )
    rows = np.flatnonzero(trusted)
    read = Markers(
        np.array([detections[i].tag_id for i in rows], dtype=np.int64),
        quads[rows],
        np.full(len(rows), config.apriltag_sigma_px / copy.scale),
        np.array([min(detections[i].decision_margin / 255.0, 1.0) for i in rows]),
        np.array([detections[i].hamming for i in rows], dtype=np.int64),
    )
    return quads, read


def _signed_area(quads: Array) -> Array:
    """Areas (n,), positive for quads that go clockwise on the screen."""
    x, y = quads[..., 0], quads[..., 1]
    return ((x * np.roll(y, -1, axis=1)) - (np.roll(x, -1, axis=1) * y)).sum(axis=1) / 2


def _plausible(quads: Array, config: MarkerConfig) -> Array:
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    if not len(quads):
        return quads
    good = (sides.min(axis=1) >= config.least_side_px) & (
        sides.max(axis=1) <= config.most_side_ratio * sides.min(axis=1)
    )
    return quads[good & (_signed_area(quads) > 0)]


def _merge(markers: Markers, others: Markers) -> Markers:
    """One marker per place: of several that overlap, the one with the surest corners and code; ``others`` only where
    none is."""
    every = Markers.concat([markers, others])
    centers = every.corners.mean(axis=1)
    radius = np.linalg.norm(every.corners - centers[:, None], axis=2).max(axis=1)
    second = np.arange(len(every)) >= len(markers)
    kept: list[int] = []
    for i in np.lexsort((every.sigma_px, every.errors, second)):
        if all(np.linalg.norm(centers[i] - centers[k]) > 0.5 * max(radius[i], radius[k]) for k in kept):
            kept.append(int(i))
    return every[np.array(kept, dtype=np.int64)]
