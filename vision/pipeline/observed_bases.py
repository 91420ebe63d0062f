"""Bases that were placed, as the rows and labels of an observation, with warnings for a referee."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from geometry import Bases
from vision.bases.parallax import raised_ground
from vision.bases.placed import PlacedBase
from vision.imaging.rims import RimConfig, has_hue
from vision.model.expected import Expected
from vision.model.observation import BaseLabel, Observation, PhotoView

MOST_BY_SHAPE = 0.94
"""The greatest confidence of a base that is seen in one photo by its shape alone and belongs to no unit for certain: a
printed disc, a token, a die, an arch or a shadow has the same outline."""


def in_order(placed: Sequence[PlacedBase]) -> list[int]:
    """Rows of bases in the roster's order, then the unnamed ones."""
    keys = [(p.unit is None, p.unit or 0, not p.unique) for p in placed]
    return sorted(range(len(placed)), key=lambda k: keys[k])


def bases_of(rows: Sequence[PlacedBase]) -> Bases:
    """Bases as arrays."""
    return Bases(
        center=np.array([p.center for p in rows]).reshape(-1, 2),
        facing=np.array([p.facing for p in rows]),
        width=np.array([p.shape.width for p in rows]),
        depth=np.array([p.shape.depth for p in rows]),
        is_round=np.array([p.shape.is_round for p in rows], dtype=bool),
        is_oval=np.array([p.shape.is_oval for p in rows], dtype=bool),
        covariance=np.array([p.covariance[:2, :2] for p in rows]).reshape(-1, 2, 2),
        facing_sigma=np.array([min(180.0, np.degrees(np.sqrt(p.covariance[2, 2]))) for p in rows]),
    )


def assemble_observation(
    photos: tuple[PhotoView, ...],
    expected: Expected,
    rows: Sequence[PlacedBase],
    notes: Sequence[str],
    confidence_factor: Sequence[float],
) -> Observation:
    """The observation of bases: arrays and labels, with ``notes`` and what a referee should know besides as warnings;
    ``confidence_factor``: how much of its confidence each base keeps."""
    labels = tuple(
        _label(f"base{k + 1}", p, factor, expected)
        for k, (p, factor) in enumerate(zip(rows, confidence_factor, strict=True))
    )
    return Observation(
        table=(expected.width, expected.depth),
        photos=photos,
        bases=bases_of(rows),
        labels=labels,
        terrain=expected.terrain,
        raised=raised_ground(rows, expected.earlier.raised),
        warnings=(*notes, *_warnings(expected, photos, rows)),
    )


def _label(base_id: str, placed: PlacedBase, factor: float, expected: Expected) -> BaseLabel:
    unit = None if placed.unit is None else expected.units[placed.unit]
    kind = unit.kind if unit else _only_kind(placed, expected)
    return BaseLabel(
        id=base_id,
        unit=unit.id if unit else None,
        tag=placed.tag_id,
        side=placed.side,
        kind=kind,
        unique=placed.unique,
        z=placed.z,
        confidence=_confidence(placed) * factor,
        method=placed.method,
        facing_known=placed.facing_known,
        rivals=placed.rivals,
        sides=placed.sides,
        alike=placed.alike,
        z_sigma=placed.z_sigma,
        lean=None if placed.lean is None else (float(placed.lean[0]), float(placed.lean[1])),
    )


def _confidence(placed: PlacedBase) -> float:
    """How sure it is that a base is there; see :data:`MOST_BY_SHAPE`."""
    by_shape_alone = placed.method == "shape" and placed.unit is None and not placed.triangulated
    return min(placed.confidence, MOST_BY_SHAPE) if by_shape_alone else placed.confidence


def _only_kind(placed: PlacedBase, expected: Expected) -> str | None:
    """The kind, where every unit of that side with bases of a shape that it may have is of one kind."""
    shapes = {placed.shape, *(rival.shape for rival in placed.rivals)}
    kinds = {u.kind for u in expected.units if u.side == placed.side and u.has_any(shapes)}
    return kinds.pop() if len(kinds) == 1 else None


def _warnings(expected: Expected, photos: tuple[PhotoView, ...], rows: Sequence[PlacedBase]) -> list[str]:
    """Warnings that a referee should read before trusting the rest."""
    out = []
    used = {marker for photo in photos for marker in photo.view.markers_seen}
    missing = [m for m in expected.frame.ids if m not in used]
    if missing:
        ids = ", ".join(str(m) for m in missing)
        out.append(f"Frame marker {ids} was not used: positions are less exact near it.")
    for row, unit in enumerate(expected.units):
        seen = sum(p.unit == row for p in rows)
        tagged = unit.tag is not None and any(p.tag_id == unit.tag for p in rows)
        if unit.tag is not None and seen and not tagged:
            out.append(f"The tag of {unit.id} ({unit.tag}) was not read: say which base is its unique one.")
        elif 0 < seen < unit.bases:
            out.append(f"{seen} of {unit.bases} bases of {unit.id} are certain: check the rest.")
    loose = sum(p.unit is None for p in rows)
    if loose:
        out.append(f"{loose} bases could not be given to a unit with certainty.")
    sides = {u.side for u in expected.units}
    plain = sorted({side for side, rgb in expected.rims if not has_hue(rgb, RimConfig())} & sides)
    bare = sorted(sides - {side for side, _ in expected.rims})
    ways = [(plain, "The rims of {} are black, white or grey"), (bare, "The table file names no rim colour for {}")]
    for which, why in ways:
        if which and not any(p.method == "outline" and p.side in which for p in rows):
            what = "bases without a tag are found by their shape there, and their side may need confirmation"
            out.append(f"{why.format(' and '.join(which))}: {what}.")
    return out
