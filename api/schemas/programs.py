"""API tokens of programs, as they are requested, listed and shown once."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from api.schemas.games import Label
from api.schemas.tables import Model, Wish
from api.settings import MOST_TOKEN_DAYS, USUAL_TOKEN_DAYS

May = Literal["read", "act"]


class ProgramWish(Wish):
    """A token for a program: the program's name, whether it only reads or also acts, for how many days."""

    label: Label
    may: May = "read"
    days: Annotated[int, Field(ge=1, le=MOST_TOKEN_DAYS)] = USUAL_TOKEN_DAYS


class ProgramOut(Model):
    """A program's token without its secret; ``whose`` is its seat's label, ``used`` when it was last used."""

    id: str
    label: str
    may: May
    whose: str
    mine: bool
    created: str
    expires: str
    used: str | None


class ProgramMadeOut(ProgramOut):
    """A new token: ``token`` is what its program sends, shown only once."""

    token: str
