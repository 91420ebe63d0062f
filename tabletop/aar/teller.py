"""What a ruleset adds to the report: words for its events, expected results, what counts as lost or held, pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from tabletop.aar.picture import Item, Key
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
    """Something that is lost, left or held: ``share`` (0 to 1) of a side's game that changed, ``of`` says of what.

    A share of 0 (a hand that set the table right) makes no moment.

    ``side`` is the one that lost it, left, or took it (empty: nobody holds it now); ``by`` the unit that did it.
    """

    kind: Literal["lost", "left", "held"]
    side: str
    what: str
    share: float
    of: str
    text: str
    by: str = ""


@dataclass(frozen=True)
class Force:
    """A unit at the end: its side, name and kind, its hits as words, and what became of it."""

    unit: str
    side: str
    name: str
    kind: str
    hits: str
    fate: str
    there: bool


class Teller(Protocol):
    """Tells the games of one ruleset. Every sentence comes from events and the states round them alone."""

    rules_title: str
    throws: tuple[ThrowKind, ...]
    """The kinds of luck; the first is the one that decides games, and is charted."""
    measures: Mapping[str, str]
    """For ``lost``, ``left``, ``held`` and ``swing``, the sentence that says how such a moment is weighed."""
    legend: tuple[Key, ...]

    def title(self, state: Any) -> str:
        """What was played."""

    def sides(self, state: Any) -> tuple[Side, ...]:
        """The sides, the one that goes first in front."""

    def opening(self, state: Any) -> tuple[str, ...]:
        """Sentences on the table, the forces and what wins."""

    def clock(self, state: Any) -> Clock:
        """Where in the game a state is."""

    def step_title(self, step: str) -> str:
        """How people call a step."""

    def sentences(self, told: Told) -> tuple[str, ...]:
        """What happened; empty for events that only keep the clock."""

    def completes(self, told: Told) -> bool:
        """Whether an event is told in one breath with the one before it."""

    def throw(self, told: Told) -> Throw | None:
        """The throw in an event, where it has one whose luck is counted."""

    def changes(self, told: Told) -> tuple[Change, ...]:
        """What was lost, left or held by an event."""

    def forces(self, state: Any) -> tuple[Force, ...]:
        """Every unit of the game and what has become of it so far."""

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended, once it has."""

    def size(self, state: Any) -> tuple[float, float]:
        """The table's width and depth in inches."""

    def ground(self, state: Any) -> Sequence[Item]:
        """Terrain, objectives with their holders, exits."""

    def pieces(self, state: Any) -> Sequence[Item]:
        """Units with their labels and markers."""

    def marks(self, told: Told) -> Sequence[Item]:
        """What happened, drawn: the way of a move, the line of a shot."""

    def grave(self, told: Told) -> Sequence[Item]:
        """A unit that an event took off the table, crossed out where it stood."""
