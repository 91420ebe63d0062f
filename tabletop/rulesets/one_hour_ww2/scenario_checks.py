"""What must hold between the parts of a game's beginning: forces, places, zones, objectives, exits, victory.

Every fault is told at its key's path, so that a scenario's file can name the line.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely

from geometry import Bases
from geometry.areas import inside_margin, overlap_margin
from geometry.shapes import half_diagonal, polygons_of
from geometry.tolerance import TOLERANCE
from tabletop.open_table.setup import bases_of
from tabletop.reading.toml_source import KeyPath, did_you_mean
from tabletop.rulesets.one_hour_ww2.data import KINDS, NAME
from tabletop.rulesets.one_hour_ww2.setup import Exit, Setup, UnitSetup, Victory, Zone, unit_on_table
from tabletop.rulesets.one_hour_ww2.situation import Situation
from tabletop.rulesets.one_hour_ww2.standing import formation
from tabletop.tables.scene import Scene

MOST_UNITS = 12
OVERLAP_IN = 0.01  # bases typed to two decimals may seem to touch by this much
_READY_PLACE, _DUG_IN_PLACE = "[Rally & Ready Step, Ready]", "[Rally & Ready Step, Dug-in]"


def check_setup(
    setup: Setup,
    rows: Mapping[str, Sequence[int]] | None = None,
    unread: Mapping[str, Sequence[str]] | None = None,
) -> list[tuple[KeyPath, str]]:
    """All that is wrong with a beginning: each fault's path in a scenario's file, and one sentence.

    ``rows`` tells at which place of the file's list each row of the setup stands, by the list's name; ``unread`` the
    ids of parts that the file declares but that could not be read, so that nobody is told that they are missing.
    """
    checks = _Checks(setup, rows or {}, unread or {})
    checks.forces()
    checks.places()
    checks.zones()
    checks.objectives()
    checks.exits()
    checks.ties()
    checks.victories()
    return checks.found


@dataclass
class _Checks:
    setup: Setup
    rows: Mapping[str, Sequence[int]]
    unread: Mapping[str, Sequence[str]]
    found: list[tuple[KeyPath, str]] = field(default_factory=list)

    def note(self, part: str, row: int, key: str, text: str) -> None:
        place = self.rows[part][row] if part in self.rows else row
        self.found.append(((part, place, key) if key else (part, place), text))

    def whole(self, part: str) -> bool:
        """Whether every entry of a list of the file could be read."""
        return not self.unread.get(part)

    @property
    def table(self) -> shapely.Polygon:
        return shapely.box(0, 0, self.setup.width, self.setup.depth)

    @property
    def size(self) -> str:
        return f"{self.setup.width:g} x {self.setup.depth:g} table"

    def check_names(
        self, part: str, row: int, key: str, names: Sequence[str], among: str, word: str, whose: str
    ) -> bool:
        """Whether all names are ids of a list; each that is not is noted."""
        ids = [*(item.id for item in getattr(self.setup, among)), *self.unread.get(among, ())]
        for name in names:
            if name not in ids:
                hint = did_you_mean(name, ids) if ids else f"the file has none yet: add it under [[{among}]]."
                self.note(part, row, key, f'{whose} names the {word} "{name}", which does not exist; {hint}')
        return all(name in ids for name in names)

    def side(self, part: str, row: int, side: str, whose: str) -> bool:
        if side in self.setup.sides:
            return True
        hint = did_you_mean(side, self.setup.sides)
        self.note(part, row, "side", f'{whose} is of side "{side}", neither attacker nor defender; {hint}')
        return False

    def used_once(self, part: str, ids: Sequence[str], word: str) -> None:
        """Note each id that stands twice, be it that of an entry that could not be read."""
        unread = self.unread.get(part, ())
        read = list(self.rows.get(part, range(len(ids))))
        others = sorted(set(range(len(ids) + len(unread))) - set(read))
        seen: set[str] = set()
        for place, name in sorted(zip([*read, *others], [*ids, *unread], strict=True)):
            if name and name in seen:
                text = f'the {word} "{name}" stands twice in the file; give each an id of its own.'
                self.found.append(((part, place, "id"), text))
            seen.add(name)

    # --- forces ----------------------------------------------------------------------------------------------------

    def forces(self) -> None:
        setup = self.setup
        self.used_once("units", [u.id for u in setup.units], "unit")
        self.used_once("terrain", [p.id for p in setup.terrain], "terrain piece")
        count = Counter(u.side for u in setup.units)
        for side in setup.sides:
            if not count[side] and self.whole("units"):
                self.found.append(
                    (("units",), f'side "{side}" has no units; give it 1 to {MOST_UNITS} under [[units]].')
                )
            if count[side] > MOST_UNITS:
                last = max(row for row, u in enumerate(setup.units) if u.side == side)
                text = f'side "{side}" has {count[side]} units; at most {MOST_UNITS} a side are played.'
                self.note("units", last, "side", text)
        for row, unit in enumerate(setup.units):
            self.side("units", row, unit.side, f'unit "{unit.id}"')
            self.markers(row, unit)

    def markers(self, row: int, unit: UnitSetup) -> None:
        kind, limit = KINDS[unit.kind], self.setup.rules.destroyed_at
        if unit.dug_in and kind.struck_as == "tank":
            text = f'unit "{unit.id}" is a {unit.kind} and starts dug in; no tank may dig in: leave dug_in out.'
            self.note("units", row, "dug_in", f"{text} {_DUG_IN_PLACE}")
        if unit.ready and kind.fires_as == "mortar":
            text = f'unit "{unit.id}" is a {unit.kind} and starts Ready; no mortar may be: leave ready out.'
            self.note("units", row, "ready", f"{text} {_READY_PLACE}")
        if unit.hits >= limit:
            text = f'unit "{unit.id}" starts with {unit.hits} hits; {limit} destroy it: give it fewer, or leave it out.'
            self.note("units", row, "hits", text)
        if unit.permanent > unit.hits:
            text = f'unit "{unit.id}" starts with {unit.permanent} permanent hits, but only {unit.hits} hits in all.'
            self.note("units", row, "permanent", text)

    # --- places ----------------------------------------------------------------------------------------------------

    def places(self) -> None:
        """Bases on the table, none over another, formations and ground as the rules allow."""
        placed = [row for row, u in enumerate(self.setup.units) if u.at]
        units = [self.setup.units[row] for row in placed]
        bases = [bases_of(u.bases, u.at) for u in units]
        for row, unit, own in zip(placed, units, bases, strict=True):
            off = np.flatnonzero(inside_margin(own, self.table) < -TOLERANCE.length_in)
            if len(off):
                x, y = own.center[off[0]]
                text = f'base {off[0] + 1} of unit "{unit.id}" at ({x:g}, {y:g}) is not wholly on the {self.size}.'
                self.note("units", row, "at", text)
        self.overlaps(placed, units, bases)
        on_table = tuple(unit_on_table(u, u.at) for u in units if u.hits < self.setup.rules.destroyed_at)
        scene = Scene(NAME, self.setup.width, self.setup.depth, on_table, self.setup.features)
        row_of = {id(u): row for row, u in enumerate(self.setup.units)}
        alive = [u for u in units if u.hits < self.setup.rules.destroyed_at]
        for unit, verdict in zip(alive, formation(Situation(scene, self.setup.rules)), strict=True):
            for fault in [*verdict["faults"], *verdict["doubts"]]:
                told = f'unit "{unit.id}": {fault[0].lower()}{fault[1:]}'
                self.note("units", row_of[id(unit)], "at", told)

    def overlaps(self, placed: Sequence[int], units: Sequence[UnitSetup], bases: Sequence[Bases]) -> None:
        if not units:
            return
        every = Bases.concat(bases)
        owner = np.repeat(np.arange(len(units)), [len(own) for own in bases])
        number = np.concatenate([np.arange(len(own)) for own in bases])
        reach = half_diagonal(every)
        apart = np.linalg.norm(every.center[:, None] - every.center[None], axis=2)
        told: set[tuple[int, int]] = set()
        for a, b in np.argwhere(np.triu(apart < reach[:, None] + reach[None, :], 1)):
            pair = (int(owner[a]), int(owner[b]))
            if pair in told or _common_in(every[[a]], every[[b]]) <= OVERLAP_IN:
                continue
            told.add(pair)
            one, other = units[pair[0]], units[pair[1]]
            whose = "the same unit" if one is other else f'unit "{one.id}"'
            text = (
                f'base {number[b] + 1} of unit "{other.id}" stands on base {number[a] + 1} of {whose}; move one away.'
            )
            self.note("units", placed[pair[1]], "at", text)

    # --- zones -----------------------------------------------------------------------------------------------------

    def zones(self) -> None:
        setup = self.setup
        sides = {u.id: u.side for u in setup.units}
        for row, zone in enumerate(setup.zones):
            whose = f'the zone "{zone.id}"' if zone.id else f"zone {row + 1}"
            if self.side("zones", row, zone.side, whose):
                self.check_names("zones", row, "units", zone.units, "units", "unit", whose)
                for name in zone.units:
                    if sides.get(name, zone.side) != zone.side:
                        text = f"{whose} is {zone.side}'s and names unit \"{name}\", which is {sides[name]}'s."
                        self.note("zones", row, "units", text)
            if not self.table.buffer(TOLERANCE.length_in).covers(shapely.Polygon(zone.polygon)):
                text = f"{whose} reaches off the {self.size}; draw it on the table, from 0 to its width and depth."
                self.note("zones", row, "polygon", text)
            self.room(row, zone, whose)
        for row, unit in enumerate(setup.units):
            own = _zones_of(setup, unit)
            if not own and not unit.at and any(z.side == unit.side for z in setup.zones):
                text = f'unit "{unit.id}" has neither a place nor a zone; name it in a zone, or add at = [x, y].'
                self.note("units", row, "", text)
            elif own and unit.at and not any(_stands_in(unit, z) for z in own):
                text = f'unit "{unit.id}" is not wholly inside a zone of its own; move it, or draw the zone larger.'
                self.note("units", row, "at", text)

    def room(self, row: int, zone: Zone, whose: str) -> None:
        """Whether the units that can deploy nowhere else fit in a zone, as far as areas and breadths tell."""
        shape = shapely.Polygon(zone.polygon)
        takes = [u for u in self.setup.units if any(z is zone for z in _zones_of(self.setup, u))]
        bound = [u for u in takes if not u.at and len(_zones_of(self.setup, u)) == 1]
        area = sum(_area(u) for u in bound)
        if area > shape.area:
            text = f"{whose} has {shape.area:.0f} square inches, and the bases that must deploy in it cover {area:.0f}."
            self.note("zones", row, "polygon", text)
            return
        narrow = [u for u in takes if shape.buffer(TOLERANCE.length_in - _inner_radius(u)).is_empty]
        if narrow:
            need = max(2 * _inner_radius(u) for u in narrow)
            text = f'{whose} is too narrow for a base of unit "{narrow[0].id}": make it {need:g}″ broad at least.'
            self.note("zones", row, "polygon", text)

    # --- objectives, exits, ties -----------------------------------------------------------------------------------

    def objectives(self) -> None:
        self.used_once("objectives", [o.id for o in self.setup.objectives], "objective")
        for row, goal in enumerate(self.setup.objectives):
            if shapely.intersection(shapely.Polygon(goal.polygon), self.table).area <= 0:
                self.note("objectives", row, "polygon", f'the objective "{goal.id}" lies off the {self.size}.')

    def exits(self) -> None:
        self.used_once("exits", [e.id for e in self.setup.exits], "exit")
        for row, way in enumerate(self.setup.exits):
            whose = f'the exit "{way.id}"'
            known = self.side("exits", row, way.side, whose)
            if not self.on_one_edge(way):
                ends = f"({way.start[0]:g}, {way.start[1]:g}) to ({way.end[0]:g}, {way.end[1]:g})"
                text = f"{whose} from {ends} must lie along one edge of the {self.size}."
                self.note("exits", row, "start", text)
                continue
            need = min((2 * _inner_radius(u) for u in self.setup.units if u.side == way.side), default=0.0)
            length = math.dist(way.start, way.end)
            if (known and length < need - TOLERANCE.length_in) or length == 0.0:
                text = f"{whose} is {length:g}″ long; make it {need:g}″ at least, for a base of {way.side} to pass."
                self.note("exits", row, "end", text)

    def on_one_edge(self, way: Exit) -> bool:
        for axis, size, other in ((0, self.setup.width, self.setup.depth), (1, self.setup.depth, self.setup.width)):
            along = [p[1 - axis] for p in (way.start, way.end)]
            for edge in (0.0, size):
                level = all(abs(p[axis] - edge) <= TOLERANCE.length_in for p in (way.start, way.end))
                if level and all(-TOLERANCE.length_in <= v <= other + TOLERANCE.length_in for v in along):
                    return True
        return False

    def ties(self) -> None:
        goals = {o.id: o for o in self.setup.objectives}
        for row, tie in enumerate(self.setup.ties):
            whose = f"tie {row + 1}"
            found = self.check_names("ties", row, "objective", [tie.objective], "objectives", "objective", whose)
            self.check_names("ties", row, "units", tie.units, "units", "unit", whose)
            if not found or tie.objective not in goals or self.setup.rules.ties_any_units:
                continue
            shape = shapely.Polygon(goals[tie.objective].polygon)
            for name in tie.units:
                unit = self.setup.unit(name)
                if unit is None or not unit.at:
                    continue
                gap = -float(overlap_margin(bases_of(unit.bases, unit.at)[unit.unique], shape)[0])
                if gap > tie.within + TOLERANCE.length_in:
                    limit = f'tied to "{tie.objective}" within {tie.within:g}″'
                    text = f'unit "{name}" is {limit} and starts {gap:.2f}″ from it; move it nearer.'
                    self.note("ties", row, "within", text)

    # --- victory ---------------------------------------------------------------------------------------------------

    def victories(self) -> None:
        for row, victory in enumerate(self.setup.victories):
            whose = f"victory {row + 1}"
            if not self.side("victory", row, victory.side, whose):
                continue
            if victory.kind == "exit":
                self.by_exit(row, victory, whose)
            elif victory.kind == "hold":
                self.by_holding(row, victory, whose)
            elif self.whole("units"):
                enemies = sum(u.side not in (victory.side,) for u in self.setup.units)
                self.most(row, "units", victory.units, enemies, f"{whose} asks for", "the enemy has")

    def most(self, row: int, key: str, value: int, limit: int, asks: str, has: str) -> None:
        if value > limit:
            self.note("victory", row, key, f"{asks} {value} {key}, and {has} {limit}; ask for 1 to {limit}.")

    def by_exit(self, row: int, victory: Victory, whose: str) -> None:
        if self.whole("units"):
            own = sum(u.side == victory.side for u in self.setup.units)
            self.most(row, "units", victory.units, own, f"{whose} asks for", f"{victory.side} has")
        if self.check_names("victory", row, "exit", [victory.exit], "exits", "exit", whose):
            way = next((e for e in self.setup.exits if e.id == victory.exit), None)
            if way is not None and way.side != victory.side:
                text = f"{whose} is {victory.side}'s and goes by the exit \"{way.id}\", which is {way.side}'s."
                self.note("victory", row, "exit", text)
        if self.setup.turns and victory.by_turn > self.setup.turns:
            text = f"{whose} is due by turn {victory.by_turn}, and the game ends with turn {self.setup.turns}."
            self.note("victory", row, "by_turn", text)

    def by_holding(self, row: int, victory: Victory, whose: str) -> None:
        if self.check_names("victory", row, "objectives", victory.objectives, "objectives", "objective", whose):
            asks, held = f"{whose} asks for a", len(victory.objectives)
            if victory.count > held:
                text = (
                    f"{asks} count of {victory.count} out of {held} objectives; ask for 1 to {held}, or leave it out."
                )
                self.note("victory", row, "count", text)
        if not self.setup.turns and not victory.at_once:
            text = (
                f"{whose} is judged at the end of the last turn, and [scenario] sets no turns; add turns there, or "
                "at_once = true here."
            )
            self.note("victory", row, "kind", text)


def _common_in(first: Bases, second: Bases) -> float:
    """How far two bases (one row each) reach into each other, inches; at most 0 where they do not."""
    if second.is_round[0] and first.is_round[0]:
        apart = float(np.linalg.norm(first.center[0] - second.center[0]))
        return float(first.width[0] + second.width[0]) / 2 - apart
    if second.is_round[0]:
        first, second = second, first
    return float(overlap_margin(first, polygons_of(second)[0])[0])


def _stands_in(unit: UnitSetup, zone: Zone) -> bool:
    margin = inside_margin(bases_of(unit.bases, unit.at), shapely.Polygon(zone.polygon))
    return bool((margin >= -TOLERANCE.length_in).all())


def _zones_of(setup: Setup, unit: UnitSetup) -> list[Zone]:
    """Where a unit may be set up: the zones that name it, else those of its whole side."""
    own = [z for z in setup.zones if z.side == unit.side and (not z.units or unit.id in z.units)]
    return [z for z in own if z.units] or own


def _inner_radius(unit: UnitSetup) -> float:
    """Radius of the largest circle in the narrowest of its bases' outlines, inches."""
    return max(min(base.width, base.depth) / 2 for base in unit.bases)


def _area(unit: UnitSetup) -> float:
    return sum(base.width * base.depth * (1.0 if base.shape == "rect" else math.pi / 4) for base in unit.bases)
