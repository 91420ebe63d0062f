"""The exit statuses of the command line, in one place: the manual page and docs/command-line.md have the same list."""

from __future__ import annotations

from types import MappingProxyType

DONE, REFUSED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130

EXITS = MappingProxyType(
    {
        DONE: "Success.",
        REFUSED: "The rules forbid the action, dice are missing, `doctor` found a problem, or the reader of a pipe "
        "closed it. In a game nothing was written.",
        UNUSABLE: "The command or its input can't be used. One sentence on standard error says why and what to do; "
        "nothing was written.",
        INTERRUPTED: "Ended by Ctrl-C. `serve`, `work` and `watch`, which run until then, end with 0.",
    }
)
"""The meaning of each status."""
