"""What may be done in a game of Combat: one frozen action for every kind of wish. Squares stand by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Card = Literal["", "hit", "miss"]
"""A salvo card as it was drawn at the table; empty: the program draws."""


@dataclass(frozen=True, slots=True)
class Lay:
    """Say what a square of the battlefield holds, as the players arrange or read it: terrain, a road, or open ground
    without either."""

    square: str
    terrain: str


@dataclass(frozen=True, slots=True)
class Army:
    """A side chooses its army in secret: pieces by kind, and mines."""

    side: str
    counts: tuple[tuple[str, int], ...]
    mines: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Deploy pieces, each on its square; ``mine`` is a mine, told by its square whose it is."""

    pieces: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Deploy:
    """Deploy all that a side still has to, where it will do: by a ``number`` of the player's own, each of which gives
    another deployment; without one (0) the same every time."""

    side: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Unplace:
    """Take up again what was deployed: a piece by its name, a mine or the headquarters by the square."""

    what: str


@dataclass(frozen=True, slots=True)
class Establish:
    """A side establishes its headquarters on the hill or in the wood of that square of its own half."""

    square: str


@dataclass(frozen=True, slots=True)
class Ready:
    """A side is deployed; once both are, the boards are joined."""

    side: str


@dataclass(frozen=True, slots=True)
class Toss:
    """Roll which side moves first: 1 to 3 Red, 4 to 6 Blue."""


@dataclass(frozen=True, slots=True)
class First:
    """Say which side moves first, where that was settled at the table."""

    side: str


@dataclass(frozen=True, slots=True)
class Move:
    """Move a piece to a square, ``via`` others in that order; between them the shortest way is chosen."""

    unit: str
    to: str
    via: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fire:
    """Fire a shot: draw a salvo card, or say which was drawn at the table."""

    unit: str
    target: str
    card: Card = ""


@dataclass(frozen=True, slots=True)
class Strike:
    """A plane attacks a piece anywhere: draw a salvo card, or say which was drawn at the table."""

    unit: str
    target: str
    card: Card = ""


@dataclass(frozen=True, slots=True)
class Fly:
    """A plane flies to another airstrip of its side instead of attacking."""

    unit: str
    to: str


@dataclass(frozen=True, slots=True)
class Save:
    """Roll for the piece that was hit."""


@dataclass(frozen=True, slots=True)
class Reinforce:
    """Bring a new piece on behind one's own deployment line."""

    kind: str
    square: str


@dataclass(frozen=True, slots=True)
class End:
    """End one's turn."""


@dataclass(frozen=True, slots=True)
class Concede:
    """A side gives up."""

    side: str


@dataclass(frozen=True, slots=True)
class Correct:
    """Set a piece right by hand, or the deck's cards left; ``None`` stays. The referee's word."""

    unit: str = ""
    to: str | None = None
    off: bool = False
    fired: bool | None = None
    moved: int | None = None
    hits: int | None = None
    misses: int | None = None
    reason: str = ""


Action = (
    Lay | Army | Place | Deploy | Unplace | Establish | Ready | Toss | First | Move | Fire | Strike | Fly | Save
    | Reinforce | End | Concede | Correct
)  # fmt: skip
