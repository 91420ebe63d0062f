"""Unit tags: every readable one, none misread, none invented."""

from dataclasses import replace

import numpy as np
import pytest

from calibration import FrameLayout
from tests.support.marker_scenes import Scene, Square, camera_over, draw, true_corners
from vision.model.expected import BaseShape, Expected, ExpectedUnit
from vision.tags.reading import Tags, find_tags

WIDTH, DEPTH = 16.0, 12.0
SIZE = (1600, 1200)


def expected(dictionary: str, ids: range | list[int]) -> Expected:
    base = BaseShape(1.25, 1.0, 0.12)
    units = tuple(ExpectedUnit(f"u{i}", "blue", "tank", 1, base, base, tag=i) for i in ids)
    return Expected(WIDTH, DEPTH, FrameLayout("DICT_APRILTAG_36h11", 3.0, ()), units, dictionary, 0.6)


def table(
    dictionary: str = "DICT_4X4_100",
    *,
    side_px: float = 26.0,
    elevation_deg: float = 50.0,
    seed: int = 0,
    heights: tuple[float, ...] = (0.12, 0.16, 0.62),
    **more: object,
) -> Scene:
    """A table of tagged bases whose tags have about ``side_px`` on their shortest side in the middle."""
    rng = np.random.default_rng(seed)
    distance = 0.75 * SIZE[0] * 0.6 * np.sin(np.radians(elevation_deg)) / side_px
    view = camera_over(
        *SIZE, target=(8, 6), distance_in=distance, elevation_deg=elevation_deg, azimuth_deg=20, roll_deg=3
    )
    places = [(x, y) for x in (2.5, 6.2, 9.8, 13.5) for y in (2.0, 6.0, 10.0)]
    squares = tuple(
        Square(
            dictionary, i, 0.6, (x + rng.uniform(-0.3, 0.3), y + rng.uniform(-0.3, 0.3)),
            z=float(rng.choice(heights)), rotation_deg=float(rng.uniform(0, 360)),
        )
        for i, (x, y) in enumerate(places)
    )  # fmt: skip
    return Scene(view, squares, seed=seed, **more)  # type: ignore[arg-type]


def readable(scene: Scene, least_px: float = 20.0) -> list[Square]:
    """The squares of at least that shortest side that lie whole in the picture."""
    rows = []
    for square in scene.squares:
        q = true_corners(scene, square)
        inside = ((q > 4) & (q < np.array(SIZE) - 5)).all()
        if inside and np.linalg.norm(np.roll(q, -1, axis=0) - q, axis=1).min() >= least_px:
            rows.append(square)
    return rows


def check(scene: Scene, tags: Tags, least: int, rms_px: float = 0.15) -> None:
    wanted = readable(scene)
    assert len(wanted) >= least
    assert {square.id for square in wanted} <= set(tags.ids.tolist())
    truth = {square.id: true_corners(scene, square) for square in scene.squares}
    error = np.array([tags.corners[i] - truth[int(tag)] for i, tag in enumerate(tags.ids)])
    assert np.sqrt((error**2).mean()) < rms_px
    assert tags.notes == ()


@pytest.mark.parametrize(
    ("scene", "least"),
    [
        (table(seed=1), 9),
        (table(seed=4, heights=(0.12, 1.6, 3.1), elevation_deg=60, shadow=(1.0, 0.4, 9.0)), 9),
        *(
            pytest.param(scene, least, marks=pytest.mark.slow)
            for scene, least in (
                (table("DICT_APRILTAG_36h11", seed=1), 9),
                (table(elevation_deg=25.0, seed=2), 8),
                (table(elevation_deg=90.0, seed=2), 8),
                (table(seed=3, blur_px=1.0), 9),
                (table(seed=3, noise=0.02), 9),
                (table(seed=3, glare=(8.0, 6.0, 3.0, 0.3)), 9),
                (table(seed=3, mat="sand"), 9),
            )
        ),
    ],
)
def test_small_tags_of_every_family_viewpoint_and_light_are_read(scene: Scene, least: int) -> None:
    dictionary = scene.squares[0].dictionary
    check(scene, find_tags(draw(scene), scene.view, expected(dictionary, range(12))), least)


def test_tags_know_their_units() -> None:
    scene = table(seed=5)
    roster = expected("DICT_4X4_100", [])
    base = BaseShape(1.25, 1.0, 0.12)
    unit = ExpectedUnit("A", "red", "infantry", 3, base, base, tag=4, other_tags=(5, 6))
    tags = find_tags(draw(scene), scene.view, replace(roster, units=(unit,)))
    assert tags.ids.tolist() == [4, 5, 6]
    assert tags.unit.tolist() == [0, 0, 0]
    assert tags.unique.tolist() == [True, False, False]


def test_wrong_sized_tags_are_refused() -> None:
    scene = table(seed=6, side_px=28.0, heights=(0.12,))
    changed = replace(scene, squares=tuple(replace(square, size_in=1.0) for square in scene.squares))
    assert len(find_tags(draw(changed), scene.view, expected("DICT_4X4_100", range(50)))) == 0


def test_a_tag_beside_the_table_is_not_on_it() -> None:
    scene = table(seed=7, elevation_deg=70)
    moved = replace(scene.squares[0], center=(-3.0, 6.0), z=0.12)
    apart = replace(scene, squares=(moved, *scene.squares[1:]))
    tags = find_tags(draw(apart), scene.view, expected("DICT_4X4_100", range(12)))
    assert 0 not in tags.ids.tolist() and 1 in tags.ids.tolist()


def test_a_tag_seen_twice_names_neither() -> None:
    scene = table(seed=9)
    doubled = replace(scene, squares=(replace(scene.squares[0], id=1), *scene.squares[1:]))
    tags = find_tags(draw(doubled), scene.view, expected("DICT_4X4_100", range(12)))
    assert 1 not in tags.ids.tolist()
    assert len(tags.notes) == 1 and "Tag 1 is seen twice" in tags.notes[0]


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_half_hidden_tags_are_never_misread(seed: int) -> None:
    """Figures stand on the code: whatever is read is right, whatever is not is left out."""
    rng = np.random.default_rng(seed)
    scene = table(seed=20 + seed, side_px=34.0)
    hidden = tuple(
        replace(square, figures=((rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.1, 0.3)),))
        for square in scene.squares
    )
    covered = replace(scene, squares=hidden)
    tags = find_tags(draw(covered), scene.view, expected("DICT_4X4_100", range(100)))
    truth = {square.id: true_corners(covered, square) for square in hidden}
    for i, tag in enumerate(tags.ids.tolist()):
        assert tag in truth
        assert np.linalg.norm(tags.corners[i].mean(axis=0) - truth[tag].mean(axis=0)) < 2.0


@pytest.mark.slow
def test_nothing_is_invented_on_bare_mats() -> None:
    for seed, mat in enumerate(("grass", "sand", "cloth")):
        scene = replace(table(seed=seed), squares=(), mat=mat, noise=0.03)
        assert len(find_tags(draw(scene), scene.view, expected("DICT_4X4_100", range(100)))) == 0


def test_struct_shapes_are_checked() -> None:
    with pytest.raises(ValueError, match=r"Tags\.corners has shape \(0, 2\), expected \(0, 4, 2\)"):
        replace(Tags.empty(), corners=np.zeros((0, 2)))
