"""Violations: the reasons against an action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

from tabletop.game.domains import Choice
from tabletop.words import usage_text

Answer = Literal["no", "too-close"]


@dataclass(frozen=True)
class Violation:
    """One reason against an action: a short ``code``, a sentence, its place in the rules and the numbers.

    ``answer`` is ``too-close`` if the measured uncertainty leaves it open: players who measured at the table may lift
    it. ``firm`` marks violations that not even a referee can lift, because the game could not continue (a missing
    unit). ``field`` and ``choices``: a field of the action that would resolve it, and its possible values; a field of
    several values gets the chosen one added. ``usage``: the typed forms that resolve it, only for users of a terminal.
    """

    code: str
    text: str
    place: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    answer: Answer = "no"
    firm: bool = False
    field: str = ""
    choices: tuple[Choice, ...] = ()
    usage: Annotated[tuple[str, ...], Field(exclude=True)] = ()

    def __str__(self) -> str:
        parts = (self.text, f"[{self.place}]" if self.place else "", usage_text(self.usage))
        return " ".join(part for part in parts if part)

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        return {
            "code": self.code,
            "text": self.text,
            "place": self.place,
            "numbers": dict(self.numbers),
            "answer": self.answer,
            "firm": self.firm,
            **({"field": self.field, "choices": [one.to_json() for one in self.choices]} if self.field else {}),
        }
