/** Plots stacked over one linear axis of time: where they lie, and how they are drawn. */
import type { Annotations, Data, LayoutAxis } from "plotly.js";

import type { Figure } from "@/lib/figure";
import type { Palette } from "@/lib/palette";
import { plainLayout } from "@/lib/plainLayout";
import { quantityTicks } from "@/lib/ticks";

const [LEFT, RIGHT, HEADING, GAP, FOOT] = [66, 16, 24, 8, 30];

/** Bars are drawn where something is; marks stand at their value. */
export type LineStyle = "solid" | "dash" | "dot" | "bars" | "hatched" | "marks";
export type LineColour = "current" | "pinned" | "muted" | "bad";

/** One quantity at every step; null where there is none. */
export type Line = {
  name: string;
  values: readonly (number | null)[];
  /** The other edge of a band, such as the most within a step. */
  edge?: readonly (number | null)[];
  /** How the edge is called where values are read. */
  edgeName?: string;
  /** What is read under the cross-hair, where that is not what is drawn. */
  read?: readonly (number | null)[];
  style: LineStyle;
  colour: LineColour;
};

export type Panel = {
  title: string;
  unit: string;
  /** Ends of the steps, and their length [s]. */
  ends: readonly number[];
  step: number;
  lines: Line[];
  /** Height of the plot itself [px]. */
  height: number;
  /** Upper end of the axis; what lies above is cut off. */
  top?: number;
  /** Said inside the plot at its upper right. */
  note?: string;
};

export type TimeScene = {
  width: number;
  height: number;
  left: number;
  right: number;
  range: [number, number];
  boxes: { top: number; height: number }[];
};

/** Where the plots lie, for a width and the span of time shown. */
export function timeScene(panels: readonly Panel[], width: number, range: [number, number]): TimeScene {
  let y = 0;
  const boxes = panels.map(({ height }) => {
    const box = { top: y + HEADING, height };
    y += HEADING + height + GAP;
    return box;
  });
  return { width, height: y - GAP + FOOT, left: LEFT, right: RIGHT, range, boxes };
}

const inside = ({ width, left, right }: TimeScene) => Math.max(width - left - right, 1);

export const pixelOf = (time: number, scene: TimeScene) =>
  scene.left + ((time - scene.range[0]) / (scene.range[1] - scene.range[0])) * inside(scene);

/** The time under a pixel; undefined outside the plots. */
export function timeUnder(pixel: number, scene: TimeScene): number | undefined {
  const share = (pixel - scene.left) / inside(scene);
  return share < 0 || share > 1 ? undefined : scene.range[0] + share * (scene.range[1] - scene.range[0]);
}

