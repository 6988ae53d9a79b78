"""Stability of congestion control at its fixed point: two independent methods, margins, critical values and maps."""
