"""What a ruleset adds to the report: words for its events, expected results, what counts as lost or held, pictures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from geometry.drawing.scene import Item, Key
from tabletop.aar.document import Table
from tabletop.boards.data import Board
from tabletop.drawing.legends import badge_keys
from tabletop.game.core import REFEREE
from tabletop.game.protocol import Outcome
from tabletop.game.records import Record
from tabletop.words import capital, count, inches, the


@dataclass(frozen=True)
class ReportEvent:
    """One record that stands: its event, and the states round it (``before`` is ``None`` for the first)."""

    record: Record
    event: Any
    before: Any
    after: Any


@dataclass(frozen=True)
class Clock:
    """Where in the game something happened; turn 0 comes before the first turn."""

    turn: int
    side: str = ""
    step: str = ""


@dataclass(frozen=True)
class ReportSide:
    """A side: its id and how people call it."""

    id: str
    title: str


@dataclass(frozen=True)
class ThrowKind:
    """A kind of throw whose luck is counted: ``unit`` of its results, and what a positive figure means."""

    id: str
    title: str
    unit: str
    meaning: str


@dataclass(frozen=True)
class Throw:
    """A throw of dice: whose, what it made and what it makes on average.

    ``stake`` is what the other side could still bear at all, in the same unit; 0 where the throw takes nothing off it.
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
        """What it made above the average."""
        return self.actual - self.expected


