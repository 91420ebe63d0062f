"""Events get an id, an actor, the action that led to them, its group and a photo."""

import sqlalchemy as sa
from alembic import op

from tabletop.game.migrations import NAMING

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Old events: the id is made of game and number, each is a group of its own, nobody signed them."""
    with op.batch_alter_table("event", naming_convention=NAMING) as batch:
        batch.add_column(sa.Column("id", sa.Text(), nullable=True))
        batch.add_column(sa.Column("actor", sa.Text(), nullable=False, server_default=""))
        batch.add_column(sa.Column("action", sa.Text(), nullable=False, server_default=""))
        batch.add_column(sa.Column("group_seq", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("photo", sa.Text(), nullable=False, server_default=""))
    event = sa.table("event", sa.column("game", sa.Text), sa.column("seq"), sa.column("id"), sa.column("group_seq"))
    name = event.c.game + "-" + sa.cast(event.c.seq, sa.Text)
    op.execute(event.update().values(id=name, group_seq=event.c.seq))
    with op.batch_alter_table("event", naming_convention=NAMING) as batch:
        batch.alter_column("id", existing_type=sa.Text(), nullable=False)
        batch.alter_column("group_seq", existing_type=sa.Integer(), nullable=False)
        batch.create_unique_constraint(op.f("uq_event_id"), ["id"])
