"""The resource ``results``: its operations, and what it takes and answers."""
