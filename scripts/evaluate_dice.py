"""Measure how dice are read on photographs with truth, with their true cameras and bases.

    python scripts/draw_tables.py --out tables/six --seed 73100 --count 3 --dice six
    python scripts/evaluate_dice.py tables/six tables/prints --symbol 6

Prints one row for each folder. Dice that the photograph hides a fifth of or more, or that are outside it, don't count.
``--symbol`` gives what the table files lack: the meaning of symbols on dice.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from calibration import TableView  # noqa: E402
from calibration.camera import Camera  # noqa: E402
from geometry import Bases  # noqa: E402
from tabletop.referee.judging import expected_from  # noqa: E402
from tabletop.tables.tablefile import load_table  # noqa: E402
from vision.imaging.photo import Photo, open_photo  # noqa: E402
from vision.small_objects.beside_units import TablePlan  # noqa: E402
from vision.small_objects.dice import find_dice  # noqa: E402

COLUMNS = ("dice", "right", "wrong", "asked", "missed", "symbols", "symbols right", "false told", "false asked")
_SHOWN = 0.8  # of its upper face
_NEAR_IN = 0.45


def true_view(truth: Mapping[str, Any], photo: Photo) -> TableView:
    """The camera that took a photograph."""
    camera = truth["camera"]
    K = np.array(camera["K"])
    parameters = np.array([K[0, 0], K[1, 1], K[0, 2], K[1, 2], *camera["distortion"]])
    return TableView(Camera.from_parameters(parameters, photo.size), np.array(camera["R"]), np.array(camera["t"]))


def true_bases(truth: Mapping[str, Any]) -> Bases:
    """The bases of a photograph that have corners."""
    rows = [base["corners"] for unit in truth["units"] for base in unit["bases"] if len(base.get("corners", [])) == 4]
    if not rows:
        return Bases.empty()
    corners = np.array(rows)[..., :2]
    edge, side = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 1]
    facing = np.degrees(np.arctan2(-edge[:, 1], edge[:, 0]))
    return Bases.of(corners.mean(axis=1), facing, np.linalg.norm(edge, axis=1), np.linalg.norm(side, axis=1))


def count_dice(path: Path, symbol: int | None) -> Counter[str]:
    """How the dice of one photograph are read, by :data:`COLUMNS`."""
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    expected = expected_from(load_table(path.with_suffix(".table.toml")))
    if symbol is not None:
        expected = replace(expected, dice_symbol=symbol)
    photo = open_photo(path)
    view = true_view(truth, photo)
    found = find_dice(TablePlan(photo, view, expected), true_bases(truth))
    counts: Counter[str] = Counter()
    free = np.ones(len(found), dtype=bool)
    for die in truth["dice"]:
        away = np.hypot(*(found.center - np.array(die["centre"])).T)
        near = int(away.argmin()) if len(away) and away.min() < _NEAR_IN else None
        if near is not None:
            free[near] = False
        (pixel,) = view.pixel_from_table(np.array([[*die["centre"], die["z"] + die["size"]]]))
        if die.get("visible", 1.0) < _SHOWN or not np.all((pixel > 20) & (pixel < np.array(photo.size) - 20)):
            continue
        read = None if near is None else int(found.value[near])
        how = "missed" if read is None else "asked" if read == 0 else "right" if read == die["value"] else "wrong"
        counts.update(["dice", how])
        if die.get("symbol"):
            counts.update(["symbols", *(["symbols right"] if how == "right" else [])])
    counts["false told"] += int((free & (found.value > 0)).sum())
    counts["false asked"] += int((free & (found.value == 0)).sum())
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path, nargs="+", help="folders of photographs with truth and table files")
    parser.add_argument("--symbol", type=int, choices=(1, 6))
    args = parser.parse_args()
    print("| | " + " | ".join(COLUMNS) + " |\n" + "| --- " * (len(COLUMNS) + 1) + "|")
    for folder in args.tables:
        photos = sorted(folder.glob("*.jpg"))
        if not photos:
            parser.error(f"There are no photographs (.jpg) in {folder}: draw some first.")
        counts = sum((count_dice(path, args.symbol) for path in photos), Counter[str]())
        print(f"| {folder.name} | " + " | ".join(str(counts[name]) for name in COLUMNS) + " |", flush=True)


if __name__ == "__main__":
    main()
