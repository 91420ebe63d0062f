"""What is sent when a photo of the table is compared with the game."""

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
"""An :data:`~tabletop.identity.observation_rows.AnswerValue` as a device says it: a number is finite."""


class QuestionOut(Model):
    """Something that the photo leaves open. ``about`` is what it asks of, ``answers`` are the likeliest first,
    ``covers`` the bases that it concerns, ``others`` further answers that are possible, ``center`` where on the table
    it lies (inches)."""

    id: str
    about: str
    ask: str
    says: str
    answers: list[Answer]
    others: list[str]
    covers: list[list[str]]
    center: Point | None


class ProposalOut(Model):
    """Something that the photo says has happened: whose it is, the action in words, what speaks against it.

    ``verdict``: whether the rules allow it, by all that speaks against it. ``certain``: the photo leaves no other
    reading; ``acceptable``: it may be carried out as it is; ``mine``: this device may say so. ``needs`` are the dice
    that go with it, ``seen`` is what was measured.
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
    """Whether the photo follows the game, and if not why, and the ways back."""

    state: State
    reasons: list[str]
    ways_back: list[WayBack]


class AnsweredOut(Model):
    """What was said last of the photo, an answer or what was put right of a base, while nothing else was changed on
    the table: it can be taken back."""

    question: str
    says: str


class SeenBaseOut(Model):
    """A base where the photo shows it or hands have put it right (``by_hand``), and the unit that it was given to."""

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

    ``annotated`` is the photo with what was found drawn in, ``upright`` as it is (null where it is not kept); ``bases``
    and ``units`` count what was found, ``outlines`` are the bases; ``answered`` is what may be taken back;
    ``overrule``: this device may let things happen as the referee, and take the photo as the truth. ``correctable``:
    its bases may be put right before anything is carried out, ``sizable``: their outlines too; ``drawable``: this
    device may draw terrain on the photo. ``further``: questions that may be answered besides, among them those about
    possible pieces of terrain.
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
    """The answer to a question of the look."""

    question: Name
    value: SaidValue


class BaseWish(Wish):
    """What is put right of a base that a photo shows: what is not said stays. Inches and degrees.

    ``unit`` is whose base it is, empty where it is nobody's; of a round base ``depth`` is as ``width``.
    ``shape`` is the outline; ``round`` says no more than that it is a circle, or a rectangle, and counts before it.
    """

    center: Point | None = None
    facing: FiniteFloat | None = None
    unit: Annotated[str, Field(max_length=80)] | None = None
    width: Annotated[FiniteFloat, Field(ge=0.1, le=MAX_BASE_IN)] | None = None
    depth: Annotated[FiniteFloat, Field(ge=0.1, le=MAX_BASE_IN)] | None = None
    round: bool | None = None
    shape: ShapeName | None = None


class AcceptWish(Wish):
    """What of a look is to be carried out: proposals by their ids, or all that are certain and legal (null).

    ``answers`` are actions, by proposal, where one asks what happened: one of its own answers, as JSON or in words.
    ``dice`` are the faces as rolled, by proposal; ``roll`` has those thrown that are not said. ``id`` and ``after`` as
    for a command.
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
    """What the referee would correct so that the game stands as it was seen. ``certain`` ones are carried out when
    none is chosen; one without an ``action`` can't be, and its ``says`` tells what is missing."""

    id: str
    unit: str | None
    what: str
    says: str
    action: str
    certain: bool
    violations: list[Violation]


class TruthOut(Model):
    """All that differs between the game after event ``seq`` and the table's last photo, taken as the truth."""

    seq: int
    corrections: list[CorrectionOut]
    open: int


class TruthWish(Wish):
    """The corrections that are to be carried out by their ids, or all that are certain (null)."""

    id: CommandId
    after: Annotated[int, Field(ge=0, le=10_000_000)]
    chosen: Annotated[list[Name], Field(max_length=200)] | None = None
    reason: Annotated[str, Field(max_length=400)] = ""
