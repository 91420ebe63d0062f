"""The kind of ground at each place, read from photos by the nets, and the terrain pieces traced from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from calibration import FrameLayout, TableView
from vision.imaging.nets import GROUND_PPI
from vision.imaging.rectify import MapScale
from vision.model.collection import TerrainCells
from vision.model.drawing_margin import USUAL_MARGIN, DrawingMargin
from vision.model.expected import Expected, ExpectedTerrain
from vision.terrain.edge_refinement import SharpenConfig, sharpen, veil
from vision.terrain.finger_outlines import foot_outline
from vision.terrain.ground_sight import lay_out, sight_of
from vision.terrain.growing import grow
from vision.terrain.hill_bases import (
    HillConfig,
    StandingBase,
    is_contradicted,
    unexplained_high_bases,
    with_base_height,
    with_stated_height,
)
from vision.terrain.joint_ground import JointConfig, JointGround, free_ids, join_ground, layer_of
from vision.terrain.likeness import LikenessConfig, chances_of_both, maps_by_likeness
from vision.terrain.notches import BayConfig, without_bays
from vision.terrain.pieces import (
    KINDS,
    GroundMaps,
    TerrainConfig,
    TerrainError,
    mask_of,
    terrain_from,
)
from vision.terrain.printed_earth import PrintedConfig, without_prints
from vision.terrain.reference import changed_between, combine
from vision.terrain.tapped import TapConfig, believe_tap, confirm_tapped, tapped_piece
from vision.terrain.taps import DrawnLine, Tap

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Float32 = npt.NDArray[np.float32]
_GLARE_FROM, _GLARE_ABOVE, _BURNT = 185.0, 60.0, 245.0  # grey levels of the darkest colour channel
_LEAST_CLEAR = 0.1  # the weight of a place in full glare that no other photo shows
_PAPER = 1.35  # side of a frame marker's sheet, in sides of its black square


def ground_maps(
    image: Image,
    view: TableView,
    table_size_in: tuple[float, float],
    known: Sequence[TerrainCells] = (),
    config: LikenessConfig | None = None,
) -> GroundMaps:
    """The nets' shares over the whole table; ``image`` is the upright BGR photo of ``view``. ``known``: settled tables
    of the same players, by likeness to which a table on one of their mats is read as well."""
    laid = lay_out(image, view, table_size_in)
    shown, said, scale = laid.shown, laid.said, MapScale(*table_size_in, px_per_inch=GROUND_PPI)
    maps = GroundMaps(said.share * shown, scale, ~shown, glare_on(laid.plan, shown), laid.plan, said.looks * shown)
    return maps_by_likeness(maps, sight_of(laid), known, config) if known else maps


def glare_on(plan: Image, shown: Mask) -> npt.NDArray[np.float32]:
    """How much of each place (rows, columns) of a map of the table a reflection hides, 0 to 1.

    A lamp's reflection adds its own light to the ground's: it is near white on any ground and well above the table's
    usual level, so that snow is not mistaken for one. ``plan`` (rows, columns, 3) BGR; 0 where not ``shown``.
    """
    if not shown.any():
        return np.zeros(shown.shape, np.float32)
    level = cv2.GaussianBlur(plan.min(axis=2).astype(np.float32), (0, 0), 1.0)
    usual = float(np.median(level[shown]))
    begins = max(_GLARE_FROM, usual + _GLARE_ABOVE)
    share = np.clip((level - begins) / (_BURNT - begins), 0, 1) if begins < _BURNT else np.float32(level >= _BURNT)
    return np.asarray(np.where(shown, share, 0), np.float32)


@dataclass(frozen=True)
class GroundConfig:
    """How terrain is read: the tracing of pieces, their sharpening at colour edges, bays closed in them, what is
    printed on the mat, the joining with earlier photos, and likeness to settled tables; ``least_confidence``: a traced
    piece of which the shares say less is left out; ``figure_in``: how high figures on bases stand; ``weigh``: pieces
    get the chance that they are there."""

    least_confidence: float = 0.4
    figure_in: float = 0.9
    weigh: bool = True
    terrain: TerrainConfig = field(default_factory=TerrainConfig)
    sharpen: SharpenConfig = field(default_factory=SharpenConfig)
    bays: BayConfig = field(default_factory=BayConfig)
    printed: PrintedConfig = field(default_factory=PrintedConfig)
    tapped: TapConfig = field(default_factory=TapConfig)
    hills: HillConfig = field(default_factory=HillConfig)
    joint: JointConfig = field(default_factory=JointConfig)
    likeness: LikenessConfig = field(default_factory=LikenessConfig)


def merge_maps(maps: Sequence[GroundMaps]) -> GroundMaps:
    """Several photos' maps of one table as one: the mean of the photos that show a place, glare counting less."""
    if len(maps) == 1:
        return maps[0]
    shown = np.stack([np.maximum(m.clear, _LEAST_CLEAR * ~m.hidden) for m in maps]).astype(np.float32)
    total = np.maximum(shown.sum(axis=0), 1e-6)
    share = sum(m.share * s for m, s in zip(maps, shown, strict=True)) / total
    hidden = np.all([m.hidden for m in maps], axis=0)
    glare = np.where(hidden, np.float32(0), 1 - np.max([m.clear for m in maps], axis=0))
    picture = looks = None
    pictures = [m.picture for m in maps if m.picture is not None]
    if len(pictures) == len(maps):
        best = shown.argmax(axis=0)
        picture = np.asarray(np.choose(best[..., None], pictures), np.uint8)
    told = [m.looks for m in maps if m.looks is not None]
    if len(told) == len(maps):
        looks = np.asarray(sum(t * s for t, s in zip(told, shown, strict=True)) / total, np.float32)
    by_net = by_likeness = None
    if any(m.net is not None for m in maps):
        each = [sum((m.share if one is None else one) * s for m, one, s in zip(maps, ones, shown, strict=True)) / total
                for ones in ([m.net for m in maps], [m.likeness for m in maps])]  # fmt: skip
        by_net, by_likeness = (np.asarray(one, np.float32) for one in each)
    told_by = (picture, looks, by_net, by_likeness)
    return GroundMaps(np.asarray(share, np.float32), maps[0].scale, hidden, np.asarray(glare, np.float32), *told_by)


