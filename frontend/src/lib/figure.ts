/** The figure: three quantities over one logarithmic buffer axis, with packets and drain time above. */
import type { Annotations, Data, Layout, LayoutAxis, Shape } from "plotly.js";

import type { Derived } from "@/lib/derived";
import { showObjective } from "@/lib/fraction";
import type { Geometry } from "@/lib/geometry";
import type { Quantity } from "@/lib/metrics";
import { formatMetric, formatQuantity } from "@/lib/quantity";
import { grouped, significant } from "@/lib/number";
import type { Objective } from "@/lib/objectives";
import type { Palette } from "@/lib/palette";
import { enginesOf, series, type Point, type Sample } from "@/lib/points";
import { ruleMarks, type Marker } from "@/lib/markers";
import { extent, linearRange, logRange, logTicks } from "@/lib/ticks";
import { traces } from "@/lib/traces";

const FONT = '"Inter Variable", system-ui, sans-serif';
/** A picture is drawn without the page's typeface, so its text is measured in one that any system has. */
const PRINT_FONT = "Helvetica, Arial, sans-serif";

export type FigureInput = {
  points: Point[];
  pinned: Point[];
  engines: string[];
  quantities: Quantity[];
  objectives: Objective[];
  markers: Marker[];
  derived: Derived;
  range: [number, number];
  geometry: Geometry;
  palette: Palette;
  /** Engines whose curves still belong to an earlier scenario; they fade. */
  late: string[];
  /** Write titles and legend into the figure; the page sets them itself. */
  print: boolean;
};

export type Figure = { data: Data[]; layout: Partial<Layout> };

/** Height of a label's line. */
const LABEL = 16;

const yName = (i: number) => (i === 0 ? "y" : `y${i + 1}`);
const yKey = (i: number) => (i === 0 ? "yaxis" : `yaxis${i + 1}`);

export function buildFigure(input: FigureInput): Figure {
  const { geometry, palette, quantities, range } = input;
  const data: Data[] = [];
  const axes: Record<string, Partial<LayoutAxis>> = {};
  const annotations: Partial<Annotations>[] = [];
  const shapes: Partial<Shape>[] = [];
  quantities.forEach((quantity, i) => {
    const own = samplesOf(input.points, input.engines, quantity);
    const other = samplesOf(input.pinned, input.engines, quantity);
    const goal = goalOf(input.objectives, quantity);
    const ownTail = tailsOf(input.points, input.engines, quantity);
    const otherTail = tailsOf(input.pinned, input.engines, quantity);
    const samples = [own, other, ownTail, otherTail]
      .flatMap((lines) => [...lines.values()])
      .flat()
      .filter(({ x }) => x >= range[0] && x <= range[1]);
    const values = [...extent(samples), ...(goal === undefined ? [] : [goal.value])];
    const bounds = quantity.log
      ? logRange(values)
      : linearRange(values, quantity.unit === "1" && quantity.id !== "slowdown_p50");
    axes[yKey(i)] = yAxis(quantity, bounds, geometry, i, palette);
    const place = { yaxis: yName(i), log: quantity.log, floor: bounds[0] };
    const named = input.print && i === 0;
    for (const [engine, line] of other)
      data.push(...labelled(traces(line, engine, place, ink(palette, true)), named, `A: ${engine}`));
    for (const [engine, line] of otherTail) data.push(...traces(line, engine, place, ink(palette, true), true));
    for (const [engine, line] of ownTail)
      data.push(...faded(traces(line, engine, place, ink(palette, false), true), engine, input.late));
    for (const [engine, line] of own) {
      const drawn = faded(traces(line, engine, place, ink(palette, false)), engine, input.late);
      data.push(...labelled(drawn, named, other.size > 0 ? `B: ${engine}` : engine));
    }
    const nothing = nothingDrawn(samples, quantity);
    if (nothing !== undefined) annotations.push(centred(nothing, i, palette, quantity.log, bounds));
    if (input.print)
      annotations.push(
        heading(
          quantity.tail === undefined ? quantity.title : `${quantity.title}: median, 99th percentile dashed`,
          geometry,
          i,
          palette,
        ),
      );
    if (goal !== undefined) {
      shapes.push(goalLine(goal.value, i, palette));
      annotations.push(
        goalLabel(goal, quantity, i, palette, roomAbove(goal.value, quantity, bounds, geometry.plots[i]?.height ?? 0)),
      );
    }
  });
  const rules = ruleMarks(input.markers, range, geometry, palette);
  const upper = upperScales(input);
  return {
    data: [...upper.data, ...data],
    layout: {
      width: geometry.width,
      height: geometry.height,
      margin: { l: geometry.left, r: geometry.right, t: 0, b: 0, pad: 0 },
      paper_bgcolor: palette.paper,
      plot_bgcolor: palette.paper,
      font: { family: input.print ? PRINT_FONT : FONT, size: 11, color: palette.muted },
      hovermode: false,
      dragmode: "zoom",
      showlegend: input.print,
      legend: legend(geometry, palette),
      ...axes,
      xaxis: xAxis(range, geometry, palette),
      ...upper.axes,
      annotations: [...annotations, xTitle(geometry, palette), ...upper.annotations, ...rules.annotations],
      shapes: [...rules.shapes, ...shapes],
    },
  };
}

/** Curves of an earlier scenario fade. */
function faded(drawn: Data[], engine: string, late: string[]): Data[] {
  const share = late.includes(engine) ? 0.3 : 1;
  return drawn.map((trace): Data => ({ ...trace, opacity: share * ((trace as { opacity?: number }).opacity ?? 1) }));
}

