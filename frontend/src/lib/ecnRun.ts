/** Whether ECN marks before PFC pauses: as it is calculated, and as a packet run shows it. */
import type { SwitchMemory } from "@/lib/memory";
import { getPath, type JsonObject } from "@/lib/path";
import { firstPause } from "@/lib/pauses";
import type { Result } from "@/lib/points";

export type Calculated = { sources: number; queue: number; first: "marking" | "pause" | ""; mark: number | undefined };

/** What comes first for the flows of the scenario, from how the switch divides its memory. */
export function calculated(memories: readonly SwitchMemory[], scenario: JsonObject): Calculated | undefined {
  const memory = memories[0];
  const flows = getPath(scenario, "traffic.0.flows");
  const races = memory?.races ?? [];
  const race = races.find(({ sources }) => sources === flows) ?? races[races.length - 1];
  if (memory === undefined || race === undefined) return undefined;
  return { ...race, mark: memory.levels.find(({ name }) => name === "kmin" || name === "mark")?.bytes };
}

export type Observed = {
  first: "marking" | "pause" | "";
  mark: number | undefined;
  pause: number | undefined;
  marks: number;
  frames: number;
  lost: number;
  peak: number;
};

/**
 * The same from a packet run: when the first packet was marked, to a step of the timeline, and when the first pause
 * was asked for.
 */
export function observed({ metrics, timeline, priority_groups: groups }: Result): Observed {
  const marked = (timeline?.queues ?? []).flatMap((queue) => {
    const step = queue.marked.findIndex((count) => count > 0);
    return step < 0 ? [] : [timeline?.time[step] ?? 0];
  });
  const mark = marked.length === 0 ? undefined : Math.min(...marked);
  const pause = firstPause(groups ?? []);
  const first =
    mark === undefined
      ? pause === undefined
        ? ""
        : "pause"
      : pause === undefined || mark <= pause
        ? "marking"
        : "pause";
  return {
    first,
    mark,
    pause,
    marks: metrics.marks ?? 0,
    frames: metrics.pause_frames ?? 0,
    lost: metrics.lossless_drops ?? 0,
    peak: metrics.queue_max ?? 0,
  };
}

/** The verdict of both in words. */
export function verdict({ first, pause, lost }: Observed): string {
  const order =
    first === ""
      ? "Nothing was marked and nothing paused."
      : first === "pause"
        ? "The pause came first."
        : pause === undefined
          ? "Marking came first, and kept the senders below the pause."
          : "Marking came first, but the senders slowed too late: pauses followed.";
  return lost > 0 ? `${order} Packets of lossless classes were lost.` : order;
}
