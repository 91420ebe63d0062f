"""Table files that are written: of a game that began without one, and from a form; read back, they are the same."""

import math
import random
from dataclasses import replace
from typing import Any
from unicodedata import category

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.dictionaries import marker_dictionary, marker_grids
from calibration.errors import CalibrationError
from calibration.printables import default_frame
from geometry.drawing.letters import is_one_line
from geometry.hex_layout import HexLayout
from tabletop.equipment.prints import tags as print_tags
from tabletop.errors import RulesError, TableFileError, UsageError
from tabletop.game import Game
from tabletop.grids.placement import from_overlay
from tabletop.grids.table_terrain import terrain_of
from tabletop.rulesets.combined_arms.board_placement import CELLS
from tabletop.rulesets.combined_arms.overlay.terrain import terrain_of_hexes
from tabletop.rulesets.combined_arms.state import State as BoardState
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.scenario_forces import setup_from_tablefile, with_table
from tabletop.starting.scenarios import find, list_scenarios
from tabletop.starting.table_form import Blank, BlankError, BlankSide, BlankUnit, faults_of, table_of
from tabletop.tables.marker_dictionaries import DICTIONARIES, LOOKS_TURNED
from tabletop.tables.model import Base, Frame, Marker, Overlay, Side, TableFile, Tags, Terrain, Token, Unit
from tabletop.tables.table_for_game import table_file_for
from tabletop.tables.table_toml import FrameWish, TagWish, standard_frame, table_toml, with_tags
from tabletop.tables.tablefile import parse_table
from tests.support.combined_arms_tables import game_at, state_at
from tests.support.letters import LETTERS
from tests.support.one_hour_games import random_setup

SCENARIOS = [one.id for one in list_scenarios("one-hour-ww2")]


@pytest.mark.parametrize("dictionary", sorted(DICTIONARIES))
def test_the_frame_is_the_one_that_is_printed(dictionary: str) -> None:
    for width, depth in ((36, 36), (72, 48), (48.5, 60), (60, 24), (30, 72), (8, 8)):
        for size in (1.0, 2.36, 3.0):
            try:
                printed = default_frame(width, depth, marker_size_in=size, dictionary=dictionary).markers
            except CalibrationError:
                with pytest.raises(UsageError, match="too small for a frame"):
                    standard_frame(width, depth, FrameWish(size, dictionary))
                continue
            written = standard_frame(width, depth, FrameWish(size, dictionary)).markers
            assert [(m.id, m.center) for m in written] == [(m.id, m.center) for m in printed]


def units(count: int, base: Base | None = None) -> list[Unit]:
    made = base or Base(2.0, 1.25, 0.12)
    return [Unit(f"u{n}", "blue", "infantry", 3, made, made) for n in range(count)]


def test_tags_are_numbered_by_unit_from_a_dictionary_with_enough() -> None:
    tags, tagged = with_tags(units(4), TagWish(first=7, every_base=True))
    assert tags == Tags("DICT_APRILTAG_25h9", 0.6)
    assert [(u.tag, u.other_tags) for u in tagged] == [(7, (8, 9)), (10, (11, 12)), (13, (14, 15)), (16, (17, 18))]
    assert with_tags(units(36), TagWish())[0].dictionary == "DICT_4X4_100"
    with pytest.raises(UsageError, match="has 35"):
        with_tags(units(36), TagWish(dictionary="DICT_APRILTAG_25h9"))


def test_tags_are_never_numbers_of_the_frame_in_one_dictionary() -> None:
    frame = Frame("DICT_4X4_50", 3.0, tuple(Marker(n, (2.0, 2.0)) for n in range(4)))
    _, tagged = with_tags(units(2), TagWish(dictionary="DICT_4X4_50"), frame)
    assert [unit.tag for unit in tagged] == [4, 5]


def looks_turned(dictionary: str) -> set[tuple[str, int]]:
    """Its markers whose pattern is the same after half a turn."""
    cells = marker_grids(marker_dictionary(dictionary))
    return {(dictionary, n) for n, bits in enumerate(cells) if np.array_equal(bits, np.rot90(bits, 2))}


