"""The migrations of a store's tables: one step a file in ``versions``, run by Alembic.

A step is never edited once it was released; a change of the tables is a new file, and ``HEAD`` names the newest.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection

HEAD = "0010"
"""The newest step, so that a store that has it need not load Alembic."""

NAMING = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ix": "ix_%(table_name)s_%(column_0_name)s",
}
"""The names of keys and indexes, so that later steps can speak of them."""

_ONE_AT_A_TIME = Lock()
"""Alembic's steps run on one database at a time."""


def upgrade(connection: Connection, current: str | None) -> None:
    """Carry out every step after ``current`` (``None``: all), in the transaction that the connection is in."""
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(Path(__file__).parent)
    steps = list(scripts.iterate_revisions(HEAD, current or "base"))
    with _ONE_AT_A_TIME, _quiet():
        context = MigrationContext.configure(connection)
        with Operations.context(context):
            for step in reversed(steps):
                step.module.upgrade()
        context.stamp(scripts, HEAD)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Alembic, which logs its steps at level INFO."""
    logger = logging.getLogger("alembic")
    before = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(before)
