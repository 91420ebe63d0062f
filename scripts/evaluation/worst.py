"""The worst errors of an evaluation, each with a sentence made of data and the outlines to draw over its photo."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from shapely.geometry import Polygon

from evaluation.matches import BaseRow, FalseBase, SmallThing
from evaluation.results import PhotoResult
from evaluation.truth import Truth, read_truth
from tabletop.tables.folded_lists import unfolded

Array = npt.NDArray[np.float64]

SORTS = {
    "missed": "Bases that were not found",
    "false": "False bases",
    "off": "Largest errors of a centre",
    "turned": "Largest errors of a facing",
    "named": "Bases given to a wrong unit or side",
    "die": "Dice",
    "terrain": "Terrain",
}
QUOTA = {"missed": 3, "false": 3, "off": 3, "turned": 2, "named": 2, "die": 3, "terrain": 4}
"""How many of each sort are shown."""

_OF_ONE_PHOTO = 2
_OFF_IN = 0.05
_TURNED_DEG = 2.0
_WRONG_SQIN = 1.0
_DIE_SIDE_IN = 0.6
_CROSS_IN = 0.3


@dataclass(frozen=True, eq=False)
class Worst:
    """An error: ``badness`` orders those of one ``sort``; ``words`` describe it; ``true`` and ``seen`` are outlines
    (n, 3) in table inches."""

    sort: str
    result: PhotoResult
    badness: float
    words: str
    true: tuple[Array, ...] = ()
    seen: tuple[Array, ...] = ()


def worst_errors(results: Sequence[PhotoResult]) -> list[Worst]:
    """The worst of each sort, as many as :data:`QUOTA` has, at most two of one photo where others have some as well.

    A refused photo is listed elsewhere.
    """
    kept: dict[str, list[tuple[int, float, Worst]]] = {sort: [] for sort in SORTS}
    for result in results:
        own = [] if result.refused is not None else sorted(_errors(result), key=lambda error: -error.badness)
        count = Counter[str]()
        for error in own:
            some = kept[error.sort]
            some.append((count[error.sort] // _OF_ONE_PHOTO, -error.badness, error))
            some.sort(key=lambda entry: entry[:2])
            del some[QUOTA[error.sort] :]
            count[error.sort] += 1
    return [error for sort in SORTS for _, _, error in kept[sort]]


def _errors(result: PhotoResult) -> Iterator[Worst]:
    truth, seen = read_truth(result.case.truth), result.observation or {}
    by_id = {base["id"]: base for base in seen.get("bases", [])}
    for row in result.score.bases:
        yield from _of_base(result, truth, row, by_id.get(row.seen))
    for base in result.score.false:
        yield _of_false(result, truth, base, by_id[base.id])
    for die in result.score.dice:
        if die.verdict in ("wrong", "false", "missed"):
            yield _of_die(result, truth, die)
    if not result.terrain_given:
        yield from _of_terrain(result, truth, {piece["id"]: piece for piece in unfolded(seen).get("terrain", [])})


def _of_base(result: PhotoResult, truth: Truth, row: BaseRow, seen: Mapping[str, Any] | None) -> Iterator[Worst]:
    true = (ring(row.at, row.facing or 0.0, *row.size, row.shape, row.z + row.height),)
    where = f"{row.kind} base of {row.unit} at {_at(row.at)}"
    cut = "" if row.in_picture else "its middle out of the picture, "
    facts = (
        f"{cut}{_ground(truth, row)}, {_percent(row.visible)} of it in sight, {row.px_per_in:.0f} pixels an inch, "
        f"{row.distance_in:.0f}″ from the camera, {_tag(row)}."
    )
    if seen is None:
        yield Worst("missed", result, row.visible * row.px_per_in, f"The {where} was not found: {facts}", true)
        return
    drawn = (_seen_ring(seen, row.height),)
    make: Callable[[str, float, str], Worst] = lambda sort, badness, words: Worst(  # noqa: E731
        sort, result, badness, f"The {where} {words}: {facts}", true, drawn
    )
    unsaid = ", its facing left open" if row.shape != "round" and seen.get("facing") is None else ""
    if row.error_in is not None and row.error_in > _OFF_IN:
        yield make("off", row.error_in, f"was seen {row.error_in:.3f}″ off, {_ellipse(row)}{unsaid}")
    if row.facing_error_deg is not None and row.facing_error_deg > _TURNED_DEG:
        sigma = row.facing_sigma_deg
        stated = "without a sigma" if sigma is None else f"where {sigma:.1f} is one sigma"
        yield make("turned", row.facing_error_deg, f"was seen turned by {row.facing_error_deg:.1f} degrees, {stated}")
    told = ((row.seen_unit, row.unit), (row.seen_side, row.side))
    wrong = [name for name, right in told if name is not None and name != right]
    if wrong:
        yield make("named", 1.0, f"was given to {' of '.join(wrong)}")


def _of_false(result: PhotoResult, truth: Truth, base: FalseBase, seen: Mapping[str, Any]) -> Worst:
    nearest = min((math.dist(base.at, b.center) for b in truth.bases), default=math.inf)
    sure = "" if base.confidence is None else f", confidence {base.confidence:.2f}"
    ground = _kinds_text(truth.kinds_at(base.at)) or "on the open mat"
    height = float(np.median([b.height for b in truth.bases])) if truth.bases else 0.0
    words = (
        f"A false base{f' of {base.unit}' if base.unit else ''} was reported at {_at(base.at)}: by "
        f"{base.method}{sure}; {ground}, the nearest true base {nearest:.1f}″ away."
    )
    return Worst("false", result, base.confidence or 0.0, words, (), (_seen_ring(seen, height),))


def _of_die(result: PhotoResult, truth: Truth, die: SmallThing) -> Worst:
    square = ring(die.at, 0.0, _DIE_SIDE_IN, _DIE_SIDE_IN, "rect", _DIE_SIDE_IN)
    top = (*die.at, _DIE_SIDE_IN)
    facts = (
        f"{_kinds_text(truth.kinds_at(die.at)) or 'on the open mat'}, {truth.camera.pixels_per_inch(top):.0f} pixels "
        f"an inch, {truth.camera.distance_in(top):.0f}″ from the camera."
    )
    told = "no certain value" if die.told is None else f"a {die.told}"
    if die.verdict == "false":
        return Worst(
            "die",
            result,
            2.0,
            f"A false die was reported at {_at(die.at)}, with {told}: {facts}",
            (),
            (square,),
        )
    badness, words = {"wrong": (3.0, f"was read as {told}"), "missed": (1.0, "was not found")}[die.verdict]
    words = f"The die at {_at(die.at)} shows {die.true} and {words}: {facts}"
    return Worst("die", result, badness, words, (square,), (square,) if die.found else ())


def _of_terrain(result: PhotoResult, truth: Truth, seen: Mapping[str, Mapping[str, Any]]) -> Iterator[Worst]:
    """True pieces that were seen badly or taken for another kind, then false ones that were not reported so far."""
    terrain = result.score.terrain
    taken: set[str] = set()
    for row in terrain.true:
        wrong = row.area * (1 - row.iou)
        if wrong <= _WRONG_SQIN:
            continue
        shape = truth.terrain[row.row].shape.intersection(truth.table)
        here = [p for p in terrain.seen if Polygon(seen[p.id]["polygon"]).buffer(0).intersects(shape)]
        own = [p for p in here if p.kind == row.kind]
        other = [p for p in here if p.mistaken_for == row.kind]
        taken |= {p.id for p in other}
        how = f"{_percent(row.covered)} of it was seen as such, IoU {row.iou:.2f}" if own else "it was not seen as such"
        if other:
            how += f"; it was taken for {' and '.join(sorted({p.kind for p in other}))}"
        at = shape.representative_point()
        words = f"The {row.kind} at {_at((at.x, at.y))}, {row.area:.0f} square inches: {how}."
        drawn = tuple(_flat(seen[p.id]["polygon"]) for p in (*own, *other))
        yield Worst("terrain", result, wrong, words, tuple(_rings(shape)), drawn)
    for piece in terrain.seen:
        wrong = piece.area * (1 - piece.on_kind)
        if wrong <= _WRONG_SQIN or piece.on_kind >= 0.5 or piece.id in taken:
            continue
        really = f"there is {piece.mistaken_for}" if piece.mistaken_for else "there is no terrain"
        words = (
            f"A piece of {piece.kind} was reported at {_at(piece.middle)}, {piece.area:.0f} square inches, "
            f"sigma {piece.sigma_in:.2f}″: {_percent(piece.on_kind)} of it is {piece.kind}, {really}."
        )
        yield Worst("terrain", result, wrong, words, (), (_flat(seen[piece.id]["polygon"]),))


# --- words -----------------------------------------------------------------------------------------------------------


def _at(point: Sequence[float]) -> str:
    return f"({point[0]:.1f}, {point[1]:.1f})"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _ground(truth: Truth, row: BaseRow) -> str:
    height = f", {row.z:.2f}″ above the table" if row.z > 0.1 else ""
    return (_kinds_text(truth.kinds_at(row.at)) or "on the open mat") + height


def _kinds_text(kinds: Sequence[str]) -> str:
    return f"on {' and '.join(kinds)}" if kinds else ""


def _tag(row: BaseRow) -> str:
    if row.tag is None:
        return "no tag"
    return "its tag readable" if row.readable else "its tag hidden or too small"


def _ellipse(row: BaseRow) -> str:
    if row.normalized_sq is None:
        return "without an ellipse"
    where = "inside" if row.inside else "outside"
    return f"{where} its 95 % ellipse ({math.sqrt(row.normalized_sq):.1f} sigma)"


# --- outlines --------------------------------------------------------------------------------------------------------


def ring(center: Sequence[float], facing_deg: float, width: float, depth: float, shape: str, z: float) -> Array:
    """A base's outline (n, 3), open, at height ``z``.

    >>> ring((1, 2), 0.0, 2.0, 1.0, "rect", 0.5)[0].tolist()
    [0.0, 2.5, 0.5]
    """
    if shape != "rect":
        turn = np.linspace(0.0, 2 * np.pi, 33)[:-1]
        local = np.column_stack([width / 2 * np.cos(turn), depth / 2 * np.sin(turn)])
    else:
        local = np.array([[-width, depth], [width, depth], [width, -depth], [-width, -depth]]) / 2
    a = math.radians(facing_deg)
    right, forward = np.array([math.cos(a), -math.sin(a)]), np.array([math.sin(a), math.cos(a)])
    flat = np.asarray(center, dtype=np.float64) + local[:, :1] * right + local[:, 1:] * forward
    return np.column_stack([flat, np.full(len(flat), z)])


def _seen_ring(seen: Mapping[str, Any], height: float) -> Array:
    """The outline of a base as seen; of one that is not round and has an open facing a cross at its centre."""
    facing, z = seen.get("facing"), float(seen.get("z") or 0.0) + height
    if facing is None and seen["shape"] != "round":
        arm = _CROSS_IN * np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0], [-1.0, 0.0], [0.0, 0.0]])
        flat = np.asarray(seen["center"]) + np.vstack([arm, [[0.0, -_CROSS_IN], [0.0, 0.0]]])
        return np.column_stack([flat, np.full(len(flat), z)])
    return ring(seen["center"], facing or 0.0, seen["width"], seen["depth"], seen["shape"], z)


def _flat(polygon: Sequence[Sequence[float]]) -> Array:
    points = np.asarray(polygon, dtype=np.float64).reshape(-1, 2)
    return np.column_stack([points, np.zeros(len(points))])


def _rings(shape: Any) -> list[Array]:
    parts = [part for part in getattr(shape, "geoms", [shape]) if part.area > 0]
    return [_flat(line.coords[:-1]) for part in parts for line in (part.exterior, *part.interiors)]
