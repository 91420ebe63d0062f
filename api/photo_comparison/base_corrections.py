"""Manual corrections of a base in a photo, before anything from the photo is carried out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from api.errors import NotThereError, UnusableError
from api.schemas.photo_comparison import BaseWish
from api.settings import Settings
from api.tables.state import TableState
from geometry.bases import shape_name
from tabletop.changes.proposals import KNOWN, seeing_of
from tabletop.game import Game
from tabletop.identity.observation_rows import BaseRow
from tabletop.identity.table_snapshot import HAND, HAND_OUTLINE, BaseSighting
from tabletop.reading.toml_source import did_you_mean
from tabletop.tables.folded_lists import unfolded


def takes_corrections(game: Game) -> bool:
    """Whether bases in a game's photo are corrected one by one: on an open table, not on a board's cells."""
    return game.ruleset.name in KNOWN


def check_correctable(game: Game) -> None:
    """Raise UnusableError unless they are."""
    if not takes_corrections(game):
        raise UnusableError("The photo of a board is corrected by answers and by actions, not base by base.")


def takes_outlines(game: Game) -> bool:
    """Whether a game's players set the outlines of its bases; otherwise its rules do."""
    actions = game.ruleset.actions
    return takes_corrections(game) and any(field.name == "wide" for field in actions.fields("correct"))


def corrected_row(game: Game, table: TableState, base: str, wish: BaseWish, settings: Settings) -> dict[str, Any]:
    """The fields that a wish changes in the row of a base, with the certainty of manual input; raises NotThereError,
    UnusableError."""
    check_correctable(game)
    was = table.base_seen(base)
    sized = _outline(game, was, wish)
    row = {**_place(table, wish, settings), **_owner(game, was, wish), **sized}
    if not row:
        raise UnusableError("Say what to correct about this base: its place, facing, unit or outline.")
    keeps = was["method"] == HAND_OUTLINE and "width" not in row
    return {**row, "method": HAND_OUTLINE if sized or keeps else HAND, "confidence": 1.0}


def named_with(game: Game, table: TableState, base: str, wish: BaseWish) -> dict[str, dict[str, Any]]:
    """What follows for the nameless bases of a group when a wish names one of them: if their unit was an open question
    and this unit has room for all of them, they belong to it too. Rows by base ids."""
    if not wish.unit:
        return {}
    asked = (one["covers"][0] for one in unfolded(table.read).get("questions", []) if one["ask"] == "unit")
    group: list[str] = next((covers for covers in asked if base in covers), [])
    others = [table.bases[one] for one in group if one != base and table.bases[one]["unit"] is None]
    taken = sum(row["unit"] == wish.unit and row["id"] not in group for row in table.bases.values())
    if len(others) + 1 + taken > sum(one.unit == wish.unit for one in _bases(game)):
        return {}
    return {row["id"]: {**_owner(game, row, wish), "method": "player"} for row in others}


def _place(table: TableState, wish: BaseWish, settings: Settings) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if wish.center is not None:
        (x, y), (width, depth) = wish.center, (table.table.width_in, table.table.depth_in)
        if not (0 <= x <= width and 0 <= y <= depth):
            raise UnusableError(
                f"A base at {x:.1f}, {y:.1f} would lie off the table, which is {width:g}″ by {depth:g}″."
            )
        variance = round(settings.hand_sigma_in**2, 8)
        found |= {"center": [round(x, 4), round(y, 4)], "covariance": [[variance, 0.0], [0.0, variance]]}
    if wish.facing is not None:
        found |= {"facing": round(wish.facing % 360.0, 3), "facing_sigma": settings.hand_sigma_deg}
    return found


def _owner(game: Game, base: BaseRow, wish: BaseWish) -> dict[str, Any]:
    """The unit of the base, and the outline of that unit's bases."""
    if wish.unit is None:
        return {}
    if not wish.unit:
        return {"unit": None, "kind": None, "unique": None, "tag": None}
    known = list(_bases(game))
    own = [one for one in known if one.unit == wish.unit]
    if not own:
        units = sorted({one.unit for one in known if one.unit is not None})
        raise NotThereError(f'There is no unit "{wish.unit}" in this game; {did_you_mean(wish.unit, units)}')
    alike = next((one for one in own if one.unique is base["unique"]), own[0])
    return {
        "unit": wish.unit,
        "side": alike.side,
        "kind": alike.kind,
        "unique": alike.unique,
        "shape": shape_name(alike.is_round, alike.is_oval),
        "width": alike.width,
        "depth": alike.depth,
    }


def _bases(game: Game) -> Iterator[BaseSighting]:
    """A game's bases, those of units that are off the table too."""
    seeing = seeing_of(game.ruleset.name)
    yield from seeing.sighting(game.state).pieces
    yield from seeing.elsewhere(game.state)


def _outline(game: Game, row: BaseRow, wish: BaseWish) -> dict[str, Any]:
    if wish.width is None and wish.depth is None and wish.round is None and wish.shape is None:
        return {}
    if not takes_outlines(game):
        raise UnusableError("These rules set the size of a base; it can't be changed here.")
    said = wish.shape if wish.round is None else shape_name(wish.round)
    shape = row["shape"] if said is None else said
    width = row["width"] if wish.width is None else wish.width
    depth = width if shape == "round" else row["depth"] if wish.depth is None else wish.depth
    return {"shape": shape, "width": width, "depth": depth}
