"""One transfer over a path whose round trip and loss are given: throughput and completion time in closed form."""
