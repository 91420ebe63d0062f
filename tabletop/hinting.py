"""Advice in games of perfect information: what a search that says how deep it looks would do now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tabletop.errors import UsageError
from tabletop.game.core import Game
from tabletop.rulesets.parts import PARTS, part


@dataclass(frozen=True)
class Advice:
    """The actions advised, in words and in their order (the first is the one to do now), and a sentence that says how
    far ahead was looked."""

    line: tuple[str, ...]
    says: str

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


__all__ = ["Advice", "advice", "gives_hints"]
