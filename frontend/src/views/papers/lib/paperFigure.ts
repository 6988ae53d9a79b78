/** A figure in the form of a paper's, from its data. */
import type { Schema } from "@/contract";
import type { Data, LayoutAxis } from "plotly.js";

import type { Figure } from "@/lib/figure";
import type { Palette, Scheme } from "@/lib/palette";
import { plainLayout } from "@/lib/plainLayout";
import { formatQuantity } from "@/lib/quantity";
import { logRange, logTicks, quantityTicks } from "@/lib/ticks";

export type FigureAxis = Schema<"PaperFigureAxis">;
export type FigureSeries = Schema<"PaperFigureSeries">;
export type PaperFigure = Schema<"PaperFigureDocument">;

/** Told apart by dash and sign as well; the hues stay apart in every common colour blindness. */
const HUES: Record<Scheme, string[]> = {
  light: ["#0b5fa5", "#b1540a", "#2b7a5d", "#8a4a94", "#5a6570", "#97780a"],
  dark: ["#6cb4f2", "#f0a24e", "#5fc3a0", "#c893d0", "#a7b1bb", "#d8c04f"],
};
const SHAPES = 6;
/** Points of a curve up to which each is shown. */
const FEW = 24;
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"] as const;
const SIGNS = ["circle", "diamond-open", "square", "triangle-up-open", "x", "star-open"] as const;
const PATTERNS = ["", "/", ".", "x", "-", "+"] as const;

/** How the curve of a place in the figure looks; beyond six, hues come again with other dashes and signs. */
export function lookOf(i: number, scheme: Scheme) {
  const other = (i + Math.floor(i / SHAPES)) % SHAPES;
  return {
    colour: HUES[scheme][i % SHAPES] ?? "",
    dash: DASHES[other] ?? "solid",
    sign: SIGNS[other] ?? "circle",
    pattern: PATTERNS[other] ?? "",
  };
}

/** Looks of all curves: those named after the same thing, as in "A, 10 ms" and "A, 1 s", share its hue. */
export function looksOf(names: readonly string[], scheme: Scheme) {
  const heads = names.map((name) => name.split(", ")[0] ?? name);
  const distinct = [...new Set(heads)];
  const plain = names.map((_, i) => lookOf(i, scheme));
  const shared = plain.map((look, i) => ({ ...look, colour: HUES[scheme][distinct.indexOf(heads[i] ?? "")] ?? "" }));
  const apart = new Set(shared.map(({ colour, sign }) => `${colour}${sign}`)).size === names.length;
  return distinct.length < names.length && distinct.length <= SHAPES && apart ? shared : plain;
}

/** Printed values are drawn in the text's colour, told apart by sign and dash. glyph: the sign beside the name. */
const PRINTED = [
  { sign: "x-thin-open", glyph: "✕", dash: "dot" },
  { sign: "cross-thin-open", glyph: "＋", dash: "dash" },
  { sign: "asterisk-open", glyph: "✳", dash: "dashdot" },
  { sign: "y-up-open", glyph: "⅄", dash: "longdash" },
  { sign: "y-down-open", glyph: "Ｙ", dash: "longdashdot" },
] as const;
export const printedLook = (i: number) => PRINTED[i % PRINTED.length] ?? PRINTED[0];

/** All curves of a figure as comma-separated values, SI base units: a row per point. */
export function figureCsv({ series: ours, published, x, y }: PaperFigure): string {
  const series = [...ours, ...published];
  const cell = (value: string | number | undefined) =>
    typeof value === "string" && /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value ?? "");
  const head = (axis: FigureAxis, usual: string) =>
    `${axis.title === "" ? usual : axis.title}${axis.unit === "1" || axis.unit === "" ? "" : ` [${axis.unit}]`}`;
  const bounded = series.some(({ low }) => low.length > 0);
  const rows = series.flatMap((one) =>
    one.y.map((value, i) => [one.name, one.x[i], value, ...(bounded ? [one.low[i], one.high[i]] : [])]),
  );
  return (
    [["curve", head(x, "x"), head(y, "y"), ...(bounded ? ["low", "high"] : [])], ...rows]
      .map((row) => row.map(cell).join(","))
      .join("\n") + "\n"
  );
}

