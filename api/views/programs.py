"""Tokens of programs, for the seats that may revoke them."""

from __future__ import annotations

from datetime import datetime

from api.auth.access import Seat
from api.auth.program_tokens import ProgramToken
from api.schemas.programs import ProgramOut
from api.services.services import Services


def token_out(services: Services, token: ProgramToken, seat: Seat) -> ProgramOut:
    """A token as a seat sees it in the list."""
    mine = token.seat == seat.seat
    return ProgramOut(
        id=token.token,
        label=token.label,
        may=token.may,
        whose=seat.label if mine else services.seats.seat(token.seat).label,
        mine=mine,
        created=_second(token.created),
        expires=_second(token.expires),
        used=_second(token.used) if token.used else None,
    )


def _second(at: datetime) -> str:
    return at.isoformat(timespec="seconds")
