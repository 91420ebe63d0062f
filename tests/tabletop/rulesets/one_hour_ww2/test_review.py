"""One-Hour WWII: whole tables whose rulings were derived by hand from the rules and the named rulings."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.tables.scene import scene_from_json
from tests.support.one_hour_tables import area, base, judged, shot, table, unit


def facing_pair(
    firer: str,
    target: str,
    gap: float,
    *terrain: dict[str, Any],
    dice: str = "d6",
    close_mortars_fire: bool = False,
    **state: Any,
) -> Any:
    """A (blue) at (24, 10) facing away, B (red) ``gap`` inches before it and facing it: the entry of A on B."""
    mine = {key[2:]: value for key, value in state.items() if key.startswith("a_")}
    theirs = {key[2:]: value for key, value in state.items() if key.startswith("b_")}
    units = [
        unit("A", "blue", firer, 24, 10, **mine),
        unit("B", "red", target, 24, 11 + gap, **{"facing": 180.0} | theirs),
    ]
    return shot(table(units, *terrain), "A", "B", dice, close_mortars_fire=close_mortars_fire)


def odds(found: Any) -> dict[int, float]:
    return {int(hits): chance for hits, chance in found["hits"].items()}


def sixths(*counts: int) -> dict[int, Any]:
    """The distribution in which hits ``n`` come up on ``counts[n]`` of six faces."""
    return {hits: pytest.approx(n / 6, abs=5e-5) for hits, n in enumerate(counts) if n}


# Range bands end on the printed inch, and that inch belongs to the nearer band.


@pytest.mark.parametrize(
    ("kind", "gap", "band", "verdict"),
    [
        ("tank", 4.0, "close", "yes"),
        ("tank", 4.01, "normal", "yes"),
        ("tank", 12.0, "normal", "yes"),
        ("tank", 12.01, "long", "yes"),
        ("tank", 24.0, "long", "yes"),
        ("tank", 24.01, "out", "no"),
        ("atg", 4.0, "close", "yes"),
        ("atg", 24.0, "long", "yes"),
        ("atg", 24.01, "out", "no"),
        ("infantry", 4.0, "close", "yes"),
        ("infantry", 12.0, "normal", "yes"),
        ("infantry", 12.01, "out", "no"),
        ("mortar", 1.0, "normal", "no"),
        ("mortar", 4.0, "normal", "no"),
        ("mortar", 4.01, "normal", "yes"),
        ("mortar", 48.0, "normal", "yes"),
        ("mortar", 48.01, "out", "no"),
    ],
)
def test_bands(kind: str, gap: float, band: str, verdict: str) -> None:
    found = facing_pair(kind, "tank", gap)
    assert found["range"]["value"] == pytest.approx(gap, abs=1e-6)
    assert (found["range"]["band"], found["verdict"]) == (band, verdict)


def test_range_from_corner_to_corner() -> None:
    """Outlines 3 right and 4 ahead of one another: 5 inches."""
    units = [unit("A", "blue", "tank", 10, 10), unit("B", "red", "tank", 14.2, 15, facing=180)]
    assert shot(table(units), "A", "B")["range"]["value"] == pytest.approx(5.0, abs=1e-6)


def test_range_of_round_bases() -> None:
    rows: list[dict[str, Any]] = [
        {"shape": "round", "diameter": 1.0, "center": [10 + 1.5 * n, 10], "facing": 0, "unique": n == 0}
        for n in (0, 1, -1)
    ]
    others: list[dict[str, Any]] = [row | {"center": [row["center"][0], 20], "facing": 180} for row in rows]
    units = [
        {"id": "A", "side": "blue", "kind": "infantry", "bases": rows},
        {"id": "B", "side": "red", "kind": "infantry", "bases": others},
    ]
    found = shot(table(units), "A", "B")
    assert found["range"]["value"] == pytest.approx(9.0, abs=1e-6)
    assert found["sight"]["verdict"] == "clear"


# The table of hits, by the face.


@pytest.mark.parametrize(
    ("firer", "target", "gap", "dice", "expected"),
    [
        ("tank", "tank", 4.0, "d5", {8: 1, 10: 2, 12: 2, 14: 1}),
        ("tank", "tank", 8.0, "d5", {4: 1, 5: 2, 6: 2, 7: 1}),
        ("tank", "tank", 20.0, "d5", {2: 3, 3: 3}),
        ("tank", "tank", 20.0, "d6", {1: 1, 2: 2, 3: 2, 4: 1}),
        ("tank", "infantry", 20.0, "d6", {0: 1, 1: 2, 2: 2, 3: 1}),
        ("infantry", "tank", 8.0, "d6", {0: 2, 1: 1, 2: 1, 3: 1, 4: 1}),
        ("infantry", "tank", 4.0, "d6", {0: 2, 2: 1, 4: 1, 6: 1, 8: 1}),
        ("infantry", "mortar", 8.0, "d5", {0: 1, 1: 2, 2: 2, 3: 1}),
        ("infantry", "atg", 8.0, "d6", {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}),
        ("mortar", "infantry", 8.0, "d5", {4: 1, 5: 2, 6: 2, 7: 1}),
        ("mortar", "mortar", 8.0, "d6", {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}),
        ("mortar", "atg", 5.0, "d6", {3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1}),
        ("mortar", "tank", 30.0, "d6", {0: 2, 1: 1, 2: 1, 3: 1, 4: 1}),
        ("atg", "infantry", 8.0, "d5", {0: 1, 1: 2, 2: 2, 3: 1}),
        ("atg", "mortar", 8.0, "d5", {0: 1, 1: 2, 2: 2, 3: 1}),
        ("atg", "atg", 16.0, "d6", {0: 3, 1: 2, 2: 1}),
        ("atg", "tank", 16.0, "d6", {1: 1, 2: 2, 3: 2, 4: 1}),
        ("tank", "mortar", 4.0, "d5", {4: 1, 6: 2, 8: 2, 10: 1}),
        ("tank", "atg", 8.0, "d5", {2: 1, 3: 2, 4: 2, 5: 1}),
    ],
)
def test_hits(firer: str, target: str, gap: float, dice: str, expected: dict[int, int]) -> None:
    found = facing_pair(firer, target, gap, dice=dice)
    assert odds(found) == {hits: pytest.approx(n / 6, abs=5e-5) for hits, n in expected.items()}
    assert found["expected_hits"] == pytest.approx(sum(h * n for h, n in expected.items()) / 6, abs=5e-5)


@pytest.mark.parametrize(("hits", "permanent", "less"), [(4, 0, 0), (5, 0, 1), (9, 0, 1), (10, 5, 2), (14, 5, 2)])
def test_hits_of_the_firer(hits: int, permanent: int, less: int) -> None:
    found = facing_pair("tank", "tank", 8.0, a_hits=hits, a_permanent=permanent)
    assert odds(found) == {n + 2 - less: pytest.approx(1 / 6, abs=5e-5) for n in range(1, 7)}


def test_penalties_stop_at_zero_before_the_flank_is_lost() -> None:
    """Infantry at 10 hits on a tank's rear: die - 2 - 2 + 2, and only the sum is cut at 0."""
    found = facing_pair("infantry", "tank", 8.0, a_hits=10, a_permanent=5, b_facing=0.0)
    assert odds(found) == sixths(2, 1, 1, 1, 1)


