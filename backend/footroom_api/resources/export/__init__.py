"""The resource ``export``: its operations, and what it takes and answers."""