/** What an empty plot says: a logarithm has no place for 0. */
export function nothingDrawn(samples: Sample[], { id, log, unit }: Quantity): string | undefined {
  if (!log || samples.length === 0 || samples.some(({ y }) => y > 0)) return undefined;
  const bound = Math.max(0, ...samples.map(({ high }) => high ?? 0));
  const below = bound > 0 ? ` (below ${formatMetric(id, bound, unit)})` : "";
  return `${id === "drop_rate" ? "0 drops" : formatMetric(id, 0, unit)} at every size${below}`;
}

function centred(
  text: string,
  i: number,
  palette: Palette,
  log: boolean,
  bounds: [number, number],
): Partial<Annotations> {
  const [low, high] = log ? (bounds.map(Math.log10) as [number, number]) : bounds;
  return {
    text,
    xref: "paper",
    x: 0.5,
    yref: yName(i) as "y",
    y: (low + high) / 2,
    showarrow: false,
    font: { size: 12, color: palette.muted },
  };
}

/** The title of the byte scale, at its left end as those of the upper scales. */
function xTitle(geometry: Geometry, palette: Palette): Partial<Annotations> {
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

function samplesOf(points: Point[], engines: string[], { metric, scale }: Quantity): Map<string, Sample[]> {
  const shown = enginesOf(points).filter((engine) => engines.includes(engine));
  return new Map(shown.map((engine) => [engine, series(points, engine, metric, scale)]));
}

/** The 99th percentiles that are drawn beside the medians. */
function tailsOf(points: Point[], engines: string[], quantity: Quantity): Map<string, Sample[]> {
  return quantity.tail === undefined
    ? new Map<string, Sample[]>()
    : samplesOf(points, engines, { ...quantity, metric: quantity.tail });
}

function ink(palette: Palette, pinned: boolean) {
  return {
    colour: pinned ? palette.pinned : palette.current,
    band: pinned ? palette.pinnedBand : palette.currentBand,
    paper: palette.paper,
  };
}

const paperY = (pixel: number, { height }: Geometry) => 1 - pixel / height;

/** Labels that stand beside one another without turning; nine are enough anywhere. */
const ticksAcross = ({ width, left, right }: Geometry) =>
  Math.min(9, Math.max(3, Math.floor((width - left - right) / 62)));

function xAxis(range: [number, number], geometry: Geometry, palette: Palette): Partial<LayoutAxis> {
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

function yAxis(
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

/** The last trace of an engine stands for it in the legend of a picture. */
function labelled(drawn: Data[], named: boolean, name: string): Data[] {
  return drawn.map((trace, i): Data =>
    named && i === drawn.length - 1 ? { ...trace, name, showlegend: true } : trace,
  );
}

function legend(geometry: Geometry, palette: Palette): Partial<Layout["legend"]> {
  const top = (geometry.plots[0]?.top ?? 0) - 4;
  return {
    orientation: "h",
    x: 1,
    xanchor: "right",
    y: paperY(top, geometry),
    yanchor: "bottom",
    font: { size: 12, color: palette.ink },
    bgcolor: "rgba(0,0,0,0)",
  };
}

function heading(text: string, geometry: Geometry, i: number, palette: Palette): Partial<Annotations> {
  const box = geometry.plots[i] ?? { top: 0, height: 0 };
  return {
    text: `<b>${text}</b>`,
    xref: "paper",
    yref: "paper",
    x: 0,
    y: paperY(box.top - 4, geometry),
    xanchor: "left",
    yanchor: "bottom",
    showarrow: false,
    font: { size: 12, color: palette.ink },
  };
}

function goalLine(value: number, i: number, palette: Palette): Partial<Shape> {
  return {
    type: "line",
    xref: "paper",
    x0: 0,
    x1: 1,
    yref: yName(i) as "y",
    y0: value,
    y1: value,
    layer: "above",
    line: { color: palette.objective, width: 1, dash: "dash" },
  };
}

/** The objective on what a plot shows, in the plot's unit. */
function goalOf(objectives: Objective[], { metric, scale, tail }: Quantity): Objective | undefined {
  const found = objectives.find((objective) => objective.metric === metric || objective.metric === tail);
  return found === undefined ? undefined : { ...found, value: found.value * scale };
}

/** Pixels between a line and the upper border of its plot, and its lower one. */
function roomAbove(
  value: number,
  { log }: Quantity,
  bounds: readonly [number, number],
  height: number,
): [number, number] {
  const of = (number: number) => (log ? Math.log10(number) : number);
  const above = ((of(bounds[1]) - of(value)) / (of(bounds[1]) - of(bounds[0]))) * height;
  return [above, height - above];
}

function goalLabel(
  { op, value }: Objective,
  quantity: Quantity,
  i: number,
  palette: Palette,
  [above, below]: [number, number],
): Partial<Annotations> {
  // On the side of what is wanted, unless its text would leave the plot there.
  const under = op === ">=" ? below >= LABEL : above < LABEL;
  const text = `${op === ">=" ? "≥" : "≤"} ${showObjective(quantity.id, value, quantity.unit)}`;
  return {
    text,
    xref: "paper",
    yref: yName(i) as "y",
    x: 0,
    xshift: 6,
    y: quantity.log ? Math.log10(value) : value,
    xanchor: "left",
    yanchor: under ? "top" : "bottom",
    showarrow: false,
    font: { size: 10.5, color: palette.muted },
  };
}

/** Two scales that read the same axis in packets and in time to drain. */
function upperScales({ derived, range, geometry, palette }: FigureInput) {
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