# Cover.


def whole_table(kind: str, **more: Any) -> dict[str, Any]:
    return area(f"all {kind}", kind, 10, 5, 40, 40, **more)


def behind(kind: str, name: str = "t") -> dict[str, Any]:
    """A feature that holds B and begins half an inch before it (B 3 inches away)."""
    return area(name, kind, 15, 13, 35, 20)


def test_town_and_dug_in_at_close_range() -> None:
    found = facing_pair("tank", "infantry", 3.0, behind("town"), b_dug_in=True)
    assert found["sight"]["verdict"] == "clear"
    assert odds(found) == sixths(1, 2, 2, 1)  # die x 2 / 4


def test_three_covers_stop_at_a_quarter_before_close_doubles() -> None:
    found = facing_pair("tank", "infantry", 3.0, behind("town"), behind("woods", "w"), b_dug_in=True)
    assert odds(found) == sixths(1, 2, 2, 1)


def test_woods_do_not_cover_from_mortars() -> None:
    found = facing_pair("mortar", "infantry", 3.0, behind("woods"), b_dug_in=True, close_mortars_fire=True)
    assert odds(found) == sixths(0, 1, 2, 2, 1)  # 3 4 5 6 7 8 halved


def test_town_covers_from_mortars() -> None:
    found = facing_pair("mortar", "infantry", 3.0, behind("town"), b_dug_in=True, close_mortars_fire=True)
    assert odds(found) == sixths(1, 4, 1)  # 3 4 5 6 7 8 quartered


