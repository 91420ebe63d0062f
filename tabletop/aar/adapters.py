"""Report adapters by their ruleset's name. Each is loaded only when a report of its game is made."""

from __future__ import annotations

from pkgutil import resolve_name

from tabletop.aar.adapter import ReportAdapter
from tabletop.aar.errors import ReportError
from tabletop.game.parts import with_part
from tabletop.reading.toml_source import did_you_mean

KNOWN = with_part("report")
"""The import path of each ruleset's report adapter."""


def report_adapter(rules: str) -> ReportAdapter:
    """The report adapter of a ruleset; raises ReportError where it has none."""
    if rules not in KNOWN:
        raise ReportError(f'No report tells games of the rules "{rules}"; {did_you_mean(rules, sorted(KNOWN))}')
    named = resolve_name(KNOWN[rules])
    found: ReportAdapter = named(rules) if isinstance(named, type) else named
    return found
