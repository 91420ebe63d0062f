"""One shot judged: range, sight, arcs, cover, modifiers and exact odds, each with its reason and its doubt."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from geometry.tolerance import NO, OPEN, TOLERANCE, YES, judge_one
from tabletop.rulesets.one_hour_ww2.data import Kind
from tabletop.rulesets.one_hour_ww2.modifiers import Circumstances, difference, modifiers
from tabletop.rulesets.one_hour_ww2.odds import Modifier, distribution, expected
from tabletop.rulesets.one_hour_ww2.sights import Sights, UnitSight
from tabletop.rulesets.one_hour_ww2.situation import Situation, kind_of

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


@dataclass(frozen=True, eq=False)
class Part(Generic[Found]):
    """One part of a shot's judgement with its reasons."""

    found: Found
    reasons: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Shot:
    """One shot of a situation: its parts, each with its reasons, worked out when asked for.

    ``observer`` is the row of the one friend that may spot for a mortar; ``None``: whoever does it best.
    """

    judge: Judge
    i: int
    j: int
    observer: int | None = None

    @cached_property
    def kind(self) -> Kind:
        return kind_of(self.judge.situation.units[self.i])

    @cached_property
    def row(self) -> int:
        return self.i * len(self.judge.situation.units) + self.j

    @cached_property
    def range_in(self) -> tuple[float, float]:
        ranges = self.judge.situation.ranges
        return float(ranges.value[self.row]), float(ranges.sigma[self.row])

    def _within(self, limit_in: float) -> np.int8:
        value, sigma = self.range_in
        return judge_one(limit_in - value, sigma)

    @cached_property
    def limits(self) -> tuple[tuple[str, float], ...]:
        rules, out = self.judge.situation.rules, []
        if self.kind.has_close:
            out.append(("close", rules.close_in))
        out.append(("normal", self.kind.normal_in))
        if self.kind.long_in is not None:
            out.append(("long", self.kind.long_in))
        return tuple(out)

    @cached_property
    def band(self) -> str:
        for name, limit in self.limits:
            if self.range_in[0] <= limit + TOLERANCE.length_in:
                return name
        return "out"

    @cached_property
    def bands(self) -> tuple[str, ...]:
        """Every band that the range may be in, the measured one first."""
        names = [*(name for name, _ in self.limits), "out"]
        limits = [limit for _, limit in self.limits]
        possible = []
        for n, name in enumerate(names):
            above = n == 0 or self._within(limits[n - 1]) < YES
            below = n == len(limits) or self._within(limits[n]) > NO
            if above and below:
                possible.append(name)
        return (self.band, *(name for name in possible if name != self.band))

    @cached_property
    def in_reach(self) -> np.int8:
        reach = self._within(self.limits[-1][1])
        if self.kind.fires_as == "mortar" and not self.judge.situation.rules.close_mortars_fire:
            return min(reach, np.int8(-self._within(self.judge.situation.rules.close_in)))
        return reach

    def entry(self) -> dict[str, Any]:
        situation = self.judge.situation
        firer, target = situation.units[self.i], situation.units[self.j]
        reasons: list[str] = []
        state = self._state(reasons)
        reasons.extend([*self.reach.reasons, *self.sight.reasons, *self.arcs.reasons, *self.covers.reasons])
        sight, sight_json, sight_answer = self.sight.found
        verdict = min(state, self.reach.found, sight_answer)
        arc, rears = self.arcs.found
        covers = self.covers.found
        value, sigma = self.range_in
        entry: dict[str, Any] = {
            "firer": firer.id,
            "target": target.id,
            "verdict": _VERDICTS[verdict],
            "range": {
                "value": round(value, 6),
                "sigma": round(sigma, 6),
                "band": self.band,
                "possible": list(self.bands),
            },
            "sight": sight_json,
            "arc": arc,
            "modifiers": [],
            "hits": {},
            "expected_hits": 0.0,
            "reasons": reasons,
            "draw": self._draw(sight),
        }
        if verdict > NO:
            fire_case = self.case
            chosen, odds = self.odds(fire_case)
            reasons.append(_odds_words(chosen, odds, self.judge.dice))
            entry |= _odds_json(chosen, odds)
            others = self._alternatives(fire_case, rears, covers)
            if others:
                entry["alternatives"] = others
                reasons.extend(_otherwise(others))
        return entry

    @cached_property
    def reach(self) -> Part[np.int8]:
        """Whether the range is one that it fires at."""
        return _part(self._reach)

    @cached_property
    def sight(self) -> Part[tuple[UnitSight, dict[str, Any], np.int8]]:
        """The sight used, its JSON, and whether the shot has the sight that it needs."""
        return _part(self._sight)

    @cached_property
    def arcs(self) -> Part[tuple[dict[str, Any], tuple[tuple[bool, ...], tuple[bool, ...]]]]:
        """The arcs' JSON; possible values of firing to the own rear and on the target's, the likelier first."""
        return _part(self._arcs)

    @cached_property
    def covers(self) -> Part[tuple[tuple[bool, ...], ...]]:
        """Possible values of woods, town and hill top for the target, the likelier first."""
        return _part(self._covers)

    @cached_property
    def case(self) -> Circumstances:
        """The likeliest circumstances; beyond reach, those of the longest range that it fires at."""
        (to_rear, on_rear), (woods, town, top) = self.arcs.found[1], self.covers.found
        band = self.band if self.band != "out" else self.limits[-1][0]
        return Circumstances(band, to_rear[0], on_rear[0], woods[0], town[0], top[0])

    def _state(self, reasons: list[str]) -> np.int8:
        if self.judge.playing:
            return YES
        unit = self.judge.situation.units[self.i]
        for flag, words in (("moved", "has moved"), ("fired", "has fired")):
            if getattr(unit, flag):
                reasons.append(f"{unit.id} {words}, and a unit takes one action, fire or move. [Actions Step]")
                return NO
        if self.kind.fires_as == "mortar":
            reasons.append("A mortar fires in the Mortar Fire step only. [Mortar Fire Step]")
        return YES

    def _reach(self, reasons: list[str]) -> np.int8:
        situation = self.judge.situation
        limits = dict(self.limits)
        last = self.limits[-1][1]
        measured = self._measured()
        if self.band == "out":
            words = f'out of reach (its fire reaches {last:g}")'
        else:
            words = f'{self.band} (up to {limits[self.band]:g}")'
        reasons.append(f"Range {measured}: {words}. [Fire, Ranges]")
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
        if self.kind.fires_as == "mortar" and self._within(situation.rules.close_in) > NO:
            if situation.rules.close_mortars_fire:
                reasons.append("A mortar has no close range, so nothing is doubled. [Fire, Ranges]")
            else:
                reasons.append("By house rule a mortar does not fire within close range. [Fire, Ranges]")
        return reach

    def _measured(self) -> str:
        return _with_spread(*self.range_in)

    def _sight(self, reasons: list[str]) -> tuple[UnitSight, dict[str, Any], np.int8]:
        """The sight used, its JSON (the firer's own sight) and whether the shot has the sight it needs."""
        situation, sights = self.judge.situation, self.judge.sights
        target = situation.units[self.j]
        own = sights.explain(self.i, self.j)
        hidden = self._hidden_from(self.i)
        seen = min(own.clear, np.int8(-hidden))
        blocked_by = [o.id for o in own.obstacles if seen < YES]
        json: dict[str, Any] = {"verdict": _SIGHTS[seen], "blocked_by": blocked_by}
        reasons.extend(self._sight_words(own, situation.units[self.i].id, own.clear))
        if hidden > NO:
            near = f'{situation.rules.concealed_in:g}"'
            how = "is" if hidden == YES else "may be"
            who = f"{situation.units[self.i].id} {how} beyond the {near} within which it is seen"
            reasons.append(f"{target.id} is concealed and Ready, and {who}. [Line of Sight]")
            json["concealed_and_ready"] = True
        if self.kind.fires_as != "mortar" or seen == YES:
            return own, json, seen
        best = self._observer()
        if best is None:
            who = "No friendly unit" if self.observer is None else situation.units[self.observer].id
            how = "observes" if self.observer is None else "does not observe"
            reasons.append(f"{who} {how} {target.id} for it. [Indirect Fire]")
            return own, json, seen
        answer, observer, found = best
        name = situation.units[observer].id
        json["observer"] = {"unit": name, "verdict": _SIGHTS[answer], "blocked_by": [o.id for o in found.obstacles]}
        if answer == YES:
            reasons.append(f"{name} observes: its unique base sees two bases of {target.id}. [Indirect Fire]")
        else:
            reasons.append(f"{name} may observe {target.id}; at 95 % it stays open. [Indirect Fire]")
            reasons.extend(self._sight_words(found, name, found.clear))
        return (found if answer > seen else own), json, max(seen, answer)

    def _hidden_from(self, looker: int) -> np.int8:
        """Whether the target is concealed and Ready and too far off for a looker to see it (Line of Sight)."""
        situation = self.judge.situation
        if not situation.units[self.j].ready:
            return NO
        row = looker * len(situation.units) + self.j
        value, sigma = float(situation.ranges.value[row]), float(situation.ranges.sigma[row])
        within = judge_one(situation.rules.concealed_in - value, sigma)
        return min(situation.concealment[self.j], np.int8(-within))

    def _observer(self) -> tuple[np.int8, int, UnitSight] | None:
        """The friend that observes best: surest, then nearest to the target; none where nobody may see it."""
        situation, sights = self.judge.situation, self.judge.sights
        best: tuple[int, float, int] | None = None
        for u, unit in enumerate(situation.units):
            if u == self.i or unit.side != situation.units[self.i].side or self.observer not in (None, u):
                continue
            answer = min(sights.observes(u, self.j), np.int8(-self._hidden_from(u)))
            if answer == NO:
                continue
            key = (-int(answer), float(situation.ranges.value[u * len(situation.units) + self.j]), u)
            best = key if best is None else min(best, key)
        if best is None:
            return None
        return np.int8(-best[0]), best[2], sights.explain(best[2], self.j, "observe")

    def _sight_words(self, sight: UnitSight, name: str, answer: np.int8) -> list[str]:
        target = self.judge.situation.units[self.j]
        place = "[Line of Sight]"
        missing = sum(u.missing_bases for u in (self.judge.situation.units[self.i], target))
        if answer == YES:
            return [f"Sight from {name} to {target.id} is clear, from whole base edge to whole base edge. {place}"]
        surely = [o.words for o in sight.obstacles if o.answer == YES]
        perhaps = [o.words for o in sight.obstacles if o.answer == OPEN]
        parts = []
        if answer == NO:
            parts.append(f"Sight from {name} to {target.id} is blocked by {_listed(surely or perhaps)}. {place}")
        else:
            what = f": in doubt {_listed(perhaps or surely)}" if perhaps or surely else ""
            parts.append(f"Sight from {name} to {target.id} is too close to call{what}. Check it at the table. {place}")
            if missing:
                parts.append(f"{missing} of the two units' bases are not in the scene, and may see or be seen. {place}")
        return parts

    def _arcs(self, reasons: list[str]) -> tuple[dict[str, Any], tuple[tuple[bool, ...], tuple[bool, ...]]]:
        situation = self.judge.situation
        answers, margins, sigmas = situation.rear
        names = situation.units[self.i].id, situation.units[self.j].id
        if self.kind.fires_as == "mortar":
            to_rear, on_rear = bool(margins[self.i, self.j] < 0), bool(margins[self.j, self.i] < 0)
            return {"firing_to_rear": to_rear, "firing_on_rear": on_rear}, ((to_rear,), (on_rear,))
        arc: dict[str, Any] = {}
        found = []
        for key, (a, b), words in (
            ("firing_to_rear", (self.i, self.j), "fires to its own rear"),
            ("firing_on_rear", (self.j, self.i), "is fired on from its rear"),
        ):
            answer, margin, sigma = answers[a, b], float(margins[a, b]), float(sigmas[a, b])
            known = math.isfinite(sigma)
            nominal = known and margin < -TOLERANCE.length_in
            arc[key] = nominal
            name = names[0] if key == "firing_to_rear" else names[1]
            if answer == OPEN:
                arc[f"{key}_open"] = True
                how = f"the range line ends {_ahead(margin, sigma)} its front line"
                why = f"is too close to call: {how}" if known else "is open, since the facing is not known"
                reasons.append(f"Whether {name} {words} {why}. [Fire, Front or Flank]")
            elif nominal:
                ends = f"the range line ends {_ahead(margin, sigma)} its front line"
                reasons.append(f"{name} {words}: {ends}. [Fire, Front or Flank]")
            found.append((nominal, not nominal) if answer == OPEN else (nominal,))
        return arc, (found[0], found[1])

    def _covers(self, reasons: list[str]) -> tuple[tuple[bool, ...], ...]:
        """Possible values of woods, town and hill top for the target, the likelier first."""
        situation, target = self.judge.situation, self.judge.situation.units[self.j]
        out = []
        phrases = "in the woods", "in the town", "on the top of the hill"
        for (answer, feature), words in zip(situation.cover[self.j], phrases, strict=True):
            if answer == OPEN:
                reasons.append(
                    f'Whether {target.id} is {words} "{feature}" is too close to call. [Terrain and Range Modifiers]'
                )
            elif answer == YES:
                reasons.append(f'{target.id} is {words} "{feature}". [Terrain and Range Modifiers]')
            out.append({YES: (True,), NO: (False,), OPEN: (False, True)}[answer])
        return tuple(out)

    def odds(self, case: Circumstances) -> tuple[tuple[Modifier, ...], dict[int, Any]]:
        """The modifiers under some circumstances, and the probability of every number of hits."""
        situation = self.judge.situation
        firer, target = situation.units[self.i], situation.units[self.j]
        chosen = modifiers(self.kind, kind_of(target), firer.hits, target.dug_in, case, situation.rules)
        return chosen, distribution(self.judge.dice, chosen)

    def _alternatives(
        self,
        case: Circumstances,
        rears: tuple[tuple[bool, ...], tuple[bool, ...]],
        covers: tuple[tuple[bool, ...], ...],
    ) -> list[dict[str, Any]]:
        """Odds under every other combination of what is open, where they differ from the first."""
        bands = [b for b in self.bands if b != "out"] or [case.band]
        bands = [case.band, *(b for b in bands if b != case.band)]
        out, seen = [], {self.odds(case)[0]}
        for combination in itertools.product(bands, *rears, *covers):
            band, to_rear, on_rear, in_woods, in_town, on_hill_top = combination
            other = Circumstances(str(band), *map(bool, (to_rear, on_rear, in_woods, in_town, on_hill_top)))
            chosen, odds = self.odds(other)
            if chosen in seen:
                continue
            seen.add(chosen)
            out.append({"when": difference(case, other), **_odds_json(chosen, odds)})
        return out

    def _draw(self, sight: UnitSight) -> dict[str, Any]:
        ranges = self.judge.situation.ranges
        return {
            "range": [ranges.start[self.row].round(4).tolist(), ranges.end[self.row].round(4).tolist()],
            "sight": list(sight.lines),
            "blocked_at": [list(o.at) for o in sight.obstacles if o.at is not None],
        }


