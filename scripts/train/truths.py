"""What is read of the truth beside a photograph (NAME.json), to learn from it or to measure on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from calibration import Camera, TableView

_NAMES = {"cornfield": "field"}


def view_of(truth: Mapping[str, Any], shape: tuple[int, ...]) -> TableView:
    """The true camera of a photograph of a shape (rows, columns, ...)."""
    told = truth["camera"]
    k = np.array(told["K"])
    parameters = np.array([k[0, 0], k[1, 1], k[0, 2], k[1, 2], *told["distortion"]])
    camera = Camera.from_parameters(parameters, (shape[1], shape[0]))
    return TableView(camera=camera, R=np.array(told["R"]), t=np.array(told["t"]))


def kind_of(piece: Mapping[str, Any]) -> str:
    """The kind of a true piece of terrain, by the name that the product has for it."""
    return _NAMES.get(piece["kind"], piece["kind"])
