"""What the net for kinds adds to the ``ground`` net on photographs with truth, as a Markdown table.

    python scripts/train/witness.py --kinds DIR PHOTOS [PHOTOS ...]

Both are shown the table from above with its true camera; pieces are traced by the product's own code. Says besides
whose name of each true piece, by the mean over the piece, is right.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from compare import Ground, Seen, Terrain, photographs, terrain_rows
from kinds_reader import KindsReader, together
from samples import KINDS_PPI

from tabletop.evaluate import markdown
from vision.imaging.rectify import MapScale, rectified_map, visible_mask
from vision.terrain.ground import ground_maps
from vision.terrain.pieces import KINDS, mask_of

HEAD = ("kind", "pieces (sq in)", "places: alone", "both", "pieces: alone", "both", "found: alone", "both",
        "mistaken + invented: alone", "both")  # fmt: skip


def add_photograph(seen: Seen, reader: KindsReader, sums: dict[str, Terrain], named: dict[str, list[int]]) -> list[str]:
    """Count one photograph; returns what was named wrongly."""
    maps = ground_maps(seen.image, seen.view, seen.size)
    fine = MapScale(*seen.size, px_per_inch=KINDS_PPI)
    plan = rectified_map(seen.image, seen.view, seen.size, px_per_inch=KINDS_PPI)
    kinds = reader(plan, visible_mask(seen.view, fine))
    ground = Ground.of(seen, maps.scale, ~maps.hidden)
    for name, share in (("alone", maps.share), ("both", together(maps.share, kinds))):
        ground.count(sums[name], share)
    wrong = []
    for kind, shape in ground.true:
        here = mask_of(shape, maps.scale) & ground.clear
        cells = cv2.resize(here.astype(np.float32), kinds.shape[1::-1], interpolation=cv2.INTER_AREA) > 0.6
        if kind not in KINDS or not cells.any():
            continue
        means = {
            "ground": maps.share[: len(KINDS), here].mean(axis=1),
            "kinds": np.exp(np.log(kinds[cells] + 1e-4).mean(axis=0))[1:],
        }
        for name, mean in means.items():
            said = KINDS[int(np.argmax(mean))]
            named[name][0] += said == kind
            named[name][1] += 1
            if said != kind:
                wrong.append(f"{name}: {kind} taken for {said} ({mean.max():.2f})")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, nargs="+", help="folders of NAME.jpg, NAME.json and NAME.table.toml")
    parser.add_argument("--kinds", type=Path, required=True, help="the folder that kinds_trainer.py wrote into")
    args = parser.parse_args()
    reader = KindsReader(args.kinds)
    sums = {name: Terrain() for name in ("alone", "both")}
    named = {name: [0, 0] for name in ("ground", "kinds")}
    for folder in args.photos:
        for seen in photographs(folder):
            for line in add_photograph(seen, reader, sums, named):
                print(line)
    print("\n".join(markdown.table(HEAD, terrain_rows(sums))))
    print(", ".join(f"{name} names {right} of {all_} pieces rightly" for name, (right, all_) in named.items()))


if __name__ == "__main__":
    main()
