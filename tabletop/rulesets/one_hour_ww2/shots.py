"""One shot judged: range, sight, arcs, cover, modifiers and exact odds, each with its reason and its doubt."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from geometry.tolerance import NO, OPEN, TOLERANCE, YES, judge_one
from tabletop.referee.report_rows import (
    AlternativeRow,
    ArcRow,
    DrawRow,
    OddsRow,
    ShotRow,
    SightRow,
    SightVerdict,
    Verdict,
)
from tabletop.rulesets.one_hour_ww2.data import KINDS, HouseRules, Kind
from tabletop.rulesets.one_hour_ww2.modifiers import Circumstances, difference, modifiers, priority
from tabletop.rulesets.one_hour_ww2.odds import Modifier, distribution, mean
from tabletop.rulesets.one_hour_ww2.sights import Sights, UnitSight
from tabletop.rulesets.one_hour_ww2.situation import Situation, kind_of
from tabletop.tables.scene import Unit
from tabletop.words import inches_with_spread

Found = TypeVar("Found")


@dataclass(frozen=True, eq=False)
class Judge:
    """Judges the shots of a situation with one kind of dice.

    ``playing``: a game knows whose step it is and who has acted, so that the table alone is judged.
    """

    situation: Situation
    sights: Sights
    dice: str
    playing: bool = False

    @cached_property
    def reaches(self) -> tuple[Reach, ...]:
        """How far each unit fires."""
        by_kind = {kind: Reach.of(KINDS[kind], self.situation.rules) for kind in {u.kind for u in self.situation.units}}
        return tuple(by_kind[u.kind] for u in self.situation.units)

    @cached_property
    def states(self) -> tuple[Part[np.int8], ...]:
        """Whether each unit may fire as far as its own state goes."""
        return tuple(_state(unit) for unit in self.situation.units)

    @cached_property
    def covers(self) -> tuple[Part[tuple[tuple[bool, ...], ...]], ...]:
        """For each unit as a target possible values of woods, town and hill top, the likelier first."""
        return tuple(
            _covers(unit, cover) for unit, cover in zip(self.situation.units, self.situation.cover, strict=True)
        )

    @cached_property
    def points(self) -> dict[tuple[float, float], list[float]]:
        """The middle of each base as JSON has it: one list, however many sights it stands in."""
        centers = [*self.situation.bases.center.tolist(), *self.situation.scene.unassigned.bases.center.tolist()]
        return {(x, y): [x, y] for x, y in centers}

    def odds(self, firer: Unit, target: Unit, case: Circumstances) -> Odds:
        """The odds of a shot under some circumstances; shots that are alike share them."""
        key = firer.kind, firer.hits, target.kind, target.dug_in, case
        if key not in self._odds:
            chosen = modifiers(kind_of(firer), kind_of(target), firer.hits, target.dug_in, case, self.situation.rules)
            self._odds[key] = Odds(self.dice, chosen, distribution(self.dice, chosen))
        return self._odds[key]

    @cached_property
    def _odds(self) -> dict[tuple[str, int, str, bool, Circumstances], Odds]:
        return {}


@dataclass(frozen=True, eq=False)
class Reach:
    """The bands in which a unit's kind fires, nearest first, with their limits in inches; how each band is told."""

    bands: tuple[str, ...]
    limits: tuple[float, ...]
    words: dict[str, str]

    @classmethod
    def of(cls, kind: Kind, rules: HouseRules) -> Reach:
        limits = {"close": rules.close_in} if kind.has_close else {}
        limits["normal"] = kind.normal_in
        if kind.long_in is not None:
            limits["long"] = kind.long_in
        words = {band: f"{band} (up to {limit:g}″)" for band, limit in limits.items()}
        words["out"] = f"out of reach (its fire reaches {kind.reach_in:g}″)"
        return cls(tuple(limits), tuple(limits.values()), words)

    def possible(self, value_in: float, sigma_in: float) -> tuple[str, ...]:
        """Every band that a range may be in, the measured one first; ``out`` beyond the last."""
        spread = max(TOLERANCE.sureness * sigma_in, TOLERANCE.length_in)
        for limit in self.limits:
            if abs(limit - value_in) <= spread:
                return self._bands_within(value_in, sigma_in)
        side = tuple([value_in < limit for limit in self.limits])
        if side not in self._sure:
            self._sure[side] = self._bands_within(value_in, sigma_in)
        return self._sure[side]

    @cached_property
    def _sure(self) -> dict[tuple[bool, ...], tuple[str, ...]]:
        """The bands of ranges that are near no limit, by which limits they lie below."""
        return {}

    def _bands_within(self, value_in: float, sigma_in: float) -> tuple[str, ...]:
        within = [judge_one(limit - value_in, sigma_in) for limit in self.limits]
        above = [True, *(answer < YES for answer in within)]
        below = [*(answer > NO for answer in within), True]
        bands = (*self.bands, "out")
        measured = next((n for n, limit in enumerate(self.limits) if value_in <= limit + TOLERANCE.length_in), -1)
        others = [band for band, *may_be in zip(bands, above, below, strict=True) if all(may_be)]
        return (bands[measured], *(band for band in others if band != bands[measured]))


