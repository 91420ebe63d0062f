"""Small pictures of the worst errors: a piece of the photo with the true and the seen outline drawn over it."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from evaluation.truth import read_truth
from evaluation.worst import Worst
from tabletop.referee.judging import open_photo
from tabletop.tables.photo_camera import PhotoCamera

LONG_SIDE_PX = 480
MOST_BYTES = 40_000
TRUE_COLOUR, SEEN_COLOUR = (255, 226, 60), (255, 40, 220)
_MARGIN = 0.8
_LEAST_PX = 160.0
_STEPS = 8

Array = npt.NDArray[np.float64]


def worst_pictures(errors: Sequence[Worst]) -> dict[str, bytes]:
    """A JPEG for every error, by file name, in the order of the errors; each photo is opened once.

    True outlines are yellow, seen ones magenta. At most :data:`LONG_SIDE_PX` pixels and :data:`MOST_BYTES` bytes.
    """
    names = picture_names(errors)
    done: dict[str, bytes] = {}
    for case in dict.fromkeys(error.result.case for error in errors):
        image, camera = open_photo(case.photo).image, read_truth(case.truth).camera
        for name, error in zip(names, errors, strict=True):
            if error.result.case == case:
                done[name] = crop(image, camera, error.true, error.seen)
    return {name: done[name] for name in names}


def picture_names(errors: Sequence[Worst]) -> list[str]:
    """The file names: the sort and a number from 1."""
    count: Counter[str] = Counter()
    names = []
    for error in errors:
        count[error.sort] += 1
        names.append(f"{error.sort}-{count[error.sort]}.jpg")
    return names


def crop(image: npt.NDArray[np.uint8], camera: PhotoCamera, true: Sequence[Array], seen: Sequence[Array]) -> bytes:
    """The JPEG of the part of a picture (h, w, 3; blue-green-red) around some outlines (n, 3), with these drawn."""
    lines = [(camera.project(_dense(ring)), colour) for rings, colour in ((true, TRUE_COLOUR), (seen, SEEN_COLOUR))
             for ring in rings]  # fmt: skip
    box = _box(np.concatenate([line for line, _ in lines]), image.shape[1], image.shape[0])
    left, top, right, bottom = box
    piece = Image.fromarray(np.ascontiguousarray(image[top:bottom, left:right, ::-1]))
    scale = LONG_SIDE_PX / max(piece.size)
    size = max(1, round(piece.width * scale)), max(1, round(piece.height * scale))
    piece = piece.resize(size, Image.Resampling.LANCZOS if scale < 1 else Image.Resampling.BICUBIC)
    draw = ImageDraw.Draw(piece)
    for line, colour in lines:
        at = [tuple(p) for p in ((line - (left, top) + 0.5) * scale).tolist()]
        draw.line([*at, at[0]], fill=colour, width=2)
    return _jpeg(piece)


def _dense(ring: Array) -> Array:
    """A closed ring with points along its edges, since a lens bends lines."""
    steps = np.linspace(0.0, 1.0, _STEPS, endpoint=False)[None, :, None]
    after = np.roll(ring, -1, axis=0)
    return (ring[:, None] + (after - ring)[:, None] * steps).reshape(-1, 3)


def _box(points: Array, width: int, height: int) -> tuple[int, int, int, int]:
    """The part of the picture to show: left, top, right, bottom; never empty."""
    low, high = points.min(axis=0), points.max(axis=0)
    reach = np.maximum((high - low) * (0.5 + _MARGIN / 2), _LEAST_PX / 2).max()
    limit = np.array([width, height], dtype=np.float64)
    middle = np.clip((low + high) / 2, 0.0, limit - 1.0)
    first = np.clip(np.floor(middle - reach), 0.0, limit - 2.0)
    last = np.clip(np.ceil(middle + reach), first + 2.0, limit)
    return int(first[0]), int(first[1]), int(last[0]), int(last[1])


def _jpeg(picture: Image.Image) -> bytes:
    """The picture at the best quality that keeps it small; where none does, at half its size."""
    for quality in (82, 70, 58, 46, 34):
        buffer = io.BytesIO()
        picture.save(buffer, "JPEG", quality=quality, optimize=True)
        if buffer.tell() <= MOST_BYTES:
            return buffer.getvalue()
    return _jpeg(picture.resize((max(1, picture.width // 2), max(1, picture.height // 2)), Image.Resampling.LANCZOS))
