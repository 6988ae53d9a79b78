import classes from "./answer.module.css";
import { titleOf, type MetricInfo } from "@/lib/metrics";
import { meets, type Objective } from "@/lib/objectives";
import type { Result } from "@/lib/points";
import { formatMetric, formatQuantity } from "@/lib/quantity";

type Props = { buffer: number; results: Result[]; objectives: Objective[]; metrics: Record<string, MetricInfo> };

/** Whether the chosen size does it, by each engine that answers there. */
export function Chosen({ buffer, results, objectives, metrics }: Props) {
  if (results.length === 0) return null;
  return (
    <section aria-label="The chosen buffer">
      <h3 className={classes.title}>The chosen {formatQuantity(buffer, "B")}</h3>
      {results.map((result) => (
        <Verdict key={result.engine} result={result} objectives={objectives} metrics={metrics} />
      ))}
    </section>
  );
}

function Verdict({ result, objectives, metrics }: { result: Result } & Pick<Props, "objectives" | "metrics">) {
  const judged = objectives.flatMap((objective) => {
    const value = result.metrics[objective.metric];
    return value === undefined ? [] : [{ objective, value, good: meets(objective, value) }];
  });
  const good = judged.length > 0 && judged.every((one) => one.good);
  return (
    <p className={classes.verdict}>
      <b>{result.engine}</b>{" "}
      <span className={classes.sign} data-good={good}>
        {judged.length === 0 ? "says nothing about these" : good ? "enough" : "not enough"}
      </span>
      {judged.map(({ objective: { metric }, value }, i) => (
        <span key={metric} className={classes.fact}>
          {i === 0 ? ": " : ", "}
          {titleOf(metric).toLowerCase()} <b>{formatMetric(metric, value, metrics[metric]?.unit ?? "1")}</b>
        </span>
      ))}
    </p>
  );
}
