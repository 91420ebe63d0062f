"""Rulesets by name. A ruleset is loaded only when a game of it is opened."""

from __future__ import annotations

from typing import Any

from tabletop.game.parts import part
from tabletop.game.protocol import Ruleset


def ruleset(name: str) -> Ruleset[Any, Any, Any]:
    """The ruleset of that name; raises RulesError for an unknown name."""
    found: Ruleset[Any, Any, Any] = part(name, "ruleset")
    return found
