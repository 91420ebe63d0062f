"""Combined Arms in the after-action report: luck, changes, the score sheet.

Nothing that only the enemy's player knows is told before the game is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar

from tabletop.aar.adapter import (
    Change,
    Clock,
    Force,
    ReportAdapterBase,
    ReportDrawing,
    ReportEvent,
    Terms,
    Throw,
    ThrowKind,
)
from tabletop.aar.document import Table
from tabletop.game.protocol import Outcome
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms import report_changes, report_map, report_text
from tabletop.rulesets.combined_arms.data import ATTACKER, DEFENDER, NAME, POINTS_TO_WIN
from tabletop.rulesets.combined_arms.state import State
from tabletop.words import MINUS

_WEIGHED = (
    "A moment weighs the points by which counters that broke or left changed the score sheet, and those that its dice"
    f" made or lost against their average, divided by the {POINTS_TO_WIN} points that win; eight losses, once round"
    " their track, are the two points of the platoon that breaks by them, and a real platoon or real guns found are"
    " the two points or the one that they score in play."
)
_CHANCES = (
    "they played the turn on to its end {games} times from before the act and as often from after it, and a net that"
    " has learnt from whole games told the chances there. What was diced in an act was diced anew before it."
)


class CombinedArmsReportAdapter(ReportAdapterBase):
    """Reports on games of Combined Arms."""

    rules = NAME
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
    measures: Mapping[str, str] = MappingProxyType(
        dict.fromkeys(("lost", "left", "held", "found", "swing"), _WEIGHED) | {"chance": _CHANCES}
    )
    terms = Terms(
        unit="counter",
        table="board",
        hits="state",
        gone="Counters that left the board",
        found="Defenders that came to light",
        nothing="No unit moved, fired or recovered.",
        places="hexes are named by their row, 1 at the attackers’ edge and 9 at the defenders’, and their place in it"
        " from the left",
    )

    step_titles: ClassVar[Mapping[str, str]] = MappingProxyType(
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
    drawing: ClassVar[ReportDrawing] = report_map
    omitted_kinds = (ev.Started, ev.PhaseBegan)
    correction_kinds = (ev.Corrected,)

    def opening(self, state: State) -> tuple[str, ...]:
        """The variant, the board, the forces, what wins."""
        return report_text.opening(self.rules_title, state)

    def clock(self, state: State) -> Clock:
        """The turn and its phase; what comes before turn 1 and after the last is nobody's."""
        side = {"move": ATTACKER, "fire": ATTACKER, "mortars": ATTACKER, "enemy": DEFENDER}.get(state.step, "")
        return Clock(state.turn, side, state.step)

    def opens(self, entry: ReportEvent) -> bool:
        """Whether a phase begins; the next turn begins with the first that is done in it."""
        return isinstance(entry.event, ev.PhaseBegan) and entry.event.phase != "move"

    def details(self, entry: ReportEvent) -> tuple[str, ...]:
        """Where units stood at the beginning, what smoke was left, and what was secret, at the end."""
        return (*report_text.details(entry), *super().details(entry))

    def completes(self, entry: ReportEvent) -> bool:
        """Whether an event is what became of the one before it: bombs and fire that fell, platoons that broke, shots
        after the first on one hex."""
        match entry.event:
            case ev.Fell() | ev.Broke():
                return True
            case ev.Shot():
                return entry.record.seq != entry.record.group
        return False

    def is_quiet(self, entry: ReportEvent) -> bool:
        """Whether a platoon moved on the board, or a counter only recovered, stayed hidden or did no more."""
        match entry.event:
            case ev.Moved():
                return not entry.event.left
            case ev.Rallied() | ev.Lurked():
                return True
            case ev.Passed():
                return not entry.event.mortars
        return False

    def run_summary(self, run: Sequence[ReportEvent]) -> tuple[str, ...]:
        """Several counters that did nothing of note, in as few sentences as will do."""
        return report_text.run_summary([entry.event for entry in run])

    def throws_in(self, entry: ReportEvent) -> tuple[Throw, ...]:
        """Hits, points, losses, tests: what an event's dice made."""
        return report_changes.throws(entry)

    def changes(self, entry: ReportEvent) -> tuple[Change, ...]:
        """Counters broken, gone or found, with the points that they moved."""
        return report_changes.changes(entry)

    def forces(self, game: Sequence[ReportEvent]) -> tuple[Force, ...]:
        """Platoons with their fate, and what the defenders' counters turned out to be."""
        return report_changes.forces(game)

    def sheets(self, game: Sequence[ReportEvent]) -> tuple[Table, ...]:
        """The score sheet, and the score turn by turn."""
        return report_changes.sheets(game)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, once it has."""
        result = state.result
        return result and replace(result, reason=result.reason.replace(" -", f" {MINUS}"))


REPORT = CombinedArmsReportAdapter()
