"""Pictures show all that was found: dice, cotton and tokens, questions, and terrain with its doubt and height."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from geometry import Bases
from geometry.drawing.marks import Path
from tests.support.picture_scenes import view_over
from vision import BaseLabel, ExpectedTerrain, Observation, PhotoView
from vision.drawing.observation_drawing import DrawingConfig, annotated_map, annotated_photo, map_svg, observation_marks
from vision.drawing.small_object_marks import OPEN
from vision.model.observation import Answer, Question, SeenDie, SeenMarker

TABLE = (36.0, 30.0)
PHOTO = np.full((680, 900, 3), 90, np.uint8)


def question(name: str, about: str, ask: str, *covers: tuple[str, ...]) -> Question:
    return Question(name, about, ask, "?", (Answer("x", 0.5, "x"),), covers)


def base(name: str, unit: str | None, unique: bool | None = None) -> BaseLabel:
    return BaseLabel(name, unit, None, "blue", "tank", unique, 0.0, 0.95, "outline")


@pytest.fixture
def seen() -> Observation:
    view = view_over()
    bases = Bases.of(
        [[10.0, 7.0], [13.0, 7.0], [20.0, 12.0], [23.0, 12.5], [26.0, 13.0]], 0, 2.5, 1.75, sigma=0.04, facing_sigma=1
    )
    labels = (base("b1", "A1", True), base("b2", "A1", False), base("b3", None), base("b4", None), base("b5", None))
    return Observation(
        TABLE,
        (PhotoView("a.jpg", *view.camera.size, view),),
        bases,
        labels,
        dice=(SeenDie((8.0, 15.0), 5, 0.95), SeenDie((15.0, 20.0), None, 0.4), SeenDie((5.0, 22.0), 3, 0.6)),
        markers=(
            SeenMarker("A1", "fired", (10.0, 9.5), 0.9, "cotton"),
            SeenMarker(None, "fired", (28.0, 22.0), 0.9, "cotton"),
            SeenMarker("A1", "dug-in", (13.0, 4.0), 0.9, "tag"),
            SeenMarker("A1", "hits", (8.0, 15.0), 0.9, "dice", 5, (0,)),
        ),
        questions=(
            question("q1", "b4", "unit", ("b3", "b4", "b5")),
            question("q2", "b1", "facing", ("b1", "b2")),
            question("q3", "die3", "value", ("die3",)),
            question("q4", "marker2", "whose", ("marker2",)),
            question("q5", "t1", "kind", ("t1",)),
        ),
    )


def words(seen: Observation, layer: str, **config: bool) -> list[str]:
    marks = observation_marks(seen, config=DrawingConfig(**config))
    return [label.text for label in marks.labels if label.layer == layer]


def paths(seen: Observation, layer: str, *, paper: bool = False) -> list[Path]:
    return [path for path in observation_marks(seen, paper=paper).paths if path.layer == layer]


def test_every_die_has_a_ring_and_its_number_and_doubt_is_asked(seen: Observation) -> None:
    assert words(seen, "dice") == ["5", "?", "3? q3"]
    rings = [path for path in paths(seen, "dice") if path.title]
    assert [path.title for path in rings] == ["die1: 5", "die2: number unknown", "die3: 3"]
    assert [path.points.mean(axis=0).tolist() for path in rings] == [pytest.approx(d.center) for d in seen.dice]
    assert [path.style.dashed for path in rings] == [False, True, True]
    colors = [label.color for label in observation_marks(seen).labels if label.layer == "dice"]
    assert colors[0] != OPEN and colors[1:] == [OPEN, OPEN]


def test_cotton_is_a_ring_and_a_token_says_what_it_means(seen: Observation) -> None:
    rings = [path for path in paths(seen, "markers") if path.title]
    assert [path.title for path in rings] == [
        "marker1: fired, A1",
        "marker2: fired, nobody in particular",
        "marker3: dug-in, A1",
    ]
    assert [path.style.dashed for path in rings] == [False, True, False], "hits are drawn as their dice"
    assert words(seen, "markers") == ["? q4", "dug-in"]


def test_a_group_that_one_question_asks_about_has_one_mark_and_a_line(seen: Observation) -> None:
    assert words(seen, "names") == ["A1 ? q2", "? q1"]
    (first, second) = paths(seen, "question q1")
    chain = np.array([*first.points, second.points[1]])
    assert chain[:, 0].tolist() in ([20, 23, 26], [26, 23, 20]), "from one end to the other, in order"
    unasked = replace(seen, questions=())
    bare = words(seen, "names", question_ids=False)
    assert bare and not [one for one in bare if "q" in one]
    assert words(unasked, "names") == ["A1", "?", "?", "?"] and paths(unasked, "question q1") == []


WOOD = ExpectedTerrain("t1", "woods", ((3, 4), (9, 4), (9, 9), (4, 10)), 0.0, None, 0.6, 0.2)
TOP = ((20.0, 17.0), (29.0, 17.0), (29.0, 27.0), (20.0, 27.0))
HILL = ExpectedTerrain("t2", "hill", ((19, 16), (30, 16), (30, 28), (19, 28)), 1.5, TOP, 0.96, 0.1)
ON_TOP = ExpectedTerrain("t3", "field", ((22, 19), (26, 19), (26, 24), (22, 24)), 0.0, None, 0.96, 0.1)
GIVEN = ExpectedTerrain("t4", "marsh", ((2, 20), (8, 20), (8, 26)))


def outlines(seen: Observation) -> dict[str, Path]:
    named = ((path.title or "", path) for path in paths(seen, "terrain"))
    return {title.split(",")[0]: path for title, path in named}


def test_terrain_in_doubt_is_dashed_and_says_how_sure_it_is(seen: Observation) -> None:
    seen = replace(seen, terrain=(WOOD, HILL, ON_TOP, GIVEN))
    drawn = outlines(seen)
    assert {name for name, path in drawn.items() if path.style.dashed} == {"woods t1"}
    assert drawn["woods t1"].title == "woods t1, 60% sure, its edge within 0.4″"
    assert drawn["marsh t4"].title == "marsh t4", "what the table file gives is sure"
    assert words(seen, "terrain names") == ["woods? (60%, q5)", "hill", "field", "marsh"]
    assert words(replace(seen, questions=()), "terrain names")[0] == "woods? (60%)"
    assert "woods t1" not in outlines(replace(seen, terrain=(replace(WOOD, confidence=0.49), HILL)))
    strict = observation_marks(seen, config=DrawingConfig(sure_terrain=0.99)).paths
    assert sum(path.style.dashed for path in strict if path.layer == "terrain") == 4


def test_outlines_lie_at_the_height_that_was_read(seen: Observation) -> None:
    drawn = outlines(replace(seen, terrain=(WOOD, HILL, ON_TOP)))
    assert {name: path.z for name, path in drawn.items()} == {
        "hill t2": 0.0,
        "top of hill t2": 1.5,
        "field t3": 1.5,
        "woods t1": 0.0,
    }
    astride = replace(ON_TOP, polygon=((26, 19), (34, 19), (34, 24), (26, 24)))
    assert outlines(replace(seen, terrain=(HILL, astride)))["field t3"].z == 0.0


def test_all_pictures_show_all(seen: Observation) -> None:
    plain = replace(seen, dice=(), markers=(), questions=())
    assert (annotated_photo(PHOTO, seen) != annotated_photo(PHOTO, plain)).any()
    assert (annotated_map(None, seen) != annotated_map(None, plain)).any()
    root = ET.fromstring(map_svg(seen))
    said = [item.text for item in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"5", "3? q3", "? q1", "die", "cotton or token", "open question (q1, q2, ...)"} <= set(said)
    assert "die" not in [item.text for item in ET.fromstring(map_svg(plain)).iter("{http://www.w3.org/2000/svg}text")]
