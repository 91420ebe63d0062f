"""Games explained over the network: rules in short, legends, scenarios as small maps."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from tabletop.boards.legend import legend_of
from tabletop.game.parts import PARTS
from tabletop.game.rulebook import rulebook_of
from tests.support.api_games import Place


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    made = Place(tmp_path_factory.mktemp("guides"))
    yield made
    made.services.event_store.close()


def test_every_ruleset_has_its_guide(place: Place) -> None:
    for name in PARTS:
        told = place.host.ask("GET", f"/api/rulesets/{name}/guide", 200)
        book, legend = rulebook_of(name), legend_of(name)
        assert told["source"] == book.source
        assert [rule["place"] for rule in told["rules"]] == [rule.place for rule in book.rules]
        assert {row["text"] for row in told["legend"]["badges"]} == {badge.text for badge in legend.badges}
        assert [row["says"] for row in told["legend"]["ground"]] == [one.says for one in legend.ground]


def test_a_scenario_has_its_map(place: Place) -> None:
    answer = place.host.answer("GET", "/api/rulesets/one-hour-ww2/scenarios/melee/map.svg")
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["cache-control"] == "private, max-age=3600"
    assert ET.fromstring(answer.text).tag.endswith("svg")


@pytest.mark.parametrize(
    "path", ["chess/guide", "one-hour-ww2/scenarios/blue-ridge/map.svg", "chess/scenarios/a/map.svg"]
)
def test_what_is_not_there(place: Place, path: str) -> None:
    told = place.host.ask("GET", f"/api/rulesets/{path}", 404)
    assert told["detail"].startswith("There ")
