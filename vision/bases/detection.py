"""Bases on the table: tagged ones where their tags say, the others where there are rims of the roster's shapes.

``find_bases`` reads as the steps it names: rim evidence in the rectified map, tagged bases fitted first, candidates
of each side searched, fitted and picked, heights decided, everything fitted once more at its own height.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from calibration import TableView
from calibration.table import MarkerDetections
from vision.bases.apart import moved_apart
from vision.bases.assignment import name_bases
from vision.bases.bare import BaseMaps, base_maps, find_bare, not_denied
from vision.bases.bare_sides import assign_sides
from vision.bases.evidence import BasesConfig, RimMap, TableEvidence, rim_map
from vision.bases.fitting import fit_candidates
from vision.bases.front_marks import with_fronts
from vision.bases.joint_heights import BaseOfUnknownHeight, chance_raised, heights_of
from vision.bases.known_looks import assign_known_sides
from vision.bases.outline import OutlineFit
from vision.bases.parallax import HeightTold, SeenBase, heights_by_ground, heights_by_parallax
from vision.bases.placed import PlacedBase
from vision.bases.plain_rims import assign_plain_rims
from vision.bases.search import Candidate, find_candidates
from vision.bases.selection import Found, pick
from vision.bases.tag_verification import recognise_tags
from vision.imaging.rims import (
    Array,
    Image,
)
from vision.model.earlier import SightLine
from vision.model.expected import BaseShape, Expected, Rival
from vision.model.heights import (
    HeightConfig,
    SizeWitness,
    edge_bias,
    mean_size,
    own_size,
)
from vision.tags.pose import TagPose, tag_pose, tag_witness


def find_bases(
    image: Image,
    view: TableView,
    tags: MarkerDetections,
    expected: Expected,
    config: BasesConfig | None = None,
    *,
    maps: Future[BaseMaps] | None = None,
    plan: Future[RimMap] | None = None,
) -> list[PlacedBase]:
    """All bases that can be identified on the table, tagged ones first, then painted ones, then bare ones.

    ``image`` upright BGR (rows, columns, 3). A side's rim colour that ``expected`` lacks is read off its tagged
    bases. Bases of the roster that are then still missing are looked for by shape alone (:mod:`vision.bases.bare`).
    ``maps``, ``plan``: if already being computed.
    """
    config = config or BasesConfig()
    shown_rims = rim_map(image, view, expected, config) if plan is None else plan.result()
    scene = TableEvidence(image, view, expected, shown_rims, config)
    scene.learn_paints(tags)
    tagged = _tagged_bases(scene, tags)
    found = [t.found for t in tagged]
    settled = [f.footprint for f in found]
    open_finds = fit_candidates(
        _candidates(scene), scene.shapes, scene.fit_wishes, settled, config.pick, stray_in=scene.stray_in
    )
    untagged = pick(open_finds, found, scene.most(), config.pick)
    with ThreadPoolExecutor(max_workers=1) as aside:
        # The net runs outside the interpreter's lock while doubtful outlines are fitted again.
        lacking = len(found) + len(untagged) < scene.roster
        if lacking and maps is None:
            maps = aside.submit(base_maps, image, view, expected, config.bare)
        untagged = pick(_second_look(scene, untagged), found, scene.most(), config.pick)
    untagged = [f for f in untagged if scene.on_table(f)]
    if lacking and maps is not None:
        # A place where the net sees no base is not one, in particular if the rim's colour is not stated.
        untagged = not_denied(untagged, maps.result(), {side for side, _ in expected.rims}, config.bare)
    bare_from = len(untagged)
    if len(found) + bare_from < scene.roster:
        shown = base_maps(image, view, expected, config.bare) if maps is None else maps.result()
        painted = {unit.side for unit in expected.units} <= set(scene.paints)
        untagged += find_bare(shown, expected, found + untagged, config.bare, painted=painted)
    owner = {i: (t.unit, t.unique) for i, t in enumerate(tagged)}
    read = {t.tag_id for t in tagged}
    for known in recognise_tags(image, view, untagged, read, expected, config.verify):
        fit = replace(untagged[known.row].fit, facing=known.facing)
        untagged[known.row] = replace(untagged[known.row], fit=fit)
        owner[len(found) + known.row] = (known.unit, True)
    everything = assign_plain_rims(image, view, found + untagged, expected, config.plain_rims, config.rims)
    everything = assign_sides(image, view, everything, expected, config.sides)
    everything = assign_known_sides(image, view, everything, expected, config.known)
    names = name_bases(everything, owner, expected, config.assign)
    units = {**names, **{i: unit for i, (unit, _) in owner.items()}}
    told = _told_by_earlier(scene, everything, tagged, units)
    heights = _heights(scene, everything, tagged, units, told)
    fits = _at_height(scene, everything, heights, tagged)
    placed = [
        _place_base(
            scene, i, everything, fits[i], heights[i], tagged[i] if i < len(tagged) else None, names.get(i), owner
        )
        for i in range(len(everything))
    ]
    crossed = [any(one.triangulated and np.isinf(one.odds) for one in witnesses) for witnesses in told]
    placed = [replace(p, triangulated=c) for p, c in zip(placed, crossed, strict=True)]
    placed = moved_apart(placed, view, config.apart)
    placed = with_fronts(placed, image, view, expected, config.fronts)
    first_bare = len(found) + bare_from
    return [
        replace(p, method="shape") if i >= first_bare and p.method == "outline" else p for i, p in enumerate(placed)
    ]


def _candidates(scene: TableEvidence) -> dict[str, list[Candidate]]:
    """Candidates by side; the sides are searched at once, as the search runs mostly outside the interpreter's lock."""

    def search(side: str) -> list[Candidate]:
        evidence = scene.evidence(scene.paints[side])
        return find_candidates(evidence, scene.frame, scene.shapes[side], scene.config.search)

    with ThreadPoolExecutor(max_workers=2) as pool:
        return dict(zip(scene.paints, pool.map(search, scene.paints), strict=True))


