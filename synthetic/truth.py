"""The truth of a drawn photograph, and the table file that its players would have written in advance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import shapely

from calibration import TableView
from synthetic.camera import Shot
from synthetic.layers import Array, Layers
from synthetic.paint import BaseTop, die_size, height_at, hill_of
from synthetic.planned import Piece, PlannedThing, TablePlan, frame_places

FRAME_DICTIONARY = "DICT_APRILTAG_36h11"
TAG_DICTIONARY = "DICT_4X4_100"
_EYE_STEPS = 60


def truth_of(
    plan: TablePlan,
    layers: Layers,
    tops: list[BaseTop],
    shot: Shot,
    view: TableView,
    name: str,
    seed: int,
    orientation: int = 1,
) -> dict[str, Any]:
    """The truth (JSON) of a photograph, in inches: camera, frame, units with their bases, terrain, dice, clutter.

    ``visible_fraction`` of a base's top or of a tag is the share that neither figures nor scenery hide. ``orientation``
    is the EXIF orientation that the picture's file is stored with, 1 or 6.
    """
    tallest = float(max(layers.high.max(), layers.ground_z.max()))
    return told_truth(
        plan,
        tops,
        shot,
        view,
        name,
        seed,
        orientation,
        share_seen=lambda outline: visible_share(layers, outline, view.eye, tallest),
        height=lambda thing: height_at(layers, thing.x, thing.y),
        parameters={"drawn": True, "rims": bool(plan.rims), "frame": plan.frame},
    )


def told_truth(
    plan: TablePlan,
    tops: list[BaseTop],
    shot: Shot,
    view: TableView,
    name: str,
    seed: int,
    orientation: int,
    *,
    share_seen: Callable[[Array], float],
    height: Callable[[PlannedThing], float],
    parameters: dict[str, Any],
) -> dict[str, Any]:
    """The truth (JSON) of a photograph of a plan, however it was made.

    ``share_seen`` is the share of a level outline (n, 3) that nothing hides from the camera, ``height`` that of the
    ground under a thing; ``parameters`` say how the picture was made.
    """
    width, height_px = shot.size
    units = []
    by_unit: dict[str, list[BaseTop]] = {}
    for top in tops:
        by_unit.setdefault(top.unit.id, []).append(top)
    for unit in plan.units:
        rows = [_base(plan, top, share_seen) for top in by_unit.get(unit.id, [])]
        units.append({"id": unit.id, "side": unit.side, "kind": unit.kind, "bases": rows})
    half = plan.marker_size / 2
    corners = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
    return {
        "image": {
            "stored_width": height_px if orientation == 6 else width,
            "stored_height": width if orientation == 6 else height_px,
            "width": width,
            "height": height_px,
            "exif_orientation": orientation,
        },
        "camera": {
            "K": view.camera.K.tolist(),
            "distortion": view.camera.dist.tolist(),
            "R": view.R.tolist(),
            "t": view.t.tolist(),
            "eye": view.eye.tolist(),
            "elevation_deg": shot.elevation_deg,
            "focal_length_35mm": shot.focal_35mm,
        },
        "units_of_length": "inches; origin at the table's near-left corner, x right, y away, z up",
        "table": {"width": plan.width, "depth": plan.depth},
        "frame_markers": [
            {
                "dictionary": FRAME_DICTIONARY,
                "id": k,
                "size": plan.marker_size,
                "corners": (corners + np.array([x, y])).tolist(),
            }
            for k, x, y in (frame_places(plan) if plan.frame else [])
        ],
        "rims": {side: [round(255 * c ** (1 / 2.2)) for c in bgr[::-1]] for side, bgr in plan.rims} or None,
        "unit_tags": {"dictionary": TAG_DICTIONARY, "size": plan.tag_size} if _has_tags(plan) else None,
        "units": units,
        "terrain": [_terrain(piece) for piece in plan.pieces],
        "dice": [
            {
                "id": f"d{k}",
                "centre": [t.x, t.y],
                "z": height(t),
                "size": die_size(t),
                "value": t.value,
                **({"symbol": True} if t.symbol is not None and t.value == t.symbol else {}),
            }
            for k, t in enumerate(t for t in plan.things if t.what == "die")
        ],
        "clutter": [{"kind": t.what, "at": [t.x, t.y]} for t in plan.things if t.what != "die"],
        "seed": seed,
        "name": name,
        "parameters": parameters,
    }


def table_file(plan: TablePlan) -> str:
    """The table file (TOML) of a planned table: what its players know before the photograph."""
    lines = ["[table]", f"width = {plan.width}", f"depth = {plan.depth}", 'rules = "one-hour-ww2"', ""]
    if plan.frame:
        lines += ["[frame]", f'dictionary = "{FRAME_DICTIONARY}"', f"marker_size = {plan.marker_size:.4f}", ""]
        for k, x, y in frame_places(plan):
            lines += ["[[frame.markers]]", f"id = {k}", f"center = [{x:.4f}, {y:.4f}]", "rotation = 0.0", ""]
    if _has_tags(plan):
        lines += ["[tags]", f'dictionary = "{TAG_DICTIONARY}"', f"size = {plan.tag_size}", ""]
    for side in dict.fromkeys(unit.side for unit in plan.units):
        lines += ["[[sides]]", f'id = "{side}"']
        rim = dict(plan.rims).get(side)
        if rim is not None:
            lines.append('rim = "#' + "".join(f"{round(255 * c ** (1 / 2.2)):02x}" for c in rim[::-1]) + '"')
        lines.append("")
    for unit in plan.units:
        base = unit.bases[0]
        lines += ["[[units]]", f'id = "{unit.id}"', f'side = "{unit.side}"', f'kind = "{unit.kind}"']
        lines.append(f"bases = {len(unit.bases)}")
        own = [b.tag for b in unit.bases if b.unique and b.tag is not None]
        other = [b.tag for b in unit.bases if not b.unique and b.tag is not None]
        if own:
            lines.append(f"tag = {own[0]}")
            lines.append(f"tag_offset = [{unit.tag_offset[0]:.4f}, {unit.tag_offset[1]:.4f}]")
        if other:
            lines.append(f"other_tags = {other}")
        if base.is_round:
            form = f'shape = "round", diameter = {base.width:.4f}, height = {base.thickness}'
        else:
            form = (
                f'shape = "{base.shape}", width = {base.width:.4f}, depth = {base.depth:.4f}, height = {base.thickness}'
            )
        lines += [f"base = {{ {form} }}", ""]
    return "\n".join(lines)


def _has_tags(plan: TablePlan) -> bool:
    return any(b.tag is not None for u in plan.units for b in u.bases)


def _base(plan: TablePlan, top: BaseTop, share_seen: Callable[[Array], float]) -> dict[str, Any]:
    base = top.base
    row: dict[str, Any] = {
        "shape": base.shape,
        "width": base.width,
        "depth": base.depth,
        "thickness": base.thickness,
        "centre": [base.x, base.y],
        "z": top.z,
        "facing_deg": base.facing,
        "unique": base.unique,
        "tag_id": base.tag,
        "corners": np.round(top.top[:, :2], 4).tolist(),
        "visible_fraction": share_seen(top.top),
    }
    if base.tag is not None:
        angle = np.radians(base.facing)
        ahead, right = np.array([np.sin(angle), np.cos(angle)]), np.array([np.cos(angle), -np.sin(angle)])
        middle = np.array([base.x, base.y]) + right * top.unit.tag_offset[0] + ahead * top.unit.tag_offset[1]
        h = plan.tag_size / 2
        flat = np.array([middle + x * right + y * ahead for x, y in ((-h, h), (h, h), (h, -h), (-h, -h))])
        corners = np.column_stack([flat, np.full(4, top.z + base.thickness)])
        row["tag"] = {
            "dictionary": TAG_DICTIONARY,
            "id": base.tag,
            "size": plan.tag_size,
            "corners": np.round(corners, 4).tolist(),
            "visible_fraction": share_seen(corners),
        }
    return row


def _terrain(piece: Piece) -> dict[str, Any]:
    """A piece of terrain: its whole outline, a hill's true height and top, a road's or river's way."""
    row: dict[str, Any] = {"kind": piece.kind, "polygon": np.round(piece.outline, 4).tolist(), "height": piece.height}
    if piece.kind == "hill":
        hill = hill_of(piece)
        top = shapely.Polygon(piece.outline).buffer(-hill.inset)
        parts = sorted(shapely.get_parts(top), key=lambda part: float(part.area))
        row["height"] = hill.height
        row["top"] = np.round(np.asarray(parts[-1].exterior.coords)[:-1], 4).tolist() if parts else []
    elif piece.way is not None:
        row["centreline"], row["width"] = np.round(piece.way, 4).tolist(), piece.width
    elif piece.kind in ("woods", "town") and piece.stands is not None:
        row["stands"] = np.round(piece.stands, 4).tolist()
    return row


