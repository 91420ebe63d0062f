"""Pictures as files' bytes."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]


def png_bytes(image: Pixels) -> bytes:
    """A PNG of an image (rows, columns, 3) in blue, green, red."""
    return _encoded(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 6])


def jpeg_bytes(image: Pixels, *, quality: int = 85, max_bytes: int | None = None) -> bytes:
    """A JPEG of an image (rows, columns, 3) in blue, green, red.

    With ``max_bytes`` the quality goes down to 50 and then the picture's size down by fifths until the file fits.
    """
    picture = image
    while True:
        for q in range(quality, 49, -10) if max_bytes else (quality,):
            data = _encoded(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, q, cv2.IMWRITE_JPEG_OPTIMIZE, 1])
            if max_bytes is None or len(data) <= max_bytes:
                return data
        if min(picture.shape[:2]) < 64:
            raise ValueError(f"A picture can't be made to fit {max_bytes} bytes: allow more.")
        size = (round(picture.shape[1] * 0.8), round(picture.shape[0] * 0.8))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _encoded(kind: str, image: Pixels, options: list[int]) -> bytes:
    done, data = cv2.imencode(kind, image, options)
    if not done:
        raise ValueError(f"A picture of shape {image.shape} can't be written as {kind}.")
    return bytes(data)
