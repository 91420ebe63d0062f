"""Dice on the table: where they are and what they show.

One small net searches the whole table for possible dice, another one reads the photo there: first in a square of
usual size, then in squares placed on the upper face that it found (:mod:`vision.small_objects.dice_nets`). The net's
output is turned into chances that hold on other tables (:mod:`vision.model.calibrated`, docs/chances.md): it is far too
sure that something is a die. A number is reported only if all squares together leave hardly a doubt; else the die is
reported without a number and needs confirmation.

Many dice bear a symbol in the place of their six, some in that of their one. Such a face shows no number:
the players' statement counts (:attr:`vision.model.expected.Expected.dice_symbol`), else it is a six, as on most such
dice. It needs confirmation where another die of the same look shows a six in pips: then one of them has its symbol
elsewhere.

A die's picture on a card or a mat is flat: where the camera would see the sides of a cube it sees the surroundings.
Such faces are left out, unless the surroundings have the colours of the face itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from scipy.special import softmax

from geometry import Bases
from vision.imaging.rims import Array
from vision.model.calibrated import Beta
from vision.small_objects.beside_units import TablePlan, colors_of
from vision.small_objects.dice_nets import lean_at, likely_places, looks, square_axes, squares

# Where the near sides of a die are looked at (heights, distance from its middle) and the ground about it, in its sides.
_LEVELS, _SIDE, _ABOUT = np.array([0.2, 0.35, 0.5, 0.65, 0.8]), np.array([0.5, 0.5, 1.0]), (0.85, 1.0)
_HUE_BEFORE_LIGHT = np.array([1.0, 1.0, 0.4])


@dataclass(frozen=True)
class DiceConfig:
    """Lengths in inches. ``least``: least chance at which the finder's places count, at most ``most`` of them;
    ``usual_in``: width of a first square, ``usual_top_in``: height at which it is placed; ``rounds``: widths of later
    squares in sides of the die; ``smallest_in``, ``largest_in``: side of a die. ``worth``: the net's least output for a
    die at which a place gets a closer look. ``die``, ``number``: maps the net's output for a die, and for the most
    likely number, to the chance that one is there, and that it shows that; ``open``: least chance of a die at which an
    unreadable number needs confirmation; ``told``: least chance at which a number is reported; ``six``: the net's
    output for a six that surely has six pips. ``apart``: dice are at least that far apart, in sides; ``on_base_in``: a
    die that far within a base's edge is on it; ``figure_in``: height up to which figures on bases hide things behind
    them. ``same_hue``, ``same_light``: dice with upper faces that differ by at most that, in stops, look alike.
    ``flat``: a face is flat where that share of a die's near sides looks more like the ground about it than like the
    face, and practically the same as the ground (``same_ground``, in stops); ``own_hue``, ``own_shade``: ground that
    differs from the face by at most so much in hue, and is at most so much darker or lighter, may be another die of
    its colour, in stops; ``own_share``: with more such ground than this, a face is not called flat."""

    least: float = 0.04
    most: int = 40
    usual_in: float = 1.2
    usual_top_in: float = 0.5
    rounds: tuple[float, ...] = (2.0, 2.4)
    smallest_in: float = 0.26
    largest_in: float = 0.85
    worth: float = 0.15
    die: Beta = field(default_factory=lambda: Beta(0.86, 1.09, -3.86))
    number: Beta = field(default_factory=lambda: Beta(0.79, 1.41, -2.15))
    open: float = 0.5
    told: float = 0.98
    six: float = 0.9
    apart: float = 0.7
    on_base_in: float = 0.1
    figure_in: float = 1.3
    same_hue: float = 0.5
    same_light: float = 1.0
    flat: float = 0.35
    same_ground: float = 0.1
    own_hue: float = 0.3
    own_shade: tuple[float, float] = (2.0, 0.7)
    own_share: float = 0.6


@dataclass(frozen=True, eq=False)
class Dice:
    """Dice of one photo. ``center`` (n, 2) inches, the middle of the die; ``value`` (n,) 1 to 6, 0 if unreadable;
    ``side_in`` (n,); ``z`` (n,) the surface that it is on; ``confidence`` (n,) 0 to 1, of the value if it was read,
    else of there being a die; ``chances`` (n, 6) of each value if unreadable, else 0; ``symbol`` (n,) whether its upper
    face bears a symbol; ``asked`` (n,) where the symbol's meaning is unknown, a number from 0 that dice of one look
    share, else -1."""

    center: Array
    value: npt.NDArray[np.int64]
    side_in: Array
    z: Array
    confidence: Array
    chances: Array | None = None
    symbol: npt.NDArray[np.bool_] | None = None
    asked: npt.NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        n = len(self.center)
        for name, usual in (("chances", np.zeros((n, 6))), ("symbol", np.zeros(n, bool)), ("asked", np.full(n, -1))):
            if getattr(self, name) is None:
                object.__setattr__(self, name, usual)
        shapes = {"center": (n, 2), "value": (n,), "side_in": (n,), "z": (n,), "confidence": (n,), "chances": (n, 6),
                  "symbol": (n,), "asked": (n,)}  # fmt: skip
        types: dict[str, type] = {"value": np.int64, "asked": np.int64, "symbol": np.bool_}
        for name, shape in shapes.items():
            array: npt.NDArray[Any] = np.asarray(getattr(self, name), dtype=types.get(name, np.float64))
            if array.shape != shape:
                raise ValueError(f"Dice.{name} has shape {array.shape}, expected {shape}.")
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.value)

    @classmethod
    def empty(cls) -> Dice:
        """No dice."""
        none = np.zeros(0)
        return cls(np.zeros((0, 2)), np.zeros(0, np.int64), none, none, none)


@dataclass(frozen=True, eq=False)
class _Faces:
    """Upper faces: ``top`` (n, 3) their middles, ``side`` (n,) inches, ``z`` (n,) of the surface under them, ``chance``
    (n, 8) of no die, of 1 to 6 and of a symbol."""

    top: Array
    side: Array
    z: Array
    chance: Array

    def __getitem__(self, rows: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> _Faces:
        return _Faces(self.top[rows], self.side[rows], self.z[rows], self.chance[rows])


def find_dice(plan: TablePlan, bases: Bases, config: DiceConfig | None = None) -> Dice:
    """Six-sided dice with pips, or a symbol in the place of the six or the one, on the table and off the bases;
    an unclear value is 0, and a face without one that may be part of a figure on a base before it is left out.

    Dice that are hidden by a third or more, and dice on top of another, are mostly not found.
    """
    config = config or DiceConfig()
    places, _ = likely_places(plan, config.least, config.most)
    rows, columns = (np.rint(plan.scale.pixel_from_table(places)[:, ::-1]).astype(int)).T
    last_row, last_column = plan.printed_mask.shape[0] - 1, plan.printed_mask.shape[1] - 1
    places = places[~plan.printed_mask[rows.clip(0, last_row), columns.clip(0, last_column)]]
    faces = _first_look(plan, places, config)
    faces = _each_once(faces[(faces.chance[:, 0] <= 1 - config.worth) & _have_die_size(faces, config)], config)
    faces = _each_once(_closer(plan, faces, config), config)
    size = np.array([plan.expected.width, plan.expected.depth])
    there = (config.die.chance(1 - faces.chance[:, 0]) >= config.open) & _have_die_size(faces, config)
    there &= np.all((faces.top[:, :2] >= 0) & (faces.top[:, :2] <= size), axis=1)
    there &= ~_on_bases(faces.top[:, :2], bases, config.on_base_in)
    faces = faces[there]
    faces = faces[~_are_flat(plan, faces, config)]
    symbol = faces.chance[:, 7] >= faces.chance[:, 1:7].max(axis=1, initial=0.0)
    chance, asked = _numbers(faces, symbol, _looks_of(plan, faces), plan.expected.dice_symbol, config)
    best, number = chance.max(axis=1, initial=0.0), chance.argmax(axis=1) + 1
    sure = config.number.chance(best)
    told = sure >= config.told
    kept = told | (asked >= 0) | ~_may_be_figures(plan, faces, bases, config)
    faces, told = faces[kept], told[kept]
    shares = chance / chance.sum(axis=1, keepdims=True)
    return Dice(
        faces.top[:, :2],
        np.where(told, number[kept], 0),
        faces.side,
        faces.z,
        np.where(told, sure[kept], config.die.chance(1 - faces.chance[:, 0])),
        np.where(told[:, None], 0.0, shares[kept]),
        symbol[kept],
        asked[kept],
    )


def _may_be_figures(plan: TablePlan, faces: _Faces, bases: Bases, config: DiceConfig) -> npt.NDArray[np.bool_]:
    """Whether the camera sees each of the faces (n,) over a base, so low that a figure on it may be what is seen."""
    heights = np.linspace(0.25, 1.0, 4) * config.figure_in
    seen = [plan.at_height(faces.top[:, :2], height, faces.top[:, 2]) for height in heights]
    return np.any([_on_bases(at, bases, config.on_base_in) for at in seen], axis=0)


def _are_flat(plan: TablePlan, faces: _Faces, config: DiceConfig) -> npt.NDArray[np.bool_]:
    """Whether faces (n,) are flat: where the near sides of cubes under them would be seen, the ground continues."""
    if not len(faces.side):
        return np.zeros(0, dtype=bool)
    right, up = square_axes(plan, faces.top)
    angle = np.radians(np.linspace(-45, 45, 7))
    near = np.column_stack([np.repeat(np.sin(angle), 5), np.repeat(-np.cos(angle), 5), np.tile(_LEVELS, 7)]) * _SIDE
    angle = np.radians(np.linspace(-110, 110, 13))
    about = np.concatenate([np.column_stack([r * np.sin(angle), -r * np.cos(angle), 0 * angle]) for r in _ABOUT])
    x, y = (g.ravel() for g in np.meshgrid(*[np.linspace(-0.4, 0.4, 7)] * 2))
    over = np.column_stack([x, y, np.ones(len(x))])
    flat = []
    for row, side in enumerate(faces.side):
        foot = np.append(faces.top[row, :2], faces.z[row])
        axes = np.stack([np.append(right[row], 0.0), np.append(up[row], 0.0), [0.0, 0.0, 1.0]])
        side_colors, ground, face = (_colors_at(plan, foot + side * part @ axes) for part in (near, about, over))
        body = np.median(face, axis=0)
        own = np.abs(ground[:, :2] - body[:2]).max(axis=1) < config.own_hue
        own &= (ground[:, 2] - body[2] > -config.own_shade[0]) & (ground[:, 2] - body[2] < config.own_shade[1])
        if own.mean() > config.own_share:
            flat.append(False)
            continue
        to_ground = _color_gaps(side_colors, ground[~own])
        goes_on = (to_ground < _color_gaps(side_colors, face)) & (to_ground < config.same_ground)
        flat.append(bool(goes_on.mean() >= config.flat))
    return np.array(flat)


def _colors_at(plan: TablePlan, points: Array) -> Array:
    """The photo's colours (n, 3) at table points (n, 3)."""
    pixels = plan.view.pixel_from_table(points).astype(np.float32)
    x, y = (np.ascontiguousarray(pixels[None, :, k]) for k in (0, 1))
    seen = cv2.remap(plan.image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(colors_of(np.asarray(seen, np.uint8))[0], np.float64)


def _color_gaps(colors: Array, among: Array) -> Array:
    """How far colours (n, 3) are from the three nearest of others, on average: in hue, and less in lightness."""
    off = (colors[:, None] - among[None]) * _HUE_BEFORE_LIGHT
    return np.asarray(np.sort(np.sqrt((off * off).sum(axis=2)), axis=1)[:, :3].mean(axis=1))


def _looks_of(plan: TablePlan, faces: _Faces) -> Array:
    """The colours (n, 3) of upper faces, pips and all: the median of each."""
    pictures = squares(plan, faces.top, 0.8 * faces.side)
    return np.array([np.median(colors_of(p).reshape(-1, 3), axis=0) for p in pictures]).reshape(-1, 3)


def _numbers(
    faces: _Faces,
    symbol: npt.NDArray[np.bool_],
    colors: Array,
    stands_for: int | None,
    config: DiceConfig,
) -> tuple[Array, npt.NDArray[np.int64]]:
    """The chances (n, 6) of numbers once symbols have a meaning, and which dice (n,) share a question about theirs.

    A symbol means what the players said, else a six; if a die of the same look shows six pips it may be the one, and
    that look needs confirmation.
    """
    chance, asked = faces.chance[:, 1:7].copy(), np.full(len(symbol), -1)
    pips = chance.copy()
    off = np.abs(colors[:, None] - colors[None])
    alike = (off[..., :2].max(axis=2, initial=0.0) <= config.same_hue) & (off[..., 2] <= config.same_light)
    looks_asked = 0
    for row in range(len(symbol)):
        like = alike[row]
        if stands_for is None and np.any(like & (pips[:, 5] >= config.six)):
            chance[row, [0, 5]] += faces.chance[row, 7] / 2
            if symbol[row] and asked[row] < 0:
                asked[like & symbol & (asked < 0)] = looks_asked
                looks_asked += 1
        else:
            chance[row, (stands_for or 6) - 1] += faces.chance[row, 7]
    return chance, asked


def _first_look(plan: TablePlan, places: Array, config: DiceConfig) -> _Faces:
    """The faces that squares of usual size show at places (n, 2) of the map's plane."""
    z = _surfaces(plan, places)
    laid = z + config.usual_top_in
    points = np.column_stack([plan.at_height(places, laid), laid])
    width = np.full(len(points), config.usual_in)
    return _visible_faces(plan, points, width, z, twice=False)


def _surfaces(plan: TablePlan, places: Array) -> Array:
    """Heights (n,) of the surfaces that the camera sees at places (n, 2) of the map's plane: high things hide
    the ground behind them."""
    z = np.array([plan.surface(float(x), float(y)) for x, y in places]).reshape(-1)
    for height in sorted({piece.height for piece in plan.expected.terrain if piece.kind == "hill"}):
        there = plan.at_height(places, height)
        on = [abs(plan.surface(float(x), float(y)) - height) < 0.1 for x, y in there]
        z = np.where(on, height, z)
    return z


def _closer(plan: TablePlan, faces: _Faces, config: DiceConfig) -> _Faces:
    """The same faces, read in squares of several sizes placed on them."""
    if not len(faces.side):
        return faces
    seen = [_visible_faces(plan, faces.top, wide * faces.side, faces.z, twice=True) for wide in config.rounds]
    level = np.mean([np.log(np.maximum(one.chance, 1e-9)) for one in seen], axis=0)
    top, side = (np.mean([getattr(one, name) for one in seen], axis=0) for name in ("top", "side"))
    return _Faces(top, side, faces.z, softmax(level, axis=1))


def _visible_faces(plan: TablePlan, points: Array, width: Array, z: Array, *, twice: bool) -> _Faces:
    """The faces that squares round points (n, 3), ``width`` (n,) wide, show over surfaces at ``z`` (n,)."""
    said = looks(squares(plan, points, width), lean_at(plan, points), twice=twice)
    right, up = square_axes(plan, points)
    seen = points[:, :2] + width[:, None] * (said.offset[:, :1] * right + said.offset[:, 1:] * up)
    # What is nearer to the camera than the square looks larger in it.
    away = plan.eye[2] - points[:, 2]
    side = said.side * width
    side = side * (plan.eye[2] - z) / (away + side)
    top = z + side
    return _Faces(np.column_stack([plan.at_height(seen, top, points[:, 2]), top]), side, z, said.chance)


def _have_die_size(faces: _Faces, config: DiceConfig) -> npt.NDArray[np.bool_]:
    return np.asarray((faces.side >= config.smallest_in) & (faces.side <= config.largest_in))


def _each_once(faces: _Faces, config: DiceConfig) -> _Faces:
    """The most likely one of faces that overlap."""
    kept: list[int] = []
    for row in np.argsort(faces.chance[:, 0], kind="stable").tolist():
        away = np.linalg.norm(faces.top[kept, :2] - faces.top[row, :2], axis=1)
        if np.all(away >= config.apart * (faces.side[kept] + faces.side[row]) / 2):
            kept.append(row)
    return faces[np.array(kept, dtype=np.int64)]


def _on_bases(places: Array, bases: Bases, inset_in: float) -> npt.NDArray[np.bool_]:
    """Whether each place (n, 2) is within a base, ``inset_in`` or more from its edge."""
    on = np.zeros(len(places), dtype=bool)
    for i in range(len(bases)):
        offset = places - bases.center[i]
        across, ahead = np.abs(offset @ bases.right[i]), np.abs(offset @ bases.forward[i])
        half_w, half_d = bases.width[i] / 2 - inset_in, bases.depth[i] / 2 - inset_in
        if bases.is_smooth[i]:
            on |= (half_w > 0) & (half_d > 0) & (np.hypot(across * half_d, ahead * half_w) < half_w * half_d)
        else:
            on |= (across < half_w) & (ahead < half_d)
    return on
