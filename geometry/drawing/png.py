"""A picture as PNG, for pages that take no SVG: drawn three times as large and made smaller, so that edges are soft."""

from __future__ import annotations

import io
import math
from itertools import pairwise
from typing import Any

from PIL import Image, ImageDraw

from geometry.drawing.letters import plain
from geometry.drawing.scene import Area, Disc, Flat, Letters, Look, Point, Sheet
from geometry.drawing.text_pixels import face

_OVER = 3


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
    halo = round(size * 0.1) if look.halo else round(size * 0.035) if look.bold else 0
    anchor = {"start": "lm", "middle": "mm", "end": "rm"}[item.anchor]
    ink: Any = look.ink
    pen.text(
        _at(item.at, sheet, scale),
        plain(item.text),
        fill=ink,
        font=face(size),
        anchor=anchor,
        stroke_width=halo,
        stroke_fill="#ffffff" if look.halo else ink,
    )
