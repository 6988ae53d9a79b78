"""Which scenarios the hybrid engine can simulate."""

from __future__ import annotations

from collections.abc import Sequence

from footroom.base.errors import Unsupported
from footroom.engines.packet.fluid_check import check_setting
from footroom.engines.plan import check as check_packets
from footroom.parts.marking.marker import Marker
from footroom.parts.traffic import AnyTraffic, LongLived, Poisson
from footroom.scenario import Scenario, switch_for
from footroom.scenario.switch import Switch

#: Loss recovery that the fluid models: the cut of a window is spread evenly over a round trip.
RECOVERY = "prr"
#: Controls that were compared with packets alone where fluid follows the averaged equations, as fluid or as packets.
AVERAGED = ("newreno", "cubic", "dctcp", "bbr")
#: Controls whose flows are a fluid of rates that notifications of marks cut, and those of packets beside it.
PACED, BESIDE_PACED = ("dcqcn",), ("newreno", "cubic", "dctcp", "dcqcn")
#: Controls whose flows are followed one by one, as fluid, and those of packets beside it.
ALONE = ("newreno", "cubic", "dctcp")
#: Controls whose flows are followed one by one, each told its delivery rate, and those beside them.
TOLD, BESIDE_TOLD = ("bbr",), ("newreno", "cubic", "bbr")
#: Markings of which the packets' hooks and the fluid's equations were compared.
MARKINGS = ("none", "red", "step")
_PACKETS = ("packet",)


def fluid_entries(scenario: Scenario) -> frozenset[int]:
    """Numbers of the traffic entries that are fluid."""
    return frozenset(i for i, entry in enumerate(scenario.traffic) if entry.fluid)


def of_fluid(scenario: Scenario) -> Scenario:
    """The scenario with the entries that are fluid alone."""
    entries = fluid_entries(scenario)
    return scenario.model_copy(
        update={"traffic": tuple(entry for i, entry in enumerate(scenario.traffic) if i in entries)}
    )


def marked(scenario: Scenario) -> bool:
    """Whether some switch marks."""
    return any(setting.marking.kind != "none" for setting in _settings(scenario))


def averaged(scenario: Scenario) -> bool:
    """Whether the fluid follows the averaged equations, one state for all flows of a group: where some control has no
    model of a single flow, and behind one bottleneck under a marking that single flows do not see, or where BBR shares
    it with what its flows one by one were not compared with.
    """
    entries = [scenario.traffic[i] for i in fluid_entries(scenario)]
    if told(scenario):
        return scenario.topology.kind == "dumbbell" and not _followed(scenario)
    if not {entry.congestion.kind for entry in entries} <= set(ALONE):
        return True
    if not marked(scenario) or scenario.topology.kind != "dumbbell":
        return False
    try:
        for i, entry in enumerate(entries):
            _check_single(entry, f"traffic.{i}")
            _check_marked(entry, f"traffic.{i}")
        for setting in _settings(scenario):
            check_marking(setting.marking)
    except Unsupported:
        return True
    return False


def _followed(scenario: Scenario) -> bool:
    """Whether all fluid is BBR that can be followed flow by flow, beside packets that were compared with it."""
    entries = fluid_entries(scenario)
    try:
        for i in entries:
            _check_single(scenario.traffic[i], "")
            _check_told(scenario.traffic[i], "")
    except Unsupported:
        return False
    beside = {entry.congestion.kind for i, entry in enumerate(scenario.traffic) if i not in entries}
    return beside <= set(BESIDE_TOLD) and not marked(scenario)


def _settings(scenario: Scenario) -> list[Switch]:
    return [switch_for(scenario, name, role) for name, role in scenario.topology.switch_roles().items()]


def told(scenario: Scenario) -> bool:
    """Whether some fluid is of a control that is told delivery rates: BBR."""
    return any(scenario.traffic[i].congestion.kind in TOLD for i in fluid_entries(scenario))


def paced(scenario: Scenario) -> bool:
    """Whether the fluid is one of rates, each flow with the state of its own law: DCQCN."""
    return any(scenario.traffic[i].congestion.kind in PACED for i in fluid_entries(scenario))


