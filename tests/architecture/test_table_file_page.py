"""The page on the table file names every key that is read, and its example is one that can be used."""

import re

from tabletop.equipment.checkup import check_table
from tabletop.tables import tablefile
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "table-file.md").read_text(encoding="utf-8")


def test_every_key_is_explained() -> None:
    named = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]*)`", PAGE))))
    keys = {key for part, keys in tablefile._KEYS.items() if part != "file" for key in keys}
    assert keys <= named, keys - named
    parts = set(re.findall(r"^\| `\[+(\w+)\]+`", PAGE, re.MULTILINE))
    assert parts == set(tablefile._KEYS["file"])


def test_the_example_can_be_used() -> None:
    example = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None
    table = tablefile.parse_table(example[1].encode(), "example.toml")
    assert [finding.what for finding in check_table(table) if finding.advice] == []


def test_a_kind_that_the_usual_rules_lack_is_told_before_a_photo_is_taken() -> None:
    example = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None
    for rules, told in (("", True), ('rules = "measure"\n', False)):
        text = example[1].replace('"tank"', '"gun"').replace("[table]\n", f"[table]\n{rules}")
        findings = list(check_table(tablefile.parse_table(text.encode(), "example.toml")))
        assert any("units of kind gun" in finding.what and finding.advice for finding in findings) is told
