"""The resource ``memory``: its operations, and what it takes and answers."""
