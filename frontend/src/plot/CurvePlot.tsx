import { useElementSize } from "@mantine/hooks";

import classes from "./curve.module.css";
import type { Curve } from "@/lib/curve";
import { linearRange, logRange, logTicks, quantityTicks } from "@/lib/ticks";
import { formatQuantity } from "@/lib/quantity";
import { EngineMark } from "@/plot/EngineMark";
import { markOf } from "@/lib/palette";

export type { Curve };
export type PlotAxis = { title: string; unit: string; /** Shown as a percentage. */ share?: boolean; log?: boolean };

type Props = {
  /** What the plot shows, in one sentence: its caption, and what a screen reader says of it. */
  summary: string;
  x: PlotAxis;
  y: PlotAxis;
  curves: readonly Curve[];
  /** Named sizes on the horizontal axis. */
  marks?: readonly { label: string; x: number }[];
  height?: number;
  /** More values are being computed. */
  waiting?: boolean;
};

const LEFT = 78;
const RIGHT = 14;
/** Height of a row of names above the plot [px]. */
const ROW = 14;
/** About as wide is a letter of a name [px]. */
const LETTER = 6.4;
const BOTTOM = 44;

const show = (value: number, { unit, share = false }: PlotAxis, digits = 3) =>
  share ? `${Number((value * 100).toPrecision(digits))} %` : formatQuantity(value, unit, digits);

/** A small plot without interaction, drawn as it is: for pages that must not wait for the plotting library. */
export function CurvePlot({ summary, x, y, curves, marks = [], height = 260, waiting = false }: Props) {
  const { ref, width } = useElementSize();
  const scaleX = scaleOf(
    curves.flatMap(({ samples }) => samples.map((one) => one.x)),
    x,
    LEFT,
    width - RIGHT,
    90,
  );
  const shown = named(
    marks.filter((mark) => mark.x >= scaleX.low && mark.x <= scaleX.high),
    scaleX.at,
    width - RIGHT,
  );
  // Names have a row, and a second one where two would meet.
  const top = 10 + ROW * Math.max(0, ...shown.map(({ row }) => row + 1));
  const scaleY = scaleOf(
    curves.flatMap(({ samples }) => samples.flatMap(({ y: value, low = value, high = value }) => [value, low, high])),
    y,
    height - BOTTOM,
    top,
    44,
  );
  const empty = curves.every(({ samples }) => samples.length === 0);
  return (
    <figure className={classes.figure} aria-busy={waiting}>
      <figcaption className="visually-hidden">{summary}</figcaption>
      <div className={classes.legend}>
        {curves.map(({ name, engine, colour = "current", dash }) => (
          <span key={name} data-colour={colour}>
            {dash === undefined ? <EngineMark engine={engine} /> : <Line dash={dash} />} {name}
          </span>
        ))}
      </div>
      <div ref={ref} style={{ height }}>
        {empty && (
          <p className={classes.empty} role="status">
            {waiting ? "Computing…" : "No values to draw"}
          </p>
        )}
        {width > 0 && !empty && (
          <svg width={width} height={height} aria-hidden="true" className={classes.plot}>
            {scaleX.ticks.map(({ value, label }) => (
              <g key={value}>
                <line
                  x1={scaleX.at(value)}
                  x2={scaleX.at(value)}
                  y1={top}
                  y2={height - BOTTOM}
                  className={classes.grid}
                />
                <text x={scaleX.at(value)} y={height - BOTTOM + 16} textAnchor="middle">
                  {label}
                </text>
              </g>
            ))}
            {scaleY.ticks.map(({ value, label }) => (
              <g key={value}>
                <line
                  x1={LEFT}
                  x2={width - RIGHT}
                  y1={scaleY.at(value)}
                  y2={scaleY.at(value)}
                  className={classes.grid}
                />
                <text x={LEFT - 7} y={scaleY.at(value) + 4} textAnchor="end">
                  {label}
                </text>
              </g>
            ))}
            <path d={`M${LEFT} ${top} V${height - BOTTOM} H${width - RIGHT}`} className={classes.axis} />
            {shown.map((mark) => (
              <g key={mark.label}>
                <line
                  x1={scaleX.at(mark.x)}
                  x2={scaleX.at(mark.x)}
                  y1={top}
                  y2={height - BOTTOM}
                  className={classes.mark}
                />
                <text x={mark.middle} y={top - 5 - mark.row * ROW} textAnchor="middle" className={classes.name}>
                  {mark.label}
                </text>
              </g>
            ))}
            {curves.map((curve) => (
              <Drawn key={curve.name} curve={curve} across={scaleX.at} up={scaleY.at} />
            ))}
            <text
              transform={`translate(12 ${(top + height - BOTTOM) / 2}) rotate(-90)`}
              textAnchor="middle"
              className={classes.title}
            >
              {y.title}
            </text>
            <text x={(LEFT + width - RIGHT) / 2} y={height - 6} textAnchor="middle" className={classes.title}>
              {x.title}
            </text>
          </svg>
        )}
      </div>
      <details className={classes.values}>
        <summary>Values</summary>
        <ValuesTable x={x} y={y} curves={curves} />
      </details>
    </figure>
  );
}

