"""How sure it is that there is a base where only its shape was found.

The evidence is how surely the net shows its outline, and how many of the photo's pixels it was shown: from low and
from afar everything is a few pixels deep, and clutter, blotches and bases that are higher than they seem look like
bases on the table. On drawn tables from 15 to 80 degrees both together order true and false ones better than the share
that the shape explains (logistic regression, tables left out one by one: 81 against 72 of 100 pairs in the right
order). That order is turned into chances (:mod:`vision.model.calibrated`); docs/chances.md has how far they hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from calibration import TableView
from vision.model.calibrated import Beta
from vision.model.expected import BaseShape


@dataclass(frozen=True)
class PresenceConfig:
    """Log odds of a rank: ``outline`` times the share of its outline that the net shows, ``pixels`` times the logarithm
    of the number of photo pixels that it covers, and ``offset``. ``chance``: from that rank to the chance that a base
    is there; ``least``: less likely bases are dropped."""

    offset: float = -4.9
    outline: float = 5.1
    pixels: float = 0.48
    chance: Beta = field(default_factory=lambda: Beta(0.07, 2.13, -1.72))
    least: float = 0.43


def presence(outline: float, pixels: float, config: PresenceConfig | None = None) -> float:
    """The chance, 0 to 1, that a base is there: ``outline`` the mean share, 0 to 1, that the net shows along it.

    >>> round(presence(0.75, 800.0), 2), round(presence(0.35, 80.0), 2)
    (0.96, 0.24)
    """
    config = config or PresenceConfig()
    odds = config.offset + config.outline * outline + config.pixels * float(np.log(max(pixels, 1.0)))
    return float(config.chance.chance(1.0 / (1.0 + np.exp(-odds))))


def pixels_of(view: TableView, shape: BaseShape, x: float, y: float, z: float) -> float:
    """How many pixels of the photo a base at x, y covers, with its top at height ``z`` (inches)."""
    corner, right, ahead = view.pixel_from_table([[x, y, z], [x + 0.1, y, z], [x, y + 0.1, z]])
    a, b = (right - corner) / 0.1, (ahead - corner) / 0.1
    area = shape.width * shape.depth * (np.pi / 4 if shape.is_smooth else 1.0)
    return float(abs(a[0] * b[1] - a[1] * b[0]) * area)
