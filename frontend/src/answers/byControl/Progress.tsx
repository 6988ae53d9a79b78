import classes from "./controls.module.css";
import { wordsOf } from "@/api/problem";
import { roughly } from "@/lib/number";
import type { ControlsBench } from "@/answers/byControl/useControls";

/** How far the models are, and what packets would take; both can be stopped. */
export function Progress({ bench: { working, halted, progress, stop, resume, packets, partial }, blocked }: Props) {
  return (
    <div className={classes.bar}>
      {working && (
        <>
          <span role="status">Computing, {Math.round(100 * progress)} % done</span>
          <button type="button" onClick={stop}>
            Cancel
          </button>
        </>
      )}
      {halted && (
        <>
          <span role="status">Cancelled at {Math.round(100 * progress)} %</span>
          <button type="button" onClick={resume}>
            Continue
          </button>
        </>
      )}
      {packets.running ? (
        <>
          <span role="status">Simulating packets, {Math.round(100 * packets.progress)} % done</span>
          <button type="button" onClick={packets.cancel}>
            Cancel packets
          </button>
        </>
      ) : (
        packets.rows.length === 0 &&
        packets.seconds !== undefined &&
        packets.seconds > 0 && (
          <button type="button" onClick={packets.start} disabled={blocked}>
            Run packets ({roughly(packets.seconds)})
          </button>
        )
      )}
      {partial !== null && <span role="alert">Some figures of the fluid model are missing: {wordsOf(partial)}</span>}
      {packets.refused !== null && <span>Packets: {wordsOf(packets.refused)}</span>}
      {packets.error !== undefined && <span role="alert">Packets did not run: {wordsOf(packets.error)}</span>}
    </div>
  );
}

type Props = { bench: ControlsBench; blocked: boolean };
