"""No headroom."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About, Component
from footroom.parts.headroom.dynamic_shared import DynamicShared
from footroom.parts.headroom.static_independent import StaticIndependent


class NoHeadroom(Component):
    """The switch never pauses its neighbours; a full buffer drops."""

    about: ClassVar[About] = About(
        title="No headroom", summary="The switch never pauses its neighbours; a full buffer drops."
    )
    kind: Literal["none"] = "none"

    @model_validator(mode="before")
    @classmethod
    def _nothing_lossless(cls, raw: Any) -> Any:
        """Say what settings of headroom would need, instead of calling them unknown."""
        known = {name for kind in (StaticIndependent, DynamicShared) for name in kind.model_fields}
        for name in raw if isinstance(raw, dict) else ():
            if name != "kind" and name in known:
                raise PydanticCustomError(
                    f"at:{name}",
                    "kind none has no lossless classes and keeps no "
                    "headroom: set it to static_independent or dynamic_shared, or leave "
                    f"{name} out",
                )
        return raw
