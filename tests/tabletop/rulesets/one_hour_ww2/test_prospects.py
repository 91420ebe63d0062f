"""What a unit may hope for from a move: gathered answers against the single chances, the picture, and the words."""

import itertools
import json
import math
from dataclasses import replace
from fractions import Fraction

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry.drawing.png import png_bytes
from geometry.drawing.scene import Letters
from geometry.drawing.svg import svg_text
from tabletop.errors import RulesError
from tabletop.game.errors import ActionError
from tabletop.open_table.setup import TerrainPiece
from tabletop.rulesets.one_hour_ww2.covering import chance_of_cover, covers
from tabletop.rulesets.one_hour_ww2.data import DICE
from tabletop.rulesets.one_hour_ww2.moving import move_total
from tabletop.rulesets.one_hour_ww2.prospects import prospects
from tabletop.rulesets.one_hour_ww2.prospects_data import Hope, Prospects
from tabletop.rulesets.one_hour_ww2.prospects_map import _areas, picture, title
from tabletop.rulesets.one_hour_ww2.prospects_words import in_words, parse
from tabletop.rulesets.one_hour_ww2.reaching import chance_of_range, chance_of_sight, chance_to_reach, reach_region
from tabletop.rulesets.one_hour_ww2.setup import UnitSetup
from tabletop.rulesets.one_hour_ww2.state import State
from tests.support.moving_tables import HILL, area, column, force, game, line, rolled, single

KINDS = ("infantry", "mortar", "atg", "tank", "mortar-tank")
TERRAIN = (
    area("w", "woods", 10, 14, 18, 19),
    area("t", "town", 12, 4, 17, 9),
    HILL,
    TerrainPiece("m", "marsh", ((22, 12), (30, 14), (27, 20), (21, 18))),
    area("r", "road", 19, 0, 21, 48),
)
ENEMIES = (
    force("R1", "red", "infantry", line(20, 32, 180), dug_in=True, ready=True),
    force("R2", "red", "tank", line(36, 12, 270)),
    force("R3", "red", "mortar", line(8, 44, 180)),
)


def table(
    kind: str,
    *,
    by_road: bool = False,
    dice: str = "d5",
    dug_in: bool = False,
    enemies: tuple[UnitSetup, ...] = (),
) -> State:
    own = force("B1", "blue", kind, column(20, 11) if by_road else line(20, 11), dug_in=dug_in)
    friend = force("B2", "blue", "infantry", line(30, 5))
    return game(own, friend, *enemies, terrain=TERRAIN, dice=dice)


def tail(found: Prospects, needed_in: float) -> Fraction:
    return sum((t.chance for t in found.totals if t.net_in >= needed_in - 1e-6), start=Fraction(0))


def adds_up(found: Prospects, hope: Hope) -> bool:
    """Whether the least total that a hope names has the hope's chance."""
    if hope.now or not hope.chance:
        return hope.least_in is None
    return hope.least_in is not None and tail(found, hope.least_in) == hope.chance


@pytest.mark.parametrize("dug_in", [False, True])
@pytest.mark.parametrize(("kind", "dice"), [("infantry", "d5"), ("atg", "d6"), ("tank", "d5")])
def test_totals_are_those_of_all_throws(kind: str, dice: str, dug_in: bool) -> None:
    state = game(single("B1", "blue", kind, 20, 10, dug_in=dug_in), dice=dice)
    found = prospects(state, "B1")
    rolls = list(itertools.product(DICE[dice], repeat=found.dice[0]))
    nets = [move_total(state, state.units[0], roll)[0] for roll in rolls]
    assert {t.net_in: t.chance for t in found.totals} == {n: Fraction(nets.count(n), len(nets)) for n in set(nets)}
    assert [t.net_in for t in found.totals] == sorted({*nets})
    assert found.mean_in == Fraction(sum(max(0, n) for n in nets), len(nets))
    assert (found.least_in, found.most_in) == (max(0, min(nets)), max(0, max(nets)))
    assert found.because == (('dug in -4"',) if dug_in else ())


def test_a_threatened_tank_has_4_to_13_inches_and_a_threatened_gun_none() -> None:
    foe = single("R1", "red", "infantry", 20, 12.5)
    tank = prospects(game(single("B1", "blue", "tank", 20, 10), foe), "B1")
    assert (tank.least_in, tank.most_in, tank.because) == (4, 13, ('threatened -4"',))
    gun = prospects(game(single("B1", "blue", "atg", 20, 10), foe), "B1", [(20, 9)])
    assert (gun.least_in, gun.most_in) == (0, 0)
    assert [v.code for v in gun.against] == ["threatened"]
    assert [region.polygons for region in gun.regions] == [[]]
    assert gun.places[0].hope == Hope(Fraction(0)) and gun.places[0].needed_in == pytest.approx(1)
    assert "may not move" in in_words(gun)


