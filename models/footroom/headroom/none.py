"""No headroom."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About, Component


class NoHeadroom(Component):
    """The switch never pauses its neighbours; a full buffer drops."""

    about: ClassVar[About] = About(
        title="No headroom", summary="The switch never pauses its neighbours; a full buffer drops."
    )
    kind: Literal["none"] = "none"