def hill(
    x0: float, y0: float, x1: float, y1: float, top: tuple[float, float, float, float] | None = None
) -> dict[str, Any]:
    found = area("h", "hill", x0, y0, x1, y1, height=1.0)
    if top is not None:
        a, b, c, d = top
        found["hill_top"] = [[a, b], [c, b], [c, d], [a, d]]
    return found


def test_tank_on_a_hill_top_at_long_range() -> None:
    found = facing_pair("tank", "tank", 16.0, hill(15, 20, 35, 35, (18, 24, 30, 30)))
    assert odds(found) == sixths(1, 4, 1)  # 3..8 quartered


def test_tank_on_a_hill_top_from_a_mortar_and_infantry_there() -> None:
    top = hill(15, 16, 35, 35, (18, 18, 30, 25))
    assert odds(facing_pair("mortar", "tank", 10.0, top)) == sixths(2, 1, 1, 1, 1)
    assert odds(facing_pair("tank", "infantry", 10.0, top)) == sixths(0, 1, 1, 1, 1, 1, 1)
    assert odds(facing_pair("tank", "tank", 10.0, top)) == sixths(0, 1, 2, 2, 1)


def test_tank_on_the_slope_has_no_cover() -> None:
    """On the hill, before its top: not hull down."""
    slope = hill(15, 16, 35, 35, (18, 28, 30, 33))
    assert odds(facing_pair("tank", "tank", 10.0, slope)) == sixths(0, 0, 0, 1, 1, 1, 1, 1, 1)


def test_field_covers_nobody() -> None:
    found = facing_pair("tank", "infantry", 3.0, behind("field"))
    assert found["sight"]["verdict"] == "clear"
    assert odds(found) == {2 * n: pytest.approx(1 / 6, abs=5e-5) for n in range(1, 7)}


# Front and rear.


@pytest.mark.parametrize(
    ("mine", "theirs", "to_rear", "on_rear"),
    [(0, 180, False, False), (180, 180, True, False), (0, 0, False, True), (180, 0, True, True)],
)
def test_arcs(mine: float, theirs: float, to_rear: bool, on_rear: bool) -> None:
    found = facing_pair("tank", "tank", 8.0, a_facing=mine, b_facing=theirs)
    assert found["arc"] == {"firing_to_rear": to_rear, "firing_on_rear": on_rear}
    assert found["expected_hits"] == pytest.approx(3.5 + 2 + 2 * on_rear - 2 * to_rear)


@pytest.mark.parametrize("ahead", [-0.99, -0.5, 0.0, 0.5, 0.99])
def test_parallel_sides_that_overlap_have_no_one_range_line(ahead: float) -> None:
    """Of equally short lines the one along a front line is front, and those behind it are rear (ruling 17)."""
    units = [unit("A", "blue", "tank", 10, 20), unit("B", "red", "tank", 20, 20 + ahead)]
    found = shot(table(units), "A", "B")
    open_rears = {key for key in found["arc"] if key.endswith("_open")}
    assert open_rears == ({"firing_to_rear_open"} if ahead >= 0 else set()) | (
        {"firing_on_rear_open"} if ahead <= 0 else set()
    )
    assert "equally short" in " ".join(found["reasons"])
    assert shot(table([unit("A", "blue", "tank", 10, 20), unit("B", "red", "tank", 20, 18.9)]), "A", "B")["arc"] == {
        "firing_to_rear": True,
        "firing_on_rear": False,
    }


def test_parallel_sides_that_agree_are_sure() -> None:
    """Both stand face to face: every line is front for both, however long the stretch."""
    units = [unit("A", "blue", "tank", 10, 20), unit("B", "red", "tank", 10.4, 28, facing=180)]
    assert shot(table(units), "A", "B")["arc"] == {"firing_to_rear": False, "firing_on_rear": False}


