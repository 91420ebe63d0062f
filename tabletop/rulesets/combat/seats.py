"""Who may sit at a game of Combat: a player each side, or with more players a commander of each corps of a side that
has two."""

from __future__ import annotations

from tabletop.game.core import REFEREE
from tabletop.rulesets.combat.data import SIDES
from tabletop.rulesets.combat.state import CORPS, State, commands
from tabletop.rulesets.combat.views import hidden_by


def roles(state: State) -> tuple[str, ...]:
    """The roles at a game, as words: both sides, and the corps of a side with two players."""
    corps = (f"command {name}" for side in SIDES for name in commands(state, side))
    return (*(f"side {side}" for side in SIDES), *corps)


def stands_for(state: State, role: str) -> frozenset[str]:
    """Whose actions a role may say: a side's player those of both its corps, a corps commander those of the corps and
    what is the whole side's."""
    kind, _, name = role.partition(" ")
    if kind == "host":
        return frozenset({REFEREE})
    if kind == "side":
        return frozenset({name, *(f"{name}-{corps}" for corps in CORPS)})
    if kind == "command":
        return frozenset({name, name.partition("-")[0]})
    return frozenset()


def is_secret(state: State) -> bool:
    """Whether the sides hide something from each other."""
    return bool(hidden_by(state))


def is_open_to_host(state: State) -> bool:
    """Never: two sides always play against each other."""
    return False
