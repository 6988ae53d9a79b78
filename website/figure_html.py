"""A Plotly figure as HTML that ``figures.js`` draws."""

from __future__ import annotations

import json
from typing import Any

from plotly.utils import PlotlyJSONEncoder


def block(figure: dict[str, Any]) -> str:
    """The place of a figure with its data, as one line: Markdown leaves it alone."""
    kept = {
        "data": figure["data"],
        "layout": {key: value for key, value in figure["layout"].items() if key not in ("template", "title")},
    }
    data = json.dumps(kept, cls=PlotlyJSONEncoder).replace("</", "<\\/")
    return f'<div class="figure"><script type="application/json">{data}</script></div>'
