"""What happened on a table between two moments: who stayed, turned, moved, came and went, and with what certainty.

A unit's ``distance`` is that of its middle (the mean of its bases' centres), so that a unit that turns in place has
moved 0 inches; ``farthest`` is the base that came farthest, which is what rules limit. Both are straight lines, so
the true path is at least as long. Sigmas combine both moments' spreads; the errors of bases at one moment are
correlated, so the mean is taken to be no more accurate than one of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tabletop.identity.identity_questions import flag_swapped, questions_after
from tabletop.identity.matching import Doubt, Limits, Naming, name_by, nobody_named
from tabletop.identity.out_of_step import Sync, sync_of
from tabletop.identity.table_snapshot import BaseSighting, Marker, Sighting, check_same_table
from tabletop.identity.unit_motion import Motion, SeenChange, match_pieces, motion_of, spread_in, turn_between
from tabletop.words import count

Array = npt.NDArray[np.float64]
Kind = Literal["stayed", "nudged", "turned", "moved", "unclear", "removed", "new", "uncertain"]

_ORDER: tuple[Kind, ...] = ("uncertain", "unclear", "removed", "new", "moved", "turned", "nudged", "stayed")
_MARKER_IN = 1.0  # markers with the same meaning within this distance count as the same marker


@dataclass(frozen=True)
class ChangesConfig:
    """``nudge_in`` and ``nudge_deg``: how far a hand or a sleeve shifts a unit by accident;
    ``unsure_in``: a unit that may (at 95 %) have come this far without being seen to have moved is unclear;
    ``reformed_in``: bases this far from where a turn about their middle would have put them changed formation."""

    nudge_in: float = 0.25
    nudge_deg: float = 5.0
    unsure_in: float = 0.75
    reformed_in: float = 0.75


@dataclass(frozen=True)
class BaseChange:
    """One base: its ids in both sightings (``None``: not seen there), the distance it moved and its turn."""

    before: str | None
    after: str | None
    unique: bool | None = None
    distance: float | None = None
    sigma: float | None = None
    turned_deg: float | None = None

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        state = "new" if self.before is None else "not seen" if self.after is None else "seen"
        return {
            "before": self.before,
            "after": self.after,
            "state": state,
            "unique": self.unique,
            "distance": _round(self.distance),
            "sigma": _round(self.sigma),
            "turned_deg": _round(self.turned_deg, 2),
        }


@dataclass(frozen=True, eq=False)
class UnitChange:
    """The change of one unit.

    ``distance`` and ``turned_deg`` (clockwise) with their sigmas, ``None`` where not known; ``farthest`` is the base
    that came farthest. ``before`` and ``after`` are centres (n, 2) of the bases seen then. ``identified`` is the basis
    for assigning its bases to it: ``name`` (read in both), ``place``, ``beside`` or ``only`` (see
    :mod:`tabletop.identity.matching`). ``doubts`` are sentences; an unidentified unit has ``candidates`` instead of
    an id, the most likely first. ``marked``: markers that are new or have changed their meaning; ``unmarked``: the
    meanings of markers that are gone.
    """

    unit: str | None
    side: str | None
    kind: str | None
    change: Kind
    distance: float | None = None
    sigma: float | None = None
    turned_deg: float | None = None
    turned_sigma: float | None = None
    bases: tuple[BaseChange, ...] = ()
    before: Array = field(default_factory=lambda: np.zeros((0, 2)))
    after: Array = field(default_factory=lambda: np.zeros((0, 2)))
    identified: str = "name"
    candidates: tuple[str, ...] = ()
    markers: tuple[Marker, ...] = ()
    marked: tuple[Marker, ...] = ()
    unmarked: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def farthest(self) -> BaseChange | None:
        """The base that came farthest, of those seen both times."""
        return max((b for b in self.bases if b.distance is not None), key=lambda b: b.distance or 0.0, default=None)

    @property
    def not_seen(self) -> int:
        """How many of its bases are missing now while others are still seen."""
        return sum(b.after is None for b in self.bases) if len(self.after) else 0

    @property
    def turned_surely(self) -> bool:
        """Whether it turned by more than the spread (at 95 %) of its turn."""
        return self.turned_deg is not None and abs(self.turned_deg) > 1.96 * (self.turned_sigma or 0.0)

    @property
    def turn_words(self) -> str:
        """Its turn in words, with its spread if more than half a degree; empty unless it surely turned.

        >>> UnitChange("B1", None, None, "turned", turned_deg=-7.1, turned_sigma=0.6).turn_words
        'turned 7° (± 1) left'
        """
        if self.turned_deg is None or not self.turned_surely or abs(self.turned_deg) < 1:
            return ""
        spread = 1.96 * (self.turned_sigma or 0.0)
        sure = f" (± {spread:.0f})" if spread > 0.5 else ""
        return f"turned {abs(self.turned_deg):.0f}°{sure} {'right' if self.turned_deg > 0 else 'left'}"

    @property
    def seen_change(self) -> SeenChange:
        """The measured change of the unit, or of the base that came farthest if its bases were matched one by one."""
        far = self.farthest or self
        turned = _round(self.turned_deg, 2), _round(self.turned_sigma, 2)
        return SeenChange(_round(far.distance), _round(far.sigma), *turned, _places(self.before), _places(self.after))

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        far = self.farthest
        return {
            "unit": self.unit,
            "side": self.side,
            "kind": self.kind,
            "change": self.change,
            "distance": _round(self.distance),
            "sigma": _round(self.sigma),
            "turned_deg": _round(self.turned_deg, 2),
            "turned_sigma": _round(self.turned_sigma, 2),
            "turned_surely": self.turned_surely,
            "farthest": None if far is None else far.to_json(),
            "before": [list(place) for place in _places(self.before)],
            "after": [list(place) for place in _places(self.after)],
            "bases": [base.to_json() for base in self.bases],
            "identified": self.identified,
            "candidates": list(self.candidates),
            "markers": [marker_json(marker) for marker in self.markers],
            "doubtful": bool(self.doubts),
            "doubts": list(self.doubts),
        }


@dataclass(frozen=True, eq=False)
class Changes:
    """All units of two sightings, the doubtful first; markers that are beside no unit; warnings.

    ``after`` is the later sighting with the names that were identified. ``sync`` says whether the two follow each
    other; out of step nothing is named. ``questions`` are those of :mod:`tabletop.identity.identity_questions`, ready
    for JSON.
    """

    before: Sighting
    after: Sighting
    units: tuple[UnitChange, ...]
    markers: tuple[Marker, ...] = ()
    warnings: tuple[str, ...] = ()
    sync: Sync = field(default_factory=Sync)
    questions: tuple[Mapping[str, Any], ...] = ()

    def unit(self, unit_id: str) -> UnitChange:
        """The change of a unit; :class:`KeyError` if neither sighting has it."""
        for change in self.units:
            if change.unit == unit_id:
                return change
        raise KeyError(unit_id)

    @property
    def changed(self) -> tuple[UnitChange, ...]:
        """The units to report: every one that did not stay, and the doubtful."""
        return tuple(u for u in self.units if u.change != "stayed" or u.doubts)

    @property
    def seen_changes(self) -> Mapping[str | None, SeenChange]:
        """The measured changes by unit."""
        return {u.unit: u.seen_change for u in self.changed}

    @property
    def new_markers(self) -> tuple[Marker, ...]:
        """The markers beside no unit that were not there before."""
        was = self.before.markers or ()
        return tuple(m for m in self.markers if not any(_same_marker(m, other) for other in was))

    @property
    def hint(self) -> str:
        """A warning if the two sightings may be in the wrong order; else empty."""
        came = [u.unit for u in self.units if u.change == "new" and u.unit]
        if not came or any(u.change == "removed" for u in self.units):
            return ""
        names, verb = ", ".join(came), "stands" if len(came) == 1 else "stand"
        return (
            f"{names} {verb} on the table in {self.after.name} alone: unless added meanwhile, the two files "
            "are in the wrong order."
        )

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON: ``changes`` holds every unit that did not stay, ``stayed`` the rest.

        ``marked`` and ``unmarked`` are markers that came and went, ``markers`` the ones beside no unit.
        """
        return {
            "version": 1,
            "units": "inches",
            "table": {"width": self.after.width, "depth": self.after.depth},
            "before": self.before.name,
            "after": self.after.name,
            "changes": [u.to_json() for u in self.changed],
            "stayed": [u.unit for u in self.units if u.change == "stayed" and u.unit is not None],
            "marked": [{"unit": u.unit, **marker_json(m)} for u in self.units for m in u.marked],
            "unmarked": [{"unit": u.unit, "means": means} for u in self.units for means in u.unmarked],
            "markers": [marker_json(marker) for marker in self.markers],
            "sync": self.sync.to_json(),
            "questions": [dict(question) for question in self.questions],
            "warnings": list(self.warnings),
        }


