"""Games of units on a board of squares: what a small ruleset begins with, and the parts that it need not write.

:class:`SquareBoardRules` is the base of such a ruleset. How its games are begun, drawn, measured, told and compared
with photos is in the other modules of this room; :class:`tabletop.game.parts.Parts` names them where a ruleset on
squares names nothing of its own, and larger rulesets build theirs on them.
"""

from tabletop.small_games.rules import Kind
from tabletop.square_board.actions import COMMON_ACTIONS, SIDE, SQUARE, TARGET, UNIT, Concede, Correct, End
from tabletop.square_board.events import CommonEvent, Corrected, Ended, Placed, Removed, Started, TurnBegan
from tabletop.square_board.rules import SquareBoardRules
from tabletop.square_board.setup import Setup, UnitSetup
from tabletop.square_board.state import State, Unit

__all__ = [
    "COMMON_ACTIONS",
    "SIDE",
    "SQUARE",
    "TARGET",
    "UNIT",
    "CommonEvent",
    "Concede",
    "Correct",
    "Corrected",
    "End",
    "Ended",
    "Kind",
    "Placed",
    "Removed",
    "Setup",
    "SquareBoardRules",
    "Started",
    "State",
    "TurnBegan",
    "Unit",
    "UnitSetup",
]
