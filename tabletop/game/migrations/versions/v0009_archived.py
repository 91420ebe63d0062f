"""Games can be archived: a row for each archived one."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """No game is archived yet."""
    op.create_table(
        "archived",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game", name=op.f("pk_archived")),
    )
