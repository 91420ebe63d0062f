"""Errors in the players' own input.

TabletopError
├── TableFileError       the table file, with the line and the expected contents
├── SceneError           a scene or observation file that can't be used
├── OutlineError         an outline or a line drawn by hand that no terrain can have
├── AnswerError          an impossible answer to a question about a photo
├── RulesError           a ruleset that is unknown, or that lacks something the scene names
└── UsageError           a command that asks for something impossible (an output folder that is a file ...)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in a file: its line (``None`` if the fault has no line) and the correct form."""

    line: int | None
    text: str

    def __str__(self) -> str:
        return self.text if self.line is None else f"line {self.line}: {self.text}"


MAX_FAULTS_SHOWN = 20


def faults_message(name: str, faults: Sequence[Fault]) -> str:
    """The message of a file ``name`` with some faults: one in a line, more in a list that ends with the number left
    out."""
    if len(faults) == 1:
        return f"{name}{': ' if faults[0].line is None else ', '}{faults[0]}"
    shown = [str(fault) for fault in faults[:MAX_FAULTS_SHOWN]]
    if len(faults) > len(shown):
        shown.append(f"and {len(faults) - len(shown)} more.")
    return "\n  ".join([f"{name} has {len(faults)} faults:", *shown])


class TabletopError(Exception):
    """Something the players gave can't be used; the message is one sentence with the next step.

    ``problem`` is that sentence, for everyone. ``typed`` is added for users of a terminal only: how to type it, or
    which option helps. The message is both.
    """

    def __init__(self, problem: str, typed: str = "") -> None:
        super().__init__(f"{problem} {typed}" if typed else problem)
        self.problem = problem


class TableFileError(TabletopError):
    """The table file is wrong; the message names the file, the line if known, and the correct form.

    ``faults`` are all of them, each with ``line`` (``None`` if the fault has no line) and ``text``.
    """

    def __init__(self, message: str, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults


class SceneError(TabletopError):
    """A scene or observation is wrong."""


class OutlineError(TabletopError):
    """An outline or a line drawn by hand can't be a piece of terrain."""


class AnswerError(TabletopError):
    """There is no such question, or the answer contradicts other facts."""


class RulesError(TabletopError):
    """The ruleset is unknown or lacks something that the scene names."""


class UsageError(TabletopError):
    """The command can't be carried out as asked."""
