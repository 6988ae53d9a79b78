"""How long each congestion control takes to compile, alone: ``python -m footroom.bench.compiling``.

Processor time of a process with an empty directory for compiled code. The start of the compiler, once per process,
counts with the first, NewReno.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from footroom.base.compile_cache.private import VARIABLE
from footroom.kernel.hooks import Hook
from footroom.parts.congestion import REGISTRY, Bbr, Law, PowerTcp


def compile_times() -> Iterator[tuple[str, float]]:
    """Each congestion control and the seconds of processor time that its hooks take, those compiled before excepted."""
    named = [kind.model_validate({"kind": kind.model_fields["kind"].default, **kind.example}) for kind in REGISTRY]
    laws = [law for law in named if isinstance(law, Law)]
    for law in [*laws, Bbr(version=3), PowerTcp(variant="theta")]:
        began = time.process_time()
        for hook in vars(law.hooks()).values():
            if isinstance(hook, Hook):
                _ = hook.address
        took = time.process_time() - began
        yield f"{law.kind} {getattr(law, 'version', getattr(law, 'variant', ''))}".strip(), took


def report() -> None:
    """Write the times to standard output."""
    for name, took in compile_times():
        sys.stdout.write(f"{name:20}{took:.2f} s\n")


if __name__ == "__main__":
    # The directory is chosen when the engine is imported, as it has been by now: another process begins with its own.
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from footroom.bench.compiling import report; report()"]
        subprocess.run(command, env={**os.environ, VARIABLE: folder}, check=True)
