import classes from "./answer.module.css";
import { titleOf } from "@/lib/metrics";
import type { Answer } from "@/lib/objectives";
import { formatQuantity, splitQuantity } from "@/lib/quantity";
import { EngineMark } from "@/plot/EngineMark";

type Props = {
  answer: Answer;
  /** More points are on their way. */
  running: boolean;
  onChoose: (buffer: number) => void;
};

/** One engine's smallest buffer, and what stands in the way of a smaller one. */
export function EngineAnswer({ answer, running, onChoose }: Props) {
  const { engine, buffer } = answer;
  const parts = buffer === undefined ? undefined : splitQuantity(buffer, "B");
  return (
    <div className={classes.answer}>
      <span className={classes.engine}>
        <EngineMark engine={engine} />
        {engine}
      </span>
      {parts === undefined || buffer === undefined ? (
        <span className={classes.none}>{running ? "none so far" : "none swept"}</span>
      ) : (
        <button
          type="button"
          className={classes.size}
          title="Choose this size"
          onClick={() => {
            onChoose(buffer);
          }}
        >
          {parts.number} <small>{parts.unit}</small>
        </button>
      )}
      <p className={classes.why}>{running ? "Still running." : why(answer)}</p>
    </div>
  );
}

function why({ buffer, below, binding, unanswered, certain, reopens, passedOver }: Answer): string {
  const names = binding.map(({ metric }) => titleOf(metric).toLowerCase()).join(" and ");
  const faults = binding.map(({ metric, op }) => `the ${titleOf(metric).toLowerCase()} is too ${op === ">=" ? "low" : "high"}`).join(" and ");
  const parts: string[] = [];
  if (buffer === undefined) parts.push(names === "" ? "Says nothing about these." : `Nowhere in the sweep is ${names} within bounds.`);
  else if (below === undefined) parts.push("The smallest size swept; smaller ones may do.");
  else parts.push(`At ${formatQuantity(below, "B")} ${faults}.`);
  if (passedOver !== undefined) parts.push(`Sizes up to ${formatQuantity(passedOver.upTo, "B")} were passed over, outside validity: ${sentence(passedOver.reason)}`);
  if (reopens) parts.push("Some larger sizes fail again.");
  if (!certain) parts.push("The 95 % interval crosses a bound: more replicas would tell.");
  if (unanswered.length > 0 && buffer !== undefined) parts.push(`Leaves open: ${unanswered.map((metric) => titleOf(metric).toLowerCase()).join(", ")}.`);
  return parts.join(" ");
}

const sentence = (reason: string) => (reason.endsWith(".") ? reason : `${reason}.`);
