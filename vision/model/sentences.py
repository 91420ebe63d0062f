"""Pieces of sentences that people read."""

from __future__ import annotations

from collections.abc import Sequence


def join_names(names: Sequence[object]) -> str:
    """Names, or anything printed as one, in a row.

    >>> join_names([4]), join_names(["A1", "A2", "B1"])
    ('4', 'A1, A2 and B1')
    """
    words = [str(name) for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
