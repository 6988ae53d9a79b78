"""Where fluid may wait beside packets."""

from __future__ import annotations

from footroom.base.errors import Unsupported
from footroom.engines.packet.features import FLUID, variants
from footroom.engines.packet.setup import used
from footroom.engines.packet.tables import Tables
from footroom.engines.plan import Plan
from footroom.scenario.switch import Switch

#: Sharing policies under which a queue's limit follows from the bytes that wait.
SHARING = ("complete", "static", "dynamic_threshold")
_PACKETS = ("packet",)


def check_setting(setting: Switch, pauses: bool = False) -> None:
    """Raise Unsupported where the switch's memory cannot hold fluid.

    pauses: whether the fluid knows by which port it came in, and stops where it is paused.
    """
    for path, given, found, reason in (
        (
            "sharing.kind",
            setting.sharing.kind,
            setting.sharing.kind in SHARING,
            f"fluid waits under {', '.join(SHARING[:-1])} or {SHARING[-1]} only",
        ),
        ("queues", setting.queues, setting.queues == 1, "fluid waits in ports of one queue only"),
        (
            "architecture.kind",
            setting.architecture.kind,
            setting.architecture.line_cards() == 1,
            "fluid waits in one shared memory only",
        ),
        (
            "headroom.kind",
            setting.headroom.kind,
            pauses or not setting.lossless(),
            "beside packets, fluid of DCQCN and fluid of NewReno, CUBIC and DCTCP followed flow by flow can be paused",
        ),
        ("cell_size", setting.cell_size, setting.cell_size is None, "fluid is counted in bytes, not in cells"),
        ("release", setting.release, setting.release != "end", "fluid frees its memory when it begins to be sent"),
    ):
        if not found:
            raise Unsupported(reason, path=f"switch.{path}", given=given, engines=_PACKETS)


def check_fluid(plan: Plan, tables: Tables, port: int) -> None:
    """Raise Unsupported where fluid cannot pass ``port``."""
    if plan.port_switch[port] < 0:
        raise Unsupported("fluid waits in ports of switches only", path="link", given=plan.names[plan.port_from[port]])
    check_setting(plan.settings[plan.port_switch[port]])
    if (tables.fluids["port"] == port).any():
        raise Unsupported("there is a fluid at this port already", path="link", given=plan.names[plan.port_from[port]])
    features = used(plan, tables.classes) | {FLUID}
    if plan.lossless is not None or not any(features <= set(each) for each in variants()):
        raise Unsupported(
            "a fluid that a process adds does not work beside lossless classes, telemetry or windows that receivers "
            "allot",
            path="link",
            given=plan.names[plan.port_from[port]],
        )
