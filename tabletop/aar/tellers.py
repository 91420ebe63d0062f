"""Tellers by their ruleset's name. One is loaded when a report of its game is made, and not before."""

from __future__ import annotations

from pkgutil import resolve_name

from tabletop.aar.errors import ReportError
from tabletop.aar.teller import Teller
from tabletop.toml_source import did_you_mean

KNOWN: dict[str, str] = {
    "one-hour-ww2": "tabletop.rulesets.one_hour_ww2.telling:TELLER",
    "combined-arms": "tabletop.rulesets.combined_arms.telling:TELLER",
}
"""Where each ruleset's teller is found: the module, and what it calls it."""


def teller(rules: str) -> Teller:
    """The teller of a ruleset; raises ReportError where it has none."""
    if rules not in KNOWN:
        raise ReportError(f'No report tells games of the rules "{rules}"; {did_you_mean(rules, sorted(KNOWN))}')
    found: Teller = resolve_name(KNOWN[rules])
    return found
