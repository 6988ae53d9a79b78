/** Who was paused in a packet run, for how long, and what that took of headroom. */
import type { Schema } from "@/contract";
import { formatQuantity } from "@/lib/quantity";

/**
 * One priority group: the packets of one lossless class that came in by one port; class null is the port as a whole.
 */
export type PriorityGroup = Schema<"PriorityGroup">;

export const groupName = ({ port, class: own }: PriorityGroup) =>
  `${port.replace(">", " → ")}, ${own === null ? "all classes" : `class ${own}`}`;

const sum = (groups: readonly PriorityGroup[], of: (group: PriorityGroup) => number) =>
  groups.reduce((total, group) => total + of(group), 0);

/** The first pause of all [s]. */
export function firstPause(groups: readonly PriorityGroup[]): number | undefined {
  const times = groups.flatMap(({ first_pause: time }) => (time === null ? [] : [time]));
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The same in a sentence or two: what was lost and where, or that nothing was; who paused. */
export function pauseWords(groups: readonly PriorityGroup[]): string {
  const drops = sum(groups, (group) => group.drops);
  const frames = sum(groups, (group) => group.pause_frames);
  const worst = groups.reduce<PriorityGroup | undefined>(
    (most, group) => (most === undefined || group.drops > most.drops ? group : most),
    undefined,
  );
  const lost =
    drops === 0 || worst === undefined
      ? "No packet of a lossless class was lost."
      : `${formatQuantity(drops, "packet")} of lossless classes were lost, ${worst.drops} of them from ` +
        `${groupName(worst)}, which filled ${formatQuantity(worst.headroom_max, "B")} of ` +
        `${formatQuantity(worst.headroom, "B")} headroom.`;
  if (frames === 0) return `${lost} No switch sent a pause frame.`;
  const first = firstPause(groups);
  const sent = `${frames} pause ${frames === 1 ? "frame" : "frames"}`;
  const at = first === undefined ? "" : `, the first at ${formatQuantity(first, "s")}`;
  const time = sum(groups, (group) => group.pause_time);
  return `${lost} Switches sent ${sent}${at}; classes were held back for ${formatQuantity(time, "s")} in all.`;
}

/** How much of its headroom the group filled, 0 to 1 and above; undefined where it has none. */
export const filled = ({ headroom, headroom_max: most }: PriorityGroup) => (headroom > 0 ? most / headroom : undefined);
