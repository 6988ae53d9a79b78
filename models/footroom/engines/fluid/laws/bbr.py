"""BBR, by version."""

from __future__ import annotations

from footroom.engines.fluid.laws.bbr_path import BbrFlows
from footroom.engines.fluid.laws.bbr_v1 import BbrV1
from footroom.engines.fluid.laws.bbr_v2 import BbrV2
from footroom.engines.fluid.laws.building import Setting
from footroom.parts.congestion.bbr import Bbr as BbrComponent
from footroom.parts.traffic.host import Host

VERSIONS: dict[int, type[BbrFlows]] = {1: BbrV1, 2: BbrV2}


def of(congestion: BbrComponent, host: Host, setting: Setting) -> BbrFlows:
    """The law of ``bbr`` in the version asked for."""
    return VERSIONS[congestion.version](congestion.interval, congestion.probe_rtt_time)