def test_front_begins_at_the_front_edge_not_at_the_centre() -> None:
    """B's nearest corner lies 0.1 behind A's front edge, though ahead of A's centre."""
    units = [unit("A", "blue", "tank", 10, 20), unit("B", "red", "tank", 20, 19.9, facing=180)]
    found = shot(table(units), "A", "B")["arc"]
    assert found["firing_to_rear"] is True


def test_on_the_line_is_not_behind_it() -> None:
    units = [unit("A", "blue", "tank", 10, 20), unit("B", "red", "tank", 20, 21)]
    found = shot(table(units), "A", "B")
    assert found["arc"] == {"firing_to_rear": False, "firing_on_rear": True}


def test_mortars_know_no_rear() -> None:
    found = facing_pair("mortar", "infantry", 8.0, a_facing=180.0, b_facing=0.0)
    assert found["expected_hits"] == pytest.approx(5.5)


# Sight.


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        ("woods", "blocked"),
        ("town", "blocked"),
        ("field", "blocked"),
        ("hill", "blocked"),
        ("marsh", "clear"),
        ("road", "clear"),
        ("river", "clear"),
        ("bridge", "clear"),
    ],
)
def test_what_lies_between(kind: str, verdict: str) -> None:
    found = facing_pair("tank", "tank", 3.0, area("t", kind, 15, 11.5, 35, 12.5))
    assert found["sight"]["verdict"] == verdict
    assert found["verdict"] == ("yes" if verdict == "clear" else "no")
    assert found["sight"]["blocked_by"] == (["t"] if verdict == "blocked" else [])


@pytest.mark.parametrize("kind", ["woods", "town", "field"])
@pytest.mark.parametrize(("gap", "verdict"), [(3.0, "clear"), (4.01, "blocked"), (6.0, "blocked")])
def test_into_and_within_area_terrain(kind: str, gap: float, verdict: str) -> None:
    into = area("t", kind, 15, 11.0, 35, 30)
    assert facing_pair("infantry", "infantry", gap, into)["sight"]["verdict"] == verdict
    assert facing_pair("infantry", "infantry", gap, whole_table(kind))["sight"]["verdict"] == verdict


def test_four_inches_of_woods_are_seen_through() -> None:
    assert facing_pair("infantry", "infantry", 4.0, whole_table("woods"))["sight"]["verdict"] == "clear"


def test_the_limit_is_of_the_whole_sight_line() -> None:
    """Only half an inch of it lies in the wood, yet all of it counts."""
    into = area("t", "woods", 15, 14.9, 35, 30)
    assert facing_pair("infantry", "infantry", 5.0, into)["sight"]["verdict"] == "blocked"


def test_an_oblique_sight_line_is_measured_between_midpoints() -> None:
    """3.9 inches between the fronts' lines; no pair but the straight ones is within 4 (offset 1.6: 4.2)."""
    assert facing_pair("infantry", "infantry", 3.9, whole_table("woods"))["sight"]["verdict"] == "clear"
    units = [unit("A", "blue", "infantry", 24, 10), unit("B", "red", "infantry", 25.6, 14.9, facing=180)]
    assert shot(table(units, whole_table("woods")), "A", "B")["sight"]["verdict"] == "clear"
    units = [unit("A", "blue", "infantry", 24, 10), unit("B", "red", "infantry", 27.2, 14.9, facing=180)]
    assert shot(table(units, whole_table("woods")), "A", "B")["sight"]["verdict"] == "blocked"


def test_two_towns_facing_each_other() -> None:
    near = area("n", "town", 15, 5, 35, 11)
    far = area("f", "town", 15, 13, 35, 20)
    assert facing_pair("infantry", "infantry", 3.0, near, far)["sight"]["verdict"] == "clear"
    assert facing_pair("infantry", "infantry", 5.0, near, far)["sight"]["verdict"] == "blocked"


def test_a_road_lets_sight_through_a_wood() -> None:
    wood = area("w", "woods", 10, 12, 40, 25)
    wide = area("r", "road", 20, 0, 28, 40)
    narrow = area("r", "road", 23, 0, 25, 40)
    assert facing_pair("tank", "tank", 20.0, wood, wide)["sight"]["verdict"] == "clear"
    assert facing_pair("tank", "tank", 20.0, wood, narrow)["sight"]["verdict"] == "blocked"


