"""What can go wrong with the players' own input.

TabletopError
├── TableFileError       the table file: which line, what was expected
├── SceneError           a scene or observation file that can't be used
├── OutlineError         an outline or a line drawn by hand that no terrain can have
├── AnswerError          an answer to a question about a photo that can't be
├── RulesError           a ruleset that is unknown, or that lacks something the scene names
└── UsageError           a command that asks for something impossible (an output folder that is a file ...)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in a file: its line (``None`` where no line is to blame) and what was expected."""

    line: int | None
    text: str

    def __str__(self) -> str:
        return self.text if self.line is None else f"line {self.line}: {self.text}"


MAX_FAULTS_SHOWN = 20


def faults_message(name: str, faults: Sequence[Fault]) -> str:
    """The message of a file ``name`` with some faults: one in a line, more in a list whose tail is counted."""
    if len(faults) == 1:
        return f"{name}{': ' if faults[0].line is None else ', '}{faults[0]}"
    shown = [str(fault) for fault in faults[:MAX_FAULTS_SHOWN]]
    if len(faults) > len(shown):
        shown.append(f"and {len(faults) - len(shown)} more.")
    return "\n  ".join([f"{name} has {len(faults)} faults:", *shown])


class TabletopError(Exception):
    """Something the players gave can't be used; the message is one sentence with the next step.

    ``problem`` is that sentence for everybody. ``typed`` is for those at a terminal alone: how a thing is typed, or
    which option helps. The message is both.
    """

    def __init__(self, problem: str, typed: str = "") -> None:
        super().__init__(f"{problem} {typed}" if typed else problem)
        self.problem = problem


class TableFileError(TabletopError):
    """The table file is wrong; names the file, the line where it can, and what was expected.

    ``faults`` are all of them, each with ``line`` (``None`` where no line is to blame) and ``text``.
    """

    def __init__(self, message: str, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults


class SceneError(TabletopError):
    """A scene or observation is wrong."""


class OutlineError(TabletopError):
    """An outline or a line drawn by hand can't be a piece of terrain."""


class AnswerError(TabletopError):
    """There is no such question, or the answer can't be true beside what else is known."""


class RulesError(TabletopError):
    """The ruleset is unknown or does not know something that the scene names."""


class UsageError(TabletopError):
    """The command can't be carried out as asked."""
