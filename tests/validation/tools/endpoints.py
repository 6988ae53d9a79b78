"""The processes of the measurement: one that sends, one that reads, one that holds acknowledgements back."""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import random
import select
import signal
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

SINK = ("10.77.2.1", 5001)
_SET_INTERFACE, _TUN_WITHOUT_HEADER = 0x400454CA, 0x1001
_NETWORK_NAMESPACE = 0x40000000


def enter(namespace: str) -> None:
    """Move this process into a named network namespace."""
    handle = os.open(f"/var/run/netns/{namespace}", os.O_RDONLY)
    if ctypes.CDLL(None, use_errno=True).setns(handle, _NETWORK_NAMESPACE):
        raise OSError(ctypes.get_errno(), f"cannot enter namespace {namespace}")
    os.close(handle)


def child(work: Callable[[], None], limit: float) -> int:
    """Run ``work`` in a process of its own that an alarm ends after ``limit`` seconds. Returns its id."""
    pid = os.fork()
    if pid:
        return pid
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(limit) + 1)
    code = 1
    try:
        work()
        code = 0
    except (OSError, KeyboardInterrupt) as error:
        sys.stderr.write(f"{error!r}\n")
    finally:
        os._exit(code)  # never back into the caller's code, whatever happened


def _tun(name: str) -> int:
    handle = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(handle, _SET_INTERFACE, struct.pack("16sH22x", name.encode(), _TUN_WITHOUT_HEADER))
    return handle


def hold_back(receiver: str, sender: str, delay: float, lasting: float, report: Path) -> None:
    """Carry every packet from the receiver's tun to the sender's ``delay`` seconds after it came.

    Writes the worst lateness in seconds to ``report``: the measure of whether the machine kept up.
    """
    enter(receiver)
    source = _tun("back")
    enter(sender)
    target = _tun("home")
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    line: deque[tuple[float, bytes]] = deque()
    count, late, latest = 0, 0.0, 0.0
    stop = time.monotonic() + lasting
    while (now := time.monotonic()) < stop:
        due = line[0][0] if line else now + 0.1
        ready, _, _ = select.select([source], [], [], max(0.0, due - now))
        now = time.monotonic()
        while ready:
            try:
                line.append((now + delay, os.read(source, 2048)))
            except BlockingIOError:
                break
        while line and line[0][0] <= now:
            when, packet = line.popleft()
            count += 1
            late += now - when
            latest = max(latest, now - when)
            os.write(target, packet)
    report.write_text(json.dumps({"mean": late / max(count, 1), "latest": latest}))


def read_all(receiver: str, lasting: float) -> None:
    """Accept connections and read them as fast as they come."""
    enter(receiver)
    server = socket.create_server(SINK, backlog=1024)
    server.setblocking(False)
    poll = select.epoll()
    poll.register(server.fileno(), select.EPOLLIN)
    peers: dict[int, socket.socket] = {}
    waste = bytearray(1 << 20)
    stop = time.monotonic() + lasting
    while time.monotonic() < stop:
        for handle, _ in poll.poll(0.2):
            if handle == server.fileno():
                peer, _ = server.accept()
                peer.setblocking(False)
                peers[peer.fileno()] = peer
                poll.register(peer.fileno(), select.EPOLLIN)
            else:
                peers[handle].recv_into(waste)


def send_always(sender: str, flows: int, law: str, jitter: float, seed: int, lasting: float) -> None:
    """``flows`` connections that always have data to send, started at random within ``jitter`` seconds."""
    enter(sender)
    draw = random.Random(seed)
    begin = time.monotonic()
    starts = sorted(begin + draw.random() * jitter for _ in range(flows))
    data = bytes(1 << 16)
    poll = select.epoll()
    connections: dict[int, socket.socket] = {}
    while (now := time.monotonic()) < begin + lasting:
        while starts and starts[0] <= now:
            starts.pop(0)
            connection = socket.socket()
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, law.encode())
            connection.connect_ex(SINK)
            connections[connection.fileno()] = connection
            poll.register(connection.fileno(), select.EPOLLOUT)
        wait = min(0.2, max(0.0, starts[0] - now)) if starts else 0.2
        for handle, event in poll.poll(wait):
            if event & ~select.EPOLLOUT:
                raise OSError(f"a connection failed: {event}")
            try:
                connections[handle].send(data)
            except BlockingIOError:
                continue
