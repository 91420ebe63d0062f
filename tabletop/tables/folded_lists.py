"""The folded lists of an observation, which players open on demand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FOLDED: Mapping[str, str] = {"further_questions": "questions", "possible_terrain": "terrain"}
"""The folded lists, each with the list that is always shown."""


def unfolded(observation: Mapping[str, Any]) -> dict[str, Any]:
    """An observation with its further questions among its questions, and its possible terrain among its terrain:
    everything that rulings may depend on. Raises SceneError if one of them is not a list.

    >>> unfolded({"terrain": [{"id": "t1"}], "possible_terrain": [{"id": "t2"}], "questions": []})
    {'terrain': [{'id': 't1'}, {'id': 't2'}], 'questions': []}
    """
    from tabletop.reading import json_fields as read

    found = {key: value for key, value in observation.items() if key not in FOLDED}
    for folded, shown in FOLDED.items():
        if folded in observation:
            lists = (read.sequence(observation.get(key, []), f"The observation: {key}") for key in (shown, folded))
            found[shown] = [row for rows in lists for row in rows]
    if isinstance(found.get("as_seen"), Mapping):
        found["as_seen"] = unfolded(found["as_seen"])
    return found
