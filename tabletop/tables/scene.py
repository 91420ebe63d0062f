"""A scene: a table with the game's state, typed by a player (contract section 4) or seen in a photo (section 3).

``scene_from_json`` reads either strictly: any fault is a :class:`~tabletop.errors.SceneError` of one sentence with the
place, the value and the expected form. Nothing is guessed: a facing that the photo leaves open has an infinite
``facing_sigma``; a unit seen without its unique base has ``unique=None``; a base with an open unit is in
``Scene.unassigned``, since it may still threaten a unit or block a sight.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from geometry import Bases
from geometry.bases import SHAPE_NAMES
from tabletop.errors import SceneError
from tabletop.reading import json_fields as read
from tabletop.tables.folded_lists import unfolded
from tabletop.tables.model import SHAPES_SAID, TERRAIN_KINDS

Array = npt.NDArray[np.float64]

_SCENE_KEYS = ("version", "rules", "table", "terrain", "units")
_UNIT_KEYS = ("id", "side", "kind", "hits", "permanent", "dug_in", "ready", "moved", "fired", "bases")
_BASE_KEYS = ("id", "shape", "width", "depth", "diameter", "height", "z", "center", "facing", "unique", "sigma")
_SPREAD_KEYS = ("covariance", "facing_sigma")
_TERRAIN_KEYS = ("id", "kind", "polygon", "height", "hill_top", "sigma", "confidence", "evidence", "shown")
_OBSERVATION_KEYS = (
    "version",
    "units",
    "table",
    "photos",
    "bases",
    "terrain",
    "bare",
    "unseen",
    "dice",
    "markers",
    "questions",
    "further_questions",
    "possible_terrain",
    "roster",
    "advice",
    "settled",
    "as_seen",
    "sync",
    "warnings",
    "rules",
    "timings_s",
    "raised",
)
_SEEN_KEYS = (
    *(*_BASE_KEYS, *_SPREAD_KEYS, "facings", "facings_sigma", "shapes", "alike", "z_sigma", "lean"),
    *("unit", "tag", "side", "kind", "confidence", "method"),
)
SURE_TERRAIN = 0.95
"""The least chance at which a piece of terrain in a photo is reported; a less likely one needs confirmation."""
_WORTH_WEIGHING = 0.05
_SMALLEST_AREA_SQIN = 1e-9  # a terrain outline below this encloses nothing


@dataclass(frozen=True, eq=False)
class Terrain:
    """A terrain feature: outline (k, 2) in table inches (open ring), its height and one sigma of its outline.

    ``hill_top`` (m, 2) marks the top of a hill, if it has one. For terrain in a photo ``confidence`` is the chance that
    it is there and of that kind, ``chances`` are the known chances of all kinds and of "nothing". For terrain drawn
    before the photo ``shown`` is the share of it that the photo shows, from 0 to 1 (``None``: unknown).
    """

    id: str
    kind: str
    polygon: Array
    height: float = 0.0
    hill_top: Array | None = None
    sigma: float = 0.0
    confidence: float = 1.0
    chances: tuple[tuple[str, float], ...] = ()
    shown: float | None = None

    @property
    def is_doubtful(self) -> bool:
        """Whether its presence or kind needs confirmation."""
        return self.confidence < SURE_TERRAIN

    @property
    def other_kind(self) -> str | None:
        """The likeliest other kind with a fair chance, ``None`` without one."""
        told = {k: c for k, c in self.chances if k in TERRAIN_KINDS and k != self.kind and c >= _WORTH_WEIGHING}
        return max(told, key=lambda kind: told[kind], default=None)


@dataclass(frozen=True, eq=False)
class Unit:
    """A unit and its state. ``unique`` is the row of its unique base in ``bases``, ``None`` when it was not seen.

    ``expected_bases`` is its number of bases in the roster, ``None`` if unknown.
    """

    id: str
    side: str
    kind: str
    bases: Bases
    unique: int | None
    hits: int = 0
    permanent: int = 0
    dug_in: bool = False
    ready: bool = False
    moved: bool = False
    fired: bool = False
    expected_bases: int | None = None

    @property
    def missing_bases(self) -> int:
        """How many bases of the roster are not among ``bases``; 0 if the roster is unknown."""
        return max(0, (self.expected_bases or 0) - len(self.bases))


@dataclass(frozen=True, eq=False)
class Unassigned:
    """Bases seen on the table without a known unit, with their sides (``None``: unknown), row by row."""

    bases: Bases = field(default_factory=Bases.empty)
    sides: tuple[str | None, ...] = ()
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Scene:
    """A table ``width`` by ``depth`` inches with its units and terrain; ``rules`` names the ruleset, or ``None``."""

    rules: str | None
    width: float
    depth: float
    units: tuple[Unit, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    unassigned: Unassigned = field(default_factory=Unassigned)

    def unit(self, unit_id: str) -> Unit:
        """The unit of that id; :class:`KeyError` for an unknown id."""
        for unit in self.units:
            if unit.id == unit_id:
                return unit
        raise KeyError(unit_id)


def scene_from_json(data: object, *, roster: Mapping[str, int] | None = None) -> Scene:
    """A scene from the parsed JSON of a scene or of an observation.

    ``roster`` gives the number of bases of each unit, by unit id (a table file has it); other units are taken with the
    bases that they have. A covariance takes precedence over a ``sigma``; a facing of ``null`` becomes 0 degrees with an
    infinite ``facing_sigma``. If a unit's single base is not marked, it is the unit's unique one.

    >>> scene = scene_from_json({"version": 1, "table": {"width": 36, "depth": 36}, "units": [
    ...     {"id": "A1", "side": "blue", "kind": "tank", "bases": [
    ...         {"shape": "rect", "width": 2.5, "depth": 1.75, "center": [10, 7], "facing": 0, "unique": True}]}]})
    >>> scene.unit("A1").unique
    0
    """
    top = read.mapping(data, "The scene")
    observed = "bases" in top or top.get("units") == "inches"
    what = "The observation" if observed else "The scene"
    read.known_keys(top, _OBSERVATION_KEYS if observed else _SCENE_KEYS, what)
    if read.need(top, "version", what) != 1 or isinstance(top["version"], bool):
        raise SceneError(f"{what}: version must be 1, not {read.kind_of(top['version'])}; this program reads no other.")
    rules = read.text_or_none(top.get("rules"), f"{what}: rules")
    table = read.mapping(read.need(top, "table", what), f"{what}: table")
    read.known_keys(table, ("width", "depth"), f"{what}: table")
    size = {
        key: read.positive(read.need(table, key, f"{what}: table"), f"{what}: table {key}")
        for key in ("width", "depth")
    }
    terrain = _terrain_list(unfolded(top).get("terrain", []), what)
    counts = dict(roster or {})
    if observed:
        if top.get("units", "inches") != "inches":
            raise SceneError(f"The observation's units are {top['units']!r}; this program reads inches.")
        bases = _observed_bases(read.sequence(read.need(top, "bases", what), "The observation: bases"))
        return observed_scene(rules, (size["width"], size["depth"]), bases, terrain, counts)
    units = _typed_units(read.sequence(read.need(top, "units", what), "The scene: units"), counts)
    return Scene(rules, size["width"], size["depth"], units, terrain)


def observed_scene(
    rules: str | None,
    size_in: tuple[float, float],
    bases: Iterable[ObservedBase],
    terrain: Iterable[Terrain],
    roster: Mapping[str, int],
) -> Scene:
    """The scene of a table (width and depth in inches) that shows these bases, each of a known or an unknown unit.

    ``roster`` as for :func:`scene_from_json`. Raises SceneError for two bases or pieces of terrain of one id, a unit
    with bases of several or unknown sides or kinds, or one with two unique bases.
    """
    features = _each_once(terrain)
    units, unassigned = _units_of(bases, roster)
    return Scene(rules, *size_in, units, features, unassigned)


def scene_to_json(scene: Scene) -> dict[str, Any]:
    """The contract's mapping of a scene (section 4); ``scene_from_json`` reads it back unchanged.

    Bases without a unit have no place in that format and are left out.
    """
    return {
        "version": 1,
        "rules": scene.rules,
        "table": {"width": scene.width, "depth": scene.depth},
        "terrain": [
            {
                "id": t.id,
                "kind": t.kind,
                "polygon": t.polygon.tolist(),
                "height": t.height,
                "sigma": t.sigma,
                **({} if t.hill_top is None else {"hill_top": t.hill_top.tolist()}),
                **({} if t.confidence >= 1.0 else {"confidence": t.confidence}),
                **({"evidence": {"chances": dict(t.chances)}} if t.chances else {}),
            }
            for t in scene.terrain
        ],
        "units": [
            {
                **{key: getattr(unit, key) for key in _UNIT_KEYS[:-1]},
                "bases": [_base_to_json(unit.bases, i, unit.unique == i) for i in range(len(unit.bases))],
            }
            for unit in scene.units
        ],
    }


def _base_to_json(bases: Bases, i: int, unique: bool) -> dict[str, Any]:
    covariance, turn = bases.covariance[i], float(bases.facing_sigma[i])
    plain = bool(covariance[0, 1] == 0.0 and covariance[0, 0] == covariance[1, 1] and covariance[1, 0] == 0.0)
    sigma = math.sqrt(float(covariance[0, 0]))
    same = plain and sigma * sigma == float(covariance[0, 0])
    return {
        "shape": bases.shape_name(i),
        "width": float(bases.width[i]),
        "depth": float(bases.depth[i]),
        "center": bases.center[i].tolist(),
        "facing": float(bases.facing[i]) if math.isfinite(turn) else None,
        "unique": unique,
        **({"sigma": sigma} if same else {"covariance": covariance.tolist()}),
        **({"facing_sigma": turn} if math.isfinite(turn) and turn > 0 else {}),
    }


# --- units ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BaseRow:
    """One base: the numbers of a row of Bases and whether it is its unit's unique one (``None``: unknown)."""

    center: tuple[float, float]
    facing: float
    width: float
    depth: float
    is_round: bool
    covariance: tuple[tuple[float, float], tuple[float, float]]
    facing_sigma: float
    unique: bool | None
    is_oval: bool = False


