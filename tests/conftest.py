"""What all tests share."""

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# The same examples on every run and every machine, and no verdict that depends on how fast the machine is.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")

# Hypothesis strews in constants of whichever modules have been imported by then, and that depends on the tests that ran
# before in the same process: with several of them, on chance.
providers._get_local_constants = lambda: providers._local_constants
