"""The side of a base by a black or white rim: decided by lightness, since hue does not help.

Shadow is dark, paper is white and stone is grey, so that a rim is taken for paint only where it stands out from the
ground and from the base's own top all round, is darker than any shadow beside it (black), or as white as the frame
markers' paper and lighter than all ground beside it (white). Where the sides are black and white a rim is one of the
two, and it is enough that it is darker or lighter than both. Everything else stays open. Grey is never reported: on
drawn tables rims that looked grey were shadow, stone or a blue rim in poor light; black and white against it are, if
they are clear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from calibration import TableView
from vision.bases.profiles import around
from vision.bases.selection import Found
from vision.imaging.rims import Array, Image, RimConfig, chromaticity_of, float32, has_hue, paper_white
from vision.model.expected import Expected

Kind = Literal["black", "white", "grey"]


@dataclass(frozen=True)
class PlainRimsConfig:
    """``black_log2``, ``white_log2``: paint darker and lighter than this, in stops of stored levels below white paper,
    is black and white, all between grey. A rim is looked for from ``inner_in`` inside an outline to ``outer_in``
    outside it, ground and top of a base over ``ground_in`` and ``top_in`` (inches outward) and ``ring_in``: how far out
    shadows are looked for; every ``step_in``, along the outline every ``spacing_in``. ``unit_log2``: what counts as one
    apart, in hue and in lightness; a place of the outline shows a rim where that differs by ``stands_out`` from both
    sides, a side of the outline where ``side_share`` of its places do, a base where ``least_sides`` do.

    A black rim is darker by ``beyond_log2`` than the darkest tenth of the ring and by ``dark_log2`` than paper, a white
    one lighter than the lightest tenth by half as much and at most ``off_white_log2`` below paper; neither has more
    than ``hue_log2`` of hue (a black one as much as the ground beside it) or more than ``hued_share`` of the other
    side's. Where the other side is grey, black is darker than paper by the first of ``beside_grey_log2``, white darker
    by less than the second; where one side is black and one white, they are darker and lighter than ground and top by
    ``opposite_log2``. ``least_px``: a base's shorter side takes at least so many pixels of the photo."""

    black_log2: float = -1.9
    white_log2: float = -0.45
    inner_in: float = 0.14
    outer_in: float = 0.07
    ground_in: tuple[float, float] = (0.12, 0.3)
    top_in: tuple[float, float] = (-0.4, -0.2)
    ring_in: tuple[float, float] = (0.12, 0.6)
    step_in: float = 0.02
    spacing_in: float = 0.07
    corner_in: float = 0.12
    unit_log2: tuple[float, float] = (0.25, 0.5)
    stands_out: float = 1.0
    side_share: float = 0.5
    least_sides: int = 3
    beyond_log2: float = 0.25
    dark_log2: float = 1.3
    off_white_log2: float = 0.75
    hue_log2: float = 0.35
    hued_share: float = 0.3
    beside_grey_log2: tuple[float, float] = (1.75, 0.5)
    opposite_log2: tuple[float, float] = (0.3, 0.2)
    least_px: float = 14.0


@dataclass(frozen=True, eq=False)
class _Rim:
    """What is seen along a base's outline, as log levels (2 of hue, 1 of lightness): the rim, the ground beside it, the
    base's top; ``shade`` and ``shine``: lightness of the ring's darkest and lightest tenth; ``sides``: how many of the
    outline's sides show it."""

    rim: Array
    ground: Array
    top: Array
    shade: float
    shine: float
    sides: int


def assign_plain_rims(
    image: Image,
    view: TableView,
    bases: Sequence[Found],
    expected: Expected,
    config: PlainRimsConfig | None = None,
    rims: RimConfig | None = None,
) -> list[Found]:
    """The same bases; those without a side get it if a black or white rim shows it.

    ``image`` is the upright BGR photo of ``view``. No side is reported if no rim of that kind is painted, if both
    sides' rims are of one kind, or, except for black against white, if no frame marker's paper shows how light white
    is.
    """
    config, rims = config or PlainRimsConfig(), rims or RimConfig()
    kinds = {side: rim_kind(rgb, config) for side, rgb in expected.rims if not has_hue(rgb, rims)}
    open_rows = [k for k, base in enumerate(bases) if not base.side]
    if not kinds or not open_rows or len(set(kinds.values())) < len(kinds):
        return list(bases)
    white = paper_white(image, view, expected.frame, rims)
    are_opposite = len(expected.rims) == 2 and set(kinds.values()) == {"black", "white"}
    if white is None and not are_opposite:
        return list(bases)
    if "grey" in kinds.values():
        dark, off_white = config.beside_grey_log2
        config = replace(config, dark_log2=dark, off_white_log2=off_white)
    hued = (
        [] if white is None else [chromaticity_of(rgb) + white[:2] for side, rgb in expected.rims if side not in kinds]
    )
    out = list(bases)
    for row in open_rows:
        base = bases[row]
        shapes = {base.shape, *(rival.shape for rival in base.rivals)}
        seen = _read_rim(image, view, base, config)
        if seen is None or seen.sides < config.least_sides:
            continue
        told = [
            side
            for side, kind in kinds.items()
            if (are_opposite and _is_rather(kind, seen, config))
            or (white is not None and _is_of(kind, seen, white, hued, config))
        ]
        if len(told) == 1 and any(u.side == told[0] and u.has_any(shapes) for u in expected.units):
            out[row] = replace(base, side=told[0], sides=())
    return out


