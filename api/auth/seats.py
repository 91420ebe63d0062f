"""Seats and invitations, stored in the games' database; of every secret only a hash.

The secret of an invitation or a seat is shown once, to its requester: neither the database nor a log contains it. A
seat is invited again when its device has lost the secret, and the old secret ends when the new invitation is used.
"""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hmac import compare_digest
from typing import Any

import sqlalchemy as sa

from api.auth.access import InvitationError, Limits, RevokedError, Role, Seat, SeatError
from api.auth.tokens import Guesses, clean_label, code_hash, name_of, new_code, new_token, read_code, token_hash
from api.clock import Clock, steady_now, utc_now
from tabletop.errors import UsageError
from tabletop.game.store import EventStore
from tabletop.game.tables import INVITATION, PROGRAM_TOKEN, SEAT

SERVER = "*"
"""The name that replaces a game's for the server itself: a seat there may start games and invite players to them."""

KEPT_S = 7 * 86400.0
"""How long an invitation is stored after it has expired, so that its device can be shown why it failed."""

_OPEN = INVITATION.c.used == ""


_SEAT = sa.select(SEAT).where(SEAT.c.seat == sa.bindparam("seat"))
_SEATS = sa.select(SEAT).where(SEAT.c.seat.in_(sa.bindparam("seats", expanding=True)))


@dataclass(frozen=True)
class Invited:
    """A new invitation, for the host's screen only. ``seat`` is the seat it is for, or empty for a new one."""

    invitation: str
    game: str
    roles: tuple[Role, ...]
    expires: datetime
    code_expires: datetime
    seat: str = ""
    token: str = field(default="", repr=False)
    code: str = field(default="", repr=False)


@dataclass(frozen=True)
class Seated:
    """A seat taken, and the secret that its device keeps."""

    seat: Seat
    secret: str = field(repr=False)


