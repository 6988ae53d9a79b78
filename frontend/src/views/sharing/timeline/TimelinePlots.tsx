import { useMemo } from "react";

import classes from "./timeline.module.css";
import {
  keyOf,
  pausePanels,
  queueName,
  timelinePanels,
  timelineWords,
  type Timeline,
  type TimelineQueue,
} from "@/lib/timeline";
import { TimePlot } from "@/plot/TimePlot";

type Props = {
  timeline: Timeline;
  shown: readonly TimelineQueue[];
  /** Draw so that the queue shows, rather than up to the highest threshold. */
  near: boolean;
  onNear: (near: boolean) => void;
};

/**
 * What the policy did: every shown queue against its threshold, the memory left, marks and drops, over one axis of
 * time.
 */
export function TimelinePlots({ timeline, shown, near, onNear }: Props) {
  const panels = useMemo(
    () => [...shown.flatMap((queue) => timelinePanels(timeline, queue, near)), ...pausePanels(timeline)],
    [timeline, shown, near],
  );
  if (timeline.time.length === 0 || shown.length === 0)
    return <p className={classes.none}>No queue was recorded: no packet waited, or the recorded time is empty.</p>;
  return (
    <div className={classes.timeline}>
      <div className={classes.bar}>
        <h2>What the policy did</h2>
        <label>
          <input
            type="checkbox"
            checked={near}
            onChange={({ currentTarget }) => {
              onNear(currentTarget.checked);
            }}
          />
          Scale to the queue
        </label>
        {shown.map((queue) => (
          <p key={keyOf(queue)}>
            {shown.length > 1 && <b>{queueName(queue, timeline)}: </b>}
            {timelineWords(timeline, queue)}
          </p>
        ))}
      </div>
      <TimePlot
        label={
          timeline.groups.length === 0
            ? "Queues, free memory, marks and drops over time"
            : "Queues, free memory, marks, drops and pauses over time"
        }
        panels={panels}
      />
    </div>
  );
}
