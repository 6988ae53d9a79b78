"""The resource ``questions``: its operations, and what it takes and answers."""
