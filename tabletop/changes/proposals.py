"""A ruleset's judgement of changes between two moments: whether moves were possible, and what happened.

Rulesets answer in common types; :func:`seeing_of` finds a ruleset's implementation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Any, Literal, Protocol

from tabletop.changes.detection import Changes
from tabletop.errors import RulesError
from tabletop.game.parts import PARTS, with_part
from tabletop.game.protocol import Ruleset
from tabletop.game.violations import Answer, Violation
from tabletop.identity.matching import Limits
from tabletop.identity.table_snapshot import BaseSighting, Sighting
from tabletop.reading.toml_source import did_you_mean, either

KNOWN = with_part("seeing")
"""The module of each ruleset that judges changes."""

DETOUR_IN = 0.05
"""A path that exceeds the straight line by no more than this is reported as straight."""
TRUTH_REASON = "the photo is the truth"
"""The referee's reason for a correction that follows a photo."""


@dataclass(frozen=True)
class MoveRuling:
    """Whether a unit can have made a move with the best roll of its dice, and how likely its dice allow it.

    ``length_in`` is the shortest legal path of the base that went farthest and ``sigma_in`` its spread; ``most_in`` is
    the unit's greatest movement on that path, ``by_road`` with the roads' bonus. ``sums`` are the least sums of its
    ``count`` dice that may suffice and that surely do (``None``: none does), ``chances`` the probabilities that its
    dice surely and perhaps suffice. ``answer`` is ``None`` if nothing speaks against the move, else as for a
    violation. ``straight_in`` is the straight line of that same base, and ``around`` names the obstacles on it.
    """

    unit: str
    answer: Answer | None
    length_in: float
    sigma_in: float
    most_in: float
    by_road: bool
    count: int
    faces: tuple[int, ...]
    sums: tuple[int | None, int | None]
    chances: tuple[Fraction, Fraction]
    violations: tuple[Violation, ...] = ()
    words: tuple[str, ...] = ()
    straight_in: float | None = None
    around: tuple[str, ...] = ()

    @property
    def detour_words(self) -> str:
        """Why the path is longer than the straight line, and that line, in words; empty if it is hardly longer."""
        if self.straight_in is None or self.length_in < self.straight_in + DETOUR_IN:
            return ""
        straight = f"{self.straight_in:.2f}″ in a straight line"
        return f"round {' and '.join(self.around)}; {straight}" if self.around else f"{straight}, which is barred"

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON. ``verdict``: whether the move was possible, ``yes``, ``no`` or ``too-close``."""
        return {
            "verdict": self.answer or "yes",
            "length": round(self.length_in, 4),
            "sigma": round(self.sigma_in, 4),
            "straight": None if self.straight_in is None else round(self.straight_in, 4),
            "around": list(self.around),
            "most": self.most_in,
            "by_road": self.by_road,
            "dice": {"count": self.count, "faces": list(self.faces), "perhaps": self.sums[0], "surely": self.sums[1]},
            "chance": {"surely": float(self.chances[0]), "perhaps": float(self.chances[1])},
            "violations": [v.to_json() for v in self.violations],
            "words": list(self.words),
        }


@dataclass(frozen=True)
class Proposal:
    """An event of the game inferred from a photo: an ``action`` (``None``: a question alone) and its words.

    It is ``certain`` if the photo allows no other reading; ``violations`` are the rules against it in the current game.
    ``question`` is the question to the players, empty for none. ``settled`` holds violations that are too close to call
    by the numbers alone and that the photo resolves. ``told`` describes the sighting in a few words. ``outline``: where
    terrain is.
    """

    unit: str | None
    what: str
    action: Any = None
    words: str = ""
    violations: tuple[Violation, ...] = ()
    certain: bool = False
    question: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    settled: tuple[Violation, ...] = ()
    told: str = ""
    outline: tuple[tuple[float, float], ...] = ()

    @property
    def acceptable(self) -> bool:
        """Whether it can be carried out without asking: certain, legal, and with no dice or answers missing."""
        return self.certain_enough()

    def certain_enough(self, *, measured: bool = False, overrule: bool = False) -> bool:
        """Whether it can be carried out once the players have measured, or the referee overrules the rules."""
        against = [v for v in self.violations if v.firm or not (overrule or (measured and v.answer == "too-close"))]
        return self.action is not None and self.certain and not against and not self.question

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        return {
            "unit": self.unit,
            "what": self.what,
            "told": self.told,
            "action": self.words,
            "certain": self.certain,
            "acceptable": self.acceptable,
            "question": self.question,
            "numbers": dict(self.numbers),
            "violations": [v.to_json() for v in self.violations],
            "settled": [v.to_json() for v in self.settled],
        }


def proposed_action(
    rules: Ruleset,
    state: Any,
    unit: str | None,
    what: str,
    action: Any,
    *,
    question: str = "",
    told: str = "",
    numbers: Mapping[str, float] = MappingProxyType({}),
) -> Proposal:
    """An action with its words and its current violations; it is certain unless it has a question."""
    against = tuple(rules.check(state, action))
    return Proposal(unit, what, action, rules.text(action), against, not question, question, dict(numbers), told=told)


@dataclass(frozen=True)
class Lifted:
    """A violation that did not keep an action (of the event ``seq``) from being carried out, and ``by`` whom it was
    lifted: the ``referee``, the ``players`` who measured, or the ``photo``."""

    seq: int
    by: Literal["referee", "players", "photo"]
    violation: Violation

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        return {"by": self.by, **self.violation.to_json()}


class Seeing(Protocol):
    """A ruleset's judgement of changes. ``dice`` is one of its kinds of dice by name, ``None`` its usual ones."""

    def limits(self, dice: str | None = None) -> Limits:
        """What may happen to a unit between two moments that are one move apart."""

    def judge(self, changes: Changes, dice: str | None = None) -> Mapping[str, MoveRuling]:
        """Whether each unit that moved or turned can have done so, by unit; units that can't be judged are left out."""

    def sighting(self, state: Any) -> Sighting:
        """The table as a game knows it."""

    def elsewhere(self, state: Any) -> Sequence[BaseSighting]:
        """A sample base of each unit that may come from off the table."""

    def propose(self, state: Any, changes: Changes) -> Sequence[Proposal]:
        """What has happened since a game's state, in the order in which it should be resolved."""


def seeing_of(rules: str) -> Seeing:
    """A ruleset's judgement of changes; raises RulesError for one without."""
    if rules not in KNOWN:
        clause = f"expected {either(sorted(KNOWN))}." if rules in PARTS else did_you_mean(rules, sorted(KNOWN))
        raise RulesError(f'No moves are judged by the rules "{rules}"; {clause}')
    found: Seeing = resolve_name(KNOWN[rules])
    return found
