"""Congestion: how a sender reacts to acknowledgements, losses and marks."""

from typing import Annotated

from pydantic import Field

from footroom.base.registry import Registry
from footroom.parts.congestion.bbr import Bbr
from footroom.parts.congestion.cubic import Cubic
from footroom.parts.congestion.dcqcn import Dcqcn
from footroom.parts.congestion.dctcp import Dctcp
from footroom.parts.congestion.hpcc import Hpcc
from footroom.parts.congestion.ictcp import Ictcp
from footroom.parts.congestion.law import RDMA, TCP, Hooks, Law
from footroom.parts.congestion.newreno import NewReno
from footroom.parts.congestion.powertcp import PowerTcp
from footroom.parts.congestion.swift import Swift
from footroom.parts.congestion.timely import Timely

Kinds = NewReno | Cubic | Bbr | Dctcp | Ictcp | Dcqcn | Hpcc | PowerTcp | Timely | Swift
REGISTRY = Registry("congestion", "How a sender reacts to acknowledgements, losses and marks", Kinds)
Congestion = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = [
    "RDMA",
    "REGISTRY",
    "TCP",
    "Bbr",
    "Congestion",
    "Cubic",
    "Dcqcn",
    "Dctcp",
    "Hooks",
    "Hpcc",
    "Ictcp",
    "Law",
    "NewReno",
    "PowerTcp",
    "Swift",
    "Timely",
]
