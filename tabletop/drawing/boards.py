"""A drawing of a board (:class:`tabletop.boards.data.Board`), as phones show it, as a picture for reports, files and
print.

:func:`ground_items`, :func:`ground_names` and :func:`piece_items` draw its contents, :func:`picture` is a
map with any items.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from geometry.drawing.letters import shorten
from geometry.drawing.scene import ABOVE, GROUND, PIECES, Area, Chip, Item, Key, Line, Look, Point, Sheet, Tag
from geometry.drawing.terrain import TERRAIN_ORDER
from tabletop.boards.data import Board, BoardPiece, Zone
from tabletop.drawing import hexes, squares
from tabletop.drawing.lengths import item_in, key_in
from tabletop.drawing.maps import table_map
from tabletop.drawing.traces import LABEL_EM, SMALL_LABEL_EM, label
from tabletop.units import LengthUnit, in_unit

TOLD_BY_ARROWS = frozenset({"moved", "fired", "acted"})
"""Badges that a map leaves out when its arrows show the same."""
BADGE_LOOKS: Mapping[str, Look] = {
    "hits": Look("#1b1b1b", "#ffffff", 0.8, ink="#ffffff"),
    "men": Look("#1b1b1b", "#ffffff", 0.8, ink="#ffffff"),
    "dug-in": Look("#f5ebb9", "#1b1b1b", 1.0),
    "cover": Look("#f5ebb9", "#1b1b1b", 1.0),
    "isolated": Look("#8a2b12", "#ffffff", 0.8, ink="#ffffff"),
}
"""Badges with a look of their own, by their ids; a class is ``badge-ID``."""
PLAIN_BADGE = Look("#ffffff", "#1b1b1b", 1.0)
_FULL_SIZE = 20  # units of a game with labels of full size; more have smaller ones
_GROUND_EM = 0.7  # of a name of terrain
_NAME = 12  # letters of a unit's name


def ground_items(board: Board) -> tuple[Item, ...]:
    """The ground of the table: terrain or cells, roads, zones."""
    if board.grid == "square":
        return squares.ground_of(board)
    if board.grid == "hex":
        return hexes.ground_of(board)
    return tuple(_open_ground(board))


def ground_names(board: Board) -> tuple[Item, ...]:
    """The names of an open table's terrain, each on its piece if there is room; cells have their own."""
    if board.grid is not None:
        return ()
    return tuple(
        Tag(piece.outline[0], (Chip(piece.id, "ground-name"),), inside=piece.outline, optional=True, size=_GROUND_EM)
        for piece in board.ground
    )


def piece_items(board: Board, *, told_by_arrows: bool = False) -> tuple[Item, ...]:
    """The pieces with their badges; ``told_by_arrows`` leaves out the badges for this turn's actions."""
    if board.grid is not None:
        pieces = _without_deeds(board.pieces) if told_by_arrows else board.pieces
        return squares.counters_of(board, pieces) if board.grid == "square" else hexes.pieces_of(board, pieces)
    return tuple(_open_pieces(board, TOLD_BY_ARROWS if told_by_arrows else frozenset()))


def picture(board: Board, items: Iterable[Item], keys: Sequence[Key] = (), unit: LengthUnit = "in") -> Sheet:
    """A map of the board with these items on it, and a legend of what occurs: sides, ground, badges, ``keys``. Lengths
    and the numbers on an open table's edges are in a ``unit``."""
    if unit != "in":
        items, keys = [item_in(item, unit) for item in items], [key_in(key, unit) for key in keys]
    if board.grid == "square":
        return squares.picture(board, items)
    if board.grid == "hex":
        return hexes.picture(board, items, keys)
    badges = {badge.id: badge.text for piece in board.pieces for badge in piece.badges}
    named = {cls for key in keys for cls in key.classes}
    plain = [
        Key((f"badge-{name}",), name.replace("-", " "), "chip", in_unit(text, unit))
        for name, text in badges.items()
        if f"badge-{name}" not in named
    ]
    looks = {f"badge-{name}": BADGE_LOOKS.get(name, PLAIN_BADGE) for name in badges}
    return table_map((board.width, board.depth), board.sides, items, [*keys, *plain], looks, unit)


