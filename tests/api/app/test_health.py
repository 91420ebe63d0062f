"""Whether the server is well: anybody may ask, nothing is told, and a database that is away is not well."""

from __future__ import annotations

import sqlite3
from typing import Any

import sqlalchemy as sa

from tests.support.api_games import Place


def test_it_is_well_while_the_database_answers(place: Place) -> None:
    stranger = place.device()
    well = stranger.answer("GET", "/api/health")
    assert (well.status_code, well.content) == (204, b"")

    def away(*_: Any) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    sa.event.listen(place.services.event_store._engine, "before_cursor_execute", away)
    assert stranger.answer("GET", "/api/health").status_code == 503
