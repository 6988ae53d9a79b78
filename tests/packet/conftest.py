"""What the packet engine's tests share."""

from __future__ import annotations

import pytest
from tests.packet.scenarios import dumbbell

from footroom.scenario import Scenario


@pytest.fixture
def scenario() -> Scenario:
    """The small dumbbell."""
    return Scenario.parse(dumbbell())
