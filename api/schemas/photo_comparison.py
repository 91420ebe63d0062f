"""Schemas of the comparison of a photo with the game."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, FiniteFloat

from api.schemas.games import ActionJson, CommandId, Words
from api.schemas.tables import Model, Name, Outline, PictureOut, Point, Verdict, Wish
from geometry.bases import ShapeName
from tabletop.changes.proposal_list import ActionAnswer
from tabletop.game.protocol import Dice
from tabletop.game.violations import Violation
from tabletop.identity.out_of_step import State, WayBack
from tabletop.identity.question import Answer
from tabletop.identity.unit_motion import SeenChange
from tabletop.reconcile.comparison import PhotoDie
from tabletop.tables.tablefile import MAX_BASE_IN

SaidValue = str | FiniteFloat | list[str] | None
"""An :data:`~tabletop.identity.observation_rows.AnswerValue` as a device sends it: a number is finite."""


class QuestionOut(Model):
    """An open question about the photo. ``about`` is its subject, ``answers`` has the most likely first, ``covers`` the
    bases that it concerns, ``others`` further possible answers, ``center`` its place on the table (inches)."""

    id: str
    about: str
    ask: str
    says: str
    answers: list[Answer]
    others: list[str]
    covers: list[list[str]]
    center: Point | None


class ProposalOut(Model):
    """An event that the photo shows: its side, the action in words, what speaks against it.

    ``verdict``: whether the rules allow it, by everything that speaks against it. ``certain``: the photo allows no
    other reading; ``acceptable``: it can be carried out unchanged; ``mine``: this device may confirm it. ``needs`` are
    its dice, ``seen`` are its measurements.
    """

    id: str
    unit: str | None
    what: str
    told: str
    action: str
    certain: bool
    acceptable: bool
    mine: bool
    verdict: Verdict
    question: str
    side: str
    needs: Dice
    numbers: dict[str, float]
    violations: list[Violation]
    settled: list[Violation]
    answers: list[ActionAnswer]
    seen: SeenChange | None = None


class SyncOut(Model):
    """Whether the photo matches the game, and if not why, and the ways to fix it."""

    state: State
    reasons: list[str]
    ways_back: list[WayBack]


class AnsweredOut(Model):
    """The last answer about the photo or correction of a base, while nothing else on the table has changed since: it
    can be taken back."""

    question: str
    says: str


class SeenBaseOut(Model):
    """A base where the photo shows it or a player has corrected it (``by_hand``), and the unit it was assigned to."""

    id: str
    unit: str | None
    outline: Outline
    center: Point
    facing: float | None
    width: float
    depth: float
    round: bool
    shape: ShapeName
    by_hand: bool


class LookOut(Model):
    """The table's last photo compared with the game after event ``seq``; ``table_seq`` is the table's last event.

    ``annotated`` is the photo with the found bases drawn in, ``upright`` the plain photo (null where it is not kept);
    ``bases`` and ``units`` count the found ones, ``outlines`` are the bases; ``answered`` is what can be taken back;
    ``overrule``: this device may overrule as the referee, and trust the photo. ``correctable``: its bases can be
    corrected before anything is carried out, ``sizable``: their outlines too; ``drawable``: this device may draw
    terrain on the photo. ``further``: optional questions, among them those about possible pieces of terrain.
    """

    seq: int
    table_seq: int
    photo: str
    annotated: PictureOut
    upright: PictureOut | None
    bases: int
    units: int
    outlines: list[SeenBaseOut]
    answered: AnsweredOut | None
    overrule: bool
    correctable: bool
    sizable: bool
    drawable: bool
    sync: SyncOut
    proposals: list[ProposalOut]
    questions: list[QuestionOut]
    further: list[QuestionOut]
    dice: list[PhotoDie]
    warnings: list[str]


class AnswerWish(Wish):
    """The answer to a question of the comparison."""

    question: Name
    value: SaidValue


class BaseWish(Wish):
    """The corrections of a base on a photo: a field left out stays unchanged. Inches and degrees.

    ``unit`` is the unit of the base, empty where it has none; of a round base ``depth`` is as ``width``.
    ``shape`` is the outline; ``round`` only says that it is a circle, or a rectangle, and takes precedence.
    """

    center: Point | None = None
    facing: FiniteFloat | None = None
    unit: Annotated[str, Field(max_length=80)] | None = None
    width: Annotated[FiniteFloat, Field(ge=0.1, le=MAX_BASE_IN)] | None = None
    depth: Annotated[FiniteFloat, Field(ge=0.1, le=MAX_BASE_IN)] | None = None
    round: bool | None = None
    shape: ShapeName | None = None


class AcceptWish(Wish):
    """The proposals to carry out: by their ids, or every certain and legal one (null).

    ``answers`` are actions, by proposal, where a proposal asks what happened: one of the proposal's answers, as JSON or
    in words. ``dice`` are the faces as rolled, by proposal; ``roll`` has the server roll those not given. ``id`` and
    ``after`` as for a command.
    """

    id: CommandId
    after: Annotated[int, Field(ge=0, le=10_000_000)]
    chosen: Annotated[list[Name], Field(max_length=100)] | None = None
    answers: Annotated[dict[Name, Words | ActionJson], Field(max_length=20)] = Field(default_factory=dict)
    measured: bool = False
    overrule: bool = False
    roll: bool = False
    dice: Annotated[
        dict[Name, Annotated[list[Annotated[int, Field(ge=0, le=100)]], Field(max_length=40)]], Field(max_length=100)
    ] = Field(default_factory=dict)
    reason: Annotated[str, Field(max_length=400)] = ""


class CorrectionOut(Model):
    """A correction with which the game would match the photo. ``certain`` ones are carried out when none is chosen; one
    without an ``action`` can't be, and its ``says`` tells players why."""

    id: str
    unit: str | None
    what: str
    says: str
    action: str
    certain: bool
    violations: list[Violation]


class TruthOut(Model):
    """Every difference between the game after event ``seq`` and the table's last photo, if the photo is trusted."""

    seq: int
    corrections: list[CorrectionOut]
    open: int


class TruthWish(Wish):
    """The corrections to carry out by their ids, or every certain one (null)."""

    id: CommandId
    after: Annotated[int, Field(ge=0, le=10_000_000)]
    chosen: Annotated[list[Name], Field(max_length=200)] | None = None
    reason: Annotated[str, Field(max_length=400)] = ""
