"""Seats as their own devices and the host see them, invitations, and roles for people."""

from __future__ import annotations

from collections.abc import Iterable

from api.auth.access import HOST, SPECTATOR, Role, Seat, acts_as
from api.auth.seats import SERVER, Invited
from api.clock import utc_now
from api.schemas.games import InvitationOut, MeOut, SeatOut
from api.services.services import Services
from tabletop.game import REFEREE, NoGameError
from tabletop.game.core import new_id
from tabletop.game.text_parts import board


def me(services: Services, seat: Seat) -> MeOut:
    """A device's own seat."""
    acts: Iterable[str] = ()
    sees: str | None = "public"
    if seat.game != SERVER and is_game(services, seat.game):
        game = services.commands.game(seat.game)
        acts, sees = acts_as(seat, game.ruleset, game.state), services.viewer(seat)
    return MeOut(
        seat=seat.seat,
        at=seat.game,
        label=seat.label,
        roles=[str(role) for role in seat.roles],
        titles=[role_title(services, seat.game, role) for role in seat.roles],
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
    """Have the log of a game say, to all who see it, what a seat plays now: where its roles were changed, and where
    somebody takes a side while anything is secret."""
    if not is_game(services, seat.game) or set(before) == set(seat.roles):
        return
    playing = services.commands.game(seat.game)
    secret = playing.ruleset.hides(playing.state)
    sides = [role for role in seat.roles if role.kind == "side"]
    if not before and not (secret and sides):
        return
    titles = ", ".join(role_title(services, seat.game, role) for role in seat.roles)
    text = f"{seat.label} has these roles now: {titles}{' (while something is secret)' if secret else ''}."
    services.tell(seat.game, new_id(), lambda trial: trial.note(text, actor=REFEREE, seating=True), seat)


def role_title(services: Services, game: str, role: Role) -> str:
    """A role for people; a table without a game knows its sides by their ids alone."""
    match role.kind:
        case "side":
            if not is_game(services, game):
                return role.name.capitalize()
            playing = services.commands.game(game)
            return str(board(playing).title(playing.state, role.name))
        case "command":
            return f"Command {role.name}" if role.name != "command" else "Command of all"
        case "player":
            return f"Player {role.name}"
    return {HOST: "Host and referee", SPECTATOR: "Spectator"}[role]


def is_game(services: Services, game: str) -> bool:
    """Whether an id is a game's, and no table's without one."""
    try:
        services.entry(game)
    except NoGameError:
        return False
    return True
