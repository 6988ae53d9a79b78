"""Long flows without global synchronisation: every flow has its own window, and losses hit flows at random.

The averaged equations (``bottleneck``) give all flows of a group one window, so all of them cut together whenever the
buffer is full. Misra, Gong and Towsley (SIGCOMM 2000) start from one stochastic equation per flow, driven by its own
losses, and average over them. Here they are not averaged:

* Window i grows by its law, W_i' = g_i(W_i, R_i), with R_i = T_i + q/C.
* Packets in the network, n_i, are the window less what was lost of it. They are clocked by acknowledgements, so the
  queue is the one at which flows send what the link carries: sum n_i / (T_i + q/C) + background = C, q >= 0.
* When that queue exceeds the buffer, the excess is dropped, packet by packet. Each packet belongs to flow i with
  probability x_i / sum x, x_i = n_i / R_i. A packet is dropped once: n_i falls by one.
* Bursts of flows that do not pace, over different round trips, lose more with each cut, and a part of each window waits
  at the receiver: factors on the drop rate (``burst_losses``).
* A flow learns of its loss one round trip later and is cut by its law, at most once per round trip. In the following
  round trip (recovery) it does not grow, and n_i moves linearly to the new window, as PRR does (RFC 9937).
* Under a marking with probability p of the queue or its average, flow i meets marks as a Poisson process of rate x_i p
  while the queue is not empty, or loses those packets where its host knows no ECN. A mark cuts it as a loss does, at
  most once per round trip; the window holds at once: nothing is sent until n_i has come down to it (RFC 3168).
* A flow that has lost everything it had in the network waits for its timeout and starts again in slow start.

Sources: Misra, Gong, Towsley, SIGCOMM 2000, eq. 1-3 (losses as point processes per flow); Tang, Jacobsson, Andrew, Low,
"An accurate link model and its application to stability analysis of FAST TCP", INFOCOM 2007 (queue from packets in
flight); RFC 6675 and RFC 9937 (one cut per round trip, recovery).

Holds for drop-tail, RED and step, long flows, loss-based controls. Leaves out what bursts do to the queue: where
buffers are so small that one burst fills them, packets lose far more. See ``validity`` and ``marked_validity``.
"""

from footroom.engines.fluid.per_flow.answer import evaluate, follows

__all__ = ["evaluate", "follows"]
