"""Reports in JSON: on a scene, shot by shot (contract, section 5), and on a position (section 6). Inches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict, final

Verdict = Literal["yes", "no", "too-close"]
SightVerdict = Literal["clear", "blocked", "too-close"]
Place = Sequence[float]
Edge = Sequence[Place]

# --- on a scene ------------------------------------------------------------------------------------------------------


class RangeRow(TypedDict):
    """The range of a shot; ``possible`` are all bands that it may be in, the measured one first."""

    value: float
    sigma: float
    band: str
    possible: NotRequired[Sequence[str]]


class ObserverRow(TypedDict):
    """The friendly unit that observes for a shot."""

    unit: str
    verdict: SightVerdict
    blocked_by: Sequence[str]


class SightRow(TypedDict):
    """The firer's own sight, and its observer."""

    verdict: SightVerdict
    blocked_by: Sequence[str]
    concealed_and_ready: NotRequired[bool]
    observer: NotRequired[ObserverRow]


class ArcRow(TypedDict, total=False):
    """Whether a shot goes to the firer's own rear and comes from the target's; ``..._open``: too close to call."""

    firing_to_rear: bool
    firing_to_rear_open: bool
    firing_on_rear: bool
    firing_on_rear_open: bool


class ModifierRow(TypedDict):
    """A modifier: a number added to a die, or a factor of the hits."""

    name: str
    add: NotRequired[int]
    multiply: NotRequired[float]


class OddsRow(TypedDict):
    """The modifiers of a shot and the probability of every number of hits."""

    modifiers: Sequence[ModifierRow]
    hits: dict[str, float]
    expected_hits: float


class AlternativeRow(OddsRow):
    """The odds ``when`` an open point is otherwise."""

    when: str


class PriorityRow(TypedDict):
    """The rank of a shot among its firer's, by the rules' priorities and by expected hits, with reasons."""

    rank: int
    hits_rank: NotRequired[int]
    of: int
    why: str


LineRow = TypedDict("LineRow", {"from": Edge, "to": Edge, "length": float, "verdict": SightVerdict})
"""A line of sight from an edge of one base to one of another."""


class DrawRow(TypedDict):
    """The drawing of a shot: the ends of its range, its lines of sight and where they are blocked."""

    range: Sequence[Place]
    sight: Sequence[LineRow]
    blocked_at: Sequence[Place]


class ShotRow(OddsRow):
    """A shot, judged."""

    firer: str
    target: str
    verdict: Verdict
    range: RangeRow
    sight: SightRow
    arc: ArcRow
    reasons: list[str]
    draw: NotRequired[DrawRow]
    alternatives: NotRequired[Sequence[AlternativeRow]]
    priority: NotRequired[PriorityRow]


class ThreatRow(TypedDict):
    """A unit with enemies near it."""

    unit: str
    by: list[str]


class FormationRow(TypedDict):
    """A unit's formation: faults, doubts and notes."""

    unit: str
    faults: Sequence[str]
    doubts: NotRequired[Sequence[str]]
    notes: NotRequired[Sequence[str]]


@final
class Report(TypedDict):
    """A scene, judged."""

    version: int
    rules: str
    dice: NotRequired[str]
    shots: Sequence[ShotRow]
    threatened: Sequence[ThreatRow]
    threatened_too_close: NotRequired[Sequence[ThreatRow]]
    formation: Sequence[FormationRow]
    removed: NotRequired[Sequence[str]]


# --- on a position ---------------------------------------------------------------------------------------------------

LineOfFireRow = TypedDict("LineOfFireRow", {"from": str, "to": str, "range": int, "terrain": str, "own_fire": str})
"""A line between two hexes: its state after terrain and smoke, and the effect of friendly platoons."""


class FireRow(TypedDict):
    """The effect of a platoon's fire, alone."""

    platoon: str
    target: str
    modifier: int
    spent: float
    broken: float
    guns_broken: NotRequired[float]
    modifiers: NotRequired[Sequence[ModifierRow]]


class PayoffRow(TypedDict):
    """The best cluster of a counter."""

    enemy: str
    hexes: Sequence[str]
    payoff: int


@final
class PositionReport(TypedDict):
    """A position, judged."""

    version: int
    rules: str
    lines: Sequence[LineOfFireRow]
    fire: Sequence[FireRow]
    payoffs: Sequence[PayoffRow]
    warnings: NotRequired[Sequence[str]]
