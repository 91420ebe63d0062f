"""Who may take a seat at a game, and what a seat may see and do: without a database, a network or accounts.

An invitation makes a seat, a seat holds roles, and roles stand for the actors of the game's rules. Secrets travel as a
token, a code or a seat's own secret (:mod:`api.auth.tokens`); :mod:`api.auth.seats` stores only their hashes.

AccessError
├── InvitationError   no such invitation, or it was used, withdrawn or has expired
├── GuessingError     too many wrong codes; carries the seconds to wait
├── TokenError        a program's token is invalid, revoked or expired
├── NoTokenError      no such token to revoke
└── SeatError         no such seat
    └── RevokedError  the host took the seat away
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pkgutil import resolve_name
from typing import Any, Literal

from tabletop.errors import TabletopError, UsageError
from tabletop.game.core import REFEREE
from tabletop.game.parts import PARTS, part
from tabletop.game.protocol import PUBLIC
from tabletop.game.violations import Violation
from tabletop.words import and_list


class AccessError(TabletopError):
    """Access is denied or has ended."""


class InvitationError(AccessError):
    """There is no such invitation, or it can't be used any longer."""


class GuessingError(AccessError):
    """Too many wrong codes were tried; the next one is accepted after ``wait_s`` seconds."""

    def __init__(self, wait_s: int) -> None:
        self.wait_s = wait_s
        super().__init__(f"Too many wrong codes were tried: wait {wait_s} seconds, or scan the host's QR code instead.")


class SeatError(AccessError):
    """There is no such seat."""


class RevokedError(SeatError):
    """The host took the seat of that label away."""

    def __init__(self, label: str) -> None:
        super().__init__(f'The host took the seat of "{label}" away; ask the host for a new invitation.')


class TokenError(AccessError):
    """A program's token is invalid, revoked or expired."""


class NoTokenError(AccessError):
    """There is no such token to revoke."""


@dataclass(frozen=True)
class Limits:
    """How long invitations are valid and how many wrong codes are allowed; times in seconds.

    Within ``window_s`` one address may send ``guesses`` wrong codes, and all addresses together ``guesses_of_all``.
    After that an address without a wrong code may still send one, up to ``guesses_at_most`` in total: strangers with a
    few addresses must not lock out a player with a valid code.
    ``seen_s`` is how exactly the time of a seat's last request is stored.
    """

    invitation_s: float = 12 * 3600.0
    code_s: float = 2 * 3600.0
    guesses: int = 5
    guesses_of_all: int = 50
    guesses_at_most: int = 500
    window_s: float = 600.0
    seen_s: float = 30.0


@dataclass(frozen=True, order=True)
class Role:
    """What a seat is at a game.

    ``kind`` says what ``name`` names: a side, one of the co-operative game's commands, or a player whose side is not
    bid for yet; the host and spectators have none.

    >>> str(Role("side", "red")), Role.parse("command D"), str(SPECTATOR)
    ('side red', Role(kind='command', name='D'), 'spectator')
    """

    kind: Literal["host", "side", "command", "player", "spectator"]
    name: str = ""

    def __post_init__(self) -> None:
        if self.kind not in ("host", "side", "command", "player", "spectator"):
            raise UsageError(f'"{self.kind}" is no role; it is one of host, side, command, player and spectator.')
        if (self.kind in ("host", "spectator")) == bool(self.name):
            raise UsageError(f"The role {self.kind} {'has no name' if self.name else 'needs a name'}.")

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".rstrip()

    @classmethod
    def parse(cls, words: str) -> Role:
        """A role from its words; raises UsageError."""
        kind, _, name = words.partition(" ")
        return cls(kind, name)  # type: ignore[arg-type]


HOST, SPECTATOR = Role("host"), Role("spectator")


@dataclass(frozen=True)
class Seat:
    """One person's place at a game, without its secret; ``revoked`` is when the host took it away."""

    seat: str
    game: str
    label: str
    roles: tuple[Role, ...]
    created: datetime
    seen: datetime
    revoked: datetime | None = None

    @property
    def is_host(self) -> bool:
        """Whether it may invite, revoke and rule as the referee."""
        return HOST in self.roles and self.revoked is None


# --- permissions of a seat ---------------------------------------------------------------------------------------


def roles_of(ruleset: Any, state: Any) -> tuple[Role, ...]:
    """The roles that can be given at a game now: the host, the players, the spectator."""
    seats = _seats(ruleset)
    words = seats.roles(state) if seats else [f"side {side}" for side in ruleset.sides(state)]
    return (HOST, *map(Role.parse, words), SPECTATOR)


def is_secret(ruleset: Any, state: Any) -> bool:
    """Whether the sides hide something from each other, so that one device plays for one of them only."""
    seats = _seats(ruleset)
    return bool(seats and seats.is_secret(state))


