"""The two small nets that look for dice and read them, and their inputs.

The finder sees the whole map of the table (:class:`vision.small_objects.beside_units.TablePlan`) and returns where the
middle of a die's upper face may be. The reader sees one small square of the photo, levelled at the height of such a
face and turned so that its upper edge is away from the camera, and returns its content: no die, a die's number or a
symbol in the place of one, where its upper face is in the square and how large it is. Both see colours relative to the
surroundings, in stops, and how flatly the camera looks. Both were trained on drawn pictures alone;
``docs/dice.md`` says how.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from scipy.special import softmax

from vision.imaging.nets import Runner, lean_of, weights
from vision.imaging.rims import Array, Float32, Image
from vision.small_objects.beside_units import TablePlan, colors_of

CELL_PX = 4
"""Map pixels between the finder's answers."""
SIDE_PX = 48
"""The reader's squares are that wide."""
_MOST_LEAN = 2.5


@dataclass(frozen=True, eq=False)
class Looks:
    """The reader's output for some squares: ``chance`` (n, 8) of no die, of 1 to 6 and of a die with an upper face of
    a symbol in the place of its six or its one; ``offset`` (n, 2) of the upper face's middle from the square's, to the
    right and upwards, and its ``side`` (n,), both in widths of the square."""

    chance: Array
    offset: Array
    side: Array


def map_input(colors: Float32, foot_px: Array, eye_height_in: float, px_per_inch: float) -> Float32:
    """The finder's input (5, rows, columns) from a map's colours (rows, columns, 3): these against their median,
    and how far things lean right and down in the map.

    ``foot_px``: the map pixel straight under the camera.
    """
    rows, columns = colors.shape[:2]
    out = np.empty((5, rows, columns), np.float32)
    middle = np.median(colors[::5, ::5].reshape(-1, 3), axis=0)
    for k in range(3):
        np.subtract(colors[..., k], np.float32(middle[k]), out=out[k])
    np.clip(out[:3], -2.5, 2.5, out=out[:3])
    foot = float(foot_px[0]), float(foot_px[1])
    out[3], out[4] = lean_of(columns, rows, foot, eye_height_in, px_per_inch)
    np.clip(out[3:], -_MOST_LEAN, _MOST_LEAN, out=out[3:])
    return out


def squares(plan: TablePlan, places: Array, width_in: Array) -> list[Image]:
    """The photo in level squares round points (n, 3), each ``width_in`` (n,) wide, their upper edges away from the
    camera."""
    out = places[:, :2] - plan.eye[:2]
    turn = np.degrees(np.arctan2(out[:, 1], out[:, 0])) - 90.0
    return plan.patches(places, width_in, turn, SIDE_PX)


def square_axes(plan: TablePlan, places: Array) -> tuple[Array, Array]:
    """The directions (n, 2) on the table of the squares' rightward and upward sides."""
    out = places[:, :2] - plan.eye[:2]
    up = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    return np.column_stack([up[:, 1], -up[:, 0]]), up


def lean_at(plan: TablePlan, places: Array) -> Array:
    """How far (n,) things lean away from the camera at points (n, 3), in inches per inch of height."""
    flat = np.linalg.norm(places[:, :2] - plan.eye[:2], axis=1)
    return np.asarray(np.minimum(flat / np.maximum(plan.eye[2] - places[:, 2], 1.0), _MOST_LEAN))


def reader_input(pictures: list[Image] | Image, lean: Array) -> Float32:
    """The reader's input (n, 4, SIDE_PX, SIDE_PX) for squares, seen with some lean (n,)."""
    n = len(pictures)
    out = np.empty((n, 4, SIDE_PX, SIDE_PX), np.float32)
    colors = colors_of(np.ascontiguousarray(pictures, dtype=np.uint8).reshape(n * SIDE_PX, SIDE_PX, 3))
    colors = colors.reshape(n, SIDE_PX * SIDE_PX, 3)
    colors = colors - np.median(colors[:, ::3], axis=1, keepdims=True)
    out[:, :3] = np.moveaxis(colors.reshape(n, SIDE_PX, SIDE_PX, 3), 3, 1)
    np.clip(out[:, :3], -3.0, 3.0, out=out[:, :3])
    out[:, 3] = np.asarray(lean, np.float32)[:, None, None]
    return out


def likely_places(plan: TablePlan, least: float, most: int, finder: Runner | None = None) -> tuple[Array, Array]:
    """Points (n, 2) of the map's plane where the finder (the product's own, unless another one is given) sees a die's
    upper face, the most likely first, and how sure it is of each (n,)."""
    foot = plan.scale.pixel_from_table(plan.eye[None, :2])[0]
    shown = map_input(plan.colors, foot, float(plan.eye[2] - plan.z), plan.scale.px_per_inch)
    rows, columns = shown.shape[1:]
    tall, wide = -(-rows // CELL_PX) * CELL_PX, -(-columns // CELL_PX) * CELL_PX
    whole = np.zeros((1, 5, tall, wide), np.float32)
    whole[0, :, :rows, :columns] = shown
    share = (finder or _net("dice_places"))(whole)[0, 0]
    peak = share == cv2.dilate(share, np.ones((3, 3), np.uint8))
    row, column = np.nonzero(peak & (share >= least))
    order = np.argsort(-share[row, column], kind="stable")[:most]
    row, column = row[order], column[order]
    pixels = np.column_stack([column, row]) * CELL_PX + (CELL_PX - 1) / 2
    return plan.scale.table_from_pixel(pixels), np.asarray(share[row, column], np.float64)


def looks(pictures: list[Image], lean: Array, *, twice: bool = True) -> Looks:
    """The reader's output for squares; ``twice``: the mean with their mirror images, which is more certain."""
    n = len(pictures)
    if not n:
        return Looks(np.zeros((0, 8)), np.zeros((0, 2)), np.zeros(0))
    shown = reader_input(pictures, lean)
    said = np.asarray(_net("dice")(np.concatenate([shown, shown[..., ::-1]]) if twice else shown), np.float64)
    if twice:
        said[n:, -3] *= -1
        said = (said[:n] + said[n:]) / 2
    chance = np.zeros((n, 8))  # a reader that never learnt symbols has no level for them
    chance[:, : said.shape[1] - 3] = softmax(said[:, :-3], axis=1)
    return Looks(chance, said[:, -3:-1], np.exp(said[:, -1]))


def load_dice_nets() -> None:
    """Load the nets that come with the product, so that the first photo need not."""
    for name in ("dice_places", "dice"):
        _net(name)


@lru_cache(maxsize=2)
def _net(name: str) -> Runner:
    return Runner(weights(name))
