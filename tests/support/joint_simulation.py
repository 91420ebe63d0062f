"""Simulated photos of one table from several sides: one layout as it really lies, tagged bases, drawn lenses."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from calibration import Camera, FrameLayout, TableView
from calibration.adjustment import AdjustmentConfig, MarkerSights
from calibration.corners import TableCorners, solve_corners
from calibration.joint import JointConfig, Sight, TiePrior, TieSights, lens_prior_of
from calibration.lens_prior import LensPriorConfig, exif_prior, shot_covariance
from calibration.table import TablePoseConfig, solve_table
from tests.support.pose_simulation import SIZE, Detections, bled, drawn_camera, laid, look

Array = npt.NDArray[np.float64]
TAG_IN = 0.8


def drawn_lenses(count: int, rng: np.random.Generator) -> list[Camera]:
    """One phone's cameras over several shots: a drawn lens, then what moves from shot to shot."""
    prior = exif_prior(SIZE, 26.0)
    shot = shot_covariance(prior.mean, SIZE, LensPriorConfig())
    shot[2:4, 2:4] *= 0.0  # the prior's own spread of the centre is no wider than that from shot to shot
    phone = drawn_camera(prior, rng)
    wander = rng.multivariate_normal(np.zeros(9), shot, size=count, method="eigh")
    centre = rng.normal(size=(count, 2)) * LensPriorConfig().stored_centre_of_long_side * max(SIZE)
    parameters = phone.parameters + wander
    parameters[:, 2:4] = prior.mean[2:4] + centre
    return [Camera.from_parameters(p, SIZE) for p in parameters]


def real_markers(layout: FrameLayout, rng: np.random.Generator, carelessness: float) -> dict[int, Array]:
    """Corners (4, 3) of the markers as someone laid them."""
    a = AdjustmentConfig()
    printed = np.exp(rng.normal() * a.print_scale_rel)
    out = {}
    for i in layout.ids:
        shift, (up, turn, size) = rng.normal(size=2), rng.normal(size=3) * carelessness
        out[i] = laid(
            layout,
            i,
            shift=tuple(shift * a.layout_sigma_in * carelessness),
            turn_deg=float(turn * a.layout_sigma_deg),
            size=float(np.exp(size * a.marker_size_rel) * printed),
        )
        out[i][:, 2] = up * JointConfig().marker_rise_in
    return out


def real_tags(count: int, rng: np.random.Generator, width: float = 36.0, depth: float = 36.0) -> dict[int, Array]:
    """Corners (4, 3) of tags on bases that stand about, a third of them on a hill an inch high."""
    out = {}
    for k in range(count):
        centre = rng.uniform([4.0, 4.0], [width - 4.0, depth - 4.0])
        angle, height = rng.uniform(0, 2 * np.pi), 0.13 + (1.0 if k % 3 == 0 else 0.0) + rng.normal() * 0.02
        side = TAG_IN * float(np.exp(rng.normal() * JointConfig().tie_size_rel))
        ahead, right = np.array([np.sin(angle), np.cos(angle)]), np.array([np.cos(angle), -np.sin(angle)])
        signs = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * side / 2
        flat = centre + signs[:, :1] * right + signs[:, 1:] * ahead
        tilt = rng.normal(size=2) * np.radians(JointConfig().tie_tilt_deg)
        out[k] = np.column_stack([flat, height + (flat - centre) @ tilt])
    return out


def seen(
    view: TableView, squares: dict[int, Array], rng: np.random.Generator, noise_px: float = 0.1, whole: bool = True
) -> Detections:
    """The squares as one photo shows them: those wholly in the picture."""
    ids, corners = [], []
    for i, square in squares.items():
        exact = view.pixel_from_table(square)
        if whole and not np.all((exact > 0) & (exact < np.array(view.camera.size) - 1)):
            continue
        ids.append(i)
        light = rng.normal() * AdjustmentConfig().edge_bleed_px
        corners.append(bled(exact, light) + rng.normal(size=(4, 2)) * noise_px)
    return Detections(np.array(ids), np.array(corners).reshape(-1, 4, 2), np.full(len(ids), 0.1))


