"""Advice before an action: the choice of a search with its depth, and the other side's possible replies."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.errors import UsageError
from tabletop.game.computers import choose, levels_of
from tabletop.game.core import Game
from tabletop.game.errors import GameError
from tabletop.game.parts import PARTS, part
from tabletop.game.protocol import PUBLIC
from tabletop.game.text_parts import side_titles


@dataclass(frozen=True)
class Advice:
    """The recommended actions, in words and in their order (the first is the one to do now), and a sentence on how far
    ahead the search looked."""

    line: tuple[str, ...]
    says: str
    action: Mapping[str, Any] | None = None
    """The first action as JSON."""

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        return {"line": list(self.line), "says": self.says}


def gives_hints(rules: str) -> bool:
    """Whether games of these rules have hints."""
    return bool(PARTS[rules].hint) or len(levels_of(rules)) > 1


def advice(game: Game, viewer: str | None = PUBLIC) -> Advice | None:
    """The recommended action now; ``None`` without a choice.

    For rules without a search, it is the choice of their strongest computer player for the side to act. Raises
    UsageError for rules without advice, and for a ``viewer`` (as of :meth:`tabletop.game.protocol.Ruleset.view`) who
    may not know what that side knows.
    """
    name, side = game.ruleset.name, game.to_act
    if not gives_hints(name):
        raise UsageError(f"No search advises in games of {name}: its dice or its secrets decide too much.")
    if side is None:
        return None
    if PARTS[name].hint:
        found: Advice | None = part(name, "hint")(game.state)
        return found
    if side in game.ruleset.hidden_by(game.state) and viewer not in (None, side):
        raise UsageError("What comes next is decided in secret: only its own side is advised.")
    return _by_computer(game, side)


def _by_computer(game: Game, side: str) -> Advice | None:
    """The choice of the strongest computer for a side now."""
    rules, state = game.ruleset, game.state
    rng = random.Random(f"{game.records[0].id} {game.standing_seq} {side}")
    try:
        choice = choose(rules, state, side, levels_of(rules.name)[-1], rng)
    except GameError:
        return None  # the other side is to act first
    label = rules.actions.label(choice.action, side_titles(game))[0]
    says = f"{label}.{f' {choice.why}' if choice.why else ''}"
    return Advice((label,), says, rules.action_to_json(choice.action))


def dangers(game: Game, action: Any) -> tuple[str, ...]:
    """The other side's possible replies to an action, in sentences; none if the rules have no such part, or if anything
    is hidden."""
    name = game.ruleset.name
    if not PARTS[name].dangers or game.ruleset.hides(game.state):
        return ()
    sentences: tuple[str, ...] = part(name, "dangers")(game.state, action)
    return sentences
