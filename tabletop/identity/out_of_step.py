"""Whether a new sighting of a table can follow the previous one, or the two are out of step, and the remedies.

A missed photo, another table, moved frame markers or bases put back wrongly show in facts that were *read*, never in
inferred ones: units farther away than any move allows, units exactly at the places of others, the whole table shifted,
other terrain, most units gone. One such unit may be a slip and is only reported; with several, the sightings are out of
step, and nothing is named from before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import shapely
from scipy.optimize import linear_sum_assignment

from tabletop.identity.matching import IdentifyConfig, Limits
from tabletop.identity.table_snapshot import BaseSighting, Sighting
from tabletop.identity.unit_motion import NEVER, distances, match_pieces, spread_in
from tabletop.words import and_list

State = Literal["in step", "out of step", "another table"]


@dataclass(frozen=True)
class SyncConfig:
    """``several`` contradicting units make two sightings out of step; ``shifted_share`` of at least ``shifted_units``
    units that all moved ``shifted_in`` or more the same way, equal within ``alike_in``, are a shifted table;
    ``same_terrain``: the terrain is different if less of it overlaps (the common area as a share of the smaller one,
    for kinds that both show, because one may have missed what the other shows); ``gone_share`` of at least
    ``gone_units`` units missing, with too few nameless bases to be theirs."""

    several: int = 2
    shifted_units: int = 4
    shifted_share: float = 0.8
    shifted_in: float = 0.4
    alike_in: float = 0.25
    same_terrain: float = 0.35
    gone_share: float = 0.6
    gone_units: int = 4
    identify: IdentifyConfig = field(default_factory=IdentifyConfig)


@dataclass(frozen=True)
class Reason:
    """A reason why two sightings do not follow each other: ``code`` (too-far, make, names, shifted, terrain, gone), a
    sentence, the units concerned, the numbers."""

    code: str
    says: str
    units: tuple[str, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        numbers = {key: round(value, 4) for key, value in self.numbers.items()}
        return {"code": self.code, "says": self.says, "units": list(self.units), "numbers": numbers}


@dataclass(frozen=True)
class WayBack:
    """A remedy when two sightings are out of step: its id and a sentence."""

    id: str
    says: str


ANOTHER_TABLE = (
    WayBack("drop", "Drop the photo: nothing of it counts."),
    WayBack("use", "Use it anyway."),
)
"""The remedies for a photo that seems to show a different table."""
WAYS_BACK = (
    WayBack("retake", "Photograph the table again, with all frame markers in view, and compare that photo."),
    WayBack(
        "accept", "Take the new photo as the truth: observe it without the previous one, and correct the game to it."
    ),
    WayBack("keep", "Keep what was known before, and leave the new photo out."),
)
"""The remedies when two sightings are out of step."""


@dataclass(frozen=True)
class Sync:
    """Whether two sightings follow each other: they do without reasons against it. ``another``: the evidence in words
    that the later one shows a different table."""

    reasons: tuple[Reason, ...] = ()
    another: str = ""

    @property
    def state(self) -> State:
        """``in step``, ``out of step`` or ``another table``."""
        return "another table" if self.another else "out of step" if self.reasons else "in step"

    @property
    def in_step(self) -> bool:
        """Whether the later sighting can be read with the earlier one."""
        return self.state == "in step"

    @property
    def ways_back(self) -> tuple[WayBack, ...]:
        """The remedies; none if the two are in step."""
        return () if self.in_step else ANOTHER_TABLE if self.another else WAYS_BACK

    @property
    def says(self) -> str:
        """One sentence for people; empty if the two are in step."""
        if self.in_step:
            return ""
        if self.another:
            return f"This photo seems to show a different table: {self.another}. Drop it, or use it anyway."
        why = "; ".join(reason.says for reason in self.reasons)
        return (
            f"This photo is out of step with what was known before: {why}. Nothing was named from before; photograph "
            "again, take this photo as the truth, or leave it out."
        )

    @property
    def question(self) -> Mapping[str, Any] | None:
        """The question whether to use a photo that seems to show a different table; ``None`` for any other."""
        if not self.another:
            return None
        use = {"value": "this", "chance": 0.0, "says": "Use it anyway"}
        about: dict[str, Any] = {"id": "table", "about": "table", "ask": "table", "covers": [["table"]]}
        return {**about, "says": self.says, "answers": [use], "others": [], "after": None}

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        return {
            "state": self.state,
            "reasons": [reason.to_json() for reason in self.reasons],
            "ways_back": [dict(vars(way)) for way in self.ways_back],
        }


def sync_of(before: Sighting, after: Sighting, limits: Limits | None = None, config: SyncConfig | None = None) -> Sync:
    """Whether ``after`` can follow ``before``; ``limits`` are the limits of one move, none if no rules are known."""
    chosen, bounds = config or SyncConfig(), limits or Limits()
    both = [unit for unit in before.units if unit in after.units]
    pairs = {unit: (_pieces(before, unit), _pieces(after, unit)) for unit in both}
    shifted = _table_shift(pairs, chosen)
    found = [
        shifted,
        None if shifted else _too_far(pairs, bounds, chosen),
        _other_make(pairs, chosen),
        None if shifted else _other_names(before, pairs, chosen),
        _other_terrain(before, after, chosen),
        _most_gone(before, after, chosen),
    ]
    return Sync(tuple(reason for reason in found if reason is not None))


_Pairs = Mapping[str, tuple[list[BaseSighting], list[BaseSighting]]]


def _pieces(sighting: Sighting, unit: str) -> list[BaseSighting]:
    return [sighting.pieces[i] for i in sighting.rows(unit)]


def _too_far(pairs: _Pairs, limits: Limits, config: SyncConfig) -> Reason | None:
    """Several units moved farther than a unit of their kind can at once."""
    over: dict[str, float] = {}
    for unit, (old, new) in pairs.items():
        most = limits.most(old[0].kind or new[0].kind)
        for i, j in match_pieces(old, new):
            away = float(np.linalg.norm(old[i].center - new[j].center))
            if away > most + config.identify.slack_in + 3 * spread_in(old[i], new[j]):
                over[unit] = max(away, over.get(unit, 0.0))
    if len(over) < config.several:
        return None
    far = max(over, key=lambda unit: over[unit])
    says = f"{and_list(list(over))} are farther from where they were than a move takes them ({far} {over[far]:.1f}″)"
    return Reason("too-far", says, tuple(over), {"farthest_in": over[far]})


def _other_make(pairs: _Pairs, config: SyncConfig) -> Reason | None:
    """Several units with bases of another make than before."""
    units = [unit for unit, (old, new) in pairs.items() if (distances(old, new) >= NEVER).all()]
    if len(units) < config.several:
        return None
    return Reason("make", f"the bases of {and_list(list(units))} are of another make than before", tuple(units))


def _other_names(before: Sighting, pairs: _Pairs, config: SyncConfig) -> Reason | None:
    """Several units that are, base for base, exactly at the former place of another."""
    swapped: dict[str, str] = {}
    for unit, (_, new) in pairs.items():
        for other in before.units:
            if other != unit and _same_places(_pieces(before, other), new, config.identify.place_in):
                swapped[unit] = other
    if len(swapped) < config.several:
        return None
    told = and_list([f"{unit} where {other} stood" for unit, other in swapped.items()])
    return Reason("names", f"units stand exactly where others stood ({told})", tuple(swapped))


def _same_places(old: Sequence[BaseSighting], new: Sequence[BaseSighting], place_in: float) -> bool:
    if len(old) != len(new):
        return False
    plain = [
        BaseSighting(**{**vars(p), "unit": None, "unique": None, "side": None, "kind": None}) for p in (*old, *new)
    ]
    far = distances(plain[: len(old)], plain[len(old) :])
    rows, columns = linear_sum_assignment(far)
    return all(far[i, j] <= place_in + 3 * spread_in(old[i], new[j]) for i, j in zip(rows, columns, strict=True))


def _table_shift(pairs: _Pairs, config: SyncConfig) -> Reason | None:
    """The whole table shifted: nearly all units, of more than one side, moved the same distance in the same
    direction."""
    shifts, noise, sides = [], 0.0, set()
    for old, new in pairs.values():
        met = match_pieces(old, new)
        if met:
            shifts.append(np.mean([new[j].center - old[i].center for i, j in met], axis=0))
            noise = max(noise, *(spread_in(old[i], new[j]) for i, j in met))
            sides.add(old[0].side)
    if len(shifts) < config.shifted_units or len(sides) < 2:
        return None
    middle = np.median(shifts, axis=0)
    alike = np.linalg.norm(np.array(shifts) - middle, axis=1) <= config.alike_in + 3 * noise
    far = float(np.linalg.norm(middle))
    if far < config.shifted_in + 3 * noise or alike.mean() < config.shifted_share:
        return None
    says = f"{int(alike.sum())} of {len(shifts)} units came {far:.1f}″ the same way, as if frame markers had been moved"
    return Reason("shifted", says, tuple(pairs), {"x_in": float(middle[0]), "y_in": float(middle[1])})


def _other_terrain(before: Sighting, after: Sighting, config: SyncConfig) -> Reason | None:
    """Terrain in other places or of other kinds."""
    old, new = (_areas_by_kind(one) for one in (before, after))
    both = old.keys() & new.keys()
    shared = sum(old[kind].intersection(new[kind]).area for kind in both)
    either = (sum(one[kind].area for kind in both) for one in (old, new))
    overlap = shared / least if (least := min(either)) > 0 else 1.0
    if not both:  # one place may have terrain of two kinds
        everything = [shapely.union_all(list(one.values())) for one in (old, new)]
        least = min(one.area for one in everything)
        much = least > 0 and everything[0].intersection(everything[1]).area >= config.same_terrain * least
        overlap = 0.0 if much else 1.0
    if overlap >= config.same_terrain:
        return None
    says = f"the terrain is different ({overlap:.0%} of it is in its former place)"
    return Reason("terrain", says, (), {"overlap": overlap})


def _areas_by_kind(sighting: Sighting) -> dict[str, Any]:
    kinds = {piece.kind for piece in sighting.terrain}
    areas = [(piece.kind, shapely.Polygon(piece.polygon)) for piece in sighting.terrain]
    return {kind: shapely.union_all([area for one, area in areas if one == kind]) for kind in kinds}


def _most_gone(before: Sighting, after: Sighting, config: SyncConfig) -> Reason | None:
    """Most units gone, and too few bases without a name to be theirs."""
    missing = [unit for unit in before.units if unit not in after.units]
    if len(missing) < max(config.gone_units, math.ceil(config.gone_share * len(before.units))):
        return None
    lost = sum(len(before.rows(unit)) for unit in missing)
    if len(after.loose) >= 0.5 * lost:
        return None
    says = f"{len(missing)} of {len(before.units)} units are gone"
    return Reason("gone", says, tuple(missing), {"units": float(len(missing))})
