"""A photo's reading of the table: the observation of contract section 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calibration import TableView
from geometry import Bases
from geometry.bases import shape_name
from vision.model.earlier import RaisedGround
from vision.model.expected import (
    SAME_SIZE_IN,
    BaseShape,
    ExpectedTerrain,
    ExpectedUnit,
    OtherShape,
    Outline,
    Rival,
    TerrainEvidence,
)

"""Bases of one make differ by less, and so do the sides of a square one."""


@dataclass(frozen=True)
class BaseLabel:
    """What is known of one base besides its place; ``None`` is unknown, never a guess. ``confidence``: how sure it is
    that a base is there; ``method``: tag, outline, shape; ``rivals``: other shapes that it may have, the most likely
    first; ``sides``: for a base of unknown side the chance of each, if known; ``alike``: a number that it
    shares with bases of unknown side that look like it. ``z_sigma``: standard deviation of ``z``, and ``lean``: how its
    place moves for each inch that it is higher."""

    id: str
    unit: str | None
    tag: int | None
    side: str | None
    kind: str | None
    unique: bool | None
    z: float
    confidence: float
    method: str
    facing_known: bool = True
    rivals: tuple[Rival, ...] = ()
    sides: tuple[tuple[str, float], ...] = ()
    alike: int | None = None
    z_sigma: float | None = None
    lean: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class PhotoView:
    """One photo of an observation: its file name, its pixel size (upright) and the camera over the table."""

    file: str
    width: int
    height: int
    view: TableView


@dataclass(frozen=True)
class SeenDie:
    """A die: the middle of it on the table in inches, the number that it shows (``None``: unreadable; ``chances`` then
    are those of 1 to 6, or empty where no number is likelier). ``symbol``: its upper face bears a symbol, and
    ``value`` is its meaning; ``symbols_asked``: where that is not known, a number that dice of one look share."""

    center: tuple[float, float]
    value: int | None
    confidence: float
    chances: tuple[float, ...] = ()
    symbol: bool = False
    symbols_asked: int | None = None


@dataclass(frozen=True)
class SeenMarker:
    """A proposal, never a fact: the thing at ``center`` marks ``unit``, or no unit in particular (``None``).

    ``means``: fired, dug-in, ready, moved or hits; ``value``: of hits, the sum of the dice there, ``None`` where one of
    them can't be read. ``method``: cotton, tag or dice; ``dice``: rows of the observation's dice that it counts.
    """

    unit: str | None
    means: str
    center: tuple[float, float]
    confidence: float
    method: str
    value: int | None = None
    dice: tuple[int, ...] = ()


Value = str | int | float | tuple[str, ...] | None
"""The value of an answer; ``None``: nothing (not a unit, no unit's, not there)."""


@dataclass(frozen=True)
class Answer:
    """One possible answer to a question: the value to be stored, its chance, and its words."""

    value: Value
    chance: float
    says: str


@dataclass(frozen=True)
class Question:
    """A doubt about a photo, to be resolved with one tap: ``about`` is the id of a base, die, marker, unit or piece
    of terrain, ``ask`` the field in doubt (unit, units, side, there, facing, unique, value, whose, kind, presence),
    ``answers`` are ranked, the most likely first.

    ``covers`` are all ids that the answer counts for: one group, or with ``units`` a group for each unit of the answer,
    in its order. ``others`` are further values that are possible. A question ``after`` another makes sense once that
    one has been answered with a unit.
    """

    id: str
    about: str
    ask: str
    says: str
    answers: tuple[Answer, ...]
    covers: tuple[tuple[str, ...], ...] = ()
    others: tuple[Value, ...] = ()
    after: str | None = None

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        return {
            "id": self.id,
            "about": self.about,
            "ask": self.ask,
            "says": self.says,
            "answers": [{"value": _plain(a.value), "chance": round(a.chance, 3), "says": a.says} for a in self.answers],
            "covers": [list(ids) for ids in self.covers],
            "others": [_plain(value) for value in self.others],
            "after": self.after,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Question:
        """The question of ``to_json``."""
        answers = tuple(Answer(_value(a["value"]), float(a["chance"]), str(a["says"])) for a in data["answers"])
        covers = tuple(tuple(ids) for ids in data["covers"])
        others = tuple(_value(v) for v in data["others"])
        return cls(data["id"], data["about"], data["ask"], data["says"], answers, covers, others, data["after"])


def _plain(value: Value) -> str | int | float | list[str] | None:
    return list(value) if isinstance(value, tuple) else value


def _value(value: Any) -> Value:
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class Advice:
    """What would make the next photo better: ``code`` names the action, ``says`` is the sentence with its numbers,
    ``worth`` is how many inches of spread (at 95 %, where the table is known worst) it is expected to save; ``None``
    if that can't be computed."""

    code: str
    says: str
    worth_in: float | None = None


@dataclass(frozen=True)
class StatedBase:
    """The place of a base as an observation states it, rounded: size, centre and height of the surface below it in
    inches, facing and its sigma in degrees (``None``: not known), covariance in square inches."""

    is_round: bool
    width: float
    depth: float
    center: tuple[float, float]
    z: float
    facing: float | None
    covariance: tuple[tuple[float, float], tuple[float, float]]
    facing_sigma: float | None
    is_oval: bool = False


@dataclass(frozen=True, eq=False)
class Observation:
    """Bases (with covariance) and their labels, row by row; terrain, given or read; dice; markers beside units; the
    first questions for the players, and ``further`` ones that they may answer, with the ``roster`` that they
    are about; ``possible``: terrain that needs confirmation, each piece by one of the ``further`` questions; advice for
    the next photo, worth most first; warnings in words; ``bare``: outlines where a player said that there is no
    terrain, ``unseen``: outlines of places that no photo of the table has shown plainly so far; ``raised``: ground that
    was found high, used for the next photo of the table; ``turns``: other rotations of the table that are possible, in
    quarters."""

    table: tuple[float, float]
    photos: tuple[PhotoView, ...]
    bases: Bases
    labels: tuple[BaseLabel, ...]
    terrain: tuple[ExpectedTerrain, ...] = ()
    dice: tuple[SeenDie, ...] = ()
    markers: tuple[SeenMarker, ...] = ()
    questions: tuple[Question, ...] = ()
    further: tuple[Question, ...] = ()
    possible: tuple[ExpectedTerrain, ...] = ()
    roster: tuple[ExpectedUnit, ...] = ()
    advice: tuple[Advice, ...] = ()
    warnings: tuple[str, ...] = ()
    bare: tuple[Outline, ...] = ()
    unseen: tuple[Outline, ...] = ()
    timings_s: tuple[tuple[str, float], ...] = ()
    raised: tuple[RaisedGround, ...] = ()
    turns: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.bases) != len(self.labels):
            raise ValueError(f"Observation has {len(self.bases)} bases but {len(self.labels)} labels.")

    def shape_of(self, row: int) -> BaseShape:
        """The likeliest shape of a base, its thickness left open."""
        base = self.bases
        sizes = float(base.width[row]), float(base.depth[row])
        return BaseShape(*sizes, 0.0, bool(base.is_round[row]), bool(base.is_oval[row]))

    def to_json(self) -> dict[str, Any]:
        """The contract's mapping."""
        return {
            "version": 1,
            "units": "inches",
            "table": {"width": self.table[0], "depth": self.table[1]},
            "photos": [
                {
                    "file": p.file,
                    "width": p.width,
                    "height": p.height,
                    "K": p.view.camera.K.tolist(),
                    "dist": p.view.camera.dist.tolist(),
                    "R": p.view.R.tolist(),
                    "t": p.view.t.tolist(),
                    "rms_px": round(p.view.rms_px, 4),
                    "markers_seen": list(p.view.markers_seen),
                }
                for p in self.photos
            ],
            "bases": [self._base(i) for i in range(len(self.bases))],
            "terrain": [_terrain(piece) for piece in self.terrain],
            "dice": [
                {
                    "id": die_id(row),
                    "center": _round_center(d.center),
                    "value": d.value,
                    "confidence": round(d.confidence, 3),
                    **({"symbol": True} if d.symbol else {}),
                }
                for row, d in enumerate(self.dice)
            ],
            "markers": [
                {
                    "id": marker_id(row),
                    "unit": m.unit,
                    "means": m.means,
                    **({"value": m.value} if m.means == "hits" else {}),
                    **({"dice": [die_id(k) for k in m.dice]} if m.dice else {}),
                    "center": _round_center(m.center),
                    "confidence": round(m.confidence, 3),
                    "method": m.method,
                }
                for row, m in enumerate(self.markers)
            ],
            "questions": [question.to_json() for question in self.questions],
            "roster": [_unit(unit) for unit in self.roster],
            "advice": [
                {"code": a.code, "says": a.says, "worth": None if a.worth_in is None else round(a.worth_in, 3)}
                for a in self.advice
            ],
            "warnings": list(self.warnings),
            **({"further_questions": [question.to_json() for question in self.further]} if self.further else {}),
            **({"possible_terrain": [_terrain(piece) for piece in self.possible]} if self.possible else {}),
            **{
                key: [{"polygon": [list(point) for point in ring]} for ring in rings]
                for key, rings in (("bare", self.bare), ("unseen", self.unseen))
                if rings
            },
            **({"raised": [ground.to_json() for ground in self.raised]} if self.raised else {}),
        }

    def stated_base(self, i: int) -> StatedBase:
        """Base ``i`` as the observation states it."""
        label, bases = self.labels[i], self.bases
        known = label.facing_known and not bool(bases.is_round[i] and label.unique is not True and label.tag is None)
        (xx, xy), (yx, yy) = ((round(float(v), 8) for v in row) for row in bases.covariance[i])
        return StatedBase(
            is_round=bool(bases.is_round[i]),
            width=round(float(bases.width[i]), 4),
            depth=round(float(bases.depth[i]), 4),
            center=(round(float(bases.center[i, 0]), 4), round(float(bases.center[i, 1]), 4)),
            z=round(label.z, 4),
            facing=round(float(bases.facing[i]) % 360.0, 3) if known else None,
            covariance=((xx, xy), (yx, yy)),
            facing_sigma=round(float(bases.facing_sigma[i]), 3) if known else None,
            is_oval=bool(bases.is_oval[i]),
        )

    def _base(self, i: int) -> dict[str, Any]:
        label, stated = self.labels[i], self.stated_base(i)
        return {
            "id": label.id,
            "unit": label.unit,
            "tag": label.tag,
            "side": label.side,
            "kind": label.kind,
            "unique": label.unique,
            "shape": shape_name(stated.is_round, stated.is_oval),
            "width": stated.width,
            "depth": stated.depth,
            "center": list(stated.center),
            "z": stated.z,
            **({} if label.z_sigma is None else {"z_sigma": round(label.z_sigma, 4)}),
            **({} if label.lean is None else {"lean": [round(value, 5) for value in label.lean]}),
            "facing": stated.facing,
            "covariance": [list(row) for row in stated.covariance],
            "facing_sigma": stated.facing_sigma,
            **({} if stated.facing is not None or stated.is_round else self._ways(i)),
            **({} if label.alike is None else {"alike": label.alike}),
            **({"shapes": [_rival(rival) for rival in label.rivals]} if label.rivals else {}),
            "confidence": round(label.confidence, 3),
            "method": label.method,
        }

    def _ways(self, i: int) -> dict[str, Any]:
        """The facings that a base may have which is known up to half a turn, a quarter for a square one."""
        bases = self.bases
        ways = _facings(float(bases.width[i]), float(bases.depth[i]), float(bases.facing[i]))
        return {"facings": ways, "facings_sigma": round(float(bases.facing_sigma[i]), 3)}


def _facings(width: float, depth: float, facing: float) -> list[float]:
    """The directions in which a rectangle that lies so may face."""
    turns = (0, 90, 180, 270) if abs(width - depth) <= SAME_SIZE_IN else (0, 180)
    return [round((facing + turn) % 360.0, 3) for turn in turns]


def _rival(rival: Rival) -> dict[str, Any]:
    shape = rival.shape
    return {
        **_shape(shape),
        "center": _round_center(rival.center),
        **({} if shape.is_round else {"facings": _facings(shape.width, shape.depth, rival.facing)}),
        "chance": round(rival.chance, 3),
    }


def _terrain(piece: ExpectedTerrain) -> dict[str, Any]:
    return {
        "id": piece.id,
        "kind": piece.kind,
        "polygon": [list(point) for point in piece.polygon],
        "height": piece.height,
        "confidence": stated_confidence(piece),
        "sigma": stated_sigma_in(piece),
        **({"hill_top": [list(point) for point in piece.hill_top]} if piece.hill_top else {}),
        **({"evidence": _evidence(piece.evidence)} if piece.evidence else {}),
        **({} if piece.shown is None else {"shown": round(piece.shown, 3)}),
    }


def _evidence(told: TerrainEvidence) -> dict[str, Any]:
    return {
        "photos": told.photos,
        "weight": round(told.weight, 3),
        "chances": dict(stated_chances(told)),
        **({"stated": True} if told.stated else {}),
    }


def stated_confidence(piece: ExpectedTerrain) -> float:
    """How sure a piece is there and of its kind, as an observation states it."""
    return round(piece.confidence, 3)


def stated_chances(told: TerrainEvidence) -> tuple[tuple[str, float], ...]:
    """The chances of each kind and of "nothing", as an observation states them."""
    return tuple((kind, round(chance, 3)) for kind, chance in told.chances)


def stated_sigma_in(piece: ExpectedTerrain) -> float:
    """How far (one standard deviation) an outline's edge may be off, as an observation states it, inches."""
    return round(piece.sigma_in, 3)


def die_id(row: int) -> str:
    """The id of a die, by its row counted from 1."""
    return f"die{row + 1}"


def marker_id(row: int) -> str:
    """The id of a marker, by its row counted from 1."""
    return f"marker{row + 1}"


def _unit(unit: ExpectedUnit) -> dict[str, Any]:
    return {
        "id": unit.id,
        "side": unit.side,
        "kind": unit.kind,
        "bases": unit.bases,
        "tag": unit.tag,
        "base": _shape(unit.shape),
        "unique_base": _shape(unit.unique_shape),
        **({"other_bases": [_other(other) for other in unit.other_shapes]} if unit.other_shapes else {}),
    }


def _other(other: OtherShape) -> dict[str, Any]:
    return {"count": other.count, **_shape(other.shape)}


def _shape(shape: BaseShape) -> dict[str, Any]:
    return {"shape": shape_name(shape.is_round, shape.is_oval), "width": shape.width, "depth": shape.depth}


def _round_center(center: tuple[float, float]) -> list[float]:
    return [round(center[0], 4), round(center[1], 4)]
