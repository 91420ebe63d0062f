"""A table's contents at one moment, base by base, from an observation or a scene; two of them are compared.

Nothing here depends on a picture or a ruleset. A base with an unknown unit has ``unit=None``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import shapely

from geometry import Bases
from tabletop.errors import SceneError
from tabletop.reading import json_fields as read
from tabletop.tables.model import TableFile
from tabletop.tables.photo_camera import PhotoCamera, cameras_of, shown_places
from tabletop.tables.scene import Scene, Terrain, scene_from_json

Array = npt.NDArray[np.float64]

MEANINGS = ("fired", "dug-in", "ready", "moved", "hits")
"""The possible meanings of a marker."""

HAND, HAND_OUTLINE = "hand", "hand-outline"
"""The methods of a base that a player corrected, and of one with an outline that a player set."""
_SAME_SIZE_IN = 0.05  # bases of one make differ less


@dataclass(frozen=True, eq=False)
class BaseSighting:
    """A base: its place (``center`` (2,), ``covariance`` (2, 2)) and its known properties, ``None`` for unknown.

    Inches; ``facing`` and ``facing_sigma`` in degrees, ``None`` and infinite if unknown. ``width`` and
    ``depth`` are the diameter of a round base.
    """

    id: str
    unit: str | None
    side: str | None
    kind: str | None
    unique: bool | None
    is_round: bool
    width: float
    depth: float
    center: Array
    covariance: Array
    facing: float | None = None
    facing_sigma: float = math.inf
    method: str = "typed"
    is_oval: bool = False

    @property
    def is_sized(self) -> bool:
        """Whether a player set its outline on the photo."""
        return self.method == HAND_OUTLINE

    def fits(self, other: BaseSighting) -> bool:
        """Whether both may be the same base: no known property differs, except for an outline that a player has set."""
        return (
            (self.is_sized or other.is_sized or self._same_outline(other))
            and _agree(self.side, other.side)
            and _agree(self.kind, other.kind)
            and _agree(self.unit, other.unit)
            and _agree(self.unique, other.unique)
        )

    def _same_outline(self, other: BaseSighting) -> bool:
        return (
            (self.is_round, self.is_oval) == (other.is_round, other.is_oval)
            and abs(self.width - other.width) <= _SAME_SIZE_IN
            and abs(self.depth - other.depth) <= _SAME_SIZE_IN
        )


def _agree(a: object, b: object) -> bool:
    return a is None or b is None or a == b


@dataclass(frozen=True)
class Marker:
    """A marker beside a unit: its meaning ``means`` (one of :data:`MEANINGS`), with its ``value`` if it has one.

    ``unit`` is ``None`` if it is beside no certain unit; ``center`` in inches.
    """

    unit: str | None
    means: str
    center: tuple[float, float]
    value: int | None = None
    confidence: float = 1.0


@dataclass(frozen=True, eq=False)
class Sighting:
    """A table at one moment: its size in inches, its ruleset if known, bases, markers beside them, terrain.

    ``name`` is its name for people (a file's name); ``markers`` is ``None`` if none were looked for; ``cameras`` are
    those of its photos, none for a scene. ``may_stand``: during deployment, the area allowed to each unit, by unit.
    """

    name: str
    width: float
    depth: float
    rules: str | None
    pieces: tuple[BaseSighting, ...]
    markers: tuple[Marker, ...] | None = None
    terrain: tuple[Terrain, ...] = ()
    cameras: tuple[PhotoCamera, ...] = ()
    may_stand: Mapping[str, shapely.Geometry] = field(default_factory=dict)

    def rows(self, unit: str) -> list[int]:
        """The rows of a unit's bases."""
        return [i for i, piece in enumerate(self.pieces) if piece.unit == unit]

    @property
    def units(self) -> tuple[str, ...]:
        """Units with a seen base, in order of appearance."""
        return tuple(dict.fromkeys(p.unit for p in self.pieces if p.unit is not None))

    @property
    def loose(self) -> list[int]:
        """The rows of bases with an unknown unit."""
        return [i for i, piece in enumerate(self.pieces) if piece.unit is None]

    def shows(self, places: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether places (n, 2) on the table are in its picture (n,); all are in a scene."""
        return shown_places(self.cameras, places)

    def with_names(self, names: Mapping[int, str]) -> Sighting:
        """The same with some rows assigned to units."""
        pieces = tuple(replace(p, unit=names[i]) if i in names else p for i, p in enumerate(self.pieces))
        return replace(self, pieces=pieces)


def sighting_from_json(data: object, name: str = "the observation") -> Sighting:
    """A sighting from the parsed JSON of an observation or a scene (contract, sections 3 and 4); raises SceneError.

    >>> seen = sighting_from_json({"version": 1, "table": {"width": 36, "depth": 36}, "bases": [
    ...     {"id": "b1", "unit": "A1", "side": "blue", "kind": "tank", "shape": "round", "diameter": 1,
    ...      "center": [10, 7], "facing": None}]})
    >>> seen.units, seen.pieces[0].facing
    (('A1',), None)
    """
    top = dict(read.mapping(data, name))
    markers = top.pop("markers", None)
    scene = scene_from_json(top)
    if "bases" not in top:
        return replace(sighting_from_scene(scene, name), markers=_markers_of(scene))
    pieces = []
    for place, raw in enumerate(top["bases"], 1):
        width = float(raw.get("width", raw.get("diameter", 0.0)))
        spread = raw.get("covariance")
        sigma = float(raw.get("sigma") or 0.0)
        facing, turn = raw.get("facing"), raw.get("facing_sigma")
        pieces.append(
            BaseSighting(
                id=str(raw.get("id", f"b{place}")),
                unit=raw.get("unit"),
                side=raw.get("side"),
                kind=raw.get("kind"),
                unique=raw.get("unique"),
                is_round=raw["shape"] == "round",
                width=width,
                depth=float(raw.get("depth", width)),
                center=np.array(raw["center"], dtype=np.float64),
                covariance=np.array(spread, dtype=np.float64) if spread is not None else sigma**2 * np.eye(2),
                facing=None if facing is None else float(facing),
                facing_sigma=math.inf if facing is None else float(turn or 0.0),
                method=str(raw.get("method", "typed")),
                is_oval=raw["shape"] == "oval",
            )
        )
    return Sighting(
        name,
        scene.width,
        scene.depth,
        scene.rules,
        tuple(pieces),
        None if markers is None else markers_from_json(markers, name),
        scene.terrain,
        cameras_of(top),
    )


def markers_from_json(data: object, where: str) -> tuple[Marker, ...]:
    """The markers of an observation; raises SceneError for an unknown meaning."""
    found = []
    for place, entry in enumerate(read.sequence(data, f"{where}: markers"), 1):
        raw = read.mapping(entry, f"{where}: marker {place}")
        means = read.need(raw, "means", f"{where}: marker {place}")
        if means not in MEANINGS:
            raise SceneError(f"{where}: marker {place} means {means!r}; known are {', '.join(MEANINGS)}.")
        value = raw.get("value")
        found.append(
            Marker(
                read.text_or_none(raw.get("unit"), f"{where}: marker {place}: unit"),
                means,
                read.point(read.need(raw, "center", f"{where}: marker {place}"), f"{where}: marker {place}: center"),
                None if value is None else read.count(value, f"{where}: marker {place}: value"),
                float(raw.get("confidence", 1.0)),
            )
        )
    return tuple(found)


def _markers_of(scene: Scene) -> tuple[Marker, ...]:
    """The markers that a scene gives its units."""
    found = []
    for unit in scene.units:
        x, y = (float(v) for v in unit.bases.center.mean(axis=0))
        flags = (("fired", unit.fired), ("dug-in", unit.dug_in), ("ready", unit.ready), ("moved", unit.moved))
        found += [Marker(unit.id, means, (x, y)) for means, has in flags if has]
        if unit.hits:
            found.append(Marker(unit.id, "hits", (x, y), unit.hits))
    return tuple(found)


def sighting_from_scene(scene: Scene, name: str) -> Sighting:
    """A sighting from a scene: every base of its units, then the ones with an unknown unit.

    Its units' states are not markers: game and photo are compared elsewhere.
    """
    pieces = []
    for unit in scene.units:
        for i in range(len(unit.bases)):
            unique = None if unit.unique is None else i == unit.unique
            pieces.append(_piece(unit.bases, i, f"{unit.id}.{i + 1}", unit.id, unit.side, unit.kind, unique))
    loose = scene.unassigned
    for i, side in enumerate(loose.sides):
        pieces.append(_piece(loose.bases, i, loose.ids[i], None, side, None, None))
    return Sighting(name, scene.width, scene.depth, scene.rules, tuple(pieces), terrain=scene.terrain)


def _piece(
    bases: Bases, i: int, base_id: str, unit: str | None, side: str | None, kind: str | None, unique: bool | None
) -> BaseSighting:
    turn = float(bases.facing_sigma[i])
    return BaseSighting(
        id=base_id,
        unit=unit,
        side=side,
        kind=kind,
        unique=unique,
        is_round=bool(bases.is_round[i]),
        width=float(bases.width[i]),
        depth=float(bases.depth[i]),
        center=bases.center[i].copy(),
        covariance=bases.covariance[i].copy(),
        facing=float(bases.facing[i]) if math.isfinite(turn) else None,
        facing_sigma=turn,
        is_oval=bool(bases.is_oval[i]),
    )


def check_same_table(before: Sighting, after: Sighting) -> None:
    """Raise SceneError where two sightings can't be of one table and one game."""
    if abs(before.width - after.width) > 1e-6 or abs(before.depth - after.depth) > 1e-6:
        raise SceneError(
            f"{before.name} shows a table of {before.width:g}″ x {before.depth:g}″ and {after.name} one of "
            f"{after.width:g}″ x {after.depth:g}″: name two of the same table."
        )
    if before.rules and after.rules and before.rules != after.rules:
        raise SceneError(
            f"{before.name} is played by {before.rules} and {after.name} by {after.rules}: name two of the same game."
        )
    sides = [{p.side for p in sighting.pieces if p.side} for sighting in (before, after)]
    if sides[0] and sides[1] and not sides[0] & sides[1] and not set(before.units) & set(after.units):
        raise SceneError(
            f"{before.name} and {after.name} have neither a unit nor a side in common: name two of the same game."
        )


def samples(roster: TableFile, known: Sighting) -> list[BaseSighting]:
    """A base of each make, without a place, of all units of a roster that are not on the table yet but may arrive."""
    return [
        BaseSighting(
            id=unit.id,
            unit=unit.id,
            side=unit.side,
            kind=unit.kind,
            unique=None,
            is_round=base.is_round,
            width=base.width_in,
            depth=base.depth_in,
            center=np.zeros(2),
            covariance=np.zeros((2, 2)),
            is_oval=base.is_oval,
        )
        for unit in roster.units
        if unit.id not in known.units
        for base in dict.fromkeys(unit.every_base)
    ]
