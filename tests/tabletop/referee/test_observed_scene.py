"""An observation as a scene: the same one whether it goes through JSON or not, and the same refusals."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry import Bases
from tabletop.errors import SceneError
from tabletop.referee.judging import scene_of
from tabletop.tables.model import TableFile
from tabletop.tables.scene import Scene, Terrain, Unassigned, Unit, scene_from_json
from tabletop.tables.tablefile import parse_table
from tests.tabletop.tables.test_tablefile import GOOD
from vision import BaseLabel, ExpectedTerrain, Observation

TABLE = parse_table(GOOD)
KINDS = {unit.id: (unit.side, unit.kind) for unit in TABLE.units}
WITHOUT_RULES = parse_table(GOOD.replace('rules = "one-hour-ww2"\n', ""))


def assert_same(a: object, b: object) -> None:
    """Fail unless two scenes, or parts of scenes, are equal to the last bit."""
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b)
    elif isinstance(a, Scene | Unit | Unassigned | Terrain | Bases):
        for field in fields(a):
            assert_same(getattr(a, field.name), getattr(b, field.name))
    elif isinstance(a, tuple):
        assert isinstance(b, tuple) and len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            assert_same(one, other)
    else:
        assert a == b


def through_json(seen: Observation, table: TableFile) -> Scene:
    """The scene that a program reads from the observation's file."""
    return scene_from_json(
        {**seen.to_json(), "rules": table.rules or "one-hour-ww2"}, roster={unit.id: unit.bases for unit in table.units}
    )


inches = st.floats(0.0, 36.0)
spreads = st.floats(0.0, 2.0)


@st.composite
def covariances(draw: st.DrawFn) -> list[list[float]]:
    """Of a place on the table; none at all, alike in all directions, or a slanted ellipse."""
    a, b = draw(spreads), draw(spreads)
    between = draw(st.floats(-1.0, 1.0)) * 0.99 * np.sqrt(a * b)
    return draw(st.sampled_from([[[0.0, 0.0], [0.0, 0.0]], [[a, 0.0], [0.0, a]], [[a, between], [between, b]]]))


@st.composite
def outlines(draw: st.DrawFn) -> tuple[tuple[float, float], ...]:
    """A star-shaped ring, now and then closed by its first point."""
    n = draw(st.integers(3, 9))
    angles = np.linspace(0.0, 2 * np.pi, n, endpoint=False)
    reach = np.array(draw(st.lists(st.floats(1.0, 4.0), min_size=n, max_size=n)))
    centre = draw(inches), draw(inches)
    ring = [
        (centre[0] + r * float(np.cos(a)), centre[1] + r * float(np.sin(a))) for r, a in zip(reach, angles, strict=True)
    ]
    return tuple(ring + ring[:1] if draw(st.booleans()) else ring)


