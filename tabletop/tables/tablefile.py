"""The table file (TOML): the facts known before the photo, read with the line of every fault.

Lengths are inches, or centimetres if ``[table]`` has ``unit = "cm"``: they are converted to inches on reading.
Angles are degrees clockwise with 0 pointing to +y, the origin is the table's near-left corner.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from geometry.bases import SHAPE_NAMES
from tabletop.errors import TableFileError, faults_message
from tabletop.files import PHOTO_SUFFIXES
from tabletop.game.parts import PARTS
from tabletop.reading.toml_sections import Faults, Section
from tabletop.reading.toml_source import KeyPath, SourceError, decode, did_you_mean, line_numbers, parse
from tabletop.tables.marker_dictionaries import DICTIONARIES, canonical, fault_of
from tabletop.tables.model import (
    SHAPES_SAID,
    TERRAIN_KINDS,
    Base,
    Frame,
    Marker,
    OtherBases,
    Overlay,
    Point,
    Side,
    TableFile,
    Tags,
    Terrain,
    Token,
    Unit,
)
from tabletop.tables.tablefile_checks import check_tokens, cross_check, outline_fault
from tabletop.units import UNIT_NAMES

TOKEN_MEANINGS = ("dug-in", "ready", "moved", "fired")
MAX_TABLE_IN = 480.0
MAX_BASE_IN = 24.0
MAX_HEIGHT_IN = 24.0
MOST_BASES = 60
LEAST_MARKERS = 3

_KEYS = {
    "file": ("table", "frame", "tags", "sides", "units", "terrain", "overlay", "tokens", "dice"),
    "table": ("width", "depth", "unit", "rules", "hill_height"),
    "frame": ("dictionary", "marker_size", "markers"),
    "marker": ("id", "center", "rotation"),
    "tags": ("dictionary", "size"),
    "side": ("id", "rim"),
    "unit": (
        *("id", "side", "kind", "bases", "tag", "other_tags", "base", "unique_base", "other_bases", "tag_offset"),
        "front_mark",
    ),
    "rect": ("shape", "width", "depth", "height"),
    "round": ("shape", "diameter", "height"),
    "terrain": ("id", "kind", "polygon", "height", "hill_top"),
    "overlay": ("grid", "size", "origin", "rotation"),
    "token": ("means", "tag", "tags"),
    "dice": ("symbol",),
}


def load_table(path: Path | str) -> TableFile:
    """Read a table file; raises TableFileError with all of its faults, line by line."""
    path = Path(path)
    try:
        source = path.read_bytes()
    except FileNotFoundError as error:
        raise TableFileError(f"There is no table file at {path}: check its name, or write one first.") from error
    except IsADirectoryError as error:
        raise TableFileError(f"{path} is a folder: name the table file in it.") from error
    except OSError as error:
        raise TableFileError(f"The table file {path} can't be read: {error.strerror}.") from error
    if path.suffix.lower() in PHOTO_SUFFIXES:
        raise TableFileError(f"{path.name} is a photo: name the table file (TOML), as in --table table.toml.")
    return parse_table(source, name=path.name)


def parse_table(source: bytes | str, name: str = "the table file") -> TableFile:
    """The table file in ``source``; raises TableFileError with a message that starts with ``name``.

    >>> parse_table('[table]\\nwidth = -1\\ndepth = "a yard"\\n', "mine.toml")
    Traceback (most recent call last):
    ...
    tabletop.errors.TableFileError: mine.toml has 2 faults:
      line 2: "width" in [table] must be the table's size along x in inches, more than 0 and at most 480, not -1.
      line 3: "depth" in [table] must be the table's size along y in inches, not the text "a yard".
    """
    try:
        text = decode(source)
        data = parse(text)
    except SourceError as error:
        raise TableFileError(faults_message(name, [error.fault]), (error.fault,)) from error
    return table_of(data, line_numbers(text), name)


def table_of(data: dict[str, Any], lines: dict[KeyPath, int], name: str) -> TableFile:
    """The table file in TOML values; ``lines`` are the lines of its keys. Raises as :func:`parse_table` does."""
    faults = Faults(lines)
    table = _read(Section(data, (), "the file", faults, _KEYS["file"]), name, lines)
    if table is None or faults.found:
        found = tuple(sorted(faults.found, key=lambda fault: fault.line or 0))
        raise TableFileError(faults_message(name, found), found)
    return table


def _read(file: Section, name: str, lines: Mapping[KeyPath, int]) -> TableFile | None:
    width, depth, rules, hill_height = _read_table(file)
    frame = _read_frame(file)
    tags = _read_tags(file)
    sides = [_read_side(part) for part in file.sections("sides", "[[sides]]", _KEYS["side"])]
    units = [_read_unit(part) for part in file.sections("units", "[[units]]", _KEYS["unit"])]
    terrain = [read_terrain(part) for part in file.sections("terrain", "[[terrain]]", _KEYS["terrain"])]
    overlay = _read_overlay(file)
    tokens = [_read_token(part) for part in file.sections("tokens", "[[tokens]]", _KEYS["token"])]
    dice_symbol = _read_dice(file)
    cross_check(file, width, depth, frame, tags, sides, units, terrain, overlay)
    check_tokens(file, frame, tags, units, tokens)
    if width is None or depth is None:
        return None
    return TableFile(
        width_in=width,
        depth_in=depth,
        rules=rules,
        frame=frame,
        tags=tags,
        sides=tuple(side for side in sides if side),
        units=tuple(unit for unit in units if unit),
        terrain=tuple(piece for piece in terrain if piece),
        overlay=overlay,
        tokens=tuple(token for token in tokens if token),
        dice_symbol=dice_symbol,
        hill_height_in=hill_height or 0.0,
        name=name,
        lines=lines,
    )


def _read_table(file: Section) -> tuple[float | None, float | None, str | None, float | None]:
    part = file.section("table", "[table]", _KEYS["table"], "the table's width and depth, [table]")
    if part is None:
        return None, None, None, None
    unit = part.choice("unit", tuple(UNIT_NAMES), "the unit of the file's lengths", required=False)
    file.faults.unit = "cm" if unit == "cm" else "in"
    return (
        part.length("width", "the table's size along x in inches", above=0.0, most=MAX_TABLE_IN),
        part.length("depth", "the table's size along y in inches", above=0.0, most=MAX_TABLE_IN),
        part.choice("rules", tuple(PARTS), "the name of a ruleset", required=False),
        part.length(
            "hill_height", "how high the table's hills are in inches", required=False, above=0.0, most=MAX_HEIGHT_IN
        ),
    )


def _dictionary(part: Section) -> str | None:
    given = part.text("dictionary", "a marker dictionary such as DICT_APRILTAG_36h11")
    if given is None:
        return None
    known = canonical(given)
    if known is None:
        near = [name for name in DICTIONARIES if name.casefold().endswith(given.casefold().removeprefix("tag"))]
        named = " or ".join(f'"{name}"' for name in near)
        clause = f"did you mean {named}?" if near else did_you_mean(given, list(DICTIONARIES))
        part.fault("dictionary", f'unknown dictionary "{given}" in {part.name}; {clause}')
    return known


def _read_frame(file: Section) -> Frame | None:
    part = file.section("frame", "[frame]", _KEYS["frame"], "the printed markers on the table", required=False)
    if part is None:
        return None
    dictionary = _dictionary(part)
    size = part.length("marker_size", "the side of the markers' black square in inches", above=0.0, most=MAX_BASE_IN)
    markers = []
    for piece in part.sections("markers", "[[frame.markers]]", _KEYS["marker"], required=True):
        marker_id = piece.integer("id", "the marker's number")
        center = piece.place("center", "inches from the near-left corner: right, away")
        rotation = piece.number("rotation", "degrees clockwise", required=False, least=-360.0, most=360.0)
        if dictionary and marker_id is not None and (fault := fault_of(dictionary, marker_id)):
            piece.fault("id", f"marker {marker_id} {fault}")
        if marker_id is not None and center is not None and piece.sound:
            markers.append(Marker(marker_id, center, rotation or 0.0))
    if part.sound and len(markers) < LEAST_MARKERS:
        part.fault(
            "markers",
            f"[frame] has {len(markers)} markers; at least {LEAST_MARKERS}, better 4, are needed to place a photo: add "
            "[[frame.markers]].",
        )
    if dictionary is None or size is None or not part.sound:
        return None
    return Frame(dictionary, size, tuple(markers))


def _read_tags(file: Section) -> Tags | None:
    part = file.section("tags", "[tags]", _KEYS["tags"], "the small markers on units, [tags]", required=False)
    if part is None:
        return None
    dictionary = _dictionary(part)
    size = part.length("size", "the side of the tags' black square in inches", above=0.0, most=MAX_BASE_IN)
    return None if dictionary is None or size is None else Tags(dictionary, size)


def _read_side(part: Section) -> Side | None:
    side_id = part.short_name("id", "the side's name", most=40)
    rim = _colour(part, "rim")
    return None if side_id is None or not part.sound else Side(side_id, rim)


def _colour(part: Section, key: str) -> tuple[int, int, int] | None:
    colour = part.text(key, "a colour such as #2456c8", required=False)
    if colour is None:
        return None
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        part.fault(
            key, f'"{key}" in {part.name} must be a colour such as "#2456c8" (red, green, blue), not "{colour}".'
        )
        return None
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _read_base(unit: Section, key: str, *, required: bool) -> Base | None:
    name = f'"{key}" of {unit.name}'
    wanted = f"the base's outline, {{ shape, width, depth, height }} or {{ shape, diameter, height }} in {_unit(unit)}"
    given = unit.data.get(key)
    part = unit.section(key, name, _outline_keys(given) if isinstance(given, dict) else (), wanted, required=required)
    return None if part is None else _base_of(part)


def _read_other_bases(unit: Section) -> tuple[OtherBases, ...]:
    found = []
    name = f'"other_bases" of {unit.name}'
    for part in unit.sections("other_bases", name, lambda given: ("count", "tags", *_outline_keys(given))):
        count = part.integer("count", "how many bases have this outline", least=1, most=MOST_BASES)
        base, tags = _base_of(part), part.integers("tags", "a list of the tags on these bases")
        if count is not None and base is not None and part.sound:
            found.append(OtherBases(count, base, tags))
    return tuple(found)


def _outline_keys(base: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys that describe a base's outline, which depend on its shape."""
    return _KEYS["round" if base.get("shape") == "round" else "rect"]


