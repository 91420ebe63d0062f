"""Joining and seats: the device's own seats, invitations by QR and code, roles, and revoking seats."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from api.auth.access import HOST, Role, Seat, require, roles_among
from api.auth.joining import join_address, svg_qr, wifi_words
from api.auth.seats import SERVER, Invited, Seated
from api.auth.tokens import shown_code
from api.schemas.games import (
    CodeWish,
    DeviceOut,
    InvitedOut,
    LabelledRolesWish,
    MeOut,
    RoleOut,
    RolesWish,
    SeatOut,
    SeatsOut,
    TokenWish,
    WifiOut,
)
from api.services.authentication import GameId, Gate, address, drop_seat, keep_seat
from api.services.response_cache import json_response
from api.services.services import Services
from api.tables.store import TABLE
from api.views.seats import invitation_out, is_game, me, me_at, role_title, seat_out, tell_seating

SeatId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8}$", description="The seat's id")]
InvitationId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8}$", description="The invitation's id")]


def seat_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("seats")
    _add_joining(api, services, gate)
    _add_hosting(api, services, gate)
    return api


def _add_joining(api: APIRouter, services: Services, gate: Gate) -> None:
    @api.get("/device", response_model=DeviceOut)
    def this_device(request: Request) -> Response:
        """This server, and this device's seats on it."""
        settings = services.settings
        with gate.looking_around(request) as seats:
            own = [me(services, seat) for seat in seats if seat.game == SERVER or _is_there(services, seat.game)]
        wifi = None
        is_host = any(seat.game == SERVER for seat in seats)
        if is_host and settings.wifi is not None:
            name, password = settings.wifi
            wifi = WifiOut(name=name, qr=svg_qr(wifi_words(name, password), title=f"The Wi-Fi network {name}"))
        device = DeviceOut(
            host=is_host,
            label=seats[0].label if seats else "",
            seats=own,
            addresses=list(settings.addresses),
            wifi=wifi,
            max_photo_bytes=settings.max_photo_bytes,
            max_table_bytes=settings.max_table_bytes,
        )
        return json_response(device)

    @api.post("/join", status_code=201, dependencies=[Depends(gate.limit_joins), Depends(gate.by_hand)])
    def join_by_token(wish: TokenWish, request: Request, response: Response) -> MeOut:
        """Take a seat with the token of an invitation; the device keeps it from then on."""
        return _keep_and_tell(services.seats.redeem(wish.token, wish.label), request, response)

    @api.post("/join/code", status_code=201, dependencies=[Depends(gate.limit_joins), Depends(gate.by_hand)])
    def join_by_code(wish: CodeWish, request: Request, response: Response) -> MeOut:
        """Take a seat with the code of an invitation."""
        return _keep_and_tell(
            services.seats.redeem_code(wish.code, wish.label, address=address(request)), request, response
        )

    @api.get("/games/{game}/me", response_model=MeOut)
    def my_seat(game: GameId, request: Request) -> Response:
        """This device's seat at a game or a table."""
        with gate.looking(game, request, anywhere=True) as (seat, entry):
            playing = None if entry.rules == TABLE else services.commands.game(game, entry.last)
            return json_response(me_at(seat, playing))

    @api.post("/games/{game}/leave", status_code=204, **gate.for_people)
    def leave_game(seat: Annotated[Seat, Depends(gate.seat_anywhere)]) -> Response:
        """Give up one's own seat at a game."""
        if (own := _own(services, seat)) is not None:
            services.revoke_seat(own)
            services.notifier.notify(seat.game)
        response = Response(status_code=204)
        drop_seat(response, seat.game)
        return response

    def _keep_and_tell(seated: Seated, request: Request, response: Response) -> MeOut:
        keep_seat(request, response, seated)
        tell_seating(services, seated.seat)
        services.notifier.notify(seated.seat.game)
        return me(services, seated.seat)


