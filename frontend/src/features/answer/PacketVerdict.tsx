import classes from "./answer.module.css";
import { wordsOf } from "@/api/problem";
import { capital, neverTogether, plain, readBinding, type Units } from "@/lib/answerWords";
import { showObjective } from "@/lib/fraction";
import { roughly } from "@/lib/number";
import type { Objective } from "@/lib/objectives";
import type { Point } from "@/lib/points";
import { formatQuantity, splitQuantity } from "@/lib/quantity";
import { solutionOf, type SizeDocument, type Solution } from "@/lib/solution";
import { whyDiffer } from "@/lib/whyDiffer";
import { EngineMark } from "@/plot/EngineMark";
import type { SizeSearch } from "@/state/useSizeJob";
import { useInvalidFields } from "@/form/invalid";

type Props = {
  search: SizeSearch;
  objectives: Objective[];
  units: Units;
  /** The size of the scenario, B. */
  buffer: number | undefined;
  /** What the engines that answer at once found. */
  solutions: Record<string, Solution>;
  /** Their curves, which show why they differ. */
  points: Point[];
  onChoose: (buffer: number) => void;
};

/** Sizes that differ by less agree. */
const AGREE = 1.1;

/** The smallest buffer by packets: the verdict, ahead of the models. */
export function PacketVerdict({ search, objectives, units, buffer, solutions, points, onChoose }: Props) {
  const { job, cost, error } = search;
  const invalid = useInvalidFields().length > 0;
  const result = job?.status === "done" ? job.result : null;
  const active = job?.status === "queued" || job?.status === "running";
  const found = result?.feasible === true && result.value !== null ? { ...result, value: result.value } : undefined;
  return (
    <div className={classes.answer} data-verdict="">
      <span className={classes.engine}>
        <EngineMark engine="packet" />
        packet
      </span>
      {found === undefined ? (
        <span className={classes.none}>
          {active ? "Simulating" : result === null ? "Not simulated yet" : "No size"}
        </span>
      ) : (
        <button
          type="button"
          className={classes.size}
          title={`Choose ${formatQuantity(found.value, "B")}`}
          onClick={() => {
            onChoose(found.value);
          }}
        >
          <small>about </small>
          {splitQuantity(found.value, "B").number} <small>{splitQuantity(found.value, "B").unit}</small>
        </button>
      )}
      {found !== undefined && (
        <p className={classes.why}>
          {[
            certainty(found),
            decided(found, units),
            verdictOn(buffer, found),
            ...beside(found, solutions, points, units),
          ]
            .filter((words) => words !== "")
            .join(" ")}
        </p>
      )}
      {result !== null && found === undefined && <p className={classes.why}>{never(result, objectives, units)}</p>}
      {active && (
        <p className={classes.why} role="status">
          {`${String(Math.round(job.progress * 100))} ` +
            `%${job.seconds_left === null ? "" : `, ${roughly(job.seconds_left)} left`}. `}
          <button type="button" className={classes.link} onClick={search.cancel}>
            Cancel the search
          </button>
        </p>
      )}
      {!active && result === null && error !== undefined && <p className={classes.why}>{wordsOf(error)}</p>}
      {!active && result === null && error === undefined && (
        <p className={classes.why}>
          {job?.status === "cancelled" && "Cancelled. "}
          {job?.status === "failed" && "The search failed. "}
          <button
            type="button"
            className={classes.link}
            onClick={search.start}
            disabled={cost === undefined || invalid}
          >
            Find the size by packets{cost !== undefined && ` (${roughly(cost)})`}
          </button>
        </p>
      )}
    </div>
  );
}

type Found = SizeDocument & { value: number };

/** "95 % interval 1.64 to 1.68 MB." */
function certainty({ interval }: Found): string {
  if (interval === null || interval[0] === interval[1]) return "";
  return `95 % interval ${formatQuantity(interval[0], "B")} to ${formatQuantity(interval[1], "B")}.`;
}

function decided({ binding }: Found, units: Units): string {
  const [objective] = readBinding(binding);
  if (objective === undefined) return "The smallest size tried meets the targets.";
  const { metric, op, value } = objective;
  return (
    `${capital(plain(metric))} ${op === ">=" ? "≥" : "≤"} ` +
    `${showObjective(metric, value, units[metric]?.unit ?? "1")} decides.`
  );
}

/** Whether the size of the scenario passes. */
function verdictOn(buffer: number | undefined, { value, interval }: Found): string {
  if (buffer === undefined) return "";
  const [low, high] = interval ?? [value, value];
  const own = formatQuantity(buffer, "B");
  if (buffer < low) return `The chosen ${own} fails.`;
  return buffer > high || low === high ? `The chosen ${own} passes.` : `The chosen ${own} is within the interval.`;
}

/** "Theory has 411 kB. At 1.66 MB its utilisation …" where a model differs. */
function beside(found: Found, solutions: Record<string, Solution>, points: Point[], units: Units): string[] {
  const [objective] = readBinding(found.binding);
  const off = (at: Record<string, number>) => Math.abs(Math.log((at["switch.buffer"] ?? 0) / found.value));
  const [tried] = found.tried.toSorted((a, b) => off(a.at) - off(b.at));
  return Object.entries(solutions).flatMap(([engine, solution]) => {
    if (solution.state !== "solved") return [];
    const ratio = solution.buffer / found.value;
    const size = `${engine} has ${formatQuantity(solution.buffer, "B")}`;
    if (ratio < AGREE && ratio > 1 / AGREE) return [`${capital(size)}, which agrees.`];
    const why =
      tried === undefined
        ? ""
        : whyDiffer(engine, points, tried.at["switch.buffer"] ?? found.value, tried.metrics, objective, units);
    return [`${capital(size)}.`, why];
  });
}

function never(result: SizeDocument, objectives: Objective[], units: Units): string {
  const solution = solutionOf(result, objectives, units);
  return solution.state === "infeasible" ? solution.words : neverTogether(objectives, units);
}
