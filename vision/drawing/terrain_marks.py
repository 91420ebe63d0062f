"""Terrain as marks: outlines where its surface is, dashed where they are in doubt, and its names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import shapely

from geometry.drawing.colors import rgb
from geometry.drawing.marks import Label, Path, Style, polygon
from geometry.drawing.terrain import TERRAIN_ORDER, terrain_color
from vision.model.expected import ExpectedTerrain

_ON_HILL = 0.8  # share of a piece that must be within a hill's top for it to be drawn up there


def from_below(terrain: Sequence[ExpectedTerrain]) -> list[ExpectedTerrain]:
    """Terrain in the order in which it is drawn."""
    rank = {kind: k for k, kind in enumerate(TERRAIN_ORDER)}
    return sorted(terrain, key=lambda piece: rank.get(piece.kind, len(rank)))


def terrain_outlines(terrain: Sequence[ExpectedTerrain], *, sure: float, thin_in: float, paper: bool) -> list[Path]:
    """Outlines of terrain. Pieces less certain than ``sure`` are dashed; pieces up to ``thin_in`` high are outlined at
    their surface, higher ones at their foot; pieces on a hill's top are drawn up there. ``paper``: for a map without
    a photo under it."""
    pieces = [piece for piece in from_below(terrain) if len(piece.polygon) >= 3]
    return [path for piece in pieces for path in _outlines(piece, _ground(piece, pieces), sure, thin_in, paper)]


def terrain_names(terrain: Sequence[ExpectedTerrain], asked: Mapping[str, str], *, sure: float) -> list[Label]:
    """The kind of each piece, where there is room; of one less certain than ``sure`` how sure it is, and ``asked``, the
    questions about it."""
    pieces = [piece for piece in terrain if len(piece.polygon) >= 3]
    return [_name(piece, _ground(piece, pieces), asked.get(piece.id, ""), sure) for piece in pieces]


def _ground(piece: ExpectedTerrain, every: Sequence[ExpectedTerrain]) -> float:
    """Height of the surface under a piece: the top of a hill that holds nearly the whole piece, else the table."""
    if piece.kind in ("hill", "bridge"):
        return 0.0
    own = piece.shape
    under = [
        hill.height for hill in every if hill.kind == "hill" and hill.top.intersection(own).area > _ON_HILL * own.area
    ]
    return max(under, default=0.0)


def _outlines(piece: ExpectedTerrain, ground: float, sure: float, thin_in: float, paper: bool) -> list[Path]:
    color = terrain_color(piece.kind)
    doubt = piece.confidence < sure
    opacity = 0.35 if paper else 0.06 if doubt else 0.12
    style = Style(color, 2.2, doubt, not paper, color, opacity, piece.kind, calm=True)
    title = f"{piece.kind} {piece.id}"
    if piece.confidence < 1.0:
        title += f", {piece.confidence:.0%} sure, its edge within {2 * piece.sigma_in:.1f}″"
    # what is high is known by its foot, what is thin and a bridge's deck by their surface
    foot = ground + (piece.height if piece.kind == "bridge" or piece.height <= thin_in else 0.0)
    out = [polygon(piece.polygon, style, z=foot, layer="terrain", title=title)]
    if piece.hill_top:
        top = style.with_(width_pt=1.2)
        out.append(polygon(piece.hill_top, top, z=piece.height, layer="terrain", title=f"top of {title}"))
    return out


def _name(piece: ExpectedTerrain, ground: float, asked: str, sure: float) -> Label:
    shape = piece.shape
    middle = shapely.centroid(shape)
    if not shapely.contains(shape, middle):
        middle = shapely.point_on_surface(shape)
    darker = "#{:02x}{:02x}{:02x}".format(*(round(c * 0.55) for c in rgb(terrain_color(piece.kind))))
    told = ", ".join(part for part in (f"{piece.confidence:.0%}", asked) if part)
    words = piece.kind if piece.confidence >= sure else f"{piece.kind}? ({told})"
    at = (float(middle.x), float(middle.y))
    return Label(at, words, darker, 15.0, ground, solid=False, optional=True, plain=True, layer="terrain names")
