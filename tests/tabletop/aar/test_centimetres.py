"""A report in centimetres: every length of it, and of its maps; players' own words stay."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from geometry.drawing.scene import Letters
from tabletop.aar.captions import Captions, caption
from tabletop.aar.compose import full_report, short_report
from tabletop.aar.document import Document
from tabletop.aar.html import html_page
from tabletop.aar.markdown import markdown_text
from tabletop.aar.story import Story, tell
from tabletop.rulesets.one_hour_ww2.report_adapter import REPORT
from tabletop.units import in_unit
from tests.support.aar_games import played_log


@pytest.fixture(scope="module")
def story() -> Story:
    return tell(played_log().game, REPORT, unit="cm")


@pytest.mark.parametrize("compose", [full_report, short_report])
def test_a_report_is_in_one_unit(story: Story, compose: Callable[[Story], Document]) -> None:
    in_inches = markdown_text(compose(replace(story, unit="in")))
    text = markdown_text(compose(story))
    assert "″" in in_inches and " cm" not in in_inches
    assert "″" not in html_page(compose(story)) and text == in_unit(in_inches, "cm")  # maps step by step too
    assert ("places are centimetres" in text) == (compose is full_report)


def test_maps_are_numbered_in_their_unit(story: Story) -> None:
    def numbers(told: Story) -> list[str]:
        sheet = next(short_report(told).figures).sheet
        edge = [item.text for item in sheet.items if isinstance(item, Letters) and item.cls == "soft"]
        return edge[: len(edge) // 2 + 1]  # the near edge, then the left one without its nought

    assert numbers(replace(story, unit="in")) == ["0", "6", "12", "18", "24", "30", "36"]
    assert numbers(story) == ["0 cm", "20", "40", "60", "80"]


def test_a_players_own_words_stay_as_they_are(story: Story) -> None:
    said = Captions({1: caption("It was 12″, we *swear*.")}, {})
    assert "It was 12″, we *swear*." in markdown_text(full_report(story, said))
