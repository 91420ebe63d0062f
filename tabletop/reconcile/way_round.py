"""A photo that does not show which edge of its table is the near one, oriented by the units of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tabletop.changes.proposals import Proposal
from tabletop.identity.observation_rows import Observation
from tabletop.identity.other_table import bases_in_zones
from tabletop.identity.question import way_round_asked
from tabletop.identity.table_snapshot import BaseSighting, Sighting, sighting_from_json
from tabletop.questions.settling import settle

_CLEARLY = 2.0
_LEAST_UNITS = 2
_LEAST_BASES, _MOST_INSIDE = 6, 0.8
_MOVED_IN = 12.0
BY_GAME = "game"
"""The author of answers that follow from the places of a game's units."""


def nothing_yet(question: Mapping[str, Any]) -> Proposal:
    """The proposal while the orientation is open: only its question, because every place may be wrong."""
    says = f"{question['says']} Until that is answered, this photo says nothing of the game."
    return Proposal(None, "uncertain", question=says)


def ways_round(observation: Observation) -> dict[str, Observation]:
    """An observation in its possible orientations, by the edge that is nearest the camera; none if that is known."""
    question = way_round_asked(observation)
    edges = [one["value"] for one in question["answers"]] if question else []
    return {edge: settle(observation, {str(question["id"]): edge}, by=BY_GAME) for edge in edges if question}


def turned_by_units(observation: Observation, known: Sighting, elsewhere: Sequence[BaseSighting] = ()) -> Observation:
    """An observation in the orientation that clearly brings its units nearest to their known places; during deployment,
    in the one that brings bases into their deployment zones. Unchanged if no orientation does, or none is in question.
    ``elsewhere``: a sample base of each unit that will come onto the table."""
    ways = ways_round(observation)
    if not ways:
        return observation
    seen = {edge: sighting_from_json(turned) for edge, turned in ways.items()}
    apart = {edge: _apart_in(one, known) for edge, one in seen.items()}
    best, *rest = sorted(apart, key=lambda edge: apart[edge])
    if apart[best] <= _MOVED_IN and apart[best] * _CLEARLY <= apart[rest[0]]:
        return ways[best]
    zoned = {edge: [is_in for is_in, _ in bases_in_zones(known, one, elsewhere)] for edge, one in seen.items()}
    best, *rest = sorted(zoned, key=lambda edge: -sum(zoned[edge]))
    count, inside = len(zoned[best]), sum(zoned[best])
    if count < _LEAST_BASES or inside < _MOST_INSIDE * count or inside < _CLEARLY * sum(zoned[rest[0]]):
        return observation
    return ways[best]


def _apart_in(seen: Sighting, known: Sighting) -> float:
    """The median distance of units from their known places; infinite for too few of them."""
    both = [unit for unit in known.units if unit in seen.units]
    if len(both) < _LEAST_UNITS:
        return float("inf")
    middles = [
        [np.mean([one.pieces[i].center for i in one.rows(unit)], axis=0) for unit in both] for one in (seen, known)
    ]
    return float(np.median(np.linalg.norm(np.array(middles[0]) - np.array(middles[1]), axis=1)))
