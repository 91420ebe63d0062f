"""Whether an observation gives heights to the next photo of the same table, and whether that photo follows it."""

from __future__ import annotations

from tabletop.identity.observation_rows import Observation
from tabletop.identity.out_of_step import sync_of
from tabletop.identity.table_snapshot import sighting_from_json


def tells_heights(observation: Observation) -> bool:
    """Whether an observation (contract, section 3) has sight lines or raised ground; older ones have neither.

    >>> tells_heights({"bases": [{"id": "base1", "center": [4.0, 5.0]}]})
    False
    """
    return bool(observation.get("raised")) or any("lean" in base for base in observation.get("bases", ()))


def follows(previous: Observation, observation: Observation) -> bool:
    """Whether a photo's observation can follow the one before: nothing that was read contradicts it.

    Anything that the rules allow units to do counts as possible. Raises SceneError for other data.
    """
    return sync_of(sighting_from_json(previous), sighting_from_json(observation)).in_step
