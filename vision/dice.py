"""Dice on the table: where they stand and what they show.

A die is a cube of about half an inch whose colour differs from the ground. Its silhouette, laid on the plane of its
top and on the plane under it, overlaps in exactly its upper face: that gives the face's place, turn and side. The
silhouette must then be that of such a cube, and the face must show pips.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from geometry import Bases
from vision.beside import SpotConfig, TablePlan
from vision.pips import Face, PipConfig
from vision.rims import Array, Float32, float32
from vision.silhouettes import SilhouetteConfig, outlines, patches_of, windows_of


@dataclass(frozen=True)
class DiceConfig:
    """Lengths in inches. ``contrast``: least difference from the ground, in stops of colour; ``spots``: like pips, one
    of which must show within ``spot_reach_in``; ``smallest_in``, ``largest_in``: side of a die; ``square_in``: greatest
    error of the upper face's two sides together; ``fit``: least overlap of a silhouette with a cube's; ``same_in``:
    cubes nearer to each other are one; ``most``: places looked at, for hopeless pictures; ``read``: cubes read at each;
    ``steps`` to a cube's side.

    On the map ``rough_square_in``, ``rough_fit`` and ``rough_steps_in`` (for the thing's colour) stand for their
    stricter ones, and ``hint`` is the likeness of a die's face that makes a place worth a look at ``patch_ppi``, as
    does a fit of ``bare_fit``. A value needs the ``likeness`` of its number (few pips are seen easily where there are
    none), may leave at most the share ``lead`` unexplained of what the next value leaves, and needs pips as far apart
    as those of a die of allowed side, on a face no rougher than ``rough`` in units of their contrast. A die whose value
    stays unknown needs ``bare_likeness``, and ``bare_fit`` on the map and sharply."""

    contrast: float = 0.35
    spots: SpotConfig = field(default_factory=SpotConfig)
    spot_reach_in: float = 0.42
    smallest_in: float = 0.42
    largest_in: float = 0.72
    square_in: float = 0.14
    fit: float = 0.7
    same_in: float = 0.2
    most: int = 60
    read: int = 3
    steps: int = 2
    rough_square_in: float = 0.25
    rough_fit: float = 0.6
    rough_steps_in: tuple[float, ...] = (0.15, 0.3)
    hint: float = 0.45
    patch_ppi: float = 40.0
    likeness: tuple[float, ...] = (0.78, 0.72, 0.65, 0.65, 0.65, 0.65)
    lead: float = 0.6
    rough: float = 0.17
    bare_fit: float = 0.85
    bare_likeness: float = 0.4
    outlines: SilhouetteConfig = field(default_factory=SilhouetteConfig)
    pips: PipConfig = field(default_factory=PipConfig)


@dataclass(frozen=True, eq=False)
class Dice:
    """Dice of one photo. ``center`` (n, 2) inches, the middle of the die; ``value`` (n,) 1 to 6, 0 where it can't be
    told; ``side_in`` (n,); ``z`` (n,) the surface that it stands on; ``confidence`` (n,) 0 to 1; ``chances`` (n, 6) of
    each value where it can't be told, else 0."""

    center: Array
    value: npt.NDArray[np.int64]
    side_in: Array
    z: Array
    confidence: Array
    chances: Array | None = None

    def __post_init__(self) -> None:
        n = len(self.center)
        if self.chances is None:
            object.__setattr__(self, "chances", np.zeros((n, 6)))
        shapes = {"center": (n, 2), "value": (n,), "side_in": (n,), "z": (n,), "confidence": (n,), "chances": (n, 6)}
        for name, shape in shapes.items():
            array = np.asarray(getattr(self, name), dtype=np.int64 if name == "value" else np.float64)
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


def find_dice(plan: TablePlan, bases: Bases, config: DiceConfig | None = None) -> Dice:
    """Six-sided dice with pips that stand on the table, off the bases; a value that is not clear is 0.

    Dice hidden by a third or more, dice one on another, and dice of the ground's own colour are not found.
    """
    config = config or DiceConfig()
    seen: list[_Die] = []
    unclear: list[tuple[Array, list[_Cube]]] = []
    for place, cubes in _likely(plan, bases, config):
        faces = _faces(plan, cubes, config)
        if faces[0][0].likeness >= config.hint or cubes[0].fit >= config.bare_fit:
            die = _read(plan, faces, config)
            if die is None:
                unclear.append((place, cubes))
            else:
                seen.append(die)
    places = np.array([place for place, _ in unclear]).reshape(-1, 2)
    for (_, before), cubes in zip(unclear, _sharper(plan, places, config), strict=True):
        faces = _faces(plan, cubes, config)
        die = _read(plan, faces, config) or (_blank(faces, config) if _clearest(before, config) else None)
        if die is not None:
            seen.append(die)
    seen.sort(key=lambda d: -d.confidence)
    kept: list[_Die] = []
    for die in seen:
        if all(np.hypot(*(die.center - k.center)) >= 0.7 * (die.side + k.side) / 2 for k in kept):
            kept.append(die)
    kept = [die for die in kept if not _on_bases(die.center[None], bases)[0]]
    if not kept:
        return Dice.empty()
    return Dice(
        np.array([d.center for d in kept]),
        np.array([d.value for d in kept]),
        np.array([d.side for d in kept]),
        np.array([d.z for d in kept]),
        np.array([d.confidence for d in kept]),
        np.array([d.chances for d in kept]),
    )


@dataclass(frozen=True, eq=False)
class _Die:
    center: Array
    value: int
    side: float
    z: float
    confidence: float
    chances: tuple[float, ...] = (0.0,) * 6


def _candidates(plan: TablePlan, bases: Bases, config: DiceConfig) -> Array:
    """Places (n, 2) on the map's plane that differ in colour from what is round them, off bases and printed paper,
    with spots like pips."""
    # what is asked here is half an inch wide: half of the map's pixels each way will do
    rows, columns = (n // 2 for n in plan.map.shape[:2])
    colors = cv2.resize(plan.colors, (columns, rows), interpolation=cv2.INTER_AREA)
    colors[..., 2] *= config.outlines.lightness
    odd = lambda length: max(3, round(length * plan.scale.px_per_inch / 2) | 1)  # noqa: E731
    core, inner, outer = odd(0.4), odd(0.9), odd(1.6)
    middle = cv2.blur(colors, (core, core))
    around = cv2.boxFilter(colors, -1, (outer, outer), normalize=False)
    around -= cv2.boxFilter(colors, -1, (inner, inner), normalize=False)
    apart = middle - around / (outer**2 - inner**2)
    difference = cv2.GaussianBlur(np.sqrt(cv2.transform(apart * apart, np.ones((1, 3)))), (0, 0), 1.1)
    near = np.ones((odd(0.5),) * 2, np.uint8)
    row, column = np.nonzero((difference >= config.contrast) & (difference == cv2.dilate(difference, near)))
    places = plan.scale.table_from_pixel(2.0 * np.column_stack([column, row]) + 0.5)
    free = ~plan.printed[2 * row, 2 * column] & ~_on_bases(places, bases)
    return places[free]


def _on_bases(places: Array, bases: Bases, inset_in: float = 0.1) -> npt.NDArray[np.bool_]:
    """Whether each place (n, 2) lies within a base, ``inset_in`` or more from its edge."""
    on = np.zeros(len(places), dtype=bool)
    for i in range(len(bases)):
        offset = places - bases.center[i]
        across, ahead = np.abs(offset @ bases.right[i]), np.abs(offset @ bases.forward[i])
        if bases.is_round[i]:
            on |= np.hypot(across, ahead) < bases.width[i] / 2 - inset_in
        else:
            on |= (across < bases.width[i] / 2 - inset_in) & (ahead < bases.depth[i] / 2 - inset_in)
    return on


def _likely(plan: TablePlan, bases: Bases, config: DiceConfig) -> list[tuple[Array, list[_Cube]]]:
    """Places (2,) of the map's plane where a die may be, the likeliest first, with the cubes that the map shows
    there."""
    spots = cKDTree(plan.spots(config.spots))
    spotted = lambda points: spots.query(points, distance_upper_bound=config.spot_reach_in)[0] < np.inf  # noqa: E731
    places = _candidates(plan, bases, config)
    places = places[spotted(places)]
    rough = replace(config, square_in=config.rough_square_in, fit=config.rough_fit)
    wide = replace(config.outlines, seed_steps_in=config.rough_steps_in)
    windows, middles = windows_of(plan, places, wide)
    cubes: list[_Cube] = []
    for hulls, middle in zip(outlines(windows, plan.scale.px_per_inch, wide), middles, strict=True):
        cubes += _cubes(plan, [hull + middle for hull in hulls], rough)
    cubes.sort(key=lambda cube: -cube.fit)
    at = plan.on_map(np.array([[*c.center, c.z + c.side / 2] for c in cubes]).reshape(-1, 3))
    groups: list[tuple[Array, list[_Cube]]] = []
    for row in np.flatnonzero(spotted(at)):
        group = next((g for g in groups if np.hypot(*(g[0] - at[row])) <= config.same_in), None)
        if group is not None:
            group[1].append(cubes[row])
        elif len(groups) < config.most:
            groups.append((at[row], [cubes[row]]))
    return groups


def _sharper(plan: TablePlan, places: Array, config: DiceConfig) -> list[list[_Cube]]:
    """For each place (n, 2) of the map's plane the cubes that the photo shows there at its own sharpness."""
    patches = patches_of(plan, places, config.patch_ppi, config.outlines)
    sharp = outlines(patches, config.patch_ppi, config.outlines)
    return [_cubes(plan, [hull + at for hull in hulls], config) for hulls, at in zip(sharp, places, strict=True)]


def _faces(plan: TablePlan, cubes: list[_Cube], config: DiceConfig) -> list[tuple[Face, _Cube]]:
    """The upper faces of the best of some cubes, those that look most like a die's first."""
    best, pips = cubes[: config.read], config.pips
    above = np.array([[*c.center, c.z + c.side] for c in best]).reshape(-1, 3)
    width = np.array([c.side for c in best]) * pips.patch_in
    patches = plan.patches(above, width, np.array([c.angle_deg for c in best]), pips.patch_px)
    faces = [(Face(patch, pips), cube) for patch, cube in zip(patches, best, strict=True)]
    return sorted(faces, key=lambda pair: -pair[0].likeness)


def _read(plan: TablePlan, faces: list[tuple[Face, _Cube]], config: DiceConfig) -> _Die | None:
    """The die that one of some faces shows for certain, or None."""
    for face, cube in faces:
        reading = face.read(min(config.likeness), config.rough)
        alike = reading.likeness >= config.likeness[max(reading.value - 1, 0)]
        leading = 1.0 - reading.likeness <= config.lead * (1.0 - reading.other)
        side = reading.side * cube.side
        sized = config.smallest_in <= side <= config.largest_in
        if alike and leading and sized:
            sure = min(0.98, 0.5 + 1.2 * (reading.likeness - 0.5))
            middle = cube.center + _turned(np.array([reading.offset]) * cube.side, cube.angle_deg)[0]
            seen = plan.on_map(np.array([[*middle, cube.z + cube.side]]))
            return _Die(plan.at_height(seen, cube.z + side)[0], reading.value, side, cube.z, sure)
    return None


def _blank(faces: list[tuple[Face, _Cube]], config: DiceConfig) -> _Die | None:
    """The die whose shape is clear and whose value is not, or None."""
    cube = _clearest([cube for _, cube in faces], config)
    if cube is None or faces[0][0].likeness < config.bare_likeness:
        return None
    return _Die(cube.center, 0, cube.side, cube.z, 0.5, faces[0][0].chances)


def _clearest(cubes: list[_Cube], config: DiceConfig) -> _Cube | None:
    """The whole cube of which the outline speaks most clearly, or None."""
    clear = [cube for cube in cubes if cube.whole and cube.fit >= config.bare_fit]
    return max(clear, default=None, key=lambda cube: cube.fit)


@dataclass(frozen=True, eq=False)
class _Cube:
    """A cube that an outline asks for: ``center`` (2,) inches, ``side``, ``angle_deg`` anticlockwise from +x, ``z`` of
    the surface under it, ``fit`` from 0 to 1; ``whole`` where the outline is the whole cube's, not its upper face's."""

    center: Array
    side: float
    angle_deg: float
    z: float
    fit: float
    whole: bool


def _cubes(plan: TablePlan, hulls: list[Array], config: DiceConfig) -> list[_Cube]:
    """The cubes that outlines ask for, best first, each once."""
    found = []
    if hulls:
        middle = np.mean([hull.mean(axis=0) for hull in hulls], axis=0)
        z = plan.surface(float(middle[0]), float(middle[1]))
    for hull in hulls:
        found += [cube for cube in (_cube(plan, hull, z, config), _upper_face(plan, hull, z, config)) if cube]
    found.sort(key=lambda cube: -cube.fit)
    out: list[_Cube] = []
    for cube in found:
        if all(np.hypot(*(cube.center - o.center)) > 0.03 or abs(cube.side - o.side) > 0.04 for o in out):
            out.append(cube)
    return out


def _cube(plan: TablePlan, hull: Array, z: float, config: DiceConfig) -> _Cube | None:
    """The cube on the surface at ``z`` whose outline on the map's plane is ``hull`` (k, 2) inches.

    The outline carried to the cube's top covers its upper face and what is nearer to the camera, carried to its foot
    the face's place there and what is behind it; both together hold the face alone.
    """
    origin = hull.mean(axis=0)
    below = float32(plan.at_height(hull, z) - origin)

    def upper(side: float) -> tuple[Array, Array, float]:
        area, face = cv2.intersectConvexConvex(float32(plan.at_height(hull, z + side) - origin), below)
        return _rectangle(face) if face is not None and area > 0.02 else (origin, np.zeros(2), 0.0)

    # the larger the cube is taken to be, the smaller is the face that is left, about in proportion
    low, high = config.smallest_in, config.largest_in
    short = 2 * low - float(upper(low)[1].sum())
    if short > config.square_in:
        return None
    long = 2 * high - float(upper(high)[1].sum())
    if long < -config.square_in:
        return None
    side = low
    for _ in range(config.steps):
        share = min(max(-short / max(long - short, 1e-6), 0.0), 1.0)
        side = low + share * (high - low)
        center, sides, angle = upper(side)
        over = 2 * side - float(sides.sum())
        if over > 0:
            high, long = side, over
        else:
            low, short = side, over
    if float(np.abs(sides - side).sum()) > config.square_in:
        return None
    center = center + origin
    fit = _overlap(plan, hull, center, side, angle, z)
    return _Cube(center, side, angle, z, fit, True) if fit >= config.fit else None


def _upper_face(plan: TablePlan, hull: Array, z: float, config: DiceConfig) -> _Cube | None:
    """The cube whose upper face alone, lit unlike its sides, has the outline ``hull``."""
    origin = hull.mean(axis=0)
    outline = float32(hull - origin)
    center, sides, angle = _rectangle(outline)
    # seen on the map's plane the face is larger or smaller by the heights' distances from the camera
    seen = float(sides.mean())
    side = seen * (plan.eye[2] - z) / (plan.eye[2] - plan.z + seen)
    square = abs(float(sides[0] - sides[1])) * side / seen <= config.square_in / 2
    if not (square and config.smallest_in <= side <= config.largest_in):
        return None
    fit = min(1.0, float(cv2.contourArea(outline) / sides.prod()))
    if fit < config.fit:
        return None
    return _Cube(plan.at_height(center[None] + origin, z + side)[0], side, angle, z, fit, False)


def _rectangle(points: Float32) -> tuple[Array, Array, float]:
    """Middle, sides and turn in degrees of the least rectangle round a convex outline."""
    center, sides, angle = cv2.minAreaRect(points)
    return np.array(center), np.array(sides), float(angle)


def _ring(points: Array) -> Float32:
    return float32(cv2.convexHull(points.astype(np.float32)))


def _turned(points: Array, angle_deg: float) -> Array:
    """Points (n, 2) turned anticlockwise."""
    a = np.radians(angle_deg)
    return points @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])


def _overlap(plan: TablePlan, hull: Array, center: Array, side: float, angle_deg: float, z: float) -> float:
    """How well an outline fits that of a cube: the shared part over the whole."""
    foot = center + _turned(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2, angle_deg)
    corners = np.concatenate([np.column_stack([foot, np.full(4, h)]) for h in (z, z + side)])
    cube, seen = _ring(plan.on_map(corners) - center), _ring(hull - center)
    both, _ = cv2.intersectConvexConvex(cube, seen)
    union = cv2.contourArea(cube) + cv2.contourArea(seen) - both
    return float(both / union) if union > 0 else 0.0
