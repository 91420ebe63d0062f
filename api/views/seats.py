"""Seats as their own devices and the host see them, invitations, and roles for people."""

from __future__ import annotations

from collections.abc import Iterable

from api.auth.access import HOST, SPECTATOR, Role, Seat, acts_as, may_see
from api.auth.program_tokens import ProgramToken
from api.auth.seats import SERVER, Invited
from api.clock import utc_now
from api.schemas.games import InvitationOut, MeOut, SeatOut
from api.services.services import Services
from tabletop.game import REFEREE, Game, NoGameError
from tabletop.game.core import new_id
from tabletop.game.protocol import PUBLIC
from tabletop.game.text_parts import board


def me(services: Services, seat: Seat) -> MeOut:
    """A device's own seat."""
    return me_at(seat, _playing(services, seat.game))


def me_at(seat: Seat, playing: Game | None) -> MeOut:
    """A device's own seat at a game; ``None`` for one at a table without a game, or at the server."""
    acts: Iterable[str] = ()
    sees: str | None = PUBLIC
    if playing is not None:
        ruleset, state = playing.ruleset, playing.state
        acts, sees = acts_as(seat, ruleset, state), may_see(seat, ruleset, state)
    return MeOut(
        seat=seat.seat,
        at=seat.game,
        label=seat.label,
        roles=[str(role) for role in seat.roles],
        titles=[title_of(role, playing) for role in seat.roles],
        host=seat.is_host,
        acts_as=sorted(acts),
        sees="all" if sees is None else sees,
    )


def seat_out(seat: Seat) -> SeatOut:
    """A seat as the host sees it."""
    return SeatOut(
        seat=seat.seat,
        label=seat.label,
        roles=[str(role) for role in seat.roles],
        seen=seat.seen.isoformat(timespec="seconds"),
        seen_s=max(0, round((utc_now() - seat.seen).total_seconds())),
        revoked=seat.revoked is not None,
    )


def invitation_out(invited: Invited) -> InvitationOut:
    """An open invitation without its secrets."""
    return InvitationOut(
        invitation=invited.invitation,
        roles=[str(role) for role in invited.roles],
        expires=invited.expires.isoformat(timespec="seconds"),
        code_expires=invited.code_expires.isoformat(timespec="seconds"),
    )


def tell_seating(services: Services, seat: Seat, before: tuple[Role, ...] = ()) -> None:
    """Note in the log of a game, for everyone who sees it, a seat's new roles: where its roles were changed, and where
    a seat takes a side while anything is secret."""
    if not is_game(services, seat.game) or set(before) == set(seat.roles):
        return
    playing = services.commands.game(seat.game)
    secret = playing.ruleset.hides(playing.state)
    sides = [role for role in seat.roles if role.kind == "side"]
    if not before and not (secret and sides):
        return
    titles = ", ".join(role_title(services, seat.game, role) for role in seat.roles)
    text = f"{seat.label} has these roles now: {titles}{' (while something is secret)' if secret else ''}."
    _note(services, seat, text)


def tell_program(services: Services, seat: Seat, token: ProgramToken) -> None:
    """Note in the log of a game, for everyone who sees it, that a program got a token for a seat at the server: it sees
    the same as that seat's player, who did not make the token."""
    if is_game(services, seat.game):
        does = "acts" if token.may == "act" else "reads"
        _note(services, seat, f"At the server, a program was let in, which {does} as {seat.label}: {token.label}.")


def _note(services: Services, seat: Seat, text: str) -> None:
    services.tell(seat.game, new_id(), lambda trial: trial.note(text, actor=REFEREE, seating=True), seat)


def role_title(services: Services, game: str, role: Role) -> str:
    """A role for people; a table without a game knows its sides only by their ids."""
    return title_of(role, _playing(services, game) if role.kind == "side" else None)


def _playing(services: Services, game: str) -> Game | None:
    """The game of that id; ``None`` for the server and for a table without one."""
    if game == SERVER:
        return None
    try:
        return services.commands.game(game, services.entry(game).last)
    except NoGameError:
        return None


def title_of(role: Role, playing: Game | None = None) -> str:
    """A role for people, with the side's title in its game."""
    match role.kind:
        case "side":
            return str(board(playing).title(playing.state, role.name)) if playing else role.name.capitalize()
        case "command":
            return f"Command {role.name}" if role.name != "command" else "Command of all"
        case "player":
            return f"Player {role.name}"
    return {HOST: "Host and referee", SPECTATOR: "Spectator"}[role]


def is_game(services: Services, game: str) -> bool:
    """Whether an id is a game's, not that of a table without one."""
    try:
        services.entry(game)
    except NoGameError:
        return False
    return True
