"""The board through which ``tabletop overlay`` reads a table, and its placement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tabletop.errors import SceneError, UsageError
from tabletop.game.parts import Parts, part, parts_of, with_part

if TYPE_CHECKING:
    from calibration import TableView
    from calibration.corners import TableCorners
    from geometry.squares import SquareBoard
    from tabletop.cli.overlay_source import ShownTable
    from tabletop.grids.board_reader import BoardReader
    from tabletop.grids.cells import Cells, Layout
    from tabletop.grids.placement import BoardPlacement, CellTap
    from tabletop.tables.model import TableFile
    from vision.imaging.photo import Photo

_SIZE = re.compile(r"\s*(\d{1,2})\s*[xX*]\s*(\d{1,3})\s*")


def _parts(roster: TableFile) -> Parts | None:
    """The parts of the rules that a table file names."""
    return None if roster.rules is None else parts_of(roster.rules)


def plays_on_squares(roster: TableFile, board: str | None) -> bool:
    """Whether a table is read in squares: by its overlay, its rules or the player's option."""
    if roster.overlay is not None:
        return roster.overlay.grid == "square"
    parts = _parts(roster)
    return board is not None or (parts is not None and parts.grid == "square")


def reader_for(roster: TableFile, board: str | None) -> BoardReader:
    """The board through which a table is read: squares, as many as the player gives ("8x8", columns first) or its rules
    have, else the hexes of its rules, or of the first rules with hexes. Raises UsageError."""
    if plays_on_squares(roster, board):
        from tabletop.grids.squares.reader import SquareReader

        parts = _parts(roster)
        return SquareReader(_board_of(roster, board), parts is not None and parts.chequered, roster.rules)
    readers = with_part("overlay")
    rules = roster.rules if roster.rules is not None and roster.rules in readers else next(iter(readers))
    found: BoardReader = part(rules, "overlay")
    return found


def _board_of(roster: TableFile, wished: str | None) -> SquareBoard:
    from geometry.squares import SquareBoard

    if wished is None:
        parts = _parts(roster)
        if parts is None or parts.usual_board is None:
            raise UsageError(f"{roster.name} does not say how many squares its board has: add --board, such as 8x8.")
        return SquareBoard(*parts.usual_board)
    match = _SIZE.fullmatch(wished)
    try:
        if match is None:
            raise ValueError("write columns and rows, as in --board 8x8.")
        return SquareBoard(int(match[1]), int(match[2]))
    except ValueError as error:
        raise UsageError(f"--board {wished}: {error}") from error


# --- placement -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LayingOptions:
    """The player's options for placing the board: ``taps`` as typed and as read, ``fit`` it to hex-shaped terrain,
    ``find`` its lines."""

    taps: tuple[tuple[str, CellTap], ...] = ()
    fit: bool = False
    find: bool = False


def options_of(taps: Sequence[str], fit: bool, find: bool, cells: Cells) -> LayingOptions:
    """The options as typed; raises UsageError if two of them lay the grid, or a tap can't be read."""
    from tabletop.grids.placement import parse_tap, tap_option

    if taps and (fit or find):
        other = "--fit" if fit else "--find"
        raise UsageError(f"{tap_option(cells)} and {other} both lay the grid: give one of the two.")
    return LayingOptions(tuple((text, parse_tap(text, cells)) for whole in taps for text in _apart(whole)), fit, find)


def _apart(text: str) -> list[str]:
    """Several taps that were written into one option.

    >>> _apart("1-1@3.5,2 9-7@30,31")
    ['1-1@3.5,2', '9-7@30,31']
    """
    words = text.split()
    return words if len(words) > 1 and all("@" in word for word in words) else [text]


def placement_on(
    shown: ShownTable, roster: TableFile, reader: BoardReader, options: LayingOptions, earlier: BoardPlacement | None
) -> BoardPlacement:
    """The board's placement: by the player's options, else as before, else by the table file, else (squares) by its
    lines in the photo. Raises UsageError, and GridError if no board is found."""
    from tabletop.grids.placement import from_overlay

    if options.taps:
        return replace(_placement_from_taps(shown, reader.cells, options), chequered=reader.chequered)
    if options.fit:
        return _fit_to_terrain(shown, roster, reader.cells)
    if options.find:
        return _find_lines(shown, roster, reader.cells)
    if earlier is not None:
        return earlier
    if roster.overlay is not None:
        return replace(from_overlay(roster.overlay, reader.cells), chequered=reader.chequered)
    if reader.cells.grid == "hex":
        raise _nobody_laid_hexes(roster, reader.cells)
    return _find_lines(shown, roster, reader.cells)


def _placement_from_taps(shown: ShownTable, cells: Cells, options: LayingOptions) -> BoardPlacement:
    import numpy as np

    from tabletop.grids.placement import from_taps, tap_option

    places: list[tuple[float, float]] = []
    spreads: list[Any] = []
    for text, tap in options.taps:
        if not tap.in_pixels:
            places.append(tap.place)
            spreads.append(np.zeros((2, 2)))
            continue
        view: TableView = shown.needed_view()
        at, spread = view.table_from_pixel([tap.place], 0.0)
        if not np.isfinite(at).all():
            raise UsageError(f'{tap_option(cells)} "{text}": the table is not seen there; tap a place on it.')
        places.append((float(at[0, 0]), float(at[0, 1])))
        spreads.append(spread[0])
    return from_taps(cells, [tap.cell for _, tap in options.taps], places, np.array(spreads))


