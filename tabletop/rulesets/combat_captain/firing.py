"""Fire: who adds what at which range, what speaks against it, the chances, and what the dice make of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from tabletop.game.domains import Choice
from tabletop.game.protocol import Odds
from tabletop.game.violations import Violation
from tabletop.rulesets.combat_captain import chart
from tabletop.rulesets.combat_captain.actions import Fire
from tabletop.rulesets.combat_captain.aiming import BAND_WORDS, Aim, aim, calls_of, still_guns
from tabletop.rulesets.combat_captain.covering import COVER, cover_against
from tabletop.rulesets.combat_captain.damage import kept_chances
from tabletop.rulesets.combat_captain.data import (
    BANDS,
    DICE_PER_TURN,
    FACES,
    LOW_AMMUNITION,
    NO,
    OPEN,
    YES,
    Band,
    Weapon,
)
from tabletop.rulesets.combat_captain.events import Fired, Firer, Part
from tabletop.rulesets.combat_captain.setup import Company
from tabletop.rulesets.combat_captain.state import Stand, State
from tabletop.rulesets.combat_captain.throws import pips_counted, sums
from tabletop.words import inches

CHART = "Fire Chart"


_MEAN: Mapping[Band, float] = {"short": 3.5, "medium": 2.0, "long": 1.5, "out": 0.0}


@dataclass(frozen=True, eq=False)
class Volley:
    """A fire as it is judged: its parts, the dice that each throws, and the cover that its target saves at.

    ``company`` fires with so many of its dice (``spent``). ``chits`` lower the dice of its points, ``lowered`` is what
    they take off the variable die. ``violations`` are those of the whole; its parts have their own.
    """

    action: Fire
    company: Company
    spent: int
    aims: tuple[Aim, ...]
    target: Stand
    throws: tuple[int, ...]
    chits: int
    penalty_first: bool
    lowered: int
    cover: int
    violations: tuple[Violation, ...]

    @property
    def armour(self) -> bool:
        """Whether the target is killed by number, not by hits."""
        return self.target.plan.kind == "tank"

    @property
    def dice(self) -> int:
        """All dice: those of the fire, the variable die, and against armour the further die."""
        return sum(self.throws) + 1 + self.armour

    @property
    def add(self) -> int:
        """All modifiers together."""
        return sum(aim.add for aim in self.aims)

    @property
    def by_band(self) -> tuple[tuple[Band, int], ...]:
        """Dice at each range."""
        found: dict[Band, int] = {}
        for one, count in zip(self.aims, self.throws, strict=True):
            found[one.band] = found.get(one.band, 0) + count
        return tuple((band, found[band]) for band in BANDS if band in found)

    @property
    def chances(self) -> tuple[dict[int, Fraction], Fraction]:
        """The chances of the chart's results, and of 100 points or more."""
        return chart_chances(self.by_band, self.add, self.chits, self.penalty_first, self.lowered)


def extra_dice(dice: int, spent: int = 0) -> int:
    """Dice that a sub-unit throws for so many of the company's: one more with the fire that spends the third of them
    [Fire Chart].

    ``spent`` of them it has thrown before in this turn.

    >>> [extra_dice(dice) for dice in (1, 2, 3)], extra_dice(2, spent=1)
    ([1, 2, 4], 3)
    """
    return dice + (spent + dice == DICE_PER_TURN)


@lru_cache(maxsize=4096)
def chart_chances(
    dice: tuple[tuple[Band, int], ...], add: int, chits: int = 0, penalty_first: bool = False, lowered: int = 0
) -> tuple[dict[int, Fraction], Fraction]:
    """The chances of every result of the chart for dice at several ranges and modifiers of so much, and apart from them
    the chance of 100 points or more, which kill without the chart. ``lowered``: pips off the variable die.

    >>> found, kills = chart_chances((("short", 1),), 0)
    >>> {result: str(chance) for result, chance in found.items()}, kills
    ({0: '17/18', 1: '1/36', 2: '1/36'}, Fraction(0, 1))
    """
    ways: dict[int, int] = {}
    automatic = whole = 0
    for total, count in sums(dice, chits, penalty_first):
        whole += count
        if chart.automatic(total + add):
            automatic += count
            continue
        for face in FACES:
            result = chart.result(total + add, chart.column_of(face, lowered))
            ways[result] = ways.get(result, 0) + count
    every = whole * len(FACES)
    return {k: Fraction(v, every) for k, v in sorted(ways.items())}, Fraction(automatic, whole)


def may_fire(state: State) -> int:
    """How many of a company's dice may be fire in this phase."""
    return LOW_AMMUNITION if state.short else DICE_PER_TURN