def test_a_road_does_not_flatten_a_hill() -> None:
    found = facing_pair("tank", "tank", 20.0, hill(10, 12, 40, 25), area("r", "road", 20, 0, 28, 40))
    assert found["sight"]["verdict"] == "blocked"


def test_hills() -> None:
    assert facing_pair("tank", "tank", 20.0, hill(10, 15, 40, 25))["sight"]["verdict"] == "blocked"
    # B on the hill, without and with a top; before the top, on it, and behind it.
    assert facing_pair("tank", "tank", 20.0, hill(10, 15, 40, 40))["sight"]["verdict"] == "clear"
    assert facing_pair("tank", "tank", 20.0, hill(10, 15, 40, 50, (12, 35, 38, 45)))["sight"]["verdict"] == "clear"
    assert facing_pair("tank", "tank", 20.0, hill(10, 15, 40, 50, (12, 28, 38, 45)))["sight"]["verdict"] == "clear"
    assert facing_pair("tank", "tank", 20.0, hill(10, 15, 40, 50, (12, 20, 38, 25)))["sight"]["verdict"] == "blocked"
    # Both on it, the top between them; one of them on the top.
    assert facing_pair("tank", "tank", 20.0, hill(10, 5, 40, 50, (12, 20, 38, 25)))["sight"]["verdict"] == "blocked"
    assert facing_pair("tank", "tank", 20.0, hill(10, 5, 40, 50, (12, 20, 38, 45)))["sight"]["verdict"] == "clear"
    assert facing_pair("tank", "tank", 20.0, hill(10, 5, 40, 50))["sight"]["verdict"] == "clear"


def test_two_firing_bases_to_two_target_bases_may_cross_over() -> None:
    """A wood at x 24.5 stops the middle pair; left to middle and middle to left pass it."""
    open_left = area("w", "woods", 24.5, 14, 40, 16)
    assert facing_pair("tank", "tank", 8.0, open_left)["sight"]["verdict"] == "clear"
    almost = area("w", "woods", 23.2, 14, 40, 16)
    found = facing_pair("tank", "tank", 8.0, almost)
    assert (found["sight"]["verdict"], found["verdict"]) == ("blocked", "no")


def test_edges_are_taken_whole() -> None:
    """The middles of the fronts see one another past the wood; the edges' right ends do not."""
    units = [
        {"id": "A", "side": "blue", "kind": "tank", "bases": [base(24, 10, unique=True)]},
        {"id": "B", "side": "red", "kind": "tank", "bases": [base(24, 19, 180, unique=True)]},
    ]
    assert shot(table(units, area("w", "woods", 24.55, 14, 30, 15)), "A", "B")["sight"]["verdict"] == "blocked"
    assert shot(table(units, area("w", "woods", 24.65, 14, 30, 15)), "A", "B")["sight"]["verdict"] == "clear"


def test_units_of_one_and_two_bases() -> None:
    """The last base of a unit fires and is fired at."""
    for mine, theirs in [(1, 3), (2, 3), (3, 1), (1, 1), (2, 2)]:
        assert facing_pair("tank", "tank", 8.0, a_bases=mine, b_bases=theirs)["verdict"] == "yes"
    # Both bases of a pair must be seen.
    found = facing_pair("tank", "tank", 8.0, area("w", "woods", 15, 17, 23.2, 18), a_bases=3, b_bases=2)
    assert found["verdict"] == "no"


# Friends in the way.


def friend(**state: Any) -> dict[str, Any]:
    return unit("C", "blue", "infantry", 24, 14, **state)


@pytest.mark.parametrize(
    ("kind", "dug_in", "friend_dug_in", "verdict"),
    [
        ("tank", False, False, "blocked"),
        ("tank", False, True, "clear"),
        ("infantry", False, True, "blocked"),
        ("infantry", True, False, "blocked"),
        ("infantry", True, True, "clear"),
        ("atg", False, True, "blocked"),
        ("atg", True, True, "clear"),
    ],
)
def test_friends_in_the_way(kind: str, dug_in: bool, friend_dug_in: bool, verdict: str) -> None:
    units = [
        unit("A", "blue", kind, 24, 10, dug_in=dug_in),
        unit("B", "red", "tank", 24, 19, 180),
        friend(dug_in=friend_dug_in),
    ]
    found = shot(table(units), "A", "B")
    assert found["sight"]["verdict"] == verdict
    assert found["sight"]["blocked_by"] == (["C"] if verdict == "blocked" else [])


