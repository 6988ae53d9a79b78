import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import classes from "./answers.module.css";
import { inputs, sizeWords, targetWords } from "@/answers/Backbone";
import { needOf, objectivesOf, useScenario } from "@/answers/scenario";
import type { AnswerProps, Finding, Kind, PartProps } from "@/answers/types";
import { catalogQuery, estimatesQuery } from "@/api/queries";
import { sizeQuery } from "@/api/size";
import { readDerived } from "@/lib/derived";
import { significant } from "@/lib/number";
import { setPath, type JsonObject } from "@/lib/path";
import { formatQuantity } from "@/lib/quantity";
import { solutionOf, type Solution } from "@/lib/solution";
import { BUFFER } from "@/lib/sweep";

/** Controls of the Internet and the data centre that size this link; those that need hardware of their own are left out. */
const CONTROLS = [
  { kind: "newreno", title: "NewReno" },
  { kind: "cubic", title: "CUBIC" },
  { kind: "bbr", title: "BBR" },
  { kind: "dctcp", title: "DCTCP" },
] as const;
const [RENO, CUBIC] = ["newreno", "cubic"];
const NO_UNITS = {};

type Row = { kind: string; title: string; note: string; theory: Solution; fluid: Solution };

function useControls(values: JsonObject) {
  // The question's own control is one of those compared.
  const own = useMemo(
    () => Object.fromEntries(Object.entries(values).filter(([path]) => !path.startsWith("traffic.0.congestion"))),
    [values],
  );
  const { scenario, error } = useScenario(own);
  const objectives = useMemo(() => objectivesOf(values), [values]);
  const { data: catalog } = useQuery(catalogQuery);
  const reno = useMemo(() => (scenario === undefined ? undefined : withControl(scenario, RENO, undefined)), [scenario]);
  const { data: here } = useQuery(
    estimatesQuery(reno === undefined ? undefined : { scenario: reno, engines: ["theory"] }),
  );
  const { bdp } = readDerived(here?.derived);
  const asked = CONTROLS.flatMap(({ kind }) =>
    (kind === "dctcp" ? ["fluid"] : ["theory", "fluid"]).map((engine) => ({
      kind,
      engine,
      scenario: scenario === undefined || bdp === undefined ? undefined : withControl(scenario, kind, bdp),
    })),
  );
  const found = useQueries({
    queries: asked.map(({ engine, scenario: base }) => sizeQuery(base, needOf(objectives), engine)),
  });
  const solve = (kind: string, engine: string): Solution => {
    const index = asked.findIndex((ask) => ask.kind === kind && ask.engine === engine);
    // No closed form is known for DCTCP.
    if (index < 0) return { state: "unsolved" };
    const one = found[index];
    if (one?.data !== undefined) return solutionOf(one.data, objectives, catalog?.metrics ?? NO_UNITS);
    return one?.error ? { state: "unsolved" } : { state: "pending" };
  };
  const rows = CONTROLS.map(({ kind, title }): Row => ({
    kind,
    title,
    note: noteOf(kind, bdp),
    theory: solve(kind, "theory"),
    fluid: solve(kind, "fluid"),
  }));
  return { rows, objectives, error };
}

/** DCTCP is what it is only with marks: at C·RTT/7, the least that its authors advise. */
const markAt = (bdp: number) => Math.round(bdp / 7);

function withControl(scenario: JsonObject, kind: string | undefined, bdp: number | undefined): JsonObject {
  const small = setPath(setPath(scenario, "traffic.0.congestion", { kind: kind ?? "" }), BUFFER, "1 MB") as JsonObject;
  return kind === "dctcp" && bdp !== undefined
    ? (setPath(small, "switch.marking", { kind: "step", threshold: markAt(bdp) }) as JsonObject)
    : small;
}

