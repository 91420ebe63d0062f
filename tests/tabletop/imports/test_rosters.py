"""Rosters of BattleScribe and New Recruit: units with their models and bases, in all three forms; hostile files."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tabletop.errors import SceneError, UsageError
from tabletop.imports.base_sizes import base_of
from tabletop.imports.roster_model import Roster
from tabletop.imports.rosters import read_roster
from tabletop.imports.together import Wishes, import_files
from tabletop.tables.tablefile import parse_table
from tests.support.cli_runs import run_cli
from tests.tabletop.imports.test_uvtt import keep

ROS = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<roster id="r1" name="Köhler’s Guard" battleScribeVersion="2.03" xmlns="http://www.battlescribe.net/schema/rosterSchema">
  <costs><cost name="pts" typeId="points" value="400.0"/></costs>
  <forces><force id="f1" name="Standard" catalogueName="Marchers">
    <selections>
      <selection id="s0" name="Size of battle" number="1" type="upgrade"/>
      <selection id="s1" name="Pikes" number="1" type="unit">
        <selections>
          <selection id="s2" name="Sergeant" number="1" type="model"><selections>
            <selection id="s3" name="Sword" number="1" type="upgrade"/></selections></selection>
          <selection id="s4" name="Ranks" number="1" type="upgrade"><selections>
            <selection id="s5" name="Pikeman" number="9" type="model"><profiles>
              <profile id="p1" name="Pikeman" typeName="Unit"><characteristics>
                <characteristic name="M">4"</characteristic><characteristic name="Base Size">25mm</characteristic>
              </characteristics></profile></profiles></selection></selections></selection>
        </selections>
        <categories><category id="c0" name="Faction: Marchers" primary="false"/>
          <category id="c1" name="Infantry" primary="true"/></categories>
      </selection>
      <selection id="s6" name="Captain" customName="Old Nan" number="1" type="model"/>
    </selections>
    <forces><force id="f2" name="Wing"><selections>
      <selection id="s7" name="Pikes" number="1" type="unit"/></selections></force></forces>
  </force></forces>
</roster>
"""


def entry(text: str, *inner: dict[str, Any], profile: str = "", category: str = "", base: str = "") -> dict[str, Any]:
    """A selection in short: "unit Pikes 10" is of that type, name and number."""
    kind, _, name = text.partition(" ")
    name, _, number = name.rpartition(" ") if text[-1].isdigit() else (name, "", None)
    rules = [{"name": "Base Size", "description": base}] if base else []
    return {
        "type": kind, "name": name, "number": number, "selections": [*inner], "rules": rules,
        "profiles": [{"typeName": profile}] if profile else [],
        "categories": [{"name": category, "primary": True}] if category else [],
    }  # fmt: skip


def army(*entries: dict[str, Any], name: str = "Army", **more: Any) -> bytes:
    return json.dumps({"roster": {"name": name, "forces": [{"selections": entries, **more}]}}).encode()


