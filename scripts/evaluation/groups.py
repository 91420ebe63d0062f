"""The groups that a photo belongs to: its table, its light, the viewpoint, and what makes bases easy to find."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from evaluation.light import Light
from evaluation.truth import Truth

ELEVATIONS_DEG = (25.0, 40.0, 55.0, 70.0, 90.0)
DISTANCES_IN = (40.0, 60.0, 80.0)
MEGAPIXELS = (7.0, 10.0, 14.0, 20.0)


def groups_of(truth: Truth, light: Light | None) -> dict[str, str]:
    """The photo's group on every axis."""
    mat = truth.raw["table"].get("mat")
    words = light.words if light else dict.fromkeys(("level", "evenness", "cast"), "not measured")
    return {
        "table": f"{truth.width:g}″ x {truth.depth:g}″" + (f" {mat}" if mat else ""),
        "camera's elevation": elevation_group(elevation_deg(truth)),
        "camera's distance": distance_group(truth.camera.distance_in(_middle(truth))),
        "seen from": side_seen_from(truth),
        "light": words["level"],
        "evenness of light": words["evenness"],
        "colour of light": words["cast"],
        "rims": "painted" if has_rims(truth) else "none",
        "tags": tags_on(truth),
        "picture": megapixel_group(truth.raw.get("image", {})),
    }


def _middle(truth: Truth) -> tuple[float, float, float]:
    return truth.width / 2, truth.depth / 2, 0.0


def elevation_deg(truth: Truth) -> float:
    """How high the camera is over the table's middle, degrees above the table's plane."""
    x, y, z = truth.camera.eye - _middle(truth)
    return math.degrees(math.atan2(z, math.hypot(x, y)))


def elevation_group(elevation: float) -> str:
    """The band of an elevation in degrees.

    >>> elevation_group(40.0), elevation_group(12.0)
    ('40 to 55 degrees', 'below 25 degrees')
    """
    for low, high in pairwise(ELEVATIONS_DEG):
        if low <= elevation < high or elevation == high == ELEVATIONS_DEG[-1]:
            return f"{low:g} to {high:g} degrees"
    return f"below {ELEVATIONS_DEG[0]:g} degrees"


def distance_group(distance: float) -> str:
    """The band of a distance in inches.

    >>> distance_group(45.0), distance_group(99.0)
    ('40″ to 60″', '80″ and more')
    """
    if distance < DISTANCES_IN[0]:
        return f"less than {DISTANCES_IN[0]:g}″"
    for low, high in pairwise(DISTANCES_IN):
        if distance < high:
            return f"{low:g}″ to {high:g}″"
    return f"{DISTANCES_IN[-1]:g}″ and more"


def side_seen_from(truth: Truth) -> str:
    """The side of the table where the camera is: near, far, left or right."""
    eye = truth.camera.eye
    across, along = eye[0] / truth.width - 0.5, eye[1] / truth.depth - 0.5
    if abs(across) > abs(along):
        return "right" if across > 0 else "left"
    return "far" if along > 0 else "near"


def has_rims(truth: Truth) -> bool:
    """Whether bases have painted rims."""
    config = truth.raw.get("parameters", {}).get("config", {})
    if isinstance(config, Mapping) and isinstance(config.get("rims"), bool):
        return bool(config["rims"])
    return bool(truth.raw.get("rims"))


def tags_on(truth: Truth) -> str:
    """Which bases have a tag."""
    tagged = [base.tag is not None for base in truth.bases]
    if tagged and all(tagged):
        return "on every base"
    return "on some bases" if any(tagged) else "none"


def megapixel_group(image: Mapping[str, Any]) -> str:
    """The picture's size in words.

    >>> megapixel_group({"width": 4032, "height": 3024})
    '10 to 14 megapixels'
    """
    size = image.get("width", 0) * image.get("height", 0) / 1e6
    if not size:
        return "not stated"
    for low, high in zip((0.0, *MEGAPIXELS), MEGAPIXELS, strict=False):
        if size < high:
            return f"{low:g} to {high:g} megapixels" if low else f"less than {high:g} megapixels"
    return f"{MEGAPIXELS[-1]:g} megapixels and more"
