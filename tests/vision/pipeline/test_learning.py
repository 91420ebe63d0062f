"""What a settled photo teaches, and what it must not."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support import settled_tables as scene
from vision.model.collection import COVERS, LearntPhoto
from vision.model.errors import CollectionError
from vision.pipeline.learning import SettledTable, learn_from

DAY = "2026-05-01"


def learn(table: SettledTable) -> LearntPhoto:
    return learn_from(scene.photo(), table, scene.expected(), DAY)


@pytest.fixture(scope="module")
def learnt() -> LearntPhoto:
    return learn(scene.settled())


def test_what_is_settled_is_learnt(learnt: LearntPhoto) -> None:
    assert (learnt.id, learnt.learnt, learnt.table_in) == (scene.photo().sha256[:12], DAY, (18.0, 18.0))
    assert learnt.pieces == (("field", 1), ("woods", 1))
    assert learnt.cells is not None
    counts = {COVERS[row]: int((learnt.cells.cover == row).sum()) for row in np.unique(learnt.cells.cover)}
    assert set(counts) == {"nothing", "woods", "field"} and min(counts.values()) > 100
    assert [(base.side, base.kind, base.width, base.depth) for base in learnt.bases] == [
        ("red", "infantry", 2.0, 1.25),
        ("blue", "infantry", 2.0, 1.25),
    ]


def test_only_small_pictures_of_the_things_are_kept(learnt: LearntPhoto) -> None:
    assert sorted(crop.says for crop in learnt.crops) == ["blue infantry", "field", "red infantry", "woods"]
    for crop in learnt.crops:
        picture = cv2.imdecode(np.frombuffer(crop.jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None and max(picture.shape) <= 160 and b"Exif" not in crop.jpeg
    wood = next(crop.jpeg for crop in learnt.crops if crop.says == "woods")
    blue, green, red = cv2.imdecode(np.frombuffer(wood, np.uint8), cv2.IMREAD_COLOR).mean(axis=(0, 1))
    assert green > red + 15 and green > blue + 15, "the wood is dark green, seen from above"


def test_what_nobody_confirmed_is_not_learnt() -> None:
    learnt = learn(scene.doubtful(scene.settled()))
    assert learnt.pieces == (("field", 1),) and [base.side for base in learnt.bases] == ["blue"]
    assert learnt.cells is not None and "woods" not in {COVERS[row] for row in learnt.cells.cover}
    assert sorted(crop.says for crop in learnt.crops) == ["blue infantry", "field"]


def test_where_only_bases_are_certain_no_terrain_is_learnt() -> None:
    learnt = learn(replace(scene.settled(), terrain=()))
    assert learnt.cells is None and learnt.pieces == () and len(learnt.bases) == 2


def test_nothing_certain_teaches_nothing() -> None:
    with pytest.raises(CollectionError, match="Nothing in this observation is settled: first confirm or draw"):
        learn(scene.doubtful(scene.settled(), terrain=True, bases=True))


def test_what_is_settled_but_hidden_teaches_nothing() -> None:
    dice = tuple((x + 0.25, y + 0.25) for x in range(18) for y in range(18))
    hidden = replace(scene.settled(), bases=(), dice=tuple((x, y) for x, y in dice))
    hidden = replace(hidden, dice=(*hidden.dice, *((x + 0.5, y + 0.5) for x, y in dice)))
    with pytest.raises(CollectionError, match=r"can't be seen plainly in settled\.jpg: take another photo"):
        learn(hidden)


def test_an_observation_of_another_photo_is_refused() -> None:
    table = scene.settled()
    moved = replace(table, view=replace(table.view, t=table.view.t + np.array([2.0, 0.0, 0.0])))
    with pytest.raises(CollectionError, match=r"not of settled\.jpg on this table: its frame markers are \d+ pixels"):
        learn(moved)
    small = replace(scene.photo(), image=scene.photo().image[:600])
    with pytest.raises(CollectionError, match=r"of 800 x 640 pixels, and settled\.jpg has 800 x 600"):
        learn_from(small, table, scene.expected(), DAY)
