"""Measure how often a photo of another table is recognised, and a photo of the right one is taken for another.

    python scripts/evaluate_other_tables.py FOLDER [--others 2] [--rows OUT]

The folder has photographs with truth (``NAME.jpg``, ``NAME.json``, ``NAME.table.toml``: see ``draw_tables.py``).
Each is read with its own table file, its terrain drawn into it, and with those of the next tables of the same size,
and compared with where the units of that table are, and where they are after moves that no one entered.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import shapely
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from calibration import CalibrationError  # noqa: E402
from tabletop.evaluate.truth import Truth, read_truth  # noqa: E402
from tabletop.identity.other_table import seems_other_table  # noqa: E402
from tabletop.identity.table_snapshot import BaseSighting, Sighting, sighting_from_json  # noqa: E402
from tabletop.referee.judging import observe  # noqa: E402
from tabletop.tables.model import TableFile, Terrain  # noqa: E402
from tabletop.tables.tablefile import load_table  # noqa: E402
from vision import VisionError  # noqa: E402
from vision.imaging.photo import Photo, open_photo  # noqa: E402

CROP = 0.08
FEW = 2
MOVES = (1, 2, 4)
MOVE_IN = (4.0, 10.0)


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


def cases(folder: Path, others: int) -> Iterator[tuple[str, str, Sighting, Sighting | None]]:
    """Photos and the tables that they are compared with: names, kind of case, known and seen units."""
    names = sorted(path.name.removesuffix(".table.toml") for path in folder.glob("*.table.toml"))
    truths = {name: read_truth(folder / f"{name}.json") for name in names}
    tables = {name: table_with_terrain(folder / f"{name}.table.toml", truth) for name, truth in truths.items()}
    known = {name: known_of(truths[name], tables[name]) for name in names}
    rng = np.random.default_rng(1)
    for place, name in enumerate(names):
        photo = open_photo(folder / f"{name}.jpg")
        seen = read(photo, tables[name])
        yield name, "the right table", known[name], seen
        yield name, "the right table, cropped", known[name], read(cropped(folder / f"{name}.jpg"), tables[name])
        if seen is not None:
            yield name, "the right table, two units", *few(known[name], seen)
            yield name, "the right table, no names read", known[name], without_names(seen)
            for moves in MOVES:
                after = f"the right table, every unit {moves} {'move' if moves == 1 else 'moves'} on"
                yield name, after, moved(known[name], moves, rng), seen
        rest = [*names[place + 1 :], *names[:place]]
        alike = [one for one in rest if known[one].width == known[name].width and known[one].depth == known[name].depth]
        for before in (one for one in alike if _same_table(one, name) and one < name and seen is not None):
            yield f"{name} after {before}", "the right table, from an earlier turn", known[before], seen
        for other in [one for one in alike if not _same_table(one, name)][:others]:
            seen = read(photo, replace(tables[other], frame=tables[name].frame))  # players print the same markers
            yield f"{name} for {other}", "another table", known[other], seen
            if seen is not None:
                yield f"{name} for {other}", "another table, no names read", known[other], without_names(seen)


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
    parser.add_argument("folder", type=Path)
    parser.add_argument("--others", type=int, default=2, help="other tables that each photo is read for (default 2)")
    parser.add_argument("--rows", type=Path, help="append a JSON line for each case")
    args = parser.parse_args()
    rows = []
    for name, what, known, seen in cases(args.folder, args.others):
        rows.append({"name": name, "what": what, "said": "refused" if seen is None else seems_other_table(known, seen)})
        if args.rows:
            with args.rows.open("a", encoding="utf-8") as file:
                file.write(json.dumps(rows[-1], ensure_ascii=False) + "\n")
    print(table_of(rows))


if __name__ == "__main__":
    main()