def rim_kind(rgb: tuple[int, int, int], config: PlainRimsConfig | None = None) -> Kind:
    """The name of a paint without hue.

    >>> rim_kind((16, 16, 16)), rim_kind((232, 232, 232)), rim_kind((128, 128, 128))
    ('black', 'white', 'grey')
    """
    config = config or PlainRimsConfig()
    below = float(np.log2((np.mean(rgb) + RimConfig.floor_level) / (255.0 + RimConfig.floor_level)))
    return "black" if below < config.black_log2 else "white" if below > config.white_log2 else "grey"


def _is_rather(kind: Kind, seen: _Rim, config: PlainRimsConfig) -> bool:
    """Whether a rim that is black or white is of this kind, by the colours on either side of it."""
    black, white = config.opposite_log2
    if kind == "black":
        return bool(seen.rim[2] < min(seen.ground[2], seen.top[2]) - black)
    return kind == "white" and bool(seen.rim[2] > max(seen.ground[2], seen.top[2]) + white)


def _is_of(kind: Kind, seen: _Rim, white: Array, hued: Sequence[Array], config: PlainRimsConfig) -> bool:
    """Whether a rim that stands out is of one kind of paint only."""
    light = float(seen.rim[2] - white[2])
    hue = float(np.linalg.norm(seen.rim[:2] - white[:2]))
    for paint in hued:
        towards = paint - seen.ground[:2]
        share = float((seen.rim[:2] - seen.ground[:2]) @ towards) / max(float(towards @ towards), 1e-6)
        if share > config.hued_share and float(np.linalg.norm(towards)) > config.hue_log2:
            return False
    beside = [float(np.linalg.norm(at[:2] - white[:2])) for at in (seen.ground, seen.top)]
    if kind == "black":
        near_grey = hue <= max(config.hue_log2, *beside)
        return (
            near_grey and light < -config.dark_log2 and seen.rim[2] < min(seen.shade, seen.top[2]) - config.beyond_log2
        )
    near_white = hue <= config.hue_log2 and light > -config.off_white_log2
    return kind == "white" and near_white and seen.rim[2] > max(seen.shine, seen.top[2]) + config.beyond_log2 / 2


def _read_rim(image: Image, view: TableView, base: Found, config: PlainRimsConfig) -> _Rim | None:
    """What a base's outline shows, by profiles across it at the height of its top; ``None`` where the picture does not
    hold it or it is too small there."""
    fit, shape = base.fit, base.shape
    at, out, side = around(shape, config.spacing_in, config.corner_in)
    angle = np.radians(fit.facing)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    reach = np.arange(config.top_in[0], config.ring_in[1] + 1e-9, config.step_in)
    local = at[:, None] + reach[None, :, None] * out[:, None]
    points = np.array([fit.x, fit.y]) + local @ turn
    z = np.full((*points.shape[:2], 1), fit.z + shape.height)
    pixels = view.pixel_from_table(np.concatenate([points, z], axis=-1).reshape(-1, 3)).reshape(points.shape)
    rows, columns = image.shape[:2]
    if not np.all((pixels > 0) & (pixels < [columns - 1, rows - 1])):
        return None
    inch = np.linalg.norm(pixels[:, -1] - pixels[:, 0], axis=1) / (reach[-1] - reach[0])
    if float(np.median(inch)) * min(shape.width, shape.depth) < config.least_px:
        return None
    low, high = np.floor(pixels.min(axis=(0, 1))).astype(int) - 1, np.ceil(pixels.max(axis=(0, 1))).astype(int) + 2
    low, high = np.maximum(low, 0), np.minimum(high, [columns, rows])
    patch = float32(image[low[1] : high[1], low[0] : high[0]])
    across, down = float32(pixels[..., 0] - low[0]), float32(pixels[..., 1] - low[1])
    levels = cv2.remap(patch, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    logs = np.log2(levels.astype(np.float64) + RimConfig.floor_level)
    seen = np.stack([logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1], logs.mean(axis=-1)], axis=-1)

    def within(span: tuple[float, float]) -> Array:
        return np.asarray(seen[:, (reach >= span[0] - 1e-9) & (reach <= span[1] + 1e-9)])

    ground, top = np.median(within(config.ground_in), axis=1), np.median(within(config.top_in), axis=1)
    line = within((-config.inner_in, config.outer_in))
    unit = np.array([config.unit_log2[0], config.unit_log2[0], config.unit_log2[1]])
    apart = np.minimum(
        np.linalg.norm((line - ground[:, None]) / unit, axis=-1), np.linalg.norm((line - top[:, None]) / unit, axis=-1)
    )
    best = np.argmax(apart, axis=1)
    rim, clear = line[np.arange(len(line)), best], apart.max(axis=1) >= config.stands_out
    shares = [float(clear[side == k].mean()) for k in range(4)]
    if clear.sum() < 6:
        return None
    ring = within(config.ring_in)[..., 2]
    return _Rim(
        np.median(rim[clear], axis=0),
        np.median(ground, axis=0),
        np.median(top, axis=0),
        float(np.percentile(ring, 10)),
        float(np.percentile(ring, 90)),
        sum(share >= config.side_share for share in shares),
    )