@dataclass(frozen=True, eq=False)
class Odds:
    """The modifiers of a shot under some circumstances and the probability of every number of hits."""

    dice: str
    modifiers: tuple[Modifier, ...]
    hits: dict[int, Fraction]

    @cached_property
    def row(self) -> OddsRow:
        """The contract's part of a shot's mapping; shots that are alike share it."""
        hits = {str(hits): float(p) for hits, p in self.hits.items()}
        return {
            "modifiers": [m.to_json() for m in self.modifiers],
            "hits": hits,
            "expected_hits": float(mean(self.hits)),
        }

    @cached_property
    def words(self) -> str:
        """The odds in words, with their modifiers."""
        listed = ", ".join(m.words for m in self.modifiers)
        low, high = min(self.hits), max(self.hits)
        span = f"{low}" if low == high else f"{low} to {high}"
        average = self.row["expected_hits"]
        return f"{self.dice.upper()} with {listed}: {span} hits, {average:.2f} on average. [Fire, table]"

    @cached_property
    def priority(self) -> tuple[int, int, float]:
        """Where the shot stands among those of its firer, see :func:`~.modifiers.priority`."""
        return priority(self.modifiers)


@dataclass(frozen=True, eq=False)
class Part(Generic[Found]):
    """One part of a shot's judgement with its reasons."""

    found: Found
    reasons: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ShotSight:
    """The sight of a shot: the one ``used``, the firer's ``own`` and its observer's as the report has them, and the
    ``answer`` whether the shot has the sight that it needs."""

    used: UnitSight
    own: SightRow
    answer: np.int8


@dataclass(frozen=True, eq=False)
class Rears:
    """Possible values of firing to the own rear and on the target's, the likelier first."""

    to_rear: tuple[bool, ...]
    on_rear: tuple[bool, ...]

    def to_json(self) -> ArcRow:
        """The contract's part of a shot's mapping."""
        to_rear_open: ArcRow = {"firing_to_rear_open": True} if len(self.to_rear) > 1 else {}
        on_rear_open: ArcRow = {"firing_on_rear_open": True} if len(self.on_rear) > 1 else {}
        return {"firing_to_rear": self.to_rear[0], **to_rear_open, "firing_on_rear": self.on_rear[0], **on_rear_open}


