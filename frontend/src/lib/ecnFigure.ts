/** The trade-off drawn: queue with its oscillation, and utilisation, over one logarithmic axis of Kmax. */
import type { Annotations, Data, LayoutAxis, Shape } from "plotly.js";

import type { EcnQuestion, Thresholds } from "@/lib/ecn";
import type { Figure } from "@/lib/figure";
import type { Rectangle } from "@/lib/labels2d";
import type { Palette } from "@/lib/palette";
import { plainLayout } from "@/lib/plainLayout";
import { formatQuantity } from "@/lib/quantity";
import { logTicks } from "@/lib/ticks";

const [LEFT, RIGHT, HEADING, BOTTOM] = [62, 16, 26, 40];

type Box = { top: number; height: number };
export type EcnScene = {
  width: number;
  height: number;
  boxes: [Box, Box];
  x: [number, number];
  queue: [number, number];
  utilisation: [number, number];
};

/** Where things lie, for these thresholds and a plot of this size. */
export function sceneOf(
  curve: Thresholds[],
  points: Thresholds[],
  question: EcnQuestion,
  width: number,
  height: number,
): EcnScene {
  const room = Math.max(height - 2 * HEADING - BOTTOM, 160);
  const [upper, lower] = [0.68 * room, 0.32 * room];
  const all = [...curve, ...points];
  const kmax = all.map((one) => one.kmax);
  const tops = all.map(({ queue_max: most }) => most);
  const least = Math.min(1, ...all.map(({ utilisation }) => utilisation));
  return {
    width,
    height,
    boxes: [
      { top: HEADING, height: upper },
      { top: 2 * HEADING + upper, height: lower },
    ],
    x: [Math.min(...kmax) / 1.25, Math.max(...kmax) * 1.25],
    // The axis cannot show an empty queue: values below one packet are drawn down to the lower edge.
    queue: [question.mtu / 2, Math.max(question.buffer, ...tops) * 2.4],
    utilisation: [
      Math.max(0, Math.min(least, question.utilisation) - 0.05 * (1 - least) - 0.01),
      1 + 0.08 * (1 - least) + 0.002,
    ],
  };
}

/** What names of points should not lie on: the curve of the queue, and the names of its levels. */
export function drawnIn(curve: Thresholds[], question: EcnQuestion, scene: EcnScene): Rectangle[] {
  const places = curve.map((one) => placeOf(one, scene));
  const dots = places.slice(1).flatMap((end, i) => {
    const begin = places[i] ?? end;
    const steps = Math.max(1, Math.ceil((end.x - begin.x) / 6));
    return Array.from({ length: steps + 1 }, (_, k) => ({
      x: begin.x + ((end.x - begin.x) * k) / steps,
      y: begin.y + ((end.y - begin.y) * k) / steps,
    }));
  });
  const names = levelsOf(question)
    .filter(([, , axis]) => axis === "y")
    .map(([value, text]) => {
      const y = upOf(value, scene);
      return { left: LEFT, right: LEFT + 10 + text.length * 5.6, top: y - 15, bottom: y };
    });
  return [...dots.map(({ x, y }) => ({ left: x - 2, right: x + 2, top: y - 2, bottom: y + 2 })), ...names];
}

const upOf = (queue: number, { boxes, queue: [low, high] }: EcnScene) =>
  boxes[0].top + (1 - Math.log(Math.max(queue, low) / low) / Math.log(high / low)) * boxes[0].height;

/** Lines across the plots, each with its name and axis. */
function levelsOf(question: EcnQuestion): [number, string, "y" | "y2"][] {
  const longest = question.queue ?? question.buffer / 2;
  return [
    [longest, `longest queue ${formatQuantity(longest, "B")}`, "y"],
    [question.buffer, `buffer ${formatQuantity(question.buffer, "B")}`, "y"],
    [question.utilisation, `at least ${Number((100 * question.utilisation).toPrecision(4))} %`, "y2"],
  ];
}

/** Pixel of a set of thresholds on the queue's plot. */
export function placeOf(one: Thresholds, scene: EcnScene): { x: number; y: number } {
  const { width, x } = scene;
  const across = Math.log(one.kmax / x[0]) / Math.log(x[1] / x[0]);
  return { x: LEFT + across * (width - LEFT - RIGHT), y: upOf(one.queue_mean, scene) };
}

export const insideOf = ({ width, boxes }: EcnScene) => ({
  left: LEFT + 2,
  right: width - 4,
  top: boxes[0].top,
  bottom: boxes[0].top + boxes[0].height,
});

