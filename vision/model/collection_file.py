"""A collection as one file: a zip of ``collection.json``, arrays (``.npy``) and small pictures (``.jpg``).

Such files are shared, so a stranger's file is checked as it is read: sizes before anything is unpacked, types
and shapes of arrays, no pickles.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.model.collection import COVERS, Collection, Crop, KnownBase, LearntPhoto, TerrainCells
from vision.model.drawing_margin import USUAL_MARGIN, DrawingMargin, margin_from_json
from vision.model.errors import CollectionError

VERSION = 1
MOST_BYTES = 100 * 1024 * 1024
_MOST_UNPACKED = 400 * 1024 * 1024
_MOST_ENTRIES = 20_000
_MOST_PHOTOS = 200
_MOST_CELLS, _MOST_FIGURES, _MOST_LOOK = 100_000, 2_000, 20_000
_MOST_CROP_BYTES = 100 * 1024
_MOST_WORD = 60
_INDEX = "collection.json"
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    KeyError,
    ValueError,
    TypeError,
    OverflowError,
    EOFError,
    NotImplementedError,
    RuntimeError,
)
_ARRAYS: Mapping[str, tuple[str, int]] = {
    "levels": ("uint8", 2),
    "lowest": ("float32", 1),
    "highest": ("float32", 1),
    "cover": ("int8", 1),
    "hill": ("int8", 1),
    "top": ("int8", 1),
    "mat": ("float32", 1),
}
_ALWAYS = (1980, 1, 1, 0, 0, 0)  # what is written depends on what is kept, and not on when


def collection_bytes(collection: Collection, sight: str) -> bytes:
    """The file of a collection; ``sight``: which net saw its cells
    (:func:`vision.terrain.ground_sight.sight_version`)."""
    entries: dict[str, bytes] = {}
    rows = []
    for number, photo in enumerate(collection.photos):
        folder = f"photo{number + 1}"
        if photo.cells is not None:
            entries |= {f"{folder}/{name}.npy": _array_bytes(getattr(photo.cells, name)) for name in _ARRAYS}
        if photo.bases:
            looks = np.stack([base.look for base in photo.bases]).astype(np.float32)
            entries[f"{folder}/looks.npy"] = _array_bytes(looks)
        entries |= {f"{folder}/crop{k + 1}.jpg": crop.jpeg for k, crop in enumerate(photo.crops)}
        rows.append(_row(photo))
    index = {"kind": "tabletop collection", "version": VERSION, "sight": sight, "photos": rows}
    if collection.margin.lines:
        index["margin"] = collection.margin.to_json()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(zipfile.ZipInfo(_INDEX, _ALWAYS), json.dumps(index, indent=1, ensure_ascii=False))
        for name, data in entries.items():
            info = zipfile.ZipInfo(name, _ALWAYS)
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, data)
    return file.getvalue()


def _row(photo: LearntPhoto) -> dict[str, Any]:
    return {
        "id": photo.id,
        "learnt": photo.learnt,
        "table": list(photo.table_in),
        "pieces": dict(photo.pieces),
        "cells": photo.cells is not None,
        "bases": [
            {"side": b.side, "kind": b.kind, "width": b.width, "depth": b.depth, "round": b.is_round}
            for b in photo.bases
        ],
        "crops": [crop.says for crop in photo.crops],
        **({"stale": True} if photo.stale else {}),
    }


def _array_bytes(array: npt.NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
    return file.getvalue()


def read_collection(path: Path, sight: str) -> Collection:
    """The collection of a file. Raises CollectionError for any other file, OSError where it can't be opened."""
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise CollectionError(
            f"{path.name} has {size / 2**20:.0f} MB; a collection has {MOST_BYTES // 2**20} MB at most. "
            "Forget photos that are no longer needed."
        )
    return collection_of_bytes(path.read_bytes(), sight, path.name)


def read_margin(file: Path | io.BytesIO) -> DrawingMargin:
    """The drawing margin in a collection's file, of which nothing else is unpacked. Raises CollectionError, OSError
    where it can't be opened."""
    try:
        with zipfile.ZipFile(file) as packed:
            index = json.loads(packed.read(_INDEX))
            return margin_from_json(index["margin"]) if "margin" in index else USUAL_MARGIN
    except _UNREADABLE as error:
        raise CollectionError("The collection can't be read: give a file that `tabletop learn` wrote.") from error