@dataclass(frozen=True, eq=False)
class _Tagged:
    """A tagged base: its outline (from the tag alone where the rim does not show it) and its tag's pose."""

    found: Found
    corners: Array
    sigma_px: float
    tag_id: int
    unit: int
    unique: bool
    outline_seen: bool


def _tagged_bases(scene: TableEvidence, tags: MarkerDetections) -> list[_Tagged]:
    """Bases with a read tag, their outlines fitted from where the tag puts them."""
    owners = scene.expected.tag_owners
    size_in, config = scene.expected.tag_size_in, scene.config
    read = []
    for k in range(len(tags.ids)):
        tag_id = int(tags.ids[k])
        if tag_id not in owners:
            continue
        row, unique = owners[tag_id]
        unit = scene.expected.units[row]
        shape = unit.shape_with_tag(tag_id)
        corners, sigma = np.asarray(tags.corners[k], dtype=np.float64), float(tags.sigma_px[k])
        pose = tag_pose(
            scene.view, corners, sigma, size_in, unit.tag_offset, shape, config.heights.flat_mean_in, config.tag
        )
        z = scene.prior(pose.x, pose.y).mean_in
        pose = tag_pose(scene.view, corners, sigma, size_in, unit.tag_offset, shape, z, config.tag)
        read.append((pose, shape, unit.side, z, corners, sigma, tag_id, row, unique))
    outlines = _tag_outlines(scene, [item[:4] for item in read])
    return [
        _Tagged(Found(fit, shape, side), corners, sigma, tag_id, row, unique, seen)
        for (fit, seen), (_, shape, side, _, corners, sigma, tag_id, row, unique) in zip(outlines, read, strict=True)
    ]


