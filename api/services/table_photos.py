"""The photos of a game's table, and which of them a seat may see while they show one side's secret."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pkgutil import resolve_name
from typing import Any

from api.addresses import VERSIONED
from api.auth.access import Seat, SeatError, may_see
from api.services.services import Services
from api.tables.store import PhotoTaken, table_of
from tabletop.game import Game
from tabletop.game.parts import with_part
from tabletop.game.protocol import PUBLIC

SECRET_PHOTOS = with_part("photo_is_secret")
"""The rules' function that says whether a photo of a game's table shows one side's secret now."""


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


def sees_photo(services: Services, seat: Seat, sha256: str = "") -> bool:
    """Whether a seat may see the last photo of its game's table, or an earlier one by its hash; raises RevokedError.

    While it shows one side's secret, only its sender and the players of that side may; it stays theirs as long as the
    game hides anything, since objects on the table at that time may show where mines are.
    """
    playing = services.commands.game(seat.game)
    if playing.ruleset.name not in SECRET_PHOTOS:
        return True
    photo: Mapping[str, Any] | None = services.table(seat.game).photo
    if sha256 and (photo is None or photo["sha256"] != sha256):
        photo = next((one for one in photos_taken(services, seat.game) if one["sha256"] == sha256), None)
    if photo is None:
        return not (sha256 and playing.ruleset.hides(playing.state))  # as of one that is secret
    return _sees(services, seat, playing, photo)


def sees_job(services: Services, seat: Seat, by: str, sha256: str, taken_in: str, game_seq: int) -> bool:
    """Whether a seat may know the result of a photo of its game's table that ``by`` took; raises RevokedError."""
    photo = {"sha256": sha256, "by": by, "taken_in": taken_in, "game_seq": game_seq}
    return _sees(services, seat, services.commands.game(seat.game), photo)


def photos_taken(services: Services, game: str) -> list[PhotoTaken]:
    """The photos that were taken of a game's table, the last one first; of one that was sent more than once, the last
    time comes first."""
    table = table_of(game)
    last = services.event_store.last(table)
    return services.whole_tables.get(("photos", table, last), lambda: services.store.photos(table))


def table_photos(services: Services, seat: Seat) -> list[TablePhoto]:
    """The photos of a seat's game that it may see, the last one first."""
    table, playing = table_of(seat.game), services.commands.game(seat.game)
    seq = services.event_store.last(table)

    def seen() -> list[TablePhoto]:
        photos = photos_taken(services, seat.game)
        last_sent = {photo["sha256"]: photo for photo in reversed(photos)}
        with services.event_store.reading():
            shown = {sha256 for sha256, photo in last_sent.items() if _sees(services, seat, playing, photo)}
        return [
            TablePhoto(
                second_of(photo["taken_in"] or photo["at"]),
                photo["game_seq"],
                f"{VERSIONED}/tables/{table}/photos/{photo['sha256']}/upright.jpg",
            )
            for photo in photos
            if photo["sha256"] in shown
        ]

    key = ("photos", table, seq, playing.seq, replace(seat, seen=seat.created))
    return services.whole_tables.get(key, seen) if seq else []


def _sees(services: Services, seat: Seat, playing: Game, photo: Mapping[str, Any]) -> bool:
    if not _is_secret(services, playing, photo):
        return True
    by, viewer = photo.get("by", ""), may_see(seat, playing.ruleset, playing.state)
    if viewer is None or (by and by == seat.seat):
        return True
    try:
        taker = services.seats.seat(by)
        theirs = may_see(taker, playing.ruleset, playing.state) if taker.game == seat.game else PUBLIC
    except SeatError:
        return False
    own = viewer.partition("-")[0]
    return viewer != PUBLIC and theirs not in (None, PUBLIC) and str(theirs).partition("-")[0] == own


def _is_secret(services: Services, playing: Game, photo: Mapping[str, Any]) -> bool:
    name = SECRET_PHOTOS.get(playing.ruleset.name)
    if name is None:
        return False
    secret: Callable[[Any], bool] = resolve_name(name)
    if secret(playing.state):
        return True
    taken_in, game_seq = photo.get("taken_in", ""), photo.get("game_seq", 0)
    if not taken_in or not playing.ruleset.hides(playing.state):
        return False

    def then() -> bool:
        states = (playing.state_after(game_seq),) if game_seq else states_at(playing, taken_in)
        return any(map(secret, states))

    when = playing.records[:game_seq][-1].id if game_seq else (playing.seq, taken_in)
    return services.moments.get((playing.records[0].id, when), then)


def states_at(game: Game, at: str) -> Iterator[Any]:
    """The states that a game may have had at a time (ISO 8601), for photos that do not know its event; records have
    whole seconds, so there may be several."""
    when = datetime.fromisoformat(at)
    dated = [datetime.fromisoformat(record.at) for record in game.records]
    first, last = sum(one < when.replace(microsecond=0) for one in dated), sum(one <= when for one in dated)
    for n in range(max(first, 1), last + 1):
        yield game.state_after(n)
