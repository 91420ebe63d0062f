"""The two small nets and what they are shown: the table from above, and which way tall things lean at each place.

A net sees three planes of colour, two of lean (by how many inches the camera shows a point one inch up displaced on the
table, to the right and downwards in the map) and one that says where there is table. It answers with shares from 0
to 1. Both were trained on drawn tables alone (:mod:`vision.drawn`); ``docs/nets.md`` says how.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]

GROUND_PPI = 8.0
BASES_PPI = 16.0
MULTIPLE = 32  # rows and columns that the nets take are multiples of this
INPUTS = 6


def lean_of(
    columns: int, rows: int, foot_px: tuple[float, float], eye_height_in: float, px_per_inch: float
) -> tuple[Float32, Float32]:
    """How far, in inches per inch of height, the map shows things leaning right (1, columns) and down (rows, 1).

    ``foot_px``: the map pixel straight under the camera.
    """
    scale = 1.0 / (px_per_inch * max(eye_height_in, 1.0))
    right = (np.arange(columns, dtype=np.float32) - np.float32(foot_px[0])) * np.float32(scale)
    down = (np.arange(rows, dtype=np.float32) - np.float32(foot_px[1])) * np.float32(scale)
    return right[None, :], down[:, None]


def plan_input(image: Image, lean: tuple[Float32, Float32], valid: npt.NDArray[np.bool_]) -> Float32:
    """What a net is shown: (INPUTS, rows, columns), everything outside ``valid`` grey.

    Colours are centred on the middle of display levels and scaled by their own spread over the table, so that dark
    and bright pictures look alike.
    """
    rows, columns = valid.shape
    out = np.zeros((INPUTS, rows, columns), np.float32)
    levels = image.astype(np.float32) / np.float32(255)
    inside = levels[valid]
    if len(inside):
        middle = np.float32(np.median(inside[::7].mean(axis=1)))
        spread = np.float32(max(0.08, float(inside[::7].mean(axis=1).std())))
        scaled = (levels - middle) / np.float32(2.0 * np.sqrt(spread * 0.15))
        out[:3] = np.moveaxis(scaled, 2, 0) * valid
    out[3] = np.broadcast_to(lean[0], (rows, columns)) * valid
    out[4] = np.broadcast_to(lean[1], (rows, columns)) * valid
    out[5] = valid
    return out
