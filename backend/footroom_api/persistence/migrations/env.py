"""How Alembic reaches the database: through the connection handed over by ``open_database``."""

from alembic import context

from footroom_api.persistence.tables import Base

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
