"""Events get an id, an actor, the action that led to them, its group and a photo."""

import sqlalchemy as sa
from alembic import op

from tabletop.game.migrations import NAMING

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Old events: the id combines game and number, each forms its own group, and the actor is empty."""
    texts, number = ("id", "actor", "action", "photo"), "group_seq"
    with op.batch_alter_table("event", naming_convention=NAMING) as batch:
        for name in texts:
            batch.add_column(sa.Column(name, sa.Text(), nullable=True))
        batch.add_column(sa.Column(number, sa.Integer(), nullable=True))
    event = sa.table("event", sa.column("game", sa.Text), sa.column("seq"), *map(sa.column, (*texts, number)))
    id_ = event.c.game + "-" + sa.cast(event.c.seq, sa.Text)
    op.execute(event.update().values(id=id_, actor="", action="", photo="", group_seq=event.c.seq))
    with op.batch_alter_table("event", naming_convention=NAMING) as batch:
        for name in texts:
            batch.alter_column(name, existing_type=sa.Text(), nullable=False)
        batch.alter_column(number, existing_type=sa.Integer(), nullable=False)
        batch.create_unique_constraint(op.f("uq_event_id"), ["id"])
