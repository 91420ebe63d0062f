"""A fight as it is to be expected where all units stay as they stand: fire turn and turn about, by average hits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tabletop.rulesets.one_hour_ww2.odds import hit_penalty

A_KILL = 5.0
"""What destroying a unit for certain counts, in hits."""
_WEAKER = 0.25
"""The part of an unhurt unit's fire that each step of its own hits takes."""
_LATER = 0.75
"""What a round counts beside the one before: units do not stay as they stand."""


@dataclass(frozen=True)
class Fight:
    """Who may fire at whom with how many hits on average, as the units stand, and what each has taken.

    ``own`` and ``enemies`` are both sides' units; ``ready`` those of either that may fire in the other side's step,
    ``waiting`` the side's own that are still to act in this phase. ``fear`` is what its own losses count beside others.
    """

    own: Collection[str]
    enemies: Collection[str]
    hits: Mapping[str, int]
    fire: Mapping[tuple[str, str], float]
    ready: Collection[str]
    waiting: Collection[str]
    destroyed_at: int
    fear: float = 1.0

    def balance(self) -> float:
        """What the enemies lose more than the side, in hits: the rest of this phase, and the next two of each side."""
        taken: dict[str, float] = dict(self.hits)
        known = {firer for firer, _ in self.fire}
        rounds = (
            ([name for name in self.enemies if name in self.ready], 1.0),
            (self.waiting, 1.0),
            (self.enemies, 1.0),
            ([name for name in self.own if name in self.ready], 1.0),
            (self.own, 1.0),
            (self.enemies, _LATER),
            (self.own, _LATER),
        )
        total = 0.0
        for firers, counts in rounds:
            for firer in firers:
                if firer in known and taken[firer] < self.destroyed_at:
                    done = self._fires(firer, taken)
                    total += counts * (done if firer in self.own else -self.fear * done)
        return total

    def _fires(self, firer: str, taken: dict[str, float]) -> float:
        """What a unit's best shot does, in hits; the target has them taken."""
        steps = hit_penalty(self.hits[firer]) - hit_penalty(int(taken[firer]))
        force = 1.0 - _WEAKER * steps
        best: tuple[float, str, float] | None = None
        for target in self._targets(firer):
            left = self.destroyed_at - taken[target]
            if left <= 0:
                continue
            hits = min(force * self.fire[firer, target], left)
            worth = hits * (1.0 + taken[target] / (2 * self.destroyed_at)) + (A_KILL if hits >= left else 0.0)
            if best is None or worth > best[0]:
                best = worth, target, hits
        if best is None:
            return 0.0
        _, target, hits = best
        taken[target] += hits
        return hits + (A_KILL if taken[target] >= self.destroyed_at else 0.0)

    def _targets(self, firer: str) -> Iterable[str]:
        others = self.enemies if firer in self.own else self.own
        return (target for target in others if (firer, target) in self.fire)
