"""What would make the next photo better, with numbers: at most three pieces of advice, none when all is well.

Advice about places is computed: the same phone is simulated at other sides of the table and higher up, beside a second
photo or with a calibrated lens, and the best action is named with its gain. Advice about the picture
(dark, blurred, glare, tags too small) is measured in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from calibration import FrameLayout, TableView
from calibration.table import MarkerDetections
from vision.imaging.rectify import MapScale, rectified_map
from vision.imaging.rims import Image
from vision.model.expected import Expected
from vision.model.observation import Advice, Observation
from vision.pipeline.trust import (
    TrustConfig,
    TrustMap,
    layout_scale_of,
    lens_prior_of,
    looking_from,
    predicted_view,
    spread_at,
    trust_map,
    trust_of,
)
from vision.table_pose.placement import nearest_sights

Array = npt.NDArray[np.float64]

_SIDES = {180.0: "near", 90.0: "right", 0.0: "far", 270.0: "left"}
_REGIONS = {
    (0, 0): "in the middle",
    (0, 1): "at the far edge",
    (0, -1): "at the near edge",
    (1, 0): "at the right edge",
    (-1, 0): "at the left edge",
    (1, 1): "in the far right corner",
    (-1, 1): "in the far left corner",
    (1, -1): "in the near right corner",
    (-1, -1): "in the near left corner",
}


_SLIVER = 0.02
"""Share of a table that may be outside the picture without a word."""


@dataclass(frozen=True)
class AdviceConfig:
    """``good_in``: a table known this well everywhere (95 %) needs no advice about places; ``saves_in``,
    ``saves_share``: what an action must save; ``elevations_deg`` tried from every side, ``highest_in``: how high over
    the table a phone is held, ``over_in``: how far over its edge; ``blur_px``: edges this wide (one sigma) are blurred;
    ``dark_level``, ``dark_share``, ``burnt_level``: grey levels; ``glare_sqin``: burnt out in one piece;
    ``nearly_out_share``: of the picture's longer side; ``off_in``: a marker farther off is misplaced;
    ``readable_px``: a tag's side that is read for certain. ``nominal_in`` is what losing bases and names counts for
    when advice is ordered by its worth in inches."""

    good_in: float = 0.125
    saves_in: float = 0.03
    saves_share: float = 0.2
    elevations_deg: tuple[float, ...] = (45.0, 55.0, 65.0)
    highest_in: float = 62.0
    over_in: float = 16.0
    blur_px: float = 1.9
    dark_level: float = 32.0
    dark_share: float = 0.5
    burnt_level: int = 250
    glare_sqin: float = 4.0
    map_ppi: float = 8.0
    nearly_out_share: float = 0.006
    off_in: float = 0.08
    readable_px: float = 20.0
    most: int = 3
    nominal_in: dict[str, float] = field(
        default_factory=lambda: {"light": 0.5, "glare": 0.4, "sharper": 0.35, "tags": 0.3, "margin": 0.1}
    )


def advise(
    image: Image,
    seen: Observation,
    expected: Expected,
    *,
    markers: MarkerDetections | None = None,
    photo: int = 0,
    config: AdviceConfig | None = None,
) -> tuple[Advice, ...]:
    """What to do better next time, worth most first, at most three; none when all is well.

    ``image`` (rows, columns, 3) BGR is the upright photo number ``photo`` of ``seen``; ``markers`` its detected frame
    markers, which show one that is off its place.
    """
    config = config or AdviceConfig()
    view = seen.photos[photo].view
    found = [
        *_light(image, view, seen.table, expected.frame, config),
        *_sharpness(image, view, expected.frame, config),
        *_markers(view, expected.frame, markers, config),
        *_tags(seen, expected, config),
        *_places(seen, expected, photo, config),
    ]

    def worth(one: Advice) -> float:
        return config.nominal_in.get(one.code, 0.0) if one.worth_in is None else one.worth_in

    return tuple(sorted(found, key=worth, reverse=True)[: config.most])


def warn_of_unseen(seen: Observation) -> tuple[str, ...]:
    """A sentence on the part of the table that no photo shows, where that is more than a sliver."""
    trust = trust_map([photo.view for photo in seen.photos], seen.table)
    unseen = np.isinf(trust.spread_in)
    if unseen.mean() < _SLIVER:
        return ()
    where = _where(trust, unseen, seen.table)
    return (f"{unseen.mean():.0%} of the table, {where}, is outside the picture: bases and terrain there are unknown.",)


# --- places --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Option:
    """Something that could be done: the words, and the spread that 95 % of the table would then keep below."""

    code: str
    does: str
    worst_in: float


def _places(seen: Observation, expected: Expected, photo: int, config: AdviceConfig) -> Iterator[Advice]:
    """The one action that helps places most, where they need it."""
    trust = trust_of(seen)
    now = trust.worst_in
    if now <= config.good_in:
        return
    view, table = seen.photos[photo].view, seen.table
    base = trust_map([p.view for p in seen.photos], table)
    # a spread of the bases that is greater than computed stays so from another place
    real = now / base.worst_in if np.isfinite(now) and np.isfinite(base.worst_in) else 1.0
    options = [_Option(o.code, o.does, o.worst_in * real) for o in _options(view, seen, expected.frame, config)]
    good = [o for o in options if np.isfinite(o.worst_in)]
    if not good:
        return
    best = min(good, key=lambda o: o.worst_in)
    saved = (now if np.isfinite(now) else 2.0) - best.worst_in
    if saved < config.saves_in or saved < config.saves_share * min(now, 2.0):
        return
    simple = [o for o in good if o.worst_in <= best.worst_in + 0.15 * saved]
    chosen = min(simple, key=lambda o: (_EFFORT.index(o.code), o.worst_in))
    spread = trust.spread_in
    unseen = np.isinf(spread)
    where = _where(trust, unseen if unseen.mean() > 0.05 else spread >= np.quantile(spread, 0.9), table)
    known = f"known to {now:.2f}″ only, and" if np.isfinite(now) else "in no photo; they"
    verb = "would be to" if np.isfinite(now) else "would be known to"
    says = f"{chosen.does}: bases {where} are {known} {verb} {chosen.worst_in:.2f}″."
    yield Advice(chosen.code, says, (now if np.isfinite(now) else 2.0) - chosen.worst_in)


_EFFORT = ("frame", "retake", "second", "calibrate")


def _options(view: TableView, seen: Observation, layout: FrameLayout, config: AdviceConfig) -> Iterator[_Option]:
    """Photos from other places, alone and beside this one, and this one with a calibrated lens; of a photo that was
    placed by its corners, the same one with frame markers."""
    table, every = seen.table, [p.view for p in seen.photos]
    scale = layout_scale_of(view, layout, table)
    coarse = TrustConfig(nodes=17)
    if not view.markers_seen:
        framed = predicted_view(view, layout)
        if framed is not None:
            worst = trust_map([framed], table, coarse).worst_in
            yield _Option("frame", "Lay the printed frame markers where the table file has them", worst)
        return
    long_side = "long " if max(table) > 1.2 * min(table) else ""
    for azimuth, side in _SIDES.items():
        across = table[0] if side in ("near", "far") else table[1]
        called = f"{long_side if across == max(table) else ''}{side} side"
        for elevation in config.elevations_deg:
            pose = looking_from(view, layout, table, azimuth, elevation)
            if pose is None or not _can_stand(pose, table, config):
                continue
            there = predicted_view(view, layout, pose=pose, layout_scale=scale)
            if there is None:
                continue
            higher = _compare_viewpoints(view, there, table)
            alone = trust_map([there], table, coarse).worst_in
            yield _Option("retake", f"Retake the photo from the {called}{higher}", alone)
            both = trust_map([*every, there], table, coarse).worst_in
            yield _Option("second", f"Add a second photo from the {called}", both)
    if view.camera.source != "stored":
        prior = lens_prior_of(view.camera, calibrated=True)
        known = predicted_view(view, layout, layout_scale=scale, prior=prior)
        if known is not None:
            worst = trust_map([known], table, coarse).worst_in
            yield _Option("calibrate", "Calibrate the phone once with `tabletop calibrate`", worst)


def _can_stand(pose: tuple[Array, Array], table: tuple[float, float], config: AdviceConfig) -> bool:
    """Whether a person beside the table can hold a phone there."""
    R, t = pose
    eye = -R.T @ t
    depth_in = min(eye[0], eye[1], table[0] - eye[0], table[1] - eye[1])
    return bool(eye[2] <= config.highest_in and depth_in <= config.over_in)


def _compare_viewpoints(view: TableView, there: TableView, table: tuple[float, float]) -> str:
    """Higher, lower, nearer: in words, if it is so."""
    middle = (table[0] / 2, table[1] / 2)
    words = []
    up = there.eye[2] - view.eye[2]
    if there.elevation_deg(middle) > view.elevation_deg(middle) + 4 and up > 2:
        words.append("higher")
    away = [float(np.linalg.norm(one.eye - [*middle, 0.0])) for one in (view, there)]
    if away[1] < 0.85 * away[0]:
        words.append("nearer")
    return f", {' and '.join(words)}" if words else ""


def _where(trust: TrustMap, bad: npt.NDArray[np.bool_], table: tuple[float, float]) -> str:
    """In which part of the table the nodes (n, m) are that are ``bad``, in words."""
    x, y = np.meshgrid(trust.x, trust.y)
    right, away = float(x[bad].mean()) / table[0], float(y[bad].mean()) / table[1]
    third = lambda share: -1 if share < 1 / 3 else 1 if share > 2 / 3 else 0  # noqa: E731
    return _REGIONS[third(right), third(away)]


# --- the picture ---------------------------------------------------------------------------------------------------


def _light(
    image: Image, view: TableView, table: tuple[float, float], layout: FrameLayout, config: AdviceConfig
) -> Iterator[Advice]:
    """Too dark, burnt out, or glare on the mat."""
    plan = rectified_map(image, view, table, px_per_inch=config.map_ppi)
    scale = MapScale(*table, px_per_inch=config.map_ppi)
    gray = cv2.cvtColor(plan, cv2.COLOR_BGR2GRAY)
    paper = np.zeros(gray.shape, np.uint8)
    for marker in layout.markers:
        corners = layout.corners(marker.id)[:, :2]
        middle = corners.mean(axis=0)
        ring = scale.pixel_from_table(middle + 1.9 * (corners - middle))
        cv2.fillConvexPoly(paper, np.rint(ring).astype(np.int32), 1)
    ground = gray[paper == 0]
    if not len(ground):
        return
    if float(np.quantile(ground, config.dark_share)) < config.dark_level:
        level = float(np.median(ground)) / 255
        yield Advice("light", f"More light, or a longer exposure: half of the table is darker than {level:.0%} grey.")
    burnt = (plan.min(axis=2) >= config.burnt_level) & (paper == 0)
    count, _, boxes, centers = cv2.connectedComponentsWithStats(burnt.astype(np.uint8))
    areas = boxes[1:count, cv2.CC_STAT_AREA] / config.map_ppi**2
    if burnt.mean() > 0.2:
        yield Advice("light", f"Less light, or a shorter exposure: {burnt.mean():.0%} of the table is burnt out.")
    elif len(areas) and areas.max() >= config.glare_sqin:
        x, y = scale.table_from_pixel(centers[1 + int(areas.argmax())])[0]
        yield Advice(
            "glare",
            f"Turn a lamp away or stand elsewhere: glare hides {areas.sum():.0f} square inches, most of it round "
            f"({x:.0f}, {y:.0f}).",
        )


def _sharpness(image: Image, view: TableView, layout: FrameLayout, config: AdviceConfig) -> Iterator[Advice]:
    """Blur, by the width of the frame markers' outer edges."""
    widths = [edge_width_px(image, view, layout, marker) for marker in view.markers_seen if marker in layout.ids]
    known = [width for width in widths if np.isfinite(width)]
    if not known:
        return
    blur = float(np.median(known))
    if blur > config.blur_px:
        wide = f"edges are {2.6 * blur:.0f} pixels wide"
        yield Advice("sharper", f"Hold the phone still and tap the table to focus: the picture is blurred ({wide}).")


