"""A game's log as a table for spreadsheets: CSV (RFC 4180), UTF-8 with a byte order mark, one row per event.

No cell is a formula: an apostrophe precedes text that would begin one.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from tabletop.game.game_view import GameView
from tabletop.game.log_rows import LogRow, log_rows
from tabletop.game.text_parts import side_titles

COLUMNS = (
    "number", "time", "turn", "side", "actor", "action", "event", "unit", "target", "dice", "result",
    "taken back", "text",
)  # fmt: skip
_DICE = ("roll", "rolls", "die", "dice")
_NAMED = ("unit", "target", "side", *_DICE)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def log_csv(view: GameView) -> bytes:
    """The log of a game as its viewer may see it."""
    titles = side_titles(view.game)
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for row in log_rows(view):
        table.writerow(_cell(value) for value in _values(view, row, titles))
    return out.getvalue().encode("utf-8-sig", "backslashreplace")


def _values(view: GameView, row: LogRow, titles: Mapping[str, str]) -> tuple[object, ...]:
    seen = view.record(row.record)
    body = seen.body
    return (
        seen.seq,
        seen.at,
        row.turn,
        titles.get(row.to_act or "", ""),
        titles.get(seen.actor, seen.actor),
        seen.action,
        seen.kind,
        _name(body.get("unit")),
        _name(body.get("target")),
        ", ".join(_faces(body)),
        "; ".join(_results(body)),
        "yes" if row.taken_back else "",
        row.sentence,
    )


def _name(value: object) -> object:
    """The name of a value: the text itself, or its ``name``."""
    return value.get("id") if isinstance(value, Mapping) else value if isinstance(value, str) else None


def _faces(body: Mapping[str, Any]) -> Iterator[str]:
    """The faces of an event's dice."""
    for key in _DICE:
        value = body.get(key)
        yield from (str(one) for one in (value if isinstance(value, list | tuple) else [value]) if _is_number(one))


def _results(body: Mapping[str, Any]) -> Iterator[str]:
    """The other plain values of an event, by their names."""
    for key, value in body.items():
        if key not in _NAMED and isinstance(value, str | int | float) and value not in ("", False):
            name = key.replace("_", " ")
            yield name if value is True else f"{name} {round(value, 2) if isinstance(value, float) else value}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(value: object) -> object:
    """A value that a spreadsheet can open safely.

    >>> _cell("=1+1"), _cell("A first\\nline"), _cell(-3), _cell(None)
    ("'=1+1", 'A first line', -3, '')
    """
    if value is None or _is_number(value):
        return "" if value is None else value
    text = str(value)
    return f"'{' '.join(text.split())}" if text.lstrip(" ").startswith(_FORMULA) else " ".join(text.split())