class Seats:
    """The seats of a store's games. Any thread may call, and any process; wrong codes are counted for each process.

    ``clock`` gives the machine's time with a time zone, ``steady`` the time that this process counts: an invitation
    expires only once it has by both, so that it survives a change of the machine's clock, and is valid for at most
    twice as long. ``rng`` gives the secrets (tests give their own). Every method raises GameError where the database
    can't be used, with nothing written.
    """

    def __init__(
        self,
        store: EventStore,
        limits: Limits | None = None,
        *,
        clock: Clock = utc_now,
        steady: Clock = steady_now,
        rng: random.Random | None = None,
    ) -> None:
        self._store = store
        self._limits = limits or Limits()
        self._clock = clock
        self._steady = steady
        self._rng = rng or secrets.SystemRandom()
        self._guesses = Guesses(self._limits, steady)

    # --- inviting ----------------------------------------------------------------------------------------------------

    def invite(self, game: str, roles: Iterable[Role]) -> Invited:
        """Invite one device to a new seat with these roles; raises NoGameError, UsageError without a role."""
        if game != SERVER:
            self._store.entry(game)
        return self._invite(game, "", _some(roles))

    def sit(self, game: str, roles: Iterable[Role], label: str) -> Seated:
        """A new seat without an invitation; raises as :meth:`invite` and :meth:`redeem`."""
        clean_label(label)
        return self.redeem(self.invite(game, roles).token, label)

    def invite_again(self, seat: str) -> Invited:
        """Invite to a seat again, after its device lost the secret; raises SeatError, RevokedError."""
        found = self.seat(seat)
        if found.revoked is not None:
            raise RevokedError(found.label)
        return self._invite(found.game, seat, found.roles)

    def withdraw(self, invitation: str, *, game: str) -> None:
        """Withdraw a game's invitation before it is used; raises InvitationError where it is not open."""
        with self._store.transaction() as connection:
            which = (INVITATION.c.invitation == invitation, INVITATION.c.game == game, _OPEN)
            gone = connection.execute(sa.delete(INVITATION).where(*which))
            if not gone.rowcount:
                raise InvitationError("This invitation is no longer open; look at the list of seats.")

    def invitations(self, game: str) -> list[Invited]:
        """A game's invitations that can still be used, the oldest first, without their secrets."""
        query = sa.select(INVITATION).where(INVITATION.c.game == game, _OPEN)
        with self._store.reading() as connection:
            rows = connection.execute(query.order_by(INVITATION.c.created, INVITATION.c.invitation)).all()
        return [_to_invited(row) for row in rows if not self._has_run_out(row, row.expires)]

    # --- taking up ---------------------------------------------------------------------------------------------------

    def redeem(self, token: str, label: str) -> Seated:
        """Take a seat with a token; when many try at once, exactly one gets it.

        Raises UsageError for an empty label (the token stays valid), InvitationError, RevokedError.
        """
        wanted, hashed = clean_label(label), token_hash(token)
        with self._store.transaction() as connection:
            row = connection.execute(
                sa.select(INVITATION).where(INVITATION.c.invitation == name_of(token))
            ).one_or_none()
            if row is None or not compare_digest(row.token_hash, hashed):
                raise InvitationError("There is no such invitation: ask the host for a new one.")
            return self._take(connection, row, row.expires, wanted)

    def redeem_code(self, code: str, label: str, *, address: str) -> Seated:
        """Take a seat with a typed code, at the game it is for, from a caller's network address.

        Raises as :meth:`redeem`, and GuessingError after too many wrong codes; a malformed code is not counted.
        """
        wanted, typed = clean_label(label), read_code(code)
        with self._guesses.attempt(address):
            with self._store.reading() as connection:
                games = connection.execute(sa.select(INVITATION.c.game).where(_OPEN).distinct()).scalars().all()
            hashes = {game: code_hash(typed, game) for game in games}
            with self._store.transaction() as connection:
                rows = connection.execute(sa.select(INVITATION).where(_OPEN).order_by(INVITATION.c.created)).all()
                found = [row for row in rows if compare_digest(row.code_hash, hashes.get(row.game, ""))]
                live = [row for row in found if not self._has_run_out(row, row.code_expires)]
                if not live:
                    raise InvitationError(
                        "No open invitation has this code: look again, or ask the host for a new one."
                    )
                return self._take(connection, live[-1], live[-1].code_expires, wanted)

    # --- sitting -----------------------------------------------------------------------------------------------------

    def seat_of(self, secret: str) -> Seat:
        """The seat of the device that sent this secret; raises SeatError, RevokedError."""
        found = self._opened_by([secret])
        if not found:
            raise SeatError("This device has no seat here: ask the host for an invitation.")
        if found[0].revoked is not None:
            raise RevokedError(found[0].label)
        return found[0]

    def seats_of(self, secrets: Sequence[str]) -> list[Seat]:
        """The seats that some secrets open, in their order, in one query, without revoked ones."""
        return [seat for seat in self._opened_by(secrets) if seat.revoked is None]

    def note_seen(self, *seats: Seat) -> None:
        """Note that the devices of some seats sent a request just now."""
        now, exact = self._clock(), timedelta(seconds=self._limits.seen_s)
        due = [seat.seat for seat in seats if abs(now - seat.seen) >= exact]
        if due:
            with self._store.transaction() as connection:
                connection.execute(sa.update(SEAT).where(SEAT.c.seat.in_(due)).values(seen=time_text(now)))

    def seat(self, seat: str) -> Seat:
        """A seat by its name, revoked or not; raises SeatError."""
        with self._store.reading() as connection:
            return _seat(_row(connection, seat))

    def seats(self, *games: str) -> list[Seat]:
        """All seats of a game, or of several, the first taken first, revoked ones too."""
        query = sa.select(SEAT).where(SEAT.c.game.in_(games)).order_by(SEAT.c.created, SEAT.c.seat)
        with self._store.reading() as connection:
            return [_seat(row) for row in connection.execute(query)]

    def revoke(self, seat: str) -> Seat:
        """Revoke a seat: its secret and invitations to it end at once; repeating it changes nothing. Raises
        SeatError."""
        with self._store.transaction() as connection:
            row = _row(connection, seat)
            if not row.revoked:
                connection.execute(sa.update(SEAT).where(SEAT.c.seat == seat).values(revoked=self._now()))
                connection.execute(sa.delete(INVITATION).where(INVITATION.c.seat == seat, _OPEN))
                end_tokens(connection, PROGRAM_TOKEN.c.seat == seat, self._now())
            return _seat(_row(connection, seat))

    def assign(self, seat: str, roles: Iterable[Role]) -> Seat:
        """Give a seat other roles (commands combined, say). Raises SeatError, RevokedError, UsageError."""
        text = _roles_text(_some(roles))
        with self._store.transaction() as connection:
            row = _row(connection, seat)
            if row.revoked:
                raise RevokedError(row.label)
            connection.execute(sa.update(SEAT).where(SEAT.c.seat == seat).values(roles=text))
            return _seat(_row(connection, seat))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _opened_by(self, secrets: Sequence[str]) -> list[Seat]:
        """The seats that some secrets open, revoked ones too; malformed secrets are not looked up."""
        names = {secret: name for secret in secrets if (name := name_of(secret))}
        if not names:
            return []
        one, *others = wanted = list(names.values())
        query = (_SEATS, {"seats": wanted}) if others else (_SEAT, {"seat": one})  # a list is put together every time
        with self._store.reading() as connection:
            by_name = {row.seat: row for row in connection.execute(*query)}
        found = [(secret, by_name[name]) for secret, name in names.items() if name in by_name]
        return [_seat(row) for secret, row in found if compare_digest(row.secret_hash, token_hash(secret))]

    def _now(self) -> str:
        return time_text(self._clock())

    def _has_run_out(self, row: Any, expires: str) -> bool:
        return has_run_out(row.created, expires, self._clock(), self._steady())

    def _invite(self, game: str, seat: str, roles: tuple[Role, ...]) -> Invited:
        now, token = self._clock(), new_token(self._rng)
        with self._store.transaction() as connection:
            old = INVITATION.c.expires < time_text(min(now, self._steady()) - timedelta(seconds=KEPT_S))
            connection.execute(sa.delete(INVITATION).where(INVITATION.c.game == game, old))
            query = sa.select(INVITATION.c.code_hash).where(INVITATION.c.game == game, _OPEN)
            taken = set(connection.execute(query).scalars())
            code = new_code(self._rng)
            while (hashed := code_hash(code, game)) in taken:
                code = new_code(self._rng)
            expires = now + timedelta(seconds=self._limits.invitation_s)
            code_expires = min(expires, now + timedelta(seconds=self._limits.code_s))
            values = {
                "invitation": name_of(token),
                "game": game,
                "seat": seat,
                "roles": _roles_text(roles),
                "token_hash": token_hash(token),
                "code_hash": hashed,
                "created": time_text(now),
                "expires": time_text(expires),
                "code_expires": time_text(code_expires),
                "used": "",
            }
            connection.execute(sa.insert(INVITATION), values)
        return Invited(name_of(token), game, roles, expires, code_expires, seat, token, code)

    def _take(self, connection: sa.Connection, row: Any, expires: str, label: str) -> Seated:
        """Mark an invitation as used and hand out its seat, in the caller's transaction."""
        now = self._now()
        if row.used:
            raise InvitationError("This invitation was used already, and each is good for one device: ask for another.")
        if self._has_run_out(row, expires):
            raise InvitationError("This invitation has expired: ask the host for a new one.")
        mine = sa.update(INVITATION).where(INVITATION.c.invitation == row.invitation, _OPEN).values(used=now)
        if connection.execute(mine).rowcount != 1:
            raise InvitationError("Another device took this invitation just now: ask the host for another.")
        if row.seat:
            return self._take_again(connection, row.seat, label)
        secret = new_token(self._rng)
        values = {
            "seat": name_of(secret),
            "game": row.game,
            "label": label,
            "roles": row.roles,
            "secret_hash": token_hash(secret),
            "created": now,
            "seen": now,
            "revoked": "",
        }
        connection.execute(sa.insert(SEAT), values)
        return Seated(_seat(_row(connection, name_of(secret))), secret)

    def _take_again(self, connection: sa.Connection, seat: str, label: str) -> Seated:
        row = _row(connection, seat)
        if row.revoked:
            raise RevokedError(row.label)
        secret = new_token(self._rng, seat)
        values = {"label": label, "secret_hash": token_hash(secret), "seen": self._now()}
        connection.execute(sa.update(SEAT).where(SEAT.c.seat == seat).values(**values))
        end_tokens(connection, PROGRAM_TOKEN.c.seat == seat, self._now())  # the lost device may hold them
        return Seated(_seat(_row(connection, seat)), secret)


