"""The photo as evidence for bases: the map from above, each side's rim paint, fits at a place and height."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration import TableView
from calibration.table import MarkerDetections
from vision.bases.apart import ApartConfig
from vision.bases.assignment import AssignConfig
from vision.bases.bare import BareConfig
from vision.bases.bare_sides import SidesConfig
from vision.bases.fitting import Wish
from vision.bases.front_marks import FrontConfig
from vision.bases.known_looks import KnownLooksConfig
from vision.bases.outline import OutlineConfig, OutlineFit, PhotoEvidence, Start, fit_outlines, silhouette
from vision.bases.parallax import ParallaxConfig
from vision.bases.plain_rims import PlainRimsConfig
from vision.bases.search import SearchConfig
from vision.bases.selection import Found, PickConfig
from vision.bases.tag_verification import VerifyConfig
from vision.imaging.rectify import MapScale, rectified_map
from vision.imaging.rims import (
    Array,
    Float32,
    Image,
    RimConfig,
    chromaticity,
    chromaticity_of,
    float32,
    has_hue,
    local_ground,
    paint_of,
    paper_cast,
    rim_evidence,
    without_blobs,
)
from vision.model.expected import BaseShape, Expected
from vision.model.heights import (
    HeightConfig,
    SurfacePrior,
    surface_prior,
)
from vision.tags.pose import TagPlaceConfig, tag_pose


@dataclass(frozen=True)
class BasesConfig:
    """``map_ppi``: pixels per inch of the map that is searched, fewer where it would pass ``map_megapixels``;
    ``margin_in``: how far it reaches past the table; ``disagree_in``: an outline farther from where the tag puts it
    than this belongs to something else; ``repaint_log2``: how far, in stops, a rim colour read off tagged bases may
    differ from the roster's; ``sure_coverage``, ``sure_side``: an outline less well supported is fitted again from
    ``second_look_in`` to every side."""

    map_ppi: float = 18.0
    map_megapixels: float = 0.85
    margin_in: float = 0.75
    disagree_in: float = 0.2
    repaint_log2: float = 0.7
    sure_coverage: float = 0.85
    sure_side: float = 0.55
    second_look_in: float = 0.15
    rims: RimConfig = field(default_factory=RimConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    outline: OutlineConfig = field(default_factory=OutlineConfig)
    pick: PickConfig = field(default_factory=PickConfig)
    assign: AssignConfig = field(default_factory=AssignConfig)
    heights: HeightConfig = field(default_factory=HeightConfig)
    tag: TagPlaceConfig = field(default_factory=TagPlaceConfig)
    verify: VerifyConfig = field(default_factory=VerifyConfig)
    bare: BareConfig = field(default_factory=BareConfig)
    sides: SidesConfig = field(default_factory=SidesConfig)
    plain_rims: PlainRimsConfig = field(default_factory=PlainRimsConfig)
    known: KnownLooksConfig = field(default_factory=KnownLooksConfig)
    fronts: FrontConfig = field(default_factory=FrontConfig)
    parallax: ParallaxConfig = field(default_factory=ParallaxConfig)
    apart: ApartConfig = field(default_factory=ApartConfig)


@dataclass(frozen=True, eq=False)
class RimMap:
    """The table from above at height ``z`` for the search of rims: ``chroma`` (rows, columns, 2) log-chromaticity,
    that of the ``ground`` round each place at fewer pixels (r, c, 2), ``frame`` the map's scale and place, ``cast``
    (2,) the log-chromaticity of white paper in this light."""

    chroma: Float32
    ground: Float32
    frame: MapScale
    z: float
    cast: Array


def rim_map(image: Image, view: TableView, expected: Expected, config: BasesConfig | None = None) -> RimMap:
    """The map of the upright BGR photo of ``view``; it does not depend on terrain."""
    config = config or BasesConfig()
    margin, size = config.margin_in, (expected.width, expected.depth)
    area = (size[0] + 2 * margin) * (size[1] + 2 * margin)
    ppi = min(config.map_ppi, float(np.sqrt(config.map_megapixels * 1e6 / area)))
    z = float(np.median([u.shape.height for u in expected.units])) if expected.units else 0.0
    plan = rectified_map(image, view, size, px_per_inch=ppi, z=z, margin_in=margin)
    chroma = chromaticity(plan, config.rims.floor_level)
    frame = MapScale(*size, px_per_inch=ppi, margin_in=margin)
    cast = paper_cast(image, view, expected.frame, config.rims)
    return RimMap(chroma, local_ground(chroma, ppi, config.rims), frame, z, cast)


class TableEvidence:
    """The data that all steps of finding bases use: the photo's evidence, a map from above, paints, shapes by side."""

    def __init__(self, image: Image, view: TableView, expected: Expected, plan: RimMap, config: BasesConfig) -> None:
        self.view, self.expected, self.config = view, expected, config
        self.photo = PhotoEvidence(image, view, config.rims)
        self.frame, self.map_z, self.chroma, self.ground = plan.frame, plan.z, plan.chroma, plan.ground
        self.shapes: dict[str, tuple[BaseShape, ...]] = {}
        for unit in expected.units:
            have = self.shapes.get(unit.side, ())
            self.shapes[unit.side] = have + tuple(s for s in unit.shapes if s not in have)
        named = {side: rgb for side, rgb in expected.rims if side in self.shapes and has_hue(rgb, config.rims)}
        self.paints = {side: chromaticity_of(rgb) + plan.cast for side, rgb in named.items()}

    def learn_paints(self, tags: MarkerDetections) -> None:
        """Read each side's rim colour off the rims of its tagged bases, as this photo shows it.

        A colour that was read replaces the roster's only where it is near to it: a stray reading must not turn a side's
        rims into something else. If no rims are stated, one side's bases show their own colour, not paint,
        as long as tagged bases of another such side show none.
        """
        owners = self.expected.tag_owners
        reads: dict[str, list[Array]] = {}
        for k in range(len(tags.ids)):
            if int(tags.ids[k]) not in owners:
                continue
            unit = self.expected.units[owners[int(tags.ids[k])][0]]
            shape = unit.shape_with_tag(int(tags.ids[k]))
            z, size = self.config.heights.flat_mean_in, self.expected.tag_size_in
            corners, sigma = np.asarray(tags.corners[k], dtype=np.float64), float(tags.sigma_px[k])
            pose = tag_pose(self.view, corners, sigma, size, unit.tag_offset, shape, z, self.config.tag)
            at = np.array([pose.x, pose.y, np.radians(pose.facing)])
            reads.setdefault(unit.side, []).append(self._rim_pixels(shape, at, z))
        shown = {side: paint_of(np.concatenate(pixels), self.config.rims) for side, pixels in reads.items()}
        stated = {side for side, _ in self.expected.rims}
        unpainted = any(paint is None for side, paint in shown.items() if side not in stated)
        for side, paint in shown.items():
            if paint is None or (unpainted and side not in stated):
                continue
            if np.linalg.norm(paint - self.paints.get(side, paint)) < self.config.repaint_log2:
                self.paints[side] = paint

    def _rim_pixels(self, shape: BaseShape, at: Array, z: float) -> Array:
        """Log-chromaticities (n, 3, 2) outside, on and inside a base's rim, from the photo."""
        points, outward, _ = silhouette(shape, at, z, self.view.eye, self.config.outline)
        rows, columns = self.photo.image.shape[:2]
        reads = []
        for offset in (0.12, -0.025, -0.16):
            moved = points + np.column_stack([outward * offset, np.zeros(len(points))])
            pixel = np.rint(self.view.pixel_from_table(moved)).astype(int)
            pixel = np.clip(pixel, 0, [columns - 1, rows - 1])
            reads.append(
                chromaticity(self.photo.image[pixel[:, 1], pixel[:, 0]][None], self.config.rims.floor_level)[0]
            )
        return np.stack(reads, axis=1).astype(np.float64)

    def most(self) -> dict[tuple[str, BaseShape], int]:
        """How many bases of each side and shape the roster has."""
        count: Counter[tuple[str, BaseShape]] = Counter()
        for unit in self.expected.units:
            count.update({(unit.side, shape): many for shape, many in unit.counts.items()})
        return dict(count)

    @property
    def roster(self) -> int:
        """How many bases the roster has."""
        return sum(unit.bases for unit in self.expected.units)

    def evidence(self, paint: Array) -> Float32:
        """Thin rim evidence of one side over the whole map."""
        rows, columns = self.chroma.shape[:2]
        ground = float32(cv2.resize(self.ground, (columns, rows), interpolation=cv2.INTER_LINEAR))
        return without_blobs(
            rim_evidence(self.chroma, ground, paint, self.config.rims), self.frame.px_per_inch, self.config.rims
        )

    def ground_at(self, x: float, y: float) -> Array:
        """Log-chromaticity (2,) of the ground round a place."""
        scale = self.config.rims.ground_ppi
        margin = self.frame.margin_in
        column = int(np.clip((x + margin) * scale, 0, self.ground.shape[1] - 1))
        row = int(np.clip((self.expected.depth + margin - y) * scale, 0, self.ground.shape[0] - 1))
        return self.ground[row, column].astype(np.float64)

    def prior(self, x: float, y: float) -> SurfacePrior:
        """The surface at a place by the terrain outlines."""
        return surface_prior(x, y, self.expected.terrain, self.config.heights)

    def start(self, shape: BaseShape, x: float, y: float, facing: float, z: float, paint: Array) -> Start:
        """A fit of an outline that begins at a place (inches, degrees), its surface at height ``z``."""
        return Start(shape, x, y, facing, z, paint, self.ground_at(x, y))

    def fit(self, starts: Sequence[Start]) -> list[OutlineFit | None]:
        """The outlines near some starts."""
        return fit_outlines(self.photo, starts, self.config.outline)

    def fit_wishes(self, wishes: Sequence[Wish]) -> list[OutlineFit | None]:
        """The outlines of candidates, each at the height of the ground there."""
        return self.fit(self._starts(wishes))

    def _starts(self, wishes: Sequence[Wish]) -> list[Start]:
        # The map is the plane of tops on bare ground; on a hill the same pixels are nearer to the camera.
        place = np.array([[wish.candidate.x, wish.candidate.y] for wish in wishes])
        height = np.array([wish.shape.height for wish in wishes])
        pixels = self.view.pixel_from_table(np.column_stack([place, np.full(len(wishes), self.map_z)]))
        z: list[float] = []
        for _ in range(2):
            z = [self.prior(x, y).mean_in for x, y in place.tolist()]
            place = self.view.point_from_pixel(pixels, z + height)
        return [
            self.start(wish.shape, x, y, wish.candidate.facing, surface, self.paints[wish.side])
            for wish, (x, y), surface in zip(wishes, place.tolist(), z, strict=True)
        ]

    @property
    def stray_in(self) -> float:
        """How far a surface above the table may carry a place from where the map shows it."""
        highest = max((piece.height for piece in self.expected.terrain), default=0.0)
        size = (self.expected.width, self.expected.depth)
        eye = self.view.eye
        far = max(float(np.hypot(eye[0] - x, eye[1] - y)) for x in (0.0, size[0]) for y in (0.0, size[1]))
        return highest * far / max(float(eye[2]) - highest, 1.0)

    def on_table(self, found: Found) -> bool:
        """Whether a base's centre is on the table."""
        return 0 <= found.fit.x <= self.expected.width and 0 <= found.fit.y <= self.expected.depth
