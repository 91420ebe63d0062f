"""Observations of tables with the hex board, made up base by base: what a photo of a game would show, hands at work."""

from collections.abc import Mapping
from typing import Any

from tabletop.game import Game
from tabletop.grids.placement import centre_board
from tabletop.rulesets.combined_arms.board import HEXES, NAMES, NUMBER, OFF
from tabletop.rulesets.combined_arms.board_placement import CELLS
from tabletop.rulesets.combined_arms.data import KINDS
from tests.support.observed_bases import observation, seen_base

LAID = centre_board(CELLS, (36.0, 36.0), 3.2)
"""Where the board lies on these tables."""
_SPOTS = ((0.0, 0.0), (-0.8, 0.0), (0.8, 0.0), (0.0, 0.85), (0.0, -0.85), (-0.75, 0.8), (0.75, 0.8))
"""Where bases stand in a hex that holds several, inches from its middle."""


def base(name: str | None, kind: str | None, at: str, dx: float = 0.0, dy: float = 0.0, **more: Any) -> dict[str, Any]:
    x, y = LAID.cells.centres(LAID.layout, [HEXES[NUMBER[at]]])[0]
    about = {"id": f"base-{name or at}", "side": "attacker" if name in KINDS else "defender", "kind": kind}
    return seen_base(name, (x + dx, y + dy), **{"width": 0.7, "depth": 0.7, **about, **more})


def photo_of(
    game: Game,
    moved: Mapping[str, str] | None = None,
    *,
    gone: tuple[str, ...] = (),
    extra: tuple[dict[str, Any], ...] = (),
    counters: bool = False,
    **more: Any,
) -> dict[str, Any]:
    """What a photo shows of a game once platoons ``moved`` ("3-4", "3-4 2" with a facing) and some are ``gone``.

    With ``counters`` the defenders' pieces lie there as the game has them.
    """
    rows: list[dict[str, Any]] = []
    taken: dict[str, int] = {}

    def put(name: str, kind: str, at: str, **about: Any) -> None:
        dx, dy = _SPOTS[taken.get(at, 0)]
        taken[at] = taken.get(at, 0) + 1
        rows.append(base(name, kind, at, dx, dy, **about))

    for unit in game.state.platoons:
        said = (moved or {}).get(unit.id, NAMES[unit.at] if unit.at != OFF else "")
        if not said or unit.id in gone:
            continue
        at, _, corner = said.partition(" ")
        facing = int(corner) if corner else unit.facing or 0
        put(unit.id, unit.kind, at, facing=60.0 * facing)
    if counters:
        for n, counter in enumerate(game.state.enemy, 1):
            put(f"counter-{n}", "platoon" if counter.revealed else "counter", NAMES[counter.at])
            if counter.atg in ("potential", "real"):
                kind = "atg" if counter.atg == "real" else "potential-atg"
                put(f"guns-{n}", kind, NAMES[counter.at])
    return observation([*rows, *extra], 36.0, 36.0, **more)
