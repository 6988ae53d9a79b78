import classes from "./pool.module.css";
import type { Schema } from "@/contract";
import { markingFirst } from "./markingWords";
import { formatQuantity } from "@/lib/quantity";

type Answer = Schema<"MarkingDocument">;

/** How far a priority group is from its pause when egress queues reach their marking thresholds. */
export function Marking({ marking }: { marking: Answer }) {
  const { cases, worst_queues: queues } = marking;
  const found = markingFirst(marking);
  const marks = cases.map(({ mark }) => mark);
  const [least, most] = [Math.min(...marks), Math.max(...marks)];
  return (
    <>
      {found !== undefined && (
        <p className={classes.verdict} data-feasible={found.first}>
          <b>{found.first ? "Marking is first" : "The pause is first"}</b>, by {found.margin} or {found.time} where it
          begins.
          {found.rest !== "" && ` ${found.rest}`}
        </p>
      )}
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Queues at</th>
            <th scope="col">held</th>
            <th scope="col">pauses at</th>
            <th scope="col">margin</th>
          </tr>
        </thead>
        <tbody>
          {cases.map((one) => (
            <tr key={`${one.case}${one.mark}`}>
              <th scope="row">
                {least < most && (one.mark === least ? "Kmin, " : "Kmax, ")}
                {formatQuantity(one.mark, "B")}
                {one.case === "worst" && <small> all {queues} queues, filled from one port</small>}
              </th>
              <td>{formatQuantity(one.held, "B")}</td>
              <td>{formatQuantity(one.threshold, "B")}</td>
              <td data-bad={one.first === "pause"}>
                {one.margin < 0 ? "−" : ""}
                {formatQuantity(Math.abs(one.margin), "B")}, {one.margin < 0 ? "−" : ""}
                {formatQuantity(Math.abs(one.time), "s")}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
