"""The manual page says what the commands say, and exit statuses are told in one way everywhere."""

import importlib.util
import re
import shutil
import subprocess

import pytest

from tabletop.cli.exits import EXITS
from tests.paths import ROOT

PAGE = ROOT / "docs" / "tabletop.1"


def test_the_page_is_that_of_the_commands() -> None:
    spec = importlib.util.spec_from_file_location("man_page", ROOT / "scripts" / "man_page.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert PAGE.read_text(encoding="utf-8") == script.page(), "run python scripts/man_page.py"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not here")
def test_it_is_set_without_a_warning() -> None:
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Kutf8", "-Tutf8", str(PAGE)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert EXITS[0] in done.stdout


def test_exit_statuses_are_told_alike() -> None:
    table = re.findall(r"^\| (\d+) \| (.+) \|$", (ROOT / "docs" / "command-line.md").read_text(), re.MULTILINE)
    assert {int(status): told for status, told in table} == dict(EXITS)


def test_no_command_ends_with_another_status() -> None:
    found = {
        status
        for path in (ROOT / "tabletop" / "cli").glob("*.py")
        for status in re.findall(r"typer\.Exit\((\w*)\)|sys\.exit\((\w*)\)", path.read_text())
    }
    assert {"".join(one) for one in found} <= {"", "0", "REFUSED", "UNUSABLE", "INTERRUPTED"}
