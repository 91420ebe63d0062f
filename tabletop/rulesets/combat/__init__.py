"""Combat by Sir Brian Horrocks: two armies of tanks, guns and planes on a board of squares, with salvo cards.

The original rules and the codified ones with their house rules are two profiles of one engine;
``tabletop.rulesets.combat.play`` is the whole game.
"""

from tabletop.rulesets.combat.data import KINDS, NAME, PERIODS, SIDES

__all__ = ["KINDS", "NAME", "PERIODS", "SIDES"]
