"""Measure how often a photo of another table is recognised, and a photo of the right one is taken for another.

    python scripts/evaluate_other_tables.py FOLDER [--others 2] [--rows OUT]
    python scripts/evaluate_other_tables.py --boards hex --first 98600 --count 12

The folder has photographs with truth (``NAME.jpg``, ``NAME.json``, ``NAME.table.toml``: see ``draw_tables.py``).
Each is read with its own table file, its terrain drawn into it, and with those of the next tables of the same size,
and compared with where the units of that table are, and where they are after moves that no one entered.

With ``--boards`` boards of hexes or squares are drawn, half of them without tags, and each photo is compared with the
game on its board, with that game after moves that no one entered, and with those on the other boards.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import shapely
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from calibration import CalibrationError  # noqa: E402
from evaluation.truth import Truth, read_truth  # noqa: E402
from geometry.squares import SquareBoard  # noqa: E402
from synthetic.boards import BoardTruth, random_board  # noqa: E402
from synthetic.hex_boards import HexTruth, random_hex_board  # noqa: E402
from synthetic.tables import draw_views  # noqa: E402
from synthetic.wishes import Wish  # noqa: E402
from tabletop.boards.data import Cell  # noqa: E402
from tabletop.changes.proposals import seeing_of  # noqa: E402
from tabletop.grids.cells import Cells, Layout, hex_cells, square_cells  # noqa: E402
from tabletop.grids.placement import BoardPlacement  # noqa: E402
from tabletop.identity.other_table import seems_other_table  # noqa: E402
from tabletop.identity.table_snapshot import BaseSighting, Sighting, sighting_from_json  # noqa: E402
from tabletop.reconcile.known_table import other_board  # noqa: E402
from tabletop.referee.judging import observe  # noqa: E402
from tabletop.rulesets.combined_arms.board import ROWS  # noqa: E402
from tabletop.rulesets.combined_arms.platoon_proposals import FAR  # noqa: E402
from tabletop.tables.model import TableFile, Terrain  # noqa: E402
from tabletop.tables.tablefile import load_table, parse_table  # noqa: E402
from vision import VisionError  # noqa: E402
from vision.imaging.photo import Photo, open_photo  # noqa: E402

CROP = 0.08
FEW = 2
MOVES = (1, 2, 4)
MOVE_IN = (4.0, 10.0)
LIMITS = seeing_of("one-hour-ww2").limits(None)
MISREAD = 4
_NOWHERE = np.array([(0.0, 0.0), (0.1, 0.0), (0.0, 0.1)])
BOARDS = {"hex": (hex_cells(ROWS), (FAR,), 14), "square": (square_cells(SquareBoard(12, 12)), (1, 2, 3, 4), 12)}
"""Boards that are drawn: their cells, how many of them units of each kind go at once, how many units there are."""


@dataclass(frozen=True)
class Case:
    """A photo compared with a table: its name, the kind of case, what the game knows, what the photo shows (``seen``;
    ``None``: it is refused) and how often each unit may have moved."""

    name: str
    what: str
    known: Sighting
    seen: Sighting | None
    moves: int = 1

    @property
    def said(self) -> str:
        """The evidence for another table, or that the photo is refused."""
        if self.seen is None:
            return "refused"
        return seems_other_table(self.known, self.seen, (), lambda base: self.moves * LIMITS.most(base.kind))


def table_with_terrain(path: Path, truth: Truth) -> TableFile:
    """A table file with the true terrain drawn into it."""
    pieces = []
    for number, piece in enumerate(truth.terrain, 1):
        largest = max(shapely.get_parts(piece.shape), key=shapely.area)
        ring = tuple((float(x), float(y)) for x, y in shapely.Polygon(largest.exterior).exterior.coords[:-1])
        pieces.append(Terrain(f"t{number}", piece.kind, ring, piece.height))
    return replace(load_table(path), terrain=tuple(pieces))


def known_of(truth: Truth, table: TableFile) -> Sighting:
    """A game's units and terrain, all at their true places."""
    pieces = tuple(
        BaseSighting(f"{base.unit}.{number}", base.unit, base.side, base.kind, base.unique, base.shape == "round",
                     base.width, base.depth, np.array(base.center), np.zeros((2, 2)), base.facing, 0.0)
        for number, base in enumerate(truth.bases)
    )  # fmt: skip
    drawn = {"version": 1, "units": "inches", "table": {"width": truth.width, "depth": truth.depth}, "bases": [],
             "terrain": [{"id": t.id, "kind": t.kind, "polygon": t.polygon} for t in table.terrain]}  # fmt: skip
    return replace(sighting_from_json(drawn, "the game"), pieces=pieces)


