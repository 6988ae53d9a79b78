import classes from "./lossless.module.css";
import { filled, pauseWords, type PriorityGroup } from "@/lib/pauses";
import { formatQuantity } from "@/lib/quantity";
import numbers from "@/ui/numbers.module.css";

/** Rows shown; they come with the worst first. */
const MOST = 16;

/** Pauses and headroom of every port and lossless class, and whether anything was lost. */
export function PauseTable({ groups }: { groups: readonly PriorityGroup[] }) {
  const named = new Set(groups.map((group) => group.switch)).size > 1;
  return (
    <section className={classes.pauses} aria-label="Pauses and headroom">
      <h2>Pauses and headroom</h2>
      <p className={classes.verdict} data-lost={groups.some(({ drops }) => drops > 0)} role="status">
        {pauseWords(groups)}
      </p>
      {groups.length > 0 && (
        <div className={classes.scroll} tabIndex={0} role="group" aria-label="Priority groups">
          <table className={numbers.table}>
            <caption className="visually-hidden">Pauses and headroom of each ingress port and lossless class</caption>
            <thead>
              <tr>
                <th scope="col">Ingress</th>
                <th scope="col">frames</th>
                <th scope="col">paused</th>
                <th scope="col">headroom used</th>
                <th scope="col">lost</th>
              </tr>
            </thead>
            <tbody>
              {groups.slice(0, MOST).map((group) => (
                <tr key={`${group.switch} ${group.port} ${group.class ?? "all"}`}>
                  <th scope="row">
                    {group.port.replace(">", " → ")}
                    <small>{group.class === null ? "all classes" : `class ${group.class}`}</small>
                    {named && <small>at {group.switch}</small>}
                  </th>
                  <td>{group.pause_frames}</td>
                  <td title={`above Xoff for ${formatQuantity(group.xoff_time, "s")}`}>
                    {formatQuantity(group.pause_time, "s")}
                  </td>
                  <td>
                    <Headroom group={group} />
                  </td>
                  <td data-bad={group.drops > 0}>{group.drops}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {groups.length > MOST && (
        <p className={classes.more}>and {groups.length - MOST} more; all are in the result as JSON</p>
      )}
    </section>
  );
}

/** Peak of the headroom as a bar over what is set aside. */
function Headroom({ group }: { group: PriorityGroup }) {
  const share = filled(group);
  return (
    <>
      {formatQuantity(group.headroom_max, "B")}
      {share !== undefined && (
        <span
          className={classes.spark}
          data-full={group.drops > 0}
          title={`of ${formatQuantity(group.headroom, "B")}`}
          aria-hidden="true"
        >
          <span style={{ width: `${Math.min(share, 1) * 100}%` }} />
        </span>
      )}
    </>
  );
}
