"""What a server has learnt, kept beside its pictures or in a file: both keep the same promises."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.errors import NotThereError
from api.photos.collections import (
    MOST_PHOTOS,
    ChoicesKept,
    CollectionDocuments,
    CollectionInFile,
    Collections,
    LearningChoices,
    collections_at,
    photo_id,
)
from api.photos.pictures import Bucket, Folder
from tabletop.errors import UsageError
from tabletop.referee.collection_files import KnownFiles, check_collection, file_of, load_collection
from tests.support.waiting import all_at_once
from vision.model.collection import Collection, KnownBase, LearntPhoto, cells_of_figures
from vision.model.drawing_margin import USUAL_MARGIN
from vision.model.errors import CollectionError


def name(number: int) -> str:
    return f"{number:012x}"


def taught(number: int, side: str = "red", *, terrain: bool = False) -> bytes:
    """The file of what a photo taught: one base, and where asked for a cell of the mat."""
    base = KnownBase(side, "infantry", 2.0, 1.25, False, np.zeros(6, np.float32))
    row, one = np.zeros(1, np.int8), np.zeros(1, np.float32)
    cells = cells_of_figures(np.zeros((1, 1), np.float32), row, row, row, one) if terrain else None
    return file_of(Collection((LearntPhoto(name(number), "2026-05-01", (36.0, 24.0), bases=(base,), cells=cells),)))


def in_file(folder: Path) -> Collections:
    check_collection(folder / "ours.zip")
    return collections_at(Folder(folder), str(folder / "ours.zip"))


def in_bucket(folder: Path) -> Collections:
    pytest.importorskip("obstore")
    return CollectionDocuments(Bucket(f"file://{folder}/bucket"))


@pytest.fixture(
    params=[in_file, lambda folder: collections_at(Folder(folder)), in_bucket], ids=["file", "folder", "bucket"]
)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Collections:
    make: Callable[[Path], Collections] = request.param
    return make(tmp_path)


def sides(kept: Collections, known: KnownFiles | None = None) -> dict[str, str]:
    """The photos in their order, with the side of their one base."""
    return {photo.id: photo.bases[0].side for photo in (known or KnownFiles()).together(kept.files()).photos}


def test_photos_are_kept_in_their_order_each_once_and_replaced(kept: Collections) -> None:
    assert sides(kept) == {}
    for number in (3, 1, 2):
        kept.add(taught(number), name(number))
    assert list(sides(kept)) == [name(3), name(1), name(2)]
    kept.add(taught(3, "blue"), name(3))
    assert sides(kept) == {name(1): "red", name(2): "red", name(3): "blue"}
    kept.forget(name(1))
    assert list(sides(kept)) == [name(2), name(3)]
    with pytest.raises(NotThereError) as refused:
        kept.forget(name(1))
    assert str(refused.value.detail).startswith("Nothing from this photo is kept now")


def test_the_players_margin_is_learned_beside_the_photos(kept: Collections, tmp_path: Path) -> None:
    kept.add(taught(1), name(1))
    assert kept.margin() == USUAL_MARGIN
    for number in (1, 2, 3):
        kept.learn_margin(0.15)
        assert kept.margin().lines == number
    known = KnownFiles().together(kept.files())
    assert known.margin == kept.margin() and known.margin.mean > 0.1 and [one.id for one in known.photos] == [name(1)]
    ours = tmp_path / "ours.zip"
    if ours.exists():
        ours.write_bytes(b"no collection")
        assert kept.margin() == USUAL_MARGIN, "lines are drawn all the same"
        with pytest.raises(UsageError, match="no collection that can be read"):
            kept.learn_margin(0.15)


def test_the_oldest_go_but_photos_of_bases_alone_take_no_terrain_away(kept: Collections) -> None:
    kept.add(taught(100, terrain=True), name(100))
    for number in range(MOST_PHOTOS + 1):
        kept.add(taught(number), name(number))
    assert list(sides(kept)) == [name(100), *(name(number) for number in range(2, MOST_PHOTOS + 1))]
    newer = range(200, 200 + MOST_PHOTOS)
    for number in newer:
        kept.add(taught(number, terrain=True), name(number))
    assert list(sides(kept)) == [name(number) for number in newer]


def test_nothing_is_lost_where_several_learn_at_once(kept: Collections) -> None:
    done = all_at_once([partial(kept.add, taught(number), name(number)) for number in range(8)])
    assert done == [None] * 8 and set(sides(kept)) == {name(number) for number in range(8)}


def test_what_could_not_be_read_again_is_not_kept(kept: Collections) -> None:
    kept.add(taught(1), name(1))
    with pytest.raises(CollectionError, match="is no collection that can be read"):
        kept.add(taught(2, "a side whose name is longer than any that a collection's file may have"), name(2))
    with pytest.raises(ValueError, match="in place of"):
        kept.add(taught(3), name(2))
    assert sides(kept) == {name(1): "red"}


def test_what_was_read_is_read_again_only_where_it_changed(kept: Collections) -> None:
    known, reads = KnownFiles(), list[str]()

    def read_again() -> None:
        def noted(file: Any) -> bytes:
            reads.append(file.name)
            return file.read()

        known.together([type(file)(file.name, file.version, partial(noted, file)) for file in kept.files()])

    kept.add(taught(1), name(1))
    assert list(sides(kept, known)) == [name(1)]
    read_again()
    assert reads == [], "the version is the same, so it is the file that was read already"
    kept.add(taught(1, "blue"), name(1))
    read_again()
    assert len(reads) == 1 and sides(kept, known) == {name(1): "blue"}


def test_a_file_is_made_where_it_is_missing_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "ours.zip"
    check_collection(path)
    assert load_collection(path).photos == ()
    path.write_bytes(taught(1))
    check_collection(path)
    assert path.read_bytes() == taught(1)
    assert sorted(tmp_path.iterdir()) == [path]
    path.unlink()  # it is begun again
    kept = CollectionInFile(path)
    assert kept.files() == []
    kept.add(taught(2), name(2))
    assert [photo.id for photo in load_collection(path).photos] == [name(2)]


def test_what_is_no_file_of_a_collection_or_can_not_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "photo.zip").write_bytes(b"no zip")
    with pytest.raises(CollectionError, match=r"photo\.zip is no collection that can be read"):
        check_collection(tmp_path / "photo.zip")
    assert (tmp_path / "photo.zip").read_bytes() == b"no zip"
    with pytest.raises(UsageError, match="is a folder: name a file in it"):
        check_collection(tmp_path)
    with pytest.raises(UsageError, match=r"ours\.zip can't be written \(.+\): choose another folder"):
        check_collection(tmp_path / "none" / "ours.zip")
    path = tmp_path / "ours.zip"
    path.write_bytes(taught(1))
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(UsageError, match=r"ours\.zip is not writable: name another file, or change its"):
        check_collection(path)


def test_learning_is_on_until_it_is_turned_off_and_what_is_forgotten_stays_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = ChoicesKept(Folder(tmp_path))
    assert kept.get() == LearningChoices(on=True) and kept.get().takes("ab" * 32)
    assert not kept.turn(False).takes("ab" * 32) and not ChoicesKept(Folder(tmp_path)).get().on
    assert kept.turn(True) == LearningChoices()
    monkeypatch.setattr("api.photos.collections.MOST_FORGOTTEN", 3)
    for sha in ("a" * 64, "b" * 64, "a" * 64, "c" * 64, "d" * 64):
        kept.forget(photo_id(sha))
    assert [one[0] for one in kept.get().forgotten] == ["a", "c", "d"]
    assert not kept.get().takes("a" * 64) and kept.get().takes("b" * 64)
