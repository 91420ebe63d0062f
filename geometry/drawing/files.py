"""A finished picture as the file that its name asks for."""

from __future__ import annotations

from geometry.drawing.scene import Sheet

ENDINGS = (".svg", ".png")


def sheet_bytes(sheet: Sheet, ending: str, *, title: str, description: str = "") -> bytes:
    """The picture as ``.svg`` (with its title and description for people who hear it) or ``.png``; ValueError for
    another ending."""
    if ending == ".svg":
        from geometry.drawing.svg import svg_text

        return svg_text(sheet, title=title, description=description).encode()
    if ending != ".png":
        raise ValueError(f"no picture is drawn as {ending!r}.")
    from geometry.drawing.png import png_bytes

    return png_bytes(sheet)