def _base_of(part: Section) -> Base | None:
    shape = part.choice("shape", SHAPE_NAMES, f"the outline, {SHAPES_SAID}")
    height = part.length("height", "the base's thickness in inches", least=0.0, most=MAX_BASE_IN)
    if shape == "round":
        width = depth = part.length("diameter", "inches across", above=0.0, most=MAX_BASE_IN)
    else:
        width = part.length("width", "inches from side to side", above=0.0, most=MAX_BASE_IN)
        depth = part.length("depth", "inches from front to rear", above=0.0, most=MAX_BASE_IN)
    if width is None or depth is None or height is None or not part.sound:
        return None
    return Base(width, depth, height, shape == "round", shape == "oval")


def _unit(part: Section) -> str:
    return UNIT_NAMES[part.faults.unit]


def _read_unit(part: Section) -> Unit | None:
    unit_id = part.short_name("id", "the unit's name, used once")
    side = part.short_name("side", "the side that the unit fights for")
    kind = part.short_name("kind", "what the unit is, such as infantry")
    bases = part.integer("bases", "how many bases the unit has", least=1, most=MOST_BASES)
    tag = part.integer("tag", "the tag on the unit's unique base", required=False)
    other_tags = part.integers("other_tags", "a list of the tags on the unit's other bases")
    offset = part.place("tag_offset", "inches right and forward of the base's centre", required=False)
    front = _colour(part, "front_mark")
    base = _read_base(part, "base", required=True)
    unique = _read_base(part, "unique_base", required=False)
    others = _read_other_bases(part)
    if unit_id is None or side is None or kind is None or bases is None or base is None or not part.sound:
        return None
    unique = unique or base
    return Unit(unit_id, side, kind, bases, base, unique, tag, other_tags, offset or (0.0, 0.0), front, others)


