"""Scenes rendered by Blender's Cycles (the ``bpy`` wheel), which is a tool of development: nothing else here needs it.

``bpy`` is imported when a function is called.
"""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration import TableView
from synthetic.layers import Array, Float32
from synthetic.traced.scene import Material, Scene, triangles

_NODE_PX = 8  # pixels between places of the lens that are worked out exactly


def can_trace() -> bool:
    """Whether Blender's module can be imported here."""
    return find_spec("bpy") is not None


def render(scene: Scene, view: TableView, *, samples: int = 12, scale: float = 0.9, threads: int = 2,
           seed: int = 0) -> Float32:  # fmt: skip
    """Linear light (r, c, 3), BGR, that the camera of ``view`` receives.

    A pinhole camera is rendered at ``scale`` times the pixels, with ``samples`` paths for each at most, denoised, and
    bent into the picture by the true lens.
    """
    import bpy

    _start(bpy, samples, threads, seed)
    shown = bpy.context.scene
    materials = {name: _material(bpy, name, made) for name, made in scene.materials.items()}
    for number, solid in enumerate(scene.solids):
        mesh = _mesh(bpy, f"mesh {number}", solid, [materials[name] for name in solid.materials])
        for matrix in solid.places:
            thing = bpy.data.objects.new(f"solid {number}", mesh)
            thing.matrix_world = _matrix(matrix)
            shown.collection.objects.link(thing)
    _lamps(bpy, scene)
    _surround(bpy, scene)
    where, size, focal = _pinhole(view, scale)
    _camera(bpy, view, size, focal)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "light.exr")
        shown.render.filepath = path
        bpy.ops.render.render(write_still=True)
        seen = bpy.data.images.load(path)
        pixels = np.empty(size[0] * size[1] * seen.channels, np.float32)
        seen.pixels.foreach_get(pixels)
        bpy.data.images.remove(seen)
    flat = np.ascontiguousarray(pixels.reshape(size[1], size[0], -1)[::-1, :, 2::-1])
    out = cv2.remap(flat, where, None, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.maximum(np.asarray(out, np.float32), 0.0)


def _start(bpy: Any, samples: int, threads: int, seed: int) -> None:
    """An empty scene that Cycles renders on the processor."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    shown = bpy.context.scene
    shown.render.engine = "CYCLES"
    cycles = shown.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, seed
    cycles.use_adaptive_sampling, cycles.adaptive_threshold, cycles.adaptive_min_samples = (
        True,
        0.04,
        max(4, samples // 3),
    )
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_input_passes, cycles.denoising_prefilter = "RGB_ALBEDO_NORMAL", "FAST"
    cycles.denoising_quality = "BALANCED"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 4, 2, 2
    cycles.transmission_bounces, cycles.transparent_max_bounces = 2, 6
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect, cycles.use_auto_tile, cycles.filter_width = 4.0, False, 1.1
    cycles.blur_glossy = 1.0
    shown.render.threads_mode, shown.render.threads = "FIXED", threads
    shown.render.resolution_percentage = 100
    shown.render.image_settings.file_format = "OPEN_EXR"
    shown.render.image_settings.color_mode = "RGB"
    shown.render.image_settings.color_depth = "32"


def _matrix(matrix: Array) -> Any:
    from mathutils import Matrix

    return Matrix(matrix.tolist())


def _mesh(bpy: Any, name: str, solid: Any, materials: list[Any]) -> Any:
    made, source = bpy.data.meshes.new(name), solid.mesh
    n, m = len(source.points), len(source.faces)
    made.vertices.add(n)
    made.vertices.foreach_set("co", source.points.astype(np.float32).ravel())
    made.loops.add(3 * m)
    made.loops.foreach_set("vertex_index", source.faces.astype(np.int32).ravel())
    made.polygons.add(m)
    made.polygons.foreach_set("loop_start", np.arange(0, 3 * m, 3, dtype=np.int32))
    made.uv_layers.new(name="places").uv.foreach_set("vector", source.uv.astype(np.float32).ravel())
    for material in materials:
        made.materials.append(material)
    made.polygons.foreach_set("material_index", np.minimum(source.slot, len(materials) - 1).astype(np.int32))
    made.polygons.foreach_set("use_smooth", source.smooth.astype(bool))
    made.update(calc_edges=True)
    return made


def _picture(bpy: Any, name: str, picture: Float32, *, color: bool) -> Any:
    """A picture (r, c) or (r, c, 3) for the renderer, its first row on top; colours are kept as bytes."""
    rows, columns = picture.shape[:2]
    out = np.ones((rows, columns, 4), np.float32)
    if color:
        linear = picture[::-1, :, ::-1]
        out[..., :3] = np.where(
            linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-6) ** (1 / 2.4) - 0.055
        )
    else:
        out[..., :3] = (picture if picture.ndim == 3 else picture[..., None])[::-1]
    image = bpy.data.images.new(name, columns, rows, float_buffer=not color, is_data=not color)
    image.pixels.foreach_set(out.ravel())
    image.update()
    return image


def _material(bpy: Any, name: str, made: Material) -> Any:
    material = bpy.data.materials.new(name)
    tree = material.node_tree
    nodes, links = tree.nodes, tree.links
    surface = nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = made.rough
    surface.inputs["Specular IOR Level"].default_value = 0.5 * (1 - 0.7 * made.rough)
    surface.inputs["Metallic"].default_value = made.metal
    surface.inputs["Coat Weight"].default_value = made.gloss
    surface.inputs["Coat Roughness"].default_value = min(0.12, 0.3 * made.rough + 0.01)
    spot = None

    def texture(picture: Float32, what: str, color: bool) -> Any:
        nonlocal spot
        if spot is None:
            uv, mapping = nodes.new("ShaderNodeUVMap"), nodes.new("ShaderNodeMapping")
            mapping.inputs["Scale"].default_value = (1 / made.unit[0], 1 / made.unit[1], 1)
            mapping.inputs["Location"].default_value = (
                -made.origin[0] / made.unit[0],
                -made.origin[1] / made.unit[1],
                0,
            )
            links.new(uv.outputs["UV"], mapping.inputs["Vector"])
            spot = mapping.outputs["Vector"]
        node = nodes.new("ShaderNodeTexImage")
        node.image = _picture(bpy, f"{name} {what}", picture, color=color)
        node.interpolation = "Closest" if made.sharp else "Linear"
        links.new(spot, node.inputs["Vector"])
        return node

    if isinstance(made.color, np.ndarray) and made.color.ndim == 3:
        color = texture(made.color, "color", True).outputs["Color"]
    else:
        b, g, r = (float(c) for c in made.color)
        plain = nodes.new("ShaderNodeRGB")
        plain.outputs[0].default_value = (r, g, b, 1.0)
        color = plain.outputs[0]
    if made.vary:
        own, scaled, bright = (nodes.new(f"ShaderNode{k}") for k in ("ObjectInfo", "MapRange", "VectorMath"))
        scaled.inputs["To Min"].default_value, scaled.inputs["To Max"].default_value = 1 - made.vary, 1 + made.vary
        links.new(own.outputs["Random"], scaled.inputs["Value"])
        bright.operation = "SCALE"
        links.new(color, bright.inputs[0])
        links.new(scaled.outputs["Result"], bright.inputs["Scale"])
        color = bright.outputs[0]
    links.new(color, surface.inputs["Base Color"])
    if made.relief is not None:
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Distance"].default_value = made.bumpy
        links.new(texture(made.relief, "relief", False).outputs["Color"], bump.inputs["Height"])
        links.new(bump.outputs["Normal"], surface.inputs["Normal"])
        links.new(bump.outputs["Normal"], surface.inputs["Coat Normal"])
    if made.cover is not None:
        links.new(texture(made.cover, "cover", False).outputs["Color"], surface.inputs["Alpha"])
    elif made.clear:
        # What is under it is seen straight down, what is mirrored at a flat angle.
        kinds = ("BsdfTransparent", "MixShader", "Fresnel", "Math")
        through, mixed, mirrored, most = (nodes.new(f"ShaderNode{kind}") for kind in kinds)
        most.operation = "MAXIMUM"
        most.inputs[1].default_value = 1 - made.clear
        mirrored.inputs["IOR"].default_value = 1.45
        links.new(mirrored.outputs[0], most.inputs[0])
        links.new(most.outputs[0], mixed.inputs[0])
        links.new(through.outputs[0], mixed.inputs[1])
        links.new(surface.outputs[0], mixed.inputs[2])
        links.new(mixed.outputs[0], nodes["Material Output"].inputs["Surface"])
    return material


def _lamps(bpy: Any, scene: Scene) -> None:
    from mathutils import Vector

    for number, lamp in enumerate(scene.lamps):
        light = bpy.data.lights.new(f"lamp {number}", "AREA")
        light.shape, light.size, light.size_y = "RECTANGLE", *lamp.size
        at, aim = np.array(lamp.at), np.array(lamp.aim)
        # A white sheet that faces a lamp of P watts at d inches gives P / (pi d)^2.
        light.energy = float((np.pi * np.linalg.norm(aim - at)) ** 2)
        light.color = lamp.light[::-1]
        thing = bpy.data.objects.new(f"lamp {number}", light)
        thing.location = lamp.at
        thing.rotation_euler = Vector((aim - at).tolist()).to_track_quat("-Z", "Y").to_euler()
        bpy.context.scene.collection.objects.link(thing)


def _surround(bpy: Any, scene: Scene) -> None:
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    nodes, links = world.node_tree.nodes, world.node_tree.links
    nodes.clear()
    light, out = nodes.new("ShaderNodeBackground"), nodes.new("ShaderNodeOutputWorld")
    links.new(light.outputs[0], out.inputs[0])
    light.inputs[0].default_value = (*scene.room[::-1], 1.0)
    if scene.surroundings is not None:
        picture = nodes.new("ShaderNodeTexEnvironment")
        picture.image = _picture(bpy, "surroundings", scene.surroundings[..., ::-1], color=False)
        links.new(picture.outputs[0], light.inputs[0])


def _pinhole(view: TableView, scale: float) -> tuple[Float32, tuple[int, int], float]:
    """Where (r, c, 2) in a pinhole's picture each pixel of the view's is seen, that picture's size and focal length."""
    width, height = view.camera.size
    columns, rows = np.arange(0, width + _NODE_PX, _NODE_PX), np.arange(0, height + _NODE_PX, _NODE_PX)
    nodes = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 1, 2).astype(np.float64)
    rays = cv2.undistortPointsIter(nodes, view.camera.K, view.camera.dist, None, None,
                                   (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 60, 1e-10))  # fmt: skip
    focal = float(view.camera.K[0, 0]) * scale
    plane = focal * rays.reshape(len(rows), len(columns), 2)
    half = np.abs(plane).max(axis=(0, 1)) + 3
    size = (2 * int(np.ceil(half[0])), 2 * int(np.ceil(half[1])))
    plane = (plane + (np.array(size) - 1) / 2).astype(np.float32)
    across, down = np.arange(width, dtype=np.float32) / _NODE_PX, np.arange(height, dtype=np.float32) / _NODE_PX
    where = cv2.remap(plane, *np.meshgrid(across, down), cv2.INTER_LINEAR)
    return np.asarray(where, np.float32), size, focal


