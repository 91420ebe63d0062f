"""What is sent to explain a game: its rules in short, and what the signs on its board mean."""

from __future__ import annotations

from pydantic import ConfigDict

from api.schemas.tables import Model
from tabletop.boards.legend import Legend
from tabletop.game.rulebook import Rule


class GuideOut(Model):
    """The short rulebook of a ruleset, with the rulebook that its places are cited from, and its legend. Both are empty
    for rules that have none."""

    model_config = ConfigDict(from_attributes=True)

    source: str
    rules: list[Rule]
    legend: Legend
