import { useMemo } from "react";

import classes from "./answers.module.css";
import { scenarioInputs, useScenario } from "@/answers/scenario";
import type { AnswerProps, Finding, Kind, PartProps } from "@/answers/types";
import { QueueShares, SizeSlowdowns } from "@/features/distributions";
import { roughly, percent, significant } from "@/lib/number";
import { getPath, type JsonObject } from "@/lib/path";
import type { Result } from "@/lib/points";
import { formatQuantity } from "@/lib/quantity";
import { usePacketStudy } from "@/state/usePacketStudy";

const CONTROL = "traffic.0.congestion.kind";
const CONTROLS = [
  { kind: "dcqcn", title: "DCQCN" },
  { kind: "hpcc", title: "HPCC" },
] as const;
type Name = (typeof CONTROLS)[number]["kind"];

function useControls(values: JsonObject) {
  const { scenario, error } = useScenario(values);
  const body = useMemo(
    () =>
      scenario === undefined
        ? undefined
        : {
            scenario,
            over: { [CONTROL]: CONTROLS.map(({ kind }) => kind).join(",") },
            engines: ["packet"],
            replicas: 1,
          },
    [scenario],
  );
  const study = usePacketStudy(body);
  const of = (kind: Name): Result | undefined =>
    study.done ? study.points.find(({ result }) => getPath(result.scenario, CONTROL) === kind)?.result : undefined;
  return { study, of, error: error ?? study.error };
}

/** Slowdown of the shortest class in its tail, of the longest in its median. */
const shortTail = (result: Result) => result.completions_by_size?.[0]?.slowdown_p99 ?? undefined;
const longMedian = (result: Result) => result.completions_by_size?.at(-1)?.slowdown_p50 ?? undefined;
const times = (value: number | undefined) => (value === undefined ? "–" : `${significant(value, 2)}×`);

/** Which of two runs keeps the queue shorter, and how much slower its longest transfers are. */
export function shortest(dcqcn: Result | undefined, hpcc: Result | undefined): Finding | undefined {
  const [marks, telemetry] = [dcqcn?.metrics.queue_p99, hpcc?.metrics.queue_p99];
  if (dcqcn === undefined || hpcc === undefined || marks === undefined || telemetry === undefined) return undefined;
  const better = telemetry < marks;
  const [name, other] = better ? ["HPCC", "DCQCN"] : ["DCQCN", "HPCC"];
  const [mine, theirs] = better ? [hpcc, dcqcn] : [dcqcn, hpcc];
  const [least, most] = [Math.min(marks, telemetry), Math.max(marks, telemetry)].map((size) =>
    formatQuantity(size, "B"),
  );
  return {
    value: least ?? "",
    note: `99th percentile of queues with ${name}, ${most} with ${other}`,
    before: `${name}: its queues hold at most`,
    after:
      `for 99 % of the time, ${other}'s ${most}. The shortest transfers have a ` +
      `p99 slowdown of ${times(shortTail(mine))} (${other} ${times(shortTail(theirs))}), the longest ` +
      `a median slowdown of ${times(longMedian(mine))} (${other} ${times(longMedian(theirs))}).`,
  };
}

function Answer({ values, show: Show }: AnswerProps) {
  const { study, of, error } = useControls(values);
  const pending = { running: study.running, seconds: study.seconds, onRun: study.start };
  return <Show found={shortest(of("dcqcn"), of("hpcc"))} error={error} pending={pending} />;
}

function Table({ values }: PartProps) {
  const { study, of } = useControls(values);
  if (!study.done)
    return (
      <p className={classes.text}>
        {study.running
          ? `Simulating packets${study.seconds === undefined ? "" : `, ${roughly(study.seconds)}`}.`
          : "Not simulated yet."}
      </p>
    );
  return (
    <>
      <table className={classes.table}>
        <caption className="visually-hidden">Queues and slowdown by congestion control</caption>
        <thead>
          <tr>
            <th scope="col">Congestion control</th>
            <th scope="col">Queue, mean</th>
            <th scope="col">Queue, 99th percentile</th>
            <th scope="col">Shortest transfers, slowdown p99</th>
            <th scope="col">Longest transfers, slowdown median</th>
            <th scope="col">Utilisation</th>
          </tr>
        </thead>
        <tbody>
          {CONTROLS.map(({ kind, title }) => {
            const result = of(kind);
            if (result === undefined) return null;
            return (
              <tr key={kind}>
                <th scope="row">{title}</th>
                <td>{formatQuantity(result.metrics.queue_mean ?? 0, "B")}</td>
                <td>{formatQuantity(result.metrics.queue_p99 ?? 0, "B")}</td>
                <td>{times(shortTail(result))}</td>
                <td>{times(longMedian(result))}</td>
                <td>{percent(result.metrics.utilisation ?? 0)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={classes.text}>
        Packet simulation, one seed; both controls with the defaults of their papers. Slowdown is the completion time
        divided by that of the same transfer alone. HPCC&apos;s telemetry in packets takes link capacity, and its target
        utilisation is 95 %.
      </p>
    </>
  );
}

const Part = (kind: Name) =>
  function Distributions({ values }: PartProps) {
    const { queue_distribution: queues, completions_by_size: sizes } = useControls(values).of(kind) ?? {};
    return (
      <>
        {queues !== undefined && queues !== null && <QueueShares queues={queues} />}
        {sizes !== undefined && sizes !== null && <SizeSlowdowns rows={sizes} />}
      </>
    );
  };

export const shortQueue: Kind = {
  slow: true,
  Answer,
  title: "Queues and slowdown by congestion control",
  Evidence: Table,
  more: CONTROLS.map(({ kind, title }) => ({ title: `Queues and sizes with ${title}`, Part: Part(kind) })),
  Inputs: scenarioInputs({
    parts: [
      { title: "Fabric", path: "topology", axis: "topology", names: ["nic_rate", "fabric_rate", "nic_delay"] },
      { title: "Transfers", path: "traffic.0", axis: "traffic", names: ["load"] },
    ],
  }),
};
