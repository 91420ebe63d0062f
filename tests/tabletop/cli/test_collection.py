"""``tabletop learn``, ``tabletop collection`` and ``--collection``: what they say, what they write, how they refuse."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import shapely

from tabletop.errors import UsageError
from tabletop.referee import collection_files, judging
from tests.support import settled_tables as scene
from tests.support.cli_runs import Ran, refused
from tests.support.cli_runs import run_cli as run
from vision.model.collection import Collection
from vision.terrain.tracing import iou


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a photo, its table file, its observation, what its players settled, and the collection learnt."""
    folder = tmp_path_factory.mktemp("settled")
    cv2.imwrite(str(folder / "photo.png"), scene.photo().image)
    (folder / "my.table.toml").write_text(scene.TABLE_TOML, encoding="utf-8")
    told = run(
        "observe", folder / "photo.png", "--table", folder / "my.table.toml", "--json", folder / "seen.json", "-q"
    )
    assert told.exit_code == 0, told.output
    seen = json.loads((folder / "seen.json").read_text())
    (folder / "settled.json").write_text(json.dumps(settled(seen)))
    assert learn(folder).exit_code == 0
    return folder


def settled(seen: dict[str, Any]) -> dict[str, Any]:
    """The observation once its players have said what lies and stands there."""
    out = copy.deepcopy(seen)
    out["terrain"] = [
        {"id": f"t{k}", "kind": piece.kind, "polygon": list(piece.shape.exterior.coords)[:-1], "confidence": 1.0}
        for k, piece in enumerate(scene.settled().terrain, 1)
    ]
    assert len(out["bases"]) == len(scene.BASES)
    for base in out["bases"]:
        away = [np.hypot(base["center"][0] - true.x, base["center"][1] - true.y) for true in scene.BASES]
        base.update(side=scene.SIDES[int(np.argmin(away))], kind="infantry", confidence=1.0)
    return out


def learn(place: Path, *more: object, observation: str = "settled.json", collection: Path | None = None) -> Ran:
    table, given = place / "my.table.toml", place / observation
    to = collection or place / "ours.zip"
    return run("learn", place / "photo.png", "--table", table, "--observation", given, "--collection", to, *more)


