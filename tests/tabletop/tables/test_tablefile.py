"""The table file: what is read, and every fault with its line."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.errors import RulesError, TableFileError
from tabletop.referee.judging import expected_from
from tabletop.tables.model import TableFile
from tabletop.tables.table_toml import TagWish, table_toml, with_tags
from tabletop.tables.tablefile import load_table, parse_table

GOOD = """\
[table]
width = 36.0
depth = 24
rules = "one-hour-ww2"

[frame]
dictionary = "DICT_APRILTAG_36h11"
marker_size = 3.0
[[frame.markers]]
id = 0
center = [1.5, 1.5]
rotation = 0.0
[[frame.markers]]
id = 1
center = [34.5, 1.5]
[[frame.markers]]
id = 2
center = [34.5, 22.5]
rotation = 90.0
[[frame.markers]]
id = 3
center = [1.5, 22.5]

[tags]
dictionary = "DICT_4X4_100"
size = 0.6

[[sides]]
id = "blue"
rim = "#2456c8"
[[sides]]
id = "red"

[[units]]
id = "A1"
side = "blue"
kind = "tank"
bases = 3
tag = 11
other_tags = [12, 13]
base = { shape = "rect", width = 2.5, depth = 1.75, height = 0.12 }
unique_base = { shape = "rect", width = 1.25, depth = 1.0, height = 0.12 }
tag_offset = [0.0, -0.2]
[[units]]
id = "B1"
side = "red"
kind = "infantry"
bases = 2
base = { shape = "round", diameter = 0.984, height = 0.12 }

[[terrain]]
id = "t1"
kind = "woods"
polygon = [[3.0, 4.0], [9.0, 4.0], [9.0, 9.0], [3.0, 4.0]]
[[terrain]]
id = "h"
kind = "hill"
polygon = [[20, 4], [29, 4], [29, 14], [20, 14]]
height = 1.0
hill_top = [[22, 6], [26, 6], [26, 10]]

[overlay]
grid = "hex"
size = 4.0
origin = [18.0, 2.0]
rotation = 0.0
"""


def line_of(text: str, part: str) -> int:
    """The number of the first line that holds a part."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if part in line)


def faults(text: str | bytes) -> list[tuple[int | None, str]]:
    with pytest.raises(TableFileError) as caught:
        parse_table(text, "my.toml")
    assert str(caught.value).startswith("my.toml")
    return [(fault.line, fault.text) for fault in caught.value.faults]


def changed(old: str, new: str) -> str:
    """GOOD with the first occurrence of a part replaced."""
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def test_everything_in_a_good_file_is_read() -> None:
    table = parse_table(GOOD)
    assert (table.width_in, table.depth_in, table.rules) == (36.0, 24.0, "one-hour-ww2")
    assert table.frame.dictionary == "DICT_APRILTAG_36h11"
    assert [m.id for m in table.frame.markers] == [0, 1, 2, 3]
    assert table.frame.markers[2].rotation_deg == 90.0
    assert table.tags is not None and table.tags.size_in == 0.6
    assert [side.rim for side in table.sides] == [(0x24, 0x56, 0xC8), None]
    tank, foot = table.units
    assert (tank.tag, tank.other_tags, tank.tag_offset_in) == (11, (12, 13), (0.0, -0.2))
    assert (tank.base.width_in, tank.base.depth_in, tank.unique_base.width_in) == (2.5, 1.75, 1.25)
    assert foot.base.is_round and foot.base.width_in == foot.base.depth_in == 0.984
    assert foot.unique_base is foot.base and foot.tag is None
    woods, hill = table.terrain
    assert woods.polygon == ((3.0, 4.0), (9.0, 4.0), (9.0, 9.0)), "a closed outline is opened"
    assert hill.hill_top == ((22.0, 6.0), (26.0, 6.0), (26.0, 10.0)) and hill.height_in == 1.0
    assert table.overlay is not None and (table.overlay.grid, table.overlay.size_in) == ("hex", 4.0)


