"""The grid of a board game, placed on its table: checked against the table, stored as an event of it."""

from __future__ import annotations

import json
from typing import Any

from api.auth.access import Seat
from api.engine import FoundSquares
from api.errors import ConflictError, NotThereError, UnusableError
from api.schemas.starting import FoundOverlayOut, GridCellOut, GridWayOut, OverlayOut, OverlayWish
from api.services.heavy_work import need
from api.services.services import Services
from api.services.table_photos import sees_photo
from api.tables.rows import OverlayRow
from api.tables.shape import rim_color
from api.tables.state import TableState, terrain_rows
from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard
from tabletop.boards import Board
from tabletop.boards import board_of as drawn
from tabletop.errors import TabletopError
from tabletop.grids.cells import Cells, Layout, cells_of
from tabletop.grids.placement import state_laid_at
from tabletop.grids.squares.orientations import nearest, orientations
from tabletop.tables.model import Overlay, TableFile
from tabletop.tables.table_for_game import table_file_for
from tabletop.tables.tablefile import MAX_TABLE_IN, parse_table

LEAST_SIZE_IN = 0.25
PLAIN_SEEN, PLAIN_SIGMA_IN = 0.75, 0.1
"""A found board is returned with a doubt if fewer of its sides were seen, or if its place is less exact."""


def board_of(services: Services, game: str, state: Any, viewer: str | None) -> Board:
    """The board of a state of a game as a viewer may see it, drawn at its grid's place on the game's table."""
    return board_on(services.entry(game).rules, table_file(services, game), state, viewer)


def board_on(rules: str, table: TableFile | None, state: Any, viewer: str | None) -> Board:
    """The board of a state as a viewer may see it, drawn at its grid's place on that table."""
    if table is None:
        return drawn(rules, state, viewer)
    rims = {side.id: rim_color(side.rim) for side in table.sides if side.rim is not None}
    layout = layout_of(cells_of(rules, state), table.overlay)
    return drawn(rules, state, viewer, table=(table.width_in, table.depth_in), rims=rims, layout=layout)


def laid_on_table(services: Services, game: str, state: Any) -> tuple[Any, tuple[float, float] | None]:
    """A state of a game placed on its table, for measuring there, and the table's size; ``None`` without one."""
    return laid_on(services.entry(game).rules, table_file(services, game), state)


def laid_on(rules: str, table: TableFile | None, state: Any) -> tuple[Any, tuple[float, float] | None]:
    """The same with a table file."""
    if table is None:
        return state, None
    size = (table.width_in, table.depth_in)
    layout = layout_of(cells_of(rules, state), table.overlay)
    if layout is None:
        return state, size
    return state_laid_at(state, layout), size


def table_file(services: Services, game: str) -> TableFile | None:
    """A game's table; ``None`` where none can be made for it: the game can still be played."""
    try:
        return services.table(game).table
    except TabletopError:
        return None


def layout_of(cells: Cells | None, overlay: Overlay | None) -> Layout | None:
    """A table file's layout of a board; ``None`` where it has none, or a grid other than the board's."""
    if cells is None or overlay is None or overlay.grid != cells.grid:
        return None
    return cells.layout(overlay.size_in, overlay.origin, overlay.rotation_deg)


def placed_overlay(services: Services, game: str) -> OverlayOut | None:
    """The grid on a game's table, or ``None``; raises NoGameError."""
    cells = _need_cells(services, game)
    state = services.table(game)
    layout = layout_of(cells, state.table.overlay)
    return None if layout is None else _overlay_out(state, cells, layout, None)


def lay(services: Services, game: str, wish: OverlayWish) -> OverlayOut:
    """Place the requested grid, or preview it; raises UnusableError, UsageError, ConflictError."""
    cells = _need_cells(services, game)
    state = services.table(game, lay=not wish.preview)
    layout, fit = _layout_of_wish(cells, wish)
    if not LEAST_SIZE_IN <= layout.size_in <= MAX_TABLE_IN:
        raise UnusableError(
            f"These two taps make {cells.words} of {layout.size_in:.2f}″; they are {LEAST_SIZE_IN:g}″ to "
            f"{MAX_TABLE_IN:g}″: tap the centres of two {cells.words} far apart."
        )
    source = "this overlay" if wish.taps is None else "these taps"
    cells.check_fits(layout, (state.table.width_in, state.table.depth_in), source)
    if not wish.preview:
        state = services.tables.lay_grid(state.game, _event(services, game, state, cells, layout))
    return _overlay_out(state, cells, layout, fit)


