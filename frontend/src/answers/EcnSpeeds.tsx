import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import classes from "./answers.module.css";
import { DocumentInputs } from "@/answers/DocumentInputs";
import { nested } from "@/answers/nested";
import type { AnswerProps, Finding, Kind, PartProps } from "@/answers/types";
import { ecnQuery, type EcnAnswer } from "@/api/ecn";
import { forms } from "@/contract/forms";
import { asicsQuery } from "@/api/headroom";
import { poolQuery, type PoolAnswer } from "@/api/pool";
import { ApiProblem } from "@/api/problem";
import { Defaults } from "@/features/ecn";
import { bracket } from "@/lib/answerWords";
import { busyness, questionOf, type EcnQuestion } from "@/lib/ecn";
import { formOf } from "@/lib/forms";
import { poolOf } from "@/lib/headroom";
import { percent, significant } from "@/lib/number";
import type { JsonObject } from "@/lib/path";
import { formatQuantity } from "@/lib/quantity";
import { schemeParameters } from "@/state/headroomForms";
import { Derivations } from "@/ui/Derivations";

const root = forms;
const schema = formOf(root, "computeEcn");

/**
 * Each speed with a chip that has ports of it, and the usual cable within a row: the pause threshold depends on both.
 */
const SPEEDS = [
  { speed: "100 Gb/s", asic: "tomahawk" },
  { speed: "400 Gb/s", asic: "tomahawk4" },
  { speed: "800 Gb/s", asic: "tomahawk5" },
] as const;
const CABLE = "40 m";

type Row = { speed: string; chip: string; answer: EcnAnswer | undefined; pool: PoolAnswer | undefined };

function useSpeeds(values: JsonObject) {
  const own = useMemo(() => questionOf(nested(values)), [values]);
  const found = useQueries({ queries: SPEEDS.map(({ speed }) => ecnQuery({ ...own, speed })) });
  const { data: asics } = useQuery(asicsQuery);
  const pools = useQueries({
    queries: SPEEDS.map(({ speed, asic }, i) => {
      const advice = found[i]?.data?.advice;
      const chip = asics?.find(({ id }) => id === asic);
      if (!advice || chip === undefined) return poolQuery(undefined);
      const marking = { kmin: Math.round(advice.kmin), kmax: Math.round(advice.kmax) };
      return poolQuery(
        poolOf(
          { speed, asic, cable: CABLE, pool: { marking } },
          "vendor",
          chip.capacity ?? undefined,
          schemeParameters,
        ),
      );
    }),
  });
  const rows = SPEEDS.map(({ speed, asic }, i): Row => ({
    speed,
    chip: asics?.find(({ id }) => id === asic)?.name ?? asic,
    answer: found[i]?.data,
    pool: pools[i]?.data,
  }));
  return { rows, error: found.find(({ error }) => error !== null)?.error };
}

export function finding(rows: Row[]): Finding | undefined {
  if (rows.some(({ answer }) => answer === undefined)) return undefined;
  const advised = rows.flatMap(({ speed, answer }) =>
    answer?.advice ? [{ speed: speed.replace(" Gb/s", "G"), validFrom: answer.valid_from, ...answer.advice }] : [],
  );
  const [first] = advised;
  if (first === undefined)
    return {
      value: "none",
      note: "meet the targets",
      verdict: "bad",
      before: "Of all thresholds,",
      after: "meet the targets at any of the three speeds.",
    };
  const sizes = advised.map(({ kmax }) => kmax);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const { number, unit } = bracket(least, most);
  const without = rows.flatMap(({ speed, answer }) => (answer?.advice ? [] : [speed.replace(" Gb/s", "G")]));
  const rest = without.length === 0 ? "" : ` No thresholds meet the targets at ${without.join(" and ")}.`;
  const last = advised[advised.length - 1];
  const each = advised
    .map(({ speed, kmin, kmax, validFrom }) => {
      const low = kmin < validFrom ? ` (outside validity; use ${formatQuantity(validFrom, "B")} or more)` : "";
      return `${speed} ${formatQuantity(kmin, "B")}${low} / ${formatQuantity(kmax, "B")}`;
    })
    .join(", ");
  return {
    value: advised.length === 1 ? formatQuantity(most, "B") : `${number} ${unit}`,
    note: `Kmax, ${advised.length === 1 ? `at ${first.speed}` : `${first.speed} to ${last?.speed ?? ""}`}`,
    before: "Kmax",
    after:
      `${advised.length === 1 ? `at ${first.speed}` : "from the slowest to the fastest port"}. ` +
      `Kmin / Kmax: ${each}, with Pmax ${percent(first.pmax)}.${rest}`,
  };
}

