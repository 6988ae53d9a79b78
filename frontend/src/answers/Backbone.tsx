import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import classes from "./answers.module.css";
import { needOf, objectivesOf, scenarioInputs, useScenario } from "@/answers/scenario";
import type { AnswerProps, Finding, Kind, PartProps } from "@/answers/types";
import { catalogQuery, estimatesQuery } from "@/api/queries";
import { wordsOf } from "@/api/problem";
import { sizeQuery, type SizeAnswer } from "@/api/size";
import { bracket } from "@/lib/answerWords";
import { showObjective } from "@/lib/fraction";
import { plain } from "@/lib/answerWords";
import { shortLabel } from "@/lib/labels";
import { roughly } from "@/lib/number";
import { smallest, type Objective } from "@/lib/objectives";
import { setPath, type JsonObject } from "@/lib/path";
import { series, type Point } from "@/lib/points";
import { formatQuantity } from "@/lib/quantity";
import { rulesOf } from "@/lib/rules";
import { solutionOf, type Solution } from "@/lib/solution";
import { BUFFER } from "@/lib/sweep";
import { usePacketStudy } from "@/state/usePacketStudy";
import { useSizeJob } from "@/state/useSizeJob";
import { CurvePlot } from "@/plot/CurvePlot";
import { RunButton } from "@/ui/RunButton";
import { useInvalidFields } from "@/form/invalid";
import { Derivations } from "@/ui/Derivations";

const NONE: Point[] = [];
const NO_UNITS = {};

/** The smallest buffer by closed form and by fluid, solved as on the command line. */
export function useSmallest(values: JsonObject, engines: readonly string[] = ["theory", "fluid"]) {
  const { scenario, error } = useScenario(values);
  const objectives = useMemo(() => objectivesOf(values), [values]);
  // The search replaces the chosen buffer, which must not make the question a new one.
  const base = useMemo(
    () => (scenario === undefined ? undefined : (setPath(scenario, BUFFER, "1 MB") as JsonObject)),
    [scenario],
  );
  const { data: catalog } = useQuery(catalogQuery);
  const theory = useQuery({
    ...sizeQuery(base, needOf(objectives), "theory"),
    enabled: base !== undefined && engines.includes("theory"),
  });
  const fluid = useQuery({
    ...sizeQuery(base, needOf(objectives), "fluid"),
    enabled: base !== undefined && engines.includes("fluid"),
  });
  const units = catalog?.metrics ?? NO_UNITS;
  const solve = ({ data, error: refused }: typeof theory): Solution =>
    data !== undefined
      ? solutionOf(data, objectives, units)
      : refused === null
        ? { state: "pending" }
        : { state: "unsolved", words: wordsOf(refused) };
  return {
    scenario: base,
    objectives,
    theory: solve(theory),
    fluid: solve(fluid),
    error: error ?? (theory.error !== null && fluid.error !== null ? fluid.error : null),
  };
}

export const targetWords = (objectives: Objective[]) =>
  objectives
    .map(
      ({ metric, op, value }) =>
        `${plain(metric)} ${op === ">=" ? "at least" : "at most"} ${showObjective(metric, value, "1")}`,
    )
    .join(" and ");

/** The size by packets leads, as on the buffer view, by the command line and by the API; the models stand beside it. */
function byPackets(
  objectives: Objective[],
  theory: Solution,
  fluid: Solution,
  packets: SizeAnswer | null | undefined,
): Finding | undefined {
  if (packets?.value === null || packets?.value === undefined) return undefined;
  const { value, interval } = packets;
  const range =
    interval === null
      ? ""
      : `, 95 % interval ${formatQuantity(interval[0], "B")} to ${formatQuantity(interval[1], "B")}`;
  return {
    value: formatQuantity(value, "B"),
    note: "by packets",
    before: `For ${targetWords(objectives)} you need about`,
    after: `by packets${range}. ${sizeWords(theory)} by the closed form, ${sizeWords(fluid)} by the fluid model.`,
  };
}

