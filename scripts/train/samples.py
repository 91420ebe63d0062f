"""Make drawn samples for the nets, one file each, until stopped.

    python scripts/train/samples.py ground --out DIR --seed 1 --count 5000

Each is a table from above as a phone would show it (``image``), where there is table (``valid``), where the camera
stood (``foot`` in map pixels, ``height`` in inches) and what is where (``target``, bits). ``ground``: a window of 36 x
36 inches at 8 pixels per inch, one plane per kind of terrain and one for hill tops. ``sight``: the same, 24 x 24 inches
at 16 pixels per inch. ``bases``: 192 x 192 pixels at 11 to 17 per inch, planes for the tops of bases, their outlines
and their middles.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from synthetic.develop import develop, random_development, through_jpeg
from synthetic.layers import Layers, Window
from synthetic.look import Light, light_layers, plan_view
from synthetic.paint import paint, random_light
from synthetic.plan import TablePlan, random_plan
from synthetic.ways import glare
from vision.imaging.nets import GROUND_PPI
from vision.terrain.ground_nets import SIGHT_PPI

Image = npt.NDArray[np.uint8]
Array = npt.NDArray[np.float64]
Sample = dict[str, npt.NDArray[np.generic]]
WINDOWS = {"ground": (36.0, GROUND_PPI), "sight": (24.0, SIGHT_PPI)}  # sides in inches, pixels per inch
LOOKS = 2  # at each painted window
LAMP_AHEAD = 0.3  # of looks: glare hides what is wet, and it is the hard case
SIZES = ((36.0, 36.0), (36.0, 36.0), (48.0, 36.0), (48.0, 48.0), (72.0, 48.0), (60.0, 40.0))


def random_eye(rng: np.random.Generator, plan: TablePlan) -> tuple[float, float, float]:
    """A camera somewhere round the table, from low over its edge to straight above."""
    elevation = np.radians(rng.uniform(28, 89))
    reach = max(plan.width, plan.depth)
    distance = float(rng.uniform(0.75, 1.5)) * reach + 8.0
    azimuth = float(rng.uniform(0, 2 * np.pi))
    x = plan.width / 2 + np.cos(azimuth) * np.cos(elevation) * distance + rng.normal(0, 3)
    y = plan.depth / 2 + np.sin(azimuth) * np.cos(elevation) * distance + rng.normal(0, 3)
    return float(x), float(y), float(np.sin(elevation) * distance)


def looked_at(layers: Layers, eye: tuple[float, float, float], rng: np.random.Generator, step: float) -> Image:
    """The window as a phone's picture shows it from above."""
    light = random_light(rng)
    if rng.random() < LAMP_AHEAD:
        light = mirror_light(light, eye, layers.window, rng)
    ground, top, side = light_layers(layers, light, rng)
    ground = ground + glare(layers, eye, light, rng)[..., None]
    seen = plan_view(layers, (ground, top, side), eye, step)
    picture = develop(seen, random_development(rng), rng)
    return through_jpeg(picture, int(rng.integers(60, 97))) if rng.random() < 0.5 else picture


def mirror_light(light: Light, eye: tuple[float, float, float], window: Window, rng: np.random.Generator) -> Light:
    """The light from where somewhere in the window mirrors it into the eye: wet and glossy ground glares."""
    spot = np.array([window.x0, window.y0]) + rng.uniform(0, 1, 2) * [window.width, window.depth]
    beyond = np.append(spot - np.array(eye[:2]), eye[2])
    beyond = beyond / np.linalg.norm(beyond)
    return replace(light, towards=(float(beyond[0]), float(beyond[1]), float(max(beyond[2], 0.25))))


def terrain_samples(seed: int, side_in: float, ppi: float) -> list[Sample]:
    """Terrain: one painted window of a table, looked at from several places in different light."""
    rng = np.random.default_rng([seed, 1])
    plan = random_plan(rng, size=SIZES[int(rng.integers(len(SIZES)))])
    if rng.random() < 0.5:
        plan = replace(plan, units=plan.units[: int(rng.integers(6))])
    spare = np.array([max(0.0, plan.width - side_in), max(0.0, plan.depth - side_in)])
    corner = rng.uniform(0, 1, 2) * spare
    if rng.random() < 0.2:
        corner = corner + rng.uniform(-5, 5, 2)
    window = Window(float(corner[0]), float(corner[1]), side_in, side_in, ppi)
    layers, _ = paint(plan, window, int(rng.integers(2**31)))
    x, y = window.places()
    table = (x > 0) & (x < plan.width) & (y > 0) & (y < plan.depth)
    out = []
    for _ in range(LOOKS):
        eye = random_eye(rng, plan)
        valid = table
        if rng.random() < 0.15:
            # The picture's own edge cuts the table.
            angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(4, 16) * side_in / 36
            right, up = x - window.x0 - side_in / 2, y - window.y0 - side_in / 2
            valid = table & (right * np.cos(angle) + up * np.sin(angle) < offset)
        out.append(pack_sample(looked_at(layers, eye, rng, 0.15), valid, layers.kinds, window, eye))
    return out


