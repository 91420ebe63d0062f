"""Photos that know the table by its edges, solved with others: turned the same way round, better than alone, honest."""

from dataclasses import replace

import numpy as np
import pytest

from calibration._joint_setup import Setup
from calibration.corner_fit import CornerFitConfig
from calibration.joint import JointConfig, Sight, solve_together
from calibration.ways_round import turned_view, way_round
from tests.support.joint_simulation import (
    drawn_lenses,
    edge_sight,
    real_markers,
    real_tags,
    round_the_table,
    sight,
    tie_priors,
)
from tests.support.pose_simulation import errors, table_grid, table_layout
from tests.support.table_scenes import expected_for
from vision import BaseShape, ExpectedUnit
from vision.pipeline.solving import OpenedPhoto, SolvingConfig, _solve
from vision.tags.reading import Tags

TABLE = (36.0, 36.0)
OUTLINE = np.array([[0.0, 0.0], [36.0, 0.0], [36.0, 36.0], [0.0, 36.0]])
GRID = table_grid(n=4, heights=(0.0, 0.12, 1.0))
FIT = CornerFitConfig()


def photos(rng: np.random.Generator, *, framed: bool, tags: int = 12, seen: int = 2):  # type: ignore[no-untyped-def]
    """True views, their sights (the last by the edges, the others by the frame where ``framed``), what ties are."""
    views, there = round_the_table(drawn_lenses(seen, rng), rng), real_tags(tags, rng)
    markers = real_markers(table_layout(), rng, 1.0)
    corners, bows = OUTLINE + rng.normal(0, FIT.corner_sigma_in, (4, 2)), rng.normal(size=4) * FIT.bow_sigma_in
    sights = [edge_sight(view, corners, bows, there, rng) for view in views]
    if framed:
        sights[:-1] = [sight(view, markers, there, table_layout(), rng) for view in views[:-1]]
    return views, sights, tie_priors(there)


@pytest.mark.slow
@pytest.mark.parametrize("framed", [True, False], ids=["beside a framed photo", "edges alone"])
def test_a_photo_by_its_edges_gains_from_another_and_says_how_much(framed: bool) -> None:
    rng = np.random.default_rng(3)
    alone, joined, stated, shares = [], [], [], []
    for _ in range(40):
        views, sights, ties = photos(rng, framed=framed)
        together = solve_together(sights, ties)
        assert together.moved_ties == ()
        alone.append(errors(views[1], sights[1].view, GRID)[0])
        off, covariance = errors(views[1], together.views[1], GRID)
        joined.append(off)
        stated.append(covariance)
        shares.append(np.abs(together.cross(0, 1)).max())
    rms = [np.sqrt(np.mean(np.sum(np.square(e), axis=-1))) for e in (alone, joined)]
    assert rms[1] < (0.75 if framed else 0.95) * rms[0]
    squares = np.einsum("kni,knij,knj->kn", joined, np.linalg.inv(stated), joined)
    assert 0.75 < np.sqrt(squares.mean() / 2) < 1.2
    assert np.mean(squares < 5.991) > 0.9
    assert min(shares) > 0, "what the photos have in common is said"


def test_the_tables_cut_is_not_averaged_away() -> None:
    """Four photos of one table share its cut: they can't tell the stated rectangle better than it was cut."""
    rng = np.random.default_rng(5)
    _, sights, ties = photos(rng, framed=False, seen=4)
    view = solve_together(sights, ties).views[0]
    places = np.column_stack([OUTLINE, np.zeros(4)])
    _, covariance = view.table_from_pixel(view.pixel_from_table(places), 0.0)
    spread = np.sqrt(np.trace(covariance, axis1=1, axis2=2) / 2)
    assert np.all(spread > 0.5 * FIT.corner_sigma_in)


def test_the_jacobian_is_the_derivative() -> None:
    rng = np.random.default_rng(1)
    _, sights, ties = photos(rng, framed=True, tags=6)
    config = JointConfig()
    setup = Setup.of(sights, ties, config)
    problem = setup.problem(1.0, np.full((len(setup.pixels), 4), 5.0), config)
    start = setup.start(problem)
    state = problem.apply_step(start, rng.normal(size=problem.size) * 2e-3)
    got = problem.linear(state)
    assert np.abs(got.miss).max() > 1.0 and problem.size == problem.outline_at + 8
    for k in range(problem.size):
        step = np.zeros(problem.size)
        step[k] = 1e-6
        ahead, behind = (problem.linear(problem.apply_step(state, s * step)).miss for s in (1, -1))
        slope = (ahead - behind) / 2e-6
        assert got.held[:, k] == pytest.approx(slope, rel=1e-4, abs=1e-5 * (1 + np.abs(slope).max()))


