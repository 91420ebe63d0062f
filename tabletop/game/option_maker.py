"""Options made one by one, for rulesets that list their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from tabletop.game.actions import ActionSet, OpenAction
from tabletop.game.domains import Domain
from tabletop.game.protocol import Odds, Option
from tabletop.game.violations import Violation

State = TypeVar("State")


@dataclass(frozen=True)
class OptionMaker(Generic[State]):
    """Makes the options of a ``state``: ``check`` says what speaks against an action, ``odds`` works out its odds, and
    ``side`` is the side of an option that names none."""

    actions: ActionSet[Any]
    state: State
    check: Callable[[State, Any], tuple[Violation, ...]]
    odds: Callable[[State, Any], Odds | None] = lambda state, action: None
    side: str = ""

    def __call__(
        self,
        action: Any,
        side: str = "",
        *,
        unit: str | None = None,
        target: str | None = None,
        advice: str = "",
        legal: bool = False,
    ) -> Option:
        """The option of an action, which is judged unless it is known to be ``legal``; its ``unit`` is the action's
        where no other is given."""
        unit = unit or getattr(action, "unit", None) or None
        against, odds = () if legal else self.check(self.state, action), partial(self.odds, self.state, action)
        return Option(self.actions, action, side or self.side, unit, target, {}, against, advice, odds)

    def open(
        self,
        cls: type,
        values: Mapping[str, Any],
        fields: Mapping[str, Domain | None],
        side: str = "",
        *,
        unit: str | None = None,
        advice: str = "",
    ) -> Option:
        """The option of an action with these ``fields`` left to fill in."""
        return Option(self.actions, OpenAction(cls, values, fields), side or self.side, unit=unit, advice=advice)
