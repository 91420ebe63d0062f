"""A game's log as JSON Lines, for transfer and storage: a header, a line an event, a closing line.

Version 2, which is written, is protected against damage: every line ends in a ``check``, the SHA-256 (hexadecimal) of
the check of the previous line, a line feed, and the bytes of this line before ``,"check":``. (For the header the
previous check is ``""``.) So a changed byte, and a line that is missing, doubled, moved or cut off, is found and named.
The checks do not prevent deliberate forgery.

Version 1 has neither checks nor a closing line and is written by hand: only ``seq``, ``kind`` and ``body`` are required
in an event, and empty lines may separate the turns.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.errors import RulesError, TabletopError
from tabletop.game.core import Game
from tabletop.game.errors import EventError, LogError
from tabletop.game.records import Record
from tabletop.game.registry import ruleset
from tabletop.reading.json_fields import nests_too_deeply, repeated_name
from tabletop.reading.toml_source import did_you_mean

FORMAT = 2
_FIRST = '{"tabletop_log":2,"rules":"one-hour-ww2",...}'
_CHECKED = re.compile(rb'(?s)(.*),"check":"([0-9a-f]{64})"\}')

_HEADER: Mapping[str, type] = {
    "tabletop_log": int, "game": str, "rules": str, "rules_version": int, "title": str, "created": str,
}  # fmt: skip
_EVENT: Mapping[str, type] = {
    "seq": int, "id": str, "at": str, "actor": str, "kind": str, "group": int, "action": str, "photo": str,
    "body": dict,
}  # fmt: skip
_CLOSING: Mapping[str, type] = {"events": int}
_NAMES = {int: "a whole number", str: "a text", dict: "an object"}


@dataclass(frozen=True)
class LogHeader:
    """A log's information on its game: the rules, their version at its beginning, a title, an id, its beginning."""

    rules: str
    rules_version: int = 1
    game: str = ""
    title: str = ""
    created: str = ""


@dataclass(frozen=True)
class LogFile:
    """A log that was read: its header, its events, and for messages the file's name and the line of every event."""

    header: LogHeader
    records: tuple[Record, ...]
    name: str = "the log"
    lines: tuple[int, ...] = ()


def write_log(header: LogHeader, records: Iterable[Record]) -> bytes:
    """The log of a game, version 2; raises EventError for a body that is not JSON.

    >>> log = write_log(LogHeader("one-hour-ww2"), [])
    >>> print(log.decode().splitlines()[0][:57])
    {"tabletop_log":2,"game":"","rules":"one-hour-ww2","rules
    """
    top = {
        "tabletop_log": FORMAT,
        "game": header.game,
        "rules": header.rules,
        "rules_version": header.rules_version,
        "title": header.title,
        "created": header.created,
    }
    lines, check = [], ""
    rows = [top, *(_row(record) for record in records)]
    for row in [*rows, {"events": len(rows) - 1}]:
        content = _dump(row)[:-1]
        check = _check(check, content)
        lines.append(content + b',"check":"' + check.encode() + b'"}\n')
    return b"".join(lines)


