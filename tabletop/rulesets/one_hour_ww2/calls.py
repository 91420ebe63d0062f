"""Calls: what players found at the table of a shot that the measurements leave open, each word with what it settles."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Call(NamedTuple):
    """A circumstance of a shot (a field of ``Circumstances``, ``reach`` or ``sight``), its value, and a title."""

    circumstance: str
    value: object
    title: str


CALLS: Mapping[str, Call] = MappingProxyType(
    {
        "in-reach": Call("reach", True, "In reach"),
        "seen": Call("sight", True, "In sight"),
        "close": Call("band", "close", "Close range"),
        "normal": Call("band", "normal", "Normal range"),
        "long": Call("band", "long", "Long range"),
        "on-front": Call("on_rear", False, "On the target's front"),
        "on-rear": Call("on_rear", True, "On the target's rear"),
        "to-front": Call("to_rear", False, "To the firer's own front"),
        "to-rear": Call("to_rear", True, "To the firer's own rear"),
        "in-woods": Call("in_woods", True, "Target in the woods"),
        "not-in-woods": Call("in_woods", False, "Target not in the woods"),
        "in-town": Call("in_town", True, "Target in the town"),
        "not-in-town": Call("in_town", False, "Target not in the town"),
        "on-top": Call("on_hill_top", True, "Target on the hill top"),
        "not-on-top": Call("on_hill_top", False, "Target not on the hill top"),
    }
)
"""The calls by the words for them."""
