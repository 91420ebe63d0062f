"""A game of Combat as it stands, frozen: the fold of its events. Squares are numbers, sides 0 (Red) and 1 (Blue)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from tabletop.game.lookups import WithLookups
from tabletop.game.protocol import Outcome
from tabletop.rulesets.combat.board import OFF, Field
from tabletop.rulesets.combat.data import KINDS, SIDES, Kind
from tabletop.rulesets.combat.events import Cause, Modifier
from tabletop.rulesets.combat.setup import Setup

Step = Literal["deploy", "toss", "play", "over"]
Fate = Literal["waiting", "board", "lost"]
CORPS = ("left", "right")
"""A side's corps by section for Red; Blue sees them the other way round."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: its square (``OFF`` when not on the board) and what it has done this turn.

    ``steps`` were moved, ``halted`` where it may not go on, ``on_road`` whether all of them were on road; ``acts_from``
    is the turn from which it acts, ``struck`` the turn of a plane's last attack, ``section`` where it began this turn.
    """

    id: str
    side: int
    kind: str
    at: int = OFF
    fate: Fate = "waiting"
    steps: int = 0
    halted: bool = False
    on_road: bool = True
    fired: bool = False
    acts_from: int = 0
    struck: int = 0
    section: int = 0

    @property
    def data(self) -> Kind:
        """The facts of its kind."""
        return KINDS[self.kind]


@dataclass(frozen=True, slots=True)
class Pending:
    """A piece that was hit and is still to be saved."""

    unit: str
    need: int
    modifiers: tuple[Modifier, ...]
    cause: Cause
    by: str


@dataclass(frozen=True)
class State(WithLookups):
    """The whole game. Pairs are Red's and Blue's.

    ``index`` counts the commanders who have had this turn; ``laid`` are mines on the board and ``to_lay`` those still
    to be placed; ``hits`` and ``misses`` are the cards left; ``fired_in`` is the turn of each side's last shot or
    strike; ``owed`` new pieces may come on; ``dusk`` is how the pieces stood at nightfall, where the boards are apart.
    """

    LOOKUPS: ClassVar = {"pieces": ("by_id", "by_square", "armies")}

    setup: Setup
    field: Field
    step: Step = "deploy"
    turn: int = 0
    day: int = 1
    hour: int = 0
    night: int = 0
    first: int = 0
    index: int = 0
    pieces: tuple[Piece, ...] = ()
    armed: tuple[bool, bool] = (False, False)
    ready: tuple[bool, bool] = (False, False)
    to_lay: tuple[int, int] = (0, 0)
    laid: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    exploded: tuple[int, ...] = ()
    headquarters: tuple[int, int] = (OFF, OFF)
    hits: int = 0
    misses: int = 0
    salvos: int = 0
    fired_in: tuple[int, int] = (0, 0)
    pending: tuple[Pending, ...] = ()
    owed: int = 0
    dusk: tuple[Piece, ...] = ()
    result: Outcome | None = None

    # --- lookups

    @cached_property
    def by_id(self) -> dict[str, Piece]:
        """Pieces by name, lost ones too."""
        return {piece.id: piece for piece in self.pieces}

    @cached_property
    def by_square(self) -> dict[int, Piece]:
        """Pieces on the board by their square."""
        return {piece.at: piece for piece in self.pieces if piece.at != OFF}

    @cached_property
    def armies(self) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """Red's and Blue's pieces on the board."""
        there = [piece for piece in self.pieces if piece.at != OFF]
        return tuple(p for p in there if p.side == 0), tuple(p for p in there if p.side == 1)

    # --- whose turn

    @property
    def order(self) -> tuple[tuple[int, int], ...]:
        """Who has a turn, one after the other: the side and (with three or four players) its section.

        With three or four the opening side's right corps begins, its opposite number follows, then the other section
        [Rules for four players, Turns].
        """
        first, other = self.first, 1 - self.first
        if self.setup.players == 2:
            return (first, -1), (other, -1)
        right = 1 if first == 0 else 0
        return (first, right), (other, right), (first, 1 - right), (other, 1 - right)

    @property
    def section_to_act(self) -> tuple[int, int]:
        """The side whose turn it is, and its section (-1: both)."""
        order = self.order
        return order[min(self.index, len(order) - 1)]

    @property
    def is_first_turn(self) -> bool:
        """Whether it is the first player's first turn."""
        return self.turn == 1 and self.index == 0

    @property
    def apart(self) -> bool:
        """Whether the boards are apart for the night."""
        return bool(self.night) and self.setup.house.apart_at_night

    def name(self, n: int) -> str:
        """A square's name."""
        return self.field.names[n]


def commands(state: State, side: str) -> tuple[str, ...]:
    """The corps commanders of a side, by their names; none where one player commands all of it."""
    setup = state.setup
    alone = setup.players == 2 or (setup.players == 3 and setup.alone == side)
    return () if alone else tuple(f"{side}-{corps}" for corps in CORPS)


def corps_of(state: State, side: int, section: int) -> str:
    """What the commander of a side's pieces in a section is called; the side where it has one player."""
    if not commands(state, SIDES[side]) or section < 0:
        return SIDES[side]
    return f"{SIDES[side]}-{CORPS[section if side == 0 else 1 - section]}"


def in_play(state: State, piece: Piece) -> bool:
    """Whether a piece may act in the turn that is being played: its commander's, and not new this turn."""
    side, section = state.section_to_act
    return piece.side == side and section in (-1, piece.section) and piece.acts_from <= state.turn


def airstrip_open(state: State, strip: int) -> bool:
    """Whether an airstrip works: no enemy ground piece is on it."""
    own = state.field.strip_side[strip]
    standing = state.by_square
    return not any(
        n in standing and standing[n].side != own and standing[n].data.ground for n in state.field.strips[strip]
    )


def one_piece(state: State, unit: str, piece: Piece) -> tuple[Piece, ...]:
    """The pieces with one of them put in the place of that name."""
    return tuple(piece if p.id == unit else p for p in state.pieces)