def changes_between(
    before: Sighting,
    after: Sighting,
    limits: Limits | None = None,
    *,
    elsewhere: Sequence[BaseSighting] = (),
    config: ChangesConfig | None = None,
) -> Changes:
    """What happened between two sightings of one table; arguments as for :func:`tabletop.identity.matching.name_by`.

    Raises SceneError where they are of two tables or of two games.
    """
    check_same_table(before, after)
    chosen = config or ChangesConfig()
    sync = sync_of(before, after, limits)
    if sync.in_step:
        earlier = _named_back(before, after, limits)
        old = before.with_names(earlier.names)
        later = flag_swapped(name_by(old, after, limits, elsewhere=elsewhere), old, after)
    else:
        earlier, old, later = Naming({}, {}, ()), before, nobody_named(before, after, limits)
    new = after.with_names(later.names)
    grounds = {**earlier.grounds, **later.grounds}
    units = [_unit(old, new, unit, grounds.get(unit, "name"), chosen) for unit in dict.fromkeys(old.units + new.units)]
    may_be = {unit for doubt in later.doubts for unit in doubt.candidates}
    units = [_maybe_removed(change, may_be, later.doubts, after) for change in units]
    units = [_maybe_outside(change, after) for change in units]
    units += [_uncertain(doubt, after, sync) for doubt in later.doubts]
    units += [_nameless_gone(old, rows) for rows in later.gone]
    units.sort(key=lambda u: (not u.doubts, _ORDER.index(u.change), _sort_key(u.unit or "")))
    beside_nobody = tuple(m for m in new.markers or () if m.unit is None or m.unit not in new.units)
    questions = [question.to_json() for question in questions_after(later, old, after)] if sync.in_step else []
    warnings = (*([] if sync.in_step else [sync.says]), *_warnings(later, limits if sync.in_step else None, units))
    return Changes(old, new, tuple(units), beside_nobody, warnings, sync, tuple(questions))


