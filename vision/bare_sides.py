"""Whose a base without rim and tag is, by how it looks: armies are painted and based alike.

What is looked at are the colours within a base's outline and of what stands on it, against those of the ground round
it, which takes the light out. Bases of known side (by tag, by rim, by a shape that is one side's alone) are the
examples; a nameless base is the likelier a side's the more it looks like one of its examples than like any of the
other's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.ndimage as ndi
import shapely

from calibration import TableView
from vision.expected import Expected
from vision.pick import Found
from vision.rims import Array, Image


@dataclass(frozen=True)
class SidesConfig:
    """``grid``: points across a base at which colours are read, at its top and at each of ``figures_in`` above it;
    ``inset_in``: off its edge; ``ring_in``: how far round it the ground is read; ``span_log2``, ``bins``: range of the
    three axes of colour (red and blue against green, lightness against the ground's) and their parts; ``blur``: parts
    over which a colour is smeared; ``sharpness``: how fast the odds grow with the difference of likeness (measured on
    drawn tables: nine in ten are right from a difference of 0.06 on); ``reach_in``, ``askew_deg``: bases of one shape
    as near as this, and lying in one line, are of one side and tell together; ``sure``: chance from which on a side is
    told."""

    grid: int = 14
    figures_in: tuple[float, ...] = (0.3,)
    inset_in: float = 0.08
    ring_in: tuple[float, float] = (0.25, 0.6)
    span_log2: tuple[float, float, float] = (1.5, 1.5, 2.5)
    bins: tuple[int, int, int] = (12, 12, 8)
    blur: float = 0.8
    sharpness: float = 28.0
    reach_in: float = 0.35
    askew_deg: float = 12.0
    sure: float = 0.95


def looks(image: Image, view: TableView, bases: Sequence[Found], config: SidesConfig | None = None) -> Array:
    """How each base looks: shares of colours (n, parts), each row's squares adding up to 1."""
    config = config or SidesConfig()
    return np.array([_look(image, view, base, config) for base in bases]).reshape(len(bases), -1)


def _look(image: Image, view: TableView, base: Found, config: SidesConfig) -> Array:
    fit, shape = base.fit, base.shape
    angle = np.radians(fit.facing)
    right, ahead = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
    half = np.array([shape.width, shape.depth]) / 2

    def colours(local: Array, z: float) -> Array:
        points = np.array([fit.x, fit.y]) + local[:, :1] * right + local[:, 1:] * ahead
        pixels = view.pixel_from_table(np.column_stack([points, np.full(len(points), z)]))
        rows, columns = image.shape[:2]
        good = np.all((pixels >= 0) & (pixels < [columns - 1, rows - 1]), axis=1)
        at = np.rint(pixels[good]).astype(np.intp)
        logs = np.log2(image[at[:, 1], at[:, 0]].astype(np.float64) + 10.0)
        return np.column_stack([logs[:, 2] - logs[:, 1], logs[:, 0] - logs[:, 1], logs[:, 1]])

    cells = (np.arange(config.grid) + 0.5) / config.grid * 2 - 1
    square = np.stack(np.meshgrid(cells, cells), axis=-1).reshape(-1, 2)
    if shape.is_round:
        square = square[np.hypot(*square.T) < 1]
    inner = square * np.maximum(half - config.inset_in, 0.05)
    top = fit.z + shape.height
    seen = np.concatenate([colours(inner, top + up) for up in (0.0, *config.figures_in)])
    turn = np.arange(48) * 2 * np.pi / 48
    around = np.column_stack([np.sin(turn), np.cos(turn)])
    square_round = around / np.max(np.abs(around), axis=1, keepdims=True)
    rings = [(half + out) * (around if shape.is_round else square_round) for out in config.ring_in]
    ground = colours(np.concatenate(rings), fit.z)
    if len(seen) < 8 or len(ground) < 8:
        return np.zeros(int(np.prod(config.bins)))
    seen[:, 2] -= np.median(ground[:, 2])
    span = np.array(config.span_log2)
    edges = [np.linspace(-s, s, n + 1) for s, n in zip(span, config.bins, strict=True)]
    counts, _ = np.histogramdd(np.clip(seen, -span + 1e-6, span - 1e-6), bins=edges)
    soft = ndi.gaussian_filter(counts, config.blur).ravel()
    return np.sqrt(soft / soft.sum())


def apart(look: Array, others: Array) -> Array:
    """How differently bases look (n, m): 0 alike, 1 without a colour in common (Hellinger's distance)."""
    return np.sqrt(np.clip(1.0 - look @ others.T, 0.0, 1.0))


def sided(
    image: Image, view: TableView, bases: Sequence[Found], expected: Expected, config: SidesConfig | None = None
) -> list[Found]:
    """The same bases, with the side of those that have none where their looks tell it for as good as certain.

    ``image`` is the upright BGR photo of ``view``. Where a side has no base that is known to be its own, nothing is
    told.
    """
    config = config or SidesConfig()
    out = list(bases)
    open_rows = [k for k, base in enumerate(out) if not base.side]
    if not open_rows or len({base.side for base in out} - {""}) < 2:
        return out
    chances = side_chances(looks(image, view, out, config), out, expected, config)
    for row in open_rows:
        side, chance = max(chances[row].items(), key=lambda item: item[1], default=("", 0.0))
        if chance >= config.sure:
            out[row] = replace(out[row], side=side)
    return out


def side_chances(
    look: Array, bases: Sequence[Found], expected: Expected, config: SidesConfig
) -> dict[int, dict[str, float]]:
    """The chances of each side for every base (its row) that has none, from how all of them look (n, parts).

    Sides that have no base of its shapes are left out; nothing is said where a side that could be has no example.
    """
    examples: dict[str, list[int]] = {}
    for row, base in enumerate(bases):
        if base.side:
            examples.setdefault(base.side, []).append(row)
    far = apart(look, look)
    out: dict[int, dict[str, float]] = {}
    for group in _standing_together([k for k, base in enumerate(bases) if not base.side], bases, config):
        shapes = {shape for k in group for shape in (bases[k].shape, *(rival.shape for rival in bases[k].rivals))}
        sides = sorted({u.side for u in expected.units if {u.shape, u.unique_shape} & shapes})
        if any(side not in examples for side in sides):
            out.update({k: {} for k in group})
            continue
        nearest = np.array([far[np.ix_(group, examples[side])].min(axis=1).mean() for side in sides])
        weight = np.exp(-config.sharpness * (nearest - nearest.min()))
        told = dict(zip(sides, (weight / weight.sum()).tolist(), strict=True))
        out.update(dict.fromkeys(group, told))
    return out


def _standing_together(rows: Sequence[int], bases: Sequence[Found], config: SidesConfig) -> list[list[int]]:
    """Rows of bases that stand as one unit does, link by link."""
    left, groups = list(rows), []
    while left:
        group = [left.pop(0)]
        for row in group:
            beside = [other for other in left if _linked(bases[row], bases[other], config)]
            group += beside
            left = [other for other in left if other not in beside]
        groups.append(group)
    return groups


def _linked(a: Found, b: Found, config: SidesConfig) -> bool:
    if a.shape != b.shape or shapely.distance(a.footprint, b.footprint) > config.reach_in:
        return False
    period = a.shape.period_deg
    turn = abs((a.fit.facing - b.fit.facing + period / 2) % period - period / 2)
    return a.shape.is_round or turn < config.askew_deg
