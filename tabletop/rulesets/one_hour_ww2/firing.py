"""Fire in a game: what speaks against a shot, its odds, and what its die does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from geometry.tolerance import NO, OPEN
from tabletop.game.domains import Choice
from tabletop.game.protocol import Odds
from tabletop.game.violations import Violation
from tabletop.rulesets.one_hour_ww2.actions import Fire
from tabletop.rulesets.one_hour_ww2.calls import CALLS
from tabletop.rulesets.one_hour_ww2.events import Fired
from tabletop.rulesets.one_hour_ww2.modifiers import Circumstances, difference
from tabletop.rulesets.one_hour_ww2.odds import Modifier, hits_of, mean
from tabletop.rulesets.one_hour_ww2.shots import Judge, JudgedShot
from tabletop.rulesets.one_hour_ww2.sights import Sights
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State

_QUESTIONS = {
    "band": (
        "open-range",
        "Which range band holds",
        "measure between the unique bases, nearest points",
        "Fire, Ranges",
    ),
    "to_rear": ("open-arc", "Whether it fires to its own rear", "lay a ruler along its front", "Fire, Front or Flank"),
    "on_rear": (
        "open-arc",
        "Whether it hits the target's rear",
        "lay a ruler along the target's front",
        "Fire, Front or Flank",
    ),
    "in_woods": ("open-cover", "Whether the target is in the woods", "look", "Terrain and Range Modifiers, b"),
    "in_town": ("open-cover", "Whether the target is in the town", "look", "Terrain and Range Modifiers, a"),
    "on_hill_top": ("open-cover", "Whether the target is on the hill top", "look", "Terrain and Range Modifiers, c"),
}


@dataclass(frozen=True, eq=False)
class Volley:
    """A shot wished for, and everything that it hangs on. ``possible``: every circumstance's values, likelier first."""

    shot: JudgedShot
    calls: Mapping[str, object]
    possible: Mapping[str, tuple[object, ...]]

    @property
    def case(self) -> Circumstances:
        """The circumstances that count: as called, else the likeliest."""
        chosen = {
            name: self.calls[name] if self.calls.get(name) in values else values[0]
            for name, values in self.possible.items()
        }
        return replace(self.shot.case, **chosen)  # type: ignore[arg-type]

    @property
    def odds(self) -> tuple[tuple[Modifier, ...], dict[int, Fraction]]:
        """The modifiers, and the probability of every number of hits."""
        return self.shot.odds(self.case)

    def open_questions(self) -> list[str]:
        """Circumstances that the measurements leave open, that nobody called, and that change the hits."""
        usual = self.odds[1]
        return [
            name
            for name, values in self.possible.items()
            if len(values) > 1
            and self.calls.get(name) not in values
            and any(self.shot.odds(replace(self.case, **{name: v}))[1] != usual for v in values)  # type: ignore[arg-type]
        ]


def judge_of(state: State, pairs: Iterable[tuple[str, str]] | None = None) -> Judge:
    """A judge of the table's shots; of some pairs of units alone where they are given."""
    situation = state.situation
    asked = None if pairs is None else frozenset((situation.index[a], situation.index[b]) for a, b in pairs)
    return Judge(situation, Sights(situation, asked), state.setup.dice, playing=True)


def volley(state: State, action: Fire, judge: Judge | None = None) -> Volley:
    """The shot of an action between units on the table; ``judge`` serves many shots of one state."""
    known = state.memo.get(action)
    if isinstance(known, Volley):
        return known
    found = state.memo[action] = _volley(state, action, judge)
    return found


def _volley(state: State, action: Fire, judge: Judge | None) -> Volley:
    unit = state.unit(action.unit)
    if judge is None:
        pairs = [(action.unit, action.target)]
        if unit is not None and kind_of(unit).fires_as == "mortar":
            pairs += [(u.id, action.target) for u in state.units if u.side == unit.side and u.id != unit.id]
        judge = judge_of(state, pairs)
    rows = state.situation.index
    shot = JudgedShot(judge, rows[action.unit], rows[action.target], rows.get(action.observer))
    rears, (woods, town, top) = shot.arcs.found, shot.covers.found
    bands = tuple(band for band in shot.bands if band != "out") or (shot.case.band,)
    return Volley(
        shot,
        {CALLS[word].circumstance: CALLS[word].value for word in action.calls if word in CALLS},
        {
            "band": bands,
            "to_rear": rears.to_rear,
            "on_rear": rears.on_rear,
            "in_woods": woods,
            "in_town": town,
            "on_hill_top": top,
        },
    )


