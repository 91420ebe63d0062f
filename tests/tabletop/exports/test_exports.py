"""Exports for other programs: GeoJSON after RFC 7946 in inches, Universal VTT maps, and nothing hidden in them."""

import base64
import io
import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from shapely.geometry import shape

from geometry.hexes import neighbours
from tabletop.errors import SceneError, UsageError
from tabletop.exports.geojson import feature_collection
from tabletop.exports.parts import Plan
from tabletop.exports.plans import plan_of_file, plan_of_game
from tabletop.exports.uvtt import LEAST_PIXELS, grid, universal_vtt
from tabletop.game.jsonl import game_from_log, read_log
from tabletop.rulesets.combined_arms.board import HEXES, NUMBER
from tabletop.rulesets.combined_arms.position import state_from_position
from tabletop.tables.tablefile import parse_table
from tests.paths import DATA
from tests.support.cli_runs import Ran, run_cli
from tests.tabletop.game.test_hidden_information import Twins, mustered

SCENE: dict[str, Any] = {
    "version": 1,
    "rules": "one-hour-ww2",
    "table": {"width": 47.5, "depth": 36},
    "terrain": [
        {"id": "t1", "kind": "woods", "polygon": [[3, 4], [9, 9], [9, 4]]},
        {
            "id": "h", "kind": "hill", "height": 1.5,
            "polygon": [[20, 10], [35, 12], [33, 25], [21, 24]], "hill_top": [[24, 14], [30, 15], [28, 20]],
        },
        {"id": "t", "kind": "town", "polygon": [[40, 30], [50, 30], [50, 40], [40, 40]]},
        {"id": "r", "kind": "river", "polygon": [[0, 15], [47, 16], [47, 17], [0, 16]]},
    ],
    "units": [
        {"id": "A1", "side": "blue", "kind": "tank", "hits": 3, "bases": [
            {"shape": "rect", "width": 2.5, "depth": 1.75, "center": [10, 7], "facing": 30, "unique": True}]},
        {"id": "B1", "side": "red", "kind": "infantry", "dug_in": True, "bases": [
            {"shape": "round", "diameter": 1, "center": [26, 17], "facing": 200, "unique": True},
            {"shape": "round", "diameter": 1, "center": [27.2, 17], "facing": 200}]},
    ],
}  # fmt: skip
OBSERVATION: dict[str, Any] = {
    "version": 1, "units": "inches", "table": {"width": 24, "depth": 24}, "photos": [], "terrain": [], "warnings": [],
    "bases": [
        {"id": "b1", "unit": "A1", "side": "blue", "kind": "tank", "unique": True, "shape": "rect", "width": 2.5,
         "depth": 1.75, "center": [10.2, 7.7], "z": 0.0, "facing": None, "covariance": [[4e-4, 0], [0, 9e-4]]},
        {"id": "b2", "unit": None, "side": "red", "kind": None, "unique": None, "shape": "rect", "width": 2.0,
         "depth": 1.0, "center": [5.0, 5.0], "z": 0.0, "facing": 90.0, "covariance": [[4e-4, 0], [0, 9e-4]]},
    ],
}  # fmt: skip
POSITION: dict[str, Any] = {
    "version": 1, "rules": "combined-arms", "turn": 3, "board": {"5-6": "woods", "5-7": "woods", "6-2": "wooded crest"},
    "platoons": [
        {"id": "E2", "hex": "2-3", "state": "fresh"}, {"id": "A1", "hex": "2-3", "state": "fresh", "facing": 1},
    ],
    "enemy": [{"hex": "5-6", "revealed": False, "state": "spent", "atg": "potential"}],
    "smoke": ["4-4"], "enemy_mortar": "2-3", "losses": 0, "ammo": 0,
}  # fmt: skip
TABLE = """
[table]
width = 60.0
depth = 48.0
[overlay]
grid = "hex"
size = 4.5
origin = [16.0, 5.0]
rotation = 2.0
"""


def played(name: str) -> Plan:
    game = game_from_log(read_log((DATA / name).read_bytes(), name))
    return plan_of_game(game.ruleset.name, game.state)


def plans() -> list[Plan]:
    return [
        plan_of_file(SCENE, title="a scene"),
        plan_of_file(OBSERVATION, title="an observation"),
        plan_of_file(POSITION, title="a position"),
        plan_of_file(POSITION, title="on a table", table=parse_table(TABLE)),
        played("replays/flank-attack.jsonl"),
        played("golden/combined-arms-solitaire.jsonl"),
    ]