def edge_width_px(image: Image, view: TableView, layout: FrameLayout, marker: int) -> float:
    """The blur (one sigma, pixels) of the outer edges of a frame marker; NaN where none can be measured.

    Profiles across each side, away from the corners, are averaged along it; the spread of their slope is the blur.
    """
    corners = layout.corners(marker)
    reach, step = 9.0, 0.25
    across = np.arange(-reach, reach + step / 2, step)
    found: list[float] = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = a + (b - a) * np.linspace(0.2, 0.8, 33)[:, None]
        pixels = view.pixel_from_table(along)
        way = pixels[-1] - pixels[0]
        length = float(np.linalg.norm(way))
        if length < 12:
            continue
        normal = np.array([-way[1], way[0]]) / length
        at = (pixels[:, None] + across[None, :, None] * normal).astype(np.float32)
        inside = np.all((at > 1) & (at < np.array(image.shape[1::-1]) - 2), axis=(1, 2))
        if inside.sum() < 8:
            continue
        profile = cv2.remap(image, at[inside][..., 0], at[inside][..., 1], cv2.INTER_LINEAR).mean(axis=2)
        slope = np.gradient(profile, axis=1)
        sign = 1.0 if profile[:, -8:].mean() > profile[:, :8].mean() else -1.0
        peaks = np.argmax(sign * slope, axis=1)
        rise = sign * slope
        top = rise[np.arange(len(rise)), peaks][:, None]
        near = np.abs(np.arange(rise.shape[1]) - peaks[:, None]) <= 24
        weight = np.where(near, np.maximum(0.0, rise - 0.05 * top), 0.0)[top[:, 0] >= 4]
        weight /= weight.sum(axis=1, keepdims=True)  # above 0: the peak's own is
        middle = weight @ across
        found += np.sqrt((weight * (across - middle[:, None]) ** 2).sum(axis=1)).tolist()
    return float(np.median(found)) if len(found) >= 8 else float("nan")


