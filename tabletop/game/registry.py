"""Rulesets by name. A ruleset is loaded when a game of it is opened, and not before."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

from tabletop.errors import RulesError
from tabletop.game.protocol import Ruleset
from tabletop.toml_source import did_you_mean

KNOWN: dict[str, str] = {
    "one-hour-ww2": "tabletop.rulesets.one_hour_ww2.play:RULES",
    "combined-arms": "tabletop.rulesets.combined_arms.play:RULES",
}
"""Where each ruleset that games are played by is found: the module, and what it calls the ruleset."""


def ruleset(name: str) -> Ruleset[Any, Any, Any]:
    """The ruleset of that name; raises RulesError for a name that is not known."""
    if name not in KNOWN:
        raise RulesError(f'No games are played by the rules "{name}"; {did_you_mean(name, sorted(KNOWN))}')
    found: Ruleset[Any, Any, Any] = resolve_name(KNOWN[name])
    return found