def moved(known: Sighting, moves: int, rng: np.random.Generator) -> Sighting:
    """The same with every unit elsewhere, so many moves away."""
    shifts = {}
    for unit in known.units:
        start = middle = np.mean([known.pieces[row].center for row in known.rows(unit)], axis=0)
        for _ in range(moves):
            angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(*MOVE_IN)
            step = middle + far * np.array([np.cos(angle), np.sin(angle)])
            middle = np.clip(step, 1.0, (known.width - 1.0, known.depth - 1.0))
        shifts[unit] = middle - start
    pieces = tuple(replace(piece, center=piece.center + shifts[str(piece.unit)]) for piece in known.pieces)
    return replace(known, pieces=pieces)


def without_names(seen: Sighting) -> Sighting:
    """The same bases as if no tag and no rim had been read."""
    bare = [replace(piece, unit=None, side=None, kind=None, unique=None) for piece in seen.pieces]
    return replace(seen, pieces=tuple(bare))


def without_terrain(seen: Sighting) -> Sighting:
    """The same as if the net knew none of its terrain."""
    gone = [replace(piece, shown=None if piece.shown is None else 0.0, polygon=_NOWHERE) for piece in seen.terrain]
    return replace(seen, terrain=tuple(gone))


def few(known: Sighting, seen: Sighting) -> tuple[Sighting, Sighting]:
    """Both with two units alone."""
    kept = known.units[:FEW]
    return tuple(
        replace(one, pieces=tuple(piece for piece in one.pieces if piece.unit in kept)) for one in (known, seen)
    )  # type: ignore[return-value]


def cropped(path: Path) -> Photo:
    """A photo without what is near its edges."""
    with Image.open(path) as whole:
        left, top = (round(CROP * side) for side in whole.size)
        part = whole.convert("RGB").crop((left, top, whole.width - left, whole.height - top))
    data = io.BytesIO()
    part.save(data, "JPEG", quality=92)
    return open_photo(data.getvalue(), name=path.name)


def read(photo: Photo, table: TableFile) -> Sighting | None:
    """The bases and terrain in a photo, read with a table file; ``None`` for a photo that is refused."""
    try:
        return sighting_from_json(observe(photo, table).to_json(), "the photo")
    except (CalibrationError, VisionError):
        return None


def cases(folder: Path, others: int) -> Iterator[Case]:
    """Photos and the tables that they are compared with."""
    names = sorted(path.name.removesuffix(".table.toml") for path in folder.glob("*.table.toml"))
    truths = {name: read_truth(folder / f"{name}.json") for name in names}
    tables = {name: table_with_terrain(folder / f"{name}.table.toml", truth) for name, truth in truths.items()}
    known = {name: known_of(truths[name], tables[name]) for name in names}
    rng = np.random.default_rng(1)
    for place, name in enumerate(names):
        photo = open_photo(folder / f"{name}.jpg")
        seen = read(photo, tables[name])
        yield Case(name, "the right table", known[name], seen)
        yield Case(name, "the right table, cropped", known[name], read(cropped(folder / f"{name}.jpg"), tables[name]))
        if seen is not None:
            yield Case(name, "the right table, two units", *few(known[name], seen))
            yield Case(name, "the right table, no names read", known[name], without_names(seen))
            for moves in MOVES:
                after = f"the right table, every unit {moves} {'move' if moves == 1 else 'moves'} on"
                elsewhere = moved(known[name], moves, rng)
                yield Case(name, after, elsewhere, seen, moves)
                read_by_name = 2 * len(set(seen.units) & set(known[name].units)) >= len(known[name].units)
                bare = f"{after}, no terrain seen, {'most names' if read_by_name else 'few names'} read"
                yield Case(name, bare, elsewhere, without_terrain(seen), moves)
        rest = [*names[place + 1 :], *names[:place]]
        alike = [one for one in rest if known[one].width == known[name].width and known[one].depth == known[name].depth]
        for before in (one for one in alike if _same_table(one, name) and one < name and seen is not None):
            yield Case(f"{name} after {before}", "the right table, from an earlier turn", known[before], seen)
        for other in [one for one in alike if not _same_table(one, name)][:others]:
            seen = read(photo, replace(tables[other], frame=tables[name].frame))  # players print the same markers
            yield Case(f"{name} for {other}", "another table", known[other], seen)
            if seen is not None:
                yield Case(f"{name} for {other}", "another table, no names read", known[other], without_names(seen))


def drawn_board(seed: int, grid: str) -> tuple[Layout, dict[str, str], dict[str, str], Sighting | None]:
    """A drawn photo of a board: its layout, the cells of its units, what is on others, and what is seen."""
    cells, _, many = BOARDS[grid]
    tags = bool(seed % 2)
    truth: HexTruth | BoardTruth
    if grid == "hex":
        plan, truth = random_hex_board(seed, "lines", ROWS, units=many, tags=tags, ground=True)
    else:
        assert isinstance(cells.rows, SquareBoard)
        plan, truth = random_board(seed, "lines", cells.rows, units=many, tags=tags)
    [photo] = draw_views(seed, 1, Wish(megapixels=3.0), plan=plan)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photo.jpg"
        path.write_bytes(photo.data)
        return truth.layout, truth.units, truth.ground, read(open_photo(path), parse_table(photo.table))