def find_overlay(services: Services, seat: Seat) -> FoundOverlayOut:
    """The grid of a board of squares in the last photo of the table of a seat's game; nothing is stored.

    Raises NoGameError, ConflictError for a board without squares, NotThereError without a photo that the seat may see,
    UsageError where it shows no such board; as :func:`need` in a heavy route.
    """
    game = seat.game
    cells = _need_cells(services, game)
    board = cells.rows
    if not isinstance(board, SquareBoard):
        raise ConflictError("Hex boards can't be found by their lines: lay the grid by two taps.")
    state = services.table(game)
    if state.photo is None or not sees_photo(services, seat):
        raise NotThereError("This table has no photo yet: take one first, or lay the grid by hand.")
    seen = _looked_for(services, state, board)
    ground = SquareLayout(seen.size_in, seen.origin, seen.rotation_deg)
    ways = orientations(ground, board, across=seen.across)
    lying = layout_of(cells, state.table.overlay)
    way = ways[0] if lying is None else nearest(ways, lying.rotation_deg)
    cells.check_fits(way.layout, (state.table.width_in, state.table.depth_in), "this photo")
    told = _overlay_out(state, cells, way.layout, None)
    return FoundOverlayOut(
        **{**vars(told), "says": _found_words(seen, board)},
        kind="chessboard" if seen.kind == "chessboard" else "lines",
        ways=[
            GridWayOut(corner=one.corner, origin=one.layout.origin, rotation_deg=one.layout.rotation_deg)
            for one in ways
        ],
        way=ways.index(way),
        sigma_in=seen.sigma_in,
        seen=seen.seen,
        doubt=_doubt(seen),
    )


def _looked_for(services: Services, state: TableState, board: SquareBoard) -> FoundSquares:
    """The board in the table's last photo; searched once for each photo and table."""
    found = services.tables.upright_seen(state)
    if state.photo is None or found is None:
        raise UnusableError(
            "The table's place in this photo is no longer known: photograph it again, or lay the grid by two taps."
        )
    view, jpeg = found
    table = state.table.width_in, state.table.depth_in
    size = board.columns, board.rows
    key = ("squares", state.game, state.photo["sha256"], str(view), table, size)
    told = json.loads(need(services.work, key, services.engine.looks.find_squares, jpeg, view, table, size))
    return FoundSquares(**{**told, "origin": tuple(told["origin"])})


def _found_words(seen: FoundSquares, board: SquareBoard) -> str:
    what = "a chessboard" if seen.kind == "chessboard" else "the lines of a board"
    return (
        f"Found: {what} of {board.columns} x {board.rows} squares of {seen.size_in:.2f} inches, each known to within "
        f"{max(2 * seen.sigma_in, 0.01):.2f} inches."
    )


def _doubt(seen: FoundSquares) -> str:
    """What to check before a found board is placed."""
    if seen.seen < PLAIN_SEEN:
        return f"Only {seen.seen:.0%} of its lines were seen: check that the drawn ones match."
    if seen.sigma_in > PLAIN_SIGMA_IN:
        return "Its place is not known well: check that the drawn lines match the board's."
    return ""


def _need_cells(services: Services, game: str) -> Cells:
    rules = services.entry(game).rules
    cells = cells_of(rules, services.commands.game(game).state)
    if cells is None:
        raise ConflictError(f"{rules} is played in inches, without hexes or squares: there is no grid to lay.")
    return cells


def _layout_of_wish(cells: Cells, wish: OverlayWish) -> tuple[Layout, float | None]:
    if wish.taps is None:
        if wish.size_in is None or wish.origin is None:
            raise UnusableError(
                f"The grid needs its size and the centre of {cells.word} {cells.names[0]}, or two {cells.words} that "
                "were tapped."
            )
        return cells.layout(wish.size_in, wish.origin, wish.rotation_deg), None
    if wish.origin is not None or wish.rotation_deg:
        raise UnusableError("Two taps already place the grid: leave its origin and its turn out.")
    try:
        return cells.from_two([tap.cell for tap in wish.taps], [tap.at for tap in wish.taps], wish.size_in)
    except ValueError as error:
        raise UnusableError(str(error)) from error


def _event(services: Services, game: str, state: TableState, cells: Cells, layout: Layout) -> OverlayRow:
    """The event: the grid and, where the table's terrain is the game's own board, that board's new place."""
    x, y = layout.origin
    kept = cells.layout(round(layout.size_in, 5), (round(x, 5), round(y, 5)), round(layout.rotation_deg, 4))
    body: OverlayRow = {
        "grid": cells.grid,
        "size": kept.size_in,
        "origin": list(kept.origin),
        "rotation": kept.rotation_deg,
    }
    rules, playing = services.entry(game).rules, services.commands.game(game).state
    size = (state.table.width_in, state.table.depth_in)
    moved = state_laid_at(playing, kept)
    made = parse_table(table_file_for(rules, moved, size_in=size))
    own = {piece.id for piece in made.terrain}
    if any(piece.id not in own for piece in state.table.terrain):
        return body
    return {**body, "terrain": terrain_rows(made)}


def _overlay_out(state: TableState, cells: Cells, layout: Layout, fit_in: float | None) -> OverlayOut:
    size = (state.table.width_in, state.table.depth_in)
    centres, corners = cells.centres(layout).round(4).tolist(), cells.corners(layout).round(4).tolist()
    turned = f"turned by {layout.rotation_deg:.1f} degrees" if abs(layout.rotation_deg) >= 0.05 else "not turned"
    x, y = layout.origin
    return OverlayOut(
        grid=cells.grid,
        size_in=layout.size_in,
        origin=layout.origin,
        rotation_deg=layout.rotation_deg,
        fit_in=fit_in,
        largest_in=cells.largest_size_in(size),
        cells=[
            GridCellOut(id=name, center=tuple(center), outline=[tuple(point) for point in ring])
            for name, center, ring in zip(cells.names, centres, corners, strict=True)
        ],
        says=f"{cells.words.capitalize()} of {layout.size_in:.2f} inches, {cells.word} {cells.names[0]} at "
        f"({x:.1f}, {y:.1f}), {turned}.",
    )
