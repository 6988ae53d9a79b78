"""The event loop by its address, for compiled code that runs it in between.

Called by its name it would be compiled once more into every such function, and that takes as long as all of the packet
engine.
"""

from __future__ import annotations

from typing import Any

from numba import typeof, types
from numba.extending import intrinsic

from footroom.engines.packet.loop import run
from footroom.engines.packet.tables import Tables

#: By class of the tables, whose arrays are alike.
_LOOPS: dict[type[Tables], int] = {}


def loop_for(tables: Tables) -> int:
    """Address of the loop for such ``tables``: compiled, or read from the cache, when it is first asked for.

    It stays where it is as long as the process: ``run`` keeps what was compiled.
    """
    if type(tables) not in _LOOPS:
        loop: Any = run
        given = (typeof(tables), types.int64)
        loop.compile(given)
        found = loop.overloads[given]
        _LOOPS[type(tables)] = int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))
    return _LOOPS[type(tables)]


@intrinsic
def call_loop(typing: Any, loop: Any, t: Any, last: Any) -> Any:
    """``loop.run(t, last)``, compiled at the address ``loop``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args[1:]
        kind = context.call_conv.get_function_type(types.int64, kinds)
        function = builder.inttoptr(args[0], kind.as_pointer())
        _, status = context.call_conv.call_function(builder, function, types.int64, kinds, args[1:])
        return status

    return types.int64(types.int64, t, types.int64), generate
