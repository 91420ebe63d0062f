"""A second, slow reading of Combat Captain's fire, saves and close combat: plain loops over all throws.

Nothing of the product is used but the chart's file, so that the two can be held against each other.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

CHART = Path(__file__).parents[2] / "tabletop" / "rulesets" / "combat_captain" / "fire_chart.csv"
PIPS = range(1, 7)


def chart_rows() -> dict[int, list[int]]:
    """Fire points to the results of the six faces."""
    with CHART.open(encoding="utf-8") as file:
        return {int(row[0]): [int(cell) for cell in row[1:]] for row in list(csv.reader(file))[1:]}


ROWS = chart_rows()


def pips(face: int, which: str, markers: int, first: bool = False) -> int:
    """What a die adds where ``which`` dice count (all, even, odd), one pip less for each marker, never below none;
    ``first``: what is left of the die is even or odd."""
    left = face - markers if face > markers else 0
    shown = left if first else face
    if which == "even" and shown in (1, 3, 5):
        return 0
    if which == "odd" and shown in (2, 4, 6):
        return 0
    return left


BAND = {"short": "all", "medium": "even", "long": "odd"}


def fire_points(parts: Sequence[tuple[str, Sequence[int], int]], markers: int) -> int:
    """Points of several sub-units: each with its range band, its dice and its modifiers."""
    points = 0
    for band, dice, modifiers in parts:
        for face in dice:
            points += pips(face, BAND[band], markers)
        points += modifiers
    return points


def potential_hits(points: int, variable: int) -> int | None:
    """The chart's number; ``None`` where the points kill by themselves."""
    if points > 99:
        return None
    if points < 1:
        return 0
    return ROWS[points][variable - 1]


def fire_chances(
    parts: Sequence[tuple[str, int, int]], markers: int, off_variable: int = 0
) -> dict[int | None, Fraction]:
    """The chances of every result, by all throws: each part has its band, the number of its dice and its modifiers. The
    variable die loses ``off_variable`` pips, but for its last one."""
    found: dict[int | None, Fraction] = {}
    count = sum(dice for _, dice, _ in parts)
    share = Fraction(1, 6 ** (count + 1))
    for throw in product(PIPS, repeat=count + 1):
        rest, shot = list(throw[:-1]), []
        for band, dice, modifiers in parts:
            shot.append((band, rest[:dice], modifiers))
            rest = rest[dice:]
        variable = throw[-1]
        for _ in range(off_variable):
            variable -= 1 if variable > 1 else 0
        result = potential_hits(fire_points(shot, markers), variable)
        found[result] = found.get(result, Fraction(0)) + share
    return found


@dataclass
class Body:
    """A sub-unit in close combat: the hits that kill it, its dice, its cover."""

    life: int
    dice: int
    cover: int = 0


def after_hits(bodies: Sequence[Body], hits: int, saves: Sequence[int]) -> list[Body]:
    """Who is left when hits fall on them one by one in their order, each saved by its die up to the cover of whoever it
    falls on."""
    lives = [body.life for body in bodies]
    for n in range(hits):
        target = next((k for k, life in enumerate(lives) if life > 0), None)
        if target is None:
            break
        if saves[n] <= bodies[target].cover:
            continue
        lives[target] -= 1
    return [body for body, life in zip(bodies, lives, strict=True) if life > 0]


def wins(
    attackers: Sequence[Body], defenders: Sequence[Body], markers: tuple[int, int], first: bool
) -> tuple[Fraction, Fraction]:
    """The chances that attackers win and that defenders do, by all throws of both stages and of the saves."""
    own, other = sum(b.dice for b in attackers), sum(b.dice for b in defenders)
    attack_wins = defend_wins = Fraction(0)
    share = Fraction(1, 6 ** (own + other))
    for throw in product(PIPS, repeat=own + other):
        hits = sum(pips(face, "even", markers[0], first) for face in throw[:own])
        back = sum(pips(face, "odd", markers[1], first) for face in throw[own:])
        left = after_hits(attackers, back, [6] * back)
        for stay, chance in _defenders_left(defenders, hits):
            if left and stay:
                ahead = _ahead(
                    sum(b.dice for b in left), sum(b.dice for b in stay), sum(b.cover for b in stay), markers, first
                )
            else:
                ahead = Fraction(bool(left))
            attack_wins += share * chance * ahead
            defend_wins += share * chance * (1 - ahead if left or stay else 0)
    return attack_wins, defend_wins


def _defenders_left(defenders: Sequence[Body], hits: int) -> list[tuple[list[Body], Fraction]]:
    """Who of the defenders may be left after so many hits and their saves, with the chances, hit by hit."""
    cases: dict[tuple[int, ...], Fraction] = {tuple(body.life for body in defenders): Fraction(1)}
    for _ in range(hits):
        after: dict[tuple[int, ...], Fraction] = {}
        for lives, chance in cases.items():
            target = next((k for k, life in enumerate(lives) if life > 0), None)
            for face in PIPS:
                struck = list(lives)
                if target is not None and face > defenders[target].cover:
                    struck[target] -= 1
                key = tuple(struck)
                after[key] = after.get(key, Fraction(0)) + chance / 6
        cases = after
    return [([b for b, life in zip(defenders, lives, strict=True) if life > 0], p) for lives, p in cases.items()]


@cache
def _ahead(own: int, other: int, cover: int, markers: tuple[int, int], first: bool) -> Fraction:
    """The chance that the attackers' total is the higher one in the second throw."""
    ahead = 0
    for throw in product(PIPS, repeat=own + other):
        mine = sum(pips(face, "odd", markers[0], first) for face in throw[:own])
        theirs = sum(pips(face, "even", markers[1], first) for face in throw[own:]) + cover
        ahead += mine > theirs
    return Fraction(ahead, 6 ** (own + other))
