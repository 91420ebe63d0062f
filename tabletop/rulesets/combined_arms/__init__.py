"""Combined Arms by Phil Sabin: a solitaire game of a battalion's assault on a board of 79 hexes.

``report`` judges a position (contract section 6); ``tabletop.rulesets.combined_arms.play`` is the whole game.
"""

from tabletop.rulesets.combined_arms.data import NAME, PLATOONS, ROLES, SIDES, TERRAIN

__all__ = ["NAME", "PLATOONS", "ROLES", "SIDES", "TERRAIN"]
