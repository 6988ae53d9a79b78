import classes from "./pool.module.css";
import type { Schema } from "@/contract";
import { grouped } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

type Kind = Schema<"SharesDocument">;

/** A dynamic threshold beside a fixed share, for each kind of queue. */
export function Shares({ kinds }: { kinds: Kind[] }) {
  return kinds.map((kind) => <OneKind key={kind.queue} kind={kind} />);
}

function OneKind({ kind: { queue, queues, fixed, dynamic, even_at: even } }: { kind: Kind }) {
  const name = queue === "lossless" ? "lossless groups" : "lossy queues";
  const burst = (bytes: number | null) => (bytes === null ? "any" : formatQuantity(bytes, "B"));
  return (
    <>
      <table className={classes.table}>
        <caption>Dynamic or fixed, for {name}</caption>
        <thead>
          <tr>
            <th scope="col">Congested</th>
            <th scope="col">dynamic, each</th>
            <th scope="col">fixed, each</th>
            <th scope="col">burst, dynamic</th>
            <th scope="col">burst, fixed</th>
          </tr>
        </thead>
        <tbody>
          {rows(dynamic).map((row) => (
            <tr key={row.congested}>
              <th scope="row">
                {grouped(row.congested)} {row.congested === queues ? "(all)" : ""}
              </th>
              <td data-bad={row.bytes < fixed.bytes}>{formatQuantity(row.bytes, "B")}</td>
              <td>{formatQuantity(fixed.bytes, "B")}</td>
              <td>{burst(row.burst)}</td>
              <td>{burst(fixed.burst)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.split}>
        A fixed share isolates: {formatQuantity(fixed.bytes, "B")} each, whatever the others do.{" "}
        {even === 0
          ? "The dynamic threshold gives less than that even with one congested."
          : even === queues
            ? "The dynamic threshold gives more than that even with all congested."
            : `The dynamic threshold gives more as long as at most ${grouped(even)} of ` +
              `${grouped(queues)} are congested.`}
      </p>
    </>
  );
}

/** Every other doubling, and the last. */
const rows = (dynamic: Kind["dynamic"]) => dynamic.filter((_, i) => i % 2 === 0 || i === dynamic.length - 1);
