"""Samples from which the two dice nets learn: dice of every make painted into photographs of drawn tables.

    python scripts/draw_tables.py --out tables --count 60 --seed 40000
    python scripts/train/dice_samples.py tables --out samples/dice --rounds 2

Each photograph gives one file: its map with the places of dice, and squares with what is in them. Places that a die
hides in part count as a die of unknown number.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from dice_models import (
    DIGITS,
    Array,
    Image,
    Lamp,
    Solid,
    die_of,
    paint_print,
    paint_sheet,
    paint_solid,
    paint_tray,
    random_block,
    random_lamp,
    random_make,
)

from calibration import TableView
from calibration.camera import Camera
from calibration.frame import FrameLayout
from vision.imaging.nets import Runner
from vision.imaging.photo import open_photo
from vision.model.expected import Expected
from vision.small_objects.beside_units import TablePlan
from vision.small_objects.dice_nets import lean_at, likely_places, square_axes, squares

USUAL_IN, ROUND = 1.2, 2.2  # width of a first square in inches, of a second one in sides of the die
_TOP_IN = 0.5  # height at which a first square is placed
UNKNOWN = DIGITS


@dataclass
class Truth:
    """A die or block, ``label`` as in :class:`dice_models.Solid`, with the middle of its upper face at ``top`` (3,),
    its ``side`` in inches; ``shown``: how much of that face is seen."""

    top: Array
    side: float
    label: int
    shown: float


def paint_dice(
    image: Image, view: TableView, truth: dict[str, Any], rng: np.random.Generator, count: int
) -> tuple[Image, list[Truth], Array]:
    """A photograph with ``count`` more dice and blocks, everything like a die that it then shows, and other points
    (n, 3) that may be taken for dice: numbers of rulers, windows, prints."""
    image = image.copy()
    before = [
        Truth(np.array([*d["centre"], d["z"] + d["size"]]), d["size"], d["value"], d.get("visible", -1.0))
        for d in truth["dice"]
    ]
    width, depth = truth["table"]["width"], truth["table"]["depth"]
    bases = np.array([b["centre"] for u in truth["units"] for b in u["bases"]]).reshape(-1, 2)
    spots = [np.array(p["polygon"]) for p in truth["terrain"]]
    lamp = random_lamp(rng)
    odd: list[Array] = []
    trays: list[Array] = []
    for k in range(count // 4):
        x, y = rng.uniform([1, 1], [width - 1, depth - 1])
        standing = np.array([t.top[:2] for t in before]).reshape(-1, 2)
        if k % 5 == 4:
            tray = paint_tray(image, view, lamp, rng, float(x), float(y))
            if len(tray):
                trays.append(tray)
                before = [t for t in before if np.linalg.norm(t.top[:2] - [x, y]) > 8]
        elif not len(standing) or np.linalg.norm(standing - [x, y], axis=1).min() > 5:
            paint = paint_sheet if k % 3 == 0 else paint_print
            odd.append(paint(image, view, random_lamp(rng), rng, float(x), float(y)))
    solids = _lay_out(rng, count, (width, depth), bases, spots, trays, [t.top[:2] for t in before])
    solids.sort(key=lambda solid: -float(np.linalg.norm(view.eye[:2] - solid.place[:2])))  # what is near hides the rest
    owner = np.full(image.shape[:2], -1, np.int32)
    made: list[tuple[Truth, npt.NDArray[np.int64], float]] = []
    for k, solid in enumerate(solids):
        lamp = random_lamp(rng) if k % 5 == 0 else lamp
        pixels = paint_solid(image, view, solid, lamp, rng)
        if pixels is None:
            continue
        owner[tuple(pixels.T)] = len(made)
        part = _hide_die(image, view, solid, lamp, rng) if rng.random() < 0.18 else 1.0
        made.append((Truth(solid.top, max(solid.size[:2]), solid.label, part), _face_pixels(view, solid, pixels), part))
    things = list(before)
    for k, (thing, face, part) in enumerate(made):
        there = float((owner[tuple(face.T)] == k).mean()) if len(face) else 1.0
        things.append(replace(thing, shown=part * there))
    return image, things, np.concatenate([np.zeros((0, 3)), *odd])


def _lay_out(
    rng: np.random.Generator,
    count: int,
    size: tuple[float, float],
    bases: Array,
    spots: list[Array],
    trays: list[Array],
    taken: list[Array],
) -> list[Solid]:
    """Dice and blocks on a table (width, depth): alone, beside one another, many of one set on trays."""
    sets = [random_make(rng) for _ in range(4)]
    solids: list[Solid] = []
    for _ in range(count):
        style = rng.random()
        make = sets[int(rng.integers(len(sets)))] if rng.random() < 0.35 else random_make(rng)
        x, y = _spot(rng, *size, bases, spots)
        close, turn = 1.0, None
        if solids and style < 0.25:
            beside = solids[-1]
            if rng.random() < 0.6:
                make = sets[0] if rng.random() < 0.5 else make
            angle, apart = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(1.1, 1.6))
            if rng.random() < 0.4:  # side by side
                turn, apart = beside.turn_rad, float(rng.uniform(1.0, 1.15))
                angle = turn + int(rng.integers(4)) * np.pi / 2
            apart *= (beside.size[0] + make.size_in) / 2
            x, y = np.array(beside.place[:2]) + apart * np.array([np.cos(angle), np.sin(angle)])
            close = apart - 0.01
        elif trays and style < 0.6:
            corners = trays[int(rng.integers(len(trays)))]
            a, b = rng.uniform(0.08, 0.92, 2)
            x, y = corners[0] + a * (corners[1] - corners[0]) + b * (corners[3] - corners[0])
            close = 0.9
        at = np.array([x, y])
        others = np.array([*taken, *(np.array(solid.place[:2]) for solid in solids)]).reshape(-1, 2)
        if np.any(at < 0.4) or np.any(at > np.array(size) - 0.4) or np.any(np.linalg.norm(others - at, axis=1) < close):
            continue
        place = float(x), float(y), 0.0
        solid = die_of(make, rng, *place) if rng.random() < 0.8 else random_block(rng, *place)
        solids.append(solid if turn is None else replace(solid, turn_rad=turn))
    return solids


def _face_pixels(view: TableView, solid: Solid, pixels: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Those of a solid's pixels (n, 2) of row and column that show its upper face."""
    c, s = np.cos(solid.turn_rad), np.sin(solid.turn_rad)
    half = 0.85 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(solid.size[:2]) / 2
    corners = view.pixel_from_table(np.column_stack([half @ np.array([[c, s], [-s, c]]), np.zeros(4)]) + solid.top)
    edge = np.roll(corners, -1, axis=0) - corners
    off = pixels[:, None, ::-1] - corners[None]
    side = edge[:, 0] * off[..., 1] - edge[:, 1] * off[..., 0]
    return pixels[np.all(side >= 0, axis=1) | np.all(side <= 0, axis=1)]