function noteOf(kind: string, bdp: number | undefined): string {
  if (kind === "dctcp") return bdp === undefined ? "" : `marks at C·RTT/7 = ${formatQuantity(markAt(bdp), "B")}`;
  if (kind === "bbr") return "paces at the rate it measures; does not wait for a loss";
  return kind === "cubic" ? "cuts to 0.7 of the window, not to half" : "the control that sizing rules were made for";
}

function ratio(one: Row, reno: Row | undefined): number | undefined {
  return one.fluid.state === "solved" && !least(one.fluid) && reno?.fluid.state === "solved"
    ? reno.fluid.buffer / one.fluid.buffer
    : undefined;
}

/** One packet, the smallest size that the search tries: the model asks for no buffer at all. */
const least = (one: Solution) => one.state === "solved" && one.missed >= one.buffer;
const fluidWords = (one: Solution) => (least(one) ? "one packet" : sizeWords(one));

const times = (value: number) => (value >= 1 ? `${significant(value, 2)}× less` : `${significant(1 / value, 2)}× more`);

function finding(rows: Row[], objectives: ReturnType<typeof objectivesOf>): Finding | undefined {
  if (rows.some(({ theory, fluid }) => theory.state === "pending" || fluid.state === "pending")) return undefined;
  const [reno, cubic] = [RENO, CUBIC].map((kind) => rows.find((one) => one.kind === kind));
  const less = cubic === undefined ? undefined : ratio(cubic, reno);
  const sizes = rows
    .filter(({ fluid }) => fluid.state === "solved")
    .map((one) => `${one.title} ${fluidWords(one.fluid)}`)
    .join(", ");
  if (less === undefined)
    return {
      value: `${rows.filter(({ fluid }) => fluid.state === "solved").length} of ${rows.length}`,
      note: "controls have an answer",
      before: "By the fluid model",
      after: `controls have an answer: ${sizes}.`,
    };
  return {
    value: times(less),
    note: "buffer for CUBIC than for NewReno",
    before: "Yes: CUBIC needs",
    after: `buffer than NewReno for ${targetWords(objectives)}. By the fluid model: ${sizes}.`,
  };
}

function Answer({ values, show: Show }: AnswerProps) {
  const { rows, objectives, error } = useControls(values);
  return <Show found={finding(rows, objectives)} error={error} />;
}

function Table({ values }: PartProps) {
  const { rows } = useControls(values);
  const reno = rows.find(({ kind }) => kind === RENO);
  const most = Math.max(
    1,
    ...rows.flatMap(({ theory, fluid }) =>
      [theory, fluid].flatMap((one) => (one.state === "solved" ? [one.buffer] : [])),
    ),
  );
  return (
    <>
      <table className={classes.table}>
        <caption className="visually-hidden">Smallest buffer by congestion control</caption>
        <thead>
          <tr>
            <th scope="col">Congestion control</th>
            <th scope="col">Closed form</th>
            <th scope="col">Fluid model</th>
            <th scope="col">Than NewReno</th>
            <th scope="col" style={{ width: "22%", textAlign: "left" }}>
              Fluid model
            </th>
            <th scope="col" style={{ textAlign: "left" }}>
              How it differs
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => {
            const less = ratio(one, reno);
            return (
              <tr key={one.kind}>
                <th scope="row">{one.title}</th>
                <td>{one.theory.state === "unsolved" ? "no closed form" : sizeWords(one.theory)}</td>
                <td>{fluidWords(one.fluid)}</td>
                <td>{less === undefined || one.kind === RENO ? "" : times(less)}</td>
                <td aria-hidden="true">
                  {one.fluid.state === "solved" && (
                    <span className={classes.bar} style={{ width: `${(100 * one.fluid.buffer) / most}%` }} />
                  )}
                </td>
                <td className={classes.words}>{one.note}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={classes.text}>
        The same link, flows and target for all; only the control differs. One packet is the smallest size tried: the
        fluid model has no bursts, which take room of their own.
      </p>
    </>
  );
}

export const controls: Kind = {
  slow: true,
  Answer,
  title: "Smallest buffer by congestion control",
  Evidence: Table,
  Inputs: inputs,
};
