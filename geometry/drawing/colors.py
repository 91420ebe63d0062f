"""Colours as ``#rrggbb``."""

from __future__ import annotations


def rgb(color: str) -> tuple[int, int, int]:
    """Red, green, blue of ``#rrggbb``.

    >>> rgb("#ff8000")
    (255, 128, 0)
    """
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def ink_on(color: str) -> str:
    """Black or white, whichever reads better on a colour (relative luminance after WCAG 2)."""
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb(color)))
    return "#000000" if 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.22 else "#ffffff"
