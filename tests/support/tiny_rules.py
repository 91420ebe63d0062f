"""The smallest ruleset that a log can hold: two sides count up by what a die shows, or pass."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabletop.game.errors import EventError
from tabletop.game.protocol import NO_DICE, Dice
from tabletop.game.violations import Violation

SIDES = ("blue", "red")


@dataclass(frozen=True)
class Tally:
    counts: tuple[int, ...] = (0, 0)
    turn: int = 0


@dataclass(frozen=True)
class Happened:
    """``kind`` and its numbers: laid-out, counted, passed."""

    kind: str
    body: Mapping[str, Any] = field(default_factory=dict)


class TinyRules:
    name = "tiny"
    version = 2

    def start(self, setup: object) -> tuple[Happened, ...]:
        return (Happened("laid-out", {"counts": setup}), Happened("passed"))

    def apply(self, state: Tally | None, event: Happened) -> Tally:
        if state is None:
            return Tally(tuple(event.body["counts"]))
        if event.kind == "passed":
            return Tally(state.counts, state.turn + 1)
        side = SIDES.index(event.body["side"])
        if event.body["by"] > 6:
            raise EventError("no die shows that.")
        counts = list(state.counts)
        counts[side] += event.body["by"]
        return Tally(tuple(counts), state.turn)

    def check(self, state: Tally, action: str) -> tuple[Violation, ...]:
        return () if action in ("count", "pass") else (Violation("unknown", f"{action} is no action."),)

    def actor(self, state: Tally, action: str) -> str:
        return SIDES[state.turn % 2]

    def to_act(self, state: Tally) -> str:
        return SIDES[state.turn % 2]

    def dice(self, state: Tally, action: str) -> Dice:
        return Dice(1, (1, 2, 3, 4, 5, 6)) if action == "count" else NO_DICE

    def resolve(
        self, state: Tally, action: str, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[Happened, ...]:
        passed = Happened("passed")
        return (Happened("counted", {"side": self.to_act(state), "by": dice[0]}), passed) if dice else (passed,)

    def is_free(self, event: Happened) -> bool:
        return event.kind == "passed"

    def hides(self, state: Tally) -> bool:
        return False

    def text(self, action: str) -> str:
        return action

    def event_to_json(self, event: Happened) -> tuple[str, dict[str, Any]]:
        return event.kind, dict(event.body)

    def event_from_json(self, kind: str, body: Mapping[str, Any], version: int) -> Happened:
        if kind not in ("laid-out", "counted", "passed"):
            raise EventError(f'"{kind}" is no event of Tiny.')
        if version == 1 and kind == "counted":
            return Happened(kind, {"side": body["who"], "by": body["by"]})
        return Happened(kind, body)


RULES = TinyRules()
