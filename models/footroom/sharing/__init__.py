"""Sharing: who may take how much of a switch's memory."""

from typing import Annotated

from pydantic import Field

from footroom.registry import Registry
from footroom.sharing.abm import Abm
from footroom.sharing.complete import Complete
from footroom.sharing.dynamic_threshold import DynamicThreshold
from footroom.sharing.edt import Edt
from footroom.sharing.fab import Fab
from footroom.sharing.policy import Policy
from footroom.sharing.smartbuf import Smartbuf
from footroom.sharing.static import Static

Kinds = Complete | Static | DynamicThreshold | Edt | Fab | Abm | Smartbuf
REGISTRY = Registry("sharing", "How the switch's memory is shared between queues", Kinds)
Sharing = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = ["REGISTRY", "Abm", "Complete", "DynamicThreshold", "Edt", "Fab", "Policy", "Sharing", "Smartbuf", "Static"]