def _named_back(before: Sighting, after: Sighting, limits: Limits | None) -> Naming:
    """Names for the earlier moment's nameless bases, from units that only the later one has."""
    return name_by(after, before, limits) if before.loose else Naming({}, {}, ())


def _unit(old: Sighting, new: Sighting, unit: str, ground: str, config: ChangesConfig) -> UnitChange:
    first, second = ([s.pieces[i] for i in s.rows(unit)] for s in (old, new))
    side, kind = (
        next((getattr(p, key) for p in (*second, *first) if getattr(p, key)), None) for key in ("side", "kind")
    )
    seen = UnitChange(
        unit,
        side,
        kind,
        "unclear",
        before=np.array([p.center for p in first]).reshape(-1, 2),
        after=np.array([p.center for p in second]).reshape(-1, 2),
        identified=ground,
        markers=tuple(m for m in new.markers or () if m.unit == unit),
        marked=_new_markers(old, new, unit),
        unmarked=_markers_gone(old, new, unit),
    )
    if not second:
        return replace(seen, change="removed", bases=tuple(BaseChange(p.id, None, p.unique) for p in first))
    if not first:
        return replace(seen, change="new", bases=tuple(BaseChange(None, p.id, p.unique) for p in second))
    pairs = match_pieces(first, second)
    if not pairs:
        text = f"The bases of {unit} differ from the ones before, so its move is unknown."
        return replace(seen, doubts=(text,))
    motion = motion_of(first, second, pairs)
    change, doubts = _judge_motion(unit, motion, first, second, pairs, config)
    return replace(
        seen,
        change=change,
        distance=motion.distance,
        sigma=motion.sigma,
        turned_deg=motion.turned_deg,
        turned_sigma=motion.turned_sigma,
        bases=_base_changes(first, second, pairs),
        doubts=doubts,
    )