def test_every_hope_is_what_the_single_chance_says() -> None:
    state = table("infantry", by_road=True, enemies=ENEMIES[:2])
    unit = state.units[0]
    found = prospects(state, "B1")
    assert found.by_road
    assert [e.range_in for e in found.enemies] == sorted(e.range_in for e in found.enemies)
    assert {e.unit for e in found.enemies} == {"R1", "R2"}
    for enemy in found.enemies:
        target = state.unit(enemy.unit)
        assert target is not None
        for band, hope in enemy.ranges:
            assert hope.chance == chance_of_range(state, unit, target, band)  # type: ignore[arg-type]
            assert hope.now == (enemy.range_in <= dict(found.limits)[band])
            assert adds_up(found, hope)
        assert enemy.sight.chance == chance_of_sight(state, unit, target)
        assert adds_up(found, enemy.sight)
    best = max((c.hope.chance for c in found.cover), default=Fraction(0))
    assert best == chance_of_cover(state, unit)
    assert all(adds_up(found, c.hope) for c in found.cover)


def test_cover_is_feature_by_feature_and_only_what_covers_the_type() -> None:
    tables = {kind: table(kind) for kind in KINDS}
    by_kind = {kind: [t.id for t in covers(state, state.units[0])] for kind, state in tables.items()}
    assert sorted(by_kind["infantry"]) == ["t", "w"]
    assert by_kind["tank"] == by_kind["mortar-tank"] == ["h"]
    assert by_kind["atg"] == ["w"] and by_kind["mortar"] == []
    inside = game(force("B1", "blue", "infantry", line(14, 16.5)), terrain=TERRAIN)
    wood = next(c for c in prospects(inside, "B1").cover if c.terrain == "w")
    assert wood.hope == Hope(Fraction(1), True)


@settings(max_examples=3)
@given(
    kind=st.sampled_from(KINDS),
    by_road=st.booleans(),
    dug_in=st.booleans(),
    x=st.floats(4, 36),
    y=st.floats(1, 30),
)
def test_inches_needed_make_the_chance(kind: str, by_road: bool, dug_in: bool, x: float, y: float) -> None:
    state = table(kind, by_road=by_road, dug_in=dug_in)
    found = prospects(state, "B1", [(x, y)])
    (place,) = found.places
    assert place.hope.chance == chance_to_reach(state, state.units[0], (x, y))
    if place.needed_in is None:
        assert place.why and not place.hope.chance and place.way == ()
        return
    assert place.length_in is not None and place.why == ""
    assert place.hope.chance == tail(found, place.needed_in)
    assert place.length_in >= math.dist(found.at, (x, y)) - 1e-9
    drawn = shapely.LineString(place.way).length
    assert drawn == pytest.approx(place.length_in, abs=0.02)
    assert place.way[0] == pytest.approx(found.at) and place.way[-1] == pytest.approx((x, y))


def test_the_road_is_taken_where_it_is_better() -> None:
    state = table("tank", by_road=True, enemies=ENEMIES[:1])
    found = prospects(state, "B1", [(20, 21), (26, 9), (20, 30.2)])
    by_road, beside, assault = found.places
    assert (by_road.mode, by_road.length_in, by_road.needed_in) == ("road", 10.0, 6.0)
    assert beside.mode == "open" and beside.needed_in == beside.length_in
    assert assault.mode == "open" and assault.needed_in == pytest.approx(19.2)
    assert "by road, takes 4″ less, 6.00″" in in_words(found)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (
            "tank",
            {
                (14, 16): 'closed by the woods "w"',
                (14, 6): 'only infantry may end in the town "t"',
                (36, 12): "closed by bases of R2",
                (50, 12): "it is off the table of 48″ by 48″",
                (0.2, 12): "its base would stand over the table's edge: 0.5″ from it is the nearest",
            },
        ),
        ("infantry", {(25, 16): 'closed by the marsh "m"'}),
    ],
)
def test_a_place_that_can_t_be_reached_says_why(kind: str, why: dict[tuple[float, float], str]) -> None:
    places = prospects(table(kind, enemies=ENEMIES[1:2]), "B1", [*why]).places
    assert [place.why for place in places] == [*why.values()]
    assert all(place.length_in is None and not place.hope.chance for place in places)


def test_a_place_behind_a_river_is_shut_off_by_it() -> None:
    river = area("s", "river", 0, 20, 48, 22)
    (place,) = prospects(game(single("B1", "blue", "tank", 20, 10), terrain=(river,)), "B1", [(20, 30)]).places
    assert place.why == 'no way round the river "s"'


