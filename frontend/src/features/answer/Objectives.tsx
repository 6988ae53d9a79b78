import { useId } from "react";

import classes from "./answer.module.css";
import { capital, plain } from "@/lib/answerWords";
import { useTyped } from "@/form/useTyped";
import { readObjective, showObjective, wantedObjective } from "@/lib/fraction";
import { judgedBy, titleOf, type MetricInfo } from "@/lib/metrics";
import type { Objective } from "@/lib/objectives";

type Props = {
  objectives: Objective[];
  metrics: Record<string, MetricInfo>;
  third: string;
  onChange: (objectives: Objective[]) => void;
};

/** The targets; every one can be edited, further ones added for what the third plot shows. */
export function Objectives({ objectives, metrics, third, onChange }: Props) {
  const extra = judgedBy(third);
  const addable = metrics[extra] !== undefined && !objectives.some(({ metric }) => metric === extra);
  return (
    <section aria-label="Targets">
      <h2 className={classes.title}>Targets</h2>
      {objectives.map((objective, i) => (
        <Bound
          key={objective.metric}
          objective={objective}
          unit={metrics[objective.metric]?.unit ?? "1"}
          onChange={(value) => {
            onChange(objectives.map((other, j) => (i === j ? { ...objective, value } : other)));
          }}
          onRemove={() => {
            onChange(objectives.filter((_, j) => i !== j));
          }}
        />
      ))}
      {addable && (
        <button
          type="button"
          className={classes.link}
          onClick={() => {
            onChange([...objectives, { metric: extra, op: "<=", value: start(metrics[extra]?.unit ?? "1") }]);
          }}
        >
          + Limit {plain(extra)}
        </button>
      )}
    </section>
  );
}

/** A round number to begin with; the person is about to change it. */
const start = (unit: string) => (unit === "s" ? 0.05 : unit === "B" ? 1e6 : 1);

type BoundProps = { objective: Objective; unit: string; onChange: (value: number) => void; onRemove: () => void };

function Bound({ objective: { metric, op, value }, unit, onChange, onRemove }: BoundProps) {
  const { input, error } = useTyped({
    label: `Target for ${plain(metric)}`,
    shown: showObjective(metric, value, unit),
    eager: true,
    onChange,
    read: (text) => {
      const read = readObjective(metric, text, unit);
      return read === undefined ? { error: wantedObjective(metric, unit) } : { value: read };
    },
  });
  const said = useId();
  return (
    <div className={classes.bound}>
      <label htmlFor={`need-${metric}`}>{titleOf(metric)}</label>
      <span aria-hidden="true">{op === ">=" ? "≥" : "≤"}</span>
      <input
        id={`need-${metric}`}
        className={classes.input}
        aria-describedby={error === undefined ? undefined : said}
        {...input}
      />
      <button
        type="button"
        className={classes.remove}
        aria-label={`Remove the target for ${plain(metric)}`}
        onClick={onRemove}
      >
        ×
      </button>
      {error !== undefined && (
        <p id={said} className={classes.wrong}>
          {capital(error)}.
        </p>
      )}
    </div>
  );
}