export function finding(objectives: Objective[], theory: Solution, fluid: Solution): Finding | undefined {
  if (theory.state === "pending" || fluid.state === "pending") return undefined;
  const solved = [theory, fluid].flatMap((one) => (one.state === "solved" ? [one.buffer] : []));
  const words = (one: Solution) =>
    one.state === "solved"
      ? formatQuantity(one.buffer, "B")
      : one.state === "infeasible"
        ? `no answer (${one.words.replace(/\.$/, "")})`
        : "no answer";
  const skipped = (one: Solution) => one.state === "solved" && one.skipped === true;
  const models = [skipped(theory) ? "the closed form" : "", skipped(fluid) ? "the fluid model" : ""].filter(Boolean);
  const unsure =
    models.length === 0 ? "" : ` Smaller sizes are outside the validity of ${models.join(" and ")} and may do as well.`;
  const each =
    `${words(theory)} by the closed form, ${words(fluid)} by the fluid model.${unsure} ` + "Run packets to decide.";
  if (solved.length === 0)
    return {
      value: "none",
      note: "meets the target",
      verdict: "bad",
      before: "Of all sizes,",
      after: `meets the target: ${each}`,
    };
  const { number, unit } = bracket(Math.min(...solved), Math.max(...solved));
  const [only] = solved;
  return {
    value:
      only !== undefined && number.split("–")[0] === number.split("–")[1]
        ? formatQuantity(only, "B")
        : `${number} ${unit}`,
    note: "closed form to fluid",
    before: `For ${targetWords(objectives)} you need${models.length === 0 ? "" : " at most"}`,
    after: `: ${each}`,
  };
}

function Smallest({ values, show: Show }: AnswerProps) {
  const { scenario, objectives, theory, fluid, error } = useSmallest(values);
  const search = useSizeJob(scenario, needOf(objectives), true);
  const solved = byPackets(objectives, theory, fluid, search.job?.result);
  // A question that is refused has no answer; that no size meets the target would be one.
  const found = error === null ? finding(objectives, theory, fluid) : undefined;
  return <Show found={solved ?? found} error={error} />;
}

/** Sizes from a quarter of the bracket to four times it, at which packets are run. */
function rangeOf(theory: Solution, fluid: Solution): string | undefined {
  const solved = [theory, fluid].flatMap((one) => (one.state === "solved" ? [one.buffer] : []));
  if (solved.length === 0) return undefined;
  const round = (value: number) => Math.round(Number(value.toPrecision(2)));
  return `${round(Math.min(...solved) / 2)}B:${round(4 * Math.max(...solved))}B:log7`;
}

