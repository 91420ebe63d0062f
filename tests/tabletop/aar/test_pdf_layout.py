"""The PDF report of every game, at several lengths: nothing is printed over anything else."""

from pathlib import Path
from typing import Any

import pytest

from tabletop.aar.adapters import report_adapter
from tabletop.aar.captions import caption
from tabletop.aar.compose import full_report, short_report
from tabletop.aar.document import Document, Heading, Items, Para, Quotation, Spoken, Table
from tabletop.aar.pdf import pdf_bytes
from tabletop.aar.story import Story, tell
from tests.support.golden_games import FOLDER, begun, read
from tests.support.pdf_boxes import overlaps

GAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))
IN_GATE = {"combat-first-skirmish": 1, "measure-bare-table": 1}
WORDS = "\n\n".join(" ".join(f"a**b{n}** *word* {'long' * n}" for n in range(line, 40, 4)) for line in range(4))


@pytest.fixture(autouse=True)
def frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture is its frame."""

    def draw(page: Any, sheet: Any, corner_mm: tuple[float, float], width_mm: float, **_: Any) -> None:
        page.rect(*corner_mm, width_mm, width_mm * sheet.height / sheet.width)

    monkeypatch.setattr("tabletop.aar.pdf.draw", draw)


def story_of(game_file: Path, part: float) -> Story:
    rules, scenario, turns = read(game_file.read_text(encoding="utf-8"))
    game = begun(rules, scenario)
    for turn in turns[: round(part * len(turns))]:
        turn.done_in(game)
    return tell(game, report_adapter(rules))


@pytest.mark.parametrize(
    ("name", "part"),
    [
        pytest.param(name, part, marks=[] if IN_GATE.get(name) == part else pytest.mark.slow)
        for name in GAMES
        for part in (0.1, 0.3, 0.5, 0.8, 1)
    ],
)
def test_nothing_of_a_report_is_printed_over_another_thing(name: str, part: float) -> None:
    story = story_of(FOLDER / f"{name}.txt", part)
    for make in (full_report, short_report):
        assert overlaps(pdf_bytes(make(story)), shapes=True) == []


@pytest.mark.parametrize("lines", [*range(0, 60, 20), *(pytest.param(n, marks=pytest.mark.slow) for n in range(60))])
def test_nothing_overlaps_wherever_a_column_ends(lines: int) -> None:
    """The same parts after so many lines, so that each of them meets the end of a column and of a page."""
    wide = Table("Wide", ("name", "words"), (("one", "word " * 60), ("two", "word " * 200)))
    rest = (Para("word " * 300), Heading(3, "Part", "part"), Items(("word " * 40,) * 9))
    said = Quotation("word " * 200, "Ben"), Spoken(caption(WORDS))
    small = Table("Small", ("a", "b"), (("c", "d"),) * 9)
    blocks = (Para("line\n" * lines), *rest, *said, small, Heading(2, "Two", "two"), wide, *rest)
    document = Document("Long", "Report", blocks, "2026-01-01T00:00:00+00:00")
    assert overlaps(pdf_bytes(document), shapes=True) == []