/** Index of the step in which a time lies: the first whose end is not before it. `ends` ascend. */
export function stepAt(ends: readonly number[], time: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The span that all steps cover. */
export function spanOf(panels: readonly Panel[]): [number, number] {
  const low = Math.min(...panels.map(({ ends, step }) => (ends[0] ?? 0) - step));
  const high = Math.max(...panels.map(({ ends }) => ends[ends.length - 1] ?? 0));
  return Number.isFinite(low) && high > low ? [low, high] : [0, 1];
}

/** The steps of the plot that reaches furthest: those the cross-hair goes by. */
export function stepsOf(panels: readonly Panel[]): readonly number[] {
  const last = ({ ends }: Panel) => ends[ends.length - 1] ?? 0;
  return (
    panels.reduce<Panel | undefined>(
      (best, panel) => (best === undefined || last(panel) > last(best) ? panel : best),
      undefined,
    )?.ends ?? []
  );
}

export function timeFigure(panels: readonly Panel[], scene: TimeScene, palette: Palette, print = false): Figure {
  const data: Data[] = [];
  const axes: Record<string, Partial<LayoutAxis>> = {};
  const annotations: Partial<Annotations>[] = [];
  const last = scene.boxes[scene.boxes.length - 1] ?? { top: 0, height: 0 };
  panels.forEach((panel, i) => {
    const box = scene.boxes[i] ?? { top: 0, height: 1 };
    const name = i === 0 ? "y" : `y${i + 1}`;
    const high = panel.top ?? topOf(panel);
    const { values, labels } = quantityTicks(0, high, panel.unit, Math.max(2, Math.floor(box.height / 30)));
    axes[i === 0 ? "yaxis" : `yaxis${i + 1}`] = {
      domain: [Math.max(0, paperY(box.top + box.height, scene)), paperY(box.top, scene)],
      anchor: "x",
      fixedrange: true,
      range: [0, high],
      tickvals: values,
      ticktext: labels,
      gridcolor: palette.grid,
      zeroline: false,
      showline: true,
      linecolor: palette.axis,
      ticks: "",
      tickfont: { size: 11, color: palette.muted },
    };
    for (const line of panel.lines) data.push(...tracesOf(line, panel, name, palette));
    if (panel.note !== undefined) {
      annotations.push({
        text: panel.note,
        xref: "paper",
        x: 1,
        xshift: -6,
        yref: "paper",
        y: paperY(box.top + 3, scene),
        xanchor: "right",
        yanchor: "top",
        showarrow: false,
        font: { size: 10.5, color: palette.muted },
        bgcolor: palette.paper,
      });
    }
    if (print) {
      annotations.push({
        text: `<b>${panel.title}</b>: ${panel.lines.map(({ name: one, style }) => `${one} (${style})`).join(", ")}`,
        xref: "paper",
        x: 0,
        yref: "paper",
        y: paperY(box.top - 4, scene),
        xanchor: "left",
        yanchor: "bottom",
        showarrow: false,
        font: { size: 12, color: palette.ink },
      });
    }
  });
  const across = quantityTicks(scene.range[0], scene.range[1], "s", Math.max(3, Math.floor(scene.width / 110)));
  return {
    data,
    layout: {
      ...plainLayout(scene, palette, print),
      margin: { l: scene.left, r: scene.right, t: 0, b: 0, pad: 0 },
      dragmode: "zoom",
      barmode: "overlay",
      bargap: 0,
      ...axes,
      xaxis: {
        type: "linear",
        range: scene.range,
        anchor: "free",
        position: Math.max(0, paperY(last.top + last.height, scene)),
        tickvals: across.values,
        ticktext: across.labels,
        tickfont: { size: 11, color: palette.ink },
        ticks: "outside",
        ticklen: 4,
        tickcolor: palette.axis,
        gridcolor: palette.grid,
        zeroline: false,
        showline: true,
        linecolor: palette.axis,
      },
      annotations,
    },
  };
}

const paperY = (pixel: number, { height }: TimeScene) => 1 - pixel / height;

/** A little above all there is. */
function topOf({ lines, unit }: Panel): number {
  let high = 0;
  for (const { values, edge } of lines)
    for (const value of [...values, ...(edge ?? [])]) high = Math.max(high, value ?? 0);
  return high > 0 ? high * 1.08 : unit === "1" ? 4 : 1;
}

const colourOf = (colour: LineColour, palette: Palette) =>
  ({ current: palette.current, pinned: palette.pinned, muted: palette.muted, bad: palette.bad })[colour];

function tracesOf(
  { values, edge, style, colour: name }: Line,
  { ends, step }: Panel,
  yaxis: string,
  palette: Palette,
): Data[] {
  const colour = colourOf(name, palette);
  const common = { yaxis, hoverinfo: "skip" as const, showlegend: false };
  if (style === "bars" || style === "hatched") {
    // Empty steps have no bar to draw.
    const full = ends.flatMap((end, i) => ((values[i] ?? 0) > 0 ? [{ x: end - step / 2, y: values[i] ?? 0 }] : []));
    const marker =
      style === "bars"
        ? { color: colour, line: { width: 0 } }
        : {
            color: "rgba(0,0,0,0)",
            line: { width: 1, color: colour },
            pattern: { shape: "/" as const, fgcolor: colour, size: 4, solidity: 0.4 },
          };
    return [{ ...common, type: "bar", x: full.map(({ x }) => x), y: full.map(({ y }) => y), width: step, marker }];
  }
  if (style === "marks") {
    return [
      {
        ...common,
        type: "scatter",
        mode: "markers",
        x: [...ends],
        y: [...values],
        marker: { color: colour, size: 6, symbol: "x-thin", line: { color: colour, width: 1.4 } },
        cliponaxis: false,
      },
    ];
  }
  const line = { color: colour, width: style === "solid" ? 1.5 : 1.6, dash: style, shape: "linear" as const };
  const drawn: Data[] = [];
  const x = [...ends];
  if (edge !== undefined) {
    const band = name === "pinned" ? palette.pinnedBand : palette.currentBand;
    drawn.push({ ...common, type: "scatter", mode: "lines", x, y: [...edge], line: { width: 0.8, color: colour } });
    drawn.push({
      ...common,
      type: "scatter",
      mode: "lines",
      x,
      y: [...values],
      line: { width: 0 },
      fill: "tonexty",
      fillcolor: band,
    });
  }
  drawn.push({ ...common, type: "scatter", mode: "lines", x, y: [...values], line, connectgaps: true });
  return drawn;
}
