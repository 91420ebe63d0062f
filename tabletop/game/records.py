"""Events as they are kept: numbered, signed, dated, and never changed; what was taken back is said by a later one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

RETRACTED, NOTED, SEEN = "retracted", "noted", "seen"
CORE_KINDS = frozenset({RETRACTED, NOTED, SEEN})
"""Kinds that belong to no game: an action taken back (``seqs``, ``reason``; ``agreed``: the side that let the other
do so), a player's caption (``text``; ``disputes`` or ``settles`` where it is about the event with that number;
``asks_back`` where it asks the other side to let that action be taken back, ``keeps`` where that is refused;
``seating`` where it says who plays what now; ``computers`` where it says which sides computers play from here on, each
with its level; ``declines`` where what a computer wants can't be done on the table, in the action's words), what a
photo showed (``observation``)."""
_TALK = frozenset({"asks_back", "keeps", "seating", "declines"})


@dataclass(frozen=True)
class GameSummary:
    """How a game stands after its event ``seq``, for a list: its turn, the title of the side to act, whether it is
    over."""

    seq: int
    turn: int | None
    to_act: str | None
    over: bool


@dataclass(frozen=True, slots=True)
class Record:
    """One event of a game's log.

    ``seq`` counts from 1 without gaps; ``id`` is unique everywhere; ``at`` an ISO time; ``actor`` who said so (a side,
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
    """A record as a seat may see it, with its sentence; sentences of undone events stay. ``news`` is its
    result in a few words, where the rules have any."""

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
        """A record that may be seen whole."""
        found = (record.seq, record.group, record.at, record.actor, record.kind, record.action, record.body)
        return cls(*found, text, news)


def is_talk(record: Record) -> bool:
    """Whether it is a caption that is talk of the moment, and no matter for reports."""
    return record.kind == NOTED and not _TALK.isdisjoint(record.body)


def standing_records(records: Iterable[Record]) -> tuple[Record, ...]:
    """The records of games' own kinds that were not taken back, in order."""
    every = tuple(records)
    gone = {seq for record in every if record.kind == RETRACTED for seq in record.body["seqs"]}
    return tuple(r for r in every if r.kind not in CORE_KINDS and r.seq not in gone)


def groups(records: Sequence[Record]) -> tuple[tuple[Record, ...], ...]:
    """Standing records action by action, in order."""
    found: dict[int, list[Record]] = {}
    for record in standing_records(records):
        found.setdefault(record.group, []).append(record)
    return tuple(tuple(rows) for rows in found.values())


def asked_back(records: Sequence[Record]) -> Record | None:
    """The caption that asks for the last action to be taken back, while nobody has answered it."""
    played = groups(records)
    if not played:
        return None
    last = {record.seq for record in played[-1]}
    notes = [record for record in records if record.kind == NOTED and record.seq > min(last)]
    asking = [record for record in notes if record.body.get("asks_back") in last]
    refused = [record.seq for record in notes if record.body.get("keeps") in last]
    return asking[-1] if asking and asking[-1].seq > max(refused, default=0) else None


def computers_of(records: Iterable[Record]) -> dict[str, str]:
    """The sides that computers play now, each with its level: what was said of it last."""
    found: dict[str, str] = {}
    for record in records:
        if record.kind == NOTED and "computers" in record.body:
            found = dict(record.body["computers"])
    return found


def declined(records: Sequence[Record]) -> frozenset[str]:
    """What computers wanted since the last action and can't be done on the table, in the actions' words."""
    found: set[str] = set()
    for record in reversed(records):
        if record.kind == RETRACTED or record.kind not in CORE_KINDS:
            break
        if record.kind == NOTED and "declines" in record.body:
            found.add(str(record.body["declines"]))
    return frozenset(found)


def taken_back(records: Iterable[Record]) -> tuple[tuple[Record, ...], ...]:
    """The actions that may be done again, record by record with their reasons: the one that was taken back last stands
    last.

    Any other action forgets them; the same one, done again, takes itself off the list.
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
    """What an action did, whoever signed it and whenever."""
    return [(record.action, record.kind, record.body) for record in rows if record.kind not in CORE_KINDS]
