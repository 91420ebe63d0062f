"""Terrain that a photo shows and a game does not have, piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import shapely

from tabletop.changes.detection import Changes
from tabletop.tables.scene import Terrain
from tabletop.words import and_list

KNOWN_SHARE = 0.5
"""A piece that shares this much with known terrain of its kind is that terrain; one that shares this much with terrain
of another kind contradicts the game."""
_LARGER_SHARE = 0.2  # a piece that shares this much with terrain of its kind, but not half, is larger than that
_MOST_NAMED = 3
_EDGE_IN, _MOST_EDGE_IN = 0.25, 1.0  # outlines of one piece differ by this much and two standard deviations
_EXCLUDE = (frozenset({"woods", "town", "field", "marsh", "ruin", "rock", "crater"}), frozenset({"road", "river"}))


@dataclass(frozen=True, eq=False)
class NewTerrain:
    """A piece of terrain as a photo shows it; ``other`` is the piece of the game that it contradicts, which is of
    another kind or smaller (``None``: nothing is known there)."""

    piece: Terrain
    other: Terrain | None = None

    @property
    def words(self) -> str:
        """Its kind and where it is.

        >>> import numpy as np
        >>> NewTerrain(Terrain("t1", "woods", np.array([(0, 0), (4, 0), (4, 2), (0, 2)]))).words
        'woods at (2.0, 1.0)'
        """
        middle = _area(self.piece).centroid
        return f"{'' if self.piece.kind == 'woods' else 'a '}{self.piece.kind} at ({middle.x:.1f}, {middle.y:.1f})"


def new_terrain(known: Sequence[Terrain], seen: Sequence[Terrain]) -> tuple[NewTerrain, ...]:
    """The pieces that the later terrain has and the earlier one lacks, in the order of the later one."""
    return tuple(found for piece in seen for found in _new(piece, known))


def unsettled_words(changes: Changes) -> str:
    """A sentence on the terrain that still needs confirmation; empty without any."""
    found = [one for one in new_terrain(changes.before.terrain, changes.after.terrain) if one.piece.is_doubtful]
    if not found:
        return ""
    return f"{open_words(found)}: until you answer, what depends on it is too close to call."


def open_words(pieces: Sequence[NewTerrain]) -> str:
    """A sentence part on uncertain terrain: the pieces by their words, or their number."""
    named = (
        and_list([one.words for one in pieces]) if len(pieces) <= _MOST_NAMED else f"{len(pieces)} pieces of terrain"
    )
    return f"The photo is not certain about {named}"


def is_rival(kind: str, other: str) -> bool:
    """Whether one place can't be of both kinds, or they are the same."""
    return kind == other or any({kind, other} <= kinds for kinds in _EXCLUDE)


def _new(piece: Terrain, known: Sequence[Terrain]) -> Iterator[NewTerrain]:
    area = _area(piece)
    alike = [one for one in known if one.kind == piece.kind]
    if _share(area, alike, min(_EDGE_IN + 2 * piece.sigma, _MOST_EDGE_IN)) >= KNOWN_SHARE:
        return
    strange = [one for one in known if is_rival(one.kind, piece.kind) and one not in alike]
    shared = [(_overlap(area, _area(one)), one) for one in (*alike, *strange)]
    found = [(much, one) for much, one in shared if much >= (_LARGER_SHARE if one in alike else KNOWN_SHARE)]
    yield NewTerrain(piece, max(found, key=lambda pair: pair[0], default=(0.0, None))[1])


def _share(area: Any, known: Sequence[Terrain], reach_in: float) -> float:
    """How much of an area is known terrain; its edges may be off by ``reach_in``."""
    whole = shapely.union_all([_area(one) for one in known]).buffer(reach_in)
    return float(area.intersection(whole).area / area.area)


def _overlap(one: Any, other: Any) -> float:
    """How much of the smaller of two areas is common to both."""
    return float(one.intersection(other).area / max(min(one.area, other.area), 1e-9))


def _area(piece: Terrain) -> Any:
    return shapely.Polygon(piece.polygon)