def _spot(rng: np.random.Generator, width: float, depth: float, bases: Array, spots: list[Array]) -> Array:
    style = rng.random()
    if style < 0.3 and len(bases):
        return np.asarray(bases[int(rng.integers(len(bases)))] + rng.normal(0, 1.8, 2))
    if style < 0.5 and spots:
        outline = spots[int(rng.integers(len(spots)))]
        return np.asarray(rng.uniform(outline.min(axis=0), outline.max(axis=0)))
    return np.asarray(rng.uniform([0.0, 0.0], [width, depth]))


def _hide_die(image: Image, view: TableView, solid: Solid, lamp: Lamp, rng: np.random.Generator) -> float:
    """Cover part of a die with a piece of the picture from elsewhere; how much of its upper face is still seen."""
    c, s = np.cos(solid.turn_rad), np.sin(solid.turn_rad)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(solid.size[:2]) / 2
    face = half @ np.array([[c, s], [-s, c]])
    face_px = view.pixel_from_table(np.column_stack([face, np.zeros(4)]) + solid.top)
    middle, reach = face_px.mean(axis=0), float(np.ptp(face_px, axis=0).max())
    n = int(2.4 * reach)
    left, upper = int(middle[0] - n / 2), int(middle[1] - n / 2)
    other_left, other_upper = rng.integers([max(1, image.shape[1] - n), max(1, image.shape[0] - n)])
    if min(left, upper) < 0 or left + n > image.shape[1] or upper + n > image.shape[0]:
        return 1.0
    away = rng.uniform(0, 2 * np.pi)
    axis = np.array([np.cos(away), np.sin(away)])
    y, x = np.mgrid[:n, :n] - n / 2
    side = axis[0] * x + axis[1] * y - rng.uniform(-0.1, 0.55) * reach
    if rng.random() < 0.5:  # a round edge instead of a straight one
        ball = rng.uniform(0.5, 1.2) * reach
        from_ball = np.hypot(x - axis[0] * (ball + 0.3 * reach), y - axis[1] * (ball + 0.3 * reach))
        side = ball - from_ball + rng.uniform(-0.2, 0.2) * reach
    share = np.clip(side + 0.5, 0, 1)
    there = image[other_upper : other_upper + n, other_left : other_left + n].astype(np.float32)
    part = image[upper : upper + n, left : left + n]
    part[:] = (part + share[..., None] * (there - part)).astype(np.uint8)
    mask = np.zeros((n, n), np.uint8)
    cv2.fillConvexPoly(mask, np.round(face_px - [left, upper]).astype(np.int32), 1)
    return float((mask * (1 - share)).sum() / max(1, mask.sum()))


