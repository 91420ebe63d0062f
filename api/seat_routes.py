"""Joining and seats: who the device is, invitations by QR and code, roles, and taking seats away."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from api.access import HOST, SPECTATOR, Role, Seat, acts_as, require, roles_among
from api.game_schemas import (
    CodeWish,
    HouseOut,
    InvitationOut,
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
from api.gate import GameId, Gate, address, drop_seat, keep_seat
from api.house import House
from api.joining import join_address, svg_qr, wifi_words
from api.seats import HOUSE, Invited, Seated
from api.tokens import shown_code
from tabletop.game import NoGameError
from tabletop.game.saying import board

SeatId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8}$", description="The seat's id")]
InvitationId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8}$", description="The invitation's id")]


def seat_routes(house: House, gate: Gate) -> APIRouter:
    """The routes."""
    api = APIRouter(prefix="/api", tags=["seats"])
    _add_joining(api, house, gate)
    _add_hosting(api, house, gate)
    return api


def _add_joining(api: APIRouter, house: House, gate: Gate) -> None:
    @api.get("/house")
    def this_house(request: Request, host: Annotated[Seat | None, Depends(gate.maybe_host)]) -> HouseOut:
        """This server, and what this device is to it."""
        settings = house.settings
        seats = list(gate.seats(request))
        wifi = None
        if host is not None and settings.wifi is not None:
            name, password = settings.wifi
            wifi = WifiOut(name=name, qr=svg_qr(wifi_words(name, password), title=f"The Wi-Fi network {name}"))
        return HouseOut(
            host=host is not None,
            label=seats[0].label if seats else "",
            seats=[me(house, seat) for seat in seats if seat.game == HOUSE or _is_there(house, seat.game)],
            addresses=list(settings.addresses),
            wifi=wifi,
            max_photo_bytes=settings.max_photo_bytes,
            max_table_bytes=settings.max_table_bytes,
        )

    @api.post("/join", status_code=201, dependencies=[Depends(gate.joining)])
    def join(wish: TokenWish, request: Request, response: Response) -> MeOut:
        """Take a seat by the token of an invitation; the device keeps it from then on."""
        return _seated(house.seats.redeem(wish.token, wish.label), request, response)

    @api.post("/join/code", status_code=201, dependencies=[Depends(gate.joining)])
    def join_by_code(wish: CodeWish, request: Request, response: Response) -> MeOut:
        """Take a seat by the code of an invitation."""
        return _seated(house.seats.redeem_code(wish.code, wish.label, address=address(request)), request, response)

    @api.get("/games/{game}/me")
    def my_seat(seat: Annotated[Seat, Depends(gate.sitting)]) -> MeOut:
        """This device's seat at a game or a table."""
        return me(house, seat)

    @api.post("/games/{game}/leave", status_code=204)
    def leave(seat: Annotated[Seat, Depends(gate.sitting)]) -> Response:
        """Give one's own seat at a game up."""
        if (own := _own(house, seat)) is not None:
            house.seats.revoke(own)
            house.bells.ring(seat.game)
        response = Response(status_code=204)
        drop_seat(response, seat.game)
        return response

    def _seated(seated: Seated, request: Request, response: Response) -> MeOut:
        keep_seat(request, response, seated)
        house.bells.ring(seated.seat.game)
        return me(house, seated.seat)


