"""The resource ``what_if``: its operations, and what it takes and answers."""
