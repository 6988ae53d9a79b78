"""Time at a port that fluid passes: what was sent and lost since, and when packets behind fluid may be sent.

A pause stops fluid as it stops packets, but at once: a packet of fluid that is being sent is not finished. The time for
which a port was paused is added up in its row, and what waits behind fluid holds the time at which it may be sent
without these pauses, so that each of them moves it by its own length. A pause frame goes ahead of all that waits, which
it moves by the time that it takes.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.features import coupled, lossless, pausable
from footroom.engines.packet.tables import FRAMES, u


@helper
def pass_time(t, p, x, now):
    """Bring fluid row x of port p to ``now``: what has arrived, was lost and has been sent since."""
    left = float(now - x.at)
    if left <= 0.0:
        return
    since = x.at
    x.at = now
    speed = 65536.0 / float(p.rate)
    work, accepted, arrived = x.work, 0.0, x.rate * left
    if lossless(t) and p.paused & 1:
        # Only what was begun before, and pause frames.
        accepted = arrived
        work = max(0.0, work + arrived - speed * float(max(0, min(now, p.busy_until) - since)))
    else:
        top, net = x.limit + x.packet + x.late, x.rate - speed
        if work > top and (net >= 0.0 or work > top + (x.burst + 1.0) * x.packet):
            falls = min(left, (work - top) / speed)
            work -= speed * falls
            left -= falls
        if left > 0.0:
            if net > 0.0:
                grows = min(left, max(0.0, top - work) / net)
                accepted = x.rate * grows + speed * (left - grows)
                work += net * grows
            else:
                accepted = x.rate * left
                work = max(0.0, work + net * left)
    x.offered += arrived
    x.lost += arrived - accepted
    sending = max(0.0, float(p.busy_until - now)) * speed
    inside = max(0.0, work - x.waiting - sending)
    gone, before = accepted + x.inside - inside, x.sent
    x.sent += gone
    # The rounding error of ``sent``, a sum over the whole run, is carried over: it would add up to packets.
    x.inside = inside + (gone - (x.sent - before))
    x.work = work


@helper
def stood(t, x, now):
    """For how long [ps] the port of fluid row x has been paused up to now."""
    if not lossless(t):
        return 0
    return x.stood + (now - x.stood_at if x.stood_at >= 0 else 0)


@helper
def hold(p, x, now):
    """The pauses of port p have changed: fluid row x stands still, or goes on."""
    if p.paused & 1:
        if x.stood_at < 0:
            x.stood_at = now
    elif x.stood_at >= 0:
        x.stood += now - x.stood_at
        x.stood_at = -1


@helper
def let_pass(p, x, size):
    """A pause frame of ``size`` bytes is sent ahead of what waits at port p, which is brought up to now."""
    x.work += float(size)
    if x.stood_at < 0:
        x.stood += (size * p.rate) >> 16


@helper
def frame_turn(t, p, now):
    """When port p may send a pause frame: when what is being sent has left, of fluid half a packet in the mean."""
    if not pausable(t, p) or p.busy_until > now or p.paused & 1:
        return max(now, p.busy_until)
    x = t.fluids[u(p.fluid)]
    pass_time(t, p, x, now)
    time = x.packet * float(p.rate) / 65536.0
    busy = min(1.0, max(x.inside / x.packet, x.rate * float(p.rate) / 65536.0))
    return now + int(0.5 * busy * time)


@helper
def next_turn(t, p):
    """When port p, which may send, sends the next packet: when it is idle, and the fluid before it has left."""
    if not coupled(t) or p.fluid < 0:
        return p.busy_until
    if not lossless(t):
        return max(p.busy_until, t.packets[u(t.queues[u(p.queue)].head)].time)
    if p.eligible >= FRAMES:
        return p.busy_until
    return max(p.busy_until, t.packets[u(t.queues[u(p.queue)].head)].time + t.fluids[u(p.fluid)].stood)