def check(scenario: Scenario) -> None:
    """Raise Unsupported for what this engine cannot do."""
    entries = fluid_entries(scenario)
    if len(entries) == len(scenario.traffic):
        from footroom.engines.fluid.adapter import system_of

        system_of(scenario)
        return
    check_packets(scenario)
    if not entries:
        return
    by_rate = paced(scenario)
    by_mean = averaged(scenario) and not by_rate
    if by_mean and scenario.topology.kind != "dumbbell":
        raise Unsupported(
            "of controls of which only the mean of many flows is known, fluid shares the queue of one bottleneck with "
            "packets; in networks of several hops NewReno, CUBIC and DCTCP do",
            path="topology.kind",
            given=scenario.topology.kind,
            engines=_PACKETS,
        )
    alone = marked(scenario) and not by_rate and not by_mean
    by_sample = told(scenario) and not by_rate and not by_mean
    known = BESIDE_PACED if by_rate else AVERAGED if by_mean else BESIDE_TOLD if by_sample else ALONE
    for i, entry in enumerate(scenario.traffic):
        if i in entries:
            _check_entry(entry, f"traffic.{i}")
            (_check_paced if by_rate else _check_mean if by_mean else _check_single)(entry, f"traffic.{i}")
            if by_sample:
                _check_told(entry, f"traffic.{i}")
            if alone and not by_sample:
                _check_marked(entry, f"traffic.{i}")
        elif entry.congestion.kind not in known:
            raise Unsupported(
                f"beside this fluid only {_listed(known)} were compared with packets alone",
                path=f"traffic.{i}.congestion.kind",
                given=entry.congestion.kind,
                engines=_PACKETS,
            )
    for setting in _settings(scenario):
        check_setting(setting, pauses=by_rate or not (by_mean or by_sample))
        check_kind(setting.marking)
        if by_sample and setting.marking.kind != "none":
            raise Unsupported(
                "BBR as fluid over several hops was not compared with packets under marks",
                path="switch.marking.kind",
                given=setting.marking.kind,
                engines=_PACKETS,
            )
        if alone:
            check_marking(setting.marking)
    _check_pauses(scenario, alone)
    if by_mean:
        from footroom.engines.fluid.adapter import inputs_of

        inputs_of(of_fluid(scenario))


def _check_pauses(scenario: Scenario, windows: bool) -> None:
    """Raise Unsupported for what is found from packets alone where fluid is paused as well.

    windows: whether fluid of windows is marked.
    """
    if not any(setting.lossless() for setting in _settings(scenario)):
        return
    why = "needs every packet that waits behind a pause, and fluid has none"
    for path, given in (
        ("run.fabric", scenario.run.fabric),
        ("switch.watchdog", next((one.watchdog for one in _settings(scenario) if one.watchdog is not None), None)),
    ):
        if given is not None:
            raise Unsupported(f"this {why}", path=path, given=given, engines=_PACKETS)
    for i in sorted(fluid_entries(scenario)):
        if windows and not scenario.traffic[i].congestion.accurate_echo:
            raise Unsupported(
                "switches drop acknowledgements of this control where they would mark data, and in a lossless class "
                "each is a lossless drop of one priority group; fluid counts them by port only. DCTCP's are marked",
                path=f"traffic.{i}.congestion.kind",
                given=scenario.traffic[i].congestion.kind,
                engines=_PACKETS,
            )


def _check_marked(entry: AnyTraffic, path: str) -> None:
    """Raise Unsupported for hosts whose packets a marking drops."""
    if not entry.host.ecn:
        raise Unsupported(
            "in networks of several hops fluid is marked, not dropped: its hosts understand marks",
            path=f"{path}.host.ecn",
            given=False,
            engines=_PACKETS,
        )


def check_kind(marking: Marker, path: str = "switch.marking") -> None:
    """Raise Unsupported for a marking that no fluid beside packets was compared under."""
    kind = marking.model_dump()["kind"]
    if kind not in MARKINGS:
        raise Unsupported(
            f"fluid was compared with packets alone under {', '.join(MARKINGS[1:-1])} and {MARKINGS[-1]} only",
            path=f"{path}.kind",
            given=kind,
            engines=_PACKETS,
        )


def check_marking(marking: Marker, path: str = "switch.marking") -> None:
    """Raise Unsupported for details of a marking that flows one by one do not see."""
    for name, found in (("sample", "arrival"), ("weight", 1.0)):
        given = getattr(marking, name, found)
        if given != found:
            raise Unsupported(
                "fluid that is followed flow by flow is marked as it comes to a queue, by its length then",
                path=f"{path}.{name}",
                given=given,
                engines=_PACKETS,
            )


def known_marks(_switch: int, marker: Marker) -> None:
    """Raise Unsupported for a marking that is put in force while it runs and that this fluid does not know."""
    check_kind(marker, "marker")
    check_marking(marker, "marker")


def no_marks(_switch: int, marker: Marker) -> None:
    """Raise Unsupported for a marking that is put in force while it runs."""
    kind = marker.model_dump()["kind"]
    if kind != "none":
        raise Unsupported(
            "this fluid began without marks and does not react to them; give the scenario a marking with a "
            "threshold that is never reached",
            path="marker.kind",
            given=kind,
            engines=("packet",),
        )


