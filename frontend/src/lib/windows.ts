/** Utilisation and drops per window of time, and what averaging over longer windows makes of them. */
import type { Schema } from "@/contract";
import type { Data, LayoutAxis } from "plotly.js";

import type { Figure } from "@/lib/figure";
import type { Palette } from "@/lib/palette";
import { plainLayout } from "@/lib/plainLayout";
import { formatQuantity } from "@/lib/quantity";
import { logRange, logTicks, quantityTicks } from "@/lib/ticks";

export type WindowedPort = Schema<"SeriesPort">;
export type Windows = Schema<"SeriesDocument">;

/** How many windows are joined into one. */
export const JOINS = [1, 10, 100] as const;

export type WindowPoint = { port: string; utilisation: number; dropRate: number; offered: number };

/**
 * One point per `join` windows of a port: mean utilisation, and packets dropped over packets offered. What is left
 * over at the end, shorter than the rest, is left out; so is a window in which nothing was offered.
 */
export function joined({ ports }: Windows, join: number): WindowPoint[] {
  return Object.entries(ports).flatMap(([port, { utilisation, offered, dropped }]) =>
    Array.from({ length: Math.floor(utilisation.length / join) }, (_, i): WindowPoint => {
      const sum = (values: readonly number[]) =>
        values.slice(i * join, (i + 1) * join).reduce((total, value) => total + value, 0);
      const arrived = sum(offered);
      return {
        port,
        utilisation: sum(utilisation) / join,
        dropRate: arrived === 0 ? 0 : sum(dropped) / arrived,
        offered: arrived,
      };
    }).filter(({ offered: arrived }) => arrived > 0),
  );
}

/** Joins that leave at least a few windows. */
export const possibleJoins = ({ time }: Windows): number[] =>
  JOINS.filter((join) => join === 1 || time.length / join >= 3);

/** The least utilisation at which anything was dropped; undefined where nothing was. */
export function onset(points: readonly WindowPoint[]): number | undefined {
  const lossy = points.filter(({ dropRate }) => dropRate > 0).map(({ utilisation }) => utilisation);
  return lossy.length === 0 ? undefined : Math.min(...lossy);
}

/** Drop rate against utilisation; windows without drops stand open at the foot of the axis. */
export function windowsFigure(points: readonly WindowPoint[], width: number, height: number, palette: Palette): Figure {
  const lossy = points.filter(({ dropRate }) => dropRate > 0);
  const clean = points.filter(({ dropRate }) => dropRate === 0);
  const [low, high] = lossy.length === 0 ? [1e-6, 1e-2] : logRange(lossy.map(({ dropRate }) => dropRate));
  const floor = low / 2.5;
  const least = Math.min(1, ...points.map(({ utilisation }) => utilisation));
  const across: [number, number] = [Math.max(0, least - 0.04 * (1 - least) - 0.005), 1.01];
  const x = quantityTicks(100 * across[0], 100, "1", Math.max(3, Math.floor(width / 80)));
  const y = logTicks(low, high, (value) => percentOf(value), Math.max(3, Math.floor(height / 40)));
  const common = { type: "scatter" as const, mode: "markers" as const, hoverinfo: "skip" as const, showlegend: false };
  const axis: Partial<LayoutAxis> = {
    fixedrange: true,
    gridcolor: palette.grid,
    zeroline: false,
    showline: true,
    linecolor: palette.axis,
  };
  const data: Data[] = [
    {
      ...common,
      x: lossy.map(({ utilisation }) => utilisation),
      y: lossy.map(({ dropRate }) => dropRate),
      marker: { color: palette.current, size: 5, opacity: 0.65 },
    },
    {
      ...common,
      x: clean.map(({ utilisation }) => utilisation),
      y: clean.map(() => floor),
      marker: { color: palette.current, size: 5, symbol: "circle-open", opacity: 0.5 },
      cliponaxis: false,
    },
  ];
  return {
    data,
    layout: {
      ...plainLayout({ width, height }, palette),
      margin: { l: 58, r: 12, t: 8, b: 36, pad: 0 },
      xaxis: {
        ...axis,
        range: across,
        tickvals: x.values.map((value) => value / 100),
        ticktext: x.labels.map((text) => `${text} %`),
        tickfont: { size: 11, color: palette.ink },
        title: { text: "utilisation of the window", font: { size: 11, color: palette.muted }, standoff: 4 },
      },
      yaxis: {
        ...axis,
        type: "log",
        range: [Math.log10(floor), Math.log10(high)],
        tickvals: [floor, ...y.values],
        ticktext: ["none", ...y.labels],
        tickfont: { size: 11, color: palette.muted },
      },
    },
  };
}

const percentOf = (value: number) => `${Number((100 * value).toPrecision(1))} %`;

/** "10 ms", "1 s": how long a window of so many is. */
export const windowName = (window: number, join: number) =>
  formatQuantity(Number((window * join).toPrecision(6)), "s", 2)
    .replace(/(\.\d*?)0+(?=\s)/, "$1")
    .replace(/\.(?=\s)/, "");
