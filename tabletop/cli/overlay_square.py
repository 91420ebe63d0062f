"""``tabletop overlay`` on a board of squares: laid by the table file, by taps or by its lines, read, and drawn."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabletop.errors import UsageError
from tabletop.rulesets.parts import Parts, parts_of

if TYPE_CHECKING:
    from calibration import TableView
    from geometry.squares import SquareBoard
    from tabletop.squared.laid import LaidSquares
    from tabletop.squared.reading import Settled, SquaresReading
    from tabletop.tablefile import TableFile
    from vision.hex_drawing import HexDrawing
    from vision.photo import Photo

_SIZE = re.compile(r"\s*(\d{1,2})\s*[xX*]\s*(\d{1,3})\s*")


def _parts(roster: TableFile) -> Parts | None:
    """The parts of the rules that a table file names."""
    return None if roster.rules is None else parts_of(roster.rules)


def plays_on_squares(roster: TableFile, board: str | None) -> bool:
    """Whether a table is read in squares: its overlay, its rules or the player says so."""
    if roster.overlay is not None:
        return roster.overlay.grid == "square"
    parts = _parts(roster)
    return board is not None or (parts is not None and parts.grid == "square")


def board_for(roster: TableFile, said: str | None) -> SquareBoard:
    """How many squares the board has, as it is said ("8x8", columns first), else as its rules have it; raises
    UsageError."""
    from geometry.squares import SquareBoard

    if said is None:
        parts = _parts(roster)
        if parts is None or parts.usual_board is None:
            raise UsageError(f"{roster.name} does not say how many squares its board has: add --board, such as 8x8.")
        return SquareBoard(*parts.usual_board)
    match = _SIZE.fullmatch(said)
    try:
        if match is None:
            raise ValueError("write columns and rows as 8x8")
        return SquareBoard(int(match[1]), int(match[2]))
    except ValueError as error:
        raise UsageError(f"--board {said}: {error}") from error


@dataclass(frozen=True, eq=False)
class SquaresSeen:
    """What is read: an observation's mapping, and its photo with its view where there is one."""

    data: Mapping[str, Any]
    view: TableView | None = None
    photo: Photo | None = None


def laid_squares(
    seen: SquaresSeen,
    roster: TableFile,
    board: SquareBoard,
    taps: Sequence[tuple[Any, tuple[float, float], Any]],
    *,
    find: bool,
    earlier: LaidSquares | None,
) -> LaidSquares:
    """Where the board lies: by taps (square, inches, covariance), by its lines, as before, by the table file, else by
    its lines in the photo. Raises UsageError, and GridError where no board is found."""
    from dataclasses import replace

    import numpy as np

    from tabletop.squared.laid import BY_LINES, LaidSquares, from_overlay, from_taps

    parts = _parts(roster)
    chequered = parts is not None and parts.chequered
    if taps:
        squares, places, spreads = zip(*taps, strict=True)
        return replace(from_taps(squares, np.array(places), board, np.array(spreads)), chequered=chequered)
    if not find and earlier is not None:
        return earlier
    if not find and roster.overlay is not None:
        return replace(from_overlay(roster.overlay, board), chequered=chequered)
    if seen.photo is None or seen.view is None:
        raise UsageError(
            f"{roster.name} does not say where the board lies, and only a photo shows its lines: give the photo, tap "
            'two squares (--tap a1@5,5 --tap h8@19,19), or add an [overlay] with grid = "square".'
        )
    from vision.grids import find_grid

    found = find_grid(seen.photo.image, seen.view, (roster.width_in, roster.depth_in), board)
    return LaidSquares(
        found.layout, found.covariance, BY_LINES, found.residual_in, board=board, chequered=found.kind == "chessboard"
    )


def read(
    seen: SquaresSeen,
    laid: LaidSquares,
    answers: Mapping[str, str],
    earlier: LaidSquares | None,
    before: Sequence[Settled],
) -> SquaresReading:
    """The table read through the board; earlier answers on squares count no more once it lies elsewhere."""
    from dataclasses import replace

    from tabletop.squared.laid import farthest_in
    from tabletop.squared.reading import read_squares

    notes = []
    if earlier is not None and before and farthest_in(laid, earlier) > 0.25 * laid.layout.size_in:
        notes.append(f"The grid lies elsewhere now: {len(before)} earlier answers do not count.")
        before = ()
    reading = read_squares(seen.data, laid, answers, before)
    return replace(reading, notes=(*notes, *reading.notes))


def drawing_of(reading: SquaresReading, data: Mapping[str, Any]) -> HexDrawing:
    """What is drawn of a reading."""
    import numpy as np

    from vision.expected import ExpectedTerrain
    from vision.hex_drawing import HexCell, HexDrawing, Standing

    layout, board = reading.laid.layout, reading.laid.board
    corners = np.roll(layout.corners(board.squares), -1, axis=1)
    cells = tuple(
        HexCell(
            s.name, ring, s.ground.kind, s.ground.road, s.uncertain,
            "/".join(str(ground) for ground, chance in s.answers[:2] if chance > 0), "square",
        )
        for s, ring in zip(reading.squares, corners, strict=True)
    )  # fmt: skip
    standing = [Standing(s.id, s.at, s.is_open) for s in reading.standers]
    standing += [Standing("?", base.at, True) for base in reading.nameless if base.footing.hex is not None]
    terrain = tuple(
        ExpectedTerrain(
            str(raw.get("id")), str(raw["kind"]), tuple((float(x), float(y)) for x, y in raw["polygon"]),
            float(raw.get("height") or 0.0),
            tuple((float(x), float(y)) for x, y in raw["hill_top"]) if raw.get("hill_top") else None,
        )
        for raw in data.get("terrain") or ()
    )  # fmt: skip
    return HexDrawing(cells, standing=tuple(standing), terrain=terrain)


def in_words(reading: SquaresReading) -> list[str]:
    """A reading in lines: where the board lies, the board in letters, who stands where, what is open."""
    from tabletop.cli.settle import questions_in_words
    from tabletop.squared.diagram import diagram, key

    laid, board = reading.laid, reading.laid.board
    x, y = laid.layout.origin
    sure = "" if laid.is_exact else f', its squares known to {laid.sigma_in:.2f}" (one sigma)'
    fitted = "" if laid.residual_in is None else f', {laid.residual_in:.3f}" from what it was fitted to'
    ground = {square: _shown(s.ground) for square, s in zip(board.squares, reading.squares, strict=True)}
    here = {board.parse(s.square): s.id for s in reading.standers if s.square is not None}
    lines = [
        f'The board by {laid.source}: {board.columns} x {board.rows} squares of {laid.layout.size_in:.2f}", a1 at '
        f"({x:.2f}, {y:.2f}), turned {laid.layout.rotation_deg:.1f} degrees{sure}{fitted}.",
        diagram(board, here, ground),
        key(ground.values()),
    ]
    lines += [
        f"{s.id} in {s.square}{' (open)' if s.is_open else ''}." for s in reading.standers if s.square is not None
    ]
    lines += reading.notes
    if reading.uncertain:
        lines.append(f"Uncertain squares: {', '.join(reading.uncertain)}.")
    return [*lines, *questions_in_words({"questions": reading.questions})]


def _shown(ground: Any) -> str:
    """The one kind that stands for a square's ground in a diagram."""
    if ground.road and ground.river:
        return "bridge"
    if ground.kind != "open":
        return str(ground.kind)
    return "road" if ground.road else "river" if ground.river else "open"


__all__ = ["SquaresSeen", "board_for", "drawing_of", "in_words", "laid_squares", "plays_on_squares", "read"]
