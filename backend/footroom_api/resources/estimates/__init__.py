"""The resource ``estimates``: its operations, and what it takes and answers."""
