import type { ChartsInput } from "./Charts";
import { TransferChooser, type Transfer } from "./TransferChooser";
import classes from "./results.module.css";
import type { Box, Geometry } from "@/lib/geometry";
import { titleOf, TRANSFER, type Quantity } from "@/lib/metrics";
import { enginesOf, type Point } from "@/lib/points";
import { plainSentence } from "@/lib/problems";
import { formatMetric, formatQuantity } from "@/lib/quantity";
import { readingOf } from "@/lib/reading";
import { saying } from "@/lib/saying";
import { EngineMark } from "@/plot/EngineMark";

type Props = {
  quantity: Quantity;
  box: Box;
  geometry: Geometry;
  input: ChartsInput;
  at: number | undefined;
  /** Lets the person pick what this plot shows. */
  children: { value: string; choices: string[]; transfer: Transfer; onChange: (id: string) => void } | undefined;
};

/** The line above one plot: what it shows, and every engine's value under the cross-hair. */
export function Readout({ quantity, box, geometry, input, at, children: picker }: Props) {
  const read = (points: Point[], pinned: boolean) =>
    enginesOf(points)
      .filter((engine) => input.engines.includes(engine))
      .map((engine) => (
        <Value
          key={`${engine}${String(pinned)}`}
          engine={engine}
          quantity={quantity}
          points={points}
          at={at}
          pinned={pinned}
          letter={input.pinned.length === 0 ? "" : pinned ? "A" : "B"}
        />
      ));
  return (
    <div className={classes.readout} style={{ top: box.top - 23, left: geometry.left, right: geometry.right }}>
      {picker === undefined ? (
        <h2 className={classes.heading}>{quantity.title}</h2>
      ) : (
        <select
          className={classes.picker}
          aria-label="Quantity of the third plot"
          value={picker.value}
          onChange={(event) => {
            picker.onChange(event.currentTarget.value);
          }}
        >
          {picker.choices.map((id) => (
            <option key={id} value={id}>
              {titleOf(id)}
            </option>
          ))}
        </select>
      )}
      {picker?.value === TRANSFER && <TransferChooser {...picker.transfer} />}
      <div className={classes.values}>
        {read(input.pinned, true)}
        {read(input.points, false)}
      </div>
    </div>
  );
}

function Value({
  engine,
  quantity: { id, metric, tail, unit, scale, log },
  points,
  at,
  pinned,
  letter,
}: {
  engine: string;
  quantity: Quantity;
  points: Point[];
  at: number | undefined;
  pinned: boolean;
  letter: string;
}) {
  const read = (name: string | undefined) =>
    name === undefined || at === undefined ? undefined : readingOf(points, engine, name, at, log);
  const [reading, late] = [read(metric), read(tail)];
  if (reading === undefined) return null;
  const { value, interval, outside, size, between } = reading;
  const show = (number: number) => formatMetric(id, number * scale, unit);
  const words = [
    `${letter} ${engine}`.trim(),
    ...(size === undefined ? [] : [`simulated at ${formatQuantity(size, "B")}`]),
    ...(between === undefined ? [] : ["interpolated between two computed sizes"]),
    ...(interval === undefined ? [] : [`95 %: ${show(interval[0])} to ${show(interval[1])}`]),
    ...[outside, late?.outside].flatMap((reason) =>
      reason === undefined ? [] : [`outside validity: ${plainSentence(reason)}`],
    ),
  ];
  return (
    <span className={classes.value} data-pinned={pinned} title={[...new Set(words)].join(", ")}>
      {letter !== "" && <b>{letter}</b>}
      <EngineMark engine={engine} />
      <span className="visually-hidden">{engine} </span>
      <span
        className={outside === undefined ? undefined : classes.faded}
        {...(pinned || at === undefined ? {} : saying(engine, scale === 1 ? metric : id, size ?? at))}
      >
        {formatMetric(id, value * scale, unit, (interval?.[1] ?? 0) * scale)}
      </span>
      {late !== undefined && (
        <span className={`${classes.tail} ${late.outside === undefined ? "" : classes.faded}`}>
          p99 {show(late.value)}
        </span>
      )}
      {size !== undefined && <span className={classes.elsewhere}>at {formatQuantity(size, "B")}</span>}
    </span>
  );
}
