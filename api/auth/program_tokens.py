"""API tokens for programs, each for one seat at one game: what they may do there, and until when.

A token is shown once, to the person who made it; only its hash is stored. It never has more rights than its seat, and
ends when the seat ends or another device takes the seat.
"""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Any, Literal

import sqlalchemy as sa

from api.auth.access import NoTokenError, Seat, SeatError, TokenError
from api.auth.seats import KEPT_S, Seats, end_tokens, has_run_out, time_text
from api.auth.tokens import clean_label, name_of, new_token, token_hash
from api.clock import Clock, steady_now, utc_now
from api.settings import MOST_TOKEN_DAYS, USUAL_TOKEN_DAYS
from tabletop.errors import UsageError
from tabletop.game.store import EventStore
from tabletop.game.tables import PROGRAM_TOKEN

PREFIX = "tabletop_"
"""The prefix of every token, so that it can be recognized as one."""
MOST_TOKENS = 20
"""The most valid tokens of one seat."""
SEEN_S = 30.0
"""How exactly the time of a token's last use is stored."""

May = Literal["read", "act"]
"""What a token may do: see what its seat sees, or also do what its seat may do."""

_GOOD = PROGRAM_TOKEN.c.revoked == ""


@dataclass(frozen=True)
class ProgramToken:
    """A token without its secret. ``game`` is the game at which it is valid, or :data:`api.auth.seats.SERVER` for
    everything that its seat, the server's host, may do; ``used`` is when it was last used."""

    token: str
    game: str
    seat: str
    label: str
    may: May
    created: datetime
    expires: datetime
    used: datetime | None = None


@dataclass(frozen=True)
class NewToken:
    """A new token, and the secret that its program sends."""

    made: ProgramToken
    secret: str = field(repr=False)


class ProgramTokens:
    """The tokens of a store's seats. Any thread and any process may call; the times are those of :class:`Seats`.

    Every method raises GameError where the database can't be used, with nothing written.
    """

    def __init__(
        self,
        store: EventStore,
        seats: Seats,
        *,
        clock: Clock = utc_now,
        steady: Clock = steady_now,
        rng: random.Random | None = None,
    ) -> None:
        self._store = store
        self._seats = seats
        self._clock = clock
        self._steady = steady
        self._rng = rng or secrets.SystemRandom()

    def make(self, seat: Seat, game: str, label: str, may: May, days: int = USUAL_TOKEN_DAYS) -> NewToken:
        """A token for a program of a seat, valid at one game for some days.

        Raises UsageError for an empty label, a number of days out of range, and where the seat has too many tokens.
        """
        said = clean_label(label)
        if not 1 <= days <= MOST_TOKEN_DAYS:
            raise UsageError(f"A token is good for 1 to {MOST_TOKEN_DAYS} days: say how many.")
        now, secret = self._clock(), new_token(self._rng)
        with self._store.transaction() as connection:
            old = time_text(min(now, self._steady()) - timedelta(seconds=KEPT_S))
            connection.execute(sa.delete(PROGRAM_TOKEN).where(PROGRAM_TOKEN.c.expires < old))
            rows = connection.execute(sa.select(PROGRAM_TOKEN).where(PROGRAM_TOKEN.c.seat == seat.seat, _GOOD)).all()
            if sum(not self._has_run_out(row) for row in rows) >= MOST_TOKENS:
                raise UsageError(f"This seat has tokens for {MOST_TOKENS} programs, the most: take one back first.")
            values = {
                "token": name_of(secret),
                "game": game,
                "seat": seat.seat,
                "label": said,
                "may": may,
                "token_hash": token_hash(secret),
                "created": time_text(now),
                "expires": time_text(now + timedelta(days=days)),
                "used": "",
                "revoked": "",
            }
            connection.execute(sa.insert(PROGRAM_TOKEN), values)
            made = _token(_row(connection, name_of(secret)))
        return NewToken(made, PREFIX + secret)

    def open(self, said: str) -> tuple[ProgramToken, Seat]:
        """The token with this secret and its seat, noting its use; raises TokenError."""
        secret = said.removeprefix(PREFIX) if said.startswith(PREFIX) else ""
        with self._store.reading() as connection:
            row = _row(connection, name_of(secret))
        if not compare_digest(row.token_hash if row else "", token_hash(secret)) or row is None:
            raise TokenError("There is no such token here: make one in the list of seats, under Programs.")
        if row.revoked:
            raise TokenError("This token was taken back: make another in the list of seats, under Programs.")
        if self._has_run_out(row):
            raise TokenError("This token has expired: make another in the list of seats, under Programs.")
        try:
            seat = self._seats.seat(row.seat)
        except SeatError as error:
            raise TokenError("The seat of this token no longer exists.") from error
        if seat.revoked is not None:
            raise TokenError("The seat of this token was revoked, and the token with it.")
        return self._note_use(_token(row)), seat

    def tokens(self, game: str, seat: str = "") -> list[ProgramToken]:
        """The valid tokens at a game, of one seat where it is named, oldest first."""
        return [_token(row) for row in self._good(game) if seat in ("", row.seat)]

    def good(self, *games: str) -> frozenset[str]:
        """The names of all tokens that are valid at some games now."""
        return frozenset(row.token for row in self._good(*games))

    def revoke(self, token: str, game: str, seat: str = "") -> ProgramToken:
        """Revoke a token of a game, with ``seat`` only where it is that seat's; raises NoTokenError where no valid one
        matches."""
        found = next((one for one in self.tokens(game, seat) if one.token == token), None)
        if found is None:
            raise NoTokenError("There is no such token: it was taken back or has expired. Look at the list again.")
        with self._store.transaction() as connection:
            end_tokens(connection, PROGRAM_TOKEN.c.token == token, time_text(self._clock()))
        return found

    # --- inside ------------------------------------------------------------------------------------------------------

    def _good(self, *games: str) -> list[Any]:
        query = sa.select(PROGRAM_TOKEN).where(PROGRAM_TOKEN.c.game.in_(games), _GOOD)
        with self._store.reading() as connection:
            rows = connection.execute(query.order_by(PROGRAM_TOKEN.c.created, PROGRAM_TOKEN.c.token)).all()
        return [row for row in rows if not self._has_run_out(row)]

    def _has_run_out(self, row: Any) -> bool:
        return has_run_out(row.created, row.expires, self._clock(), self._steady())

    def _note_use(self, token: ProgramToken) -> ProgramToken:
        now = self._clock()
        if token.used is None or abs(now - token.used) >= timedelta(seconds=SEEN_S):
            with self._store.transaction() as connection:
                which = PROGRAM_TOKEN.c.token == token.token
                connection.execute(sa.update(PROGRAM_TOKEN).where(which).values(used=time_text(now)))
        return token


def _row(connection: sa.Connection, token: str) -> Any:
    """The row of a token's name, or ``None``."""
    return connection.execute(sa.select(PROGRAM_TOKEN).where(PROGRAM_TOKEN.c.token == token)).one_or_none()


def _token(row: Any) -> ProgramToken:
    used = datetime.fromisoformat(row.used) if row.used else None
    created, expires = datetime.fromisoformat(row.created), datetime.fromisoformat(row.expires)
    return ProgramToken(row.token, row.game, row.seat, row.label, row.may, created, expires, used)
