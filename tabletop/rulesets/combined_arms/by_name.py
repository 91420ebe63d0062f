"""How a game of Combined Arms begins: by its name, on a board that is diced, read from a table, or brought along."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast, get_args

from geometry.hex_layout import HexLayout
from tabletop.errors import UsageError
from tabletop.reading.toml_source import did_you_mean
from tabletop.referee.reports import plain_position
from tabletop.rulesets.combined_arms.data import DEFENDER, NAME
from tabletop.rulesets.combined_arms.data import Mode as ModeName
from tabletop.rulesets.combined_arms.position import setup_from_position
from tabletop.rulesets.combined_arms.setup import MOST_HANDICAP, MOST_MESSAGES, Setup, check_setup
from tabletop.starting.catalogue import Mode, Offer, Switch
from tabletop.starting.new_game import BoardWishes
from tabletop.tables.model import TableFile
from tabletop.tables.tablefile import MAX_TABLE_IN

FARTHEST_IN = 960.0
"""How far from the table's corner a board's first hex may lie."""

OFFER = Offer(
    NAME,
    dice=("d6",),
    modes=(
        Mode("solitaire", "Solitaire", "One player attacks; the rules play the defenders."),
        Mode("co-operative", "Co-operative", "Up to six players share the attackers' commands."),
        Mode("enemy-player", "Enemy player", "A player commands the defenders, who are laid out in secret."),
    ),
    switches=(
        Switch("easier", "Easier game", "Turns after turn 18 cost no points."),
        Switch(
            "handicap",
            "Handicap",
            "Points that the attackers add to their score.",
            most=MOST_HANDICAP,
            modes=("enemy-player",),
            excludes="bid",
        ),
        Switch(
            "bid",
            "Bid for the defenders",
            "Both players bid in secret for the defenders' command.",
            modes=("enemy-player",),
            excludes="handicap",
        ),
        Switch(
            "commander_apart",
            "Commander apart",
            "A sixth player has the overall command and no platoons.",
            modes=("co-operative",),
        ),
        Switch(
            "messages",
            "Messages a turn",
            "Players write instead of talking, each so many messages a turn; 0: they talk.",
            most=MOST_MESSAGES,
            modes=("co-operative",),
        ),
    ),
)


def setup_of(wishes: BoardWishes, roster: TableFile | None) -> Setup:
    """The set-up that is wished; a table file's overlay lays the board where there is one. Raises TabletopError.

    A position with neither platoons nor defenders gives the board alone: the game begins with setting out defenders.
    """
    modes = get_args(ModeName)
    if wishes.mode is not None and wishes.mode not in modes:
        raise UsageError(f'There is no mode "{wishes.mode}"; {did_you_mean(wishes.mode, modes)}')
    mode = cast("ModeName", wishes.mode or modes[0])
    data = wishes.position
    setup = Setup() if data is None else setup_from_position(plain_position(data))
    begun = setup.position
    if begun is not None and not (begun.platoons or begun.enemy or begun.off or begun.turn > 1):
        setup = replace(setup, position=None, title=Setup().title)
    setup = replace(setup, mode=mode, easier=wishes.easier, bidding=wishes.bid, handicap=wishes.handicap or 0)
    setup = replace(setup, commander_apart=wishes.commander_apart, messages=wishes.messages or 0)
    check_setup(setup)
    layout = _layout_of_reading(data)
    if roster is not None:
        layout = _layout_in(roster) or layout
    return replace(setup, layout=layout)


def automatic_side(setup: Setup) -> str | None:
    """The defenders, unless a player commands them."""
    return None if setup.mode == "enemy-player" else DEFENDER


def _layout_in(roster: TableFile) -> HexLayout | None:
    """Where a table file lays the board; raises UsageError where it lays another grid."""
    grid = roster.overlay
    if grid is None:
        return None
    if grid.grid != "hex":
        raise UsageError(f'{roster.name} lays a {grid.grid} grid on the table, and {NAME} needs grid = "hex".')
    return HexLayout(grid.size_in, grid.origin, grid.rotation_deg)


def _layout_of_reading(data: object) -> HexLayout | None:
    """Where ``tabletop overlay`` found the board, in the position that it wrote."""
    found = data.get("overlay") if isinstance(data, Mapping) else None
    laid = found.get("layout") if isinstance(found, Mapping) else None
    if not isinstance(laid, Mapping):
        return None
    numbers = [laid.get("size"), *_pair(laid.get("origin")), laid.get("rotation", 0.0)]
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in numbers):
        raise UsageError('The position\'s "overlay" has a "layout" that is none: size, origin and rotation in numbers.')
    size_in, x_in, y_in, rotation_deg = (float(value) for value in numbers if value is not None)
    within = 0 < size_in <= MAX_TABLE_IN and max(abs(x_in), abs(y_in)) <= FARTHEST_IN and math.isfinite(rotation_deg)
    if not within:
        raise UsageError(
            f'The position\'s "overlay" lays hexes of {size_in:g}″ at ({x_in:g}, {y_in:g}), turned by {rotation_deg:g} '
            "degrees, which lie on no table: read the board again.",
            "Usage: tabletop overlay.",
        )
    return HexLayout(size_in, (x_in, y_in), rotation_deg)


def _pair(value: object) -> list[Any]:
    return list(value) if isinstance(value, list) and len(value) == 2 else [None, None]