def test_what_speaks_against_the_formation_there_is_told() -> None:
    found = prospects(table("tank"), "B1", [(20, 9), (28.5, 5.5)])
    assert found.places[0].standing == ()
    assert [v.code for v in found.places[1].standing] == ["interpenetration"]
    assert "As it is formed and faces now: B1 would end" in in_words(found)


def test_once_the_dice_lie_it_is_yes_or_no_with_inches_to_spare() -> None:
    state = table("tank", enemies=ENEMIES[:1])
    for found in (prospects(rolled(state, "B1", 9), "B1", [(20, 18), (20, 22)]),
                  prospects(state, "B1", [(20, 18), (20, 22)], total_in=9)):  # fmt: skip
        assert found.rolled and (found.least_in, found.most_in) == (9, 9)
        assert [region.name for region in found.regions] == ["total"]
        near, far = found.places
        assert (near.hope.chance, found.spare_in(near)) == (1, 2.0)
        assert (far.hope.chance, found.spare_in(far)) == (0, -2.0)
        assert all(hope.chance in (0, 1) for e in found.enemies for _, hope in e.ranges)
        text = in_words(found)
        assert "yes, 2.00″ to spare" in text and "no, 2.00″ short" in text and "%" not in text
        assert found.against == () or state.pending is None
    assert prospects(state, "B1").spare_in(near) is None


def test_any_unit_on_the_table_may_be_asked_about_with_what_keeps_it() -> None:
    state = table("tank", enemies=ENEMIES[:2])
    theirs = prospects(state, "R2")
    assert [v.code for v in theirs.against] == ["not-your-phase"] and {e.unit for e in theirs.enemies} == {"B1", "B2"}
    assert [v.code for v in prospects(replace(state, step="rally"), "B1").against] == ["wrong-step"]
    gone = replace(state, units=state.units[1:], off=(("B1", "destroyed", 1),))
    with pytest.raises(RulesError, match=r"B1 was destroyed\. Ask about a unit on the table: B2, R1, R2\."):
        prospects(gone, "B1")
    with pytest.raises(RulesError, match="not on the table yet: deploy it"):
        prospects(replace(state, units=state.units[1:]), "B1")


@pytest.mark.parametrize(
    ("unit", "places", "total", "says"),
    [
        ("B9", [], None, 'There is no unit "B9"'),
        ("B1", [(math.nan, 3.0)], None, "two finite numbers"),
        ("B1", [], -1, "0 to 60"),
        ("B1", [], 61, "0 to 60"),
    ],
)
def test_refusals(unit: str, places: list[tuple[float, float]], total: int | None, says: str) -> None:
    with pytest.raises(RulesError, match=says):
        prospects(table("tank"), unit, places, total)


def test_json_holds_everything() -> None:
    state = table("tank", by_road=True, enemies=ENEMIES[:1])
    found = prospects(state, "B1", [(20, 21), (14, 16)])
    data = json.loads(json.dumps(found.to_json()))
    assert (data["least_in"], data["most_in"]) == (8, 17)
    assert sum(Fraction(t["exact"]) for t in data["totals"]) == 1
    assert data["places"][0]["needed_in"] == 6.0 and data["places"][0]["by"] == "road"
    assert data["places"][1]["why_not"] and data["places"][1]["length_in"] is None
    assert [r["of"] for r in data["regions"]] == ["least", "mean", "most"]
    for region in data["regions"]:
        expected = reach_region(state, state.units[0], region["total_in"])
        assert region["polygons"] == [[[list(p) for p in ring] for ring in part] for part in expected]
    close = data["enemies"][0]["ranges"]["close"]
    assert close["within_in"] == 4.0 and Fraction(close["exact"]) == Fraction(close["chance"]).limit_denominator(216)


def test_words_fit_a_terminal() -> None:
    own = replace(force("B1", "blue", "tank", line(20, 11)), name="Second battalion, Royal Something Rifles")
    enemies = [force(f"R{n}", "red", KINDS[n % 5], line(5 + 6.0 * n, 24 + n, 180)) for n in range(3)]
    state = game(own, *enemies, terrain=TERRAIN, dice="d6")
    text = in_words(prospects(state, "B1", [(20, 18), (14.25, 16.75), (25, 16), (40.5, 44)]))
    assert max(map(len, text.splitlines())) <= 80
    assert all(f"R{n} {KINDS[n % 5]}" in text for n in range(3))


def test_words_of_one_table() -> None:
    text = in_words(prospects(table("atg"), "B1", [(20, 7.5)]))
    assert text.startswith("B1 atg at 20.0, 11.0: 1 average die + 2″: 4″ to 7″, 5.5″ on average.")
    assert "inches        4     5     6     7\nexactly    17 %  33 %  33 %  17 %\n" in text
    assert text.endswith("To 20,7.5    3.50″: any roll.")


