"""A large study over Dask gives the bytes of a local one: ``python -m tests.validation.tools.dask_equal``.

A scheduler and two workers are started on loopback and make 1000 short packet runs. Once a third of them is in, one
worker is killed. The answer is compared with that of threads of this process, all of it but how long runs took.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import signal
import sys
import time
from typing import Any

from tests.validation.tools.dask_efficiency import cluster, tell

from footroom.studies import Study, Sweep, run


def study_of(points: int) -> Study:
    """Points of 20 flows at 100 Mb/s, each with a buffer and a seed of its own."""
    scenario: dict[str, Any] = {
        "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "20 ms"},
        "switch": {"buffer": "250 kB"},
        "traffic": [{"kind": "long_lived", "flows": 20, "congestion": {"kind": "newreno"}}],
        "run": {"duration": "4 s", "warmup": "1 s"},
    }
    seeds = 10
    buffers = [20_000.0 + 1000.0 * number for number in range(-(-points // seeds))]
    return Study.of(scenario, {"switch.buffer": buffers, "run.seed": list(range(1, seeds + 1))}, "packet", 1)


def written(sweep: Sweep) -> bytes:
    """The answer as JSON, without how long it took."""
    document = sweep.to_dict()
    for point in document["points"]:
        del point["result"]["wall_s"]
    del document["wall_s"]
    return json.dumps(document).encode()


def main() -> None:
    """Compare and print; the exit status is 1 where one byte differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--points", type=int, default=1000)
    study = study_of(parser.parse_args().points)
    began = time.monotonic()
    local = run(study)
    tell(f"local: {len(local.points)} points, {len(local.unsupported)} refused, {time.monotonic() - began:.1f} s")
    in_time: list[int] = []
    with cluster(2) as (address, pids, _):

        def kill(*_: Any) -> None:
            in_time.append(1)
            if len(in_time) == len(study.points) // 3:
                os.kill(pids[0], signal.SIGKILL)
                tell(f"one of two workers killed after {len(in_time)} points")

        began = time.monotonic()
        there = run(study, executor=address, on_point=kill)
    tell(f"Dask:  {len(there.points)} points, {len(there.unsupported)} refused, {time.monotonic() - began:.1f} s")
    one, other = written(local), written(there)
    tell(f"local {len(one)} bytes, SHA-256 {hashlib.sha256(one).hexdigest()}")
    tell(f"Dask  {len(other)} bytes, SHA-256 {hashlib.sha256(other).hexdigest()}")
    tell("equal" if one == other else "DIFFERENT")
    sys.exit(int(one != other))


if __name__ == "__main__":
    main()
