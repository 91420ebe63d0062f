"""Who may sit at a game of Combined Arms, and whose actions each may say; roles are words, as "side attacker".

Players 1 and 2 where the defenders' command is bid for, five commands in the co-operative game, or six with the
overall commander apart [Co-operative team play], the attackers alone where the rules play the defenders.
"""

from __future__ import annotations

from tabletop.game.core import REFEREE
from tabletop.rulesets.combined_arms.data import ATTACKER, DEFENDER
from tabletop.rulesets.combined_arms.data import roles as roles_of
from tabletop.rulesets.combined_arms.state import State


def roles(state: State) -> tuple[str, ...]:
    """The roles that play, without host and spectators."""
    match state.setup.mode:
        case "co-operative":
            return tuple(f"command {name}" for name in roles_of(state.setup.commander_apart))
        case "solitaire":
            return (f"side {ATTACKER}",)
        case "enemy-player" if state.setup.bidding:
            return "player 1", "player 2"
    return f"side {ATTACKER}", f"side {DEFENDER}"


def stands_for(state: State, role: str) -> frozenset[str]:
    """Whose actions a role may say: the names that :meth:`~tabletop.game.protocol.Ruleset.actor` gives.

    The host of a solitaire game is also its player. Where the rules play the defenders, whoever plays against them
    rolls for them. The co-operative game's "command" also speaks for the attackers as a whole, having the last word
    [Co-operative team play]. Until the bids are open, either player rolls for both.
    """
    mode = state.setup.mode
    kind, _, name = role.partition(" ")
    found: set[str] = set()
    match kind:
        case "host":
            found = {REFEREE, ATTACKER} if mode == "solitaire" else {REFEREE}
        case "side":
            found = {name}
        case "command":
            found = {name, ATTACKER} if name == "command" else {name}
        case "player":
            side = ATTACKER if not (mode == "enemy-player" and state.defending) else None
            side = side or (DEFENDER if str(state.defending) == name else ATTACKER)
            found = {f"player {name}", side}
    if mode != "enemy-player" and found - {REFEREE}:
        found.add(DEFENDER)
    return frozenset(found)


def is_secret(state: State) -> bool:
    """Whether a player hides the defenders' forces from the other."""
    return state.setup.mode == "enemy-player"


def is_open_to_host(state: State) -> bool:
    """Whether the host, who plays alone, sees all of it."""
    return state.setup.mode == "solitaire"
