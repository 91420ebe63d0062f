"""WWII Combined Arms: a game of sixteen units a side on a chessboard, without dice and with nothing hidden.

``tabletop.rulesets.ww2_combined_arms.play`` is the whole game, ``docs/ww2-combined-arms.md`` how the rules are read.
"""

from tabletop.rulesets.ww2_combined_arms.data import KINDS, NAME, SIDES

__all__ = ["KINDS", "NAME", "SIDES"]
