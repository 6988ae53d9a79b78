import { useMemo } from "react";

import classes from "./answer.module.css";
import { Chosen } from "./Chosen";
import { EngineAnswer } from "./EngineAnswer";
import { ExpectedErrors } from "./ExpectedErrors";
import { Notes } from "./Notes";
import { Objectives } from "./Objectives";
import { PacketVerdict } from "./PacketVerdict";
import { Rules } from "./Rules";
import type { Unsupported } from "@/api/queries";
import { bracket, plain } from "@/lib/answerWords";
import { listed } from "@/lib/controls";
import { useInvalidFields } from "@/form/invalid";
import { judgedBy, type MetricInfo } from "@/lib/metrics";
import { roughly } from "@/lib/number";
import { smallest, type Objective } from "@/lib/objectives";
import { bufferOf, buffersOf, enginesOf, fadedStretches, nearest, type Point, type Result } from "@/lib/points";
import { plainMessage, plainSentence } from "@/lib/problems";
import { formatQuantity } from "@/lib/quantity";
import type { Rule } from "@/lib/rules";
import type { Solution } from "@/lib/solution";
import type { SizeSearch } from "@/state/useSizeJob";

type Props = {
  points: Point[];
  /** Every engine that answers at once, at the chosen buffer. */
  here: Result[];
  engines: string[];
  objectives: Objective[];
  metrics: Record<string, MetricInfo>;
  rules: Rule[];
  /** Ratio of the buffer to the part that the congested queue may hold. */
  whole?: number;
  /** A packet study is under way. */
  running: boolean;
  unsupported: Unsupported[];
  buffer: number | undefined;
  /** A metric that may be given an objective besides the standing ones. */
  third: string;
  onObjectives: (objectives: Objective[]) => void;
  onExplain: (name: string) => void;
  onChoose: (buffer: number) => void;
  onRun: () => void;
  /** The smallest buffer as solved by the engines that answer at once. */
  solutions: Record<string, Solution>;
  /** The command that solves for the smallest buffer by packets. */
  command?: ((between: [number, number]) => string) | undefined;
  /** What a packet study is expected to take [s]. */
  cost?: number | undefined;
  /** The search for the smallest buffer by packets; undefined where there is none. */
  search?: SizeSearch | undefined;
  /** Some numbers still belong to an earlier scenario. */
  late?: boolean;
  /** Engines whose number at the chosen size is still that of an earlier question. */
  lateHere?: string[];
};

const NONE: string[] = [];

