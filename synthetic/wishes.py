"""Options of a drawn photograph, and how chance fills in the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import shapely

from synthetic.develop import Development, random_development
from synthetic.look import Light, Shade
from synthetic.paint import random_light
from synthetic.planned import HAND_IN, PlannedThing, PlannedUnit, TablePlan, frame_places

LightWish = Literal["dim", "bright", "warm", "cool"]
DiceWish = Literal["plain", "marbled", "six", "one", "prints"]
_DICE = 28


@dataclass(frozen=True)
class Wish:
    """Options of a drawn photograph; ``None`` is left to chance. An option changes only its subject; the table stays.

    ``size``: of the table in inches, 12 to 96; ``rims``, ``tags``, ``frame``: whether bases have painted rims, unit
    tags, and the table frame markers; ``rim_colors``: the blue and the red side's paint, as table files write it
    ("#101010"; all bases then have painted rims); ``elevation_deg``: of the camera over the middle of the table, 25
    to 90;
    ``azimuth_deg``: where the camera stands, clockwise from +y (180: at the near side); ``megapixels``: 0.5 to 24;
    ``distortion``: the lens's first radial term, -0.15 to 0.15; ``blur_px`` (0 to 4): sigma of the lens's blur;
    ``shake_px`` (0 to 20): how far the phone moved; ``noise``: sigma as a share of white, 0 to 0.1; ``light``: ``dim``,
    ``bright``, ``warm`` or ``cool``; ``shadow``: whether a person casts a shadow; ``hand``: whether a hand reaches
    in; ``dice``: many of one kind instead of a few plain ones, ``plain``, ``marbled``, marbled with a symbol for their
    ``six`` or ``one``, or cards with pictures of dice (``prints``); ``jpeg``: its quality, 30 to 100; ``orientation``:
    the EXIF orientation the file is stored with, 1 or 6; ``ovals``: rectangular bases become ovals of their sizes, tags
    in their middle (by chance there are none).

    Raises ValueError for values that can't be drawn.
    """

    size: tuple[float, float] | None = None
    rims: bool | None = None
    rim_colors: tuple[str, str] | None = None
    tags: bool | None = None
    frame: bool | None = None
    elevation_deg: float | None = None
    azimuth_deg: float | None = None
    megapixels: float | None = None
    distortion: float | None = None
    blur_px: float | None = None
    shake_px: float | None = None
    noise: float | None = None
    light: LightWish | None = None
    shadow: bool | None = None
    hand: bool | None = None
    dice: DiceWish | None = None
    jpeg: int | None = None
    orientation: int | None = None
    ovals: bool | None = None

    def __post_init__(self) -> None:
        for what, unit, low, high in (
            ("elevation_deg", "degrees", 25, 90),
            ("azimuth_deg", "degrees", -360, 360),
            ("megapixels", "megapixels", 0.5, 24),
            ("distortion", "", -0.15, 0.15),
            ("blur_px", "pixels", 0, 4),
            ("shake_px", "pixels", 0, 20),
            ("noise", "", 0, 0.1),
            ("jpeg", "", 30, 100),
        ):
            value = getattr(self, what)
            if value is not None and not low <= value <= high:
                raise ValueError(f"{what} {value:g} is not drawn: wish for {low:g} to {high:g} {unit}".rstrip() + ".")
        if self.rim_colors is not None:
            if self.rims is False:
                raise ValueError("Rims of a colour are painted: wish for no colours, or for rims.")
            for text in self.rim_colors:
                if not re.fullmatch("#[0-9a-fA-F]{6}", text):
                    raise ValueError(f'A rim of "{text}" is not drawn: wish for a colour such as "#101010".')
        if self.size is not None and not all(12 <= side <= 96 for side in self.size):
            raise ValueError(
                f"A table of {self.size[0]:g} x {self.size[1]:g} inches is not drawn: wish for sides of 12 to 96."
            )
        if self.light is not None and self.light not in get_args(LightWish):
            raise ValueError(f'Light "{self.light}" is not drawn: wish for {", ".join(get_args(LightWish))}.')
        if self.dice is not None and self.dice not in get_args(DiceWish):
            raise ValueError(f'Dice "{self.dice}" are not drawn: wish for {", ".join(get_args(DiceWish))}.')
        if self.orientation is not None and self.orientation not in (1, 6):
            raise ValueError(f"EXIF orientation {self.orientation} is not drawn: wish for 1 or 6.")


def rims_for(wish: Wish, plan: TablePlan) -> TablePlan:
    """The plan with the rim paint of the options; unchanged without any."""
    if wish.rim_colors is None:
        return plan

    def paint(text: str) -> tuple[float, float, float]:
        red, green, blue = (float((int(text[k : k + 2], 16) / 255) ** 2.2) for k in (1, 3, 5))
        return blue, green, red

    sides = zip(("blue", "red"), wish.rim_colors, strict=True)
    return replace(plan, rims=tuple((side, paint(text)) for side, text in sides))


def outlines_for(wish: Wish, plan: TablePlan) -> TablePlan:
    """The plan with ovals in the place of rectangles that are not square and have room for a tag, if requested."""
    if not wish.ovals:
        return plan

    def with_ovals(unit: PlannedUnit) -> PlannedUnit:
        width, depth = unit.bases[0].width, unit.bases[0].depth
        if unit.bases[0].is_round or width == depth or plan.tag_size > width * depth / np.hypot(width, depth):
            return unit
        return replace(unit, bases=tuple(replace(b, is_oval=True) for b in unit.bases), tag_offset=(0.0, 0.0))

    return replace(plan, units=tuple(map(with_ovals, plan.units)))


def light_for(wish: Wish, rng: np.random.Generator) -> Light:
    """A room's lamps by the options."""
    light = random_light(rng)
    strength = {"dim": 0.45, "bright": 1.5}.get(wish.light or "")
    if strength is None:
        return light
    factor = strength / max(1e-6, light.sun[1])
    return replace(light, sun=tuple(float(c * factor) for c in light.sun))  # type: ignore[arg-type]