def test_a_table_may_state_how_high_its_hills_are() -> None:
    assert parse_table(GOOD).hill_height_in == 0.0
    stated = changed("[frame]", "hill_height = 0.75\n\n[frame]")
    assert parse_table(stated).hill_height_in == 0.75
    assert parse_table(table_toml(parse_table(stated))).hill_height_in == 0.75
    with pytest.raises(TableFileError, match="how high the table's hills are in inches, more than 0"):
        parse_table(stated.replace("0.75", "0"))


def test_units_may_name_sides_that_nothing_declares() -> None:
    text = GOOD.replace(GOOD[GOOD.index("[[sides]]") : GOOD.index("[[units]]")], "")
    assert [unit.side for unit in parse_table(text).units] == ["blue", "red"]


def test_windows_line_ends_and_byte_order_mark_are_read() -> None:
    assert parse_table(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()) == parse_table(GOOD)


def test_dictionary_names_forgive_the_case_of_letters() -> None:
    assert parse_table(GOOD.replace("36h11", "36H11")).frame.dictionary == "DICT_APRILTAG_36h11"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("width = 36.0", "widht = 36.0", 'unknown key "widht" in [table]; did you mean "width"?'),
        ("bases = 3", 'bases = "3"', '"bases" in [[units]] "A1" must be how many bases the unit has'),
        ("bases = 3", "bases = true", "not true."),
        ("bases = 3", "bases = 0", "from 1 to 60, not 0."),
        ("width = 36.0", "width = nan", "not nan."),
        ("width = 36.0", "width = -inf", "not -inf."),
        ("width = 36.0", "width = 0", "more than 0"),
        ("width = 36.0", "width = 36000", "at most 480"),
        ("width = 36.0", f"width = {10**50}", "not a number of 51 digits"),
        ('rules = "one-hour-ww2"', 'rules = "one-hour-ww3"', 'did you mean "one-hour-ww2"?'),
        ('"DICT_APRILTAG_36h11"', '"36h11"', 'did you mean "DICT_APRILTAG_36h11" or "tag36h11"?'),
        ('"DICT_4X4_100"', '"DICT_4X4_99"', "did you mean"),
        ("id = 1\n", "id = 0\n", "duplicate frame marker 0: it is already on line 10."),
        ("id = 1\n", "id = 587\n", "which has ids 0 to 586"),
        ("center = [34.5, 1.5]", "center = [36.5, 1.5]", "is off the 36″ x 24″ table"),
        ("center = [34.5, 1.5]", "center = [3.0, 3.5]", "frame marker 1 overlaps marker 0"),
        ("center = [34.5, 1.5]", "center = [34.5]", "must be two numbers"),
        ("center = [34.5, 1.5]", 'center = [34.5, "a"]', "must be two numbers"),
        ("size = 0.6", "size = 0.0", "more than 0"),
        ("tag = 11", "tag = 12", "duplicate tag 12: the same unit has it"),
        ("tag = 11", "tag = 100", "tag 100 of unit \"A1\" does not exist in DICT_4X4_100, which has ids 0 to 99"),
        ("other_tags = [12, 13]", "other_tags = [11]", "duplicate tag 11: the same unit has it on line"),
        ("other_tags = [12, 13]", "other_tags = [12, 1.5]", "holds 1.5"),
        ("other_tags = [12, 13]", "other_tags = [12, 13, 14]", '"A1" has 3 bases but 4 tags'),
        ("tag_offset = [0.0, -0.2]", "tag_offset = [0.0, -0.6]", "puts its tag off its base"),
        ('rim = "#2456c8"', 'rim = "blue"', "must be a colour"),
        ('rim = "#2456c8"', 'rim = "#2456c"', "must be a colour"),
        ('id = "red"', 'id = "blue"', 'duplicate side "blue"'),
        ('side = "red"', 'side = "rad"', 'no [[sides]] declares; did you mean "red"?'),
        ('id = "B1"', 'id = "A1"', 'duplicate unit "A1": it is already on line'),
        ('id = "B1"', 'id = " "', "the unit's name"),
        ('shape = "round"', 'shape = "hex"', 'unknown shape "hex"'),
        ('kind = "woods"', 'kind = "wood"', 'did you mean "woods"?'),
        ('id = "h"', 'id = "t1"', 'duplicate terrain piece "t1"'),
        ("[29, 14], [20, 14]]", "[20, 14], [29, 14]]", "crosses itself near"),
        ("[29, 14], [20, 14]]", "]", "at least 3 different corners, and has 2"),
        ("[29, 14], [20, 14]]", "[35, 4]]", "are on one line"),
        ("[29, 14], [20, 14]]", "[29, 140]]", "far off the 36″ x 24″ table"),
        ("[29, 14], [20, 14]]", "[29, inf]]", 'point 3 of "polygon"'),
        ("hill_top = [[22, 6], [26, 6], [26, 10]]", "hill_top = [[2, 6], [6, 6], [6, 10]]", "not inside its polygon"),
        ("height = 1.0\n", "height = -1.0\n", "at least 0"),
        ('grid = "hex"', 'grid = "hexx"', 'did you mean "hex"?'),
        ("size = 4.0", "size = 40.0", "do not fit on the 36″ x 24″ table"),
        ("size = 4.0", "size = 0", "at least 0.25"),
        ("origin = [18.0, 2.0]", "origin = [180.0, 2.0]", "is off the 36″ x 24″ table"),
        ("rotation = 0.0\n", "rotation = 3600.0\n", "at most 360"),
        ("depth = 24", "depth = 24 24", "is not valid TOML"),
        ("depth = 24", "width = 24", 'key or table "width" is given a second time'),
        ("[tags]", "[table]", 'key or table "table" is given a second time'),
    ],
)  # fmt: skip
def test_a_fault_names_its_line_and_what_was_expected(old: str, new: str, says: str) -> None:
    blamed = {"tag = 12": "other_tags", "other_tags = [12, 13, 14]": "bases = 3"}.get(new)
    line = line_of(GOOD, blamed) if blamed else GOOD[: GOOD.index(old)].count("\n") + 1
    found = faults(changed(old, new))
    assert any(says in fault and where == line for where, fault in found), (line, found)


