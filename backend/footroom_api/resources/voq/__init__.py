"""The resource ``voq``: its operations, and what it takes and answers."""
