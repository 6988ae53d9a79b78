"""What the kernel counted: a queueing discipline's statistics by rtnetlink, TCP's by /proc/net."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator

_GET_QDISC, _DONE, _DUMP_REQUEST = 38, 3, 0x301
_ROOT = 0xFFFFFFFF
_STATISTICS, _BASIC, _QUEUE = 7, 1, 3  # attributes TCA_STATS2, TCA_STATS_BASIC, TCA_STATS_QUEUE
_TCP = {
    "RetransSegs": "retransmissions",
    "TCPTimeouts": "timeouts",
    "TCPLossProbes": "tail_loss_probes",
    "TCPLostRetransmit": "lost_retransmissions",
    "TCPSynRetrans": "setup_repeats",
    "TCPSackRecovery": "recoveries",
    "TCPRenoRecovery": "recoveries",
}


class QueueMeter:
    """Reads the root queueing discipline of one interface in about 20 us, so that it can be sampled."""

    def __init__(self, index: int) -> None:
        self._index = index
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        self._socket.bind((0, 0))

    def read(self) -> dict[str, int]:
        """Bytes, packets and drops since the discipline was made; packets waiting."""
        body = struct.pack("BxxxiIII", 0, self._index, 0, 0, 0)
        self._socket.send(struct.pack("IHHII", 16 + len(body), _GET_QDISC, _DUMP_REQUEST, 1, 0) + body)
        found: dict[str, int] = {}
        while True:
            data = self._socket.recv(1 << 16)
            while data:
                length, kind = struct.unpack_from("IH", data)
                if kind == _DONE:
                    return found
                index, parent = struct.unpack_from("i4xI", data, 20)
                if parent == _ROOT and index == self._index:
                    found.update(_statistics(data[36:length]))
                data = data[(length + 3) & ~3 :]


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    while len(data) >= 4:
        length, kind = struct.unpack_from("HH", data)
        if length < 4:
            return
        yield kind & 0x3FFF, data[4:length]
        data = data[(length + 3) & ~3 :]


def _statistics(data: bytes) -> dict[str, int]:
    found: dict[str, int] = {}
    nested = [inner for kind, value in _attributes(data) if kind == _STATISTICS for inner in _attributes(value)]
    for kind, value in nested:
        if kind == _BASIC:
            found["bytes"], found["packets"] = struct.unpack_from("QI", value)
        elif kind == _QUEUE:
            found["waiting"], found["drops"] = struct.unpack_from("I4xI", value)
    return found


def tcp_counters(text: str) -> dict[str, int]:
    """TCP's counters from the text of /proc/net/snmp and /proc/net/netstat: lines of names, each followed by values."""
    lines = text.splitlines()
    found = dict.fromkeys(_TCP.values(), 0)
    for names, values in zip(lines[::2], lines[1::2], strict=True):
        for name, value in zip(names.split(), values.split(), strict=True):
            if name in _TCP:
                found[_TCP[name]] += int(value)
    return found
