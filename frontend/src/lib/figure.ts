/** The figure: three quantities over one logarithmic buffer axis, with packets and drain time above. */
import type { Annotations, Data, Layout, LayoutAxis, Shape } from "plotly.js";

import type { Derived } from "@/lib/derived";
import { paperY, upperScales, xAxis, xTitle, yAxis, yKey, yName } from "@/lib/figureAxes";
import { goalLabel, goalLine, goalOf, shownAt } from "@/lib/figureObjectives";
import type { Geometry } from "@/lib/geometry";
import type { Quantity } from "@/lib/metrics";
import { formatMetric } from "@/lib/quantity";
import type { Objective } from "@/lib/objectives";
import type { Palette } from "@/lib/palette";
import { plainLayout } from "@/lib/plainLayout";
import { enginesOf, series, type Point, type Sample } from "@/lib/points";
import { ruleMarks, type Marker } from "@/lib/markers";
import { extent, linearRange, logRange } from "@/lib/ticks";
import { FADED, traces } from "@/lib/traces";

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
          (quantity.tail === undefined ? quantity.title : `${quantity.title}: median, 99th percentile dashed`) +
            (samples.some(({ outside }) => outside === true) ? "; pale: outside the model's validity" : ""),
          geometry,
          i,
          palette,
        ),
      );
    if (goal !== undefined) {
      shapes.push(goalLine(shownAt(goal.value, quantity, bounds), i, palette));
      annotations.push(goalLabel(goal, quantity, i, palette, bounds, geometry.plots[i]?.height ?? 0));
    }
  });
  const rules = ruleMarks(input.markers, range, geometry, palette);
  const upper = upperScales(input);
  return {
    data: [...upper.data, ...data],
    layout: {
      ...plainLayout(geometry, palette, input.print),
      margin: { l: geometry.left, r: geometry.right, t: 0, b: 0, pad: 0 },
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

/** The text of an empty plot: a logarithmic axis cannot show 0. */
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

/** The last trace of an engine represents it in the legend of a picture. */
function labelled(drawn: Data[], named: boolean, name: string): Data[] {
  // Not a pale stretch, nor the band below the points.
  const solid = drawn.findLastIndex((trace) => (trace as { opacity?: number }).opacity !== FADED);
  const shown = solid < 0 ? drawn.length - 1 : solid;
  return drawn.map((trace, i): Data => (named && i === shown ? { ...trace, name, showlegend: true } : trace));
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
    bgcolor: palette.paper,
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
