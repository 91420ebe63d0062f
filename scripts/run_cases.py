#!/usr/bin/env python3
"""Run the commands of small inputs that once failed, and compare with what is right.

    python scripts/run_cases.py FOLDER

FOLDER has one folder per case; `scripts/cases.toml` says what to run in each and what must come of it. Prints a line
for each case and ends with status 1 where one is wrong, or where FOLDER has a case that the file lacks.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import shapely

EXPECTED = Path(__file__).parent / "cases.toml"
MM = 25.4
NEVER = (r"Traceback", r"\bnan\b", r"\binf\b")


def faults_of(case: dict[str, Any], folder: Path, out: Path) -> list[str]:
    """What is wrong with a case, run in its folder; files are written to ``out``."""
    command = [sys.executable, "-m", "tabletop", *shlex.split(case["command"].format(out=out))]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    said = re.sub(r"\s+", " ", done.stdout)
    faults = [
        f"says {found[0]!r}" for pattern in (*NEVER, *case.get("never", ())) if (found := re.search(pattern, said))
    ]
    faults += [f"does not say {pattern!r}" for pattern in case.get("says", ()) if not re.search(pattern, said)]
    if done.returncode != case.get("status", done.returncode if case["command"].startswith("doctor") else 0):
        faults.append(f"ended with status {done.returncode}")
    written = out / "table.toml"
    if not faults and case.keys() & {"units", "bases", "terrain"}:
        faults += faults_of_table(case, tomllib.loads(written.read_text(encoding="utf-8")))
    return [f"{fault}: {said.strip()[:400]}" for fault in faults]


def faults_of_table(case: dict[str, Any], table: dict[str, Any]) -> list[str]:
    """What is wrong with the table file that an import wrote."""
    faults = []
    units, terrain = table.get("units", []), table.get("terrain", [])
    models = sorted(unit["bases"] for unit in units)
    if "units" in case and models != case["units"]:
        faults.append(f"units of {models} models, not {case['units']}")
    if "bases" in case:
        sizes = [size for unit in units for size in size_in_mm(unit["base"])]
        if [round(size, 0) for size in sizes] != case["bases"]:
            faults.append(f"bases of {sizes} mm, not {case['bases']}")
    if "terrain" in case:
        area = shapely.union_all([shapely.make_valid(shapely.Polygon(piece["polygon"])) for piece in terrain]).area
        if area > case["terrain"].get("area", area):
            faults.append(f"terrain of {area:.1f} square inches, more than {case['terrain']['area']}")
        if len(terrain) < case["terrain"].get("least", 0):
            faults.append(f"{len(terrain)} pieces of terrain")
    return faults


def size_in_mm(base: dict[str, Any]) -> list[float]:
    """A base's diameter, or its width and depth."""
    return [base[key] * MM for key in ("diameter", "width", "depth") if key in base]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    cases = tomllib.loads(EXPECTED.read_text(encoding="utf-8"))["case"]
    unknown = {path.name for path in folder.iterdir() if path.is_dir()} - {case["folder"] for case in cases}
    wrong = [f"{name}: {EXPECTED.name} does not have it" for name in sorted(unknown)]
    for case in cases:
        with tempfile.TemporaryDirectory() as out:
            faults = faults_of(case, folder / case["folder"], Path(out))
        print(f"{'wrong' if faults else 'right'}  {case['folder']}: tabletop {case['command']}", flush=True)
        wrong += [f"{case['folder']}: {fault}" for fault in faults]
    print("\n".join(["", *wrong] if wrong else [f"All {len(cases)} are right."]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