def board_cases(seeds: Sequence[int], grid: str) -> Iterator[tuple[str, str, str]]:
    """Names, kinds of case and the results for photos of boards, each compared with the games on all of them."""
    cells = BOARDS[grid][0]
    boards = {seed: drawn_board(seed, grid) for seed in seeds}
    rng = np.random.default_rng(1)
    for seed, (layout, units, ground, seen) in boards.items():
        if seen is None:
            yield str(seed), "the right board", "refused"
            continue
        placement = BoardPlacement(cells, layout)
        after = {unit: _cell_near(cells, at, most, rng) for unit, (at, most) in _reaches(units, grid).items()}
        names = list(units)
        swapped = units | {name: units[names[n ^ 1]] for n, name in enumerate(names[:MISREAD])}
        for what, stands, photo in (
            ("the right board", units, seen),
            (f"the right board, {MISREAD} units read as others", swapped, seen),
            ("the right board, every unit a move on", after, seen),
            ("the right board, every unit a move on, no terrain seen", after, without_terrain(seen)),
        ):
            yield str(seed), what, other_board(_cells_of(placement, ground), _reaches(stands, grid), placement, photo)
        for other, (_, stands, lies, _) in boards.items():
            if other != seed:
                kind = "tags" if seed % 2 else "no tags"
                what = f"another board, {kind}" + ("" if lies else ", a game without terrain")
                said = other_board(_cells_of(placement, lies), _reaches(stands, grid), placement, seen)
                yield f"{seed} for {other}", what, said


def _reaches(stands: Mapping[str, str], grid: str) -> dict[str, tuple[str, int]]:
    """The cells of units and how many cells each goes at once."""
    most = BOARDS[grid][1]
    return {unit: (at, most[n % len(most)]) for n, (unit, at) in enumerate(sorted(stands.items()))}


def _cell_near(cells: Cells, at: str, farthest: int, rng: np.random.Generator) -> str:
    """Another cell that a unit may have gone to."""
    here = cells.place(at)
    reached = {here}
    for _ in range(farthest):
        reached |= {there for one in reached for there in cells.around(one) if there in cells.rows}
    near = sorted(cells.name(one) for one in reached - {here})
    return str(rng.choice(near))


def _cells_of(placement: BoardPlacement, ground: Mapping[str, str]) -> list[Cell]:
    """A board's cells with what is on them."""
    rings = [tuple(ring.exterior.coords[:-1]) for ring in placement.polygons]
    names = placement.cells.names
    return [
        Cell(name, placement.centre(name), ring, ground.get(name, "open"), (), "")
        for name, ring in zip(names, rings, strict=True)
    ]


def _same_table(one: str, other: str) -> bool:
    """Whether two names are of one sequence: ``dev-seq-1`` and ``dev-seq-2``."""
    return one.split("-")[:2] == other.split("-")[:2]


def table_of(rows: Sequence[Mapping[str, str]]) -> str:
    """The figures as a Markdown table."""
    lines = ["| photo of | photos | taken for another table | refused |", "| --- | --- | --- | --- |"]
    for what in dict.fromkeys(row["what"] for row in rows):
        said = [row["said"] for row in rows if row["what"] == what]
        taken, refused = sum(one not in ("", "refused") for one in said), said.count("refused")
        lines.append(f"| {what} | {len(said)} | {taken} | {refused} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--others", type=int, default=2, help="other tables that each photo is read for (default 2)")
    parser.add_argument("--boards", choices=tuple(BOARDS), help="draw boards instead")
    parser.add_argument("--first", type=int, default=98600, help="the first board's seed (default 98600)")
    parser.add_argument("--count", type=int, default=12, help="how many boards (default 12)")
    parser.add_argument("--rows", type=Path, help="append a JSON line for each case")
    args = parser.parse_args()
    if (args.folder is None) == (args.boards is None):
        parser.error("Name a folder with photos, or --boards.")
    rows = []
    for name, what, said in (
        board_cases(range(args.first, args.first + args.count), args.boards)
        if args.boards
        else ((case.name, case.what, case.said) for case in cases(args.folder, args.others))
    ):
        rows.append({"name": name, "what": what, "said": said})
        if args.rows:
            with args.rows.open("a", encoding="utf-8") as file:
                file.write(json.dumps(rows[-1], ensure_ascii=False) + "\n")
    print(table_of(rows))


if __name__ == "__main__":
    main()
