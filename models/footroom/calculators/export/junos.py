"""The target ``junos``: a fragment of Juniper Junos for the QFX5000."""

from __future__ import annotations

from footroom.calculators.export.alpha import Powers, lone_share, round_alpha
from footroom.calculators.export.answer import Written
from footroom.calculators.export.configuration import Configuration, Threshold
from footroom.calculators.export.vendors import NOT_VALIDATED, head, kinds, percent, warn_all
from footroom.calculators.pool.split import percentages

_DOCS = "https://www.juniper.net/documentation/us/en/software/junos"
_STATEMENTS = f"{_DOCS}/traffic-mgmt-qfx/topics/ref/statement"
_SOURCES = (
    f"{_STATEMENTS}/buffer-partition-edit-class-of-service-ingress-qfx-series.html",
    f"{_DOCS}/cli-reference/topics/ref/statement/buffer-partition-edit-class-of-service-egress-qfx-series.html",
    f"{_STATEMENTS}/dscp-edit-class-of-service-congestion-notification-input.html",
    f"{_STATEMENTS}/drop-profiles-edit-class-of-service.html",
    f"{_DOCS}/cli-reference/topics/ref/statement/class-of-service-schedulers-buffer-dynamic-threshold.html",
    "https://www.juniper.net/documentation/en_US/junos/topics/task/configuration/cos-configuring-l3-dscp-pfc.html",
)
#: Values 0 to 10; that 7 is alpha 1 is inferred from the shipped defaults 7 and 10 and the chips' own 1/128 to 8.
POWERS = Powers(-7, 3, "Junos", f"{_SOURCES[4]}: 0 to 10")
_NAME, _OFFSET = "junos.txt", 7
_SET = "set class-of-service"


def junos(configuration: Configuration) -> Written:
    """Partitions of the memory, PFC with cable lengths, drop profiles with ECN, schedulers and interfaces."""
    c = configuration
    notes = [
        "interfaces are counted from et-0/0/0; replace them by the real ones",
        "lossless traffic is classified by a DSCP equal to its priority; replace it by what hosts send",
        "dynamic-threshold n is taken as alpha 2^(n-7); the statement gives the range 0 to 10, not the values",
        "changing shared-buffer stops traffic on all ports while it is reprogrammed",
        "the switch calculates headroom from cable-length and mru; the lossless-headroom partition bounds it",
    ]
    lines = [*_classes(c), *_memory(c, notes), *_marking(c, notes), *_interfaces(c)]
    warn_all(c, "Junos", notes)
    return Written(
        {_NAME: "\n".join([*head("#", "Juniper Junos", c, _SOURCES, notes), *lines]) + "\n"}, {"schema": NOT_VALIDATED}
    )


def _forwarding(c: Configuration, queue: int) -> str:
    return f"{'LOSSLESS' if queue in c.lossless else 'LOSSY'}-{queue}"


def _classes(c: Configuration) -> list[str]:
    lines = [
        f"{_SET} forwarding-classes class {_forwarding(c, queue)} queue-num {queue}"
        + (f" no-loss pfc-priority {queue}" if queue in c.lossless else "")
        for queue in range(8)
    ]
    lines += [
        f"{_SET} classifiers dscp FOOTROOM forwarding-class {_forwarding(c, queue)} loss-priority low "
        f"code-points {queue:06b}"
        for queue in range(8)
    ]
    for cable in sorted({cable for _, cable in c.groups}):
        profile = f"{_SET} congestion-notification-profile {_profile(cable)}"
        lines.append(f"{profile} input cable-length {cable}")
        for priority in c.lossless:
            lines += [
                f"{profile} input dscp code-point {priority:06b} pfc mru {c.lossless_mtu}",
                f"{profile} output ieee-802.1 code-point {priority:03b} flow-control-queue {priority}",
            ]
    return lines


def _profile(cable: int) -> str:
    return f"FOOTROOM-{cable}M"