def test_a_photo_by_its_edges_stays_as_it_is_where_nothing_ties_it() -> None:
    rng = np.random.default_rng(2)
    _, sights, _ = photos(rng, framed=False)
    for one, again in zip(sights, solve_together(sights, {}).views, strict=True):
        assert again.pixel_from_table(GRID) == pytest.approx(one.view.pixel_from_table(GRID), abs=1e-3)
        spread = [v.table_from_pixel(v.pixel_from_table(GRID), GRID[:, 2])[1] for v in (again, one.view)]
        assert spread[0] == pytest.approx(spread[1], rel=0.02, abs=1e-6)
        assert (again.rms_px, again.corner_sigma_px) == (one.view.rms_px, one.view.corner_sigma_px)


@pytest.mark.parametrize("quarters", [1, 2])
def test_a_turned_view_sees_the_table_turned(quarters: int) -> None:
    rng = np.random.default_rng(quarters)
    _, (one, _), _ = photos(rng, framed=False)
    turned = turned_view(one.view, TABLE, quarters)
    angle = quarters * np.pi / 2
    around = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    before = GRID.copy()
    before[:, :2] = 18.0 + (GRID[:, :2] - 18.0) @ around.T
    pixels = one.view.pixel_from_table(before)
    assert turned.pixel_from_table(GRID) == pytest.approx(pixels, abs=1e-6)
    _, covariance = turned.table_from_pixel(pixels, GRID[:, 2])
    _, unturned = one.view.table_from_pixel(pixels, GRID[:, 2])
    assert around @ covariance @ around.T == pytest.approx(unturned, rel=1e-6, abs=1e-12)
    assert turned_view(turned, TABLE, -quarters).t == pytest.approx(one.view.t)


def test_only_a_square_is_turned_by_a_quarter() -> None:
    _, (one, _), _ = photos(np.random.default_rng(0), framed=False)
    with pytest.raises(ValueError, match="72 x 48"):
        turned_view(one.view, (72.0, 48.0), 1)


@pytest.mark.parametrize("quarters", [1, 2])
def test_shared_tags_tell_the_way_round(quarters: int) -> None:
    _, (first, second), ties = photos(np.random.default_rng(4), framed=True, tags=3)
    other = replace(second, view=turned_view(second.view, TABLE, -quarters))
    assert way_round(other, [first], ties, TABLE) == quarters
    assert way_round(other, [first], {}, TABLE) is None
    assert way_round(other, [], ties, TABLE) is None


def opened_photo(number: int, one: Sight, *, tags: bool = True) -> OpenedPhoto:
    ids = np.array(one.ties.ids if tags else (), dtype=np.int64)
    n = len(ids)
    corners = one.ties.pixels[:n]
    read = Tags(ids, corners, one.ties.sigma_px[:n], np.ones(n), np.zeros(n), np.ones(n, bool))
    name, by_edges = f"{number}.jpg", one.outline is not None
    return OpenedPhoto(number, name, "phone", 26.0, name, one.view, one.markers, read, False, by_edges)


def roster(count: int):  # type: ignore[no-untyped-def]
    foot = BaseShape(2.0, 1.25, 0.12)
    units = tuple(ExpectedUnit(f"u{k}", "red", "infantry", 1, foot, foot, k) for k in range(count))
    return replace(expected_for(units, tags="DICT_4X4_50"), width=36.0, depth=36.0, tag_size_in=0.8)


@pytest.mark.parametrize("framed", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_photo_from_the_other_side_joins_the_right_way_round(framed: bool) -> None:
    views, (first, second), _ = photos(np.random.default_rng(6), framed=framed)
    guessed = "The edge nearest the camera was taken for the table's near edge: if it is not, name the corners."
    upside = replace(turned_view(second.view, TABLE, 2), warnings=(guessed, "Something else."))
    table = roster(12)
    pair = [opened_photo(0, first), opened_photo(1, replace(second, view=upside))]
    together = _solve(pair, table, None, SolvingConfig())
    assert np.abs(errors(views[1], together.views[1], GRID)[0]).max() < 0.3
    assert together.views[1].warnings == ("Something else.",)
    assert np.abs(together.cross(0, 1)).max() > 0


def test_a_photo_that_shares_no_tag_stays_apart() -> None:
    _, (first, second), _ = photos(np.random.default_rng(7), framed=True)
    together = _solve([opened_photo(0, first), opened_photo(1, second, tags=False)], roster(12), None, SolvingConfig())
    assert together.views[1] is second.view and np.all(together.cross(0, 1) == 0)
    (lonely,) = _solve([opened_photo(0, second)], roster(12), None, SolvingConfig()).views
    assert lonely is second.view
