/** What a packet run recorded of the whole fabric: queues and pauses over time, how pauses spread, rates of flows. */
import type { Schema } from "@/contract";
import { isObject, type Json, type JsonObject } from "@/lib/path";
import { formatQuantity } from "@/lib/quantity";

export type Fabric = Schema<"FabricDocument">;
export type Propagation = Schema<"Propagation">;
export type PauseNode = Schema<"PauseNode">;
export type SwitchHeadroom = Schema<"SwitchHeadroom">;
export type Deadlock = Schema<"Deadlock">;
export type PriorityGroup = Schema<"PriorityGroup">;

/** Frames of a run without an interval of its own. */
const FRAMES = 200;

/** A scenario that records the fabric: its own, or all of the measured time in 200 frames. */
export function withFabric(scenario: JsonObject, seconds: (value: Json | undefined) => number | undefined): JsonObject {
  const run = isObject(scenario.run) ? scenario.run : {};
  if (run.fabric !== undefined && run.fabric !== null) return scenario;
  const measured = (seconds(run.duration) ?? 30) - (seconds(run.warmup) ?? 10);
  return { ...scenario, run: { ...run, fabric: Number((Math.max(measured, 0) / FRAMES).toPrecision(3)) } };
}

export const portName = (port: string) => port.replace(">", " → ");
export const className = (klass: number | null) => (klass === null ? "all classes" : `class ${klass}`);

/** The classes that ever waited or were held back, in order. */
export const classesOf = ({ queues }: Fabric): number[] =>
  [...new Set(queues.map((queue) => queue.class))].toSorted((a, b) => a - b);

/** What one port did in one frame. */
export type PortState = { queue: number; paused: number };

/** Queue and paused part of every port in one frame: of one class, or of all together. */
export function frameOf({ queues }: Fabric, frame: number, klass?: number): Map<string, PortState> {
  const found = new Map<string, PortState>();
  for (const queue of queues) {
    if (klass !== undefined && queue.class !== klass) continue;
    const before = found.get(queue.port) ?? { queue: 0, paused: 0 };
    found.set(queue.port, {
      queue: before.queue + (queue.queue_max[frame] ?? 0),
      paused: Math.max(before.paused, queue.paused[frame] ?? 0),
    });
  }
  return found;
}

/** The longest queue of any port in any frame [B]. */
export function longestQueue(fabric: Fabric, klass?: number): number {
  let most = 0;
  for (let frame = 0; frame < fabric.time.length; frame++)
    for (const { queue } of frameOf(fabric, frame, klass).values()) most = Math.max(most, queue);
  return most;
}

/** Ports that wait or are held back in a frame, those held back longest first. */
export const busyPorts = (states: Map<string, PortState>): [string, PortState][] =>
  [...states]
    .filter(([, { queue, paused }]) => queue > 0 || paused > 0)
    .toSorted(([, a], [, b]) => b.paused - a.paused || b.queue - a.queue);

/** One frame in a sentence. */
export function frameWords(fabric: Fabric, frame: number, states: Map<string, PortState>): string {
  const begin = frame === 0 ? fabric.start : (fabric.time[frame - 1] ?? 0);
  const end = fabric.time[frame] ?? 0;
  const when = `From ${formatQuantity(begin, "s", 4)} to ${formatQuantity(end, "s", 4)}: `;
  const longest = [...states].reduce<[string, PortState] | undefined>(
    (most, one) => (one[1].queue > (most?.[1].queue ?? 0) ? one : most),
    undefined,
  );
  const held = [...states].filter(([, { paused }]) => paused > 0).toSorted(([, a], [, b]) => b.paused - a.paused);
  const queue =
    longest === undefined
      ? "no packet waits at a switch"
      : `the longest queue is ${formatQuantity(longest[1].queue, "B")} at ${portName(longest[0])}`;
  const named = held.slice(0, 3).map(([port, { paused }]) => `${portName(port)} (${Math.round(paused * 100)} %)`);
  const pauses =
    held.length === 0
      ? "no port is paused"
      : `${held.length} ${held.length === 1 ? "port is" : "ports are"} paused: ${named.join(", ")}` +
        (held.length > 3 ? ` and ${held.length - 3} more` : "");
  return `${when}${queue}; ${pauses}.`;
}

/** How far a node of the tree is from its root: 1 for pauses that the congested port led to. */
export function depths(tree: readonly PauseNode[]): Map<number, number> {
  const found = new Map<number, number>();
  for (const { id, parent } of tree) found.set(id, parent === null ? 1 : (found.get(parent) ?? 0) + 1);
  return found;
}

/** The pauses of a deadlock's cycle as "port class". */
export const cycleOf = (deadlock: Deadlock | null | undefined): Set<string> =>
  new Set((deadlock?.cycle ?? []).map((stop) => `${stop.port} ${stop.class}`));

