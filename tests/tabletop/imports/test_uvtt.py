"""Universal VTT maps read as tables: sizes, walls, pictures, whatever can be wrong; and our own maps read back."""

import base64
import io
import json
import math
import textwrap
from typing import Any

import pytest
import shapely
from PIL import Image

from scripts.fuzz_imports import map_faults
from tabletop.errors import SceneError
from tabletop.exports.plans import plan_of_game
from tabletop.exports.uvtt import universal_vtt
from tabletop.game import Game
from tabletop.game.registry import ruleset
from tabletop.imports.uvtt import ImportedMap, read_map
from tabletop.starting.scenarios import find
from tests.tabletop.exports.test_exports import plans

NAME = "keep.dd2vtt"


def picture(size: tuple[int, int] = (200, 150), form: str = "PNG", mode: str = "RGB") -> str:
    out = io.BytesIO()
    Image.new(mode, size, 1).save(out, form)
    return base64.b64encode(out.getvalue()).decode()


def line(*points: tuple[float, float]) -> list[dict[str, float]]:
    return [{"x": x, "y": y} for x, y in points]


def box(left: float, top: float, right: float, low: float) -> list[dict[str, float]]:
    return line((left, top), (right, top), (right, low), (left, low), (left, top))


def keep(**changes: Any) -> bytes:
    """A map of 20 by 15 squares: a house with a door and a wall inside, a wall alone, a rim, two lamps."""
    house = line((5, 2), (5, 6), (10, 6), (10, 2), (8, 2)), line((7, 2), (5, 2)), line((5, 4), (10, 4))
    data: dict[str, Any] = {
        "format": 0.3,
        "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 20, "y": 15}, "pixels_per_grid": 10},
        "line_of_sight": [*house, line((2, 12), (8, 12)), box(0, 0, 20, 15)],
        "objects_line_of_sight": [box(15, 10, 17, 12)],
        "portals": [{"position": {"x": 7.5, "y": 2}, "bounds": line((7, 2), (8, 2)), "rotation": 0, "closed": True}],
        "environment": {"baked_lighting": True, "ambient_light": "ffffffff"},
        "lights": [{"position": {"x": 1, "y": 1}, "range": 3}, {"position": {"x": 9, "y": 9}, "range": 3}],
        "image": picture(),
    }
    data.update(changes)
    return json.dumps({key: value for key, value in data.items() if value is not None}).encode()


def shapes(found: ImportedMap) -> list[tuple[float, ...]]:
    return [tuple(round(v, 2) for v in shapely.Polygon(piece.polygon).bounds) for piece in found.terrain]


def test_a_map_is_a_table_with_its_walls_as_terrain() -> None:
    found = read_map(keep(), NAME)
    assert (found.width_in, found.depth_in) == (20, 15)
    assert shapes(found) == [(5, 9, 10, 13), (15, 3, 17, 5), (2, 2.88, 8, 3.12)]
    assert [piece.id for piece in found.terrain] == ["town-1", "town-2", "town-3"]
    assert found.picture is not None and found.picture[0] == ".png"
    assert found.notes == (
        "keep.dd2vtt: a table of 20″ by 15″, 1″ a square.",
        "5 walls became 3 pieces of terrain (town).",
        "Left out: 1 wall along the map's edge.",
        "Left out: 1 door and 2 lights. A door closes the wall that it is in.",
    )


def test_squares_have_the_size_that_is_said_and_the_origin_counts() -> None:
    resolution = {"map_origin": {"x": 5, "y": 2}, "map_size": {"x": 20, "y": 15}, "pixels_per_grid": 10}
    lines = json.loads(keep())["line_of_sight"][:-1]
    found = read_map(keep(resolution=resolution, line_of_sight=lines), NAME, grid_in=2.0, walls="woods")
    assert (found.width_in, found.depth_in) == (40, 30)
    assert shapes(found)[0] == (0, 22, 10, 30)
    assert {piece.kind for piece in found.terrain} == {"woods"}


