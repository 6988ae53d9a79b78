"""The resource ``scale``: its operations, and what it takes and answers."""