@dataclass(frozen=True)
class ObservedBase:
    """A base as it was seen: ``None`` for a unit, side or kind that is not known."""

    id: str
    unit: str | None
    side: str | None
    kind: str | None
    row: BaseRow


def _stack(rows: Sequence[BaseRow]) -> Bases:
    return Bases(
        center=np.array([b.center for b in rows], dtype=np.float64).reshape(-1, 2),
        facing=np.array([b.facing for b in rows], dtype=np.float64),
        width=np.array([b.width for b in rows], dtype=np.float64),
        depth=np.array([b.depth for b in rows], dtype=np.float64),
        is_round=np.array([b.is_round for b in rows], dtype=bool),
        covariance=np.array([b.covariance for b in rows], dtype=np.float64).reshape(-1, 2, 2),
        facing_sigma=np.array([b.facing_sigma for b in rows], dtype=np.float64),
        is_oval=np.array([b.is_oval for b in rows], dtype=bool),
    )


def _typed_units(entries: Sequence[object], roster: Mapping[str, int]) -> tuple[Unit, ...]:
    units: dict[str, Unit] = {}
    for place, entry in enumerate(entries, 1):
        raw = read.mapping(entry, f"Unit {place}")
        unit_id = read.name(read.need(raw, "id", f"Unit {place}"), f"Unit {place}: id")
        where = f'Unit "{unit_id}"'
        if unit_id in units:
            raise SceneError(f"{where} is listed twice in the scene; give every unit its own id.")
        read.known_keys(raw, _UNIT_KEYS, where)
        listed = read.sequence(read.need(raw, "bases", where), f"{where}: bases")
        if not listed:
            raise SceneError(f"{where} has no bases; give it at least one or leave the unit out.")
        rows = [_base(base, f"{where}, base {i}", (*_BASE_KEYS, *_SPREAD_KEYS)) for i, base in enumerate(listed, 1)]
        hits, permanent = (read.count(raw.get(key, 0), f"{where}: {key}") for key in ("hits", "permanent"))
        if permanent > hits:
            raise SceneError(f"{where} has {permanent} permanent hits but only {hits} hits in total.")
        flags = {
            key: read.flag(raw.get(key, False), f"{where}: {key}") for key in ("dug_in", "ready", "moved", "fired")
        }
        side, kind = (read.name(read.need(raw, key, where), f"{where}: {key}") for key in ("side", "kind"))
        units[unit_id] = Unit(
            unit_id,
            side,
            kind,
            _stack(rows),
            _unique_row(rows, where, roster.get(unit_id)),
            hits,
            permanent,
            **flags,
            expected_bases=roster.get(unit_id),
        )
    return tuple(units.values())