def _label(truth: Truth) -> int:
    """A square's answer: 0 no die, 1 to 6, a symbol, ``UNKNOWN`` a die with an invisible number, -1 leave it out."""
    if truth.label == 0:
        return 0
    if truth.shown < 0:
        return -1
    if truth.shown > 0.9:
        return truth.label
    return UNKNOWN if truth.shown > 0.35 else -1


def reader_samples(
    plan: TablePlan,
    things: list[Truth],
    rng: np.random.Generator,
    empty: int,
    like: Array,
    finder: Runner | None,
) -> tuple[npt.NDArray[np.uint8], Array, Array, npt.NDArray[np.int64]]:
    """Squares (n, px, px, 3), their lean (n,), the face's offset and side in widths (n, 3), and labels (n,)."""
    at: list[Array] = []
    wide: list[float] = []
    labels: list[int] = []
    goal: list[tuple[Array, float]] = []

    def add(place: Array, width: float, label: int, truth: Truth | None) -> None:
        at.append(place)
        wide.append(width)
        labels.append(label)
        goal.append((np.zeros(3), 0.0) if truth is None else (truth.top, truth.side))

    def see_face(truth: Truth, z: float) -> Array:
        """Where the camera sees the face's middle on the plane at ``z``."""
        e = plan.eye
        return np.array([*(e[:2] + (truth.top[:2] - e[:2]) * (e[2] - z) / (e[2] - truth.top[2])), z])

    for thing in things:
        label = _label(thing)
        if label < 0:
            continue
        for k in range(4 if label else 2):
            if k % 2:
                z = thing.side * float(np.exp(rng.normal(0, 0.12)))
                shift = np.append(rng.normal(0, 0.05 * thing.side, 2), 0)
                add(see_face(thing, z) + shift, ROUND * thing.side * float(np.exp(rng.normal(0, 0.09))), label, thing)
            else:
                reach, angle = 0.2 * np.sqrt(rng.random()), rng.uniform(0, 2 * np.pi)
                shift = np.array([reach * np.cos(angle), reach * np.sin(angle), 0])
                add(see_face(thing, _TOP_IN) + shift, USUAL_IN, label, thing)
        if rng.random() < 0.7:
            reach, angle = rng.uniform(0.42, 0.8), rng.uniform(0, 2 * np.pi)
            place = see_face(thing, _TOP_IN) + np.array([reach * np.cos(angle), reach * np.sin(angle), 0.0])
            if _free(plan, place, things, 0.4):
                add(place, USUAL_IN if rng.random() < 0.5 else ROUND * float(rng.uniform(0.3, 0.75)), 0, None)
    odd = _odd_places(plan)
    like = plan.at_height(plan.on_map(like), _TOP_IN)
    wrong = likely_places(plan, 0.03, 100, finder)[0] if finder is not None else odd
    size = [plan.expected.width, plan.expected.depth]
    for k in range(empty):
        among = (np.zeros((0, 2)), odd, wrong, like, like)[k % 5]
        flat = among[int(rng.integers(len(among)))] if len(among) else rng.uniform([0, 0], size)
        place = np.array([*flat, _TOP_IN])
        if _free(plan, place, things, 0.6):
            add(place, USUAL_IN if rng.random() < 0.6 else ROUND * float(rng.uniform(0.3, 0.75)), 0, None)
    places, width = np.array(at), np.array(wide)
    keep = np.array([bool(np.all((p[:2] > 0) & (p[:2] < size))) for p in places])
    places, width = places[keep], width[keep]
    rows = np.flatnonzero(keep)
    right, up = square_axes(plan, places)
    aim = np.zeros((len(rows), 3))
    for k, row in enumerate(rows):
        top, side = goal[row]
        if side:
            e, z = plan.eye, places[k, 2]
            shown = e[:2] + (top[:2] - e[:2]) * (e[2] - z) / (e[2] - top[2]) - places[k, :2]
            grown = (e[2] - z) / (e[2] - top[2])
            aim[k] = shown @ right[k] / width[k], shown @ up[k] / width[k], side * grown / width[k]
    pictures = np.array(squares(plan, places, width), np.uint8)
    return pictures, lean_at(plan, places), aim, np.array(labels)[rows]