@pytest.mark.parametrize(
    ("missing", "says"),
    [
        ("width = 36.0\n", '[table] lacks "width"'),
        ('kind = "tank"\n', '[[units]] "A1" lacks "kind"'),
        ("diameter = 0.984, ", '"base" of [[units]] "B1" lacks "diameter"'),
        ("center = [1.5, 22.5]\n", '[[frame.markers]] 3 lacks "center"'),
        ('id = "h"\n', '[[terrain]] number 2 lacks "id"'),
        ("size = 0.6\n", '[tags] lacks "size"'),
    ],
)
def test_a_missing_key_names_its_table(missing: str, says: str) -> None:
    assert GOOD.count(missing) == 1
    found = faults(GOOD.replace(missing, ""))
    assert len(found) == 1 and says in found[0][1] and found[0][0] is not None


WITHOUT_TAGS = GOOD.replace(GOOD[GOOD.index("[tags]") : GOOD.index("[[sides]]")], "")
ONE_DICTIONARY = GOOD.replace("DICT_4X4_100", "DICT_APRILTAG_36h11").replace("tag = 11", "tag = 2")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", 'the file lacks "table"'),
        (GOOD.replace("width", 'unit = "mm"\nwidth', 1), 'unknown unit "mm" in [table]'),
        (WITHOUT_TAGS, "no [tags]"),
        (ONE_DICTIONARY, "is also a frame marker"),
        (GOOD[: GOOD.index("[[frame.markers]]\nid = 2")], "has 2 markers; at least 3"),
        ('frame = "four markers"\n' + GOOD[: GOOD.index("[frame]")], '"frame" in the file must be the printed markers'),
    ],
)
def test_a_file_that_does_not_hold_together_is_refused(text: str, says: str) -> None:
    assert any(says in fault for _, fault in faults(text))