def _tag_outlines(
    scene: TableEvidence, tagged: Sequence[tuple[TagPose, BaseShape, str, float]]
) -> list[tuple[OutlineFit, bool]]:
    """The outline near each tag (its pose, shape, side, height), or the tag's own place as an outline where the rim
    does not show one there."""
    painted = [k for k, (_, _, side, _) in enumerate(tagged) if side in scene.paints]
    starts = [
        scene.start(shape, pose.x, pose.y, pose.facing, z, scene.paints[side])
        for pose, shape, side, z in (tagged[k] for k in painted)
    ]
    fits = dict(zip(painted, scene.fit(starts), strict=True))
    out = []
    for k, (pose, shape, _, z) in enumerate(tagged):
        fit = fits.get(k)
        if fit is not None:
            turn = (fit.facing - pose.facing + 180.0) % 360.0 - 180.0
            near = np.hypot(fit.x - pose.x, fit.y - pose.y) <= scene.config.disagree_in and (
                abs(turn) < 8.0 or shape.is_round
            )
            if near and fit.coverage >= scene.config.pick.least_coverage:
                out.append((fit, True))
                continue
        alone = OutlineFit(pose.x, pose.y, pose.facing, z, pose.covariance, (0.0, 0.0, 0.0, 0.0), 0.0, 0.0, 0.0, 0)
        out.append((alone, False))
    return out


