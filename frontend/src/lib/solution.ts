/** The smallest buffer as it is solved for, which does not depend on the sizes swept. */
import type { Schema } from "@/contract";
import { neverMet, neverTogether, readBinding, type Units } from "@/lib/answerWords";
import { meets, type Objective } from "@/lib/objectives";
import { plainText } from "@/lib/problems";

/** A size search as the API answers it. */
export type SizeDocument = Schema<"SizeDocument">;

export type Solution =
  | { state: "pending" }
  /**
   * missed: the next smaller size looked at, which fails `binding`; equal to `buffer` when the smallest size of all
   * meets the targets.
   */
  | {
      state: "solved";
      buffer: number;
      missed: number;
      binding: Objective[];
      /** Smaller sizes are outside the engine's validity: fewer bytes may do. */
      skipped?: true;
    }
  | { state: "infeasible"; words: string }
  /** Refused or failed, and why: the swept sizes stand for it. */
  | { state: "unsolved"; words: string };

export function solutionOf(document: SizeDocument, objectives: Objective[], units: Units): Solution {
  const { feasible, value, interval, binding, reason } = document;
  if (feasible && value !== null)
    return {
      state: "solved",
      buffer: value,
      missed: interval?.[0] ?? value,
      binding: readBinding(binding),
      ...(document.notes.some((note) => /^Values of \S+ up to .* were skipped: /.test(note)) ? { skipped: true } : {}),
    };
  // The reason of an engine that cannot judge is the server's own; the page says the rest in its words.
  const cannot = /^the \w+ engine cannot answer [^:]*: (.*)$/s.exec(reason);
  if (cannot?.[1] !== undefined)
    return { state: "infeasible", words: `Outside validity: ${plainText(cannot[1]).replace(/\.?$/, ".")}` };
  const tried = document.tried.toSorted((a, b) => size(a) - size(b));
  const fails = (objective: Objective, metrics: Record<string, number>) => {
    const found = metrics[objective.metric];
    return found === undefined || !meets(objective, found);
  };
  const never = objectives.filter((objective) => tried.every(({ metrics }) => fails(objective, metrics)));
  const last = tried[tried.length - 1];
  if (never.length > 0 && last !== undefined) return { state: "infeasible", words: neverMet(never, size(last), units) };
  return { state: "infeasible", words: neverTogether(objectives, units) };
}

const size = ({ at }: SizeDocument["tried"][number]) => at["switch.buffer"] ?? 0;
