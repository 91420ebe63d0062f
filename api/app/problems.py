"""Problems (RFC 9457): every refusal is ``application/problem+json`` with the command line's sentence as ``detail``."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi_problem.error import Problem
from fastapi_problem.handler import add_exception_handler, new_exception_handler
from starlette.exceptions import HTTPException

from api.app.versions import asked_path
from api.auth.access import (
    AccessError,
    GuessingError,
    InvitationError,
    NoTokenError,
    RevokedError,
    SeatError,
    TokenError,
)
from api.errors import is_away, note_away, problem_of
from api.games.commands import GoneOnError
from api.photos.decoding import DecodingError
from api.processes.work_queue import RefusedError
from calibration import CalibrationError
from calibration.errors import BoardError, PrintError
from tabletop.errors import TableFileError, TabletopError
from tabletop.game import ConflictError as GameConflictError
from tabletop.game import IllegalError, NoGameError, UndoError
from tabletop.game.errors import StoreError
from vision.model.errors import CollectionError, VisionError


def _unusable(title: str, type_: str) -> Any:
    def handler(_eh: object, _request: Request, error: Exception) -> Problem:
        return Problem(title, type_=type_, detail=problem_of(error), status=422)

    return handler


def _with(status: int, title: str, type_: str) -> Any:
    def handler(_eh: object, _request: Request, error: Exception) -> Problem:
        return Problem(title, type_=type_, detail=problem_of(error), status=status)

    return handler


def _too_many_guesses(_eh: object, _request: Request, error: Exception) -> Problem:
    assert isinstance(error, GuessingError)
    wait = {"Retry-After": str(error.wait_s)}
    return Problem("Too often", type_="guessing", detail=problem_of(error), status=429, headers=wait)


def _no_token(_eh: object, _request: Request, error: Exception) -> Problem:
    asks = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
    return Problem("No token", type_="no-token", detail=problem_of(error), status=401, headers=asks)


def _illegal(_eh: object, _request: Request, error: Exception) -> Problem:
    assert isinstance(error, IllegalError)
    found = [violation.to_json() for violation in error.violations]
    return Problem("Not legal", type_="illegal", detail=problem_of(error), status=409, violations=found)


def _gone_on(_eh: object, _request: Request, error: Exception) -> Problem:
    assert isinstance(error, GoneOnError)
    return Problem("The game has moved on", type_="gone-on", detail=problem_of(error), status=409, seq=error.seq)


def _undo(_eh: object, _request: Request, error: Exception) -> Problem:
    return Problem("Not taken back", type_="undo", detail=problem_of(error), status=409)


def _not_decoded(_eh: object, _request: Request, error: Exception) -> Problem:
    assert isinstance(error, DecodingError)
    busy = error.status == 503
    title = "Too large" if error.status == 413 else "Busy" if busy else "The photo can't be used"
    return Problem(
        title,
        type_="photo-not-decoded",
        detail=problem_of(error),
        status=error.status,
        headers={"Retry-After": "5"} if busy else None,
    )


def _http(_eh: object, request: Request, error: HTTPException) -> Problem:
    if error.status_code == 413:
        return Problem("Too large", type_="too-large", detail=str(error.detail), status=413)
    if error.status_code == 404:
        return Problem("Not found", type_="not-there", detail=f"There is nothing at {asked_path(request)}.", status=404)
    detail = str(error.detail)
    return Problem("Refused", type_="http", detail=detail, status=error.status_code, headers=error.headers)  # type: ignore[arg-type]


def _invalid(_eh: object, _request: Request, error: RequestValidationError) -> Problem:
    faults = [
        {"where": ".".join(str(part) for part in fault["loc"] if part != "body") or "body", "what": str(fault["msg"])}
        for fault in error.errors()
    ]
    sentence = "; ".join(f"{fault['where']}: {fault['what']}" for fault in faults[:3])
    return Problem("Can't be understood", type_="request-invalid", detail=f"{sentence}.", status=422, faults=faults)


def _crash(_eh: object, _request: Request, _error: Exception) -> Problem:
    return Problem(
        "A fault in the program",
        type_="fault",
        detail="The program failed on this; nothing was changed. The host's terminal shows what happened.",
        status=500,
    )


def _not_kept(_eh: object, _request: Request, error: Exception) -> Problem:
    """The server's storage fails: neither its address nor a path is sent to the client."""
    note_away(error)
    return Problem(
        "Nothing can be saved now",
        type_="not-kept",
        detail="The server can't read or write its data: its disk may be full or read-only, or its database or "
        "photo storage unavailable. Nothing was changed. The server's terminal shows why; then try again.",
        status=503,
        headers={"Retry-After": "5"},
    )


def _disk(handlers: object, request: Request, error: Exception) -> Problem:
    if is_away(error):
        return _not_kept(handlers, request, error)
    return _crash(handlers, request, error)


def add_problem_handlers(app: FastAPI) -> None:
    """Answer every exception with a problem document."""
    handlers: dict[type[Exception], Any] = {
        TableFileError: _unusable("The table file can't be used", "table-file"),
        GuessingError: _too_many_guesses,
        RevokedError: _with(403, "Seat taken away", "seat-revoked"),
        SeatError: _with(401, "No seat", "no-seat"),
        TokenError: _no_token,
        NoTokenError: _with(404, "Not found", "not-there"),
        InvitationError: _with(410, "No invitation", "no-invitation"),
        AccessError: _with(403, "Not allowed", "not-allowed"),
        IllegalError: _illegal,
        GoneOnError: _gone_on,
        UndoError: _undo,
        NoGameError: _with(404, "Not found", "not-there"),
        StoreError: _not_kept,
        OSError: _disk,
        GameConflictError: _with(409, "Can't be done now", "conflict"),
        TabletopError: _unusable("This can't be used", "tabletop"),
        CollectionError: _unusable("The learned data can't be used", "collection"),
        VisionError: _unusable("The photo can't be used", "photo"),
        DecodingError: _not_decoded,
        BoardError: _unusable("This can't be used", "board"),
        PrintError: _unusable("This can't be printed", "print"),
        CalibrationError: _unusable("The photo can't be used", "photo"),
    }
    known = dict(handlers)
    by_name = {kind.__name__: answer for kind, answer in handlers.items()}

    def refused(eh: object, request: Request, error: Exception) -> Problem:
        """What work in another process refuses, as it is refused here."""
        assert isinstance(error, RefusedError)
        found: Problem = next(by_name[kind] for kind in error.kinds if kind in by_name)(eh, request, error)
        return found

    known[RefusedError] = refused
    handler = new_exception_handler(
        handlers={Exception: _crash, **handlers},
        http_exception_handler=_http,
        request_validation_handler=_invalid,
    )
    # the library takes the first match in order, so the catch-all must be last
    handler.handlers = {**known, HTTPException: _http, RequestValidationError: _invalid, Exception: _crash}
    add_exception_handler(app, handler, generic_swagger_defaults=False)
    for kind in known:
        app.add_exception_handler(kind, handler)
