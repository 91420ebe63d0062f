"""Games explained over the network: rules in short, legends, scenarios as small maps."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from tabletop.boards.legend import legend_of
from tabletop.game.parts import PARTS
from tabletop.game.rulebook import rulebook_of
from tests.support.api_games import Place


def test_every_ruleset_has_its_guide(shared: Place) -> None:
    for name in PARTS:
        told = shared.host.ask("GET", f"/api/rulesets/{name}/guide", 200)
        book, legend = rulebook_of(name), legend_of(name)
        assert told["source"] == book.source
        assert [rule["place"] for rule in told["rules"]] == [rule.place for rule in book.rules]
        assert {row["text"] for row in told["legend"]["badges"]} == {badge.text for badge in legend.badges}
        assert [row["says"] for row in told["legend"]["ground"]] == [one.says for one in legend.ground]


def test_a_scenario_has_its_map(shared: Place) -> None:
    answer = shared.host.answer("GET", "/api/rulesets/one-hour-ww2/scenarios/melee/map.svg")
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["cache-control"] == "private, max-age=3600"
    assert ET.fromstring(answer.text).tag.endswith("svg")
    for path in ("chess/guide", "one-hour-ww2/scenarios/blue-ridge/map.svg", "chess/scenarios/a/map.svg"):
        assert shared.host.get(f"/api/rulesets/{path}", 404)["detail"].startswith("There ")
