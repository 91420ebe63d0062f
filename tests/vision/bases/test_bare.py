"""Bases found by shape alone, from made-up maps of what the net would say."""

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration import FrameLayout
from vision.bases import bare_shapes
from vision.bases.bare import BareConfig, BaseMaps, find_bare, not_denied, share_shown, spread_of_shapes
from vision.bases.bare_choice import ChoiceConfig, best_set
from vision.bases.bare_shapes import HEART, ShapesConfig, odds_of, proposals, score, without
from vision.bases.outline import OutlineFit
from vision.bases.presence import PresenceConfig
from vision.bases.selection import Found, footprint
from vision.imaging.rectify import MapScale
from vision.model.expected import BaseShape, Expected, ExpectedUnit, Rival

INFANTRY = BaseShape(2.0, 1.25, 0.12)
TANK = BaseShape(1.75, 2.5, 0.12)
ROUND = BaseShape(0.984, 0.984, 0.12, is_round=True)


def expected(*units: tuple[str, BaseShape, int]) -> Expected:
    """A 30 x 24 table whose roster has units (side, shape, bases)."""
    rows = tuple(
        ExpectedUnit(f"u{k}", side, "infantry", bases, shape, shape) for k, (side, shape, bases) in enumerate(units)
    )
    return Expected(30.0, 24.0, FrameLayout("DICT_APRILTAG_36h11", 3.0, ()), rows)


def maps_of(places: list[tuple[BaseShape, float, float, float]], *, noise: float = 0.05, seed: int = 1) -> BaseMaps:
    """What a good net would show of bases (shape, x, y, facing)."""
    scale = MapScale(30.0, 24.0, 16.0, 0.5)
    columns, rows = scale.size
    top, edge, middle = (np.zeros((rows, columns), np.float32) for _ in range(3))
    for shape, x, y, facing in places:
        ring = scale.pixel_from_table(np.asarray(footprint(shape, x, y, facing).exterior.coords)[:-1])
        heart = ring.mean(axis=0) + HEART * (ring - ring.mean(axis=0))
        cv2.fillPoly(top, [np.round(ring * 16).astype(np.int32)], 1.0, shift=4)
        cv2.polylines(edge, [np.round(ring * 16).astype(np.int32)], True, 1.0, 2, shift=4)
        cv2.fillPoly(middle, [np.round(heart * 16).astype(np.int32)], 1.0, shift=4)
    rng = np.random.default_rng(seed)
    planes = [
        cv2.GaussianBlur(p, (0, 0), 1.1) + noise * rng.random(p.shape, dtype=np.float32)
        for p in (top, 0.7 * edge, middle)
    ]
    top, edge, middle = (np.clip(p, 0, 1) for p in planes)
    return BaseMaps(top, edge, middle, scale, 0.12)


def test_bases_are_found_where_they_are() -> None:
    places = [
        (INFANTRY, 5.0, 6.0, 10.0),
        (INFANTRY, 7.02, 6.4, 10.0),
        (TANK, 15.3, 12.2, 117.0),
        (ROUND, 22.5, 7.5, 0.0),
    ]
    found = find_bare(maps_of(places), expected(("blue", INFANTRY, 3), ("red", TANK, 3), ("red", ROUND, 2)), [])
    assert len(found) == len(places)
    for shape, x, y, facing in places:
        near = min(found, key=lambda f: float(np.hypot(f.fit.x - x, f.fit.y - y)))
        assert near.shape == shape
        assert np.hypot(near.fit.x - x, near.fit.y - y) < 0.05
        if not shape.is_round:
            assert abs((near.fit.facing - facing + 90) % 180 - 90) < 2.0
    assert {f.side for f in found if not f.shape.is_round} == {"blue", "red"}
    assert {f.side for f in found if f.shape.is_round} <= {"", "red"}


def test_a_second_look_searches_only_where_something_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    maps, config = maps_of([(INFANTRY, 5.0, 6.0, 10.0), (TANK, 15.3, 12.2, 117.0)]), ShapesConfig()
    odds, shapes = odds_of(maps.top, maps.edge, maps.middle, maps.scale, config), (INFANTRY, TANK)
    free = without(odds, [np.asarray(footprint(INFANTRY, 5.0, 6.0, 10.0).buffer(-0.3).exterior.coords)], config)
    afresh = proposals(free, shapes, config)
    searched: dict = {}
    proposals(odds, shapes, config, searched)
    boxes, real = [], bare_shapes._in_place
    monkeypatch.setattr(bare_shapes, "_in_place", lambda here, *more: boxes.append(here) or real(here, *more))
    again = proposals(free, shapes, config, searched)
    assert len(boxes) == 1  # where the first base lay, not where the tank lies
    assert [(one.shape, one.score, *one.pose) for one in again] == [(o.shape, o.score, *o.pose) for o in afresh]


