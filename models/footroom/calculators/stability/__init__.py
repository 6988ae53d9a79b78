"""Stability of congestion control at its fixed point: two independent methods, margins, critical values and maps.

import footroom as fr
fr.stability(scenario).to_dict()
fr.stability.critical_value(scenario, "topology.rtt").value
fr.stability.map(scenario, ("traffic.0.flows", "2:64:lin32"), ("topology.rtt", "10us:200us:log40")).figure()
"""
