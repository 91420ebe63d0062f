"""How a player's tap changes the reading of the ``ground`` net: the named kind is accepted where the net suspects it.

A tap says that there is a kind of terrain at a place. If the net has a piece of that kind there, the tap means that
piece. Else it is grown by its colours (``vision.terrain.growing``); where these have no clear edge, the odds of the
kind are raised step by step until a piece appears at the tap whose shape is plausible for terrain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from vision.model.expected import ExpectedTerrain
from vision.terrain.growing import compactness
from vision.terrain.pieces import KINDS, RIBBON_KINDS, RIVAL_KINDS, GroundMaps, TerrainConfig, mask_of, pieces_of
from vision.terrain.taps import Tap
from vision.terrain.tracing import Float32


@dataclass(frozen=True)
class TapConfig:
    """``near_in``: a piece within this of a tap is the one that is meant; ``raises``: how far the log odds of the
    tapped kind are raised, one after the other; ``clear_edge``: a piece grown by colours that is surer than this needs
    no raising; ``most_sqin``, ``least_compact``: a raised piece larger than this or less compact has run out over the
    mat; ``confidence``: the least of a piece that a player has named."""

    near_in: float = 0.4
    raises: tuple[float, ...] = (1.0, 2.0, 3.0)
    clear_edge: float = 0.7
    most_sqin: float = 160.0
    least_compact: float = 0.45
    confidence: float = 0.95


def tapped_piece(
    pieces: Sequence[ExpectedTerrain], tap: Tap, near_in: float = TapConfig.near_in
) -> ExpectedTerrain | None:
    """The piece of the tapped kind at a tap or within ``near_in`` inches of it, the nearest."""
    place = shapely.Point(*tap.at)
    near = [(float(p.shape.distance(place)), p) for p in pieces if p.kind == tap.kind]
    return min((n for n in near if n[0] <= near_in), key=lambda n: n[0], default=(0.0, None))[1]


def believe_tap(
    maps: GroundMaps,
    tap: Tap,
    terrain: TerrainConfig,
    config: TapConfig | None = None,
    raises: Sequence[float] = (0.0,),
) -> GroundMaps | None:
    """The maps with the tapped kind believed about the tap, its log odds raised by as little of ``raises`` as will do;
    ``None`` where nothing comes up there."""
    config = config or TapConfig()
    plane = maps.plane(tap.kind)
    for more in raises:
        raised = _raise_share(plane, more)
        piece = tapped_piece(pieces_of(tap.kind, raised, maps.scale, terrain, hidden=maps.hidden), tap, config.near_in)
        if piece is None or (more > 0 and not _believable(piece, config)):
            continue
        inside = mask_of(piece.shape, maps.scale)
        share = maps.share.copy()
        if tap.kind in RIVAL_KINDS:
            rivals = [KINDS.index(kind) for kind in RIVAL_KINDS]
            share[rivals] = np.where(inside, np.float32(0), share[rivals])
        share[KINDS.index(tap.kind)] = np.where(inside, raised, plane)
        return replace(maps, share=share)
    return None


def confirm_tapped(
    pieces: Sequence[ExpectedTerrain], taps: Sequence[Tap], config: TapConfig | None = None
) -> list[ExpectedTerrain]:
    """The pieces; those named by a tap are as sure as a player's statement."""
    config = config or TapConfig()
    sure = {id(piece) for tap in taps if (piece := tapped_piece(pieces, tap, config.near_in)) is not None}
    return [replace(p, confidence=max(p.confidence, config.confidence)) if id(p) in sure else p for p in pieces]


def _raise_share(share: Float32, log_odds: float) -> Float32:
    odds = np.float32(np.exp(log_odds))
    return np.asarray(odds * share / (1 + (odds - 1) * share), np.float32)


def _believable(piece: ExpectedTerrain, config: TapConfig) -> bool:
    if piece.kind in RIBBON_KINDS:
        return True
    return bool(piece.shape.area <= config.most_sqin and compactness(piece.shape) >= config.least_compact)
