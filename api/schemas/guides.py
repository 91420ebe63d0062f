"""Schemas of the explanation of a game: its rules in short, and the meaning of the signs on its board."""

from __future__ import annotations

from pydantic import ConfigDict

from api.schemas.tables import Model
from tabletop.boards.legend import Legend
from tabletop.game.rulebook import Rule


class GuideOut(Model):
    """The short rulebook of a ruleset, with the rulebook that it cites, and its legend. Both are empty for rules
    without them."""

    model_config = ConfigDict(from_attributes=True)

    source: str
    rules: list[Rule]
    legend: Legend
