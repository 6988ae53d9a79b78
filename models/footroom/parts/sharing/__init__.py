"""Sharing: who may take how much of a switch's memory."""

from typing import Annotated

from pydantic import Field

from footroom.base.registry import Registry
from footroom.parts.sharing.abm import Abm
from footroom.parts.sharing.complete import Complete
from footroom.parts.sharing.dynamic_threshold import DynamicThreshold
from footroom.parts.sharing.edt import Edt
from footroom.parts.sharing.fab import Fab
from footroom.parts.sharing.policy import Policy
from footroom.parts.sharing.smartbuf import Smartbuf
from footroom.parts.sharing.static import Static

Kinds = Complete | Static | DynamicThreshold | Edt | Fab | Abm | Smartbuf
REGISTRY = Registry("sharing", "How the switch's memory is shared between queues", Kinds)
Sharing = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = ["REGISTRY", "Abm", "Complete", "DynamicThreshold", "Edt", "Fab", "Policy", "Sharing", "Smartbuf", "Static"]
