"""Make samples of terrain or bases from photographs with exact truth, drawn and traced ones.

    python scripts/train/traced_samples.py ground PHOTOS... --out DIR

``PHOTOS`` are photographs (NAME.jpg beside NAME.json) or folders of them. Each gives windows of the table from above,
rectified with the truth's own camera, in the form that ``samples.py`` writes for the same task; the planes of kinds
are those of the truth's terrain. For ``bases`` it gives the whole table, as the product shows it to the net:
ground that is far off and seen from low down is as blurred along the line of sight as there. Needs no Blender.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from samples import WINDOWS, Array, Image, Sample, base_planes, pack_sample
from truths import kind_of, view_of

from synthetic.layers import KINDS, TOP, Window
from vision.bases.bare import map_scale
from vision.imaging.nets import MULTIPLE
from vision.imaging.photo import open_photo
from vision.imaging.rectify import MapScale, rectified_map, visible_mask


def terrain_planes(truth: Mapping[str, Any], window: Window) -> npt.NDArray[np.bool_]:
    """Masks (9, r, c) of each kind of a truth's terrain, and of the tops of its hills."""
    planes = np.zeros((TOP + 1, *window.shape), np.uint8)
    for piece in truth.get("terrain", []):
        kind = kind_of(piece)
        if kind not in KINDS:
            continue
        _fill(planes[KINDS.index(kind)], piece["polygon"], window)
        if kind == "hill":
            levels = piece.get("levels") or [{}]
            _fill(planes[TOP], piece.get("top") or levels[-1].get("flat_top") or [], window)
    return planes.astype(bool)


def _fill(plane: npt.NDArray[np.uint8], outline: npt.ArrayLike, window: Window) -> None:
    points = np.asarray(outline, np.float64).reshape(-1, 2)
    if len(points) >= 3:
        cv2.fillPoly(plane, [np.round(window.pixels(points) * 16).astype(np.int32)], 1, shift=4)


def windows_over(width: float, depth: float, side_in: float, ppi: float) -> list[Window]:
    """Square windows that cover a table, from corner to corner and as few as possible; one window holds a smaller
    table."""

    def starts(length: float) -> list[float]:
        spare = max(0.0, length - side_in)
        return np.linspace(0.0, spare, 1 + math.ceil(spare / side_in)).round(2).tolist()

    return [Window(x, y, side_in, side_in, ppi) for x in starts(width) for y in starts(depth)]


def samples_of(image: Image, truth: Mapping[str, Any], task: str) -> list[Sample]:
    """The samples for a task of an upright photograph (r, c, 3) BGR and its truth."""
    view = view_of(truth, image.shape)
    side_in, ppi = WINDOWS[task]
    width, depth = float(truth["table"]["width"]), float(truth["table"]["depth"])
    scale = MapScale(width, depth, px_per_inch=ppi)
    above = rectified_map(image, view, (width, depth), px_per_inch=ppi)
    shown = visible_mask(view, scale)
    eye = (float(view.eye[0]), float(view.eye[1]), float(view.eye[2]))
    out = []
    for window in windows_over(width, depth, side_in, ppi):
        rows, columns = window.shape
        column, row = (
            round(float(v)) for v in scale.pixel_from_table([[window.x0, window.y0 + window.depth]])[0] + 0.5
        )
        picture, valid = np.full((rows, columns, 3), 128, np.uint8), np.zeros((rows, columns), bool)
        # The map's pixels in the window, in both.
        a, b = max(0, row), min(above.shape[0], row + rows)
        c, d = max(0, column), min(above.shape[1], column + columns)
        picture[a - row : b - row, c - column : d - column] = above[a:b, c:d]
        valid[a - row : b - row, c - column : d - column] = shown[a:b, c:d]
        out.append(pack_sample(picture, valid, terrain_planes(truth, window), window, eye))
    return out


LEAST_SEEN = 0.1
"""Share of a base that must be in sight for a sample to show it."""


def tops_of(truth: Mapping[str, Any]) -> list[Array]:
    """The corners (n, 3) of the tops of a truth's bases that are in sight."""
    tops = []
    for unit in truth["units"]:
        for base in unit["bases"]:
            if base.get("visible_fraction", 1.0) < LEAST_SEEN:
                continue
            x, y = base.get("center") or base["centre"]
            if base["shape"] == "round":
                turn = np.arange(24) * 2 * np.pi / 24
                local = np.column_stack([np.sin(turn), np.cos(turn)]) * base.get("diameter", base.get("width")) / 2
            else:
                local = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [base["width"] / 2, base["depth"] / 2]
            angle = math.radians(base.get("facing_deg") or 0.0)
            c, s = math.cos(angle), math.sin(angle)
            flat = np.array([x, y]) + local @ np.array([[c, -s], [s, c]])
            tops.append(np.column_stack([flat, np.full(len(flat), base.get("z", 0.0) + base.get("thickness", 0.0))]))
    return tops


def whole_table(image: Image, truth: Mapping[str, Any]) -> Sample:
    """The sample of bases of an upright photograph (r, c, 3) BGR and its truth: the whole map that the product shows to
    the net, filled up to sides that the net takes."""
    view = view_of(truth, image.shape)
    size = float(truth["table"]["width"]), float(truth["table"]["depth"])
    scale = map_scale(size)
    ppi = scale.px_per_inch
    thick = [base.get("thickness", 0.0) for unit in truth["units"] for base in unit["bases"]]
    z = float(np.median(thick)) if thick else 0.0
    above = rectified_map(image, view, size, px_per_inch=ppi, z=z, margin_in=scale.margin_in)
    more = [(0, -n % MULTIPLE) for n in above.shape[:2]]
    picture = np.pad(above, (*more, (0, 0)), constant_values=128)
    valid = np.pad(visible_mask(view, scale, z), more)
    rows, columns = valid.shape
    corner = scale.table_from_pixel([[-0.5, rows - 0.5]])[0]
    window = Window(float(corner[0]), float(corner[1]), columns / ppi, rows / ppi, ppi)
    eye = (float(view.eye[0]), float(view.eye[1]), float(view.eye[2]))
    return pack_sample(picture, valid, base_planes(tops_of(truth), window, eye, z), window, eye)


def photos_in(paths: list[Path]) -> list[Path]:
    """The photographs with truth among files and folders."""
    every = [file for path in paths for file in (sorted(path.glob("*.jpg")) if path.is_dir() else [path])]
    return [file for file in every if file.with_suffix(".json").exists()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=(*WINDOWS, "bases"))
    parser.add_argument("photos", type=Path, nargs="+", metavar="PHOTOS")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    photos = photos_in(args.photos)
    if not photos:
        parser.error("None of these has a truth beside it: give NAME.jpg with NAME.json, or a folder of such.")
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    for path in photos:
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        if args.task != "bases" and not truth.get("terrain"):
            continue
        image = open_photo(path).image
        samples = [whole_table(image, truth)] if args.task == "bases" else samples_of(image, truth, args.task)
        for k, sample in enumerate(samples):
            with (args.out / f"{path.stem}-{k}.npz").open("wb") as file:
                np.savez(file, **sample)  # type: ignore[arg-type]
        print(path.stem)


if __name__ == "__main__":
    main()
