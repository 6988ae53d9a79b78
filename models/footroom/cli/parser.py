"""The commands and their options. Each command's module is imported only when it runs, so that ``--help`` is fast."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable

from footroom.base.version import VERSION
from footroom.cli.lazy import LazyParser
from footroom.studies.engines import ENGINES

_ENGINES = ", ".join(engine.name for engine in ENGINES)


def _lazy(module: str) -> Callable[[argparse.Namespace], int]:
    def command(chosen: argparse.Namespace) -> int:
        status: int = importlib.import_module(f"footroom.cli.{module}").command(chosen)
        return status

    return command


def _options(module: str) -> Callable[[argparse.ArgumentParser], None]:
    """Options that a command's module adds, because only its imports know them."""

    def fill(parser: argparse.ArgumentParser) -> None:
        importlib.import_module(f"footroom.cli.{module}").options(parser)

    return fill


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; ``command`` of what it returns runs the command."""
    parser = argparse.ArgumentParser(
        prog="footroom",
        description="How much buffer does this switch need, and set how?",
        allow_abbrev=False,
        epilog="SCENARIO is a JSON, TOML or YAML file, or the id of a preset (see: footroom presets). "
        "Exit status: 0 done, 2 bad input, 3 cannot be reached.",
    )
    parser.add_argument("--version", action="version", version=f"footroom {VERSION}")
    verbs = parser.add_subparsers(required=True, metavar="COMMAND", dest="verb", parser_class=LazyParser)

    def verb(name: str, summary: str, module: str) -> LazyParser:
        sentence = f"{summary[0].upper()}{summary[1:]}."
        added = verbs.add_parser(name, help=summary, description=sentence, allow_abbrev=False)
        added.set_defaults(command=_lazy(module))
        return added

    run = verb("run", "run one scenario with one engine", "run")
    _scenario(run)
    run.add_argument("--engine", default="packet", help=f"one of {_ENGINES}, or auto; default packet")
    _budget(run)
    _replicas(run)
    _scheduler(run)
    _scale(run)
    _json(run)

    sweep = verb("sweep", "run a scenario over a range of values", "sweep")
    _scenario(sweep)
    sweep.add_argument(
        "--over",
        action="append",
        default=[],
        metavar="PATH=VALUES",
        help="a field and its values, repeated for more axes: switch.buffer=25kB:2.5MB:log9, "
        "traffic.0.load=0.1:0.9:lin5, switch.buffer=100kB,1MB; a preset brings its own",
    )
    sweep.add_argument(
        "--engine", default=None, help=f"several of {_ENGINES}, joined by commas, or auto; default theory,fluid,packet"
    )
    _budget(sweep)
    _replicas(sweep)
    _scheduler(sweep)
    _scale(sweep)
    sweep.add_argument("--csv", metavar="FILE", help="also write all points to FILE, as they finish")
    _json(sweep)

    size = verb("size", "find the smallest buffer that meets requirements", "size")
    _scenario(size)
    size.add_argument(
        "--require",
        action="append",
        required=True,
        metavar="METRIC>=LIMIT",
        help="requirement such as 'utilisation>=0.99', 'drop_rate<=1e-4' or 'fct_p99<=5ms'; repeated",
    )
    size.add_argument(
        "--engine", default="auto", help=f"one of {_ENGINES}, or auto, which picks one and says why; default auto"
    )
    size.add_argument("--path", default="switch.buffer", help="the field to size; default switch.buffer")
    size.add_argument(
        "--between",
        metavar="LOW:HIGH",
        help="range to search; default for a buffer: one packet to four bandwidth-delay products",
    )
    size.add_argument(
        "--tolerance",
        type=float,
        default=0.02,
        help="relative width of the interval at which the search stops; default 0.02",
    )
    _replicas(size)
    _json(size)

    ask = verb("what-if", "compare a scenario with a changed one, over the same arrivals", "what_if")
    _scenario(ask)
    ask.add_argument(
        "--change",
        action="append",
        default=[],
        metavar="PATH=VALUE",
        help="one field that differs in B, repeated: switch.headroom.alpha=0.25, or a ready change such as scheme; "
        "without it the ready changes of the scenario are listed",
    )
    ask.add_argument("--replicas", type=int, default=5, help="pairs of runs with the same seed; default 5")
    ask.add_argument("--workers", type=int, help="runs at a time; default all cores")
    _json(ask)

    controls = verb("controls", "find the smallest buffer under every congestion control", "controls")
    _scenario(controls)
    controls.add_argument(
        "--require",
        action="append",
        default=[],
        metavar="METRIC>=LIMIT",
        help=(
            "requirement such as 'utilisation>=0.99', 'drop_rate<=1e-3' or 'transfer_p99<=1s'; repeated; "
            "default utilisation>=0.99"
        ),
    )
    controls.add_argument(
        "--control",
        action="append",
        default=[],
        metavar="NAME",
        help="a control such as cubic or bbr1, or a mixture such as cubic+bbr1, half of the flows "
        "each; repeated; default every control",
    )
    controls.add_argument("--mixtures", action="store_true", help="also mixtures of every two controls")
    controls.add_argument(
        "--flows",
        metavar="VALUES",
        help="numbers of long-lived flows, such as 1:1000:log7 or 1,50; default 1 to 1000 and the scenario's own",
    )
    controls.add_argument(
        "--engine", default="theory,fluid", help=f"several of {_ENGINES}, joined by commas; default theory,fluid"
    )
    controls.add_argument("--csv", metavar="FILE", help="also write all rows to FILE")
    controls.add_argument("--workers", type=int, help="runs at a time; default all cores")
    controls.add_argument("--force", action="store_true", help="run it even if it needs more memory than is free")
    _json(controls)

    scale = verb("scale", "scale a fast scenario down to a laptop, and list what changes", "scale")
    _scenario(scale)
    scale.fill = _options("scale")
    _json(scale)

    memory = verb("memory", "show how switches divide their memory, and where lossless classes pause", "memory")
    _scenario(memory)
    _json(memory)

    questions = verb("questions", "list the questions with the command that answers each, or show one", "questions")
    questions.add_argument("question", nargs="?", metavar="ID", help="show this one: a number or an id")
    _json(questions)

    presets = verb("presets", "list the presets, or show one of them", "presets")
    presets.add_argument("preset", nargs="?", metavar="ID", help="show this one, ready to be saved as a scenario file")
    _json(presets)

    asics = verb("asics", "list the switch chips, or show one of them", "asics")
    asics.add_argument("asic", nargs="?", metavar="ID", help="show this one: an id, a name or a part number")
    _json(asics)

    voq = verb("voq", "find the virtual-output-queue limit for a maximum waiting time", "voq")
    voq.fill = _options("voq")
    _json(voq)

    headroom = verb("headroom", "compute PFC headroom by several schemes", "headroom")
    headroom.fill = _options("headroom")
    _json(headroom)

    pool = verb("pool", "check whether a buffer configuration fits its chip, and show what is left to share", "pool")
    pool.fill = _options("pool")
    _json(pool)

    emulate = verb("emulate", "compare sharing policies on a trace of arrivals or an incast", "emulate")
    emulate.fill = _options("emulate")
    _json(emulate)

    ecn = verb("ecn", "recommend ECN marking thresholds: short queue, full link, stable", "ecn")
    ecn.fill = _options("ecn")
    _json(ecn)

    stability = verb("stability", "analyse stability: margins, maps and critical values", "stability")
    _scenario(stability)
    stability.fill = _options("stability")
    _json(stability)

    studies = verb("studies", "list, tag, export, import, rerun or delete the studies that a server keeps", "stored")
    studies.fill = _options("stored")

    papers = verb("papers", "compare with published results", "papers")
    papers.fill = _options("papers")

    export = verb("export", "write a switch's buffer configuration: SONiC, NX-OS, EOS, Junos", "export")
    export.fill = _options("export")
    _json(export)

    importing = verb("import", "check a switch's buffer configuration and show what it does", "importing")
    importing.fill = _options("importing")
    _json(importing)

    _json(verb("catalog", "list the parts of a scenario, their kinds and the engines that support each", "catalog"))
    _json(verb("bench", "measure this machine's rates", "bench"))

    serve = verb("serve", "serve the web page and the HTTP interface", "serve")
    serve.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on; default 127.0.0.1, which only this machine reaches. There is no log-in",
    )
    serve.add_argument("--port", type=int, default=8000, help="port to listen on; default 8000")
    serve.add_argument("--first-free", action="store_true", help="if the port is in use, take the next free one")
    serve.add_argument(
        "--database",
        help="path of an SQLite file, or a database URL; default FOOTROOM_DATABASE or .footroom/footroom.db",
    )
    _scheduler(serve)
    serve.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a host name that browsers may use, repeated; localhost, IP addresses and the "
        "name after --host are always allowed",
    )
    return parser


def _scenario(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", metavar="SCENARIO", help="a JSON, TOML or YAML file, or the id of a preset")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="PATH=VALUE",
        dest="settings",
        help="change one field, repeated: run.duration=5s, traffic.0.flows=100",
    )


def _budget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--budget",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="with --engine auto: processor time in seconds that one packet simulation may take; default 60",
    )


def _replicas(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--replicas", type=int, help="runs per point, with different seeds")
    parser.add_argument("--workers", type=int, help="runs at a time; default all cores")
    parser.add_argument("--force", action="store_true", help="run it even if it needs more memory than is free")


def _scheduler(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scheduler",
        metavar="WHERE",
        help="where runs are computed: local (threads of this process, the "
        "default), processes, or the address of a Dask scheduler, such as tcp://10.0.0.1:8786",
    )


def _scale(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scale",
        type=float,
        metavar="S",
        help="make the scenario S times smaller first: rates and "
        "flows, with buffers to match; lists what stays the same and what changes",
    )


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
