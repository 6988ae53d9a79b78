import { useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useCallback, useMemo } from "react";

import classes from "./distributions.module.css";
import { Save } from "./Save";
import {
  portName,
  queueAt,
  queueCsv,
  queueFigure,
  queueText,
  SHARES,
  sizesCsv,
  slowdownFigure,
  slowdownText,
  slowed,
  type Queues,
  type SizeRow,
} from "@/lib/distributions";
import type { Figure } from "@/lib/figure";
import { significant } from "@/lib/number";
import { palettes, type Palette } from "@/lib/palette";
import type { PlotText } from "@/lib/plotText";
import { formatQuantity } from "@/lib/quantity";
import { Plot } from "@/plot/Plot";

export { FlowPaths } from "./FlowPaths";
export { FlowRates } from "./FlowRates";

const nothing = () => {};

type Draw = (width: number, height: number, palette: Palette) => Figure;

/** Queue length by share of time, as a plot and a table, with CSV. */
export function QueueShares({ queues }: { queues: Queues }) {
  const draw: Draw = useCallback((...sizes) => queueFigure(queues, ...sizes), [queues]);
  return (
    <section className={classes.distribution} aria-label="Distribution of queue length">
      <Drawn text={queueText(queues)} draw={draw} />
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Queue at most</th>
            {SHARES.map((share) => (
              <th scope="col" key={share}>
                {share === 1 ? "always" : `${significant(100 * share, 3)} % of the time`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {queues.queues.map(({ port }, row) => (
            <tr key={port}>
              <th scope="row">
                {portName(port)}
                {row > 0 && <small>dashed; the longest mean queue</small>}
              </th>
              {SHARES.map((share) => {
                const bytes = queueAt(queues, row, share);
                return <td key={share}>{bytes === undefined ? "" : formatQuantity(bytes, "B")}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <Save name="footroom-queues.csv" content={() => queueCsv(queues)} />
    </section>
  );
}

/** Completion times by size: slowdown drawn, times in numbers, with CSV. */
export function SizeSlowdowns({ rows }: { rows: readonly SizeRow[] }) {
  const draw: Draw = useCallback((...sizes) => slowdownFigure(rows, ...sizes), [rows]);
  return (
    <section className={classes.distribution} aria-label="Completion times by size">
      {slowed(rows).length > 1 && <Drawn text={slowdownText(rows)} draw={draw} />}
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Size up to</th>
            <th scope="col">completed</th>
            <th scope="col">median</th>
            <th scope="col">p99</th>
            <th scope="col">slowdown, median</th>
            <th scope="col">slowdown, p99 (dashed)</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.upto}>
              <th scope="row">{formatQuantity(row.upto, "B")}</th>
              <td>{row.count}</td>
              <td>{formatQuantity(row.p50, "s")}</td>
              <td>{formatQuantity(row.p99, "s")}</td>
              <td>{row.slowdown_p50 === null ? "" : significant(row.slowdown_p50, 3)}</td>
              <td>{row.slowdown_p99 === null ? "" : significant(row.slowdown_p99, 3)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Save name="footroom-sizes.csv" content={() => sizesCsv(rows)} />
    </section>
  );
}

function Drawn({ draw, text }: { draw: Draw; text: PlotText }) {
  const { ref, width, height } = useElementSize();
  const scheme = useComputedColorScheme("light");
  const figure = useMemo(() => draw(width, height, palettes[scheme]), [draw, width, height, scheme]);
  return (
    <div ref={ref} className={classes.plot}>
      {width > 0 && <Plot figure={figure} text={text} onRange={nothing} onName={nothing} />}
    </div>
  );
}
