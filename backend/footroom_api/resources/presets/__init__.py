"""The resource ``presets``: its operations, and what it takes and answers."""
