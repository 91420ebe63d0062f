"""Hatching: the same signs, as shapes inside an outline and as a tile that repeats."""

import pytest

from geometry.drawing.hatching import hatch_area, hatch_tile
from geometry.drawing.scene import Area, Disc, Flat, Line

EM = 0.5
WIDE = 60.0
SIGNS = ("woods", "town", "marsh", "city", "mountain", "bocage", "rough", "defence-line", "unknown")


def middle(item: Flat) -> tuple[float, float]:
    points = [item.at] if isinstance(item, Disc) else list(item.points)  # type: ignore[union-attr]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


@pytest.mark.parametrize("kind", SIGNS)
def test_a_tile_has_as_many_signs_as_an_outline_of_its_size(kind: str) -> None:
    tile = hatch_tile(kind)
    assert tile is not None
    ground = Area(((0.0, 0.0), (WIDE, 0.0), (WIDE, WIDE), (0.0, WIDE)), f"terrain-{kind}")
    within = [item for item in hatch_area(ground, EM) if all(10.0 < v < WIDE - 10.0 for v in middle(item))]
    shapes = [Disc(at, tile.radius, "") for at in tile.discs]
    shapes += [Area(ring, "") for ring in tile.areas] + [Line(ring, "") for ring in tile.strokes]  # type: ignore[list-item]
    own = [item for item in shapes if 0.0 <= middle(item)[0] < tile.width]
    a_square_inch = len(own) / (tile.width * tile.height * EM**2)
    assert len(within) / (WIDE - 20.0) ** 2 == pytest.approx(a_square_inch, rel=0.03)


@pytest.mark.parametrize("kind", [*SIGNS, "crest", "hill", "river", "field", "bridge"])
def test_tiles_meet_without_a_seam(kind: str) -> None:
    tile = hatch_tile(kind)
    assert tile is not None
    rings = {tuple((round(x, 6), round(y, 6)) for x, y in ring) for ring in (*tile.areas, *tile.strokes)}
    for ring in rings:
        assert all(-1e-9 <= y <= tile.height + 1e-9 for _, y in ring)
        (left, right) = min(x for x, _ in ring), max(x for x, _ in ring)
        for crosses, turn in ((left < -1e-6 < right, 1), (left < tile.width < right - 1e-6, -1)):
            if crosses:
                assert tuple((round(x + turn * tile.width, 6), y) for x, y in ring) in rings


def test_kinds_without_a_hatching_have_no_tile() -> None:
    assert hatch_tile("road") is None and hatch_tile("lava pit") is None
