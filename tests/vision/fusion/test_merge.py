"""Bases of several photos as one: fused honestly, matched rightly, moved and hidden ones told; dice and markers."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration import TableView
from calibration.adjustment import AdjustmentConfig
from calibration.joint import JointConfig, JointSolution, solve_together
from calibration.table import TablePoseConfig
from tests.support.joint_simulation import drawn_lenses, real_markers, real_tags, round_the_table, sight, tie_priors
from tests.support.pose_simulation import table_layout
from tests.support.table_scenes import FRAME, looking_at
from vision import BaseShape, Expected, ExpectedTerrain, ExpectedUnit
from vision.bases.placed import PlacedBase
from vision.fusion.base_fusion import FuseConfig, SightOfBase, fuse
from vision.fusion.merge import PhotoBases, merge_bases
from vision.fusion.merge_small_objects import merge_dice, merge_markers
from vision.model.heights import HeightConfig, SurfacePrior, surface_prior
from vision.model.observation import SeenDie, SeenMarker

Array = npt.NDArray[np.float64]
SHAPE = BaseShape(1.25, 1.0, 0.12)
OPEN = SurfacePrior(0.02, 0.025, True)
FLAT = HeightConfig()


def placed(
    view: TableView,
    at: tuple[float, float],
    *,
    z: float = 0.0,
    thought_z: float = 0.02,
    z_sigma: float = 0.025,
    own_in: float = 0.015,
    facing: float = 30.0,
    **more: object,
) -> PlacedBase:
    """A base at a true place and height as a photo puts it that thinks it at ``thought_z``."""
    height = more["shape"].height if isinstance(more.get("shape"), BaseShape) else SHAPE.height
    true = np.array([[*at, z + height]])
    top = thought_z + height
    center, camera = view.table_from_pixel(view.pixel_from_table(true), top, z_sigma_in=z_sigma)
    covariance = np.zeros((3, 3))
    covariance[:2, :2] = camera[0] + own_in**2 * np.eye(2)
    covariance[2, 2] = np.radians(0.8) ** 2
    base = PlacedBase(
        center=center[0],
        facing=facing,
        facing_known=False,
        covariance=covariance,
        z=thought_z,
        z_sigma=z_sigma,
        shape=SHAPE,
        side="red",
        unit=None,
        unique=None,
        tag_id=None,
        coverage=0.9,
        method="outline",
    )
    return replace(base, **more)  # type: ignore[arg-type]


def nothing_in_common(first: int, second: int) -> Array:
    return np.zeros((15, 15))


@lru_cache(maxsize=1)
def solved_scenes() -> list[tuple[list[TableView], JointSolution]]:
    """The true cameras of three photos of one table, and what solving them together makes of them; 24 times, over
    layouts and lenses."""
    rng = np.random.default_rng(12)
    layout = table_layout()
    adjustment = AdjustmentConfig(layout_scales=(0.5,), layout_scale_weights=(1.0,))
    scenes = []
    for _ in range(24):
        views = round_the_table(drawn_lenses(3, rng), rng)
        markers, tags = real_markers(layout, rng, 0.5), real_tags(6, rng)
        pose = TablePoseConfig(adjustment=adjustment)
        sights = [sight(view, markers, tags, layout, rng, pose) for view in views]
        scenes.append((views, solve_together(sights, tie_priors(tags), JointConfig(adjustment=adjustment))))
    return scenes


@lru_cache(maxsize=2)
def simulated(hill: bool) -> tuple[Array, Array, Array, Array]:
    """Fused errors (n, 2), covariances (n, 2, 2), height errors over their spread (n,), and one photo's errors (n, 2),
    over layouts, lenses, cameras and bases, half of whose own errors are common to the photos."""
    rng = np.random.default_rng(13)
    config = FuseConfig()
    error, stated, heights, single = [], [], [], []
    for views, together in solved_scenes():
        for _ in range(6):
            at, z = tuple(rng.uniform(5, 31, size=2)), 0.02 + 0.025 * rng.normal() + hill * rng.uniform(0.6, 1.6)
            both = rng.normal(size=2) * np.sqrt(config.own_common)
            seen = []
            for k, (true, solved) in enumerate(zip(views, together.views, strict=True)):
                off = 0.015 * (both + rng.normal(size=2) * np.sqrt(1 - config.own_common))
                base = placed(solved, at)
                pixel = true.pixel_from_table([[*at, z + SHAPE.height]])
                center = solved.point_from_pixel(pixel, 0.02 + SHAPE.height)[0] + off
                seen.append(SightOfBase(k, solved, replace(base, center=center)))
            fused = fuse(seen, together.cross, OPEN, config)
            assert fused.moved_in == 0.0
            error.append(fused.base.center - at)
            stated.append(fused.base.covariance[:2, :2])
            heights.append((fused.base.z - z) / fused.base.z_sigma)
            single.append(seen[0].base.center - at)
    return np.array(error), np.array(stated), np.array(heights), np.array(single)


@pytest.mark.slow
@pytest.mark.parametrize("hill", [False, True])
def test_the_spread_of_a_fused_place_is_honest(hill: bool) -> None:
    error, stated, heights, single = simulated(hill)
    observed = np.sqrt(np.mean(np.sum(error**2, axis=1)))
    predicted = np.sqrt(np.mean(np.trace(stated, axis1=1, axis2=2)))
    assert observed / predicted == pytest.approx(1.0, abs=0.2)
    distance2 = np.einsum("ni,nij,nj->n", error, np.linalg.inv(stated), error)
    assert 0.91 <= np.mean(distance2 < 5.991) <= 0.995
    assert observed < 0.9 * np.sqrt(np.mean(np.sum(single**2, axis=1)))
    assert 0.6 < np.sqrt(np.mean(heights**2)) < 1.2


def two_views() -> tuple[TableView, TableView]:
    return looking_at(azimuth_deg=-90.0), looking_at(azimuth_deg=0.0, elevation_deg=50.0)


def test_two_lines_of_sight_find_a_base_on_a_hill_nobody_drew() -> None:
    views = two_views()
    seen = [SightOfBase(k, v, placed(v, (9.0, 11.0), z=1.0)) for k, v in enumerate(views)]
    fused = fuse(seen, nothing_in_common, OPEN)
    assert fused.base.center == pytest.approx([9.0, 11.0], abs=0.02)
    assert fused.base.z == pytest.approx(1.0, abs=0.03)
    assert fused.base.z_sigma < 0.1


def test_a_base_in_two_places_at_once_was_moved() -> None:
    views = two_views()
    seen = [
        SightOfBase(k, v, placed(v, at, z=0.02))
        for k, (v, at) in enumerate(zip(views, ((9, 9), (7, 9.5)), strict=True))
    ]
    fused = fuse(seen, nothing_in_common, surface_prior(9, 9, (), FLAT))
    assert fused.moved_in > 1.0
    for sight_ in seen:
        off = sight_.base.center - fused.base.center
        assert off @ np.linalg.solve(fused.base.covariance[:2, :2], off) < 5.991


def test_one_sight_stays_as_it_is() -> None:
    view = two_views()[0]
    base = placed(view, (9.0, 9.0))
    assert fuse([SightOfBase(0, view, base)], nothing_in_common, OPEN).base is base


@given(
    first=st.floats(0, 360),
    turned=st.sampled_from((0.0, 180.0)),
    off=st.floats(-2, 2),
    known=st.booleans(),
)
def test_facings_that_an_outline_leaves_open_take_the_known_ones_way(
    first: float, turned: float, off: float, known: bool
) -> None:
    views = two_views()
    one = placed(views[0], (9.0, 9.0), facing=first, facing_known=True)
    other = placed(views[1], (9.0, 9.0), facing=first + turned + off)
    if not known:
        one = replace(one, facing_known=False)
    fused = fuse([SightOfBase(0, views[0], one), SightOfBase(1, views[1], other)], nothing_in_common, OPEN).base
    assert fused.facing_known == known
    period = 360.0 if known else 180.0
    away = (fused.facing - first + period / 2) % period - period / 2
    assert abs(away) <= abs(off) + 1e-6
    assert np.sqrt(fused.covariance[2, 2]) <= np.radians(0.8) * max(1.0, abs(off))


FOOT = ExpectedUnit("a", "red", "infantry", 3, SHAPE, SHAPE, 3)
HORSE = ExpectedUnit("b", "red", "cavalry", 2, SHAPE, SHAPE, 4)
TABLE = Expected(18.0, 18.0, FRAME, (FOOT, HORSE), "DICT_4X4_50", 0.6)


def photos(*shown: list[PlacedBase], views: tuple[TableView, ...] | None = None) -> list[PhotoBases]:
    views = views or two_views()
    return [PhotoBases(f"{'abc'[k]}.jpg", views[k], tuple(bases)) for k, bases in enumerate(shown)]


def test_each_base_comes_once_with_what_any_photo_knows_of_it() -> None:
    a, b = two_views()
    places = [(6.0, 6.0), (7.6, 6.0), (9.2, 6.0), (12.0, 12.0)]
    first = [placed(a, at) for at in places]
    second = [placed(b, at) for at in places[::-1]]
    first[0] = replace(first[0], tag_id=3, unit=0, unique=True, facing_known=True, method="tag")
    second[2] = replace(second[2], unit=0, unique=False)
    merged = merge_bases(photos(first, second), nothing_in_common, TABLE)
    assert len(merged.placed) == 4 and merged.warnings == () and set(merged.confidence_factor) == {1.0}
    by_x = sorted(merged.placed, key=lambda p: p.center[0])
    assert [p.unit for p in by_x] == [0, 0, None, None]
    assert [p.unique for p in by_x[:2]] == [True, False]
    assert by_x[0].tag_id == 3 and by_x[0].facing_known
    for base, at in zip(by_x, places, strict=True):
        assert base.center == pytest.approx(at, abs=0.04)


def test_two_names_for_one_base_are_none() -> None:
    a, b = two_views()
    one = placed(a, (6.0, 6.0), unit=0, unique=False)
    merged = merge_bases(photos([one], [placed(b, (6.0, 6.0), unit=1, unique=False)]), nothing_in_common, TABLE)
    assert [p.unit for p in merged.placed] == [None]


def test_no_unit_gets_more_bases_than_it_has() -> None:
    a, b = two_views()
    first = [placed(a, at, unit=1, unique=False) for at in ((6.0, 6.0), (9.0, 6.0))]
    second = [placed(b, at, unit=1, unique=False) for at in ((12.0, 6.0), (9.0, 12.0))]
    merged = merge_bases(photos(first, second), nothing_in_common, TABLE)
    assert len(merged.placed) == 4
    assert [p.unit for p in merged.placed] == [None] * 4


def test_other_sides_and_shapes_are_other_bases() -> None:
    a, b = two_views()
    for more in ({"side": "blue"}, {"shape": BaseShape(1.0, 1.0, 0.12, True)}):
        merged = merge_bases(
            photos([placed(a, (6.0, 6.0))], [replace(placed(b, (6.0, 6.0)), **more)]), nothing_in_common, TABLE
        )
        assert len(merged.placed) == 2
        assert merged.warnings == (), "one place under two readings: neither is told to be gone"


def test_a_tagged_base_that_was_moved_is_named() -> None:
    a, b = two_views()
    tag = {"tag_id": 3, "unit": 0, "unique": True, "facing_known": True, "method": "tag"}
    merged = merge_bases(
        photos([placed(a, (6.0, 6.0), **tag)], [placed(b, (8.0, 6.5), **tag)]), nothing_in_common, TABLE
    )
    assert len(merged.placed) == 1 and merged.confidence_factor[0] < 1.0
    (told,) = merged.warnings
    assert told.startswith("A base of a (tag 3) is 2.") and "a.jpg and b.jpg" in told
    assert told.endswith("it was moved between the photos. Retake both.")


def test_a_base_that_another_photo_should_show_is_doubted() -> None:
    a, b = two_views()
    kept = [(6.0, 6.0), (12.0, 12.0)]
    shown = photos([placed(a, at) for at in (*kept, (9.0, 9.0))], [placed(b, at) for at in kept])
    merged = merge_bases(shown, nothing_in_common, TABLE)
    doubted, *rest = sorted(merged.confidence_factor)
    assert 0.4 < doubted < 0.9 and rest == [1.0, 1.0]
    (told,) = merged.warnings
    assert told.startswith("The red base at (9.0, 9.0) is seen in a.jpg but not in b.jpg")


def test_a_faint_base_that_two_photos_deny_is_nothing() -> None:
    views = (*two_views(), looking_at(azimuth_deg=150.0))
    faint = [placed(views[0], (9.0, 9.0), coverage=0.5)]
    merged = merge_bases(photos(faint, [], [], views=views), nothing_in_common, TABLE)
    assert merged.placed == () and merged.confidence_factor == ()
    (told,) = merged.warnings
    assert told.startswith("The red base at (9.0, 9.0), seen in a.jpg alone, was left out: b.jpg would show it")
    kept = merge_bases(photos(faint, [], views=views), nothing_in_common, TABLE)
    assert len(kept.placed) == 1 and kept.confidence_factor[0] < 0.5
    sure = [replace(faint[0], coverage=1.0)]
    assert len(merge_bases(photos(sure, [], [], views=views), nothing_in_common, TABLE).placed) == 1


def test_a_tag_that_was_read_is_never_left_out() -> None:
    views = (*two_views(), looking_at(azimuth_deg=150.0))
    read = placed(views[0], (9.0, 9.0), coverage=0.0, tag_id=3, unit=0, unique=True, method="tag")
    merged = merge_bases(photos([read], [], [], views=views), nothing_in_common, TABLE)
    assert [p.tag_id for p in merged.placed] == [3] and merged.confidence_factor[0] < 0.7


def test_what_another_photo_cannot_show_is_not_doubted() -> None:
    a, b = two_views()
    # behind the figures of another base, seen from b at azimuth 0: the camera looks along -x
    hidden = [placed(a, (9.0, 9.0)), placed(a, (10.2, 9.0))]
    merged = merge_bases(photos(hidden, [placed(b, (10.2, 9.0))]), nothing_in_common, TABLE)
    assert merged.warnings == () and set(merged.confidence_factor) == {1.0}
    woods = ExpectedTerrain("w", "woods", ((10.0, 7.0), (13.0, 7.0), (13.0, 11.0), (10.0, 11.0)), 2.5)
    behind = merge_bases(photos(hidden[:1], []), nothing_in_common, replace(TABLE, terrain=(woods,)))
    assert behind.warnings == ()
    close = looking_at(800, 600, target=(3.0, 3.0), distance_in=14.0)
    outside = merge_bases(photos(hidden[:1], [], views=(a, close)), nothing_in_common, TABLE)
    assert outside.warnings == ()


def test_dice_that_photos_read_differently_are_left_open() -> None:
    seen = [
        [SeenDie((3.0, 3.0), 5, 0.9), SeenDie((8.0, 8.0), 2, 0.8)],
        [SeenDie((8.1, 8.0), 2, 0.8), SeenDie((3.1, 3.0), 6, 0.95)],
    ]
    dice, rows, told = merge_dice(seen)
    assert [die.value for die in dice] == [None, 2]
    assert rows == ((0, 1), (1, 0))
    assert dice[1].confidence > 0.9
    assert told == ("The die at (3.0, 3.0) is read as 5 and 6 in different photos: its value is left open.",)


def test_a_die_that_photos_read_differently_keeps_what_speaks_for_each_number() -> None:
    said = [
        SeenDie((3.0, 3.0), 5, 0.9),
        SeenDie((3.05, 3.0), 6, 0.6),
        SeenDie((3.0, 3.1), None, 0.5, (0, 0, 0, 0, 0.7, 0.3)),
    ]
    (die,), _, told = merge_dice([[one] for one in said])
    assert die.value is None and told
    assert np.argmax(die.chances) == 4 and sum(die.chances) == pytest.approx(1.0)
    assert die.chances[4] / die.chances[5] == pytest.approx(0.9 / 0.02 * 0.08 / 0.6 * 0.7 / 0.3)
    (blank,), _, _ = merge_dice([[SeenDie((3.0, 3.0), None, 0.5)], [SeenDie((3.0, 3.0), None, 0.6)]])
    assert blank.chances == ()


def test_a_symbol_that_one_photo_asks_about_is_asked_once_for_all() -> None:
    def bears(x: float, value: int | None, look: int | None) -> SeenDie:
        chances = (0.5, 0.0, 0.0, 0.0, 0.0, 0.5) if value is None else ()
        return SeenDie((x, 3.0), value, 0.95, chances, symbol=True, symbols_asked=look)

    one = [bears(3.0, None, 0), bears(5.0, None, 1)]
    other = [bears(3.0, 6, None), bears(5.0, None, 0), bears(7.0, None, 0), bears(9.0, 6, None)]
    dice, _, told = merge_dice([one, other])
    assert told == () and all(die.symbol for die in dice)
    assert [die.value for die in dice] == [None, None, None, 6]
    first, second, third, fourth = (die.symbols_asked for die in dice)
    assert None not in (first, second) and first != second and second == third and fourth is None
    pips = merge_dice([[bears(3.0, None, 0)], [SeenDie((3.0, 3.0), 4, 0.9)]])[0]
    assert [(die.value, die.symbol) for die in pips] == [(4, False)]


def test_markers_come_once_and_hits_count_the_merged_dice() -> None:
    first = [SeenDie((3.0, 3.0), 5, 0.9)]
    second = [SeenDie((3.1, 3.0), 5, 0.9), SeenDie((3.9, 3.0), 2, 0.9), SeenDie((9.0, 9.0), 1, 0.9)]
    dice, rows, _ = merge_dice([first, second])
    seen = [
        [
            SeenMarker("a", "hits", (3.0, 3.0), 0.9, "dice", 5, (0,)),
            SeenMarker("a", "fired", (5.0, 5.0), 0.7, "cotton"),
        ],
        [
            SeenMarker("a", "hits", (3.5, 3.0), 0.81, "dice", 7, (0, 1)),
            SeenMarker(None, "fired", (5.3, 5.0), 0.8, "cotton"),
            SeenMarker("b", "ready", (5.3, 5.0), 0.8, "tag"),
        ],
    ]
    hits, fired, ready = merge_markers(seen, dice, rows)
    assert (hits.unit, hits.value, hits.dice) == ("a", 7, (0, 1))
    assert (fired.unit, fired.means, fired.confidence) == ("a", "fired", 0.8)
    assert fired.center == pytest.approx((5.15, 5.0))
    assert (ready.unit, ready.means) == ("b", "ready")


def test_a_die_that_photos_give_to_two_units_is_nobodys() -> None:
    dice, rows, _ = merge_dice([[SeenDie((3.0, 3.0), 5, 0.9)], [SeenDie((3.0, 3.0), 5, 0.9)]])
    seen = [[SeenMarker(unit, "hits", (3.0, 3.0), 0.9, "dice", 5, (0,))] for unit in ("a", "b")]
    assert merge_markers(seen, dice, rows) == ()