def sight(
    view: TableView,
    markers: dict[int, Array],
    tags: dict[int, Array],
    layout: FrameLayout,
    rng: np.random.Generator,
    config: TablePoseConfig | None = None,
    *,
    lens: str | None = "phone",
) -> Sight:
    """One photo's part, solved by itself from what it sees."""
    found, read = seen(view, markers, rng), seen(view, tags, rng)
    alone = solve_table(found, layout, SIZE, focal_35mm=26.0, config=config)
    rows = [k for k, i in enumerate(found.ids.tolist()) if i in alone.markers_seen]
    stated = np.array([layout.corners(int(found.ids[k]))[:, :2] for k in rows])
    centers = stated.mean(axis=1)
    trusted = MarkerSights(
        tuple(int(found.ids[k]) for k in rows),
        found.corners[rows],
        found.sigma_px[rows],
        centers,
        stated - centers[:, None],
    )
    ties = TieSights(tuple(read.ids.tolist()), read.corners, read.sigma_px)
    return Sight(alone, trusted, lens_prior_of(alone, focal_35mm=26.0), ties, lens)


def tie_priors(tags: dict[int, Array]) -> dict[int, TiePrior]:
    """What is known of the tags beforehand."""
    return {i: TiePrior(TAG_IN) for i in tags}


def round_the_table(cameras: Sequence[Camera], rng: np.random.Generator) -> list[TableView]:
    """Hand-held views from different sides."""
    first = rng.uniform(0, 360)
    return [
        look(
            camera,
            distance_in=58 + rng.uniform(-2, 4),
            elevation_deg=rng.uniform(45, 70),
            azimuth_deg=first + 90 * k + rng.uniform(-20, 20),
            roll_deg=rng.uniform(-4, 4),
            target=(18 + rng.uniform(-1, 1), 17 + rng.uniform(-1, 1)),
        )
        for k, camera in enumerate(cameras)
    ]


def edge_sight(
    view: TableView,
    corners: Array,
    bows: Array,
    tags: dict[int, Array],
    rng: np.random.Generator,
    *,
    noise_px: float = 0.8,
    per_side: int = 14,
) -> Sight:
    """The part of a photo that shows no frame: solved by the edges of a table with these true ``corners`` (4, 2), whose
    sides bow outward by ``bows`` (4,) inches in their middle."""
    outward = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    pixels = []
    for k in range(4):
        s = rng.uniform(0.05, 0.95, per_side)[:, None]
        points = corners[k] + s * (corners[(k + 1) % 4] - corners[k]) + bows[k] * 4 * s * (1 - s) * outward[k]
        flat = np.column_stack([points, np.zeros(per_side)])
        pixels.append(view.pixel_from_table(flat) + rng.normal(0, noise_px, (per_side, 2)))
    meet = view.pixel_from_table(np.column_stack([corners, np.zeros(4)])) + rng.normal(0, 2.0, (4, 2))
    side = np.repeat(np.arange(4), per_side)
    count = 4 * per_side
    found = TableCorners(meet, np.full(4, noise_px), True, np.concatenate(pixels), side, np.full(count, noise_px))
    alone = solve_corners(found, (36.0, 36.0), SIZE, focal_35mm=26.0)
    read = seen(view, tags, rng)
    none = np.zeros((0, 4, 2))
    return Sight(
        alone,
        MarkerSights((), none, np.zeros(0), np.zeros((0, 2)), none),
        lens_prior_of(alone, focal_35mm=26.0),
        TieSights(tuple(read.ids.tolist()), read.corners, read.sigma_px),
        "phone",
        np.array([[0.0, 0.0], [36.0, 0.0], [36.0, 36.0], [0.0, 36.0]]),
    )
