/** The memory of a switch as a stack: where its parts lie, and where the levels within shared memory do. */
import type { Schema } from "@/contract";
import { getPath, isObject, type Json, type JsonObject } from "@/lib/path";
import { formatQuantity } from "@/lib/quantity";

/** How a switch, or several that do alike, divides its memory; sizes in bytes. */
export type SwitchMemory = Schema<"SwitchMemory">;

export type Piece = { name: string; title: string; from: number; to: number };
export type Tick = { name: string; title: string; at: number; kind: "pause" | "mark" };

const kindOf = (value: Json | undefined): Json | undefined => (isObject(value) ? value.kind : undefined);

/** Whether any switch of the scenario has headroom: only then something pauses. */
export function pauses(scenario: JsonObject | undefined): boolean {
  const has = (node: Json | undefined) => {
    const kind = kindOf(node);
    return kind !== undefined && kind !== "none";
  };
  const others = getPath(scenario, "switches");
  return (
    has(getPath(scenario, "switch.headroom")) ||
    (isObject(others) && Object.values(others).some((one) => has(getPath(one, "headroom"))))
  );
}

const ORDER = ["reserved_groups", "reserved_queues", "shared", "shared_lossless", "shared_lossy", "headroom"];

/** Parts from left to right as fractions of the memory: reserved, shared, headroom at the end. */
export function pieces({ lines, buffer }: SwitchMemory): Piece[] {
  let from = 0;
  return lines
    .toSorted((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name))
    .map(({ name, title, bytes }) => {
      const start = from;
      from += bytes / buffer;
      return { name, title, from: start, to: from };
    });
}

/** Memory that is not shared, at the switch that keeps most [B]; undefined where nothing pauses. */
export function keptBytes(memories: readonly SwitchMemory[]): number | undefined {
  const kept = memories.map(({ lines }) =>
    lines.reduce((sum, { name, bytes }) => sum + (name.startsWith("shared") ? 0 : bytes), 0),
  );
  return memories.every(({ lossless }) => lossless.length === 0) ? undefined : Math.max(...kept);
}

/**
 * The buffer that leaves `own` bytes beside what is kept, to two digits; undefined where `own` is enough for both.
 */
export function roomFor(kept: number, own: number): number | undefined {
  if (own > kept) return undefined;
  const unit = 10 ** (Math.floor(Math.log10(kept + own)) - 1);
  return Math.ceil((kept + own) / unit) * unit;
}

/**
 * Levels as fractions of the memory, counted from where shared memory begins; what lies beyond the memory is left out.
 */
export function ticks(memory: SwitchMemory): Tick[] {
  const start = pieces(memory).find(({ name }) => name.startsWith("shared"))?.from ?? 0;
  return memory.levels
    .map(({ name, title, bytes, of }): Tick => ({
      name,
      title,
      at: start + bytes / memory.buffer,
      kind: of === "queue" ? "mark" : "pause",
    }))
    .filter(({ at }) => at <= 1);
}

/** "leaf0, leaf1 and 2 more", or "Each of 4 switches" where there are many. */
export function switchNames({ switches }: SwitchMemory): string {
  return switches.length <= 2
    ? switches.join(" and ")
    : `${switches[0] ?? ""}, ${switches[1] ?? ""} and ${switches.length - 2} more`;
}

/** What comes first, marking or the pause, in sentences; none without marking. */
export function raceWords({ races }: SwitchMemory): { text: string; first: string }[] {
  return races
    .filter(({ first }) => first !== "")
    .map(({ sources, queue, first }) => ({
      first,
      text:
        `${sources} ports that fill one queue evenly are paused when it holds ` +
        `${formatQuantity(queue, "B")}: ${first === "marking" ? "marking comes first" : "the pause comes first"}.`,
    }));
}
