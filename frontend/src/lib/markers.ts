/** Vertical lines at buffer sizes worth knowing: the rules of thumb and the size chosen. */
import type { Annotations, Shape } from "plotly.js";

import { stagger, xPixel, type Geometry } from "@/lib/geometry";
import type { Palette } from "@/lib/palette";

export type Marker = { name: string; label: string; value: number; chosen: boolean };

export function ruleMarks(markers: Marker[], range: [number, number], geometry: Geometry, palette: Palette) {
  const inside = markers.filter(({ value }) => value >= range[0] && value <= range[1]).sort((a, b) => a.value - b.value);
  const rows = stagger(inside.map(({ label, value }) => ({ x: xPixel(value, range, geometry), width: label.length * 6 + 4 })));
  const last = geometry.plots[geometry.plots.length - 1] ?? { top: 0, height: 0 };
  const shapes: Partial<Shape>[] = [];
  const annotations: Partial<Annotations>[] = [];
  inside.forEach(({ name, label, value, chosen }, i) => {
    const bottom = geometry.strip.top + (rows[i] === 0 ? geometry.strip.height : geometry.strip.height / 2);
    shapes.push({
      type: "line", xref: "x", x0: value, x1: value, yref: "paper", layer: "above",
      y0: Math.max(0, 1 - (last.top + last.height) / geometry.height), y1: 1 - bottom / geometry.height,
      line: { color: chosen ? palette.current : palette.axis, width: chosen ? 1.25 : 1, dash: chosen ? "solid" : "dash" },
    });
    annotations.push({
      ...named(name), text: chosen ? `<b>${label}</b>` : label, xref: "x", x: Math.log10(value), yref: "paper", y: 1 - bottom / geometry.height,
      xanchor: "center", yanchor: "bottom", showarrow: false, captureevents: !chosen, borderpad: 1,
      font: { size: 10.5, color: chosen ? palette.current : palette.muted },
    });
  });
  return { shapes, annotations };
}

/** Plotly keeps an annotation's name and hands it back on a click; its types do not know. */
function named(name: string): Partial<Annotations> {
  return { name } as Partial<Annotations>;
}
