"""Photos that are to be read know how far the game of their table had gone."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Of photos that wait already, that is not known: 0."""
    op.add_column("photo_job", sa.Column("game_seq", sa.Integer(), nullable=False, server_default="0"))
