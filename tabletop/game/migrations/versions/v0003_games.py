"""Games get a table: their rules, a title, when they began, which was used last."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """All games until now are tables of the server."""
    op.create_table(
        "game",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("turn_of_use", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("game", name=op.f("pk_game")),
    )
    game = sa.table("game", *(sa.column(name) for name in ("game", "rules", "version", "title", "created")))
    event = sa.table("event", sa.column("game"), sa.column("at"))
    old = sa.select(event.c.game, sa.literal("table"), sa.literal(1), sa.literal(""), sa.func.min(event.c.at)).group_by(
        event.c.game
    )
    op.execute(game.insert().from_select(["game", "rules", "version", "title", "created"], old))
