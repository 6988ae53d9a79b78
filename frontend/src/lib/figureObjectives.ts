/** The line of an objective across its plot, and the label on the side of what is wanted. */
import type { Annotations, Shape } from "plotly.js";

import { yName } from "@/lib/figureAxes";
import { showObjective } from "@/lib/fraction";
import type { Quantity } from "@/lib/metrics";
import type { Objective } from "@/lib/objectives";
import type { Palette } from "@/lib/palette";

/** Height of a label's line. */
const LABEL = 16;

/** The objective on what a plot shows, in the plot's unit. */
export function goalOf(objectives: Objective[], { metric, scale, tail }: Quantity): Objective | undefined {
  const found = objectives.find((objective) => objective.metric === metric || objective.metric === tail);
  return found === undefined ? undefined : { ...found, value: found.value * scale };
}

/** Where a plot shows a value: a logarithmic axis has no 0 and ends a few decades down, so less lies at its floor. */
export const shownAt = (value: number, { log }: Quantity, [floor]: readonly [number, number]) =>
  log ? Math.max(value, floor) : value;

export function goalLine(value: number, i: number, palette: Palette): Partial<Shape> {
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

export function goalLabel(
  { op, value }: Objective,
  quantity: Quantity,
  i: number,
  palette: Palette,
  bounds: readonly [number, number],
  height: number,
): Partial<Annotations> {
  const at = shownAt(value, quantity, bounds);
  const [above, below] = roomAbove(at, quantity, bounds, height);
  // On the side of what is wanted, unless its text would leave the plot there.
  const under = op === ">=" ? below >= LABEL : above < LABEL;
  const shown = showObjective(quantity.id, value, quantity.unit);
  const text = `${op === ">=" ? "≥" : "≤"} ${shown}${at > value ? " ▾" : ""}`;
  return {
    text,
    xref: "paper",
    yref: yName(i) as "y",
    x: 0,
    xshift: 6,
    y: quantity.log ? Math.log10(at) : at,
    xanchor: "left",
    yanchor: under ? "top" : "bottom",
    showarrow: false,
    font: { size: 10.5, color: palette.muted },
  };
}
