"""Who may sit at a measured game: a player for each side, each of whom may say everything, as there are no turns to
keep."""

from __future__ import annotations

from tabletop.game.core import REFEREE
from tabletop.rulesets.measure.state import State

PLAYERS = "players"
"""Who signs what is no single side's: terrain, measurements, dice."""


def roles(state: State) -> tuple[str, ...]:
    """The roles at a game, as words: its sides."""
    return tuple(f"side {side}" for side in state.setup.sides)


def stands_for(state: State, role: str) -> frozenset[str]:
    """Whose actions a role may say: a player those of all sides, the host also the referee's."""
    kind = role.partition(" ")[0]
    if kind not in ("host", "side"):
        return frozenset()
    everybody = frozenset((*state.setup.sides, PLAYERS))
    return everybody | {REFEREE} if kind == "host" else everybody


def is_secret(state: State) -> bool:
    """Never: all lies open on the table."""
    return False


def is_open_to_host(state: State) -> bool:
    """Always: nothing is hidden."""
    return True
