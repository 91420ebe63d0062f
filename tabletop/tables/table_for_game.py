"""The table file of a game that began without one: size, frame, roster with tags, terrain and hexes, ready to print."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pkgutil import resolve_name
from typing import Any

from tabletop.errors import RulesError, UsageError
from tabletop.game.parts import with_part
from tabletop.reading.toml_source import did_you_mean
from tabletop.tables.model import Side, TableFile
from tabletop.tables.table_toml import (
    SMALLEST_TAG_IN,
    FrameWish,
    TagWish,
    standard_frame,
    table_toml,
    with_tags,
)
from tabletop.tables.tablefile import parse_table

KNOWN = with_part("own_table")
"""How each ruleset places its games on a table: a function of the state, the bases' height and a requested size, which
returns a table file without markers and notes on things that a table file can't express."""
BASE_HEIGHT_IN = 0.12


def table_file_for(
    rules: str,
    state: Any,
    frame: FrameWish | None = None,
    tags: TagWish | None = None,
    *,
    rims: Mapping[str, tuple[int, int, int]] | None = None,
    base_height_in: float = BASE_HEIGHT_IN,
    size_in: tuple[float, float] | None = None,
) -> str:
    """The text of a table file on which a game is played, as ``tabletop print markers`` and ``print tags`` print it.

    ``frame`` and ``tags`` are the requested ones, or else the usual ones; ``rims`` are colours (red, green, blue) by
    side; ``size_in`` is the table of a board game without a table size. Tags are made smaller to fit on their bases,
    and bases too small for any have none. Things that a table file can't express are listed on top as comments. Raises
    RulesError for unknown rules, UsageError if frame, tags, rims or the board do not fit, TableFileError if the game's
    own terrain or units fit no table file.
    """
    table, notes = _laid_out(rules, state, base_height_in, size_in)
    strange = [side for side in rims or {} if side not in {known.id for known in table.sides}]
    if strange:
        known = [side.id for side in table.sides]
        raise UsageError(f'There is no side "{strange[0]}" in this game; {did_you_mean(strange[0], known)}')
    sides = tuple(Side(side.id, (rims or {}).get(side.id)) for side in table.sides)
    return _text_of(replace(table, sides=sides), notes, frame, tags or TagWish())


@lru_cache(maxsize=16)
def _text_of(table: TableFile, notes: tuple[str, ...], frame: FrameWish | None, tags: TagWish) -> str:
    """The text of a table file with its frame and tags (cached: most actions change nothing in it)."""
    laid = standard_frame(table.width_in, table.depth_in, frame)
    printed, units = with_tags(table.units, _that_fit(table, tags), laid)
    text = table_toml(replace(table, units=units, frame=laid, tags=printed), notes)
    parse_table(text, "The table file of this game")
    return text


def plain_table(rules: str, state: Any) -> TableFile:
    """The table of a game in its present state, without printed markers; raises RulesError for unknown rules."""
    table, _ = _laid_out(rules, state, BASE_HEIGHT_IN, None)
    return table


def _laid_out(
    rules: str, state: Any, base_height_in: float, size_in: tuple[float, float] | None
) -> tuple[TableFile, tuple[str, ...]]:
    if rules not in KNOWN:
        raise RulesError(f'There are no table files for the rules "{rules}"; {did_you_mean(rules, sorted(KNOWN))}')
    found: tuple[TableFile, tuple[str, ...]] = resolve_name(KNOWN[rules])(state, base_height_in, size_in)
    return found


def _that_fit(table: TableFile, wish: TagWish) -> TagWish:
    """Tags as large as wished, or as the smallest base that can carry a legible one allows."""
    bases = [base for unit in table.units for base in (unit.every_base if wish.every_base else (unit.unique_base,))]
    room = [base.largest_tag_in for base in bases if base.largest_tag_in >= SMALLEST_TAG_IN]
    return replace(wish, size_in=min([wish.size_in, *(math.floor(20 * size + 1e-9) / 20 for size in room)]))
