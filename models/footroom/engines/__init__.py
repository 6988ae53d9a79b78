"""Engines, which compute a result from a scenario: closed forms, fluids, packets, and fluid and packets in one run."""