def _memory(c: Configuration, notes: list[str]) -> list[str]:
    """Whole percent: headroom rounded up, the rest by the number of lossless and lossy classes."""
    share = len(c.lossless) / 8.0
    parts = percentages(c.headroom_pool or c.headroom, c.pool * share, c.pool * (1.0 - share))
    notes.append(
        f"the shared memory is divided by classes, {len(c.lossless)} lossless of 8: "
        + ", ".join(f"{name} {value} %" for name, value in parts.items())
    )
    ingress, egress = f"{_SET} shared-buffer ingress", f"{_SET} shared-buffer egress"
    lossless = 100 - (100 if not c.lossless else round(100.0 * (1.0 - share)))
    lines = [
        f"{ingress} percent 100",
        f"{ingress} buffer-partition lossless percent {parts['lossless']}",
        f"{ingress} buffer-partition lossless-headroom percent {parts['headroom']}",
        f"{ingress} buffer-partition lossy percent {parts['lossy']}",
        f"{egress} percent 100",
        f"{egress} buffer-partition lossless percent {lossless}",
        f"{egress} buffer-partition lossy percent {100 - lossless}",
        f"{egress} buffer-partition multicast percent 0",
    ]
    if c.lossless and c.lossless_threshold.alpha is not None:
        value = _threshold(c, c.lossless_threshold, "alpha of lossless priority groups")
        lines.append(f"{ingress} buffer-partition lossless dynamic-threshold {value}")
    if c.lossy_threshold.alpha is not None:
        value = _threshold(c, c.lossy_threshold, "alpha of lossy queues")
        lines.append(f"{egress} buffer-partition lossy dynamic-threshold {value}")
    elif c.lossy_threshold.limit is not None:
        notes.append("a fixed limit of queues is not expressed: the default dynamic threshold stays")
    return lines


def _threshold(c: Configuration, threshold: Threshold, what: str) -> int:
    rounded = round_alpha(threshold.alpha or 1.0, POWERS, what)
    if rounded.note:
        c.ledger.warn(rounded.note)
    return rounded.exponent + _OFFSET


def _marking(c: Configuration, notes: list[str]) -> list[str]:
    """Drop profiles and schedulers; a drop profile knows percent of a queue's limit, not bytes."""
    marked = c.lossless or tuple(range(8))
    lines = []
    if c.ecn is not None:
        threshold = c.lossless_threshold if c.lossless else c.lossy_threshold
        limit = float(threshold.limit or c.pool)
        if threshold.alpha is not None:
            limit = lone_share(round_alpha(threshold.alpha, POWERS).taken) * c.pool
        low, high = (max(0, min(100, round(100.0 * size / limit))) for size in (c.ecn.kmin, c.ecn.kmax))
        notes.append(
            f"thresholds of marking are percent of a queue's limit here: {c.ecn.kmin} and {c.ecn.kmax} B are "
            f"{low} and {high} % of the {limit:.0f} B that a lone queue may hold, and shrink with it"
        )
        profile = f"{_SET} drop-profiles FOOTROOM interpolate"
        lines += [
            f"{profile} fill-level {low}",
            f"{profile} fill-level {max(high, min(100, low + 1))}",
            f"{profile} drop-probability 0",
            f"{profile} drop-probability {percent(c.ecn.pmax)}",
        ]
    for queue in range(8):
        scheduler = f"{_SET} schedulers FOOTROOM-{queue}"
        lines.append(f"{scheduler} priority strict-high" if c.strict else f"{scheduler} transmit-rate percent 12")
        if c.ecn is not None and queue in marked:
            lines += [
                f"{scheduler} drop-profile-map loss-priority any protocol any drop-profile FOOTROOM",
                f"{scheduler} explicit-congestion-notification",
            ]
        lines.append(
            f"{_SET} scheduler-maps FOOTROOM forwarding-class {_forwarding(c, queue)} scheduler FOOTROOM-{queue}"
        )
    return lines


def _interfaces(c: Configuration) -> list[str]:
    lines = []
    for (_, cable), places in kinds(c).items():
        for place in places:
            interface = f"{_SET} interfaces et-0/0/{place - 1}"
            lines += [f"{interface} scheduler-map FOOTROOM", f"{interface} unit 0 classifiers dscp FOOTROOM"]
            if c.lossless:
                lines.append(f"{interface} congestion-notification-profile {_profile(cable)}")
    return lines
