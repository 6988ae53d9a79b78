"""The resource ``asics``: its operations, and what it takes and answers."""
