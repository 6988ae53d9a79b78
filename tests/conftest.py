"""What all tests share."""

from hypothesis import settings

# The same examples on every run and every machine, and no verdict that depends on how fast the machine is.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")