export function ecnFigure(curve: Thresholds[], question: EcnQuestion, scene: EcnScene, palette: Palette): Figure {
  const x = curve.map((one) => one.kmax);
  const floor = (value: number) => Math.max(value, scene.queue[0]);
  const line = { color: palette.current, width: 1.75 };
  const common = { type: "scatter" as const, hoverinfo: "skip" as const, showlegend: false, x };
  const data: Data[] = [
    { ...common, mode: "lines", y: curve.map(({ queue_min: least }) => floor(least)), line: { width: 0 } },
    {
      ...common,
      mode: "lines",
      y: curve.map(({ queue_max: most }) => floor(most)),
      line: { width: 0 },
      fill: "tonexty",
      fillcolor: palette.currentBand,
    },
    { ...common, mode: "lines", y: curve.map(({ queue_mean: mean }) => floor(mean)), line },
    { ...common, mode: "lines", y: curve.map(({ utilisation }) => utilisation), line, yaxis: "y2" },
  ];
  const levels = levelsOf(question);
  return {
    data,
    layout: {
      ...plainLayout(scene, palette),
      margin: { l: LEFT, r: RIGHT, t: 0, b: 0, pad: 0 },
      xaxis: xAxis(scene, palette),
      yaxis: queueAxis(scene, palette),
      yaxis2: utilisationAxis(scene, palette),
      shapes: levels.map(([value, , axis]) => level(value, axis, palette)),
      annotations: [
        ...levels.map(([value, text, axis]) => name(axis === "y" ? Math.log10(value) : value, text, axis, palette)),
        heading("Queue: mean and range", scene, 0, palette),
        heading("Utilisation", scene, 1, palette),
        axisTitle("Kmax", palette),
      ],
    },
  };
}

const paperY = (pixel: number, { height }: EcnScene) => 1 - pixel / height;

const domain = (scene: EcnScene, { top, height }: Box) => [
  Math.max(0, paperY(top + height, scene)),
  paperY(top, scene),
];

function xAxis(scene: EcnScene, palette: Palette): Partial<LayoutAxis> {
  const { values, labels } = logTicks(
    scene.x[0],
    scene.x[1],
    (value) => formatQuantity(value, "B", 1),
    scene.width < 480 ? 5 : 9,
  );
  const [, lower] = scene.boxes;
  return {
    type: "log",
    range: scene.x.map(Math.log10),
    anchor: "free",
    position: Math.max(0, paperY(lower.top + lower.height, scene)),
    fixedrange: true,
    tickvals: values,
    ticktext: labels,
    tickfont: { size: 11, color: palette.ink },
    ticks: "outside",
    ticklen: 4,
    tickcolor: palette.axis,
    gridcolor: palette.grid,
    zeroline: false,
    showline: true,
    linecolor: palette.axis,
  };
}

const common = (palette: Palette): Partial<LayoutAxis> => ({
  anchor: "x",
  fixedrange: true,
  gridcolor: palette.grid,
  zeroline: false,
  showline: true,
  linecolor: palette.axis,
  ticks: "",
  tickfont: { size: 11, color: palette.muted },
});

function queueAxis(scene: EcnScene, palette: Palette): Partial<LayoutAxis> {
  const { values, labels } = logTicks(
    scene.queue[0],
    scene.queue[1],
    (value) => formatQuantity(value, "B", 1),
    Math.max(3, Math.floor(scene.boxes[0].height / 28)),
  );
  return {
    ...common(palette),
    type: "log",
    range: scene.queue.map(Math.log10),
    domain: domain(scene, scene.boxes[0]),
    tickvals: values,
    ticktext: labels,
  };
}

function utilisationAxis(scene: EcnScene, palette: Palette): Partial<LayoutAxis> {
  const [low] = scene.utilisation;
  const step = 1 - low > 0.5 ? 0.25 : 1 - low > 0.2 ? 0.1 : 1 - low > 0.06 ? 0.02 : 0.005;
  const values = Array.from({ length: Math.floor((1 - low) / step + 1e-9) + 1 }, (_, k) =>
    Number((1 - k * step).toPrecision(6)),
  ).toReversed();
  return {
    ...common(palette),
    type: "linear",
    range: scene.utilisation,
    domain: domain(scene, scene.boxes[1]),
    tickvals: values,
    ticktext: values.map((value) => `${Number((100 * value).toPrecision(4))} %`),
  };
}

const level = (value: number, yref: "y" | "y2", palette: Palette): Partial<Shape> => ({
  type: "line",
  xref: "paper",
  x0: 0,
  x1: 1,
  yref: yref,
  y0: value,
  y1: value,
  layer: "below",
  line: { color: palette.objective, width: 1, dash: "dash" },
});

const name = (y: number, text: string, yref: "y" | "y2", palette: Palette): Partial<Annotations> => ({
  text,
  xref: "paper",
  x: 0,
  xshift: 6,
  yref: yref,
  y,
  xanchor: "left",
  yanchor: yref === "y" ? "bottom" : "top",
  showarrow: false,
  font: { size: 10.5, color: palette.muted },
});

const heading = (text: string, scene: EcnScene, i: 0 | 1, palette: Palette): Partial<Annotations> => ({
  text: `<b>${text}</b>`,
  xref: "paper",
  x: 0,
  yref: "paper",
  y: paperY(scene.boxes[i].top - 5, scene),
  xanchor: "left",
  yanchor: "bottom",
  showarrow: false,
  font: { size: 12.5, color: palette.ink },
});

const axisTitle = (text: string, palette: Palette): Partial<Annotations> => ({
  text,
  xref: "paper",
  x: 1,
  yref: "paper",
  y: 0,
  xanchor: "right",
  yanchor: "bottom",
  showarrow: false,
  font: { size: 11, color: palette.muted },
});
