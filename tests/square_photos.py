"""Drawn photographs of boards of squares, for games on them: the photo, its table file and what is true of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from api.house import House, table_of
from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard
from tabletop.scenarios import find
from vision.drawn.boards import BoardKind, random_board
from vision.drawn.tables import draw_views
from vision.drawn.wishes import Wish

CHESS = "ww2-combined-arms"


@dataclass(frozen=True)
class BoardPhoto:
    """A photo (JPEG), the table file of its table, and where its board lies."""

    data: bytes
    table: str
    layout: SquareLayout


@cache
def board_photo(
    seed: int = 301, kind: BoardKind = "chessboard", columns: int = 8, rows: int = 8, megapixels: float = 2.0
) -> BoardPhoto:
    """A drawn photograph of a board with a few units on it."""
    plan, truth = random_board(seed, kind, SquareBoard(columns, rows), units=4)
    [photo] = draw_views(seed, 1, Wish(megapixels=megapixels), plan=plan)
    return BoardPhoto(photo.data, photo.table.replace('"one-hour-ww2"', f'"{CHESS}"'), truth.layout)


def chess_game(house: House, photo: BoardPhoto, game: str = "chess") -> str:
    """A game of WWII Combined Arms that has begun, on the table of a photo."""
    scenario = find("chessboard", CHESS)
    house.kept.start(scenario.rules, scenario.setup, game=game, title=scenario.title)
    house.tables.create(photo.table, f"{game}.table.toml", game=table_of(game))
    return game