@dataclass(frozen=True, eq=False)
class Reading:
    """Terrain as photos show it: the ``maps`` behind it, the pieces traced from them, the pieces that players' taps and
    lines outline, the taps that the maps bear out, all ``taps`` that found a piece (a line counts as a tap inside it),
    and ``notes`` on taps and lines that found none or only guessed. ``drawn``: what players drew in their game; the
    photos' own version of it does not count."""

    maps: GroundMaps
    traced: tuple[ExpectedTerrain, ...]
    tapped: tuple[ExpectedTerrain, ...] = ()
    borne_out: tuple[Tap, ...] = ()
    taps: tuple[Tap, ...] = ()
    notes: tuple[str, ...] = ()
    drawn: tuple[ExpectedTerrain, ...] = ()

    @property
    def pieces(self) -> tuple[ExpectedTerrain, ...]:
        """All pieces but the drawn ones, with taps replacing traced pieces at their places, with ids t1, t2, ...,
        without those that drawn pieces have."""
        every = [*self.tapped, *not_settled(self.traced, (*self.tapped, *self.drawn))]
        return tuple(replace(piece, id=name) for piece, name in zip(every, free_ids(self.drawn), strict=False))

    def joined(self, expected: Expected, config: JointConfig | None = None) -> tuple[ExpectedTerrain, ...]:
        """The pieces joined with what earlier photos have shown, before anything is known of the bases on them. Without
        earlier terrain only hills get their chances: a base's height depends on no other piece."""
        if not (expected.ground or expected.bare):
            pieces = self.weighed(kinds=("hill",)).pieces
            return tuple(with_stated_height(piece, expected.hill_height_in) for piece in pieces)
        weighed = self.weighed()
        return _joined(weighed.pieces, weighed, expected, None, config).pieces

    def weighed(self, covered: Mask | None = None, kinds: Collection[str] = KINDS) -> Reading:
        """The same reading where the confidence of each traced piece of some ``kinds`` is the chance that it is there
        and of its kind; pieces named by a tap are as sure as a player's statement. ``covered`` (rows, columns): what
        bases and figures hide."""
        weighed = chances_of_both(self.traced, self.maps, covered=covered, kinds=kinds)
        return replace(self, traced=tuple(confirm_tapped(weighed, self.borne_out)))


def not_settled(pieces: Iterable[ExpectedTerrain], said: Sequence[ExpectedTerrain]) -> list[ExpectedTerrain]:
    """The pieces without those in the place of what a player ``said``."""
    return [piece for piece in pieces if not any(_same_place(piece, one) for one in said)]


def _same_place(piece: ExpectedTerrain, said: ExpectedTerrain) -> bool:
    """Whether a traced piece is what a player has settled: one of that kind that it touches, or a rival under it."""
    own = piece.shape.area
    shared = shapely.intersection(piece.shape, said.shape).area
    if piece.kind == said.kind:
        return bool(shared > 0.2 * min(own, said.shape.area))
    return bool(said.kind in layer_of(piece.kind) and shared > 0.5 * own)


