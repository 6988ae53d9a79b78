"""The resource ``catalog``: its operations, and what it takes and answers."""
