"""The rows of an observation in JSON (contract, section 3). Inches and degrees clockwise from +y; stored observations
may lack the members marked as not required."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from geometry.bases import ShapeName

AnswerValue = str | float | list[str] | None
"""The value of an answer: a unit, a kind, a number, several units, or nothing."""
Observation = Mapping[str, Any]
"""A whole observation: the reader of photos writes it and :mod:`tabletop.reconcile` reads it. Parts that players open
on demand are folded (:data:`tabletop.identity.question.FOLDED`)."""


class MakeRow(TypedDict):
    """An outline's shape; a round one has the diameter as both width and depth."""

    shape: ShapeName
    width: float
    depth: float


class ShapeRow(MakeRow):
    """An outline that a base may have, with its ``chance``, and its possible facings; ``seen``: the likeliest by
    sight."""

    center: Sequence[float]
    facings: NotRequired[list[float]]
    chance: float
    seen: NotRequired[bool]


class BaseRow(MakeRow):
    """A base as a photo or a player placed it; the unique base of a unit has ``unique``, one without an owner no
    ``unit``. ``facings`` are the possible ones of a base with an open ``facing``."""

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
    """A piece of terrain: its outline, the height of its surface, the top of a hill, and their uncertainty.
    ``shown``: for a piece drawn before the photo, the share that the photo shows, from 0 to 1."""

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
    """The combined evidence of photos on a piece's place: see :class:`tabletop.tables.model.SeenTerrain`."""

    photos: int
    weight: float
    chances: Mapping[str, float]
    stated: NotRequired[bool]


class PlaceRow(TypedDict):
    """A place on the table: one that a player marked as bare, or one that no photo has shown clearly."""

    polygon: Sequence[Sequence[float]]


class RaisedRow(TypedDict):
    """Ground that photos found to be raised: its place, radius, height and standard deviation."""

    center: Sequence[float]
    reach: float
    z: float
    sigma: float


class DieRow(TypedDict):
    """A die: its value, ``None`` if it can't be read; ``symbol``: by a symbol on its upper face."""

    id: NotRequired[str]
    center: Sequence[float]
    value: int | None
    confidence: float
    symbol: NotRequired[bool]


class MarkerRow(TypedDict):
    """A marker, beside a unit or alone; hits have a ``value`` and the dice that count them."""

    id: NotRequired[str]
    unit: str | None
    means: str
    value: NotRequired[int | None]
    dice: NotRequired[list[str]]
    center: Sequence[float]
    confidence: float
    method: NotRequired[str]


class AnswerRow(TypedDict):
    """A possible answer, its chance, and its text for people."""

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
    """An answer, ``by`` a player or by elimination; ``at``: the place that it is about."""

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
