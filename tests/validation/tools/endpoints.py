"""The processes of the measurement: one that sends, one that reads, one that holds acknowledgements back."""

from __future__ import annotations

import ctypes
import fcntl
import heapq
import json
import os
import random
import select
import signal
import socket
import struct
import sys
import time
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
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))  # other work on the machine is not to delay it
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


def open_tun(namespace: str, name: str) -> int:
    """A tun device of that name in a namespace, which this process does not enter. Returns its handle."""
    mine = os.open("/proc/self/ns/net", os.O_RDONLY)
    enter(namespace)
    try:
        return _tun(name)
    finally:
        if ctypes.CDLL(None, use_errno=True).setns(mine, _NETWORK_NAMESPACE):
            raise OSError(ctypes.get_errno(), "cannot leave the namespace")
        os.close(mine)


def hold_back(receiver: str, sender: str, delay: float, spread: float, lasting: float, report: Path) -> None:
    """Carry every packet from the receiver's tun to the sender's ``delay`` seconds after it came.

    With ``spread`` the delay of a connection is that times 1 - spread to 1 + spread, evenly over its ports: neighbours
    are far apart. Writes the worst lateness in seconds to ``report``: the measure of whether the machine kept up.
    """
    enter(receiver)
    source = _tun("back")
    enter(sender)
    target = _tun("home")
    line: list[tuple[float, int, bytes]] = []  # a heap
    came, count, late, latest = 0, 0, 0.0, 0.0
    stop = time.monotonic() + lasting
    while (now := time.monotonic()) < stop:
        due = line[0][0] if line else now + 0.1
        ready, _, _ = select.select([source], [], [], max(0.0, due - now))
        now = time.monotonic()
        while ready:
            try:
                packet = os.read(source, 2048)
            except BlockingIOError:
                break
            share = 0.618034 * int.from_bytes(packet[22:24]) % 1.0  # the port of the one it goes to
            came += 1
            heapq.heappush(line, (now + delay * (1.0 + spread * (2.0 * share - 1.0)), came, packet))
        while line and line[0][0] <= now:
            when, _, packet = heapq.heappop(line)
            count += 1
            late += now - when
            latest = max(latest, now - when)
            os.write(target, packet)
    report.write_text(json.dumps({"mean": late / max(count, 1), "latest": latest}))


def read_all(receiver: str, size: int, lasting: float) -> None:
    """Accept connections and read them as fast as they come; with ``size``, close each once that many bytes came."""
    enter(receiver)
    server = socket.create_server(SINK, backlog=4096)
    server.setblocking(False)
    poll = select.epoll()
    poll.register(server.fileno(), select.EPOLLIN)
    peers: dict[int, socket.socket] = {}
    left: dict[int, int] = {}
    waste = bytearray(1 << 20)
    stop = time.monotonic() + lasting
    while time.monotonic() < stop:
        for handle, _ in poll.poll(0.2):
            if handle == server.fileno():
                peer, _ = server.accept()
                peer.setblocking(False)
                peers[peer.fileno()] = peer
                left[peer.fileno()] = size
                poll.register(peer.fileno(), select.EPOLLIN)
                continue
            try:
                left[handle] -= peers[handle].recv_into(waste)
            except ConnectionError:
                left[handle] = 0
            if size and left[handle] <= 0:
                poll.unregister(handle)
                peers.pop(handle).close()


def _acknowledged(connection: socket.socket) -> int:
    """Bytes that the other end has acknowledged (tcpi_bytes_acked)."""
    return int(struct.unpack_from("Q", connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 232), 120)[0])


def _connect(law: str) -> socket.socket:
    connection = socket.socket()
    connection.setblocking(False)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, law.encode())
    connection.connect_ex(SINK)
    return connection


def send_always(
    sender: str, laws: list[str], jitter: float, seed: int, lasting: float, window: tuple[float, float], report: Path
) -> None:
    """A connection for every one of ``laws`` that always has data to send, started at random within ``jitter`` seconds.

    Writes what each had acknowledged between the two times of ``window``, in bytes.
    """
    enter(sender)
    draw = random.Random(seed)
    begin = time.monotonic()
    starts = sorted(((begin + draw.random() * jitter, law) for law in laws), reverse=True)
    data = bytes(1 << 16)
    poll = select.epoll()
    connections: dict[int, tuple[socket.socket, str]] = {}
    marks = [begin + window[1], begin + window[0]]
    counts: list[list[int]] = []
    while (now := time.monotonic()) < begin + lasting:
        while starts and starts[-1][0] <= now:
            _, law = starts.pop()
            connection = _connect(law)
            connections[connection.fileno()] = connection, law
            poll.register(connection.fileno(), select.EPOLLOUT)
        if marks and marks[-1] <= now:
            marks.pop()
            counts.append([_acknowledged(connection) for connection, _ in connections.values()])
        wait = min(0.2, max(0.0, starts[-1][0] - now)) if starts else 0.2
        for handle, event in poll.poll(wait):
            if event & ~select.EPOLLOUT:
                raise OSError(f"a connection failed: {event}")
            try:
                connections[handle][0].send(data)
            except BlockingIOError:
                continue
    report.write_text(
        json.dumps(
            [
                {"law": law, "bytes": last - first}
                for (_, law), first, last in zip(connections.values(), *counts, strict=True)
            ]
        )
    )


def send_transfers(sender: str, starts: list[tuple[float, str]], size: int, lasting: float, report: Path) -> None:
    """Transfers of ``size`` bytes, each over a connection of its own, at the times and with the laws of ``starts``.

    Writes for each when it began, after its handshake, and how long it took until the sender knew that all had
    arrived, in seconds; no time for one that did not end.
    """
    enter(sender)
    begin = time.monotonic()
    waiting = sorted(starts, reverse=True)
    data = bytes(size)
    poll = select.epoll()
    open_: dict[int, tuple[socket.socket, list[float]]] = {}  # time asked for, begin, bytes sent
    found: list[dict[str, float | str | None]] = []
    laws: dict[int, str] = {}
    while (now := time.monotonic()) < begin + lasting:
        while waiting and begin + waiting[-1][0] <= now:
            asked, law = waiting.pop()
            connection = _connect(law)
            open_[connection.fileno()] = connection, [asked, 0.0, 0]
            laws[connection.fileno()] = law
            poll.register(connection.fileno(), select.EPOLLOUT | select.EPOLLIN)
        wait = min(0.2, max(0.0, begin + waiting[-1][0] - now)) if waiting else 0.2
        for handle, event in poll.poll(wait):
            connection, state = open_[handle]
            if event & select.EPOLLOUT and state[2] < size:
                state[1] = state[1] or time.monotonic()
                try:
                    state[2] += connection.send(data[int(state[2]) : int(state[2]) + (1 << 18)])
                except BlockingIOError:
                    continue
                if state[2] >= size:
                    poll.modify(handle, select.EPOLLIN)
            elif event & ~select.EPOLLOUT:
                found.append({"law": laws[handle], "start": state[1] - begin, "time": time.monotonic() - state[1]})
                poll.unregister(handle)
                connection.close()
                del open_[handle]
    found += [{"law": laws[handle], "start": state[1] - begin, "time": None} for handle, (_, state) in open_.items()]
    report.write_text(json.dumps(found))
