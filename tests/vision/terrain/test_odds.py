"""The chance of a piece of terrain: what its figures tell, the rows of chances, and the file that comes with them."""

from dataclasses import replace

import numpy as np
import pytest

from vision.imaging.rectify import MapScale
from vision.model.expected import ExpectedTerrain
from vision.terrain.odds import NOTHING, PieceOdds, Tree, piece_odds, with_chances
from vision.terrain.piece_figures import FIGURES, PieceFigures, figures_of
from vision.terrain.pieces import KINDS, GroundMaps

SCALE = MapScale(20.0, 20.0, px_per_inch=8.0)
SQUARE = ((6.0, 6.0), (12.0, 6.0), (12.0, 12.0), (6.0, 12.0))
WOOD = ExpectedTerrain("t1", "woods", SQUARE, confidence=0.9)
INSIDE = (slice(64, 112), slice(48, 96))  # rows and columns of that square
MAT = (70, 130, 90)


def maps(patch: tuple[int, int, int], sharpness: float = 0.95, looks: float | None = None) -> GroundMaps:
    """A mat with a patch of a colour (BGR), where the net sees woods, and how much its other looks do."""
    picture = np.full((160, 160, 3), MAT, np.uint8)
    picture[INSIDE] = patch
    picture = np.clip(picture + np.random.default_rng(1).integers(-4, 5, picture.shape), 0, 255).astype(np.uint8)
    share = np.zeros((len(KINDS) + 1, 160, 160), np.float32)
    share[0][INSIDE] = sharpness
    other = np.zeros_like(share)
    other[0][INSIDE] = sharpness if looks is None else looks
    return GroundMaps(share, SCALE, np.zeros((160, 160), bool), None, picture, other[None])


def figure(name: str, told: GroundMaps) -> float:
    return float(figures_of([WOOD], told).values[0, FIGURES.index(name)])


def test_a_hard_shadow_has_an_edge_of_light_and_none_of_colour() -> None:
    shadow, paint = maps((30, 60, 40)), maps((60, 70, 150))
    assert figure("edge of light", shadow) > 0.8 and figure("coloured edge share", shadow) < 0.2
    assert figure("coloured edge share", paint) > 0.9
    assert figure("shadow", shadow) > 0.3 > 0.05 > figure("shadow", paint)


def test_what_looks_steady_is_likelier_and_chances_add_up() -> None:
    (steady,) = with_chances([WOOD], maps((60, 70, 150)))
    (swaying,) = with_chances([WOOD], maps((60, 70, 150), looks=0.05))
    assert swaying.confidence < steady.confidence <= 0.995
    assert steady.evidence is not None
    chances = dict(steady.evidence.chances)
    assert sum(chances.values()) == pytest.approx(1.0, abs=0.03) and chances["woods"] == steady.confidence
    assert NOTHING in chances


def test_kinds_that_nobody_asks_for_are_not_weighed_but_not_certain_either() -> None:
    told, hill = maps((60, 70, 150)), replace(WOOD, id="t2", kind="hill", confidence=1.0)
    (wood, sure), every = with_chances([WOOD, hill], told, kinds=("woods",)), with_chances([WOOD, hill], told)
    assert wood == every[0] and wood.evidence is not None
    assert sure == replace(hill, confidence=0.995) and every[1].evidence is not None


def test_without_a_picture_pieces_stay_as_they_are() -> None:
    plain = replace(maps((60, 70, 150)), picture=None)
    assert with_chances([WOOD], plain) == (WOOD,)
    with pytest.raises(ValueError, match="have none"):
        figures_of([WOOD], plain)


def test_a_piece_at_the_tables_corner_and_one_smaller_than_a_pixel_have_figures() -> None:
    tiny = replace(WOOD, polygon=((3.0, 3.0), (3.05, 3.0), (3.05, 3.05)))
    corner = replace(WOOD, polygon=((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)))
    told = figures_of([tiny, corner], maps((60, 70, 150)), covered=np.ones((160, 160), bool))
    assert told.values.shape == (2, len(FIGURES)) and np.isfinite(told.values).all()


def test_trees_ask_until_a_leaf() -> None:
    tree = Tree((0, -1, 1, -1, -1), (0.5, 0.0, 2.0, 0.0, 0.0), (1, 0, 3, 0, 0), (2, 0, 4, 0, 0), (0, -1.0, 0, 1.0, 2.0))
    assert tree.values(np.array([[0.5, 9.0], [0.6, 2.0], [0.6, 2.1]])).tolist() == [-1.0, 1.0, 2.0]


def test_the_odds_that_come_with_the_product_are_for_these_figures() -> None:
    odds = piece_odds()
    told = PieceFigures(KINDS, np.zeros((len(KINDS), len(FIGURES))), np.zeros((len(KINDS), len(KINDS))))
    assert all(sum(chances.values()) == pytest.approx(1.0) for chances in odds.chances(told))
    with pytest.raises(ValueError, match="other figures"):
        PieceOdds.from_json({"figures": ["share"], "kinds": list(KINDS)})
