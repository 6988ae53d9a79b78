import { useMemo } from "react";

import classes from "./answer.module.css";
import { Chosen } from "./Chosen";
import { EngineAnswer } from "./EngineAnswer";
import { Notes } from "./Notes";
import { Objectives } from "./Objectives";
import { Rules } from "./Rules";
import type { Unsupported } from "@/api/queries";
import type { MetricInfo } from "@/lib/metrics";
import { smallest, type Objective } from "@/lib/objectives";
import { enginesOf, nearest, type Point, type Result } from "@/lib/points";
import type { Rule } from "@/lib/rules";

type Props = {
  points: Point[];
  /** Every engine that answers at once, at the chosen buffer. */
  here: Result[];
  engines: string[];
  objectives: Objective[];
  metrics: Record<string, MetricInfo>;
  rules: Rule[];
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
};

/** The answer in words: what is asked of the buffer, the smallest that does it, and what the rules of thumb say. */
export function AnswerPanel(props: Props) {
  const { points, here, engines, objectives, metrics, rules, running, unsupported, buffer, third, onObjectives, onExplain, onChoose, onRun } = props;
  const answering = useMemo(() => enginesOf(points).filter((engine) => engines.includes(engine)), [points, engines]);
  const answers = useMemo(() => answering.map((engine) => smallest(points, engine, objectives)), [points, answering, objectives]);
  // Packet runs exist only at the swept sizes: one about as large as the chosen speaks for it.
  const packet = buffer === undefined ? undefined : nearest(points, "packet", buffer);
  const close = packet !== undefined && buffer !== undefined && Math.abs(Math.log((packet.at["switch.buffer"] ?? 0) / buffer)) < 0.05;
  const local = [...here, ...(close ? [packet.result] : [])].filter(({ engine }) => engines.includes(engine));
  const silent = unsupported.filter(({ engine }, i) => engines.includes(engine) && unsupported.findIndex((other) => other.engine === engine) === i);
  return (
    <div className={classes.panel}>
      <Objectives objectives={objectives} metrics={metrics} third={third} onChange={onObjectives} />
      <section aria-label="Smallest buffer" aria-live="polite">
        <h2 className={classes.title}>Smallest buffer that does it</h2>
        {answers.map((answer) => (
          <EngineAnswer key={answer.engine} answer={answer} running={running && answer.engine === "packet"} onChoose={onChoose} />
        ))}
        {silent.map(({ engine, message }) => {
          const refused = unsupported.filter((other) => other.engine === engine).length;
          return (
            <p key={engine} className={classes.silent}>
              <b>{engine}</b> cannot answer{answering.includes(engine) && ` ${refused} of the buffer sizes`}: {message}
            </p>
          );
        })}
        {engines.includes("packet") && !running && !answering.includes("packet") && !silent.some(({ engine }) => engine === "packet") && (
          <p className={classes.silent}>
            <b>packet</b> has not been asked.{" "}
            <button type="button" className={classes.link} onClick={onRun}>
              Run it
            </button>
          </p>
        )}
      </section>
      {buffer !== undefined && <Chosen buffer={buffer} results={local} objectives={objectives} metrics={metrics} />}
      <Rules rules={rules} reference={answers.findLast(({ buffer: found }) => found !== undefined)} onExplain={onExplain} onChoose={onChoose} />
      <Notes results={local} />
    </div>
  );
}