def check_roles(roles: Iterable[Role], ruleset: Any, state: Any) -> tuple[Role, ...]:
    """Roles as a seat at a game holds them; raises as :func:`roles_among`."""
    return roles_among(roles, roles_of(ruleset, state))


def roles_among(roles: Iterable[Role], known: tuple[Role, ...], *, of: str = "game") -> tuple[Role, ...]:
    """Roles as a seat holds them: each once, in the order of ``known``; raises UsageError for an unknown one, or for
    none at all."""
    wanted = set(roles)
    strange = sorted(wanted - set(known))
    if strange or not wanted:
        what = f'"{strange[0]}" is no role of this {of}' if strange else "A seat needs a role"
        raise UsageError(f"{what}; its roles are {', '.join(map(str, known))}.")
    return tuple(role for role in known if role in wanted)


def acts_as(seat: Seat, ruleset: Any, state: Any) -> frozenset[str]:
    """The actors that a seat may act for: names that the ruleset's ``actor`` returns.

    The host acts for the referee, a side's seat for the side; a ruleset's ``seats`` may add more. A side with the
    referee's name gains nothing by it.
    """
    found = {name for role in seat.roles for name in _stands_for(role, ruleset, state)}
    if HOST not in seat.roles:
        found.discard(REFEREE)
    return frozenset(found)


def _seats(ruleset: Any) -> Any:
    """The ruleset's own definition of seats; ``None`` where each side has one."""
    where = PARTS[ruleset.name].seats if ruleset.name in PARTS else ""
    return resolve_name(where) if where else None


def _stands_for(role: Role, ruleset: Any, state: Any) -> frozenset[str]:
    seats = _seats(ruleset)
    if seats:
        found: frozenset[str] = seats.stands_for(state, str(role))
        return found
    match role.kind:
        case "host":
            return frozenset({REFEREE})
        case "side" | "command":
            return frozenset({role.name})
        case "player":
            return frozenset({f"player {role.name}"})
    return frozenset()


def may_see(seat: Seat, ruleset: Any, state: Any) -> str | None:
    """The viewer for the ruleset's ``view`` and ``event_view``: a side's or player's name, PUBLIC, or ``None`` for all.

    Only a seat that plays the hiding side sees its secrets. A host sees the public view, unless the game is solitaire
    (then everything) or the host also plays. A seat that plays all hiding sides (one device for both) sees everything.
    Raises RevokedError.
    """
    if seat.revoked is not None:
        raise RevokedError(seat.label)
    own = acts_as(seat, ruleset, state)
    seats = _seats(ruleset)
    if HOST in seat.roles and seats and seats.is_open_to_host(state):
        return None
    keepers = ruleset.hidden_by(state)
    kept = [keeper for keeper in keepers if keeper in own]
    if len(kept) > 1 and len(kept) == len(keepers):
        return None
    if kept:
        return str(kept[0])
    return next((role.name for role in seat.roles if role.kind == "side"), PUBLIC)


def may_act(seat: Seat, ruleset: Any, state: Any, action: Any, *, overrule: bool = False) -> Violation | None:
    """Why a seat may not take an action, by the ruleset's ``actor``; ``None`` where it may.

    With ``overrule`` the referee allows what the rules forbid: only the host may, and not for a side that decides in
    secret. This does not check whether the rules allow the action.
    """
    if seat.revoked is not None:
        return Violation("seat-revoked", str(RevokedError(seat.label)), firm=True)
    own = acts_as(seat, ruleset, state)
    whose = str(ruleset.actor(state, action))
    if overrule and REFEREE not in own:
        return Violation("not-the-host", "Only the host overrules, as the referee: ask the host to.", firm=True)
    if whose in own or (overrule and whose not in ruleset.hidden_by(state)):
        return None
    title = part(ruleset.name, "words").title
    asked = "for the host, as the referee," if whose == REFEREE else f"for {title(state, whose)}"
    mine = and_list([title(state, role.name) if role.kind == "side" else str(role) for role in seat.roles])
    return Violation("not-yours", f"This is {asked} to do, and this seat is {mine}.", firm=True)


def require(seat: Seat, *, game: str, host: bool = False) -> Seat:
    """The seat, where it is one of that game's (and with ``host`` the host's).

    Raises RevokedError, SeatError for another game's, AccessError for one that is not the host's.
    """
    if seat.revoked is not None:
        raise RevokedError(seat.label)
    if seat.game != game:
        raise SeatError("This device has no seat at this game; ask its host for an invitation.")
    if host and not seat.is_host:
        raise AccessError("Only the host may do this; ask the host to.")
    return seat
