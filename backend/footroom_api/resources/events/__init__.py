"""The resource ``events``: its operations, and what it takes and answers."""
