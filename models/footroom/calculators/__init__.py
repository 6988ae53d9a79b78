"""Answers that need no simulation of traffic: headroom, pool, marking thresholds, stability, export."""
