"""Drawn tables with boards of squares: squares and units lie where the truth says, board or no board."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import shapely

from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard
from synthetic.boards import BoardTruth, paint_board, random_board
from synthetic.layers import Layers, Window
from synthetic.planned import PlannedBoard, TablePlan, frame_spots, square
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


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("kind", ["chessboard", "lines"])
def test_boards_leave_the_frame_markers_free(seed: int, kind: str) -> None:
    board = SquareBoard(20, 24) if seed % 2 else CHESS
    plan, truth = random_board(seed, kind, board, more=seed % 3)  # type: ignore[arg-type]
    assert plan.board is not None
    assert (plan.board.columns, plan.board.rows) == (board.columns + seed % 3, board.rows + seed % 3)
    whole = shapely.union_all(list(truth.layout.polygons(board.squares)))
    for x, y in frame_spots(plan.width, plan.depth, plan.marker_size):
        assert not whole.intersects(square(x, y, plan.marker_size))
    assert set(truth.units.values()) <= {board.name(one) for one in board.squares}


def test_lines_lie_where_the_squares_meet() -> None:
    layout = SquareLayout(1.5, (2.0, 2.0), 5.0)
    planned = PlannedBoard(
        6, 5, 1.5, layout.origin, 5.0, "lines", (0.8, 0.8, 0.8), (0.0, 0.0, 0.0), 0.08, 1.0, 0.0, True, 0.0
    )
    layers = Layers.empty(Window(0.0, 0.0, 14.0, 12.0, 24.0))
    paint_board(layers, planned, np.random.default_rng(0))
    board = SquareBoard(6, 5)
    corners = layout.corners(board.squares)
    on = np.concatenate([(corners[:, k] + corners[:, (k + 1) % 4]) / 2 for k in range(4)])
    middles = layout.centres(board.squares)

    def tone(points: np.ndarray) -> np.ndarray:
        columns, rows = np.rint(layers.window.pixels(points)).astype(int).T
        return np.asarray(layers.ground[rows, columns].mean(axis=1))

    assert tone(on).max() < 0.35
    assert tone(middles).min() > 0.5
    assert tone(np.array([[0.2, 0.2]]))[0] == pytest.approx(0.3, abs=1e-4)
