"""Computer players: what one would do for a side now, and why.

Every ruleset has the level ``simple``, the simple player of its statistics. A ruleset that has more names them by its
part ``computer``, an object of the class :class:`Computer`. A computer plays by the actions that people have, and knows
what its side knows: of two states that look alike to its side it chooses the same. The same seed chooses the same.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from tabletop.errors import UsageError
from tabletop.game.errors import GameError
from tabletop.game.parts import part, parts_of
from tabletop.game.protocol import Ruleset

SIMPLE = "simple"


@dataclass(frozen=True)
class WinChance:
    """A side's chance to win as a computer player sees it; nineteen times in twenty it is from ``low`` to ``high``."""

    chance: float
    low: float
    high: float


@dataclass(frozen=True)
class Choice:
    """What a computer player does now, why in a sentence for the players (nothing in it that its side hides), and
    where it weighs whole games the chance that it gives its side."""

    action: Any
    why: str = ""
    chance: WinChance | None = None


class StuckError(GameError):
    """Nobody has anything legal to do."""

    def __init__(self) -> None:
        super().__init__("No player has anything legal to do, so this game is stuck.")


class Computer(Protocol):
    """The computer players of a ruleset."""

    @property
    def levels(self) -> tuple[str, ...]:
        """Their names, the weakest first; the first is ``simple``."""

    def choose(self, state: Any, side: str, level: str, rng: random.Random) -> Choice:
        """What the player of a level does for a side whose action the game waits for; always legal."""


@runtime_checkable
class Limited(Computer, Protocol):
    """The computer players of rules in which not all of them play every side of every game."""

    def levels_for(self, state: Any, side: str) -> tuple[str, ...]:
        """The levels that play a side of this game, the weakest first; none where no player commands it."""


@runtime_checkable
class Reacting(Computer, Protocol):
    """The computer players of rules by which a side also acts while the game waits for another."""

    def react(self, state: Any, side: str, level: str, rng: random.Random) -> Choice | None:
        """What the player of a level does for a side out of turn; ``None`` where it lets the other side go on."""


@runtime_checkable
class Ranking(Computer, Protocol):
    """The computer players of rules that also say what they would do else, where the first can't be done on a table."""

    def choices(self, state: Any, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
        """What the player of a level would do for a side whose action the game waits for, best first, each with its
        reason; all are legal, and the first is the one of ``choose``."""


class Ranked(ABC):
    """Computer players that say all that they would do, best first: a :class:`Ranking` of ``rules`` whose ``choose`` is
    the first of its ``choices``. What may not be done is left out, so that :meth:`wishes` needs not ask.
    """

    rules: Ruleset[Any, Any, Any]

    @abstractmethod
    def wishes(self, state: Any, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
        """What the player of a level would like to do for a side now, best first, legal or not."""

    def choices(self, state: Any, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
        """Those of its wishes that may be done."""
        return (wish for wish in self.wishes(state, side, level, rng) if not self.rules.check(state, wish.action))

    def choose(self, state: Any, side: str, level: str, rng: random.Random) -> Choice:
        """The best of them; raises StuckError where there is none."""
        for choice in self.choices(state, side, level, rng):
            return choice
        raise StuckError


def levels_of(rules: str) -> tuple[str, ...]:
    """The levels that computers play these rules at, the weakest first."""
    computer = _computer_of(rules)
    return (SIMPLE,) if computer is None else computer.levels


def levels_by_side(rules: Ruleset[Any, Any, Any], state: Any) -> dict[str, tuple[str, ...]]:
    """The sides of a game that computers may play for people, each with its levels, the weakest first.

    None where there are no rules to play by, or where the rules play all sides but one: a person plays that.
    """
    found = players_by_side(rules, state)
    return found if len(found) > 1 else {}


def players_by_side(rules: Ruleset[Any, Any, Any], state: Any) -> dict[str, tuple[str, ...]]:
    """The sides of a game that computers can play at all, also alone, each with its levels, the weakest first."""
    if parts_of(rules.name).free:
        return {}
    computer = _computer_of(rules.name)
    if not isinstance(computer, Limited):
        return dict.fromkeys(rules.sides(state), levels_of(rules.name))
    found = {side: computer.levels_for(state, side) for side in rules.sides(state)}
    return {side: levels for side, levels in found.items() if levels}


def choose(rules: Ruleset[Any, Any, Any], state: Any, side: str, level: str, rng: random.Random) -> Choice:
    """What a computer of a level does now for a side whose action the game waits for.

    Raises UsageError for a level that these rules do not have, StuckError where nothing legal is left to do.
    """
    check_level(rules.name, level)
    computer = _computer_of(rules.name)
    if computer is not None:
        return computer.choose(state, side, level, rng)
    return Choice(first_legal(rules, state, rules.bot_actions(state, rng)))


def choices(rules: Ruleset[Any, Any, Any], state: Any, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
    """What a computer of a level would do for a side whose action the game waits for, best first: :func:`choose`'s, and
    what its rules can say besides. Raises what that does."""
    check_level(rules.name, level)
    computer = _computer_of(rules.name)
    if isinstance(computer, Ranking):
        yield from computer.choices(state, side, level, rng)
    else:
        yield choose(rules, state, side, level, rng)


def reaction(rules: Ruleset[Any, Any, Any], state: Any, side: str, level: str, rng: random.Random) -> Choice | None:
    """What a computer of a level does for a side that the game does not wait for; ``None``: nothing."""
    check_level(rules.name, level)
    computer = _computer_of(rules.name)
    return computer.react(state, side, level, rng) if isinstance(computer, Reacting) else None


def _computer_of(rules: str) -> Computer | None:
    """The computer players that a ruleset brings, if any."""
    return part(rules, "computer") if parts_of(rules).computer else None


def check_level(rules: str, level: str) -> None:
    """Raises UsageError for a level that no computer plays these rules at."""
    known = levels_of(rules)
    if level not in known:
        raise UsageError(f'No computer plays {rules} at the level "{level}"; expected {" or ".join(known)}.')


def first_legal(rules: Ruleset[Any, Any, Any], state: Any, wishes: Iterable[Any]) -> Any:
    """The first of some actions that may be done; raises StuckError where none may."""
    for wish in wishes:
        if not rules.check(state, wish):
            return wish
    raise StuckError