def test_a_marker_that_looks_the_same_after_half_a_turn_is_refused() -> None:
    assert set().union(*map(looks_turned, DICTIONARIES)) == LOOKS_TURNED == {("DICT_ARUCO_ORIGINAL", 1023)}
    with pytest.raises(UsageError, match="has 1:"):
        with_tags(units(2), TagWish(dictionary="DICT_ARUCO_ORIGINAL", first=1022))
    with pytest.raises(UsageError, match="Tag 1023 of DICT_ARUCO_ORIGINAL looks the same after half a turn"):
        print_tags(1020, 4, 0.6, "DICT_ARUCO_ORIGINAL", "a4")
    parse_table(TURNED.format(marker=0, tag=10, token=20))
    for where, named in (("marker", "marker 1023"), ("tag", 'tag 1023 of unit "r0"'), ("token", "tag 1023 of the")):
        with pytest.raises(TableFileError, match=f"{named}.*after half a turn"):
            parse_table(TURNED.format(**{"marker": 0, "tag": 10, "token": 20, where: 1023}))


TURNED = """
[table]
width = 36
depth = 36
[frame]
dictionary = "DICT_ARUCO_ORIGINAL"
marker_size = 3.0
markers = [{{id = {marker}, center = [2, 2]}}, {{id = 1, center = [34, 2]}}, {{id = 2, center = [34, 34]}}]
[tags]
dictionary = "DICT_ARUCO_ORIGINAL"
size = 0.6
[[sides]]
id = "red"
rim = "#8a2226"
[[units]]
id = "r0"
side = "red"
kind = "infantry"
bases = 1
tag = {tag}
base = {{shape = "rect", width = 2.0, depth = 1.25, height = 0.12}}
[[tokens]]
means = "ready"
tag = {token}
"""

_names = st.text([sign for sign in LETTERS if category(sign) != "Cc"], min_size=1, max_size=12).filter(
    lambda s: s.strip() and is_one_line(s)
)
_sizes = st.floats(0.7, 20.0)


@st.composite
def tables(draw: st.DrawFn) -> TableFile:
    """Table files with every part that there is."""
    round_ = draw(st.booleans())
    width = draw(_sizes)
    base = Base(width, width if round_ else draw(_sizes), draw(st.floats(0, 2)), round_)
    ids = draw(st.lists(_names, min_size=1, max_size=3, unique=True))
    rim = draw(st.none() | st.tuples(*[st.integers(0, 255)] * 3))
    made = [
        Unit(
            name, "blue", draw(_names), 2, base, base, n, (10 + n,), (0.01, -0.02), draw(st.none() | st.just((1, 2, 3)))
        )
        for n, name in enumerate(ids)
    ]
    x = draw(st.floats(1, 20))
    box = ((x, 1.0), (x + 4, 1.0), (x + 4, 5.5), (x, 5.5))
    hill = Terrain("h", "hill", box, draw(st.floats(0, 3)), ((x + 1, 2.0), (x + 2, 2.0), (x + 1, 3.0)))
    return TableFile(
        36.0,
        draw(st.floats(24, 100)),
        draw(st.none() | st.just(standard_frame(36, 24))),
        "one-hour-ww2",
        Tags("DICT_4X4_100", 0.4),
        (Side("blue", rim), Side('a "red" \\ one')),
        tuple(made),
        (hill, Terrain("w", "woods", box)),
        Overlay("hex", draw(st.floats(1, 5)), (x, 3.25), draw(st.floats(-30, 30))),
        (Token("ready", (40, 41)),),
        "the table file",
    )


