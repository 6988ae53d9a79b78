import type { ChartsInput } from "./Charts";
import { TransferChooser, type Transfer } from "./TransferChooser";
import classes from "./results.module.css";
import type { Box, Geometry } from "@/lib/geometry";
import { titleOf, TRANSFER, type Quantity } from "@/lib/metrics";
import { bufferOf, enginesOf, nearest, type Point } from "@/lib/points";
import { formatMetric } from "@/lib/quantity";
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
          point={near(points, engine, at)}
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

/** An engine's point at a size, if it has one about there; curves are dense, packet points are few. */
function near(points: Point[], engine: string, at: number | undefined): Point | undefined {
  const found = at === undefined ? undefined : nearest(points, engine, at);
  const size = found === undefined ? undefined : bufferOf(found);
  return at !== undefined && size !== undefined && Math.abs(Math.log(size / at)) < 0.15 ? found : undefined;
}

function Value({
  engine,
  quantity,
  point,
  pinned,
  letter,
}: {
  engine: string;
  quantity: Quantity;
  point: Point | undefined;
  pinned: boolean;
  letter: string;
}) {
  const value = point?.result.metrics[quantity.metric];
  if (value === undefined) return null;
  const interval = point?.result.intervals[quantity.metric];
  const show = (number: number) => formatMetric(quantity.id, number * quantity.scale, quantity.unit);
  const outside = (metric: string | undefined) =>
    metric === undefined ? undefined : point?.result.outside_validity[metric];
  const late = quantity.tail === undefined ? undefined : point?.result.metrics[quantity.tail];
  const words = [
    `${letter} ${engine}`.trim(),
    ...(interval === undefined ? [] : [`95 %: ${show(interval[0])} to ${show(interval[1])}`]),
    ...[outside(quantity.metric), outside(quantity.tail)].flatMap((reason) =>
      reason === undefined ? [] : [`outside validity: ${reason}`],
    ),
  ];
  return (
    <span className={classes.value} data-pinned={pinned} title={[...new Set(words)].join(", ")}>
      {letter !== "" && <b>{letter}</b>}
      <EngineMark engine={engine} />
      <span className="visually-hidden">{engine} </span>
      <span className={outside(quantity.metric) === undefined ? undefined : classes.faded}>
        {value === 0 && interval !== undefined ? `< ${show(interval[1])}` : show(value)}
      </span>
      {late !== undefined && (
        <span className={`${classes.tail} ${outside(quantity.tail) === undefined ? "" : classes.faded}`}>
          p99 {show(late)}
        </span>
      )}
    </span>
  );
}