def assert_geometry(found: dict[str, Any]) -> list[list[float]]:
    """RFC 7946, section 3.1: all positions of a geometry that is as it has to be."""
    assert found.keys() == {"type", "coordinates"} and found["type"] in ("Point", "LineString", "Polygon")
    made = shape(found)
    assert made.is_valid and not made.is_empty
    if found["type"] == "Polygon":
        assert all(ring[0] == ring[-1] for ring in found["coordinates"])
        assert made.exterior.is_ccw and not any(ring.is_ccw for ring in made.interiors)
    places: list[list[float]] = shapely.get_coordinates(made).tolist()
    assert np.isfinite(places).all()
    return places


def assert_collection(data: dict[str, Any]) -> None:
    """A FeatureCollection that RFC 7946 allows: sections 3.2, 3.3, 4, 5, 6.1 and 7.1."""
    assert data["type"] == "FeatureCollection"
    assert not {"crs", "coordRefSys", "geometry", "properties", "coordinates", "geometries"} & data.keys()
    assert isinstance(data["features"], list)
    ids, every = [], []
    for feature in data["features"]:
        assert feature.keys() == {"type", "id", "geometry", "properties"}
        assert feature["type"] == "Feature" and isinstance(feature["properties"], dict)
        ids.append(feature["id"])
        every += assert_geometry(feature["geometry"])
    assert len(ids) == len(set(ids)) and all(isinstance(name, str) for name in ids)
    west, south, east, north = data["bbox"]
    assert all(west <= x <= east and south <= y <= north for x, y in every)
    system = data["coordinateSystem"]
    assert (system["units"], system["metresPerUnit"], system["geodetic"]) == ("inch", 0.0254, False)
    assert system["handedness"] == "right-handed, seen from above"
    assert system["wkt"].startswith(f'ENGCRS["{system["name"]}",EDATUM["{system["origin"]}"],CS[Cartesian,2],AXIS["x",')
    assert system["name"] in ("tabletop-table-inches", "tabletop-board-inches")


def by_id(plan: Plan) -> dict[str, dict[str, Any]]:
    told = feature_collection(plan)
    return {feature["id"]: feature for feature in told["features"]}


def test_every_collection_is_what_the_standard_allows() -> None:
    for plan in plans():
        told = json.loads(json.dumps(feature_collection(plan), allow_nan=False))
        assert_collection(told)
        assert told["coordinateSystem"]["name"] == f"tabletop-{'table' if plan.on_table else 'board'}-inches"


def test_a_scene_comes_back_number_by_number() -> None:
    found = by_id(plan_of_file(SCENE, title="a scene"))
    for piece in SCENE["terrain"]:
        back = shapely.Polygon(found[f"terrain {piece['id']}"]["geometry"]["coordinates"][0])
        assert back.equals(shapely.Polygon(piece["polygon"]))
    assert shapely.Polygon(found["hill top h"]["geometry"]["coordinates"][0]).area == pytest.approx(16.0)
    tank, rifles = found["base A1 1"]["properties"], found["base B1 2"]["properties"]
    assert (tank["center_in"], tank["facing_deg"], tank["hits"], tank["side"]) == ([10.0, 7.0], 30.0, 3, "blue")
    assert (rifles["shape"], rifles["width_in"], rifles["dug_in"], rifles["unique"]) == ("round", 1.0, True, False)
    assert [found[f"terrain {name}"]["properties"]["blocks_sight"] for name in ("t1", "h", "t", "r")] == [1, 1, 1, 0]


places = st.floats(-60, 540, allow_nan=False)


@given(places, places, st.floats(0, 359.9), st.floats(0.3, 6), st.floats(0.3, 6), st.sampled_from(["rect", "oval"]))
def test_a_base_stands_where_its_outline_says(
    x: float, y: float, facing: float, width: float, depth: float, shape: str
) -> None:
    base = {"shape": shape, "width": width, "depth": depth, "center": [x, y], "facing": facing, "unique": True}
    unit = {"id": "A", "side": "blue", "kind": "tank", "bases": [base]}
    scene = {"version": 1, "table": {"width": 480, "depth": 480}, "units": [unit], "terrain": []}
    told = by_id(plan_of_file(scene, title="one"))["base A 1"]
    assert_geometry(told["geometry"])
    ring = shapely.Polygon(told["geometry"]["coordinates"][0])
    assert (ring.centroid.x, ring.centroid.y) == pytest.approx((x, y), abs=1e-4)
    turn = math.radians(facing)
    ahead = shapely.Point(x + math.sin(turn) * depth / 2, y + math.cos(turn) * depth / 2)
    assert ring.exterior.distance(ahead) < 1e-5, "the middle of its front lies on its outline"
    area = width * depth if shape == "rect" else 32 * math.sin(math.pi / 32) * width * depth / 4  # of 64 corners
    assert ring.area == pytest.approx(area, rel=1e-4) and told["properties"]["shape"] == shape


