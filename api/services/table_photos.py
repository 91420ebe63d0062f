"""The photos that were taken of a game's table, as a seat may see them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from api.addresses import VERSIONED
from api.auth.access import Seat
from api.services.services import Services, table_of
from api.tables.store import PHOTO


@dataclass(frozen=True)
class TablePhoto:
    """A photo: when it was taken, to the second as in records, the game's last event then (0: not known), and its
    address."""

    when: datetime
    game_seq: int
    url: str

    def precedes(self, seq: int, when: datetime) -> bool:
        """Whether it was taken before an event of its game, of that number and time."""
        return self.game_seq < seq if self.game_seq else self.when <= when


def second_of(at: str) -> datetime:
    """A time (ISO 8601) to the second."""
    return datetime.fromisoformat(at).replace(microsecond=0)


def table_photos(services: Services, seat: Seat) -> list[TablePhoto]:
    """The photos of a seat's game that it may see, the last one first."""
    table = table_of(seat.game)
    seq = services.event_store.last(table)
    if not seq:
        return []
    cached = services.cache.get
    taken = cached(("photos", table, seq), lambda: _taken(services, table))

    def seen() -> list[TablePhoto]:
        return [
            TablePhoto(when, game_seq, f"{VERSIONED}/tables/{table}/photos/{sha}/upright.jpg")
            for when, game_seq, sha in taken
            if services.sees_photo(seat, sha)
        ]

    return cached(("photos", table, seq, services.commands.game(seat.game).seq, replace(seat, seen=seat.created)), seen)


def _taken(services: Services, table: str) -> list[tuple[datetime, int, str]]:
    """When each photo was taken, the game's last event then, and its hash, the last one first."""
    return [
        (second_of(event.body.get("taken_in") or event.at), event.body.get("game_seq", 0), event.body["sha256"])
        for event in reversed(services.store.events(table))
        if event.kind == PHOTO
    ]
