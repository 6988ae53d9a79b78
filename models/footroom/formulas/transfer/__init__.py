"""One transfer over a path of given round trip and loss: throughput and completion time in closed form."""
