"""What kind of ground lies where, as the ``ground`` net reads it from a photo of the table."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from vision.nets import GROUND_PPI, lean_of, net, plan_input
from vision.rectify import MapScale, in_field, rectified_map
from vision.terrain import GroundMaps

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
