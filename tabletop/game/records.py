"""Events as they are kept: numbered, signed, dated, and never changed; a later event says if one was taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

RETRACTED, NOTED, SEEN = "retracted", "noted", "seen"
CORE_KINDS = frozenset({RETRACTED, NOTED, SEEN})
"""Kinds that belong to no game: an action taken back (``seqs``, ``reason``; ``agreed``: the side that allowed it), a
player's caption (``text``; ``disputes`` or ``settles``: the number of an event that it is about; ``asks_back``: a
request to the other side to let that action be taken back, ``keeps``: its refusal; ``seating``: the players of all
roles from now on; ``computers``: the sides that computers play from now on, each with its level; ``declines``: a
computer's action that can't be done on the table, in words), and the contents of a photo (``observation``)."""
_TALK = frozenset({"asks_back", "keeps", "seating", "declines"})


@dataclass(frozen=True)
class GameSummary:
    """The status of a game after its event ``seq``, for a list: its turn, the title of the side to act, whether it is
    over."""

    seq: int
    turn: int | None
    to_act: str | None
    over: bool


@dataclass(frozen=True, slots=True)
class Record:
    """One event of a game's log.

    ``seq`` counts from 1 without gaps; ``id`` is globally unique; ``at`` an ISO time; ``actor`` its author (a side,
    ``referee``, ``camera``); ``action`` the words that led to it, and ``group`` the seq of the first event that they
    led to; ``photo`` the SHA-256 of the photo that showed it.
    """

    seq: int
    id: str
    at: str
    actor: str
    kind: str
    body: Mapping[str, Any]
    group: int
    action: str = ""
    photo: str = ""


@dataclass(frozen=True, slots=True)
class EventView:
    """A record as a seat may see it, with its sentence; sentences of undone events stay. ``news`` is its result in a
    few words, if the rules have any."""

    seq: int
    group: int
    at: str
    actor: str
    kind: str
    action: str
    body: Mapping[str, Any]
    text: str
    news: str = ""

    @classmethod
    def of(cls, record: Record, text: str, news: str = "") -> EventView:
        """A view of a completely visible record."""
        found = (record.seq, record.group, record.at, record.actor, record.kind, record.action, record.body)
        return cls(*found, text, news)


def is_talk(record: Record) -> bool:
    """Whether it is a caption that only matters at the moment, not in reports."""
    return record.kind == NOTED and not _TALK.isdisjoint(record.body)


def standing_records(records: Iterable[Record]) -> tuple[Record, ...]:
    """The records of games' own kinds that were not taken back, in order."""
    every = tuple(records)
    gone = {seq for record in every if record.kind == RETRACTED for seq in record.body["seqs"]}
    return tuple(r for r in every if r.kind not in CORE_KINDS and r.seq not in gone)


def groups(records: Sequence[Record]) -> tuple[tuple[Record, ...], ...]:
    """Records that were not taken back, action by action, in order."""
    found: dict[int, list[Record]] = {}
    for record in standing_records(records):
        found.setdefault(record.group, []).append(record)
    return tuple(tuple(rows) for rows in found.values())


def asked_back(records: Sequence[Record]) -> Record | None:
    """The unanswered caption that asks for the last action to be taken back."""
    played = groups(records)
    if not played:
        return None
    last = {record.seq for record in played[-1]}
    notes = [record for record in records if record.kind == NOTED and record.seq > min(last)]
    asking = [record for record in notes if record.body.get("asks_back") in last]
    refused = [record.seq for record in notes if record.body.get("keeps") in last]
    return asking[-1] if asking and asking[-1].seq > max(refused, default=0) else None


def computers_of(records: Iterable[Record]) -> dict[str, str]:
    """The sides that computers play now, each with its level, as last recorded."""
    found: dict[str, str] = {}
    for record in records:
        if record.kind == NOTED and "computers" in record.body:
            found = dict(record.body["computers"])
    return found


def declined(records: Sequence[Record]) -> frozenset[str]:
    """The computers' proposals since the last action that can't be done on the table, in the actions' words."""
    found: set[str] = set()
    for record in reversed(records):
        if record.kind == RETRACTED or record.kind not in CORE_KINDS:
            break
        if record.kind == NOTED and "declines" in record.body:
            found.add(str(record.body["declines"]))
    return frozenset(found)


def taken_back(records: Iterable[Record]) -> tuple[tuple[Record, ...], ...]:
    """The actions that can be repeated, record by record with their reasons; the one that was taken back last comes
    last.

    Any other action clears the list; the same one, repeated, is removed from it.
    """
    every: dict[int, list[Record]] = {}
    for record in records:
        every.setdefault(record.group, []).append(record)
    group_of = {record.seq: group for group, rows in every.items() for record in rows}
    found: list[tuple[Record, ...]] = []
    for rows in every.values():
        if rows[0].kind == RETRACTED:
            found.append(tuple(every[group_of[rows[0].body["seqs"][0]]]))
        elif _done(rows) and found and _done(rows) == _done(found[-1]):
            found.pop()
        elif _done(rows):
            found.clear()
    return tuple(found)


def _done(rows: Sequence[Record]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """The effect of an action, without its author and time."""
    return [(record.action, record.kind, record.body) for record in rows if record.kind not in CORE_KINDS]
