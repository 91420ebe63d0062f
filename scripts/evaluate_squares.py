"""Boards of squares found and read on drawn photographs: the figures of docs/squares.md.

    python scripts/evaluate_squares.py --first 301 --count 20 --units 10 --kinds abcdz

prints, for each kind of table, how far the layout is from the true one, how often it is refused or wrong, whether its
covariance is honest, and whether units are in the right square. With ``--alone`` no camera is known: only the lines
of the board place the photo.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from calibration import CalibrationError
from geometry.squares import SquareBoard
from synthetic.boards import BoardKind, BoardTruth, random_board
from synthetic.tables import DrawnPhoto, draw, draw_views
from synthetic.wishes import Wish
from tabletop.grids.cells import square_cells
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.squares.reading import read_squares
from tabletop.referee.judging import PhotoOptions, expected_from, observe_photos, open_photo
from tabletop.tables.tablefile import parse_table
from vision.grids.board_plane import find_board, side_px
from vision.grids.detection import FoundGrid, find_grid
from vision.model.errors import GridError
from vision.pipeline.one_photo import ObserveConfig
from vision.table_pose.placement import view_of

CHESS, LARGE = SquareBoard(8, 8), SquareBoard(20, 24)
KINDS: dict[str, tuple[str, BoardKind, SquareBoard]] = {
    "a": ("chessboard 8 x 8", "chessboard", CHESS),
    "b": ("mat with lines 8 x 8", "lines", CHESS),
    "c": ("mat with lines 20 x 24", "lines", LARGE),
    "d": ("chessboard 20 x 24", "chessboard", LARGE),
}
WRONG = 0.25  # of a square: a layout that is farther out puts units into wrong squares
SURE_4 = 9.488  # 95 % of the chi-squared distribution of four parameters


@dataclass
class AloneScore:
    """Results of photographs of one kind of table that only the board places."""

    pictures: int = 0
    wrong: int = 0
    worst: list[float] = field(default_factory=list)  # a picture's worst corner of the field, in squares
    seconds: list[float] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def row(self, title: str) -> str:
        """A row of the table of boards that place their photo."""
        found = f"{np.median(self.worst):.3f} | {max(self.worst):.3f}" if self.worst else " | "
        refused = self.pictures - len(self.worst) - self.wrong
        return (
            f"| {title} | {self.pictures} | {len(self.worst)} | {refused} | {self.wrong} | {found} "
            f"| {np.median(self.seconds):.1f} s |"
        )


@dataclass
class Score:
    """Results of one kind of table."""

    pictures: int = 0
    no_pose: int = 0
    refused: int = 0
    wrong: int = 0
    median_in: list[float] = field(default_factory=list)
    worst_in: list[float] = field(default_factory=list)
    inside: int = 0
    seconds: list[float] = field(default_factory=list)
    units: int = 0
    right: int = 0
    asked: int = 0
    misplaced: int = 0
    nameless: int = 0
    missed: int = 0
    false: int = 0

    def row(self, title: str) -> str:
        """A row of the table of layouts."""
        found = len(self.worst_in)
        if not found:
            return f"| {title} | {self.pictures} | {self.no_pose} | {self.refused} | {self.wrong} | | | | |"
        return (
            f"| {title} | {self.pictures} | {self.no_pose} | {self.refused} | {self.wrong} "
            f"| {np.median(self.median_in):.3f}″ | {max(self.worst_in):.3f}″ | {self.inside} of {found} "
            f"| {np.median(self.seconds):.1f} s |"
        )

    def of_units(self, title: str) -> str:
        """A row of the table of units."""
        return (
            f"| {title} | {self.units} | {self.right} | {self.asked} | {self.misplaced} "
            f"| {self.nameless} | {self.missed} | {self.false} |"
        )


def draw_photo(seed: int, kind: BoardKind, board: SquareBoard, more: int = 0) -> tuple[DrawnPhoto, BoardTruth]:
    """A photograph of a random table with a board, and what is true of it."""
    plan, truth = random_board(seed, kind, board, more=more)
    megapixels = 5.0 if board.columns <= 10 else 8.0
    return draw_views(seed, 1, Wish(megapixels=megapixels), plan=plan)[0], truth


def found_in(photo: DrawnPhoto, board: SquareBoard, score: Score, folder: Path) -> FoundGrid | None:
    """The board found as it is for players: by the camera that the frame markers give."""
    path = folder / "photo.jpg"
    path.write_bytes(photo.data)
    table, picture = parse_table(photo.table), open_photo(path)
    score.pictures += 1
    try:
        view = view_of(picture, expected_from(table), None, ObserveConfig())
    except CalibrationError:
        score.no_pose += 1
        return None
    start = time.monotonic()
    try:
        return find_grid(picture.image, view, (table.width_in, table.depth_in), board)
    except GridError:
        score.refused += 1
        return None
    finally:
        score.seconds.append(time.monotonic() - start)


def place_alone(photo: DrawnPhoto, truth: BoardTruth | None, board: SquareBoard, score: AloneScore) -> None:
    """Count what the board's lines say of where it lies, without any camera; ``truth``: ``None`` where no board of so
    many squares is."""
    score.pictures += 1
    start = time.process_time()
    try:
        found = find_board(photo.image, board)
    except GridError as error:
        score.reasons[str(error)] += 1
        return
    finally:
        score.seconds.append(time.process_time() - start)
    if truth is None:
        score.wrong += 1
        return
    field_in = np.hstack([truth.layout.field(board), np.zeros((4, 1))])
    true = photo.view.pixel_from_table(field_in)
    turns = range(0, 4, 1 if board.columns == board.rows else 2)  # which corner is a1 no line tells
    off = min(float(np.linalg.norm(np.roll(found.corners, turn, axis=0) - true, axis=1).max()) for turn in turns)
    off /= side_px(true, np.array([board.columns, board.rows]))
    if off > WRONG:
        score.wrong += 1
    else:
        score.worst.append(off)


def print_alone(seeds: range, letters: str) -> None:
    """Print the results of the boards' lines alone."""
    for title, kind, board in kinds(letters):
        score = AloneScore()
        for seed in seeds:
            photo, truth = draw_photo(seed, kind, board)
            place_alone(photo, truth, board, score)
        print(score.row(title), *(f"  {count} x {text}" for text, count in score.reasons.items()), sep="\n", flush=True)
    for title, photos in to_refuse(seeds[: len(seeds) // 2], seeds) if "z" in letters else ():
        score = AloneScore()
        for photo, board in photos:
            place_alone(photo, None, board, score)
        print(score.row(title), flush=True)


def compare_layout(found: FoundGrid, truth: BoardTruth, score: Score) -> bool:
    """Count how far a layout is out; whether it is no wrong one."""
    squares = truth.board.squares
    away = np.linalg.norm(found.layout.centres(squares) - truth.layout.centres(squares), axis=1)
    if away.max() > WRONG * truth.layout.size_in:
        score.wrong += 1
        return False
    a, b = found.layout, truth.layout
    off = np.array([*(np.array(a.origin) - b.origin), a.size_in - b.size_in, a.rotation_deg - b.rotation_deg])
    score.median_in.append(float(np.median(away)))
    score.worst_in.append(float(away.max()))
    score.inside += bool(off @ np.linalg.solve(found.covariance, off) <= SURE_4)
    return True


def compare_squares(photo: DrawnPhoto, truth: BoardTruth, found: FoundGrid, score: Score, folder: Path) -> None:
    """Count in which squares the units of an observed photo are read."""
    path = folder / "photo.jpg"
    path.write_bytes(photo.data)
    seen = observe_photos([path], parse_table(photo.table), PhotoOptions(None)).observation.to_json()
    is_chessboard = found.kind == "chessboard"
    placement = BoardPlacement(square_cells(truth.board), found.layout, found.covariance, chequered=is_chessboard)
    reading = read_squares(seen, placement)
    told = {stander.id: stander for stander in reading.standers}
    bare = [base.footing.cell for base in reading.nameless if base.footing.cell is not None]
    for name, square in truth.units.items():
        score.units += 1
        if name not in told and square in bare:
            score.nameless += 1
            bare.remove(square)
        elif name not in told:
            score.missed += 1
        elif told[name].is_open:
            score.asked += 1
        elif told[name].square == square:
            score.right += 1
        else:
            score.misplaced += 1
    score.false += len(bare)


def kinds(letters: str) -> list[tuple[str, BoardKind, SquareBoard]]:
    """The kinds of tables that letters name."""
    return [kind for letter, kind in KINDS.items() if letter in letters]


def to_refuse(larger: range, bare: range) -> Iterator[tuple[str, Iterator[tuple[DrawnPhoto, SquareBoard]]]]:
    """Photographs, by kind of table, on which there is no board of so many squares: seeds with a ``larger`` one, and
    ``bare`` ones."""
    for title, kind, board in KINDS.values():
        photos = ((draw_photo(seed, kind, board, more=1)[0], board) for seed in larger)
        yield f"{title}, a row and a column too many", photos
    wish = Wish(megapixels=5.0, frame=True)
    yield "tables without a board", ((draw(seed, wish), CHESS if seed % 2 else LARGE) for seed in bare)


def main() -> None:
    """Print both tables."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--first", type=int, default=301)
    given.add_argument("--count", type=int, default=20)
    given.add_argument("--units", type=int, default=10, help="tables of each kind on which units are read")
    given.add_argument("--kinds", default="abcdz", help="which kinds of tables, by letter; z: those to be refused")
    given.add_argument("--alone", action="store_true", help="place the photos by the boards alone")
    args = given.parse_args()
    seeds = range(args.first, args.first + args.count)
    if args.alone:
        print_alone(seeds, args.kinds)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, kind, board in kinds(args.kinds):
            score = Score()
            for seed in seeds:
                photo, truth = draw_photo(seed, kind, board)
                found = found_in(photo, board, score, folder)
                if found is not None and compare_layout(found, truth, score) and seed - args.first < args.units:
                    compare_squares(photo, truth, found, score, folder)
            print(score.row(title), score.of_units(title), sep="\n", flush=True)
        if "z" in args.kinds:
            for title, photos in to_refuse(seeds, seeds):
                score = Score()
                for photo, board in photos:
                    score.wrong += found_in(photo, board, score, folder) is not None
                print(score.row(title), flush=True)


if __name__ == "__main__":
    main()
