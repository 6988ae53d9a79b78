"""Method two: the loop gain on the imaginary axis, with exp(-j w tau) exact.

All that is delayed is fed back at once: with M(s) = (s I - A0)^-1 sum A_k exp(-s tau_k) the closed loop is
det(I - M) = 0, and the loop gains are L_i = -mu_i(M), one for each nonzero eigenvalue (characteristic loci; MacFarlane
and Postlethwaite, Int. J. Control 25(1), 1977). Where the delayed signals hang together so that one of them tells all
others, only one eigenvalue is not zero, and L is the scalar loop gain of textbooks, cut at that signal: for DCQCN at
the delayed rate, for which the delayed queue is N R_d/s; for Reno at the delayed window; for TIMELY at the delayed
queue.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from footroom.fluid.linear import Complex, Linear, Matrix, Stack, stack_of

#: An eigenvalue this much smaller than the largest is one that is 0.
_NONE = 1e-7
_BLOCK = 8192


@dataclass(frozen=True)
class Loop:
    """The loop gains of one system. scalar: one signal tells all others, so that there is one loop gain."""

    stack: Stack
    scalar: bool

    @classmethod
    def of(cls, system: Linear) -> Loop:
        """Cut the loop of ``system`` where it is delayed."""
        stack = stack_of([system])
        radius = float(stack.reach(np.zeros(1))[0])
        # Points off the axis, where nothing special happens.
        probes = np.asarray(radius * np.array([0.31 + 0.17j, 0.05 + 1.3j, 1.7 + 0.6j, 0.011 + 0.023j]), complex)
        moduli = np.sort(np.abs(loci(_fed_back(stack, probes))), axis=1)
        scalar = moduli.shape[1] < 2 or bool((moduli[:, -2] <= _NONE * moduli[:, -1]).all())
        return cls(stack, scalar)

    @property
    def fastest(self) -> float:
        """Radius in rad/s beyond which every loop gain is below 1 in modulus."""
        return float(self.stack.reach(np.zeros(1))[0] / self.stack.unit[0])

    def gains(self, frequencies: Matrix) -> Complex:
        """Loop gains at frequencies in rad/s: (frequencies, 1) if scalar, else (frequencies, loci), largest first."""
        s = 1j * np.asarray(frequencies, float) * self.stack.unit[0]
        blocks = []
        for block in np.array_split(s, 1 + s.size // _BLOCK):
            fed = _fed_back(self.stack, block)
            if self.scalar:
                blocks.append(-np.trace(fed, axis1=1, axis2=2)[:, None])
            else:
                found = loci(fed)
                blocks.append(np.take_along_axis(found, np.argsort(-np.abs(found), axis=1), axis=1))
        return np.concatenate(blocks)


def loci(fed: Complex) -> Complex:
    """Negative eigenvalues of matrices that feed back."""
    return np.asarray(-np.linalg.eigvals(fed), complex)


def _fed_back(stack: Stack, s: Complex) -> Complex:
    """M restricted to the states whose past counts; the other eigenvalues are 0."""
    columns = list(stack.columns)
    fade = np.exp(-s[:, None] * stack.delays[0])
    past = np.einsum("pk,kic->pic", fade, stack.delayed[0][:, :, columns])
    answer = np.linalg.solve(s[:, None, None] * np.eye(stack.size) - stack.present[0], past)
    value: Complex = answer[:, columns, :]
    return value
