"""Games may be put away: a row for each one that is archived."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """None is archived yet."""
    op.create_table(
        "archived",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game", name=op.f("pk_archived")),
    )
