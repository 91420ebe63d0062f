"""Kinds of terrain of an open table: the order in which they are drawn, and colours that can be seen over a photo."""

from __future__ import annotations

from collections.abc import Mapping

TERRAIN_ORDER = ("hill", "field", "marsh", "crater", "river", "woods", "town", "ruin", "road", "bridge", "rock", "wall")
"""From below."""
TERRAIN_COLORS: Mapping[str, str] = {
    "woods": "#2f7d32",
    "town": "#6b7079",
    "hill": "#9a6a35",
    "road": "#c9a66b",
    "river": "#2d7fb8",
    "bridge": "#b0a28a",
    "field": "#c7a428",
    "marsh": "#4a938a",
    "wall": "#8a7a62",
    "rock": "#8f8b84",
    "crater": "#8a6a44",
    "ruin": "#8c6f63",
}
_OTHER = "#777777"


def terrain_color(kind: str) -> str:
    """The colour of a kind of terrain in every picture."""
    return TERRAIN_COLORS.get(kind, _OTHER)