def papers_of(frame: FrameLayout) -> list[npt.NDArray[np.float64]]:
    """The outlines (4, 2) in table inches of the frame markers' sheets, under which no ground is seen."""
    squares = [frame.corners(number)[:, :2] for number in frame.ids]
    return [square.mean(axis=0) + _PAPER * (square - square.mean(axis=0)) for square in squares]


def read_ground(
    photos: Iterable[tuple[Image, TableView]],
    table_size_in: tuple[float, float],
    *,
    taps: Sequence[Tap | DrawnLine] = (),
    margin: DrawingMargin = USUAL_MARGIN,
    bare: tuple[Image, TableView] | None = None,
    papers: Sequence[npt.ArrayLike] = (),
    known: Sequence[TerrainCells] = (),
    config: GroundConfig | None = None,
) -> Reading:
    """The terrain that photos of one table show.

    ``known``: settled tables of the same players, by which their mats and terrain are recognized.

    ``papers``: outlines (n, 2) in table inches of known things on the table, such as the frame markers: the ground
    under them is not seen.

    ``taps``: places that players have named, grown to their edges, and lines that they drew, usually ``margin`` outside
    the foot; notes name what finds nothing and outlines that are a guess. ``bare``: a photo of the mat with nothing
    on it, and its camera: places that do not differ from it are not terrain.
    """
    config = config or GroundConfig()
    seen: list[GroundMaps] = []
    shown: list[tuple[Image, TableView]] = []
    for image, view in photos:
        maps = ground_maps(image, view, table_size_in, known, config.likeness)
        if bare is not None:
            change, unseen = changed_between(image, view, *bare, table_size_in)
            maps = combine(maps, change, hidden=unseen)
        seen.append(maps)
        if taps:
            shown.append((image, view))
    together = without_papers(merge_maps(seen), papers)
    borne_out: list[Tap] = []
    grown: list[ExpectedTerrain] = []
    named: list[Tap] = []
    notes: list[str] = []
    for tap in taps:
        if isinstance(tap, DrawnLine):
            try:
                grown.append(_outlined_piece(shown, table_size_in, tap, margin, config))
            except TerrainError as error:
                notes.append(error.problem)
            else:
                inside = grown[-1].shape.representative_point()
                named.append(Tap(tap.kind, (float(inside.x), float(inside.y))))
            continue
        believed = believe_tap(together, tap, config.terrain, config.tapped)
        if believed is None and tapped_piece(grown, tap, near_in=0.0) is None:
            piece, why = _grow_piece(shown, table_size_in, tap)
            if piece is None or piece.confidence < config.tapped.clear_edge:
                believed = believe_tap(together, tap, config.terrain, config.tapped, config.tapped.raises)
            if believed is None and piece is None:
                notes.append(why.problem)
                continue
            notes.append(
                f"The outline of the {tap.kind} at ({tap.at[0]:g}, {tap.at[1]:g}) is a guess from one tap: draw a line "
                "around the piece where it is wrong."
            )
            if believed is None and piece is not None:
                grown.append(replace(piece, confidence=max(piece.confidence, config.tapped.confidence)))
        if believed is not None:
            together = believed
            borne_out.append(tap)
        named.append(tap)
    traced = _trace_pieces(together, None, config, borne_out)
    return Reading(together, traced, tuple(grown), tuple(borne_out), tuple(named), tuple(notes))


def _outlined_piece(
    photos: Sequence[tuple[Image, TableView]],
    table_size_in: tuple[float, float],
    line: DrawnLine,
    margin: DrawingMargin,
    config: GroundConfig,
) -> ExpectedTerrain:
    """The piece that a player drew, in the first photo. Raises TerrainError."""
    if line.in_pixels and len(photos) > 1:
        raise TerrainError(f"{line.says} is in pixels, and there are several photos: draw it in inches.")
    image, view = photos[0]
    foot = foot_outline(line, table_size_in, view, image, margin)
    return ExpectedTerrain(
        id="drawn",
        kind=line.kind,
        polygon=foot.outline,
        height=line.height_in,
        confidence=config.tapped.confidence,
        sigma_in=foot.sigma_in,
        height_stated=line.height_in > 0,
    )


def _grow_piece(
    photos: Sequence[tuple[Image, TableView]], table_size_in: tuple[float, float], tap: Tap
) -> tuple[ExpectedTerrain | None, TerrainError]:
    """The tapped piece by its colours, from the first photo that shows it clearly; also the error of the last photo
    that does not."""
    failed = TerrainError("Terrain can be tapped where there is a photo of it: give one.")
    for image, view in photos:
        try:
            return grow(image, view, table_size_in, tap.kind, tap.at), failed
        except TerrainError as error:
            failed = error
    return None, failed


