"""Advice before an action: what a search that says how deep it looks would do, and what the other side may do then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.errors import UsageError
from tabletop.game.core import Game
from tabletop.game.parts import PARTS, part


@dataclass(frozen=True)
class Advice:
    """The actions advised, in words and in their order (the first is the one to do now), and a sentence that says how
    far ahead was looked."""

    line: tuple[str, ...]
    says: str
    action: Mapping[str, Any] | None = None
    """The first action as JSON."""

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        return {"line": list(self.line), "says": self.says}


def gives_hints(rules: str) -> bool:
    """Whether a search advises in games of these rules."""
    return bool(PARTS[rules].hint)


def advice(game: Game) -> Advice | None:
    """What to do now; ``None`` where there is nothing to choose. Raises UsageError for rules without advice."""
    name = game.ruleset.name
    if not gives_hints(name):
        raise UsageError(f"No search advises in games of {name}: its dice or its secrets decide too much.")
    found: Advice | None = None if game.outcome is not None else part(name, "hint")(game.state)
    return found


def dangers(game: Game, action: Any) -> tuple[str, ...]:
    """What the other side may do after an action, in sentences; none where the rules have no such part, or where
    anybody hides anything."""
    name = game.ruleset.name
    if not PARTS[name].dangers or game.ruleset.hides(game.state):
        return ()
    sentences: tuple[str, ...] = part(name, "dangers")(game.state, action)
    return sentences


__all__ = ["Advice", "advice", "dangers", "gives_hints"]