def _second_look(scene: TableEvidence, found: Sequence[Found]) -> list[Found]:
    """Doubtful outlines fitted again from a little to every side; the best of all stays."""
    cfg = scene.config
    doubtful = [
        k for k, f in enumerate(found) if f.fit.coverage < cfg.sure_coverage or min(f.fit.support) < cfg.sure_side
    ]
    best = list(found)
    starts, rows = [], []
    for k in doubtful:
        fit = found[k].fit
        angle = np.radians(fit.facing)
        ahead, right = (np.sin(angle), np.cos(angle)), (np.cos(angle), -np.sin(angle))
        for forward, sideways, turn in ((0, 0, 5), (0, 0, -5), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
            x = fit.x + cfg.second_look_in * (forward * ahead[0] + sideways * right[0])
            y = fit.y + cfg.second_look_in * (forward * ahead[1] + sideways * right[1])
            paint = scene.paints[found[k].side]
            starts.append(scene.start(found[k].shape, float(x), float(y), fit.facing + turn, fit.z, paint))
            rows.append(k)
    for k, again in zip(rows, scene.fit(starts), strict=True):
        first = found[k].fit
        if again is None or np.hypot(again.x - first.x, again.y - first.y) > 2 * cfg.second_look_in:
            continue
        if replace(best[k], fit=again).quality > best[k].quality + 0.03:
            best[k] = replace(best[k], fit=again)
    return best


def _told_by_earlier(
    scene: TableEvidence, everything: list[Found], tagged: list[_Tagged], units: dict[int, int]
) -> list[list[SizeWitness]]:
    """The evidence of an earlier photo for the height of each base: by its place then, and by the ground there."""
    earlier, config = scene.expected.earlier, scene.config.parallax
    if not earlier.bases and not earlier.raised:
        return [[] for _ in everything]
    seen = []
    for row, found in enumerate(everything):
        tag = tagged[row] if row < len(tagged) else None
        place, own = _placed_by_sight(scene, found.fit, found.fit.z, found.shape, tag)
        covariance = own + _camera_part(scene.view, place, found.fit.z, 0.0, found.shape)
        lean = _lean(scene.view, place, found.fit.z, found.shape)
        turn = float(np.degrees(np.sqrt(own[2, 2])))
        unit = None if row not in units else scene.expected.units[units[row]].id
        line = SightLine.of(place[:2], found.fit.z, lean, covariance, 0.0)
        facing = float(np.degrees(place[2]))
        number = None if tag is None else tag.tag_id
        seen.append(SeenBase(line, found.shape, facing, tag is not None, turn, found.side, unit, number))
    crossings = heights_by_parallax(seen, earlier, config)
    grounds = heights_by_ground(seen, earlier.raised, config)
    return [
        [_by_sight(one, scene.config.heights) for one in (*crossed, ground) if one is not None]
        for crossed, ground in zip(crossings, grounds, strict=True)
    ]


def _by_sight(told: HeightTold, config: HeightConfig) -> SizeWitness:
    """A height from sight lines: a part of its error is common to its whole unit, which one photo shows from one
    place, and which one sleeve nudges."""
    own, together = np.sqrt(1.0 - config.sight_shared), np.sqrt(config.sight_shared)
    return SizeWitness(
        told.z, float(own * told.sigma_in), 1.0, float(together * told.sigma_in), triangulated=True, odds=told.odds
    )


def _heights(
    scene: TableEvidence,
    everything: list[Found],
    tagged: list[_Tagged],
    units: dict[int, int],
    told: Sequence[Sequence[SizeWitness]],
) -> list[tuple[float, float]]:
    """Surface height and its standard deviation for each base; bases of one unit support each other. ``told``:
    evidence about each besides its sizes."""
    cfg = scene.config.heights
    sizes = [_size(f.fit) for f in everything]
    leans: list[tuple[float, float]] = [
        tuple(_lean(scene.view, np.array([f.fit.x, f.fit.y]), f.fit.z, f.shape).tolist()) for f in everything
    ]
    level = [
        chance_raised(f.fit.x, f.fit.y, lean, scene.expected.terrain, cfg) <= cfg.flat_below
        for f, lean in zip(everything, leans, strict=True)
    ]
    bias = {
        side: edge_bias(
            [w for w, f, flat in zip(sizes, everything, level, strict=True) if flat and f.side == side],
            cfg.edge_sd_px,
            cfg,
        )
        for side in scene.shapes
    }
    size_in = scene.expected.tag_size_in
    tag_sizes = [
        tag_witness(scene.view, t.corners, t.sigma_px, size_in, t.found.shape, scene.config.tag) for t in tagged
    ]
    flat_tags = [size for size, flat in zip(tag_sizes, level, strict=False) if flat]
    tag_bias = edge_bias(flat_tags, cfg.tag_edge_sd_px, cfg)
    standing: dict[int, BaseOfUnknownHeight] = {}
    for group, rows in enumerate(shared_surfaces(everything, units, cfg)):
        side = next((everything[i].side for i in rows if everything[i].side), "")
        outlines = _climbed_sizes(scene, [everything[i] for i in rows], bias.get(side, (0.0, cfg.edge_sd_px)))
        for i, outline in zip(rows, outlines, strict=True):
            tag = [own_size(tag_sizes[i], tag_bias, cfg.tag_edge_own_px)] if i < len(tagged) else []
            fit = everything[i].fit
            standing[i] = BaseOfUnknownHeight(fit.x, fit.y, group, (outline, *tag, *told[i]), leans[i], fit.z)
    return heights_of([standing[i] for i in range(len(everything))], scene.expected.terrain, cfg)


def shared_surfaces(everything: list[Found], units: dict[int, int], cfg: HeightConfig) -> list[list[int]]:
    """Rows of bases that share a surface: those of one unit, and unnamed ones close together, of one shape and of
    sides that may be one. A base as close to a unit and without a side goes with the nearest."""
    groups: dict[int, list[int]] = {}
    for i, unit in units.items():
        groups.setdefault(unit, []).append(i)
    clusters: list[list[int]] = []
    # Bases with a side first: one without a side does not join bases of two.
    loose = sorted((i for i in range(len(everything)) if i not in units), key=lambda i: not everything[i].side)
    areas = [base.footprint for base in everything]

    def gap(i: int, rows: list[int]) -> float:
        alike = [j for j in rows if everything[j].shape == everything[i].shape]
        return min((float(areas[i].distance(areas[j])) for j in alike), default=np.inf)

    for i in loose:
        own = everything[i].side
        beside = min(groups.values(), key=lambda rows: gap(i, rows), default=None)
        if not own and beside is not None and gap(i, beside) <= cfg.together_in:
            beside.append(i)
            continue
        merged, apart = [i], []
        for rows in sorted(clusters, key=lambda rows: gap(i, rows)):
            one_side = len({everything[j].side for j in (*merged, *rows)} - {""}) <= 1
            if one_side and gap(i, rows) <= cfg.together_in:
                merged += rows
            else:
                apart.append(rows)
        clusters = [*apart, merged]
    return [*groups.values(), *clusters]


def _climbed_sizes(scene: TableEvidence, group: list[Found], bias: tuple[float, float]) -> list[SizeWitness]:
    """The evidence of the outlines of a group of bases for their heights, each read again from nearer to the height
    that they imply together where that is well above."""
    cfg = scene.config.heights

    def own(fit: OutlineFit) -> SizeWitness:
        hidden = 1.0 + cfg.hidden_factor * (1.0 - fit.coverage)
        return own_size(_size(fit), bias, cfg.edge_alone_px * hidden, cfg.edge_own_px * hidden)

    sizes = [own(found.fit) for found in group]
    together = mean_size(sizes, cfg)
    paint = next((scene.paints[found.side] for found in group if found.side in scene.paints), None)
    if together is None or paint is None or not scene.prior(group[0].fit.x, group[0].fit.y).open:
        return sizes
    at = cfg.flat_mean_in
    for _ in range(cfg.climbs):
        if together < cfg.climb_from_in or abs(together - at) < cfg.climb_step_in:
            break
        at = min(together, cfg.highest_in)
        seen = [k for k, found in enumerate(group) if np.isfinite(found.fit.rise_sigma_in)]
        raised = _refit_at_heights(scene, [(group[k].fit, group[k].shape, at, paint) for k in seen])
        better = {k: own(fit) for k, fit in zip(seen, raised, strict=True) if fit.z == at}
        climbed = mean_size(list(better.values()), cfg)
        if climbed is None:
            break
        together = climbed
        sizes = [better.get(k, size) for k, size in enumerate(sizes)]
    return sizes


def _size(fit: OutlineFit) -> SizeWitness:
    """The evidence of an outline's size for its height; infinitely vague where too little of it shows."""
    sigma = fit.rise_sigma_in if fit.coverage >= 0.55 else float("inf")
    return SizeWitness(fit.z + fit.rise_in, sigma, fit.rise_per_px)


def _at_height(
    scene: TableEvidence, everything: list[Found], heights: list[tuple[float, float]], tagged: list[_Tagged]
) -> list[OutlineFit]:
    """Every base's outline with its surface at its own height."""
    fits = [found.fit for found in everything]
    rows, wanted = [], []
    for row, (found, (z, _)) in enumerate(zip(everything, heights, strict=True)):
        paint = scene.paints.get(found.side)
        outline_seen = row >= len(tagged) or tagged[row].outline_seen
        if outline_seen and abs(z - found.fit.z) > 0.01:
            rows.append(row)
            wanted.append((found.fit, found.shape, z, paint))
    for row, fit in zip(rows, _refit_at_heights(scene, wanted), strict=True):
        fits[row] = fit
    return fits


def _place_base(
    scene: TableEvidence,
    row: int,
    everything: list[Found],
    fit: OutlineFit,
    height: tuple[float, float],
    tagged: _Tagged | None,
    name: int | None,
    owner: dict[int, tuple[int, bool]],
) -> PlacedBase:
    """The base with its outline ``fit`` at its own height, tag and outline together, with its whole covariance."""
    found, (z, z_sigma) = everything[row], height
    shape = found.shape
    place, covariance = _placed_by_sight(scene, fit, z, shape, tagged)
    unit_row, unique = name, None
    tag_id, facing_known = None, False
    if tagged is not None:
        unit_row, unique, tag_id, facing_known = tagged.unit, tagged.unique, tagged.tag_id, True
    elif row in owner:
        unit_row, unique = owner[row]
        tag_id, facing_known = scene.expected.units[unit_row].tag, True
    elif name is not None:
        unit = scene.expected.units[name]
        if shape != unit.unique_shape:
            unique = False
        elif unit.is_unique_by_shape:
            unique = True
        elif any(owned == name and is_unique for owned, is_unique in owner.values()):
            unique = False
        lead = next((everything[i].fit.facing for i, (owned, _) in owner.items() if owned == name), None)
        if lead is not None and not shape.is_round:
            place[2], facing_known = _turned_like(place[2], lead, shape), True
    covariance = covariance + _camera_part(scene.view, place, z, z_sigma, shape)
    return PlacedBase(
        center=place[:2],
        facing=float(np.degrees(place[2]) % 360.0),
        facing_known=facing_known,
        covariance=covariance,
        z=z,
        z_sigma=z_sigma,
        shape=shape,
        side=(found.side or None) if unit_row is None else scene.expected.units[unit_row].side,
        unit=unit_row,
        unique=unique,
        tag_id=tag_id,
        coverage=found.fit.coverage,
        method="tag" if tag_id is not None else "outline",
        rivals=() if unit_row is not None else _move_rivals(found, place),
        presence=found.presence,
        sides=found.sides if unit_row is None else (),
        alike=found.alike if unit_row is None else None,
        lean=_lean(scene.view, place, z, shape),
    )


def _placed_by_sight(
    scene: TableEvidence, fit: OutlineFit, z: float, shape: BaseShape, tagged: _Tagged | None
) -> tuple[Array, Array]:
    """Place (x, y in inches, facing in radians) of a base at height ``z``, by outline and tag together, and its
    covariance (3, 3) without the camera's part."""
    place, covariance = np.array([fit.x, fit.y, np.radians(fit.facing)]), fit.covariance
    if tagged is None:
        return place, covariance
    offset, size_in = scene.expected.units[tagged.unit].tag_offset, scene.expected.tag_size_in
    pose = tag_pose(scene.view, tagged.corners, tagged.sigma_px, size_in, offset, shape, z, scene.config.tag)
    at = np.array([pose.x, pose.y, np.radians(pose.facing)])
    return _together(place, covariance, at, pose.covariance) if tagged.outline_seen else (at, pose.covariance)


def _lean(view: TableView, place: Array, z: float, shape: BaseShape) -> Array:
    """How a place (2,) moves for each inch that its surface is higher."""
    return np.asarray((view.eye[:2] - place[:2]) / (view.eye[2] - z - shape.height))


def _move_rivals(found: Found, place: Array) -> tuple[Rival, ...]:
    """The other shapes that a base may have, moved together with it."""
    dx, dy = float(place[0]) - found.fit.x, float(place[1]) - found.fit.y
    return tuple(replace(r, center=(r.center[0] + dx, r.center[1] + dy)) for r in found.rivals)


def _refit_at_heights(
    scene: TableEvidence, wanted: Sequence[tuple[OutlineFit, BaseShape, float, Array | None]]
) -> list[OutlineFit]:
    """Outlines (with their shape, height and paint) fitted again with their surfaces at other heights, started where
    their pixels then are; without paint they stay there."""
    out, starts, rows = [], [], []
    for row, (fit, shape, z, paint) in enumerate(wanted):
        pixel = scene.view.pixel_from_table([[fit.x, fit.y, fit.z + shape.height]])
        x, y = (float(v) for v in scene.view.point_from_pixel(pixel, z + shape.height)[0])
        out.append(replace(fit, x=x, y=y, z=z, rise_in=0.0, rise_sigma_in=float("inf")))
        if paint is not None:
            rows.append(row)
            starts.append(scene.start(shape, x, y, fit.facing, z, paint))
    for row, again in zip(rows, scene.fit(starts), strict=True):
        there, seen = out[row], wanted[row][0].coverage
        if again is not None and again.coverage >= 0.8 * seen and np.hypot(again.x - there.x, again.y - there.y) < 0.1:
            out[row] = again
    return out


def _together(a: Array, cov_a: Array, b: Array, cov_b: Array) -> tuple[Array, Array]:
    """Two estimates of (x, y, facing) by their information; the spread grows where they disagree."""
    turn = (b[2] - a[2] + np.pi) % (2 * np.pi) - np.pi
    delta = np.array([b[0] - a[0], b[1] - a[1], turn])
    wa, wb = np.linalg.inv(cov_a), np.linalg.inv(cov_b)
    covariance = np.linalg.inv(wa + wb)
    misfit = float(delta @ np.linalg.solve(cov_a + cov_b, delta)) / 3.0
    return a + covariance @ wb @ delta, covariance * max(1.0, misfit)


def _turned_like(angle: float, lead_deg: float, shape: BaseShape) -> float:
    """The direction nearest to its unit's, among those that an outline allows."""
    period = np.radians(shape.period_deg)
    lead = np.radians(lead_deg)
    return float(angle + np.round((lead - angle) / period) * period)


def _camera_part(view: TableView, place: Array, z: float, z_sigma: float, shape: BaseShape) -> Array:
    """Covariance (3, 3) that the camera and the surface's height put on a place."""
    top = z + shape.height
    pixel = view.pixel_from_table([[place[0], place[1], top]])
    out = np.zeros((3, 3))
    out[:2, :2] = view.table_from_pixel(pixel, top, z_sigma_in=z_sigma)[1][0]
    return out