def test_what_a_photo_leaves_open_stays_open() -> None:
    found = by_id(plan_of_file(OBSERVATION, title="an observation"))
    known, loose = found["base A1 1"], found["base without unit 1"]
    assert known["geometry"] == {"type": "Point", "coordinates": [10.2, 7.7]}
    assert (known["properties"]["facing_deg"], known["properties"]["hits"]) == (None, None)
    assert (loose["properties"]["unit"], loose["properties"]["side"]) == (None, "red")
    assert loose["geometry"]["type"] == "Polygon"


def test_possible_terrain_is_marked_in_geojson_and_left_out_of_maps(tmp_path: Path) -> None:
    maybe = [{**SCENE["terrain"][1], "polygon": [[2, 2], [9, 2], [9, 9]], "hill_top": [[4, 3], [8, 3], [8, 6]]}]
    seen = {**OBSERVATION, "terrain": SCENE["terrain"][:1], "possible_terrain": [{**maybe[0], "confidence": 0.6}]}
    (source := tmp_path / "seen.json").write_text(json.dumps(seen))
    ran = run_cli("export", source, "--geojson", tmp_path / "g.json", "--uvtt", tmp_path / "m.uvtt")
    told = {one["id"]: one["properties"] for one in json.loads((tmp_path / "g.json").read_text())["features"]}
    marked = [(told[name].get("status"), told[name].get("confidence")) for name in ("terrain h", "hill top h")]
    assert marked == [("possible", 0.6)] * 2 and not {"status", "confidence"} & told["terrain t1"].keys()
    without = universal_vtt(plan_of_file({**seen, "possible_terrain": []}, title="seen.json"))
    assert json.loads((tmp_path / "m.uvtt").read_text()) == json.loads(json.dumps(without.data))
    assert "inches. 1 piece of terrain is marked as possible." in ran.stdout
    assert "MB. 1 piece of terrain is left out: the photo is not certain." in ran.stdout


def test_the_board_has_79_hexes_and_what_lies_on_them() -> None:
    found = by_id(plan_of_file(POSITION, title="a position"))
    hexes = {name: row for name, row in found.items() if row["properties"]["feature"] == "hex"}
    assert len(hexes) == 79
    outlines = [shapely.Polygon(row["geometry"]["coordinates"][0]) for row in hexes.values()]
    assert [ring.area for ring in outlines] == pytest.approx([math.sqrt(3) / 2 * 16] * 79, rel=1e-5)
    assert shapely.union_all(outlines, grid_size=1e-5).area == pytest.approx(79 * math.sqrt(3) / 2 * 16, rel=1e-5)
    assert (min(r.bounds[0] for r in outlines), min(r.bounds[1] for r in outlines)) == pytest.approx((0, 0), abs=1e-6)
    armour, counter = found["platoon A1"]["properties"], found["counter 5-6"]["properties"]
    assert (armour["facing_corner"], armour["facing_deg"], armour["kind"]) == (1, 60.0, "armour")
    assert (counter["kind"], counter["state"], counter["anti_tank_guns"]) == ("potential", "spent", "potential")
    assert found["smoke 4-4"]["geometry"] == hexes["hex 4-4"]["geometry"]
    assert found["mortar target defender"]["properties"]["hex"] == "2-3"
    for name in ("platoon E2", "platoon A1"):
        inside = shapely.Polygon(found[name]["geometry"]["coordinates"][0])
        assert outlines[NUMBER["2-3"]].covers(inside.centroid)
    blocking = {name for name, row in hexes.items() if row["properties"]["blocks_sight"]}
    assert blocking == {"hex 5-6", "hex 5-7", "hex 6-2", "hex 4-4"}