def _observed_bases(entries: Sequence[object]) -> Iterator[ObservedBase]:
    for place, entry in enumerate(entries, 1):
        raw = read.mapping(entry, f"Base {place}")
        base_id = read.name(raw.get("id", f"b{place}"), f"Base {place}: id")
        where = f'Base "{base_id}"'
        row = _base(raw, where, _SEEN_KEYS)
        unit, side, kind = (read.text_or_none(raw.get(key), f"{where}: {key}") for key in ("unit", "side", "kind"))
        yield ObservedBase(base_id, unit, side, kind, row)


def _units_of(bases: Iterable[ObservedBase], roster: Mapping[str, int]) -> tuple[tuple[Unit, ...], Unassigned]:
    """The units of bases, in order of appearance, and the bases without a known unit."""
    grouped: dict[str, list[ObservedBase]] = {}
    unassigned: list[ObservedBase] = []
    ids: set[str] = set()
    for base in bases:
        if base.id in ids:
            raise SceneError(f'Base "{base.id}" is listed twice in the observation; give every base its own id.')
        ids.add(base.id)
        (unassigned if base.unit is None else grouped.setdefault(base.unit, [])).append(base)
    units = []
    for unit_id, members in grouped.items():
        where = f'Unit "{unit_id}"'
        rows = [base.row for base in members]
        units.append(
            Unit(
                unit_id,
                _common_value([base.side for base in members], where, "side"),
                _common_value([base.kind for base in members], where, "kind"),
                _stack(rows),
                _unique_row(rows, where, roster.get(unit_id)),
                expected_bases=roster.get(unit_id),
            )
        )
    sides, names = tuple(base.side for base in unassigned), tuple(base.id for base in unassigned)
    return tuple(units), Unassigned(_stack([base.row for base in unassigned]), sides, names)


