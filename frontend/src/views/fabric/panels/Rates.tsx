import { useState } from "react";

import { Drawing } from "./Drawing";
import classes from "./fabric.module.css";
import { ratesCsv, type Fabric } from "@/lib/fabric";
import { formatQuantity } from "@/lib/quantity";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, GAP, FAIR] = [720, 240, 74, 10, 12, 34, 70];
const SHOWN = 12;
const COLOURS = [
  "--curve",
  "--pinned",
  "--other",
  "--part-reaction",
  "--part-extra",
  "--part-cable",
  "--part-cells",
  "--muted",
];

/** Every flow's goodput over time, and how fair it is. */
export function Rates({ fabric }: { fabric: Fabric }) {
  const [stacked, setStacked] = useState(false);
  const { flows, time, start } = fabric;
  if (flows.rates.length === 0 || time.length === 0) return null;
  const lines = linesOf(flows.rates, stacked);
  const top = Math.max(...lines.flatMap(({ upper }) => upper), 1);
  const end = time[time.length - 1] ?? 1;
  const x = (at: number) => LEFT + ((WIDTH - LEFT - RIGHT) * (at - start)) / Math.max(end - start, 1e-15);
  const y = (value: number) => TOP + HEIGHT * (1 - value / top);
  const fair = (value: number) => TOP + HEIGHT + GAP + FAIR * (1 - value);
  const known = flows.fairness.filter((one) => one !== null);
  const means = flows.rates.map(({ rate }) => mean(rate, [start, ...time]));
  const title = flows.lasting ? "Rates of long-lived flows" : "Rates of the largest flows";
  return (
    <Drawing name="rates" title={title} csv={() => ratesCsv(fabric)}>
      <p className={classes.text}>
        Goodput of {flows.rates.length === flows.of ? "all" : flows.rates.length}{" "}
        {flows.rates.length === flows.of ? "" : "of "}
        {flows.of} {flows.of === 1 ? "flow" : "flows"}, averaged over {formatQuantity(fabric.step, "s")}. Data counts
        once it has arrived in order, so a step in which a gap is filled may exceed the rate of the link.{" "}
        {known.length > 0 &&
          `Jain's fairness index is ${(known.reduce((sum, one) => sum + one, 0) / known.length).toPrecision(3)} ` +
            `on average and ${Math.min(...known).toPrecision(3)} at least.`}
      </p>
      <label className={classes.choice}>
        <input
          type="checkbox"
          checked={stacked}
          onChange={({ currentTarget }) => {
            setStacked(currentTarget.checked);
          }}
        />{" "}
        Stacked
      </label>
      <div className={classes.wide} tabIndex={0} role="group" aria-label={`${title} over time`}>
        <svg
          data-figure
          viewBox={`0 0 ${WIDTH} ${TOP + HEIGHT + GAP + FAIR + 26}`}
          className={classes.bars}
          aria-hidden="true"
        >
          {[0, 0.5, 1].map((part) => (
            <g key={part}>
              <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(top * part)} y2={y(top * part)} className={classes.grid} />
              <text x={LEFT - 6} y={y(top * part) + 4} textAnchor="end">
                {formatQuantity(top * part, "bit/s", 2)}
              </text>
              <line x1={LEFT} x2={WIDTH - RIGHT} y1={fair(part)} y2={fair(part)} className={classes.grid} />
              <text x={LEFT - 6} y={fair(part) + 4} textAnchor="end">
                {part}
              </text>
              <text
                x={x(start + (end - start) * part)}
                y={TOP + HEIGHT + GAP + FAIR + 18}
                textAnchor={part === 0 ? "start" : part === 1 ? "end" : "middle"}
              >
                {formatQuantity(start + (end - start) * part, "s", 3)}
              </text>
            </g>
          ))}
          <text x={LEFT} y={TOP + HEIGHT + GAP - 8}>
            Fairness index
          </text>
          {lines.map(({ flow, upper, lower }, i) => {
            const colour = `var(${COLOURS[i % COLOURS.length] ?? "--curve"})`;
            const steps = (values: number[]) => values.map((value, j) => `${x(time[j] ?? end)},${y(value)}`);
            return stacked ? (
              <polygon
                key={flow}
                points={[...steps(upper), ...steps(lower).toReversed()].join(" ")}
                style={{ fill: colour, stroke: "var(--panel)", strokeWidth: 0.5 }}
              />
            ) : (
              <polyline
                key={flow}
                points={steps(upper).join(" ")}
                style={{ fill: "none", stroke: colour, strokeWidth: 1.5 }}
              />
            );
          })}
          {flows.fairness.map((value, i) =>
            value === null ? null : (
              <circle key={i} cx={x(time[i] ?? end)} cy={fair(value)} r={1.8} className={classes.dot} />
            ),
          )}
        </svg>
      </div>
      <div className={classes.wide} tabIndex={0} role="group" aria-label="Mean rates of flows">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Flow</th>
              <th scope="col">mean</th>
              <th scope="col">minimum</th>
              <th scope="col">maximum</th>
            </tr>
          </thead>
          <tbody>
            {flows.rates.slice(0, SHOWN).map(({ flow, source, destination, rate }, i) => (
              <tr key={flow}>
                <th scope="row">
                  <span
                    className={classes.swatch}
                    style={{ background: `var(${COLOURS[i % COLOURS.length] ?? "--curve"})` }}
                  />
                  {source} → {destination} <small>flow {flow}</small>
                </th>
                <td>{formatQuantity(means[i] ?? 0, "bit/s")}</td>
                <td>{formatQuantity(Math.min(...rate), "bit/s")}</td>
                <td>{formatQuantity(Math.max(...rate), "bit/s")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {flows.rates.length > SHOWN && <p className={classes.text}>and {flows.rates.length - SHOWN} more, in the CSV</p>}
    </Drawing>
  );
}

function linesOf(rates: Fabric["flows"]["rates"], stacked: boolean) {
  let below = (rates[0]?.rate ?? []).map(() => 0);
  return rates.map(({ flow, rate }) => {
    const lower = below;
    const upper = stacked ? rate.map((value, i) => value + (lower[i] ?? 0)) : rate;
    if (stacked) below = upper;
    return { flow, upper, lower };
  });
}

function mean(rate: number[], ends: number[]): number {
  const whole = (ends[ends.length - 1] ?? 0) - (ends[0] ?? 0);
  return rate.reduce((sum, one, i) => sum + one * ((ends[i + 1] ?? 0) - (ends[i] ?? 0)), 0) / Math.max(whole, 1e-15);
}
