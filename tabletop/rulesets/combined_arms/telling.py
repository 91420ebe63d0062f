"""Combined Arms in the after-action report: a sentence for every event, luck, the score sheet, and the pictures.

Every word and number comes from an event, the state round it, or exact odds. Nothing that only the enemy's player knows
is told before the game is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from tabletop.aar.document import Table
from tabletop.aar.picture import Item, Sheet
from tabletop.aar.teller import Change, Clock, Force, Side, Terms, Throw, ThrowKind, Told
from tabletop.aar.words import MINUS
from tabletop.game.protocol import Outcome
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms import telling_changes, telling_events, telling_map, telling_words
from tabletop.rulesets.combined_arms.data import ATTACKER, DEFENDER, POINTS_TO_WIN
from tabletop.rulesets.combined_arms.state import State

_STEP_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "bids": "Bids",
        "terrain": "The board",
        "defenders": "The defenders",
        "muster": "Secret forces",
        "post": "Secret deployment",
        "move": "Move phase",
        "fire": "Fire phase",
        "mortars": "Mortars and bombardment",
        "enemy": "Enemy phase",
        "final": "After the last turn",
        "over": "After the game",
    }
)
_WEIGHED = (
    "A moment weighs the points by which counters that broke or left changed the score sheet, and those that its dice"
    f" made or lost against their average, divided by the {POINTS_TO_WIN} points that win; eight losses, once round"
    " their track, are the two points of the platoon that breaks by them, and a real platoon or real guns found are"
    " the two points or the one that they score in play."
)


class CombinedArmsTeller:
    """Tells games of Combined Arms (the report's protocol ``Teller``)."""

    rules_title = "Combined Arms by Phil Sabin"
    throws: tuple[ThrowKind, ...] = (
        ThrowKind("fire", "Fire", "hits", "shots that took effect above what the same shots do on average"),
        ThrowKind("breaking", "Breaking", "points", "points by breaking platoons and guns above what the same shots"
                  " make on average"),
        ThrowKind("losses", "Losses", "losses", "losses of infantry under fire and bombs above their average"),
        ThrowKind("bombs", "Bombs", "hits", "hexes hit by mortars and the bombardment above their average"),
        ThrowKind("tests", "Tests", "real ones", "potential platoons and guns that proved real above what the same"
                  " tests find on average"),
        ThrowKind("calls", "Calls for mortars", "calls", "calls by which the defenders got their mortars above their"
                  " average"),
    )  # fmt: skip
    measures: Mapping[str, str] = MappingProxyType(dict.fromkeys(("lost", "left", "held", "found", "swing"), _WEIGHED))
    terms = Terms(
        unit="counter",
        table="board",
        hits="state",
        gone="Counters that left the board",
        found="Defenders that came to light",
        nothing="Nobody moved, fired or recovered.",
        places="hexes are named by their row, 1 at the attackers’ edge and 9 at the defenders’, and their place in it"
        " from the left",
    )

    def title(self, state: State) -> str:
        """What was played."""
        return state.setup.title

    def sides(self, state: State) -> tuple[Side, ...]:
        """The attackers, then the defenders."""
        return tuple(Side(side, state.setup.side_title(side)) for side in state.setup.sides)

    def opening(self, state: State) -> tuple[str, ...]:
        """The variant, the board, the forces, what wins."""
        return telling_words.opening(self.rules_title, state)

    def clock(self, state: State) -> Clock:
        """The turn and its phase; what comes before turn 1 and after the last is nobody's."""
        side = {"move": ATTACKER, "fire": ATTACKER, "mortars": ATTACKER, "enemy": DEFENDER}.get(state.step, "")
        return Clock(state.turn, side, state.step)

    def step_title(self, step: str) -> str:
        """How people call a phase."""
        return _STEP_TITLES[step]

    def opens(self, told: Told) -> bool:
        """Whether a phase begins; the next turn begins with the first that is done in it."""
        return isinstance(told.event, ev.PhaseBegan) and told.event.phase != "move"

    def sentences(self, told: Told) -> tuple[str, ...]:
        """What happened, for every kind of event."""
        return telling_events.said(told.event, told)

    def completes(self, told: Told) -> bool:
        """Whether an event is what became of the one before it: bombs and fire that fell, platoons that broke, shots
        after the first on one hex."""
        match told.event:
            case ev.Fell() | ev.Broke():
                return True
            case ev.Shot():
                return told.record.seq != told.record.group
        return False

    def is_quiet(self, told: Told) -> bool:
        """Whether a platoon moved on the board, or a counter only recovered, stayed hidden or did no more."""
        match told.event:
            case ev.Moved():
                return not told.event.left
            case ev.Rallied() | ev.Lurked():
                return True
            case ev.Passed():
                return not told.event.mortars
        return False

    def gathered(self, run: Sequence[Told]) -> tuple[str, ...]:
        """Several counters that did nothing of note, in as few sentences as will do."""
        return telling_events.gathered([told.event for told in run])

    def throws_in(self, told: Told) -> tuple[Throw, ...]:
        """Hits, points, losses, tests: what an event's dice made."""
        return telling_changes.throws(told)

    def changes(self, told: Told) -> tuple[Change, ...]:
        """Counters broken, gone or found, with the points that they moved."""
        return telling_changes.changes(told)

    def forces(self, game: Sequence[Told]) -> tuple[Force, ...]:
        """Platoons with their fate, and what the defenders' counters turned out to be."""
        return telling_changes.forces(game)

    def sheets(self, game: Sequence[Told]) -> tuple[Table, ...]:
        """The score sheet, and the score turn by turn."""
        return telling_changes.sheets(game)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, once it has."""
        result = state.result
        return result and replace(result, reason=result.reason.replace(" -", f" {MINUS}"))

    def ground(self, state: State) -> Sequence[Item]:
        """The board with its terrain."""
        return telling_map.ground(state)

    def pieces(self, state: State) -> Sequence[Item]:
        """Counters, smoke, mortar targets."""
        return telling_map.pieces(state)

    def marks(self, told: Told) -> Sequence[Item]:
        """Ways, shots, bombs."""
        return telling_map.marks(told)

    def grave(self, told: Told) -> Sequence[Item]:
        """A counter that was broken, crossed out where it lay."""
        return telling_map.grave(told)

    def drawn(self, state: State, sides: Sequence[Side], items: Sequence[Item]) -> Sheet:
        """The board as a map of its hexes."""
        return telling_map.drawn(state, items)


TELLER = CombinedArmsTeller()
