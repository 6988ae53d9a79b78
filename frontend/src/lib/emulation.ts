/** The state of the sharing view, and the emulator's answer in words and plots. */
import type { Schema } from "@/contract";
import type { Column } from "@/lib/columns";
import { kindOf, type Axis } from "@/lib/component";
import { documentCodec } from "@/lib/document";
import { flags, textOf } from "@/lib/flags";
import { percent, significant } from "@/lib/number";
import { isObject, type Json, type JsonObject } from "@/lib/path";
import { formatQuantity, parseQuantity, type Unit } from "@/lib/quantity";
import { commandLine, option } from "@/lib/shell";
import { aboveNote, queueTop } from "@/lib/timeline";
import type { Panel } from "@/lib/timePanels";

export type Count = Schema<"PacketsAndBytes">;

/** The largest burst a policy absorbs without loss, beside the other traffic. */
export type Absorbs = Schema<"AbsorbedBurst">;

export type PortSeries = Schema<"QueueSeries">;

export type Emulated = Schema<"PolicyOutcome">;

export type SmallestAlpha = Schema<"SmallestAlpha">;

export type Emulation = Schema<"EmulateDocument">;

export const SHARING_PANELS = ["answer", "explain", "values"] as const;
export type SharingPanel = (typeof SHARING_PANELS)[number];
export const MODES = ["alone", "run"] as const;
/** Policies alone on arrivals that do not react, or in a packet run whose senders react. */
export type Mode = (typeof MODES)[number];

export const sharingCodec = documentCodec;

/** Fields of a synthetic incast, which a trace replaces. */
export const INCAST = [
  "degree",
  "size",
  "packet",
  "ingress_rate",
  "bursts",
  "interval",
  "synchronised",
  "congested",
  "overload",
  "load",
  "seed",
];
const OWN = new Set(["page", "run"]);

/** The question without what is the page's own, and with the trace in place of the incast where there is one. */
export function questionOf(state: JsonObject, trace: string | undefined): JsonObject {
  const left = trace === undefined ? OWN : new Set([...OWN, ...INCAST]);
  const question = Object.fromEntries(Object.entries(state).filter(([name]) => !left.has(name)));
  return trace === undefined ? question : { ...question, trace };
}

/** The policies compared, as objects; every kind while none is named. */
export function policiesOf(state: JsonObject, axis: Axis | undefined): JsonObject[] {
  if (!Array.isArray(state.policies)) return axis?.kinds.map(({ kind }) => ({ kind })) ?? [];
  return state.policies.map((one) => (isObject(one) ? one : { kind: typeof one === "string" ? one : "" }));
}

/** "Dynamic threshold, α 2": its title and what was set of it. */
export function policyTitle(policy: JsonObject, axis: Axis): string {
  const kind = axis.kinds.find((one) => one.kind === kindOf(policy, axis));
  const set = Object.entries(policy).filter(([name]) => name !== "kind");
  return [
    kind?.title ?? textOf(policy.kind ?? ""),
    ...set.map(([name, value]) => `${symbolOf(kind?.schema, name)} ${textOf(value)}`),
  ].join(", ");
}

function symbolOf(schema: JsonObject | undefined, name: string): string {
  const fields = schema?.properties;
  const field = isObject(fields) ? fields[name] : undefined;
  return isObject(field) && typeof field.symbol === "string" && field.symbol !== ""
    ? field.symbol
    : name.replaceAll("_", " ");
}

/** A policy as the API labels it, its kind in words; "…" until the words are known. */
export function nameOf({ kind, label }: Emulated, axis: Axis | undefined): string {
  if (axis === undefined) return "…";
  const title = axis.kinds.find((one) => one.kind === kind)?.title;
  return title === undefined ? label : label.replace(kind, title);
}

/** What arrives, in words. */
export function arrivalWords({ arrivals, question }: Emulation): string {
  const { source, packets, bytes, flows, bursts, burst_bytes: burst, rate, drain, last } = arrivals;
  if (source === "trace")
    return (
      `${formatQuantity(packets, "packet")}, ${formatQuantity(bytes, "B")}, of ${flows} flows arrive ` +
      `within ${formatQuantity(last, "s")}; each port drains ${formatQuantity(drain, "bit/s")}.`
    );
  const size = typeof question.size === "number" ? formatQuantity(question.size, "B") : "";
  const each =
    `${typeof question.degree === "number" ? question.degree : ""} senders with ${size} each, ` +
    formatQuantity(burst ?? bytes, "B");
  const speed = rate === null ? "" : `, arrive at ${formatQuantity(rate, "bit/s")}`;
  return `${each}${speed} and drain at ${formatQuantity(drain, "bit/s")}${bursts > 1 ? `, ${bursts} times` : ""}.`;
}

