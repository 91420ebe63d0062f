"""Results in files and folders: all of them or none."""

import os
from pathlib import Path

import pytest

from tabletop.errors import UsageError
from tabletop.files import check_folder, json_bytes, write_files, write_folder


def test_json_has_an_indent_and_no_number_that_json_lacks() -> None:
    assert json_bytes({"a": [1, "é"]}) == '{\n "a": [\n  1,\n  "é"\n ]\n}\n'.encode()
    with pytest.raises(ValueError, match="JSON"):
        json_bytes({"sigma": float("inf")})


def test_files_appear_all_or_none(tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "missing" / "b.json"
    with pytest.raises(UsageError, match=r"b\.json can't be written"):
        write_files({first: b"a", second: b"b"})
    assert list(tmp_path.iterdir()) == []
    write_files({first: b"a"})
    assert first.read_bytes() == b"a" and list(tmp_path.iterdir()) == [first]


def test_a_folder_gets_all_files_and_keeps_others(tmp_path: Path) -> None:
    out = tmp_path / "new" / "results"
    write_folder(out, {"a.txt": b"a", "b.txt": b"b"})
    (out / "mine.txt").write_text("kept")
    write_folder(out, {"a.txt": b"again"})
    assert {p.name: p.read_text() for p in out.iterdir()} == {"a.txt": "again", "b.txt": "b", "mine.txt": "kept"}
    assert [p.name for p in out.parent.iterdir()] == ["results"]


def test_a_failure_while_writing_leaves_nothing(tmp_path: Path) -> None:
    out = tmp_path / "results"
    with pytest.raises(OSError, match="long"):
        write_folder(out, {"a.txt": b"a", "x" * 300: b"a name that no disk takes"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UsageError, match="not a writable folder"):
        check_folder(tmp_path / "a" / "b")


def test_a_file_in_the_way_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for out in (tmp_path / "file", tmp_path / "file" / "results"):
        with pytest.raises(UsageError):
            check_folder(out)
