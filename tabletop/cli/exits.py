"""The exit statuses of the command line, in one place: the manual page and docs/command-line.md say the same."""

from __future__ import annotations

from types import MappingProxyType

DONE, REFUSED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130

EXITS = MappingProxyType(
    {
        DONE: "It was done.",
        REFUSED: "The rules forbid the action, dice are missing, `doctor` found something to mend, or the reader of a "
        "pipe went away. In a game nothing was written.",
        UNUSABLE: "The command or what it was given can't be used. One sentence on standard error says why and what to "
        "do; nothing was written.",
        INTERRUPTED: "It was ended by Ctrl-C. `serve`, `work` and `watch`, which go on until then, end with 0.",
    }
)
"""What each says to whoever called."""
