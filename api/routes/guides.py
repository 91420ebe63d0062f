"""Explaining games: the rules in short, the legend, and scenarios as small maps."""

from functools import cache

from fastapi import APIRouter, Depends, Response

from api.errors import NotThereError
from api.schemas.guides import GuideOut
from api.schemas.tables import Name
from api.services.authentication import Gate
from api.services.services import Services
from geometry.drawing.svg import svg_text
from tabletop.boards import board_of
from tabletop.boards.legend import legend_of
from tabletop.drawing.previews import preview
from tabletop.game import Game
from tabletop.game.parts import PARTS
from tabletop.game.registry import ruleset
from tabletop.game.rulebook import rulebook_of
from tabletop.starting.scenarios import find, list_scenarios

SVG = {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}
AN_HOUR = {"Cache-Control": "private, max-age=3600"}


def guide_routes(_services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("guides", dependencies=[Depends(gate.here)])

    @api.get("/rulesets/{rules}/guide")
    def show_rules(rules: Name) -> GuideOut:
        """The rules in short, each with its place in the rulebook, and what the signs on the board mean."""
        if rules not in PARTS:
            raise NotThereError(f'There are no rules "{rules}" here.')
        book = rulebook_of(rules)
        return GuideOut(source=book.source, rules=list(book.rules), legend=legend_of(rules))

    @api.get("/rulesets/{rules}/scenarios/{scenario}/map.svg", response_class=Response, responses={200: SVG})
    def draw_scenario(rules: Name, scenario: Name) -> Response:
        """A bundled scenario's table as a small map: terrain, where the sides set up, and the units there."""
        if scenario not in {entry.id for entry in list_scenarios(rules)}:
            raise NotThereError(f'There is no scenario "{scenario}" of {rules} here.')
        return Response(_map_of(rules, scenario), media_type="image/svg+xml", headers=AN_HOUR)

    return api


@cache
def _map_of(rules: str, scenario: str) -> str:
    """A scenario's map; the program's files don't change, so it is cached."""
    found = find(scenario, rules)
    trial = Game.new(ruleset(rules), found.setup)
    return svg_text(preview(board_of(rules, trial.state)), title=found.title)
