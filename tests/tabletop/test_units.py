"""Lengths in a reader's unit: the command line's rule and the page's tell the same sentences alike."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from api.settings import PAGE_DIR
from tabletop.units import in_unit, length_in
from tests.paths import DATA

CASES: list[tuple[str, str]] = json.loads((DATA / "lengths.json").read_text(encoding="utf-8"))
WEB = PAGE_DIR.parent
NODE, ESBUILD = shutil.which("node"), WEB / "node_modules" / ".bin" / "esbuild"
SCRIPT = """
globalThis.window = { localStorage: { getItem: () => "cm" } };
import("UNITS").then(({ inUnit }) => {
  console.log(JSON.stringify(JSON.parse(require("node:fs").readFileSync(0, "utf8")).map(inUnit)));
});
"""


@pytest.mark.parametrize(("told", "turned"), CASES)
def test_a_sentence_is_told_in_centimetres(told: str, turned: str) -> None:
    assert in_unit(told, "cm") == turned
    assert in_unit(told, "in") == told


@pytest.mark.skipif(NODE is None or not ESBUILD.exists(), reason="needs node and npm ci in api/web")
def test_the_page_tells_the_same(tmp_path: Path) -> None:
    script, bundle = tmp_path / "ask.ts", tmp_path / "ask.cjs"
    script.write_text(SCRIPT.replace("UNITS", (WEB / "src" / "units.ts").as_posix()), encoding="utf-8")
    making = [str(ESBUILD), str(script), "--bundle", "--platform=node", f"--outfile={bundle}", "--log-level=error"]
    subprocess.run(making, check=True, cwd=WEB, timeout=60)
    told = subprocess.run(
        [str(NODE), str(bundle)],
        input=json.dumps([told for told, _ in CASES]), check=True, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert json.loads(told.stdout) == [turned for _, turned in CASES]


def test_a_length_on_two_lines_is_turned() -> None:
    assert in_unit("moved 7.8 of\n  11″ to (1,\n  2).", "cm") == "moved 19.8 of\n  27.9 cm to (2.5,\n  5.1)."


def test_a_size_keeps_its_hundredths() -> None:
    assert [length_in(0.6, unit) for unit in ("in", "cm")] == ["0.6″", "1.52 cm"]
