"""Drawn photographs of boards of squares, for games on them: the photo, its table file and what is true of it."""

from dataclasses import dataclass
from functools import cache

from api.services.services import Services
from api.tables.store import table_of
from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard
from synthetic.boards import BoardKind, random_board
from synthetic.tables import draw_views
from synthetic.wishes import Wish
from tabletop.starting.scenarios import find

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


def chess_game(services: Services, photo: BoardPhoto, game: str = "chess") -> str:
    """A game of WWII Combined Arms that has begun, on the table of a photo."""
    scenario = find("chessboard", CHESS)
    services.event_store.start(scenario.rules, scenario.setup, game=game, title=scenario.title)
    services.tables.create(photo.table, f"{game}.table.toml", table_of(game))
    return game
