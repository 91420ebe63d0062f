"""A folder to begin with, and the check of a table file, its printed sheets and the camera."""

from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from calibration.markers import find_markers
from tabletop.cli.init import MARKERS, NEXT, PHOTO, TABLE, TAGS
from tabletop.tables.sample import sample_table
from tabletop.tables.tablefile import load_table
from tests.paths import DATA
from tests.support.cli_runs import run_cli as run


def test_the_sheets_fit_the_table_file_and_nothing_is_written_over(tmp_path: Path) -> None:
    folder = tmp_path / "my table"
    told = run("init", folder, "--paper", "a4")
    assert told.exit_code == 0 and {path.name for path in folder.iterdir()} == {PHOTO, TABLE, MARKERS, TAGS, NEXT}
    assert f'cd "{folder}"' in told.stdout and (folder / NEXT).read_text(encoding="utf-8").strip() in told.stdout
    table = load_table(folder / TABLE)
    assert table.frame is not None and table.tags is not None
    for sheet, dictionary, wanted in (
        (MARKERS, table.frame.dictionary, {marker.id for marker in table.frame.markers}),
        (TAGS, table.tags.dictionary, {unit.tag for unit in table.units}),
    ):
        page = pypdfium2.PdfDocument(folder / sheet)[0]
        assert page.get_size() == pytest.approx((595.3, 841.9), abs=0.5)
        printed = np.ascontiguousarray(page.render(scale=2, grayscale=True).to_numpy().squeeze())
        assert set(map(int, find_markers(printed, dictionary).ids)) == wanted
    (folder / TABLE).write_text("mine", encoding="utf-8")
    again = run("init", folder)
    assert again.exit_code == 2 and "already, and nothing of yours is written over" in again.stderr
    assert (folder / TABLE).read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("[[sides]]", "[[sides]]"), "All is well."),
        (("size = 0.6\n", "size = 0.2\n"), "print them at least 0.30″ wide"),
        (("tag = 4\n", ""), "Without a tag r4 will need confirmation"),
        (("  { id = 3, center = [34.5, 34.5], rotation = 0.0 },\n", ""), "Lay four, one in each corner"),
    ],
)
def test_a_table_file_is_checked(change: tuple[str, str], told: str, tmp_path: Path) -> None:
    text = sample_table().read_text(encoding="utf-8")
    assert change[0] in text
    path = tmp_path / "t.toml"
    path.write_text(text.replace(*change), encoding="utf-8")
    done = run("doctor", "--table", path)
    assert done.exit_code == (0 if told == "All is well." else 1) and told in " ".join(done.stdout.split())


def test_a_photo_and_its_sheets_are_checked(tmp_path: Path) -> None:
    text = (DATA / "desert.table.toml").read_text(encoding="utf-8")
    path = tmp_path / "t.toml"
    path.write_text(text.replace("marker_size = 3.0", "marker_size = 3.1"), encoding="utf-8")
    done = run("doctor", "--table", path, DATA / "desert.jpg")
    told = " ".join(done.stdout.split())
    assert done.exit_code == 1 and "They were printed at 97%" in told and "4 of 4 frame markers are seen" in told
    assert "not calibrated" in told and "tags are read" in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("tag = 2\n", "tag = 33\n"), "Tag 2 can't be used: it is of no unit in the table file."),
        pytest.param(
            ("size = 0.6\n", "size = 0.9\n"), "about 0.61″ wide, and the table file says 0.9″", marks=pytest.mark.slow
        ),
        pytest.param(("\n", "\n"), "All is well.", marks=pytest.mark.slow),
    ],
)
def test_tags_that_can_t_be_used_and_bases_not_found_are_named(
    change: tuple[str, str], told: str, tmp_path: Path
) -> None:
    text = (DATA / "tagged.table.toml").read_text(encoding="utf-8")
    path = tmp_path / "t.toml"
    path.write_text(text.replace(*change, 1), encoding="utf-8")
    done = run("doctor", "--table", path, DATA / "tagged.jpg")
    assert told in " ".join(done.stdout.split()) and done.exit_code == (told != "All is well."), done.stdout