def _without_deeds(pieces: Iterable[BoardPiece]) -> tuple[BoardPiece, ...]:
    return tuple(
        replace(
            piece,
            state="fresh" if piece.state == "acted" else piece.state,
            badges=tuple(badge for badge in piece.badges if badge.id not in TOLD_BY_ARROWS),
        )
        for piece in pieces
    )


# --- open tables -----------------------------------------------------------------------------------------------------


def _open_ground(board: Board) -> Iterator[Item]:
    rank = {kind: n for n, kind in enumerate(TERRAIN_ORDER)}
    for piece in sorted(board.ground, key=lambda p: rank.get(p.kind, len(rank))):
        yield Area(piece.outline, f"terrain-{piece.kind}", title=f"{piece.kind} {piece.id}")
        if piece.hill_top:
            yield Area(piece.hill_top, "terrain-hill", title=f"top of {piece.id}")
    for zone in board.zones:
        yield from _zone(board, zone)


def _zone(board: Board, zone: Zone) -> Iterator[Item]:
    numbers = {side.id: n for n, side in enumerate(board.sides)}
    xs, ys = [x for x, _ in zone.outline], [y for _, y in zone.outline]
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    half = (max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2
    words = shorten(zone.label[:1].upper() + zone.label[1:])
    if zone.kind == "objective":
        holder = "objective-free" if zone.holder is None else f"holder-{numbers[zone.holder]}"
        yield Area(zone.outline, "objective", GROUND, title=zone.says.removesuffix("."))
        yield Tag(middle, (Chip(words, holder, round=True),), half, size=0.8)
    elif len(zone.outline) == 2:
        cls, layer = ("exit", GROUND) if zone.kind == "exit" else ("objective", ABOVE)
        yield Line(zone.outline, cls, layer, title=zone.says)
        if zone.label:
            yield Tag(middle, (Chip(shorten(zone.label), "name"),), (0.1, 0.1), plain=True, size=0.8)
    else:
        yield Area(zone.outline, "zone", GROUND, title=zone.says)
        if zone.label:
            yield Tag(middle, (Chip(words, "name"),), plain=True, size=0.8, optional=True)


def _open_pieces(board: Board, left_out: frozenset[str]) -> Iterator[Item]:
    numbers = {side.id: n for n, side in enumerate(board.sides)}
    says = {unit.id: unit.says for unit in board.units}
    groups: dict[str, list[BoardPiece]] = {}
    for piece in board.pieces:
        groups.setdefault(piece.unit or piece.id, []).append(piece)
    size = LABEL_EM if max(len(groups), len(board.units)) <= _FULL_SIZE else SMALL_LABEL_EM
    for name, pieces in groups.items():
        number = numbers.get(pieces[0].side or "")
        face, chip = ("grave", "gone") if number is None else (f"side-{number}", f"chip-{number}")
        first = next((piece for piece in pieces if piece.unique), pieces[0])
        for piece in pieces:
            yield Area(piece.outline, face, PIECES, says.get(name, piece.says) if piece is first else "")
            if piece.unique and piece.facing is not None and number is not None:
                yield Area(_wedge(piece), f"front-{number}", PIECES)
        badges = {badge.id: badge.text for piece in pieces for badge in piece.badges if badge.id not in left_out}
        chips = [Chip(shorten(first.label, _NAME), chip)]
        chips += [Chip(text, f"badge-{badge}") for badge, text in badges.items()]
        if first.label:
            yield label([piece.outline for piece in pieces], tuple(chips), size=size)


def _wedge(piece: BoardPiece) -> tuple[Point, ...]:
    """A triangle that points to a piece's front."""
    size, turn = 0.3 * min(piece.width, piece.depth), math.radians(piece.facing or 0.0)
    x, y = piece.center
    return tuple(
        (
            x + size * (right * math.cos(turn) + ahead * math.sin(turn)),
            y + size * (ahead * math.cos(turn) - right * math.sin(turn)),
        )
        for right, ahead in ((-1.0, -0.5), (1.0, -0.5), (0.0, 1.1))
    )
