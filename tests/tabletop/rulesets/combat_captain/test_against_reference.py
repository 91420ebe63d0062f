"""Combat Captain's fire, saves and close combat held against a second, slow reading, by all throws."""

from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.rulesets.combat_captain import chart
from tabletop.rulesets.combat_captain.combat import Fight, win_chance
from tabletop.rulesets.combat_captain.damage import Slot, hits_kept, kept_chances
from tabletop.rulesets.combat_captain.firing import chart_chances
from tabletop.rulesets.combat_captain.support import shot_back, shot_back_chances
from tabletop.rulesets.combat_captain.throws import pips_counted
from tests.reference import combat_captain as slow

BANDS = st.sampled_from(["short", "medium", "long"])
PARTS = st.lists(st.tuples(BANDS, st.integers(1, 4), st.integers(-4, 40)), min_size=1, max_size=3)


@given(
    parts=st.lists(st.tuples(BANDS, st.lists(st.integers(1, 6), max_size=4), st.integers(-4, 40)), max_size=4),
    markers=st.integers(0, 3),
    variable=st.integers(1, 6),
)
def test_points_and_hits_of_a_throw(parts: list[tuple[str, list[int], int]], markers: int, variable: int) -> None:
    points = sum(sum(pips_counted(f, band, markers) for f in dice) + add for band, dice, add in parts)  # type: ignore[arg-type]
    assert points == slow.fire_points(parts, markers)
    found = slow.potential_hits(points, variable)
    assert (None if chart.automatic(points) else chart.result(points, variable)) == found


@settings(max_examples=15)
@given(
    parts=PARTS.filter(lambda parts: sum(dice for _, dice, _ in parts) <= 4),
    markers=st.integers(0, 2),
    off_variable=st.integers(0, 6),
)
def test_chances_of_a_fire(parts: list[tuple[str, int, int]], markers: int, off_variable: int) -> None:
    bands: dict[str, int] = {}
    for band, dice, _ in parts:
        bands[band] = bands.get(band, 0) + dice
    add = sum(more for _, _, more in parts)
    chances, automatic = chart_chances(tuple(bands.items()), add, markers, lowered=off_variable)  # type: ignore[arg-type]
    wanted = slow.fire_chances(parts, markers, off_variable)
    assert automatic == wanted.pop(None, Fraction(0))
    assert chances == wanted


@given(
    lives=st.lists(st.tuples(st.integers(1, 5), st.integers(0, 5)), min_size=1, max_size=4),
    dice=st.lists(st.integers(1, 6), max_size=12),
)
def test_hits_and_saves_fall_on_the_same(lives: list[tuple[int, int]], dice: list[int]) -> None:
    slots = [Slot(f"S{n}", life, cover) for n, (life, cover) in enumerate(lives)]
    bodies = [slow.Body(life, 1, cover) for life, cover in lives]
    kept = hits_kept(slots, len(dice), dice)
    left = [body for body, slot, hits in zip(bodies, slots, kept, strict=True) if hits < slot.toughness]
    assert left == slow.after_hits(bodies, len(dice), dice)


@settings(max_examples=20)
@given(
    lives=st.lists(st.tuples(st.integers(1, 3), st.integers(0, 5)), min_size=1, max_size=3),
    hits=st.integers(0, 6),
)
def test_chances_of_saves(lives: list[tuple[int, int]], hits: int) -> None:
    slots = tuple(Slot(f"S{n}", life, cover) for n, (life, cover) in enumerate(lives))
    bodies = [slow.Body(life, 1, cover) for life, cover in lives]
    by_count: dict[int, Fraction] = {}
    for kept, chance in kept_chances(slots, hits).items():
        left = Fight(slots, (1,) * len(slots), (0,) * len(slots)).left(kept)[0]
        by_count[left] = by_count.get(left, Fraction(0)) + chance
    wanted: dict[int, Fraction] = {}
    for stay, chance in slow._defenders_left(bodies, hits):
        wanted[len(stay)] = wanted.get(len(stay), Fraction(0)) + chance
    assert {k: v for k, v in by_count.items() if v} == {k: v for k, v in wanted.items() if v}


BODIES = st.lists(st.tuples(st.integers(1, 4), st.sampled_from([0, 1, 1]), st.integers(0, 3)), min_size=1, max_size=2)


@settings(max_examples=15)
@given(own=BODIES, other=BODIES, markers=st.tuples(st.integers(0, 2), st.integers(0, 2)), first=st.booleans())
def test_chances_to_win_a_close_combat(
    own: list[tuple[int, int, int]], other: list[tuple[int, int, int]], markers: tuple[int, int], first: bool
) -> None:
    def fight(rows: list[tuple[int, int, int]], chits: int, *, covered: bool) -> Fight:
        slots = tuple(Slot(f"S{n}", life, cover if covered else 0) for n, (life, _, cover) in enumerate(rows))
        levels = tuple(cover if covered else 0 for _, _, cover in rows)
        return Fight(slots, tuple(dice for _, dice, _ in rows), levels, chits)

    found = win_chance(fight(own, markers[0], covered=False), fight(other, markers[1], covered=True), first)
    wanted = slow.wins(
        [slow.Body(life, dice) for life, dice, _ in own],
        [slow.Body(life, dice, cover) for life, dice, cover in other],
        markers,
        first,
    )
    assert found == wanted


@settings(max_examples=20)
@given(roll=st.lists(st.integers(1, 6), min_size=1, max_size=8).filter(lambda roll: roll.count(1) <= 3))
def test_chances_of_shots_that_come_back(roll: list[int]) -> None:
    chances, breaks, crashes = shot_back_chances(tuple(roll))
    throws = list(product(range(1, 7), repeat=roll.count(1)))
    made: dict[int, Fraction] = {}
    ends = {"none": Fraction(0), "breaks-off": Fraction(0), "crashes": Fraction(0)}
    for throw in throws:
        casualties, effect = shot_back(roll, throw)
        made[casualties] = made.get(casualties, Fraction(0)) + Fraction(1, len(throws))
        ends[effect] += Fraction(1, len(throws))
    assert {k: v for k, v in chances.items() if v} == made
    assert (breaks, crashes) == (ends["breaks-off"], ends["crashes"])
