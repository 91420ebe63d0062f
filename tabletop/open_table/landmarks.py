"""Places told by what stands near them: "4″ left of the hill"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import shapely
from shapely.ops import nearest_points

from tabletop.tables.scene import Terrain
from tabletop.words import inches

FARTHEST_IN = 8.0
"""What stands farther off says nothing of a place."""
_BESIDE_IN = 1.0
_ARTICLE = {"woods": ""}
_LINES = frozenset({"road", "river", "bridge"})
_A_NAME = re.compile(r"[^\W\d_]{3,}(?:[- ][^\W\d_]+)*")


@dataclass(frozen=True)
class Landmark:
    """A piece of terrain: what people call it ("the hill", "a road"), its kind and its outline."""

    name: str
    kind: str
    outline: shapely.Polygon


def landmarks_of(features: Sequence[Terrain], titles: Mapping[str, str]) -> tuple[Landmark, ...]:
    """A table's terrain by its names: ``titles`` by the terrain's ids, else its id where that is a word, else its kind.

    Roads, rivers and bridges are called by their kind: what they are named by in a file is seldom a name.
    """
    kinds = Counter(feature.kind for feature in features)

    def name_of(feature: Terrain) -> str:
        if feature.id in titles:
            return titles[feature.id]
        if feature.kind not in _LINES and _A_NAME.fullmatch(feature.id):
            name = feature.id.replace("-", " ")
            return name if name[0].isupper() else f"the {name}"
        article = "the " if kinds[feature.kind] == 1 else _ARTICLE.get(feature.kind, "a ")
        return f"{article}{feature.kind}"

    return tuple(Landmark(name_of(f), f.kind, shapely.Polygon(f.polygon)) for f in features)


def bearing_words(x: float, y: float, landmarks: Sequence[Landmark]) -> str:
    """Where a place lies from the nearest landmark, as the near edge of the table sees it; empty where none is near.

    What is only a line in the ground counts where the place is beside it.

    >>> hill = Landmark("the hill", "hill", shapely.box(10, 10, 20, 20))
    >>> bearing_words(6, 15, [hill]), bearing_words(15, 20.4, [hill]), bearing_words(15, 2, [hill])
    ('4″ left of the hill', 'just beyond the hill', '8″ before the hill')
    """
    point = shapely.Point(x, y)
    near = [
        (away, landmark)
        for landmark in landmarks
        if 0 < (away := point.distance(landmark.outline)) <= (_BESIDE_IN if landmark.kind in _LINES else FARTHEST_IN)
    ]
    if not near:
        return ""
    away, landmark = min(near, key=lambda found: found[0])
    at = nearest_points(landmark.outline, point)[0]
    right, beyond = x - at.x, y - at.y
    if abs(right) > abs(beyond):
        words = "right of" if right > 0 else "left of"
    else:
        words = "beyond" if beyond > 0 else "before"
    how_far = "just" if away < _BESIDE_IN else inches(round(away))
    return f"{how_far} {words} {landmark.name}"
