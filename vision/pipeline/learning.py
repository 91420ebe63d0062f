"""What a collection learns from a settled photo: cells of its table with their terrain, and how its bases look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from calibration import TableView
from vision.bases.known_looks import KnownLooksConfig, base_at, both_looks
from vision.bases.selection import footprint
from vision.imaging.photo import Photo
from vision.imaging.rectify import rectified_map
from vision.model.collection import COVERS, Crop, KnownBase, LearntPhoto
from vision.model.errors import CollectionError
from vision.model.expected import BaseShape, Expected
from vision.pipeline.stages import PlacementConfig
from vision.table_pose.placement import frame_markers
from vision.terrain.edge_refinement import veil
from vision.terrain.ground import papers_of
from vision.terrain.ground_sight import lay_out, sight_of
from vision.terrain.likeness import LikenessConfig, SettledGround, cells_of

LEARNT_KINDS = (*COVERS[1:], "hill")


@dataclass(frozen=True)
class SettledPiece:
    """A piece of terrain of a settled observation; ``certain``: its players drew or confirmed it."""

    kind: str
    shape: shapely.Geometry
    top: shapely.Geometry | None = None
    certain: bool = True


@dataclass(frozen=True)
class SettledBase:
    """A base of a settled observation: its place, and its side and kind where that is ``certain``."""

    center: tuple[float, float]
    z: float
    facing_deg: float
    shape: BaseShape
    side: str | None = None
    kind: str | None = None
    certain: bool = True


@dataclass(frozen=True, eq=False)
class SettledTable:
    """A settled observation of one photo: the photo's camera, all pieces of terrain and bases; ``dice``: the places of
    small things that hide the ground."""

    view: TableView
    terrain: tuple[SettledPiece, ...]
    bases: tuple[SettledBase, ...]
    dice: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class LearningConfig:
    """``figure_in``: height of the figures on bases; ``die_in``: how much ground a die hides; ``off_px``,
    ``off_share``: how far a frame marker may be from its place by the settled observation's camera, in pixels and in
    shares of the photo's longer side; ``most_crops``: small pictures kept of pieces of a kind and of bases of a kind;
    ``crop_px``: their longer side, at most, of ``crop_px_per_inch``; ``crop_quality``: of their JPEG."""

    figure_in: float = 1.0
    die_in: float = 0.5
    off_px: float = 6.0
    off_share: float = 0.004
    most_crops: int = 2
    crop_px: int = 160
    crop_px_per_inch: float = 24.0
    crop_quality: int = 80
    likeness: LikenessConfig = field(default_factory=LikenessConfig)
    looks: KnownLooksConfig = field(default_factory=KnownLooksConfig)


def learn_from(
    photo: Photo, settled: SettledTable, expected: Expected, learnt: str, config: LearningConfig | None = None
) -> LearntPhoto:
    """The lessons of a settled photo of the table of ``expected``; ``learnt``: the day, as YYYY-MM-DD.

    Only certain things are learnt. Bare ground is learnt wherever there is no terrain; where some pieces are not
    certain, only where the net sees none either. Terrain is learnt if both a certain piece and bare ground are plainly
    seen. Raises CollectionError if the settled observation is of another photo, or if nothing in it is both certain and
    plainly in the photo.
    """
    config = config or LearningConfig()
    _check_belongs(photo, settled.view, expected, config)
    size = (expected.width, expected.depth)
    pieces = [piece for piece in settled.terrain if piece.kind in LEARNT_KINDS and not piece.shape.is_empty]
    certain = [piece for piece in pieces if piece.certain]
    bases = [base for base in settled.bases if base.certain and base.side and base.kind]
    if not certain and not bases:
        raise CollectionError(
            "Nothing in this observation is settled: first confirm or draw its terrain, or identify its bases."
        )
    cells = None
    if certain:
        sight = sight_of(lay_out(photo.image, settled.view, size), each_view=True)
        ground = SettledGround(
            tuple((piece.kind, piece.shape) for piece in certain),
            tuple(piece.top for piece in certain if piece.top is not None),
            tuple(piece.shape for piece in pieces if not piece.certain),
            _covered(settled, expected, config),
            whole=len(certain) == len(pieces),
        )
        cells = cells_of(sight, size, ground, config.likeness)
    looks = _known_bases(photo, settled.view, bases, config)
    if cells is None and not looks:
        raise CollectionError(
            f"What is settled can't be seen plainly in {photo.name}: take another photo from higher up, with bare "
            "ground between the pieces, and settle that."
        )
    taught = certain if cells is not None else []
    return LearntPhoto(
        id=photo.sha256[:12],
        learnt=learnt,
        table_in=size,
        pieces=tuple(sorted(Counter(piece.kind for piece in taught).items())),
        cells=cells,
        bases=looks,
        crops=_crops(photo, settled.view, taught, bases, config),
    )


def _check_belongs(photo: Photo, view: TableView, expected: Expected, config: LearningConfig) -> None:
    """Raise CollectionError where the camera of a settled observation is not this photo's: the photo has another size,
    or its frame markers are elsewhere."""
    if view.camera.size != photo.size:
        raise CollectionError(
            f"The settled observation is of a photo of {view.camera.size[0]} x {view.camera.size[1]} pixels, and "
            f"{photo.name} has {photo.size[0]} x {photo.size[1]}: give the photo that was observed."
        )
    markers = frame_markers(photo, expected, PlacementConfig())
    places = {number: view.pixel_from_table(expected.frame.corners(number)) for number in expected.frame.ids}
    off = [
        float(np.linalg.norm(corners - places[int(number)], axis=1).max())
        for number, corners in zip(markers.ids, markers.corners, strict=True)
        if int(number) in places
    ]
    if off and float(np.median(off)) > max(config.off_px, config.off_share * max(photo.size)):
        raise CollectionError(
            f"The settled observation is not of {photo.name} on this table: its frame markers are "
            f"{np.median(off):.0f} pixels from where it has them. Give the photo and the table file that were observed."
        )


def _covered(settled: SettledTable, expected: Expected, config: LearningConfig) -> tuple[shapely.Geometry, ...]:
    """Things that hide the ground: bases with their figures, frame markers' sheets, dice."""
    outlines = [
        shapely.get_coordinates(footprint(base.shape, *base.center, base.facing_deg))[:-1] for base in settled.bases
    ]
    papers = [shapely.Polygon(paper) for paper in papers_of(expected.frame)]
    dice = [shapely.Point(place).buffer(config.die_in) for place in settled.dice]
    hidden = [veil(outlines, config.figure_in, settled.view.eye)] if outlines else []
    return (*hidden, *papers, *dice)


