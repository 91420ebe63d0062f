"""The photos that were taken of a game's table, as a seat may see them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from api.addresses import VERSIONED
from api.auth.access import Seat
from api.services.services import Services, table_of


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

    def seen() -> list[TablePhoto]:
        return [
            TablePhoto(
                second_of(photo["taken_in"] or photo["at"]),
                photo["game_seq"],
                f"{VERSIONED}/tables/{table}/photos/{photo['sha256']}/upright.jpg",
            )
            for photo in services.photos_seen(seat)
        ]

    return services.whole_tables.get(
        ("photos", table, seq, services.commands.game(seat.game).seq, replace(seat, seen=seat.created)), seen
    )
