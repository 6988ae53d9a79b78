import { useMemo } from "react";

import classes from "./answers.module.css";
import { scenarioInputs, useScenario } from "@/answers/scenario";
import type { AnswerProps, Finding, Kind, PartProps } from "@/answers/types";
import { roughly, percent, significant } from "@/lib/number";
import type { JsonObject } from "@/lib/path";
import { bufferOf, nearest, type Point, type Result } from "@/lib/points";
import { formatMetric, formatQuantity, parseQuantity } from "@/lib/quantity";
import { BUFFER } from "@/lib/sweep";
import type { WindowedPort, Windows } from "@/lib/windows";
import { usePacketStudy } from "@/state/usePacketStudy";

const REPLICAS = 3;
/** A port counts as full in windows of at least this utilisation. */
const FULL = 0.95;

const size = (name: string, standard: string, description: string) => ({
  [name]: {
    anyOf: [{ type: "number" }, { type: "string" }],
    default: standard,
    unit: "B",
    exclusiveMinimum: 0,
    description,
  },
});

const bytes = (raw: unknown, standard: string): number => {
  const parsed = parseQuantity(typeof raw === "string" ? raw : standard, "B");
  return typeof raw === "number" ? raw : "value" in parsed && parsed.value > 0 ? parsed.value : 1e6;
};

/** The packet study of the question at some sizes of memory. */
function useSizes(values: JsonObject, sizes: readonly number[]) {
  const { scenario, error } = useScenario(values);
  const over = [...new Set(sizes)]
    .toSorted((a, b) => a - b)
    .map((one) => `${one}B`)
    .join(",");
  const body = useMemo(
    () =>
      scenario === undefined
        ? undefined
        : { scenario, over: { [BUFFER]: over }, engines: ["packet"], replicas: REPLICAS },
    [scenario, over],
  );
  const study = usePacketStudy(body);
  const at = (buffer: number): Result | undefined =>
    study.done ? nearest(study.points, "packet", buffer)?.result : undefined;
  return { study, at, error: error ?? study.error };
}

const metricOf = (result: Result | undefined, name: string) => result?.metrics[name];
const pendingOf = ({ running, seconds, start }: ReturnType<typeof usePacketStudy>) => ({
  running,
  seconds,
  onRun: start,
});

const ROWS: { metric: string; title: string; unit: string }[] = [
  { metric: "drop_rate", title: "Drop rate", unit: "1" },
  { metric: "qct_mean", title: "Query completion, mean", unit: "s" },
  { metric: "qct_p99", title: "Query completion, 99th percentile", unit: "s" },
  { metric: "queue_max", title: "Peak queue", unit: "B" },
  { metric: "timeouts", title: "Timeouts", unit: "1" },
];

