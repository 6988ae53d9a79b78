import classes from "./answer.module.css";
import { titleOf, type MetricInfo } from "@/lib/metrics";
import { meets, type Objective } from "@/lib/objectives";
import { nearest, type Point } from "@/lib/points";
import { formatMetric, formatQuantity } from "@/lib/quantity";

type Props = { buffer: number; points: Point[]; engines: string[]; objectives: Objective[]; metrics: Record<string, MetricInfo> };

/** Whether the chosen size does it, by the most detailed engine that answers. */
export function Chosen({ buffer, points, engines, objectives, metrics }: Props) {
  const engine = engines.at(-1);
  const point = engine === undefined ? undefined : nearest(points, engine, buffer);
  if (engine === undefined || point === undefined) return null;
  const judged = objectives.flatMap((objective) => {
    const value = point.result.metrics[objective.metric];
    return value === undefined ? [] : [{ objective, value, good: meets(objective, value) }];
  });
  const good = judged.length > 0 && judged.every((one) => one.good);
  return (
    <section aria-label="The chosen buffer">
      <h3 className={classes.title}>The chosen {formatQuantity(buffer, "B")}</h3>
      <p className={classes.verdict}>
        <span className={classes.sign} data-good={good}>
          {good ? "Enough" : "Not enough"}
        </span>{" "}
        by {engine}:{" "}
        {judged.map(({ objective: { metric }, value, good: fine }, i) => (
          <span key={metric} className={classes.fact}>
            {i > 0 && ", "}
            {titleOf(metric).toLowerCase()} <b data-good={fine}>{formatMetric(metric, value, metrics[metric]?.unit ?? "1")}</b>
          </span>
        ))}
        .
      </p>
    </section>
  );
}