def _common_value(values: Sequence[str | None], where: str, key: str) -> str:
    known = sorted({value for value in values if value is not None})
    if len(known) == 1:
        return known[0]
    if known:
        raise SceneError(
            f"{where} has bases of different {key}s: {', '.join(known)}; correct the {key} of one of them."
        )
    raise SceneError(f"{where} has no base with a known {key}; name the unit's {key} in one of its bases.")


def _unique_row(rows: Sequence[BaseRow], where: str, expected: int | None) -> int | None:
    marked = [i for i, row in enumerate(rows) if row.unique is True]
    if len(marked) > 1:
        raise SceneError(f"{where} has {len(marked)} unique bases; exactly one base measures range for a unit.")
    if marked:
        return marked[0]
    alone = len(rows) == 1 and rows[0].unique is None and (expected is None or expected == 1)
    return 0 if alone else None


def _base(entry: object, where: str, keys: tuple[str, ...]) -> BaseRow:
    raw = read.mapping(entry, where)
    read.known_keys(raw, keys, where)
    shape = read.need(raw, "shape", where)
    if shape not in SHAPE_NAMES:
        raise SceneError(f"{where}: shape must be {SHAPES_SAID}, not {read.kind_of(shape)}.")
    is_round = shape == "round"
    if is_round:
        width = read.positive(
            raw["diameter"] if "diameter" in raw else read.need(raw, "width", where), f"{where}: diameter"
        )
        for key in ("width", "depth"):
            if key in raw and abs(read.positive(raw[key], f"{where}: {key}") - width) > 1e-3:
                raise SceneError(f"{where} is round, so its {key} must be its diameter {width:g}, not {raw[key]!r}.")
        depth = width
    elif "diameter" in raw:
        kind = "rectangular" if shape == "rect" else "oval"
        raise SceneError(f"{where} is {kind} and has a diameter; give width and depth instead.")
    else:
        width, depth = (read.need(raw, key, where) for key in ("width", "depth"))
    for key in ("z", "height"):
        if raw.get(key) is not None:
            read.number(raw[key], f"{where}: {key}")
    return base_row(
        where,
        width=width,
        depth=depth,
        is_round=is_round,
        center=read.need(raw, "center", where),
        facing=raw.get("facing") if is_round else read.need(raw, "facing", where),
        facing_sigma=raw.get("facing_sigma"),
        covariance=raw.get("covariance"),
        sigma=raw.get("sigma"),
        unique=raw.get("unique"),
        is_oval=shape == "oval",
    )