def test_a_map_of_this_program_comes_back_at_its_own_size() -> None:
    scenario = find("first-game")
    game = Game.new(ruleset(scenario.rules), scenario.setup)
    made = universal_vtt(plan_of_game(scenario.rules, game.state), grid_in=2.0)
    found = read_map(json.dumps(made.data).encode(), "first.uvtt")
    assert (found.width_in, found.depth_in) == (scenario.setup.width, scenario.setup.depth)
    blocking = [piece for piece in scenario.setup.terrain if piece.kind in ("woods", "town", "hill", "field")]
    union = shapely.union_all([shapely.Polygon(piece.polygon) for piece in blocking])
    assert [(one.id, one.kind) for one in found.terrain] == [(one.id, one.kind) for one in scenario.setup.terrain]
    made.data["tabletop"]["terrain"][0]["kind"] = "lava"
    by_walls = read_map(json.dumps(made.data).encode(), "first.uvtt")
    assert "The terrain in this program's export can't be read: its walls are used instead." in by_walls.notes
    read = shapely.union_all([shapely.Polygon(piece.polygon) for piece in by_walls.terrain])
    assert shapely.intersection(union, read).area / shapely.union(union, read).area > 0.95


@pytest.mark.parametrize("number", [0, 5])
def test_terrain_of_exports_comes_back_with_kinds_heights_and_tops(number: int) -> None:
    plan = plans()[number]
    found = read_map(json.dumps(universal_vtt(plan, grid_in=3.0).data).encode(), "back.uvtt")
    assert [(t.id, t.kind, t.height_in, t.hill_top is None) for t in found.terrain] == [
        (t.id, t.kind, t.height_in, t.hill_top is None) for t in plan.terrain
    ]
    assert sum(shapely.Polygon(t.polygon).area for t in found.terrain) == pytest.approx(
        sum(shapely.Polygon(t.polygon).area for t in plan.terrain), rel=1e-3
    )


def test_pictures_are_kept_as_they_are_and_told_where_they_do_not_fit() -> None:
    found = read_map(keep(image="data:image/webp;base64," + picture(form="WEBP")), NAME)
    assert found.picture is not None and found.picture[0] == ".webp" and found.picture[1][:4] == b"RIFF"
    misfit = read_map(keep(image=picture((90, 90))), NAME).notes[-1]
    assert misfit == "Its picture has 90 by 90 pixels, but the map states 200 by 150."
    assert read_map(keep(image=None), NAME).picture is None
    wrapped = "\n".join(textwrap.wrap(picture(), 60)).rstrip("=")
    assert read_map(keep(image=wrapped), NAME).picture == read_map(keep(), NAME).picture


@pytest.mark.parametrize(
    ("image", "note"),
    [
        ("maps/town.jpg", 'is not in the file, which names "maps/town.jpg"'),
        ("https://a.example/b", "is not in the file"),
        ("C:\\maps\\town.png", "is not in the file, which names"), (7, "can't be read"),
        ("maps/town", "is not in the file, which names"), ("Zm9v", "can't be read"),
        (picture()[:160], "can't be read"), (picture(form="GIF"), "is GIF, and PNG, JPEG and WebP are read"),
        (base64.b64encode(b"\0\0\0\x20ftypavif").decode(), "is AVIF or HEIC"), ("Zm9v%", "can't be read"),
        (picture((12000, 12000), mode="1"), "has more than 60 megapixels"),
    ],
)  # fmt: skip
def test_walls_need_no_picture(image: object, note: str) -> None:
    found = read_map(keep(image=image), NAME)
    assert found.picture is None and len(found.terrain) == 3
    assert found.notes[-1].startswith(f"Its picture {note}") and found.notes[-1].endswith("the map comes without it.")


HOUSE = line((5, 5), (9, 5), (9, 8), (5, 8))


