"""Which way a base faces by the dab of paint that the roster says is on its front edge.

An outline leaves a rectangle's facing open up to half a turn, a square's up to a quarter. Where paint of the mark's
colour shows at the middle of one of its edges and hardly at any other that may be the front, that edge is the front;
where it shows at none (hidden, worn off) or at several (the base is of that colour), the facing stays open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration import FrameLayout, TableView
from vision.bases.placed import PlacedBase
from vision.imaging.rims import Array, Image, RimConfig, chromaticity, chromaticity_of, paper_cast
from vision.model.expected import BaseShape, Expected


@dataclass(frozen=True)
class FrontConfig:
    """``along``: share of an edge about its middle that is looked at; ``inward_in``: from where to where inside the
    outline; ``samples``: points along and inward; ``off_log2``, ``darker_log2``: by how much, in stops, a colour may be
    of another hue, and darker or brighter than the paint in the light of the frame markers' paper; ``least``: share of
    the points that must be of the mark's colour, ``most_else`` at most at any other edge. The second of these pairs is
    for ``pale`` marks (of less hue, in stops), as rubble, paper and sand are pale too: on drawn tables with marks
    painted in none was read at a wrong edge, and without a mark 4 of 100 bases seemed to have a white one, none a
    coloured one."""

    along: float = 0.3
    inward_in: tuple[float, float] = (0.02, 0.14)
    samples: tuple[int, int] = (9, 5)
    off_log2: tuple[float, float] = (0.45, 0.3)
    darker_log2: tuple[float, float] = (-2.0, -1.1)
    brighter_log2: float = 0.9
    least: tuple[float, float] = (0.4, 0.6)
    pale: float = 0.5
    most_else: float = 0.12
    rims: RimConfig = field(default_factory=RimConfig)


class FrontMarks:
    """Reads front marks in one upright BGR photo; colours are judged relative to the frame markers' paper."""

    def __init__(self, image: Image, view: TableView, frame: FrameLayout, config: FrontConfig | None = None) -> None:
        self.image, self.view, self.config = image, view, config or FrontConfig()
        self.cast = paper_cast(image, view, frame, self.config.rims)
        self.white = _paper_level(image, view, frame, self.config)

    def turn(
        self, shape: BaseShape, place: tuple[float, float], facing: float, z: float, colour: tuple[int, int, int]
    ) -> float | None:
        """Degrees from ``facing``, by the outline, to the front that a mark of ``colour`` (red, green, blue)
        shows; ``None`` where none shows it alone. ``z``: height of the surface under the base."""
        if shape.is_round:
            return None
        turns = np.arange(0.0, 360.0, shape.period_deg)
        shares = np.array([self._share(shape, place, facing + turn, z, colour) for turn in turns])
        best = int(np.argmax(shares))
        if (
            shares[best] < self.config.least[self.is_pale(colour)]
            or np.delete(shares, best).max() > self.config.most_else
        ):
            return None
        return float(turns[best])

    def is_pale(self, colour: tuple[int, int, int]) -> bool:
        """Whether a mark is of white, grey or black paint, or nearly."""
        return bool(np.linalg.norm(chromaticity_of(colour)) < self.config.pale)

    def _share(
        self, shape: BaseShape, place: tuple[float, float], facing: float, z: float, colour: tuple[int, int, int]
    ) -> float:
        """How much of the middle of a front edge is of a colour; 0 if it is outside the picture."""
        cfg, angle = self.config, np.radians(facing)
        # A square's sides are its fronts in turn.
        half_w, half_d = shape.width / 2, shape.depth / 2
        right, ahead = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
        across = np.linspace(-cfg.along, cfg.along, cfg.samples[0]) * half_w
        inward = np.linspace(*cfg.inward_in, cfg.samples[1])
        local = np.stack(np.meshgrid(across, half_d - inward), axis=-1).reshape(-1, 2)
        if shape.is_oval:
            local[:, 1] -= half_d * (1.0 - np.sqrt(1.0 - (local[:, 0] / half_w) ** 2))
        points = np.asarray(place) + local[:, :1] * right + local[:, 1:] * ahead
        pixels = self.view.pixel_from_table(np.column_stack([points, np.full(len(points), z + shape.height)]))
        rows, columns = self.image.shape[:2]
        if np.any(pixels < 0) or np.any(pixels > [columns - 1, rows - 1]):
            return 0.0
        at = np.rint(pixels).astype(np.intp)
        read = self.image[at[:, 1], at[:, 0]]
        hue = chromaticity(read[None], cfg.rims.floor_level)[0] - self.cast
        off = np.linalg.norm(hue - chromaticity_of(colour), axis=1)
        stops = _stops(read.astype(np.float64)) - self.white - (_stops(np.array(colour[::-1], np.float64)) - _FULL)
        pale = self.is_pale(colour)
        near = (off <= cfg.off_log2[pale]) & (stops >= cfg.darker_log2[pale]) & (stops <= cfg.brighter_log2)
        return float(near.mean())


def with_fronts(
    placed: Sequence[PlacedBase], image: Image, view: TableView, expected: Expected, config: FrontConfig | None = None
) -> list[PlacedBase]:
    """The same bases; those of unknown facing get the one that their front marks show.

    A base of no known unit is read by the mark common to all units that it may be of; where these differ, or its shape
    is in doubt, its facing stays open, and so it does where the mark is as pale as the paper of a tag on it.
    """
    if not any(unit.front_mark for unit in expected.units):
        return list(placed)
    marks = FrontMarks(image, view, expected.frame, config)
    out = []
    for base in placed:
        colour = None if base.facing_known or base.rivals else _colour_of(base, expected, marks)
        place = float(base.center[0]), float(base.center[1])
        turn = None if colour is None else marks.turn(base.shape, place, base.facing, base.z, colour)
        facing = base.facing if turn is None else (base.facing + turn) % 360.0
        out.append(replace(base, facing=facing, facing_known=base.facing_known or turn is not None))
    return out


def _colour_of(base: PlacedBase, expected: Expected, marks: FrontMarks) -> tuple[int, int, int] | None:
    """The colour of a base's mark; ``None`` where it has none or it is not known which."""
    units = [
        unit
        for row, unit in enumerate(expected.units)
        if (row == base.unit if base.unit is not None else base.side in (None, unit.side)) and base.shape in unit.counts
    ]
    colours = {unit.front_mark for unit in units}
    colour = colours.pop() if len(colours) == 1 else None
    tagged = any(unit.tags for unit in units)
    return None if colour is None or (tagged and marks.is_pale(colour)) else colour


def _stops(levels: Array) -> Array:
    """Lightness (n,) of BGR levels (n, 3), in stops."""
    return np.asarray(np.log2(levels.mean(axis=-1) + RimConfig.floor_level))


_FULL = float(np.log2(255.0 + RimConfig.floor_level))


def _paper_level(image: Image, view: TableView, frame: FrameLayout, config: FrontConfig) -> float:
    """Lightness, in stops, of the frame markers' paper; that of a white picture where none can be read."""
    rows, columns = image.shape[:2]
    found = []
    for marker in view.markers_seen:
        corners = frame.corners(marker)
        middle = corners.mean(axis=0)
        at = np.rint(view.pixel_from_table(middle + (corners - middle) * config.rims.paper_ring)).astype(np.intp)
        inside = np.all((at >= 0) & (at < [columns, rows]), axis=1)
        found += _stops(image[at[inside, 1], at[inside, 0]].astype(np.float64)).tolist()
    return float(np.median(found)) if found else _FULL
