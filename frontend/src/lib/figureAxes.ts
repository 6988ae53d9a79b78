/**
 * The axes of the figure: the buffer below, packets and drain time above, and one quantity on the left of each plot.
 */
import type { Annotations, Data, LayoutAxis } from "plotly.js";

import type { Derived } from "@/lib/derived";
import type { Geometry } from "@/lib/geometry";
import type { Quantity } from "@/lib/metrics";
import { grouped, significant } from "@/lib/number";
import type { Palette } from "@/lib/palette";
import { formatQuantity } from "@/lib/quantity";
import { logTicks } from "@/lib/ticks";

export const yName = (i: number) => (i === 0 ? "y" : `y${i + 1}`);

export const yKey = (i: number) => (i === 0 ? "yaxis" : `yaxis${i + 1}`);

export const paperY = (pixel: number, { height }: Geometry) => 1 - pixel / height;

/** Number of labels that fit side by side without rotation; nine are enough anywhere. */
const ticksAcross = ({ width, left, right }: Geometry) =>
  Math.min(9, Math.max(3, Math.floor((width - left - right) / 62)));

/** The title of the byte scale, at its left end as those of the upper scales. */
export function xTitle(geometry: Geometry, palette: Palette): Partial<Annotations> {
  const last = geometry.plots[geometry.plots.length - 1] ?? { top: 0, height: 0 };
  return {
    text: "Buffer",
    xref: "paper",
    yref: "paper",
    x: 0,
    xshift: -16,
    y: Math.max(0, paperY(last.top + last.height + 6, geometry)),
    xanchor: "right",
    yanchor: "top",
    showarrow: false,
    font: { size: 11, color: palette.ink },
  };
}

export function xAxis(range: [number, number], geometry: Geometry, palette: Palette): Partial<LayoutAxis> {
  const { values, labels } = logTicks(
    range[0],
    range[1],
    (value) => formatQuantity(value, "B", 1),
    ticksAcross(geometry),
  );
  const last = geometry.plots[geometry.plots.length - 1] ?? { top: 0, height: 0 };
  return {
    tickangle: 0,
    type: "log",
    range: range.map(Math.log10),
    anchor: "free",
    position: Math.max(0, paperY(last.top + last.height, geometry)),
    tickvals: values,
    ticktext: labels,
    tickfont: { size: 11, color: palette.ink },
    ticks: "outside",
    ticklen: 4,
    tickcolor: palette.axis,
    showgrid: true,
    gridcolor: palette.grid,
    zeroline: false,
    showline: true,
    linecolor: palette.axis,
  };
}

export function yAxis(
  quantity: Quantity,
  bounds: [number, number],
  geometry: Geometry,
  i: number,
  palette: Palette,
): Partial<LayoutAxis> {
  const box = geometry.plots[i] ?? { top: 0, height: 1 };
  const show = (value: number) => tickLabel(value, quantity);
  const common: Partial<LayoutAxis> = {
    domain: [Math.max(0, paperY(box.top + box.height, geometry)), paperY(box.top, geometry)],
    anchor: "x",
    fixedrange: true,
    gridcolor: palette.grid,
    zeroline: false,
    showline: true,
    linecolor: palette.axis,
    ticks: "",
    tickfont: { size: 11, color: palette.muted },
  };
  if (quantity.log) {
    const { values, labels } = logTicks(bounds[0], bounds[1], show, Math.max(3, Math.floor(box.height / 28)));
    return { ...common, type: "log", range: bounds.map(Math.log10), tickvals: values, ticktext: labels };
  }
  const values = linearTicks(bounds, Math.max(3, Math.floor(box.height / 36)));
  return { ...common, type: "linear", range: bounds, tickvals: values, ticktext: values.map(show) };
}

function linearTicks([low, high]: [number, number], most: number): number[] {
  const raw = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw) ?? raw;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

function tickLabel(value: number, { id, unit }: Quantity): string {
  if (id === "utilisation" || id === "drop_rate") {
    const share = Number((value * 100).toPrecision(6));
    return share !== 0 && share < 1e-3 ? `${significant(share, 1)} %` : `${share} %`;
  }
  return unit === "1" ? significant(value, 2) : formatQuantity(value, unit, unit === "bit/s" ? 3 : 1);
}

type Scene = { derived: Derived; range: [number, number]; geometry: Geometry; palette: Palette };

/** Two scales that read the same axis in packets and in time to drain. */
export function upperScales({ derived, range, geometry, palette }: Scene) {
  const scales = [
    {
      key: "xaxis2",
      name: "x2",
      title: "packets",
      pixel: 36,
      factor: derived.mtu === undefined ? undefined : 1 / derived.mtu,
      show: (value: number) => (value < 1 ? significant(value, 1) : grouped(value)),
    },
    {
      key: "xaxis3",
      name: "x3",
      title: "drain",
      pixel: 18,
      factor: derived.capacity === undefined ? undefined : 8 / derived.capacity,
      show: (value: number) => formatQuantity(value, "s", 1),
    },
  ];
  const axes: Record<string, Partial<LayoutAxis>> = {};
  const data: Data[] = [];
  const annotations: Partial<Annotations>[] = [];
  for (const { key, name, title, pixel, factor, show } of scales) {
    if (factor === undefined) continue;
    const own: [number, number] = [range[0] * factor, range[1] * factor];
    const { values, labels } = logTicks(own[0], own[1], show, ticksAcross(geometry));
    axes[key] = {
      tickangle: 0,
      type: "log",
      overlaying: "x",
      side: "top",
      anchor: "free",
      position: paperY(pixel, geometry),
      range: own.map(Math.log10),
      fixedrange: true,
      tickvals: values,
      ticktext: labels,
      ticks: "",
      ticklen: 0,
      showgrid: false,
      zeroline: false,
      showline: false,
      tickfont: { size: 10.5, color: palette.muted },
    };
    // Plotly draws an axis only when a trace uses it.
    data.push({
      type: "scatter",
      mode: "markers",
      x: [own[0]],
      y: [null],
      xaxis: name,
      yaxis: "y",
      showlegend: false,
      hoverinfo: "skip",
    });
    annotations.push({
      text: title,
      xref: "paper",
      yref: "paper",
      x: 0,
      xshift: -16,
      y: paperY(pixel, geometry),
      xanchor: "right",
      yanchor: "bottom",
      showarrow: false,
      font: { size: 10.5, color: palette.muted },
    });
  }
  return { axes, data, annotations };
}
