"""Hands over a table: whether anything moves, what reaches over the edge, and for how long all has been quiet."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.live.following import Plane
from vision.live.motion import Region, StillConfig, area_in2, difference_mask, regions

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class HandsConfig:
    """``motion_in2``: less on the table is not motion; ``hand_in2`` and ``reach_in``: a region that comes over the edge
    so large and so deep is a hand, unless it covers ``most_share`` of the table, which is a change of light;
    ``memory_s``: how fast the picture of "just now" follows; ``still``: what counts as different."""

    motion_in2: float = 1.0
    hand_in2: float = 6.0
    reach_in: float = 1.5
    most_share: float = 0.7
    memory_s: float = 0.4
    still: StillConfig = field(default_factory=StillConfig)


@dataclass(frozen=True, eq=False)
class Scene:
    """A moment: whether something moves on the table, the hand over it, and seconds since the last motion."""

    moving: bool
    hand: Region | None
    quiet_s: float


class Hands:
    """Follows the small maps of a table (logarithms of brightness, see :class:`vision.live.following.Keyframe`).

    While the table is *settled* (it was judged and nothing has moved since) its picture follows the light slowly.
    Motion unsettles it; from then on a hand is recognized by comparison with the picture from before, so that a resting
    hand is still seen. Without such a picture only what moves can be a hand.
    """

    def __init__(self, at_s: float, model: Floats, config: HandsConfig | None = None, *, settled: bool = False) -> None:
        self.settled = settled
        self._config = config or HandsConfig()
        self._model, self._model_s = model, at_s  # the table as it was just now
        self._before: Floats | None = None  # and before anything was moved
        self._motion_s = at_s

    def settle(self) -> None:
        """The table has been judged as it is."""
        self.settled, self._before = True, None

    def unsettle(self, at_s: float) -> None:
        """Something moved, or may have: quiet is counted from ``at_s`` (which may be in the future)."""
        if self.settled:
            self.settled, self._before = False, self._model.copy()
        self._motion_s = at_s

    def watch(self, at_s: float, now: Floats, seen: Mask, plane: Plane) -> Scene:
        """The state of hands in the map of this moment; ``seen`` are its pixels that the picture holds."""
        config = self._config
        motion = difference_mask(now, self._model, seen, plane, config.still)
        moving = area_in2(motion, plane) >= config.motion_in2
        if moving:
            self.unsettle(at_s)
        share = np.float32(1.0 - math.exp(-max(0.0, at_s - self._model_s) / config.memory_s))
        self._model, self._model_s = self._model + share * (now - self._model), at_s
        hand = None if self.settled else self._hand(motion, now, seen, plane)
        return Scene(moving, hand, at_s - self._motion_s)

    def _hand(self, motion: Mask, now: Floats, seen: Mask, plane: Plane) -> Region | None:
        """The largest region that comes deep over the edge; moving, or there since something moved."""
        config, there = self._config, motion
        if self._before is not None:
            there = there | difference_mask(now, self._before, seen, plane, config.still)
        most = config.most_share * plane.scale.width_in * plane.scale.depth_in
        for region in regions(there, seen, plane, config.still):
            if region.reaches and config.hand_in2 <= region.area_in2 <= most and region.depth_in >= config.reach_in:
                return region
        return None
