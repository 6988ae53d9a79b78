import classes from "./timeline.module.css";
import { formatQuantity } from "@/lib/quantity";
import { keyOf, queueName, summaryOf, type Timeline, type TimelineQueue } from "@/lib/timeline";

type Props = { timeline: Timeline; shown: readonly TimelineQueue[]; onShow: (keys: string[]) => void };

/** The packet engine keeps no more of them. */
const MOST = 12;

/** The queues that were recorded, the longest first; those ticked are drawn. */
export function QueuePicker({ timeline, shown, onShow }: Props) {
  const keys = shown.map(keyOf);
  return (
    <fieldset className={classes.queues}>
      <legend>Queues drawn, the longest first</legend>
      {timeline.queues.length >= MOST && (
        <p>Of all ports, the {MOST} queues that grew longest in this span are kept.</p>
      )}
      {timeline.queues.map((queue) => {
        const key = keyOf(queue);
        const { peak, marked, dropped } = summaryOf(timeline, queue);
        return (
          <label key={key}>
            <input
              type="checkbox"
              checked={keys.includes(key)}
              onChange={({ currentTarget }) => {
                onShow(currentTarget.checked ? [...keys, key] : keys.filter((other) => other !== key));
              }}
            />
            <span>{queueName(queue, timeline)}</span>
            <span>{formatQuantity(peak, "B")}</span>
            <span>
              {dropped > 0 && `${dropped} dropped`}
              {dropped > 0 && marked > 0 && ", "}
              {marked > 0 && `${marked} marked`}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