@dataclass(frozen=True, eq=False)
class JudgedShot:
    """One shot of a situation: its parts, each with its reasons, worked out when asked for.

    ``observer`` is the row of the one friend that may spot for a mortar; ``None``: whoever does it best.
    """

    judge: Judge
    i: int
    j: int
    observer: int | None = None

    @property
    def kind(self) -> Kind:
        return kind_of(self.judge.situation.units[self.i])

    @property
    def row(self) -> int:
        return self.i * len(self.judge.situation.units) + self.j

    @property
    def range_in(self) -> tuple[float, float]:
        return self.judge.situation.ranges_plain[self.row]

    @property
    def limits(self) -> tuple[tuple[str, float], ...]:
        """The bands in which it fires, nearest first, with their limits in inches."""
        reach = self.judge.reaches[self.i]
        return tuple(zip(reach.bands, reach.limits, strict=True))

    @property
    def band(self) -> str:
        return self.bands[0]

    @cached_property
    def bands(self) -> tuple[str, ...]:
        """Every band that the range may be in, the measured one first."""
        return self.judge.reaches[self.i].possible(*self.range_in)

    @property
    def in_reach(self) -> np.int8:
        (value, sigma), rules = self.range_in, self.judge.situation.rules
        reach = judge_one(self.judge.reaches[self.i].limits[-1] - value, sigma)
        if self.kind.fires_as == "mortar" and not rules.close_mortars_fire:
            return min(reach, np.int8(-judge_one(rules.close_in - value, sigma)))
        return reach

    def entry(self) -> ShotRow:
        """The shot as the report has it."""
        situation = self.judge.situation
        firer, target = situation.units[self.i], situation.units[self.j]
        state, covers = self.judge.states[self.i], self.covers.found
        reasons = [] if self.judge.playing else [*state.reasons]
        reasons += [*self.reach.reasons, *self.sight.reasons, *self.arcs.reasons, *self.covers.reasons]
        sight, rears = self.sight.found, self.arcs.found
        verdict = min(YES if self.judge.playing else state.found, self.reach.found, sight.answer)
        value, sigma = self.range_in
        entry: ShotRow = {
            "firer": firer.id,
            "target": target.id,
            "verdict": _VERDICTS[verdict],
            "range": {
                "value": round(value, 6),
                "sigma": round(sigma, 6),
                "band": self.band,
                "possible": list(self.bands),
            },
            "sight": sight.own,
            "arc": rears.to_json(),
            "modifiers": [],
            "hits": {},
            "expected_hits": 0.0,
            "reasons": reasons,
            "draw": self._draw(sight.used),
        }
        if verdict > NO:
            odds = self._odds(self.case)
            reasons.append(odds.words)
            entry |= odds.row
            others = self._alternatives(self.case, rears, covers)
            if others:
                entry["alternatives"] = others
                reasons.extend(_otherwise(others))
        return entry

    @cached_property
    def reach(self) -> Part[np.int8]:
        """Whether the range is one that it fires at."""
        return _part(self._reach)

    @cached_property
    def sight(self) -> Part[ShotSight]:
        """Its sight."""
        return _part(self._sight)

    @cached_property
    def arcs(self) -> Part[Rears]:
        """Whether it goes to a rear or comes from one."""
        return _part(self._arcs)

    @property
    def covers(self) -> Part[tuple[tuple[bool, ...], ...]]:
        """Possible values of woods, town and hill top for the target, the likelier first."""
        return self.judge.covers[self.j]

    @cached_property
    def case(self) -> Circumstances:
        """The likeliest circumstances; beyond reach, those of the longest range that it fires at."""
        rears, (woods, town, top) = self.arcs.found, self.covers.found
        band = self.band if self.band != "out" else self.judge.reaches[self.i].bands[-1]
        return Circumstances(band, rears.to_rear[0], rears.on_rear[0], woods[0], town[0], top[0])

    def _reach(self, reasons: list[str]) -> np.int8:
        situation, (value, sigma) = self.judge.situation, self.range_in
        words = self.judge.reaches[self.i].words[self.band]
        reasons.append(f"Range {inches_with_spread(value, TOLERANCE.sureness * sigma)}: {words}. [Fire, Ranges]")
        if len(self.bands) > 1:
            others = " or ".join(_BANDS.get(band, band) for band in self.bands[1:])
            reasons.append(
                f"At 95 % the range may also be {others}: measure it between the unique bases, nearest points. "
                "[Fire, Ranges]"
            )
        for unit in (situation.units[self.i], situation.units[self.j]):
            if unit.unique is None:
                reasons.append(
                    f"Which base of {unit.id} is the unique one is not known: range is measured from the middle "
                    f"one of its {len(unit.bases)} known bases, with a wider spread. [Fire, Ranges]"
                )
        reach = self.in_reach
        if self.kind.fires_as == "mortar" and judge_one(situation.rules.close_in - value, sigma) > NO:
            if situation.rules.close_mortars_fire:
                reasons.append(
                    "By house rule a mortar fires within close range, and nothing is doubled. [Fire, Ranges]"
                )
            else:
                near = f"{situation.rules.close_in:g}″"
                reasons.append(
                    f"A mortar has no close range: it does not fire within {near}. [Fire, Ranges; ruling 16]"
                )
        return reach

    def _sight(self, reasons: list[str]) -> ShotSight:
        situation, sights = self.judge.situation, self.judge.sights
        target = situation.units[self.j]
        own = sights.explain(self.i, self.j)
        hidden = situation.concealed_from[self.i, self.j]
        seen = min(own.clear, np.int8(-hidden))
        blocked_by = own.obstacles.ids if seen < YES else []
        row: SightRow = {"verdict": _SIGHTS[seen], "blocked_by": [*blocked_by]}
        reasons.extend(self._sight_words(own, situation.units[self.i].id, own.clear))
        if hidden > NO:
            near = f"{situation.rules.concealed_in:g}″"
            how = "is" if hidden == YES else "may be"
            who = f"{situation.units[self.i].id} {how} beyond the {near} within which it is seen"
            reasons.append(f"{target.id} is concealed and Ready, and {who}. [Line of Sight]")
            row["concealed_and_ready"] = True
        if self.kind.fires_as != "mortar" or seen == YES:
            return ShotSight(own, row, seen)
        best = self._observer()
        if best is None:
            who = "No friendly unit" if self.observer is None else situation.units[self.observer].id
            how = "observes" if self.observer is None else "does not observe"
            reasons.append(f"{who} {how} {target.id} for it. [Indirect Fire]")
            return ShotSight(own, row, seen)
        answer, observer, found = best
        name = situation.units[observer].id
        row["observer"] = {"unit": name, "verdict": _SIGHTS[answer], "blocked_by": [*found.obstacles.ids]}
        if answer == YES:
            reasons.append(f"{name} observes: its unique base sees two bases of {target.id}. [Indirect Fire]")
        else:
            reasons.append(f"{name} may observe {target.id}; at 95 % it stays open. [Indirect Fire]")
            reasons.extend(self._sight_words(found, name, found.clear))
        return ShotSight(found if answer > seen else own, row, max(seen, answer))

    def _observer(self) -> tuple[np.int8, int, UnitSight] | None:
        """The friend that observes best: surest, then nearest to the target; none where nobody may see it."""
        situation, sights = self.judge.situation, self.judge.sights
        m = len(situation.units)
        may = situation.sides == situation.sides[self.i]
        may[self.i] = False
        if self.observer is not None:
            may &= np.arange(m) == self.observer
        answers = np.where(may, np.minimum(sights.observers_of(self.j), -situation.concealed_from[:, self.j]), NO)
        best = np.flatnonzero(may & (answers == answers.max()))
        if answers.max() == NO:
            return None
        nearest = int(best[np.argmin(situation.ranges.value[best * m + self.j])])
        return np.int8(answers.max()), nearest, sights.explain(nearest, self.j, "observe")

    def _sight_words(self, sight: UnitSight, name: str, answer: np.int8) -> list[str]:
        target = self.judge.situation.units[self.j]
        place = "[Line of Sight]"
        if answer == YES:
            return [f"Sight from {name} to {target.id} is clear, from whole base edge to whole base edge. {place}"]
        words, sure = sight.obstacles.words, sight.obstacles.sure
        surely, perhaps = words[:sure], words[sure:]
        parts = []
        if answer == NO:
            parts.append(f"Sight from {name} to {target.id} is blocked by {_join_words(surely or perhaps)}. {place}")
        else:
            what = f": in doubt {_join_words(perhaps or surely)}" if perhaps or surely else ""
            parts.append(f"Sight from {name} to {target.id} is too close to call{what}. Check it at the table. {place}")
            missing = sum(u.missing_bases for u in (self.judge.situation.units[self.i], target))
            if missing:
                parts.append(f"{missing} of the two units' bases are not in the scene, and may see or be seen. {place}")
        return parts

    def _arcs(self, reasons: list[str]) -> Rears:
        situation = self.judge.situation
        rear = situation.rear_plain
        names = situation.units[self.i].id, situation.units[self.j].id
        if self.kind.fires_as == "mortar":
            return Rears((rear[self.i][self.j][1] < 0,), (rear[self.j][self.i][1] < 0,))
        found = []
        for name, (a, b), words in (
            (names[0], (self.i, self.j), "fires to its own rear"),
            (names[1], (self.j, self.i), "is fired on from its rear"),
        ):
            answer, margin, sigma, slide = rear[a][b]
            known = math.isfinite(sigma)
            nominal = known and margin < -TOLERANCE.length_in
            if answer == OPEN and known and slide > TOLERANCE.length_in:
                ends = f"between {_ahead(margin + slide, 0.0)} and {_ahead(margin - slide, 0.0)} its front line"
                how = f"their sides are parallel, and range lines that are equally short end {ends}"
                reasons.append(f"Whether {name} {words} is too close to call: {how}. [Fire, Front or Flank; ruling 17]")
            elif answer == OPEN:
                how = f"the range line ends {_ahead(margin, sigma)} its front line"
                why = f"is too close to call: {how}" if known else "is open, since the facing is not known"
                reasons.append(f"Whether {name} {words} {why}. [Fire, Front or Flank]")
            elif nominal:
                ends = f"the range line ends {_ahead(margin, sigma)} its front line"
                reasons.append(f"{name} {words}: {ends}. [Fire, Front or Flank]")
            found.append((nominal, not nominal) if answer == OPEN else (nominal,))
        return Rears(*found)

    def odds(self, case: Circumstances) -> tuple[tuple[Modifier, ...], dict[int, Fraction]]:
        """The modifiers under some circumstances, and the probability of every number of hits."""
        odds = self._odds(case)
        return odds.modifiers, odds.hits

    @property
    def priority(self) -> tuple[int, int, float]:
        """Where it stands among the shots of its firer: the smaller, the better a target."""
        return self._odds(self.case).priority

    def _odds(self, case: Circumstances) -> Odds:
        units = self.judge.situation.units
        return self.judge.odds(units[self.i], units[self.j], case)

    def _alternatives(
        self,
        case: Circumstances,
        rears: Rears,
        covers: tuple[tuple[bool, ...], ...],
    ) -> list[AlternativeRow]:
        """Odds under every other combination of what is open, where they differ from the first."""
        bands = [b for b in self.bands if b != "out"] or [case.band]
        bands = [case.band, *(b for b in bands if b != case.band)]
        out: list[AlternativeRow] = []
        seen = {self._odds(case).modifiers}
        for combination in itertools.product(bands, rears.to_rear, rears.on_rear, *covers):
            band, to_rear, on_rear, in_woods, in_town, on_hill_top = combination
            other = Circumstances(str(band), *map(bool, (to_rear, on_rear, in_woods, in_town, on_hill_top)))
            odds = self._odds(other)
            if odds.modifiers in seen:
                continue
            seen.add(odds.modifiers)
            out.append({"when": difference(case, other), **odds.row})
        return out

    def _draw(self, sight: UnitSight) -> DrawRow:
        return {
            "range": self.judge.situation.ranges_drawn[self.row],
            "sight": list(sight.lines),
            "blocked_at": [self.judge.points[at] for at in sight.obstacles.at if at is not None],
        }


