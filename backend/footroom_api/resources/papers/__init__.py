"""The resource ``papers``: its operations, and what it takes and answers."""
