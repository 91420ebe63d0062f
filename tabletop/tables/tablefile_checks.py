"""Consistency of the parts of a table file: unique ids, separate markers, tags that fit, existing sides."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import shapely

from tabletop.reading.toml_sections import Section
from tabletop.reading.toml_source import KeyPath, did_you_mean
from tabletop.tables.marker_dictionaries import fault_of
from tabletop.tables.model import Base, Frame, Overlay, Point, Side, Tags, Terrain, Token, Unit
from tabletop.units import PER_INCH, UNIT_NAMES, LengthUnit

LEAST_AREA_IN2 = 0.01
OFF_TABLE_IN = 6.0  # an outline may be drawn over the table's edge by this much; anything farther is taken as a slip
OVERLAP_IN2 = 0.01  # two markers may touch
TOP_SLACK_IN = 0.1  # a hill's top may be drawn over its foot by this much


def outline_fault(points: Sequence[Point], unit: LengthUnit = "in") -> str | None:
    """Why points (not closed) are not an outline, as the end of a sentence in a unit; ``None`` if they are one.

    >>> outline_fault([(0, 0), (4, 4), (4, 0), (0, 4)])
    'crosses itself near (2, 2): list the corners in order round the piece.'
    """
    if len(set(points)) < 3:
        return f"needs at least 3 different corners, and has {len(set(points))}."
    polygon = shapely.Polygon(points)
    if polygon.convex_hull.area < LEAST_AREA_IN2:
        area = PER_INCH[unit] ** 2 * polygon.convex_hull.area
        return f"encloses only {area:.2g} square {UNIT_NAMES[unit]}: its corners are on one line."
    if not polygon.is_valid:
        reason = shapely.is_valid_reason(polygon)
        inside = reason[reason.find("[") + 1 : reason.find("]")].split()
        at = ", ".join(f"{PER_INCH[unit] * float(value):.3g}" for value in inside)
        where = f" near ({at})" if len(inside) == 2 else ""
        return f"crosses itself{where}: list the corners in order round the piece."
    return None


def cross_check(
    file: Section,
    width: float | None,
    depth: float | None,
    frame: Frame | None,
    tags: Tags | None,
    sides: Sequence[Side | None],
    units: Sequence[Unit | None],
    terrain: Sequence[Terrain | None],
    overlay: Overlay | None,
) -> None:
    """Note every fault between parts; parts that could not be read (``None``) are left out."""
    _used_once(file, "sides", [side.id if side else None for side in sides], "side")
    _used_once(file, "units", [unit.id if unit else None for unit in units], "unit")
    _used_once(file, "terrain", [piece.id if piece else None for piece in terrain], "terrain piece")
    if frame is not None:
        _check_markers(file, width, depth, frame)
    for i, unit in enumerate(units):
        if unit is not None and unit.plain_count < 0:
            listed = sum(other.count for other in unit.other_bases)
            text = (
                f'"other_bases" of unit "{unit.id}" lists {listed}, and "bases" counts those too, with the unique base'
            )
            file.faults.add(("units", i, "bases"), f"{text}: it must be at least {listed + 1}, not {unit.bases}.")
    _check_tags(file, frame, tags, units)
    known = [side.id for side in sides if side]
    for i, unit in enumerate(units):
        if unit is not None and sides and all(sides) and unit.side not in known:
            text = f'unit "{unit.id}" is on side "{unit.side}", which no [[sides]] declares'
            file.faults.add(("units", i, "side"), f"{text}; {did_you_mean(unit.side, known)}")
    if width is not None and depth is not None:
        check_terrain(file, width, depth, terrain)
        if overlay is not None:
            _check_overlay(file, width, depth, overlay)


def _used_once(file: Section, key: str, ids: Sequence[str | None], word: str) -> None:
    first: dict[str, KeyPath] = {}
    for i, name in enumerate(ids):
        if name is None:
            continue
        path: KeyPath = (key, i, "id")
        if name in first:
            file.faults.add(path, f'duplicate {word} "{name}": it is already on line {file.faults.line(first[name])}.')
        first.setdefault(name, path)


def _check_markers(file: Section, width: float | None, depth: float | None, frame: Frame) -> None:
    first: dict[int, int] = {}
    squares = []
    for i, marker in enumerate(frame.markers):
        path: KeyPath = ("frame", "markers", i)
        if marker.id in first:
            line = file.faults.line(("frame", "markers", first[marker.id], "id"))
            file.faults.add((*path, "id"), f"duplicate frame marker {marker.id}: it is already on line {line}.")
        first.setdefault(marker.id, i)
        x, y = marker.center
        if width is not None and depth is not None and not (0 <= x <= width and 0 <= y <= depth):
            file.faults.add_in_unit(
                (*path, "center"),
                f"frame marker {marker.id} at ({x:g}, {y:g}) is off the {width:g}″ x {depth:g}″ table; measure its "
                f"centre in {UNIT_NAMES[file.faults.unit]} from the near-left corner.",
            )
        squares.append(_square(marker.center, frame.marker_size_in, marker.rotation_deg))
    for i, square in enumerate(squares):
        for j in range(i):
            if shapely.area(shapely.intersection(square, squares[j])) > OVERLAP_IN2:
                one, other = frame.markers[i], frame.markers[j]
                apart = math.dist(one.center, other.center)
                file.faults.add_in_unit(
                    ("frame", "markers", i, "center"),
                    f"frame marker {one.id} overlaps marker {other.id}: their centres are {apart:.2f}″ apart and the "
                    f"markers are {frame.marker_size_in:g}″ wide.",
                )


def _square(center: Point, size_in: float, rotation_deg: float) -> shapely.Polygon:
    angle, half = math.radians(rotation_deg), size_in / 2
    c, s = half * math.cos(angle), half * math.sin(angle)
    x, y = center
    return shapely.Polygon(
        [(x - c + s, y + s + c), (x + c + s, y - s + c), (x + c - s, y - s - c), (x - c - s, y + s - c)]
    )


def _check_tags(file: Section, frame: Frame | None, tags: Tags | None, units: Sequence[Unit | None]) -> None:
    tagged = [(i, unit) for i, unit in enumerate(units) if unit is not None and unit.tags]
    if tagged and not file.has("tags"):
        path = next(_tag_places(*tagged[0]))[1]
        file.faults.add(path, "units have tags but the file has no [tags] with their dictionary and size: add it.")
    used: dict[int, tuple[str, KeyPath]] = {}
    frame_ids = {m.id for m in frame.markers} if frame and tags and frame.dictionary == tags.dictionary else set()
    for i, unit in tagged:
        note = file.faults.add_in_unit
        _check_unit_tags(note, i, unit, tags)
        for number, place in _tag_places(i, unit):
            if tags is not None and (fault := fault_of(tags.dictionary, number)):
                note(place, f'tag {number} of unit "{unit.id}" {fault}')
            if number in used:
                owner, where = used[number]
                whose = "the same unit" if owner == unit.id else f'unit "{owner}"'
                note(place, f"duplicate tag {number}: {whose} has it on line {file.faults.line(where)} already.")
            if number in frame_ids:
                note(
                    place,
                    f'tag {number} of unit "{unit.id}" is also a frame marker of the same dictionary; use another tag.',
                )
            used.setdefault(number, (unit.id, place))


def _tag_places(i: int, unit: Unit) -> Iterator[tuple[int, KeyPath]]:
    """The tags of the file's unit number ``i`` with the places where it states them."""
    if unit.tag is not None:
        yield unit.tag, ("units", i, "tag")
    yield from ((tag, ("units", i, "other_tags", k)) for k, tag in enumerate(unit.other_tags))
    for n, other in enumerate(unit.other_bases):
        yield from ((tag, ("units", i, "other_bases", n, "tags", k)) for k, tag in enumerate(other.tags))


