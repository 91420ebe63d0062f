"""Each fault in scripts/faults.toml fits the program; processes in a copy of the program import the copy."""

import subprocess
import sys
import tomllib
from pathlib import Path

from scripts.inject_faults import PACKAGES, PAGE, environment
from tests.paths import ROOT

FAULTS = tomllib.loads((ROOT / "scripts" / "faults.toml").read_text(encoding="utf-8"))["faults"]


def test_each_fault_has_one_place_and_every_package_has_faults() -> None:
    assert len(FAULTS) == len({fault["name"] for fault in FAULTS}) == 60
    places = {fault["name"]: (ROOT / fault["file"]).read_text("utf-8").count(fault["find"]) for fault in FAULTS}
    assert set(places.values()) == {1}, {name: count for name, count in places.items() if count != 1}
    assert {Path(fault["file"]).parts[0] for fault in FAULTS} == {*PACKAGES}
    assert any(Path(fault["file"]).is_relative_to(PAGE) for fault in FAULTS)


def test_processes_in_a_copy_import_the_copy(tmp_path: Path) -> None:
    for name in PACKAGES:
        (tmp_path / f"{name}.py").touch()
    code = f"import {', '.join(PACKAGES)}; print(*(m.__file__ for m in ({', '.join(PACKAGES)})), sep='\\n')"
    said = subprocess.check_output([sys.executable, "-c", code], env=environment(tmp_path), cwd="/", text=True)
    assert {Path(line).parent for line in said.splitlines()} == {tmp_path}