def _part(find: Callable[[list[str]], Found]) -> Part[Found]:
    reasons: list[str] = []
    return Part(find(reasons), tuple(reasons))


_VERDICTS: dict[np.int8, Verdict] = {YES: "yes", NO: "no", OPEN: "too-close"}
_BANDS = {"out": "out of reach"}
_SIGHTS: dict[np.int8, SightVerdict] = {YES: "clear", NO: "blocked", OPEN: "too-close"}


def _state(unit: Unit) -> Part[np.int8]:
    for flag, words in (("moved", "has moved"), ("fired", "has fired")):
        if getattr(unit, flag):
            return Part(NO, (f"{unit.id} {words}, and a unit takes one action, fire or move. [Actions Step]",))
    if kind_of(unit).fires_as == "mortar":
        return Part(YES, ("A mortar fires in the Mortar Fire step only. [Mortar Fire Step]",))
    return Part(YES, ())


def _covers(target: Unit, cover: tuple[tuple[np.int8, str], ...]) -> Part[tuple[tuple[bool, ...], ...]]:
    """Possible values of woods, town and hill top for a target, the likelier first."""
    possible: list[tuple[bool, ...]] = []
    reasons = []
    phrases = "in the woods", "in the town", "on the top of the hill"
    for (answer, feature), words in zip(cover, phrases, strict=True):
        if answer == OPEN:
            reasons.append(
                f'Whether {target.id} is {words} "{feature}" is too close to call. [Terrain and Range Modifiers]'
            )
        elif answer == YES:
            reasons.append(f'{target.id} is {words} "{feature}". [Terrain and Range Modifiers]')
        possible.append({YES: (True,), NO: (False,), OPEN: (False, True)}[answer])
    return Part(tuple(possible), tuple(reasons))


def _join_words(words: list[str]) -> str:
    return "; ".join(words) if words else "what lies between"


def _ahead(margin: float, sigma: float) -> str:
    spread = TOLERANCE.sureness * sigma
    doubtful = math.isfinite(sigma) and abs(margin) < spread
    return f"{inches_with_spread(abs(margin), spread if doubtful else 0.0)} {'ahead of' if margin >= 0 else 'behind'}"


def _otherwise(others: list[AlternativeRow]) -> list[str]:
    """What the hits are if one thing is otherwise, and how far they spread if several are."""
    single = [o for o in others if " and " not in o["when"]]
    said = [f"If {o['when']}: {o['expected_hits']:.2f} hits on average." for o in single]
    several = [o["expected_hits"] for o in others if " and " in o["when"]]
    if several:
        low, high = min(several), max(several)
        span = f"{low:.2f}" if low == high else f"{low:.2f} to {high:.2f}"
        said.append(f"If several of these hold: {span} hits on average.")
    return said
