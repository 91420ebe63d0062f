"""The side of a base by how the same players' bases looked on photos that they settled.

Light differs from photo to photo. So a base is compared twice: by its colours as they are, and by its colours against
those of the ground round it, which takes the colour of the light out and lets the mat in. Its side is reported where
both agree, with the lower of the two chances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration import TableView
from vision.bases.bare_sides import SidesConfig, apart, looks, sides_of_shapes, standing_together
from vision.bases.outline import OutlineFit
from vision.bases.selection import Found
from vision.imaging.rims import Array, Image
from vision.model.collection import KnownBase
from vision.model.expected import BaseShape, Expected


@dataclass(frozen=True)
class KnownLooksConfig:
    """``sharpness``: how fast the log odds of a side grow with how much nearer its nearest example is than the other
    side's (of 261 units on pairs of drawn and given photographs with true outlines, 110 of the 111 that this calls 0.97
    and more are right); ``alike``: farther than this from all examples a unit looks like none of them (of 276 bases
    with a clear answer on photos of the same armies 98 are nearer, of 818 on photos of other armies 11); ``sure``:
    least chance at which a side is reported; ``opposed``: a side to which the photo's own examples give less is not
    reported."""

    sharpness: float = 45.0
    alike: float = 0.15
    sure: float = 0.97
    opposed: float = 0.3
    looks: SidesConfig = field(default_factory=SidesConfig)


def base_at(center: tuple[float, float], facing_deg: float, z: float, shape: BaseShape, side: str = "") -> Found:
    """A base with a place that does not come from its outline."""
    fit = OutlineFit(center[0], center[1], facing_deg, z, np.zeros((3, 3)), (1.0,) * 4, 1.0, 0.0, 0.0, 0)
    return Found(fit, shape, side)


def both_looks(image: Image, view: TableView, bases: Sequence[Found], config: KnownLooksConfig | None = None) -> Array:
    """How each base looks (n, 2, parts): by its colours as they are, and by those against the ground."""
    config = config or KnownLooksConfig()
    ways = [looks(image, view, bases, config.looks, relative=relative) for relative in (False, True)]
    return np.stack(ways, axis=1)


def chances_by_known(
    look: Array, groups: Sequence[Sequence[int]], sides: Sequence[Sequence[str]], known: Sequence[KnownBase],
    config: KnownLooksConfig | None = None,
) -> list[dict[str, float]]:  # fmt: skip
    """The chance of each side for each group of bases (rows of ``look``, (n, 2, parts)) that is one of ``sides``;
    nothing where a side that could be has no example, the bases look like none of the examples, or the two ways to
    compare do not agree."""
    config = config or KnownLooksConfig()
    parts = look.shape[2] if look.size else 0
    examples: dict[str, list[Array]] = {}
    for base in known:
        if base.look.shape == (2 * parts,):
            examples.setdefault(base.side, []).append(base.look.reshape(2, parts).astype(np.float64))
    stacked = {side: np.stack(rows) for side, rows in examples.items()}
    return [
        _chances(look[list(group)], {side: stacked[side] for side in could_be}, config)
        if len(could_be) > 1 and all(side in stacked for side in could_be) and _is_seen(look[list(group)])
        else {}
        for group, could_be in zip(groups, sides, strict=True)
    ]


def _is_seen(look: Array) -> bool:
    """Whether the photo shows all bases of a group well enough to say how they look."""
    return bool(look.any(axis=2).all())


def _chances(look: Array, examples: Mapping[str, Array], config: KnownLooksConfig) -> dict[str, float]:
    sides = list(examples)
    ways: list[Array] = []
    for way in (0, 1):
        nearest = np.array([apart(look[:, way], examples[side][:, way]).min(axis=1).mean() for side in sides])
        if nearest.min() > config.alike:
            return {}
        weight = np.exp(-config.sharpness * (nearest - nearest.min()))
        ways.append(weight / weight.sum())
    if ways[0].argmax() != ways[1].argmax():
        return {}
    less_sure = min(ways, key=lambda chances: float(chances.max()))
    return dict(zip(sides, less_sure.tolist(), strict=True))


def assign_known_sides(
    image: Image,
    view: TableView,
    bases: Sequence[Found],
    expected: Expected,
    config: KnownLooksConfig | None = None,
) -> list[Found]:
    """The same bases; those without a side get it where the looks of known bases (``expected.known``) make it
    almost certain, and chances of each side where they say something less.

    A side that is known by a tag, a rim or the photo's own examples stays. If the looks of known bases get any of
    these surely wrong, the armies have changed hands, or the light is too strange, and no side is reported.
    """
    config = config or KnownLooksConfig()
    out, known = list(bases), expected.known.bases
    groups = standing_together([k for k, base in enumerate(out) if not base.side], out, config.looks)
    if not groups or not known or len({unit.side for unit in expected.units}) < 2:
        return out
    told_rows = [k for k, base in enumerate(out) if base.side]
    look = both_looks(image, view, out, config)
    sides = [sides_of_shapes(expected, [out[k] for k in group]) for group in groups]
    all_sides = sorted({unit.side for unit in expected.units})
    check = chances_by_known(look, [[k] for k in told_rows], [all_sides] * len(told_rows), known, config)
    for row, chances in zip(told_rows, check, strict=True):
        if chances and max(chances.values()) >= config.sure and max(chances, key=chances.__getitem__) != out[row].side:
            return out
    for group, chances in zip(groups, chances_by_known(look, groups, sides, known, config), strict=True):
        if not chances:
            continue
        side = max(chances, key=chances.__getitem__)
        for row in group:
            here = dict(out[row].sides)
            sure = chances[side] >= config.sure and here.get(side, 1.0) >= config.opposed
            if sure:
                out[row] = replace(out[row], side=side, sides=(), alike=None)
            elif not here:
                out[row] = replace(out[row], sides=tuple(chances.items()))
    return out
