"""Where pictures lie: the same in a folder and in a bucket, whole or not at all, and never elsewhere."""

import errno
import os
from functools import partial
from pathlib import Path

import pytest

from api.photos.pictures import Bucket, Folder, Pictures, pictures_at
from tabletop.errors import UsageError
from tests.support.waiting import all_at_once

KINDS = ["folder", "file", "memory"]


def made(kind: str, folder: Path) -> Pictures:
    """Pictures of that kind."""
    if kind == "folder":
        return Folder(folder / "photos")
    pytest.importorskip("obstore", reason="needs obstore: pip install obstore")
    return Bucket("memory:///" if kind == "memory" else f"file://{folder}/bucket")


@pytest.fixture(params=KINDS)
def pictures(request: pytest.FixtureRequest, tmp_path: Path) -> Pictures:
    return made(request.param, tmp_path)


def test_what_was_put_is_there_until_it_is_dropped(pictures: Pictures) -> None:
    assert pictures.get("ab/map-01.jpg") is None and pictures.list_folder("ab") == []
    for name, data in (("ab/map-02.jpg", b""), ("ab/map-01.jpg", b"one"), ("ab/map-01.jpg", b"another"), ("c/a", b"")):
        pictures.put(name, data)
    assert (pictures.get("ab/map-01.jpg"), pictures.get("ab/map-02.jpg")) == (b"another", b"")
    assert pictures.list_folder("ab") == ["ab/map-01.jpg", "ab/map-02.jpg"]
    pictures.drop("ab/map-01.jpg")
    pictures.drop("ab/map-01.jpg")
    pictures.drop("cd/never.jpg")
    assert pictures.get("ab/map-01.jpg") is None and pictures.get("ab/map-02.jpg") == b""


@pytest.mark.parametrize("name", ["../x", "a/../x", "/etc/passwd", "a/b/c", "", ".", "a/", "A", "a\\b", "a/.b", "a\nb"])
def test_no_name_leads_elsewhere(pictures: Pictures, name: str) -> None:
    for ask in (lambda: pictures.put(name, b"x"), lambda: pictures.get(name), lambda: pictures.drop(name)):
        with pytest.raises(ValueError, match="no name of a picture"):
            ask()


def test_a_picture_that_can_not_be_written_whole_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = Folder(tmp_path)
    pictures.put("ab/map.jpg", b"the old one")

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        pictures.put("ab/map.jpg", b"the new one")
    assert pictures.get("ab/map.jpg") == b"the old one"
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["map.jpg"]


def test_a_folder_that_others_tidy_away_meanwhile_takes_the_picture_all_the_same(tmp_path: Path) -> None:
    pictures = Folder(tmp_path)

    def keeps_and_drops(name: str) -> None:
        for number in range(60):
            pictures.put(f"ab/{name}", str(number).encode())
            assert pictures.get(f"ab/{name}") == str(number).encode()
            pictures.drop(f"ab/{name}")

    assert all_at_once([partial(keeps_and_drops, name) for name in ("mine", "other")]) == [None, None]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_an_address_says_where_they_are_kept_and_a_bucket_that_can_not_be_reached_is_an_os_error(
    tmp_path: Path,
) -> None:
    pictures = made("file", tmp_path)
    assert isinstance(pictures_at(tmp_path), Folder)
    assert isinstance(pictures_at(tmp_path, "memory:///"), Bucket)
    with pytest.raises(UsageError, match="no address of a bucket"):
        pictures_at(tmp_path, "club/photos")
    with pytest.raises(UsageError) as keys:
        pictures_at(tmp_path, "ftp://me:secret@club/photos")
    assert "secret" not in str(keys.value)
    (tmp_path / "bucket" / "ab").write_bytes(b"no folder")
    with pytest.raises(OSError, match="can't be reached"):
        pictures.put("ab/map.jpg", b"x")
