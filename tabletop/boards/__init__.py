"""A game's table as one viewer may see it, ready to be drawn: :func:`board_of` gets it from the ruleset.

Nothing hidden is in a board: two games that differ only in what a viewer may not see have the same one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.boards.data import Board
from tabletop.game.parts import part
from tabletop.game.protocol import PUBLIC
from tabletop.grids.cells import Layout


def board_of(
    game_rules: str,
    state: Any,
    viewer: str | None = PUBLIC,
    *,
    table: tuple[float, float] | None = None,
    rims: Mapping[str, str] | None = None,
    layout: Layout | None = None,
) -> Board:
    """What ``viewer`` may see of a game's state: a side, a command role, a player who bids, or ``public``.

    ``None`` sees everything.

    ``table`` is the width and depth in inches of the table under a board of cells, if known; ``rims`` are the sides'
    rim colours, ``layout`` is the position of a board of cells on its table (``None``: the position in its set-up).
    Raises RulesError for rules that have no board.
    """
    laid = {} if layout is None else {"layout": layout}
    found: Board = part(game_rules, "board")(state, viewer, table=table, rims=rims or {}, **laid)
    return found


__all__ = ["Board", "board_of"]