function Speeds({ values, show: Show }: AnswerProps) {
  const { rows, error } = useSpeeds(values);
  return <Show found={finding(rows)} error={error} />;
}

function Table({ values }: PartProps) {
  const { rows } = useSpeeds(values);
  return (
    <>
      <table className={classes.table}>
        <caption className="visually-hidden">Advised thresholds and the risk of PFC, by speed</caption>
        <thead>
          <tr>
            <th scope="col">Port</th>
            <th scope="col">Kmin</th>
            <th scope="col">Kmax</th>
            <th scope="col">Pmax</th>
            <th scope="col">Peak queue</th>
            <th scope="col">Utilisation</th>
            <th scope="col">PFC pauses at</th>
            <th scope="col">Risk of PFC</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ speed, chip, answer, pool }) => (
            <tr key={speed}>
              <th scope="row">
                {speed} <small>{chip}</small>
              </th>
              <Cells answer={answer} pool={pool} />
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.text}>
        “PFC pauses at” is the threshold of one priority group that fills one queue, with all ports of the chip at this
        speed, {CABLE} cables and the vendor&apos;s headroom. Peak queues are those of the fluid model in equilibrium.
      </p>
      <ul className={classes.notes}>
        {[...new Set(rows.flatMap(({ answer }) => answer?.notes ?? []))].map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </>
  );
}

function Cells({ answer, pool }: Pick<Row, "answer" | "pool">) {
  if (answer === undefined) return <td colSpan={7}>computing</td>;
  const advice = answer.advice;
  if (!advice)
    return (
      <td colSpan={7} data-bad>
        no thresholds meet the targets: {answer.reason}
      </td>
    );
  const full =
    pool?.marking?.cases.find((one) => one.case === "asked" && one.mark > 1.5 * advice.kmin) ?? pool?.marking?.cases[0];
  return (
    <>
      <td>
        <span data-outside={advice.kmin < answer.valid_from}>{formatQuantity(advice.kmin, "B")}</span>{" "}
        <small>{significant(advice.kmin / (answer.question as EcnQuestion).mtu, 2)} packets</small>
      </td>
      <td>{formatQuantity(advice.kmax, "B")}</td>
      <td>{percent(advice.pmax)}</td>
      <td>{formatQuantity(advice.queue_max, "B")}</td>
      <td>{busyness(advice.utilisation)}</td>
      <td>{full === undefined ? "" : formatQuantity(full.threshold, "B")}</td>
      <td data-bad={full !== undefined && full.threshold < advice.queue_max}>
        {full === undefined ? "" : risk(advice, full.threshold)}
      </td>
    </>
  );
}

function risk({ kmax, queue_max: peak }: { kmax: number; queue_max: number }, threshold: number): string {
  if (threshold < peak) return "pauses in equilibrium";
  const room = `${formatQuantity(threshold - peak, "B")} above the peak`;
  return threshold < kmax ? `bursts only: ${room}, but below Kmax` : `low: ${room}`;
}

function Shipped({ values }: PartProps) {
  const { rows } = useSpeeds(values);
  return rows.map(({ speed, answer }) =>
    answer === undefined ? null : (
      <div key={speed}>
        <h3 className={classes.heading}>{speed}</h3>
        <Defaults
          points={[...(answer.advice ? [answer.advice] : []), ...answer.defaults]}
          question={answer.question as EcnQuestion}
          chosen=""
          onChoose={() => {}}
          validFrom={answer.valid_from}
        />
      </div>
    ),
  );
}

function Formulas({ values }: PartProps) {
  const { rows } = useSpeeds(values);
  const first = rows[0]?.answer;
  return first === undefined ? null : <Derivations explanations={first.explanations} />;
}

function Inputs({ values, change }: PartProps) {
  const { error } = useSpeeds(values);
  return (
    <DocumentInputs
      root={root}
      problems={error instanceof ApiProblem ? error.errors : []}
      change={change}
      groups={[
        {
          title: "Flows and memory",
          names: ["rtt", "flows", "buffer", "mtu", "utilisation", "phase_margin"],
          schema,
          path: "",
          value: nested(values),
        },
      ]}
    />
  );
}

export const ecnSpeeds: Kind = {
  slow: true,
  Answer: Speeds,
  title: "Three speeds side by side",
  Evidence: Table,
  Inputs,
  more: [
    { title: "Shipped thresholds, judged by the same rules", Part: Shipped },
    { title: "Formulas, at 100 Gb/s", Part: Formulas },
  ],
};