/** `hidden`: names of curves that are left out; the axes stay. */
export function paperFigure(
  { kind, x, y, series, published }: PaperFigure,
  width: number,
  height: number,
  palette: Palette,
  scheme: Scheme,
  hidden: ReadonlySet<string> = new Set(),
): Figure {
  const named = series.some((one) => typeof one.x[0] === "string");
  const all = (of: (one: FigureSeries) => readonly (number | string)[]) =>
    [...series, ...published].flatMap((one) => of(one).filter((value) => typeof value === "number"));
  const axis: Partial<LayoutAxis> = {
    fixedrange: true,
    gridcolor: palette.grid,
    zeroline: false,
    showline: true,
    linecolor: palette.axis,
    ticks: "",
  };
  const across = named
    ? { type: "category" as const }
    : scaleOf(
        x,
        all((one) => one.x),
        Math.max(3, Math.floor(width / 90)),
        kind === "cdf" ? NEAR : FAR,
      );
  const up = scaleOf(
    y,
    [...all((one) => one.y), ...all((one) => one.low), ...all((one) => one.high)],
    Math.max(3, Math.floor(height / 45)),
    kind === "bars" ? 1 : NEAR,
  );
  const looks = looksOf(
    series.map(({ name }) => name),
    scheme,
  );
  const data = series.flatMap((one, i): Data[] => {
    const look = looks[i];
    if (hidden.has(one.name) || look === undefined) return [];
    const { colour, dash, sign, pattern } = look;
    const bounded = one.low.length === one.y.length && one.y.length > 0 && one.y.length <= 80;
    const ends = bounded
      ? {
          error_y: {
            type: "data" as const,
            symmetric: false,
            array: one.high.map((high, k) => high - (one.y[k] ?? 0)),
            arrayminus: one.low.map((low, k) => (one.y[k] ?? 0) - low),
            color: colour,
            thickness: 1,
            width: 2,
          },
        }
      : {};
    const common = { x: one.x, y: one.y, name: one.name, hoverinfo: "skip" as const, ...ends };
    if (kind === "bars")
      return [
        {
          ...common,
          type: "bar",
          marker: {
            color: colour,
            line: { color: colour, width: 1 },
            pattern: { shape: pattern, fgcolor: colour, bgcolor: palette.paper, size: 6, solidity: 0.3 },
          },
        },
      ];
    if (kind === "scatter")
      return [
        {
          ...common,
          type: "scatter",
          mode: "markers",
          marker: { color: colour, size: 5.5, symbol: sign, opacity: 0.8 },
        },
      ];
    // Few points are measurements with nothing known between them.
    const few = kind === "line" && one.y.length <= FEW;
    return [
      {
        ...common,
        type: "scatter",
        mode: few ? "lines+markers" : "lines",
        ...(few ? { marker: { color: colour, size: 5, symbol: sign } } : {}),
        line: { color: colour, width: 1.6, dash, shape: kind === "cdf" ? "hv" : "linear" },
      },
    ];
  });
  const printed = published.flatMap((one, i): Data[] => {
    const { sign, dash } = printedLook(i);
    if (hidden.has(one.name)) return [];
    const range =
      one.low.length === one.y.length
        ? {
            error_y: {
              type: "data" as const,
              symmetric: false,
              array: one.high.map((high, k) => high - (one.y[k] ?? 0)),
              arrayminus: one.low.map((low, k) => (one.y[k] ?? 0) - low),
              color: palette.ink,
              thickness: 1,
              width: 4,
            },
          }
        : {};
    return [
      {
        x: one.x,
        y: one.y,
        name: one.name,
        hoverinfo: "skip",
        type: "scatter",
        mode: one.x.length > 1 ? "lines+markers" : "markers",
        line: { color: palette.ink, width: 1.2, dash },
        marker: { color: palette.ink, size: 11, symbol: sign, line: { color: palette.ink, width: 1.8 } },
        ...range,
      },
    ];
  });
  const title = (text: FigureAxis) => ({ text: text.title, font: { size: 11, color: palette.muted }, standoff: 5 });
  return {
    data: [...data, ...printed],
    layout: {
      ...plainLayout({ width, height }, palette),
      margin: { l: 62, r: 12, t: 8, b: 44, pad: 0 },
      xaxis: { ...axis, ...across, title: title(x), tickfont: { size: 11, color: palette.ink } },
      yaxis: { ...axis, ...up, title: title(y), tickfont: { size: 11, color: palette.muted } },
    },
  };
}

/** An axis begins at 0 if the least value is no more than this share of the greatest. */
const NEAR = 0.5;
const FAR = 0.15;

function scaleOf({ unit, log }: FigureAxis, values: number[], most: number, fromZero: number): Partial<LayoutAxis> {
  if (log) {
    const range = logRange(values);
    const { values: tickvals, labels } = logTicks(range[0], range[1], (value) => formatQuantity(value, unit, 1), most);
    return { type: "log", range: range.map(Math.log10), tickvals, ticktext: labels };
  }
  const finite = values.length === 0 ? [0, 1] : values;
  const [least, high] = [Math.min(...finite), Math.max(...finite)];
  // From 0 where 0 is near, so that differences look as large as they are.
  const low = least <= fromZero * high ? Math.min(0, least) : least - 0.06 * (high - least);
  const top = high > low ? high + 0.05 * (high - low) : low + 1;
  const { values: tickvals, labels } = quantityTicks(low, top, unit, most);
  return { type: "linear", range: [low, top], tickvals, ticktext: labels };
}
