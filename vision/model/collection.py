"""What a collection keeps of settled photos: cells of the table with their terrain, how bases look, small pictures.

A collection is everything known about the things that some players own. It keeps no photograph: of each only figures
of cells seen from above, looks of bases, and small pictures of single pieces of terrain and bases.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.model.drawing_margin import USUAL_MARGIN, DrawingMargin
from vision.model.errors import CollectionError

Array = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int8]

COVERS = ("nothing", "town", "woods", "marsh", "field", "bridge", "river", "road")
"""The cover of a cell; where several overlap, the first one that is not "nothing"."""

MOST_PHOTOS = 24


@dataclass(frozen=True, eq=False)
class TerrainCells:
    """Cells (n) of one settled table, a quarter of an inch wide.

    ``levels`` (n, f): the figures of each in 255 steps from ``lowest`` (f,) to ``highest`` (f,). ``cover`` (n,): rows
    of ``COVERS``; ``hill``, ``top`` (n,): 1 on a hill (its top), 0 elsewhere, -1 where that is not known. ``mat`` (m,):
    the look of the table's mat.
    """

    levels: Bytes
    lowest: npt.NDArray[np.float32]
    highest: npt.NDArray[np.float32]
    cover: Counts
    hill: Counts
    top: Counts
    mat: npt.NDArray[np.float32]

    def __post_init__(self) -> None:
        cells, figures = self.levels.shape
        of_cells = {self.cover.shape, self.hill.shape, self.top.shape}
        if of_cells != {(cells,)} or {self.lowest.shape, self.highest.shape} != {(figures,)} or self.mat.ndim != 1:
            raise CollectionError("The cells of a table in the collection do not fit together: learn that photo again.")

    @property
    def figures(self) -> npt.NDArray[np.float32]:
        """The figures (n, f) of all cells."""
        step = (self.highest - self.lowest) / np.float32(255)
        return np.asarray(self.lowest + self.levels * step, np.float32)


def cells_of_figures(
    figures: npt.NDArray[np.float32], cover: Counts, hill: Counts, top: Counts, mat: npt.NDArray[np.float32]
) -> TerrainCells:
    """The cells of a table from their figures (n, f)."""
    lowest, highest = figures.min(axis=0), figures.max(axis=0)
    step = np.maximum(highest - lowest, np.float32(1e-6)) / np.float32(255)
    levels = np.clip(np.rint((figures - lowest) / step), 0, 255).astype(np.uint8)
    return TerrainCells(levels, lowest, highest, cover, hill, top, mat)


@dataclass(frozen=True, eq=False)
class KnownBase:
    """A base of settled side and kind: its size in inches (a round one has its diameter twice), and how it looks
    (parts,), as computed by :func:`vision.bases.bare_sides.looks`."""

    side: str
    kind: str
    width: float
    depth: float
    is_round: bool
    look: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Crop:
    """A small picture (JPEG) from above of one thing: ``says`` what, "woods" or "red tank"."""

    says: str
    jpeg: bytes


@dataclass(frozen=True, eq=False)
class LearntPhoto:
    """The lessons of one settled photo of a table. ``id``: the start of the photo's SHA-256; ``learnt``: the day, as
    YYYY-MM-DD; ``pieces``: how many settled pieces of each kind it showed; ``stale``: its cells were computed by an
    earlier net, so they can't be compared and were removed: the photo must be learnt again."""

    id: str
    learnt: str
    table_in: tuple[float, float]
    pieces: tuple[tuple[str, int], ...] = ()
    cells: TerrainCells | None = None
    bases: tuple[KnownBase, ...] = ()
    crops: tuple[Crop, ...] = ()
    stale: bool = False


@dataclass(frozen=True, eq=False)
class Collection:
    """The results of settled photos, the newest last, about the things that some players own, and how far outside a
    piece's foot these players draw."""

    photos: tuple[LearntPhoto, ...] = ()
    margin: DrawingMargin = USUAL_MARGIN

    def __bool__(self) -> bool:
        return bool(self.photos) or self.margin.lines > 0

    @property
    def bases(self) -> tuple[KnownBase, ...]:
        """All bases with known looks."""
        return tuple(base for photo in self.photos for base in photo.bases)

    @property
    def tables(self) -> tuple[TerrainCells, ...]:
        """The cells of all tables that taught terrain."""
        return tuple(photo.cells for photo in self.photos if photo.cells is not None)

    def with_photo(self, learnt: LearntPhoto, most: int = MOST_PHOTOS) -> Collection:
        """The collection with one more photo, or with an earlier result for that photo replaced; beyond
        ``most`` the oldest are removed."""
        others = tuple(photo for photo in self.photos if photo.id != learnt.id)
        return replace(self, photos=(*others, learnt)[-most:])

    def without(self, photo_id: str) -> Collection:
        """The collection without one photo; CollectionError where it has none of that name, or several."""
        named = [photo.id for photo in self.photos if photo_id and photo.id.startswith(photo_id)]
        if len(named) != 1:
            known = ", ".join(photo.id for photo in self.photos) or "none"
            many = "several photos" if named else "no photo"
            raise CollectionError(f"The collection has {many} with a name starting in {photo_id!r}; it has {known}.")
        return replace(self, photos=tuple(photo for photo in self.photos if photo.id != named[0]))

    def merged_with(self, other: Collection, most: int = MOST_PHOTOS) -> Collection:
        """The photos of two collections, each once, by the day on which it was learnt; at most ``most`` photos."""
        by_id = {photo.id: photo for photo in (*other.photos, *self.photos)}
        photos = tuple(sorted(by_id.values(), key=lambda photo: photo.learnt))[-most:]
        return replace(self, photos=photos).with_margin(other.margin)

    def with_margin(self, margin: DrawingMargin) -> Collection:
        """The collection with another drawing margin where more lines taught that."""
        return replace(self, margin=max(self.margin, margin, key=lambda one: one.lines))


NOTHING_KNOWN = Collection()