@given(tables())
@settings(max_examples=30)
def test_what_is_written_is_read_back_to_the_last_digit(table: TableFile) -> None:
    assert parse_table(table_toml(table, ["A note.\nOf two lines."])) == table


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_is_played_on_its_own_table_file(name: str) -> None:
    """Written, read and laid under the scenario again it changes nothing but unit for unit the bases' order."""
    setup = find(name).setup
    text = table_file_for("one-hour-ww2", Game.new(RULES, setup).state, rims={"red": (146, 42, 36)})
    table = parse_table(text)
    assert with_table(setup, table) == setup
    bare = setup_from_tablefile(table)
    assert [(u.id, u.side, u.kind, u.bases) for u in bare.units] == [
        (u.id, u.side, u.kind, u.bases) for u in setup.units
    ]
    assert (bare.terrain, bare.width, bare.depth, bare.sides) == (
        setup.terrain, setup.width, setup.depth, setup.sides
    )  # fmt: skip
    assert [unit.tag for unit in table.units] == list(range(len(setup.units)))
    assert table.sides[1].rim == (146, 42, 36) and table.sides[0].rim is None
    for zone in setup.zones:
        assert f"# Deployment of {', '.join(zone.units) or zone.side}" in text


@pytest.mark.parametrize("seed", range(8))
def test_a_game_of_any_force_writes_a_table_that_gives_its_force(seed: int) -> None:
    setup = random_setup(random.Random(seed))
    wish = FrameWish(2.0), TagWish(every_base=True)
    table = parse_table(table_file_for("one-hour-ww2", Game.new(RULES, setup).state, *wish))
    again = setup_from_tablefile(table)
    assert again.units == tuple(replace(u, at=(), hits=0, permanent=0) for u in setup.units)
    assert again.terrain == setup.terrain
    numbers = [number for unit in table.units for number in (unit.tag, *unit.other_tags)]
    assert numbers == list(range(sum(len(unit.bases) for unit in setup.units)))


def test_what_does_not_fit_is_refused() -> None:
    state = Game.new(RULES, find(SCENARIOS[0]).setup).state
    with pytest.raises(RulesError, match='did you mean "combined-arms"'):
        table_file_for("combined-arm", state)
    with pytest.raises(UsageError, match='no side "rad"'):
        table_file_for("one-hour-ww2", state, rims={"rad": (1, 2, 3)})
    with pytest.raises(UsageError, match="too small for a frame"):
        table_file_for("one-hour-ww2", state, FrameWish(20.0))


BOARD = {"4-3": "woods", "5-5": "wooded crest", "6-2": "farm", "7-7": "crest", "3-8": "poor going"}


def read_back(state: BoardState, **more: Any) -> TableFile:
    return parse_table(table_file_for("combined-arms", state, **more))


def test_a_board_game_without_a_place_lies_in_the_middle_of_the_usual_table() -> None:
    state = state_at({"A1": "3-4 0"}, {"6-4": "potential", "7-3": ""}, BOARD)
    table = read_back(state)
    assert (table.width_in, table.depth_in) == (36.0, 36.0) and table.overlay is not None
    from_overlay(table.overlay, CELLS).check_fits((36.0, 36.0))
    kinds = [unit.kind for unit in table.units]
    assert kinds[:14].count("rifle") == 9 and kinds.count("counter") == kinds.count("platoon") == 2
    assert kinds.count("potential-atg") == kinds.count("atg") == 1
    assert all(unit.tag is not None for unit in table.units)
    assert len({unit.id for unit in table.units}) == len(table.units)


def test_the_terrain_that_is_written_is_the_boards() -> None:
    """Read off the outlines, hex by hex, it is what the game has, the road too."""
    state = state_at({}, {}, BOARD)
    table = read_back(state)
    assert table.overlay is not None
    pieces = [{"id": t.id, "kind": t.kind, "polygon": [list(p) for p in t.polygon]} for t in table.terrain]
    read = terrain_of_hexes(terrain_of({"terrain": pieces}), from_overlay(table.overlay, CELLS))
    assert {h.name: h.terrain.word for h in read if h.terrain.word != "open"} == BOARD
    from tabletop.rulesets.combined_arms.board import NAMES

    assert {h.name for h in read if h.terrain.road} == {NAMES[n] for n in state.ground.road}
    assert not [h.name for h in read if h.uncertain]


