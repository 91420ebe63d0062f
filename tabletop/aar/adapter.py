"""What a ruleset adds to the report: text for its events, expected results, losses and gains, drawings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from geometry.drawing.scene import Item, Key
from tabletop.aar.document import Table
from tabletop.boards.data import Board
from tabletop.drawing.legends import badge_keys
from tabletop.game.core import REFEREE
from tabletop.game.protocol import Outcome
from tabletop.game.records import Record
from tabletop.game.registry import ruleset
from tabletop.words import capital, count, inches, the


@dataclass(frozen=True)
class ReportEvent:
    """One record that was not taken back: its event, with the states before and after it (``before`` is ``None`` for
    the first)."""

    record: Record
    event: Any
    before: Any
    after: Any


@dataclass(frozen=True)
class Clock:
    """The time of the game at which something happened; turn 0 is before the first turn."""

    turn: int
    side: str = ""
    step: str = ""


@dataclass(frozen=True)
class ReportSide:
    """A side: its id and its title."""

    id: str
    title: str


@dataclass(frozen=True)
class ThrowKind:
    """A kind of throw for which luck is counted: the ``unit`` of its results, and what a positive figure means."""

    id: str
    title: str
    unit: str
    meaning: str


@dataclass(frozen=True)
class Throw:
    """A throw of dice: the side that threw, the result and the average result.

    ``stake`` is the most that the other side could still lose, in the same unit; 0 for a throw that costs it nothing.
    """

    kind: str
    side: str
    unit: str
    actual: float
    expected: float
    stake: float = 0.0
    stake_words: str = ""

    @property
    def luck(self) -> float:
        """The result minus the average."""
        return self.actual - self.expected


@dataclass(frozen=True)
class Change:
    """Something lost, left, held or found: ``share`` (0 to 1) is how much of a side's game changed, ``of`` says of
    what.

    A share of 0 (a correction made by hand) makes no moment.

    ``side`` is the one that lost it, left, took it (empty: no side holds it now) or had it hidden; ``by`` is the
    unit that did it.
    """

    kind: Literal["lost", "left", "held", "found"]
    side: str
    what: str
    share: float
    of: str
    text: str
    by: str = ""


@dataclass(frozen=True)
class Force:
    """A unit at the end: its side, name and kind, its hits (or the equivalent) in words, and its fate."""

    unit: str
    side: str
    name: str
    kind: str
    hits: str
    fate: str
    there: bool


@dataclass(frozen=True)
class Terms:
    """The game's own terms, used in the report's own sentences.

    ``throw`` is one throw of the first kind, ``result`` one of its results; ``nothing`` describes a turn without
    events, and ``calm`` goes under the map of a turn without throws and losses; ``gone``, ``held`` and ``found`` are
    the titles of those tables, ``hits`` heads the hits of each :class:`Force`; ``places`` explains the coordinates.
    """

    throw: str = "shot"
    result: str = "hit"
    unit: str = "unit"
    table: str = "table"
    hits: str = "hits"
    nothing: str = "Nothing was done."
    calm: str = "nobody fired and nothing was lost"
    no_throws: str = "did not fire"
    gone: str = "Units that left the table"
    held: str = "Objectives that changed hands"
    found: str = "What came to light"
    places: str = "places are inches from the near left corner, right and away"


class ReportAdapter(Protocol):
    """Reports the games of one ruleset. Every sentence comes only from events and the states before and after them."""

    rules_title: str
    throws: tuple[ThrowKind, ...]
    """The kinds of luck; the first is the one that decides games, and the chart shows it."""
    measures: Mapping[str, str]
    """How moments with ``lost``, ``left``, ``held``, ``found`` or ``swing`` in them are ranked, a sentence each; where
    games are played out, ``chance``: what the computers did ``{games}`` times, "they ..."."""
    terms: Terms

    def title(self, state: Any) -> str:
        """The title of the game that was played."""

    def sides(self, state: Any) -> tuple[ReportSide, ...]:
        """The sides, the one that acts first leading."""

    def opening(self, state: Any) -> tuple[str, ...]:
        """Sentences on the table, the forces and the victory conditions, from the state in which turn 1 begins."""

    def clock(self, state: Any) -> Clock:
        """The turn, side and step of a state."""

    def step_title(self, step: str) -> str:
        """The title of a step."""

    def opens(self, entry: ReportEvent) -> bool:
        """Whether an event in the middle of an action begins a new step, which then holds it and the rest."""

    def text(self, entry: ReportEvent) -> str:
        """The text of an event, the same as everywhere else."""

    def sentences(self, entry: ReportEvent) -> tuple[str, ...]:
        """What happened; empty for events that only advance the clock."""

    def completes(self, entry: ReportEvent) -> bool:
        """Whether an event belongs in the same row as the event before it."""

    def is_quiet(self, entry: ReportEvent) -> bool:
        """Whether an event reports that something had no notable effect: consecutive events of this kind are
        summarised, and no deciding moment contains them."""

    def run_summary(self, run: Sequence[ReportEvent]) -> tuple[str, ...]:
        """The sentences of two or more quiet events in a row."""

    def throws_in(self, entry: ReportEvent) -> tuple[Throw, ...]:
        """The throws in an event for which luck is counted, the most telling first; no two of one kind and side."""

    def changes(self, entry: ReportEvent) -> tuple[Change, ...]:
        """The losses, departures, captures and discoveries in an event."""

    def forces(self, game: Sequence[ReportEvent]) -> tuple[Force, ...]:
        """Every unit of the game and its fate so far."""

    def sheets(self, game: Sequence[ReportEvent]) -> tuple[Table, ...]:
        """Tables of the ruleset's own for the end of the report, such as a score sheet."""

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended, once it has."""

    @property
    def legend(self) -> Sequence[Key]:
        """What the marks on a map mean."""

    def board(self, state: Any) -> Board:
        """The public view of a state, drawn as on phones, unrotated."""

    def marks(self, entry: ReportEvent) -> Sequence[Item]:
        """What happened, drawn: the path of a move, the line of a shot."""

    def grave(self, entry: ReportEvent) -> Sequence[Item]:
        """A unit that an event took off the table, crossed out where it stood."""


class ReportDrawing(Protocol):
    """How a ruleset's games are drawn in reports; a module with these functions is enough.

    ``LEGEND`` explains the marks, ``report_board`` is the public view of a state, unrotated.
    """

    @property
    def LEGEND(self) -> Sequence[Key]: ...  # noqa: N802 - a constant of the module

    def report_board(self, state: Any) -> Board: ...

    def marks(self, entry: ReportEvent) -> Iterable[Item]:
        """What happened, drawn: the way of a move, the line of a shot."""

    def grave(self, entry: ReportEvent) -> Iterable[Item]:
        """A unit that an event took off the table, crossed out where it stood."""


class ReportAdapterBase(ABC):
    """Base class of report adapters: a subclass adds what its game needs.

    A report tells an event by the sentence that the command line, the log and the phone have (:meth:`event_text`), and
    then adds its :meth:`details`. The ``..._kinds`` are classes of events: a report leaves the text of the ``omitted``
    out; ``completing`` ones are told in one breath with the event before them; ``opening`` ones begin a step; runs of
    ``quiet`` ones are gathered; of ``correction`` ones a report says who made them. ``rules`` is the ruleset's name,
    ``badges_of`` the same where the legend of its maps explains the badges too.
    """

    rules_title: str
    throws: tuple[ThrowKind, ...]
    measures: Mapping[str, str]
    terms: Terms
    rules: str
    step_titles: ClassVar[Mapping[str, str]]
    drawing: ClassVar[ReportDrawing]
    badges_of: ClassVar[str] = ""

    omitted_kinds: ClassVar[tuple[type, ...]] = ()
    completing_kinds: ClassVar[tuple[type, ...]] = ()
    opening_kinds: ClassVar[tuple[type, ...]] = ()
    quiet_kinds: ClassVar[tuple[type, ...]] = ()
    correction_kinds: ClassVar[tuple[type, ...]] = ()

    # --- to be given by every game

    @abstractmethod
    def opening(self, state: Any) -> tuple[str, ...]:
        """Sentences on the table, the forces and the victory conditions, from the state in which turn 1 begins."""

    @abstractmethod
    def forces(self, game: Sequence[ReportEvent]) -> tuple[Force, ...]:
        """Every unit of the game and its fate so far."""

    # --- the game as a whole

    def title(self, state: Any) -> str:
        """The title of the set-up."""
        title: str = state.setup.title
        return title

    def sides(self, state: Any) -> tuple[ReportSide, ...]:
        """The set-up's sides, in its order."""
        return tuple(ReportSide(side, state.setup.side_title(side)) for side in state.setup.sides)

    def clock(self, state: Any) -> Clock:
        """Where in the game a state is: its turn and step, and the acting side; everything before turn 1 is turn 0 and,
        like everything after the last, no side's."""
        return Clock(state.turn, "" if state.step in ("deploy", "over") else state.side, state.step)

    def step_title(self, step: str) -> str:
        """The title of a step."""
        return self.step_titles[step]

    def sheets(self, game: Sequence[ReportEvent]) -> tuple[Table, ...]:
        """No tables: nothing is scored."""
        return ()

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended, once it has: the state's result."""
        result: Outcome | None = state.result
        return result

    def table_text(self, setup: Any, *, scenario: str = "", dice: str = "") -> str:
        """The first sentence of an opening: the game, the size of the table, the dice and the number of turns."""
        size = f"on a table {inches(setup.width)} wide and {inches(setup.depth)} deep"
        turns = f", at most {count(setup.turns, 'full turn')}" if setup.turns else ""
        return f"{self.rules_title}, {setup.title}{scenario}, {size}{dice}{turns}."

    def forces_text(self, setup: Any, forces: tuple[str, str]) -> str:
        """Which side acted first and with what, and what the other side had; ``forces`` in the order of the sides."""
        first, second = (the(setup.side_title(side)) for side in setup.sides)
        return f"{capital(first)} went first, with {forces[0]}; {second} had {forces[1]}."

    # --- one event

    def event_text(self, before: Any, event: Any) -> str:
        """The ruleset's own text of an event (``before``: the state before it, ``None`` for the first)."""
        return ruleset(self.rules).event_text(before, event)

    def text(self, entry: ReportEvent) -> str:
        """The text of an event, the same as everywhere else."""
        return self.event_text(entry.before, entry.event)

    def omits(self, entry: ReportEvent) -> bool:
        """Whether a report leaves out the text of an event because a heading or the next event says it."""
        return isinstance(entry.event, self.omitted_kinds)

    def details(self, entry: ReportEvent) -> tuple[str, ...]:
        """What a report adds to an event's text: sentences that repeat nothing.

        Here, who made a correction, and that it was the referee who overruled the rules where the text says that a
        point was settled at the table.
        """
        by_referee = entry.record.actor == REFEREE
        if isinstance(entry.event, self.correction_kinds):
            titles = {side.id: side.title for side in self.sides(entry.after)}
            who = "The referee" if by_referee else titles.get(entry.record.actor, entry.record.actor)
            return (f"{who} made the correction.",)
        overruled: Sequence[str] = getattr(entry.event, "overruled", ())
        return ("The referee overruled the rules.",) if by_referee and overruled else ()

    def sentences(self, entry: ReportEvent) -> tuple[str, ...]:
        """The event's text, then its details; empty for events that only advance the clock."""
        text = () if self.omits(entry) else (self.text(entry),)
        return (*text, *self.details(entry))

    def completes(self, entry: ReportEvent) -> bool:
        """Whether an event belongs in the same row as the event before it."""
        return isinstance(entry.event, self.completing_kinds)

    def opens(self, entry: ReportEvent) -> bool:
        """Whether an event in the middle of an action begins a new step."""
        return isinstance(entry.event, self.opening_kinds)

    def is_quiet(self, entry: ReportEvent) -> bool:
        """Whether an event reports that something had no notable effect."""
        return isinstance(entry.event, self.quiet_kinds)

    def run_summary(self, run: Sequence[ReportEvent]) -> tuple[str, ...]:
        """The sentences of two or more quiet events in a row: those of each."""
        return tuple(sentence for told in run for sentence in self.sentences(told))

    def throws_in(self, entry: ReportEvent) -> tuple[Throw, ...]:
        """No throws: the game has no dice."""
        return ()

    def changes(self, entry: ReportEvent) -> tuple[Change, ...]:
        """No changes: nothing is lost, held or found."""
        return ()

    # --- pictures

    @property
    def legend(self) -> Sequence[Key]:
        """What the marks on a map mean, and the badges."""
        return (*self.drawing.LEGEND, *(badge_keys(self.badges_of) if self.badges_of else ()))

    def board(self, state: Any) -> Board:
        """The public view of a state, drawn as on phones."""
        return self.drawing.report_board(state)

    def marks(self, entry: ReportEvent) -> Sequence[Item]:
        """What happened, drawn."""
        return tuple(self.drawing.marks(entry))

    def grave(self, entry: ReportEvent) -> Sequence[Item]:
        """A unit that an event took off the table, crossed out where it stood."""
        return tuple(self.drawing.grave(entry))