/** The answer in words: the targets, the smallest buffer that meets them, and what the rules of thumb say. */
export function AnswerPanel(props: Props) {
  const {
    points,
    here,
    engines,
    objectives,
    metrics,
    rules,
    whole = 1,
    running,
    unsupported,
    buffer,
    third,
    onObjectives,
    onExplain,
    onChoose,
    onRun,
    solutions,
    command,
    cost,
    search,
    late = false,
    lateHere = NONE,
  } = props;
  const invalid = useInvalidFields().length > 0;
  const answering = useMemo(() => enginesOf(points).filter((engine) => engines.includes(engine)), [points, engines]);
  const answers = useMemo(
    () => answering.map((engine) => smallest(points, engine, objectives)),
    [points, answering, objectives],
  );
  const faded = useMemo(
    () =>
      answers.flatMap(({ engine, passedOver }) =>
        passedOver === undefined ? fadedStretches(points, engine, told(objectives, third)) : [],
      ),
    [answers, points, objectives, third],
  );
  const most = useMemo(() => Math.max(0, ...buffersOf(points)), [points]);
  const reference = answers
    .map(({ engine, buffer: swept }) => {
      const solved = solutions[engine];
      return { engine, buffer: solved?.state === "solved" ? solved.buffer : swept };
    })
    .findLast(({ buffer: found }) => found !== undefined);
  const solved = search?.job?.result?.value;
  const beside = typeof solved === "number" ? { engine: "packet", buffer: solved } : reference;
  // Packet runs exist only at the swept sizes: one close to the chosen size is used for it.
  const packet = buffer === undefined ? undefined : nearest(points, "packet", buffer);
  const close =
    packet !== undefined && buffer !== undefined && Math.abs(Math.log((bufferOf(packet) ?? 0) / buffer)) < 0.05;
  const local = [...here, ...(close ? [packet.result] : [])].filter(({ engine }) => engines.includes(engine));
  const simulated = close ? bufferOf(packet) : undefined;
  const silent = unsupported.filter(
    ({ engine }, i) => engines.includes(engine) && unsupported.findIndex((other) => other.engine === engine) === i,
  );
  return (
    <div className={classes.panel}>
      <Objectives objectives={objectives} metrics={metrics} third={third} onChange={onObjectives} />
      <section
        aria-label="Smallest buffer"
        aria-live="polite"
        aria-busy={late || Object.values(solutions).some(({ state }) => state === "pending")}
        data-stale={late}
        className={classes.results}
      >
        <h2 className={classes.title}>Smallest buffer that meets the targets</h2>
        {search !== undefined && (
          <PacketVerdict
            search={search}
            objectives={objectives}
            units={metrics}
            buffer={buffer}
            solutions={solutions}
            points={points}
            onChoose={onChoose}
          />
        )}
        {answers
          .filter(({ engine }) => engine !== "packet" || search === undefined)
          .map((answer) => (
            <EngineAnswer
              key={answer.engine}
              answer={answer}
              solution={solutions[answer.engine]}
              most={most}
              objectives={objectives}
              units={metrics}
              running={running && answer.engine === "packet"}
              command={answer.engine === "packet" ? command : undefined}
              onChoose={onChoose}
            />
          ))}
        {faded.map(({ engine, metrics: concerned, upTo, from, reason }) => (
          <p key={`faded ${engine} ${concerned.join(" ")}`} className={classes.silent}>
            <b>{engine}</b> {listed(concerned.map(plain))} {concerned.length > 1 ? "are" : "is"} outside validity, and
            faded, at {sizesWords(from, upTo)}: {plainSentence(reason)}
          </p>
        ))}
        {silent.map(({ engine, message }) => {
          const refused = unsupported.filter((other) => other.engine === engine).length;
          return (
            <p key={engine} className={classes.silent}>
              <b>{engine}</b> does not support{" "}
              {answering.includes(engine) ? `${refused} of the sizes` : "this scenario"}: {refusal(engine, message)}
            </p>
          );
        })}
        {search === undefined &&
          engines.includes("packet") &&
          !running &&
          !answering.includes("packet") &&
          !silent.some(({ engine }) => engine === "packet") && (
            <p className={classes.silent}>
              <b>packet</b> Not simulated yet.{" "}
              <button type="button" className={classes.link} onClick={onRun} disabled={invalid}>
                Run{cost !== undefined && ` (${roughly(cost)})`}
              </button>
            </p>
          )}
      </section>
      {buffer !== undefined && (
        <Chosen
          buffer={buffer}
          simulated={simulated}
          results={local}
          late={lateHere}
          objectives={objectives}
          metrics={metrics}
        />
      )}
      <Rules rules={rules} reference={beside} whole={whole} onExplain={onExplain} onChoose={onChoose} />
      <ExpectedErrors results={local} />
      <Notes results={local} />
    </div>
  );
}

/** Why an engine cannot answer, without its own name and the field's path; which engines can stands beside it. */
function refusal(engine: string, message: string): string {
  const said = message
    .replace(/^[\w.]+: /, "")
    .replace(/\.?\s*Engines that can answer:.*$/s, "")
    .replace(`the ${engine} engine`, "it");
  return plainMessage(said).replace(/\.?$/, ".");
}

/** What the plots show and the targets ask for; one more transfer has bounds of its own, which its plot shows. */
function told(objectives: readonly Objective[], third: string): string[] {
  const asked = objectives.map(({ metric }) => metric);
  return ["drop_rate", "utilisation", judgedBy(third), ...asked].filter((metric) => !metric.startsWith("transfer"));
}

/** "25.0 kB", or "25.0–63.0 kB". */
function sizesWords(from: number, upTo: number): string {
  if (formatQuantity(from, "B") === formatQuantity(upTo, "B")) return formatQuantity(from, "B");
  const { number, unit } = bracket(from, upTo);
  return `${number}\u00a0${unit}`;
}