def _add_hosting(api: APIRouter, house: House, gate: Gate) -> None:
    here = Depends(gate.hosting)

    @api.get("/games/{game}/seats")
    def seats(game: GameId, _host: Annotated[Seat, here]) -> SeatsOut:
        """Who sits at the game, who is invited, and which roles there are."""
        return SeatsOut(
            seats=[seat_out(seat) for seat in house.seats.seats(game)],
            invitations=[invitation_out(one) for one in house.seats.invitations(game)],
            roles=[RoleOut(role=str(role), title=role_title(house, game, role)) for role in house.roles(game)],
        )

    @api.post("/games/{game}/invitations", status_code=201)
    def invite(game: GameId, wish: RolesWish, request: Request, _host: Annotated[Seat, here]) -> InvitedOut:
        """Invite one device to a new seat with these roles."""
        return _invited(house, house.seats.invite(game, _roles(house, game, wish.roles)), request)

    @api.delete("/games/{game}/invitations/{invitation}", status_code=204)
    def withdraw(game: GameId, invitation: InvitationId, _host: Annotated[Seat, here]) -> Response:
        """Take an open invitation back."""
        house.seats.withdraw(invitation, game=game)
        return Response(status_code=204)

    @api.post("/games/{game}/seats/{seat}/invitations", status_code=201)
    def invite_again(game: GameId, seat: SeatId, request: Request, _host: Annotated[Seat, here]) -> InvitedOut:
        """Invite to a seat whose device was lost."""
        require(house.seats.seat(seat), game=game)
        return _invited(house, house.seats.invite_again(seat), request)

    @api.put("/games/{game}/seats/{seat}")
    def assign(game: GameId, seat: SeatId, wish: RolesWish, _host: Annotated[Seat, here]) -> SeatOut:
        """Give a seat other roles."""
        require(house.seats.seat(seat), game=game)
        assigned = house.seats.assign(seat, _roles(house, game, wish.roles))
        house.bells.ring(game)
        return seat_out(assigned)

    @api.delete("/games/{game}/seats/{seat}")
    def revoke(game: GameId, seat: SeatId, _host: Annotated[Seat, here]) -> SeatOut:
        """Take a seat away; its device is shown out at once."""
        found = house.seats.seat(seat)
        if found.revoked is None:
            require(found, game=game)
        revoked = house.seats.revoke(seat)
        house.bells.ring(game)
        return seat_out(revoked)

    @api.put("/games/{game}/me")
    def sit(
        game: GameId, wish: LabelledRolesWish, request: Request, response: Response, host: Annotated[Seat, here]
    ) -> MeOut:
        """What the host is besides: the sides that the host plays."""
        roles = _roles(house, game, [*wish.roles, str(HOST)])
        own = _own(house, host)
        if own is not None:
            found = house.seats.assign(own, roles)
        else:
            seated = house.seats.sit(game, roles, wish.label)
            keep_seat(request, response, seated)
            found = seated.seat
        house.bells.ring(game)
        return me(house, found)


# --- shaping -----------------------------------------------------------------------------------------------------


def me(house: House, seat: Seat) -> MeOut:
    """A device's own seat."""
    acts: Iterable[str] = ()
    sees: str | None = "public"
    if seat.game != HOUSE and _is_game(house, seat.game):
        game = house.desk.game(seat.game)
        acts, sees = acts_as(seat, game.ruleset, game.state), house.viewer(seat)
    return MeOut(
        seat=seat.seat,
        at=seat.game,
        label=seat.label,
        roles=[str(role) for role in seat.roles],
        titles=[role_title(house, seat.game, role) for role in seat.roles],
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


def role_title(house: House, game: str, role: Role) -> str:
    """A role for people; a table without a game knows its sides by their ids alone."""
    match role.kind:
        case "side":
            if not _is_game(house, game):
                return role.name.capitalize()
            playing = house.desk.game(game)
            return str(board(playing).title(playing.state, role.name))
        case "command":
            return f"Command {role.name}" if role.name != "command" else "Command of all"
        case "player":
            return f"Player {role.name}"
    return {HOST: "Host and referee", SPECTATOR: "Spectator"}[role]


def _invited(house: House, invited: Invited, request: Request) -> InvitedOut:
    root = house.settings.addresses[0] if house.settings.addresses else f"{request.url.scheme}://{request.url.netloc}"
    link = join_address(root, invited.token)
    return InvitedOut(
        **invitation_out(invited).model_dump(),
        code=shown_code(invited.code),
        address=link,
        qr=svg_qr(link, title="A QR code that joins the game"),
    )


def _roles(house: House, game: str, words: Iterable[str]) -> tuple[Role, ...]:
    of = "game" if _is_game(house, game) else "table"
    return roles_among([Role.parse(word) for word in words], house.roles(game), of=of)


def _own(house: House, seat: Seat) -> str | None:
    """The seat's id where it is one at its game, not the server's host looking in."""
    rows = house.seats.seats(seat.game)
    return seat.seat if any(row.seat == seat.seat and row.revoked is None for row in rows) else None


def _is_there(house: House, game: str) -> bool:
    return house.kept.last(game) > 0


def _is_game(house: House, game: str) -> bool:
    try:
        house.entry(game)
    except NoGameError:
        return False
    return True
