"""Terrain of several photos of one table as one answer: what this photo shows, joined with earlier photos.

Terrain stays in place from photo to photo, but glare, figures and the picture's edge do not. So a piece that was read
before and one that is read now at the same place are one piece; both decide its kind and outline, each as far as it
plainly saw the place. Pieces that earlier photos have shown and this one does not stay, unless this one plainly shows
bare mat there. A player's statement overrides every photo.

Chances of one place from several photos are pooled: the mean of their logarithms, weighted by how plainly each photo
saw it, times the number of independent photos that they are worth (errors of one net on one table are alike).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import shapely

from vision.imaging.rectify import MapScale
from vision.model.expected import ExpectedTerrain, Outline, TerrainEvidence
from vision.terrain.odds import NOTHING, listed
from vision.terrain.pieces import DRAWN_KINDS, KINDS, RIBBON_KINDS, RIVAL_KINDS, GroundMaps, mask_of
from vision.terrain.taps import Tap
from vision.terrain.tracing import (
    Float32,
    Mask,
    Sheet,
    TraceConfig,
    components,
    iou,
    on_table,
    rectangle,
    ring_of,
    tidy,
)

LAYERS = ((*RIVAL_KINDS, *DRAWN_KINDS), RIBBON_KINDS, ("hill",), ("bridge",))
"""Kinds of which one place has one at most, layer by layer."""


@dataclass(frozen=True)
class JointConfig:
    """``same_share``: outlines that share more of the smaller one are of one piece; ``alike``: correlation between the
    readings of two photos; ``doubt``: the share of each photo's reading that is not believed; ``flip``: least chance
    at which a piece changes its kind; ``gone``, ``plain``: open ground at this chance, seen this plainly, shows that a
    piece is gone; ``moved_iou``, ``moved_size``: a piece of the same kind that shares less with its old outline and is
    at least this similar in size was moved; ``other_table``: photos with less overlap of terrain, as a share of the
    smaller terrain, are not of one table. Inches: ``core_in``: the edge left out where a place's kind is read;
    ``reach_in``: distance from an outline beyond which a place counts as fully inside or outside; ``px_per_inch`` of
    the maps on which outlines are joined; ``least_sqin``: smaller pieces are dropped, ``least_bridge_sqin`` for
    bridges. ``least_clear``: places seen less plainly count as unseen."""

    same_share: float = 0.4
    alike: float = 0.5
    doubt: float = 0.1
    flip: float = 0.75
    gone: float = 0.85
    plain: float = 0.7
    moved_iou: float = 0.5
    moved_size: float = 0.6
    other_table: float = 0.35
    core_in: float = 0.3
    reach_in: float = 1.0
    least_clear: float = 0.35
    px_per_inch: float = 16.0
    least_sqin: float = 1.5
    least_bridge_sqin: float = 0.5
    trace: TraceConfig = field(default_factory=lambda: TraceConfig(smooth_in=0.15))


@dataclass(frozen=True)
class JointGround:
    """The terrain of all photos so far, what players should hear of it (what is gone, moved, or another kind), and the
    outlines of what no photo has shown plainly."""

    pieces: tuple[ExpectedTerrain, ...]
    notes: tuple[str, ...] = ()
    unseen: tuple[Outline, ...] = ()


def join_ground(
    now: Sequence[ExpectedTerrain],
    maps: GroundMaps,
    known: Sequence[ExpectedTerrain] = (),
    bare: Sequence[Outline] = (),
    unseen: Sequence[Outline] = (),
    *,
    covered: Mask | None = None,
    taps: Sequence[Tap] = (),
    taken: Sequence[ExpectedTerrain] = (),
    config: JointConfig | None = None,
) -> JointGround:
    """Join a photo's pieces with those ``known`` from earlier photos.

    ``maps`` are those that ``now`` was read from; ``covered`` (rows, columns) of their size marks what bases and their
    figures hide. ``bare``: outlines where a player said that there is nothing; ``unseen``: of what no earlier photo has
    shown plainly. ``taps``: what players named in this photo. Known pieces keep their ids, and new ones get none
    of those of pieces that are ``taken``. If the photo shows a different table, known pieces are left out.
    """
    config = config or JointConfig()
    clear = maps.clear if covered is None else np.asarray(maps.clear * ~covered, np.float32)
    work = _Work(maps, clear, bare, unseen, taps, config)
    work.here = fresh = [work.witnessed(piece) for piece in now]
    if not (known or bare) or not _one_table(fresh, known, clear, maps.scale, config):
        return JointGround(tuple(fresh), unseen=work.unseen_now())
    for before, here in _same_pieces(known, fresh, config):
        work.settle(before, here)
    work.tell_gone_and_moved()
    return JointGround(_with_ids(work.out, known, taken), tuple(work.notes), work.unseen_now() if unseen else ())


def layer_of(kind: str) -> tuple[str, ...]:
    """The kinds of which a place has one at most together with this one."""
    return next(layer for layer in LAYERS if kind in layer)


def _one_table(
    now: Sequence[ExpectedTerrain],
    known: Sequence[ExpectedTerrain],
    clear: Float32,
    scale: MapScale,
    config: JointConfig,
) -> bool:
    """Whether the terrain that is plainly seen is where the known terrain was, as far as both have terrain."""
    seen = clear > config.least_clear
    shared, sizes = 0, [0, 0]
    for layer in LAYERS:
        a, b = (
            mask_of(shapely.union_all([p.shape for p in pieces if p.kind in layer]), scale) & seen
            for pieces in (now, known)
        )
        shared, sizes = shared + int((a & b).sum()), [sizes[0] + int(a.sum()), sizes[1] + int(b.sum())]
    return shared >= config.other_table * min(sizes)


def _same_pieces(
    known: Sequence[ExpectedTerrain], now: Sequence[ExpectedTerrain], config: JointConfig
) -> list[tuple[list[ExpectedTerrain], list[ExpectedTerrain]]]:
    """Known pieces and pieces of this photo that are one, directly or through others; each piece in one group."""
    groups = [([piece], list[ExpectedTerrain]()) for piece in known]
    for piece in now:
        mine: tuple[list[ExpectedTerrain], list[ExpectedTerrain]] = ([], [piece])
        apart = []
        for before, here in groups:
            if any(_one_place(old, piece, config) for old in before):
                mine = (mine[0] + before, mine[1] + here)
            else:
                apart.append((before, here))
        groups = [*apart, mine]
    return groups


def _one_place(a: ExpectedTerrain, b: ExpectedTerrain, config: JointConfig) -> bool:
    if layer_of(a.kind) != layer_of(b.kind):
        return False
    return bool(a.shape.intersection(b.shape).area > config.same_share * min(a.shape.area, b.shape.area))


def pooled_chances(
    told: Sequence[tuple[float, Mapping[str, float]]], config: JointConfig | None = None
) -> dict[str, float]:
    """Chances of kinds from several witnesses, each with the weight of its view.

    >>> both = pooled_chances([(1.0, {"river": 0.9, "road": 0.1}), (0.2, {"river": 0.03, "road": 0.97})])
    >>> both["river"] > 0.75
    True
    """
    config = config or JointConfig()
    names = sorted({name for _, chances in told for name in chances})
    weight = sum(w for w, _ in told)
    if weight <= 0:
        return dict(told[0][1])
    doubt = config.doubt / len(names)  # no photo is quite sure: a share of its word is spread over all names
    words = np.array([[(1 - config.doubt) * chances.get(name, 0.0) + doubt for name in names] for _, chances in told])
    # the mean of several views counts as one of them before it is multiplied by their number
    each = np.log(words) / np.array([[_worth(w, config)] for w, _ in told])
    logs = np.array([w for w, _ in told]) @ each / weight
    power = np.exp(_worth(weight, config) * (logs - logs.max()))
    joint = np.maximum(power / power.sum() - doubt, _LEAST_CHANCE)
    out = {name: float(chance) for name, chance in zip(names, joint / joint.sum(), strict=True)}
    best = max(out, key=lambda name: out[name])
    most = 1 - 0.5 * min(1 - chances.get(best, 0.0) for _, chances in told)  # agreeing halves the doubt, at most
    return _with_chance(out, best, most) if out[best] > most else out


def _worth(weight: float, config: JointConfig) -> float:
    """How many independent witnesses so many similar views are worth; one at least."""
    return max(1.0, weight / (1 + (weight - 1) * config.alike)) if weight > 1 else 1.0


class _Work:
    """The state of the joining: the pieces so far, and those that are gone or new."""

    def __init__(
        self,
        maps: GroundMaps,
        clear: Float32,
        bare: Sequence[Outline],
        unseen: Sequence[Outline],
        taps: Sequence[Tap],
        config: JointConfig,
    ) -> None:
        self.maps, self.clear, self.taps, self.config = maps, clear, taps, config
        self.bare = [shapely.make_valid(shapely.Polygon(ring)) for ring in bare]
        scale = maps.scale
        self.fine = MapScale(scale.width_in, scale.depth_in, px_per_inch=config.px_per_inch)
        self.places = self.fine.places
        self.plain = np.asarray(cv2.resize(clear, self.fine.size, interpolation=cv2.INTER_LINEAR), np.float32)
        self.unseen = self._within(unseen) if unseen else None
        self.here: list[ExpectedTerrain] = []
        self.out: list[ExpectedTerrain] = []
        self.notes: list[str] = []
        self.gone: list[ExpectedTerrain] = []
        self.new: list[ExpectedTerrain] = []

    # --- the evidence of one photo ---------------------------------------------------------------------------------

    def witnessed(self, piece: ExpectedTerrain) -> ExpectedTerrain:
        """A piece of this photo with the photo's evidence about its place."""
        weight, chances = self.chances_at(piece.shape, piece.kind)
        stated = any(tap.kind == piece.kind and piece.shape.covers(shapely.Point(*tap.at)) for tap in self.taps)
        told = chances if piece.evidence is None else dict(piece.evidence.chances)
        mine = _with_chance(told, piece.kind, piece.confidence)
        return replace(piece, evidence=TerrainEvidence(1, weight, listed(mine), stated))

    def chances_at(self, shape: shapely.Geometry, kind: str) -> tuple[float, dict[str, float]]:
        """How plainly this photo sees a shape (0 to 1), and the chances of each kind there, in the layer of ``kind``;
        for kinds that no net reads a photo gives none."""
        core = shape.buffer(-min(self.config.core_in, 0.3 * shape.area / max(shape.length, 1e-6)))
        inside = mask_of(core, self.maps.scale)
        if not inside.any():
            inside = mask_of(shape, self.maps.scale)
        if not inside.any():
            return 0.0, {kind: 0.5, NOTHING: 0.5}
        if kind in DRAWN_KINDS:
            return float(self.clear[inside].mean()), {kind: 0.5, NOTHING: 0.5}
        kinds = ("hill",) if kind == "hill" else tuple(k for k in KINDS if k != "hill")
        share = np.stack([self.maps.plane(k)[inside] for k in kinds])
        views = self.clear[inside]
        weights = np.maximum(views, 1e-3)
        told = {k: float(np.average(plane, weights=weights)) for k, plane in zip(kinds, share, strict=True)}
        told[NOTHING] = float(np.average(1 - share.max(axis=0), weights=weights))
        total = sum(told.values())
        return float(views.mean()), {k: v / total for k, v in told.items()}

    def unseen_now(self) -> tuple[Outline, ...]:
        """Outlines of ground that neither this photo nor earlier ones have shown plainly."""
        mask = self.plain < self.config.least_clear
        if self.unseen is not None:
            mask = mask & self.unseen
        found, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        px = self.config.px_per_inch
        large = sorted((c for c in found if cv2.contourArea(c) >= 0.25 * px * px), key=cv2.contourArea, reverse=True)
        out = []
        for contour in large[:_MOST_UNSEEN]:
            ring = cv2.approxPolyDP(contour, 0.15 * px, closed=True).reshape(-1, 2)
            if len(ring) >= 3:
                out.append(tuple((round(float(x), 2), round(float(y), 2)) for x, y in self.fine.table_from_pixel(ring)))
        return tuple(out)

    def _within(self, outlines: Sequence[Outline]) -> Mask:
        parts = [shapely.make_valid(shapely.Polygon(ring)) for ring in outlines]
        polygons = [g for part in parts for g in shapely.get_parts(part) if g.geom_type == "Polygon"]
        return mask_of(shapely.union_all(polygons), self.fine)

    # --- pieces ----------------------------------------------------------------------------------------------------

    def settle(self, before: list[ExpectedTerrain], here: list[ExpectedTerrain]) -> None:
        """Record the joint pieces of known ones and this photo's at one place."""
        tapped = [piece for piece in here if piece.evidence is not None and piece.evidence.stated]
        if any(_is_stated(piece) for piece in before) and not tapped:
            for piece in before:
                self._check_stated(piece)
            self.out += before
        elif tapped:
            named = before[0].id if before else ""
            self.out += [replace(tapped[0], id=named), *(replace(p, id="") for p in here if p is not tapped[0])]
        elif not before:
            (piece,) = here
            if not any(piece.shape.intersection(b).area > 0.5 * piece.shape.area for b in self.bare):
                self.new.append(piece)
        elif not here:
            self._unseen(before[0])
        elif len(before) == 1 and self._was_moved(before[0], here):
            self.gone.append(before[0])
            self.new += here
        else:
            self._join(before, here)

    def _check_stated(self, piece: ExpectedTerrain) -> None:
        weight, chances = self.chances_at(piece.shape, piece.kind)
        if weight >= self.config.plain and chances.get(piece.kind, 0.0) < 1 - self.config.gone:
            self.notes.append(
                f"This photo shows no {piece.kind} at {_at(piece)}, where a player said so; the player's word holds."
            )

    def _unseen(self, piece: ExpectedTerrain) -> None:
        """A known piece that this photo does not show: it stays, in doubt where its place looks like something else,
        unless it is plainly gone."""
        others = [p.shape.buffer(_BESIDE_IN) for p in self.here if p.kind in layer_of(piece.kind)]
        left = piece.shape.difference(shapely.union_all(others))
        weight, chances = self.chances_at(left, piece.kind)
        if left.area > 0.5 * piece.shape.area and self._is_bare(weight, chances):
            self.gone.append(piece)
            return
        weight, chances = self.chances_at(piece.shape, piece.kind)
        if weight < _LEAST_VIEW:
            self.out.append(piece)
            return
        told = _evidence(piece)
        joint = pooled_chances([(told.weight, dict(told.chances)), (weight, chances)], self.config)
        if joint.get(NOTHING, 0.0) >= self.config.flip:
            self.gone.append(piece)
            return
        self.out.append(
            replace(
                piece,
                confidence=round(min(joint.get(piece.kind, 0.0), _MOST_CHANCE), 4),
                evidence=TerrainEvidence(told.photos + 1, told.weight + weight, listed(joint)),
            )
        )

    def _was_moved(self, piece: ExpectedTerrain, here: list[ExpectedTerrain]) -> bool:
        """Whether a piece was moved a little: it overlaps its old place, and the rest of that is plainly bare mat."""
        there = shapely.union_all([p.shape for p in here])
        sizes = sorted([piece.shape.area, there.area])
        if iou(piece.shape, there) >= self.config.moved_iou or sizes[0] < self.config.moved_size * sizes[1]:
            return False
        return self._is_bare(*self.chances_at(piece.shape.difference(there.buffer(_BESIDE_IN)), piece.kind))

    def _is_bare(self, weight: float, chances: Mapping[str, float]) -> bool:
        return weight >= self.config.plain and chances[NOTHING] >= self.config.gone

    def _join(self, before: list[ExpectedTerrain], here: list[ExpectedTerrain]) -> None:
        config = self.config
        total = sum(p.shape.area for p in before)
        told = [(_evidence(p).weight * p.shape.area / total, dict(_evidence(p).chances)) for p in before]
        there = shapely.union_all([p.shape for p in here])
        weight, _ = self.chances_at(there, before[0].kind)
        chances = _mean_chances(here)
        joint = pooled_chances([*told, (weight, chances)], config)
        main = max(before, key=lambda p: _evidence(p).weight * p.shape.area)
        best = max(layer_of(main.kind), key=lambda kind: joint.get(kind, 0.0))
        kind = main.kind if joint.get(best, 0.0) < config.flip else best
        if kind != main.kind:
            self.notes.append(f"All photos together show that the {main.kind} at {_at(main)} is {kind}.")
        photos = max(_evidence(p).photos for p in before) + 1
        evidence = TerrainEvidence(photos, sum(w for w, _ in told) + weight, listed(joint))
        known_weight = max(sum(w for w, _ in told), _LEAST_VIEW)
        rings = self._outlines(kind, before, there, known_weight)
        for k, ring in enumerate(rings or [main.polygon]):
            self.out.append(_described(main if k == 0 else replace(main, id=""), kind, ring, here, joint, evidence))

    def _outlines(
        self,
        kind: str,
        before: Sequence[ExpectedTerrain],
        there: shapely.Geometry,
        known_weight: float,
    ) -> list[Outline]:
        """The joint outlines, the largest first: each place's depth inside the known outline and the one seen now,
        averaged with weights by how plainly each was seen."""
        config, px = self.config, self.config.px_per_inch
        was = shapely.union_all([p.shape for p in before])
        known = np.full(self.plain.shape, known_weight, np.float32)
        if self.unseen is not None:
            known = np.where(self.unseen, np.float32(_LEAST_VIEW * known_weight), known)
        seen = np.maximum(self.plain, np.float32(_LEAST_VIEW))
        within = (known * self._depth(was) + seen * self._depth(there)) / (known + seen)
        pad = int(np.ceil(config.reach_in * px))
        framed = cv2.copyMakeBorder(within, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
        sheet = Sheet(np.asarray(0.5 + framed / (2 * config.reach_in), np.float32), self.fine, pad)
        least = config.least_bridge_sqin if kind == "bridge" else config.least_sqin
        found: list[tuple[float, Outline]] = []
        for part in components(sheet.values > 0.5):
            if part.sum() < least * px * px:
                continue
            round_it = cv2.dilate(part.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0  # more than a cubic reaches
            ring = ring_of(np.where(round_it, sheet.values, np.float32(0)))
            polygon = None if ring is None else _drawn(kind, sheet.table(ring), config)
            outline = None if polygon is None else on_table(polygon, self.fine)
            if outline is not None:
                found.append((-shapely.Polygon(outline).area, outline))
        return [outline for _, outline in sorted(found)]

    def _depth(self, shape: shapely.Geometry) -> Float32:
        """How far within a shape each place is, negative outside, inches, no more than ``reach_in``."""
        # A polygon filled by OpenCV would be half a pixel too large.
        mask = shapely.contains_xy(shape, self.places[..., 0], self.places[..., 1]).astype(np.uint8)
        inner, outer = (cv2.distanceTransform(m, cv2.DIST_L2, 5) for m in (mask, 1 - mask))
        reach = self.config.reach_in
        return np.asarray(np.clip((inner - outer) / self.config.px_per_inch, -reach, reach), np.float32)

    def tell_gone_and_moved(self) -> None:
        """Pair a missing piece with a new one of its kind and size: it was moved. The others are gone, or new."""
        left = [replace(piece, id="") for piece in self.new]
        for old in self.gone:
            like = [p for p in left if p.kind == old.kind and _alike(p, old, self.config)]
            if like:
                new = min(like, key=lambda p: float(p.shape.centroid.distance(old.shape.centroid)))
                far = float(new.shape.centroid.distance(old.shape.centroid))
                if old.confidence >= self.config.flip:
                    way = f"{old.kind} from {_at(old)} to {_at(new)}, {far:.1f}″"
                    self.notes.append(f"Moved since the photo before: {way}.")
                left = [p for p in left if p is not new]
                self.out.append(replace(new, id=old.id, height=new.height or old.height))
            elif old.confidence >= self.config.flip:
                self.notes.append(f"Gone since the photo before: {old.kind} at {_at(old)}.")
        self.out += left


_MOST_UNSEEN = 60  # outlines kept of one table
_BESIDE_IN = 0.25  # a piece's edge, where its kind is not clear
_LEAST_CHANCE = 1e-4
_MOST_CHANCE = 0.999  # only a player's statement is certain
_LEAST_VIEW = 0.02  # the weight of an unseen place


def _with_chance(chances: Mapping[str, float], kind: str, chance: float) -> dict[str, float]:
    """Chances with one of them given, the others in their proportions."""
    rest = sum(v for k, v in chances.items() if k != kind)
    scale = (1 - chance) / rest if rest > 0 else 0.0
    return {**{k: v * scale for k, v in chances.items()}, kind: chance}


def _mean_chances(pieces: Sequence[ExpectedTerrain]) -> dict[str, float]:
    """The chances that a photo gives a place: the mean over its pieces there, weighted by area."""
    total = sum(piece.shape.area for piece in pieces)
    out: dict[str, float] = {}
    for piece in pieces:
        for kind, chance in _evidence(piece).chances:
            out[kind] = out.get(kind, 0.0) + chance * piece.shape.area / total
    return out


def _is_stated(piece: ExpectedTerrain) -> bool:
    return piece.confidence >= 1.0 if piece.evidence is None else piece.evidence.stated


def _evidence(piece: ExpectedTerrain) -> TerrainEvidence:
    """What is known of a piece; of one that says no more, as if one photo had shown it plainly."""
    if piece.evidence is not None:
        return piece.evidence
    return TerrainEvidence(1, 1.0, ((piece.kind, piece.confidence), (NOTHING, 1 - piece.confidence)))


def _described(
    known: ExpectedTerrain,
    kind: str,
    ring: Outline,
    here: Sequence[ExpectedTerrain],
    joint: Mapping[str, float],
    evidence: TerrainEvidence,
) -> ExpectedTerrain:
    """A known piece as all photos have it."""
    shape = shapely.make_valid(shapely.Polygon(ring))
    near = max(here, key=lambda p: float(p.shape.intersection(shape).area))
    seen = evidence.weight
    own = _evidence(near).weight / seen if seen > 0 else 0.5
    top = near.hill_top or known.hill_top
    return replace(
        known,
        kind=kind,
        polygon=ring,
        height=known.height if known.height > 0 else near.height,
        hill_top=_cut(top, shape) if kind == "hill" and top else None,
        confidence=round(min(joint.get(kind, 0.0), _MOST_CHANCE), 4),
        sigma_in=round(own * near.sigma_in + (1 - own) * known.sigma_in, 4),
        evidence=evidence,
    )


def _cut(top: Outline, shape: shapely.Geometry) -> Outline | None:
    """A hill's top within the hill; ``None`` where the two do not overlap."""
    part = shapely.make_valid(shapely.Polygon(top)).intersection(shape)
    if part.geom_type != "Polygon" or part.is_empty or part.interiors:
        return None
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y in shapely.get_coordinates(part.exterior)[:-1])


def _drawn(kind: str, points: np.ndarray, config: JointConfig) -> shapely.Polygon | None:
    if kind == "bridge":
        return rectangle(points)
    polygon = tidy(points, config.trace)
    if kind == "field" and polygon is not None:
        straight = rectangle(points)
        return straight if iou(straight, polygon) > config.trace.rectangle_iou else polygon
    return polygon


def _alike(a: ExpectedTerrain, b: ExpectedTerrain, config: JointConfig) -> bool:
    small, large = sorted([a.shape.area, b.shape.area])
    return bool(small >= config.moved_size * large)


def _at(piece: ExpectedTerrain) -> str:
    place = piece.shape.representative_point()
    return f"({place.x:.1f}, {place.y:.1f})"


def free_ids(taken: Sequence[ExpectedTerrain]) -> Iterator[str]:
    """Ids t1, t2, ... that no taken piece has."""
    used = {piece.id for piece in taken}
    return (name for k in range(1, 10_000) if (name := f"t{k}") not in used)


def _with_ids(
    pieces: Sequence[ExpectedTerrain], known: Sequence[ExpectedTerrain], taken: Sequence[ExpectedTerrain]
) -> tuple[ExpectedTerrain, ...]:
    """Pieces with an id each: known ones their own, new ones the first that are free."""
    own = {piece.id for piece in known}
    free = free_ids((*known, *taken))
    used: set[str] = set()
    out = []
    for piece in pieces:
        name = piece.id if piece.id in own and piece.id not in used else next(free)
        used.add(name)
        out.append(replace(piece, id=name))
    return tuple(out)