def test_a_board_lies_where_its_table_lays_it() -> None:
    plan = plan_of_file(POSITION, title="on a table", table=parse_table(TABLE))
    told, found = feature_collection(plan), by_id(plan)
    assert told["hexes"] == {"size_in": 4.5, "origin_in": [16.0, 5.0], "rotation_deg": 2.0}
    assert found["hex 1-1"]["properties"]["center_in"] == [16.0, 5.0]
    right = math.radians(2.0)
    wanted = [16.0 + 4.5 * math.cos(right), 5.0 - 4.5 * math.sin(right)]
    assert found["hex 1-2"]["properties"]["center_in"] == pytest.approx(wanted, abs=1e-6)
    assert (plan.box, told["table"]) == ((0.0, 0.0, 60.0, 48.0), {"width_in": 60.0, "depth_in": 48.0})
    laid = {"size": 4.5, "origin": [16.0, 5.0], "rotation": 2.0, "covariance": [[0] * 4] * 4, "source": "taps"}
    again = by_id(plan_of_file({**POSITION, "overlay": {"layout": laid}}, title="read"))
    assert again == found


def test_ground_that_is_not_rolled_for_yet_is_not_known(tmp_path: Path) -> None:
    assert run_cli("new", "combined-arms", "--name", "g", "--data", tmp_path).exit_code == 0
    assert run_cli("export", "--data", tmp_path, "--geojson", tmp_path / "g.json").exit_code == 0
    rows = [f["properties"] for f in json.loads((tmp_path / "g.json").read_text())["features"]]
    kinds = [row["kind"] for row in rows if row["feature"] == "hex"]
    assert len(kinds) == 79 and None in kinds


def opened(data: dict[str, Any]) -> Image.Image:
    image = Image.open(io.BytesIO(base64.b64decode(data["image"], validate=True)), formats=["PNG"])
    image.load()
    return image


def assert_map(data: dict[str, Any]) -> None:
    assert list(data)[-1] == "image" and data["format"] == 0.3
    size, pixels = data["resolution"]["map_size"], data["resolution"]["pixels_per_grid"]
    assert data["resolution"]["map_origin"] == {"x": 0, "y": 0}
    assert all(type(value) is int and value > 0 for value in (size["x"], size["y"], pixels))
    assert opened(data).size == (size["x"] * pixels, size["y"] * pixels)
    for wall in data["line_of_sight"]:
        assert len(wall) >= 2
        assert all(0 <= p["x"] <= size["x"] and 0 <= p["y"] <= size["y"] and p.keys() == {"x", "y"} for p in wall)
    assert data["portals"] == data["lights"] == data["objects_line_of_sight"] == []
    assert data["environment"] == {"baked_lighting": False, "ambient_light": "ffffffff"}


def in_inches(data: dict[str, Any]) -> list[list[tuple[float, float]]]:
    """Walls told back in table inches, by what the file itself says."""
    ours = data["tabletop"]
    (left, top), step = ours["upper_left_in"], ours["inches_per_square"]
    walls = data["line_of_sight"]
    return [[(round(left + p["x"] * step, 5), round(top - p["y"] * step, 5)) for p in wall] for wall in walls]


@pytest.mark.parametrize("number", [2, 4])
def test_every_map_holds_a_picture_of_the_size_that_it_states(number: int) -> None:
    made = universal_vtt(plans()[number], grid_in=4.0)
    assert_map(json.loads(json.dumps(made.data, allow_nan=False)))
    assert made.pixels >= LEAST_PIXELS and len(json.dumps(made.data)) < 8_000_000


def test_walls_are_what_blocks_sights_cut_at_the_edge() -> None:
    plan = plan_of_file(SCENE, title="a scene")
    data = universal_vtt(plan, grid_in=3.0).data
    assert data["resolution"]["map_size"] == {"x": 16, "y": 12}
    woods, hill, town = in_inches(data)
    assert woods[0] == woods[-1] and sorted(woods[:-1]) == [(3, 4), (9, 4), (9, 9)]
    assert shapely.Polygon(hill).equals(shapely.Polygon(SCENE["terrain"][1]["polygon"]))
    assert sorted(town) == [(40, 30), (40, 36), (47.5, 30)], "two sides of the town stand on the table"


def test_hexes_side_by_side_share_one_wall() -> None:
    plan = plan_of_file(POSITION, title="a position")
    blocking = {HEXES[NUMBER[name]] for name in ("5-6", "5-7", "6-2", "4-4")}
    shared = sum(other in blocking for h in blocking for other in neighbours(h)) // 2
    length = sum(shapely.LineString(wall).length for wall in plan.walls)
    assert shared == 1
    assert length == pytest.approx((6 * len(blocking) - shared) * 4 / math.sqrt(3), rel=1e-5)
    drawn = universal_vtt(plan, grid_in=4.0).data
    assert sum(shapely.LineString(w).length for w in in_inches(drawn)) == pytest.approx(length, rel=1e-5)


