"""The tables of a store, as the newest migration leaves them."""

from __future__ import annotations

import sqlalchemy as sa

from tabletop.game.migrations import NAMING

METADATA = sa.MetaData(naming_convention=NAMING)

GAME = sa.Table(
    "game",
    METADATA,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("rules", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("turn_of_use", sa.Integer, nullable=False, server_default="0"),
)
EVENT = sa.Table(
    "event",
    METADATA,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("group_seq", sa.Integer, nullable=False),
    sa.Column("photo", sa.Text, nullable=False),
)
ARCHIVED = sa.Table(
    "archived",
    METADATA,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
)
"""The games that were archived, and when."""
SUMMARY = sa.Table(
    "summary",
    METADATA,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("turn", sa.Integer),
    sa.Column("to_act", sa.Text),
    sa.Column("over", sa.Boolean, nullable=False),
)
"""The summary of a game in lists; valid while ``seq`` is the game's last event."""
INVITATION = sa.Table(
    "invitation",
    METADATA,
    sa.Column("invitation", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False, index=True),
    sa.Column("seat", sa.Text, nullable=False),
    sa.Column("roles", sa.Text, nullable=False),
    sa.Column("token_hash", sa.Text, nullable=False),
    sa.Column("code_hash", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("expires", sa.Text, nullable=False),
    sa.Column("code_expires", sa.Text, nullable=False),
    sa.Column("used", sa.Text, nullable=False),
)
"""Invitations, open and used (``used``: when, else empty); ``seat`` is an existing seat, or empty."""
SEAT = sa.Table(
    "seat",
    METADATA,
    sa.Column("seat", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False, index=True),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("roles", sa.Text, nullable=False),
    sa.Column("secret_hash", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("seen", sa.Text, nullable=False),
    sa.Column("revoked", sa.Text, nullable=False),
)
"""The seats of a game; ``revoked``: when the seat was revoked, else empty."""
PROGRAM_TOKEN = sa.Table(
    "program_token",
    METADATA,
    sa.Column("token", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False, index=True),
    sa.Column("seat", sa.Text, nullable=False, index=True),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("may", sa.Text, nullable=False),
    sa.Column("token_hash", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("expires", sa.Text, nullable=False),
    sa.Column("used", sa.Text, nullable=False),
    sa.Column("revoked", sa.Text, nullable=False),
)
"""The tokens of programs, each for one game and one seat; ``used``: when last, ``revoked``: when revoked, else empty.
``token`` is its public name."""
PHOTO_JOB = sa.Table(
    "photo_job",
    METADATA,
    sa.Column("job", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False, index=True),
    sa.Column("sha256", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("asked_by", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, index=True),
    sa.Column("stage", sa.Text, nullable=False),
    sa.Column("fraction", sa.Float, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("worker", sa.Text, nullable=False),
    sa.Column("beat", sa.Integer, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("game_seq", sa.Integer, nullable=False, server_default="0"),
)
"""A photo of a table (``game``) to read: its progress and its worker; ``beat`` increases as long as that worker is
alive. ``game_seq`` is the last event of the table's game when the photo was taken in."""
LESSON = sa.Table(
    "lesson",
    METADATA,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("sha256", sa.Text, primary_key=True),
    sa.Column("said", sa.Text, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("state", sa.Text, nullable=False, index=True),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("worker", sa.Text, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("changed", sa.Text, nullable=False),
)
"""A settled photo of a table (``game``) to learn from, waiting or done: its contents (``said``, a hash) as of the
table's event ``seq``, and its worker."""
