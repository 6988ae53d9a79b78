"""The resource ``headroom``: its operations, and what it takes and answers."""