def _part(find: Callable[[list[str]], Found]) -> Part[Found]:
    reasons: list[str] = []
    return Part(find(reasons), tuple(reasons))


_VERDICTS = {YES: "yes", NO: "no", OPEN: "too-close"}
_BANDS = {"out": "out of reach"}
_COARSE_IN = 0.5  # a 95 % spread from here on leaves the second decimal without meaning
_SIGHTS = {YES: "clear", NO: "blocked", OPEN: "too-close"}


def _odds_json(chosen: tuple[Modifier, ...], odds: dict[int, Any]) -> dict[str, Any]:
    return {
        "modifiers": [m.to_json() for m in chosen],
        "hits": {str(hits): float(p) for hits, p in odds.items()},
        "expected_hits": float(expected(odds)),
    }


def _odds_words(chosen: tuple[Modifier, ...], odds: dict[int, Any], dice: str) -> str:
    listed = ", ".join(m.words for m in chosen)
    low, high = min(odds), max(odds)
    span = f"{low}" if low == high else f"{low} to {high}"
    return f"{dice.upper()} with {listed}: {span} hits, {float(expected(odds)):.2f} on average. [Fire, table]"


def _listed(words: list[str]) -> str:
    return "; ".join(words) if words else "what lies between"


def _ahead(margin: float, sigma: float) -> str:
    doubtful = math.isfinite(sigma) and abs(margin) < TOLERANCE.sureness * sigma
    far = _with_spread(abs(margin), sigma) if doubtful else _with_spread(abs(margin), 0.0)
    return f"{far} {'ahead of' if margin >= 0 else 'behind'}"


def _with_spread(value_in: float, sigma_in: float) -> str:
    """A length with its 95 % spread, if it has one, to as many decimals as that spread supports."""
    spread = TOLERANCE.sureness * sigma_in
    if not math.isfinite(spread) or spread <= 0:
        return f'{value_in:.2f}"'
    decimals = 2 if spread < _COARSE_IN else 1
    return f'{value_in:.{decimals}f}" ± {max(spread, 10**-decimals):.{decimals}f}"'


def _otherwise(others: list[dict[str, Any]]) -> list[str]:
    """What the hits are if one thing is otherwise, and how far they spread if several are."""
    single = [o for o in others if " and " not in o["when"]]
    said = [f"If {o['when']}: {o['expected_hits']:.2f} hits on average." for o in single]
    several = [o["expected_hits"] for o in others if " and " in o["when"]]
    if several:
        low, high = min(several), max(several)
        span = f"{low:.2f}" if low == high else f"{low:.2f} to {high:.2f}"
        said.append(f"If several of these hold: {span} hits on average.")
    return said