def collection_of_bytes(data: bytes, sight: str, name: str = "The collection") -> Collection:
    """The collection of a file's bytes; cells that another net than ``sight`` saw are left out, and the photo is marked
    as stale. Raises CollectionError."""
    if len(data) > MOST_BYTES:
        raise CollectionError(f"{name} is larger than a collection may be ({MOST_BYTES // 2**20} MB).")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            entries = packed.infolist()
            if len(entries) > _MOST_ENTRIES or sum(entry.file_size for entry in entries) > _MOST_UNPACKED:
                raise CollectionError(f"{name} holds more than a collection may hold: take another copy of it.")
            index = json.loads(packed.read(_INDEX))
            if not isinstance(index, dict) or index.get("kind") != "tabletop collection":
                raise ValueError("kind")
            if index.get("version") != VERSION:
                raise CollectionError(
                    f"{name} has version {index.get('version')!r}, and this program reads version {VERSION}: "
                    "use the program that wrote it, or learn its photos again."
                )
            if not isinstance(index["photos"], list) or len(index["photos"]) > _MOST_PHOTOS:
                raise ValueError("photos")
            same = index["sight"] == sight
            photos = [_photo(packed, f"photo{k + 1}", row, same=same) for k, row in enumerate(index["photos"])]
            margin = margin_from_json(index["margin"]) if "margin" in index else USUAL_MARGIN
    except CollectionError:
        raise
    except _UNREADABLE as error:
        raise CollectionError(
            f"{name} is no collection that can be read: give a file that `tabletop learn` wrote."
        ) from error
    return Collection(tuple(photos), margin)


def _photo(packed: zipfile.ZipFile, folder: str, row: Mapping[str, Any], *, same: bool) -> LearntPhoto:
    cells = None
    if row["cells"] and same:
        arrays = {name: _array(packed, f"{folder}/{name}.npy", dtype, dims) for name, (dtype, dims) in _ARRAYS.items()}
        if arrays["levels"].shape[0] > _MOST_CELLS or arrays["levels"].shape[1] > _MOST_FIGURES:
            raise ValueError("levels")
        if not np.isin(arrays["cover"], range(len(COVERS))).all() or not all(
            np.isin(arrays[part], (-1, 0, 1)).all() for part in ("hill", "top")
        ):
            raise ValueError("cover")
        cells = TerrainCells(**arrays)
    bases: list[KnownBase] = []
    if row["bases"]:
        looks = _array(packed, f"{folder}/looks.npy", "float32", 2)
        if len(looks) != len(row["bases"]) or looks.shape[1] > _MOST_LOOK:
            raise ValueError("looks")
        bases = [_base(one, look) for one, look in zip(row["bases"], looks, strict=True)]
    crops = [_crop(packed, f"{folder}/crop{k + 1}.jpg", says) for k, says in enumerate(row["crops"])]
    width, depth = (_length(value) for value in row["table"])
    pieces = tuple((_word(kind), _count(count)) for kind, count in dict(row["pieces"]).items())
    stale = bool(row.get("stale")) or (bool(row["cells"]) and not same)
    return LearntPhoto(
        _word(row["id"]), _word(row["learnt"]), (width, depth), pieces, cells, tuple(bases), tuple(crops), stale
    )


def _array(packed: zipfile.ZipFile, name: str, dtype: str, dims: int) -> Any:
    file = io.BytesIO(packed.read(name))
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError(name)
    shape, _, kind = np.lib.format.read_array_header_1_0(file)
    # the data that the header promises must be there before memory is allocated
    if (
        kind != np.dtype(dtype)
        or len(shape) != dims
        or math.prod(shape) * kind.itemsize != len(file.getbuffer()) - file.tell()
    ):
        raise ValueError(name)
    file.seek(0)
    array = np.lib.format.read_array(file, allow_pickle=False)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(name)
    return array


def _base(row: Mapping[str, Any], look: npt.NDArray[np.float32]) -> KnownBase:
    sizes = _length(row["width"]), _length(row["depth"])
    return KnownBase(_word(row["side"]), _word(row["kind"]), *sizes, bool(row["round"]), look)


def _crop(packed: zipfile.ZipFile, name: str, says: object) -> Crop:
    if packed.getinfo(name).file_size > _MOST_CROP_BYTES:
        raise ValueError(name)
    jpeg = packed.read(name)
    if not jpeg.startswith(b"\xff\xd8"):
        raise ValueError(name)
    return Crop(_word(says), jpeg)


def _word(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= _MOST_WORD or not value.isprintable():
        raise ValueError("word")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or not 0 < value <= _MOST_CELLS:
        raise ValueError("count")
    return value


def _length(value: object) -> float:
    if not isinstance(value, int | float) or not 0 < value < 1000:
        raise ValueError("length")
    return float(value)
