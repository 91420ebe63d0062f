"""Scenarios as data: the three bundled ones, what a file may say, and every fault with its line."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry.ranges import ranges_between
from tabletop.errors import RulesError, SceneError
from tabletop.open_table.formations import FORMATIONS, Formation, places_in_formation
from tabletop.open_table.setup import Shape, bases_of
from tabletop.rulesets.one_hour_ww2.data import KINDS, NAME, HouseRules
from tabletop.rulesets.one_hour_ww2.scenario_checks import check_setup
from tabletop.rulesets.one_hour_ww2.scenario_forces import (
    setup_from_scene,
    setup_from_tablefile,
    with_places,
    with_table,
)
from tabletop.rulesets.one_hour_ww2.setup import Setup, Standing, Victory, unit_on_table
from tabletop.rulesets.one_hour_ww2.situation import Situation
from tabletop.rulesets.one_hour_ww2.standing import formation
from tabletop.starting.scenarios import Scenario, ScenarioError, find, load_scenario, parse_scenario
from tabletop.tables.scene import Scene, Unit, scene_from_json, scene_to_json
from tabletop.tables.tablefile import parse_table
from tests.paths import DATA, ROOT

BUNDLED = ("flank-attack", "melee", "static-defence")

GOOD = (DATA / "ford.scenario.toml").read_text(encoding="utf-8")


def changed(old: str, new: str, count: int = 1) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, count)


def faults(text: str) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text, "mine.toml")
    assert str(caught.value).startswith("mine.toml")
    return [str(fault) for fault in caught.value.faults]


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def scene_of(setup: Setup) -> Scene:
    units = tuple(unit_on_table(u, u.at) for u in setup.units if u.at)
    return Scene(NAME, setup.width, setup.depth, units, setup.features)


@pytest.mark.parametrize("word", ["static-defence", "14", "Static Defence", "STATIC_defence"])
def test_found_by_id_number_and_title(word: str) -> None:
    assert find(word).id == "static-defence"
    assert find(word, "one-hour-ww2").number == 14


def test_found_by_path(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert find(str(file)).id == find(file).id == load_scenario(file).id == "ford"
    with pytest.raises(ScenarioError, match="is a scenario of one-hour-ww2, not of combat"):
        find(file, "combat")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("flank-atack", 'There is no scenario "flank-atack"; did you mean "flank-attack"?'),
        ("7", 'There is no scenario "7"'),
        ("nowhere.toml", "There is no scenario file at nowhere.toml"),
    ],
)
def test_not_found(word: str, told: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        find(word)
    assert str(caught.value).startswith(told)


@pytest.fixture(params=BUNDLED)
def scenario(request: pytest.FixtureRequest) -> Scenario:
    return find(request.param)


def test_bundled_ones_are_sound(scenario: Scenario) -> None:
    setup = scenario.setup
    assert setup.scenario == scenario.id and setup.sides == ("blue", "red") and setup.turns == 15
    assert (setup.width, setup.depth) == (36.0, 36.0)
    assert [sum(u.side == side for u in setup.units) for side in setup.sides] == [6, 6]
    assert all(len(u.bases) == 3 and u.name for u in setup.units)
    assert "layout" in scenario.source + scenario.notes
    assert check_setup(setup) == []
    for verdict in formation(Situation(scene_of(setup), setup.rules)):
        assert verdict["faults"] == verdict["doubts"] == verdict["notes"] == []


def test_a_whole_file() -> None:
    scenario = parse_scenario(GOOD)
    setup = scenario.setup
    assert (scenario.id, scenario.number, scenario.notes, setup.dice) == ("ford", None, "Read me.", "d5")
    assert setup.sides == ("blue", "red") and setup.side_titles == ("Blue", "") and setup.side_title("red") == "Red"
    first, second, third, fourth = setup.units
    assert first.name == "First platoon" and [s.x for s in first.at] == [18.0, 20.5, 15.5]
    assert second.bases == (Shape("round", 1.5, 1.5), Shape("rect", 1.75, 2.5))
    assert (second.hits, second.permanent) == (11, 5)
    assert second.at == (Standing(28.0, 4.0), Standing(30.0, 3.0))
    assert third.dug_in and third.ready and fourth.at == ()
    assert setup.objectives[0].polygon == setup.terrain[0].polygon and setup.objectives[1].title == "the crossroads"
    assert setup.ties[0].within == 12.0
    assert setup.victories[0] == Victory("blue", "hold", objectives=("wood", "cross"), count=1, at_once=True)
    assert setup.rules == HouseRules(close_in=2.0, long_range="minus two")


def test_the_example_in_the_docs_loads() -> None:
    text = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(\[scenario\].*?)```", text, re.DOTALL)
    setup = parse_scenario(example, "the example").setup
    assert len(setup.units) >= 4 and setup.victories


def test_the_docs_name_every_key() -> None:
    from tabletop.rulesets.one_hour_ww2.scenario import _KEYS

    text = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    told = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", text.partition("## `[scenario]`")[2]))))
    assert {key for keys in _KEYS.values() for key in keys} <= told | {"scenario"}


sizes = st.builds(
    lambda w, d, round_: Shape("round", w, w) if round_ else Shape("rect", w, d),
    st.floats(0.5, 3.0),
    st.floats(0.5, 3.0),
    st.booleans(),
)


@given(
    sizes,
    sizes,
    st.integers(1, 3),
    st.floats(0, 360),
    st.sampled_from(FORMATIONS),
    st.sampled_from(sorted(KINDS)),
    st.just(1.0) | st.floats(0, 1),
)
def test_formations_are_formations(
    unique: Shape, other: Shape, count: int, facing: float, word: Formation, kind: str, gap: float
) -> None:
    """Whatever the sizes and the facing: no fault at a gap that the rules allow, and no two bases nearer than it."""
    shapes = (unique, *[other] * (count - 1))
    at = places_in_formation(shapes, (50.0, 50.0), facing, word, gap)
    assert (at[0].x, at[0].y) == (50.0, 50.0) and all(s.facing == facing % 360.0 for s in at)
    bases = bases_of(shapes, at)
    scene = Scene(NAME, 100.0, 100.0, (Unit("A", "blue", kind, bases, 0),))
    (verdict,) = formation(Situation(scene, HouseRules()))
    assert verdict["faults"] == verdict["doubts"] == []
    first, second = np.triu_indices(count, 1)
    apart = ranges_between(bases[first], bases[second]).value
    assert (apart >= gap - 1e-6).all()


BLAMED = {
    '[scenario] lacks "id"': "[scenario]",
    "5 permanent hits, but only 4 hits in all": "permanent",
    'base 1 of unit "B2" stands on base 1 of unit "B1"': "places",
    'unit "B1": its bases stand more than 1″ apart': "at = [18, 5]",
    'must have either a "polygon" or the id of a "terrain"': '[[objectives]]\nid = "wood"',
    'unit "R1" is not wholly inside': "at = [9, 24]",
}
"""What stands in the line that is blamed for a fault, where that is not the first one that was changed."""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('title = "The Ford"', 'titel = "The Ford"', 'unknown key "titel" in [scenario]; did you mean "title"?'),
        ('id = "ford"\n', "", '[scenario] lacks "id"'),
        ('defender = "red"', 'defender = "blue"', 'attacker and defender are both "blue"'),
        ('otherwise = "red"', 'otherwise = "rad"', 'unknown side "rad" in otherwise of [scenario]'),
        ("turns = 10", "turns = 0", "a whole number from 1 to 200, not 0"),
        ("turns = 10", 'turns = 10\ndice = "d7"', 'unknown dice "d7"'),
        ('id = "red"\n', 'id = "rde"\n', 'side "rde" is neither attacker nor defender; did you mean "red"?'),
        ('kind = "mortar"', 'kind = "mortars"', 'unknown kind "mortars" in [[units]] "R2"'),
        ('side = "red"\nkind = "mortar"', 'side = "rad"\nkind = "mortar"', 'unit "R2" is of side "rad"'),
        ('id = "B2"', 'id = "B1"', 'the unit "B1" stands twice'),
        ("bases = 2", "bases = 4", "a whole number from 1 to 3, not 4"),
        (
            "diameter = 1.2 }",
            "diameter = 1.2 }\nready = true",
            'unit "R2" is a mortar and starts Ready; no mortar may',
        ),
        ("diameter = 1.2 }", "diameter = 1.2 }\nat = [9, 27]", "base 1 stands in trees that only infantry may enter"),
        ("dug_in = true", 'dug_in = "yes"', '"dug_in" in [[units]] "R1" must be true or false'),
        ("hits = 11", "hits = 15", 'unit "B2" starts with 15 hits; 15 destroy it'),
        ("hits = 11", "hits = 4\npermanent = 5", "5 permanent hits, but only 4 hits in all"),
        ("hits = 11", "dug_in = true", 'unit "B2" is a tank and starts dug in; no tank may dig in'),
        ("at = [18, 5]", "at = [35.5, 5]", 'base 1 of unit "B1" at (35.5, 5) is not wholly on the 36 x 30 table'),
        ("at = [18, 5]", "at = [28, 5]", 'base 1 of unit "B2" stands on base 1 of unit "B1"'),
        ("at = [18, 5]", "at = [18, 12]", 'unit "B1" is not wholly inside a zone of its own'),
        ("at = [18, 5]", "at = [18]", '"at" in [[units]] "B1" must be two numbers'),
        ("at = [18, 5]", "at = [18, 5]\ngap = 1.5", 'unit "B1": its bases stand more than 1″ apart'),
        ("at = [18, 5]\n", "", '[[units]] "B1" has "facing" but no place'),
        ("at = [18, 5]", 'at = [18, 5]\nformation = "square"', 'unknown formation "square"'),
        ("[30, 3, 0]]", "[30, 3]]", 'place 2 in [[units]] "B2" must be [x, y, facing], not a list of 2'),
        ("[30, 3, 0]]", "[30, 3, 0], [31, 3, 0]]", "has 3 entries for 2 bases"),
        ("[30, 3, 0]]", "[30, 3, 0]]\nat = [28, 4]", 'has both "places" and "at"'),
        ("[30, 3, 0]]", "[30, 3, 40]]", 'unit "B2": base 2 faces 40° away from the unique base'),
        ("[30, 3, 0]]", "[30, 6, 0]]", "ahead of the unique base"),
        ('units = ["R1"]', 'units = ["R9"]', 'tie 1 names the unit "R9", which does not exist; expected "B1"'),
        ('objective = "wood"', 'objective = "wod"', 'the objective "wod", which does not exist; did you mean "wood"?'),
        ('units = ["R1"]', 'units = ["R1"]\nwithin = 0', "more than 0"),
        ('terrain = "wood"', 'terrain = "wod"', 'names the terrain "wod", which does not exist'),
        ('terrain = "wood"\n', "", 'must have either a "polygon" or the id of a "terrain"'),
        ("[[20, 14], [22, 14], [22, 16], [20, 16]]", "[[40, 14], [42, 14], [42, 16]]", '"cross" lies off the 36 x 30'),
        ("start = [10, 30]", "start = [10, 29]", "from (10, 29) to (14, 30) must lie along one edge"),
        ("end = [14, 30]", "end = [10.5, 30]", 'the exit "far" is 0.5″ long'),
        ('exit = "far"', 'exit = "fra"', 'names the exit "fra", which does not exist; did you mean "far"?'),
        ("by_turn = 8", "by_turn = 11", "is due by turn 11, and the game ends with turn 10"),
        ("units = 2\nby", "units = 3\nby", "asks for 3 units, and blue has 2"),
        ('kind = "destroy"\nunits = 2', 'kind = "destroy"\nunits = 3', "asks for 3 units, and the enemy has 2"),
        ('kind = "destroy"\nunits = 2', 'kind = "destroy"\nunits = 2\ncount = 1', 'says nothing for kind = "destroy"'),
        ("count = 1", "count = 3", "a count of 3 out of 2 objectives"),
        ("[36, 8], [0, 8]]", "[37, 8], [0, 8]]", "zone 1 reaches off the 36 x 30 table"),
        ("[36, 18], [36, 30], [0, 30]]", "[36, 18], [36, 19]]", 'unit "R1" is not wholly inside'),
        ("close_in = 2.0", "close_inn = 2.0", 'unknown key "close_inn" in [house_rules]; did you mean'),
        ("close_in = 2.0", "close_in = -1", "at least 0"),
        ("close_in = 2.0", "close_mortars_fire = 1", "must be true or false"),
    ],
)
def test_a_fault_and_its_line(old: str, new: str, told: str) -> None:
    text = changed(old, new)
    pairs = enumerate(zip(GOOD.splitlines(), text.splitlines(), strict=False), 1)
    line = line_of(text, BLAMED[told]) if told in BLAMED else next(n for n, (was, now) in pairs if was != now)
    found = faults(text)
    assert any(told in fault and fault.startswith(f"line {line}: ") for fault in found), found


def test_all_faults_at_once_in_the_order_of_their_lines() -> None:
    text = GOOD.replace("turns = 10", "turns = -1").replace('kind = "woods"', 'kind = "forest"')
    text = text.replace("at = [18, 5]", "at = [18, 50]").replace('exit = "far"', 'exit = "near"')
    found = faults(text)
    lines = [int(re.match(r"line (\d+)", fault)[1]) for fault in found]
    assert len(found) == 5 and lines == sorted(lines)  # off the table is out of the zone as well


def test_sides_need_units() -> None:
    text = GOOD.replace('side = "red"\nkind = "infantry"', 'side = "blue"\nkind = "infantry"')
    text = text.replace('side = "red"\nkind = "mortar"', 'side = "blue"\nkind = "mortar"')
    assert any('side "red" has no units; give it 1 to 12' in fault for fault in faults(text))
    many = "".join(
        f'[[units]]\nid = "X{n}"\nside = "red"\nkind = "atg"\nbase = {{ shape = "round", diameter = 1 }}\n'
        for n in range(11)
    )
    assert any('side "red" has 13 units; at most 12' in fault for fault in faults(GOOD + many))


def test_zones_have_room() -> None:
    small = '[[0, 18], [1, 18], [1, 19], [0, 19]]\nunits = ["R2"]\n[[zones]]\nside = "red"\npolygon = '
    text = changed("[[0, 18], [36, 18]", f"{small}[[0, 18], [36, 18]").replace(
        '[[zones]]\nside = "red"\npolygon = [[0', '[[zones]]\nside = "red"\nunits = ["R1"]\npolygon = [[0'
    )
    assert any("square inch" in fault for fault in faults(text))
    thin = text.replace("[1, 18], [1, 19], [0, 19]]", "[36, 18], [36, 18.9], [0, 18.9]]")
    assert any('is too narrow for a base of unit "R2": make it 1.2″ broad' in fault for fault in faults(thin))
    nowhere = changed('id = "back"\n', 'id = "back"\nunits = ["R1"]\n')
    assert any('unit "R2" has neither a place nor a zone' in fault for fault in faults(nowhere))
    whose = changed('id = "back"\n', 'id = "back"\nunits = ["B1", "R1", "R2"]\n')
    assert any('names unit "B1", which is blue\'s' in fault for fault in faults(whose))


def test_tied_units_start_near_enough() -> None:
    text = changed("at = [9, 24]", "at = [33, 24]").replace('units = ["R1"]', 'units = ["R1"]\nwithin = 6')
    (only,) = faults(text.replace("at = [33, 24]", "at = [32, 24]"))
    assert 'unit "R1" is tied to "wood" within 6″ and starts 17.00″ from it' in only


def test_holding_needs_an_end() -> None:
    text = changed("turns = 10\n", "").replace("at_once = true\n", "")
    assert any("is judged at the end of the last turn, and [scenario] sets no turns" in fault for fault in faults(text))


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("", "[scenario] must name the rules"),
        ("[scenario]\nrules = 3", "[scenario] must name the rules"),
        ('[scenario]\nrules = "chess"', 'unknown rules "chess"'),
        ("[scenario", "this is not valid TOML"),
        (b"\xff\xfe", "this is not UTF-8 text"),
        ('[scenario]\nrules = "one-hour-ww2"', 'lacks "attacker"'),
        ("scenario = 1", "[scenario] must name the rules"),
        (
            '[scenario]\nrules = "one-hour-ww2"\n[[units]]\nid = 3\n[[victory]]\nkind = 1\n[[ties]]\n[[exits]]',
            '[[exits]] number 1 lacks "start"',
        ),
    ],
)
def test_hardly_a_file(source: str | bytes, told: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(told)):
        parse_scenario(source)


@settings(max_examples=40)
@given(st.data())
def test_damaged_files_are_refused_in_words(data: st.DataObject) -> None:
    """Any line lost, doubled or with its value replaced: a scenario or a ScenarioError, nothing else."""
    lines = GOOD.splitlines()
    row = data.draw(st.integers(0, len(lines) - 1))
    key = lines[row].partition(" = ")[0]
    values = ["0", "-3.5", "1e99", '""', '"x"', "[]", "{}", "true", "[[1, 2]]", '["a"]', "1979-05-27", "nan"]
    lines[row] = data.draw(st.sampled_from(["", f"{lines[row]}\n{lines[row]}", *(f"{key} = {v}" for v in values)]))
    try:
        parse_scenario("\n".join(lines), "mine.toml")
    except ScenarioError as error:
        assert str(error).startswith("mine.toml")
        assert error.faults and all(fault.text.endswith((".", "?")) for fault in error.faults)


MARKERS = "".join(
    f"[[frame.markers]]\nid = {n}\ncenter = [{x}, {y}]\n"
    for n, (x, y) in enumerate([(1.5, 1.5), (34.5, 1.5), (34.5, 28)])
)
FRAME = f'[frame]\ndictionary = "DICT_APRILTAG_36h11"\nmarker_size = 2.0\n{MARKERS}'


def table(units: list[tuple[str, str, str, str]], more: str = "", depth: int = 30) -> str:
    entries = "".join(
        f'[[units]]\nid = "{n}"\nside = "{s}"\nkind = "{k}"\nbases = 3\nbase = {{ {b}, height = 0.1 }}\n'
        for n, s, k, b in units
    )
    return f"[table]\nwidth = 36\ndepth = {depth}\n{FRAME}{entries}{more}"


INFANTRY, TANK, ROUND = (
    'shape = "rect", width = 2.0, depth = 1.25',
    'shape = "rect", width = 1.5, depth = 2',
    'shape = "round", diameter = 1',
)
ROSTER = [
    ("t1", "blue", "tank", TANK),
    ("B1", "blue", "infantry", INFANTRY),
    ("r1", "red", "infantry", ROUND),
    ("r2", "red", "mortar", ROUND),
    ("r3", "red", "mortar", ROUND),
]


def test_a_table_files_bases_and_names() -> None:
    setup = with_table(parse_scenario(GOOD).setup, parse_table(table(ROSTER)))
    assert [(u.id, u.kind) for u in setup.units] == [
        ("B1", "infantry"),
        ("t1", "tank"),
        ("r1", "infantry"),
        ("r2", "mortar"),
    ]
    assert setup.unit("B1").at and not setup.unit("t1").at  # the same bases keep their place, others deploy anew
    assert setup.unit("r1").bases == (Shape("round", 1.0, 1.0),) * 3 and setup.unit("r1").dug_in
    assert setup.ties[0].units == ("r1",)
    assert setup.terrain == parse_scenario(GOOD).setup.terrain


def test_a_table_files_terrain() -> None:
    before = parse_scenario(GOOD).setup
    more = '[[terrain]]\nid = "copse"\nkind = "woods"\npolygon = [[3, 20], [9, 20], [9, 26]]\n'
    setup = with_table(before, parse_table(table(ROSTER, more)))
    assert setup.terrain[0].id == "copse" and setup.objectives[0].polygon == setup.terrain[0].polygon
    assert setup.objectives[1] == before.objectives[1]
    two = more + more.replace("copse", "thicket").replace("[3, 20], [9, 20], [9, 26]", "[20, 20], [25, 20], [25, 24]")
    with pytest.raises(
        ScenarioError, match='the objective "wood" lies on terrain of kind "woods", of which the table has 2'
    ):
        with_table(before, parse_table(table(ROSTER, two)))
    named = with_table(before, parse_table(table(ROSTER, two.replace("thicket", "wood"))))
    assert named.objectives[0].polygon[0] == (20.0, 20.0)


def test_a_table_file_that_does_not_fit() -> None:
    before = parse_scenario(GOOD).setup
    with pytest.raises(ScenarioError) as caught:
        with_table(before, parse_table(table(ROSTER[1:4], depth=36), "club.toml"))
    told = [fault.text for fault in caught.value.faults]
    assert str(caught.value).startswith("club.toml has 2 faults")
    assert told[0].startswith("the table is 36 by 36 inches") and 'no unit is left for "B2"' in told[1]
    sunk = '[[terrain]]\nid = "wood"\nkind = "woods"\npolygon = [[3, 20], [9, 20], [9, 26]]\n'
    sunk += '[[terrain]]\nid = "pond"\nkind = "marsh"\npolygon = [[14, 3], [22, 3], [22, 7], [14, 7]]\n'
    with pytest.raises(ScenarioError, match='unit "B1": base 1 stands in impassable ground'):
        with_table(before, parse_table(table(ROSTER, sunk)))


def test_a_table_file_with_other_sides() -> None:
    roster = [(name, {"blue": "british", "red": "red"}[side], kind, base) for name, side, kind, base in ROSTER]
    with pytest.raises(ScenarioError) as caught:
        with_table(parse_scenario(GOOD).setup, parse_table(table(roster), "club.toml"))
    assert str(caught.value).startswith('club.toml: no unit is on side "blue": the sides here are "british" or "red"')


def test_a_table_file_alone() -> None:
    setup = setup_from_tablefile(parse_table(table(ROSTER)))
    assert setup.sides == ("blue", "red") and not setup.victories and not any(u.at for u in setup.units)
    with pytest.raises(ScenarioError, match="needs units of two sides"):
        setup_from_tablefile(parse_table(table(ROSTER[:2]), "club.toml"))
    with pytest.raises(RulesError, match="which one-hour-ww2 does not have"):
        setup_from_tablefile(parse_table(table([*ROSTER, ("x", "red", "cavalry", ROUND)])))


def test_a_deployments_bases_keep_their_order_and_spread() -> None:
    """The unique base is the scene's, wherever it stands in the scene's list; the spread of a photo goes along."""
    setup = find("6").setup
    data = scene_to_json(scene_of(setup))
    bases = data["units"][0]["bases"]
    bases.append(bases.pop(0) | {"sigma": 0.1})
    unit = with_places(setup, scene_from_json(data)).unit("B1")
    assert unit.unique == 2 and (unit.at[2].x, unit.at[2].y) == (12.0, 18.5)
    assert unit.at[2].covariance == (0.01, 0.0, 0.01) and unit.at[0].covariance == (0.0, 0.0, 0.0)
    back = unit_on_table(unit, unit.at)
    assert np.allclose(back.bases.center[back.unique], (12.0, 18.5))


def test_a_scene_brings_its_terrain_where_the_setup_draws_none() -> None:
    setup = find("6").setup
    data = scene_to_json(scene_of(setup))
    data["terrain"] = [
        {"id": name, "kind": "woods", "polygon": [[4, 4], [8, 4], [8, y]], "confidence": sure, "sigma": 0.3}
        for name, y, sure in (("t1", 8, 0.97), ("t2", 9, 0.6))
    ]
    begun, note = setup_from_scene(replace(setup, terrain=()), data, "seen.json")
    assert [(piece.id, piece.sigma) for piece in begun.terrain] == [("t1", 0.3)]
    assert note == "Not certain in seen.json and left out: t2 (woods)."
    assert setup_from_scene(setup, data, "seen.json")[0].terrain == setup.terrain
    with pytest.raises(SceneError, match="leaves a question open: Which edge"):
        setup_from_scene(setup, {"questions": [{"ask": "turn", "says": "Which edge?"}]}, "seen.json")


def test_a_deployment_that_does_not_fit() -> None:
    setup = find("6").setup
    data = scene_to_json(scene_of(setup))
    data["table"]["depth"] = 48
    data["units"][0]["kind"] = "mortar"
    data["units"][1]["id"] = "Z1"
    data["units"][2]["bases"].pop()
    for base in data["units"][3]["bases"]:
        base["unique"] = False
    with pytest.raises(SceneError) as caught:
        with_places(setup, scene_from_json(data))
    told = str(caught.value)
    for part in (
        "table is 36 by 48 inches",
        "Unit \"B1\" is blue's infantry in the forces and blue's mortar on the table",
        'Unit "Z1" stands on the table and is in neither force',
        'Unit "B3" has 2 bases on the table and 3 in the forces',
        'Unit "B4" is there, but it is not known which of its bases is the unique one',
    ):
        assert part in told


@pytest.mark.parametrize("kind", ["infantry", "tank"])
def test_an_id_stands_twice_though_one_of_the_two_has_another_fault(kind: str) -> None:
    """Both are told, whichever of the two is at fault, the double at the line of the later one's id."""
    text = changed(f'kind = "{kind}"', 'kind = "tnk"').replace('id = "B2"', 'id = "B1"')
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text)
    told = [fault for fault in caught.value.faults if 'the unit "B1" stands twice' in fault.text]
    assert [fault.line for fault in told] == [1 + text[: text.rindex('id = "B1"')].count("\n")]
    assert sum('unknown kind "tnk"' in fault.text for fault in caught.value.faults) == 1


def test_a_unit_named_by_a_zone_belongs_there() -> None:
    """As in the game: the zones that name a unit go before those of its whole side."""
    text = changed('id = "back"\n', 'id = "corner"\nunits = ["R1"]\n').replace(
        "[[0, 18], [36, 18]", "[[20, 18], [36, 18]"
    )
    text = text.replace("[36, 30], [0, 30]]", "[36, 30], [20, 30]]")
    text += '[[zones]]\nside = "red"\npolygon = [[0, 18], [36, 18], [36, 30], [0, 30]]\n'
    (only,) = faults(text)
    assert 'unit "R1" is not wholly inside a zone of its own' in only
    assert parse_scenario(text.replace("at = [9, 24]\nfacing = 180\n", "")).setup.unit("R1").at == ()
