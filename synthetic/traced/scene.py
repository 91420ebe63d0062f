"""A whole scene before it is rendered: materials, solids, lamps. Nothing here knows the renderer."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from synthetic.layers import Array, Float32
from synthetic.patches import Color
from synthetic.traced.meshes import Mesh


@dataclass(frozen=True, eq=False)
class Material:
    """How a surface looks. ``color``: one BGR reflectance or a picture (r, c, 3) of it, its last row at v = 0 and
    repeated beyond 1; ``relief`` (r, c): inches by which it is rough; ``unit``: inches of texture place that the
    picture covers (width, height), and the place of its lower left corner; ``rough`` 0 mirror to 1 dull; ``gloss``
    of a clear coat; ``clear``: the share of light that passes, of thin or wet things; ``vary``: how much the
    brightness of one copy differs from another's; ``bumpy`` times ``relief`` is how high it is; ``sharp``: its pixels
    are not smoothed; ``cover`` (r, c): the share that there is of it, of what has a ragged edge."""

    color: Color | Float32
    relief: Float32 | None = None
    unit: tuple[float, float] = (1.0, 1.0)
    origin: tuple[float, float] = (0.0, 0.0)
    rough: float = 0.9
    gloss: float = 0.0
    clear: float = 0.0
    metal: float = 0.0
    vary: float = 0.0
    bumpy: float = 1.0
    sharp: bool = False
    cover: Float32 | None = None


@dataclass(frozen=True, eq=False)
class Solid:
    """A mesh with a material for each of its slots, at one or more ``places`` (k, 4, 4)."""

    mesh: Mesh
    materials: tuple[str, ...]
    places: Array = field(default_factory=lambda: np.eye(4)[None])


@dataclass(frozen=True)
class Lamp:
    """A square lamp of ``size`` inches at a place that shines at another; ``light`` is the light at its aim, BGR,
    reflected by a white sheet that faces it."""

    at: tuple[float, float, float]
    aim: tuple[float, float, float]
    size: tuple[float, float]
    light: tuple[float, float, float]


@dataclass(eq=False)
class Scene:
    """Everything that the camera may see; ``room`` is the light (BGR) from where nothing is, on
    the whole, and ``surroundings`` (r, c, 3) what there is in each direction."""

    materials: dict[str, Material] = field(default_factory=dict)
    solids: list[Solid] = field(default_factory=list)
    lamps: list[Lamp] = field(default_factory=list)
    room: tuple[float, float, float] = (0.25, 0.25, 0.25)
    surroundings: Float32 | None = None

    def material(self, name: str, material: Material) -> str:
        """The name, with the material put down for it."""
        self.materials[name] = material
        return name

    def add(self, mesh: Mesh, *materials: str, places: Array | None = None) -> None:
        """Put a solid down, at one place or many."""
        if places is None:
            self.solids.append(Solid(mesh, materials))
        elif len(places):
            self.solids.append(Solid(mesh, materials, places))


def place(x: float, y: float, z: float = 0.0, turn_rad: float = 0.0, scale: float = 1.0) -> Array:
    """The transform (4, 4) of a copy: scaled, turned anticlockwise about z, moved."""
    c, s = np.cos(turn_rad) * scale, np.sin(turn_rad) * scale
    return np.array([[c, -s, 0, x], [s, c, 0, y], [0, 0, scale, z], [0, 0, 0, 1]], dtype=np.float64)


def triangles(scene: Scene) -> Array:
    """The corners (n, 3, 3) of all triangles of a scene at their places."""
    out = []
    for solid in scene.solids:
        for matrix in solid.places:
            points = solid.mesh.points @ matrix[:3, :3].T + matrix[:3, 3]
            out.append(points[solid.mesh.faces])
    return np.concatenate(out) if out else np.empty((0, 3, 3))
