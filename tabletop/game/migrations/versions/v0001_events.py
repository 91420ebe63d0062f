"""The first form: a number, a time, a kind and a body. A file that has this table already is taken as it is."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the table of events if it is missing."""
    if sa.inspect(op.get_bind()).has_table("event"):
        return
    op.create_table(
        "event",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game", "seq", name=op.f("pk_event")),
    )
