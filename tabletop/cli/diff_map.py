"""A map of changes: former and present places of units, and the straight lines between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from geometry import Bases
from geometry.drawing.marks import Label, Mark, Marks, Style, circle, line, polygon
from geometry.drawing.marks_svg import svg_text
from geometry.drawing.terrain import terrain_color
from geometry.zones import outlines
from tabletop.drawing.looks import side_colors

if TYPE_CHECKING:
    from tabletop.changes.detection import Changes, UnitChange
    from tabletop.changes.proposals import MoveRuling
    from tabletop.identity.table_snapshot import BaseSighting

_UNKNOWN, _GHOST, _WRONG = "#6a6a6a", "#8a8578", "#d9480f"


def changes_svg(changes: Changes, rulings: Mapping[str, MoveRuling]) -> str:
    """The map as a self-contained SVG document: former places are dashed, present ones filled, moves are lines.

    Terrain that the photo is not certain of is dashed and hardly filled. Lines of moves that the rules forbid are
    orange, and so are the units that can't be told apart.
    """
    sides = _side_colors(changes)
    ground: list[Mark] = [
        polygon(
            t.polygon,
            style.with_(dashed=True, fill_opacity=0.06, pattern=None) if t.is_doubtful else style,
            layer="terrain",
            title=f"{t.kind} {t.id}" + (f", {t.confidence:.0%} sure" if t.is_doubtful else ""),
        )
        for t in changes.after.terrain
        for style in [Style(color=terrain_color(t.kind), fill=terrain_color(t.kind), casing=False, pattern=t.kind)]
    ]
    before = {piece.id: piece for piece in changes.before.pieces}
    marks = [*ground]
    for change in changes.units:
        marks += [
            _outline(before[b.before], Style(color=_GHOST, dashed=True, casing=False, width_pt=1.6), "before")
            for b in change.bases
            if b.before is not None and change.change != "stayed"
        ]
    for piece in changes.after.pieces:
        color = sides.get(piece.side or "", _UNKNOWN)
        marks.append(_outline(piece, Style(color=color, fill=color, casing=False, width_pt=2.0), "after"))
    for change in changes.units:
        marks += _change_marks(change, rulings.get(change.unit or ""), sides.get(change.side or "", _UNKNOWN))
    kinds = {t.kind: terrain_color(t.kind) for t in changes.after.terrain}
    title = f"From {changes.before.name} to {changes.after.name}"
    return svg_text(
        Marks(tuple(marks)), (changes.after.width, changes.after.depth), title=title, sides=sides, kinds=kinds
    )


def _change_marks(change: UnitChange, ruling: MoveRuling | None, color: str) -> Iterator[Mark]:
    """The line of a move with its length, and the name of a unit that did not stay."""

    wrong = bool(change.doubts) or (ruling is not None and ruling.answer is not None)
    here = change.after if len(change.after) else change.before
    if not len(here):
        return
    middle = here.mean(axis=0)
    at = float(middle[0]), float(middle[1])
    reach = float(np.linalg.norm(here - middle, axis=1).max()) + 0.9
    if change.change == "stayed" and not change.doubts:
        yield Label(at, change.unit or "", color, 15.0, reach_in=reach, solid=False, optional=True)
        return
    shown = _WRONG if wrong else color
    name = change.unit or " or ".join(change.candidates) or "?"
    words = {"removed": "gone", "new": "new", "uncertain": "which?", "unclear": "moved?"}.get(change.change, "")
    if change.change == "moved" and change.distance is not None and len(change.before):
        start = change.before.mean(axis=0)
        yield line(start, middle, Style(color=shown, width_pt=2.6, casing=False), layer="moves")
        yield from _head(start, middle, shown)
        words = f"{change.distance:.1f}″"
    elif change.change in ("turned", "nudged"):
        words = change.turn_words.removeprefix("turned ")
    yield Label(at, f"{name} {words}".strip(), shown, 19.0, reach_in=reach)


def _head(start: Any, end: Any, color: str) -> Iterator[Mark]:
    """Two strokes that turn a line into an arrow."""

    way = np.asarray(end) - np.asarray(start)
    size = float(np.linalg.norm(way))
    if size < 0.5:
        return
    way = way / size
    for turn in (0.45, -0.45):
        c, s = np.cos(turn), np.sin(turn)
        back = np.array([c * way[0] - s * way[1], s * way[0] + c * way[1]])
        yield line(end, np.asarray(end) - 0.7 * back, Style(color=color, width_pt=2.6, casing=False), layer="moves")


def _outline(piece: BaseSighting, style: Any, layer: str) -> Mark:
    if piece.is_round or piece.facing is None:
        return circle(piece.center, min(piece.width, piece.depth) / 2, style, layer=layer)
    base = Bases.of([piece.center], piece.facing, piece.width, piece.depth, is_oval=piece.is_oval)
    return polygon(outlines(base)[0], style, layer=layer, title=piece.unit or piece.id)


def _side_colors(changes: Changes) -> dict[str, str]:
    """A colour for each side, as in reports."""
    sides = sorted({p.side for s in (changes.before, changes.after) for p in s.pieces if p.side})
    return dict(zip(sides, side_colors(sides), strict=True))