def has_run_out(created: str, expires: str, *now: datetime) -> bool:
    """Whether something has expired by all of some clocks. If it was made far in the future, the clock was set back
    since, and it counts as expired."""
    made, until = datetime.fromisoformat(created), datetime.fromisoformat(expires)
    return not any(made - (until - made) < at < until for at in now)


def end_tokens(connection: sa.Connection, which: sa.ColumnElement[bool], at: str) -> None:
    """Revoke programs' tokens that are still valid, in the caller's transaction."""
    good = PROGRAM_TOKEN.c.revoked == ""
    connection.execute(sa.update(PROGRAM_TOKEN).where(which, good).values(revoked=at))


def _some(roles: Iterable[Role]) -> tuple[Role, ...]:
    """Roles, each once."""
    found = tuple(dict.fromkeys(roles))
    if not found:
        raise UsageError("A seat needs a role: name at least one.")
    return found


def _row(connection: sa.Connection, seat: str) -> Any:
    row = connection.execute(_SEAT, {"seat": seat}).one_or_none()
    if row is None:
        raise SeatError("There is no such seat; look at the list of seats.")
    return row


def _seat(row: Any) -> Seat:
    return Seat(
        row.seat,
        row.game,
        row.label,
        _roles(row.roles),
        datetime.fromisoformat(row.created),
        datetime.fromisoformat(row.seen),
        datetime.fromisoformat(row.revoked) if row.revoked else None,
    )


def _to_invited(row: Any) -> Invited:
    until = datetime.fromisoformat(row.expires), datetime.fromisoformat(row.code_expires)
    return Invited(row.invitation, row.game, _roles(row.roles), *until, row.seat)


def _roles(text: str) -> tuple[Role, ...]:
    return tuple(Role(kind, name) for kind, name in json.loads(text))


def _roles_text(roles: tuple[Role, ...]) -> str:
    return json.dumps([[role.kind, role.name] for role in roles])


def time_text(at: datetime) -> str:
    """A time as it is stored: in UTC and of fixed length, so that texts compare as times do."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")
