"""Waiting photos get the number of the last event of their table's game."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """For photos that are waiting already it is not known: 0."""
    op.add_column("photo_job", sa.Column("game_seq", sa.Integer(), nullable=False, server_default="0"))