def _listed(names: Sequence[str]) -> str:
    """As a sentence lists them."""
    return f"flows of {names[0]}" if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _check_entry(entry: AnyTraffic, path: str) -> None:
    """Raise Unsupported for what no fluid supports."""
    if not isinstance(entry, (LongLived, Poisson)):
        raise Unsupported(
            f'"{entry.about.title}" traffic cannot be a fluid; long-lived flows and Poisson arrivals can',
            path=f"{path}.as",
            given="fluid",
            engines=_PACKETS,
        )
    if isinstance(entry, Poisson) and entry.connections is not None:
        raise Unsupported(
            "every flow of a fluid has its own connection",
            path=f"{path}.connections",
            given=entry.connections,
            engines=_PACKETS,
        )
    if isinstance(entry, LongLived) and entry.stop is not None:
        raise Unsupported(
            "flows of a fluid last for the whole run", path=f"{path}.stop", given=entry.stop, engines=_PACKETS
        )


def _check_mean(entry: AnyTraffic, path: str) -> None:
    """Raise Unsupported for what a fluid of the averaged equations does not support."""
    if not isinstance(entry, LongLived):
        raise Unsupported(
            "under marks, and beside controls of which only the mean of many flows is known, only long-lived flows can "
            "be a fluid",
            path=f"{path}.as",
            given="fluid",
            engines=_PACKETS,
        )
    if entry.congestion.kind not in AVERAGED:
        raise Unsupported(
            f"{entry.congestion.about.title} as a fluid beside packets was not compared with packets alone",
            path=f"{path}.congestion.kind",
            given=entry.congestion.kind,
            engines=_PACKETS,
        )
    if entry.host.rate_limit is not None:
        raise Unsupported(
            "the averaged equations have no limit of a host's rate",
            path=f"{path}.host.rate_limit",
            given=entry.host.rate_limit,
            engines=_PACKETS,
        )


def _check_paced(entry: AnyTraffic, path: str) -> None:
    """Raise Unsupported for what a fluid paced by rates does not support."""
    if entry.congestion.kind not in PACED:
        raise Unsupported(
            "where DCQCN is fluid, all fluid must be DCQCN: other fluid beside it was not compared with packets alone",
            path=f"{path}.congestion.kind",
            given=entry.congestion.kind,
            engines=_PACKETS,
        )
    for name, given, found, reason in (
        ("as", "fluid", isinstance(entry, LongLived), "of DCQCN only long-lived flows can be a fluid"),
        (
            "host.recovery",
            entry.recovery_of(),
            entry.recovery_of() == "go_back_n",
            "a rate limits this fluid, no window",
        ),
        (
            "host.receive_window",
            entry.host.receive_window,
            entry.host.receive_window is None,
            "a rate limits this fluid, no window",
        ),
    ):
        if not found:
            raise Unsupported(reason, path=f"{path}.{name}", given=given, engines=_PACKETS)


def _check_told(entry: AnyTraffic, path: str) -> None:
    """Raise Unsupported for what a fluid whose senders are told delivery rates does not support."""
    host = entry.host
    for name, given, found, reason in (
        (
            "congestion.kind",
            entry.congestion.kind,
            entry.congestion.kind in TOLD,
            "over several hops all fluid beside fluid of BBR must be BBR: none other was compared with packets alone",
        ),
        ("as", "fluid", isinstance(entry, LongLived), "of BBR only long-lived flows can be a fluid"),
        ("host.autosize", host.autosize, not host.autosize, "bursts of a fluid have one length, on which BBR depends"),
        ("host.rate_limit", host.rate_limit, host.rate_limit is None, "this fluid is paced by its own law only"),
    ):
        if not found:
            raise Unsupported(reason, path=f"{path}.{name}", given=given, engines=_PACKETS)


def _check_single(entry: AnyTraffic, path: str) -> None:
    """Raise Unsupported for what a fluid with a window per flow does not support."""
    host = entry.host
    for name, given, found, reason in (
        ("recovery", entry.recovery_of(), entry.recovery_of() == RECOVERY, f"a fluid recovers as {RECOVERY} does"),
        # A profile's setting of bursts is left out; autosize set by itself is refused.
        ("autosize", host.autosize, host.profile is not None or not host.autosize, "bursts of a fluid have one length"),
        ("pacing", entry.host.pacing, not entry.host.pacing, "a fluid is sent as acknowledgements come, not paced"),
    ):
        if not found:
            raise Unsupported(reason, path=f"{path}.host.{name}", given=given, engines=_PACKETS)