def test_all_faults_are_told_at_once_in_the_order_of_lines() -> None:
    text = changed('kind = "woods"', 'kind = "wood"').replace("tag = 11", "tag = 120").replace("#2456c8", "2456c8")
    found = faults(text)
    assert [line for line, _ in found] == sorted(line_of(text, part) for part in ('"wood"', "tag = 120", '"2456c8"'))
    with pytest.raises(TableFileError, match=r"has 3 faults:\n  line \d+: .*\n  line \d+: "):
        parse_table(text)


@pytest.mark.parametrize(
    ("base", "fits"),
    [
        ('{ shape = "round", diameter = 0.85, height = 0.12 }', True),
        ('{ shape = "round", diameter = 0.84, height = 0.12 }', False),  # 0.6 * sqrt(2) = 0.8485
        ('{ shape = "rect", width = 0.6, depth = 0.6, height = 0.12 }', True),
        ('{ shape = "rect", width = 2.0, depth = 0.59, height = 0.12 }', False),
        ('{ shape = "oval", width = 0.8, depth = 0.91, height = 0.12 }', True),  # 0.8 * 0.91 / 1.2117 = 0.6008
        ('{ shape = "oval", width = 0.8, depth = 0.9, height = 0.12 }', False),
    ],
)
def test_a_tag_must_fit_its_base(base: str, fits: bool) -> None:
    text = changed('{ shape = "round", diameter = 0.984, height = 0.12 }', f"{base}\ntag = 20")
    if fits:
        parse_table(text)
    else:
        assert ["larger than the" in fault for _, fault in faults(text)] == [True]


def test_an_oval_is_written_as_it_was_read_and_a_tag_beside_it_is_a_fault() -> None:
    oval = '{ shape = "oval", width = 4.72, depth = 3.62, height = 0.12 }'
    text = changed('{ shape = "round", diameter = 0.984, height = 0.12 }', f"{oval}\ntag = 20")
    table = parse_table(text)
    assert (table.units[1].base.is_oval, table.units[1].base.is_round) == (True, False)
    assert f"base = {oval}" in table_toml(table) and parse_table(table_toml(table)).units == table.units
    text = text.replace("tag = 20", "tag = 20\ntag_offset = [1.7, 1.3]")  # in the rectangle of its sizes
    assert ["puts its tag off its base" in fault for _, fault in faults(text)] == [True]


SEVERAL = """bases = 6
tag = 20
other_tags = [21]
base = { shape = "round", diameter = 0.984, height = 0.12 }
other_bases = [
  { count = 2, shape = "round", diameter = 1.575, height = 0.12, tags = [22] },
  { count = 1, shape = "oval", width = 2.36, depth = 1.38, height = 0.2 },
]
"""
WITH_SEVERAL = GOOD.replace('bases = 2\nbase = { shape = "round", diameter = 0.984, height = 0.12 }\n', SEVERAL)


def test_bases_of_several_sizes_are_read_and_written_and_tagged() -> None:
    table = parse_table(WITH_SEVERAL)
    unit = table.units[1]
    assert [base.width_in for base in unit.every_base] == [0.984, 1.575, 1.575, 2.36, 0.984, 0.984]
    assert SEVERAL in table_toml(table) and parse_table(table_toml(table)).units == table.units
    _, (tagged,) = with_tags([unit], TagWish(every_base=True))
    assert (tagged.tag, tagged.other_tags, *(other.tags for other in tagged.other_bases)) == (0, (1, 2), (3, 4), (5,))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("bases = 6", "bases = 3", '"bases" counts those too, with the unique base: it must be at least 4, not 3.'),
        ("count = 1, ", "", 'number 2 lacks "count": how many bases have this outline'),
        ("width = 2.36", "diameter = 2.36", 'unknown key "diameter" in "other_bases" of [[units]] "B1" number 2'),
        ("[21]", "[21, 23, 24]", '3 other_tags, which are on bases with the outline "base", and 2 such bases: list'),
        ("tags = [22]", "tags = [22, 23, 24]", 'other_bases number 1 of unit "B1" has 2 bases but 3 tags.'),
        ("1.575", "0.8", "larger than the 0.8″ base"),
    ],
)
def test_bases_of_several_sizes_that_do_not_add_up_are_refused(old: str, new: str, says: str) -> None:
    assert any(says in fault for _, fault in faults(WITH_SEVERAL.replace(SEVERAL, SEVERAL.replace(old, new))))