/** Metrics by size of memory, with the 95 % interval of the replicas. */
function Sizes({ points, running, seconds }: { points: Point[]; running: boolean; seconds: number | undefined }) {
  const sorted = points.toSorted((a, b) => (bufferOf(a) ?? 0) - (bufferOf(b) ?? 0));
  if (sorted.length === 0)
    return (
      <p className={classes.text}>
        {running ? `Simulating packets${seconds === undefined ? "" : `, ${roughly(seconds)}`}.` : "Not simulated yet."}
      </p>
    );
  return (
    <table className={classes.table}>
      <caption className="visually-hidden">Drops and completion times by memory of the chip</caption>
      <thead>
        <tr>
          <th scope="col">Memory</th>
          {ROWS.map(({ metric, title }) => (
            <th key={metric} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sorted.map((point) => (
          <tr key={bufferOf(point)}>
            <th scope="row">{formatQuantity(bufferOf(point) ?? 0, "B")}</th>
            {ROWS.map(({ metric, unit }) => {
              const value = point.result.metrics[metric];
              const interval = point.result.intervals[metric];
              const ends = interval?.map((end) => formatMetric(metric, end, unit));
              return (
                <td key={metric}>
                  {value === undefined ? "–" : formatMetric(metric, value, unit)}
                  {interval !== undefined && ends !== undefined && ends[0] !== ends[1] && (
                    <small>
                      {" "}
                      {interval[0] <= 0 ? "up to" : `${ends[0]} to`} {ends[1]}
                    </small>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Basis = ({ running }: { running: boolean }) => (
  <p className={classes.text}>
    {running ? "Still simulating. " : ""}Packet simulation, {REPLICAS} seeds per size; beside each mean its 95 %
    interval. There is no closed form for drops of bursts that share memory.
  </p>
);

/** Whether the 95 % intervals of the replicas leave open which of two runs has more. */
const open = (one: Result | undefined, other: Result | undefined, metric: string): boolean => {
  const [first, second] = [one?.intervals[metric], other?.intervals[metric]];
  return first !== undefined && second !== undefined && first[0] <= second[1] && second[0] <= first[1];
};

/** Two memories that leave nothing to compare, and why. */
const alike = (why: string): Finding => ({
  value: "No comparison",
  note: "the memories do not differ as asked",
  before: "",
  after: `: ${why}.`,
});

/* Deep or shallow */

const SHALLOW = "1 MB";
const DEEP = "100 MB";
const chips = {
  type: "object",
  properties: {
    ...size("shallow", SHALLOW, "Memory of the shallow chip."),
    ...size("deep", DEEP, "Memory of the deep chip."),
  },
};

function useChips(values: JsonObject) {
  const [shallow, deep] = [bytes(values["page.shallow"], SHALLOW), bytes(values["page.deep"], DEEP)];
  return { shallow, deep, ...useSizes(values, [Math.max(1, Math.round(shallow / 4)), shallow, deep]) };
}

function Drops({ values, show: Show }: AnswerProps) {
  const { shallow, deep, study, at, error } = useChips(values);
  return <Show found={drops(shallow, deep, at(shallow), at(deep))} error={error} pending={pendingOf(study)} />;
}

export function drops(
  shallow: number,
  deep: number,
  few: Result | undefined,
  many: Result | undefined,
): Finding | undefined {
  if (shallow >= deep)
    return alike(
      `the shallow chip's ${formatQuantity(shallow, "B")} are not less than the deep chip's ` +
        `${formatQuantity(deep, "B")}. Enter a smaller memory under Shallow`,
    );
  const [lost, kept] = [metricOf(few, "drop_rate"), metricOf(many, "drop_rate")];
  if (few === undefined || many === undefined || lost === undefined || kept === undefined) return undefined;
  const load = metricOf(few, "utilisation");
  const against =
    kept === 0
      ? `none with ${formatQuantity(deep, "B")}`
      : `${percent(kept)} with ${formatQuantity(deep, "B")}, ${significant(lost / kept, 2)} times as many`;
  const [quick, slow] = [metricOf(few, "qct_mean"), metricOf(many, "qct_mean")];
  const queries =
    quick === undefined || slow === undefined
      ? ""
      : ` Queries take ${formatQuantity(quick, "s")} on average, against ${formatQuantity(slow, "s")} ` +
        `behind the deep chip's longer queues: ` +
        `${significant(Math.max(slow / quick, quick / slow), 2)} times ${slow > quick ? "as fast" : "as slow"}` +
        (open(few, many, "qct_mean") ? ", but their 95 % intervals overlap." : ".");
  return {
    value: percent(lost),
    note:
      `dropped with ${formatQuantity(shallow, "B")}; ${kept === 0 ? "none" : percent(kept)} with ` +
      formatQuantity(deep, "B"),
    verdict: lost > 2 * kept && lost > 1e-4 ? "bad" : "good",
    before: `With ${formatQuantity(shallow, "B")} the chip drops`,
    after: `of the packets${load === undefined ? "" : ` at ${percent(load)} load`}, ${against}.${queries}`,
  };
}

function ChipSizes({ values }: PartProps) {
  const { study } = useChips(values);
  return (
    <>
      <Sizes points={study.points} running={study.running} seconds={study.seconds} />
      <Basis running={study.running} />
    </>
  );
}

export const deepOrShallow: Kind = {
  slow: true,
  Answer: Drops,
  title: "Drops and completion times by memory",
  Evidence: ChipSizes,
  Inputs: scenarioInputs({
    extra: { title: "Chips", schema: chips },
    parts: [
      { title: "Rack", path: "topology", axis: "topology", names: ["hosts", "rate", "rtt"] },
      { title: "Transfers", path: "traffic.0", axis: "traffic", names: ["load"] },
      { title: "Storage replies", path: "traffic.1", axis: "traffic", names: ["load", "degree", "size"] },
    ],
  }),
};

/* Drops at 30 % */

const OWN = "500 kB";
const MORE = "4 MB";
const memories = {
  type: "object",
  properties: {
    ...size("memory", OWN, "Memory of the chip."),
    ...size("more", MORE, "More memory, to see whether it ends the drops."),
  },
};

function useMemories(values: JsonObject) {
  const [own, more] = [bytes(values["page.memory"], OWN), bytes(values["page.more"], MORE)];
  return { own, more, ...useSizes(values, [own, more]) };
}

/** The part of all drops that fell into windows in which the port was full; undefined without drops. */
export function burstShare(windows: Windows | null | undefined): number | undefined {
  const counted = Object.values(windows?.ports ?? {}).reduce(
    (sum: { all: number; full: number }, { utilisation, dropped }: WindowedPort) => ({
      all: sum.all + dropped.reduce((total, one) => total + one, 0),
      full: sum.full + dropped.reduce((total, one, i) => total + ((utilisation[i] ?? 0) >= FULL ? one : 0), 0),
    }),
    { all: 0, full: 0 },
  );
  return counted.all === 0 ? undefined : counted.full / counted.all;
}

export function bursts(
  own: number,
  more: number,
  here: Result | undefined,
  there: Result | undefined,
): Finding | undefined {
  if (more <= own)
    return alike(
      `${formatQuantity(more, "B")} are not more than the chip's ${formatQuantity(own, "B")}. ` +
        "Enter a larger memory under More",
    );
  const [lost, left] = [metricOf(here, "drop_rate"), metricOf(there, "drop_rate")];
  if (here === undefined || lost === undefined || left === undefined) return undefined;
  if (lost === 0)
    return {
      value: "0 %",
      note: "no drops at this load",
      verdict: "good",
      before: "Neither:",
      after: `is dropped with ${formatQuantity(own, "B")}.`,
    };
  const ratio = left === 0 ? Infinity : lost / left;
  const average = metricOf(here, "utilisation");
  const share = burstShare(here.series);
  const window = here.series?.window;
  const busy =
    share === undefined || window === undefined
      ? ""
      : ` ${percent(share)} of the drops fall in windows of ${formatQuantity(window, "s", 2)} in which ` +
        `the port is at least ${percent(FULL)} ` +
        `busy${average === undefined ? "" : `, at ${percent(average)} on average`}.`;
  const gain = more / own;
  const short = ratio > gain / 2;
  const unsure = open(here, there, "drop_rate") ? ", whose 95 % intervals overlap" : "";
  const drops = `${percent(lost)} with ${formatQuantity(own, "B")}, ${percent(left)} with ${formatQuantity(more, "B")}`;
  return {
    value: ratio === Infinity ? "all drops" : `${significant(ratio, 2)} times`,
    note: `${ratio === Infinity ? "end" : "fewer drops"} with ${significant(gain, 2)} times the memory`,
    verdict: short ? "good" : "bad",
    before: short
      ? `Too little buffer: with ${significant(gain, 2)} times the memory`
      : `Microbursts: ${significant(gain, 2)} times the memory gives only`,
    after: `${ratio === Infinity ? "end" : `fewer drops (${drops}${unsure})`}.${busy}`,
  };
}

function Bursts({ values, show: Show }: AnswerProps) {
  const { own, more, study, at, error } = useMemories(values);
  return <Show found={bursts(own, more, at(own), at(more))} error={error} pending={pendingOf(study)} />;
}

function MemorySizes({ values }: PartProps) {
  const { study } = useMemories(values);
  return (
    <>
      <Sizes points={study.points} running={study.running} seconds={study.seconds} />
      <Basis running={study.running} />
      <p className={classes.text}>
        Too little buffer: drops fall at least half as fast as memory grows. Microbursts: they fall more slowly.
      </p>
    </>
  );
}

export const microbursts: Kind = {
  slow: true,
  Answer: Bursts,
  title: "Effect of more memory",
  Evidence: MemorySizes,
  Inputs: scenarioInputs({
    extra: { title: "Chip", schema: memories },
    parts: [
      { title: "Rack", path: "topology", axis: "topology", names: ["hosts", "rate", "rtt"] },
      { title: "Bursts", path: "traffic.0", axis: "traffic", names: ["load", "degree", "size"] },
      { title: "Transfers", path: "traffic.1", axis: "traffic", names: ["load"] },
    ],
  }),
};
