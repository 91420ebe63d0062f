"""The save of a piece that is hit: what it needs, with every modifier."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tabletop.rulesets.combat.data import LEAST_SAVE, MOST_SAVE, PERIODS, PLANE_SAVED_ON, SAVED_ON, Profile
from tabletop.rulesets.combat.events import Cause, Modifier
from tabletop.rulesets.combat.state import Piece, State

PLACES = {
    "on a hill": "Salvo cards, A hill or wood",
    "in woods": "Salvo cards, A hill or wood",
    "on a mine": "Salvo cards, A hill or wood",
    "attacked from the air": "Airstrikes and airstrips",
    "attacked by early planes": "House rules, 11",
    "first salvo of the game": "Note the first salvo rule",
    "first player's first turn": "Firing",
    "infantry in woods": "House rules, 6 and 7",
    "foot infantry in a built-up area": "House rules, 6",
    "motorised infantry in a built-up area": "House rules, 7",
    "cavalry without cover": "House rules, 8",
    "vehicle in a built-up area": "House rules, 5",
    "modern aircraft": "House rules, 16",
    "bonuses do not add up": "ruling 4",
    "penalties do not add up": "ruling 4",
}
"""Every modifier of a save by its name, and where the rules have it."""


def save_of(state: State, piece: Piece, cause: Cause, by: str = "") -> tuple[int, tuple[Modifier, ...]]:
    """The least throw that saves a piece where it stands, and the modifiers; ``by`` is the kind that hit it.

    A plane that attacked is saved on 4 to 6, whatever else.
    """
    if cause == "plane":
        return PLANE_SAVED_ON, ()
    modifiers = tuple(_modifiers(state, piece, cause, by))
    values = [value for _, value in modifiers]
    if state.setup.profile == "original":
        modifiers += tuple(_not_added(values))
    return save_needed(state.setup.profile, values), modifiers


def _not_added(values: list[int]) -> Iterator[Modifier]:
    """What bonuses and penalties that do not stack take back from their sum."""
    bonuses, penalties = [v for v in values if v > 0], [v for v in values if v < 0]
    if len(bonuses) > 1:
        yield "bonuses do not add up", max(bonuses) - sum(bonuses)
    if len(penalties) > 1:
        yield "penalties do not add up", min(penalties) - sum(penalties)


def save_needed(profile: Profile, values: list[int]) -> int:
    """The least throw that saves: 5 without modifiers, never below 2 nor above 6.

    In the codified rules all modifiers count; in the original ones the best and the worst of them (they do not stack).

    >>> save_needed("codified", [1, 1]), save_needed("original", [1, 1])
    (3, 4)
    >>> save_needed("codified", [1, 1, 2]), save_needed("original", [-1])
    (2, 6)
    """
    if profile == "codified":
        total = sum(values)
    else:
        total = max([0, *values]) + min([0, *values])
    return min(MOST_SAVE, max(LEAST_SAVE, SAVED_ON - total))


def saved_chance(need: int) -> Fraction:
    """How likely one die saves.

    >>> saved_chance(5), saved_chance(2)
    (Fraction(1, 3), Fraction(5, 6))
    """
    return Fraction(7 - need, 6)


def _modifiers(state: State, piece: Piece, cause: Cause, by: str) -> Iterator[Modifier]:
    field, n = state.field, piece.at
    terrain, built = field.terrain[n], field.built[n]
    woods = terrain == "woods"
    period = PERIODS[state.setup.period] if state.setup.period else None
    if terrain in ("hill", "crest"):
        yield "on a hill", 1
    elif woods:
        yield "in woods", 1
    if cause == "mine":
        yield "on a mine", 1
    if cause == "air":
        early = 0 if period is None else -period.air
        yield ("attacked by early planes", 1 + early) if early else ("attacked from the air", 1)
    if cause in ("air", "fire"):
        if state.setup.profile == "original":
            if state.salvos == 0:
                yield "first salvo of the game", 1
        elif state.is_first_turn:
            yield "first player's first turn", 1
    if piece.data.infantry and woods:
        yield "infantry in woods", 1
    if piece.kind == "foot" and built:
        yield "foot infantry in a built-up area", 2
    if piece.kind == "motorised" and built:
        yield "motorised infantry in a built-up area", 1
    if piece.kind == "cavalry" and not (woods or built):
        yield "cavalry without cover", -1
    if piece.data.vehicle and built:
        yield "vehicle in a built-up area", -1
    if period is not None and period.against_air and (cause == "air" or (cause == "fire" and by == "helicopter")):
        yield "modern aircraft", period.against_air
