"""The resource ``files``: its operations, and what it takes and answers."""
