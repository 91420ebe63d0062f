"""Collections written and read: what comes back, and what is refused."""

import io
import json
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest

from vision.model import collection_file
from vision.model.collection import Collection, Crop, KnownBase, LearntPhoto, cells_of_figures
from vision.model.collection_file import collection_bytes, collection_of_bytes, read_collection
from vision.model.errors import CollectionError


def photo(name: str, learnt: str = "2026-01-02") -> LearntPhoto:
    figures = np.random.default_rng(1).normal(size=(30, 4)).astype(np.float32)
    flags = np.zeros(30, np.int8)
    cells = cells_of_figures(figures, (np.arange(30) % 3).astype(np.int8), flags, flags, np.ones(13, np.float32))
    base = KnownBase("red", "tank", 2.0, 1.0, False, np.ones(6, np.float32))
    return LearntPhoto(name, learnt, (36.0, 24.0), (("woods", 2),), cells, (base,), (Crop("woods", b"\xff\xd8 x"),))


def test_what_is_written_comes_back() -> None:
    held = Collection((photo("aaa"), photo("bbb")))
    data = collection_bytes(held, "net")
    again = collection_of_bytes(data, "net")
    assert [one.id for one in again.photos] == ["aaa", "bbb"] and len(again.bases) == 2
    assert np.array_equal(again.tables[0].levels, held.tables[0].levels)
    assert collection_bytes(again, "net") == data


def test_cells_of_another_net_are_left_out_and_said() -> None:
    again = collection_of_bytes(collection_bytes(Collection((photo("aaa"),)), "old net"), "net")
    assert not again.tables and again.photos[0].stale and len(again.bases) == 1


def test_pickles_are_refused() -> None:
    data, file = io.BytesIO(collection_bytes(Collection((photo("aaa"),)), "net")), io.BytesIO()
    evil = io.BytesIO()
    np.save(evil, np.array([{"a": 1}], object), allow_pickle=True)
    with zipfile.ZipFile(data) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            new.writestr(name, evil.getvalue() if name.endswith("levels.npy") else old.read(name))
    with pytest.raises(CollectionError):
        collection_of_bytes(file.getvalue(), "net")


def changed(name: str, data: bytes | None = None, **index: object) -> bytes:
    """A collection's file with one of its entries replaced, or its index changed."""
    file, old = io.BytesIO(), zipfile.ZipFile(io.BytesIO(collection_bytes(Collection((photo("aaa"),)), "net")))
    with zipfile.ZipFile(file, "w") as new:
        for entry in old.namelist():
            content = old.read(entry)
            if entry.endswith(name):
                content = json.dumps({**json.loads(content), **index}).encode() if data is None else data
            new.writestr(entry, content)
    return file.getvalue()


def array(shape: tuple[int, ...], *, promised: tuple[int, ...] | None = None) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        file, {"descr": "|u1", "fortran_order": False, "shape": shape if promised is None else promised}
    )
    return file.getvalue() + bytes(math.prod(shape))


def test_a_newer_version_is_named() -> None:
    with pytest.raises(CollectionError, match="has version 2, and this program reads version 1: use the program that"):
        collection_of_bytes(changed("collection.json", version=2), "net")


@pytest.mark.parametrize(
    "data",
    [
        changed("collection.json", kind="other"),
        changed("collection.json", photos=[[]]),
        changed("collection.json", photos=None),
        changed("collection.json", data=b"{"),
        changed("levels.npy", array((30, 4), promised=(10**9, 10**4))),
        changed("levels.npy", array((29, 4))),
        changed("levels.npy", array((30,))),
        changed("looks.npy", b""),
        changed("crop1.jpg", b"<html>"),
        changed("crop1.jpg", b"\xff\xd8" + bytes(200_000)),
    ],
    ids=["kind", "photo", "photos", "json", "promise", "cells", "dims", "empty", "crop", "large crop"],
)
def test_what_does_not_fit_together_is_refused(data: bytes) -> None:
    with pytest.raises(CollectionError, match=r"no collection that can be read|do not fit together"):
        collection_of_bytes(data, "net")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ours.zip"
    path.write_bytes(collection_bytes(Collection((photo("aaa"),)), "net"))
    assert len(read_collection(path, "net").photos) == 1
    monkeypatch.setattr(collection_file, "MOST_BYTES", 1000)
    with pytest.raises(CollectionError, match=r"ours\.zip has 0 MB; a collection has 0 MB at most"):
        read_collection(path, "net")
    monkeypatch.undo()
    monkeypatch.setattr(collection_file, "_MOST_UNPACKED", 1000)
    with pytest.raises(CollectionError, match=r"ours\.zip holds more than a collection may hold"):
        read_collection(path, "net")


def test_photos_are_kept_once_forgotten_and_merged() -> None:
    held = Collection((photo("aaa"),)).with_photo(photo("aaa")).with_photo(photo("abb"))
    assert [one.id for one in held.photos] == ["aaa", "abb"]
    assert [one.id for one in held.without("ab").photos] == ["aaa"]
    with pytest.raises(CollectionError, match="several photos"):
        held.without("a")
    assert len(held.merged_with(Collection((photo("ccc"), photo("aaa")))).photos) == 3
    assert len(held.with_photo(photo("ddd"), most=2).photos) == 2
