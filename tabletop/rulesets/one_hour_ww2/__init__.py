"""One-Hour Wargames: WWII, version 8, for an open table measured in inches.

``report(scene)`` judges every shot; ``HouseRules`` holds the switches; ``RANGES``, zones and tables are data.
"""

from tabletop.rulesets.one_hour_ww2.data import AGAINST, DICE, KINDS, NAME, HouseRules, Kind
from tabletop.rulesets.one_hour_ww2.report import report

__all__ = ["AGAINST", "DICE", "KINDS", "NAME", "HouseRules", "Kind", "report"]
