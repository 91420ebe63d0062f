"""What kind of ground lies where, as the ``ground`` net reads it from photos of the table, and terrain made of that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from calibration import TableView
from vision.expected import ExpectedTerrain
from vision.nets import GROUND_PPI, lean_of, net, plan_input
from vision.rectify import MapScale, in_field, rectified_map
from vision.sharpening import SharpenConfig, sharpen, veil
from vision.terrain import GroundMaps, TerrainConfig

Image = npt.NDArray[np.uint8]
_NODE_PX = 4  # whether the photo shows a place is asked this far apart in the map


def ground_maps(image: Image, view: TableView, table_size_in: tuple[float, float]) -> GroundMaps:
    """The net's shares over the whole table; ``image`` is the upright BGR photo of ``view``."""
    width, depth = table_size_in
    scale = MapScale(width, depth, px_per_inch=GROUND_PPI)
    plan = rectified_map(image, view, table_size_in, px_per_inch=GROUND_PPI)
    shown = photographed(view, scale)
    lean = leaning(view, scale)
    share = net("ground")(plan_input(plan, lean, shown))
    return GroundMaps(share * shown, scale, ~shown)


@dataclass(frozen=True, eq=False)
class StandingBase:
    """What a base tells of the ground: its outline (n, 2) on the table, the height of the surface under it and that
    height's standard deviation, inches."""

    outline: npt.NDArray[np.float64]
    z: float
    z_sigma: float


@dataclass(frozen=True)
class GroundConfig:
    """How terrain is read: the tracing of pieces and their sharpening at colour edges; ``figure_in``: how high figures
    on bases stand; ``least_hill_in``: a base lower than this does not tell a hill's height."""

    figure_in: float = 0.9
    least_hill_in: float = 0.2
    terrain: TerrainConfig = field(default_factory=TerrainConfig)
    sharpen: SharpenConfig = field(default_factory=SharpenConfig)


def merged(maps: Sequence[GroundMaps]) -> GroundMaps:
    """Several photos' maps of one table as one: the mean of those that show a place."""
    if len(maps) == 1:
        return maps[0]
    shown = np.stack([~m.hidden for m in maps]).astype(np.float32)
    total = np.maximum(shown.sum(axis=0), 1.0)
    share = sum(m.share * s for m, s in zip(maps, shown, strict=True)) / total
    return GroundMaps(np.asarray(share, dtype=np.float32), maps[0].scale, np.all([m.hidden for m in maps], axis=0))


def finished(
    terrain: tuple[ExpectedTerrain, ...],
    image: Image,
    view: TableView,
    table_size_in: tuple[float, float],
    bases: Sequence[StandingBase],
    config: GroundConfig | None = None,
) -> tuple[ExpectedTerrain, ...]:
    """Terrain read off the photo with its outlines at the colour edges and its hills as high as the bases on them.

    No edge is looked for where bases and their figures stand in the way.
    """
    config = config or GroundConfig()
    ready = tuple(_risen(piece, bases, config) for piece in terrain)
    covered = veil([base.outline for base in bases], config.figure_in, view.eye) if bases else None
    return sharpen(image, view, table_size_in, ready, config.sharpen, covered=covered)


def _risen(piece: ExpectedTerrain, bases: Sequence[StandingBase], config: GroundConfig) -> ExpectedTerrain:
    """A hill of unknown height with the height at which bases on its top stand; other pieces as they are."""
    if piece.kind != "hill" or piece.height > 0:
        return piece
    flat = shapely.Polygon(piece.hill_top or piece.polygon)
    rows = [b for b in bases if b.z >= config.least_hill_in and flat.contains(shapely.Point(*b.outline.mean(axis=0)))]
    if not rows:
        return piece
    weights = [1.0 / max(b.z_sigma, 0.03) ** 2 for b in rows]
    return replace(piece, height=round(float(np.average([b.z for b in rows], weights=weights)), 2))


def leaning(view: TableView, scale: MapScale) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """How far things lean in a map of the table, as the nets are shown it."""
    columns, rows = scale.size
    foot = scale.pixel_from_table([view.eye[:2]])[0]
    return lean_of(columns, rows, (float(foot[0]), float(foot[1])), float(view.eye[2]), scale.px_per_inch)


def photographed(view: TableView, scale: MapScale, z: float = 0.0) -> npt.NDArray[np.bool_]:
    """Which places (rows, columns) of a map of the plane at height ``z`` the photo shows."""
    columns, rows = scale.size
    few = (max(2, -(-columns // _NODE_PX)), max(2, -(-rows // _NODE_PX)))
    across = (np.arange(few[0]) + 0.5) * columns / few[0] - 0.5
    down = (np.arange(few[1]) + 0.5) * rows / few[1] - 0.5
    nodes = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    points = np.column_stack([scale.table_from_pixel(nodes), np.full(len(nodes), z)])
    seen = in_field(view, points)
    pixels = view.pixel_from_table(points[seen])
    size = np.array(view.camera.size)
    inside = np.zeros(len(nodes), np.float32)
    inside[seen] = np.all((pixels >= -0.5) & (pixels <= size - 0.5), axis=1)
    spread = cv2.resize(inside.reshape(few[1], few[0]), (columns, rows), interpolation=cv2.INTER_LINEAR)
    return np.asarray(spread > 0.5, dtype=np.bool_)
