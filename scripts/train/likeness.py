"""What a collection learnt from one settled photograph tells of others of the same mat and terrain, as Markdown tables.

    python scripts/train/likeness.py PHOTOS [PHOTOS ...] --nets DIR

``PHOTOS`` are folders of traced photographs with truth (traced-FAMILY-SEED.jpg), all of one kit: of each family the
first ``--known`` are learnt from, with their true terrain, the others read by the nets alone and with what was learnt.
True cameras.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
from compare import Ground, Seen, Terrain, expected_from, load_table, terrain_rows, true_terrain, view_of
from ground_reader import SIGHT_PPI, GroundNets, Sight
from terrain_likeness import LikenessConfig, SettledTable, by_likeness, learn_terrain

from tabletop.evaluate import markdown
from vision.imaging.nets import GROUND_PPI
from vision.imaging.photo import open_photo
from vision.imaging.rectify import MapScale, rectified_map, visible_mask
from vision.terrain.ground import lean_planes

HEAD = ("kind", "pieces (sq in)", "places: nets", "known", "pieces: nets", "known", "found: nets", "known",
        "mistaken + invented: nets", "known")  # fmt: skip


def looked_at(path: Path, nets: GroundNets) -> tuple[Seen, MapScale, np.ndarray, np.ndarray, Sight, np.ndarray]:
    """A photograph with its truth, its map's scale, where it shows table, the map, what the encoder makes of it and
    what the nets say."""
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    image = open_photo(path).image
    expected = expected_from(load_table(path.with_name(f"{path.stem}.table.toml")))
    seen = Seen(image, view_of(truth, image.shape), expected, truth)
    scale = MapScale(*seen.size, px_per_inch=GROUND_PPI)
    shown, lean = visible_mask(seen.view, scale), lean_planes(seen.view, scale)
    plan = rectified_map(seen.image, seen.view, seen.size, px_per_inch=SIGHT_PPI)
    sight = nets.sight(plan, shown)
    return seen, scale, shown, plan, sight, nets.decide(sight, nets.first(plan, lean, shown), lean, shown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, nargs="+")
    parser.add_argument("--known", type=int, default=1)
    parser.add_argument("--nets", type=Path, required=True, help="a folder with sight.onnx and ground_second.onnx")
    parser.add_argument("--trust", type=float, default=LikenessConfig.trust)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    nets, config = GroundNets.of_folder(args.nets), LikenessConfig(trust=args.trust)
    families: dict[str, list[Path]] = defaultdict(list)
    for folder in args.photos:
        for path in sorted(folder.glob("traced-*.jpg")):
            families[path.stem.rsplit("-", 1)[0]].append(path)
    sums = {name: Terrain() for name in ("nets", "known")}
    for paths in families.values():
        known = []
        for path in paths[: args.known]:
            seen, _, shown, plan, sight, _ = looked_at(path, nets)
            known.append((SettledTable(plan, shown, seen.size, tuple(true_terrain(seen.truth, seen.size))), sight))
        learnt = learn_terrain(known, config)
        for path in paths[args.known :]:
            seen, scale, shown, _, sight, shares = looked_at(path, nets)
            told = shares if learnt is None else by_likeness(shares, sight, learnt, config)
            ground = Ground.of(seen, scale, shown)
            ground.count(sums["nets"], shares * shown)
            ground.count(sums["known"], told * shown)
            known_by = 0.0 if learnt is None else learnt.familiarity(sight, config)
            print(f"{path.stem}: mat known {known_by:.2f}", () if learnt is None else learnt.kinds, flush=True)
    print("\n".join(markdown.table(HEAD, terrain_rows(sums))))


if __name__ == "__main__":
    main()