/** The headline: which alpha absorbs everything, if any does. */
export function alphaWords(found: SmallestAlpha | null): string | undefined {
  if (found === null) return undefined;
  const { emulated, best_alpha: best, best_dropped: dropped } = found;
  if (emulated !== null) return `The smallest α that loses nothing is ${significant(emulated)}`;
  return `No α avoids loss; ${Number(best.toPrecision(3))} loses least, ${formatQuantity(dropped, "B")}`;
}

/** The burst that a policy absorbs, in words. */
export function absorbsWords(absorbs: Absorbs | null): string {
  if (absorbs === null) return "–";
  if (absorbs.unbounded) return "any";
  return absorbs.bytes === null ? "none" : formatQuantity(absorbs.bytes, "B");
}

/** What was lost of the bursts alone; other ports may lose as well. */
export function burstLoss({ bursts }: Emulated): { bytes: number; share: number } {
  const [lost, offered] = bursts.reduce(([a, b], burst) => [a + burst.dropped_bytes, b + burst.bytes], [0, 0]);
  return { bytes: lost, share: offered === 0 ? 0 : lost / offered };
}

/** Whether anything but the bursts was lost, so that both must be mentioned. */
export const losesElsewhere = (policies: readonly Emulated[]) =>
  policies.some((policy) => policy.bursts.length > 0 && burstLoss(policy).bytes !== policy.dropped.bytes);

export function lossWords(policy: Emulated): string {
  const { dropped, drop_rate: rate, bursts } = policy;
  const [bytes, share] = bursts.length > 0 ? [burstLoss(policy).bytes, burstLoss(policy).share] : [dropped.bytes, rate];
  const what = bursts.length > 0 ? " of the burst" : "";
  return bytes === 0 ? `nothing${what}` : `${formatQuantity(bytes, "B")}${what}, ${percent(share)}`;
}

/** What a policy counted, in words with units; errors only where something was predicted. */
export function observedWords({ observed, counts }: Pick<Emulated, "observed" | "counts">): string {
  const told = Object.entries(observed).filter(([name]) => !name.startsWith("error_") || observed.predictions !== 0);
  return told
    .map(([name, value]) => `${counts[name]?.title ?? name} ${formatQuantity(value, counts[name]?.unit ?? "1")}`)
    .join(", ");
}

/** Which port is drawn: the one asked for where a policy has it, else its first. */
const seriesOf = (policy: Emulated, port: number | undefined): PortSeries | undefined =>
  policy.series.find((one) => one.port === port) ?? policy.series[0];

/** Ports with a time series under any policy. */
export const portsOf = (policies: readonly Emulated[]): number[] =>
  [...new Set(policies.flatMap(({ series }) => series.map(({ port }) => port)))].toSorted((a, b) => a - b);

const numbers = (values: readonly (number | null)[]) => values.filter((value) => value !== null);
/** Ends of the steps, all of one length, and that length. */
export function stepsOf(begins: readonly number[]): { ends: number[]; step: number } {
  const [first = 0, second = first + 1] = begins;
  const step = second - first;
  return { ends: begins.map((begin) => begin + step), step };
}

/**
 * One plot per policy, all to one scale: the queue against the threshold and the memory left; crosses where packets
 * were lost.
 */
export function policyPanels(
  { policies, time }: Emulation,
  port: number | undefined,
  near: boolean,
  axis: Axis | undefined,
): Panel[] {
  const steps = stepsOf(time);
  const courses = policies.flatMap((policy) => {
    const series = seriesOf(policy, port);
    return series === undefined ? [] : [{ policy, series, limits: numbers(series.threshold_min) }];
  });
  const peak = Math.max(0, ...courses.map(({ series }) => Math.max(0, ...series.queue_max)));
  // What is drawn is the memory at most: limits may lie far beyond it.
  const memory = Math.max(0, ...courses.map(({ policy }) => Math.max(0, ...policy.memory.free_max)));
  const lowest = Math.min(...courses.map(({ limits }) => Math.min(...limits)));
  const top = queueTop(peak, Math.min(lowest, memory), memory, near);
  return courses.map(({ policy, series, limits }): Panel => {
    const note = aboveNote(top, Math.min(...limits));
    // Along the top, where they hide neither queue nor threshold.
    const lost = series.dropped.map((bytes) => (bytes > 0 ? 0.94 * top : null));
    return {
      title: nameOf(policy, axis),
      unit: "B",
      height: 118,
      top,
      ...steps,
      ...(note === undefined ? {} : { note }),
      lines: [
        {
          name: "queue",
          values: series.queue,
          edge: series.queue_max,
          edgeName: "most",
          style: "solid",
          colour: "current",
        },
        { name: "threshold", values: series.threshold_min, style: "dash", colour: "pinned" },
        { name: "free", values: policy.memory.free_min, style: "dot", colour: "muted" },
        ...(lost.some((at) => at !== null)
          ? [{ name: "lost", values: lost, read: series.dropped, style: "marks" as const, colour: "bad" as const }]
          : []),
      ],
    };
  });
}

