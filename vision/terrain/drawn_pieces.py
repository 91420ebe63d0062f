"""How much of the terrain that was drawn before a photo the photo shows, piece by piece: by the first, small net alone,
which is quick and distinguishes a piece from open mat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from shapely import affinity

from calibration import TableView
from vision.imaging.nets import GROUND_PPI, Float32, net, plan_input
from vision.imaging.rectify import MapScale, rectified_map, visible_mask
from vision.model.expected import ExpectedTerrain
from vision.terrain.ground_sight import lean_planes
from vision.terrain.pieces import KINDS, mask_of

_LEAST_IN_PICTURE = 0.3


def with_shown_shares(
    image: npt.NDArray[np.uint8],
    view: TableView,
    table_in: tuple[float, float],
    pieces: Sequence[ExpectedTerrain],
    turns: Sequence[int] = (),
) -> tuple[ExpectedTerrain, ...]:
    """The pieces, each with how much of it (``shown``, from 0 to 1) the upright BGR photo of ``view`` shows as terrain
    of its kind; pieces with less than a third in the photo are unchanged. ``turns``: quarters by which the table
    may be turned otherwise; the rotation that shows most counts."""
    scale = MapScale(*table_in, px_per_inch=GROUND_PPI)
    plan = rectified_map(image, view, table_in, px_per_inch=GROUND_PPI)
    in_picture = visible_mask(view, scale)
    shares = net("ground")(plan_input(plan, lean_planes(view, scale), in_picture))
    ways = [[_shown(piece, turn, shares, in_picture, scale) for piece in pieces] for turn in (0, *turns)]
    best = max(ways, key=lambda shown: sum(filter(None, shown)))
    return tuple(replace(piece, shown=shown) for piece, shown in zip(pieces, best, strict=True))


def _shown(
    piece: ExpectedTerrain, turn: int, shares: Float32, in_picture: npt.NDArray[np.bool_], scale: MapScale
) -> float | None:
    """How much of a piece is shown on a table that is turned so; ``None`` where too little of it is in the picture
    and for kinds that no net reads."""
    if piece.kind not in KINDS:
        return None
    middle = (scale.width_in / 2, scale.depth_in / 2)
    inside = mask_of(affinity.rotate(piece.shape, 90.0 * turn, origin=middle), scale)
    seen = inside & in_picture
    if seen.sum() < max(_LEAST_IN_PICTURE * inside.sum(), 1):
        return None
    return float(shares[KINDS.index(piece.kind)][seen].mean())