def _add_hosting(api: APIRouter, services: Services, gate: Gate) -> None:
    here = Depends(gate.host_anywhere)

    @api.get("/games/{game}/seats")
    def list_seats(game: GameId, _host: Annotated[Seat, here]) -> SeatsOut:
        """The seats and invitations of the game, and its roles."""
        return SeatsOut(
            seats=[seat_out(seat) for seat in services.seats.seats(game)],
            invitations=[invitation_out(one) for one in services.seats.invitations(game)],
            roles=[RoleOut(role=str(role), title=role_title(services, game, role)) for role in services.roles(game)],
        )

    @api.post("/games/{game}/invitations", status_code=201, **gate.for_people)
    def invite_device(game: GameId, wish: RolesWish, request: Request, _host: Annotated[Seat, here]) -> InvitedOut:
        """Invite one device to a new seat with these roles."""
        return _invited_out(services, services.seats.invite(game, _roles(services, game, wish.roles)), request)

    @api.delete("/games/{game}/invitations/{invitation}", status_code=204, **gate.for_people)
    def withdraw_invitation(game: GameId, invitation: InvitationId, _host: Annotated[Seat, here]) -> Response:
        """Withdraw an open invitation."""
        services.seats.withdraw(invitation, game=game)
        return Response(status_code=204)

    @api.post("/games/{game}/seats/{seat}/invitations", status_code=201, **gate.for_people)
    def invite_again(game: GameId, seat: SeatId, request: Request, _host: Annotated[Seat, here]) -> InvitedOut:
        """Invite to a seat again, after its device was lost."""
        require(services.seats.seat(seat), game=game)
        return _invited_out(services, services.seats.invite_again(seat), request)

    @api.put("/games/{game}/seats/{seat}", **gate.for_people)
    def assign_roles(game: GameId, seat: SeatId, wish: RolesWish, _host: Annotated[Seat, here]) -> SeatOut:
        """Give a seat other roles."""
        before = services.seats.seat(seat)
        require(before, game=game)
        assigned = services.seats.assign(seat, _roles(services, game, wish.roles))
        tell_seating(services, assigned, before.roles)
        services.notifier.notify(game)
        return seat_out(assigned)

    @api.delete("/games/{game}/seats/{seat}", **gate.for_people)
    def revoke_seat(game: GameId, seat: SeatId, _host: Annotated[Seat, here]) -> SeatOut:
        """Revoke a seat; its device is signed out at once."""
        found = services.seats.seat(seat)
        if found.revoked is None:
            require(found, game=game)
        revoked = services.revoke_seat(seat)
        services.notifier.notify(game)
        return seat_out(revoked)

    @api.put("/games/{game}/me", **gate.for_people)
    def take_sides(
        game: GameId, wish: LabelledRolesWish, request: Request, response: Response, host: Annotated[Seat, here]
    ) -> MeOut:
        """Set the sides that the host also plays."""
        roles = _roles(services, game, [*wish.roles, str(HOST)])
        own = _own(services, host)
        if own is not None:
            before = services.seats.seat(own).roles
            found = services.seats.assign(own, roles)
            tell_seating(services, found, before)
        else:
            seated = services.seats.sit(game, roles, wish.label)
            keep_seat(request, response, seated)
            found = seated.seat
            tell_seating(services, found)
        services.notifier.notify(game)
        return me(services, found)


# --- shaping -----------------------------------------------------------------------------------------------------


def _invited_out(services: Services, invited: Invited, request: Request) -> InvitedOut:
    root = (
        services.settings.addresses[0]
        if services.settings.addresses
        else f"{request.url.scheme}://{request.url.netloc}"
    )
    link = join_address(root, invited.token)
    return InvitedOut(
        **invitation_out(invited).model_dump(),
        code=shown_code(invited.code),
        address=link,
        qr=svg_qr(link, title="A QR code that joins the game"),
    )


def _roles(services: Services, game: str, words: Iterable[str]) -> tuple[Role, ...]:
    of = "game" if is_game(services, game) else "table"
    return roles_among([Role.parse(word) for word in words], services.roles(game), of=of)


def _own(services: Services, seat: Seat) -> str | None:
    """The seat's id where it is one at its game, not the server's host looking in."""
    rows = services.seats.seats(seat.game)
    return seat.seat if any(row.seat == seat.seat and row.revoked is None for row in rows) else None


def _is_there(services: Services, game: str) -> bool:
    return services.event_store.last(game) > 0
