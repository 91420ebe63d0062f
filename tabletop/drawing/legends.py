"""Legends of maps from what a game's signs mean (:mod:`tabletop.boards.legend`), the same words as on the phone."""

from __future__ import annotations

from geometry.drawing.scene import Key
from tabletop.boards.legend import legend_of


def badge_keys(rules: str) -> tuple[Key, ...]:
    """The badges of a game's units in a map's legend; each shows where it occurs."""
    return tuple(Key((f"badge-{badge.id}",), badge.says, "chip", badge.text) for badge in legend_of(rules).badges)
