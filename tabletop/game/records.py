"""Events as they are kept: numbered, signed, dated, and never changed; what was taken back is said by a later one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

RETRACTED, NOTED, SEEN = "retracted", "noted", "seen"
CORE_KINDS = frozenset({RETRACTED, NOTED, SEEN})
"""Kinds that belong to no game: an action taken back (``seqs``, ``reason``), a player's caption (``text``), what a
photo showed (``observation``)."""


@dataclass(frozen=True)
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


def standing(records: Iterable[Record]) -> tuple[Record, ...]:
    """The records of games' own kinds that were not taken back, in order."""
    every = tuple(records)
    gone = {seq for record in every if record.kind == RETRACTED for seq in record.body["seqs"]}
    return tuple(r for r in every if r.kind not in CORE_KINDS and r.seq not in gone)


def groups(records: Sequence[Record]) -> tuple[tuple[Record, ...], ...]:
    """Standing records action by action, in order."""
    found: dict[int, list[Record]] = {}
    for record in standing(records):
        found.setdefault(record.group, []).append(record)
    return tuple(tuple(rows) for rows in found.values())
