"""Games of units on an open table: what a small ruleset begins with, and the parts that it need not write.

:class:`OpenTableRules` is the base of such a ruleset. How its games are begun, drawn, measured, told and compared with
photos is in the other modules of this room; :class:`tabletop.game.parts.Parts` names them where a ruleset names nothing
of its own.
"""

from tabletop.open_table.actions import COMMON_ACTIONS, PLACE, SIDE, TARGET, UNIT, Concede, Correct, End
from tabletop.open_table.events import CommonEvent, Corrected, Ended, Placed, Removed, Started, TurnBegan
from tabletop.open_table.rules import Kind, OpenTableRules
from tabletop.open_table.setup import Setup, Shape, UnitSetup
from tabletop.open_table.state import State, Unit

__all__ = [
    "COMMON_ACTIONS",
    "PLACE",
    "SIDE",
    "TARGET",
    "UNIT",
    "CommonEvent",
    "Concede",
    "Correct",
    "Corrected",
    "End",
    "Ended",
    "Kind",
    "OpenTableRules",
    "Placed",
    "Removed",
    "Setup",
    "Shape",
    "Started",
    "State",
    "TurnBegan",
    "Unit",
    "UnitSetup",
]
