"""Drawn samples as ``samples.py`` writes them, for all that learn from them or are measured on them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from features import Image, Lean, Mask

from vision.imaging.nets import lean_of

PLANES = {
    "ground": ("woods", "town", "hill", "road", "river", "bridge", "field", "marsh", "hill top"),
    "bases": ("top", "outline", "middle"),
}
ASIDE = 20  # every so many samples one is kept for measuring


@dataclass(frozen=True, eq=False)
class Sample:
    """A drawn sample: ``image`` (rows, columns, 3) BGR from above, ``planes`` (k, rows, columns) of what is where,
    ``valid`` (rows, columns), the ``lean`` that nets are shown and the map's scale."""

    image: Image
    planes: Mask
    valid: Mask
    lean: Lean
    px_per_inch: float


def load_sample(path: Path) -> Sample:
    """A sample as ``samples.py`` writes it."""
    with np.load(path) as data:
        image = data["image"]
        rows, columns = image.shape[:2]
        planes = np.unpackbits(data["target"], axis=-1)[..., :columns].astype(bool)
        valid = np.unpackbits(data["valid"], axis=-1)[:, :columns].astype(bool)
        foot, height, ppi = data["foot"], float(data["height"]), float(data["ppi"])
    lean = lean_of(columns, rows, (float(foot[0]), float(foot[1])), height, ppi)
    return Sample(image, planes, valid, lean, ppi)


def kept_aside(paths: list[Path]) -> list[Path]:
    """The samples, of all in order, that nothing learns from."""
    return [p for i, p in enumerate(paths) if not i % ASIDE]


def to_learn_from(paths: list[Path]) -> list[Path]:
    """The samples, of all in order, that are not kept aside."""
    return [p for i, p in enumerate(paths) if i % ASIDE]
