"""Fluid engine: delay-differential models of congestion control, batched over a sweep, answering in milliseconds."""
