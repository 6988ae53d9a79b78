"""The resource ``ecn``: its operations, and what it takes and answers."""