def fire_dice_left(state: State, stand: Stand) -> int:
    """How many of its company's dice a sub-unit may still fire with in this turn."""
    other = state.spent.get(state.company(stand.id).id, 0)
    return min(may_fire(state), DICE_PER_TURN - other) - stand.fired


def company_of(state: State, action: Fire) -> Company | None:
    """The company whose sub-units fire, or that fires as a whole; ``None`` where no such unit is in the game."""
    name = action.firers[0].sub if action.firers else ""
    return state.setup.company_of.get(name) or state.setup.by_id.get(name)


def dice_spent(state: State, action: Fire) -> int:
    """The dice of its company that a fire takes; where nobody said, all that it may spend."""
    if action.dice is not None:
        return action.dice
    company = company_of(state, action)
    other = 0 if company is None else state.spent.get(company.id, 0)
    return max(1, min(may_fire(state), DICE_PER_TURN - other))


def volley(state: State, action: Fire) -> Volley:
    """A fire as it stands: its target is on the table and an enemy, its firers are of one company and on the table."""
    target = state.stands[action.target]
    company = company_of(state, action)
    assert company is not None
    spent = dice_spent(state, action)
    calls = calls_of(action)
    stands = [state.stands[f.sub] for f in action.firers]
    armed = [(stand, weapon_of(stand, f)) for stand, f in zip(stands, action.firers, strict=True)]
    still = (still_guns(state, armed, target) or tuple(stand.id for stand in stands)) if action.stationary else ()
    aims = tuple(aim(state, stand, weapon, target, calls, stand.id in still, action.spotter) for stand, weapon in armed)
    chits, rules = state.chits[company.id], state.setup.rules
    found: list[Violation] = []
    cover, open_cover = cover_against(state, target, tuple(f.sub for f in action.firers), calls.get("target"))
    if open_cover:
        text = f"Whether the cover of {target.id} faces all who fire is too close to call: look along it, and say."
        usage = ("measured covered", "measured uncovered")
        choices = (
            Choice("covered", f"The cover of {target.id} faces all who fire"),
            Choice("uncovered", f"The cover of {target.id} does not face all who fire"),
        )
        found.append(
            Violation("open-cover", text, COVER, answer="too-close", field="calls", choices=choices, usage=usage)
        )
    return Volley(
        action,
        company,
        spent,
        aims,
        target,
        tuple(extra_dice(spent, one.stand.fired) for one in aims),
        chits,
        rules.penalty_first,
        chits if rules.lowered_variable else 0,
        cover,
        tuple(found),
    )


def weapon_of(stand: Stand, firer: Firer) -> Weapon:
    """The weapon that a sub-unit fires; its first where none is named."""
    return next((w for w in stand.plan.weapons if w.name == firer.weapon), stand.plan.weapons[0])


def best(state: State, company: str, target: str, dice: int, spotter: str = "") -> Fire:
    """The combination of a company's sub-units that adds most points on average: whoever may fire for certain and adds
    more than nothing, each with its better weapon.

    Where nobody may for certain, those whom only measurements keep from it; where there are none either, all who stand
    on the table, so that the reasons can be told. ``spotter`` sees for mortars; guns that stood still have their two.
    """
    found: dict[int, list[tuple[Firer, float]]] = {YES: [], OPEN: [], NO: []}
    enemy = state.stands[target]
    for stand in state.members(company, on_table=True):
        aims = [aim(state, stand, weapon, enemy, spotter=spotter) for weapon in stand.plan.weapons]
        if not aims:
            continue
        each = extra_dice(dice, stand.fired)
        scores = [(one.answer, mean_points(state, one, each)) for one in aims]
        row = scores.index(max(scores))
        answer, points = scores[row]
        firer = Firer(stand.id, aims[row].weapon.name if row else None)
        found[NO if dice > fire_dice_left(state, stand) else answer].append((firer, points))
    for answer in (YES, OPEN):
        firers = tuple(firer for firer, points in found[answer] if points > 0)
        if firers:
            return with_still_guns(state, Fire(firers, target, dice, spotter=spotter))
    rest = [firer for answer in (YES, OPEN, NO) for firer, _ in found[answer]]
    return Fire(tuple(rest) or (Firer(company),), target, dice, spotter=spotter)


def with_still_guns(state: State, action: Fire) -> Fire:
    """A fire with the two of its guns that stood still, where one did."""
    stands = (state.stands[f.sub] for f in action.firers)
    armed = ((stand, weapon_of(stand, f)) for stand, f in zip(stands, action.firers, strict=True))
    still = bool(still_guns(state, armed, state.stands[action.target]))
    return action if still == action.stationary else replace(action, stationary=still)


