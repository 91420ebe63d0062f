"""How far outside a piece's foot a player draws: the usual margin, and the one learnt from a player's corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from vision.model.errors import CollectionError

AT_TAP_SIGMA = 0.023
"""One standard deviation of :func:`margin_at_tap`."""

_USUAL, _USUAL_SPREAD = 0.07, 0.025
_WORTH = 4  # the usual margin counts for this many of a player's own lines
_AT_TAP, _AT_TAP_SHARE = 0.03, 0.7
_LEAST_SPREAD = 0.01
_MOST = 0.4
_MOST_LINES = 50


@dataclass(frozen=True)
class DrawingMargin:
    """The margin of one player, in shares of a piece's size (:func:`vision.terrain.finger_outlines.size_of`).

    ``mean`` and ``spread`` (one standard deviation) over the player's lines; ``lines``: from how many corrected lines
    they were learned (0: the usual margin). The wider the spread, the more the colours of a photo count.
    """

    mean: float = _USUAL
    spread: float = _USUAL_SPREAD
    lines: int = 0

    def learned_from(self, margins: Sequence[float]) -> DrawingMargin:
        """The margin after more corrected lines, given the margin that each was found to have.

        Old lines fade after fifty, so that the margin follows a player who changes.

        >>> after = DrawingMargin().learned_from([0.14, 0.15, 0.13, 0.14])
        >>> round(after.mean, 3), after.lines
        (0.105, 4)
        """
        mean, spread, lines = self.mean, self.spread, self.lines
        for margin in margins:
            weight = 1 / (_WORTH + min(lines, _MOST_LINES) + 1)
            off = min(max(margin, -_MOST), _MOST) - mean
            # the error of an observed margin is not part of the player's spread
            variance = max(off * off * (1 - weight) - AT_TAP_SIGMA**2, _LEAST_SPREAD**2)
            mean, spread = mean + weight * off, sqrt((1 - weight) * spread**2 + weight * variance)
            lines += 1
        return DrawingMargin(mean, spread, lines)

    def to_json(self) -> dict[str, float]:
        """As a collection stores it."""
        return {"mean": round(self.mean, 4), "spread": round(self.spread, 4), "lines": self.lines}


USUAL_MARGIN = DrawingMargin()
"""The margin of an unknown player, measured with simulated fingers on photographs of real tables."""


def margin_at_tap(depth: float) -> float:
    """The margin of a whole line (a share of the piece's size) by one correcting tap ``depth`` inside it.

    Players tap the middle of the worst place: the line's margin is less than at that one place.
    """
    return _AT_TAP + _AT_TAP_SHARE * depth


def margin_from_json(data: object) -> DrawingMargin:
    """A stored margin; CollectionError where it can't be read."""
    fields = data if isinstance(data, dict) else {}
    mean, spread, lines = (fields.get(name) for name in ("mean", "spread", "lines"))
    numbers = [v for v in (mean, spread, lines) if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(numbers) != 3 or not (abs(numbers[0]) <= _MOST and 0 < numbers[1] <= _MOST and numbers[2] >= 0):
        raise CollectionError("The stored drawing margin can't be read: delete it and correct some outlines again.")
    return DrawingMargin(float(numbers[0]), float(numbers[1]), int(numbers[2]))