def _new_markers(old: Sighting, new: Sighting, unit: str) -> tuple[Marker, ...]:
    """The markers beside a unit that were not there before, or have another meaning."""
    was = {(m.means, m.value) for m in old.markers or () if m.unit == unit}
    return tuple(m for m in new.markers or () if m.unit == unit and (m.means, m.value) not in was)


def _same_marker(one: Marker, other: Marker) -> bool:
    """Whether two markers have the same meaning and place."""
    near = math.dist(one.center, other.center) <= _MARKER_IN
    return (one.means, one.value) == (other.means, other.value) and near


def _markers_gone(old: Sighting, new: Sighting, unit: str) -> tuple[str, ...]:
    """The meanings of markers beside a unit that are gone, if markers were looked for and the unit is still there."""
    if new.markers is None or not new.rows(unit):
        return ()
    now = {m.means for m in new.markers if m.unit == unit}
    return tuple(dict.fromkeys(m.means for m in old.markers or () if m.unit == unit and m.means not in now))


def _judge_motion(
    unit: str,
    motion: Motion,
    first: Sequence[BaseSighting],
    second: Sequence[BaseSighting],
    pairs: Sequence[tuple[int, int]],
    config: ChangesConfig,
) -> tuple[Kind, tuple[str, ...]]:
    """A unit's kind of change and the doubts about it."""
    far, sure = motion.distance, 1.96 * motion.sigma
    noise = max(spread_in(first[i], second[j]) for i, j in pairs)
    if (far > config.nudge_in and not motion.surely_off) or (not motion.surely_off and far + sure > config.unsure_in):
        text = f"{unit} is {far:.2f}″ (± {sure:.2f}) from where it was: whether it moved is not sure."
        return "unclear", (text,)
    if far > config.nudge_in:
        return "moved", ()
    if motion.misfit_in > config.reformed_in + 2 * noise:
        text = f"{unit} changed its formation about the same middle: its bases moved and not the unit as a whole."
        return "moved", (text,)
    turn, spread = motion.turned_deg, motion.turned_sigma
    if turn is not None and spread is not None and abs(turn) - 1.96 * spread > 0:
        if abs(turn) > config.nudge_deg:
            return "turned", ()
        return "nudged", ()
    return ("nudged" if motion.surely_off else "stayed"), ()


def _base_changes(
    first: Sequence[BaseSighting], second: Sequence[BaseSighting], pairs: Sequence[tuple[int, int]]
) -> tuple[BaseChange, ...]:
    found = []
    for i, j in pairs:
        p, q = first[i], second[j]
        shift, spread = q.center - p.center, p.covariance + q.covariance
        far = float(np.linalg.norm(shift))
        way = shift / far if far > 1e-9 else np.array([1.0, 0.0])
        sigma = math.sqrt(max(0.0, float(way @ spread @ way)))
        unique = p.unique if p.unique is not None else q.unique
        found.append(BaseChange(p.id, q.id, unique, far, sigma, turn_between(p, q)))
    met = {i for i, _ in pairs}, {j for _, j in pairs}
    found += [BaseChange(p.id, None, p.unique) for i, p in enumerate(first) if i not in met[0]]
    found += [BaseChange(None, q.id, q.unique) for j, q in enumerate(second) if j not in met[1]]
    return tuple(found)


