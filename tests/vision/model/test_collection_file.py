"""Collections written and read: what comes back, and what is refused."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from vision.model.collection import Collection, Crop, KnownBase, LearntPhoto, cells_of_figures
from vision.model.collection_file import collection_bytes, collection_of_bytes
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


@pytest.mark.parametrize("data", [b"", b"PK nothing", b"x" * 5000])
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(CollectionError, match="no collection that can be read"):
        collection_of_bytes(data, "net")


def test_pickles_are_refused() -> None:
    data, file = io.BytesIO(collection_bytes(Collection((photo("aaa"),)), "net")), io.BytesIO()
    evil = io.BytesIO()
    np.save(evil, np.array([{"a": 1}], object), allow_pickle=True)
    with zipfile.ZipFile(data) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            new.writestr(name, evil.getvalue() if name.endswith("levels.npy") else old.read(name))
    with pytest.raises(CollectionError):
        collection_of_bytes(file.getvalue(), "net")


def test_photos_are_kept_once_forgotten_and_merged() -> None:
    held = Collection((photo("aaa"),)).with_photo(photo("aaa")).with_photo(photo("abb"))
    assert [one.id for one in held.photos] == ["aaa", "abb"]
    assert [one.id for one in held.without("ab").photos] == ["aaa"]
    with pytest.raises(CollectionError, match="several photos"):
        held.without("a")
    assert len(held.merged_with(Collection((photo("ccc"), photo("aaa")))).photos) == 3
    assert len(held.with_photo(photo("ddd"), most=2).photos) == 2