def read_log(data: bytes, name: str = "the log") -> LogFile:
    """The log in a file's bytes; ``name`` is the file's name for messages. Raises LogError, which names the line."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    while len(lines) > 1 and not lines[-1].strip(b"\r"):
        lines.pop()
    lines = [line.removesuffix(b"\r") for line in lines]
    if not lines[0]:
        raise LogError(f"{name} does not begin with a log's first line, such as {_FIRST}.")
    top = _object(lines[0], name, 1)
    if "tabletop_log" not in top:
        raise LogError(f'{name}, line 1: "tabletop_log" is missing; a log begins with a line such as {_FIRST}.')
    version = top["tabletop_log"]
    if version == 1 and "check" in top:
        raise LogError(f"{name}, line 1 was changed after it was written: logs of version 1 have no checks.")
    if version == 1:
        return _read_typed(lines, data, name)
    if version == FORMAT:
        return _read_checked(lines, name)
    if isinstance(version, int) and version > FORMAT:
        raise LogError(
            f"{name} is a log of version {version}, and this program reads versions 1 to {FORMAT}. "
            "Open it with a newer Tabletop."
        )
    raise LogError(f'{name}, line 1: "tabletop_log" must be 1 or {FORMAT}.')


def game_from_log(log: LogFile, **more: Any) -> Game:
    """The game of a log; keywords as for :class:`Game`. Raises LogError, which names the line."""
    try:
        rules = ruleset(log.header.rules)
    except RulesError as error:
        raise LogError(f"{log.name}, line 1: {error}") from error
    if log.header.rules_version > rules.version:
        raise LogError(
            f"{log.name}, line 1: it was written by version {log.header.rules_version} of the rules "
            f"{log.header.rules}, and this program knows up to {rules.version}. Open it with a newer Tabletop."
        )
    told = _Told(log.records)
    try:
        return Game(rules, told, version=log.header.rules_version, **more)
    except TabletopError as error:
        line = log.lines[told.at] if log.lines else told.at + 2
        raise EventError(f"{log.name}, line {line}: {error}") from error


class _Told(list[Record]):
    """Records that remember how far they were read."""

    at = 0

    def __iter__(self) -> Iterator[Record]:
        for self.at, record in enumerate(super().__iter__()):
            yield record


# --- writing ---------------------------------------------------------------------------------------------------------


def _row(record: Record) -> dict[str, Any]:
    return {
        "seq": record.seq,
        "id": record.id,
        "at": record.at,
        "actor": record.actor,
        "kind": record.kind,
        "group": record.group,
        **({"action": record.action} if record.action else {}),
        **({"photo": record.photo} if record.photo else {}),
        "body": dict(record.body),
    }


def _dump(row: Mapping[str, Any]) -> bytes:
    """One line of JSON; characters that UTF-8 can't encode become escapes."""
    try:
        text = json.dumps(row, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise EventError(f"Event {row.get('seq')} can't be written: it holds a number that is not finite.") from error
    return text.encode("utf-8", "backslashreplace")


def _check(before: str, content: bytes) -> str:
    return hashlib.sha256(before.encode() + b"\n" + content).hexdigest()


# --- reading ---------------------------------------------------------------------------------------------------------


def _read_checked(lines: Sequence[bytes], name: str) -> LogFile:
    check, rows, closed = "", [], False
    for number, line in enumerate(lines, 1):
        if closed:
            raise LogError(f"{name}, line {number}: there is text after the closing line.")
        row = _object(line, name, number)
        _refuse_misplaced(row, lines, name, number)
        parts = _CHECKED.fullmatch(line)
        if parts is None:
            raise LogError(f'{name}, line {number} was changed after it was written: it does not end in its "check".')
        check = _check(check, parts[1])
        if check != row.pop("check"):
            raise LogError(f"{name}, line {number} was changed after it was written: its check does not fit.")
        closed = number > 1 and "events" in row
        known = _HEADER if number == 1 else _CLOSING if closed else _EVENT
        _refuse_shape(row, known, known.keys() - {"action", "photo"}, name, number)
        if number > 1 and _place(row) != number - 1:
            raise LogError(f"{name}, line {number} has the number {_place(row)}, expected {number - 1}.")
        rows.append(row)
    if not closed:
        raise LogError(
            f"{name} ends at event {len(rows) - 1} without its closing line: what came after it is lost. "
            "Ask for the whole log again."
        )
    records = tuple(Record(**{"action": "", "photo": "", **row}) for row in rows[1:-1])
    return LogFile(_header(rows[0]), records, name, tuple(range(2, len(records) + 2)))


def _read_typed(lines: Sequence[bytes], data: bytes, name: str) -> LogFile:
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    top = _object(lines[0], name, 1)
    _refuse_shape(top, _HEADER, {"tabletop_log", "rules"}, name, 1)
    header = _header({"game": hashlib.sha256(data).hexdigest()[:16], **top})
    records = []
    for expected, (number, line) in enumerate(filled[1:], 1):
        row = _object(line, name, number)
        _refuse_shape(row, _EVENT, {"seq", "kind", "body"}, name, number)
        seq = row["seq"]
        if seq != expected:
            why = "a line is missing" if seq > expected else "a line is repeated or in the wrong place"
            raise LogError(f"{name}, line {number} holds event {seq}, expected {expected}: {why}.")
        given = {"id": f"{header.game}-{seq}", "at": header.created, "actor": "", "group": seq}
        records.append(Record(**{**given, **row}))
    return LogFile(header, tuple(records), name, tuple(number for number, _ in filled[1:]))


def _header(row: Mapping[str, Any]) -> LogHeader:
    return LogHeader(**{key: value for key, value in row.items() if key != "tabletop_log"})


def _refuse_misplaced(row: Mapping[str, Any], lines: Sequence[bytes], name: str, number: int) -> None:
    """Report a line that was moved, by its event's number; a changed number is left to the check of its line."""
    place, expected = _place(row), number - 1
    if number == 1 or place is None or place == expected:
        return
    later = [_place_of(line) for line in lines[number:]]
    if later and later[0] == expected + 1 and expected not in later:
        return
    if place < expected:
        why = "a line is repeated or in the wrong place"
    elif expected in later:
        why = f"event {expected} comes later, so lines were moved"
    else:
        why = "a line is missing"
    if "events" in row:
        raise LogError(f"{name}, line {number} closes a log of {place - 1} events after event {expected - 1}: {why}.")
    raise LogError(f"{name}, line {number} holds event {place}, expected {expected}: {why}.")


def _place(row: Mapping[str, Any]) -> int | None:
    """The number of a line's event; a closing line has the one after the last."""
    if type(row.get("events")) is int:
        return int(row["events"]) + 1
    return row["seq"] if type(row.get("seq")) is int else None


def _place_of(line: bytes) -> int | None:
    try:
        return _place(_object(line, "", 0))
    except LogError:
        return None


def _object(line: bytes, name: str, number: int) -> dict[str, Any]:
    """The JSON object of a line."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LogError(
            f"{name}, line {number} is not UTF-8 (byte {error.object[error.start]:#04x} at {error.start + 1})."
        ) from error
    try:
        row = json.loads(text, object_pairs_hook=_once, parse_float=_finite, parse_constant=_finite)
    except json.JSONDecodeError as error:
        raise LogError(
            f"{name}, line {number}, column {error.colno} is not JSON ({error.msg}): the line is cut off or damaged."
        ) from error
    except RecursionError as error:
        raise LogError(f"{name}, line {number} nests lists too deeply to be an event.") from error
    except ValueError as error:
        raise LogError(f"{name}, line {number} can't be used: {error}.") from error
    if not isinstance(row, dict):
        raise LogError(f"{name}, line {number} must be an object in braces.")
    if nests_too_deeply(row):
        raise LogError(f"{name}, line {number} nests lists too deeply to be an event.")
    return row


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    twice = repeated_name(pairs)
    if twice is not None:
        raise ValueError(f'it has "{twice}" twice')
    return dict(pairs)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a finite number")
    return number


def _refuse_shape(
    row: Mapping[str, Any], known: Mapping[str, type], needed: Collection[str], name: str, number: int
) -> None:
    """Reject unknown or missing keys and values of a wrong type."""
    for key, value in row.items():
        if key not in known:
            raise LogError(f'{name}, line {number}: unknown key "{key}"; {did_you_mean(key, known)}')
        if type(value) is not known[key]:
            raise LogError(f'{name}, line {number}: "{key}" must be {_NAMES[known[key]]}.')
    for key in known:
        if key in needed and key not in row:
            raise LogError(f'{name}, line {number}: "{key}" is missing.')
