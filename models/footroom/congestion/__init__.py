"""Congestion: how a sender reacts to acknowledgements, losses and marks."""

from typing import Annotated

from pydantic import Field

from footroom.congestion.bbr import Bbr
from footroom.congestion.cubic import Cubic
from footroom.congestion.dcqcn import Dcqcn
from footroom.congestion.dctcp import Dctcp
from footroom.congestion.hpcc import Hpcc
from footroom.congestion.ictcp import Ictcp
from footroom.congestion.law import RDMA, TCP, Hooks, Law
from footroom.congestion.newreno import NewReno
from footroom.congestion.powertcp import PowerTcp
from footroom.congestion.swift import Swift
from footroom.congestion.timely import Timely
from footroom.registry import Registry

Kinds = NewReno | Cubic | Bbr | Dctcp | Ictcp | Dcqcn | Hpcc | PowerTcp | Timely | Swift
REGISTRY = Registry("congestion", "How a sender reacts to acknowledgements, losses and marks", Kinds)
Congestion = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = [
    "RDMA", "REGISTRY", "TCP",
    "Bbr", "Congestion", "Cubic", "Dcqcn", "Dctcp", "Hooks", "Hpcc", "Ictcp", "Law", "NewReno", "PowerTcp", "Swift",
    "Timely"]