function Drawn({
  curve: { engine, samples, colour = "current", dash: own },
  across,
  up,
}: {
  curve: Curve;
  across: (x: number) => number;
  up: (y: number) => number;
}) {
  const mark = markOf(engine);
  const points = samples.map((one) => `${across(one.x)},${up(one.y)}`).join(" ");
  const dash = own ?? (mark.style === "line" && mark.dash === "dot" ? "2 4" : undefined);
  return (
    <g data-colour={colour} className={classes.curve}>
      <polyline
        points={points}
        fill="none"
        strokeWidth={mark.style === "line" ? mark.width : 1}
        strokeDasharray={dash}
        opacity={mark.style === "line" ? 1 : 0.5}
      />
      {mark.style === "markers" &&
        samples.map((one) => (
          <g key={one.x}>
            {one.low !== undefined && one.high !== undefined && (
              <line x1={across(one.x)} x2={across(one.x)} y1={up(one.low)} y2={up(one.high)} />
            )}
            <circle cx={across(one.x)} cy={up(one.y)} r="3.5" fill="currentColor" stroke="none" />
          </g>
        ))}
    </g>
  );
}

function Line({ dash }: { dash: string }) {
  return (
    <svg width="26" height="10" viewBox="0 0 26 10" aria-hidden="true" style={{ flex: "none" }}>
      <line x1="1" x2="25" y1="5" y2="5" stroke="currentColor" strokeWidth="1.75" strokeDasharray={dash} />
    </svg>
  );
}

/** Names above their lines, within the plot's width; one that would meet the name before it stands a row higher. */
function named(marks: NonNullable<Props["marks"]>, at: (x: number) => number, right: number) {
  let end = -Infinity;
  let row = 0;
  return marks
    .toSorted((a, b) => a.x - b.x)
    .map((mark) => {
      const half = (mark.label.length * LETTER) / 2;
      const middle = Math.max(LEFT, Math.min(at(mark.x), right - half));
      row = middle - half < end + 4 ? (row + 1) % 2 : 0;
      end = middle + half;
      return { ...mark, middle, row };
    });
}

/** The numbers behind the plot. */
function ValuesTable({ x, y, curves }: Pick<Props, "x" | "y" | "curves">) {
  const rows = [...new Set(curves.flatMap(({ samples }) => samples.map((one) => one.x)))].toSorted((a, b) => a - b);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{x.title}</th>
          {curves.map(({ name }) => (
            <th key={name} scope="col">
              {y.title}, {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            <th scope="row">{show(row, x)}</th>
            {curves.map(({ name, samples }) => {
              const found = samples.find((one) => one.x === row);
              return <td key={name}>{found === undefined ? "–" : show(found.y, y, 4)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where values lie between two pixels, with ticks about `room` apart. */
function scaleOf(values: number[], axis: PlotAxis, from: number, to: number, room: number) {
  const log = axis.log === true;
  const [low, high] = log ? logRange(values) : linearRange(values, axis.share === true);
  const most = Math.max(2, Math.floor(Math.abs(to - from) / room));
  const ticks = log
    ? logTicks(low, high, (value) => show(value, axis, 1), most)
    : quantityTicks(low, high, axis.share === true ? "1" : axis.unit, most);
  const place = (value: number) => (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
  return {
    low,
    high,
    at: (value: number) => from + (to - from) * Math.min(1, Math.max(0, place(value))),
    ticks: ticks.values.map((value, i) => ({
      value,
      label: axis.share === true && !log ? show(value, axis) : (ticks.labels[i] ?? ""),
    })),
  };
}
