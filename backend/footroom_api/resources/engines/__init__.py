"""The resource ``engines``: its operations, and what it answers."""
