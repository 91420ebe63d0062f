"""Writing a table file: the standard frame and tags as on the printed sheets, and the TOML text of everything."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tabletop.errors import UsageError
from tabletop.reading.toml_source import did_you_mean
from tabletop.tables.marker_dictionaries import DICTIONARIES, canonical, fault_of
from tabletop.tables.model import Base, Frame, Marker, OtherBases, TableFile, Tags, Terrain, Unit

FRAME_DICTIONARY = "DICT_APRILTAG_36h11"
TAG_DICTIONARIES = ("DICT_APRILTAG_25h9", "DICT_4X4_100", "DICT_4X4_250", "DICT_4X4_1000")
"""The dictionaries for tags: the first with enough of them is used."""
SMALLEST_TAG_IN = 0.3
LONG_SIDE_IN = 48.0
"""A side longer than this has a frame marker in its middle too."""
_SQUARES = {"4X4": 4, "5X5": 5, "6X6": 6, "7X7": 7, "ORIGINAL": 5, "36h12": 6, "16h5": 4, "25h9": 5, "36h10": 6}


@dataclass(frozen=True)
class FrameWish:
    """The requested frame markers: the side of their black square, their dictionary, and the distance of their centres
    from the table's edges (``None``: the white rim is just on the table)."""

    marker_size_in: float = 3.0
    dictionary: str = FRAME_DICTIONARY
    inset_in: float | None = None


@dataclass(frozen=True)
class TagWish:
    """The requested tags: side of the black square, dictionary (``None``: the first with enough), the first number, and
    whether every base has one or only each unit's unique base."""

    size_in: float = 0.6
    dictionary: str | None = None
    first: int = 0
    every_base: bool = False


def inset_of(wish: FrameWish) -> float:
    """The distance of the markers' centres from the edges, in inches, as on the printed sheet.

    >>> inset_of(FrameWish()), inset_of(FrameWish(2.0)), inset_of(FrameWish(inset_in=3.5))
    (2.0, 1.25, 3.5)
    """
    if wish.inset_in is not None:
        return wish.inset_in
    name = known_dictionary(wish.dictionary)
    squares = next((n for part, n in _SQUARES.items() if part in name), 6) + 2
    return math.ceil(4 * wish.marker_size_in * (0.5 + 1 / squares)) / 4


def standard_frame(width_in: float, depth_in: float, wish: FrameWish | None = None) -> Frame:
    """The printed frame for a table: a marker in each corner, one in the middle of each long side.

    Numbered from 0 at the near left corner, along the near edge and counter-clockwise. Raises UsageError if
    the table is too small for it or the dictionary is unknown.

    >>> [(m.id, m.center) for m in standard_frame(36, 24).markers]
    [(0, (2.0, 2.0)), (1, (34.0, 2.0)), (2, (34.0, 22.0)), (3, (2.0, 22.0))]
    """
    wish = wish or FrameWish()
    dictionary, size, inset = known_dictionary(wish.dictionary), wish.marker_size_in, inset_of(wish)
    if 2 * inset > min(width_in, depth_in) - size:
        raise UsageError(
            f"A table of {width_in:g}″ x {depth_in:g}″ is too small for a frame of {size:g}″ markers {inset:g}″ from "
            "its edges: take smaller ones."
        )
    right, far = width_in - inset, depth_in - inset
    places = [(inset, inset), (right, inset), (right, far), (inset, far)]
    if depth_in > LONG_SIDE_IN:
        places.append((inset, depth_in / 2))
        places.insert(2, (right, depth_in / 2))
    if width_in > LONG_SIDE_IN:
        places.insert(places.index((inset, far)), (width_in / 2, far))
        places.insert(1, (width_in / 2, inset))
    return Frame(dictionary, size, tuple(Marker(number, place) for number, place in enumerate(places)))


def known_dictionary(name: str) -> str:
    """The dictionary's exact name; raises UsageError for an unknown one."""
    found = canonical(name)
    if found is None:
        raise UsageError(f'There is no dictionary "{name}"; {did_you_mean(name, list(DICTIONARIES))}')
    return found


def with_tags(units: Sequence[Unit], wish: TagWish, frame: Frame | None = None) -> tuple[Tags, tuple[Unit, ...]]:
    """Units with tags numbered in their order, unique bases first within each unit, and the tags' dictionary and size.

    Numbers of the frame's markers are left out if both use the same dictionary. A base that is too small for a tag of
    that size has none. Raises UsageError if a dictionary has too few.
    """
    wanted = [_tagged_bases(unit, wish) for unit in units]
    count = sum(sum(each) for each in wanted)
    named = None if wish.dictionary is None else known_dictionary(wish.dictionary)
    spare = len(frame.markers) if frame is not None else 0
    found = named or next((d for d in TAG_DICTIONARIES if DICTIONARIES[d] >= wish.first + count + spare), "")
    taken = {m.id for m in frame.markers} if frame is not None and frame.dictionary == found else set()
    last = DICTIONARIES.get(found, 0)
    free = [n for n in range(wish.first, last) if n not in taken and not fault_of(found, n)]
    if len(free) < count:
        raise UsageError(
            f"{count} tags are needed from number {wish.first} on, and {found or TAG_DICTIONARIES[-1]} has {len(free)}:"
            f" take another dictionary or tag unique bases only."
        )
    numbers = iter(free)
    tagged = []
    for unit, (unique, plain, *others) in zip(units, wanted, strict=True):
        own = [tuple(islice(numbers, many)) for many in (unique, plain, *others)]
        made = tuple(replace(other, tags=tags) for other, tags in zip(unit.other_bases, own[2:], strict=True))
        tagged.append(replace(unit, tag=own[0][0], other_tags=own[1], other_bases=made) if unique else unit)
    return Tags(found, wish.size_in), tuple(tagged)


