"""Seats get tokens for programs; of every token only a hash is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """No program has a token yet."""
    op.create_table(
        "program_token",
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("may", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("expires", sa.Text(), nullable=False),
        sa.Column("used", sa.Text(), nullable=False),
        sa.Column("revoked", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_program_token")),
    )
    op.create_index(op.f("ix_program_token_game"), "program_token", ["game"])
    op.create_index(op.f("ix_program_token_seat"), "program_token", ["seat"])
