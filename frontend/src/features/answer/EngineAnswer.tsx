import classes from "./answer.module.css";
import { bracket, neverMet, neverTogether, reservations, tooSmall, type Units } from "@/lib/answerWords";
import type { Answer, Objective } from "@/lib/objectives";
import { formatQuantity, splitQuantity } from "@/lib/quantity";
import type { Solution } from "@/lib/solution";
import { EngineMark } from "@/plot/EngineMark";

type Props = {
  /** The answer among the swept sizes. */
  answer: Answer;
  /** The solved answer of an engine that answers at once. */
  solution: Solution | undefined;
  /** The greatest size swept, B. */
  most: number;
  objectives: Objective[];
  units: Units;
  /** More points are on their way. */
  running: boolean;
  /** Solves for the size that the swept ones only bracket. */
  command: ((between: [number, number]) => string) | undefined;
  onChoose: (buffer: number) => void;
};

type Shown = { number: string; unit: string; about: boolean; buffer: number };

/** One engine's smallest buffer, and what a smaller one would miss. */
export function EngineAnswer({ answer, solution, most, objectives, units, running, command, onChoose }: Props) {
  const shown = size(answer, solution);
  const { buffer, below } = answer;
  const solving = running || buffer === undefined || below === undefined ? undefined : command?.([below, buffer]);
  return (
    <div className={classes.answer}>
      <span className={classes.engine}>
        <EngineMark engine={answer.engine} />
        {answer.engine}
      </span>
      {shown === undefined ? (
        <span className={classes.none}>{running ? "No size so far" : "No size in this range"}</span>
      ) : (
        <button
          type="button"
          className={classes.size}
          title={`Choose ${formatQuantity(shown.buffer, "B")}`}
          onClick={() => {
            onChoose(shown.buffer);
          }}
        >
          {shown.about && <small>about </small>}
          {shown.number} <small>{shown.unit}</small>
        </button>
      )}
      <p className={classes.why}>{running ? "Still running." : why(answer, solution, most, objectives, units)}</p>
      {solving !== undefined && (
        <p className={classes.why}>
          Narrow it down with <code className={classes.command}>{solving}</code>
        </p>
      )}
    </div>
  );
}

/**
 * The solved size; until it is there, and for packets, the two swept sizes that it lies between: points are not
 * interpolated.
 */
function size({ buffer, below }: Answer, solution: Solution | undefined): Shown | undefined {
  if (solution?.state === "solved")
    return { ...splitQuantity(solution.buffer, "B"), about: false, buffer: solution.buffer };
  if (buffer === undefined) return undefined;
  if (below === undefined) return { ...splitQuantity(buffer, "B"), about: solution?.state === "pending", buffer };
  return { ...bracket(below, buffer), about: false, buffer };
}

function why(
  answer: Answer,
  solution: Solution | undefined,
  most: number,
  objectives: Objective[],
  units: Units,
): string {
  return [reason(answer, solution, most, objectives, units), ...reservations(answer)]
    .filter((part) => part !== "")
    .join(" ");
}

function reason(
  { buffer, below, binding, unanswered, passedOver, engine }: Answer,
  solution: Solution | undefined,
  most: number,
  objectives: Objective[],
  units: Units,
): string {
  if (solution?.state === "solved") {
    if (solution.missed >= solution.buffer) return "Even the smallest possible size meets the targets.";
    const { number, unit } = bracket(solution.missed, solution.buffer);
    return `Solved within ${number} ${unit}. ${tooSmall(solution.missed, solution.binding)}`;
  }
  const refused = solution?.state === "unsolved" ? ` The exact size could not be computed: ${solution.words}` : "";
  if (buffer === undefined) {
    if (unanswered.length === objectives.length) return `The ${engine} engine does not compute these targets.`;
    if (passedOver !== undefined) return "The targets are met only where the model does not hold.";
    if (solution?.state === "infeasible") return solution.words;
    const judged = objectives.filter(({ metric }) => !unanswered.includes(metric));
    const swept =
      binding.length < judged.length || judged.length === 1 || binding.length === 1
        ? neverMet(binding, most, units)
        : neverTogether(judged, units);
    return swept + refused;
  }
  if (solution?.state === "pending")
    return `${below === undefined ? "The smallest size swept" : "Between two swept sizes"}. Solving for the exact one.`;
  if (below === undefined) return `This is the smallest size swept; a smaller one may meet the targets.${refused}`;
  return tooSmall(below, binding) + refused;
}
