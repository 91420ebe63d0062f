"""Letters in the built-in face as pixels."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Pixels = npt.NDArray[np.uint8]

_PLAIN = str.maketrans({"″": '"', "′": "'", "−": "-"})  # signs that the built-in font lacks


@lru_cache(maxsize=32)
def face(size_px: int) -> Any:
    """The built-in face, for Pillow."""
    return ImageFont.load_default(size_px)


def text_size(text: str, size_px: float) -> tuple[float, float]:
    """Width and height in pixels of a label's box."""
    font = face(max(6, round(size_px)))
    left, _, right, _ = font.getbbox(text.translate(_PLAIN))
    return right - left + size_px * 0.5, size_px * 1.3


def text_patch(text: str, size_px: float, ink: str, box: str | None, border: str | None) -> Pixels:
    """Letters in a rounded box as (height, width, 4) red, green, blue, alpha; without a ``box`` they have a halo."""
    width, height = (int(np.ceil(v)) for v in text_size(text, size_px))
    patch = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    pen = ImageDraw.Draw(patch)
    font = face(max(6, round(size_px)))
    edge = max(1, round(size_px / 14))
    if box is not None:
        pen.rounded_rectangle(
            (0, 0, width - 1, height - 1), radius=size_px * 0.28, fill=box, outline=border, width=edge
        )
    pen.text(
        (width / 2, height / 2 + size_px * 0.02),
        text.translate(_PLAIN),
        fill=ink,
        font=font,
        anchor="mm",
        stroke_width=0 if box is not None else edge * 2,
        stroke_fill=border or "#ffffff",
    )
    return np.asarray(patch)
