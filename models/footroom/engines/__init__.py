"""What computes a result from a scenario: closed forms, fluids, packets, and both in one run."""
