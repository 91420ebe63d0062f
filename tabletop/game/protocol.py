"""The interface of every game's rules, so that one core plays, logs, undoes and reports them all.

State is the fold of events and is never edited; dice are explicit: the caller that resolves an action passes the rolled
faces. Games on an open table list options (a unit, its action, its limits) instead of every possible point of a move,
and judge the concrete action.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from tabletop.game.actions import ActionSet, OpenAction
from tabletop.game.violations import Violation

State = TypeVar("State")
Action = TypeVar("Action")
Event = TypeVar("Event")


D6 = (1, 2, 3, 4, 5, 6)
"""The faces of an ordinary die."""
AVERAGE_FACES = (2, 3, 3, 4, 4, 5)
"""The faces of an average die."""
_DICE_NAMES: Mapping[tuple[int, ...], str] = MappingProxyType({AVERAGE_FACES: "average", D6: "ordinary"})


@dataclass(frozen=True)
class Dice:
    """The dice that an action needs: how many, and the faces of each (equally likely)."""

    count: int = 0
    faces: tuple[int, ...] = ()

    def roll(self, rng: random.Random) -> tuple[int, ...]:
        """A throw of them."""
        return tuple(rng.choice(self.faces) for _ in range(self.count))

    @property
    def kind(self) -> str:
        """The players' name of such dice; empty if they have none."""
        return _DICE_NAMES.get(self.faces, "")

    @property
    def words(self) -> str:
        """The number and kind.

        >>> Dice(2, AVERAGE_FACES).words, Dice(1, (1, 2)).words
        ('2 average dice', '1 die')
        """
        return " ".join(part for part in (str(self.count), self.kind, "die" if self.count == 1 else "dice") if part)


NO_DICE = Dice()

PUBLIC = "public"
"""The viewer who sees only public information."""


@dataclass(frozen=True)
class Odds:
    """The possible results of an action: the probability of every number of ``what`` (hits, inches, hits left).

    ``also`` holds the probabilities of named results (``destroyed``); ``cases`` other odds for other readings of open
    measurements, each with its description.
    """

    what: str
    chances: Mapping[int, Fraction]
    also: Mapping[str, Fraction] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    cases: tuple[tuple[str, Odds], ...] = ()

    @property
    def expected(self) -> Fraction:
        """The mean."""
        return sum((value * chance for value, chance in self.chances.items()), start=Fraction(0))

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        return {
            "what": self.what,
            "chances": {str(value): float(chance) for value, chance in self.chances.items()},
            "expected": float(self.expected),
            "also": {name: float(chance) for name, chance in self.also.items()},
            "words": list(self.words),
            **({"cases": [{"when": when, **odds.to_json()} for when, odds in self.cases]} if self.cases else {}),
        }