function Evidence({ values }: PartProps) {
  const { scenario, objectives, theory, fluid } = useSmallest(values);
  const over = rangeOf(theory, fluid);
  const body = useMemo(
    () =>
      scenario === undefined || over === undefined
        ? undefined
        : { scenario, over: { [BUFFER]: over }, engines: ["packet"], replicas: 1 },
    [scenario, over],
  );
  const study = usePacketStudy(body, true);
  const search = useSizeJob(scenario, needOf(objectives), false);
  const solved = search.job?.result;
  const invalid = useInvalidFields().length > 0;
  const [low, high] = over?.split(":") ?? [];
  const ask = (engine: string, points: number) =>
    scenario === undefined || over === undefined
      ? undefined
      : { scenario, over: { [BUFFER]: `${low}:${high}:log${points}` }, engines: [engine] };
  const { data: closed, isLoading: first } = useQuery(estimatesQuery(ask("theory", 41)));
  const { data: curve, isLoading: second } = useQuery(estimatesQuery(ask("fluid", 13)));
  const waiting = first || second || theory.state === "pending" || fluid.state === "pending";
  const here = useQuery(estimatesQuery(scenario === undefined ? undefined : { scenario, engines: ["theory"] })).data;
  const { data: catalog } = useQuery(catalogQuery);
  const rules = rulesOf(
    (here?.points ?? NONE).map(({ result }) => result),
    catalog?.metrics ?? {},
  );
  const metric = objectives[0]?.metric ?? "utilisation";
  const points = [...(closed?.points ?? NONE), ...(curve?.points ?? NONE), ...study.points];
  const curves = [
    ["theory", "closed form"],
    ["fluid", "fluid model"],
    ["packet", "packets"],
  ]
    .map(([engine = "", name = ""]) => ({ engine, name, samples: series(points, engine, metric) }))
    .filter(({ samples }) => samples.length > 0);
  const packets = study.points.length > 0 && study.done ? smallest(study.points, "packet", objectives) : undefined;
  return (
    <div className={classes.two}>
      <CurvePlot
        summary={
          `${metric === "utilisation" ? "Utilisation" : plain(metric)} against buffer size by closed ` +
          `form, fluid model and, once simulated, packets.`
        }
        x={{ title: "Buffer", unit: "B", log: true }}
        y={{
          title: metric === "utilisation" ? "Utilisation" : plain(metric),
          unit: catalog?.metrics[metric]?.unit ?? "1",
          share: metric === "utilisation" || metric === "drop_rate",
          log: metric !== "utilisation",
        }}
        curves={curves}
        waiting={waiting}
        marks={rules
          .filter(({ explanation }) => explanation.name.startsWith("bdp"))
          .map(({ explanation: { name, title, value } }) => ({ label: shortLabel(name, title), x: value }))}
      />
      <div>
        <table className={classes.table}>
          <caption className="visually-hidden">Smallest buffer by each model, and the rules of thumb</caption>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Smallest buffer</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Closed form</th>
              <td>{sizeWords(theory)}</td>
            </tr>
            <tr>
              <th scope="row">Fluid model</th>
              <td>{sizeWords(fluid)}</td>
            </tr>
            <tr>
              <th scope="row">Packet simulation</th>
              <td>
                {solved?.value !== undefined && solved.value !== null ? (
                  solvedWords(solved.value, solved.interval)
                ) : packets !== undefined ? (
                  packetWords(packets)
                ) : study.running ? (
                  `simulating, ${study.points.length} of 7 sizes`
                ) : (
                  <RunButton
                    onRun={() => {
                      study.start();
                      search.start();
                    }}
                    disabled={body === undefined || invalid}
                  >
                    Run{study.seconds === undefined ? "" : ` (${roughly(study.seconds + (search.cost ?? 0))})`}
                  </RunButton>
                )}
              </td>
            </tr>
            {rules.map(({ explanation: { name, title, value, valid } }) => (
              <tr key={name}>
                <th scope="row">
                  {title} {!valid && <small>does not hold here</small>}
                </th>
                <td>{formatQuantity(value, "B")}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {study.error !== undefined && (
          <p className={classes.text} role="alert">
            The packet simulation did not run: {wordsOf(study.error)}
          </p>
        )}
      </div>
    </div>
  );
}

export const sizeWords = (one: Solution) =>
  one.state === "solved"
    ? formatQuantity(one.buffer, "B")
    : one.state === "pending"
      ? "computing"
      : one.state === "infeasible"
        ? one.words
        : `no answer: ${one.words}`;

/** "835 kB (820 to 850 kB)". */
const solvedWords = (value: number, interval: [number, number] | null) =>
  formatQuantity(value, "B") +
  (interval === null ? "" : ` (${formatQuantity(interval[0], "B")} to ${formatQuantity(interval[1], "B")})`);

function packetWords({ buffer, below }: ReturnType<typeof smallest>): string {
  if (buffer === undefined) return "more than any size simulated";
  if (below === undefined) return `at most ${formatQuantity(buffer, "B")}`;
  const { number, unit } = bracket(below, buffer);
  return `${number} ${unit}`;
}

function Formulas({ values }: PartProps) {
  const { scenario } = useScenario(values);
  const here = useQuery(estimatesQuery(scenario === undefined ? undefined : { scenario, engines: ["theory"] })).data;
  return <Derivations explanations={here?.points[0]?.result.explanations ?? []} />;
}

export const inputs = scenarioInputs({
  targets: true,
  parts: [
    { title: "Link", path: "topology", axis: "topology", names: ["bottleneck", "rtt"] },
    { title: "Flows", path: "traffic.0", axis: "traffic", names: ["flows"] },
  ],
});

export const backbone: Kind = {
  slow: true,
  Answer: Smallest,
  useStale: (values) => {
    const { scenario, theory, fluid } = useSmallest(values);
    const here = useQuery(estimatesQuery(scenario === undefined ? undefined : { scenario, engines: ["theory"] }));
    return theory.state === "pending" || fluid.state === "pending" || here.isPlaceholderData;
  },
  title: "Utilisation against buffer size",
  Evidence,
  Inputs: inputs,
  more: [{ title: "Formulas and rules of thumb", Part: Formulas }],
};
