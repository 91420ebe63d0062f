"""API tokens for programs: made for one's own seat, listed and revoked by their seat and by the host."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response

from api.auth.access import Seat
from api.auth.seats import SERVER
from api.schemas.programs import ProgramMadeOut, ProgramOut, ProgramWish
from api.services.authentication import GameId, Gate
from api.services.services import Services
from api.views.programs import token_out

TokenId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8}$", description="The token's id")]


def program_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("programs")
    _add_of_games(api, services, gate)
    _add_of_server(api, services, gate)
    return api


def _add_of_games(api: APIRouter, services: Services, gate: Gate) -> None:
    sitting = Depends(gate.seat_anywhere)

    @api.get("/games/{game}/tokens", **gate.for_people)
    def list_tokens(game: GameId, seat: Annotated[Seat, sitting]) -> list[ProgramOut]:
        """The valid tokens of this device's seat at a game; for its host, those of all its seats."""
        return [token_out(services, one, seat) for one in services.tokens.tokens(game, _own_alone(seat))]

    @api.post("/games/{game}/tokens", status_code=201, **gate.for_people)
    def make_token(game: GameId, wish: ProgramWish, seat: Annotated[Seat, sitting]) -> ProgramMadeOut:
        """A token for a program, which sees the game as this device's seat does. Its secret is shown only once."""
        return _make(services, seat, game, wish)

    @api.delete("/games/{game}/tokens/{token}", status_code=204, **gate.for_people)
    def revoke_token(game: GameId, token: TokenId, seat: Annotated[Seat, sitting]) -> Response:
        """Revoke a token: one's own, or any at the game for its host."""
        services.tokens.revoke(token, game, _own_alone(seat))
        services.notifier.notify(game)
        return Response(status_code=204)


def _add_of_server(api: APIRouter, services: Services, gate: Gate) -> None:
    hosting = Depends(gate.host_here)

    @api.get("/tokens", **gate.for_people)
    def list_server_tokens(seat: Annotated[Seat, hosting]) -> list[ProgramOut]:
        """The valid tokens with the rights of the server's host."""
        return [token_out(services, one, seat) for one in services.tokens.tokens(SERVER)]

    @api.post("/tokens", status_code=201, **gate.for_people)
    def make_server_token(wish: ProgramWish, seat: Annotated[Seat, hosting]) -> ProgramMadeOut:
        """A token for a program, which sees every game as the server's host does. Its secret is shown only once."""
        return _make(services, seat, SERVER, wish)

    @api.delete("/tokens/{token}", status_code=204, **gate.for_people)
    def revoke_server_token(token: TokenId, _host: Annotated[Seat, hosting]) -> Response:
        """Revoke such a token."""
        services.tokens.revoke(token, SERVER)
        return Response(status_code=204)


# --- shaping -----------------------------------------------------------------------------------------------------


def _make(services: Services, seat: Seat, game: str, wish: ProgramWish) -> ProgramMadeOut:
    new = services.tokens.make(seat, game, wish.label, wish.may, wish.days)
    return ProgramMadeOut(**token_out(services, new.made, seat).model_dump(), token=new.secret)


def _own_alone(seat: Seat) -> str:
    """The seat to which a seat's view of tokens is limited; empty for a host, who sees all."""
    return "" if seat.is_host else seat.seat
