"""The resource ``stability``: its operations, and what it takes and answers."""