def packed(content: bytes, name: str = "guard.ros", **more: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for place, text in {name: content, **more}.items():
            file.writestr(place, text)
    return out.getvalue()


RANKS = entry("upgrade Ranks", entry("model Pikeman 9", base="25mm"))
PIKES = entry("unit Pikes 1", entry("model Sergeant 1"), RANKS, category="Infantry")
CAPTAIN = entry("model Captain 1") | {"customName": "Old Nan"}
WING = {"name": "Wing", "selections": [entry("unit Pikes 1")]}
FORMS = {
    "guard.ros": ROS.encode(), "guard.rosz": packed(ROS.encode()),
    "guard.json": army(PIKES, CAPTAIN, name="Köhler’s Guard", forces=[WING]),
}  # fmt: skip


def facts_of(roster: Roster) -> list[tuple[str, str, int, bool]]:
    return [(unit.name, unit.kind, unit.models, unit.base is not None) for unit in roster.units]


@pytest.mark.parametrize("name", FORMS)
def test_all_forms_say_the_same(name: str) -> None:
    roster = read_roster(FORMS[name], name)
    assert roster.title == "Köhler’s Guard"
    assert facts_of(roster) == [
        ("Pikes", "infantry", 10, True), ("Old Nan", "unit", 1, False), ("Pikes", "unit", 1, False)
    ]  # fmt: skip


def test_a_table_file_is_made_of_two_rosters_and_a_map() -> None:
    files = {"keep.uvtt": keep(), "guard.ros": FORMS["guard.ros"], "guard.json": FORMS["guard.json"]}
    made = import_files(files, Wishes(bases=("32mm", "Old Nan=25x50mm")))
    table = parse_table(made.toml)
    assert (table.width_in, table.rules, len(table.terrain)) == (20, "measure", 3)
    assert [(unit.id, unit.side, unit.bases) for unit in table.units] == [
        ("pikes", "blue", 10), ("old-nan", "blue", 1), ("pikes-2", "blue", 1),
        ("pikes-3", "red", 10), ("old-nan-2", "red", 1), ("pikes-4", "red", 1),
    ]  # fmt: skip
    sizes = {unit.id: (unit.base.width_in, unit.base.depth_in, unit.base.is_round) for unit in table.units}
    assert sizes["pikes"] == (0.98, 0.98, True) and sizes["old-nan"] == (0.98, 1.97, False)
    assert sizes["pikes-2"] == sizes["pikes"] and sizes["pikes"][2]
    assert "guard.ros: Köhler’s Guard, 3 units with 12 models for blue." in made.notes


GUN = entry("upgrade Gun 9", profile="Ranged Weapons")
MAN, MEN = entry("model Man 1", GUN), entry("model Man 4", GUN)


@pytest.mark.parametrize(
    ("entries", "units", "left_out"),
    [
        ([entry("upgrade Squad", MAN, entry("upgrade Ranks", MEN, GUN), GUN)], "Squad 5", ""),
        ([entry("model Chief 1", GUN, entry("model Drone 2", GUN))], "Chief 3", ""),
        ([entry("model Chief 1", entry("model Drone 2"), profile="Unit")], "Chief 3", ""),
        ([entry("model Chief 1", entry("model Bow 2", profile="Weapon"), profile="Unit")], "Chief 1", "2 Bow in Chief"),
        ([entry("model Saint and guards 1", entry("model Saint 1"), entry("model Guard 2"))], "Saint and guards 3", ""),
        ([entry("model Team 1", entry("model Gunner 1", GUN, profile="Unit"), MAN)], "Team 2", ""),
        ([entry("model Team 2", entry("model Gunner 1", profile="Unit"), MEN)], "Team 10", ""),
        ([entry("model Team 1", entry("upgrade Gunner", profile="Unit"), entry("upgrade Loader", profile="Unit"))],
         "Team 2", ""),
        ([entry("model Chief 1", GUN, entry("model Drone 2", profile="Unit"))], "Chief 3", ""),
        ([entry("model Chief 1", GUN, entry("model Iron Chief 1", profile="Unit"))], "Chief 1", ""),
        ([entry("model Talos 1", entry("upgrade Talos 1", profile="Unit"))], "Talos 1", ""),
        ([entry("unit Squad", MAN, entry("upgrade Rifle 9", profile=" unit "))], "Squad 10", ""),
        ([entry("upgrade Gunboat", GUN, profile="Unit", category="Flyer")], "Gunboat 1?", ""),
        ([entry("upgrade Gunboat 3", GUN, profile="Vehicles & Titans")], "Gunboat 3", ""),
        ([entry("upgrade Guards 1", entry("upgrade 10 Guards 1"), profile="Unit")], "Guards 10", ""),
        ([entry("unit Bounders 1", entry("unit 5 Bounderz 2"))], "Bounders 10", ""),
        ([entry("unit Piranhas 1", entry("model Piranha 1", entry("model 2x Drone 1")))], "Piranhas 3", ""),
        ([entry("unit Wing 1", MEN, entry("unit Rhino", GUN, profile="Unit"), entry("unit Ward", MEN))],
         "Wing 4, Rhino 1?, Ward 4", ""),
        ([entry("unit Wing 1", entry("unit Tank", MAN), entry("unit Tank", MAN))], "Tank 1, Tank 1", ""),
        ([entry("upgrade Band", entry("model Captain 1", entry("upgrade Warg 1", profile="Warrior"), profile="Hero"),
                entry("upgrade Warband", entry("upgrade Orcs", entry("model Orc 6"), profile="Warrior")))],
         "Band 7", "1 Warg in Band"),
        ([entry("upgrade Detachment", entry("upgrade Lore", entry("unit A"), entry("unit B")), GUN)], "A 1?, B 1?", ""),
        ([entry("unit Gametype", entry("upgrade Large"), category="Configuration"), MAN],
         "Man 1", "1 Gametype in Configuration"),
        ([entry("upgrade Battle Size", entry("upgrade 2000"), category="Battle Size"), GUN, MAN, MAN],
         "Man 1, Man 1", ""),
        ([entry("unit Gone 0", MEN), entry("unit Half", MAN, entry("model Gone 0"))], "Half 1", ""),
        ([entry("unit Pair 2", entry("model Man 3"))], "Pair 6", ""), ([entry("unit Pair 2", MEN)], "Pair 4", ""),
        ([entry("unit Trio 3", entry("upgrade Squad 2", MAN))], "Trio 6", ""),
        ([{"name": "Ünïcode = <&> 水\n", "type": "MODEL", "customName": ""}], "Ünïcode = <&> 水 1", ""),
    ],
)  # fmt: skip
def test_units_are_found_by_structure_and_profiles(entries: list[dict[str, Any]], units: str, left_out: str) -> None:
    roster = read_roster(army(*entries), "army.json")
    assert counts(roster) == units
    assert ", ".join(f"{row.models} {row.name} in {row.where}" for row in roster.left_out) == left_out


def test_what_a_roster_does_not_say_and_what_is_left_out_are_reported() -> None:
    chief = entry(
        "model Chief 1", entry("model Bow 2", profile="Weapon"), entry("upgrade Gun", base="40"), profile="Unit"
    )
    team = entry("unit Team", entry("model B 1", base="25 x 50"), entry("model C 1", base="60x35mm oval"))
    horde, boat = entry("unit Horde", entry("model Man 80"), base="25mm"), entry("unit Boat", base="32mm")
    made = import_files({"a.json": army(chief, boat, horde, entry("unit Two 2", MEN), team)}, Wishes(bases=("25mm",)))
    assert made.notes == (
        "a.json: Army, 5 units with 88 models for blue.",
        "Horde has 80 models; 60 are the most of a unit and are kept.",
        "a.json has no number of models for Boat: each gets 1. Change `bases` in the table file where that is wrong.",
        "Models on bases of several sizes are in Team: all get the first size.",
        "Not imported from a.json: Bow (2 in Chief).",
        "Two is in the list 2 times: its 4 models are the total.",
    )
    assert import_files({"a.json": army(horde)}, Wishes(bases=("1in",))).notes[-1].startswith("No unit needed the base")


def counts(roster: Roster) -> str:
    """The units of a roster in short, with a question mark where it does not say how many models there are."""
    return ", ".join(f"{unit.name} {unit.models}{'' if unit.counted else '?'}" for unit in roster.units)


@pytest.mark.parametrize(
    "parts",
    [
        {"profiles": [{"typeName": "Base", "characteristics": [{"name": "Base Size (mm)", "value": "28.5"}]}]},
        {"profiles": [{"name": "Base size", "characteristics": [{"name": "Text", "$text": "28.5mm"}]}]},
        {"rules": [{"name": "Base Size: 28.5"}]}, {"rules": [{"name": "BASE SIZE", "description": "28,5 mm round"}]},
    ],
)  # fmt: skip
def test_base_sizes_are_found_where_game_data_have_them(parts: dict[str, Any]) -> None:
    found = read_roster(army({"name": "Giant", "type": "model", **parts}), "army.json").units[0].base
    assert found == base_of("28.5mm")


@pytest.mark.parametrize("size", ["25/28mm", "Hull", "32mm or 40mm"])
def test_what_a_roster_says_of_a_base_is_named_where_it_is_no_size(size: str) -> None:
    giant = {"name": "Giant", "type": "model", "rules": [{"name": "Base Size", "description": size}]}
    round_one = {"selectionId": "g", "name": "Giant", "bases": {"round": size, "square": "25"}}
    forge = json.dumps({"gameSystem": "gf", "name": "Army", "units": [round_one]}).encode()
    for source in (army(giant), forge):
        with pytest.raises(
            UsageError, match=f'no base sizes for Giant \\("{size}" can\'t be read as a size\\): say how'
        ):
            import_files({"army.json": source})
        notes = import_files({"army.json": source}, Wishes(2, bases=("32mm",))).notes
        assert notes[0] == "None of the files is a map: the size of a square was not needed."
        assert f'Can\'t be read as a base size: "{size}" of Giant. The base size that was given is used.' in notes


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("40 mm", (1.57, 1.57, True)), ("60 x 35mm Oval", (1.38, 2.36, False)), ("25mm square", (0.98, 0.98, False)),
        ("30×60 mm", (1.18, 2.36, False)), ('1.5"', (1.5, 1.5, True)), ("2,5 cm", (0.98, 0.98, True)),
        ("Base: 32mm round", (1.26, 1.26, True)), ("60mm by 3.5cm", (1.38, 2.36, False)),
        ("(50mm)", (1.97, 1.97, True)), ("25x25mm (square)", (0.98, 0.98, False)),
        ("120x92mm oval", (3.62, 4.72, False)), ("50x50mm oval", (1.97, 1.97, True)),
    ],
)  # fmt: skip
def test_bases_as_people_write_them(text: str, size: tuple[float, float, bool]) -> None:
    base = base_of(text)
    assert base is not None and (base.width_in, base.depth_in, base.is_round) == size
    assert base.is_oval == ("oval" in text.lower() and not base.is_round)


