"""Schemas of a game step by step: the board after each step, its sentences, and drawings of what happened."""

from __future__ import annotations

from typing import Literal

from pydantic import FiniteFloat

from api.schemas.games import PatchOut
from api.schemas.tables import Model
from tabletop.boards.data import Board


class TraceOut(Model):
    """An event to draw over the board: a line, an outline, or a ``text`` at its one point. ``look`` is its kind and the
    number of the side, as ``move-0``, ``shot-1``, ``ghost-0`` (where a unit was)."""

    shape: Literal["line", "outline", "text"]
    look: str
    points: list[tuple[FiniteFloat, FiniteFloat]]
    arrow: bool
    text: str


class StepOut(Model):
    """The events of one action, as undo takes it back. ``seq`` is its last event; ``turn`` is 0 before the first one;
    ``side`` and ``phase`` are titles, or empty. ``changes`` lead from the board after the step before to the board
    after this one, in an answer's first step from ``ReplayOut.board``. ``photo`` is the table's last photo by then."""

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
    """Some consecutive steps of a game, as this device may see them, of ``count`` up to event ``seq``; the game's first
    step has the number 1. ``at`` is the requested one, ``board`` the one after the first of these.
    """

    id: str
    title: str
    seq: int
    count: int
    at: int
    turns: list[TurnStepOut]
    board: Board
    steps: list[StepOut]