def _tagged_bases(unit: Unit, wish: TagWish) -> list[int]:
    """How many bases of a unit have a tag: of the unique one, of those with the outline ``base``, of each other."""
    parts = [(1, unit.unique_base), (unit.plain_count, unit.base), *((o.count, o.base) for o in unit.other_bases)]
    if not carries(unit.unique_base, wish.size_in):
        return [0] * len(parts)
    fit = [many if carries(base, wish.size_in) else 0 for many, base in parts]
    return fit if wish.every_base else [1, *[0] * (len(parts) - 1)]


def carries(base: Base, size_in: float) -> bool:
    """Whether a tag of that size fits on a base without reaching over its edge."""
    return size_in <= base.largest_tag_in + 1e-9


# --- as text ---------------------------------------------------------------------------------------------------------


def table_toml(table: TableFile, notes: Sequence[str] = ()) -> str:
    """The TOML text of a table file, ``notes`` as comments on top; :func:`tabletop.tables.tablefile.parse_table` reads
    it.

    >>> print(table_toml(TableFile(36, 24, None, "one-hour-ww2"), ["Mine."]), end="")
    # Mine.
    <BLANKLINE>
    [table]
    width = 36
    depth = 24
    rules = "one-hour-ww2"
    """
    parts = [[f"# {line}" for note in notes for line in note.splitlines()], _head(table), list(_frame(table.frame))]
    if table.tags is not None:
        parts.append(
            ["[tags]", f"dictionary = {_text(table.tags.dictionary)}", f"size = {_number(table.tags.size_in)}"]
        )
    for side in table.sides:
        rim = [] if side.rim is None else [f"rim = {_colour(side.rim)}"]
        parts.append(["[[sides]]", f"id = {_text(side.id)}", *rim])
    parts += [list(_unit(unit)) for unit in table.units]
    parts += [list(_terrain(piece)) for piece in table.terrain]
    if table.overlay is not None:
        grid = table.overlay
        lines = [
            "[overlay]",
            f'grid = "{grid.grid}"',
            f"size = {_number(grid.size_in)}",
            f"origin = {_point(grid.origin)}",
        ]
        parts.append([*lines, f"rotation = {_number(grid.rotation_deg)}"])
    for token in table.tokens:
        parts.append(["[[tokens]]", f'means = "{token.means}"', f"tags = [{', '.join(map(str, token.tags))}]"])
    if table.dice_symbol is not None:
        parts.append(["[dice]", f"symbol = {table.dice_symbol}"])
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _head(table: TableFile) -> list[str]:
    rules = [] if table.rules is None else [f"rules = {_text(table.rules)}"]
    hills = [f"hill_height = {_number(table.hill_height_in)}"] if table.hill_height_in > 0 else []
    return ["[table]", f"width = {_number(table.width_in)}", f"depth = {_number(table.depth_in)}", *rules, *hills]


def _frame(frame: Frame | None) -> Iterator[str]:
    if frame is None:
        return
    yield from ("[frame]", f"dictionary = {_text(frame.dictionary)}", f"marker_size = {_number(frame.marker_size_in)}")
    for marker in frame.markers:
        yield from ("", "[[frame.markers]]", f"id = {marker.id}", f"center = {_point(marker.center)}")
        yield f"rotation = {_number(marker.rotation_deg)}"


def _unit(unit: Unit) -> Iterator[str]:
    yield from ("[[units]]", f"id = {_text(unit.id)}", f"side = {_text(unit.side)}", f"kind = {_text(unit.kind)}")
    yield f"bases = {unit.bases}"
    if unit.tag is not None:
        yield f"tag = {unit.tag}"
    if unit.other_tags:
        yield f"other_tags = [{', '.join(map(str, unit.other_tags))}]"
    if unit.tag_offset_in != (0.0, 0.0):
        yield f"tag_offset = {_point(unit.tag_offset_in)}"
    if unit.front_mark is not None:
        yield f"front_mark = {_colour(unit.front_mark)}"
    yield f"base = {_base(unit.base)}"
    if unit.unique_base != unit.base:
        yield f"unique_base = {_base(unit.unique_base)}"
    if unit.other_bases:
        yield from ("other_bases = [", *(f"  {_other(other)}," for other in unit.other_bases), "]")


def _base(base: Base) -> str:
    return f"{{ {_outline(base)} }}"


def _other(other: OtherBases) -> str:
    tags = f", tags = [{', '.join(map(str, other.tags))}]" if other.tags else ""
    return f"{{ count = {other.count}, {_outline(other.base)}{tags} }}"


def _outline(base: Base) -> str:
    width, height = _number(base.width_in), f"height = {_number(base.height_in)}"
    if base.is_round:
        return f'shape = "round", diameter = {width}, {height}'
    return f'shape = "{base.shape}", width = {width}, depth = {_number(base.depth_in)}, {height}'


def _terrain(piece: Terrain) -> Iterator[str]:
    yield from ("[[terrain]]", f"id = {_text(piece.id)}", f"kind = {_text(piece.kind)}")
    yield f"polygon = [{', '.join(map(_point, piece.polygon))}]"
    if piece.height_in:
        yield f"height = {_number(piece.height_in)}"
    if piece.hill_top is not None:
        yield f"hill_top = [{', '.join(map(_point, piece.hill_top))}]"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")


def _number(value: float) -> str:
    return repr(value)


def _point(point: Sequence[float]) -> str:
    return f"[{_number(point[0])}, {_number(point[1])}]"


def _colour(rgb: Sequence[int]) -> str:
    return f'"#{rgb[0]:02x}{rgb[1]:02x}{rgb[2]:02x}"'