def mean_points(state: State, one: Aim, each: int) -> float:
    """The points that a sub-unit adds on average."""
    chits = state.chits[state.setup.company_of[one.stand.id].id]
    if not chits:
        return each * _MEAN[one.band] + one.add
    first = state.setup.rules.penalty_first
    mean = sum(pips_counted(face, one.band, chits, penalty_first=first) for face in FACES) / len(FACES)
    return each * mean + one.add


def fire_odds(state: State, shot: Volley) -> Odds:
    """Exact odds of a fire: hits before saves, or whether armour is killed; and what is left of it after saves."""
    cases = tuple(_cases(state, shot))
    return _odds(shot, cases)


def _odds(shot: Volley, cases: tuple[tuple[str, Odds], ...] = ()) -> Odds:
    chances, automatic = shot.chances
    kills = {"automatic kill": automatic} if automatic else {}
    words = [
        f"{aim.stand.id}: {BAND_WORDS[aim.band]}, {inches(aim.range_in, [limit for _, limit in aim.weapon.limits])}"
        + "".join(f", {m}" for m in aim.modifiers)
        for aim in shot.aims
    ]
    if shot.chits:
        words.append(markers_words(shot.chits))
    if shot.armour:
        kill = automatic + sum(
            (chance * Fraction(min(number, len(FACES)), len(FACES)) for number, chance in chances.items()), Fraction(0)
        )
        stays = 1 - Fraction(shot.cover, len(FACES))
        destroyed = automatic + (kill - automatic) * stays
        found = {0: 1 - kill, 1: kill}
        also = {**kills, "destroyed": destroyed}
        return Odds("kills", {k: v for k, v in found.items() if v}, also, tuple(words), cases)
    slot = shot.target.slot(shot.cover)
    destroyed, losses = automatic, automatic * slot.toughness
    for hits, chance in chances.items():
        for kept, kept_chance in kept_chances((slot,), hits).items():
            destroyed += chance * kept_chance * (kept >= slot.toughness)
            losses += chance * kept_chance * kept
    hits_found = dict(chances)
    if automatic:
        for face in FACES:
            hits = _most(shot, face)
            hits_found[hits] = hits_found.get(hits, Fraction(0)) + automatic / len(FACES)
    if shot.cover:
        words.append(f"cover {shot.cover}: {float(losses):.2f} hits stay on average")
    also = {**kills, "destroyed": destroyed}
    return Odds("hits", dict(sorted(hits_found.items())), also, tuple(words), cases)


def _most(shot: Volley, variable: int) -> int:
    """The hits of 100 points or more: the last row's, and enough to destroy the stand that they kill by themselves;
    those alone where no variable die was thrown (0)."""
    if not variable:
        return shot.target.toughness
    return max(shot.target.toughness, chart.result(chart.AUTOMATIC, chart.column_of(variable, shot.lowered)))


def markers_words(chits: int) -> str:
    """What morale markers take off the dice, in words."""
    return f"{chits} off each die for morale markers"


def _cases(state: State, shot: Volley) -> Iterator[tuple[str, Odds]]:
    """The odds under the other bands that a measurement leaves open, one sub-unit at a time."""
    for one in shot.aims:
        for band in one.bands[1:]:
            if band == "out":
                continue
            calls = (*shot.action.calls, f"{one.stand.id}={band}")
            other = replace(shot.action, calls=calls)
            yield f"{one.stand.id} at {BAND_WORDS[band]}", _odds(volley(state, other))


def fire_event(shot: Volley, dice: Sequence[int], overruled: tuple[str, ...]) -> Fired:
    """What the dice make of a fire: those of each firing sub-unit in turn, the variable die, the further die."""
    parts, at = [], 0
    for one, count in zip(shot.aims, shot.throws, strict=True):
        roll = tuple(dice[at : at + count])
        at += count
        total = sum(pips_counted(face, one.band, shot.chits, penalty_first=shot.penalty_first) for face in roll)
        parts.append(
            Part(one.stand.id, one.weapon.name, round(one.range_in, 4), one.band, roll, total, one.modifiers, one.add)
        )
    points = sum(part.counted + part.add for part in parts)
    automatic = chart.automatic(points)
    variable = dice[at] if at < len(dice) else 0
    found = 0 if automatic else chart.result(points, chart.column_of(variable, shot.lowered))
    odds = _odds(shot)
    kill_number = kill_roll = None
    if shot.armour:
        kill_number, kill_roll = found, dice[at + 1] if at + 1 < len(dice) else 0
        hits = int(automatic or kill_roll <= kill_number)
    else:
        hits = _most(shot, variable) if automatic else found
    return Fired(
        shot.company.id,
        shot.action.target,
        shot.spent,
        tuple(parts),
        points,
        variable,
        hits,
        float(odds.expected),
        shot.chits,
        automatic,
        kill_number,
        kill_roll,
        shot.action.stationary,
        overruled,
        shot.action.spotter,
        shot.lowered,
    )
