"""Schemas of a map or a roster that is imported from another program."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, FiniteFloat

from api.schemas.tables import Model, Wish

MOST_BYTES = 12_000_000
"""The limit of a whole wish: a roster as base64, or a map without its picture."""


class ImportWish(Wish):
    """A file of another program by its ``name``; ``base`` is the size of bases where the file has none ("32mm"),
    ``grid_in`` the inches of a map's squares."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    content: Annotated[
        str,
        Field(max_length=MOST_BYTES, json_schema_extra={"contentEncoding": "base64"}),
    ]
    base: Annotated[str, Field(max_length=40)] = ""
    grid_in: FiniteFloat | None = None


class ImportOut(Model):
    """The table file that was generated from it, and the parts read and left out, in sentences."""

    table_name: str
    table_file: str
    notes: list[str]
