"""Calibration boards: ChArUco boards and plain chessboards, written as one line of text or as a small file.

Board frame: inches, origin at the board's centre, x along a row of squares, y down the columns, as printed.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.dictionaries import marker_dictionary
from calibration.errors import BoardError

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

MM_PER_IN = 25.4
_MOST_BYTES = 4000
LEAST_SQUARES = 3
MOST_SQUARES = 100
_UNITS_IN = {"mm": 1 / MM_PER_IN, "cm": 10 / MM_PER_IN, "in": 1.0, '"': 1.0}
_HELP = (
    "Write COLUMNSxROWS:SQUARE:MARKER:DICTIONARY, as in 7x9:1in:0.75in:DICT_5X5_100 (squares, not inner corners), "
    "COLUMNSxROWS:SQUARE for a plain chessboard, or the board file that was saved beside the printed page."
)


@dataclass(frozen=True)
class Board:
    """A board of ``columns`` x ``rows`` squares of ``square_in`` inches. With a ``dictionary`` (OpenCV's name) it is a
    ChArUco board with markers of ``marker_in`` inches in its white squares, else a plain chessboard. ``legacy`` says
    that the first square is white (OpenCV before 4.6, even row counts only); ``None`` means that the picture decides.
    """

    columns: int
    rows: int
    square_in: float
    marker_in: float = 0.0
    dictionary: str | None = None
    legacy: bool | None = None

    def __post_init__(self) -> None:
        for name in ("columns", "rows"):
            count = getattr(self, name)
            if not LEAST_SQUARES <= count <= MOST_SQUARES:
                raise BoardError(
                    f"A board has {LEAST_SQUARES} to {MOST_SQUARES} {name} of squares, not {count}. {_HELP}"
                )
        if not 0.05 <= self.square_in <= 60:
            raise BoardError(f"Squares of {self.square_in:g}″ can't be right: 0.05″ to 60″ are. {_HELP}")
        if self.dictionary is None:
            return
        if not hasattr(cv2.aruco, self.dictionary):
            raise BoardError(f"No marker dictionary is called {self.dictionary}; DICT_5X5_100 is one. {_HELP}")
        if not 0.2 * self.square_in <= self.marker_in < self.square_in:
            raise BoardError(
                f"Markers of {self.marker_in:g}″ do not fit in squares of {self.square_in:g}″: they must be smaller "
                f"than the squares, and not below a fifth of them. {_HELP}"
            )
        available, needed = len(marker_dictionary(self.dictionary).bytesList), self.columns * self.rows // 2
        if needed > available:
            raise BoardError(
                f"{self.columns}x{self.rows} squares need {needed} markers; {self.dictionary} has {available}."
            )

    @classmethod
    def parse(cls, text: str) -> Board:
        """The board of a line of text; raises BoardError.

        >>> Board.parse("8x11:24mm:0.70in:5X5_100")
        Board(columns=8, rows=11, square_in=0.9448818897637795, marker_in=0.7, dictionary='DICT_5X5_100', legacy=None)
        >>> Board.parse("8x6:30mm").inner_corners
        (7, 5)
        """
        if text.casefold() in STANDARD_BOARDS:
            return STANDARD_BOARDS[text.casefold()]
        parts = [part.strip() for part in text.split(":")]
        size = re.fullmatch(r"(\d{1,4})\s*[xX×]\s*(\d{1,4})", parts[0])
        if size is None or len(parts) not in (2, 4, 5):
            raise BoardError(f"{text!r} is no calibration board. {_HELP}")
        columns, rows, square = int(size[1]), int(size[2]), _length_in(parts[1], text)
        if len(parts) == 2:
            return cls(columns, rows, square)
        legacy = None
        if len(parts) == 5:
            if parts[4].casefold() not in ("legacy", "current"):
                raise BoardError(f"{text!r}: the last word may be legacy or current, not {parts[4]!r}.")
            legacy = parts[4].casefold() == "legacy"
        return cls(columns, rows, square, _length_in(parts[2], text), _dictionary(parts[3]), legacy)

    @classmethod
    def read(cls, text: str) -> Board:
        """The board of a line of text or of a TOML or JSON file (keys: columns, rows, square_in, marker_in,
        dictionary, legacy); raises BoardError."""
        if not text.casefold().endswith((".toml", ".json")):
            return cls.parse(text)
        path = Path(text)
        try:
            if path.stat().st_size > _MOST_BYTES:  # a long key or deep lists cost far more memory than their file has
                raise BoardError(f"{path} is no board file: those have at most {_MOST_BYTES} bytes.")
            content = path.read_text(encoding="utf-8")
            data = tomllib.loads(content) if path.suffix.casefold() == ".toml" else json.loads(content)
        except FileNotFoundError as error:
            raise BoardError(f"There is no board file {path}: check its name.") from error
        except (OSError, ValueError, RecursionError) as error:
            raise BoardError(f"The board file {path} can't be read: {error}.") from error
        return cls._from_mapping(data, str(path))

    @classmethod
    def _from_mapping(cls, data: Any, where: str) -> Board:
        kinds: dict[str, tuple[type, ...]] = {
            "columns": (int,), "rows": (int,), "square_in": (int, float), "marker_in": (int, float),
            "dictionary": (str,), "legacy": (bool,),
        }  # fmt: skip
        if not isinstance(data, dict):
            raise BoardError(f"{where} is no board file: it should have the keys {', '.join(kinds)}.")
        for key, value in data.items():
            if key not in kinds:
                raise BoardError(f"{where}: unknown key {key!r}; a board has {', '.join(kinds)}.")
            if not isinstance(value, kinds[key]) or (isinstance(value, bool) and key != "legacy"):
                raise BoardError(f"{where}: {key} = {value!r} should be {kinds[key][-1].__name__}.")
        missing = [key for key in ("columns", "rows", "square_in") if key not in data]
        if missing:
            raise BoardError(f"{where}: {', '.join(missing)} missing.")
        if "dictionary" in data:
            data = {**data, "dictionary": _dictionary(data["dictionary"])}
        return cls(**data)

    def to_text(self) -> str:
        """The line of text that ``parse`` reads.

        >>> Board.parse("7x9:1in:0.75in:DICT_5X5_100").to_text()
        '7x9:1in:0.75in:DICT_5X5_100'
        """
        text = f"{self.columns}x{self.rows}:{self.square_in:.10g}in"
        if self.dictionary is not None:
            text += f":{self.marker_in:.10g}in:{self.dictionary}"
            if self.legacy is not None:
                text += ":legacy" if self.legacy else ":current"
        return text

    def to_toml(self) -> str:
        """The content of a board file."""
        lines = [f"columns = {self.columns}", f"rows = {self.rows}", f"square_in = {float(self.square_in)!r}"]
        if self.dictionary is not None:
            lines += [f"marker_in = {float(self.marker_in)!r}", f'dictionary = "{self.dictionary}"']
            if self.legacy is not None:
                lines.append(f"legacy = {str(self.legacy).lower()}")
        return "\n".join(lines) + "\n"

    @property
    def inner_corners(self) -> tuple[int, int]:
        """Corners where four squares meet, along a row and down a column."""
        return self.columns - 1, self.rows - 1

    @property
    def corners(self) -> Array:
        """Inner corners (n, 2) in the board frame, row by row."""
        nx, ny = self.inner_corners
        x, y = np.meshgrid(np.arange(nx) - (nx - 1) / 2, np.arange(ny) - (ny - 1) / 2)
        return np.column_stack([x.ravel(), y.ravel()]) * self.square_in

    def first_square_black(self, *, legacy: bool) -> bool:
        """Whether the top left square is black."""
        return not (legacy and self.rows % 2 == 0)

    def quadrant_white(self, *, legacy: bool) -> npt.NDArray[np.bool_]:
        """Per inner corner (n,): whether the square to its lower right is white."""
        nx, ny = self.inner_corners
        i, j = np.meshgrid(np.arange(nx), np.arange(ny))
        even_is_black = self.first_square_black(legacy=legacy)
        return (((i + j) % 2 == 0) != even_is_black).ravel()

    def marker_squares(self, *, legacy: bool) -> IntArray:
        """Column and row (m, 2) of the square of each marker: white squares row by row, ids from 0."""
        i, j = np.meshgrid(np.arange(self.columns), np.arange(self.rows))
        white = ((i + j) % 2 == 0) != self.first_square_black(legacy=legacy)
        return np.column_stack([i[white], j[white]]).astype(np.int64)

    def marker_corners(self, *, legacy: bool) -> Array:
        """Corners (m, 4, 2) of the markers in the board frame, top left first, clockwise as printed."""
        squares = self.marker_squares(legacy=legacy)
        centers = (squares + 0.5 - np.array([self.columns, self.rows]) / 2) * self.square_in
        half = self.marker_in / 2
        return centers[:, None] + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])


def _length_in(text: str, where: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*(mm|cm|in|\")", text.casefold())
    if match is None:
        raise BoardError(f"{where!r}: the length {text!r} needs a number and a unit, as in 24mm or 0.75in.")
    return float(match[1]) * _UNITS_IN[match[2]]


def _dictionary(name: str) -> str:
    wanted = name if name.casefold().startswith("dict_") else f"DICT_{name}"
    known = [n for n in dir(cv2.aruco) if n.startswith("DICT_")]
    match = next((n for n in known if n.casefold() == wanted.casefold()), None)
    if match is None:
        raise BoardError(f"No marker dictionary is called {name!r}; DICT_5X5_100 and DICT_APRILTAG_36h11 are two.")
    return match


STANDARD_BOARDS = {
    "letter": Board(7, 9, 1.0, 0.75, "DICT_5X5_100"),
    "a4": Board(7, 9, 1.0, 0.75, "DICT_5X5_100"),
}