def _known_bases(
    photo: Photo, view: TableView, bases: Sequence[SettledBase], config: LearningConfig
) -> tuple[KnownBase, ...]:
    """How the bases look that are plainly in the photo."""
    looks = both_looks(photo.image, view, [base_at(b.center, b.facing_deg, b.z, b.shape) for b in bases], config.looks)
    return tuple(
        KnownBase(
            base.side or "",
            base.kind or "",
            base.shape.width,
            base.shape.depth,
            base.shape.is_round,
            look.ravel().astype(np.float32),
        )
        for base, look in zip(bases, looks, strict=True)
        if look.any(axis=1).all()
    )


def _crops(
    photo: Photo,
    view: TableView,
    pieces: Sequence[SettledPiece],
    bases: Sequence[SettledBase],
    config: LearningConfig,
) -> tuple[Crop, ...]:
    """Small pictures from above of some pieces of each kind, largest first, and of some bases of each side and kind:
    only the inside of their outlines."""
    things: dict[str, list[tuple[shapely.Geometry, float]]] = {}
    for piece in sorted(pieces, key=lambda piece: -piece.shape.area):
        things.setdefault(piece.kind, []).append((piece.shape, 0.0))
    for base in bases:
        outline = footprint(base.shape, *base.center, base.facing_deg)
        things.setdefault(f"{base.side} {base.kind}", []).append((outline, base.z + base.shape.height))
    return tuple(
        Crop(says, jpeg)
        for says, several in things.items()
        for shape, z in several[: config.most_crops]
        if (jpeg := _crop(photo.image, view, shape, z, config)) is not None
    )


def _crop(
    image: npt.NDArray[np.uint8], view: TableView, shape: shapely.Geometry, z: float, config: LearningConfig
) -> bytes | None:
    """A JPEG of the inside of an outline at a height, seen from above, with grey around it."""
    left, near, right, far = shape.bounds
    wide, deep = right - left, far - near
    if min(wide, deep) <= 0.05:
        return None
    scale = min(config.crop_px_per_inch, config.crop_px / max(wide, deep))
    moved = _moved_view(view, left, near)
    plan = rectified_map(image, moved, (wide, deep), px_per_inch=scale, z=z)
    inside = np.zeros(plan.shape[:2], np.uint8)
    for part in shapely.get_parts(shape):
        if part.geom_type == "Polygon":
            ring = shapely.get_coordinates(part.exterior) - (left, near)
            pixels = np.column_stack([ring[:, 0] * scale - 0.5, (deep - ring[:, 1]) * scale - 0.5])
            cv2.fillPoly(inside, [np.rint(pixels).astype(np.int32)], 1)
    plan[inside == 0] = 128
    done, data = cv2.imencode(".jpg", plan, [cv2.IMWRITE_JPEG_QUALITY, config.crop_quality])
    return bytes(data) if done else None


def _moved_view(view: TableView, x: float, y: float) -> TableView:
    """The camera in a frame with its origin at x, y on the table."""
    return TableView(camera=view.camera, R=view.R, t=view.t + view.R @ np.array([x, y, 0.0]))