export function policyColumns(policy: Emulated, port: number | undefined): Column[] {
  const series = seriesOf(policy, port);
  if (series === undefined) return [];
  return [
    { title: "Peak queue", unit: "B", values: series.queue_max, join: "most" },
    { title: "Threshold", unit: "B", values: series.threshold_min, join: "least" },
    { title: "Minimum free", unit: "B", values: policy.memory.free_min, join: "least" },
    { title: "Lost", unit: "B", values: series.dropped, join: "sum" },
  ];
}

/** The policy that a packet run is about: the one looked at, else the one that most switches have. */
export function policyToRun(state: JsonObject, axis: Axis | undefined): JsonObject {
  const policies = policiesOf(state, axis);
  const chosen = isObject(state.page) ? state.page.policy : undefined;
  const usual = policies.find(({ kind }) => kind === "dynamic_threshold");
  return (
    (typeof chosen === "number" ? policies[chosen] : undefined) ?? usual ?? policies[0] ?? { kind: "dynamic_threshold" }
  );
}

/** The same question for a terminal; a trace is a file there. The form names the command's options. */
export function emulateCommand(
  question: JsonObject,
  trace: string | undefined,
  form: JsonObject,
  root: JsonObject,
): string {
  const { policies } = question;
  const rest = Object.fromEntries(Object.entries(question).filter(([name]) => name !== "policies" && name !== "trace"));
  const named = (Array.isArray(policies) ? policies : []).map((one) => {
    if (!isObject(one)) return option("--policy", textOf(one));
    const set = Object.entries(one).filter(([name]) => name !== "kind");
    const parameters = set.length === 0 ? "" : `:${set.map(([name, value]) => `${name}=${textOf(value)}`).join(",")}`;
    return option("--policy", `${textOf(one.kind ?? "")}${parameters}`);
  });
  const file = trace === undefined ? [] : [option("--trace", trace)];
  return commandLine("footroom emulate", ...file, ...flags(rest, form, root), ...named);
}

/** The same incast with senders that react, as a scenario for the packet engine. */
export function incastScenario(question: Record<string, unknown>, policy: JsonObject): JsonObject {
  const read = (name: string, unit: Unit, usual: number) => {
    const value = question[name];
    const parsed = typeof value === "string" ? parseQuantity(value, unit) : undefined;
    return typeof value === "number" ? value : parsed !== undefined && "value" in parsed ? parsed.value : usual;
  };
  const [senders, bytes, speed] = [read("degree", "1", 40), read("size", "B", 64e3), read("rate", "bit/s", 100e9)];
  // Long enough for retransmissions after a timeout to be seen.
  const drain = (8 * senders * bytes) / speed;
  const end = Math.max(20 * drain, 0.01);
  return {
    name: `Incast of ${senders} × ${formatQuantity(bytes, "B")}`,
    topology: {
      kind: "star",
      hosts: Math.max(senders + 1, Math.min(read("ports", "1", 32), 10_000)),
      rate: speed,
      rtt: "10 us",
    },
    switch: { buffer: read("buffer", "B", 16e6), sharing: policy },
    traffic: [{ kind: "incast", degree: senders, size: bytes, start: "100 us" }],
    run: {
      duration: end,
      warmup: 0,
      mtu: read("packet", "B", 1500),
      timeline: {
        start: 0,
        end: Number(Math.min(end, 4 * drain + 2e-4).toPrecision(3)),
        step: Number(Math.max(drain / 200, 1e-6).toPrecision(2)),
      },
    },
  };
}

/** A scenario that records a timeline: its own, or all of the run in a thousand steps. */
export function withTimeline(
  scenario: JsonObject,
  seconds: (value: Json | undefined) => number | undefined,
): JsonObject {
  const run = isObject(scenario.run) ? scenario.run : {};
  if (isObject(run.timeline)) return scenario;
  const duration = seconds(run.duration) ?? 30;
  return { ...scenario, run: { ...run, timeline: { start: 0, end: duration, step: duration / 1000 } } };
}
