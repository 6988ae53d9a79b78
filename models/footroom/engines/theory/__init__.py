"""Closed forms: sizing rules, loss and throughput formulas, completion times.

One module per subject, plain floats in and out; :mod:`.rules` returns the sizing rules as explanations
that can be checked by hand, :mod:`footroom.engines.theory.engine` answers a whole scenario.
"""
