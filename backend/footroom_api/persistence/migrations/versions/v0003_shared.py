"""Who asked for a study, its tags, when a run was last used, and claims of several servers."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Columns are added and dropped in place: a table that is copied would take with it what refers to it.
    op.add_column("study", sa.Column("client", sa.String(64), nullable=False, server_default=""))
    op.create_index("ix_study_client", "study", ["client"])
    op.create_table(
        "tag",
        sa.Column("study", sa.String(64), sa.ForeignKey("study.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("tag", sa.String(40), primary_key=True),
    )
    op.create_index("ix_tag_tag", "tag", ["tag"])
    op.add_column("result", sa.Column("used", sa.Date(), nullable=False, server_default="1970-01-01"))
    op.execute("UPDATE result SET used = date(created)")
    op.create_index("ix_result_used", "result", ["used"])
    op.create_table(
        "claim",
        sa.Column("key", sa.String(80), primary_key=True),
        sa.Column("owner", sa.Integer(), nullable=False),
        sa.Column("study", sa.String(64), nullable=False),
        sa.Column("refusal", sa.LargeBinary(), nullable=True),
    )
    op.create_index("ix_claim_owner", "claim", ["owner"])
    op.create_index("ix_claim_study", "claim", ["study"])


def downgrade() -> None:
    op.drop_table("claim")
    op.drop_index("ix_result_used", "result")
    op.drop_column("result", "used")
    op.drop_table("tag")
    op.drop_index("ix_study_client", "study")
    op.drop_column("study", "client")