@pytest.mark.parametrize(
    "text",
    ["", "Hull", "0mm", "9000mm", "32", "60mmx", "60x", "1e3mm", "60xmm", "x60mm", "6 0mm", "-60mm", "60mm 40mm",
     "(60mm", "60mm)",     "60m", "60 mmm", "1,000mm", "60x35x20mm", "nan mm", "٦٠mm", "Lancers=25mm", "60mm!",
     "60mm oval", "60x35mm round", "square 60mm round"],
)  # fmt: skip
def test_what_is_no_base(text: str) -> None:
    assert base_of(text) is None and base_of(text, bare_unit="mm") == (base_of("32mm") if text == "32" else None)


BOMB = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><roster name="&b;"/>'
OUTSIDE = '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><roster name="x">&a;</roster>'
DEEP = "<selections><selection type='upgrade'>" * 40 + "</selection></selections>" * 40


@pytest.mark.parametrize(
    ("name", "source", "refusal"),
    [
        ("a.ros", BOMB, "a.ros declares XML entities, and no roster does: export it again."),
        ("a.ros", OUTSIDE, "a.ros declares XML entities"),
        ("a.ros", ROS[:-20], "a.ros is truncated or damaged (no element found"),
        ("a.ros", "<catalogue/>", 'a.ros is a "catalogue" and not a roster: export the list as a roster.'),
        ("a.ros", '<?xml version="1.0" encoding="x-none"?><roster/>', "a.ros is truncated or damaged"),
        ("a.ros", "<roster><forces/></roster>", "a.ros has no units: export the whole list as a roster."),
        ("a.ros", ROS.replace('number="9"', 'number="-9"'), 'has the number "-9"; a whole number from 0 to 9999'),
        ("a.ros", ROS.replace('number="9"', 'number="99999"'), 'a.ros: "Pikeman" has the number "99999"; a whole'),
        ("a.ros", f"<roster><forces><force>{DEEP}</force></forces></roster>", "nests its selections more than 30 deep"),
        ("a.json", army(*[MAN] * 15_001).decode(), "a.json has more than 30000 selections, and no roster does: "),
        ("a.json", "[]", "a.json is not a roster: export the list as JSON from New Recruit or Army Forge."),
        ("a.json", '{"roster": {"forces": {}}}', "forces of a.json must be a list"),
        ("a.json", '{"roster": {"forces": [7]}}', "a row of forces of a.json must be a mapping"),
        ("a.json", '{"roster"', "a.json, line 1: this is not valid JSON"),
    ],
)
def test_hostile_and_broken_rosters_are_refused_in_a_sentence(name: str, source: str, refusal: str) -> None:
    with pytest.raises(SceneError) as caught:
        read_roster(source.encode(), name)
    assert refusal in str(caught.value) and "\n" not in str(caught.value)