def _fit_to_terrain(shown: ShownTable, roster: TableFile, cells: Cells) -> BoardPlacement:
    from tabletop.grids.hexes.fit import fitted_to
    from tabletop.grids.table_terrain import terrain_pieces
    from tabletop.identity.table_snapshot import sighting_from_json

    sighting_from_json(shown.data)
    return fitted_to(terrain_pieces(shown.data.get("terrain") or ()), cells, (roster.width_in, roster.depth_in))


def _find_lines(shown: ShownTable, roster: TableFile, cells: Cells) -> BoardPlacement:
    """A board by its lines in the photo."""
    from geometry.hex_rows import HexRows
    from tabletop.grids.placement import BY_LINES, BoardPlacement

    if shown.photo is None or shown.view is None:
        is_hex = cells.grid == "hex"
        taps = "--tap-hex 1-1@8.4,6.9 --tap-hex 9-7@27.6,29.1" if is_hex else "--tap a1@5,5 --tap h8@19,19"
        raise UsageError(
            f"{roster.name} does not say where the board lies, and only a photo shows its lines: give the photo, tap "
            f'two {cells.words} ({taps}), or add an [overlay] with grid = "{cells.grid}".'
        )
    from vision.grids.detection import find_grid
    from vision.grids.hex_grid import find_hex_grid

    table = roster.width_in, roster.depth_in
    if isinstance(cells.rows, HexRows):
        hexes = find_hex_grid(shown.photo.image, shown.view, table, cells.rows)
        return BoardPlacement(cells, hexes.layout, hexes.covariance, BY_LINES, hexes.residual_in)
    found = find_grid(shown.photo.image, shown.view, table, cells.rows)
    is_chessboard = found.kind == "chessboard"
    return BoardPlacement(cells, found.layout, found.covariance, BY_LINES, found.residual_in, is_chessboard)


@dataclass(frozen=True)
class BoardOnTable:
    """A board at a place on the table (width, depth; inches) given by the player, used to place a photo of a table
    without frame markers."""

    cells: Cells
    layout: Layout
    table: tuple[float, float]

    def find_in(self, photo: Photo) -> tuple[TableCorners, BoardPlacement]:
        """The table's corners by the lines of the board in a photo, and the board's place; raises GridError."""
        import numpy as np

        from tabletop.grids.placement import BY_LINES, BoardPlacement
        from vision.grids.board_plane import find_board

        found = find_board(photo.image, self.cells.rows)
        size, grid = self.layout.size_in, found.grid
        units = np.diag([size, size, size, 1.0])
        placement = BoardPlacement(
            self.cells,
            self.layout,
            units @ grid.covariance @ units,
            BY_LINES,
            size * grid.residual_in,
            grid.kind == "chessboard",
        )
        return found.table_corners(self.table, self.layout), placement


def board_that_places(
    roster: TableFile, reader: BoardReader, options: LayingOptions, earlier: BoardPlacement | None
) -> BoardOnTable | None:
    """The board with lines that place a photo of a table without frame markers, if nothing else lays the board. It is
    placed by the table file's [overlay], else in the middle, as large as fits."""
    from tabletop.grids.placement import centre_board, from_overlay

    cells, size = reader.cells, (roster.width_in, roster.depth_in)
    laid = options.taps or earlier is not None or roster.overlay is not None
    if roster.frame is not None or options.fit or (laid and not options.find):
        return None
    if cells.grid == "hex" and not options.find:
        return None
    if roster.overlay is not None:
        layout = from_overlay(roster.overlay, cells).layout
    else:
        layout = centre_board(cells, size, cells.largest_size_in(size)).layout
    return BoardOnTable(cells, layout, size)


def field_corners(shown: ShownTable, placement: BoardPlacement) -> dict[str, Any]:
    """The corners of the rectangle round a board in the upright photo, ready for JSON; empty without a known camera."""
    import numpy as np

    try:
        view = shown.needed_view()
    except SceneError:
        return {}
    pixels = view.pixel_from_table(np.hstack([placement.frame, np.zeros((4, 1))]))
    return {"field_corners_px": [[round(float(x), 2), round(float(y), 2)] for x, y in pixels]}


def _nobody_laid_hexes(roster: TableFile, cells: Cells) -> UsageError:
    from tabletop.grids.placement import centre_board

    size = roster.width_in, roster.depth_in
    middle = centre_board(cells, size, round(cells.largest_size_in(size) - 0.05, 1)).layout
    return UsageError(
        f'{roster.name} has no [overlay]: add one (grid = "hex", size = {middle.size_in:g}, origin = '
        f"[{middle.origin[0]:.2f}, {middle.origin[1]:.2f}] is the middle), tap two hexes (--tap-hex), "
        "--find their lines or --fit the board to hex-shaped terrain."
    )


def where_it_lies(placement: BoardPlacement) -> str:
    """A board's placement and its uncertainty, in a sentence."""
    cells, layout = placement.cells, placement.layout
    is_hex = cells.grid == "hex"
    first = f"hex {cells.names[0]}" if is_hex else cells.names[0]
    x, y = layout.origin
    sure = "" if placement.is_exact else f", its {cells.words} known to {placement.sigma_in:.2f}″ (one sigma)"
    fitted = ""
    if placement.residual_in is not None:
        fitted = f", {placement.residual_in:.{2 if is_hex else 3}f}″ off its fitted points"
    return (
        f"The board by {placement.source}: {cells.size_words} of {layout.size_in:.2f}″, {first} at ({x:.2f}, {y:.2f}), "
        f"turned {layout.rotation_deg:.1f} degrees{sure}{fitted}."
    )
