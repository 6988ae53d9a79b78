"""Method two: the loop gain on the imaginary axis, with exp(-j w tau) exact.

All that is delayed is fed back at once: with M(s) = (s I - A0)^-1 sum A_k exp(-s tau_k) the closed loop is
det(I - M) = 0, and the loop gains are L_i = -mu_i(M), one for each nonzero eigenvalue (characteristic loci; MacFarlane
and Postlethwaite, Int. J. Control 25(1), 1977). Where one delayed signal determines all others, only one eigenvalue is
not zero, and L is the scalar loop gain of textbooks, cut at that signal: for DCQCN at the delayed rate, for which the
delayed queue is N R_d/s; for Reno at the delayed window; for TIMELY at the delayed queue.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from footroom.engines.fluid.linear import Complex, Linear, Matrix, Stack, Truths, stack_of

#: An eigenvalue this much smaller than the largest counts as 0.
_NONE = 1e-7
_BLOCK = 8192


def fed_back(stack: Stack, s: Complex) -> Complex:
    """M(s) restricted to the states whose past counts; all its other eigenvalues are 0.

    s: (systems, points), per unit of time of each system; the answer has two axes more.
    """
    columns = list(stack.columns)
    fade = np.exp(-s[..., None] * stack.delays[:, None, :])
    past = np.einsum("bpk,bkic->bpic", fade, stack.delayed[:, :, :, columns])
    answer = np.linalg.solve(s[..., None, None] * np.eye(stack.size) - stack.present[:, None], past)
    return np.asarray(answer[:, :, columns, :], complex)


def loci(stack: Stack, s: Complex, *, scalar: bool) -> Complex:
    """Loop gains, largest first: (systems, points, 1) when scalar, else (systems, points, loci)."""
    fed = fed_back(stack, s)
    if scalar:
        return np.asarray(-np.trace(fed, axis1=2, axis2=3)[..., None], complex)
    values = np.asarray(-np.linalg.eigvals(fed), complex)
    return np.take_along_axis(values, np.argsort(-np.abs(values), axis=-1), axis=-1)


def scalars(stack: Stack) -> Truths:
    """In which systems a single delayed signal determines all others; (systems,) truth values."""
    if len(stack.columns) < 2:
        return np.ones(len(stack), bool)
    radius = stack.reach(np.zeros(len(stack)))
    # Points off the axis, where nothing special happens.
    probes = radius[:, None] * np.array([0.31 + 0.17j, 0.05 + 1.3j, 1.7 + 0.6j, 0.011 + 0.023j])
    moduli = np.abs(loci(stack, np.asarray(probes, complex), scalar=False))
    return np.asarray((moduli[..., 1] <= _NONE * moduli[..., 0]).all(axis=1))


@dataclass(frozen=True)
class Loop:
    """The loop gains of one system. scalar: one signal determines all others, so that there is one loop gain."""

    stack: Stack
    scalar: bool

    @classmethod
    def of(cls, system: Linear) -> Loop:
        """Cut the loop of ``system`` where it is delayed."""
        stack = stack_of([system])
        return cls(stack, bool(scalars(stack)[0]))

    @property
    def fastest(self) -> float:
        """Radius in rad/s beyond which every loop gain is below 1 in modulus."""
        return float(self.stack.reach(np.zeros(1))[0] / self.stack.unit[0])

    def gains(self, frequencies: Matrix) -> Complex:
        """Loop gains at frequencies in rad/s: (frequencies, 1) if scalar, else (frequencies, loci), largest first."""
        s = np.asarray(1j * np.asarray(frequencies, float) * self.stack.unit[0], complex)
        return np.concatenate(
            [
                loci(self.stack, block[None, :], scalar=self.scalar)[0]
                for block in np.array_split(s, 1 + s.size // _BLOCK)
            ]
        )