def test_touching_markers_do_not_overlap_and_turned_ones_can() -> None:
    apart = changed("center = [34.5, 1.5]", "center = [4.5, 1.5]")
    parse_table(apart)
    assert "overlaps" in faults(apart.replace("center = [4.5, 1.5]", "center = [4.5, 1.5]\nrotation = 45.0"))[0][1]


@pytest.mark.parametrize(
    ("source", "line", "says"),
    [
        (GOOD.encode("utf-16"), 1, "not UTF-8"),
        (GOOD.encode() + b'\nname = "caf\xe9"\n', GOOD.count("\n") + 2, "not UTF-8"),
        ("a = " + "[" * 50_000, 1, "too deeply"),
        ("\na = " + "[" * 100 + "]" * 100, 2, "too deeply"),
        ("\n[" + "a." * 25_000 + "a]", 2, "more than 16 parts"),
        ("\na = 'a long.text'\n" + "'a' . \"b\"." * 10 + "a = 1", 3, "more than 16 parts"),
        ("a = " + "9" * 6000, None, "thousands of digits"),
        ("#" * 1_000_001, None, "at most 1,000,000"),
        ("[table\n", 1, "not valid TOML"),
        ("a = [1,\n2", 2, "not valid TOML"),
    ],
)
def test_what_is_no_toml_is_refused(source: str | bytes, line: int | None, says: str) -> None:
    (fault,) = faults(source)
    assert fault[0] == line and says in fault[1]


def test_dots_and_brackets_in_texts_and_comments_are_no_structure() -> None:
    text = "[" * 50 + "a." * 50
    assert parse_table(f"{GOOD}\n# {text}\n") == parse_table(GOOD)
    for quotes in ("'", '"', "'''", '"""'):
        (fault,) = faults(f"{GOOD}\n[dice]\nsymbol = {quotes}{text}{quotes}\n")
        assert "symbol" in fault[1]


def test_a_table_without_frame_markers_is_one() -> None:
    text = GOOD[: GOOD.index("[frame]")] + GOOD[GOOD.index("[tags]") :]
    table = parse_table(text)
    assert table.frame is None
    whole = parse_table(GOOD)
    assert (table.width_in, table.units, table.terrain) == (whole.width_in, whole.units, whole.terrain)


def test_at_most_twenty_faults_are_shown() -> None:
    text = GOOD + "".join(f"[[terrain]]\nid = {n}\nkind = 'hill'\npolygon = 3\n" for n in range(30))
    with pytest.raises(TableFileError, match=r"has 60 faults:(\n  line .*){20}\n  and 40 more\.$"):
        parse_table(text)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableFileError, match=r"no table file at .*nowhere\.toml"):
        load_table(tmp_path / "nowhere.toml")
    with pytest.raises(TableFileError, match="is a folder: name the table file in it"):
        load_table(tmp_path)


def test_of_many_unknown_keys_the_first_are_compared_with_the_known_ones() -> None:
    with pytest.raises(TableFileError) as refused:
        parse_table("[table]\n" + "\n".join(f"widt{n} = 1" for n in range(30)), "club.toml")
    said = [fault.text for fault in refused.value.faults if fault.text.startswith("unknown key")]
    assert ['did you mean "width"' in text for text in said] == [True] * 20 + [False] * 10


def test_a_file_is_called_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(GOOD)
    assert load_table(path).name == "club.toml"
    path.write_text(GOOD.replace("[[sides]]", "[[side]]"))
    with pytest.raises(TableFileError, match=r"^club\.toml.*line \d+: unknown key \"side\""):
        load_table(path)


def test_kinds_are_checked_against_a_ruleset_with_the_line() -> None:
    text = changed('kind = "tank"', 'kind = "tanks"')
    table = parse_table(text, "my.toml")
    with pytest.raises(RulesError) as caught:
        table.check_kinds(("infantry", "tank"), "one-hour-ww2")
    line = line_of(text, "tanks")
    assert str(caught.value) == (
        f'my.toml, line {line}: unit "A1" is of kind "tanks", which one-hour-ww2 does not have; did you mean "tank"?'
    )
    parse_table(GOOD).check_kinds(("infantry", "tank"), "one-hour-ww2")