def test_a_picture_shows_woods_where_the_walls_are_and_pieces_unless_unwanted() -> None:
    plan = plan_of_file(SCENE, title="a scene")
    made = universal_vtt(plan)
    with_pieces, ground = opened(made.data), opened(universal_vtt(plan, pieces=False).data)

    def at(image: Image.Image, x_in: float, y_in: float) -> Any:
        place = made.squares.place(x_in, y_in)
        return image.getpixel((int(place["x"] * made.pixels), int(place["y"] * made.pixels)))

    assert at(ground, 8.6, 4.6) != at(ground, 5.0, 8.6), "woods and open ground"
    assert at(ground, 10.7, 6.3) == at(ground, 14.0, 2.0)
    assert at(with_pieces, 10.7, 6.3) != at(ground, 10.7, 6.3), "the tank's base"
    assert at(ground, 47.8, 3.0) == (255, 255, 255), "beyond the table's edge"


def test_large_tables_have_smaller_squares_and_too_fine_grids_are_refused() -> None:
    large = {**SCENE, "table": {"width": 480, "depth": 480}}
    plan = plan_of_file(large, title="a hall")
    with pytest.raises(UsageError, match=r"480 by 480 inches in squares of 0.5 has fewer than 10 .* --grid 1 or more"):
        universal_vtt(plan, grid_in=0.5)
    for wrong in (0.0, -1.0, math.inf, math.nan, 0.2, 49.0):
        with pytest.raises(UsageError, match="is no size for a square"):
            grid(plan, wrong)
    assert grid(plan, 48.0).across == 10


