import classes from "./pool.module.css";
import type { Schema } from "@/contract";
import { formatQuantity } from "@/lib/quantity";

type Answer = Schema<"MarkingDocument">;

/** How far a priority group is from its pause when egress queues reach their marking thresholds. */
export function Marking({ marking: { cases, worst_queues: queues } }: { marking: Answer }) {
  const asked = cases.filter((one) => one.case === "asked");
  const last = asked[asked.length - 1];
  return (
    <>
      {last !== undefined && (
        <p className={classes.verdict} data-feasible={last.first === "marking"}>
          <b>{last.first === "marking" ? "Marking is first" : "The pause is first"}</b>, by{" "}
          {formatQuantity(Math.abs(last.margin), "B")} or {formatQuantity(Math.abs(last.time), "s")}; marking stays
          first up to {formatQuantity(last.largest, "B")}.
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
