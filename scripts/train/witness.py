"""The gain of the second net for terrain over the first one on photographs with truth, as a Markdown table.

    python scripts/train/witness.py PHOTOS [PHOTOS ...] --nets DIR

Both are shown the table from above with its true camera; pieces are traced by the product's own code. ``--nets`` is the
folder that ``ground_trainer.py`` wrote into.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
from compare import Ground, Terrain, photographs, terrain_rows

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from evaluation import markdown
from vision.imaging.nets import GROUND_PPI
from vision.imaging.rectify import MapScale
from vision.terrain.ground_nets import GroundNets
from vision.terrain.ground_sight import lay_out

HEAD = ("kind", "pieces (sq in)", "places: first", "both", "pieces: first", "both", "found: first", "both",
        "mistaken + invented: first", "both")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, nargs="+", help="folders of NAME.jpg, NAME.json and NAME.table.toml")
    parser.add_argument("--nets", type=Path, required=True, help="a folder with sight.onnx and ground_second.onnx")
    args = parser.parse_args()
    nets = GroundNets.of_folder(args.nets)
    for folder in args.photos:
        sums = {name: Terrain() for name in ("first", "both")}
        for seen in photographs(folder):
            scale = MapScale(*seen.size, px_per_inch=GROUND_PPI)
            laid = lay_out(seen.image, seen.view, seen.size, nets)
            ground = Ground.of(seen, scale, laid.shown)
            ground.count(sums["first"], laid.said.looks[-1] * laid.shown)
            ground.count(sums["both"], laid.said.share * laid.shown)
        print(f"{folder.name}\n")
        print("\n".join(markdown.table(HEAD, terrain_rows(sums))), flush=True)


if __name__ == "__main__":
    cv2.setNumThreads(1)
    main()