def bases_samples(seed: int) -> list[Sample]:
    """Bases: one painted window, looked at from several places in different light."""
    rng = np.random.default_rng([seed, 2])
    plan = random_plan(rng)
    ppi = float(rng.uniform(11.0, 17.0))
    margin, side = round(2.5 * ppi) / ppi, 192 / ppi
    at = rng.uniform([3, 3], [plan.width - 3, plan.depth - 3])
    if plan.units and rng.random() < 0.85:
        unit = plan.units[int(rng.integers(len(plan.units)))]
        base = unit.bases[int(rng.integers(len(unit.bases)))]
        at = np.array([base.x, base.y]) + rng.uniform(-3.5, 3.5, 2)
    corner = at - side / 2 - margin
    wide = Window(float(corner[0]), float(corner[1]), side + 2 * margin, side + 2 * margin, ppi)
    layers, tops = paint(plan, wide, int(rng.integers(2**31)))
    cut = round(margin * ppi)
    inner = slice(cut, -cut)
    window = Window(wide.x0 + margin, wide.y0 + margin, side, side, ppi)
    x, y = window.places()
    valid = (x > -0.5) & (x < plan.width + 0.5) & (y > -0.5) & (y < plan.depth + 0.5)
    out = []
    for _ in range(LOOKS):
        eye = random_eye(rng, plan)
        image = looked_at(layers, eye, rng, 0.1)[inner, inner]
        target = base_planes([base.top for base in tops], wide, eye)[:, inner, inner]
        out.append(pack_sample(np.ascontiguousarray(image), valid, target, window, eye))
    return out


def base_planes(
    tops: list[Array], window: Window, eye: tuple[float, float, float], z: float = 0.0
) -> npt.NDArray[np.bool_]:
    """Where the map of the plane at height ``z`` shows ``tops`` of bases, corners (n, 3) each, their outlines (a tenth
    of an inch wide) and their middles."""
    rows, columns = window.shape
    top, edge, middle = (np.zeros((rows, columns), np.uint8) for _ in range(3))
    for top_at in tops:
        up = 1.0 / (1.0 - (top_at[:, 2] - z) / (eye[2] - z))
        seen = np.array(eye[:2]) + (top_at[:, :2] - eye[:2]) * up[:, None]
        pixels = window.pixels(seen)
        heart = pixels.mean(axis=0) + 0.45 * (pixels - pixels.mean(axis=0))
        outline = np.round(pixels * 16).astype(np.int32)
        cv2.fillPoly(top, [outline], 1, shift=4)
        cv2.polylines(edge, [outline], True, 1, thickness=2, shift=4)
        cv2.fillPoly(middle, [np.round(heart * 16).astype(np.int32)], 1, shift=4)
    return np.stack([top, edge, middle]).astype(bool)


def pack_sample(
    image: Image,
    valid: npt.NDArray[np.bool_],
    target: npt.NDArray[np.bool_],
    window: Window,
    eye: tuple[float, float, float],
) -> Sample:
    image = np.where(valid[..., None], image, np.uint8(128)).astype(np.uint8)
    return {
        "image": image,
        "valid": np.packbits(valid, axis=-1),
        "target": np.packbits(target & valid, axis=-1),
        "foot": window.pixels([[eye[0], eye[1]]])[0],
        "height": np.array(eye[2]),
        "ppi": np.array(window.ppi),
    }


def samples_for(task: str, seed: int) -> list[Sample]:
    """A seed's samples for a task: "ground", "sight" or "bases"."""
    return bases_samples(seed) if task == "bases" else terrain_samples(seed, *WINDOWS[task])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=(*WINDOWS, "bases"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10000)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    for k in range(args.count):
        seed = args.seed * 1_000_000 + k
        if (args.out / f"{seed:010d}-0.npz").exists():
            continue
        for look, sample in enumerate(samples_for(args.task, seed)):
            path = args.out / f"{seed:010d}-{look}.npz"
            part = path.with_suffix(".part")
            with part.open("wb") as file:
                np.savez(file, **sample)  # type: ignore[arg-type]
            part.replace(path)


if __name__ == "__main__":
    main()
