"""A board of squares in plain letters, at most 80 columns wide: the far edge on top, letters below, numbers beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from geometry.squares import LETTERS, Square, SquareBoard
from tabletop.grids.squares.kinds import OPEN, kind_of

WIDTH = 80
_WIDEST = 7  # letters of a square, with the gap behind it


def diagram(board: SquareBoard, contents: Mapping[Square, str], ground: Mapping[Square, str]) -> str:
    """The board in letters: of every square the letter of its ground and behind it what stands there.

    ``ground`` are kinds (:data:`tabletop.grids.squares.kinds.KINDS`; squares left out are open), ``contents`` short
    words. Where words do not fit beside the ground they get a line below it; longer ones than a square is wide end in
    "+".

    >>> print(diagram(SquareBoard(3, 2), {Square(1, 0): "T1"}, {Square(2, 1): "woods"}))
    2  .      .      w
    1  .      .T1    .
       a      b      c
    """
    gutter = len(str(board.rows)) + 2
    wide = min(_WIDEST, (WIDTH - gutter) // board.columns)
    longest = max((len(text) for text in contents.values()), default=0)
    one_line = longest <= wide - 2
    lines = []
    for row in range(board.rows - 1, -1, -1):
        squares = [Square(col, row) for col in range(board.columns)]
        kinds = [kind_of(ground.get(square, OPEN)).letter for square in squares]
        told = [_cut(contents.get(square, ""), wide) for square in squares]
        number = f"{row + 1:>{gutter - 2}}  "
        if one_line:
            pairs = zip(kinds, told, strict=True)
            lines.append(number + "".join(f"{kind}{text}".ljust(wide) for kind, text in pairs))
            continue
        lines.append(number + "".join(kind.ljust(wide) for kind in kinds))
        if any(told):
            lines.append(" " * gutter + "".join(text.ljust(wide) for text in told))
    lines.append(" " * gutter + "".join(LETTERS[col].ljust(wide) for col in range(board.columns)))
    return "\n".join(line.rstrip() for line in lines)


def _cut(text: str, wide: int) -> str:
    return text if len(text) <= wide else f"{text[: wide - 1]}+"


def key(kinds: Iterable[str]) -> str:
    """The meanings of these kinds' letters, in a line.

    >>> key(["open", "woods"])
    '. open ground  w woods'
    """
    return "  ".join(f"{kind_of(kind).letter} {kind_of(kind).words}" for kind in dict.fromkeys(kinds))
