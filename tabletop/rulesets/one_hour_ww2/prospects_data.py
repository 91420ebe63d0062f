"""The answer to what a unit may hope for from a move, as data: totals, enemies, cover, places, regions to draw."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tabletop.game.violations import Violation
from tabletop.rulesets.one_hour_ww2.chances import BONUS_IN, ROAD_IN
from tabletop.rulesets.one_hour_ww2.covering import Why
from tabletop.rulesets.one_hour_ww2.ground import Mode
from tabletop.rulesets.one_hour_ww2.reaching import Rings
from tabletop.rulesets.one_hour_ww2.setup import Point, Standing


@dataclass(frozen=True)
class Total:
    """A movement total off roads and its chance; ``net_in`` is below 0 where penalties go below nothing."""

    net_in: int
    chance: Fraction

    @property
    def total_in(self) -> int:
        """Inches that the unit may move off roads."""
        return max(0, self.net_in)


@dataclass(frozen=True)
class Hope:
    """How likely something is, whether it is so already, and the least total of the dice that does it (None: none)."""

    chance: Fraction
    now: bool = False
    least_in: int | None = None


@dataclass(frozen=True)
class EnemyHope:
    """An enemy: how far it is now, the chances to come within the ranges that the unit has, and to see it.

    A chance of a range is the most that it may be, one of a sight the least; a sight with none was not found.
    """

    unit: str
    kind: str
    range_in: float
    ranges: tuple[tuple[str, Hope], ...]
    sight: Hope


@dataclass(frozen=True)
class CoverHope:
    """A feature that covers a unit of this type: a wood, a town, for tanks the top of a hill.

    ``at_least``: the chance may be more than the one told. ``at``: a legal place in it that the chance stands for, base
    by base. Without one, ``why``: ``too-small`` for two of its bases and ``too-far`` for every roll are sure;
    ``not-found`` says only that many were tried.
    """

    terrain: str
    kind: str
    hope: Hope
    at_least: bool = False
    why: Why = ""
    at: tuple[Standing, ...] = ()


@dataclass(frozen=True)
class PlaceHope:
    """A place that was named, and the shortest legal way to it.

    Of the unique base's centre; the other bases need ways of their own. ``needed_in`` is the total that the way takes:
    its length, 4 inches more by the edge of woods and 4 less by road.
    Where no way leads there ``length_in`` and ``needed_in`` are None and ``why`` says what is against it. ``standing``
    is what speaks against the whole unit there, were it to keep its formation and its facing.
    """

    at: Point
    hope: Hope
    length_in: float | None = None
    needed_in: float | None = None
    mode: Mode = "open"
    way: tuple[Point, ...] = ()
    why: str = ""
    standing: tuple[Violation, ...] = ()


@dataclass(frozen=True)
class Region:
    """Where the unique base's centre may get to and end with a total: polygons, each a list of rings, outer first."""

    name: str
    total_in: float
    polygons: Rings


@dataclass(frozen=True)
class Prospects:
    """Everything about one unit. ``rolled``: there is one total, rolled or as it was asked for.

    ``limits`` are the ranges that the unit has, in inches; ``by_road``: it may go wholly by road, for 4 inches more.
    ``against`` is what keeps it from moving at this moment.
    """

    unit: str
    side: str
    kind: str
    name: str
    at: Point
    rolled: bool
    dice: tuple[int, tuple[int, ...]]
    because: tuple[str, ...]
    totals: tuple[Total, ...]
    by_road: bool
    limits: tuple[tuple[str, float], ...]
    enemies: tuple[EnemyHope, ...]
    cover: tuple[CoverHope, ...]
    places: tuple[PlaceHope, ...]
    regions: tuple[Region, ...]
    against: tuple[Violation, ...]

    @property
    def least_in(self) -> int:
        """The least total."""
        return self.totals[0].total_in

    @property
    def most_in(self) -> int:
        """The most."""
        return self.totals[-1].total_in

    @property
    def mean_in(self) -> Fraction:
        """The mean of the totals."""
        return sum((t.chance * t.total_in for t in self.totals), start=Fraction(0))

    def spare_in(self, place: PlaceHope) -> float | None:
        """Inches that are left over at a place once the dice lie; below 0 where they do not suffice."""
        return None if place.needed_in is None or not self.rolled else self.totals[0].net_in - place.needed_in

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON: lengths in inches, chances as numbers and as fractions."""
        count, faces = self.dice
        return {
            "unit": self.unit,
            "side": self.side,
            "kind": self.kind,
            "at": list(self.at),
            "rolled": self.rolled,
            "dice": {"count": count, "faces": list(faces), "add_in": BONUS_IN},
            "changes": list(self.because),
            "totals": [
                {"total_in": t.total_in, "net_in": t.net_in, "chance": float(t.chance), "exact": str(t.chance)}
                for t in self.totals
            ],
            "least_in": self.least_in,
            "mean_in": float(self.mean_in),
            "most_in": self.most_in,
            "by_road_in": ROAD_IN if self.by_road else None,
            "against": [v.to_json() for v in self.against],
            "enemies": [
                {
                    "unit": e.unit,
                    "kind": e.kind,
                    "range_in": round(e.range_in, 4),
                    "ranges": {
                        band: {"within_in": within, **_hope_json(hope), "at_most": hope.chance > 0 and not hope.now}
                        for (band, hope), (_, within) in zip(e.ranges, self.limits, strict=True)
                    },
                    "sight": {**_hope_json(e.sight), "at_least": e.sight.chance < 1},
                }
                for e in self.enemies
            ],
            "cover": [_cover_json(c) for c in self.cover],
            "places": [self._place_json(place) for place in self.places],
            "regions": [
                {"of": r.name, "total_in": r.total_in, "polygons": [[[list(p) for p in ring] for ring in part]
                                                                    for part in r.polygons]}
                for r in self.regions
            ],
        }  # fmt: skip

    def _place_json(self, place: PlaceHope) -> dict[str, Any]:
        spare = self.spare_in(place)
        return {
            "at": list(place.at),
            **_hope_json(place.hope),
            "length_in": None if place.length_in is None else round(place.length_in, 4),
            "needed_in": None if place.needed_in is None else round(place.needed_in, 4),
            "spare_in": None if spare is None else round(spare, 4),
            "by": place.mode if place.way else None,
            "way": [list(p) for p in place.way],
            "why_not": place.why,
            "standing": [v.to_json() for v in place.standing],
        }


def _cover_json(cover: CoverHope) -> dict[str, Any]:
    return {
        "terrain": cover.terrain,
        "kind": cover.kind,
        **_hope_json(cover.hope),
        "at_least": cover.at_least,
        "why_not": cover.why,
        "at": [[s.x, s.y, s.facing] for s in cover.at],
    }


def _hope_json(hope: Hope) -> dict[str, Any]:
    return {"chance": float(hope.chance), "exact": str(hope.chance), "now": hope.now, "least_total_in": hope.least_in}
