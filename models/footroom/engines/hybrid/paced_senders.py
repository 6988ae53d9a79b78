"""Senders paced by a rate, as fluid: the rate of each law, driven by notifications, timers and bytes sent.

Every flow has the state of its law, and the law is that of the packets: its hooks are called when a notification comes,
when its timer is due, and for the bytes sent since. In between a flow is a rate. So increases by timer and byte counter
come when they would come with packets, and flows are notified at different times.
"""

from __future__ import annotations

from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.hybrid import paced_layout as layout
from footroom.engines.hybrid.paced_hosts import account, send_at
from footroom.kernel.calls import call_law
from footroom.kernel.flow_tables import FLOW
from footroom.kernel.tables import NEVER

_FLOW_SIZE = FLOW.itemsize
PICO = layout.PICO


@helper
def put(at: int, i: int, what: int, clock: Any, ring: Any, slots: Any) -> None:
    """Schedule ``what`` for flow i in ``at`` steps, or at the end of the ring if that is earlier."""
    k = int(clock[layout.FREE])
    clock[layout.FREE] = ring[k, 2]
    slot = (int(clock[layout.COUNT]) + min(max(at, 1), len(slots) - 1)) % len(slots)
    ring[k, 0], ring[k, 1], ring[k, 2] = i, what, slots[slot]
    slots[slot] = k


@helper
def _call(t: Any, which: int, i: int, at: int, size: int, laws: Any, addresses: Any, rows: Any) -> None:
    """Call the hook ``which`` of flow i's law, as of ``at`` [ps], with ``size`` bytes sent."""
    if laws[i, which] == 0:
        return
    r = t.report[0]
    r.now, r.bytes, r.resumed = at, size, 0
    call_law(
        laws[i, which],
        addresses[layout.FLOW_BASE] + i * _FLOW_SIZE,
        rows[i].scratch,
        laws[i, layout.PARAMS],
        addresses[layout.REPORT_BASE],
    )


@helper
def _follow(
    i: int, now: float, clock: Any, flows: Any, hosts: Any, routes: Any, rows: Any, ring: Any, slots: Any
) -> None:
    """Set flow i's rate from its law, and schedule the law's timer."""
    rate, h = rows[i].rate / 8.0, int(flows[i, layout.HOST])
    if rate != flows[i, layout.RATE]:
        hosts[h, layout.SUM] += rate - flows[i, layout.RATE]
        flows[i, layout.RATE] = rate
        hosts[h, layout.CHANGED] = 1.0
        if hosts[h, layout.PORT] < 0.0:
            send_at(i, rate, now, flows, routes)
    if rows[i].law_at < NEVER and flows[i, layout.TIMED] == 0.0:
        flows[i, layout.TIMED] = 1.0
        put(int((float(rows[i].law_at) / PICO - now) / clock[layout.STEP] + 0.5), i, layout.TIMER, clock, ring, slots)


@helper
def _tell_sent(t: Any, i: int, now: float, flows: Any, laws: Any, addresses: Any, rows: Any) -> None:
    """Tell flow i's law of the bytes that it has sent since."""
    account(i, now, flows)
    size = int(flows[i, layout.SENT] - flows[i, layout.TOLD])
    if size > 0:
        flows[i, layout.TOLD] += size
        _call(t, layout.ON_SENT, i, t.state[0].now, size, laws, addresses, rows)


@helper
def happen(
    t: Any,
    now: float,
    clock: Any,
    flows: Any,
    hosts: Any,
    routes: Any,
    ring: Any,
    slots: Any,
    laws: Any,
    addresses: Any,
    rows: Any,
) -> None:
    """What is due at this step: flows that start, notifications, timers."""
    i = int(clock[layout.STARTED])
    while i < len(flows) and flows[i, layout.START] <= now:
        flows[i, layout.ACCOUNTED] = now
        _call(t, layout.ON_START, i, t.state[0].now, 0, laws, addresses, rows)
        _follow(i, now, clock, flows, hosts, routes, rows, ring, slots)
        i += 1
    clock[layout.STARTED] = i
    slot = int(clock[layout.COUNT]) % len(slots)
    k = slots[slot]
    slots[slot] = -1
    # The nearest step: taking always the next one would make every timer half a step longer.
    nearest = (now + 0.5 * clock[layout.STEP]) * PICO
    while k >= 0:
        i, what, following = ring[k, 0], ring[k, 1], ring[k, 2]
        ring[k, 2] = int(clock[layout.FREE])
        clock[layout.FREE] = k
        if what == layout.NOTICE:
            _tell_sent(t, i, now, flows, laws, addresses, rows)
            _call(t, layout.ON_NOTICE, i, t.state[0].now, 0, laws, addresses, rows)
        else:
            flows[i, layout.TIMED] = 0.0
            if float(rows[i].law_at) <= nearest:
                due = rows[i].law_at
                rows[i].law_at = NEVER
                _tell_sent(t, i, now, flows, laws, addresses, rows)
                _call(t, layout.ON_TIMER, i, due, 0, laws, addresses, rows)
        _follow(i, now, clock, flows, hosts, routes, rows, ring, slots)
        k = following
