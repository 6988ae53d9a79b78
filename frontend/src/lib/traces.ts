/** One engine's answer to one quantity as Plotly traces. */
import type { Data, PlotData } from "plotly.js";

import { markOf } from "@/lib/palette";
import type { Sample } from "@/lib/points";

export type Axes = { yaxis: string; log: boolean; floor: number };
export type Ink = { colour: string; band: string; paper: string };

/** Opacity of curves where a model does not hold. */
export const FADED = 0.25;

/** Packet points are joined by a line thinner than any curve. */
const JOIN = 1;

export function traces(samples: Sample[], engine: string, { yaxis, log, floor }: Axes, ink: Ink, tail = false): Data[] {
  const mark = markOf(engine, tail);
  const common: Partial<PlotData> = {
    type: "scatter",
    xaxis: "x",
    yaxis,
    name: engine,
    hoverinfo: "skip",
    showlegend: false,
  };
  // A logarithmic axis cannot show 0: lines break there, and a marker shows how high the true value can be.
  const drawable = (value: number) => (log && value <= 0 ? null : value);
  if (mark.style === "line") {
    const line = { color: ink.colour, dash: mark.dash, width: mark.width };
    const x = samples.map((sample) => sample.x);
    const draw = (shown: boolean[]): Partial<PlotData> => ({
      ...common,
      mode: "lines",
      x,
      y: samples.map(({ y }, i) => (shown[i] === true ? drawable(y) : null)),
      line,
      connectgaps: false,
    });
    const whole = draw(samples.map(({ outside }) => outside !== true));
    if (!samples.some(({ outside }) => outside)) return [whole];
    // The faded stretch reaches the neighbours that hold, so that the curve does not break.
    const faded = draw(samples.map((_, i) => [i - 1, i, i + 1].some((k) => samples[k]?.outside === true)));
    return [whole, { ...faded, opacity: FADED }];
  }
  const zeros = log ? samples.filter(({ y, high }) => y <= 0 && high !== undefined && high > 0) : [];
  const seen = samples.filter(({ y }) => !log || y > 0);
  const found: Data[] = [];
  const banded = seen.filter(({ low, high }) => low !== undefined && high !== undefined);
  if (banded.length > 1) found.push({ ...common, ...band(banded, log ? floor : -Infinity), fillcolor: ink.band });
  found.push({
    ...common,
    mode: "lines+markers",
    x: samples.map(({ x }) => x),
    y: samples.map(({ y }) => drawable(y)),
    line: { color: ink.colour, width: JOIN, ...(tail ? { dash: "dash" } : {}) },
    ...(banded.length > 0 ? { error_y: bars(samples, ink.colour, log ? floor : -Infinity) } : {}),
    marker: {
      color: ink.colour,
      size: 7,
      symbol: mark.symbol,
      opacity: samples.map(({ outside }) => (outside === true ? FADED : 1)),
      line: { width: mark.symbol === "circle" ? 1 : 1.5, color: mark.symbol === "circle" ? ink.paper : ink.colour },
    },
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

/** 95 % intervals as thin bars. */
function bars(samples: Sample[], color: string, floor: number): NonNullable<PlotData["error_y"]> {
  return {
    type: "data",
    symmetric: false,
    color,
    thickness: JOIN,
    width: 3,
    array: samples.map(({ y, high }) => (high === undefined ? 0 : high - y)),
    arrayminus: samples.map(({ y, low }) => (low === undefined ? 0 : y - Math.max(low, floor))),
  };
}

function band(samples: Sample[], floor: number): Partial<PlotData> {
  const upper = samples.map(({ high }) => high ?? 0);
  const lower = samples.map(({ low }) => Math.max(low ?? 0, floor));
  const x = samples.map((sample) => sample.x);
  return {
    mode: "lines",
    x: [...x, ...x.toReversed()],
    y: [...upper, ...lower.toReversed()],
    fill: "toself",
    line: { width: 0 },
  };
}
