"""Which edge of a table is the near one in a photo that was placed by the table's edges: known terrain or tags of an
earlier photo decide; else it is a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import shapely
from shapely import affinity

from calibration import CornersRejected, TableView
from calibration.corners import NEAR_EDGE_GUESSED, ORDER
from calibration.ways_round import turned_view
from geometry.directions import EDGES
from vision.imaging.photo import Photo
from vision.model.earlier import NOTHING_EARLIER
from vision.model.expected import Expected, ExpectedTerrain
from vision.model.observation import Answer, Question
from vision.small_objects.tokens import with_tokens
from vision.tags.reading import TagConfig, find_tags
from vision.terrain.ground import ground_maps
from vision.terrain.pieces import KINDS, GroundMaps, mask_of

Array = npt.NDArray[np.float64]

TABLE = "table"
"""The subject of the question which edge is near."""


@dataclass(frozen=True)
class WayRoundConfig:
    """``clearly``: the chosen rotation is at least this many times as good as any other; ``least_overlap`` of
    drawn terrain with the photo's; ``least_tags`` that an earlier photo has placed, which move by no more than
    ``moved_in`` in the median."""

    clearly: float = 2.0
    least_overlap: float = 0.2
    least_tags: int = 2
    moved_in: float = 12.0
    tags: TagConfig = field(default_factory=TagConfig)


def settle_way_round(
    photo: Photo, expected: Expected, view: TableView, config: WayRoundConfig | None = None
) -> TableView:
    """A photo's view in the rotation that tags and terrain show; unchanged, with its ``turns``, if they don't decide.

    Raises CornersRejected if the photo does not even distinguish a table's width from its depth.
    """
    if not view.turns:
        return view
    config, size = config or WayRoundConfig(), (expected.width, expected.depth)
    if size[0] != size[1] and any(turn % 2 for turn in view.turns):
        raise CornersRejected(
            f"The photo does not show which side is the table's width: name the corners as {ORDER}, or lay printed "
            "markers on the table."
        )
    ways = (0, *view.turns)
    best = _clear_best(_by_tags(photo, expected, view, ways, config), config)
    if best is None:
        best = _clear_best(_by_terrain(photo, expected, view, ways, config), config)
    if best is None:
        return view
    told = tuple(said for said in view.warnings if not said.startswith(NEAR_EDGE_GUESSED))
    edge = f"What is known of the table shows that its {EDGES[best]} edge is nearest the camera."
    return replace(turned_view(view, size, best), warnings=(*told, edge), turns=())


def without_places(expected: Expected) -> Expected:
    """What is expected, without what earlier photos have placed on the table: of no use before its way round is
    known."""
    return replace(expected, ground=(), bare=(), unseen=(), earlier=NOTHING_EARLIER)


def way_round_question(turns: Sequence[int], table: tuple[float, float], covers: Sequence[str]) -> Question:
    """Which edge is nearest the camera, where the view may be turned by these quarters besides: by n quarters, the n-th
    edge is. ``covers`` are the ids of all that turns with it."""
    places = {"near": "y = 0", "far": f"y = {table[1]:g}″", "left": "x = 0", "right": f"x = {table[0]:g}″"}
    edges = [EDGES[turn] for turn in (0, *turns)]
    answers = tuple(Answer(edge, 1 / len(edges), f"the {edge} edge ({places[edge]})") for edge in edges)
    says = "Which edge of the table is nearest the camera?"
    return Question("", TABLE, "turn", says, answers, (tuple(covers),))


def _clear_best(goodness: Mapping[int, float], config: WayRoundConfig) -> int | None:
    """The way round that is clearly better than all others."""
    if not goodness:
        return None
    first, *rest = sorted(goodness, key=lambda turn: -goodness[turn])
    return first if goodness[first] >= config.clearly * max(goodness[turn] for turn in rest) else None


def _by_terrain(
    photo: Photo, expected: Expected, view: TableView, ways: Sequence[int], config: WayRoundConfig
) -> dict[int, float]:
    """How well known terrain, drawn or read before, fits what the photo shows, 0 to 1, each way round."""
    pieces, size = expected.terrain or (*expected.drawn, *expected.ground), (expected.width, expected.depth)
    if not pieces:
        return {}
    maps = ground_maps(photo.image, view, size)
    found = {turn: _overlap(maps, pieces, size, turn) for turn in ways}
    return found if max(found.values()) >= config.least_overlap else {}


def _overlap(maps: GroundMaps, pieces: Sequence[ExpectedTerrain], size: tuple[float, float], turn: int) -> float:
    """The overlap of drawn terrain and shares of it, kind by kind, over what either has."""
    middle = (size[0] / 2, size[1] / 2)
    common = either = 0.0
    for row, kind in enumerate(KINDS):
        drawn = shapely.union_all([piece.shape for piece in pieces if piece.kind == kind])
        mask = mask_of(affinity.rotate(drawn, 90.0 * turn, origin=middle), maps.scale)
        common += float(np.minimum(maps.share[row], mask).sum())
        either += float(np.maximum(maps.share[row], mask).sum())
    return common / max(either, 1e-9)


def _by_tags(
    photo: Photo, expected: Expected, view: TableView, ways: Sequence[int], config: WayRoundConfig
) -> dict[int, float]:
    """How near tags are to where an earlier photo has them, one over inches, each way round."""
    known = {base.tag: base.line.at_zero for base in expected.earlier.bases if base.tag is not None}
    if len(known) < config.least_tags:
        return {}
    tags = find_tags(photo.gray, view, with_tokens(expected), config=config.tags)
    rows = [k for k, tag in enumerate(tags.ids.tolist()) if tag in known]
    if len(set(tags.ids[rows].tolist())) < config.least_tags:
        return {}
    before = np.array([known[int(tags.ids[k])] for k in rows])
    middles = tags.corners[rows].mean(axis=1)
    apart = {}
    for turn in ways:
        seen = turned_view(view, (expected.width, expected.depth), turn)
        apart[turn] = float(np.median(np.linalg.norm(seen.point_from_pixel(middles, 0.0) - before, axis=1)))
    return {turn: 1 / max(far, 0.05) for turn, far in apart.items()} if min(apart.values()) <= config.moved_in else {}
