"""The camera over a table without enough frame markers: by the corners of a rectangle that a person named, or by the
table's own edges."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from calibration import Camera, PoseRejected, TableView
from calibration.corners import CornersConfig, TableCorners, solve_corners
from calibration.markers import Markers
from calibration.named_corners import NamedCorners, corners_by_hand, of_rectangle
from vision.imaging.photo import Photo
from vision.model.expected import Expected
from vision.table_pose.edge_profiles import ProfileConfig, corner_of, measure_side
from vision.table_pose.table_edges import TableEdgesConfig, find_table_corners


@dataclass(frozen=True)
class ByCornersConfig:
    """Settings of ``view_by_corners``. An edge near a named corner's side is used if it is seen along
    ``least_share`` of the side, and if the edges meet within ``hand_sigmas`` of where a hand put the corners."""

    corners: CornersConfig = field(default_factory=CornersConfig)
    edges: TableEdgesConfig = field(default_factory=TableEdgesConfig)
    profiles: ProfileConfig = field(default_factory=ProfileConfig)
    least_share: float = 0.5
    hand_sigmas: float = 4.0


def view_by_corners(
    photo: Photo,
    expected: Expected,
    markers: Markers | None = None,
    *,
    corners: NamedCorners | TableCorners | None = None,
    camera: Camera | None = None,
    config: ByCornersConfig | None = None,
) -> TableView:
    """Camera and table pose from ``corners`` that a person named or, without them, from the table's edges; frame
    ``markers`` that are seen orient and check them. Corners that something else was measured to be at are taken as they
    are; a person's are moved to the edges near them, unless no pose fits there.

    Raises CornersRejected for corners that are impossible or that are not found with certainty, PoseRejected where they
    do not fit a table of the stated size; both say what to do next.
    """
    config = config or ByCornersConfig()
    table_in = (expected.width, expected.depth)
    rectangle = corners.rectangle if isinstance(corners, NamedCorners) else None
    solve = partial(
        solve_corners,
        size=photo.size,
        camera=camera,
        focal_35mm=photo.focal_35mm,
        markers=markers,
        layout=expected.frame,
        config=config.corners,
        **of_rectangle(rectangle, table_in),
    )
    if corners is None:
        return solve(find_table_corners(photo, table_in, camera=camera, squares=expected.squares, config=config.edges))
    if isinstance(corners, TableCorners):
        return solve(corners)
    by_hand = corners_by_hand(corners.pixels, photo.size, config.corners)
    try:
        return solve(at_edges(photo, by_hand, config))
    except PoseRejected:
        return solve(by_hand)


def at_edges(photo: Photo, by_hand: TableCorners, config: ByCornersConfig | None = None) -> TableCorners:
    """Corners named by a person, moved to where the table's edges meet, if these are seen nearby."""
    config = config or ByCornersConfig()
    pixels = by_hand.pixels
    sides = [measure_side(photo.image, pixels[k], pixels[(k + 1) % 4], config.profiles) for k in range(4)]
    clear = [side if side is not None and side.share >= config.least_share else None for side in sides]
    moved = by_hand.pixels.copy()
    for k in range(4):
        before, after = clear[k - 1], clear[k]
        if before is None or after is None:
            continue
        moved[k], _ = corner_of(before, after)
        if np.linalg.norm(moved[k] - pixels[k]) > config.hand_sigmas * by_hand.sigma_px[k] * np.sqrt(2):
            return by_hand
    known = [(k, side) for k, side in enumerate(clear) if side is not None]
    if not known:
        return by_hand
    return replace(
        by_hand,
        pixels=moved if len(known) == 4 else pixels,
        edge_pixels=np.concatenate([side.pixels for _, side in known]),
        edge_side=np.concatenate([np.full(len(side.pixels), k) for k, side in known]),
        edge_sigma_px=np.concatenate([np.full(len(side.pixels), side.sigma_px) for _, side in known]),
        warnings=("The table's edges near the corners given were measured, to place it more exactly.",),
    )