def _maybe_removed(change: UnitChange, may_be: set[str], doubts: Sequence[Doubt], after: Sighting) -> UnitChange:
    """Don't report a unit as removed if it may be one of the nameless groups."""
    if change.change != "removed" or change.unit not in may_be:
        return change
    groups = [doubt for doubt in doubts if change.unit in doubt.candidates]
    where = " or ".join(_where(after, doubt.rows) for doubt in groups)
    text = f"{change.unit} may be the nameless bases {where}: say which unit they are."
    return UnitChange(
        change.unit,
        change.side,
        change.kind,
        "uncertain",
        bases=change.bases,
        before=change.before,
        doubts=(text,),
    )


def _maybe_outside(change: UnitChange, after: Sighting) -> UnitChange:
    """Don't report a unit as removed if its former place is outside the later picture."""
    outside = ~after.shows(change.before)
    if change.change != "removed" or not outside.any():
        return change
    x, y = change.before[outside][0]
    text = f"{change.unit} was at ({x:.1f}, {y:.1f}), outside the picture: photograph the whole table."
    return replace(change, change="uncertain", doubts=(text,))


def _uncertain(doubt: Doubt, after: Sighting, sync: Sync) -> UnitChange:
    """A group of bases without a certain unit."""
    pieces = [after.pieces[i] for i in doubt.rows]
    who = f"could be {' or '.join(doubt.candidates)}" if doubt.candidates else "could not be matched to a unit"
    who = who if sync.in_step else "could not be named, not even from the previous photo"
    text = f"The {count(len(pieces), 'base')} {_where(after, doubt.rows)} {who}."
    return UnitChange(
        None,
        pieces[0].side,
        pieces[0].kind,
        "uncertain",
        bases=tuple(BaseChange(None, p.id, p.unique) for p in pieces),
        after=np.array([p.center for p in pieces]),
        identified="",
        candidates=doubt.candidates,
        doubts=(text,),
    )


def _nameless_gone(old: Sighting, rows: tuple[int, ...]) -> UnitChange:
    """Nameless bases of the earlier moment that are not where they were."""
    pieces = [old.pieces[i] for i in rows]
    text = f"{count(len(rows), 'base').capitalize()} without a name {_where(old, rows)} in {old.name} moved or went."
    return UnitChange(
        None,
        pieces[0].side,
        pieces[0].kind,
        "uncertain",
        bases=tuple(BaseChange(p.id, None, p.unique) for p in pieces),
        before=np.array([p.center for p in pieces]),
        identified="",
        doubts=(text,),
    )


def _sort_key(name: str) -> tuple[tuple[str, int], ...]:
    """A sort key that compares numbers in a name by value, so that b5 comes before b11."""
    return tuple((word, int(number or 0)) for word, number in re.findall(r"(\D*)(\d*)", name))


def _where(sighting: Sighting, rows: Sequence[int]) -> str:
    x, y = np.mean([sighting.pieces[i].center for i in rows], axis=0)
    return f"at ({x:.1f}, {y:.1f})"


def _warnings(later: Naming, limits: Limits | None, units: Sequence[UnitChange]) -> tuple[str, ...]:
    found = []
    for change in units:
        far = change.farthest
        if limits is None or far is None or far.distance is None or change.kind is None:
            continue
        most = limits.most(change.kind)
        if math.isfinite(most) and far.distance - 1.96 * (far.sigma or 0.0) > most + 0.5:
            found.append(
                f"{change.unit} is {far.distance:.1f}″ from where it was, and a unit of its kind moves at most "
                f"{most:g}″ at once: these photos lie more than one move apart, or something is wrong with one."
            )
    if later.untouched:
        found.append(f"{count(len(later.untouched), 'base')} without a name stayed where they were.")
    return tuple(found)


def marker_json(marker: Marker) -> dict[str, Any]:
    """A mapping ready for JSON."""
    return {
        "unit": marker.unit,
        "means": marker.means,
        "center": list(marker.center),
        **({} if marker.value is None else {"value": marker.value}),
        "confidence": marker.confidence,
    }


def _places(centers: Array) -> tuple[tuple[float, float], ...]:
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y in centers)


def _round(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)