@pytest.mark.parametrize(
    ("walls", "objects", "doors", "areas"),
    [
        ([[*HOUSE, *line((5, 5.000001))]], [], [], [12]), ([[*HOUSE, *line((5 + 1 / 64, 5 - 1 / 64))]], [], [], [12]),
        ([], [HOUSE], [], [12]), ([], [line((5, 5), (9, 5))], [], [1]), ([], [line((2, 2), (6, 2), (6, 6))], [], [2]),
        ([], [line((2, 2), (6, 2), (6, 6), (10, 6))], [], [3]),
        ([[one for one in HOUSE for _ in "ab"]], [], [], [2.75]),
        ([line((6, 5), (5, 5), (5, 8), (9, 8), (9, 5), (7, 5))], [], [line((6.000001, 5), (7, 4.999999))], [12]),
        ([line((2, 2), (8, 8), (8, 2), (2, 8), (2, 2))], [], [], [9, 9]),
        ([line((2, 2), (8, 2), (8, 8), (5, 2), (2, 8), (2, 2))], [], [], [9, 9]),
        ([box(2, 2, 6, 6), line((6, 3), (9, 3), (9, 6), (6, 6)), line((9, 4), (11, 4))], [], [], [25, 0.5]),
        ([box(1, 1, 9, 9), box(1.2, 1.2, 8.8, 8.8), box(2, 2, 4, 4)], [], [], [64]),
        ([box(1, 1, 19, 14), box(1.4, 1.4, 18.6, 13.6), box(2, 2, 4, 4)], [], [], [*[7.75] * 2, *[7.35] * 2, 4]),
        ([box(0, 0, 20, 15), box(0, 3, 4, 7)], [], [], [16]), ([box(-2, 3, 4, 7)], [], [], [16]),
        ([line((2, 2), (6, 2))], [], [line((6, 2), (7, 2)), line((10, 9), (12, 9))], [1.25]),
    ],
)  # fmt: skip
def test_walls_that_nearly_meet_enclose_what_they_look_like(walls: Any, objects: Any, doors: Any, areas: Any) -> None:
    portals = [{"bounds": bounds, "closed": False} for bounds in doors]
    found = read_map(keep(line_of_sight=walls, objects_line_of_sight=objects, portals=portals), NAME)
    made = [shapely.Polygon(piece.polygon).area for piece in found.terrain]
    assert made == pytest.approx(areas, abs=0.1) and all(shapely.Polygon(one.polygon).is_valid for one in found.terrain)


@pytest.mark.parametrize(
    ("side", "grid", "areas"), [(0.3, 1, [0.09]), (0.4, 1, [0.16]), (0.08, 1, []), (0.1, 2, [0.04]), (0.3, 5, [2.25])]
)
def test_small_outlines_keep_their_area(side: float, grid: float, areas: list[float]) -> None:
    pillar = box(2, 2, 2 + side, 2 + side)
    found = read_map(keep(line_of_sight=[], objects_line_of_sight=[pillar], portals=[]), NAME, grid_in=grid)
    assert [shapely.Polygon(one.polygon).area for one in found.terrain] == pytest.approx(areas, abs=0.005)
    assert ("Left out: 1 wall too small for a piece." in found.notes) == (not areas)


ROOM = [line((6, 5), (5, 5), (5, 8), (9, 8), (9, 5), (7, 5))]


@pytest.mark.parametrize(
    ("walls", "portal", "area"),
    [
        (ROOM, {"position": {"x": 6.5, "y": 5}}, 12), (ROOM, {"position": {"x": 6.45, "y": 5.02}, "bounds": []}, 12),
        ([line((5, 5), (9, 5), (9, 8.2)), line((5, 4.8), (5, 8), (7, 8))],
         {"position": {"x": 7.8, "y": 8}, "rotation": math.pi}, 12),  # from a wall's end to the side of another wall
        ([box(5, 5, 9, 8)], {"position": {"x": 9, "y": 6.5}}, 12), (ROOM, {"bounds": line((6.1, 5), (6.9, 5))}, 12),
        (ROOM, {"position": {"x": 6.5, "y": 12}, "rotation": 0}, 3.25), (ROOM, {}, 3.25),
    ],
)  # fmt: skip
def test_doors_that_reach_no_wall_close_their_gap_or_are_reported(walls: Any, portal: Any, area: float) -> None:
    found = read_map(keep(line_of_sight=walls, objects_line_of_sight=[], portals=[portal]), NAME)
    assert sum(shapely.Polygon(one.polygon).area for one in found.terrain) == pytest.approx(area, abs=0.1)
    note = "1 door without bounds and far from any gap: walls stay open there; draw them by hand."
    assert (note in found.notes) == (area < 12)


def test_a_map_without_walls_says_so() -> None:
    found = read_map(keep(line_of_sight=[], objects_line_of_sight=None, portals=[]), NAME)
    assert "It has no walls, and so no terrain: draw its terrain by hand." in found.notes


def test_random_maps_have_the_terrain_that_was_drawn() -> None:
    assert list(map_faults(seed=500, maps=36)) == []


