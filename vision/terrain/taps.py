"""Places that players point at: "this is a wood", by a tap or by a line around it, as data and as people type it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from vision.terrain.pieces import DRAWN_KINDS, KINDS, TerrainError

Place = tuple[float, float]


@dataclass(frozen=True)
class Tap:
    """A player's tap: "this is a wood", at a place in table inches."""

    kind: str
    at: Place


@dataclass(frozen=True)
class Fix:
    """A correction of an outline: what is ``at`` a place belongs to the foot (``inside``) or does not."""

    at: Place
    inside: bool


@dataclass(frozen=True)
class DrawnLine:
    """A player's line around the foot of a piece of terrain, ``points`` in table inches or (``in_pixels``) in pixels of
    the upright photo; so are the places of ``fixes`` and the parts ``redrawn``.

    ``width_in``: the line runs along a wall, hedge, road or river of this width instead; ``height_in``: of the piece,
    0: not known; ``is_rectangle``: the foot has four right angles; ``all_visible``: the line is around everything that
    the photo shows of a piece of that height, not only around its foot; ``named``: how sentences call the line.
    """

    kind: str
    points: tuple[Place, ...]
    in_pixels: bool = False
    width_in: float | None = None
    height_in: float = 0.0
    is_rectangle: bool = False
    all_visible: bool = False
    fixes: tuple[Fix, ...] = ()
    redrawn: tuple[tuple[Place, ...], ...] = ()
    named: str = ""

    @property
    def says(self) -> str:
        """The line, as a sentence about it begins."""
        if self.named:
            return self.named
        x, y = self.points[0] if self.points else (0.0, 0.0)
        place = f"({x:.0f}, {y:.0f}) pixels" if self.in_pixels else f"({x:.1f}, {y:.1f})"
        return f"The line of the {self.kind} that starts at {place}"


_NUMBER = r"-?(?:\d+(?:\.\d*)?|\.\d+)"
_TAP = re.compile(rf"\s*([a-z]+)\s*@\s*({_NUMBER})\s*,\s*({_NUMBER})\s*", re.IGNORECASE)
_PLACE = re.compile(rf"({_NUMBER}),({_NUMBER})(px)?")
_LINE_FORM = "KIND: X,Y X,Y X,Y in inches, such as woods: 10,5 14,5 14,9 10,9, or with px after each place"
_MOST_POINTS = 2000
_MOST_IN = 120.0


def parse_tap(text: str, table: tuple[float, float] | None = None) -> Tap:
    """A tap as people type it, ``KIND@X,Y`` in inches; TerrainError if it can't be read or is off the ``table``.

    >>> parse_tap("woods@12.5,7")
    Tap(kind='woods', at=(12.5, 7.0))
    >>> parse_tap("woods 12.5 7")
    Traceback (most recent call last):
    ...
    vision.terrain.pieces.TerrainError: The tap "woods 12.5 7" can't be read: write KIND@X,Y in inches, such as woods@12.5,7.
    """  # noqa: E501
    match = _TAP.fullmatch(text)
    if match is None:
        raise TerrainError(f'The tap "{text}" can\'t be read: write KIND@X,Y in inches, such as woods@12.5,7.')
    kind, x, y = match.group(1).lower(), float(match.group(2)), float(match.group(3))
    if kind in DRAWN_KINDS:
        raise TerrainError(f'The tap "{text}": no tap finds a {kind}. Draw around it: --around "{kind}: X,Y X,Y X,Y".')
    if kind not in KINDS:
        raise TerrainError(
            f'The tap "{text}" names no known kind of terrain ("{kind}"): use one of {", ".join(KINDS)}.'
        )
    if table is not None and not (0 <= x <= table[0] and 0 <= y <= table[1]):
        raise TerrainError(
            f'The tap "{text}" lies off the table, which is {table[0]:g} x {table[1]:g} inches: tap a place on it.'
        )
    return Tap(kind, (x, y))


