"""Measure how bases on hills that no table file draws are placed, over photographs of one table, one after another.

    python scripts/evaluate_heights.py --seed 91000 --tables 10 [--rims | --no-rims] [--tags | --no-tags] [--rows OUT]
    python scripts/evaluate_heights.py --folder TRACED [--rows OUT]

Draws the tables (or takes sequences ``NAME-1.jpg``, ``NAME-2.jpg``, ... from a folder), reads every photograph with the
observation before it as ``tabletop observe --previous`` does, and prints a table by kind of base: how many were found,
how many of those are within 0.1 inches, and how many are inside the stated 95 % ellipse. ``--rows`` appends a JSON line
for each base; ``--from-rows`` prints the table of such lines.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from evaluation.groups import elevation_deg  # noqa: E402
from evaluation.matches import CHI2_95  # noqa: E402
from evaluation.score import match_points, normalized_sq  # noqa: E402
from evaluation.truth import TrueBase, Truth, truth_from  # noqa: E402
from synthetic.sequences import draw_sequence  # noqa: E402
from synthetic.wishes import Wish  # noqa: E402
from tabletop.cli.photos import observe_after  # noqa: E402
from tabletop.referee.judging import Observed, PhotoOptions, observe  # noqa: E402
from tabletop.tables.model import TableFile  # noqa: E402
from tabletop.tables.tablefile import parse_table  # noqa: E402
from vision.imaging.photo import Photo, open_photo  # noqa: E402

NEAR_IN = 0.1
MATCH_IN = 0.4
LEAST_SHARE = 0.1
ON_HILL_IN = 0.15
HIDDEN_SHARE = 0.85
"""Of a base's outline: where less of it is in sight, it counts as half hidden."""

Row = dict[str, Any]
Moment = tuple[str, Photo, TableFile, Truth]
"""One photograph of a sequence: its name, the photo, the table file, the truth."""


def drawn_moments(seed: int, count: int, wish: Wish) -> list[Moment]:
    """The photographs of one drawn table, one after another."""
    return [
        (
            drawn.name,
            open_photo(drawn.data, name=f"{drawn.name}.jpg"),
            parse_table(drawn.table),
            truth_from(drawn.truth),
        )
        for drawn in draw_sequence(seed, count, wish)
    ]


def moments_in(folder: Path) -> Iterator[list[Moment]]:
    """The sequences of a folder, each in its order."""
    names: dict[str, list[tuple[int, Path]]] = {}
    for path in folder.glob("*.jpg"):
        numbered = re.fullmatch(r"(.+)-(\d+)", path.stem)
        if numbered is not None:
            names.setdefault(numbered[1], []).append((int(numbered[2]), path))
    for _, found in sorted(names.items()):
        paths = [path for _, path in sorted(found)]
        yield [
            (
                path.stem,
                open_photo(path),
                parse_table(path.with_suffix(".table.toml").read_text(encoding="utf-8")),
                truth_from(json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))),
            )
            for path in paths
        ]


def rows_of(moments: Sequence[Moment], alone: bool) -> Iterator[Row]:
    """A row for each true base of each photograph, read with the observation before it unless ``alone``."""
    before: Mapping[str, Any] | None = None
    for number, (name, photo, table, truth) in enumerate(moments):
        seen = look_after(photo, table, None if alone else before)
        before = seen
        yield from rows_of_photo(name, number, seen, truth)


def rows_of_photo(name: str, number: int, seen: Mapping[str, Any], truth: Truth) -> Iterator[Row]:
    """A row for each true base of one photograph that its picture shows.

    Bases are matched by where the picture shows them, that is, where their sight lines come down on the table: one with
    a wrong height is at another place, but it is the same base.
    """
    eye = truth.camera.eye
    shown_at = truth.camera.in_picture([(*b.center, b.z + b.height) for b in truth.bases])
    true = [b for b, shown in zip(truth.bases, shown_at, strict=True) if shown and b.visible > LEAST_SHARE]
    rows = list(seen["bases"])
    shown = [np.array(b.center) - b.z * (eye[:2] - b.center) / (eye[2] - b.z - b.height) for b in true]
    told = [np.array(row["center"]) - row["z"] * np.array(row["lean"]) for row in rows]
    partner = dict(match_points(shown, told, MATCH_IN))
    for i, base in enumerate(true):
        yield row_of(name, number, base, rows[partner[i]] if i in partner else None, elevation_deg(truth))