def test_a_bases_own_odds_are_those_of_the_whole_map() -> None:
    maps, config = maps_of([(INFANTRY, 1.2, 6.0, 10.0)]), BareConfig()  # its surroundings reach the map's edge
    (found,) = find_bare(maps, expected(("blue", INFANTRY, 1)), [])
    odds = odds_of(maps.top, maps.edge, maps.middle, maps.scale, config.shapes)
    pose = np.array([[found.fit.x, found.fit.y, np.radians(found.fit.facing)]])
    share = score(odds, INFANTRY, pose)[0] / bare_shapes.most_worth(INFANTRY, maps.scale.px_per_inch, config.shapes)
    assert share_shown(maps, found) == pytest.approx(share, abs=1e-6)
    beside = replace(found, fit=replace(found.fit, x=20.0))
    assert share_shown(maps, beside) < 0 < share_shown(maps, found)


def test_a_shape_that_both_sides_have_leaves_the_side_open() -> None:
    found = find_bare(maps_of([(INFANTRY, 9.0, 9.0, 30.0)]), expected(("blue", INFANTRY, 2), ("red", INFANTRY, 2)), [])
    assert [f.side for f in found] == [""]


def test_no_more_than_the_roster_lacks() -> None:
    places = [(INFANTRY, 4.0 + 3 * k, 8.0, 0.0) for k in range(5)]
    known = [_known(INFANTRY, 4.0, 8.0)]
    found = find_bare(maps_of(places), expected(("blue", INFANTRY, 3)), known)
    assert len(found) == 2
    assert all(np.hypot(f.fit.x - 4.0, f.fit.y - 8.0) > 1.0 for f in found)


def test_an_empty_map_has_no_bases() -> None:
    assert find_bare(maps_of([], noise=0.15), expected(("blue", INFANTRY, 3), ("red", TANK, 3)), []) == []


def test_everything_known_leaves_nothing_to_find() -> None:
    assert find_bare(maps_of([(INFANTRY, 9, 9, 0)]), expected(("blue", INFANTRY, 1)), [_known(INFANTRY, 9, 9)]) == []


def test_a_crowd_is_told_apart() -> None:
    rng = np.random.default_rng(1)
    places = []
    for k in range(4):
        x, y, facing = 5 + 6.5 * k, float(rng.uniform(6, 18)), float(rng.uniform(0, 360))
        angle = np.radians(facing)
        for i in (-1, 0, 1):
            # Shoulder to shoulder.
            places.append((INFANTRY, x + 2.0 * i * np.cos(angle), y - 2.0 * i * np.sin(angle), facing))
    found = find_bare(maps_of(places), expected(("blue", INFANTRY, 6), ("red", INFANTRY, 6)), [], BareConfig())
    errors = [min(np.hypot(f.fit.x - x, f.fit.y - y) for f in found) for _, x, y, _ in places]
    assert len(found) == 12
    assert max(errors) < 0.1


def _known(shape: BaseShape, x: float, y: float) -> Found:
    fit = OutlineFit(x, y, 0.0, 0.0, np.eye(3) * 1e-4, (1.0, 1.0, 1.0, 1.0), 1.0, 0.1, 0.0, 50)
    return Found(fit, shape, "blue")


def test_a_line_that_touches_is_split_by_its_sizes() -> None:
    """Three bases without a gap are three, though a longer shape would lie along them as well."""
    long = BaseShape(6.0, 1.25, 0.12)
    places = [(INFANTRY, 8.0 + 2.0 * k, 9.0, 0.0) for k in range(3)]
    found = find_bare(maps_of(places), expected(("blue", INFANTRY, 3), ("red", long, 1)), [])
    assert sorted(round(f.fit.x) for f in found) == [8, 10, 12]
    assert {f.shape for f in found} == {INFANTRY}


def test_a_small_shape_does_not_lie_in_a_large_one() -> None:
    found = find_bare(maps_of([(TANK, 12.0, 9.0, 40.0)]), expected(("blue", TANK, 1), ("red", ROUND, 3)), [])
    assert [f.shape for f in found] == [TANK]