def shot_violations(wished: Volley) -> list[Violation]:
    """What speaks against a shot on the table: range, sight, and what is left open and changes the hits."""
    shot = wished.shot
    value, sigma = shot.range_in
    numbers = {"range_in": round(value, 4), "sigma_in": round(sigma, 4), "reach_in": shot.limits[-1][1]}
    target = shot.judge.situation.units[shot.j].id
    found = []
    if shot.reach.found == NO:
        found.append(Violation("out-of-range", _reasons_text(shot.reach.reasons), "Fire, Ranges", numbers))
    elif shot.reach.found == OPEN and "reach" not in wished.calls:
        found.append(_open("out-of-range", _reasons_text(shot.reach.reasons), "Fire, Ranges", numbers, "reach"))
    sight = shot.sight.found.answer
    if sight == NO:
        found.append(Violation("no-sight", _reasons_text(shot.sight.reasons), "Line of Sight", numbers))
    elif sight == OPEN and "sight" not in wished.calls:
        found.append(_open("no-sight", _reasons_text(shot.sight.reasons), "Line of Sight", numbers, "sight"))
    if any(v.answer == "no" for v in found):
        return found
    usual = float(mean(wished.odds[1]))
    for name in wished.open_questions():
        code, question, how, place = _QUESTIONS[name]
        others = [v for v in wished.possible[name] if v != getattr(wished.case, name)]
        cases = [replace(wished.case, **{name: v}) for v in others]  # type: ignore[arg-type]
        told = "; ".join(f"if {difference(wished.case, case)}, {float(mean(shot.odds(case)[1])):.2f}" for case in cases)
        words = f"{question} is too close to call at {target}: {usual:.2f} hits on average as seen, {told}; {how}."
        found.append(_open(code, words, place, numbers, name, wished.possible[name]))
    return found


def _open(
    code: str,
    text: str,
    place: str,
    numbers: Mapping[str, float],
    circumstance: str,
    values: Sequence[object] = (True,),
) -> Violation:
    """A circumstance that is too close to call, with the calls that settle it, the likeliest first."""
    choices = tuple(
        Choice(word, call.title)
        for value in values
        for word, call in CALLS.items()
        if call.circumstance == circumstance and call.value == value
    )
    return Violation(code, text, place, numbers, "too-close", field="calls", choices=choices)


def call_violations(action: Fire, wished: Volley) -> list[Violation]:
    """Calls that are no words, or that the measurements surely contradict."""
    found = []
    for word in action.calls:
        if word not in CALLS:
            found.append(Violation("unknown-call", f'"{word}" is no call; calls are {", ".join(CALLS)}.', firm=True))
            continue
        name, value, _ = CALLS[word]
        if name in wished.possible and value not in wished.possible[name]:
            found.append(
                Violation("contradicted-call", f'"{word}" can\'t be: the measurements are sure that it is otherwise.')
            )
    return found


def shot_odds(state: State, wished: Volley) -> Odds:
    """The odds of hits, of the target's end and of lasting damage, and of what is open."""
    chosen, chances = wished.odds
    shot = wished.shot
    cases = []
    for name in wished.open_questions():
        for value in wished.possible[name]:
            case = replace(wished.case, **{name: value})  # type: ignore[arg-type]
            if case != wished.case:
                cases.append((difference(wished.case, case), _odds(state, shot, *shot.odds(case))))
    return replace(_odds(state, shot, chosen, chances), cases=tuple(cases))


def _odds(state: State, shot: JudgedShot, chosen: tuple[Modifier, ...], chances: dict[int, Fraction]) -> Odds:
    target = shot.judge.situation.units[shot.j]
    left = state.setup.rules.destroyed_at - target.hits
    also = {"destroyed": sum((p for hits, p in chances.items() if hits >= left), start=Fraction(0))}
    if target.hits < 10:
        also["10 hits or more"] = sum((p for hits, p in chances.items() if hits >= 10 - target.hits), start=Fraction(0))
    return Odds("hits", chances, also, tuple(m.words for m in chosen))


def fire_event(state: State, action: Fire, wished: Volley, roll: int, overruled: tuple[str, ...]) -> Fired:
    """The event of a shot whose die shows ``roll``."""
    chosen, chances = wished.odds
    add = sum(m.add for m in chosen)
    multiply = Fraction(1)
    for modifier in chosen:
        multiply *= modifier.multiply if modifier.multiply is not None else 1
    shot = wished.shot
    sight = shot.sight.found.own
    indirect = kind_of(shot.judge.situation.units[shot.i]).fires_as == "mortar" and sight["verdict"] != "clear"
    observer = sight["observer"]["unit"] if indirect and "observer" in sight else None
    unit = state.unit(action.unit)
    return Fired(
        unit=action.unit,
        target=action.target,
        roll=roll,
        hits=hits_of(roll, add, multiply),
        range_in=round(shot.range_in[0], 4),
        band=wished.case.band,
        add=add,
        multiply=float(multiply),
        modifiers=tuple(m.words for m in chosen),
        expected=float(mean(chances)),
        chances=tuple((hits, float(p)) for hits, p in chances.items()),
        observer=observer,
        reaction=unit is not None and unit.side != state.side,
        overruled=overruled,
    )


def _reasons_text(reasons: tuple[str, ...]) -> str:
    """Reasons as one text without their places."""
    return " ".join(reason.rsplit(" [", 1)[0] for reason in reasons)