def test_zips_that_swell_or_are_torn_are_refused() -> None:
    whole = FORMS["guard.rosz"]
    for source, refusal in (
        (packed(b"<roster>" + b" " * 60_000_000), "has 8 MB, and a roster has at most 8"),
        (packed(ROS.encode(), "guard.txt"), "it must hold one .ros, not 0"),
        (packed(ROS.encode(), **{"b.ros": b""}), "it must hold one .ros, not 2"),
        (whole[:-30], "is truncated or damaged: export it again"),
        (whole.replace(b"PK\x01\x02", b"PK\x01\x03"), "is truncated or damaged: export it again"),
        (whole[:60] + bytes(40) + whole[100:], "is truncated or damaged: export it again"),
    ):
        with pytest.raises(SceneError, match=refusal):
            read_roster(source, "guard.rosz")


@pytest.mark.parametrize(
    ("wishes", "names", "refusal"),
    [
        (Wishes(), ["guard.ros"], "has no base sizes for Old Nan: say how large they are. Usage: --base 32"),
        (
            Wishes(bases=("Old Nan",)),
            ["guard.ros"],
            '"Old Nan" is not a base size: give a size such as 32mm or 25x50mm',
        ),
        (Wishes(bases=("Old Nan=60mmx",)), ["guard.ros"], '"Old Nan=60mmx" is not a base size: '),
        (Wishes(bases=("=60mm",)), ["guard.ros"], '"=60mm" is not a base size: '),
        (Wishes(bases=("1in", "Old Nna=60mm")), ["guard.ros"], 'No unit is called "Old Nna"; did you mean "Old Nan"?'),
        (Wishes(bases=("Pikes=60mm",)), ["keep.uvtt"], 'No unit is called "Pikes"; there are none yet.'),
        (
            Wishes(bases=("PIKES=1in", "Pikes=2in")),
            ["guard.ros"],
            "Two base sizes are given for Pikes: keep one of them.",
        ),
        (Wishes(bases=("1in",), sides=("blue",)), ["guard.ros", "guard.json"], "There are 2 rosters for 1 side: name"),
        (Wishes(sides=("a", "a")), [], "Sides have names without spaces, each its own: say --sides blue,red."),
        (Wishes(walls="wal"), [], 'No terrain for walls is of the kind "wal"; did you mean "wall"?'),
        (Wishes(size_in=(0, 9)), [], "A table can't be 0 by 9 inches: give --size 48x36, for example."),
        (Wishes(), ["a.uvtt", "b.uvtt"], "a.uvtt and b.uvtt are 2 maps, and a table has one: import them one by one."),
    ],
)
def test_what_is_not_told_is_asked_for(wishes: Wishes, names: list[str], refusal: str) -> None:
    with pytest.raises(UsageError) as caught:
        import_files({name: FORMS.get(name, keep()) for name in names}, wishes)
    assert refusal in str(caught.value)


