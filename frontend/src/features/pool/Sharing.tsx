import classes from "./pool.module.css";
import { Shares } from "./Shares";
import type { PoolAnswer } from "@/api/pool";
import { percent, significant } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

/** Who may hold how much of the footroom, and the split in whole percent. */
export function Sharing({ answer: { thresholds, shares, split } }: { answer: PoolAnswer }) {
  return (
    <>
      {thresholds !== null && (
        <table className={classes.table}>
          <caption>Limit of one queue in the shared memory, by dynamic threshold</caption>
          <thead>
            <tr>
              <th scope="col">Queue</th>
              <th scope="col">α</th>
              <th scope="col" className={classes.spare}>
                queues at once
              </th>
              <th scope="col">threshold</th>
              <th scope="col">of footroom</th>
              <th scope="col" className={classes.spare}>
                drains in
              </th>
              <th scope="col">burst absorbed</th>
            </tr>
          </thead>
          <tbody>
            {thresholds.map(({ queue, alpha, congested, bytes, share, time, burst }) => (
              <tr key={queue}>
                <th scope="row">{queue === "lossless" ? "Lossless group, pauses" : "Lossy queue, drops"}</th>
                <td>{significant(alpha, 3)}</td>
                <td className={classes.spare}>{congested}</td>
                <td>{formatQuantity(bytes, "B")}</td>
                <td>{percent(share)}</td>
                <td className={classes.spare}>{formatQuantity(time, "s")}</td>
                <td
                  title={
                    burst === null
                      ? undefined
                      : `arriving at ${formatQuantity(burst.rate, "bit/s")} from ${burst.ports} ports`
                  }
                >
                  {burst === null ? "any" : formatQuantity(burst.bytes, "B")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {shares !== null && <Shares kinds={shares} />}
      {split !== null && (
        <p className={classes.split}>
          In whole percent of {formatQuantity(split.of, "B")}: <b>lossless {split.lossless}</b>,{" "}
          <b>lossy {split.lossy}</b>, <b>headroom {split.headroom}</b>.
        </p>
      )}
    </>
  );
}