@st.composite
def terrains(draw: st.DrawFn) -> ExpectedTerrain:
    kind = draw(st.sampled_from(["woods", "hill", "road"]))
    outline = draw(outlines())
    middle = np.mean(outline, axis=0)
    top = tuple((float(x), float(y)) for x, y in middle + 0.4 * (np.array(outline) - middle))
    hill_top = draw(st.sampled_from([None, (), top])) if kind == "hill" else None
    return ExpectedTerrain("", kind, outline, draw(st.floats(0.0, 3.0)), hill_top, 0.5, draw(st.floats(0.0, 1.0)))


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    """Bases of units and of nobody, round and not, with facings known and not; terrain read off the photo."""
    n = draw(st.integers(0, 6))
    labels, rounds, uniques = [], [], set()
    for k in range(n):
        unit = draw(st.sampled_from([None, *KINDS]))
        side, kind = KINDS[unit] if unit else (draw(st.sampled_from([None, "blue", "red"])), None)
        unique = draw(st.sampled_from([None, False] if unit in uniques else [None, False, True]))
        uniques |= {unit} if unique and unit else set()
        labels.append(
            BaseLabel(
                f"b{k}",
                unit,
                draw(st.sampled_from([None, 11])),
                side,
                kind,
                unique,
                draw(st.floats(0.0, 2.0)),
                draw(st.floats(0.0, 1.0)),
                "outline",
                facing_known=draw(st.booleans()),
                alike=draw(st.sampled_from([None, 1])),
            )
        )
        rounds.append(draw(st.booleans()))
    width = np.array([draw(st.floats(0.1, 4.0)) for _ in range(n)])
    depth = np.where(rounds, width, [draw(st.floats(0.1, 4.0)) for _ in range(n)])
    bases = Bases(
        center=np.array([(draw(inches), draw(inches)) for _ in range(n)]).reshape(-1, 2),
        facing=np.array([draw(st.floats(-720.0, 720.0)) for _ in range(n)]),
        width=width,
        depth=depth,
        is_round=np.array(rounds, dtype=bool),
        covariance=np.array([draw(covariances()) for _ in range(n)]).reshape(-1, 2, 2),
        facing_sigma=np.array([draw(st.floats(0.0, 90.0)) for _ in range(n)]),
    )
    pieces = draw(st.lists(terrains(), max_size=3))
    named = tuple(
        ExpectedTerrain(f"t{k}", p.kind, p.polygon, p.height, p.hill_top, p.confidence, p.sigma_in)
        for k, p in enumerate(pieces)
    )
    return Observation((draw(st.floats(12.0, 96.0)), 36.0), (), bases, tuple(labels), terrain=named)


@pytest.mark.slow
@settings(deadline=None)
@given(observations(), st.sampled_from([TABLE, WITHOUT_RULES]))
def test_the_scene_is_the_one_that_json_gives(seen: Observation, table: TableFile) -> None:
    try:
        expected = through_json(seen, table)
    except SceneError as error:
        with pytest.raises(SceneError) as refused:
            scene_of(seen, table)
        assert str(refused.value) == str(error)
    else:
        assert_same(scene_of(seen, table), expected)


def label(name: str, side: str = "blue", kind: str | None = "tank", unique: bool | None = None) -> BaseLabel:
    return BaseLabel(name, "A1", None, side, kind, unique, 0.0, 0.9, "outline")


def pair(first: BaseLabel, second: BaseLabel, *terrain: ExpectedTerrain, sigma: float = 0.0) -> Observation:
    """Two bases beside each other."""
    bases = Bases.of([[5.0, 5.0], [8.0, 5.0]], 0.0, 2.0, 1.0, sigma=sigma)
    return Observation((36.0, 36.0), (), bases, (first, second), terrain=terrain)


CROSSED = ((0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0))
SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (pair(label("b1"), label("b1")), 'Base "b1" stands twice'),
        (pair(label("b1", unique=True), label("b2", unique=True)), "2 unique bases"),
        (pair(label("b1"), label("b2", side="red")), "different sides: blue, red"),
        (pair(label("b1", kind=None), label("b2", kind=None)), "no base whose kind is known"),
        (pair(label("b1"), label("b2"), sigma=float("nan")), "covariance row 1 must be a finite number"),
        (pair(label("b1"), label("b2"), ExpectedTerrain("t1", "woods", CROSSED)), "crosses or touches itself"),
        (pair(label("b1"), label("b2"), ExpectedTerrain("t1", "sea", SQUARE)), "unknown kind"),
        (pair(label("b1"), label("b2"), *[ExpectedTerrain("t1", "woods", SQUARE)] * 2), 'Terrain "t1" stands twice'),
        (pair(label("b1"), label("b2"), ExpectedTerrain("t1", "woods", SQUARE, hill_top=SQUARE)), "only a hill"),
    ],
)
def test_what_no_scene_can_hold_is_refused_in_the_same_words(seen: Observation, why: str) -> None:
    with pytest.raises(SceneError, match=why) as direct:
        scene_of(seen, TABLE)
    with pytest.raises(SceneError) as read:
        through_json(seen, TABLE)
    assert str(direct.value) == str(read.value)
