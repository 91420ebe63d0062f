"""What a ruleset adds to the report: words for its events, expected results, what counts as lost or held, pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from tabletop.aar.document import Table
from tabletop.aar.picture import Item, Sheet
from tabletop.game.protocol import Outcome
from tabletop.game.records import Record


@dataclass(frozen=True)
class Told:
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
class Side:
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


class Teller(Protocol):
    """Tells the games of one ruleset. Every sentence comes from events and the states round them alone."""

    rules_title: str
    throws: tuple[ThrowKind, ...]
    """The kinds of luck; the first is the one that decides games, and is charted."""
    measures: Mapping[str, str]
    """How moments with ``lost``, ``left``, ``held``, ``found`` or ``swing`` in them are weighed, a sentence each."""
    terms: Terms

    def title(self, state: Any) -> str:
        """What was played."""

    def sides(self, state: Any) -> tuple[Side, ...]:
        """The sides, the one that goes first in front."""

    def opening(self, state: Any) -> tuple[str, ...]:
        """Sentences on the table, the forces and what wins, told of the state that turn 1 begins with."""

    def clock(self, state: Any) -> Clock:
        """Where in the game a state is."""

    def step_title(self, step: str) -> str:
        """How people call a step."""

    def opens(self, told: Told) -> bool:
        """Whether a new step begins with an event in the midst of an action: it and the rest are told there."""

    def sentences(self, told: Told) -> tuple[str, ...]:
        """What happened; empty for events that only keep the clock."""

    def completes(self, told: Told) -> bool:
        """Whether an event is told in one breath with the one before it."""

    def is_quiet(self, told: Told) -> bool:
        """Whether an event says only that something did nothing of note: a run of such events is told together, and
        no deciding moment has them."""

    def gathered(self, run: Sequence[Told]) -> tuple[str, ...]:
        """The sentences of two or more quiet events in a row."""

    def throws_in(self, told: Told) -> tuple[Throw, ...]:
        """The throws in an event whose luck is counted, the one that tells most in front; no two of one kind."""

    def changes(self, told: Told) -> tuple[Change, ...]:
        """What was lost, left, held or found by an event."""

    def forces(self, game: Sequence[Told]) -> tuple[Force, ...]:
        """Every unit of the game and what has become of it so far."""

    def sheets(self, game: Sequence[Told]) -> tuple[Table, ...]:
        """Tables of the ruleset's own for the end of the report, as a score sheet."""

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended, once it has."""

    def ground(self, state: Any) -> Sequence[Item]:
        """Terrain, objectives with their holders, exits."""

    def pieces(self, state: Any) -> Sequence[Item]:
        """Units with their labels and markers."""

    def marks(self, told: Told) -> Sequence[Item]:
        """What happened, drawn: the way of a move, the line of a shot."""

    def grave(self, told: Told) -> Sequence[Item]:
        """A unit that an event took off the table, crossed out where it stood."""

    def drawn(self, state: Any, sides: Sequence[Side], items: Sequence[Item]) -> Sheet:
        """The map with these items on it, and its legend."""