def visible_share(layers: Layers, outline: Array, eye: Array, tallest: float) -> float:
    """The share of a level outline (n, 3) that nothing hides from ``eye`` (3,), neither things on it nor things
    in front of it; ``tallest`` is the height of the tallest thing."""
    spots = spots_within(outline[:, :2])
    if not len(spots):
        return 0.0
    z = float(outline[:, 2].mean())
    rows, columns = layers.window.shape
    rises = np.linspace(0.03, max(0.1, tallest - z), _EYE_STEPS)
    at = spots + (eye[:2] - spots) * (rises[:, None, None] / max(1e-6, eye[2] - z))
    pixel = np.rint(layers.window.pixels(at)).astype(int).reshape(*at.shape)
    c, r = pixel[..., 0], pixel[..., 1]
    here = (c >= 0) & (c < columns) & (r >= 0) & (r < rows)
    c, r, h = c.clip(0, columns - 1), r.clip(0, rows - 1), z + rises[:, None]
    thing = (layers.low[r, c] <= h) & (layers.high[r, c] >= h)
    hidden = np.any(here & (thing | (layers.ground_z[r, c] > h)), axis=0)
    return round(float(1.0 - hidden.mean()), 4)


def spots_within(outline: Array) -> Array:
    """Places (n, 2) all over an outline (n, 2), up to 14 x 14, at which visibility is tested."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    spots = np.stack(np.meshgrid(*(np.linspace(a, b, 14) for a, b in zip(low, high, strict=True))), -1).reshape(-1, 2)
    return np.asarray(spots[shapely.contains_xy(shapely.Polygon(outline), spots[:, 0], spots[:, 1])])
