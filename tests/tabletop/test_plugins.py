"""What other packages bring besides rulesets; whatever is wrong with one of them is told and harms nobody."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.equipment.prints import PluginError, other_sheet, other_sheets
from tabletop.errors import RulesError, UsageError
from tabletop.game.parts import PARTS, parts_of
from tabletop.plugins import ARMIES, RULESETS, SCENARIOS, SHEETS
from tabletop.starting.armies import armies, army
from tabletop.starting.catalogue import offers
from tabletop.starting.scenarios import find, list_scenarios
from tests.paths import ROOT
from tests.support.api_games import Place
from tests.support.cli_runs import run_cli
from tests.support.plugins import joined, write_package

BARE = (ROOT / "tabletop/data/scenarios/measure/bare-table.toml").read_text(encoding="utf-8")
TABLE = """
[table]
width = 36
depth = 24
rules = "measure"
"""
UNIT = """
[[units]]
id = "guard"
side = "blue"
kind = "foot"
bases = 2
base = { shape = "round", diameter = 1.0, height = 0.1 }
"""
HALF = '[scenario]\nid = "half-way"\ntitle = "Half"\nrules = "half"\n'
DRAWS = """
from tabletop.equipment.prints import OtherSheet
SHEET = OtherSheet("Ruler", "Six inches.", lambda paper, unit: b"%PDF-1.7 " + paper.encode())
NONE = OtherSheet("None", "Nothing.", lambda paper, unit: "no bytes")
TORN = OtherSheet("Torn", "Nothing.", lambda paper, unit: 1 / 0)
"""
HALF_PARTS = """
from tabletop.game.parts import Parts
PARTS = Parts(name="half", title="Half", ruleset="half.rules:RULES", offer="half.offer:OFFER", grid="square")
"""

OWN = """
from tabletop.game.parts import Parts
PARTS = Parts(name="combat", title="Not Combat", ruleset="tabletop.rulesets.combat.play:RULES")
"""


def renamed(name: str) -> str:
    """The bare table as a scenario of another name."""
    return BARE.replace("bare-table", name).replace("A Bare Table", f"Table {name}")


@pytest.fixture(scope="module")
def brought(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Packages good and bad are installed; what the program's log has said of them once all were looked at."""
    site = tmp_path_factory.mktemp("site")
    folder = {"__init__.py": "", "files/__init__.py": ""}
    write_package(
        site, "good", {SCENARIOS: {"good": "good.files"}, ARMIES: {"good": "good.army"},
                       SHEETS: {"ruler": "good:SHEET"}},
        {"__init__.py": DRAWS, "files/__init__.py": "", "files/a.toml": renamed("good-table"),
         "files/torn.toml": "[scenario", "files/z.toml": BARE, "army/__init__.py": "",
         "army/guards.table.toml": TABLE + UNIT, "army/nobody.table.toml": TABLE},
    )  # fmt: skip
    write_package(site, "late", {SCENARIOS: {"late": "late.files"}}, {**folder, "files/a.toml": renamed("good-table")})
    write_package(site, "raises", {SCENARIOS: {"raises": "raises"}}, {"__init__.py": "1 / 0"})
    write_package(site, "exits", {SHEETS: {"exits": "exits"}}, {"__init__.py": "raise SystemExit(3)"})
    write_package(site, "wrong", {SCENARIOS: {"wrong": "wrong:NAME"}, ARMIES: {"empty": "wrong.files"},
                                  SHEETS: {"name": "wrong:NAME"}}, {**folder, "__init__.py": "NAME = 1"})  # fmt: skip
    write_package(site, "sheets", {SHEETS: {"none": "sheets:NONE", "torn": "sheets:TORN"}}, {"__init__.py": DRAWS})
    write_package(site, "half", {RULESETS: {"half": "half:PARTS"}},
                  {"__init__.py": HALF_PARTS, "rules.py": "RULES = (", "scenarios/a.toml": renamed("half-table"),
                   "scenarios/b.toml": HALF})  # fmt: skip
    for name, point, text in (
        ("torn_rules", "torn", "import no_such_module"), ("false_name", "other", OWN), ("usurper", "combat", OWN),
    ):  # fmt: skip
        write_package(site, name, {RULESETS: {point: f"{name}:PARTS"}}, {"__init__.py": text})
    said: list[str] = []

    class Listening(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())

    log, listening = logging.getLogger("tabletop.plugins"), Listening()
    log.addHandler(listening)
    with joined(site):
        list_scenarios(), armies(), other_sheets()
        yield said
    log.removeHandler(listening)


def test_what_is_sound_is_there(brought: list[str]) -> None:
    found = {one.id: one.package for one in list_scenarios("measure")}
    assert found["bare-table"] == "" and found["good-table"] == "good" and next(iter(found)) == "bare-table"
    assert find("Table good-table").id == "good-table" and find("bare-table").title == "A Bare Table"
    assert list(armies()) == ["guards"] and army("guards").units[0].bases == 2
    assert set(other_sheets()) == {"ruler", "none", "torn"} and other_sheet("ruler", "a4") == b"%PDF-1.7 a4"
    assert "half" not in offers() and "measure" in offers()