@dataclass(frozen=True)
class Change:
    """Something that is lost, left, held or found: ``share`` (0 to 1) of a side's game that changed, ``of`` says of
    what.

    A share of 0 (a hand that set the table right) makes no moment.

    ``side`` is the one that lost it, left, took it (empty: nobody holds it now) or had it hidden; ``by`` the unit that
    did it.
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
    """A unit at the end: its side, name and kind, its hits (or what stands for them) in words, what became of it."""

    unit: str
    side: str
    name: str
    kind: str
    hits: str
    fate: str
    there: bool


@dataclass(frozen=True)
class Terms:
    """What a game calls things where the report's own sentences name them.

    ``throw`` is one of the first kind's, ``result`` one of what it makes; ``nothing`` is said of a turn without events
    and ``calm`` under the map of one without throws and losses; ``gone``, ``held`` and ``found`` are the titles of
    those tables, ``hits`` the heading of what :class:`Force` has for them; ``places`` says how places are told.
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
    """Tells the games of one ruleset. Every sentence comes from events and the states round them alone."""

    rules_title: str
    throws: tuple[ThrowKind, ...]
    """The kinds of luck; the first is the one that decides games, and is charted."""
    measures: Mapping[str, str]
    """How moments with ``lost``, ``left``, ``held``, ``found`` or ``swing`` in them are weighed, a sentence each; where
    games are played out, ``chance``: what the computers did ``{games}`` times, "they ..."."""
    terms: Terms

    def title(self, state: Any) -> str:
        """What was played."""

    def sides(self, state: Any) -> tuple[ReportSide, ...]:
        """The sides, the one that goes first in front."""

    def opening(self, state: Any) -> tuple[str, ...]:
        """Sentences on the table, the forces and what wins, told of the state that turn 1 begins with."""

    def clock(self, state: Any) -> Clock:
        """Where in the game a state is."""

    def step_title(self, step: str) -> str:
        """How people call a step."""

    def opens(self, entry: ReportEvent) -> bool:
        """Whether a new step begins with an event in the midst of an action: it and the rest are told there."""

    def text(self, entry: ReportEvent) -> str:
        """The text of an event, as everywhere."""

    def sentences(self, entry: ReportEvent) -> tuple[str, ...]:
        """What happened; empty for events that only keep the clock."""

    def completes(self, entry: ReportEvent) -> bool:
        """Whether an event is told in one breath with the one before it."""

    def is_quiet(self, entry: ReportEvent) -> bool:
        """Whether an event says only that something did nothing of note: a run of such events is told together, and
        no deciding moment has them."""

    def run_summary(self, run: Sequence[ReportEvent]) -> tuple[str, ...]:
        """The sentences of two or more quiet events in a row."""

    def throws_in(self, entry: ReportEvent) -> tuple[Throw, ...]:
        """The throws in an event with their luck counted, the one that tells most in front; no two of one kind and
        side."""

    def changes(self, entry: ReportEvent) -> tuple[Change, ...]:
        """What was lost, left, held or found by an event."""

    def forces(self, game: Sequence[ReportEvent]) -> tuple[Force, ...]:
        """Every unit of the game and what has become of it so far."""

    def sheets(self, game: Sequence[ReportEvent]) -> tuple[Table, ...]:
        """Tables of the ruleset's own for the end of the report, as a score sheet."""

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended, once it has."""

    @property
    def legend(self) -> Sequence[Key]:
        """What the marks on a map mean."""

    def board(self, state: Any) -> Board:
        """What everybody may see of a state, as it is drawn on phones, unturned."""

    def marks(self, entry: ReportEvent) -> Sequence[Item]:
        """What happened, drawn: the way of a move, the line of a shot."""

    def grave(self, entry: ReportEvent) -> Sequence[Item]:
        """A unit that an event took off the table, crossed out where it stood."""


class ReportDrawing(Protocol):
    """How a ruleset's games are drawn in reports; a module with these will do.

    ``LEGEND`` says what the marks mean, ``report_board`` is what everybody may see of a state, unturned.
    """

    @property
    def LEGEND(self) -> Sequence[Key]: ...  # noqa: N802 - a constant of the module

    def report_board(self, state: Any) -> Board: ...

    def marks(self, entry: ReportEvent) -> Sequence[Item]:
        """What happened, drawn: the way of a move, the line of a shot."""

    def grave(self, entry: ReportEvent) -> Sequence[Item]:
        """A unit that an event took off the table, crossed out where it stood."""


class ReportAdapterBase(ABC):
    """A base for report adapters: a subclass adds what its own game needs.

    A report tells an event by the sentence that the command line, the log and the phone have (:meth:`event_text`), and
    then adds its :meth:`details`. The ``..._kinds`` are classes of events: a report leaves the text of the ``omitted``
    out; ``completing`` ones are told in one breath with the event before them; ``opening`` ones begin a step; runs of
    ``quiet`` ones are gathered; of ``correction`` ones a report says who made them. ``badges_of`` is the ruleset's name
    where the legend of its maps explains the badges too.
    """

    rules_title: str
    throws: tuple[ThrowKind, ...]
    measures: Mapping[str, str]
    terms: Terms
    step_titles: ClassVar[Mapping[str, str]]
    drawing: ClassVar[ReportDrawing]
    badges_of: ClassVar[str] = ""

    omitted_kinds: ClassVar[tuple[type, ...]] = ()
    completing_kinds: ClassVar[tuple[type, ...]] = ()
    opening_kinds: ClassVar[tuple[type, ...]] = ()
    quiet_kinds: ClassVar[tuple[type, ...]] = ()
    correction_kinds: ClassVar[tuple[type, ...]] = ()

    # --- what every game says itself

    @abstractmethod
    def event_text(self, before: Any, event: Any) -> str:
        """The ruleset's own text of an event (``before``: the state before it, ``None`` for the first)."""

    @abstractmethod
    def opening(self, state: Any) -> tuple[str, ...]:
        """Sentences on the table, the forces and what wins, told of the state that turn 1 begins with."""

    @abstractmethod
    def clock(self, state: Any) -> Clock:
        """Where in the game a state is."""

    @abstractmethod
    def forces(self, game: Sequence[ReportEvent]) -> tuple[Force, ...]:
        """Every unit of the game and what has become of it so far."""

    # --- the game as a whole

    def title(self, state: Any) -> str:
        """What was played: the set-up's title."""
        title: str = state.setup.title
        return title

    def sides(self, state: Any) -> tuple[ReportSide, ...]:
        """The set-up's sides, in its order."""
        return tuple(ReportSide(side, state.setup.side_title(side)) for side in state.setup.sides)

    def step_title(self, step: str) -> str:
        """How people call a step."""
        return self.step_titles[step]

    def sheets(self, game: Sequence[ReportEvent]) -> tuple[Table, ...]:
        """None: nothing is scored."""
        return ()

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended, once it has: the state's result."""
        result: Outcome | None = state.result
        return result

    def table_text(self, setup: Any, *, scenario: str = "", dice: str = "") -> str:
        """What was played, on how large a table, with which dice and for how long: an opening's first sentence."""
        size = f"on a table {inches(setup.width)} wide and {inches(setup.depth)} deep"
        turns = f", at most {count(setup.turns, 'full turn')}" if setup.turns else ""
        return f"{self.rules_title}, {setup.title}{scenario}, {size}{dice}{turns}."

    def forces_text(self, setup: Any, forces: tuple[str, str]) -> str:
        """Who went first and with what, and what the other side had; ``forces`` in the order of the sides."""
        first, second = (the(setup.side_title(side)) for side in setup.sides)
        return f"{capital(first)} went first, with {forces[0]}; {second} had {forces[1]}."

    # --- one event

    def text(self, entry: ReportEvent) -> str:
        """The text of an event, as everywhere."""
        return self.event_text(entry.before, entry.event)

    def omits(self, entry: ReportEvent) -> bool:
        """Whether a report leaves the text of an event out, as a heading or the next event says it."""
        return isinstance(entry.event, self.omitted_kinds)

    def details(self, entry: ReportEvent) -> tuple[str, ...]:
        """What a report adds to an event's text: sentences that say nothing again.

        Here, who made a correction, and that it was the referee who decided what the text says was settled at the
        table.
        """
        by_referee = entry.record.actor == REFEREE
        if isinstance(entry.event, self.correction_kinds):
            titles = {side.id: side.title for side in self.sides(entry.after)}
            who = "The referee" if by_referee else titles.get(entry.record.actor, entry.record.actor)
            return (f"{who} made the correction.",)
        overruled: Sequence[str] = getattr(entry.event, "overruled", ())
        return ("The referee overruled the rules.",) if by_referee and overruled else ()

    def sentences(self, entry: ReportEvent) -> tuple[str, ...]:
        """The event's text, then its details; empty for events that only keep the clock."""
        text = () if self.omits(entry) else (self.text(entry),)
        return (*text, *self.details(entry))

    def completes(self, entry: ReportEvent) -> bool:
        """Whether an event is told in one breath with the one before it."""
        return isinstance(entry.event, self.completing_kinds)

    def opens(self, entry: ReportEvent) -> bool:
        """Whether a new step begins with an event in the midst of an action."""
        return isinstance(entry.event, self.opening_kinds)

    def is_quiet(self, entry: ReportEvent) -> bool:
        """Whether an event says only that something did nothing of note."""
        return isinstance(entry.event, self.quiet_kinds)

    def run_summary(self, run: Sequence[ReportEvent]) -> tuple[str, ...]:
        """The sentences of two or more quiet events in a row: those of each."""
        return tuple(sentence for told in run for sentence in self.sentences(told))

    def throws_in(self, entry: ReportEvent) -> tuple[Throw, ...]:
        """None: nothing is left to chance."""
        return ()

    def changes(self, entry: ReportEvent) -> tuple[Change, ...]:
        """None: nothing is lost, held or found."""
        return ()

    # --- pictures

    @property
    def legend(self) -> Sequence[Key]:
        """What the marks on a map mean, and the badges."""
        return (*self.drawing.LEGEND, *(badge_keys(self.badges_of) if self.badges_of else ()))

    def board(self, state: Any) -> Board:
        """What everybody may see of a state, as it is drawn on phones."""
        return self.drawing.report_board(state)

    def marks(self, entry: ReportEvent) -> Sequence[Item]:
        """What happened, drawn."""
        return self.drawing.marks(entry)

    def grave(self, entry: ReportEvent) -> Sequence[Item]:
        """A unit that an event took off the table, crossed out where it stood."""
        return self.drawing.grave(entry)
