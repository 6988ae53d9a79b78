"""The resource ``controls``: its operations, and what it takes and answers."""