def base_row(
    where: str,
    *,
    width: object,
    depth: object,
    is_round: bool,
    center: object,
    facing: object,
    facing_sigma: object = None,
    covariance: object = None,
    sigma: object = None,
    unique: object = None,
    is_oval: bool = False,
) -> BaseRow:
    """A base of these numbers (inches, square inches and degrees), ``None`` for unknown ones; ``where`` names it in
    errors.

    A covariance takes precedence over a ``sigma``. Raises SceneError for an invalid number, a size of 0, a spread below
    0 or a covariance that is not symmetric.
    """
    turn = 0.0 if facing_sigma is None else facing_sigma
    return BaseRow(
        width=read.positive(width, f"{where}: width"),
        depth=read.positive(depth, f"{where}: depth"),
        is_round=is_round,
        center=read.point(center, f"{where}: center"),
        facing=0.0 if facing is None else read.number(facing, f"{where}: facing"),
        covariance=_spread(covariance, sigma, where),
        facing_sigma=math.inf if facing is None else read.not_negative(turn, f"{where}: facing_sigma"),
        unique=None if unique is None else read.flag(unique, f"{where}: unique"),
        is_oval=is_oval,
    )


def _spread(covariance: object, sigma: object, where: str) -> tuple[tuple[float, float], tuple[float, float]]:
    if covariance is None:
        spread = 0.0 if sigma is None else read.not_negative(sigma, f"{where}: sigma")
        return (spread * spread, 0.0), (0.0, spread * spread)
    rows = read.sequence(covariance, f"{where}: covariance")
    if len(rows) != 2:
        raise SceneError(f"{where}: covariance must have 2 rows of 2 numbers in square inches, not {len(rows)} rows.")
    first, second = (read.point(row, f"{where}: covariance row {i}") for i, row in enumerate(rows, 1))
    matrix = np.array([first, second])
    slack = 1e-6 * float(np.abs(matrix).max())
    if abs(matrix[0, 1] - matrix[1, 0]) > slack or float(np.linalg.eigvalsh(matrix).min()) < -slack:
        raise SceneError(f"{where}: covariance {matrix.tolist()} is not symmetric with no negative spread.")
    between = (first[1] + second[0]) / 2
    return (first[0], between), (between, second[1])


# --- terrain -------------------------------------------------------------------------------------------------------


def _terrain_list(entries: object, what: str) -> tuple[Terrain, ...]:
    return _each_once(
        _terrain(entry, place) for place, entry in enumerate(read.sequence(entries, f"{what}: terrain"), 1)
    )


def _each_once(terrain: Iterable[Terrain]) -> tuple[Terrain, ...]:
    features: dict[str, Terrain] = {}
    for feature in terrain:
        if feature.id in features:
            raise SceneError(f'Terrain "{feature.id}" is listed twice in the scene; give every feature its own id.')
        features[feature.id] = feature
    return tuple(features.values())


