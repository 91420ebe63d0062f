"""Score how exactly photos are placed by the look of their table in another photo.

    python scripts/evaluate_appearance.py FOLDER [FOLDER ...] [--others N] [--out docs/photos.md]

Folders hold NAME-1.jpg, NAME-1.table.toml, NAME-2.jpg ... of one table each, such as `draw_tables.py --sequence`
draws. Their frame markers place them exactly, and are covered when photos are compared. Every photo is placed by every
other photo of its table, and ``--others`` pairs of different tables are tried, of which none should be placed. Errors
are those of a grid of 9 x 9 places, where the photo shows them. Prints Markdown, or writes it into a page.
"""

from __future__ import annotations

import argparse
import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pages import write_between

from tabletop.referee.judging import expected_from, open_photo
from tabletop.referee.reference_files import covered_by_markers
from tabletop.tables.tablefile import load_table
from vision.imaging.photo import Photo
from vision.model.reference import TableReference
from vision.pipeline.stages import ObserveConfig
from vision.table_pose.appearance import place_by_look
from vision.table_pose.placement import view_of


@dataclass(frozen=True, eq=False)
class Placed:
    """A photo that its frame markers place, its table's name, and it as a reference."""

    table: str
    photo: Photo
    reference: TableReference

    def error_in(self, other: Placed) -> float | None:
        """How far off (95 %) places in this photo are when it is placed by another; ``None`` where it is not."""
        found = place_by_look(self.photo, [other.reference])
        if found is None:
            return None
        width, depth = self.reference.size_in
        x, y = np.meshgrid(np.linspace(1, width - 1, 9), np.linspace(1, depth - 1, 9))
        grid = np.column_stack([x.ravel(), y.ravel(), np.zeros(81)])
        pixels = self.reference.view.pixel_from_table(grid)
        shown = np.all((pixels > 0) & (pixels < self.photo.size), axis=1)
        off = found.view.point_from_pixel(pixels[shown], 0.0) - grid[shown, :2]
        return float(np.percentile(np.linalg.norm(off, axis=1), 95))


def placed(path: Path) -> Placed:
    """A photo beside its table file."""
    table = load_table(path.with_suffix(".table.toml"))
    photo, expected = open_photo(path), expected_from(table)
    view = view_of(photo, expected, None, ObserveConfig())
    size = (table.width_in, table.depth_in)
    reference = TableReference(path.stem, photo.gray, view, size, covered_by_markers(expected))
    return Placed(path.stem.rpartition("-")[0], photo, reference)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--others", type=int, default=20, help="pairs of different tables (default 20)")
    parser.add_argument("--out", type=Path, help="a page with a place for these tables")
    asked = parser.parse_args()
    paths = [path for folder in asked.folders for path in sorted(folder.glob("*-[0-9].jpg"))]
    photos = [placed(path) for path in paths if path.with_suffix(".table.toml").exists()]
    rows = [
        "| table | pairs | placed | 95 % of places within, median and worst pair | refused |",
        "| --- | --- | --- | --- | --- |",
    ]
    for table in dict.fromkeys(one.table for one in photos):
        own = [one for one in photos if one.table == table]
        errors = [one.error_in(other) for one, other in itertools.permutations(own, 2)]
        good = [error for error in errors if error is not None]
        exact = f"{np.median(good):.3f}″, {max(good):.3f}″" if good else "-"
        rows.append(f"| {table} | {len(errors)} | {len(good)} | {exact} | {len(errors) - len(good)} |")
    different = [pair for pair in itertools.permutations(photos, 2) if pair[0].table != pair[1].table]
    tried = different[:: max(1, len(different) // max(1, asked.others))][: asked.others]
    wrong = sum(one.error_in(other) is not None for one, other in tried)
    rows += ["", f"Of {len(tried)} pairs of different tables {wrong} were placed."]
    if asked.out is None:
        print("\n".join(rows))
    else:
        write_between(asked.out, "placed by look", "\n".join(rows))


if __name__ == "__main__":
    main()
