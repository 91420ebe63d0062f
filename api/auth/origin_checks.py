"""Checks before every request: the server's host names, which sites may change things, what a page may load."""

from __future__ import annotations

import ipaddress
import json
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.addresses import PLAIN
from api.auth.tokens import bearer_token

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "frame-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = [
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(self), microphone=(), geolocation=()"),
    (b"cache-control", b"no-store"),
]
_WITH_TOKEN = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"Retry-After, Content-Disposition"),
]
_PREFLIGHT = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-methods", b"GET, POST, PUT, PATCH, DELETE"),
    (b"access-control-allow-headers", b"authorization, content-type, last-event-id"),
    (b"access-control-max-age", b"600"),
]
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def safety_headers(with_token: bool) -> list[tuple[bytes, bytes]]:
    """The headers of every answer, unless it sets them itself; ``with_token``: also for pages of other sites."""
    return [*_HEADERS, *_WITH_TOKEN] if with_token else _HEADERS


def host_name(header: str) -> str:
    """The host of a Host header without its port, in lower case.

    >>> host_name("192.168.1.20:8000"), host_name("[::1]:8000"), host_name("Club.local")
    ('192.168.1.20', '::1', 'club.local')
    """
    try:
        return (urlsplit(f"//{header}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_own_name(name: str, names: tuple[str, ...]) -> bool:
    """Whether a request for this host name is meant for this server.

    A plain address always is; of names only ``localhost``, ``*.local``, this machine's own name and ``names``. An
    unknown name that resolves to this machine may be another site's page reaching into the home network (DNS
    rebinding).
    """
    if name in ("localhost", socket.gethostname().lower(), *names) or name.endswith((".local", ".localhost")):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_of_another_site(scope: Scope, headers: Headers) -> bool:
    """Whether a change, or any request under /api, comes from another site's page.

    Browsers show it in one of two ways: over plain HTTP in the page's origin, else also in ``Sec-Fetch-Site``. A page
    on another port of this machine has our cookies as well and counts as another site.
    """
    if scope["method"] in SAFE_METHODS and not scope["path"].startswith("/api"):
        return False
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != headers.get("host", ""):
        return True
    return headers.get("sec-fetch-site", "none") not in ("same-origin", "none")


def _asks_with_token(scope: Scope, headers: Headers) -> bool:
    """Whether a browser asks ahead if another site's page may send a request with a token (a preflight).

    It may: what such a request can see and do depends on the token that its page holds, never on the device's cookies.
    """
    if scope["method"] != "OPTIONS" or not scope["path"].startswith(PLAIN) or "origin" not in headers:
        return False
    asked = headers.get("access-control-request-headers", "").lower().split(",")
    return "authorization" in [name.strip() for name in asked]


def too_large(limit: int) -> str:
    """The sentence for an upload of more than ``limit`` bytes."""
    return f"This upload is larger than the {limit / 1e6:g} MB that are taken here: send a smaller file."


class Guard:
    """ASGI middleware: refuses unknown host names, changes requested by other sites and bodies over ``limit(path)``
    bytes (counted while they stream in); adds the safety headers. A request with a token may come from any page: the
    token is checked by the dependency of all routes, and cookies beside it are ignored."""

    def __init__(self, app: ASGIApp, names: tuple[str, ...], limit: Callable[[str], int]) -> None:
        self.app = app
        self.names = tuple(name.lower() for name in names)
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_own_name(host_name(host), self.names):
            await _refuse(send, 403, "This server answers to its own address only; open the address that it printed.")
            return
        if _asks_with_token(scope, headers):
            await send({"type": "http.response.start", "status": 204, "headers": _PREFLIGHT})
            await send({"type": "http.response.body", "body": b""})
            return
        with_token = scope["path"].startswith(PLAIN) and bearer_token(headers) is not None
        if _is_of_another_site(scope, headers) and not with_token:
            await _refuse(send, 403, "This request comes from another site's page and is refused.")
            return
        limit = self.limit(scope["path"])
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > limit:
            await _refuse(send, 413, too_large(limit))
            return
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise HTTPException(413, too_large(limit))
            return message

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                added = (each for each in safety_headers(with_token) if each[0] not in own)
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await self.app(scope, receive_counted, send_with_headers)


async def _refuse(send: Send, status: int, sentence: str) -> None:
    title = "Too large" if status == 413 else "Refused"
    problem = {"type": title.lower().replace(" ", "-"), "title": title, "status": status, "detail": sentence}
    body = json.dumps(problem).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