def test_enemies_in_the_way_do_not_block() -> None:
    for side in ("red", "green"):
        units = [unit("A", "blue", "tank", 24, 10), unit("B", "red", "tank", 24, 19, 180), friend() | {"side": side}]
        assert shot(table(units), "A", "B")["sight"]["verdict"] == "clear"


def test_own_bases_do_not_block() -> None:
    """A and B in column, one base behind another: the rear bases look through those before them."""
    column = [base(24, 10 - 1.5 * n, unique=n == 0) for n in range(3)]
    other = [base(24, 19 + 1.5 * n, 180, unique=n == 0) for n in range(3)]
    units = [
        {"id": "A", "side": "blue", "kind": "infantry", "bases": column},
        {"id": "B", "side": "red", "kind": "infantry", "bases": other},
    ]
    assert shot(table(units), "A", "B")["sight"]["verdict"] == "clear"


# Concealed and Ready.


@pytest.mark.parametrize(
    ("gap", "dug_in", "ready", "verdict"),
    [(12.0, True, True, "yes"), (12.01, True, True, "no"), (15.0, True, False, "yes"), (15.0, False, True, "yes")],
)
def test_concealed_and_ready(gap: float, dug_in: bool, ready: bool, verdict: str) -> None:
    assert facing_pair("tank", "infantry", gap, b_dug_in=dug_in, b_ready=ready)["verdict"] == verdict


# Mortars and their observers.


def indirect(observer: dict[str, Any] | None, *terrain: dict[str, Any]) -> Any:
    units = [unit("M", "blue", "mortar", 24, 5), unit("B", "red", "infantry", 24, 30, 180)]
    block = area("w", "woods", 10, 7, 40, 9)
    return shot(table(units + ([observer] if observer else []), block, *terrain), "M", "B", "d6")


def test_mortar_without_and_with_an_observer() -> None:
    assert indirect(None)["verdict"] == "no"
    found = indirect(unit("C", "blue", "infantry", 24, 15))
    assert found["verdict"] == "yes"
    assert found["expected_hits"] == pytest.approx(5.5)
    assert any("C" in reason for reason in found["reasons"])


def test_the_observer_looks_from_its_unique_base_alone() -> None:
    """A wood hides the unique base; the two others would see."""
    screen = area("s", "woods", 23.0, 17, 25.0, 17.2)
    assert indirect(unit("C", "blue", "infantry", 24, 15), screen)["verdict"] == "no"


def test_the_observer_must_see_two_bases() -> None:
    screen = area("s", "woods", 23.2, 27, 30, 27.2)
    assert indirect(unit("C", "blue", "infantry", 22.4, 15), screen)["verdict"] == "no"


def test_an_enemy_observes_nothing() -> None:
    assert indirect(unit("C", "red", "infantry", 24, 15, 180))["verdict"] == "no"
    assert indirect(unit("C", "green", "infantry", 24, 15))["verdict"] == "no"


def test_only_mortars_fire_indirectly() -> None:
    units = [
        unit("A", "blue", "tank", 24, 5),
        unit("B", "red", "tank", 24, 20, 180),
        unit("C", "blue", "infantry", 24, 14),
    ]
    assert shot(table(units, area("w", "woods", 10, 7, 40, 9)), "A", "B")["verdict"] == "no"


# "In" a feature (ruling 13).


@pytest.mark.parametrize(("left", "halved"), [(21.5, True), (22.4, True), (23.0, True), (24.0, False), (24.8, False)])
def test_in_a_town_with_two_bases_of_three(left: float, halved: bool) -> None:
    """The town begins at ``left``: three bases in, two and a straddler, two and one out, one and a straddler, one."""
    found = facing_pair("mortar", "infantry", 3.0, area("t", "town", left, 13, 35, 20), close_mortars_fire=True)
    assert found["expected_hits"] == pytest.approx(2.5 if halved else 5.5)


# Threat and formation.


