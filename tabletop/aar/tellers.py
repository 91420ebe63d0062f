"""Tellers by their ruleset's name. One is loaded when a report of its game is made, and not before."""

from __future__ import annotations

from pkgutil import resolve_name

from tabletop.aar.errors import ReportError
from tabletop.aar.teller import Teller
from tabletop.rulesets.parts import with_part
from tabletop.toml_source import did_you_mean

KNOWN = with_part("teller")
"""Where each ruleset's teller is found."""


def teller(rules: str) -> Teller:
    """The teller of a ruleset; raises ReportError where it has none."""
    if rules not in KNOWN:
        raise ReportError(f'No report tells games of the rules "{rules}"; {did_you_mean(rules, sorted(KNOWN))}')
    found: Teller = resolve_name(KNOWN[rules])
    return found
