"""What the defenders may do to platoons, hex by hex, before anything is committed: the worst case and the expected one.

The worst case takes every counter that is not known to be false for real, with guns wherever guns are possible; the
expected one weighs it by the tests that would make it real. Both ask what the fire of the coming enemy phase does to a
platoon in a hex *if it is fired on*: a counter engages one armour platoon and one cluster only, so that what it does
elsewhere is less. Spent counters recover instead of firing; they are told, and count nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any

from tabletop.rulesets.combined_arms import defender, mortars
from tabletop.rulesets.combined_arms.actions import Action, Move
from tabletop.rulesets.combined_arms.board import (
    COUNT,
    IN_RANGE,
    NAMES,
    NUMBER,
    scatter_hexes,
)
from tabletop.rulesets.combined_arms.data import HIT, REVEAL
from tabletop.rulesets.combined_arms.mortars import HE
from tabletop.rulesets.combined_arms.reducer import platoons_with
from tabletop.rulesets.combined_arms.state import Counter, Platoon, State
from tabletop.words import and_list, count

_SIXTH = Fraction(1, 6)


@dataclass(frozen=True)
class Threat:
    """What one counter may do to a platoon in a hex: the faces of six that hit, given that it is real; the chance that
    it is real and acts; losses of infantry by a hit; whether it is guns that fire; why it would show itself."""

    counter: int
    chances: int
    real: Fraction
    losses: int
    guns: bool
    spent: bool
    because: str = ""

    @property
    def worst(self) -> Fraction:
        """The chance of a hit when the counter is real."""
        return Fraction(0) if self.spent else self.chances * _SIXTH

    @property
    def expected_chance(self) -> Fraction:
        """The chance of a hit, weighed by the chance that the counter is real."""
        return self.worst * self.real


@dataclass(frozen=True)
class Danger:
    """What all counters may do to a platoon in a hex; ``unit`` its name, ``facing`` how armour would stand."""

    unit: str
    at: int
    facing: int | None
    threats: tuple[Threat, ...]

    @property
    def worst(self) -> Fraction:
        """The chance of being hit at least once when every counter is what it may be."""
        return 1 - prod((1 - t.worst for t in self.threats), start=Fraction(1))

    @property
    def expected_chance(self) -> Fraction:
        """The chance of being hit at least once, weighed by how likely counters are real."""
        return 1 - prod((1 - t.expected_chance for t in self.threats), start=Fraction(1))

    @property
    def losses(self) -> Fraction:
        """Expected losses of infantry; 0 for armour."""
        return sum((t.expected_chance * t.losses for t in self.threats), start=Fraction(0))


def danger(state: State, unit: str, at: int, facing: int | None = None) -> Danger:
    """What the defenders may do to a platoon if it ends its move in a hex.

    ``facing`` is armour's; ``None`` takes the one that is safest. Counters that see the hex with no chance to hit are
    left out.
    """
    platoon = state.by_id[unit]
    if platoon.is_infantry:
        return Danger(unit, at, None, _threats(state, replace(platoon, at=at, facing=None)))
    facings: Sequence[int] = range(6) if facing is None else (facing,)
    found = [Danger(unit, at, f, _threats(state, replace(platoon, at=at, facing=f))) for f in facings]
    return min(found, key=lambda d: (d.worst, d.expected_chance, d.facing != platoon.facing))


def dangers(state: State, unit: str) -> dict[int, Danger]:
    """The danger of every hex of the board for a platoon; hexes that no counter sees have none."""
    return {n: danger(state, unit, n) for n in range(COUNT) if n not in state.counters}


def _threats(state: State, platoon: Platoon) -> tuple[Threat, ...]:
    there = state.but(platoons=platoons_with(state, platoon.id, at=platoon.at, facing=platoon.facing, fate="board"))
    found = []
    for c in state.enemy:
        threat = _on_infantry(there, c, platoon) if platoon.is_infantry else _on_armour(there, c, platoon)
        if threat is not None:
            found.append(threat)
    return tuple(sorted(found, key=lambda t: (-t.worst, -t.expected_chance, t.counter)))


def _on_infantry(state: State, c: Counter, platoon: Platoon) -> Threat | None:
    if platoon.at not in IN_RANGE[c.at]:
        return None
    add = defender.infantry_modifiers(state, c.at, platoon.at)
    chances = defender.chances_of(sum(value for _, value in add)) if add is not None else 0
    if not chances:
        return None
    why = defender.platoon_test(state, c)
    real = _platoon_real(state, c) if c.revealed or why else Fraction(0)
    losses = mortars.losses_each(state, "enemy fire", platoon.at, c.at)
    return Threat(c.at, chances, real, losses, False, not c.fresh, _because(c, why))


def _on_armour(state: State, c: Counter, platoon: Platoon) -> Threat | None:
    may_have_guns = c.atg in ("real", "potential")
    with_guns = defender.armour_chances(state, c.at, platoon, guns=True) if may_have_guns else 0
    close = defender.armour_chances(state, c.at, platoon, guns=False)
    guns = with_guns >= close and with_guns > 0
    chances = with_guns if guns else close
    if not chances:
        return None
    why = defender.guns_test(state, c) or defender.platoon_test(state, c)
    real = _armour_real(state, c, guns=guns) if (c.revealed and c.atg != "potential") or why else Fraction(0)
    return Threat(c.at, chances, real, 0, guns, not c.fresh, _because(c, why))


def _because(c: Counter, why: str) -> str:
    if c.revealed and not why:
        return "it is known to be real"
    return f"it would be tested: {why}" if why else "it would stay hidden"


def _platoon_real(state: State, c: Counter) -> Fraction:
    """The chance that a counter's platoon is real, by the test that reveals it."""
    if c.revealed:
        return Fraction(1)
    return _test_chance(state, c, guns=False)