@pytest.mark.parametrize(("gap", "threatened"), [(1.0, True), (2.0, True), (2.01, False)])
def test_threatened(gap: float, threatened: bool) -> None:
    units = [
        unit("A", "blue", "tank", 24, 10),
        unit("B", "red", "tank", 27.2, 11 + gap, 180),
        unit("C", "blue", "tank", 24, 8.5),
    ]
    found = {row["unit"]: row["by"] for row in judged(table(units))["threatened"]}
    assert found.get("A", []) == (["B"] if threatened else [])
    assert found.get("C", []) == []


def faults(rows: list[dict[str, Any]], kind: str, *terrain: dict[str, Any]) -> list[str]:
    units = [{"id": "A", "side": "blue", "kind": kind, "bases": rows}]
    (found,) = judged(table(units, *terrain))["formation"]
    return list(found["faults"])


def line(gap: float, ahead: float = 0.0, turn: float = 0.0, count: int = 3) -> list[dict[str, Any]]:
    places = [(24, 20), (24 + 1.2 + gap, 20 + ahead), (24 - 1.2 - gap, 20)][:count]
    return [base(*at, turn if n == 1 else 0.0, unique=n == 0) for n, at in enumerate(places)]


@pytest.mark.parametrize(("kind", "widest"), [("infantry", 1.0), ("atg", 1.0), ("mortar", 1.0), ("tank", 2.0)])
def test_gaps(kind: str, widest: float) -> None:
    assert faults(line(widest), kind) == []
    assert len(faults(line(widest + 0.01, count=2), kind)) == 1


def test_ahead_and_behind_and_turned() -> None:
    assert faults(line(0.4, ahead=-1.2), "infantry") == []
    assert len(faults(line(0.4, ahead=0.5), "infantry")) == 1
    assert len(faults(line(0.8, turn=20.0, count=2), "infantry")) >= 1


def test_column() -> None:
    assert faults([base(24, 20 - 1.8 * n, unique=n == 0) for n in range(3)], "infantry") == []


@pytest.mark.parametrize(
    ("kind", "ground", "allowed"),
    [
        ("infantry", "woods", True),
        ("tank", "woods", False),
        ("mortar", "woods", False),
        ("atg", "woods", False),
        ("infantry", "town", True),
        ("tank", "town", False),
        ("atg", "town", False),
        ("infantry", "marsh", False),
        ("tank", "marsh", False),
        ("infantry", "river", False),
        ("tank", "field", True),
        ("tank", "hill", True),
        ("tank", "road", True),
        ("tank", "bridge", True),
    ],
)
def test_ground(kind: str, ground: str, allowed: bool) -> None:
    found = faults(line(0.4), kind, area("t", ground, 15, 15, 35, 25))
    assert bool(found) is not allowed


def test_road_and_bridge_lift_prohibitions() -> None:
    for ground, way in [("woods", "road"), ("town", "road"), ("marsh", "road"), ("river", "bridge"), ("river", "road")]:
        assert faults(line(0.4), "tank", area("t", ground, 15, 15, 35, 25), area("r", way, 16, 17, 34, 23)) == []


def test_straddling_is_reported_and_no_fault_of_infantry() -> None:
    units = [{"id": "A", "side": "blue", "kind": "infantry", "bases": line(0.4)}]
    (found,) = judged(table(units, area("t", "woods", 22.4, 15, 35, 25)))["formation"]
    assert found["faults"] == []
    assert len(found["notes"]) == 1 and "straddles" in found["notes"][0]


# Uncertainty.


@pytest.mark.parametrize(("gap", "verdict"), [(11.5, "yes"), (11.95, "too-close"), (12.05, "too-close"), (12.5, "no")])
def test_range_within_its_uncertainty(gap: float, verdict: str) -> None:
    found = facing_pair("infantry", "infantry", gap, a_sigma=0.05, b_sigma=0.05)
    assert found["range"]["sigma"] == pytest.approx(0.05 * 2**0.5, abs=0.005)
    assert found["verdict"] == verdict


@pytest.mark.parametrize(
    ("edge", "verdict"), [(24.65, "too-close"), (24.55, "too-close"), (23.0, "blocked"), (26.0, "clear")]
)
def test_sight_within_its_uncertainty(edge: float, verdict: str) -> None:
    wood = area("w", "woods", edge, 14, 40, 16)
    found = facing_pair("tank", "tank", 8.0, wood, a_bases=1, b_bases=1, a_sigma=0.1, b_sigma=0.1)
    assert found["sight"]["verdict"] == verdict
    assert found["verdict"] == {"clear": "yes", "blocked": "no"}.get(verdict, "too-close")


