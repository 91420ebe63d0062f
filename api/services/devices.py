"""The possible seats of a request, by the secrets that it sends: found once, for all that ask."""

from __future__ import annotations

import re
from functools import lru_cache

from starlette.requests import cookie_parser
from starlette.types import Scope

from api.auth.origin_checks import SAFE_METHODS
from api.auth.seats import SERVER
from api.auth.tokens import bearer_token
from api.tables.store import table_of

_DEVICE = "tabletop.device"
_GAME = re.compile(r"/(?:games|tables)/([^/]+)")
_TABLE = re.compile("[0-9a-f]{16}")
_BODY = (b"content-length", b"transfer-encoding")
SEAT_COOKIE = "seat-"
"""The prefix of the names of all cookies of seats."""


@lru_cache(maxsize=1024)
def cookie_name(game: str) -> str:
    """The cookie of a seat at a game; a game's table has the same one.

    >>> cookie_name("*"), cookie_name("flank-attack"), cookie_name("526d46ad04cbe212")
    ('seat-house', 'seat-526d46ad04cbe212', 'seat-526d46ad04cbe212')
    """
    if game == SERVER:
        return f"{SEAT_COOKIE}house"
    return SEAT_COOKIE + (game if _TABLE.fullmatch(game) else table_of(game))


class Device:
    """The device of a request.

    ``bearer`` is the token that a program sends. ``secrets`` can open the seat of the request, valid or not: the token,
    the cookie of the server's host and the cookie of the game or table in the address; the first cookie of a seat where
    the address names neither and there is no body. ``kind`` is the limit that requests to games and tables count
    towards, reads or writes; empty for other addresses.
    """

    __slots__ = ("address", "bearer", "cookies", "has_body", "kind", "secrets")

    def __init__(self, scope: Scope) -> None:
        self.cookies: dict[str, str] = {}
        self.has_body, authorization = False, ""
        for name, value in scope["headers"]:
            if name == b"cookie":
                self.cookies.update(cookie_parser(value.decode("latin-1")))
            elif name == b"authorization":
                authorization = authorization or value.decode("latin-1")
            elif name in _BODY:
                self.has_body = True
        self.address, self.kind = f"{scope['method']} {scope['path']}", ""
        self.bearer = bearer_token({"authorization": authorization}) if authorization else None
        names = [cookie_name(SERVER)]
        if game := _GAME.search(scope["path"]):
            names.append(cookie_name(game[1]))
            self.kind = "reads" if scope["method"] in SAFE_METHODS else "writes"
        elif names[0] not in self.cookies and not self.has_body:
            names += [name for name in self.cookies if name.startswith(SEAT_COOKIE)][:1]
        secrets = {authorization, *(self.cookies.get(name, "") for name in names)}
        self.secrets = tuple(sorted(secrets - {""}))


def device_of(scope: Scope) -> Device:
    """The device of a request, found when it is first asked for."""
    found: Device | None = scope.get(_DEVICE)
    if found is None:
        found = scope[_DEVICE] = Device(scope)
    return found
