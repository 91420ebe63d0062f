"""Tokens: tags that players place beside a unit to show that it is dug in, ready, has moved or has fired.

They are read together with the units' tags, which have the same dictionary and size, and placed on the surface under
them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration import TableView
from vision.imaging.rims import Array
from vision.model.expected import BaseShape, Expected, ExpectedUnit
from vision.model.heights import HeightConfig, surface_prior
from vision.tags.pose import TagPlaceConfig, TagPose, tag_pose
from vision.tags.reading import Tags

CARD = BaseShape(0.0, 0.0, 0.06)
"""The card of a token, between paper and thick card; its own thickness moves it by a hundredth of an inch."""


@dataclass(frozen=True, eq=False)
class Tokens:
    """Tokens of one photo: ``ids`` (n,) of their tags, ``means`` in words, ``center`` (n, 2) inches, ``covariance``
    (n, 2, 2) of the centre in square inches without the camera's part, ``confidence`` (n,) 0 to 1."""

    ids: tuple[int, ...]
    means: tuple[str, ...]
    center: Array
    covariance: Array
    confidence: Array

    def __post_init__(self) -> None:
        n = len(self.ids)
        shapes = {"center": (n, 2), "covariance": (n, 2, 2), "confidence": (n,)}
        for name, shape in shapes.items():
            array = np.asarray(getattr(self, name), dtype=np.float64)
            if array.shape != shape:
                raise ValueError(f"Tokens.{name} has shape {array.shape}, expected {shape}.")
            object.__setattr__(self, name, array)
        if len(self.means) != n:
            raise ValueError(f"Tokens has {n} ids but {len(self.means)} meanings.")

    def __len__(self) -> int:
        return len(self.ids)


def with_tokens(expected: Expected) -> Expected:
    """The same with a unit for each kind of token, so that one search reads the tags of all.

    The units stay first; the same object comes back where there are no tokens.
    """
    if not expected.tokens:
        return expected
    rows = tuple(
        ExpectedUnit(token.means, "", "token", len(token.tags), CARD, CARD, None, token.tags)
        for token in expected.tokens
    )
    return replace(expected, units=expected.units + rows)


def split(tags: Tags, expected: Expected) -> tuple[Tags, Tags]:
    """The units' tags and the tokens' among ``tags``, which were read with ``with_tokens(expected)``."""
    own = tags.unit < len(expected.units)
    return tags[own], tags[~own]


def place_tokens(tags: Tags, view: TableView, expected: Expected) -> Tokens:
    """The tokens with a tag that was read (see :func:`split`), each on the surface under it."""
    means = {tag: token.means for token in expected.tokens for tag in token.tags}
    center, covariance = [], []
    for corners, sigma in zip(tags.corners, tags.sigma_px, strict=True):
        pose = _lying_at(view, corners, float(sigma), expected.tag_size_in, 0.0)
        for _ in range(2):
            z = surface_prior(pose.x, pose.y, expected.terrain, HeightConfig()).mean_in
            pose = _lying_at(view, corners, float(sigma), expected.tag_size_in, z)
        center.append([pose.x, pose.y])
        covariance.append(pose.covariance[:2, :2])
    return Tokens(
        tuple(int(i) for i in tags.ids),
        tuple(means[int(i)] for i in tags.ids),
        np.array(center).reshape(-1, 2),
        np.array(covariance).reshape(-1, 2, 2),
        tags.confidence,
    )


def _lying_at(view: TableView, corners: Array, sigma_px: float, size_in: float, z: float) -> TagPose:
    """The token with these tag corners (4, 2) px on a surface at height ``z``."""
    return tag_pose(view, corners, sigma_px, size_in, (0.0, 0.0), CARD, z, TagPlaceConfig(glue_in=0.0))