/** What lossless classes lost, and where most of it; nothing where they lost nothing. */
export function lossWords(groups: readonly PriorityGroup[]): string | undefined {
  const lost = groups.reduce((sum, { drops }) => sum + drops, 0);
  if (lost === 0) return undefined;
  const worst = groups.reduce((most, one) => (one.drops > most.drops ? one : most));
  return (
    `${lost} packets of lossless classes were dropped, ${worst.drops} of them at ${worst.switch}, ` +
    `received on ${portName(worst.port)}, ${className(worst.class)}. ` +
    "There the headroom was full, or senders do not react to marks."
  );
}

/** Reserved and used headroom in two sentences. */
export function headroomWords(switches: readonly SwitchHeadroom[]): string {
  const reserved = switches.reduce((sum, one) => sum + one.reserved, 0);
  const worst = switches.reduce<SwitchHeadroom | undefined>(
    (most, one) => (most === undefined || one.most > most.most ? one : most),
    undefined,
  );
  if (worst === undefined) return "No class is lossless, so no headroom is reserved.";
  const where = switches.length === 1 ? `at ${worst.switch}` : `at ${switches.length} switches`;
  if (worst.most === 0) return `You reserved ${formatQuantity(reserved, "B")} ${where}. None of it was ever used.`;
  if (switches.length === 1)
    return (
      `You reserved ${formatQuantity(reserved, "B")} ${where}. ` +
      `The most ever used was ${formatQuantity(worst.most, "B")}.`
    );
  return (
    `You reserved ${formatQuantity(reserved, "B")} ${where}. The most that one switch used at any time was ` +
    `${formatQuantity(worst.most, "B")} of its ${formatQuantity(worst.reserved, "B")}, at ${worst.switch}.`
  );
}

/** Number of priority groups by the share of their headroom that they used at most. */
export function headroomShares(switches: readonly SwitchHeadroom[]): { label: string; count: number }[] {
  const used = switches.flatMap((one) =>
    one.used.map(({ most, reserved }) => (reserved > 0 ? most / reserved : most > 0 ? Infinity : 0)),
  );
  const edges = [0, 0.1, 0.25, 0.5, 0.75, 1, Infinity];
  const names = ["up to 10 %", "10 to 25 %", "25 to 50 %", "50 to 75 %", "75 to 100 %", "more than reserved"];
  return [
    { label: "never used", count: switches.reduce((sum, one) => sum + one.never_used, 0) },
    ...names.map((label, i) => ({
      label,
      count: used.filter((share) => share > (edges[i] ?? 0) && share <= (edges[i + 1] ?? Infinity)).length,
    })),
  ];
}

type Cell = string | number | null | undefined;

const csvOf = (header: string[], rows: Cell[][]): string =>
  [header, ...rows].map((row) => row.map((cell) => cell ?? "").join(",")).join("\n") + "\n";

export const framesCsv = (fabric: Fabric): string =>
  csvOf(
    ["frame_end_s", "port", "class", "queue_max_bytes", "paused_part"],
    fabric.queues.flatMap((queue) =>
      fabric.time.map((time, i) => [time, queue.port, queue.class, queue.queue_max[i], queue.paused[i]]),
    ),
  );

export const pausesCsv = ({ pauses }: Propagation): string =>
  csvOf(
    ["row", "port", "class", "asked_s", "ended_s", "held_s", "outlet", "waiting_bytes", "cause_row", "root"],
    pauses.map((one, i) => [
      i,
      one.port,
      one.class ?? "all",
      one.asked,
      one.ended,
      one.held.reduce((sum, [begin, end]) => sum + end - begin, 0),
      one.outlet,
      one.waiting,
      one.cause,
      one.root,
    ]),
  );

export const victimsCsv = ({ victims }: Propagation): string =>
  csvOf(
    ["flow", "entry", "source", "destination", "size_bytes", "root", "port", "lost_s"],
    victims.map((one) => [one.flow, one.entry, one.source, one.destination, one.size, one.root, one.port, one.lost]),
  );

export const headroomCsv = (switches: readonly SwitchHeadroom[]): string =>
  csvOf(
    ["switch", "port", "class", "reserved_bytes", "most_used_bytes"],
    switches.flatMap((one): Cell[][] => [
      [one.switch, "all", "all", one.reserved, one.most],
      ...one.used.map((group): Cell[] => [one.switch, group.port, group.class ?? "all", group.reserved, group.most]),
    ]),
  );

export const ratesCsv = ({ time, flows }: Fabric): string =>
  csvOf(
    ["frame_end_s", "fairness", ...flows.rates.map((one) => `flow_${one.flow}_bit_per_s`)],
    time.map((end, i) => [end, flows.fairness[i], ...flows.rates.map(({ rate }) => rate[i])]),
  );