def _camera(bpy: Any, view: TableView, size: tuple[int, int], focal: float) -> None:
    shown = bpy.context.scene
    shown.render.resolution_x, shown.render.resolution_y = size
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.sensor_width, camera.lens = "HORIZONTAL", 36.0, 36.0 * focal / size[0]
    camera.clip_start, camera.clip_end = 1.0, 1000.0
    thing = bpy.data.objects.new("camera", camera)
    R = np.asarray(view.R)
    matrix = np.eye(4)
    matrix[:3, :3] = np.column_stack([R[0], -R[1], -R[2]])
    matrix[:3, 3] = view.eye
    thing.matrix_world = _matrix(matrix)
    shown.collection.objects.link(thing)
    shown.camera = thing


class Sight:
    """Visibility of points in a scene from a camera at ``eye`` (3,)."""

    def __init__(self, scene: Scene, eye: Array) -> None:
        from mathutils.bvhtree import BVHTree

        corners = triangles(scene)
        self.eye = np.asarray(eye, np.float64)
        faces = np.arange(3 * len(corners)).reshape(-1, 3)
        self._tree = BVHTree.FromPolygons(corners.reshape(-1, 3).tolist(), faces.tolist(), all_triangles=True)

    def hidden(self, points: Array) -> Array:
        """Whether (n,) something is between each of the points (n, 3) and the eye."""
        out = np.zeros(len(points), bool)
        for k, point in enumerate(points):
            away = self.eye - point
            far = float(np.linalg.norm(away))
            hit = self._tree.ray_cast((point + away * (0.004 / far)).tolist(), (away / far).tolist(), far)
            out[k] = hit[0] is not None
        return out
