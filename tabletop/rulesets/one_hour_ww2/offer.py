"""What a form of units offers for One-Hour WWII: its dice, and the bases that a kind of unit usually has."""

from __future__ import annotations

from tabletop.rulesets.one_hour_ww2.data import DICE, NAME
from tabletop.starting.catalogue import Offer, Standard

OFFER = Offer(
    NAME,
    dice=tuple(DICE),
    kinds=(
        Standard("infantry", "Infantry", 3, 2.0, 1.25),
        Standard("mortar", "Mortar", 3, 1.6, 1.6),
        Standard("atg", "Anti-tank gun", 3, 1.6, 1.6),
        Standard("tank", "Tank", 3, 1.75, 2.5),
        Standard("mortar-tank", "Close-support tank", 3, 1.75, 2.5),
    ),
)
