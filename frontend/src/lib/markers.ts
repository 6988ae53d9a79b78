/** Vertical lines at buffer sizes worth knowing: the rules of thumb and the size chosen. */
import type { Annotations, Shape } from "plotly.js";

import { stagger, xPixel, type Geometry } from "@/lib/geometry";
import type { Palette } from "@/lib/palette";
import { formatQuantity } from "@/lib/quantity";

export type Marker = { name: string; label: string; value: number; chosen: boolean };

/** A marker's label where it is written: at its line, or with an arrow at the edge beyond which it lies. */
type Placed = Marker & { text: string; edge: "left" | "right" | undefined; width: number; pixel: number };

export function ruleMarks(markers: Marker[], range: [number, number], geometry: Geometry, palette: Palette) {
  const placed = [...markers].sort((a, b) => a.value - b.value).map((marker) => place(marker, range, geometry));
  const rows = stagger(placed.map(({ pixel, width }) => ({ x: pixel, width })));
  const last = geometry.plots[geometry.plots.length - 1] ?? { top: 0, height: 0 };
  const shapes: Partial<Shape>[] = [];
  const annotations: Partial<Annotations>[] = [];
  placed.forEach(({ name, text, value, chosen, edge }, i) => {
    const bottom = geometry.strip.top + (rows[i] === 0 ? geometry.strip.height : geometry.strip.height / 2);
    const common: Partial<Annotations> = {
      ...named(name),
      text: chosen ? `<b>${text}</b>` : text,
      yref: "paper",
      y: 1 - bottom / geometry.height,
      yanchor: "bottom",
      showarrow: false,
      captureevents: !chosen,
      borderpad: 1,
      font: { size: 10.5, color: chosen ? palette.current : palette.muted },
    };
    if (edge !== undefined) {
      annotations.push({ ...common, xref: "paper", x: edge === "left" ? 0 : 1, xanchor: edge });
      return;
    }
    shapes.push({
      type: "line",
      xref: "x",
      x0: value,
      x1: value,
      yref: "paper",
      layer: "above",
      y0: Math.max(0, 1 - (last.top + last.height) / geometry.height),
      y1: 1 - bottom / geometry.height,
      line: {
        color: chosen ? palette.current : palette.axis,
        width: chosen ? 1.25 : 1,
        dash: chosen ? "solid" : "dash",
      },
    });
    annotations.push({ ...common, xref: "x", x: Math.log10(value), xanchor: "center" });
  });
  return { shapes, annotations };
}

function place(marker: Marker, range: [number, number], geometry: Geometry): Placed {
  const { label, value } = marker;
  const edge = value < range[0] ? "left" : value > range[1] ? "right" : undefined;
  const size = formatQuantity(value, "B");
  const text = edge === undefined ? label : edge === "left" ? `◂ ${label} ${size}` : `${label} ${size} ▸`;
  const width = text.length * 6 + 4;
  const { width: whole, left, right } = geometry;
  const pixel =
    edge === undefined
      ? xPixel(value, range, geometry)
      : edge === "left"
        ? left + width / 2
        : whole - right - width / 2;
  return { ...marker, text, edge, width, pixel };
}

/** Plotly keeps an annotation's name and hands it back on a click; its types do not know. */
function named(name: string): Partial<Annotations> {
  return { name } as Partial<Annotations>;
}
