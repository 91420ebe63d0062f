"""Computer players: the next action of one for a side, and the reason.

Every ruleset has the level ``simple``, the simple player of its statistics. A ruleset with more levels names them by
its part ``computer``, an object of the class :class:`Computer`. A computer uses the same actions as people, and knows
only what its side knows: in two states that look alike to its side it makes the same choice. The choice is determined
by the seed.
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
    """A side's chance to win as estimated by a computer player; ``low`` to ``high`` is its 95 % interval."""

    chance: float
    low: float
    high: float


@dataclass(frozen=True)
class Choice:
    """A computer player's action now, its reason in a sentence for the players (without its side's secrets), and, if it
    evaluates whole games, the chance that it gives its side."""

    action: Any
    why: str = ""
    chance: WinChance | None = None


class StuckError(GameError):
    """No player has a legal action."""

    def __init__(self) -> None:
        super().__init__("No player has anything legal to do, so this game is stuck.")


class Computer(Protocol):
    """The computer players of a ruleset."""

    @property
    def levels(self) -> tuple[str, ...]:
        """Their names, the weakest first; the first is ``simple``."""

    def choose(self, state: Any, side: str, level: str, rng: random.Random) -> Choice:
        """The action of a level's player for the side to act; always legal."""


@runtime_checkable
class Limited(Computer, Protocol):
    """Computer players that do not all play every side of every game."""

    def levels_for(self, state: Any, side: str) -> tuple[str, ...]:
        """The levels that play a side of this game, the weakest first; none if no player commands it."""


@runtime_checkable
class Reacting(Computer, Protocol):
    """Computer players of rules that let a side act while the game waits for another."""

    def react(self, state: Any, side: str, level: str, rng: random.Random) -> Choice | None:
        """The reaction of a level's player for a side out of turn; ``None`` if it lets the other side continue."""


@runtime_checkable
class Ranking(Computer, Protocol):
    """Computer players with alternatives, for when the first choice can't be done on a table."""

    def choices(self, state: Any, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
        """The choices of a level's player for the side to act, best first, each with its reason; all are legal, and the
        first is the one of ``choose``."""


class Ranked(ABC):
    """Computer players that rank their choices: a :class:`Ranking` of ``rules`` in which ``choose`` returns the first
    of ``choices``. Illegal wishes are left out, so that :meth:`wishes` needs no check.
    """

    rules: Ruleset[Any, Any, Any]

    @abstractmethod
    def wishes(self, state: Any, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
        """The wishes of a level's player for a side now, best first, legal or not."""

    def choices(self, state: Any, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
        """The legal ones among its wishes."""
        return (wish for wish in self.wishes(state, side, level, rng) if not self.rules.check(state, wish.action))

    def choose(self, state: Any, side: str, level: str, rng: random.Random) -> Choice:
        """The best choice; raises StuckError without a legal one."""
        for choice in self.choices(state, side, level, rng):
            return choice
        raise StuckError


def levels_of(rules: str) -> tuple[str, ...]:
    """The computer levels of these rules, the weakest first."""
    computer = _computer_of(rules)
    return (SIMPLE,) if computer is None else computer.levels


def levels_by_side(rules: Ruleset[Any, Any, Any], state: Any) -> dict[str, tuple[str, ...]]:
    """The sides of a game that computers may play for people, each with its levels, the weakest first.

    None if there are no rules to play by, or if the rules play every side but the one that a person plays.
    """
    found = players_by_side(rules, state)
    return found if len(found) > 1 else {}


def players_by_side(rules: Ruleset[Any, Any, Any], state: Any) -> dict[str, tuple[str, ...]]:
    """The sides of a game that computers can play, even without people, each with its levels, the weakest first."""
    if parts_of(rules.name).free:
        return {}
    computer = _computer_of(rules.name)
    if not isinstance(computer, Limited):
        return dict.fromkeys(rules.sides(state), levels_of(rules.name))
    found = {side: computer.levels_for(state, side) for side in rules.sides(state)}
    return {side: levels for side, levels in found.items() if levels}


def choose(rules: Ruleset[Any, Any, Any], state: Any, side: str, level: str, rng: random.Random) -> Choice:
    """The choice of a computer of a level for the side to act.

    Raises UsageError for a level that these rules do not have, StuckError if nothing legal is left to do.
    """
    check_level(rules.name, level)
    computer = _computer_of(rules.name)
    if computer is not None:
        return computer.choose(state, side, level, rng)
    return Choice(first_legal(rules, state, rules.bot_actions(state, rng)))


def choices(rules: Ruleset[Any, Any, Any], state: Any, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
    """The choices of a computer of a level for the side to act, best first: the one of :func:`choose`, and any further
    ones of its rules. Raises the same errors."""
    check_level(rules.name, level)
    computer = _computer_of(rules.name)
    if isinstance(computer, Ranking):
        yield from computer.choices(state, side, level, rng)
    else:
        yield choose(rules, state, side, level, rng)


def reaction(rules: Ruleset[Any, Any, Any], state: Any, side: str, level: str, rng: random.Random) -> Choice | None:
    """The reaction of a computer of a level for a side that the game does not wait for; ``None``: nothing."""
    check_level(rules.name, level)
    computer = _computer_of(rules.name)
    return computer.react(state, side, level, rng) if isinstance(computer, Reacting) else None


def _computer_of(rules: str) -> Computer | None:
    """The computer players of a ruleset, if any."""
    return part(rules, "computer") if parts_of(rules).computer else None


def check_level(rules: str, level: str) -> None:
    """Raise UsageError for an unknown computer level of these rules."""
    known = levels_of(rules)
    if level not in known:
        raise UsageError(f'No computer plays {rules} at the level "{level}"; expected {" or ".join(known)}.')


def first_legal(rules: Ruleset[Any, Any, Any], state: Any, wishes: Iterable[Any]) -> Any:
    """The first legal one of some actions; raises StuckError without any."""
    for wish in wishes:
        if not rules.check(state, wish):
            return wish
    raise StuckError
