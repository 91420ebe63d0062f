"""What can go wrong with the players' own input.

TabletopError
├── TableFileError       the table file: which line, what was expected
├── SceneError           a scene or observation file that can't be used
├── AnswerError          an answer to a question about a photo that can't be
├── RulesError           a ruleset that is unknown, or that lacks something the scene names
└── UsageError           a command that asks for something impossible (an output folder that is a file ...)
"""

from __future__ import annotations

from tabletop.toml_source import Fault


class TabletopError(Exception):
    """Something the players gave can't be used; the message is one sentence with the next step."""


class TableFileError(TabletopError):
    """The table file is wrong; names the file, the line where it can, and what was expected.

    ``faults`` are all of them, each with ``line`` (``None`` where no line is to blame) and ``text``.
    """

    def __init__(self, message: str, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults


class SceneError(TabletopError):
    """A scene or observation is wrong."""


class AnswerError(TabletopError):
    """There is no such question, or the answer can't be true beside what else is known."""


class RulesError(TabletopError):
    """The ruleset is unknown or does not know something that the scene names."""


class UsageError(TabletopError):
    """The command can't be carried out as asked."""
