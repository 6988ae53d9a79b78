"""Which powers of two a chip takes as alpha under SONiC: YANG says one range for all, chips have their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from footroom.calculators.export.alpha import Powers
from footroom.calculators.export.findings import Finding
from footroom.parts.asics import Asic

#: Range of exponents with which every switch is validated.
POWERS = Powers(-8, 7, "SONiC", "SONiC's YANG: dynamic_th −8 to 7; SAI saibuffer.h: 2ⁿ of the available buffer")
#: SONiC's build narrows YANG by platform where the platform says so; only Nexthop's does, with these ends.
_BROADCOM = Powers(
    -7,
    3,
    "this chip",
    "alpha 1/128 to 8: sonic-buildimage, device/nexthop/x86_64-nexthop_4020-r0/"
    "feature_capabilities.json, which narrows YANG there; the same ends in Arista's and Juniper's "
    "documents of switches with Trident and Tomahawk",
)
_NVIDIA = Powers(
    -7,
    7,
    "this chip",
    "SONiC's YANG: dynamic_th −8 to 7, of which NVIDIA takes −8 as alpha 0 (sonic-swss pull request 485)",
)


def powers_of(asic: Asic | None) -> Powers:
    """The exponents that ``asic`` takes; those of YANG where no source says otherwise."""
    if asic is None:
        return POWERS
    if asic.vendor == "NVIDIA":
        return _NVIDIA
    return _BROADCOM if asic.name.startswith(("Trident", "Tomahawk")) else POWERS


def beyond(tables: Mapping[str, Mapping[str, Mapping[str, str]]], powers: Powers) -> Iterator[Finding]:
    """A warning for each profile whose dynamic_th YANG takes and the chip does not."""
    for name, row in tables.get("BUFFER_PROFILE", {}).items():
        text = row.get("dynamic_th", "")
        if not text.lstrip("-").isdigit() or not POWERS.lowest <= int(text) <= POWERS.highest:
            continue  # no exponent at all, which the schema says
        if not powers.lowest <= int(text) <= powers.highest:
            yield Finding(
                "warning",
                "alpha-beyond-chip",
                f"BUFFER_PROFILE|{name}.dynamic_th",
                f"given {text}; the chip takes {powers.lowest} to {powers.highest} ({powers.source})",
            )