def test_shapes_that_are_nearly_the_same_stay_in_doubt() -> None:
    near_twin = BaseShape(2.08, 1.28, 0.12)
    found = find_bare(maps_of([(INFANTRY, 9.0, 9.0, 20.0)]), expected(("blue", INFANTRY, 2), ("red", near_twin, 2)), [])
    assert len(found) == 1
    assert {found[0].shape, *(rival.shape for rival in found[0].rivals)} == {INFANTRY, near_twin}
    assert found[0].side == ""
    assert all(0.0 < rival.chance < 1.0 for rival in found[0].rivals)


@given(
    worths=st.lists(st.floats(0.1, 5.0), min_size=1, max_size=9),
    seed=st.integers(0, 2**16),
    most=st.integers(1, 4),
)
def test_no_clash_and_no_more_than_there_are(worths: list[float], seed: int, most: int) -> None:
    """Against every subset: what is chosen is allowed, and no single one could be added."""
    rng = np.random.default_rng(seed)
    n = len(worths)
    worth, kinds = np.array(worths), rng.integers(0, 2, n)
    clash = np.triu(rng.random((n, n)) < 0.3, 1)
    clash |= clash.T

    def allowed(rows: tuple[int, ...]) -> bool:
        few = all(sum(kinds[k] == kind for k in rows) <= most for kind in (0, 1))
        return few and not any(clash[a, b] for a, b in combinations(rows, 2))

    picked = tuple(best_set(worth, clash, kinds, (most, most), (), ChoiceConfig()))
    assert allowed(picked)
    assert not any(allowed((*picked, k)) for k in range(n) if k not in picked)
    best = max(sum(worths[k] for k in rows) for size in range(n + 1) for rows in combinations(range(n), size)
               if allowed(rows))  # fmt: skip
    assert worth[list(picked)].sum() >= 0.8 * best


def test_what_is_hardly_shown_is_left_out() -> None:
    """A base whose outline the net does not show at all is likelier none."""
    maps = maps_of([(INFANTRY, 10.0, 10.0, 20.0)])
    dim = BaseMaps(maps.top, 0.12 * maps.edge, 0.8 * maps.middle, maps.scale, maps.z)
    wanted = expected(("blue", INFANTRY, 1))
    assert [base.presence > 0.7 for base in find_bare(maps, wanted, []) if base.presence is not None] == [True]
    anyway = BareConfig(presence=PresenceConfig(least=0.0))
    assert [base.presence < 0.5 for base in find_bare(dim, wanted, [], anyway) if base.presence is not None] == [True]
    assert find_bare(dim, wanted, []) == []


def test_paint_where_the_net_sees_nothing_is_no_base() -> None:
    maps = maps_of([(INFANTRY, 5.0, 6.0, 10.0)])
    fits = [OutlineFit(x, 6.0, 10.0, 0.0, np.eye(3), (1.0,) * 4, 1.0, 0.0, 0.0, 40) for x in (5.0, 15.0)]
    there, nowhere = (Found(fit, INFANTRY, "red") for fit in fits)
    for stated in ((), ("red",)):
        assert not_denied([there, nowhere], maps, stated, BareConfig()) == [there]
    faint = BaseMaps(*(plane * 0.12 for plane in (maps.top, maps.edge, maps.middle)), maps.scale, maps.z)
    config = BareConfig(denied_stated=share_shown(faint, there) - 0.01, denied=share_shown(faint, there) + 0.01)
    assert [not_denied([there], faint, stated, config) for stated in ((), ("red",))] == [[], [there]]


def test_another_shape_widens_the_place_towards_where_that_would_lie() -> None:
    pose = np.array([5.0, 6.0, 0.0])
    longer = Rival(BaseShape(2.0, 2.25, 0.12), 0.3, (5.0, 6.4), 0.0)
    spread = spread_of_shapes(INFANTRY, pose, [longer])
    # ahead: 0.4" off, and half an inch of room to either side, evenly; across both are as wide
    assert np.allclose(spread, [[0.0, 0.0], [0.0, 0.3 * (0.4**2 + 0.5**2 / 3)]])
    turned = spread_of_shapes(INFANTRY, np.array([5.0, 6.0, np.pi / 2]), [Rival(longer.shape, 0.3, (5.4, 6.0), 90.0)])
    assert np.allclose(turned, spread[::-1, ::-1])
    assert np.allclose(spread_of_shapes(INFANTRY, pose, []), 0.0)
