"""The side of a base without rim and tag, by how it looks: armies are painted and based alike.

The evidence is the colours within a base's outline and of the figures on it, relative to those of the ground round
it, which takes the light out. Bases of known side (by tag, by rim, by a shape that is one side's alone) are the
examples; the more a nameless base looks like one of a side's examples than like any of the other's, the more likely it
is that side's, increasingly so with more examples: one unit's look says little about an army's. Where that
does not decide, nameless bases that look alike, and like no others, are known to be of one side, whichever that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from calibration import TableView
from vision.bases.selection import Found
from vision.imaging.rims import Array, Image
from vision.model.expected import Expected


@dataclass(frozen=True)
class SidesConfig:
    """``grid``: points across a base at which colours are read, at its top and at each of ``figures_in`` above it;
    ``inset_in``: off its edge; ``ring_in``: how far round it the ground is read; ``span_log2``, ``bins``: range of
    the three axes of colour (red and blue against green, lightness against the ground's) and their parts; ``blur``:
    parts over which a colour is smeared; ``sharpness``: how fast odds grow with the difference of likeness where
    each side has one example, and how much faster with the logarithm of the number of examples (units,
    not bases) of the side with fewest; ``certain``: the log odds are so many times the square of that, since small
    differences mean next to nothing (docs/chances.md has how far they hold); ``reach_in``, ``askew_deg``: bases of one
    shape as near as this, and in one line, are of one side and count together; ``sure``: least chance at which a side
    is reported; ``alike``: bases close together look like other such groups up to this distance, if all the rest are
    ``aloof`` times as far off as they are from each other (of 456 bases on drawn tables 52 are in such groups, each
    of one side); ``quantile``: of the distances between two groups' bases, the one that counts."""

    grid: int = 14
    figures_in: tuple[float, ...] = (0.3,)
    inset_in: float = 0.08
    ring_in: tuple[float, float] = (0.25, 0.6)
    span_log2: tuple[float, float, float] = (1.5, 1.5, 2.5)
    bins: tuple[int, int, int] = (12, 12, 8)
    blur: float = 0.8
    sharpness: tuple[float, float] = (6.9, 11.1)
    certain: float = 0.24
    reach_in: float = 0.35
    askew_deg: float = 12.0
    sure: float = 0.95
    alike: float = 0.2
    aloof: float = 1.35
    quantile: float = 0.25


# Parts of scipy that only bases of unknown side need are loaded when there are such bases.


def looks(
    image: Image, view: TableView, bases: Sequence[Found], config: SidesConfig | None = None, *, relative: bool = False
) -> Array:
    """How each base looks: shares of colours (n, parts), each row's squares adding up to 1. ``relative``: the hues too
    are against those of the ground round it, so that photos on one mat in light of other colours can be compared."""
    config = config or SidesConfig()
    return np.array([_look(image, view, base, config, relative) for base in bases]).reshape(
        len(bases), int(np.prod(config.bins))
    )


def _look(image: Image, view: TableView, base: Found, config: SidesConfig, relative: bool) -> Array:
    from scipy.ndimage import gaussian_filter

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
    is_smooth = shape.is_smooth
    if is_smooth:
        square = square[np.hypot(*square.T) < 1]
    inner = square * np.maximum(half - config.inset_in, 0.05)
    top = fit.z + shape.height
    seen = np.concatenate([colours(inner, top + up) for up in (0.0, *config.figures_in)])
    turn = np.arange(48) * 2 * np.pi / 48
    around = np.column_stack([np.sin(turn), np.cos(turn)])
    square_round = around / np.max(np.abs(around), axis=1, keepdims=True)
    rings = [(half + out) * (around if is_smooth else square_round) for out in config.ring_in]
    ground = colours(np.concatenate(rings), fit.z)
    if len(seen) < 8 or len(ground) < 8:
        return np.zeros(int(np.prod(config.bins)))
    against = slice(None) if relative else slice(2, 3)
    seen[:, against] -= np.median(ground[:, against], axis=0)
    span = np.array(config.span_log2)
    edges = [np.linspace(-s, s, n + 1) for s, n in zip(span, config.bins, strict=True)]
    counts, _ = np.histogramdd(np.clip(seen, -span + 1e-6, span - 1e-6), bins=edges)
    soft = gaussian_filter(counts, config.blur).ravel()
    return np.sqrt(soft / soft.sum())


def apart(look: Array, others: Array) -> Array:
    """How differently bases look (n, m): 0 alike, 1 without a colour in common (Hellinger's distance)."""
    return np.sqrt(np.clip(1.0 - look @ others.T, 0.0, 1.0))


def assign_sides(
    image: Image, view: TableView, bases: Sequence[Found], expected: Expected, config: SidesConfig | None = None
) -> list[Found]:
    """The same bases; those without a side get it where their looks make it almost certain, else the
    chances of each side (``sides``) and the number of look-alikes (``alike``).

    ``image`` is the upright BGR photo of ``view``. Where a side has no base that is known to be its own, no side is
    reported.
    """
    config = config or SidesConfig()
    out = list(bases)
    open_rows = [k for k, base in enumerate(out) if not base.side]
    if not open_rows or len({unit.side for unit in expected.units}) < 2:
        return out
    look = looks(image, view, out, config)
    chances = side_chances(look, out, expected, config)
    for row in open_rows:
        side, chance = max(chances[row].items(), key=lambda item: item[1], default=("", 0.0))
        told = side if chance >= config.sure else ""
        out[row] = replace(out[row], side=told, sides=() if told else tuple(chances[row].items()))
    for number, rows in enumerate(look_alikes(look, out, config), 1):
        for row in rows:
            out[row] = replace(out[row], alike=number)
    return out


def look_alikes(look: Array, bases: Sequence[Found], config: SidesConfig) -> list[list[int]]:
    """Rows of bases without a side that look alike and like no others, by their looks (n, parts); each of several
    groups of bases close together, the largest first."""
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    groups = standing_together([k for k, base in enumerate(bases) if not base.side], bases, config)
    if len(groups) < 2:
        return []
    far = apart(look, look)
    between = np.array([[np.quantile(far[np.ix_(a, b)], config.quantile) for b in groups] for a in groups])
    between = (between + between.T) / 2
    np.fill_diagonal(between, 0.0)
    number = fcluster(linkage(squareform(between, checks=False), "complete"), config.alike, "distance")
    out = []
    for k in np.unique(number):
        mine = number == k
        within = between[np.ix_(mine, mine)].max()
        if mine.sum() < 2 or (not mine.all() and between[np.ix_(mine, ~mine)].min() < config.aloof * within):
            continue
        out.append(sorted(row for group, own in zip(groups, mine, strict=True) if own for row in group))
    return sorted(out, key=lambda rows: (-len(rows), rows))


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
    for group in standing_together([k for k, base in enumerate(bases) if not base.side], bases, config):
        sides = sides_of_shapes(expected, [bases[k] for k in group])
        if any(side not in examples for side in sides):
            out.update({k: {} for k in group})
            continue
        nearest = np.array([far[np.ix_(group, examples[side])].min(axis=1).mean() for side in sides])
        fewest = min(len(standing_together(examples[side], bases, config)) for side in sides)
        sharpness = config.sharpness[0] + config.sharpness[1] * np.log(fewest)
        weight = np.exp(-config.certain * (sharpness * (nearest - nearest.min())) ** 2)
        told = dict(zip(sides, (weight / weight.sum()).tolist(), strict=True))
        out.update(dict.fromkeys(group, told))
    return out


def sides_of_shapes(expected: Expected, group: Sequence[Found]) -> list[str]:
    """The sides with units of a shape that a group's bases may have."""
    shapes = {shape for base in group for shape in (base.shape, *(rival.shape for rival in base.rivals))}
    return sorted({unit.side for unit in expected.units if unit.has_any(shapes)})


def standing_together(rows: Sequence[int], bases: Sequence[Found], config: SidesConfig) -> list[list[int]]:
    """Rows of bases as close together as one unit's, link by link."""
    if not rows:
        return []
    areas = np.array([bases[row].footprint for row in rows], dtype=object)
    near = shapely.distance(areas[:, None], areas) <= config.reach_in
    left, groups = list(range(len(rows))), []
    while left:
        group = [left.pop(0)]
        for k in group:
            beside = [o for o in left if near[k, o] and _are_alike(bases[rows[k]], bases[rows[o]], config)]
            group += beside
            left = [o for o in left if o not in beside]
        groups.append([rows[k] for k in group])
    return groups


def _are_alike(a: Found, b: Found, config: SidesConfig) -> bool:
    """Whether two bases are of one shape and in one line."""
    if a.shape != b.shape:
        return False
    period = a.shape.period_deg
    turn = abs((a.fit.facing - b.fit.facing + period / 2) % period - period / 2)
    return a.shape.is_round or turn < config.askew_deg
