"""Host profiles: what the hosts of one kind do, set by one word (``host.profile``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from footroom.base.component import Profile

LINUX = Profile(
    "linux",
    "Linux as it ships",
    {
        "recovery": "prr",
        "ack_every": 2,
        "quick_acks": 16,
        "ack_delay": 0.04,
        "sack_delay": 0.001,
        "push_acks": True,
        "min_rto": 0.2,
        "rto_floor": "variance",
        "timeout_losses": "overdue",
        "partial_timer": "each",
        "recovery_end": "ssthresh",
        "mark_cut": "round_trip",
        "send_buffer": 2,
        "initial_rto": None,
        "setup": "packets",
        "tail_loss_probe": True,
        "probe_margin": 0.002,
        "timer_tick": 0.004,
        "initial_window": 10,
        "hystart": "linux",
        "pacing": False,
        "small_queue": 0.001,
        "burst": 1,
        "autosize": True,
        "write_buffer": 4194304.0,
        "receive_buffer": 131072.0,
    },
    "Linux 6: tcp_recovery 1, tcp_early_retrans 3, TCP_TIMEOUT_MIN, TCP_DELACK_MIN, tcp_comp_sack_delay_ns, "
    "TCP_RTO_MIN, TCP_MAX_QUICKACKS, TCP_INIT_CWND, sk_pacing_shift 10, tcp_tso_autosize, tcp_wmem, tcp_rmem, "
    "tcp_cubic hystart 1, CONFIG_HZ 250",
    "Without selective acknowledgements (recovery newreno) there are no probes. Set pacing where the queueing "
    "discipline is fq. Bursts are what 1 ms of the pacing rate holds, from 2 segments to 64 kB (autosize), unless "
    "burst is set beside the profile; a burst_limit of 1 is a host without segmentation offload. A number of "
    "quick_acks beside it counts alone. Under BBR 1 the model of a policer is on. Kernels built for 1000 Hz have a "
    "timer_tick of 1 ms.",
)

RFC = Profile(
    "rfc",
    "The RFCs and no more",
    {
        "recovery": "sack",
        "ack_every": 2,
        "quick_acks": 0,
        "ack_delay": 0.2,
        "sack_delay": 0.0,
        "push_acks": False,
        "min_rto": 1.0,
        "rto_floor": "total",
        "partial_timer": "first",
        "recovery_end": "flight",
        "mark_cut": "at_once",
        "send_buffer": None,
        "initial_rto": None,
        "tail_loss_probe": False,
        "initial_window": 10,
        "hystart": "none",
        "pacing": False,
        "small_queue": None,
        "burst": 1,
    },
    "RFC 6675 (recovery), 5681 §4.2 (acknowledgements), 6298 §2.4 (timeout), 6928 (initial window)",
    "RFC 5681 allows acknowledgements to wait for up to 0.5 s; 0.2 s is what BSD and ns-3 take.",
)

#: By name, in the order a form offers them.
PROFILES: dict[str, Profile] = {profile.id: profile for profile in (LINUX, RFC)}


def values_of(profile: str, recovery: Any = None) -> dict[str, Any]:
    """What ``profile`` sets; probes of lost tails only where ``recovery`` has selective acknowledgements."""
    values: dict[str, Any] = dict(PROFILES[profile].values)
    if recovery == "newreno":
        values["tail_loss_probe"] = False
    return values


def filled(given: Mapping[str, Any]) -> dict[str, Any]:
    """A host's document with all that its profile sets; what is given beside the profile stays.

    A given length of bursts turns off automatic bursts. A given number of quick acknowledgements counts too: the
    receiver's window then asks for no more of them.
    """
    name = given.get("profile")
    if not isinstance(name, str) or name not in PROFILES:  # none, or one that validation refuses
        return dict(given)
    values = values_of(name, given.get("recovery"))
    if "burst" in given and "autosize" in values:
        values["autosize"] = False
    if "quick_acks" in given and "receive_buffer" in values:
        values["receive_buffer"] = None
    return values | dict(given)