def test_the_command_line_makes_a_table_and_a_game(tmp_path: Path) -> None:
    (tmp_path / "keep.dd2vtt").write_bytes(keep())
    (tmp_path / "guard.rosz").write_bytes(FORMS["guard.rosz"])
    out = tmp_path / "sunday.table.toml"
    files = (tmp_path / "keep.dd2vtt", tmp_path / "guard.rosz")
    asked = run_cli("import", *files, "--out", out)
    assert asked.exit_code == 2 and "has no base sizes for Old Nan" in asked.stderr and not out.exists()
    done = run_cli("import", *files, "--out", out, "--base", "32mm", "--grid", "2")
    assert done.exit_code == 0 and "keep.dd2vtt: a table of 40″ by 30″, 2″ a square." in done.stdout
    assert (tmp_path / "sunday.png").read_bytes()[:4] == b"\x89PNG"
    begun = run_cli("new", "--table", out, "--data", tmp_path / "games")
    assert begun.exit_code == 0 and 'Game "sunday" has begun.' in begun.stdout
    assert run_cli("act", "place", "old-nan", "at", "4,4", "--data", tmp_path / "games").exit_code == 0
    for arguments, refusal in (
        (("--out", tmp_path / "sunday.txt"), "name ends in .toml: give --out sunday.table.toml."),
        (("--out", out, "--size", "big"), '"big" is not a table size: give --size 48x36, in inches.'),
    ):
        wrong = run_cli("import", *files, *arguments)
        assert wrong.exit_code == 2 and refusal in wrong.stderr
    twice = run_cli("import", files[0], files[0], "--out", out)
    assert twice.exit_code == 2 and "Two of the files have the same name" in twice.stderr
