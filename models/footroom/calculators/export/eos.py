"""The target ``eos``: a fragment of Arista EOS for switches with Trident and Tomahawk chips."""

from __future__ import annotations

from footroom.calculators.export.alpha import Powers, round_alpha
from footroom.calculators.export.answer import Written
from footroom.calculators.export.configuration import Configuration, Threshold
from footroom.calculators.export.vendors import NOT_VALIDATED, head, percent, ranges, warn_all

_AVD = "github.com/aristanetworks/avd, roles/eos_cli_config_gen/docs/tables"
_SOURCES = (
    f"{_AVD}/platform.md (platform trident mmu: queue profile, headroom-pool)",
    f"{_AVD}/qos-profiles.md and ethernet-interfaces.md (priority-flow-control, random-detect ecn)",
)
POWERS = Powers(-7, 3, "EOS", f"{_AVD}/platform.md: threshold 1/128 to 8")
_NAME, _PROFILE, _MOST = "eos.txt", "FOOTROOM", 256_000_000


def eos(configuration: Configuration) -> Written:
    """Memory profile, DSCP map, profile with PFC and ECN, and the interfaces it goes on."""
    c = configuration
    notes = [
        "interfaces are counted from Ethernet1; replace them by the real ones",
        "lossless traffic is classified by a DSCP equal to its priority; change the map to what hosts send",
        "the level at which a pause ends is left to the platform",
    ]
    if len(c.groups) > 1:
        notes.append("one memory profile holds for the whole switch: headroom is that of the longest, fastest link")
    fixed = [
        word
        for word, threshold in (("lossless", c.lossless_threshold), ("lossy", c.lossy_threshold))
        if threshold.alpha is None and (word == "lossy" or c.lossless)
    ]
    if fixed:
        notes.append(f"a fixed limit of {' and '.join(fixed)} queues is not expressed: the largest threshold is set")
    lines = head("!", "Arista EOS", c, _SOURCES, notes)
    lines += [f"qos map dscp {priority} to traffic-class {priority}" for priority in c.lossless]
    if c.pooled:
        lines += [f"platform trident mmu headroom-pool limit cells {c.headroom_pool // c.cell}"]
    lines += [f"platform trident mmu queue profile {_PROFILE}"]
    if c.lossless:
        widest = max(c.groups.values(), key=lambda group: group.xoff)
        threshold = _threshold(c, c.lossless_threshold, "alpha of lossless priority groups")
        lines.append(f"   ingress headroom cells {-(-widest.xoff // c.cell)}")
        for priority in c.lossless:
            if widest.reserved:
                lines.append(f"   ingress priority-group {priority} reserved cells {-(-widest.reserved // c.cell)}")
            lines.append(f"   ingress priority-group {priority} threshold {threshold}")
    threshold = _threshold(c, c.lossy_threshold, "alpha of lossy queues")
    for queue in range(8):
        if c.queue_reserved:
            lines.append(f"   egress unicast queue {queue} reserved cells {c.queue_reserved // c.cell}")
        lines.append(f"   egress unicast queue {queue} threshold {threshold if queue in c.lossy else _written(3)}")
    lines += [
        "!",
        f"platform trident mmu queue profile {_PROFILE} apply",
        "!",
        f"qos profile {_PROFILE}",
        "   qos trust dscp",
    ]
    if c.lossless:
        lines += [
            "   priority-flow-control on",
            *(f"   priority-flow-control priority {priority} no-drop" for priority in c.lossless),
        ]
    lines += _queues(c)
    lines += [
        "!",
        f"interface {ranges(range(1, len(c.ports) + 1), 'Ethernet')}",
        "   mtu 9214",
        f"   service-profile {_PROFILE}",
    ]
    warn_all(c, "EOS", notes)
    return Written({_NAME: "\n".join(lines) + "\n"}, {"schema": NOT_VALIDATED})


def _written(exponent: int) -> str:
    """A power of two as EOS writes it: 1/8, 1, 8."""
    return f"1/{2**-exponent}" if exponent < 0 else str(2**exponent)


def _threshold(c: Configuration, threshold: Threshold, what: str) -> str:
    if threshold.alpha is None:
        return _written(POWERS.highest)
    rounded = round_alpha(threshold.alpha, POWERS, what)
    if rounded.note:
        c.ledger.warn(rounded.note)
    return _written(rounded.exponent)


def _queues(c: Configuration) -> list[str]:
    lines = []
    for queue in range(8):
        marked = c.ecn is not None and (queue in c.lossless or not c.lossless)
        if not (marked or c.strict):
            continue
        lines += ["   !", f"   uc-tx-queue {queue}"]
        if c.strict:
            lines.append("      priority strict")
        if marked and c.ecn is not None:
            lines.append(
                f"      random-detect ecn minimum-threshold {min(_MOST, max(1, c.ecn.kmin))} bytes "
                f"maximum-threshold {min(_MOST, max(1, c.ecn.kmax))} bytes "
                f"max-mark-probability {percent(c.ecn.pmax)} weight 0"
            )
    return lines
