"""A picture as PNG, for pages that take no SVG: drawn three times as large and made smaller, so that edges are soft."""

from __future__ import annotations

import io
import math
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from tabletop.aar.picture import Area, Disc, Flat, Letters, Look, Point, Sheet

_OVER = 3
_PLAIN = str.maketrans(
    {"\u2033": '"', "\u2032": "'", "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2019": "'", "\u2018": "'",
     "\u2605": "*", "\u00d7": "x", "\u00bd": "1/2", "\u00bc": "1/4", "\u00df": "ss", "\u00f8": "o", "\u00d8": "O",
     "\u0142": "l", "\u0141": "L", "\u00e6": "ae", "\u00c6": "AE", "\u201c": '"', "\u201d": '"', "\u2026": "..."}
)  # fmt: skip


def png_bytes(sheet: Sheet, *, width_px: int = 1400) -> bytes:
    """The picture ``width_px`` wide. Letters that the built-in face lacks lose their accents, or become ``?``."""
    scale = width_px * _OVER / sheet.width
    height_px = max(1, round(sheet.height * scale / _OVER))
    image = Image.new("RGB", (width_px * _OVER, height_px * _OVER), "#ffffff")
    pen = ImageDraw.Draw(image)
    for item in sheet.items:
        _draw(pen, item, sheet, scale)
    out = io.BytesIO()
    image.reduce(_OVER).save(out, "PNG")
    return out.getvalue()


def plain(text: str) -> str:
    """A text in the letters that the built-in face has.

    >>> plain("Müller’s 10.4″")
    'Muller\\'s 10.4"'
    """
    split = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    kept = "".join(c for c in split if not unicodedata.combining(c))
    return "".join(c if " " <= c <= "~" else "?" for c in kept)


def _at(point: Point, sheet: Sheet, scale: float) -> tuple[float, float]:
    return (point[0] - sheet.left) * scale, (sheet.top - point[1]) * scale


def _draw(pen: ImageDraw.ImageDraw, item: Flat, sheet: Sheet, scale: float) -> None:
    look = sheet.looks[item.cls]
    if isinstance(item, Letters):
        _letters(pen, item, look, sheet, scale)
        return
    width = max(1, round(look.width * sheet.point_in * scale))
    if isinstance(item, Disc):
        x, y = _at(item.at, sheet, scale)
        r = item.radius_in * scale
        pen.ellipse((x - r, y - r, x + r, y + r), fill=look.fill, outline=look.stroke, width=width)
        return
    points = [_at(p, sheet, scale) for p in item.points]
    if isinstance(item, Area):
        if look.fill:
            pen.polygon(points, fill=look.fill)
        points.append(points[0])
    if look.stroke:
        dash = [d * sheet.point_in * scale for d in look.dash] if look.dash else None
        for run in _dashes(points, dash) if dash else [points]:
            pen.line(run, fill=look.stroke, width=width, joint="curve")


def _dashes(points: list[tuple[float, float]], dash: list[float]) -> list[list[tuple[float, float]]]:
    """A line cut into its dashes."""
    runs: list[list[tuple[float, float]]] = []
    left, on = dash[0], True
    run = [points[0]]
    for (ax, ay), (bx, by) in pairwise(points):
        far, done = math.hypot(bx - ax, by - ay), 0.0
        while far - done > left:
            done += left
            here = (ax + (bx - ax) * done / far, ay + (by - ay) * done / far)
            if on:
                runs.append([*run, here])
            run, on = [here], not on
            left = dash[0] if on else dash[1]
        left -= far - done
        run.append((bx, by))
    if on and len(run) > 1:
        runs.append(run)
    return runs


def _letters(pen: ImageDraw.ImageDraw, item: Letters, look: Look, sheet: Sheet, scale: float) -> None:
    size = max(6, round(item.size * sheet.em_in * scale * 0.96))
    bold = item.cls not in ("ink", "soft", "name")
    halo = round(size * 0.1) if look.halo else round(size * 0.035) if bold else 0
    anchor = {"start": "lm", "middle": "mm", "end": "rm"}[item.anchor]
    ink: Any = look.ink
    pen.text(
        _at(item.at, sheet, scale),
        plain(item.text),
        fill=ink,
        font=_font(size),
        anchor=anchor,
        stroke_width=halo,
        stroke_fill="#ffffff" if look.halo else ink,
    )


@lru_cache(maxsize=32)
def _font(size_px: int) -> Any:
    return ImageFont.load_default(size_px)