def check_tokens(
    file: Section,
    frame: Frame | None,
    tags: Tags | None,
    units: Sequence[Unit | None],
    tokens: Sequence[Token | None],
) -> None:
    """Note every token with a tag that another marker on the table has too; unreadable parts are left out."""
    if any(tokens) and not file.has("tags"):
        text = "[[tokens]] need a [tags] section with their dictionary and size, the same as for units: add it."
        file.faults.add(("tokens", 0), text)
    owners: dict[int, tuple[str, KeyPath]] = {}
    for i, unit in enumerate(units):
        if unit is not None:
            for number, place in _tag_places(i, unit):
                owners.setdefault(number, (f'unit "{unit.id}"', place))
    frame_ids = {m.id for m in frame.markers} if frame and tags and frame.dictionary == tags.dictionary else set()
    for i, token in enumerate(tokens):
        if token is None:
            continue
        listed = file.data["tokens"][i].get("tags") is not None
        for k, number in enumerate(token.tags):
            place = ("tokens", i, "tags", k) if listed else ("tokens", i, "tag")
            name = f'tag {number} of the "{token.means}" token'
            if tags is not None and (fault := fault_of(tags.dictionary, number)):
                file.faults.add(place, f"{name} {fault}")
            if number in owners:
                owner, where = owners[number]
                file.faults.add(
                    place, f"duplicate tag {number}: {owner} has it on line {file.faults.line(where)} already."
                )
            if number in frame_ids:
                file.faults.add(place, f"{name} is also a frame marker of the same dictionary; use another tag.")
            owners.setdefault(number, (f'a "{token.means}" token', place))


