"""Rulesets by name. A ruleset is loaded when a game of it is opened, and not before."""

from __future__ import annotations

from typing import Any

from tabletop.game.parts import part
from tabletop.game.protocol import Ruleset


def ruleset(name: str) -> Ruleset[Any, Any, Any]:
    """The ruleset of that name; raises RulesError for a name that is not known."""
    found: Ruleset[Any, Any, Any] = part(name, "ruleset")
    return found
