"""Compile the packet engine ahead of time: ``python -m footroom.engines.packet.warm``."""

from __future__ import annotations

import time

from footroom.base.compile_cache import directory


def warm() -> None:
    """Compile the packet engine with NewReno under drop-tail into the cache, or load it.

    Other laws, policies and markers, and the fluid models, are compiled when they are first used.
    """
    from footroom.engines.packet import simulate
    from footroom.engines.plan import build_plan
    from footroom.scenario import Scenario

    scenario = Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "10 Mb/s", "access": "100 Mb/s", "rtt": "10 ms"},
            "switch": {"buffer": "20 packets"},
            "traffic": [{"kind": "long_lived", "flows": 1, "start_jitter": "1 ms"}],
            "run": {"duration": "200 ms", "warmup": "100 ms"},
        }
    )
    simulate(build_plan(scenario))


def main() -> None:
    """Compile, and print how long it took."""
    print(f"compiling the packet engine into {directory()} …", flush=True)
    began = time.perf_counter()
    warm()
    print(f"ready after {time.perf_counter() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()
