"""What is sent of a game step by step: the board after each step, its sentences, what happened drawn."""

from __future__ import annotations

from typing import Literal

from pydantic import FiniteFloat

from api.schemas.games import PatchOut
from api.schemas.tables import Model
from tabletop.boards.data import Board


class TraceOut(Model):
    """Something that happened, to be drawn over the board: a line, an outline, or a ``text`` at its one point. ``look``
    says what it is and the number of the side, as ``move-0``, ``shot-1``, ``ghost-0`` (where a unit stood)."""

    shape: Literal["line", "outline", "text"]
    look: str
    points: list[tuple[FiniteFloat, FiniteFloat]]
    arrow: bool
    text: str


class StepOut(Model):
    """What one action did, as undo takes it back. ``seq`` is its last event; ``turn`` is 0 before the first one;
    ``side`` and ``phase`` are titles, empty where there is none. ``changes`` make the board after it of the one after
    the step before, in the first of an answer of ``ReplayOut.board``. ``photo`` is the table's last photo by then."""

    number: int
    seq: int
    turn: int
    side: str
    phase: str
    says: list[str]
    changes: list[PatchOut]
    traces: list[TraceOut]
    photo: str | None


class TurnStepOut(Model):
    """A turn, and the number of its first step."""

    turn: int
    step: int


class ReplayOut(Model):
    """Some steps of a game, one after another, as this device may see them, of ``count`` that stand at event ``seq``;
    the first of all has the number 1. ``at`` is the one that was asked for, ``board`` the one after the first of these.
    """

    id: str
    title: str
    seq: int
    count: int
    at: int
    turns: list[TurnStepOut]
    board: Board
    steps: list[StepOut]
