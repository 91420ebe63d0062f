"""Games get seats, and invitations to them; of every secret only a hash is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """No one is seated or invited yet."""
    op.create_table(
        "invitation",
        sa.Column("invitation", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("roles", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("code_hash", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("expires", sa.Text(), nullable=False),
        sa.Column("code_expires", sa.Text(), nullable=False),
        sa.Column("used", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("invitation", name=op.f("pk_invitation")),
    )
    op.create_index(op.f("ix_invitation_game"), "invitation", ["game"])
    op.create_table(
        "seat",
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("roles", sa.Text(), nullable=False),
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("seen", sa.Text(), nullable=False),
        sa.Column("revoked", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seat", name=op.f("pk_seat")),
    )
    op.create_index(op.f("ix_seat_game"), "seat", ["game"])