def test_no_doubt_without_sigma() -> None:
    wood = area("w", "woods", 24.6 + 2e-6, 14, 40, 16)
    assert facing_pair("tank", "tank", 8.0, wood, a_bases=1, b_bases=1)["sight"]["verdict"] == "clear"
    wood = area("w", "woods", 24.6 - 2e-6, 14, 40, 16)
    assert facing_pair("tank", "tank", 8.0, wood, a_bases=1, b_bases=1)["sight"]["verdict"] == "blocked"


# Who is judged.


def test_one_entry_for_each_ordered_pair_of_enemies() -> None:
    units = [
        unit("A", "blue", "tank", 8, 10),
        unit("B", "red", "tank", 16, 30, 180),
        unit("C", "green", "tank", 24, 30, 180),
        unit("D", "blue", "tank", 34, 10),
    ]
    found = judged(table(units))
    pairs = [(s["firer"], s["target"]) for s in found["shots"]]
    enemies = {("A", "B"), ("A", "C"), ("D", "B"), ("D", "C"), ("B", "C")}
    assert len(pairs) == len(set(pairs)) == 10
    assert set(pairs) == enemies | {(b, a) for a, b in enemies}
    assert [row["unit"] for row in found["formation"]] == ["A", "B", "C", "D"]


# Words.


def test_an_unnamed_base_in_many_sights_is_told_once() -> None:
    rows = [base(24 + 1.6 * n, 10, unique=n == 0) for n in (0, 1, -1)]
    targets = [base(24 + 1.6 * n, 19, 180, unique=n == 0) for n in (0, 1, -1)]
    seen = [
        row | {"id": f"base{n}", "unit": unit_id, "side": side, "kind": "tank"}
        for n, (row, unit_id, side) in enumerate(
            [*((row, "A", "blue") for row in rows), *((row, "B", "red") for row in targets)], 1
        )
    ]
    loose = base(24, 14, width=6.0) | {"id": "base7", "unit": None, "side": None, "kind": None}
    data = {"version": 1, "units": "inches", "table": {"width": 48, "depth": 60}, "bases": [*seen, loose]}
    found = shot(scene_from_json(data), "A", "B")
    assert found["sight"] == {"verdict": "too-close", "blocked_by": ["base7"]}
    (said,) = [reason for reason in found["reasons"] if "unnamed" in reason]
    assert said.count("(24.0, 14.0)") == 1
    assert "Check it at the table" in said


def test_a_doubtful_range_says_what_to_measure_and_no_more_decimals_than_are_known() -> None:
    reasons = facing_pair("infantry", "infantry", 11.0, a_sigma=1.0, b_sigma=1.0)["reasons"]
    assert reasons[0].startswith("Range 11.0″ ± 2.8″: normal")
    assert "out of reach: measure it between the unique bases" in reasons[1]
    reasons = facing_pair("infantry", "infantry", 11.96, a_sigma=0.05, b_sigma=0.05)["reasons"]
    assert reasons[0].startswith("Range 11.96″ ± 0.14″: normal")


def test_what_else_may_be_is_told_in_few_words() -> None:
    reasons = facing_pair("tank", "tank", 12.0, a_sigma=0.05, b_sigma=0.05, a_facing=270.0, b_facing=90.0)["reasons"]
    reasons = [reason for reason in reasons if reason.startswith("If ")]
    assert len(reasons) == len(set(reasons)) <= 4


@pytest.mark.slow
def test_markers_that_a_kind_may_not_carry_are_told() -> None:
    units = [unit("A", "blue", "tank", 10, 10, dug_in=True), unit("B", "blue", "mortar", 20, 10, ready=True)]
    tank, mortar = judged(table([*units, unit("C", "red", "atg", 30, 10, dug_in=True, ready=True)]))["formation"][:2]
    assert [len(tank["notes"]), len(mortar["notes"])] == [1, 1]
    assert "no tank may dig in" in tank["notes"][0] and "no mortar may be" in mortar["notes"][0]
