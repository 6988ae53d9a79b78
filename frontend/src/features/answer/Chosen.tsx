import classes from "./answer.module.css";
import { titleOf, type MetricInfo } from "@/lib/metrics";
import { meets, outsideOf, type Objective } from "@/lib/objectives";
import type { Result } from "@/lib/points";
import { plainSentence } from "@/lib/problems";
import { formatMetric, formatQuantity } from "@/lib/quantity";
import { saying } from "@/lib/saying";
import { EngineMark } from "@/plot/EngineMark";

type Props = {
  buffer: number;
  /** The size that was simulated about there, B. */
  simulated: number | undefined;
  results: Result[];
  /** Engines whose result is still that of an earlier question. */
  late: string[];
  objectives: Objective[];
  metrics: Record<string, MetricInfo>;
};

/** Whether the chosen size meets the targets, by each engine that answers there. */
export function Chosen({ buffer, simulated, results, late, objectives, metrics }: Props) {
  const judged = objectives.filter(({ metric }) => results.some(({ metrics: own }) => own[metric] !== undefined));
  if (judged.length === 0) return null;
  const outside = results.flatMap((result) =>
    judged.flatMap((objective) => {
      const reason = outsideOf(result, objective);
      return reason === undefined ? [] : [{ engine: result.engine, metric: objective.metric, reason }];
    }),
  );
  return (
    <section aria-label="Chosen buffer">
      <h2 className={classes.title}>Chosen buffer: {formatQuantity(buffer, "B")}</h2>
      <table className={classes.verdicts}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Engine</span>
            </th>
            {judged.map(({ metric }) => (
              <th key={metric} scope="col">
                {titleOf(metric).split(",")[0]}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Verdict</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {results.map((result) => (
            <Verdict
              key={result.engine}
              result={result}
              late={late.includes(result.engine)}
              buffer={buffer}
              simulated={result.engine === "packet" ? simulated : undefined}
              objectives={judged}
              metrics={metrics}
            />
          ))}
        </tbody>
      </table>
      {outside.map(({ engine, metric, reason }) => (
        <p key={engine + metric} className={classes.why}>
          <b>{engine}</b> {titleOf(metric).toLowerCase()} is outside validity: {plainSentence(reason)}
        </p>
      ))}
    </section>
  );
}

/** The simulated size as it is written, where that is not how the chosen one is written. */
function elsewhere(simulated: number | undefined, buffer: number): string | undefined {
  const written = simulated === undefined ? undefined : formatQuantity(simulated, "B");
  return written === formatQuantity(buffer, "B") ? undefined : written;
}

type VerdictProps = { result: Result; late: boolean } & Pick<Props, "buffer" | "simulated" | "objectives" | "metrics">;

function Verdict({ result, late, buffer, simulated, objectives, metrics }: VerdictProps) {
  const size = elsewhere(simulated, buffer);
  const values = objectives.map((objective) => {
    const value = result.metrics[objective.metric];
    return {
      metric: objective.metric,
      value,
      most: result.intervals[objective.metric]?.[1],
      good: value === undefined || meets(objective, value),
      outside: outsideOf(result, objective) !== undefined,
    };
  });
  const outside = values.some((one) => one.outside);
  const good = values.every((one) => one.good);
  const silent = values.every(({ value }) => value === undefined);
  return (
    <tr data-stale={late}>
      <th scope="row">
        <span className={classes.engine}>
          <EngineMark engine={result.engine} />
          {result.engine}
        </span>
        {size !== undefined && <small> at {size}</small>}
      </th>
      {values.map(({ metric, value, most, good: fine, outside: faded }) => (
        <td
          key={metric}
          data-good={faded ? undefined : fine}
          data-outside={faded}
          {...(late ? {} : saying(result.engine, metric, simulated ?? buffer))}
        >
          {value === undefined ? "–" : formatMetric(metric, value, metrics[metric]?.unit ?? "1", most)}
        </td>
      ))}
      <td className={classes.sign} data-good={silent || outside ? undefined : good}>
        {silent ? "no answer" : outside ? "outside validity" : good ? "enough" : "too small"}
      </td>
    </tr>
  );
}
