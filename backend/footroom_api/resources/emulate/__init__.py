"""The resource ``emulate``: its operations, and what it takes and answers."""