def _trace_pieces(
    maps: GroundMaps, covered: Mask | None, config: GroundConfig, taps: Sequence[Tap] = ()
) -> tuple[ExpectedTerrain, ...]:
    """The pieces that the maps show with enough confidence, or that a player has named."""
    pieces = confirm_tapped(terrain_from(maps, config.terrain, covered=covered), taps, config.tapped)
    return tuple(p for p in pieces if p.confidence >= config.least_confidence)


def without_papers(maps: GroundMaps, papers: Sequence[npt.ArrayLike]) -> GroundMaps:
    """The maps with the ground under known papers (:func:`papers_of`) marked as unseen."""
    if not len(papers):
        return maps
    under = mask_of(shapely.union_all([shapely.Polygon(np.asarray(p, np.float64)) for p in papers]), maps.scale)
    return replace(maps, share=maps.share * ~under, hidden=maps.hidden | under)


def finish_pieces(
    reading: Reading,
    image: Image,
    view: TableView,
    table_size_in: tuple[float, float],
    bases: Sequence[StandingBase],
    expected: Expected | None = None,
    config: GroundConfig | None = None,
    *,
    colours: Future[list[Float32]] | None = None,
) -> JointGround:
    """The pieces once the bases are known, but the drawn ones: traced again without what bases and their figures hide,
    with outlines at the colour edges of the photo, joined to what earlier photos have shown (``expected.ground``);
    hills as high as the bases on them stand or as players state, and where bases stand high or low against what was
    read, as they say. ``colours``: :func:`vision.terrain.edge_refinement.colours_above` of the photo, where it is being
    made already."""
    config = config or GroundConfig()
    covered = veil([base.outline for base in bases], config.figure_in, view.eye) if bases else None
    hidden = None
    if covered is not None:
        hidden = mask_of(covered, reading.maps.scale)
        reading = replace(reading, traced=_trace_pieces(reading.maps, hidden, config, reading.borne_out))
        reading = _with_overlooked(reading, hidden, bases, config)
    sure = [tapped_piece(reading.traced, tap) for tap in reading.borne_out]
    traced = [p for p in reading.traced if any(p is s for s in sure) or not is_contradicted(p, bases, config.hills)]
    sharp = sharpen(
        image, view, table_size_in, traced, config.sharpen, covered=covered, maps=reading.maps, colours=colours
    )
    sharp = without_prints(image, view, table_size_in, sharp, covered=covered, config=config.printed)
    sharp = without_bays(sharp, reading.maps.scale, config.bays)
    reading = replace(reading, traced=sharp)
    if config.weigh:
        reading = reading.weighed(covered=hidden)
    joint = _joined(reading.pieces, reading, expected, hidden, config.joint)
    # only pieces that this photo does not show: the others were checked above
    named = [tapped_piece(joint.pieces, tap) for tap in reading.borne_out]
    carried = [
        p
        for p in joint.pieces
        if p.confidence >= 1.0 or any(p is n for n in named) or not is_contradicted(p, bases, config.hills)
    ]
    return replace(joint, pieces=tuple(with_base_height(piece, bases, config.hills) for piece in carried))


def _joined(
    pieces: Sequence[ExpectedTerrain],
    reading: Reading,
    expected: Expected | None,
    covered: Mask | None,
    config: JointConfig | None,
) -> JointGround:
    if expected is None:
        return join_ground(pieces, reading.maps, covered=covered, taps=reading.taps, config=config)
    known, height = not_settled(expected.ground, reading.drawn), expected.hill_height_in
    told, taken = (known, expected.bare, expected.unseen), reading.drawn
    joint = join_ground(pieces, reading.maps, *told, covered=covered, taps=reading.taps, taken=taken, config=config)
    return replace(joint, pieces=tuple(with_stated_height(piece, height) for piece in joint.pieces))


def _with_overlooked(reading: Reading, hidden: Mask, bases: Sequence[StandingBase], config: GroundConfig) -> Reading:
    """The reading with hills that the net only suspects, added under high bases."""
    maps = reading.maps
    for tap in (
        Tap("hill", place) for place in unexplained_high_bases((*reading.drawn, *reading.pieces), bases, config.hills)
    ):
        if tapped_piece(reading.traced, tap) is None:
            maps = believe_tap(maps, tap, config.terrain, config.tapped, config.tapped.raises) or maps
    if maps is reading.maps:
        return reading
    return replace(reading, maps=maps, traced=_trace_pieces(maps, hidden, config, reading.borne_out))