def test_words_of_cover() -> None:
    terrain = (
        area("woods", "woods", 12, 20, 28, 26),
        area("w", "woods", 12, 19, 28, 19.5),
        area("t", "town", 1, 40, 9, 46),
        area("s", "town", 30, 11, 31.5, 12.5),
        area("c", "town", 14, 13, 16.15, 14.15),
    )
    own = force("B1", "blue", "infantry", line(20, 11))
    found = prospects(game(own, terrain=terrain), "B1")
    # Bases are an inch deep, so that 9.5 inches bring it into the woods. In c fits one alone.
    assert in_words(found).endswith(
        "To get into cover, in whatever formation\n"
        "  woods  10″+  36 %\n"
        "Cover out of reach: t (town).\n"
        "Too small to be in cover there: w (woods), s (town).\n"
        "Cover in which no place was found that it surely gets to: c (town)."
    )
    assert {c.terrain: c.why for c in found.cover} == {
        "woods": "", "t": "too-far", "w": "too-small", "s": "too-small", "c": "not-found"
    }  # fmt: skip


def test_bounds_are_told_as_bounds() -> None:
    """Whatever is only the most or the least that it may be says so; so does what was merely not found."""
    wall = area("w", "woods", 0, 20, 48, 22)
    state = game(
        force("B1", "blue", "tank", line(20, 10)), force("R1", "red", "tank", line(20, 40, 180)), terrain=(wall,)
    )
    found = prospects(state, "B1")
    text = " ".join(in_words(found).split())
    assert "not found" in text and '"not found" is not a no' in text and "at most this" in text
    assert (
        found.to_json()["enemies"][0]["sight"]["at_least"]
        and found.to_json()["enemies"][0]["ranges"]["long"]["at_most"]
    )
    sure = prospects(state, "B1", total_in=12)
    assert "%" not in in_words(sure) and "a yes needs room" in in_words(sure).replace("\n  ", " ")
    place = in_words(prospects(state, "B1", [(20, 12)]))
    assert "each other base needs one to its own place" in place


@pytest.mark.parametrize(
    ("words", "unit", "places"),
    [
        ("B1", "B1", ()),
        ("b1 to 12,20", "B1", ((12.0, 20.0),)),
        ("B1 TO 12, 20 30,3.5", "B1", ((12.0, 20.0), (30.0, 3.5))),
        ("B1 12 20", "B1", ((12.0, 20.0),)),
        ("B1 to -1,2", "B1", ((-1.0, 2.0),)),
    ],
)
def test_words_that_ask(words: str, unit: str, places: tuple[tuple[float, float], ...]) -> None:
    assert parse(table("tank"), words) == (unit, places)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "Which unit"),
        ("B8 to 1,2", 'no unit "B8"'),
        ("B1 to", 'After "to" go places'),
        ("B1 to 3", "not 3"),
        ("B1 to there", "there"),
        ("B1 to 1,2 and back", "and back"),
    ],
)
def test_words_that_ask_nothing(words: str, says: str) -> None:
    with pytest.raises(ActionError, match=says):
        parse(table("tank"), words)


def test_the_picture_has_nested_shades_and_every_way() -> None:
    state = table("infantry")
    found = prospects(state, "B1", [(20, 20), (25, 16), (20, 11), (4, 40)])
    sheet = picture(state, found)
    classes = {item.cls for item in sheet.items}
    assert classes <= set(sheet.looks)
    assert {"reach-least", "reach-mean", "reach-most", "way", "way-head", "far-way", "cross"} <= classes
    texts = [item.text for item in sheet.items if isinstance(item, Letters)]
    assert texts[-1] == title(found)
    assert {"20,20", "25,16", "20,11", "4,40", "no way", "6″ grid", f"{found.least_in}″"} <= set(texts)
    assert svg_text(sheet, title=title(found)).startswith("<svg")
    assert png_bytes(sheet, width_px=300).startswith(b"\x89PNG")
    light = [int(sheet.looks[f"reach-{name}"].fill[1:3], 16) for name in ("most", "mean", "least")]  # type: ignore[index]
    assert light[0] - light[1] > 20 and light[1] - light[2] > 20


def test_a_shape_with_holes_is_drawn_whole_and_without_them() -> None:
    shape = shapely.box(0, 0, 20, 20)
    for hole in (shapely.box(2, 2, 5, 5), shapely.box(3, 8, 9, 12), shapely.box(12, 3, 18, 17)):
        shape = shape.difference(hole)
    parts = [shapely.Polygon(area.points) for area in _areas(shape, "reach-most")]
    assert sum(part.area for part in parts) == pytest.approx(shape.area)
    assert shapely.union_all(parts).symmetric_difference(shape).area == pytest.approx(0, abs=1e-9)