WORDS = st.sampled_from(
    ["tag", "base", "kind", "id", "=", "[", "]", "[[", "]]", "{", "}", ",", "3", '"a"', "\n", "#", "'", "."]
)


@given(st.lists(WORDS, max_size=12).map(" ".join), st.integers(0, GOOD.count("\n")))
def test_scribbles_in_a_file_are_a_fault_or_no_harm(scribble: str, at: int) -> None:
    lines = GOOD.splitlines()
    text = "\n".join([*lines[:at], scribble, *lines[at:]])
    try:
        assert isinstance(parse_table(text, "my.toml"), TableFile)
    except TableFileError as error:
        assert error.faults


def test_what_a_symbol_on_dice_stands_for_is_read_and_written() -> None:
    plain = "[table]\nwidth = 20\ndepth = 20\n"
    assert parse_table(plain).dice_symbol is None
    for number in (1, 6):
        table = parse_table(plain + f"[dice]\nsymbol = {number}\n")
        assert table.dice_symbol == number and parse_table(table_toml(table)) == table
        assert expected_from(table).dice_symbol == number


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("symbol = 3", 'line 5: "symbol" in [dice] must be 1 or 6: the number that a symbol on the dice replaces'),
        ('symbol = "six"', 'line 5: "symbol" in [dice] must be 1 or 6'),
        ("", 'line 4: [dice] lacks "symbol"'),
        ("symbol = 6\nsides = 6", 'line 6: unknown key "sides" in [dice]'),
    ],
)
def test_other_symbols_on_dice_are_refused(lines: str, words: str) -> None:
    with pytest.raises(TableFileError) as refused:
        parse_table(f"[table]\nwidth = 20\ndepth = 20\n[dice]\n{lines}\n")
    assert words in str(refused.value)


LENGTHS = "width depth hill_height marker_size size center base unique_base tag_offset polygon height hill_top origin"
NUMBER = re.compile(r"(?<![\w#])-?\d+(?:\.\d+)?")


def in_centimetres(text: str) -> str:
    """A table file with its lengths in centimetres."""
    rows = []
    for line in text.splitlines():
        is_length = line.partition(" =")[0] in LENGTHS.split()
        rows.append(NUMBER.sub(lambda m: f"{2.54 * float(m[0]):.9g}", line) if is_length else line)
    return "\n".join(rows).replace("[table]", '[table]\nunit = "cm"')


def test_a_file_in_centimetres_is_the_same_table() -> None:
    told = changed("depth = 24", "depth = 24\nhill_height = 0.75")
    one, other = table_toml(parse_table(told)), table_toml(parse_table(in_centimetres(told)))
    assert NUMBER.sub("N", one) == NUMBER.sub("N", other)
    assert [float(n) for n in NUMBER.findall(other)] == pytest.approx([float(n) for n in NUMBER.findall(one)])


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("width = 36.0", "width = 2000", "the table's size along x in centimetres, more than 0 and at most 1219.2"),
        ("center = [34.5, 1.5]", "center = [36.5, 1.5]", "at (92.7, 3.8) is off the 91.4 cm x 61 cm table"),
        ("size = 0.6", "size = 1.5", "a tag of 3.8 cm is larger than the 3.2 cm x 2.5 cm base"),
        ("[9.0, 4.0], [9.0, 9.0]", "[9.0, 9.0], [9.0, 4.0], [3.0, 8.0]", "crosses itself near (14.4, 15.8)"),
        ("[9.0, 4.0], [9.0, 9.0]", "[9.0, 4.0], [6.0, 4.0]", "encloses only 0 square centimetres"),
    ],
)
def test_faults_of_a_file_in_centimetres_are_told_in_them(old: str, new: str, says: str) -> None:
    found = faults(in_centimetres(changed(old, new)))
    assert any(says in text for _, text in found), found
