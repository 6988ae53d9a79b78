"""Sharing: who may take how much of a switch's memory."""

from typing import Annotated

from pydantic import Field

from footroom.registry import Registry
from footroom.sharing.complete import Complete
from footroom.sharing.dynamic_threshold import DynamicThreshold
from footroom.sharing.policy import Policy
from footroom.sharing.static import Static

Kinds = Complete | Static | DynamicThreshold
REGISTRY = Registry("sharing", "Who may take how much of a switch's memory", Kinds,
                    planned=("edt", "fab", "abm", "smartbuf"))
Sharing = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = ["REGISTRY", "Complete", "DynamicThreshold", "Policy", "Sharing", "Static"]
