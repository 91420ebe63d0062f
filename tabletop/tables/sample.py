"""The bundled photograph and its table file."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable


def sample_photo() -> Traversable:
    """The photograph."""
    return resources.files("tabletop") / "data" / "demo" / "demo.jpg"


def sample_table() -> Traversable:
    """The table file that its players wrote."""
    return resources.files("tabletop") / "data" / "demo" / "demo.table.toml"
