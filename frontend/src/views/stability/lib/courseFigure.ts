/** The queue and the rates of the flows over time, as the delay equations have them. */
import type { Schema } from "@/contract";
import type { Annotations, Data, LayoutAxis } from "plotly.js";

import type { Figure } from "@/lib/figure";
import type { Palette } from "@/lib/palette";
import { plainLayout } from "@/lib/plainLayout";
import { quantityTicks } from "@/lib/ticks";

const DASHES = ["solid", "dash", "dot", "dashdot"] as const;

export type Course = Schema<"Trajectory">;

/**
 * Enough of the queue over time to see what happens: several oscillations, or the time in which a small disturbance
 * has grown or died
 * out, but not so little that its rows show.
 */
export function shownTime(
  time: readonly number[],
  root: readonly number[] | undefined,
  period: number | undefined,
): number {
  const end = time[time.length - 1] ?? 1;
  const [growth = 0, frequency = 0] = root ?? [];
  const cycle = period ?? (frequency === 0 ? undefined : (2 * Math.PI) / Math.abs(frequency));
  const wanted = [growth === 0 ? undefined : 8 / Math.abs(growth), cycle === undefined ? undefined : 16 * cycle].filter(
    (one) => one !== undefined,
  );
  return wanted.length === 0 ? end : Math.min(end, Math.max(...wanted, (end * 200) / Math.max(time.length, 200)));
}

export function courseFigure(
  course: Course,
  end: number,
  rest: number | undefined,
  width: number,
  height: number,
  palette: Palette,
): Figure {
  const { groups } = course;
  const count = course.time.findIndex((at) => at > end);
  const cut = (values: number[]) => (count < 0 ? values : values.slice(0, count));
  const [time, queue, rates] = [cut(course.time), cut(course.queue), course.rates.map(cut)];
  const line = (i: number) => ({ color: palette.current, width: 1.4, dash: DASHES[i % DASHES.length] ?? "solid" });
  const common = { type: "scatter" as const, mode: "lines" as const, hoverinfo: "skip" as const, x: time };
  const data: Data[] = [
    { ...common, y: queue, line: line(0), showlegend: false },
    ...rates.map((y, i): Data => ({
      ...common,
      y,
      yaxis: "y2",
      name: groups[i] ?? "",
      line: line(i),
      showlegend: groups.length > 1,
    })),
  ];
  return {
    data,
    layout: {
      ...plainLayout({ width, height }, palette),
      margin: { l: 66, r: 16, t: 22, b: 24, pad: 0 },
      showlegend: groups.length > 1,
      legend: {
        orientation: "h",
        x: 1,
        xanchor: "right",
        y: 0.46,
        yanchor: "bottom",
        font: { size: 11, color: palette.ink },
        bgcolor: "rgba(0,0,0,0)",
      },
      xaxis: {
        ...axis(palette),
        ...ticks([0, end], "s", Math.max(3, Math.floor(width / 90))),
        range: [0, end],
        anchor: "y2",
        tickfont: { size: 11, color: palette.ink },
      },
      yaxis: { ...axis(palette), ...ticks(room(queue), "B", 5), domain: [0.56, 1] },
      yaxis2: { ...axis(palette), ...ticks(room(rates.flat()), "bit/s", 4), domain: [0, 0.42] },
      shapes:
        rest === undefined
          ? []
          : [
              {
                type: "line",
                xref: "paper",
                x0: 0,
                x1: 1,
                yref: "y",
                y0: rest,
                y1: rest,
                layer: "below",
                line: { color: palette.objective, width: 1, dash: "dash" },
              },
            ],
      annotations: [
        heading("Queue", 1, palette),
        heading(groups.length > 1 ? "Rate of one flow of each group" : "Rate of one flow", 0.42, palette),
        ...(rest === undefined ? [] : [restLabel(rest, palette)]),
      ],
    },
  };
}

const axis = (palette: Palette): Partial<LayoutAxis> => ({
  fixedrange: true,
  gridcolor: palette.grid,
  zeroline: false,
  showline: true,
  linecolor: palette.axis,
  ticks: "",
  tickfont: { size: 11, color: palette.muted },
});

/** From what there is, with a little room; never far from 0 when 0 is near. */
function room(values: number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (!(high > -Infinity)) return [0, 1];
  const pad = Math.max(0.06 * (high - low), 1e-3 * Math.abs(high), 1e-9);
  return [low < 0.6 * high ? Math.min(0, low) - 0.02 * high : low - pad, high + pad];
}

const ticks = (range: [number, number], unit: string, most: number): Partial<LayoutAxis> => {
  const { values, labels } = quantityTicks(range[0], range[1], unit, most);
  return { range, tickvals: values, ticktext: labels };
};

const heading = (text: string, y: number, palette: Palette): Partial<Annotations> => ({
  text: `<b>${text}</b>`,
  xref: "paper",
  x: 0,
  yref: "paper",
  y,
  yshift: 3,
  xanchor: "left",
  yanchor: "bottom",
  showarrow: false,
  font: { size: 12.5, color: palette.ink },
});

const restLabel = (rest: number, palette: Palette): Partial<Annotations> => ({
  text: "equilibrium",
  xref: "paper",
  x: 1,
  xshift: -4,
  yref: "y",
  y: rest,
  xanchor: "right",
  yanchor: "bottom",
  showarrow: false,
  font: { size: 10.5, color: palette.muted },
});
