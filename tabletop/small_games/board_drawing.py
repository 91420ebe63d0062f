"""A small game to be drawn, whatever its ground: sides, badges, what is known beside the board."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

from tabletop.boards.data import Badge, BoardSide, Fact
from tabletop.drawing.looks import side_colors
from tabletop.game.protocol import Outcome
from tabletop.small_games.state import Unit
from tabletop.small_games.words import marker_words
from tabletop.words import capital


class Sided(Protocol):
    """A set-up that has sides."""

    @property
    def sides(self) -> Sequence[str]:
        """Their names, in the order of their colours."""

    def side_title(self, side: str) -> str:
        """How people call a side."""


def sides_of(setup: Sided, acting: Collection[str | None], rims: Mapping[str, str] | None) -> tuple[BoardSide, ...]:
    """The sides of a game, those who are ``acting`` now marked, with the colours of their ``rims`` where known."""
    return tuple(
        BoardSide(side, setup.side_title(side), side in acting, (rims or {}).get(side), color)
        for side, color in zip(setup.sides, side_colors(setup.sides), strict=True)
    )


def outcome_facts(setup: Sided, result: Outcome) -> Iterator[Fact]:
    """Who won, and why."""
    yield Fact("Winner", setup.side_title(result.winner) if result.winner else "A draw")
    yield Fact("Because", result.reason)


def turn_facts(state: Any, step: str = "") -> Iterator[Fact]:
    """The game, its turn (none before the first), its ``step`` where turns have several, and whose it is or who won."""
    setup = state.setup
    yield Fact("Game", setup.title)
    if state.turn:
        yield Fact("Turn", f"{state.turn} of {setup.turns}" if setup.turns else str(state.turn))
    if step:
        yield Fact("Phase", capital(step.removeprefix("the ")))
    if state.result is not None:
        yield from outcome_facts(setup, state.result)
    elif state.turn:
        yield Fact("To act", setup.side_title(state.side))


def badges_of(unit: Unit[Any, Any]) -> Iterator[Badge]:
    """A unit's markers, each by its first letter and its number."""
    for (name, number), words in zip(unit.markers.items(), marker_words(unit), strict=True):
        letter = name[:1].upper()
        yield Badge(name, letter if number == 1 else f"{number}{letter}", words)