def _armour_real(state: State, c: Counter, *, guns: bool) -> Fraction:
    """The chance that what fires on armour is real: the guns, or the platoon beside it."""
    if not guns:
        return _platoon_real(state, c)
    if c.atg == "real":
        return Fraction(1)
    if c.revealed or not defender.platoon_test(state, c):
        return _test_chance(state, c, guns=True)
    shown = replace(c, revealed=True)
    there = state.but(enemy=tuple(shown if e.at == c.at else e for e in state.enemy))
    return _test_chance(state, c, guns=False) * _test_chance(there, shown, guns=True)


def _test_chance(state: State, c: Counter, *, guns: bool) -> Fraction:
    add = defender.test_modifiers(state, c, guns=guns)
    return Fraction(defender.chances_of(sum(value for _, value in add), REVEAL), 6)


# --- mortars ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pattern:
    """One fall of mortar bombs: the die, the hexes, the counters and the platoons that may be hit there."""

    die: int
    hexes: tuple[int, ...]
    counters: tuple[int, ...]
    platoons: tuple[str, ...]


def patterns(state: State, target: int) -> tuple[Pattern, ...]:
    """Where bombs or smoke called down on a hex may fall, one for each face of the scatter die."""
    found = []
    for die in range(1, 7):
        hexes = scatter_hexes(target, die)
        counters = tuple(n for n in hexes if n in state.counters)
        platoons = tuple(p.id for n in hexes for p in state.infantry.get(n, ()))
        found.append(Pattern(die, hexes, counters, platoons))
    return tuple(found)


def hit_chances(state: State, target: int) -> dict[str, Fraction]:
    """The chance that bombs called down on a hex hit each counter (by hex) and each own platoon (by name) near it."""
    hit = Fraction(7 - HIT, 6)
    found: dict[str, Fraction] = {}
    for pattern in patterns(state, target):
        for name in (*(NAMES[n] for n in pattern.counters), *pattern.platoons):
            found[name] = found.get(name, Fraction(0)) + _SIXTH * hit
    return found


