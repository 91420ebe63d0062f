"""Lists of Army Forge, text lists of New Recruit and random ones: units with their models, or what to export."""

import json
from typing import Any

import pytest

from scripts.fuzz_imports import roster_faults
from tabletop.errors import SceneError
from tabletop.imports.base_sizes import base_of
from tabletop.imports.rosters import read_roster
from tabletop.imports.together import import_files
from tests.tabletop.imports.test_rosters import counts


def unit(selection: str, name: str, size: Any = 1, joins: str | None = None, **more: Any) -> dict[str, Any]:
    return {"selectionId": selection, "name": name, "size": size, "joinToUnit": joins, "combined": False, **more}


def fleet(*units: Any, **more: Any) -> bytes:
    return json.dumps({"gameSystem": "gf", "units": units, **more}).encode()


UPGRADES = [{"option": {"isModel": True}}, {"option": {"label": "Banner"}}, {"isModel": True}]
SUPPORT = unit("s", "Support", "3", selectedUpgrades=UPGRADES, bases={"round": "60x35", "square": "50x25"})


def test_a_list_of_army_forge_has_its_units_combined_and_joined() -> None:
    units = (
        unit("h", "Champion", joins="b", bases={"round": "40", "square": "40"}, rules=[{"name": "Hero"}]),
        unit("a", "Grunts", 5, combined=True, bases={"round": "32mm", "square": "30"}, customName="Old Grunts"),
        unit("b", "Grunts", 5, "a", combined=True), SUPPORT,
        unit("l", "Lost", 2, "gone", combined=True, bases={"round": "none", "square": "20"}),
        unit("r", "Ring", 2, "t", combined=True, bases={"round": "20"}), unit("t", "Ring", 2, "r", combined=True),
    )  # fmt: skip
    shared = fleet(*units, name="Fleet — one", undoUnitRemove=[unit("x", "Removed", 9)])
    saved = json.dumps({"gameSystem": "gf", "list": json.loads(shared)}).encode()
    for source in (shared, saved):
        roster = read_roster(source, "fleet.json")
        assert (roster.title, counts(roster)) == (
            "Fleet — one", "Champion 1, Old Grunts 10, Support 5, Lost 2, Ring 4"
        )  # fmt: skip
        bases = [(one.base.width_in, one.base.depth_in, one.base.is_round) for one in roster.units if one.base]
        assert bases[:3] == [(1.57, 1.57, True), (1.26, 1.26, True), (1.38, 2.36, False)]
        assert bases[3:] == [(0.79, 0.79, False), (0.79, 0.79, True)] and roster.units[0].kind == "hero"
        assert roster.remarks == ("Champion joins Old Grunts, and is imported as a separate unit.",)
        assert "bases = 10" in import_files({"fleet": source}).toml


@pytest.mark.parametrize(("total", "models"), [(5, 5), (3, 3), (9, 5)])
def test_models_of_upgrades_count_once_and_other_totals_are_reported(total: int, models: int) -> None:
    roster = read_roster(fleet(SUPPORT, modelCount=total, gameSystem="aofr"), "a.json")
    remark = "a.json says that it has 9 models, and its units have 5: compare them."
    assert (roster.units[0].models, roster.remarks) == (models, (remark,) if total == 9 else ())
    assert roster.units[0].base == base_of("25x50mm")


TOURNAMENT = """++++++++
+ FACTION KEYWORD: Marchers
& Crown (on Char1: Captain)
+ NUMBER OF UNITS: 3
++++++++
CHARACTER
Char1: 1x Captain (80 pts): Pistol, 2x Blade
Enhancement: Crown (+15 pts)
10x Guard Squad (180 pts)
• 9x Guard: 9 with Carbine
Created with newrecruit.eu v35.80"""
USUAL = """Foes - Dawn - [1,985 pts]
# ++ Army Roster ++ [1985 pts]
## Configuration
Detachment [0 pts]: Vanguard
## Infantry [180pts, 3 Command Points]
Captain (old) [80pts]: Crown [15 pts], 2x Blade
Guard Squad [180 pts]:
• Reinforced
• 1x Sergeant: Carbine
  • 2x Drone
• 9x Guard: Carbine, 2x Horn"""


@pytest.mark.parametrize(
    ("text", "title", "units"),
    [
        (TOURNAMENT, "Marchers", "Captain 1, Guard Squad 10"),
        (USUAL.replace(" ", "\xa0"), "Foes - Dawn", "Captain (old) 1?, Guard Squad 10"),
        ("Captain (80pts): Pistol\n\n10x Guard Squad (180pts)\n", "list.txt", "Captain 1?, Guard Squad 10"),
    ],
)
def test_text_lists_with_numbers_of_models_are_read(text: str, title: str, units: str) -> None:
    for source in (text.encode(), text.replace("\n", "\r\n").encode("utf-16")):
        roster = read_roster(source, "list.txt")
        assert (roster.title, counts(roster), len(roster.remarks)) == (title, units, int(text == TOURNAMENT))


@pytest.mark.parametrize(
    ("source", "refusal"),
    [
        (b"++ Patrol [9 PL] ++\n+ HQ +\nCaptain [80pts]: Bow\n. Guard: Horn", "is text and not a list of New Recruit"),
        (b"My list (500 Points)\n\nGuards (65 Points)\n  - 1x Horn", "is text and not a list of New Recruit: exp"),
        (TOURNAMENT.replace("10x ", "").encode(), 'is a text list without numbers of models, such as for "Guard '),
        (b"A (1 pts)\n" * 5001, "a.txt has more than 5000 lines, and no list does: export it"),
        (fleet(unit("a", "Grunts", 0)), "has the number 0 as its size; a"), (fleet(), "a.txt has no units: export"),
        (json.dumps({"gameSystem": "gf", "units": {}}).encode(), "the list of units of a.txt must be a list"),
        (fleet(7), "a unit of a.txt must be a mapping"), (fleet(*[SUPPORT] * 1001), "a.txt has 1001 units, and a"),
    ],
)  # fmt: skip
def test_other_lists_are_refused_with_what_to_export(source: bytes, refusal: str) -> None:
    with pytest.raises(SceneError) as caught:
        import_files({"a.txt": source})
    assert refusal in str(caught.value) and "\n" not in str(caught.value)


def test_no_model_of_a_random_list_is_lost() -> None:
    assert [*roster_faults(seed=0, rosters=100)] == []
