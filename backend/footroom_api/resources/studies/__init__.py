"""The resource ``studies``: its operations, and what it takes and answers."""
