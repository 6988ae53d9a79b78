"""The target ``nxos``: a fragment of Cisco NX-OS for the Nexus 9000."""

from __future__ import annotations

from footroom.calculators.export.answer import Written
from footroom.calculators.export.configuration import Configuration, PriorityGroup
from footroom.calculators.export.vendors import NOT_VALIDATED, fair_threshold, head, kinds, percent, ranges, warn_all

_GUIDE = (
    "https://www.cisco.com/c/en/us/td/docs/dcn/nx-os/nexus9000/105x/configuration/qos/"
    "cisco-nexus-9000-series-nx-os-quality-of-service-configuration-guide-105x/"
)
_SOURCES = (
    f"{_GUIDE}m-configuring-priority-flow-control.html (network-qos, pause buffer-size, priority-flow-control)",
    f"{_GUIDE}m-configuring-queuing-and-scheduling.html (queuing, random-detect)",
)
_NAME = "nxos.txt"


def nxos(configuration: Configuration) -> Written:
    """Classes, no-drop policy, pause thresholds, WRED with ECN and the interfaces they go on."""
    c = configuration
    notes = [
        "interfaces are counted from Ethernet1/1; replace them by the real ones",
        "a kbyte is taken as 1000 B",
        "lossless traffic is classified by a DSCP equal to its priority; change match dscp to what hosts send",
        "alpha is not set here: lossy queues keep the platform's own queue-limit",
    ]
    if c.lossless:
        notes.append(
            f"a pause threshold is fixed on this switch: {fair_threshold(c)} B, what every lossless priority "
            "group holds when all of them are at their dynamic threshold"
        )
    if c.pooled:
        notes.append("headroom is not pooled here: each priority group gets its own")
    if 0 in c.lossless:
        notes.append("priority 0 is the default queue, which cannot be no-drop: it is left out")
    lossless = [priority for priority in c.lossless if priority]
    lines = head("!", "Cisco NX-OS", c, _SOURCES, notes)
    lines += [
        line
        for priority in lossless
        for line in (f"class-map type qos match-any FOOTROOM-{priority}", f"  match dscp {priority}")
    ]
    lines += [
        "policy-map type qos FOOTROOM-CLASSIFY",
        *(line for priority in lossless for line in (f"  class FOOTROOM-{priority}", f"    set qos-group {priority}")),
    ]
    lines += ["  class class-default", "    set qos-group 0", "policy-map type network-qos FOOTROOM-NETWORK"]
    for priority in lossless:
        lines += [f"  class type network-qos c-8q-nq{priority}", "    mtu 9216", f"    pause pfc-cos {priority}"]
    lines += ["  class type network-qos c-8q-nq-default", "    mtu 9216"]
    if lossless:
        for (speed, cable), group in c.groups.items():
            lines += [
                f"policy-map type queuing {_input(speed, cable)}",
                *(
                    line
                    for priority in lossless
                    for line in (f"  class type queuing c-in-q{priority}", f"    {_pause(c, group)}")
                ),
            ]
    lines += [
        "policy-map type queuing FOOTROOM-OUT",
        *_output(c, lossless),
        "system qos",
        "  service-policy type network-qos FOOTROOM-NETWORK",
        "  service-policy type queuing output FOOTROOM-OUT",
    ]
    for (speed, cable), places in kinds(c).items():
        lines += [
            f"interface {ranges(places, 'Ethernet1/')}",
            "  mtu 9216",
            "  service-policy type qos input FOOTROOM-CLASSIFY",
        ]
        if lossless:
            lines += ["  priority-flow-control mode on", f"  service-policy type queuing input {_input(speed, cable)}"]
    warn_all(c, "NX-OS", notes)
    return Written({_NAME: "\n".join(lines) + "\n"}, {"schema": NOT_VALIDATED})


def _input(speed: int, cable: int) -> str:
    return f"FOOTROOM-IN-{speed / 1000:g}G-{cable}M"


def _pause(c: Configuration, group: PriorityGroup) -> str:
    """Buffer of a priority group: the threshold at which it pauses, and its headroom above."""
    threshold = fair_threshold(c) + group.reserved
    resume = min(threshold, max(group.xon, threshold - group.xon_offset))
    return f"pause buffer-size {threshold + group.xoff} pause-threshold {threshold} resume-threshold {resume}"


def _output(c: Configuration, lossless: list[int]) -> list[str]:
    """Eight queues with shares of the remaining bandwidth that add up to 100."""
    lines = []
    for queue in range(7, -1, -1):
        share = 12 if queue else 100 - 7 * 12
        lines += [
            f"  class type queuing c-out-8q-q{queue or '-default'}",
            f"    priority level {min(queue, 7)}"
            if c.strict and queue
            else f"    bandwidth remaining percent {100 if c.strict else share}",
        ]
        if c.ecn is not None and (queue in lossless or not lossless):
            lines.append(
                f"    random-detect minimum-threshold {max(1, round(c.ecn.kmin / 1000))} kbytes "
                f"maximum-threshold {max(1, round(c.ecn.kmax / 1000))} kbytes "
                f"drop-probability {percent(c.ecn.pmax)} weight 0 ecn"
            )
    return lines
