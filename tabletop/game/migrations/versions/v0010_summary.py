"""The summaries for a list of games: a row for each one, as of the event ``seq``."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """No summary is known yet: a row is written with the game's next event, or when a list first shows the game."""
    op.create_table(
        "summary",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("to_act", sa.Text(), nullable=True),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("game", name=op.f("pk_summary")),
    )