def parse_line(text: str) -> DrawnLine:
    """A line as people type it: ``KIND [wide INCHES] [high INCHES] [box] [visible]: X,Y X,Y ... [in X,Y] [out X,Y]``.

    ``wide``: along a wall of that width; ``box``: a rectangle; ``visible``: around everything visible of a piece that
    is so ``high``; ``in`` and ``out`` are correcting taps. Raises TerrainError.

    >>> parse_line("woods: 10,5 14,5 14,9 out 13,6")
    DrawnLine(kind='woods', points=((10.0, 5.0), (14.0, 5.0), (14.0, 9.0)), in_pixels=False, width_in=None, height_in=0.0, is_rectangle=False, all_visible=False, fixes=(Fix(at=(13.0, 6.0), inside=False),), redrawn=(), named='')
    >>> line = parse_line("wall wide 0.5 high 1: 310,480px 400,470px")
    >>> line.in_pixels, line.width_in, line.height_in
    (True, 0.5, 1.0)
    """  # noqa: E501
    head, colon, tail = text.partition(":")
    words = head.split()
    if not colon or not words:
        raise TerrainError(f'The line "{text}" can\'t be read: write {_LINE_FORM}.')
    kind = words[0].lower()
    if kind not in (*KINDS, *DRAWN_KINDS):
        known = ", ".join((*KINDS, *DRAWN_KINDS))
        raise TerrainError(f'The line "{text}" names no known kind of terrain ("{words[0]}"): use one of {known}.')
    line = _with_words(DrawnLine(kind, ()), words[1:], text)
    points: list[Place] = []
    fixes: list[Fix] = []
    units = set()
    role = ""
    for word in tail.replace(";", " ").split():
        if word in ("in", "out") and not role:
            role = word
            continue
        match = _PLACE.fullmatch(word)
        if match is None:
            raise TerrainError(f'The line "{text}" has "{word}" where a place belongs: write {_LINE_FORM}.')
        place = (float(match.group(1)), float(match.group(2)))
        units.add(match.group(3))
        if role:
            fixes.append(Fix(place, role == "in"))
        else:
            points.append(place)
        role = ""
    least = 2 if line.width_in is not None else 3
    if role or not least <= len(points) <= _MOST_POINTS:
        raise TerrainError(f'The line "{text}" needs {least} to {_MOST_POINTS} places: write {_LINE_FORM}.')
    if len(units) > 1:
        raise TerrainError(f'The line "{text}" mixes inches and pixels: write px after every place or after none.')
    if fixes and line.width_in is not None:
        raise TerrainError(f'The line "{text}" runs along a piece ("wide"): leave in and out away, and draw it again.')
    return replace(line, points=tuple(points), in_pixels=units == {"px"}, fixes=tuple(fixes))


def _with_words(line: DrawnLine, words: list[str], text: str) -> DrawnLine:
    """The line with the options in the words between kind and colon."""
    left = list(words)
    while left:
        word = left.pop(0)
        if word in ("box", "visible"):
            line = replace(line, is_rectangle=True) if word == "box" else replace(line, all_visible=True)
            continue
        number = left.pop(0) if word in ("wide", "high") and left else ""
        if re.fullmatch(_NUMBER, number) is None or not 0 < float(number) <= _MOST_IN:
            raise TerrainError(
                f'The line "{text}" has "{word}" after its kind: use wide INCHES, high INCHES, box or visible.'
            )
        stated = float(number)
        line = replace(line, width_in=stated) if word == "wide" else replace(line, height_in=stated)
    if line.all_visible and not line.height_in:
        raise TerrainError(f'The line "{text}" is around everything visible: say how high the piece is, as "high 3".')
    if line.width_in is not None and (line.is_rectangle or line.all_visible):
        raise TerrainError(f'The line "{text}" runs along a piece ("wide"): leave box and visible out.')
    return line
