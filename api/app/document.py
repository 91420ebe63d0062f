"""The OpenAPI document: every possible answer of an address is declared, refusals as problem documents."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from api.addresses import PLAIN, VERSIONED

PROBLEM: dict[str, Any] = {
    "title": "Problem",
    "type": "object",
    "description": "Why something was refused (RFC 9457): `detail` is a sentence for the player.",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "seq": {"type": "integer", "description": "The game's last event, where it has moved on"},
        "faults": {
            "type": "array",
            "description": "Every field of the request that can't be used",
            "items": {
                "type": "object",
                "required": ["where", "what"],
                "properties": {"where": {"type": "string"}, "what": {"type": "string"}},
            },
        },
        "violations": {
            "type": "array",
            "description": "What speaks against an action",
            "items": {"$ref": "#/components/schemas/Violation"},
        },
    },
}
_REFUSED = {
    "description": "Refused",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
_NOT_OURS = ("HTTPValidationError", "ValidationError")
_SEAT = {
    "type": "apiKey",
    "in": "cookie",
    "name": "seat-GAME",
    "description": "What `POST /api/join` sets for a seat at a game, GAME being the id of its table; that of the "
    "server's host is seat-house.",
}
_TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "A program's token, which a player makes in the list of seats, under Programs, or `tabletop token`. "
    "It sees and does at most what that player's seat does, at one game; with it, cookies count for nothing.",
}
_WITHOUT_SEAT = ("/api/device", "/api/join", "/api/join/code")


def openapi_maker(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """The ``openapi`` function of an application. It makes the document, which takes a second, on the first call, since
    routes are added until then; any thread may call it."""
    lock = Lock()

    def document() -> dict[str, Any]:
        with lock:
            if app.openapi_schema is None:
                app.openapi_schema = _finish_document(
                    get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
                )
            return app.openapi_schema

    return document


def _finish_document(document: dict[str, Any]) -> dict[str, Any]:
    document["servers"] = [{"url": "/", "description": "The server that this document comes from"}]
    document["security"] = [{"token": []}, {"seat": []}]
    document["components"]["securitySchemes"] = {"token": _TOKEN, "seat": _SEAT}
    for address, path in document["paths"].items():
        for operation in path.values():
            if address in _WITHOUT_SEAT:
                operation["security"] = []
            operation["responses"].pop("422", None)
            operation["responses"]["default"] = _REFUSED
            for content in operation["responses"].get("200", {}).get("content", {}).values():
                if "anyOf" in content.get("schema", {}):  # a stream: FastAPI states that it is text
                    content["schema"].pop("type", None)
    document["paths"] = {VERSIONED + address.removeprefix(PLAIN): path for address, path in document["paths"].items()}
    schemas = document["components"]["schemas"]
    for name in _NOT_OURS:
        schemas.pop(name, None)
    schemas["Problem"] = PROBLEM
    return document
