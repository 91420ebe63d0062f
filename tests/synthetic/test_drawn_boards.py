"""Drawn tables with boards of squares: squares and units lie where the truth says, board or no board."""

from functools import cache

import numpy as np
import shapely

from geometry.squares import SquareBoard
from synthetic.boards import BoardTruth, random_board
from synthetic.planned import TablePlan
from synthetic.tables import DrawnPhoto, draw_views
from synthetic.wishes import Wish

CHESS = SquareBoard(8, 8)
WISH = Wish(megapixels=0.6, elevation_deg=70, shadow=False, hand=False, blur_px=0.3, shake_px=0, noise=0.002)


@cache
def chess() -> tuple[TablePlan, BoardTruth, DrawnPhoto]:
    plan, truth = random_board(12, "chessboard", CHESS, tags=True, units=5)
    return plan, truth, draw_views(12, 1, WISH, plan=plan)[0]


def test_squares_are_dark_and_light_where_the_true_camera_puts_them() -> None:
    _, truth, photo = chess()
    taken = set(truth.units.values())
    free = [s for s in CHESS.squares if CHESS.name(s) not in taken]
    at = np.column_stack([truth.layout.centres(free), np.zeros(len(free))])
    columns, rows = np.rint(photo.view.pixel_from_table(at)).astype(int).T
    light = photo.image[rows, columns].astype(float).mean(axis=1)
    dark = np.array([(s.col + s.row) % 2 == 0 for s in free])
    assert np.median(light[~dark]) - np.median(light[dark]) > 20
    assert (light[~dark] > np.median(light[dark])).mean() > 0.9


def test_units_stand_in_their_squares() -> None:
    plan, truth, photo = chess()
    told = {unit["id"]: unit["bases"][0]["centre"] for unit in photo.truth["units"]}
    assert told.keys() == truth.units.keys()
    there = truth.layout.square_at(list(told.values()))
    assert [CHESS.name(one) for one in there] == [truth.units[name] for name in told]
    bases = [shapely.box(b.x - b.width / 2, b.y - b.depth / 2, b.x + b.width / 2, b.y + b.depth / 2)
             for unit in plan.units for b in unit.bases]  # fmt: skip
    assert all(not a.intersects(b) for n, a in enumerate(bases) for b in bases[:n])