@pytest.mark.parametrize(
    "sentence",
    [
        "The scenario torn.toml of the package good can't be used: torn.toml, line 1: ",
        "The scenario z.toml of the package good can't be used: the program already has one of that name. Mend",
        "The scenario a.toml of the package late can't be used: the package good already has one of that name.",
        'The scenarios "raises" of the package raises can\'t be used: ZeroDivisionError, division by zero',
        'The sheet "exits" of the package exits can\'t be used: SystemExit, 3. Mend or remove it.',
        'The scenarios "wrong" of the package wrong can\'t be used: its entry point must name a package',
        'The armies "empty" of the package wrong can\'t be used: there is no table file in the',
        "The scenario a.toml of the package half can't be used: its rules are measure, but it is in the folder",
        "The scenario b.toml of the package half can't be used: ",
        "The table nobody.table.toml of the package good can't be used: it has no [[units]].",
        'The sheet "name" of the package wrong can\'t be used: its entry point leads to int, and an OtherSheet is want',
    ],
)
def test_what_is_wrong_is_told_once(brought: list[str], sentence: str) -> None:
    assert sum(said.startswith(sentence) for said in brought) == 1, brought


def test_rulesets_that_cant_be_used_are_told_and_harm_nobody(brought: list[str]) -> None:
    assert "half" in PARTS and parts_of("combat").title == "Combat"
    called = 'its entry point is called "other", and its Parts "combat". Mend or remove it.'
    for name, package, why in (("torn", "torn_rules", "No module named"), ("other", "false_name", called)):
        with pytest.raises(RulesError, match=f'The ruleset "{name}" of the package {package} can\'t be used: {why}'):
            parts_of(name)


def test_sheets_that_cant_be_drawn_and_unknown_names(brought: list[str]) -> None:
    for name, why in (("none", "its output is not a PDF"), ("torn", "ZeroDivisionError")):
        with pytest.raises(PluginError, match=f'The sheet "{name}" of the package sheets can\'t be used: {why}'):
            other_sheet(name, "a4")
    with pytest.raises(UsageError, match='There is no sheet "rular"; did you mean "ruler"'):
        other_sheet("rular", "a4")
    with pytest.raises(UsageError, match='There is no paper "a5"; expected "letter" or "a4"'):
        other_sheet("ruler", "a5")
    with pytest.raises(UsageError, match='There is no army "guard"; did you mean "guards"'):
        army("guard")


def test_the_command_line_lists_and_uses_them(brought: list[str], tmp_path: Path) -> None:
    told = run_cli("plugin", "list").stdout
    assert "scenarios good (good 1.0): good-table\n  The scenario torn.toml of the package good can't" in told
    assert (
        'ruleset half (half 1.0): Half, 0 scenarios\n  "ruleset" of the ruleset "half" of the package half can\'t'
        in told
    )
    assert 'sheet name (wrong 1.0)\n  The sheet "name"' in told and "armies good (good 1.0): guards" in told
    listed = run_cli("new", "--list").stdout
    assert "good-table" in listed and "Armies, for --table NAME: guards." in listed
    assert "half" in run_cli("rules").stdout and "(from the package half)" in run_cli("rules").stdout
    begun = run_cli("new", "--table", "guards", "--data", tmp_path / "games")
    assert 'Game "guards" has begun.' in begun.stdout
    assert "ruler  Ruler: Six inches." in run_cli("print", "sheet").stdout
    assert run_cli("print", "sheet", "ruler", "--out", tmp_path / "ruler.pdf").exit_code == 0
    assert (tmp_path / "ruler.pdf").read_bytes() == b"%PDF-1.7 letter"
    missing = run_cli("print", "sheet", "ruler")
    assert missing.exit_code == 2 and "tabletop print sheet ruler --out ruler.pdf" in missing.stderr


def test_the_server_lists_and_begins_them(brought: list[str], tmp_path: Path) -> None:
    place = Place(tmp_path)
    ids = [one["id"] for one in place.host.ask("GET", "/api/scenarios")]
    assert "good-table" in ids and "half-table" not in ids and "melee" in ids
    assert "half" not in [one["id"] for one in place.host.ask("GET", "/api/rulesets")]
    (army,) = place.host.ask("GET", "/api/armies")
    assert (army["id"], army["title"], army["package"]) == ("guards", "Guards", "good")
    wish = {"id": "begin-army", "table_file": army["table_file"], "table_name": army["table_name"]}
    assert place.host.ask("POST", "/api/games", 201, json=wish)["title"] == "guards"
    sheets = place.host.ask("GET", "/api/prints/sheets")
    assert {"id": "ruler", "title": "Ruler", "says": "Six inches."} in sheets
    problem = place.host.ask("GET", "/api/prints/sheets/torn.pdf", 422)
    assert "of the package sheets can't be used: ZeroDivisionError" in problem["detail"]
    place.services.event_store.close()