def png(width: int, height: int) -> bytes:
    image = Image.new("RGB", (width, height), "#ff0000")
    image.paste("#0000ff", (0, 0, width // 2, height // 2))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def test_a_photo_from_above_becomes_the_picture() -> None:
    plan = plan_of_file(SCENE, title="a scene")
    made = universal_vtt(plan, grid_in=1.0, photo=png(475, 360))
    assert_map(made.data)
    image, pixels = opened(made.data), made.pixels
    assert image.getpixel((5, 5)) == (0, 0, 255)
    assert image.getpixel((int(47 * pixels), 5)) == (255, 0, 0)
    assert image.getpixel((image.width - 5, 5)) == (255, 255, 255), "no photo beyond the table"
    noisy = io.BytesIO()
    Image.frombytes("RGB", (1900, 1440), random.Random(1).randbytes(3 * 1900 * 1440)).save(noisy, "BMP")
    with pytest.raises(UsageError, match="no whole PNG"):
        universal_vtt(plan, photo=noisy.getvalue())
    Image.open(noisy).save(noisy := io.BytesIO(), "PNG", compress_level=0)
    tight = universal_vtt(plan, photo=noisy.getvalue())
    assert tight.pixels < pixels and len(json.dumps(tight.data)) < 8_000_000


@pytest.mark.parametrize(
    ("photo", "told"),
    [
        (png(300, 300), "300 by 300 pixels, which is not the shape of 47.5 by 36 inches"),
        (b"not a picture", "no whole PNG, JPEG or WebP"),
        (png(475, 360)[:200], "no whole PNG, JPEG or WebP"),
        (b"", "no whole PNG, JPEG or WebP"),
    ],
)
def test_a_photo_that_does_not_fit_is_refused(photo: bytes, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        universal_vtt(plan_of_file(SCENE, title="a scene"), photo=photo)


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Twins:
    return mustered(tmp_path_factory.mktemp("exported"))


def test_nothing_hidden_leaves(twins: Twins, tmp_path: Path) -> None:
    secrets = [twin.game().state.secret for twin in twins]
    assert None not in secrets and secrets[0] != secrets[1]
    wrote = []
    for n, twin in enumerate(twins):
        log, files = tmp_path / f"{n}.jsonl", [tmp_path / f"{n}.{end}" for end in ("a", "b", "c", "d")]
        twin.does(f"export --geojson {files[0]} --uvtt {files[1]}")
        twin.does(f"log --out {log} --all")
        assert run_cli("export", log, "--geojson", files[2], "--uvtt", files[3]).exit_code == 0
        wrote.append([file.read_bytes() for file in files])
    assert wrote[0] == wrote[1]
    assert wrote[0][:2] == wrote[0][2:]
    rows = [f["properties"] for f in json.loads(wrote[0][0])["features"]]
    assert [row["kind"] for row in rows if row["feature"] == "counter"] == ["potential"] * len(
        twins[0].game().state.enemy
    )


def assert_refused(ran: Ran, told: str) -> None:
    assert ran.exit_code == 2 and ran.stdout == ""
    assert told in ran.stderr and ran.stderr.startswith("tabletop: ") and ran.stderr.count("\n") == 1


def test_the_command_writes_both_and_says_what(tmp_path: Path) -> None:
    scene, out = tmp_path / "s.json", tmp_path / "m.uvtt"
    scene.write_text(json.dumps(SCENE))
    ran = run_cli("export", scene, "--geojson", tmp_path / "g.geojson", "--uvtt", out, "--grid", 2, "--ground")
    assert ran.exit_code == 0
    assert "g.geojson: 8 features in the table's own inches." in ran.stdout
    assert "24 by 18 squares of 2″, 136 pixels each (3264 by 2448), 3 walls" in ran.stdout
    assert_map(json.loads(out.read_text()))
    assert_collection(json.loads((tmp_path / "g.geojson").read_text()))
    ground, drawn = opened(json.loads(out.read_text())), []
    for more in ([], ["--pieces"]):
        assert run_cli("export", scene, "--uvtt", out, "--grid", 2, "-q", *more).stdout == ""
        drawn.append(opened(json.loads(out.read_text())))
    assert np.array_equal(*drawn) and not np.array_equal(drawn[0], ground), "pieces are drawn unless it says --ground"


def test_a_wrong_command_is_told_in_a_sentence_and_writes_nothing(tmp_path: Path) -> None:
    scene, target = tmp_path / "s.json", tmp_path / "g.json"
    scene.write_text(json.dumps(SCENE))
    broken, photo, table = tmp_path / "broken.json", tmp_path / "p.png", tmp_path / "t.toml"
    broken.write_text('{"version": 1')
    photo.write_bytes(png(300, 300))
    table.write_text("[table]\nwidth = 36\ndepth = 36\n")
    log = DATA / "replays" / "flank-attack.jsonl"
    board = DATA / "golden" / "combined-arms-solitaire.jsonl"
    wrong: list[tuple[list[object], str]] = [
        ([scene], "Say what is written"),
        ([tmp_path / "none.json", "--geojson", target], "There is no file"),
        ([tmp_path, "--geojson", target], "is a folder"),
        ([broken, "--geojson", target], "not valid JSON"),
        ([scene, "--geojson", "-"], "An export goes into a file: name one instead of -."),
        ([scene, "--geojson", tmp_path / "no" / "g.json"], "There is no folder"),
        ([scene, "--geojson", target, "--uvtt", target], "can't be both"),
        ([scene, "--geojson", target, "--game", "g"], "not both"),
        ([scene, "--geojson", target, "--photo-map", photo], "say --uvtt FILE too"),
        ([scene, "--geojson", target, "--uvtt", tmp_path / "m", "--photo-map", photo], "not the shape"),
        ([scene, "--geojson", target, "--uvtt", tmp_path / "m", "--grid", "0"], "is no size for a square"),
        (["--data", tmp_path, "--geojson", target], "There is no game yet"),
        ([log, "--geojson", target, "--table", table], "has its table in its log"),
        ([board, "--geojson", target, "--table", table], "lays no hexes"),
    ]
    before = set(tmp_path.iterdir())
    for arguments, told in wrong:
        assert_refused(run_cli("export", *arguments), told)
    assert set(tmp_path.iterdir()) == before


def test_boards_refuse_grids_and_layouts_that_can_not_be() -> None:
    square = parse_table(TABLE.replace('"hex"', '"square"'), "mine.toml")
    with pytest.raises(UsageError, match=r"mine\.toml lays a square grid"):
        plan_of_file(POSITION, title="a position", table=square)
    with pytest.raises(UsageError, match="does not lie on the 60 x 48 table"):
        plan_of_file(POSITION, title="a position", table=parse_table(TABLE.replace("4.5", "7.5")))
    with pytest.raises(SceneError, match="layout that can't be read"):
        plan_of_file({**POSITION, "overlay": {"layout": {"size": "big"}}}, title="a position")
    with pytest.raises(SceneError):
        plan_of_file([1, 2], title="a list")
    assert state_from_position(POSITION).secret is None
