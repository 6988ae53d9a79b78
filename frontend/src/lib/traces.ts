/** One engine's answer to one quantity as Plotly traces. */
import type { Data, PlotData } from "plotly.js";

import { markOf } from "@/lib/palette";
import type { Sample } from "@/lib/points";

export type Axes = { yaxis: string; log: boolean; floor: number };
export type Ink = { colour: string; band: string; paper: string };

export function traces(samples: Sample[], engine: string, { yaxis, log, floor }: Axes, ink: Ink): Data[] {
  const mark = markOf(engine);
  const common: Partial<PlotData> = { type: "scatter", xaxis: "x", yaxis, name: engine, hoverinfo: "skip", showlegend: false };
  // A logarithm has no place for 0: lines break there, and a marker shows how high the true value can be.
  const drawable = (value: number) => (log && value <= 0 ? null : value);
  if (mark.style === "line") {
    const y = samples.map((sample) => drawable(sample.y));
    const line = { color: ink.colour, dash: mark.dash, width: mark.width };
    return [{ ...common, mode: "lines", x: samples.map(({ x }) => x), y, line, connectgaps: false }];
  }
  const zeros = log ? samples.filter(({ y, high }) => y <= 0 && high !== undefined && high > 0) : [];
  const seen = samples.filter(({ y }) => !log || y > 0);
  const found: Data[] = [];
  const banded = seen.filter(({ low, high }) => low !== undefined && high !== undefined);
  if (banded.length > 1) found.push({ ...common, ...band(banded, log ? floor : -Infinity), fillcolor: ink.band });
  found.push({
    ...common,
    mode: "markers",
    x: seen.map(({ x }) => x),
    y: seen.map(({ y }) => y),
    marker: { color: ink.colour, size: 7, symbol: mark.symbol, line: { width: mark.symbol === "circle" ? 1 : 1.5, color: mark.symbol === "circle" ? ink.paper : ink.colour } },
  });
  if (zeros.length > 0) {
    found.push({
      ...common,
      mode: "markers",
      x: zeros.map(({ x }) => x),
      y: zeros.map(({ high }) => high ?? null),
      marker: { color: ink.colour, size: 8, symbol: "triangle-down-open", line: { width: 1.25 } },
    });
  }
  return found;
}

function band(samples: Sample[], floor: number): Partial<PlotData> {
  const upper = samples.map(({ high }) => high ?? 0);
  const lower = samples.map(({ low }) => Math.max(low ?? 0, floor));
  const x = samples.map((sample) => sample.x);
  return { mode: "lines", x: [...x, ...x.toReversed()], y: [...upper, ...lower.toReversed()], fill: "toself", line: { width: 0 } };
}
