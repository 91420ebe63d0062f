"""Terrain that joins or leaves an open table while a game is played, drawn by hand or as a photo shows it.

Every ruleset on an open table has these two actions and events; each stores its terrain in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeVar

from tabletop.errors import OutlineError
from tabletop.game.actions import Domain, Inches, Named, OneOf, Ring, Word, action
from tabletop.game.errors import ActionError, EventError
from tabletop.game.violations import Violation
from tabletop.open_table.setup import Point, TerrainPiece
from tabletop.tables import drawn_terrain as hand
from tabletop.tables.model import TERRAIN_KINDS
from tabletop.tables.tablefile import MAX_HEIGHT_IN

Outline = tuple[Point, ...]
Setup = TypeVar("Setup")

MOST_SIGMA_IN = 5.0
"""The least sure that a place by hand may be."""
_NAME = re.compile(r"[^\W_][\w-]{0,39}")


def _new_name(state: Any, word: str) -> str:
    """A name that nothing has yet may have; raises ActionError for one that can't be written in actions."""
    if not _NAME.fullmatch(word):
        raise ActionError(
            f'"{word}" can\'t be a name here: use letters, digits, "-" and "_", at most 40, a letter or digit in front.'
        )
    return word


def _ground(state: Any) -> Iterator[tuple[str, str]]:
    return ((piece.id, piece.id) for piece in state.scene.terrain)


@dataclass(frozen=True, kw_only=True)
class HillTop(Ring):
    """The outline of a hill's top, which moves and turns with its hill."""

    title: str = "outline of a hill's top"

    def domain(self) -> Domain:
        return replace(super().domain(), type="top")


NEW_NAME = Word(placeholder="NAME", type="text", title="name", resolve=_new_name)
TERRAIN = Named(placeholder="TERRAIN", type="ground", what="piece of terrain", known=_ground)
TERRAIN_KIND = OneOf(values=TERRAIN_KINDS, what="kind of terrain", placeholder="KIND", title="kind")
HIGH = Inches(lead=("high",), title="height", least=0.0, most=MAX_HEIGHT_IN)
TOP = HillTop(lead=("top",))
AS = NEW_NAME.after("as")
SIGMA = Inches(lead=("sigma",), title="its place give or take", least=0.0, most=MOST_SIGMA_IN)


@action("draw", order=("of_kind", "ring", "high", "top", "sigma", "name"), label="Draw terrain[: {of_kind}]")
@dataclass(frozen=True)
class Draw:
    """Lay a piece of terrain on the table by the corners of its outline."""

    of_kind: Annotated[str, TERRAIN_KIND]
    ring: Annotated[Outline, Ring(title="outline").after("ring")]
    high: Annotated[float, HIGH] = 0.0
    top: Annotated[Outline, TOP] = ()
    name: Annotated[str, AS] = ""
    sigma: Annotated[float, SIGMA] = 0.0


@action("erase", label="Take {terrain} off the table")
@dataclass(frozen=True)
class Erase:
    """Take a piece of terrain off the table."""

    terrain: Annotated[str, TERRAIN]


@dataclass(frozen=True)
class TerrainDrawn:
    """A piece of terrain was laid on the table."""

    piece: TerrainPiece


@dataclass(frozen=True)
class TerrainErased:
    """A piece of terrain was taken off the table."""

    terrain: str


def complete_draw(state: Any, action: Draw, used: Collection[str] = ()) -> Draw:
    """The outline as it is kept, and a name where none is given: one that no piece has, nor ``used``.

    Raises ActionError for an outline that can't be drawn.
    """
    size = state.setup.width, state.setup.depth
    try:
        ring = round_points(hand.outline(action.ring, *size))
        top = hill_top(action.of_kind, action.top, ring, size)
    except OutlineError as error:
        raise ActionError(str(error)) from error
    name = action.name or free_name(action.of_kind, {*used, *(piece.id for piece in state.scene.terrain)})
    return replace(action, ring=ring, top=top, name=name)


def hill_top(kind: str, top: Outline, ring: Outline, size: Point) -> Outline:
    """A top's outline as it is kept; raises ActionError where the terrain is no hill, OutlineError beyond the hill."""
    if not top:
        return ()
    if kind != "hill":
        raise ActionError(f"This terrain is of kind {kind}; only a hill has a top.")
    return round_points(hand.hill_top(top, ring, *size))


def round_points(points: Sequence[Sequence[float]]) -> Outline:
    """Points as actions and events keep them."""
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y in points)


def free_name(kind: str, used: Collection[str]) -> str:
    """A name that is not ``used``.

    >>> free_name("woods", ["woods-1", "hill-1"])
    'woods-2'
    """
    number = 1
    while f"{kind}-{number}" in used:
        number += 1
    return f"{kind}-{number}"


def terrain_violations(state: Any, action: Draw | Erase, names: Collection[str] = ()) -> Iterator[Violation]:
    """What speaks against drawing or erasing; ``names`` are those of other things."""
    if isinstance(action, Erase):
        yield from known_terrain(state, action.terrain)
        return
    yield from free_terrain(state, action.name, names)
    count = len(state.scene.terrain)
    if count >= hand.MOST_PIECES:
        yield full_table(count)


def known_terrain(state: Any, name: str) -> Iterator[Violation]:
    """That the table has no terrain of that name, where it has none."""
    if name not in dict(_ground(state)):
        yield Violation("no-such-terrain", f"There is no terrain {name} on the table.", firm=True)


def free_terrain(state: Any, name: str, names: Collection[str] = ()) -> Iterator[Violation]:
    """That a name is taken, by terrain or by one of ``names``; an empty one is not."""
    if name and (name in dict(_ground(state)) or name in names):
        yield Violation("name-taken", f"Something is called {name} already: choose another name.", firm=True)


def full_table(count: int) -> Violation:
    """The table has as much terrain as it can."""
    return Violation("too-much-terrain", f"The table has {count} pieces of terrain, the most that it can.", firm=True)


def terrain_event(action: Draw | Erase) -> TerrainDrawn | TerrainErased:
    """The event of a completed action."""
    if isinstance(action, Erase):
        return TerrainErased(action.terrain)
    top = action.top or None
    return TerrainDrawn(TerrainPiece(action.name, action.of_kind, action.ring, action.high, top, action.sigma))


def with_terrain(setup: Setup, event: TerrainDrawn | TerrainErased) -> Setup:
    """A set-up with the terrain as it is after an event; raises EventError for a piece that it lacks."""
    pieces: tuple[TerrainPiece, ...] = setup.terrain  # type: ignore[attr-defined]
    if isinstance(event, TerrainDrawn):
        return replace(setup, terrain=(*pieces, event.piece))  # type: ignore[type-var]
    if event.terrain not in {piece.id for piece in pieces}:
        raise EventError(f'there is no terrain "{event.terrain}" on this table.')
    return replace(setup, terrain=tuple(piece for piece in pieces if piece.id != event.terrain))  # type: ignore[type-var]


def terrain_text(event: TerrainDrawn | TerrainErased) -> str:
    """What happened, in a sentence."""
    if isinstance(event, TerrainErased):
        return f"{event.terrain} was taken off the table."
    return f"{piece_text(event.piece)} was laid on the table."


def piece_text(piece: TerrainPiece) -> str:
    """A piece of terrain with its kind and height.

    >>> piece_text(TerrainPiece("ridge", "hill", (), 1.5))
    'ridge (hill, 1.5″ high)'
    """
    high = f", {piece.height:g}″ high" if piece.height else ""
    return f"{piece.id} ({piece.kind}{high})"