def changed(place: Path, tmp_path: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    data = json.loads((place / "settled.json").read_text())
    change(data)
    (tmp_path / "changed.json").write_text(json.dumps(data))
    return tmp_path / "changed.json"


def test_learning_says_what_was_learnt_and_a_photo_is_kept_once(place: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.zip"
    mine.write_bytes((place / "ours.zip").read_bytes())
    said = learn(place, collection=mine).stdout
    assert said.startswith("Learnt from photo.png (") and "1 field, 1 woods in " in said and said.endswith("2 bases.\n")
    line = "woods: 2.5,9.5 9.5,9.5 9.5,16 2.5,16 out 9,12"
    assert learn(place, "--quiet", "--around", line, collection=mine).output == ""
    uncorrected = learn(place, "--around", line.partition(" out")[0], collection=mine)
    assert uncorrected.exit_code == 2 and "teaches no margin" in uncorrected.output
    known = collection_files.load_collection(mine)
    assert len(known.photos) == known.margin.lines == 1 and known.margin.mean > 0.075
    assert known.merged_with(Collection()).margin == known.margin == known.without(known.photos[0].id).margin
    files = [collection_files.CollectionFile(str(path), "1", path.read_bytes) for path in (mine, place / "ours.zip")]
    assert collection_files.KnownFiles().together(files).margin == known.margin
    assert "Outlines are drawn 8 % of a piece's size outside its foot" in run("collection", mine).stdout


def test_a_collection_is_listed_shown_and_pruned(place: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.zip"
    mine.write_bytes((place / "ours.zip").read_bytes())
    result = run("collection", mine, "--json", tmp_path / "c.json", "--picture", tmp_path / "c.png")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("1 settled photo:\n") and "Bases: 1 blue infantry, 1 red infantry." in result.stdout
    (row,) = json.loads((tmp_path / "c.json").read_text())["photos"]
    assert row["table"] == {"width": 18.0, "depth": 18.0}
    picture = cv2.imread(str(tmp_path / "c.png"))
    assert picture is not None and picture.std() > 10
    assert "ends in .png" in refused("collection", mine, "--picture", tmp_path / "c.gif")
    assert f"it has {row['id']}" in refused("collection", mine, "--forget", "zzz")
    assert len(collection_files.load_collection(mine).photos) == 1
    assert run("collection", mine, "--forget", row["id"][:4]).stdout == "The collection is empty.\n"
    assert collection_files.load_collection(mine).photos == ()


def unsettled(data: dict[str, Any]) -> None:
    for row in (*data["bases"], *data["terrain"]):
        row["confidence"] = 0.9


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (unsettled, "Nothing in this observation is settled"),
        (
            lambda data: data["table"].update(width=36.0),
            "of a table of 36.0″ x 18.0″, and the table file has 18″ x 18″",
        ),
        (lambda data: data["photos"].append(data["photos"][0]), "this observation has 2: observe a single photo"),
        (lambda data: data["photos"][0].update(width=900), "give the photo that was observed"),
        (lambda data: data["photos"][0].update(K=[[1, 0, 0], [0, 1, 0]]), "can't be read"),
        (lambda data: data["terrain"][0].update(polygon=[[1, 2]]), "can't be read"),
        (lambda data: data["bases"][0].pop("center"), "can't be read"),
        (lambda data: data.pop("bases"), "That is not an observation"),
    ],
)
def test_what_cannot_be_learnt_is_refused_and_nothing_is_written(
    place: Path, tmp_path: Path, change: Callable[[dict[str, Any]], object], words: str
) -> None:
    other, mine = changed(place, tmp_path, change), tmp_path / "mine.zip"
    given = ("learn", place / "photo.png", "--table", place / "my.table.toml", "--observation", other, "--collection")
    assert words in refused(*given, mine)
    assert not mine.exists()


def test_bad_files_are_refused_and_stay_as_they_are(place: Path, tmp_path: Path) -> None:
    given = ("learn", place / "photo.png", "--table", place / "my.table.toml", "--observation", place / "settled.json")
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    assert "notes.txt is no collection that can be read" in refused(*given, "--collection", notes)
    assert "notes.txt is no collection" in refused(*given, "--collection", tmp_path / "a.zip", "--merge", notes)
    assert "make it first" in refused(*given, "--collection", tmp_path / "none" / "a.zip")
    assert "notes.txt is no collection" in refused("collection", notes)
    assert "There is no collection" in refused("collection", tmp_path / "none.zip")
    assert notes.read_text() == "mine" and not (tmp_path / "a.zip").exists()


def test_a_server_refuses_what_it_cannot_learn_into_before_it_listens(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    given = ("serve", "--data", tmp_path / "data", "--port", "0", "--collection")
    assert "notes.txt is no collection that can be read" in refused(*given, notes)
    assert "is a folder: name a file in it" in refused(*given, tmp_path)
    assert "choose another folder" in refused(*given, tmp_path / "none" / "a.zip")
    elsewhere = refused(*given, tmp_path / "a.zip", "--url", "postgresql+psycopg://club@/evening")
    assert "with --url other machines learn from photos: leave --collection out" in elsewhere
    assert "with --workers 0 other machines" in refused(*given, tmp_path / "a.zip", "--workers", "0")
    assert sorted(tmp_path.iterdir()) == [notes] and notes.read_text() == "mine"


def test_a_collection_is_written_whole_or_not_at_all(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.zip"
    before = (place / "ours.zip").read_bytes()
    mine.write_bytes(before)

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        collection_files.save_collection(mine, Collection())
    assert mine.read_bytes() == before and list(tmp_path.iterdir()) == [mine]
    with pytest.raises(UsageError, match="choose another folder"):
        collection_files.save_collection(tmp_path / "none" / "a.zip", Collection())


def test_the_next_photo_is_read_by_it(place: Path, tmp_path: Path) -> None:
    """Bases without tag and rim have no side without it, and the terrain is found where it lies."""
    given = ("observe", place / "photo.png", "--table", place / "my.table.toml", "-q", "--json")
    drawn = ("--picture", tmp_path / "seen.png", "--trust", tmp_path / "trust.png", "--tap", "hill@16,2")
    drawn += ("--around", "ruin high 2: 3.2,10.2 8.8,10.2 8.8,15.3 3.2,15.3", "--around", "wall: 40,40 44,40 44,44")
    result = run(*given, tmp_path / "o.json", "--collection", place / "ours.zip", *drawn)
    assert result.exit_code == 0, result.output
    assert all(cv2.imread(str(tmp_path / name)).std() > 10 for name in ("seen.png", "trust.png"))
    before, after = (json.loads(path.read_text()) for path in (place / "seen.json", tmp_path / "o.json"))
    assert [base["side"] for base in before["bases"]] == [None, None]
    assert {base["side"]: base["center"][0] > 9 for base in after["bases"]} == {"red": False, "blue": True}
    assert all(piece["confidence"] < 1.0 for piece in after["terrain"])
    ruin = next(piece for piece in after["terrain"] if piece["kind"] == "ruin")
    assert iou(shapely.Polygon(ruin["polygon"]), scene.WOOD) > 0.9 and ruin["evidence"]["stated"]
    assert {piece["kind"] for piece in after["terrain"]} == {"ruin", "field"}
    told = " ".join(after["warnings"])
    assert (
        "No edge of the hill at" in told and "The line of the wall that starts at (40.0, 40.0) is off the table" in told
    )


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Path | None]:
    """The collections that commands have loaded."""
    loaded: list[Path | None] = []
    load = judging.load_collection

    def spied(path: Path | None) -> Collection | None:
        loaded.append(path)
        return load(path)

    monkeypatch.setattr(judging, "load_collection", spied)
    return loaded


def test_every_command_that_reads_photos_takes_it(place: Path, tmp_path: Path, asked: list[Path | None]) -> None:
    photo, table, bad = place / "photo.png", place / "my.table.toml", tmp_path / "bad.zip"
    bad.write_bytes(b"PK")
    watched = tmp_path / "photos"
    watched.mkdir()
    for command in (
        ("observe", photo, "--table", table),
        ("observe", photo, photo, "--table", table),
        ("referee", photo, "--table", table, "--out", tmp_path / "out"),
        ("see", photo, "--table", table, "--data", tmp_path),
        ("watch", watched, "--table", table),
    ):
        assert "bad.zip is no collection" in refused(*command, "--collection", bad), command
    assert set(asked) == {bad} and not (tmp_path / "out").exists()
