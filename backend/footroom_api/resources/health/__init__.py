"""The resource ``health``: its operations, and what it takes and answers."""
