/** Queue length by share of time, and completion times by size, which every packet run records. */
import type { Schema } from "@/contract";
import type { Data, LayoutAxis } from "plotly.js";

import type { Figure } from "@/lib/figure";
import { significant } from "@/lib/number";
import type { Palette } from "@/lib/palette";
import { plainLayout } from "@/lib/plainLayout";
import type { PlotText } from "@/lib/plotText";
import { formatQuantity } from "@/lib/quantity";
import { logRange, logTicks, quantityTicks } from "@/lib/ticks";

/** At each share of the time, the bytes that waited at most for so long: of all watched ports, then of the busiest. */
export type Queues = Schema<"QueueDistribution">;

/** One class of sizes: above `above` up to `upto` [B]; times in s, slowdowns null where they are not measured. */
export type SizeRow = Schema<"SizeCompletions">;

/** Shares of time at which a distribution is read. */
export const SHARES = [0.5, 0.9, 0.99, 1] as const;

export const portName = (port: string) => (port === "all" ? "all watched ports" : port.replace(">", " → "));

/** Queue [B] that was not exceeded for this share of the time; undefined where it is not given. */
export function queueAt({ share, queues }: Queues, row: number, at: number): number | undefined {
  const place = share.findIndex((one) => Math.abs(one - at) < 1e-9);
  return place < 0 ? undefined : queues[row]?.bytes[place];
}

/** Sizes with slowdowns, as they are drawn. */
export const slowed = (rows: readonly SizeRow[]) =>
  rows.flatMap(({ upto, count, slowdown_p50: median, slowdown_p99: p99 }) =>
    median === null || p99 === null ? [] : [{ upto, count, median, p99 }],
  );

export function queueText(found: Queues): PlotText {
  const said = found.queues.map(({ port }, row) => {
    const [median, tail] = [queueAt(found, row, 0.5), queueAt(found, row, 0.99)];
    return median === undefined || tail === undefined
      ? ""
      : `Queue of ${portName(port)}: at most ${formatQuantity(median, "B")} for half of the time, at ` +
          `most ${formatQuantity(tail, "B")} for 99 %.`;
  });
  return { summary: said.join(" ") };
}

export function slowdownText(rows: readonly SizeRow[]): PlotText {
  const points = slowed(rows);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return { summary: "No slowdown was measured." };
  const words = (point: typeof first) =>
    `${significant(point.median, 3)} in the median and ${significant(point.p99, 3)} at the 99th ` +
    `percentile up to ${formatQuantity(point.upto, "B")}`;
  return { summary: `Slowdown: ${words(first)}; ${words(last)}.` };
}

export function queueCsv({ share, queues }: Queues): string {
  const header = ["share of time", ...queues.map(({ port }) => `${port} [B]`)].join(",");
  const rows = share.map((at, i) => [at, ...queues.map(({ bytes }) => bytes[i] ?? "")].join(","));
  return [header, ...rows, ""].join("\n");
}

const COLUMNS = ["above", "upto", "count", "mean", "p50", "p99", "slowdown_p50", "slowdown_p99"] as const;

export function sizesCsv(rows: readonly SizeRow[]): string {
  return [COLUMNS.join(","), ...rows.map((row) => COLUMNS.map((name) => row[name] ?? "").join(",")), ""].join("\n");
}

const layoutOf = (width: number, height: number, palette: Palette) => ({
  ...plainLayout({ width, height }, palette),
  margin: { l: 58, r: 12, t: 8, b: 36, pad: 0 },
});

const axisOf = (palette: Palette, title: string): Partial<LayoutAxis> => ({
  fixedrange: true,
  gridcolor: palette.grid,
  zeroline: false,
  showline: true,
  linecolor: palette.axis,
  title: { text: title, font: { size: 11, color: palette.muted }, standoff: 4 },
});

/** Share of time with a queue of at most so many bytes; the busiest port is dashed. */
export function queueFigure(found: Queues, width: number, height: number, palette: Palette): Figure {
  const most = Math.max(1, ...found.queues.flatMap(({ bytes }) => bytes));
  const x = quantityTicks(0, most, "B", Math.max(2, Math.floor(width / 80)));
  const data: Data[] = found.queues.map(({ bytes }, row) => ({
    type: "scatter",
    mode: "lines",
    x: bytes,
    y: found.share,
    line: { color: row === 0 ? palette.current : palette.pinned, width: 1.8, dash: row === 0 ? "solid" : "dash" },
    hoverinfo: "skip",
    showlegend: false,
  }));
  return {
    data,
    layout: {
      ...layoutOf(width, height, palette),
      xaxis: {
        ...axisOf(palette, "queue, at most"),
        range: [0, most * 1.02],
        tickvals: x.values,
        ticktext: x.labels,
      },
      yaxis: {
        ...axisOf(palette, "share of time"),
        range: [0, 1.02],
        tickvals: [0, 0.25, 0.5, 0.75, 1],
        ticktext: ["0", "25 %", "50 %", "75 %", "100 %"],
      },
    },
  };
}

/** Median (line) and 99th percentile (dashed) of slowdown over the upper end of every class of sizes. */
export function slowdownFigure(rows: readonly SizeRow[], width: number, height: number, palette: Palette): Figure {
  const points = slowed(rows);
  const [low, high] = logRange([1, ...points.flatMap(({ median, p99 }) => [median, p99])]);
  const across = logRange(points.map(({ upto }) => upto));
  const x = logTicks(...across, (value) => formatQuantity(value, "B"), Math.max(2, Math.floor(width / 80)));
  const y = logTicks(low, high, (value) => String(value), Math.max(3, Math.floor(height / 40)));
  const data: Data[] = (["median", "p99"] as const).map((name) => ({
    type: "scatter",
    mode: "lines+markers",
    x: points.map(({ upto }) => upto),
    y: points.map((point) => point[name]),
    line: {
      color: name === "median" ? palette.current : palette.pinned,
      width: 1.8,
      dash: name === "median" ? "solid" : "dash",
    },
    marker: { size: 5, symbol: name === "median" ? "circle" : "diamond" },
    hoverinfo: "skip",
    showlegend: false,
  }));
  const log10 = ([a, b]: [number, number]): [number, number] => [Math.log10(a), Math.log10(b)];
  return {
    data,
    layout: {
      ...layoutOf(width, height, palette),
      xaxis: {
        ...axisOf(palette, "size, up to"),
        type: "log",
        range: log10(across),
        tickvals: x.values,
        ticktext: x.labels,
      },
      yaxis: {
        ...axisOf(palette, "slowdown"),
        type: "log",
        range: log10([low, high]),
        tickvals: y.values,
        ticktext: y.labels,
      },
    },
  };
}