def development_for(wish: Wish, rng: np.random.Generator) -> Development:
    """A phone's way with the light by the options."""
    how = random_development(rng)
    shake, turn = (float(rng.uniform(1, 5)) if rng.random() < 0.12 else 0.0), float(rng.uniform(0, np.pi))
    how = replace(how, shake_px=shake, shake_rad=turn)
    if wish.light == "dim":
        how = replace(how, exposure=0.3 + 0.15 * (how.exposure - 0.35), noise=max(how.noise, 0.02))
    elif wish.light == "bright":
        how = replace(how, exposure=0.9)
    elif wish.light in ("warm", "cool"):
        tone = (0.25 if wish.light == "warm" else -0.2) + 0.3 * np.log(how.balance[2])
        how = replace(how, balance=(float(np.exp(-tone)), how.balance[1], float(np.exp(tone))))
    return replace(
        how,
        blur_px=how.blur_px if wish.blur_px is None else float(wish.blur_px),
        shake_px=how.shake_px if wish.shake_px is None else float(wish.shake_px),
        noise=how.noise if wish.noise is None else float(wish.noise),
    )


def shade_for(wish: Wish, plan: TablePlan, rng: np.random.Generator) -> Shade | None:
    """The shadow of a person at the table's edge, if the options or chance ask for one."""
    chance = bool(rng.random() < 0.12)
    edge, inward = _edge(plan, rng)
    reach = float(rng.uniform(0.35, 0.8)) * float(abs(inward @ [plan.width, plan.depth]))
    side = np.array([inward[1], -inward[0]]) * float(rng.normal(0, 0.25)) * reach
    end = edge + inward * reach + side
    width, soft, depth = float(rng.uniform(6, 14)), float(rng.uniform(1.5, 7)), float(rng.uniform(0.55, 0.9))
    if not (chance if wish.shadow is None else wish.shadow):
        return None
    start = edge - 30 * inward
    return Shade((float(start[0]), float(start[1])), (float(end[0]), float(end[1])), width, soft, depth)


def hand_for(wish: Wish, plan: TablePlan, rng: np.random.Generator) -> PlannedThing | None:
    """A hand on a forearm that reaches in over an edge, if the options or chance ask for one."""
    chance = bool(rng.random() < 0.06)
    edge, inward = _edge(plan, rng)
    tip, turn = float(rng.uniform(3, 9)), float(rng.normal(0, 0.3))
    seed = int(rng.integers(2**31))
    if not (chance if wish.hand is None else wish.hand):
        return None
    c, s = np.cos(turn), np.sin(turn)
    ahead = np.array([c * inward[0] - s * inward[1], s * inward[0] + c * inward[1]])
    middle = edge + inward * tip - ahead * HAND_IN / 2
    return PlannedThing("hand", float(middle[0]), float(middle[1]), float(np.arctan2(-ahead[0], ahead[1])), seed)


def dice_for(wish: Wish, plan: TablePlan, rng: np.random.Generator) -> TablePlan:
    """The plan with the dice of the options on its open ground; unchanged without any."""
    if wish.dice is None:
        return plan
    others = tuple(thing for thing in plan.things if thing.what != "die")
    stood = [piece.shape for piece in plan.pieces if piece.kind in ("woods", "town", "bridge")]
    bases = [shapely.Point(b.x, b.y).buffer(max(b.width, b.depth)) for unit in plan.units for b in unit.bases]
    frame = [shapely.Point(x, y).buffer(plan.marker_size) for _, x, y in frame_places(plan)]
    things = [shapely.Point(t.x, t.y).buffer(1.5 if t.what == "cotton" else 3.5) for t in others]
    taken = shapely.union_all([*stood, *bases, *frame, *things])
    laid: list[PlannedThing] = []
    room = 2.4 if wish.dice == "prints" else 0.9
    for x, y in rng.uniform([1.0, 1.0], [plan.width - 1.0, plan.depth - 1.0], (6 * _DICE, 2)).tolist():
        near = min((float(np.hypot(x - t.x, y - t.y)) for t in laid), default=np.inf)
        if len(laid) == _DICE or near < room or shapely.Point(x, y).distance(taken) < room / 2:
            continue
        turn, seed, make = float(rng.uniform(0, 2 * np.pi)), *(int(k) for k in rng.integers(2**31, size=2))
        value, of_symbol = int(rng.integers(1, 7)), {"six": 6, "one": 1}.get(wish.dice)
        if wish.dice == "prints":
            laid.append(PlannedThing("print", x, y, turn, seed))
        else:
            laid.append(PlannedThing("die", x, y, turn, seed, value, None if wish.dice == "plain" else make, of_symbol))
    return replace(plan, things=(*others, *laid))


def _edge(plan: TablePlan, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A place on one of the table's edges, and the direction inwards."""
    k, t = int(rng.integers(4)), float(rng.uniform(0.2, 0.8))
    places = [(t * plan.width, 0.0), (plan.width, t * plan.depth), (t * plan.width, plan.depth), (0.0, t * plan.depth)]
    inward = [(0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)]
    return np.array(places[k]), np.array(inward[k])