def _free(plan: TablePlan, place: Array, things: list[Truth], room: float) -> bool:
    tops = np.array([t.top for t in things if t.label])
    if not len(tops):
        return True
    e, z = plan.eye, place[2]
    seen = e[:2] + (tops[:, :2] - e[:2]) * ((e[2] - z) / (e[2] - tops[:, 2]))[:, None]
    return bool(np.linalg.norm(seen - place[:2], axis=1).min() > room)


def _odd_places(plan: TablePlan) -> Array:
    """Points (n, 2) of the map with a colour that differs from their surroundings."""
    blur = cv2.GaussianBlur(plan.colors, (0, 0), plan.scale.px_per_inch * 0.12)
    wide = cv2.GaussianBlur(plan.colors, (0, 0), plan.scale.px_per_inch * 0.5)
    apart = np.sqrt(((blur - wide) ** 2).sum(axis=-1))
    near = np.ones((plan.odd(0.6),) * 2, np.uint8)
    row, column = np.nonzero((apart > 0.25) & (apart == cv2.dilate(apart, near)))
    return plan.scale.table_from_pixel(np.column_stack([column, row]))


def sample(path: Path, seed: int, finder: Runner | None = None) -> dict[str, npt.NDArray[Any]]:
    """One photograph's samples."""
    rng = np.random.default_rng(seed)
    photo = open_photo(path)
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    expected = Expected(truth["table"]["width"], truth["table"]["depth"], FrameLayout("", 0.0, ()))
    camera = truth["camera"]
    K = np.array(camera["K"])
    parameters = np.array([K[0, 0], K[1, 1], K[0, 2], K[1, 2], *camera["distortion"]])
    view = TableView(
        camera=Camera.from_parameters(parameters, photo.size), R=np.array(camera["R"]), t=np.array(camera["t"])
    )
    image, things, like = paint_dice(photo.image, view, truth, rng, 60)
    plan = TablePlan(replace(photo, image=image), view, expected)
    pictures, lean, aim, labels = reader_samples(plan, things, rng, 120, like, finder)
    dice = [t for t in things if t.label]
    tops = np.array([t.top for t in dice]).reshape(-1, 3)
    return {
        "map": plan.map,
        "eye": np.append(plan.scale.pixel_from_table(plan.eye[None, :2])[0], plan.eye[2] - plan.z),
        "ppi": np.array(plan.scale.px_per_inch),
        "dice": np.column_stack([plan.scale.pixel_from_table(plan.on_map(tops)), [t.shown for t in dice]]),
        "pictures": pictures,
        "lean": lean,
        "aim": aim,
        "labels": labels,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path, nargs="+", help="folders of drawn photographs with truth")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=1, help="how often each photograph is used (default 1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--finder", type=Path, help="an earlier finder: its mistakes become samples")
    args = parser.parse_args()
    finder = None if args.finder is None else Runner(args.finder.read_bytes())
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    photos = sorted(path for folder in args.tables for path in folder.glob("*.jpg"))
    for k in range(args.rounds):
        order = np.random.default_rng([args.seed, k]).permutation(len(photos))
        for row in order.tolist():
            name = f"{args.seed:03d}-{k:02d}-{row:04d}"
            part = args.out / f"{name}.part"
            with part.open("wb") as file:
                seed = args.seed * 100_000 + k * 10_000 + row
                np.savez(file, **sample(photos[row], seed, finder))  # type: ignore[arg-type]
            part.replace(args.out / f"{name}.npz")


if __name__ == "__main__":
    main()
