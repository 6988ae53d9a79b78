/** The state of the ECN view, its answers in words, and the scenario that thresholds belong to. */
import type { Schema } from "@/contract";
import { documentCodecOf } from "@/lib/document";
import { flatFlags } from "@/lib/flags";
import { percent } from "@/lib/number";
import { isObject, type JsonObject } from "@/lib/path";
import { formatQuantity } from "@/lib/quantity";
import { commandLine } from "@/lib/shell";

/** One set of thresholds judged, as the API tells it. */
export type Thresholds = Schema<"JudgedDocument">;

/** The question with every default filled in. */
export type EcnQuestion = {
  speed: number;
  rtt: number;
  flows: number;
  buffer: number;
  mtu: number;
  congestion: JsonObject;
  queue: number | null;
  utilisation: number;
  phase_margin: number;
};

/** The thresholds found, among the names of those that are shipped. */
export const ADVICE = "advice";

/** A control may be written by its name alone. */
export function ecnCodec(known?: readonly string[]) {
  const { decode, encode } = documentCodecOf({}, known);
  return {
    decode: (query: string): JsonObject => {
      const state = decode(query);
      return typeof state.congestion === "string" ? { ...state, congestion: { kind: state.congestion } } : state;
    },
    encode,
  };
}

/** The question without what is the page's own. */
export function questionOf(state: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(state).filter(([name]) => name !== "page"));
}

/** The thresholds shown, by name: the advised ones unless others were picked. */
export function chosenOf({ page }: JsonObject): string {
  return isObject(page) && typeof page.chosen === "string" ? page.chosen : ADVICE;
}

const isStep = ({ kmin, kmax }: Thresholds) => kmin >= kmax;

/** "Kmin 10.7 kB, Kmax 214 kB, Pmax 1.00 %", or "K 58.3 kB" of a step. */
export function settings(one: Thresholds): string {
  if (isStep(one)) return `K ${formatQuantity(one.kmax, "B")}`;
  return `Kmin ${formatQuantity(one.kmin, "B")}, Kmax ${formatQuantity(one.kmax, "B")}, Pmax ${percent(one.pmax)}`;
}

/** What the queue does under them. */
export function outcome(one: Thresholds, speed: number): string {
  const rests = one.stable && typeof one.queue_at_rest === "number";
  const queue = rests
    ? `equilibrium queue ${waiting(one.queue_at_rest ?? 0, speed)}`
    : `the queue oscillates between ${formatQuantity(one.queue_min, "B")} and ${waiting(one.queue_max, speed)}`;
  const margin =
    rests && typeof one.phase_margin_deg === "number" ? `phase margin ${degrees(one.phase_margin_deg)}` : "";
  const busy = `the port is ${busyness(one.utilisation)} busy`;
  const lost = one.drop_rate > 0 ? `${percent(one.drop_rate)} is lost` : "";
  return [queue, margin, busy, lost].filter((part) => part !== "").join(", ");
}

/** A queue with the time it takes to drain. */
export const waiting = (bytes: number, speed: number) =>
  `${formatQuantity(bytes, "B")} (${formatQuantity((8 * bytes) / speed, "s")})`;

/** A utilisation; values within rounding of 100 % are written as 100 %. */
export const busyness = (value: number) => percent(Number(value.toFixed(6)));

export const degrees = (value: number) => `${value < 10 && value > -10 ? value.toFixed(1) : Math.round(value)}°`;

/**
 * Where nothing meets what was asked: what misses the least of it. Stable settings come first, then those with the
 * fewest reasons against them, then the shortest queue.
 */
export function nearest(candidates: Thresholds[]): Thresholds | undefined {
  const oscillates = ({ stable }: Thresholds) => (stable ? 0 : 1);
  return candidates.toSorted(
    (a, b) => oscillates(a) - oscillates(b) || a.reasons.length - b.reasons.length || a.queue_max - b.queue_max,
  )[0];
}

/** The scenario that these thresholds were judged in. */
export function scenarioOf(question: EcnQuestion, one: Thresholds): JsonObject {
  const { speed, rtt, flows, buffer, mtu, congestion } = question;
  const size = (bytes: number) => Math.round(bytes);
  const marking: JsonObject = isStep(one)
    ? { kind: "step", threshold: size(one.kmax) }
    : { kind: "red", kmin: size(one.kmin), kmax: size(one.kmax), pmax: one.pmax };
  const duration = Math.max(0.1, 1000 * rtt);
  return {
    name: `ECN: ${settings(one)}`,
    // A single flow needs a link faster than the port, or nothing ever queues.
    topology: { kind: "dumbbell", bottleneck: speed, access: flows === 1 ? 2 * speed : speed, rtt },
    switch: { buffer, marking },
    traffic: [{ kind: "long_lived", flows, start_jitter: 0, congestion }],
    run: { duration, warmup: duration / 2, mtu },
  };
}

/** 3840 B, 60 pause quanta: the response time that Shan et al. (DSH, ICDCS 2023) allow a neighbour. */
const RESPONSE = 3840;

/** The same thresholds on a lossless switch: every sender on a port of its own, headroom on top of the buffer. */
export function fabricOf(question: EcnQuestion, one: Thresholds): { scenario: JsonObject; differs: string[] } {
  const { speed, rtt, flows, buffer, congestion } = question;
  const senders = Math.max(flows, 2);
  const headroom = Math.ceil(2 * ((speed * rtt) / 4 / 8 + question.mtu) + RESPONSE);
  const single = scenarioOf(question, one);
  const duration = Math.min(Math.max(100 * rtt, 1e-3), 2e-2);
  const scenario: JsonObject = {
    ...single,
    name: `ECN: ${settings(one)}, lossless`,
    topology: { kind: "star", hosts: senders + 1, rate: speed, rtt },
    switch: {
      ...(single.switch as JsonObject),
      buffer: Math.ceil(buffer) + (senders + 1) * headroom,
      queues: 2,
      scheduling: { kind: "strict_priority" },
      headroom: { kind: "static_independent", lossless: [0], size: headroom },
    },
    traffic: [{ kind: "long_lived", flows: senders, start_jitter: 0, congestion }],
    run: { duration, warmup: 0, mtu: question.mtu, timeline: { start: 0, end: duration, step: duration / 1000 } },
  };
  const differs = [
    `one lossless class with α = 1/16 and ${formatQuantity(headroom, "B")} of headroom for each of ` +
      `${senders + 1} ports, on top of the buffer`,
    ...(senders === flows ? [] : ["two senders, or no queue would fill"]),
  ];
  return { scenario, differs };
}

/** The same question for a terminal; the form names the command's options. */
export function ecnCommand(question: JsonObject, form: JsonObject, root: JsonObject): string {
  return commandLine("footroom ecn", ...flatFlags(question, form, root));
}