def test_what_is_too_much_for_a_table_is_counted() -> None:
    rim, wall, beyond = box(0, 0, 20, 15), line((3, 5), (6, 5)), [line((30, n), (40, n)) for n in (3, 4)]
    found = read_map(
        keep(line_of_sight=[rim, wall, *beyond, [], line((9, 5), (40, 5))], objects_line_of_sight=None), NAME
    )
    assert found.notes[1:4] == (
        "2 walls became 2 pieces of terrain (town).",
        "Left out: 1 wall along the map's edge, 2 walls outside the map, 1 wall too small for a piece.",
        "1 wall reaches beyond the map; only what is on it counts.",
    )
    large = read_map(keep(line_of_sight=[box(1, 1, 19, 14), line((9, 1), (9, 14))], objects_line_of_sight=None), NAME)
    assert "1 outline is larger than half the map: its walls are narrow pieces, and the area inside" in large.notes[2]
    assert sum(shapely.Polygon(one.polygon).area for one in large.terrain) == pytest.approx(75 / 4, abs=0.1)
    many = [box(x, y, x + 0.5, y + 0.5) for x in range(1, 19) for y in range(1, 14)]
    found = read_map(keep(line_of_sight=many, objects_line_of_sight=[], portals=[]), NAME)
    assert (
        len(found.terrain) == 60 and "Left out: 174 walls in small pieces (60 are allowed on a table)." in found.notes
    )
    grid = [line((n / 3, 0), (n / 3, 15)) for n in range(60)] + [line((0, n / 3), (20, n / 3)) for n in range(45)]
    found = read_map(keep(line_of_sight=grid, objects_line_of_sight=[], portals=[]), NAME)
    assert not found.terrain and "Left out: all 105 walls, for they cross one another over 1500" in found.notes[1]


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"resolution": None}, "keep.dd2vtt lacks 'resolution', so it is not a Universal VTT map: export the map as"),
        ({"resolution": {"map_size": {"x": 0, "y": 9}, "pixels_per_grid": 9}}, "is 0 by 9 squares; both must be at"),
        ({"resolution": {"map_size": {"x": 900, "y": 9}, "pixels_per_grid": 9}}, "a square. Usage: --grid 0.5."),
        ({"resolution": {"map_size": {"x": 2e3, "y": 9}}}, "480 are allowed: export a part of the map."),
        ({"line_of_sight": [[{"x": 1}]]}, "line 1 of line_of_sight of keep.dd2vtt lacks 'y'"),
        ({"line_of_sight": [line((1e9, 0), (1, 1))]}, "x of line 1 of line_of_sight of keep.dd2vtt"),
        ({"line_of_sight": [[]] * 5001}, "has 5001 lines with 0 points; at most 5000 with 40000 are read: export"),
        ({"line_of_sight": {}}, "line_of_sight of keep.dd2vtt must be a list"),
        ({"portals": [5]}, "portal 1 of keep.dd2vtt must be a mapping"),
        ({"line_of_sight": [line((math.nan, 0), (1, 1))]}, "x of line 1 of line_of_sight of keep.dd2vtt must be a fin"),
        ({"line_of_sight": [line((1, 0), (1, "3"))]}, "y of line 1 of line_of_sight of keep.dd2vtt must be a num"),
    ],
)  # fmt: skip
def test_what_cant_be_read_is_refused_in_a_sentence(changes: dict[str, Any], refusal: str) -> None:
    with pytest.raises(SceneError) as caught:
        read_map(keep(**changes), NAME)
    assert refusal in str(caught.value) and "\n" not in str(caught.value)


def test_deep_lists_and_no_json_are_refused() -> None:
    for source, refusal in (
        (b"[" * 100_000, "nests lists too deeply"),
        (b'{"a":' * 80 + b"1" + b"}" * 80, "nests lists too deeply"),
        (b"PK\x03\x04", "not valid JSON|not text in UTF-8"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too many digits"),
        (b" " * 64_000_001, "has 64 MB, at most 64: export a smaller picture"),
    ):
        with pytest.raises(SceneError, match=refusal):
            read_map(source, NAME)
    with pytest.raises(SceneError, match=r"0\.1 inches is not a size for a square; use 0\.25 to 48\. Usage: --grid 1"):
        read_map(keep(), NAME, grid_in=0.1)
