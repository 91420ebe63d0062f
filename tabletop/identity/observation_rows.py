"""The rows of an observation, as JSON has them (contract, section 3). Inches and degrees clockwise from +y; stored
observations lack what is marked as not required."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from geometry.bases import ShapeName

AnswerValue = str | float | list[str] | None
"""What a question may be answered with: a unit, a kind, a number, units one by one, or nothing of the kind."""
Observation = Mapping[str, Any]
"""An observation as a whole: written by the reader of photos, and read by :mod:`tabletop.reconcile`. What players may
open of it is folded (:data:`tabletop.identity.question.FOLDED`)."""


class MakeRow(TypedDict):
    """An outline's shape; a round one has its diameter twice."""

    shape: ShapeName
    width: float
    depth: float


class ShapeRow(MakeRow):
    """An outline that a base may have, with its ``chance``, and the ways that it may face; ``seen``: as it seems."""

    center: Sequence[float]
    facings: NotRequired[list[float]]
    chance: float
    seen: NotRequired[bool]


class BaseRow(MakeRow):
    """A base where a photo or a hand has it; its unique base has ``unique``, one that no unit owns no ``unit``.
    ``facings`` are those that a base may have whose ``facing`` is open."""

    id: str
    unit: str | None
    side: str | None
    kind: str | None
    unique: bool | None
    tag: int | None
    center: Sequence[float]
    covariance: Sequence[Sequence[float]]
    facing: float | None
    facing_sigma: NotRequired[float | None]
    facings: NotRequired[list[float]]
    facings_sigma: NotRequired[float]
    alike: NotRequired[Any]
    z_sigma: NotRequired[float]
    lean: NotRequired[Sequence[float]]
    shapes: NotRequired[Sequence[ShapeRow]]
    method: str
    confidence: float


class TerrainRow(TypedDict):
    """A piece of terrain: its outline, the height of its surface, the top of a hill, and how far off they may be.
    ``shown``: how much of a piece that was drawn before the photo the photo shows, from 0 to 1."""

    id: str
    kind: str
    polygon: Sequence[Sequence[float]]
    height: NotRequired[float | None]
    confidence: NotRequired[float]
    sigma: NotRequired[float]
    hill_top: NotRequired[Sequence[Sequence[float]] | None]
    evidence: NotRequired[EvidenceRow]
    shown: NotRequired[float]


class EvidenceRow(TypedDict):
    """What photos together say of a piece's place: see :class:`tabletop.tables.model.SeenTerrain`."""

    photos: int
    weight: float
    chances: Mapping[str, float]
    stated: NotRequired[bool]


class PlaceRow(TypedDict):
    """A place of the table: where a player said that there is no terrain, or that no photo has shown plainly."""

    polygon: Sequence[Sequence[float]]


class RaisedRow(TypedDict):
    """Ground that photos found to lie high: where, how far round, its height and standard deviation."""

    center: Sequence[float]
    reach: float
    z: float
    sigma: float


class DieRow(TypedDict):
    """A die: what it shows, ``None`` where that can't be read; ``symbol``: by a symbol on its upper face."""

    id: NotRequired[str]
    center: Sequence[float]
    value: int | None
    confidence: float
    symbol: NotRequired[bool]


class MarkerRow(TypedDict):
    """A marker beside a unit or none; hits have a ``value`` and the dice that count them."""

    id: NotRequired[str]
    unit: str | None
    means: str
    value: NotRequired[int | None]
    dice: NotRequired[list[str]]
    center: Sequence[float]
    confidence: float
    method: NotRequired[str]


class AnswerRow(TypedDict):
    """A possible answer, its chance, and how a person says it."""

    value: AnswerValue
    chance: float
    says: str


class QuestionRow(TypedDict):
    """A :class:`tabletop.identity.question.Question`; one of a ``board`` has the name of its rules."""

    id: str
    about: str
    ask: str
    says: str
    answers: list[AnswerRow]
    covers: list[list[str]]
    others: NotRequired[list[AnswerValue]]
    after: NotRequired[str | None]
    board: NotRequired[str | bool]


class SaidRow(TypedDict):
    """An answer, ``by`` a player or by elimination; ``at``: the place that it was given for."""

    id: str
    ask: str
    value: AnswerValue
    by: str
    at: NotRequired[Sequence[float]]


class SettledRow(SaidRow):
    """The same with its question."""

    about: str
    asked: str
    says: str
    board: NotRequired[str | bool]


class OtherMakeRow(MakeRow):
    """The make of some bases of a unit, and how many these are."""

    count: int


class RosterRow(TypedDict):
    """A unit of the table file: how many bases it has in total, and their make; ``other_bases``: of those that differ
    from ``base``."""

    id: str
    side: str
    kind: str
    bases: int
    base: MakeRow
    unique_base: MakeRow
    other_bases: NotRequired[list[OtherMakeRow]]