@dataclass(frozen=True)
class Option:
    """A possible action of a side now, legal or not: ``violations`` say why not.

    ``action`` is a typed action of the set ``actions``, complete or an :class:`~tabletop.game.actions.OpenAction` with
    fields left to fill in; ``unit`` and ``target`` are the units concerned; ``limits`` are numbers in inches (a move's
    total). ``odds``, ``region`` and the words are computed on demand, because lists of options are made far more often
    than they are read completely.
    """

    actions: ActionSet[Any]
    action: Any
    side: str
    unit: str | None = None
    target: str | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    violations: tuple[Violation, ...] = ()
    advice: str = ""
    odds: Callable[[], Odds | None] = lambda: None
    region: Callable[[], list[list[list[tuple[float, float]]]] | None] = lambda: None

    @property
    def kind(self) -> str:
        """The verb of the action."""
        return self.actions.verb(self.action)

    @cached_property
    def text(self) -> str:
        """The action in the command line's words, complete or with placeholders for open fields."""
        return self.actions.text(self.action)

    @property
    def open_fields(self) -> tuple[str, ...]:
        """The fields that are left open, by name."""
        return tuple(self.action.open) if isinstance(self.action, OpenAction) else ()

    @property
    def legal(self) -> bool:
        """Whether it has no violations."""
        return not self.violations

    @property
    def open(self) -> bool:
        """Whether all of its violations are measurements too close to call."""
        return bool(self.violations) and all(v.answer == "too-close" for v in self.violations)

    def to_json(self, *, odds: bool = False, titles: Mapping[str, str] | None = None) -> dict[str, Any]:
        """A mapping ready for JSON; ``odds`` includes the odds. With ``titles``, the titles of the sides, its label is
        in players' words."""
        found = self.odds() if odds and not any(v.answer == "no" for v in self.violations) else None
        apart = (self.unit or "",)
        known, rest = self.actions.words(self.action, apart)
        label, rest = (known, rest) if titles is None else self.actions.label(self.action, titles, apart)
        fields = {name: self.actions.domain(self.action, name).to_json() for name in self.open_fields}
        return {
            "kind": self.kind,
            "side": self.side,
            "unit": self.unit,
            "target": self.target,
            "text": self.text if fields else known,
            "legal": self.legal,
            "action": self.actions.to_json(self.action),
            "fields": fields,
            "label": f"{label} …" if fields else label,
            "rest": rest,
            "limits": dict(self.limits),
            "violations": [v.to_json() for v in self.violations],
            **({"advice": self.advice} if self.advice else {}),
            **({"odds": found.to_json()} if found else {}),
        }


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winning side (``None``: a draw) and why, in a sentence."""

    winner: str | None
    reason: str


@dataclass(frozen=True)
class Placing:
    """How to search for the nearest legal place: in the box from ``low`` to ``high`` (inches), by ``allowed``, which
    takes places (n, 2), at most ``most`` in total, and returns whether each is legal.

    It may leave out slow checks: the place that is found is checked again.
    """

    low: tuple[float, float]
    high: tuple[float, float]
    allowed: Callable[[Any], Sequence[bool]]
    most: int


def state_after(rules: Ruleset[Any, Any, Any], state: Any, action: Any, dice: Sequence[int] = ()) -> Any:
    """The state after a checked action with its dice as rolled."""
    for event in rules.resolve(state, action, dice):
        state = rules.apply(state, event)
    return state


class Ruleset(Protocol[State, Action, Event]):
    """The rules of one game. All methods are pure: they read a state and change nothing.

    If the stored form of an event changes, it gets a new kind, and the old kind stays readable, so that a game begun
    with an older version can continue. ``version`` increases with every new kind; a log that needs a newer one is
    rejected.
    """

    @property
    def name(self) -> str:
        """The ruleset's name, as games and files write it."""

    @property
    def version(self) -> int:
        """The version of its events."""

    def start(self, setup: object) -> tuple[Event, ...]:
        """The events that begin a game with ``setup``; raises RulesError if it can't be played."""

    def apply(self, state: State | None, event: Event) -> State:
        """The state after an event; nothing is judged here. The first event takes ``None``."""

    def sides(self, state: State) -> tuple[str, ...]:
        """The sides, the one that acts first leading."""

    def to_act(self, state: State) -> str | None:
        """The side to act; ``None`` once the game is over."""

    def options(self, state: State) -> Sequence[Option]:
        """All possible actions of any side now; illegal ones carry their reasons."""

    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """All violations of an action at once; empty if it is legal."""

    def placing(self, state: State, put: Callable[[float, float], Action]) -> Placing:
        """The legal places of an action: ``put`` makes it for x and y, with everything else unchanged."""

    def actor(self, state: State, action: Action) -> str:
        """The side of an action, or ``referee``."""

    def dice(self, state: State, action: Action) -> Dice:
        """The dice that the action needs now."""

    def dice_suffice(self, state: State, action: Action, dice: Sequence[int]) -> bool:
        """Whether the first of an action's dice decide it, so that the rest need not be thrown."""

    def odds(self, state: State, action: Action) -> Odds | None:
        """Exact odds of an action that needs dice; ``None`` for one that needs none."""

    def resolve(
        self, state: State, action: Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[Event, ...]:
        """The events of an action with those dice. The action must have been checked; ``overruled`` lists the codes of
        violations that the referee lifted."""

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, once it has."""

    def is_free(self, event: Event) -> bool:
        """Whether an event may be taken back without the referee: nothing was rolled and nothing revealed."""

    def random_actions(self, state: State, rng: random.Random) -> Iterator[Action]:
        """Actions worth trying in this state, in random order, legal or not; the last one is always legal."""

    def bot_actions(self, state: State, rng: random.Random) -> Iterator[Action]:
        """A simple player's actions now, best first, legal or not; the last one is always legal."""

    def view(self, state: State, side: str | None = None) -> dict[str, Any]:
        """The state as JSON, as that side may see it (``PUBLIC``: the public part; ``None``: everything).

        ``score``, in games that count points, has rows with an item, its count and its points.
        """

    def turn(self, state: State) -> int | None:
        """The turn's number; ``None`` for games without turns."""

    def hides(self, state: State) -> bool:
        """Whether any player knows something now that others may not see."""

    def hidden_by(self, state: State) -> tuple[str, ...]:
        """The sides that know, or are about to decide, something that others may not see."""

    def event_view(self, state: State, event: Event, side: str | None) -> dict[str, Any]:
        """An event's body as that side may see it in the current game; sides as for :meth:`view`."""

    def invariant_violations(self, state: State) -> tuple[str, ...]:
        """Invariants that the state breaks, in words; empty for every state that can be reached."""

    def event_text(self, state: State | None, event: Event) -> str:
        """An event in a sentence; ``state`` is the state before it."""

    def text(self, action: Action) -> str:
        """An action in the command line's words; :meth:`parse` reads it back."""

    def parse(self, state: State, words: str) -> Action:
        """An action from words; raises ActionError with the expected form."""

    @property
    def actions(self) -> ActionSet[Any]:
        """Its actions, typed: their words, JSON, schema and help."""

    def complete(self, state: State, action: Action) -> Action:
        """An action as the log keeps it: omitted values are filled in, and short forms are expanded.

        Raises ActionError if that is impossible.
        """

    def action_to_json(self, action: Action) -> dict[str, Any]:
        """An action as a mapping ready for JSON, distinguished by its ``kind``."""

    def action_from_json(self, state: State, data: Mapping[str, Any]) -> Action:
        """An action from JSON; raises ActionError with the expected form."""

    def event_to_json(self, event: Event) -> tuple[str, dict[str, Any]]:
        """An event's kind and its body, ready for JSON."""

    def event_from_json(self, kind: str, body: Mapping[str, Any], version: int) -> Event:
        """An event from its kind and body, of this or an older version; raises EventError."""
