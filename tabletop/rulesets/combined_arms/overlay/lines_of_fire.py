"""Lines of fire and arcs of a reading, for its picture."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.rulesets.combined_arms.board import DISTANCE, FULLY, NAMES, NUMBER, PARTLY, bits, members
from tabletop.rulesets.combined_arms.data import DEFENSIVE, RANGE
from tabletop.rulesets.combined_arms.overlay.forces import Stander
from tabletop.rulesets.combined_arms.overlay.reading import Reading
from tabletop.rulesets.combined_arms.sights import Line, line

ENEMY = ("counter", "platoon")


@dataclass(frozen=True)
class Traced:
    """The line between the hexes of a platoon and of an enemy counter: what it is by terrain and smoke, and the names
    of the hexes that make it so."""

    start: str
    end: str
    line: Line
    by: tuple[str, ...]


def blocking_hexes(reading: Reading) -> int:
    """The hexes that block lines of fire, as a set: defensive terrain and smoke."""
    smoke = [s.footing.cell for s in reading.forces.standers if s.kind == "smoke" and s.footing.cell]
    cover = [h.name for h in reading.hexes if h.terrain.word in DEFENSIVE]
    return bits(NUMBER[name] for name in dict.fromkeys([*cover, *smoke]))


def lines_of_fire(reading: Reading) -> tuple[Traced, ...]:
    """Every line within range between a hex with platoons and one with an enemy counter, by terrain and smoke alone."""
    blocking = blocking_hexes(reading)
    platoons = _hexes([s for s in reading.forces.standers if s.is_platoon])
    enemies = _hexes([s for s in reading.forces.standers if s.kind in ENEMY and not s.is_platoon])
    return tuple(
        Traced(NAMES[a], NAMES[b], line(a, b, blocking), _by(a, b, blocking))
        for a in platoons
        for b in enemies
        if 1 <= DISTANCE[a][b] <= RANGE
    )


def _hexes(standers: list[Stander]) -> list[int]:
    return list(dict.fromkeys(NUMBER[s.footing.cell] for s in standers if s.footing.cell))


def _by(a: int, b: int, blocking: int) -> tuple[str, ...]:
    fully = blocking & FULLY[a][b]
    return tuple(NAMES[n] for n in members(fully or blocking & PARTLY[a][b]))