def read_terrain(part: Section) -> Terrain | None:
    """A piece of terrain in a TOML file; ``None`` if it has a fault, which is noted."""
    terrain_id = part.short_name("id", "the piece's name, used once")
    kind = part.choice("kind", TERRAIN_KINDS, "what the terrain is")
    polygon = _outline(part, "polygon", required=True)
    height = part.length("height", "inches above the table", required=False, least=0.0, most=MAX_HEIGHT_IN)
    top = _outline(part, "hill_top", required=False)
    if part.has("hill_top") and kind not in (None, "hill"):
        part.fault("hill_top", f'"hill_top" in {part.name} is for a hill; this piece is a {kind}.')
    if terrain_id is None or kind is None or polygon is None or not part.sound:
        return None
    return Terrain(terrain_id, kind, polygon, height or 0.0, top)


def _read_token(part: Section) -> Token | None:
    means = part.choice("means", TOKEN_MEANINGS, "what the token says of a unit, such as dug-in")
    tag = part.integer("tag", "the token's tag", required=False)
    tags = part.integers("tags", "a list of the tags that mean it")
    if not part.has("tag") and not part.has("tags"):
        part.fault(None, f'{part.name} lacks "tag": the tag on the token, or "tags" for a list of them.')
    elif part.has("tag") and part.has("tags"):
        part.fault("tags", f'{part.name} has both "tag" and "tags": list all its tags in "tags".')
    elif part.has("tags") and part.data["tags"] == []:
        part.fault("tags", f'"tags" in {part.name} is empty: list the tags that mean it.')
    if means is None or not part.sound:
        return None
    return Token(means, tags if tag is None else (tag,))


