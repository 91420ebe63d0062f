"""Read hex terrain from photographs with exact truth, compare hex by hex, and write the result into docs/overlay.md.

    python scripts/evaluate_overlay.py PHOTOS [MORE ...] [--out docs/overlay.md] [--layouts 12]

Each folder holds NAME.jpg, NAME.json (truth) and NAME.table.toml; terrain that the table file gives is not used. Every
hex of a refused photo counts as wrong. Photos in the first folder are listed in a table one by one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from calibration import CalibrationError  # noqa: E402
from evaluation.truth import Truth, read_truth  # noqa: E402
from geometry.hex_layout import HexLayout  # noqa: E402
from tabletop.grids.cell_shares import measured_codes  # noqa: E402
from tabletop.grids.placement import BoardPlacement, centre_board  # noqa: E402
from tabletop.grids.table_terrain import TableTerrain, TerrainPiece, terrain_of  # noqa: E402
from tabletop.referee.judging import observe_photos  # noqa: E402
from tabletop.rulesets.combined_arms.board_placement import CELLS  # noqa: E402
from tabletop.rulesets.combined_arms.overlay.terrain import (  # noqa: E402
    CODING,
    HEX_TERRAIN,
    HexReading,
    terrain_of_hexes,
)
from tabletop.tables.tablefile import load_table  # noqa: E402
from vision.model.errors import VisionError  # noqa: E402

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
SIZE_SHARE = 0.98
"""The overlay of the table photo by photo: in the middle, hexes of this part of the largest that fit."""
SEED = 5


@dataclass
class Score:
    """Hexes compared: all, those other than plain open ground, flagged ones, wrong ones without a flag; of the
    flagged ones those with the right first answer and those with the right one among their answers."""

    hexes: int = 0
    told: int = 0
    flagged: int = 0
    wrong: int = 0
    first_right: int = 0
    offered: int = 0
    which: tuple[str, ...] = ()

    def __add__(self, other: Score) -> Score:
        return Score(
            self.hexes + other.hexes, self.told + other.told, self.flagged + other.flagged, self.wrong + other.wrong,
            self.first_right + other.first_right, self.offered + other.offered, self.which + other.which,
        )  # fmt: skip


def true_terrain(truth: Truth) -> TableTerrain:
    """The true terrain."""
    return TableTerrain(tuple(TerrainPiece(f"t{n}", piece.kind, piece.shape) for n, piece in enumerate(truth.terrain)))


def compare_readings(read: Sequence[HexReading], truth: Truth, placement: BoardPlacement) -> Score:
    """Compare a reading with the same rules on the true outlines; terrain and road must agree."""
    score = Score()
    for code, h in zip(measured_codes(true_terrain(truth), placement, CODING).tolist(), read, strict=True):
        true = HEX_TERRAIN[code]
        right = h.terrain == true
        score += Score(
            1, code != 0, h.uncertain, not (right or h.uncertain), h.uncertain and right,
            h.uncertain and any(terrain == true and chance >= 0.01 for terrain, chance in h.answers),
            () if right or h.uncertain else (f"{h.name} is {true}, read as {h.terrain}",),
        )  # fmt: skip
    return score


def in_the_middle(truth: Truth) -> BoardPlacement:
    """The overlay of the table photo by photo."""
    table = truth.width, truth.depth
    return centre_board(CELLS, table, round(SIZE_SHARE * CELLS.largest_size_in(table), 1))


def anywhere(truth: Truth, count: int) -> list[BoardPlacement]:
    """Overlays of other sizes, places and turns, the same for every table of one size."""
    table = truth.width, truth.depth
    rng = np.random.default_rng(SEED)
    found = []
    for _ in range(count):
        share = rng.uniform(0.75, 0.97)
        middle = centre_board(CELLS, table, CELLS.largest_size_in(table) * share).layout
        slack = 0.3 * (1.0 - share) * min(table)
        x, y = np.array(middle.origin) + rng.uniform(-slack, slack, 2)
        layout = HexLayout(middle.size_in, (float(x), float(y)), float(rng.uniform(-2.0, 2.0)))
        found.append(BoardPlacement(CELLS, layout))
    return found


def observe_terrain(folder: Path, name: str) -> TableTerrain | str:
    """The terrain that the photo shows, or why it can't be used."""
    table = replace(load_table(folder / f"{name}.table.toml"), terrain=())
    try:
        seen = observe_photos([folder / f"{name}.jpg"], table).observation
    except (VisionError, CalibrationError) as error:
        return str(error)
    return terrain_of(seen.to_json())