def _check_unit_tags(note: Callable[[KeyPath, str], None], i: int, unit: Unit, tags: Tags | None) -> None:
    if len(unit.tags) > unit.bases:
        note(("units", i, "bases"), f'unit "{unit.id}" has {unit.bases} bases but {len(unit.tags)} tags.')
    elif unit.other_bases and len(unit.other_tags) > (room := unit.plain_count + (unit.tag is None)) >= 0:
        note(
            ("units", i, "other_tags"),
            f'unit "{unit.id}" has {len(unit.other_tags)} other_tags, which are on bases with the outline "base", and '
            f'{room} such bases: list the tags of the others as "tags" in other_bases.',
        )
    elif unit.tag is None and len(unit.other_tags) == unit.bases:
        note(
            ("units", i, "other_tags"),
            f'unit "{unit.id}" has other_tags on all its bases; name the unique base\'s one as "tag".',
        )
    for n, other in enumerate(unit.other_bases):
        if len(other.tags) > other.count:
            note(
                ("units", i, "other_bases", n, "tags"),
                f'other_bases number {n + 1} of unit "{unit.id}" has {other.count} bases but {len(other.tags)} tags.',
            )
    if tags is None:
        return
    key = "unique_base" if unit.unique_base is not unit.base else "base"
    tagged: list[tuple[KeyPath, Base]] = [(("units", i, key), unit.unique_base)] if unit.tag is not None else []
    tagged += [(("units", i, "other_bases", n), other.base) for n, other in enumerate(unit.other_bases) if other.tags]
    for path, base in tagged:
        _check_fit(note, path, unit.id, tags.size_in, base)
    right, forward = unit.tag_offset_in
    if not all(_on_base(base, right, forward) for _, base in tagged):
        note(
            ("units", i, "tag_offset"),
            f'tag_offset ({right:g}, {forward:g}) of unit "{unit.id}" puts its tag off its base.',
        )
    if unit.other_tags and not (unit.tag is not None and unit.unique_base is unit.base):
        _check_fit(note, ("units", i, "base"), unit.id, tags.size_in, unit.base)


def _check_fit(note: Callable[[KeyPath, str], None], path: KeyPath, unit_id: str, size_in: float, base: Base) -> None:
    if base.is_round and size_in * math.sqrt(2) > base.width_in + 1e-9:
        note(
            path,
            f"a tag of {size_in:g}″ is {size_in * math.sqrt(2):.2f}″ across its corners, larger than the "
            f'{base.width_in:g}″ base of unit "{unit_id}" that it is on.',
        )
    elif size_in > base.largest_tag_in + 1e-9:
        kind = " oval" if base.is_oval else ""
        note(
            path,
            f"a tag of {size_in:g}″ is larger than the {base.width_in:g}″ x {base.depth_in:g}″{kind} base of unit "
            f'"{unit_id}" that it is on.',
        )


def _on_base(base: Base, right: float, forward: float) -> bool:
    across, ahead = 2 * abs(right) / base.width_in, 2 * abs(forward) / base.depth_in
    return (max(across, ahead) if base.shape == "rect" else math.hypot(across, ahead)) <= 1


def check_terrain(file: Section, width: float, depth: float, terrain: Sequence[Terrain | None]) -> None:
    """Note the faults of terrain on a table of that size; ``terrain`` are the file's pieces in their order."""
    top = shapely.box(0, 0, width, depth)
    for i, piece in enumerate(terrain):
        if piece is None:
            continue
        path: KeyPath = ("terrain", i, "polygon")
        outline = shapely.Polygon(piece.polygon)
        if not outline.intersects(top):
            file.faults.add_in_unit(path, f'terrain "{piece.id}" lies off the {width:g}″ x {depth:g}″ table.')
            continue
        for k, (x, y) in enumerate(piece.polygon):
            if not (-OFF_TABLE_IN <= x <= width + OFF_TABLE_IN and -OFF_TABLE_IN <= y <= depth + OFF_TABLE_IN):
                where = f"({x:g}, {y:g}), is far off the {width:g}″ x {depth:g}″ table."
                file.faults.add_in_unit((*path, k), f'corner {k + 1} of terrain "{piece.id}", {where}')
        if piece.hill_top and not outline.buffer(TOP_SLACK_IN).covers(shapely.Polygon(piece.hill_top)):
            file.faults.add(
                ("terrain", i, "hill_top"), f'the hill_top of terrain "{piece.id}" is not inside its polygon.'
            )


def _check_overlay(file: Section, width: float, depth: float, overlay: Overlay) -> None:
    x, y = overlay.origin
    reach = overlay.size_in
    if not (-reach <= x <= width + reach and -reach <= y <= depth + reach):
        file.faults.add_in_unit(
            ("overlay", "origin"),
            f"the [overlay] origin ({x:g}, {y:g}) is off the {width:g}″ x {depth:g}″ table; give the "
            "first cell's centre.",
        )
    if overlay.size_in > min(width, depth):
        file.faults.add_in_unit(
            ("overlay", "size"),
            f"[overlay] cells of {overlay.size_in:g}″ do not fit on the {width:g}″ x {depth:g}″ table.",
        )
