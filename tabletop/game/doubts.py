"""Rulings while the last photo of a game's table has open questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tabletop.game.protocol import Odds, Ruleset
from tabletop.game.violations import Violation
from tabletop.words import and_list

_OF_PIECES = ("name-taken", "too-much-terrain")
"""Violations that do not concern the table itself."""


@dataclass(frozen=True, eq=False)
class InDoubt:
    """The ``state`` of a game if the doubtful parts of its photo are there, ``why`` that is not known, a sentence
    without its full stop, and the ``questions`` that ask for it."""

    state: Any
    why: str
    questions: tuple[str, ...] = ()

    @property
    def violation(self) -> Violation:
        """The violation of an action that is ruled differently in that state."""
        asked = and_list([f"“{question}”" for question in self.questions]) or "that"
        text = f"{self.why}, and this depends on it: answer {asked} first."
        return Violation("terrain-open", text, answer="too-close")

    def weigh(
        self, found: Sequence[Violation], other: Sequence[Violation], odds: Callable[[Any], Odds | None], state: Any
    ) -> tuple[Violation, ...]:
        """The violations of an action, ``found`` in ``state`` and with the ``other`` ones of the alternative state:
        rulings that differ are too close to call, and so are odds that differ. The names of pieces in doubt are free,
        and these pieces do not count against a table's limits."""
        if any(violation.firm for violation in found):
            return tuple(found)
        other = [violation for violation in other if violation.code not in _OF_PIECES]
        same = {(v.code, v.answer) for v in found} & {(v.code, v.answer) for v in other}
        if len(same) == len({v.code for v in found}) == len({v.code for v in other}):
            closed = any(violation.answer == "no" for violation in found)
            if closed or _json(odds(state)) == _json(odds(self.state)):
                return tuple(found)
        told = (v if (v.code, v.answer) in same else replace(v, answer="too-close") for v in found)
        return (*told, self.violation)


def check_in_doubt(
    rules: Ruleset[Any, Any, Any], state: Any, action: Any, doubt: InDoubt | None
) -> tuple[Violation, ...]:
    """All violations of an action in a state; a ruling that differs in the game's alternative state is too close to
    call."""
    found = rules.check(state, action)
    if doubt is None:
        return found
    return doubt.weigh(found, rules.check(doubt.state, action), lambda each: rules.odds(each, action), state)


def _json(odds: Odds | None) -> Mapping[str, Any] | None:
    return None if odds is None else odds.to_json()