# --- in words and as JSON --------------------------------------------------------------------------------------------


def sentences(state: State, found: Danger) -> tuple[str, ...]:
    """A danger in sentences, the worst first: who would do what to whom on which die, and why it would fire at all."""
    return tuple(_sentence(state, found, threat) for threat in found.threats) or (
        f"Nothing that is known of could hit {found.unit} in {NAMES[found.at]}.",
    )


def action_dangers(state: State, action: Action) -> tuple[str, ...]:
    """What a move to a hex lets the defenders do, the figures first; nothing of any other action."""
    if not isinstance(action, Move) or not action.path:
        return ()
    found = danger(state, action.unit, NUMBER[action.path[-1]], action.facing)
    if not found.threats:
        return sentences(state, found)
    worst, expected = float(found.worst), float(found.expected_chance)
    figures = f"The chance that {action.unit} is hit there is {worst:.0%} at worst, {expected:.0%} as expected."
    return (figures, *sentences(state, found))


def _sentence(state: State, found: Danger, t: Threat) -> str:
    counter = state.counters[t.counter]
    kind = state.ground.terrain[t.counter]
    where = f"{NAMES[t.counter]} ({kind})"
    if not counter.revealed or (t.guns and counter.atg == "potential"):
        who = f"{'Anti-tank guns' if t.guns else 'A platoon'} in {where} would"
    else:
        who = f"The {'anti-tank guns' if t.guns else 'platoon'} in {where} will"
    faces = [str(die) for die in range(7 - t.chances, 7)]
    on = " or ".join(faces) if len(faces) < 3 else f"{faces[0]} or more"
    losses = "" if found.facing is not None else f" for {count(t.losses, 'loss', 'losses')}"
    does = "break" if found.facing is not None else "pin"
    if t.spent:
        return f"{where} is spent: it recovers instead of firing; fresh it could {does} {found.unit} on {on}."
    chance = f"; real with {float(t.real):.0%}".replace("%", " %") if 0 < t.real < 1 else ""
    return f"{who} {does} {found.unit} on {on}{losses} ({t.because}{chance})."


def danger_json(state: State, found: Danger) -> dict[str, Any]:
    """A danger as JSON."""
    return {
        "platoon": found.unit,
        "hex": NAMES[found.at],
        "facing": found.facing,
        "worst": round(float(found.worst), 4),
        "expected": round(float(found.expected_chance), 4),
        "expected_losses": round(float(found.losses), 4),
        "threats": [
            {
                "hex": NAMES[t.counter],
                "chances": t.chances,
                "real": round(float(t.real), 4),
                "losses": t.losses,
                "guns": t.guns,
                "spent": t.spent,
                "because": t.because,
            }
            for t in found.threats
        ],
        "words": list(sentences(state, found)),
    }


def patterns_json(state: State, target: str) -> dict[str, Any]:
    """Where mortar bombs called down on a hex may fall, as JSON; what speaks against calling them too."""
    at = NUMBER[target]
    return {
        "target": target,
        "against": [v.to_json() for v in mortars.against_call(state, at, HE)],
        "patterns": [
            {
                "die": p.die,
                "hexes": [NAMES[n] for n in p.hexes],
                "counters": [NAMES[n] for n in p.counters],
                "platoons": list(p.platoons),
            }
            for p in patterns(state, at)
        ],
        "hit": {name: round(float(chance), 4) for name, chance in hit_chances(state, at).items()},
    }


def pattern_words(state: State, target: str) -> tuple[str, ...]:
    """Where mortar bombs called down on a hex may fall, a sentence for each face of the die."""
    rows = []
    for p in patterns(state, NUMBER[target]):
        struck = [*(f"the counter in {NAMES[n]}" for n in p.counters), *p.platoons]
        rows.append(
            f"{p.die}: {and_list([NAMES[n] for n in p.hexes])}" + (f", hitting {and_list(struck)}" if struck else "")
        )
    return tuple(f"{row}." for row in rows)