def _terrain(entry: object, place: int) -> Terrain:
    raw = read.mapping(entry, f"Terrain {place}")
    feature_id = read.name(read.need(raw, "id", f"Terrain {place}"), f"Terrain {place}: id")
    where = f'Terrain "{feature_id}"'
    read.known_keys(raw, _TERRAIN_KEYS, where)
    feature = terrain_feature(
        feature_id,
        read.need(raw, "kind", where),
        read.need(raw, "polygon", where),
        height=raw.get("height"),
        hill_top=raw.get("hill_top"),
        sigma=raw.get("sigma"),
        confidence=raw.get("confidence"),
        chances=_chances(raw.get("evidence"), f"{where}: evidence"),
    )
    shown = raw.get("shown")
    return feature if shown is None else replace(feature, shown=read.not_negative(shown, f"{where}: shown"))


def _chances(evidence: object, where: str) -> tuple[tuple[str, float], ...]:
    """The chances in an observation's or a scene's terrain, if any."""
    if evidence is None:
        return ()
    told = read.mapping(read.mapping(evidence, where).get("chances", {}), f"{where}: chances")
    return tuple((str(kind), read.not_negative(chance, f"{where}: chances")) for kind, chance in told.items())


def terrain_feature(
    feature_id: str,
    kind: object,
    polygon: object,
    *,
    height: object = None,
    hill_top: object = None,
    sigma: object = None,
    confidence: object = None,
    chances: tuple[tuple[str, float], ...] = (),
) -> Terrain:
    """A terrain feature, its outline checked: points in table inches, closed or open.

    Raises SceneError for an unknown kind, an outline that encloses nothing or crosses itself, a top on another kind
    than a hill or outside the hill, or a height, ``sigma`` or ``confidence`` below 0.
    """
    where = f'Terrain "{feature_id}"'
    if kind not in TERRAIN_KINDS:
        raise SceneError(
            f"{where} is of an unknown kind, {read.kind_of(kind)}; known kinds: {', '.join(TERRAIN_KINDS)}."
        )
    outline = _polygon(polygon, f"{where}: polygon")
    top = None
    if hill_top is not None:
        if kind != "hill":
            raise SceneError(f"{where} is of kind {kind} and has a hill_top; only a hill has a top.")
        top = _polygon(hill_top, f"{where}: hill_top")
        if not shapely.intersects(shapely.polygons(outline), shapely.polygons(top)):
            raise SceneError(f"{where}: hill_top lies outside the hill's outline.")
    height_in, sigma_in = (
        0.0 if value is None else read.not_negative(value, f"{where}: {key}")
        for key, value in (("height", height), ("sigma", sigma))
    )
    sure = 1.0 if confidence is None else read.not_negative(confidence, f"{where}: confidence")
    return Terrain(feature_id, str(kind), outline, height_in, top, sigma_in, min(sure, 1.0), chances)


def _polygon(value: object, where: str) -> Array:
    points = [read.point(point, f"{where}, point {i}") for i, point in enumerate(read.sequence(value, where), 1)]
    if len(points) > 1 and points[0] == points[-1]:
        points = points[:-1]
    if len(points) < 3:
        raise SceneError(f"{where} has {len(points)} points; an outline needs at least 3.")
    ring = np.array(points, dtype=np.float64)
    outline = shapely.polygons(ring)
    if shapely.area(shapely.convex_hull(outline)) < _SMALLEST_AREA_SQIN:
        raise SceneError(f"{where} encloses no area; draw the outline of the feature, not a line.")
    if not shapely.is_valid(outline):
        raise SceneError(
            f"{where} crosses or touches itself{_near(shapely.is_valid_reason(outline))}; draw it without crossings."
        )
    return ring


def _near(reason: str) -> str:
    """The place of an outline's fault, in words, from shapely's reason (``Self-intersection[2 2]``)."""
    place = reason.partition("[")[2].rstrip("]").split()
    return f" near ({float(place[0]):g}, {float(place[1]):g})" if len(place) >= 2 else ""