def _outline(part: Section, key: str, *, required: bool) -> tuple[Point, ...] | None:
    points = part.corners(key, "a list of corners, [[x, y], ...] in inches", required=required)
    if points is None:
        return None
    if len(points) > 1 and points[0] == points[-1]:
        points = points[:-1]
    fault = outline_fault(points, part.faults.unit)
    if fault:
        part.fault(key, f'"{key}" in {part.name} {fault}')
        return None
    return points


def _read_dice(file: Section) -> int | None:
    part = file.section("dice", "[dice]", _KEYS["dice"], "the table's dice, [dice]", required=False)
    if part is None:
        return None
    wanted = "1 or 6: the number that a symbol on the dice replaces"
    symbol = part.integer("symbol", wanted, least=1, most=6)
    if symbol is not None and symbol not in (1, 6):
        part.fault("symbol", f'"symbol" in {part.name} must be {wanted}, not {symbol}.')
        return None
    return symbol


def _read_overlay(file: Section) -> Overlay | None:
    part = file.section("overlay", "[overlay]", _KEYS["overlay"], "a grid, [overlay]", required=False)
    if part is None:
        return None
    grid = part.choice("grid", ("hex", "square"), 'the kind of grid, "hex" or "square"')
    size = part.length("size", "inches between opposite sides of a cell", least=0.25, most=MAX_TABLE_IN)
    origin = part.place("origin", "the centre of the grid's first cell in inches")
    rotation = part.number("rotation", "degrees clockwise", required=False, least=-360.0, most=360.0)
    if grid is None or size is None or origin is None or not part.sound:
        return None
    return Overlay("hex" if grid == "hex" else "square", size, origin, rotation or 0.0)
