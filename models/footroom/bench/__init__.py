"""Bench: how fast the engines are, on this machine, as rates and as ratios taken in one run.

Rates are delivered data packets per second of processor time of the event loop (set-up and compilation excluded).
Ratios compare two ways of computing the same thing on this machine in this run, so they mean the same anywhere.
"""

from footroom.bench.measure import MEASUREMENTS, measure

__all__ = ["MEASUREMENTS", "measure"]
