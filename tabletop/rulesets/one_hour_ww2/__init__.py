"""One-Hour Wargames: WWII, version 8, for an open table measured in inches.

``report(scene)`` judges every shot of a table; ``HouseRules`` holds the switches at this product's rulings; ``KINDS``,
``AGAINST`` and ``DICE`` are the rules' tables, ``ranges`` how far a kind of unit fires; ``movement`` and ``rallied``
answer for the other actions.
"""

from tabletop.rulesets.one_hour_ww2.chances import hits_after_rally, movement, permanent_hits
from tabletop.rulesets.one_hour_ww2.data import (
    AGAINST,
    BLOCKS_SIGHT,
    DICE,
    KINDS,
    NAME,
    THREAT_IN,
    HouseRules,
    Kind,
    ranges,
)
from tabletop.rulesets.one_hour_ww2.report import report

__all__ = [
    "AGAINST",
    "BLOCKS_SIGHT",
    "DICE",
    "KINDS",
    "NAME",
    "THREAT_IN",
    "HouseRules",
    "Kind",
    "hits_after_rally",
    "movement",
    "permanent_hits",
    "ranges",
    "report",
]