def test_a_board_stays_where_the_game_says_and_the_table_grows_with_it() -> None:
    state = game_at({"A1": "3-4 0"}, {}).state
    layout = HexLayout(4.0, (14.0, 8.5), 0.0)
    placed = replace(state, setup=replace(state.setup, layout=layout))
    table = read_back(placed)
    assert table.overlay == Overlay("hex", 4.0, (14.0, 8.5), 0.0)
    assert table.width_in > 36 and table.width_in == math.ceil(table.width_in)
    from_overlay(table.overlay, CELLS).check_fits((table.width_in, table.depth_in))
    with pytest.raises(UsageError, match="does not lie on"):
        read_back(placed, size_in=(36.0, 36.0))
    assert read_back(placed, size_in=(72.0, 48.0)).width_in == 72.0


SIDES = (BlankSide("blue", "#2456c8"), BlankSide("red"))
GOOD = Blank(
    48.0,
    36.0,
    sides=SIDES,
    units=(
        BlankUnit("A", "blue", "infantry", 3, unique=(2.0, 2.0)),
        BlankUnit("B", "red", "tank", 1, "round", 1.0),
    ),
)


def test_a_form_makes_a_table_that_a_game_begins_with() -> None:
    table = parse_table(table_of(GOOD))
    setup = setup_from_tablefile(table)
    assert [(u.id, len(u.bases), u.bases[0].depth, u.bases[-1].shape) for u in setup.units] == [
        ("A", 3, 2.0, "rect"),
        ("B", 1, 1.0, "round"),
    ]
    assert table.sides == (Side("blue", (36, 86, 200)), Side("red"))
    assert table.frame == standard_frame(48, 36) and [unit.tag for unit in table.units] == [0, 1]
    bare = parse_table(table_of(replace(GOOD, frame=None, tags=None)))
    assert bare.frame is None and bare.tags is None and bare.units[0].tag is None


def fields(blank: Blank) -> list[str]:
    return [fault.field for fault in faults_of(blank)]


def test_every_fault_is_told_at_once_at_its_field() -> None:
    wrong = Blank(
        -3.0,
        math.inf,
        "one-hour-ww",
        (BlankSide("blue", "blue"), BlankSide("blue"), BlankSide(" ")),
        (
            BlankUnit("A", "green", "infantry", 0),
            BlankUnit("A", "blue", "elephant", 3, "rect", 99.0, 0.0, -1.0),
        ),
        FrameWish(0.0, "DICT_9X9", -1.0),
        TagWish(math.nan, "none", -2),
    )
    expected = [
        "width_in", "depth_in", "rules", "sides", "sides.0.rim", "sides.1.id", "sides.2.id",
        "units.0.side", "units.0.bases",
        "units.1.id", "units.1.kind", "units.1.width_in", "units.1.depth_in", "units.1.height_in",
        "frame.marker_size_in", "frame.inset_in", "frame.dictionary", "tags.size_in", "tags.first", "tags.dictionary",
    ]  # fmt: skip
    assert fields(wrong) == expected
    assert all(fault.says.endswith((".", "?")) and "\n" not in fault.says for fault in faults_of(wrong))
    with pytest.raises(BlankError) as refused:
        table_of(wrong)
    assert refused.value.faults == faults_of(wrong)


@pytest.mark.parametrize(
    ("change", "where", "says"),
    [
        ({"units": GOOD.units[:1]}, ["units"], 'No unit fights for "red"'),
        ({"width_in": 5.0, "depth_in": 5.0}, ["frame"], "too small for a frame"),
        ({"tags": TagWish(0.9)}, ["units.1.width_in"], "too large for the base of B: 0.71″ is the most"),
        ({"tags": TagWish(0.5, "DICT_APRILTAG_25h9", 34)}, ["tags"], "take another dictionary"),
        ({"hexes": (3.0, (90.0, 3.0), 0.0)}, ["hexes"], "origin"),
        ({"hexes": (5.0, (8.0, 8.0), 0.0)}, ["hexes"], "does not lie on the 48 x 36 table"),
        (
            {"units": tuple(BlankUnit(f"U{n}", ("blue", "red")[n % 2], "tank") for n in range(26))},
            ["units", "units"],
            "12",
        ),
    ],
)
def test_what_does_not_go_together_is_told_too(change: dict[str, Any], where: list[str], says: str) -> None:
    blank = replace(GOOD, **change)
    assert fields(blank) == where and says in faults_of(blank)[0].says