def row(name: str, placement: BoardPlacement, one: Score, many: Score) -> str:
    which = "; ".join(one.which) or "none"
    return (
        f"| {name} | {placement.layout.size_in:.1f} | {one.told} | {one.flagged} ({one.flagged / one.hexes:.0%}) "
        f"| {one.first_right} | {one.offered} | {which} | {many.flagged / many.hexes:.1%} "
        f"| {many.wrong} of {many.hexes - many.flagged} |"
    )


def evaluate_photos(folder: Path, layouts: int) -> tuple[list[str], Score, Score, int, list[str]]:
    """Rows by photo, the sums over the middle overlay and over the others, how many photos, and the refused ones."""
    rows, refused = [], []
    middle, others, photos = Score(), Score(), 0
    for path in sorted(folder.glob("*.table.toml")):
        name = path.name.removesuffix(".table.toml")
        truth = read_truth(folder / f"{name}.json")
        ground = observe_terrain(folder, name)
        photos += 1
        if isinstance(ground, str):
            refused.append(f"{name}: {ground}")
            continue
        laid = in_the_middle(truth)
        one = compare_readings(terrain_of_hexes(ground, laid), truth, laid)
        many = Score()
        for other in anywhere(truth, layouts):
            many += compare_readings(terrain_of_hexes(ground, other), truth, other)
        rows.append(row(name, laid, one, many))
        middle, others = middle + one, others + many
    return rows, middle, others, photos, refused


def summary_row(middle: Score, others: Score) -> str:
    parts = []
    for score, words in ((middle, "laid in the middle"), (others, "laid elsewhere")):
        flagged, sure = score.flagged, score.hexes - score.flagged
        right, listed = (n / max(1, flagged) for n in (score.first_right, score.offered))
        parts.append(
            f"{words}: {flagged / score.hexes:.1%} of {score.hexes} hexes flagged, {score.wrong} of the {sure} others "
            f"wrong ({score.wrong / sure:.2%}); of the flagged ones the first answer is right in {right:.0%} and the "
            f"right one listed in {listed:.0%}"
        )
    return "; ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="PHOTOS")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "overlay.md")
    parser.add_argument("--layouts", type=int, default=12, help="overlays besides the one in the middle (default 12)")
    args = parser.parse_args()
    lines = []
    for place, folder in enumerate(args.folders):
        rows, middle, others, photos, refused = evaluate_photos(folder, args.layouts)
        if place == 0:
            lines += [
                f"The {photos} given photographs. In the middle: hexes of the stated size; elsewhere: {args.layouts} "
                "overlays of other sizes, places and rotations for each photo.",
                "",
                "| photo | size | hexes not plain open | flagged | of these first answer right | right answer listed "
                "| wrong and not flagged | elsewhere: flagged | elsewhere: wrong of those not flagged |",
                "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
                *rows,
                "",
                f"All together, {summary_row(middle, others)}.",
            ]
        else:
            lines += [
                "",
                f"{photos} drawn tables that were used for no tuning ({folder.name}), {summary_row(middle, others)}.",
            ]
        lines += [f"Refused: {text}" for text in refused]
    text = args.out.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    args.out.write_text("\n".join([before + BEGIN, "", *lines, "", END + after]), encoding="utf-8")


if __name__ == "__main__":
    main()
