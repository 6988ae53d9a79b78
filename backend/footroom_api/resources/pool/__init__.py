"""The resource ``pool``: its operations, and what it takes and answers."""