def look_after(photo: Photo, table: TableFile, before: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Read a photo with the observation before it."""

    def look(known: TableFile, heights: Mapping[str, Any] | None) -> Observed:
        return Observed(observe(photo, known, PhotoOptions(previous=heights)), photo)

    if before is None:
        return look(table, None).observation.to_json()
    return observe_after(before, table, look)[2]


def row_of(name: str, number: int, base: TrueBase, seen: Mapping[str, Any] | None, elevation: float) -> Row:
    """A base's reading beside its truth."""
    row: Row = {"photo": name, "number": number, "unit": base.unit, "at": base.center, "z": base.z, "tag": base.tag,
                "visible": base.visible, "elevation_deg": round(elevation, 1), "found": seen is not None}  # fmt: skip
    if seen is not None:
        offset = np.subtract(seen["center"], base.center)
        row |= {"off_in": float(np.hypot(*offset)), "chi2": normalized_sq(offset, seen["covariance"]),
                "method": "tag" if seen["tag"] is not None else seen["method"], "shape": seen["shape"],
                "seen_at": seen["center"], "covariance": seen["covariance"], "seen_z": seen["z"],
                "z_sigma": seen["z_sigma"], "seen_tag": seen["tag"], "seen_unit": seen["unit"]}  # fmt: skip
    return row


def kind_of(row: Row) -> str:
    """How a base was found: by its tag, by its painted rim or by its shape."""
    method = str(row["method"])
    return {"tag": "tagged", "outline": "rimmed", "shape": "bare"}.get(method, method)


KINDS: tuple[tuple[str, Callable[[Row], bool]], ...] = (
    ("all", lambda row: True),
    ("tagged", lambda row: kind_of(row) == "tagged"),
    ("rimmed", lambda row: kind_of(row) == "rimmed"),
    ("bare", lambda row: kind_of(row) == "bare"),
    ("half hidden", lambda row: bool(row["visible"] < HIDDEN_SHARE)),
    ("on hills", lambda row: bool(row["z"] >= ON_HILL_IN)),
    ("on hills, first photo", lambda row: bool(row["z"] >= ON_HILL_IN and row["number"] == 0)),
    ("on hills, from the second on", lambda row: bool(row["z"] >= ON_HILL_IN and row["number"] > 0)),
    ("- tagged", lambda row: bool(row["z"] >= ON_HILL_IN and row["number"] > 0 and kind_of(row) == "tagged")),
    ("- rimmed", lambda row: bool(row["z"] >= ON_HILL_IN and row["number"] > 0 and kind_of(row) == "rimmed")),
    ("- bare", lambda row: bool(row["z"] >= ON_HILL_IN and row["number"] > 0 and kind_of(row) == "bare")),
    ("below 35 degrees", lambda row: bool(row["elevation_deg"] < 35)),
)


def table_of(rows: Sequence[Row]) -> str:
    """The rows counted by kind, as a Markdown table."""
    lines = ["| bases | found | within 0.1″ | inside the 95 % ellipse | off by, median and 95 % |", "| --- " * 5 + "|"]
    found = [row for row in rows if row["found"]]
    for name, belongs in KINDS:
        some = sorted((row for row in found if belongs(row)), key=lambda row: float(row["off_in"]))
        if some:
            near = sum(row["off_in"] <= NEAR_IN for row in some)
            inside = sum(row["chi2"] <= CHI2_95 for row in some)
            middle, far = (some[min(len(some) - 1, int(share * len(some)))]["off_in"] for share in (0.5, 0.95))
            lines.append(
                f"| {name} | {len(some)} | {near} ({near / len(some):.0%}) | {inside} ({inside / len(some):.1%})"
                f" | {middle:.2f}″, {far:.2f}″ |"
            )
    missed = sum(not row["found"] for row in rows)
    return "\n".join([*lines, "", f"Missed: {missed} of {len(rows)}."])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--seed", type=int, help="of the first drawn table; the next ones count up")
    what.add_argument("--folder", type=Path, help="take the sequences of a folder")
    what.add_argument("--from-rows", type=Path, nargs="+", help="print the table of rows that were measured")
    parser.add_argument("--tables", type=int, default=1, help="how many are drawn (default 1)")
    parser.add_argument("--photos", type=int, default=3, help="of each drawn table (default 3)")
    parser.add_argument("--size", type=float, nargs=2, default=(36.0, 30.0), metavar=("WIDTH", "DEPTH"))
    parser.add_argument("--megapixels", type=float, default=1.4)
    for name in ("rims", "tags"):
        parser.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, default=None)
    parser.add_argument("--elevation", type=float, metavar="DEG", help="of the camera over the table's middle")
    parser.add_argument("--alone", action="store_true", help="read each photo without the one before")
    parser.add_argument("--rows", type=Path, help="append a JSON line for each base")
    return parser


def main() -> None:
    args = _parser().parse_args()
    rows: list[Row] = []
    if args.from_rows:
        rows = [json.loads(line) for path in args.from_rows for line in path.read_text(encoding="utf-8").splitlines()]
        print(table_of(rows))
        return
    wish = Wish(size=tuple(args.size), frame=True, tags=args.tags, rims=args.rims, megapixels=args.megapixels,
                elevation_deg=args.elevation)  # fmt: skip
    drawn = (drawn_moments(args.seed + k, args.photos, wish) for k in range(args.tables) if args.seed is not None)
    for moments in moments_in(args.folder) if args.folder else drawn:
        new = list(rows_of(moments, args.alone))
        rows += new
        if args.rows:
            with args.rows.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in new)
    print(table_of(rows))


if __name__ == "__main__":
    main()
