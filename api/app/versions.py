"""Addresses with a version, which is removed before routes are matched: there is one table of routes."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from api.addresses import PLAIN, VERSIONED

_ASKED = "asked_path"


class Versions:
    """ASGI middleware: answers an address with a version as the same one without."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "http" and scope["path"].startswith(f"{VERSIONED}/"):
            raw = scope.get("raw_path") or b""
            scope = {
                **scope,
                "path": PLAIN + scope["path"][len(VERSIONED) :],
                "raw_path": raw.replace(VERSIONED.encode(), PLAIN.encode(), 1),
                _ASKED: scope["path"],
            }
        await self.app(scope, receive, send)


def asked_path(request: Request) -> str:
    """The path of a request as the client sent it."""
    return str(request.scope.get(_ASKED, request.url.path))