def _markers(
    view: TableView, layout: FrameLayout, markers: MarkerDetections | None, config: AdviceConfig
) -> Iterator[Advice]:
    """Frame markers nearly out of the picture, and markers off their place."""
    size = np.array(view.camera.size)
    room = {}
    for marker in layout.ids:
        if marker in view.markers_seen:
            pixels = view.pixel_from_table(layout.corners(marker))
            room[marker] = float(min(pixels.min(), (size - 1 - pixels).min()))
    tight = {marker: px for marker, px in room.items() if px < config.nearly_out_share * size.max()}
    if tight:
        marker = min(tight, key=lambda m: tight[m])
        said = f"frame marker {marker} is {max(0.0, tight[marker]):.0f} pixels from the picture's edge"
        yield Advice("margin", f"Step back a little or aim better: {said}.")
    if markers is None:
        return
    for k in nearest_sights(markers, layout, view):
        marker = int(markers.ids[k])
        there = view.point_from_pixel(np.asarray(markers.corners[k], dtype=np.float64), 0.0).mean(axis=0)
        off = float(np.linalg.norm(there - layout.corners(marker)[:, :2].mean(axis=0)))
        if config.off_in < off < np.inf:
            says = (
                f"Lay frame marker {marker} where the table file says: it is {off:.2f}″ off, and so are places near it."
            )
            yield Advice("marker", says, off / 2)


def _tags(seen: Observation, expected: Expected, config: AdviceConfig) -> Iterator[Advice]:
    """Tags that are too small at the units' places: how large they must be printed."""
    size = expected.tag_size_in
    tagged = [unit for unit in expected.units if unit.tag is not None]
    if size <= 0 or not tagged or not len(seen.bases):
        return
    read = {label.tag for label in seen.labels}
    rows = [
        i
        for i, label in enumerate(seen.labels)
        if label.unit is None or any(u.id == label.unit and u.tag not in read for u in tagged)
    ]
    if not rows:
        return
    _, density = spread_at([p.view for p in seen.photos], seen.bases.center[rows])
    px = density * size
    small = (px > 0) & (px < config.readable_px)
    if not small.any():
        return
    least = float(px[small].min())
    need = np.ceil(size * config.readable_px / least * 1.1 * 20) / 20
    room = min(min(u.unique_shape.width, u.unique_shape.depth) for u in tagged)
    does = f"Print the unit tags {need:.2f}″ wide" if need <= room else "Take a photo from nearer, or a second one"
    yield Advice(
        "tags",
        f"{does}: of {size:.2f}″ they show as {least:.0f} pixels where units are not identified, and "
        f"{config.readable_px:.0f} are needed.",
    )
