"""The seat behind a request, by its cookie's secret or a program's token, and the limits of how often it may come.

A device has a cookie for each game that it sits at, out of reach of scripts and never sent by other sites' pages
(``HttpOnly``, ``SameSite=Strict``). A program sends its token in the header ``Authorization``; cookies are then
ignored. The methods are dependencies of routes.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response, params
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute

from api.auth.access import HOST, AccessError, RevokedError, Seat, SeatError, TokenError, require
from api.auth.origin_checks import SAFE_METHODS
from api.auth.program_tokens import ProgramToken
from api.auth.seats import SERVER, Seated
from api.errors import NotThereError
from api.services.devices import SEAT_COOKIE, cookie_name, device_of
from api.services.heavy_work import SEAT
from api.services.paces import Paces
from api.services.refusals import Refusals
from api.services.services import Services
from api.services.table_photos import sees_photo
from api.services.uploads import Uploads
from tabletop.game.store import GameEntry

GameId = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$", description="The game's id")]
TableId = Annotated[str, Path(pattern="^[0-9a-f]{16}$", description="The table's id", alias="game")]

READING = frozenset(
    {"judge_action", "find_nearest_place", "measure_pair", "make_report_file", "plan_game", "outline_terrain"}
)
"""POST operations that change nothing: a read-only token may request them."""

_FOUND = "tabletop.token"
"""Where a request keeps its token and seat, so that they are looked up once."""
_COOKIE_S = 400 * 86400
"""How long browsers keep a seat, the longest they allow: a campaign lasts longer than an evening."""


class Gate:
    """The dependencies that admit requests, or raise why not."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._uploads = Uploads(services.settings)
        self._paces = Paces()
        self.refusals = Refusals()

    def router(
        self, *tags: str, dependencies: Sequence[params.Depends] = (), route_class: type[APIRoute] = APIRoute
    ) -> APIRouter:
        """An empty router for addresses below /api, which admits requests as :meth:`program` does.

        Its routes are complete: an application takes them unchanged, and FastAPI builds none of them a second time.
        """
        return APIRouter(
            prefix="/api",
            tags=[*tags],
            dependencies=[Depends(self.program), *dependencies],
            route_class=route_class,
            generate_unique_id_function=lambda route: route.name,
        )

    # --- quick answers -----------------------------------------------------------------------------------------------

    @contextmanager
    def looking(self, game: str, request: Request, *, anywhere: bool = False) -> Iterator[tuple[Seat, GameEntry]]:
        """The seat at a game, or with ``anywhere`` also at a table without a game, and the game: for answers that are
        made inside the block, which read the database once and need no other thread for the seat."""
        services = self._services
        self._token_of(request)  # before, since that may write when it was used
        with services.event_store.reading():
            seat = self._at(request, game)
            self._limit_request(request, seat)
            # after the seat: strangers must not learn which games exist
            yield seat, services.has_seats(game) if anywhere else services.entry(game)
        self._note_seen(request, seat)

    @contextmanager
    def looking_around(self, request: Request) -> Iterator[list[Seat]]:
        """All seats of the device, the server's own first, or a program's only one: for answers as :meth:`looking`."""
        self._token_of(request)
        with self._services.event_store.reading():
            seats = self._seats(request)
            yield seats
        self._note_seen(request, *seats)

    # --- dependencies ------------------------------------------------------------------------------------------------

    def limit_joins(self, request: Request) -> None:
        """Limit how often one address tries to join."""
        self._limit_pace(request, "joins", address(request), self._services.settings.joins_a_minute)

    async def program(self, request: Request) -> None:
        """Every request: a token sent with it must be valid, and valid for this request."""
        if device_of(request.scope).bearer is not None:
            await run_in_threadpool(self._token_of, request)

    @property
    def for_people(self) -> dict[str, Any]:
        """The settings of a route for people only, in the API document too: seats, invitations and tokens are given by
        people, so that no token can extend itself."""
        return {"dependencies": [Depends(self.by_hand)], "openapi_extra": {"security": [{"seat": []}]}}

    def by_hand(self, request: Request) -> None:
        """Refuse programs."""
        if self._token_of(request) is not None:
            raise AccessError("A program can't do this: seats, invitations and tokens are given on the page.")

    def token_name(self, request: Request) -> str:
        """The name of a program's token; empty for a device."""
        found = self._token_of(request)
        return "" if found is None else found[0].token

    def maybe_host(self, request: Request) -> Seat | None:
        """The host of this server; ``None`` for all others."""
        host = self._host(request)
        if host is not None:
            self._note_seen(request, host)
        return host

    def _host(self, request: Request) -> Seat | None:
        if (found := self._token_of(request)) is not None:
            return found[1] if found[0].game == SERVER else None
        try:
            return self._seat_by_cookie(request, SERVER)
        except SeatError:
            return None

    def host_here(self, request: Request) -> Seat:
        """The host of this server."""
        found = self._token_of(request)
        if found is not None and found[0].game != SERVER:
            raise TokenError("This token is for one game: only the server's host may do this.")
        seat = self._count_request(request, found[1] if found else self._seat_by_cookie(request, SERVER))
        return require(seat, game=SERVER, host=True)

    def seat(self, game: GameId, request: Request) -> Seat:
        """The seat at a game; the server's host has access to every game, as its host."""
        with self.looking(game, request) as (seat, _):
            return seat

    def host(self, game: GameId, request: Request) -> Seat:
        """The seat of a game's host."""
        return require(self.seat(game, request), game=game, host=True)

    def player(self, game: GameId, request: Request) -> Seat:
        """The seat at a game of a player or host, not of a spectator."""
        seat = self.seat(game, request)
        if not may_change(seat):
            raise AccessError("Spectators can't change the game; ask the host for a side.")
        return seat

    def seat_anywhere(self, game: GameId, request: Request) -> Seat:
        """The seat at a game, or at a table without a game."""
        with self.looking(game, request, anywhere=True) as (seat, _):
            return seat

    def host_anywhere(self, game: GameId, request: Request) -> Seat:
        """The seat of the host of a game, or of a table without a game."""
        return require(self.seat_anywhere(game, request), game=game, host=True)

    def table(self, game: TableId, request: Request) -> Seat:
        """The seat at a table, or at its game; spectators can't change anything there."""
        seat = self._count_request(request, self._at(request, game))
        if request.method not in SAFE_METHODS and not may_change(seat):
            raise AccessError("Spectators can't change the table; ask the host for a side.")
        return seat

    def at_table(self, game: TableId, request: Request) -> Seat:
        """Any seat at a table, or at its game, spectators included."""
        return self._count_request(request, self._at(request, game))

    def sees_photo(self, game: TableId, request: Request) -> None:
        """Admit seats that may see the table's photo in the address; raises NotThereError for others, who get the table
        without it."""
        seat, owner = self._at(request, game), self._services.owner_of(game)
        if owner is not None and not sees_photo(self._services, replace(seat, game=owner), request.path_params["sha"]):
            raise NotThereError(
                "This photo of the table shows one side's secret half of the board: photograph your own."
            )

    def aim(self, game: GameId, request: Request) -> None:
        """Limit the frames of a viewfinder to how fast they can be analysed."""
        self._limit_pace(request, "frames", self._at(request, game).seat, self._services.settings.frames_a_minute)

    def before_upload(self, *, photos: bool = False, anywhere: bool = False) -> type[APIRoute]:
        """Routes of large bodies. A body is read before dependencies run, so these check first: a stranger's is not
        read, nor one that comes too often or beside too many others. ``photos`` are limited, since they take seconds to
        read; for an address without a game the seat is the host's, or with ``anywhere`` any of the device.
        """
        gate = self

        def seat_of(request: Request) -> Seat:
            if anywhere:
                return gate._first_seat(request)
            return gate._at(request, request.path_params.get("game", SERVER))

        class AfterTheSeat(APIRoute):
            def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
                handler = super().get_route_handler()

                async def handle_seated(request: Request) -> Response:
                    seat = await run_in_threadpool(seat_of, request)
                    if photos:
                        gate._limit_pace(request, "photos", seat.seat, gate._services.settings.photos_a_minute)
                    length = request.headers.get("content-length")  # already checked to be digits
                    with gate._uploads.under_way(seat.seat, None if length is None else int(length)):
                        return await handler(request)

                return handle_seated

        return AfterTheSeat

    def here(self, request: Request) -> Seat:
        """Any seat of this server: for requests that belong to no game."""
        return self._count_request(request, self._first_seat(request))

    def drawing(self, request: Request) -> None:
        """Limit how many sheets and reports one seat has drawn: each takes a second or more."""
        self._limit_pace(request, "drawings", self._first_seat(request).seat, self._services.settings.drawings_a_minute)

    def seats(self, request: Request) -> list[Seat]:
        """All seats of the device, the server's own first; a program's only one."""
        with self.looking_around(request) as seats:
            return seats

    def _seats(self, request: Request) -> list[Seat]:
        if (found := self._token_of(request)) is not None:
            return [found[1]]
        cookies = device_of(request.scope).cookies
        names = [name for name in cookies if name.startswith(SEAT_COOKIE)]
        names.sort(key=lambda name: name != cookie_name(SERVER))
        return self._services.seats.seats_of([cookies[name] for name in names])

    # --- inside ------------------------------------------------------------------------------------------------------

    def _first_seat(self, request: Request) -> Seat:
        for seat in self.seats(request):
            return seat
        raise SeatError("This device has no seat here: ask the host for an invitation.")

    def _at(self, request: Request, game: str) -> Seat:
        """The seat at a game or table; the server's host without a seat there is its host."""
        if (found := self._token_of(request)) is not None:
            token, seat = found
            if token.game == SERVER:
                return _looking_in(seat, game)
            if cookie_name(token.game) != cookie_name(game):
                raise TokenError("This token is for another game: make one for this game, in its list of seats.")
            return seat
        if cookie_name(game) in device_of(request.scope).cookies:
            try:
                return self._seat_by_cookie(request, game)
            except RevokedError:
                raise
            except SeatError:
                pass  # the game was started again under an old name
        host = self._host(request)
        if host is None:
            raise SeatError("This device has no seat at this game; ask its host for an invitation.")
        return _looking_in(host, game)

    def _token_of(self, request: Request) -> tuple[ProgramToken, Seat] | None:
        """The token that a program sent and its seat at the token's game; ``None`` for a device. Raises TokenError, and
        AccessError for a change with a read-only token."""
        said = device_of(request.scope).bearer
        if said is None:
            return None
        found: tuple[ProgramToken, Seat] | None = request.scope.get(_FOUND)
        if found is None:
            token, seat = self._services.tokens.open(said)
            if token.game not in (SERVER, seat.game):
                seat = _looking_in(seat, token.game)
            found = request.scope[_FOUND] = token, seat
        reads = request.method in SAFE_METHODS or request.scope["route"].name in READING
        if found[0].may == "read" and not reads:
            raise AccessError("This token only reads: make one that also acts.")
        return found

    def _seat_by_cookie(self, request: Request, game: str) -> Seat:
        seat = self._services.seats.seat_of(device_of(request.scope).cookies.get(cookie_name(game), ""))
        if seat.game != game and (game == SERVER or cookie_name(seat.game) != cookie_name(game)):
            raise SeatError("This device has no seat at this game; ask its host for an invitation.")
        return seat

    def _count_request(self, request: Request, seat: Seat) -> Seat:
        self._limit_request(request, seat)
        self._note_seen(request, seat)
        return seat

    def _note_seen(self, request: Request, *seats: Seat) -> None:
        """Note that a device is active; a program's requests say nothing about its seat's device."""
        if _FOUND not in request.scope:
            self._services.seats.note_seen(*seats)

    def _limit_request(self, request: Request, seat: Seat) -> None:
        settings = self._services.settings
        request.scope[SEAT] = seat.seat
        if request.method in SAFE_METHODS:
            self._limit_pace(request, "reads", seat.seat, settings.reads_a_minute)
        else:
            self._limit_pace(request, "writes", seat.seat, settings.writes_a_minute)

    def _limit_pace(self, request: Request, what: str, whose: str, a_minute: int) -> None:
        wait_s = self._paces.wait_s(what, whose, a_minute)
        if wait_s:
            raise self.refusals.keep(device_of(request.scope), what, a_minute, wait_s)


def _looking_in(host: Seat, game: str) -> Seat:
    """The server's host at a game where it has no seat."""
    return Seat(host.seat, game, host.label, (HOST,), host.created, host.seen)


def may_change(seat: Seat) -> bool:
    """Whether a seat may change a table: a host's or a player's."""
    return any(role.kind != "spectator" for role in seat.roles)


def address(request: Request) -> str:
    """The network address that a request comes from."""
    return request.client.host if request.client else "unknown"


def keep_seat(request: Request, response: Response, seated: Seated) -> None:
    """Set the cookie with the seat's secret on the device."""
    response.set_cookie(
        cookie_name(seated.seat.game),
        seated.secret,
        max_age=_COOKIE_S,
        path="/api",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def drop_seat(response: Response, game: str) -> None:
    """Delete the seat's cookie from the device."""
    response.delete_cookie(cookie_name(game), path="/api", httponly=True, samesite="strict")
