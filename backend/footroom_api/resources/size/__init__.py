"""The resource ``size``: its operations, and what it takes and answers."""
