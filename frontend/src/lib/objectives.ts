/** The targets of the buffer, written as on the command line: `utilisation>=0.99`. */
import { bufferOf, type Point, type Result } from "@/lib/points";

export type Objective = { metric: string; op: ">=" | "<="; value: number };

const FEW_DROPS: Objective = { metric: "drop_rate", op: "<=", value: 0.001 };
const BUSY: Objective = { metric: "utilisation", op: ">=", value: 0.99 };

/**
 * What is asked until the person asks otherwise. Only flows without end can keep a link busy; others offer what they
 * offer.
 */
export function usualObjectives(longLived: boolean): Objective[] {
  return longLived ? [BUSY, FEW_DROPS] : [FEW_DROPS];
}

export function formatObjective({ metric, op, value }: Objective): string {
  return `${metric}${op}${value}`;
}

/** Metrics that lie between 0 and 1. */
export const SHARES: ReadonlySet<string> = new Set(["utilisation", "drop_rate", "fairness", "deadlock"]);

/** Reads `utilisation>=0.99`; null when it is anything else, or a limit that the API refuses. */
export function parseObjective(text: string): Objective | null {
  const match = /^([a-z_0-9]+)(>=|<=)(.+)$/.exec(text.trim());
  const value = Number(match?.[3]);
  if (match?.[1] === undefined || match[3]?.trim() === "" || !Number.isFinite(value)) return null;
  if (value < 0 || (SHARES.has(match[1]) && value > 1)) return null;
  return { metric: match[1], op: match[2] === ">=" ? ">=" : "<=", value };
}

/** Reads several, separated by commas: of each metric the first that can be read. */
export function parseObjectives(text: string): Objective[] {
  return text
    .split(",")
    .map(parseObjective)
    .filter((one) => one !== null)
    .filter(({ metric }, i, all) => all.findIndex((other) => other.metric === metric) === i);
}

export function meets(objective: Objective, value: number): boolean {
  return objective.op === ">=" ? value >= objective.value : value <= objective.value;
}

export type Answer = {
  engine: string;
  /** Smallest swept buffer that meets every objective the engine answers, B. */
  buffer?: number;
  /** The next smaller swept buffer, which does not, B. */
  below?: number;
  /** Objectives that fail at `below`, or everywhere when no buffer meets them. */
  binding: Objective[];
  /** Metrics the engine does not answer. */
  unanswered: string[];
  /** Every 95 % interval lies on the right side of its objective. */
  certain: boolean;
  /** A larger swept buffer fails again. */
  reopens: boolean;
  /** Sizes whose numbers meet every objective where the model does not hold: the greatest one, B, and why. */
  passedOver?: { upTo: number; reason: string };
};

/** A solved answer: between the size that misses an objective and the one that meets them all, B. */
export type Solved = { buffer: number; below: number };

/** The smallest swept buffer at which one engine meets the objectives. */
export function smallest(points: Point[], engine: string, objectives: Objective[]): Answer {
  const own = points
    .filter((point) => point.result.engine === engine)
    .sort((a, b) => (bufferOf(a) ?? 0) - (bufferOf(b) ?? 0));
  const unanswered = objectives
    .map((objective) => objective.metric)
    .filter((metric) => !own.some((point) => point.result.metrics[metric] !== undefined));
  const judged = objectives.filter((objective) => !unanswered.includes(objective.metric));
  const failures = own.map((point) => judged.filter((objective) => !met(point, objective)));
  const index = judged.length === 0 ? -1 : failures.findIndex((failed) => failed.length === 0);
  const passed = passedOver(index < 0 ? own : own.slice(0, index), judged);
  const more = passed === undefined ? {} : { passedOver: passed };
  if (index < 0) {
    const everywhere = judged.filter((objective) => failures.every((failed) => failed.includes(objective)));
    return {
      engine,
      binding: everywhere.length > 0 ? everywhere : judged,
      unanswered,
      certain: true,
      reopens: false,
      ...more,
    };
  }
  const point = own[index];
  const buffer = point === undefined ? undefined : bufferOf(point);
  const before = own[index - 1];
  const below = before === undefined ? undefined : bufferOf(before);
  return {
    engine,
    ...(buffer === undefined ? {} : { buffer }),
    ...(below === undefined ? {} : { below }),
    binding: failures[index - 1] ?? [],
    unanswered,
    certain: point !== undefined && judged.every((objective) => surely(point, objective)),
    reopens: failures.slice(index).some((failed) => failed.length > 0),
    ...more,
  };
}

/** The largest of the sizes that would meet the targets if the model held there. */
function passedOver(points: Point[], judged: Objective[]): Answer["passedOver"] {
  const last = points.findLast(
    ({ result }) => judged.length > 0 && judged.every((objective) => fits(result, objective)),
  );
  const upTo = last === undefined ? undefined : bufferOf(last);
  const reason =
    last === undefined
      ? undefined
      : judged.map((objective) => outsideOf(last.result, objective)).find((why) => why !== undefined);
  return upTo === undefined || reason === undefined ? undefined : { upTo, reason };
}

/** Why a number cannot be compared with an objective; undefined where the model is valid. */
export function outsideOf(result: Result, { metric }: Objective): string | undefined {
  return result.outside_validity[metric];
}

function fits(result: Result, objective: Objective): boolean {
  const value = result.metrics[objective.metric];
  return value !== undefined && meets(objective, value);
}

/** A number outside the model's validity meets nothing. */
function met({ result }: Point, objective: Objective): boolean {
  return outsideOf(result, objective) === undefined && fits(result, objective);
}

function surely(point: Point, objective: Objective): boolean {
  const interval = point.result.intervals[objective.metric];
  return interval === undefined || interval.every((bound) => meets(objective, bound));
}
